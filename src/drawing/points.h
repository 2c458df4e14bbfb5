/* The points of an analysis as panels. */
#ifndef SG_DRAWING_POINTS_H
#define SG_DRAWING_POINTS_H

#include "drawing/panels.h"

/* An analysis' points: datasets of one group share a panel, those of GROUP_measured are marks in that of
 * GROUP. Scale and panels over decades are logarithmic. `group`: of the points, "" for all. */
sg_status sg_plot_add_points(struct sg_plot *plot, const struct sg_reader *reader, const char *group,
                             struct sg_error *err);

#endif
