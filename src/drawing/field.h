/* What a plot of a field shows: the mesh at a few times, a panel each, its elements coloured by one scale.
 *
 *     field.c         finds the field, reads the samples
 *     field_script.c  lays out the panels and writes the script of gnuplot */
#ifndef SG_DRAWING_FIELD_H
#define SG_DRAWING_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "drawing/gnuplot.h"
#include "exporting/export.h"
#include "results/reader.h"
#include "support/status.h"

enum { SG_FIELD_PANELS = 24 };

struct sg_field_panel {
    double t;         /* s, of the sample */
    double *position; /* node_count x 2, row-major, m: where the nodes are drawn */
    double *value;    /* an element's or a node's, whichever the field has; not finite: not drawn */
};

struct sg_plot_field {
    struct sg_arena *arena;
    struct sg_export_source source; /* all that the file has */
    const char *title;              /* borrowed from the reader, like the unit */
    const char *unit;
    char name[96];
    double deform;         /* the factor of the displacements */
    struct sg_scene scene; /* owned, with the mesh */
    bool cells;            /* values of elements, else of nodes */
    struct sg_field_panel panels[SG_FIELD_PANELS];
    size_t count;
    size_t drawn;           /* elements with an inside */
    double low[2], high[2]; /* of the places in all panels, m */
    double least, most;     /* of the values in all panels; 0 and 0 if none is finite */
};

/* What is asked for. */
struct sg_field_wish {
    const char *name;  /* "von_mises", "stress_xx", "displacement_y" */
    const char *times; /* as sg_scene_samples takes them; at most SG_FIELD_PANELS */
    double deform;     /* 0: the undeformed mesh, for which no displacements are needed */
};

/* SG_USAGE for a name that is no field, listing those that are, or for times that are no list; SG_NO_INPUT
 * for a model without elements in a plane, or without the histories needed. `plot` has to stay where it is
 * while the arena lives. */
sg_status sg_plot_field_init(struct sg_arena *arena, struct sg_plot_field *plot,
                             const struct sg_reader *reader, const struct sg_field_wish *wish,
                             struct sg_error *err);

/* The nodes of an element from one to the next around it, with those in the middles of edges; 0 for elements
 * without an inside. */
enum { SG_OUTLINE_NODES = 8 };
size_t sg_plot_outline(const struct sg_mesh *mesh, size_t element, size_t nodes[SG_OUTLINE_NODES]);

/* Draws "plot.out". The value of an element fills it; that of a node fills what of each of its elements is
 * next to it. `what` is a struct sg_plot_field: a struct sg_drawing asks for it. */
void sg_plot_field_script(const void *what, enum sg_plot_format format, struct sg_script *script);

#endif
