/* The bilateral constraints of a step in response form: the impulses mu that keep, with
 * v1 = v_free + D G^T mu + (contacts) and G at a configuration known before the step,
 *
 *     G v1 + drift = 0   at velocity level,   g(u + compliance v1) = 0   at position level,
 *
 * the latter by Newton's iterations with G in the place of the derivative at their iterates.
 * They are eliminated exactly: with A = G D G^T, mu = -A^-1 (G v + drift), both of the free state and of
 * every column of the contacts' response, D_c = D - D G^T A^-1 G D. Contacts then don't know of them. */
#ifndef SG_STRATEGIES_TIME_STEPPING_BILATERAL_H
#define SG_STRATEGIES_TIME_STEPPING_BILATERAL_H

#include <stdbool.h>

#include "integrators/integrator.h"
#include "linalg/row_pairs.h"
#include "model/constraint.h"
#include "support/archive.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_bilateral {
    struct sg_integrator *integrator;
    struct sg_phase *phase;
    size_t n, m;
    struct sg_constraint_frame frame;       /* g and G of the step; drift at its end */
    struct sg_constraint_frame ahead;       /* g where a position level holds it */
    double *drift_before;                   /* m: at its start */
    bool fixed;                             /* nothing but the length of the step changes D G^T and A */
    struct sg_kick kick;                    /* that they are of; span.h NaN: none */
    const double *diagonal;                 /* n: D where it is diagonal; else NULL */
    double *x;                              /* n x m: D G^T; NULL where D is diagonal */
    struct sg_row_pairs pairs;              /* where A has entries; of a diagonal D */
    double *a;                              /* m x m: A, factorised */
    size_t *pivot;                          /* m */
    double *mu;                             /* m, N s: of the step at hand */
    double *force, *impulse;                /* m: N at its end, N s accumulated */
    double *impulse_start, *impulse_sample; /* m: at its start; at a sample inside */
    struct sg_velocity_jump jump;           /* that the free state takes by mu; owned */
};

/* `first`: the usual step. All memory is the arena's. Without constraints m is 0, and nothing below does
 * anything.
 */
sg_status sg_bilateral_init(struct sg_arena *arena, struct sg_bilateral *self,
                            struct sg_integrator *integrator, struct sg_phase *phase, struct sg_kick first,
                            struct sg_error *err);

/* The constraints of a step are taken with G at u (n) and t, and with the drift at the times of the
 * velocities before and after. */
struct sg_bilateral_configuration {
    double t, before, after; /* s */
    const double *u;
};
void sg_bilateral_configure(struct sg_bilateral *self, const struct sg_bilateral_configuration *at);

/* D G^T and A of the D of the last `free_motion`; SG_NO_SOLUTION where rows of G depend on one another */
sg_status sg_bilateral_begin(struct sg_bilateral *self, struct sg_kick kick, struct sg_error *err);

/* Finds mu of the step that puts the velocity v (n) right, and the jump by it. */
void sg_bilateral_solve_velocity(struct sg_bilateral *self, const double *v);

/* The same at position level: `v` as it is without them, `iterate` (n; may be v) one about whose displacement
 * `u` (n, at the time t) g is linear, which moves by `compliance` (s) times a change of the velocity. */
struct sg_bilateral_iterate {
    const double *v, *iterate, *u;
    double t, compliance;
};
void sg_bilateral_solve_position(struct sg_bilateral *self, const struct sg_bilateral_iterate *at);

/* x (n), a column of D W, becomes one of D_c W; reactions (m): the impulses by which */
void sg_bilateral_project(const struct sg_bilateral *self, double *x, double *reactions);

/* Keeps force and impulse of the step just taken, of `duration` (s); returns the work (J) that moving
 * constraints did. */
double sg_bilateral_account(struct sg_bilateral *self, double duration);

/* Fills impulse_sample with the impulse at a share of the step. */
void sg_bilateral_sample(struct sg_bilateral *self, double share);

void sg_bilateral_archive(struct sg_bilateral *self, struct sg_archive *store);

#endif
