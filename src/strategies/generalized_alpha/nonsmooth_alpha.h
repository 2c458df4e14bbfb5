/* The step of the nonsmooth generalized-alpha method (Bruels, Acary and Cardona 2014), for any mechanical
 * problem that can say its mass, force, constraints and their derivatives:
 *
 * nonsmooth_alpha.c: a step: prediction, Newton's iterations, the sequential and decoupled forms
 * scale.c: what residuals and multipliers are measured by, and when they are small
 * residual.c: residuals and active sets at an iterate
 * tangent.c: the tangent S_t, entry by entry
 * solve.c: its solution, dense or sparse
 * schur.c: its solution by the constraints' rows alone, of affine constraints
 * condensed.c: the same for linear systems, without iterates of the full unknowns
 * generalized_alpha/stepping.c: the law of time-stepping that is made of it
 *
 * With G = dg/dq, bilateral rows (b) before unilateral ones (u), the step of level `both` is
 *
 *     M vd - f(q, v, t) - Gb^T lam = 0          Gb v~ + gb_t = 0
 *     M U - G^T nu = 0                          gb = 0,  0 <= gu(q) _|_ nu_u >= 0
 *     M W - G^T Lam = 0                         Gb v + gb_t = 0
 *     if g_j(q~) <= 0: 0 <= (G_j v + g_t) + e_j (Gn_j v_n + gn_t) _|_ Lam_j >= 0,  else Lam_j = 0
 *     q~ = q_n + h v_n + h^2 ((1/2 - beta) a_n + beta a),   q = q~ + U
 *     v~ = v_n + h ((1 - gamma) a_n + gamma a),             v = v~ + W
 *     (1 - am) a + am a_n = (1 - af) vd + af vd_n
 *
 * Level `velocity` has neither nu nor lam, and U = (h/2) W; `position` has neither nu nor Lam, and lam of all
 * constraints with 0 <= gu(q) _|_ lam_u >= 0. docs/nonsmooth-generalized-alpha.md has the derivation. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_NONSMOOTH_ALPHA_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_NONSMOOTH_ALPHA_H

#include <stdbool.h>
#include <stddef.h>

#include "linalg/columns.h"
#include "linalg/matrix.h"
#include "linalg/solver.h"
#include "support/status.h"

enum sg_ggl_level { SG_GGL_VELOCITY, SG_GGL_POSITION, SG_GGL_BOTH };
enum sg_ggl_coupling { SG_GGL_MONOLITHIC, SG_GGL_SEQUENTIAL, SG_GGL_DECOUPLED };
enum sg_ggl_variant { SG_GGL_STANDARD, SG_GGL_MODIFIED };
enum sg_ggl_method { SG_GGL_AUTO, SG_GGL_CONDENSED, SG_GGL_SCHUR, SG_GGL_DENSE, SG_GGL_SPARSE };

/* sum_j multiplier_j d2g_j/dq2, symmetric: entries of the lower triangle, which add up */
struct sg_ggl_second {
    size_t count;
    const size_t *row, *column;
    double *value;
};

/* Rows are numbered bilateral first. Functions get `self`; what they fill in belongs to the problem. */
struct sg_ggl_problem {
    size_t n, bilateral, unilateral;
    size_t tangents;                      /* directions of friction a unilateral row; 0: none */
    bool linear;                          /* f = load(t) - K q - C v for ever */
    bool affine;                          /* G never changes */
    const struct sg_matrix *M, *K, *C;    /* K = -df/dq, C = -df/dv of the last `linearize` */
    const double *restitution, *friction; /* unilateral, 1 */
    const double *rounding; /* rows, m or rad: machine epsilons of what g is the difference of */
    /* m by which a unit of each dof, and of each bilateral row, moves points: 1 of displacements, a length of
     * rotations, of a mode its largest displacement. NULL: 1 */
    const double *reach, *row_reach;
    const struct sg_columns *rows[2]; /* Gb^T, Gu^T of the last `place` */
    const struct sg_columns *tangent; /* n x (unilateral tangents), likewise */
    double *gap, *drift;              /* rows: g, dg/dt of the last `place` */
    void *self;
    void (*place)(void *self, double t, const double *q);
    void (*find_gaps)(void *self, double t, const double *q); /* unilateral g alone, rows may be lost */
    void (*force)(void *self, double t, const double *q, const double *v, double *f);
    /* NULL where linear */
    void (*linearize)(void *self, double t, const double *q, const double *v);
    /* NULL where all is affine; of the last `place`. d(G v + drift)/dq, in the pattern of `rows`, into
     * `rate`; second derivatives into `second`. */
    void (*differentiate_rates)(void *self, const double *v, bool contacts); /* or the bilateral rows alone */
    void (*weigh_second)(void *self, const double *multiplier);
    const struct sg_columns *rate[2];
    const struct sg_ggl_second *second;
};

