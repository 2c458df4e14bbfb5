/* A study's table as a figure: what was kept over one parameter, a curve for each choice of the others, and
 * their mean. */
#ifndef SG_DRAWING_STUDY_H
#define SG_DRAWING_STUDY_H

#include "drawing/panels.h"
#include "results/study_table.h"

struct sg_plot_study {
    struct sg_study_data data;
    struct sg_series scale; /* the parameter that is drawn over, as axes know it */
    struct sg_plot plot;    /* what sg_plot_script draws */
};

/* `over`: a parameter with numbers; NULL: the one with most of them. `only`: columns that were kept; none:
 * all that are numbers. SG_USAGE, listing what there is, for names that fit nothing; SG_NO_INPUT if there is
 * nothing to draw. `study` has to stay where it is while the arena lives. */
struct sg_study_wish {
    const char *over;
    const char *const *only;
    size_t only_count;
};
sg_status sg_plot_study_init(struct sg_arena *arena, struct sg_plot_study *study, const char *path,
                             const struct sg_study_wish *wish, struct sg_error *err);

#endif
