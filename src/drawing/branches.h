/* Points of several sweeps as panels: a curve a branch, named by what tells the branches apart. */
#ifndef SG_DRAWING_BRANCHES_H
#define SG_DRAWING_BRANCHES_H

#include "drawing/panels.h"

/* Points that have a column `branch`: a panel a series, a curve a branch. */
sg_status sg_plot_add_branches(struct sg_plot *plot, const struct sg_reader *reader, const char *group,
                               struct sg_error *err);

#endif
