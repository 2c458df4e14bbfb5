/* The unknowns of a step of the nonsmooth generalized-alpha method, and what its files do to them. The
 * equations are those of nonsmooth_alpha.h. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_STEP_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_STEP_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "linalg/saddle.h"
#include "strategies/generalized_alpha/problem.h"
#include "support/arena.h"
#include "support/status.h"

enum sg_ggl_level { SG_GGL_VELOCITY, SG_GGL_POSITION, SG_GGL_BOTH };
enum sg_ggl_coupling { SG_GGL_MONOLITHIC, SG_GGL_SEQUENTIAL, SG_GGL_DECOUPLED };
enum sg_ggl_variant { SG_GGL_STANDARD, SG_GGL_MODIFIED };
enum sg_ggl_method { SG_GGL_AUTO, SG_GGL_CONDENSED, SG_GGL_SCHUR, SG_GGL_DENSE, SG_GGL_SPARSE };

struct sg_ggl_spec {
    double am, af, beta, gamma; /* of generalized-alpha */
    enum sg_ggl_level level;
    enum sg_ggl_coupling coupling;
    enum sg_ggl_variant variant;
    enum sg_ggl_method method;
    double tolerance; /* 1: of each residual, relative to the largest velocity so far or its momentum in the
                         dof */
    long long max_iterations;
};

/* A step is three sub-problems, each a motion with the multipliers that constrain it:
 *
 *     smooth motion         vd  with lam      M vd - f = Gb^T lam
 *     position correction   U   with nu       M U      = G^T nu + H^T (nuT of contacts held, else (h/2) LamT)
 *     velocity jump         W   with Lam      M W      = G^T Lam + H^T LamT
 */
enum sg_ggl_part_name { SG_GGL_SMOOTH, SG_GGL_CORRECTION, SG_GGL_JUMP, SG_GGL_PARTS };

/* sets of parts */
#define SG_GGL_ONLY(part) (1 << (part))
#define SG_GGL_ALL        ((1 << SG_GGL_PARTS) - 1)

/* What is true of a level, a row of sg_ggl_levels. */
struct sg_ggl_level_facts {
    int parts;      /* set of the parts that it has */
    bool holds;     /* bilateral rows constrain the smooth motion */
    bool jumps;     /* contacts have a law of impact; else their gaps constrain the smooth motion: index 3 */
    bool corrects;  /* a part of its own puts positions right */
    double follows; /* U is this times h W; 0: it is not */
};
extern const struct sg_ggl_level_facts sg_ggl_levels[]; /* by enum sg_ggl_level */

/* rows of constraints, by number, ascending */
struct sg_ggl_list {
    size_t *row, count;
};

/* Unilateral tangents are rows behind the others: `multiplier`, `violation` and the active rows have them
 * too, in the jump those of contacts that push, in the correction those of contacts that are held. */
struct sg_ggl_part {
    double *multiplier;        /* rows: lam (N), nu (kg m) or Lam (N s) */
    struct sg_ggl_list active; /* rows that are constrained; multipliers of the others are zero */
    double *momentum;          /* n, kg m/s: residual of the equation of motion */
    bool still;        /* motion, multipliers and so the residual are zero; of the smooth part false */
    double *violation; /* rows, m/s: residual of the constraints; of the jump that of all rows */
};

/* What residuals and multipliers are measured by (scale.c), made at the start where nothing else is said.
 * The Delassus diagonal is (G diag(M)^-1 G^T)_jj. */
struct sg_ggl_scale {
    bool massless;         /* a dof has no mass: M has no inverse */
    double *delassus_diag; /* rows, then unilateral tangents, 1/kg: of the tangents of a contact the largest.
                            * Its inverse turns gaps and rates into multipliers where sets are chosen */
    double *unit;          /* n: rate of a dof by which points move with 1 m/s */
    double *mass;          /* n, kg: of each dof, times its unit, as the next three */
    double *stiffness, *damping; /* n: diagonals of K and C at the start */
    double *effective_mass;      /* n, kg: what resists a change of velocity in a step of the length */
    double effective_h;          /* s: that length; NaN: none */
    double *dof_scaling;         /* n: power of two next to mass^-1/2 */
    double *row_scaling;         /* rows and tangents: power of two next to delassus_diag^-1/2 */
    double speed;                /* m/s: the largest velocity of the steps accepted */
    double velocity_scale;       /* m/s: with those of the step at hand */
    double motion, correction;   /* m/s: of the velocities alone; of the correction of positions over h */
};

