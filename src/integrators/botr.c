/* The two-level BoTr scheme (Borri-Bottasso and Trainelli family): eq. (15) of Depouhon et al. 2014 as
 * corrected in docs/event-driven.md. u' = v and M v' = f - C v - K u are integrated with
 *
 *     int y dt = h/6 [(3+eta) y1 + (3-eta) y0] - h^2/12 [(1+eta) y1' - (1-eta) y0'],
 *
 * eta = (1-rho)/(1+rho). In increments du, dv, with a = (3+eta)/6, b = (1+eta)/12,
 * R = int f dt - h (K u0 + contact) this is
 *
 *     (C + a h K) du + (M - b h^2 K) dv             = R + (eta h^2/6) K v0                         = r1
 *     (M - b h^2 K) du - (a h M + b h^2 C) dv       = h M v0 + (eta h^2/6) C v0
 *                                                     - (eta h/6) R - (h^2/12)(f1 - f0)            = r2
 *
 * and splits: with s a root of b z^2 - a z + 1 = 0 and d = 1/(2 b s - a),
 *     p = -(h^2 K + s h C + s^2 M)^-1 (h r1 + s r2),   du = 2 Re(d p),   dv = 2 Re(d s p)/h:
 * one complex-symmetric solve of the size of the model. Order 4 at rho = 1, else 3. */
#include <complex.h>
#include <math.h>

#include "integrators/integrator.h"
#include "linalg/kernels.h"
#include "linalg/vector.h"
#include "support/arena.h"

struct spec {
    double rho_inf;
};

static const struct sg_keyword rows[] = {
    {.name = "rho_inf",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "spectral radius at infinite frequency: 1 conserves (order 4), below it damps (order 3)",
     .fallback = "0.5",
     .range = SG_BETWEEN(0, 1),
     .offset = offsetof(struct spec, rho_inf)},
    {0}};

enum { VECTORS = 8 };

struct botr {
    double eta;
    double complex s, d, ds;
    double *vectors[VECTORS]; /* n: what the names below stand for */
    double *force, *change;   /* of the load over the step; change stays 0 if it is steady */
    double *ku, *kv, *mv;     /* products, where the matrices are not diagonal */
    double *zero;             /* damping of undamped modes */
    double *re, *im;          /* right-hand side, then p */
    double complex *lead;     /* q */
};

/* Why one complex solve does: with P(z) = h^2 K + z h C + z^2 M, the combination h r1 + s r2 of the two rows
 * has the coefficients P(s) / s at du and -b h P(s) at dv, because a - b s = 1/s and 1 - a s = -b s^2 at a
 * root s. So
 *
 *     h r1 + s r2 = P(s) (du/s - b h dv),     p = b h dv - du/s,
 *
 * and as du and dv are real, p and its conjugate give both; s s* = 1/b makes du = 2 Re(d p). An elimination
 * of dv would need K M^-1 K instead, which is full and squares the condition. */
static sg_status create(struct sg_integrator *self, const struct sg_setting *node,
                        const struct sg_phase *phase, struct sg_error *err)
{
    struct spec spec;
    struct botr *botr = NULL;
    sg_setting_fill(node, rows, &spec);
    TRY(SG_ARENA_NEW(self->arena, &botr, 1, err));
    self->data = botr;
    self->stability = HUGE_VAL;
    botr->eta = (1.0 - spec.rho_inf) / (1.0 + spec.rho_inf);
    double a = (3.0 + botr->eta) / 6.0, b = (1.0 + botr->eta) / 12.0;
    botr->s = (a + sqrt(4.0 * b - a * a) * I) / (2.0 * b);
    botr->d = 1.0 / (2.0 * b * botr->s - a);
    botr->ds = botr->d * botr->s;
    for (int k = 0; k < VECTORS; k++)
        TRY(SG_ARENA_NEW(self->arena, &botr->vectors[k], phase->system->n, err));
    double **names[VECTORS] = {&botr->force, &botr->change, &botr->ku, &botr->kv,
                               &botr->mv,    &botr->zero,   &botr->re, &botr->im};
    for (int k = 0; k < VECTORS; k++) *names[k] = botr->vectors[k];
    return SG_ARENA_NEW(self->arena, &botr->lead, sg_effective_rows_view(phase->op)->w->q, err);
}

/* --- right-hand side ------------------------------------------------------------------------------ */

/* The load of a step: R has weight * force, r2 has lever * botr->change. */
struct load {
    double weight, lever;
    const double *force;
};

static struct load load_over(struct botr *botr, struct sg_phase *phase, struct sg_span span)
{
    double h = span.h;
    if (phase->steady) return (struct load){h, 0.0, phase->load};
    sg_system_load_over(phase->system, span.t, h, botr->force, botr->change);
    return (struct load){1.0, -h * h / 12.0, botr->force};
}

