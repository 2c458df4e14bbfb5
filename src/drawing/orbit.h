/* Displacements and velocities of one orbit over place and time, with the contact marked while it is closed:
 * drawn of the samples of its motion, for models along an axis.
 *
 *     orbit.c           finds the orbit, reads its motion
 *     orbit_script.c    writes the script of gnuplot */
#ifndef SG_DRAWING_ORBIT_H
#define SG_DRAWING_ORBIT_H

#include <stddef.h>

#include "drawing/gnuplot.h"
#include "results/reader.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_plot_orbit {
    const char *title;            /* borrowed from the reader */
    double ratio, energy, period; /* 1, 1, s */
    size_t samples, nodes;
    double *position;                /* nodes, m */
    double *time, *closed;           /* samples */
    double *displacement, *velocity; /* samples x nodes, row-major: m, m/s */
};

/* The orbit whose frequency ratio is nearest to `ratio`. SG_NO_INPUT without samples of a motion or of a
 * model that is not along one axis. */
sg_status sg_plot_orbit_init(struct sg_arena *arena, struct sg_plot_orbit *plot,
                             const struct sg_reader *reader, double ratio, struct sg_error *err);

/* `what` is a struct sg_plot_orbit */
void sg_plot_orbit_script(const void *what, enum sg_plot_format format, struct sg_script *script);

#endif
