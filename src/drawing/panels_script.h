/* The gnuplot script of a plot. */
#ifndef SG_DRAWING_PANELS_SCRIPT_H
#define SG_DRAWING_PANELS_SCRIPT_H

#include "drawing/gnuplot.h"

/* Draws "plot.out" from data blocks within the script. The script works on no other file.
 * `what` is a struct sg_plot: a struct sg_drawing asks for it. */
void sg_plot_script(const void *what, enum sg_plot_format format, struct sg_script *script);

#endif
