/* The critical step of explicit schemes: the longest at which the linearised motion stays bounded.
 *
 * With omega the highest frequency of (K, M) and s = integrator->stability that is s / omega. Where the
 * damping force stands at the velocity before the step it is shorter: s^2 M - h^2 K - 2 h C must be positive
 * definite, so with one mode's damping ratio xi the limit is (2 / omega) (sqrt(1 + xi^2) - xi) for s = 2. */
#ifndef SG_STRATEGIES_CRITICAL_STEP_H
#define SG_STRATEGIES_CRITICAL_STEP_H

#include <stdbool.h>

#include "contact/contact_set.h"
#include "deck/deck.h"
#include "model/system.h"
#include "model/tangent.h"
#include "support/status.h"

struct sg_critical_spec {
    const struct sg_system *system;        /* as it will be integrated: lumped, scaled */
    const struct sg_contact_set *contacts; /* may be NULL */
    const double *contact_stiffness;       /* q, N/m, what closed contacts add; NULL: nothing */
    double stability;                      /* largest omega h; HUGE_VAL: unconditionally stable */
    bool damping_before;                   /* the damping force stands at the velocity before the step */
};

struct sg_critical_step {
    double omega; /* rad/s: highest frequency at the initial state, that of the tangent where the model has
                     nonlinear elements */
    double step;  /* s; HUGE_VAL: none */
    bool damped;  /* damping shortens it */
    bool tangent; /* of the tangent: the frequencies change with the state */
    bool closed;  /* with the stiffness of all contacts */
};

/* Exact for the linear system within 1e-10, but where contacts' stiffness and such damping come together in
 * modal coordinates: then a lower bound. SG_NO_SOLUTION if the highest frequency can't be found. */
sg_status sg_critical_step_find(const struct sg_critical_spec *spec, struct sg_critical_step *critical,
                                struct sg_error *err);

/* The matrices that decide: the system's own, or their tangents at the initial state; K with the contacts'
 * stiffness. Nodal coordinates. Release in any case. */
struct sg_critical_matrices {
    struct sg_arena arena;         /* has all of them */
    const struct sg_matrix *K, *C; /* of the system, or of what follows */
    struct sg_tangent tangent;
    struct sg_matrix closed;
};
sg_status sg_critical_matrices_init(struct sg_critical_matrices *at, const struct sg_critical_spec *spec,
                                    struct sg_error *err);
void sg_critical_matrices_release(struct sg_critical_matrices *at);

/* A longer step than that is a finding at time.step (SG_BAD_DECK); a warning if `allowed`. */
struct sg_step_verdict {
    const struct sg_setting *time; /* the deck's group */
    const char *integrator;
    double step; /* s */
    bool allowed;
    bool scalable; /* mass could be added instead: said in the hint */
};
sg_status sg_critical_step_judge(const struct sg_critical_step *critical,
                                 const struct sg_step_verdict *verdict, struct sg_diagnostics *diagnostics,
                                 struct sg_error *err);

#endif
