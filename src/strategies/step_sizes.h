/* The two steps of event-driven integration, by points per shortest period: from the model without
 * contacts, and from the model with every spring closed. */
#ifndef SG_STRATEGIES_STEP_SIZES_H
#define SG_STRATEGIES_STEP_SIZES_H

#include "contact/contact_set.h"
#include "model/system.h"
#include "strategies/strategy.h"
#include "support/status.h"

struct sg_step_sizes {
    double omega_free, omega_closed; /* rad/s, the highest */
    double load_step;          /* s: the longest that shows the loads' course; HUGE_VAL: any does. Steps that
                                * are not given are no longer than this */
    double step, contact_step; /* s */
};

/* Steps given in `time` are taken as they are. SG_BAD_DECK if a step is needed but the model has no
 * stiffness to derive it from. */
sg_status sg_step_sizes_find(const struct sg_system *system, const struct sg_contact_set *contacts,
                             const struct sg_time_spec *time, struct sg_step_sizes *sizes,
                             struct sg_error *err);

/* The same, and whether the run can go with these steps: faults are findings at the keyword that they stem
 * from (SG_BAD_DECK). An explicit scheme is stable on closed contacts only with their step. */
sg_status sg_step_sizes_init(const struct sg_run *run, struct sg_step_sizes *sizes, struct sg_error *err);

/* Checks whether the integrator can take steps of both sizes at all (first_step.h): else findings,
 * SG_BAD_DECK. */
sg_status sg_step_sizes_try(const struct sg_run *run, const struct sg_step_sizes *sizes,
                            struct sg_error *err);

/* K + W diag(stiffness) W^T as a matrix of its own; the caller releases it. */
sg_status sg_closed_stiffness(struct sg_arena *arena, const struct sg_matrix *k, const struct sg_columns *w,
                              const double *stiffness, struct sg_matrix *closed, struct sg_error *err);

#endif