struct sg_ggl_spec {
    double am, af, beta, gamma; /* of generalized-alpha */
    enum sg_ggl_level level;
    enum sg_ggl_coupling coupling;
    enum sg_ggl_variant variant;
    enum sg_ggl_method method;
    double tolerance; /* 1, of each residual relative to the largest velocity so far, or its momentum in the
                       * dof */
    long long max_iterations;
};

/* rows of a block of the linear system, by number */
struct sg_ggl_list {
    size_t *row, count;
};

/* entries of S_t, to be added up; or the matrix itself, size x size, column-major, where there is `dense` */
struct sg_ggl_entries {
    size_t count, capacity;
    int *row, *column;
    double *value;
    double *dense;
    size_t size;
};

struct sg_sparse_lu; /* linalg/sparse_lu.h */
struct sg_ggl_schur; /* schur.c */

struct sg_ggl_counts {
    long long newton, factorizations, solves, fallbacks;
};

struct sg_ggl {
    struct sg_arena arena; /* has the sparse factors */
    const struct sg_ggl_problem *problem;
    struct sg_ggl_spec spec;
    enum sg_ggl_method method; /* the one that was chosen */
    size_t n, rows;            /* rows = bilateral + unilateral */
    bool massless;             /* a dof has no mass: M has no inverse */
    double push;               /* kg: 1 / max_j (G M^-1 G^T)_jj at the start: scale of the active sets */
    double *give;              /* rows, then unilateral tangents, 1/kg: (G M^-1 G^T)_jj at the start */
    double *unit;              /* n: a dof's rate by which points move with 1 m/s, 1 / reach */
    double *mass;              /* n, kg: of each dof, times its unit, as the next two and `heft` */
    double *stiff, *damp;      /* n: diagonals of K and C at the start */
    double *ease, *grip;       /* n, rows and tangents: powers of two next to mass^-1/2, give^-1/2 */
    double *heft;              /* n, kg: what resists a change of velocity in a step of `hefty` */
    double hefty;              /* s; NaN: none */
    double speed, pace;        /* m/s, the largest of the steps accepted; with that of the step at hand */
    double yield;              /* 1: of what they give, by which rows of S_t yield; 0: they don't */

    /* the step at hand; arrays of the start are borrowed */
    double t, h; /* s: its end, its length */
    const double *q0, *v0, *a0;
    double *rate0, *drift0; /* rows: velocities of the constraints at the start, dg/dt there */
    double *rate1, *drift1; /* the same at its end */

    double *q, *v, *a; /* n: borrowed, the end of the step */
    double *vd, *vd0;  /* n: acceleration of the smooth motion at the end, at the start */
    double *qt, *vt;   /* n: q~, v~; borrowed too, of `own` or the end itself */
    double *own[2];
    double *U, *W;          /* n */
    double *lam, *nu, *Lam; /* rows: N, kg m, N s */
    double *LamT;           /* unilateral tangents, N s */

    struct sg_ggl_list smooth, closed, pushed; /* rows of lam, nu and Lam in the linear system */
    bool frozen;                               /* `near` is what it was */
    bool lasting;              /* contacts push and did before: they start from the last impulses */
    bool pushing;              /* they did in the last step */
    unsigned char *near;       /* unilateral: g(q~) <= 0 */
    unsigned char *follows;    /* rows, of the modified variant: nu is h Lam */
    unsigned char *slip;       /* unilateral: of those pushed */
    double *way;               /* unilateral tangents: unit direction of xi_T */
    double *reach;             /* unilateral: |xi_T|, N s */
    double *rs, *rp, *rv;      /* n: residuals, kg m/s */
    double *cs, *cp, *cv, *ct; /* rows (ct: tangents), m/s */
    double *f;                 /* n */

    struct sg_ggl_entries entries; /* dense: most^2, of the dense method alone */
    size_t most;                   /* unknowns of the linear system, at most */
    size_t *pivot;
    double *x;  /* most: right-hand side, solution */
    double *by; /* most: what S_t is scaled by from both sides */
    struct sg_sparse_lu *sparse;
    struct sg_ggl_schur *schur;
    struct sg_ggl_counts counts;
};

/* The problem is placed at its start. Release in any case. SG_NO_SOLUTION if M (with the bilateral rows) is
 * singular. */
sg_status sg_ggl_init(struct sg_ggl *ggl, const struct sg_ggl_problem *problem,
                      const struct sg_ggl_spec *spec, struct sg_error *err);
void sg_ggl_release(struct sg_ggl *ggl);

/* Acceleration at t of q, v by M a - Gb^T lam = f, Gb a = -bias (bilateral; NULL: zero): into `a` and
 * ggl->vd0, its multipliers into ggl->lam. */
struct sg_ggl_start {
    double t;
    const double *q, *v, *bias;
};
sg_status sg_ggl_begin(struct sg_ggl *ggl, const struct sg_ggl_start *start, double *a, struct sg_error *err);

/* the span of a step with its ends: the first three are read, the last written */
struct sg_ggl_span {
    double t, h;
    const double *q0, *v0, *a0;
    double *q, *v, *a;
};
/* SG_NO_SOLUTION if the iterations don't converge; may be tried again with another span. */
sg_status sg_ggl_step(struct sg_ggl *ggl, const struct sg_ggl_span *span, struct sg_error *err);

