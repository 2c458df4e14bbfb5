/* What `signorini plot` shows of a run or an analysis: the usual panels, or those asked for by name. */
#ifndef SG_DRAWING_HISTORIES_H
#define SG_DRAWING_HISTORIES_H

#include "drawing/panels.h"

struct sg_plot_wish {
    const char *const *only; /* names of histories or groups; none: the usual panels */
    size_t only_count;
    bool all; /* as many columns as a panel has room for, not only those that tell most */
};

/* SG_USAGE, listing what there is, for a name that fits nothing; SG_NO_INPUT if there is nothing to draw. */
sg_status sg_plot_init(struct sg_arena *arena, struct sg_plot *plot, const struct sg_reader *reader,
                       const struct sg_plot_wish *wish, struct sg_error *err);

#endif
