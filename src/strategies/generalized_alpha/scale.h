/* Scales say what residuals and multipliers are measured by, when residuals are small, and by how much rows
 * are regularized. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_SCALE_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_SCALE_H

#include "strategies/generalized_alpha/step.h"

/* ggl->scale of the start, where the problem is evaluated */
sg_status sg_ggl_scale_init(struct sg_ggl *ggl, struct sg_error *err);

/* Tells whether the row (unilateral) is closed with the gap. */
bool sg_ggl_is_closed(const struct sg_ggl *ggl, size_t row, double gap);

/* Tells whether the correction moves the row (unilateral) by more than that, by its own multiplier. */
bool sg_ggl_is_pushed_out(const struct sg_ggl *ggl, size_t row);

/* Rows that depend on one another make S_t singular. They are regularized by a share of their Delassus
 * diagonal, 1/kg (tangents count behind the rows), which acts on corrections of multipliers alone, so that
 * nothing is left of it where they end. Dependent rows yield by SG_GGL_DEPENDENT; where Newton's iterations
 * lead nowhere all rows do by SG_GGL_DAMPED, at which sets that can't be met throw the iterate less far, but
 * it comes nearer by a factor a time only. */
#define SG_GGL_DEPENDENT       1e-8
#define SG_GGL_DAMPED          1e-3
#define SG_GGL_STRONGLY_DAMPED 1e-2
double sg_ggl_regularization(const struct sg_ggl *ggl, size_t row);

/* Pivots of S_t are sound above this part of the largest. Below it they are rounding, and rows depend on one
 * another. */
#define SG_GGL_SOUND 1e-13

/* Returns the residual of the parts over the largest velocity so far and its momentum: 1. */
double sg_ggl_residual(struct sg_ggl *ggl, int parts);

/* The progress of an iteration that is to come to rest begins with SG_GGL_BEGUN. */
struct sg_ggl_progress {
    double last;
    int stalls;
};
#define SG_GGL_BEGUN                                                                                         \
    {                                                                                                        \
        HUGE_VAL, 0                                                                                          \
    }
bool sg_ggl_is_settled(struct sg_ggl_progress *progress, double residual, double tolerance);

/* Tells whether the iterations that ended with the residual found a solution. */
bool sg_ggl_is_solved(const struct sg_ggl *ggl, double residual);

#endif
