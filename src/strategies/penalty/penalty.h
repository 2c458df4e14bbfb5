/* Inner structure of the strategy `penalty`: the machine of time-stepping with contacts of finite stiffness,
 *
 *     f_j = max(0, -kappa_j g_j - c_j g_j') >= 0, or by Hertz's law (hertz.h),
 *
 * as laws of a step (docs/penalty.md):
 *   penalty.c           keywords, what a deck may ask, memory
 *   spring.c    form "standard": the force at the equilibrium point of the scheme
 *   hertz.c     the same by Hertz's law
 *   midpoint.c  forms "conserving" and "dissipating": the force of a midpoint step by energies
 *   newton.c    reactions of forces that are no straight lines
 *   energy.c    what the contacts store, take and give */
#ifndef SG_STRATEGIES_PENALTY_PENALTY_H
#define SG_STRATEGIES_PENALTY_PENALTY_H

#include <stdbool.h>
#include <stddef.h>

#include "linalg/effective.h"
#include "strategies/time_stepping/time_stepping.h"

enum sg_penalty_form { SG_FORM_STANDARD, SG_FORM_CONSERVING, SG_FORM_DISSIPATING };
enum sg_penalty_kind { SG_KELVIN_VOIGT, SG_HERTZ };
enum sg_penalty_dashpot { SG_DASHPOT_EXACT, SG_DASHPOT_HERTZDAMP };

struct sg_penalty_spec {
    int form, law, dashpot;
    double dissipation; /* 1, of form "dissipating" */
    double tolerance;   /* as those of time-stepping */
    long long max_iterations;
};

/* the law's data: by contact, q each */
struct sg_penalty {
    struct sg_penalty_spec spec;
    const double *kappa; /* N/m, the set's */
    const double *hertz; /* N/m^1.5, the set's; NULL: the law is Kelvin and Voigt's */
    double *bounce;      /* 1: a of hertz.h by contact; with `hertz` alone, as the next two */
    double *speed;       /* m/s: of the impact that a contact is in, in the step at hand */
    double *speed_held;  /* m/s: at its start */
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

extern const struct sg_stepping_law sg_penalty_spring, sg_penalty_hertz, sg_penalty_midpoint;

/* whether a deck's group `strategy` is of this strategy with Hertz's law */
bool sg_penalty_is_hertz(const struct sg_setting *strategy);

/* N: of the spring alone at a gap */
double sg_penalty_spring_force(const struct sg_penalty *law, size_t j, double gap);

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

/* --- laws that are no straight line, of newton.c ----------------------------------------------- */

/* Reactions r = T f(base + G r), G = move H, of forces f_j that fall with their gaps: there the convex
 * function
 *
 *     (1/2) r . G r + T sum Psi_j(base_j + (G r)_j),   Psi' = -f,
 *
 * is least. Newton's method, with the step along its direction found where it climbs. */
struct sg_penalty_law {
    struct sg_penalty_force (*force)(const void *context, size_t j, double gap);
    const void *context;
    double duration, move; /* T: s; s */
    double rounding;       /* of a force, relative */
};
/* of the listed contacts, law_data->base by contact: into ts->r and ts->jump.dv. What they close joins the
 * list. SG_NO_SOLUTION where the iterations don't end. */
sg_status sg_penalty_solve_listed(struct sg_time_stepping *ts, const struct sg_stepping *step,
                                  const struct sg_penalty_law *law, struct sg_error *err);

/* --- forces at the scheme's own point, of spring.c -----------------------------------------------
 */

/* where forces stand: u_p and g_p', by the end's velocities */
struct sg_penalty_point {
    double t, share;   /* s, 1 */
    double a, b;       /* s, 1 */
    double duration;   /* s, T */
    double rate_share; /* 1, of the start in g_p' */
};
struct sg_penalty_point sg_penalty_point_of(const struct sg_time_stepping *ts,
                                            const struct sg_stepping *step);

/* gap velocity at the point without contacts */
double sg_penalty_rate(const struct sg_time_stepping *ts, const struct sg_stepping *step,
                       const struct sg_penalty_point *p, size_t j);

/* --- for the laws, of energy.c ---------------------------------------------------------------- */

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

/* What forces at the scheme's own equilibrium point differ in: form "standard" by linear springs, by Hertz.
 */
struct sg_penalty_force_law {
    /* once an equilibrium point, where the frame stands: the dashpots that are felt */
    void (*choose)(struct sg_time_stepping *ts, const struct sg_stepping *step,
                   const struct sg_penalty_point *p);
    /* law->base, negative where a contact pushes, by the frame of the iterate whose change of velocity is dv
     * (NULL: 0) */
    void (*set_base)(struct sg_time_stepping *ts, const struct sg_stepping *step,
                     const struct sg_penalty_point *p, const double *dv);
    /* N s: what is small for the reactions */
    double (*scale)(const struct sg_time_stepping *ts, const struct sg_stepping *step,
                    const struct sg_penalty_point *p);
    /* reactions of the listed contacts, and the jump */
    sg_status (*implicit)(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err);
    sg_status (*explicit)(struct sg_time_stepping *ts, const struct sg_stepping *step,
                          const struct sg_penalty_point *p, struct sg_error *err);
};
/* the `prepare` of every form, and the `solve` of these laws */
sg_status sg_penalty_prepare(struct sg_time_stepping *ts, const struct sg_stepping *step,
                             struct sg_error *err);
sg_status sg_penalty_solve(struct sg_time_stepping *ts, const struct sg_stepping *step,
                           const struct sg_penalty_force_law *force, struct sg_error *err);

#endif
