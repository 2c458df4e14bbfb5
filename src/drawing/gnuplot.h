/* A plot drawn by gnuplot. */
#ifndef SG_DRAWING_GNUPLOT_H
#define SG_DRAWING_GNUPLOT_H

#include "drawing/units.h"
#include "support/status.h"

/* what is drawn, and who writes the script that draws it into "plot.out" */
struct sg_drawing {
    void (*script)(const void *plot, enum sg_plot_format format, struct sg_text *script);
    const void *plot;
};

/* Draws into `path`, whose end (.svg, .png, .pdf) tells the format: SG_USAGE for another. SG_SYSTEM if
 * gnuplot is missing or fails, with its words. No name of the file or in it reaches a shell; the script
 * works in a temporary folder on names of its own. */
sg_status sg_plot_draw(const struct sg_drawing *drawing, const char *path, struct sg_error *err);

#endif
