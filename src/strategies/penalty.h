/* Inner structure of the strategy `penalty`: the machine of time-stepping with contacts of finite stiffness,
 *
 *     f_j = max(0, -kappa_j g_j - c_j g_j') >= 0,
 *
 * as laws of a step (docs/penalty.md):
 *   penalty.c           keywords, what a deck may ask, memory
 *   penalty_spring.c    form "standard": the force at the equilibrium point of the scheme
 *   penalty_midpoint.c  forms "conserving" and "dissipating": the force of a midpoint step by energies
 *   penalty_energy.c    what the contacts store, take and give */
#ifndef SG_STRATEGIES_PENALTY_H
#define SG_STRATEGIES_PENALTY_H

#include <stdbool.h>
#include <stddef.h>

#include "linalg/effective.h"
#include "strategies/time_stepping.h"

enum sg_penalty_form { SG_FORM_STANDARD, SG_FORM_CONSERVING, SG_FORM_DISSIPATING };

struct sg_penalty_spec {
    int form;
    double dissipation; /* 1, of form "dissipating" */
    double tolerance;   /* as those of time-stepping */
    long long max_iterations;
};

/* the law's data: by contact, q each */
struct sg_penalty {
    struct sg_penalty_spec spec;
    const double *kappa; /* N/m, the set's */
    double chi;          /* dissipation of the form */
    bool damped;         /* some contact has a dashpot */
    double *c;           /* N s/m: dashpot */
    double *slope;       /* N s/m: -df/dv of the velocities at the end of the step */
    double *compliance;  /* m/(N s), the diagonal that the springs add to H */
    double *base;   /* N: force's negative without contact; midpoint: m, the gap at the end of the step */
    double *damper; /* q a stage: N s, what the spring does not explain of a reaction */
    double *damper_held;      /* N, as ts->held */
    unsigned char *dashpot;   /* acts at the equilibrium point at hand */
    bool fresh;               /* no dashpot is chosen yet at the equilibrium point at hand */
    double *before;           /* q: reactions of the iterate before, N s */
    double *matrix, *rhs, *y; /* midpoint forms only: q^2, q, q */
    size_t *pivot;            /* q */
    double *end;              /* n: displacement of the iterate */
};

extern const struct sg_stepping_law sg_penalty_spring, sg_penalty_midpoint;

/* kg: 1 / (w . M^-1 w) of contact j in its first configuration, what the contact feels of the body's mass in
 * the first instant; `scratch`: n. SG_NO_SOLUTION if M can't be factored. */
sg_status sg_penalty_effective_mass(struct sg_effective *op, const struct sg_contact_set *set, size_t j,
                                    double *scratch, double *mass, struct sg_error *err);

/* The force of a midpoint step over which the gap goes from g0 to g1, by U = kappa min(g, 0)^2 / 2:
 *
 *     f = -(U(g1) - U(g0) + D) / (g1 - g0),   D = chi kappa (min(g1, 0) - min(g0, 0))^2 / 2,
 *
 * and df/dg1 <= 0. 0 <= chi <= 1, then f >= 0. */
struct sg_penalty_force {
    double value, slope; /* N, N/m */
};
struct sg_penalty_force sg_penalty_step_force(double kappa, double chi, double g0, double g1);

/* --- for the laws, of penalty_energy.c ---------------------------------------------------------------- */

void sg_penalty_spring_account(struct sg_time_stepping *ts, const struct sg_stepping *step);
void sg_penalty_midpoint_account(struct sg_time_stepping *ts, const struct sg_stepping *step);
double sg_penalty_energy(const struct sg_time_stepping *ts, const struct sg_snapshot *now);
void sg_penalty_archive(struct sg_time_stepping *ts, struct sg_archive *store);
void sg_penalty_release(struct sg_time_stepping *ts);

/* Newton's method where normals follow the solution, a form's way: renew takes frame and gaps of the iterate
 * whose change of velocity is the jump, solve finds its reactions, and scale (N s) says what is small for
 * them. */
struct sg_penalty_iteration {
    const void *context; /* handed to scale and renew */
    double (*scale)(const struct sg_time_stepping *ts, const struct sg_stepping *step, const void *context);
    void (*renew)(struct sg_time_stepping *ts, const struct sg_stepping *step, const void *context);
    sg_status (*solve)(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err);
};
/* From reactions found at a first frame until they stay, within the tolerance or what rounding allows.
 * SG_NO_SOLUTION where they don't. */
sg_status sg_penalty_settle(struct sg_time_stepping *ts, const struct sg_stepping *step,
                            const struct sg_penalty_iteration *iteration, struct sg_error *err);

#endif
