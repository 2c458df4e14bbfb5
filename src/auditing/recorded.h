/* What rows of a results file tell of one another: momenta of their velocities, and contact forces of their
 * impulses or gaps. Part of the second witness, in nodal coordinates. */
#ifndef SG_AUDITING_RECORDED_H
#define SG_AUDITING_RECORDED_H

#include "auditing/rebuilt.h"
#include "support/status.h"

/* the largest difference of what is recorded and what is computed again, and the largest size of both */
struct sg_difference {
    double largest, size, t;
    bool seen;
};

/* Takes a pair into the difference; one that is no number is the largest. */
void sg_difference_take(struct sg_difference *difference, double recorded, double computed, double t);

/* 1: the largest difference over the size; infinite where it is no number */
double sg_difference_share(const struct sg_difference *difference, double size);

struct sg_recorded_check {
    const struct sg_rebuilt *model;
    double *momentum; /* n_full, kg m/s: of all dofs */
    struct sg_difference linear, angular, force;
};

/* One row; what the file lacks is NULL. */
struct sg_recorded_row {
    double t, h;                           /* s; h: since the row before, 0 at the first */
    const double *displacement, *velocity; /* n_full */
    const double *linear, *angular;        /* dim; 3 in space, else 1 */
    const double *gap, *force, *impulse;   /* a contact each */
};

/* Memory is the arena's. */
sg_status sg_recorded_init(struct sg_arena *arena, struct sg_recorded_check *recorded,
                           const struct sg_rebuilt *model, struct sg_error *err);

/* Compares momentum/linear with the sum of M v along the axes, momentum/angular with that of x_k p_k about
 * the origin, and contact_force with contact_impulse over the row's time (steps of one length, rigid
 * contacts) or with the law at the gap (events, springs). */
void sg_recorded_see(struct sg_recorded_check *recorded, const struct sg_recorded_row *row);

/* Appends recorded_momentum, recorded_angular_momentum and recorded_force, as far as the file has them. */
void sg_recorded_conclude(const struct sg_recorded_check *recorded, struct sg_audit_list *list);

#endif