/* the step is kept: its end is the next one's start */
void sg_ggl_accept(struct sg_ggl *ggl);

/* Of the step just taken: G_j v~, without what time does; whether it put positions right, by then ggl->U */
double sg_ggl_smooth_rate(const struct sg_ggl *ggl, size_t row);
bool sg_ggl_corrects(struct sg_ggl *ggl);

/* --- between the files ------------------------------------------------------------------------------- */

/* numbers that turn corrections into one another: dv~ moves q by `move`, vd by `pull` */
double sg_ggl_pull(const struct sg_ggl *ggl); /* 1/s: (1 - am) / ((1 - af) gamma h) */
double sg_ggl_move(const struct sg_ggl *ggl); /* s: h beta / gamma */

bool sg_ggl_is_zero(size_t n, const double *x);
/* G_j . x and y += s G_j^T */
double sg_ggl_dot(const struct sg_ggl *ggl, size_t row, const double *x);
void sg_ggl_add(const struct sg_ggl *ggl, size_t row, double s, double *y);

/* Places the problem at the iterate, chooses the active sets, fills the residuals; multipliers out of their
 * sets become zero. */
void sg_ggl_evaluate(struct sg_ggl *ggl);
/* blocks of unknowns: v~ and lam; U and nu; W and Lam */
enum { SG_GGL_SMOOTH = 1, SG_GGL_PLACE = 2, SG_GGL_KICK = 4, SG_GGL_ALL = 7 };

/* the largest residual of the blocks, by the largest velocity so far and its momentum: 1 */
double sg_ggl_residual(struct sg_ggl *ggl, int blocks);

/* mass, push and give of the start */
sg_status sg_ggl_scale_init(struct sg_ggl *ggl, struct sg_error *err);
/* whether row (unilateral) is closed with the gap */
bool sg_ggl_is_closed(const struct sg_ggl *ggl, size_t row, double gap);
/* 1/kg: what row (tangents count behind the rows) yields by, to corrections of multipliers: so that nothing
 * yields where they end. Rows that depend on one another do by SG_GGL_SHARING; where Newton's iterations lead
 * nowhere all by SG_GGL_EASING, at which sets that can't be met throw the iterate less far, but it comes
 * nearer by a factor a time only. */
#define SG_GGL_SHARING     1e-8
#define SG_GGL_EASING      1e-3
#define SG_GGL_LAST_EASING 1e-2
double sg_ggl_yield(const struct sg_ggl *ggl, size_t row);

/* of an iteration that is to come to rest: begin with SG_GGL_BEGUN */
struct sg_ggl_progress {
    double last;
    int stalls;
};
#define SG_GGL_BEGUN                                                                                         \
    {                                                                                                        \
        HUGE_VAL, 0                                                                                          \
    }
bool sg_ggl_is_settled(struct sg_ggl_progress *progress, double residual, double tolerance);
/* whether the iterations that ended with the residual found a solution */
bool sg_ggl_is_solved(const struct sg_ggl *ggl, double residual);

/* S_t of the iterate just evaluated: unknowns [dW; -dLam; -dLamT; dv~; -h dlam; dU/h; -dnu/h], the
 * multipliers by the lists. `blocks`: which of them, and the couplings between. */
struct sg_ggl_layout {
    size_t vt, lam, u, nu, w, kick, slide, total; /* first unknown of each; SIZE_MAX: not there */
};
struct sg_ggl_layout sg_ggl_layout(const struct sg_ggl *ggl, int blocks);
void sg_ggl_assemble(struct sg_ggl *ggl, int blocks);
/* [M Gs^T; Gs 0], Gs the rows listed in `smooth` */
void sg_ggl_assemble_start(struct sg_ggl *ggl);
void sg_ggl_right_side(const struct sg_ggl *ggl, int blocks, double *x);
void sg_ggl_apply(struct sg_ggl *ggl, int blocks, const double *x);

sg_status sg_ggl_solver_init(struct sg_ggl *ggl, struct sg_error *err);
void sg_ggl_solver_release(struct sg_ggl *ggl);
/* f := a of M a - Gs^T lam = f, Gs a = -cs (packed), Gs the rows listed in `smooth`; sets lam */
sg_status sg_ggl_accelerate(struct sg_ggl *ggl, double *f, struct sg_error *err);
/* one correction */
sg_status sg_ggl_correct(struct sg_ggl *ggl, int blocks, struct sg_error *err);

sg_status sg_ggl_schur_init(struct sg_ggl *ggl, struct sg_error *err);
void sg_ggl_schur_release(struct sg_ggl *ggl);
sg_status sg_ggl_schur_accelerate(struct sg_ggl *ggl, double *f, struct sg_error *err);
sg_status sg_ggl_schur_correct(struct sg_ggl *ggl, struct sg_error *err);
sg_status sg_ggl_condensed_step(struct sg_ggl *ggl, struct sg_error *err);

#endif
