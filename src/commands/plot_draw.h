/* A plot drawn by gnuplot. */
#ifndef SG_COMMANDS_PLOT_DRAW_H
#define SG_COMMANDS_PLOT_DRAW_H

#include "commands/plot_panels.h"
#include "support/status.h"

/* Draws into `path`, whose end (.svg, .png, .pdf) tells the format: SG_USAGE for another. SG_SYSTEM if
 * gnuplot is missing or fails, with its words. No name of the file or in it reaches a shell; the script
 * works in a temporary folder on names of its own. */
sg_status sg_plot_draw(const struct sg_plot *plot, const char *path, struct sg_error *err);

#endif
