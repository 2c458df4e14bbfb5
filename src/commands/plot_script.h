/* The gnuplot script of a plot. */
#ifndef SG_COMMANDS_PLOT_SCRIPT_H
#define SG_COMMANDS_PLOT_SCRIPT_H

#include "commands/plot_panels.h"
#include "support/text.h"

enum sg_plot_format { SG_PLOT_SVG, SG_PLOT_PNG, SG_PLOT_PDF };

/* Draws "plot.out" from data blocks within the script. The script works on no other file. */
void sg_plot_script(const struct sg_plot *plot, enum sg_plot_format format, struct sg_text *script);

#endif