struct sg_ggl_reduced; /* reduced.h */
struct sg_ggl_local;   /* local_sets.c */

struct sg_ggl_counts {
    long long newton, factorizations, solves;
};

struct sg_ggl {
    struct sg_arena *arena; /* has its memory */
    const struct sg_ggl_problem *problem;
    struct sg_ggl_spec spec;
    const struct sg_ggl_level_facts *level; /* of the spec */
    enum sg_ggl_method method;              /* the one that was chosen */
    size_t n, rows;                         /* rows = bilateral + unilateral */
    struct sg_ggl_scale scale;
    double regularization; /* 1: share of its Delassus diagonal by which a row of S_t yields; 0: none does */

    /* the step at hand */
    double t, h;            /* s: its end, its length */
    double *rate0, *drift0; /* rows: velocities of the constraints at the start, dg/dt there */
    double *rate1, *drift1; /* the same of the iterate, at last at its end */

    const double *q0, *v0; /* n: borrowed, the start of the step */
    double *q, *v, *a;     /* n: borrowed, the end of the step */
    double *vd, *vd0;      /* n: acceleration of the smooth motion at the end, at the start */
    double *qt, *vt;       /* n: q~, v~; borrowed too, of `own` or the end itself */
    double *own[2];
    double *U, *W;          /* n */
    double *lam, *nu, *Lam; /* rows: N, kg m, N s; the multipliers of the parts */
    double *LamT, *nuT;     /* unilateral tangents, N s, kg m: they stand behind those of Lam and nu */
    struct sg_ggl_part part[SG_GGL_PARTS];

    bool widened;             /* contacts that nu closes are candidates */
    bool asks;                /* the contacts' own problems say the sets (local_sets.h) */
    bool frozen;              /* `candidate` is what it was */
    bool fixed;               /* so are the active sets */
    bool jams;                /* impacts of the step have a solution without restitution alone */
    bool lasting;             /* contacts push and did before: they start from the last impulses */
    bool pushing;             /* they did in the last step */
    unsigned char *candidate; /* unilateral: g(q~) <= 0 or nu > 0, so that the contact may have an impulse */
    unsigned char *stuck;     /* unilateral: it stuck in the last step */
    double *travel;           /* unilateral tangents, m: of those, along the tangents since the start */
    unsigned char *follows;   /* rows, of the modified variant: nu is h Lam */
    unsigned char *slip;      /* unilateral: it does not push, or does not stick */
    double *slip_direction;   /* unilateral tangents: unit vector along xi_T */
    double *slip_norm;        /* unilateral: |xi_T|, N s */
    double *f;                /* n, N: force of the iterate */

    size_t most;                    /* unknowns of the linear system, at most */
    double *x;                      /* most: right-hand side, solution */
    struct sg_saddle saddle;        /* of the dense and sparse methods */
    struct sg_ggl_reduced *reduced; /* of the others; NULL: none */
    struct sg_ggl_local *local;     /* contacts' own problems; NULL: none */
    struct sg_ggl_counts counts;
};

/* memory of the unknowns; scale.c and correct.c have their own */
sg_status sg_ggl_allocate(struct sg_ggl *ggl, struct sg_error *err);

/* These turn a change of v~ into that of vd and of q~. */
static inline double sg_ggl_vd_by_v(const struct sg_ggl *ggl) /* 1/s: (1 - am) / ((1 - af) gamma h) */
{
    const struct sg_ggl_spec *s = &ggl->spec;
    return (1.0 - s->am) / ((1.0 - s->af) * s->gamma * ggl->h);
}
static inline double sg_ggl_q_by_v(const struct sg_ggl *ggl) /* s: h beta / gamma */
{
    return ggl->h * ggl->spec.beta / ggl->spec.gamma;
}