/* The scheme's numbers for a step, in real arithmetic: du = du_re Re p - du_im Im p, and dv likewise. */
struct numbers {
    double h, eta6; /* s: h, eta h/6 */
    double s_re, s_im, du_re, du_im, dv_re, dv_im;
};

static struct numbers numbers_of(const struct botr *botr, double h)
{
    return (struct numbers){.h = h,
                            .eta6 = botr->eta * h / 6.0,
                            .s_re = creal(botr->s),
                            .s_im = cimag(botr->s),
                            .du_re = 2.0 * creal(botr->d),
                            .du_im = 2.0 * cimag(botr->d),
                            .dv_re = 2.0 * creal(botr->ds) / h,
                            .dv_im = 2.0 * cimag(botr->ds) / h};
}

/* A step that is to be taken. */
struct crossing {
    struct numbers numbers;
    struct load load;
    const struct sg_state *from;
    size_t slot;
};

/* A complex number whose products skip the compiler's checks for infinities, so that loops vectorise. */
struct pair {
    double re, im;
};

/* One dof of the vectors of r1 and r2: int f dt, -(h^2/12)(f1 - f0), K u0, K v0 and M v0 + (eta h/6) C v0. */
struct row {
    double force, moment, ku, kv, mv;
};

/* The right-hand side -(h r1 + s r2) of one dof. */
static inline struct pair right_side(const struct numbers *c, struct row x)
{
    double r = x.force - c->h * x.ku;
    double r1 = r + c->h * c->eta6 * x.kv;
    double r2 = c->h * x.mv - c->eta6 * r + x.moment;
    return (struct pair){-c->h * r1 - c->s_re * r2, -c->s_im * r2};
}

/* The springs of A add kappa gap w to K u0 and kappa (w . v0) w to K v0: the right-hand side gets a
 * multiple of w. */
static void contact_leads(struct botr *botr, const struct sg_phase *phase, const struct crossing *x)
{
    const struct sg_effective_rows *springs = sg_effective_rows_view(phase->op);
    for (size_t i = 0; i < sg_effective_active_count(phase->op); i++) {
        size_t j = sg_effective_active_row(phase->op, i);
        double dots[2], kappa = springs->kappa[j];
        botr->lead[i] = 0.0;
        if (!isfinite(kappa)) continue;
        sg_columns_dot_two(springs->w, j, x->from->u, x->from->v, dots);
        struct row spring = {.ku = kappa * (dots[0] + springs->offset[j]), .kv = kappa * dots[1]};
        struct pair side = right_side(&x->numbers, spring);
        botr->lead[i] = side.re + side.im * I;
    }
}

/* --- matrices of any class ------------------------------------------------------------------------ */

SG_HOT static void combine(const struct botr *botr, size_t n, const struct crossing *x)
{
    const struct numbers c = x->numbers;
    const double *restrict force = x->load.force, weight = x->load.weight;
    const double *restrict ku = botr->ku, *restrict kv = botr->kv, *restrict mv = botr->mv;
    double *restrict re = botr->re, *restrict im = botr->im;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        struct pair side = right_side(&c, (struct row){weight * force[i], 0.0, ku[i], kv[i], mv[i]});
        re[i] = side.re;
        im[i] = side.im;
    }
}

/* Solves for p without contacts. For eta = 0 the product K v0 is not needed and stays 0, as it was made. */
static void solve_any(struct botr *botr, const struct sg_phase *phase, const struct crossing *x)
{
    const struct sg_system *system = phase->system;
    double eta6 = x->numbers.eta6;
    sg_matrix_multiply(&system->K, x->from->u, botr->ku);
    sg_matrix_multiply(&system->M, x->from->v, botr->mv);
    if (botr->eta != 0.0) sg_matrix_multiply(&system->K, x->from->v, botr->kv);
    if (botr->eta != 0.0) sg_matrix_multiply_add(&system->C, eta6, x->from->v, botr->mv);
    combine(botr, system->n, x);
    if (!phase->steady) {
        sg_axpy(system->n, -x->numbers.s_re * x->load.lever, botr->change, botr->re);
        sg_axpy(system->n, -x->numbers.s_im * x->load.lever, botr->change, botr->im);
    }
    sg_effective_solve_smooth(phase->op, x->slot, botr->re, botr->im);
}

SG_HOT static void increments(const struct botr *botr, size_t n, const struct crossing *x,
                              struct sg_state *to)
{
    const struct numbers c = x->numbers;
    const double *restrict re = botr->re, *restrict im = botr->im;
    const double *restrict u = x->from->u, *restrict v = x->from->v;
    double *restrict u1 = to->u, *restrict v1 = to->v;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        u1[i] = u[i] + (c.du_re * re[i] - c.du_im * im[i]);
        v1[i] = v[i] + (c.dv_re * re[i] - c.dv_im * im[i]);
    }
}

