/* A figure drawn by gnuplot. */
#ifndef SG_DRAWING_GNUPLOT_H
#define SG_DRAWING_GNUPLOT_H

#include "drawing/template.h"
#include "support/status.h"

enum sg_plot_format { SG_PLOT_SVG, SG_PLOT_PNG, SG_PLOT_PDF };

/* What is drawn, and the function that writes the script which draws it. */
struct sg_drawing {
    void (*script)(const void *plot, enum sg_plot_format format, struct sg_script *script);
    const void *plot;
};

/* Draws into `path`, whose end (.svg, .png, .pdf) tells the format: SG_USAGE for another. SG_SYSTEM if
 * gnuplot is missing or fails, with its words; SG_INTERNAL for a script that fills its template wrongly. No
 * name of the file or in it reaches a shell; the script works in a temporary folder on names of its own. */
sg_status sg_plot_draw(const struct sg_drawing *drawing, const char *path, struct sg_error *err);

/* The part of a script that opens the figure, of a size in inches; data go before it. */
void sg_plot_terminal(struct sg_script *script, enum sg_plot_format format, double width, double height);

#endif