/* Unknowns of the linear systems are impulses, N s, in all parts: h lam, nu / h, Lam. Here into the
 * multiplier and back. */
static inline double sg_ggl_multiplier(const struct sg_ggl *ggl, size_t part, double impulse)
{
    return part == SG_GGL_SMOOTH ? impulse / ggl->h : part == SG_GGL_CORRECTION ? ggl->h * impulse : impulse;
}
static inline double sg_ggl_impulse(const struct sg_ggl *ggl, size_t part, double multiplier)
{
    return part == SG_GGL_SMOOTH       ? ggl->h * multiplier
           : part == SG_GGL_CORRECTION ? multiplier / ggl->h
                                       : multiplier;
}

/* This factor turns a part's equation of motion into a momentum. */
static inline double sg_ggl_momentum_scale(const struct sg_ggl *ggl, size_t part)
{
    return part == SG_GGL_SMOOTH ? ggl->h : part == SG_GGL_CORRECTION ? 1.0 / ggl->h : 1.0;
}

/* a row of constraints, or behind them a unilateral tangent, as column of G^T */
struct sg_ggl_row {
    const struct sg_columns *w;
    size_t column;
};
static inline struct sg_ggl_row sg_ggl_row(const struct sg_ggl *ggl, size_t row)
{
    const struct sg_ggl_problem *p = ggl->problem;
    if (row < p->bilateral) return (struct sg_ggl_row){p->rows[0], row};
    if (row < ggl->rows) return (struct sg_ggl_row){p->rows[1], row - p->bilateral};
    return (struct sg_ggl_row){p->tangent, row - ggl->rows};
}

/* G_j . x and y += s G_j^T */
static inline double sg_ggl_dot(const struct sg_ggl *ggl, size_t row, const double *x)
{
    struct sg_ggl_row of = sg_ggl_row(ggl, row);
    return sg_columns_dot(of.w, of.column, x);
}
static inline void sg_ggl_add(const struct sg_ggl *ggl, size_t row, double s, double *y)
{
    struct sg_ggl_row of = sg_ggl_row(ggl, row);
    sg_columns_add(of.w, of.column, s, y);
}

/* Tells whether the contact keeps its place: it sticks, as it did in the last step. */
static inline bool sg_ggl_is_held(const struct sg_ggl *ggl, size_t contact)
{
    return ggl->level->corrects && ggl->stuck[contact] && !ggl->slip[contact];
}

/* The rate of v_n in the rows of the iterate, where an approach is slower there than at the start; NAN where
 * that of the start counts, as always where rows never turn. */
static inline double sg_ggl_turned_rate(const struct sg_ggl *ggl, size_t row)
{
    if (ggl->problem->affine || !(ggl->rate0[row] < 0.0)) return NAN;
    double turned = sg_ggl_dot(ggl, row, ggl->v0) + ggl->problem->drift[row];
    return turned > ggl->rate0[row] ? turned : NAN;
}

/* Newton's law of impact, v + e w >= 0 in the rows of the step's end, takes for the speed before
 *
 *     w = max(G(q_n) v_n + g_t, G(q) v_n + g_t),
 *
 * the slower of the approaches that v_n has at the start and in the rows of the iterate. Rows turn by O(h) in
 * a step, and at the joint of two segments, at corners and on small circles they jump to another normal: with
 * the first picture alone v_n = v would be thrown up by e v though nothing collides. What collides approaches
 * in both, and v = -e v_n fulfils all rows of a common e. */
static inline double sg_ggl_rebound(const struct sg_ggl *ggl, size_t contact)
{
    size_t row = ggl->problem->bilateral + contact;
    const struct sg_law *law = &ggl->problem->laws[contact];
    if (!sg_law_rebounds(law)) return 0.0;
    double turned = sg_ggl_turned_rate(ggl, row);
    double rate = isnan(turned) ? ggl->rate0[row] : turned < 0.0 ? turned : 0.0;
    return sg_law_rebound(law, rate);
}

static inline bool sg_ggl_is_zero(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] != 0.0) return false;
    return true;
}

#endif