/* --- diagonal matrices ---------------------------------------------------------------------------- */

/* A step reads this where all matrices are diagonal. */
struct fields {
    struct numbers numbers;
    struct load load;
    const double *change, *mass, *damping, *stiffness, *u, *v;
    struct sg_effective_reciprocals inverse;
};

static struct fields fields_of(const struct botr *botr, const struct sg_system *system,
                               const struct crossing *x, struct sg_effective_reciprocals inverse)
{
    return (struct fields){.numbers = x->numbers,
                           .load = x->load,
                           .change = botr->change,
                           .mass = system->M.diag,
                           .damping = system->damped ? system->C.diag : botr->zero,
                           .stiffness = system->K.diag,
                           .u = x->from->u,
                           .v = x->from->v,
                           .inverse = inverse};
}

/* One dof of p without contacts: products, right-hand side and solve in one pass over memory. */
static inline struct pair solve_entry(const struct fields *f, size_t i)
{
    const struct numbers *c = &f->numbers;
    struct row row = {.force = f->load.weight * f->load.force[i],
                      .moment = f->load.lever * f->change[i],
                      .ku = f->stiffness[i] * f->u[i],
                      .kv = f->stiffness[i] * f->v[i],
                      .mv = (f->mass[i] + c->eta6 * f->damping[i]) * f->v[i]};
    struct pair side = right_side(c, row);
    double re = f->inverse.re[i], im = f->inverse.im[i];
    return (struct pair){side.re * re - side.im * im, side.re * im + side.im * re};
}

SG_HOT static void solve_diagonal(size_t n, const struct fields *fields, double *restrict re,
                                  double *restrict im)
{
    const struct fields f = *fields;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        struct pair p = solve_entry(&f, i);
        re[i] = p.re;
        im[i] = p.im;
    }
}

/* Takes the whole step in one pass, where no contact is closed. */
SG_HOT static void fly(size_t n, const struct fields *fields, double *restrict u1, double *restrict v1)
{
    const struct fields f = *fields;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        struct pair p = solve_entry(&f, i);
        u1[i] = f.u[i] + (f.numbers.du_re * p.re - f.numbers.du_im * p.im);
        v1[i] = f.v[i] + (f.numbers.dv_re * p.re - f.numbers.dv_im * p.im);
    }
}

/* Takes the step with contacts. By Woodbury p = p0 - X (D + W^T X)^-1 (lead + W^T p0): the low-rank
 * correction comes before the increments, which must not see p0. */
static void cross(struct botr *botr, const struct sg_phase *phase, const struct crossing *x,
                  struct sg_state *to)
{
    sg_effective_finish(phase->op, x->slot, botr->lead, botr->re, botr->im);
    increments(botr, phase->system->n, x, to);
}

static void step_diagonal(struct botr *botr, struct sg_phase *phase, const struct crossing *x,
                          struct sg_effective_reciprocals inverse, struct sg_state *to)
{
    size_t n = phase->system->n;
    struct fields fields = fields_of(botr, phase->system, x, inverse);
    if (sg_effective_active_count(phase->op) == 0) {
        fly(n, &fields, to->u, to->v);
        phase->counts.solves++;
        return;
    }
    solve_diagonal(n, &fields, botr->re, botr->im);
    cross(botr, phase, x, to);
}

/* --- the step ------------------------------------------------------------------------------------- */

static sg_status step(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                      struct sg_span span, struct sg_state *to, struct sg_error *err)
{
    struct botr *botr = self->data;
    double h = span.h;
    const double complex abc[3] = {botr->s * botr->s, botr->s * h, h * h};
    struct crossing x = {numbers_of(botr, h), load_over(botr, phase, span), from, 0};
    TRY(sg_effective_prepare_complex(phase->op, abc, &x.slot, err));
    struct sg_effective_reciprocals inverse = sg_effective_reciprocals(phase->op, x.slot);
    contact_leads(botr, phase, &x);
    if (inverse.re != NULL) {
        step_diagonal(botr, phase, &x, inverse, to);
        return SG_OK;
    }
    solve_any(botr, phase, &x);
    cross(botr, phase, &x, to);
    return SG_OK;
}

const struct sg_integrator_ops sg_integrator_botr = {
    .kind = {"botr", "two-level BoTr scheme of Depouhon et al. 2014, order 3, at rho_inf = 1 order 4", rows},
    .complex_valued = true,
    .create = create,
    .step = step,
    .work = sg_work_simpson,
};
