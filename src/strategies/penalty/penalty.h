/* Inner structure of the strategy `penalty`: the machine of time-stepping with contacts that are forces of
 * their laws (contact/law.h), as schemes of a step (docs/penalty.md):
 *
 *     penalty.c    keywords, what a deck may ask, memory
 *     standard.c   form "standard": the force at the equilibrium point of the scheme
 *     linear.c     its reactions where all laws are one straight line
 *     curved.c     the same of any laws
 *     midpoint.c   forms "conserving" and "dissipating": the force of a midpoint step by energies
 *     newton.c     reactions of forces that are no straight lines
 *     energy.c     what the contacts store, take and give */
#ifndef SG_STRATEGIES_PENALTY_PENALTY_H
#define SG_STRATEGIES_PENALTY_PENALTY_H

#include <stdbool.h>
#include <stddef.h>

#include "linalg/effective.h"
#include "strategies/formulations.h"
#include "strategies/time_stepping/time_stepping.h"

enum { SG_PENALTY_COMMON_LAW = 0 }; /* of the choices of `law`: the default */
enum sg_penalty_dashpot { SG_DASHPOT_EXACT, SG_DASHPOT_HERTZDAMP };

struct sg_penalty_spec {
    int form, law, dashpot;
    double dissipation; /* 1, of form "dissipating" */
    double tolerance;   /* as those of time-stepping */
    long long max_iterations;
};

/* what contacts of one body share (shared_mass.c); by contact, q each, where nothing else is said */
struct sg_penalty_sharing {
    size_t *start,
        *partner;         /* q + 1; the others of contact j's group are partner[start[j]] .. [start[j + 1]] */
    double *coupling;     /* 1/kg, by partner: w_j . M^-1 w_l */
    double *alone, *mass; /* kg: what a contact feels by itself; what its dashpot is for at present */
    double *pull;         /* N/(kg m): (H K 1)_j of the closed ones */
    unsigned char *closed; /* at the equilibrium point at hand */
};

/* by contact, q each, where nothing else is said */
struct sg_penalty {
    struct sg_penalty_spec spec;
    const struct sg_law *laws; /* the set's */
    bool linear;               /* all of them are one straight line */
    bool damped;               /* some contact has a dashpot */
    double *kappa;             /* N/m: the largest stiffness of straight pieces */
    double *c;                 /* N s/m: dashpot */
    unsigned char *dashpot;    /* it acts at the equilibrium point at hand */
    struct sg_penalty_sharing sharing;
    double *memory;      /* q SG_LAW_MEMORY: in the step at hand */
    double *memory_held; /* at its start */
    double chi;          /* dissipation of the form */
    double *slope;       /* N s/m: -df/dv of the velocities at the end of the step; curved.c: m/s, rates */
    double *compliance;  /* m/(N s), the diagonal that the springs add to H */
    double *base;        /* below 0 where a contact pushes: linear.c N, the negative of the force without
                            contacts; else m, the gap without them */
    double *damper;      /* q a stage: N s, what the spring does not explain of a reaction */
    double *damper_held; /* N, as ts->stored_force */
    bool fresh;          /* no dashpot is chosen yet at the equilibrium point at hand */
    double *before;      /* reactions of the iterate before, N s */
    double *matrix, *rhs, *y; /* of newton.c: q^2, q, q */
    size_t *pivot;            /* q */
    double *end;              /* n: displacement of the iterate, of midpoint.c */
};

extern const struct sg_stepping_scheme sg_penalty_standard, sg_penalty_midpoint;

/* of contact j, its dashpot as it is felt */
struct sg_law_force sg_penalty_force_at(const struct sg_penalty *law, size_t j, double gap, double rate);

/* N: at the start. Dashpots are for all that are closed there; laws with a memory have none of an approach
 * yet.
 */
double sg_penalty_force_at_start(const struct sg_time_stepping *ts, size_t j, double gap, double rate);

/* N: of the spring alone at a gap */
double sg_penalty_spring_force(const struct sg_penalty *law, size_t j, double gap);

/* kg: 1 / (w . M^-1 w) of contact j in its first configuration, what the contact feels of the body's mass in
 * the first instant; `scratch`: n. SG_NO_SOLUTION if M can't be factored. */
sg_status sg_penalty_effective_mass(struct sg_effective *op, const struct sg_contact_set *set, size_t j,
                                    double *scratch, double *mass, struct sg_error *err);

/* Finds groups and masses, from kappa and the laws; p->sharing owns them, in case of an error too. */
sg_status sg_penalty_share_masses(struct sg_time_stepping *ts, struct sg_penalty *p, struct sg_error *err);
void sg_penalty_sharing_release(struct sg_penalty_sharing *of);

/* c of the q contacts for the masses of those that are `sharing.closed`, if these have changed */
void sg_penalty_set_masses(struct sg_penalty *p, size_t q, bool changed);

/* --- laws that are no straight line, of newton.c ----------------------------------------------- */

/* Reactions r = T f(base + G r), G = move H, of forces f_j that fall with their gaps: there the convex
 * function
 *
 *     (1/2) r . G r + T sum Psi_j(base_j + (G r)_j),   Psi' = -f,
 *
 * is least. Newton's method, with the step along its direction found where it climbs. */
struct sg_penalty_force {
    double value, slope; /* N, N/m */
};
struct sg_penalty_law {
    struct sg_penalty_force (*force)(const void *context, size_t j, double gap);
    const void *context;
    double duration, move; /* T: s; s */
    double rounding;       /* of a force, relative */
};
/* of the listed contacts, scheme_data->base by contact: into ts->r and ts->jump.dv. What they close joins the
 * list. SG_NO_SOLUTION where the iterations don't end. */
sg_status sg_penalty_solve_listed(struct sg_time_stepping *ts, const struct sg_stepping *step,
                                  const struct sg_penalty_law *law, struct sg_error *err);

/* --- forces at the scheme's own point, of standard.c -------------------------------------------- */

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

void sg_penalty_standard_account(struct sg_time_stepping *ts, const struct sg_stepping *step);
void sg_penalty_midpoint_account(struct sg_time_stepping *ts, const struct sg_stepping *step);
double sg_penalty_energy(const struct sg_time_stepping *ts, const struct sg_snapshot *now);
const double *sg_penalty_memory(const struct sg_time_stepping *ts);
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

/* How reactions of an implicit scheme are found at its equilibrium point: by linear.c and curved.c. */
struct sg_penalty_implicit {
    /* once an equilibrium point, where dashpots are chosen; NULL: nothing to do */
    void (*begin)(struct sg_time_stepping *ts, const struct sg_penalty_point *p);
    /* law->base, by the frame of the iterate whose change of velocity is dv (NULL: 0) */
    void (*set_base)(struct sg_time_stepping *ts, const struct sg_stepping *step,
                     const struct sg_penalty_point *p, const double *dv);
    /* N s: what is small for the reactions */
    double (*scale)(const struct sg_time_stepping *ts, const struct sg_stepping *step,
                    const struct sg_penalty_point *p);
    /* reactions of the listed contacts, and the jump */
    sg_status (*solve)(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err);
};
extern const struct sg_penalty_implicit sg_penalty_linear, sg_penalty_curved;

/* the `prepare` of every form */
sg_status sg_penalty_prepare(struct sg_time_stepping *ts, const struct sg_stepping *step,
                             struct sg_error *err);

#endif
