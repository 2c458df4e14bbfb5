/* Modal propagation: every phase is a set of uncoupled damped oscillators in its own modes, crossed in
 * closed form. Loads are polynomials of time over a step: straight lines where they are that, of degree
 * SG_LOAD_DEGREE elsewhere, exact to rounding for steps of a twentieth of their period. What remains is the
 * discretisation in space: chatter is real for the semi-discrete model.
 *
 * A phase with active contacts has the modes of diag(k) + W_A kappa W_A^T in the null space of its
 * resting rows; they are decomposed once per set of stiffnesses and kept in a bounded cache. Only the
 * coordinates that active rows touch couple: the others are modes of their own. */
#include <math.h>
#include <string.h>

#include "integrators/integrator.h"
#include "integrators/oscillator.h"
#include "linalg/constrained_modes.h"
#include "linalg/small.h"
#include "linalg/vector.h"
#include "model/load_course.h"
#include "support/arena.h"

enum { SETS = 8, STEPS = 3, HIGHER = SG_LOAD_DEGREE - 1 };

/* The responses of all modes of a phase for one step size. */
struct responses {
    double h;
    unsigned long tick; /* 0: empty */
    struct sg_oscillator *mode;
    double *higher; /* n x HIGHER: S_4 and on, of curved loads; else NULL */
};

/* A phase: first the coordinates that no active row touches, then the modes of the others. */
struct set {
    bool used;
    double *kappa; /* q, N/m: of the rows; 0: not active */
    struct sg_constrained_modes modes;
    size_t free;        /* coordinates that are modes */
    size_t *coordinate; /* free: which */
    size_t count;       /* modes in all */
    double *k, *c;      /* count */
    double *pattern;    /* loads x count: F_k . x_l */
    double *gap;        /* q x count: modal_flow.h, as the next three */
    double *reaction;   /* q x count */
    double *shift;      /* q x loads */
    double *reach;      /* q x n: |rho|, by coordinate */
    struct responses steps[STEPS];
    unsigned long tick, number; /* last used; of the modes, see modal_flow.h */
};

struct exact {
    size_t n, q, loads, degree;
    unsigned long tick, phases; /* of steps; phases found so far */
    double *kappa;              /* q: scratch */
    struct set open;            /* no active rows */
    struct set sets[SETS];
    struct sg_modes_workspace work;
    double *residual, *du, *dv, *touched; /* n: scratch */
    double *v, *r;                        /* n, (degree + 1) x n: of the motion that was opened */
    double *y, *dy;                       /* n: where it was gone to */
    double *course;                       /* loads x (degree + 1) */
    double *gram;                         /* q x q: scratch, as the next */
    size_t *pivot;                        /* 2 q: of it, and the rows */
    bool *from_support;                   /* loads */
    struct set *set;
    const struct sg_state *from;
    struct sg_modal_flow flow;
};

/* --- memory --------------------------------------------------------------------------------------- */

static sg_status set_init(struct sg_arena *arena, const struct exact *ex, struct set *set, bool rows,
                          struct sg_error *err)
{
    size_t n = ex->n, q = ex->q;
    if (rows) TRY(SG_ARENA_NEW(arena, &set->kappa, q, err));
    if (rows) TRY(sg_constrained_modes_init(arena, &set->modes, n, err));
    TRY(SG_ARENA_NEW(arena, &set->coordinate, n, err));
    TRY(SG_ARENA_NEW(arena, &set->k, n, err));
    TRY(SG_ARENA_NEW(arena, &set->c, n, err));
    TRY(SG_ARENA_NEW(arena, &set->pattern, ex->loads * n, err));
    TRY(SG_ARENA_NEW(arena, &set->gap, q * n, err));
    if (rows) TRY(SG_ARENA_NEW(arena, &set->reaction, q * n, err));
    if (rows) TRY(SG_ARENA_NEW(arena, &set->shift, q * ex->loads, err));
    if (rows) TRY(SG_ARENA_NEW(arena, &set->reach, q * n, err));
    for (int i = 0; i < STEPS; i++) {
        TRY(SG_ARENA_NEW(arena, &set->steps[i].mode, n, err));
        if (ex->degree > 1) TRY(SG_ARENA_NEW(arena, &set->steps[i].higher, n * HIGHER, err));
    }
    return SG_OK;
}

/* Damping must stay diagonal in the modes of every phase: any Rayleigh damping does for rigid rows, only
 * the mass-proportional part does beside a spring. */
static sg_status check_damping(const struct sg_phase *phase, struct sg_error *err)
{
    const struct sg_system *system = phase->system;
    const struct sg_effective_rows *rows = sg_effective_rows_view(phase->op);
    bool elastic = false;
    if (system->damped && system->modal_ratios != NULL && rows->w->q > 0)
        FAIL(err, SG_BAD_DECK,
             "integrator 'exact' can't keep modal damping diagonal while contacts are closed: use Rayleigh "
             "damping, "
             "or one of: botr, generalized-alpha, newmark, trapezoidal");
    for (size_t j = 0; j < rows->w->q; j++) elastic = elastic || isfinite(rows->kappa[j]);
    if (system->damped && elastic && system->beta != 0.0)
        FAIL(err, SG_BAD_DECK,
             "integrator 'exact' can't keep stiffness-proportional damping (%g s) diagonal beside elastic "
             "contacts: use "
             "damping.mass alone, rigid contacts, or one of: botr, generalized-alpha, newmark, trapezoidal",
             system->beta);
    return SG_OK;
}

static sg_status allocate(struct sg_arena *arena, struct exact *ex, struct sg_error *err)
{
    size_t n = ex->n, q = ex->q;
    TRY(SG_ARENA_NEW(arena, &ex->kappa, q, err));
    TRY(SG_ARENA_NEW(arena, &ex->gram, q * q, err));
    TRY(SG_ARENA_NEW(arena, &ex->pivot, 2 * q, err));
    TRY(sg_modes_workspace_init(arena, &ex->work, n, q, err));
    TRY(set_init(arena, ex, &ex->open, false, err));
    for (int i = 0; q > 0 && i < SETS; i++) TRY(set_init(arena, ex, &ex->sets[i], true, err));
    double **const vectors[] = {&ex->residual, &ex->du, &ex->dv, &ex->touched, &ex->v, &ex->y, &ex->dy};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        TRY(SG_ARENA_NEW(arena, vectors[i], n, err));
    TRY(SG_ARENA_NEW(arena, &ex->from_support, ex->loads, err));
    TRY(SG_ARENA_NEW(arena, &ex->r, (ex->degree + 1) * n, err));
    return SG_ARENA_NEW(arena, &ex->course, ex->loads * (ex->degree + 1), err);
}

/* --- phases --------------------------------------------------------------------------------------- */

/* What is known of coordinates, on the modes of a phase. */
static void to_modes(const struct exact *ex, const struct set *set, const double *x, double *on_modes)
{
    size_t m = set->modes.m;
    for (size_t i = 0; i < m; i++) ex->touched[i] = x[set->modes.index[i]];
    for (size_t l = 0; l < set->free; l++) on_modes[l] = x[set->coordinate[l]];
    for (size_t l = set->free; l < set->count; l++) {
        const double *vector = set->modes.vectors + (l - set->free) * m;
        on_modes[l] = sg_dot(m, vector, ex->touched);
    }
}

static void find_coefficients(struct exact *ex, const struct sg_phase *phase, struct set *set)
{
    const struct sg_system *system = phase->system;
    const struct sg_columns *w = sg_effective_rows_view(phase->op)->w;
    for (size_t l = 0; l < set->free; l++) {
        set->k[l] = system->K.diag[set->coordinate[l]];
        set->c[l] = system->damped ? system->C.diag[set->coordinate[l]] : 0.0;
    }
    for (size_t l = set->free; l < set->count; l++) {
        set->k[l] = set->modes.k[l - set->free];
        set->c[l] = system->damped ? system->alpha + system->beta * set->k[l] : 0.0;
    }
    for (size_t k = 0; k < ex->loads; k++)
        to_modes(ex, set, system->loads[k].pattern, set->pattern + k * set->count);
    for (size_t j = 0; j < ex->q; j++) {
        memset(ex->residual, 0, ex->n * sizeof(double));
        sg_columns_add(w, j, 1.0, ex->residual);
        to_modes(ex, set, ex->residual, set->gap + j * set->count);
    }
    for (int i = 0; i < STEPS; i++) set->steps[i].tick = 0;
    set->number = ++ex->phases;
}

/* Inverse of W^T W over the resting rows; false where they depend on one another. */
static bool factor_rests(struct exact *ex, const struct sg_phase *phase, const size_t *rows, size_t count)
{
    const struct sg_columns *w = sg_effective_rows_view(phase->op)->w;
    for (size_t i = 0; i < count; i++) {
        memset(ex->residual, 0, ex->n * sizeof(double));
        sg_columns_add(w, rows[i], 1.0, ex->residual);
        for (size_t j = 0; j < count; j++) ex->gram[i * count + j] = sg_columns_dot(w, rows[j], ex->residual);
    }
    return sg_small_factor(count, ex->gram, ex->pivot);
}

/* Of a resting row j: rho = W (W^T W)^-1 e_j, and with it what its reaction is made of. */
static void find_reaction(struct exact *ex, const struct sg_phase *phase, struct set *set, const double *rho,
                          size_t j)
{
    const struct sg_effective_rows *rows = sg_effective_rows_view(phase->op);
    const struct sg_system *system = phase->system;
    double *force = ex->dv;
    for (size_t i = 0; i < ex->n; i++) {
        force[i] = system->K.diag[i] * rho[i];
        set->reach[j * ex->n + i] = fabs(rho[i]);
    }
    for (size_t i = 0; i < ex->q; i++)
        if (set->kappa[i] > 0.0 && isfinite(set->kappa[i]))
            sg_columns_add(rows->w, i, set->kappa[i] * sg_columns_dot(rows->w, i, rho), force);
    to_modes(ex, set, force, set->reaction + j * set->count);
    for (size_t k = 0; k < ex->loads; k++)
        set->shift[j * ex->loads + k] = sg_dot(ex->n, system->loads[k].pattern, rho);
}

static sg_status find_reactions(struct exact *ex, const struct sg_phase *phase, struct set *set,
                                struct sg_error *err)
{
    const struct sg_columns *w = sg_effective_rows_view(phase->op)->w;
    size_t *rows = ex->pivot + ex->q, count = 0;
    for (size_t j = 0; j < ex->q; j++)
        if (set->kappa[j] > 0.0 && !isfinite(set->kappa[j])) rows[count++] = j;
    if (count == 0) return SG_OK;
    if (!factor_rests(ex, phase, rows, count))
        FAIL(err, SG_NO_SOLUTION, "the %zu resting rigid contacts are linearly dependent", count);
    for (size_t i = 0; i < count; i++) {
        double *unit = ex->y, *rho = ex->du;
        memset(unit, 0, count * sizeof *unit);
        memset(rho, 0, ex->n * sizeof *rho);
        unit[i] = 1.0;
        sg_small_solve(count, ex->gram, ex->pivot, unit);
        for (size_t j = 0; j < count; j++) sg_columns_add(w, rows[j], unit[j], rho);
        find_reaction(ex, phase, set, rho, rows[i]);
    }
    return SG_OK;
}

/* the coordinates that its modes do not touch */
static void find_free(struct exact *ex, struct set *set)
{
    size_t next = 0;
    set->free = 0;
    for (size_t i = 0; i < ex->n; i++) {
        bool touched = next < set->modes.m && set->modes.index[next] == i;
        if (touched)
            next++;
        else
            set->coordinate[set->free++] = i;
    }
    set->count = set->free + set->modes.r;
}

static sg_status create(struct sg_integrator *self, const struct sg_setting *node,
                        const struct sg_phase *phase, struct sg_error *err)
{
    (void)node;
    self->stability = HUGE_VAL;
    TRY(check_damping(phase, err));
    struct exact *ex = NULL;
    TRY(SG_ARENA_NEW(self->arena, &ex, 1, err));
    self->data = ex;
    ex->n = phase->system->n;
    ex->q = sg_effective_rows_view(phase->op)->w->q;
    ex->loads = phase->system->load_count;
    ex->degree = sg_system_load_degree(phase->system);
    TRY(allocate(self->arena, ex, err));
    for (size_t k = 0; k < ex->loads; k++) ex->from_support[k] = phase->system->loads[k].from_support;
    find_free(ex, &ex->open);
    find_coefficients(ex, phase, &ex->open);
    return SG_OK;
}

static sg_status find_set(struct exact *ex, struct sg_phase *phase, struct set **out, struct sg_error *err)
{
    const double *kappa = sg_effective_rows_view(phase->op)->kappa;
    *out = &ex->open;
    if (sg_effective_active_count(phase->op) == 0) return SG_OK;
    memset(ex->kappa, 0, ex->q * sizeof *ex->kappa);
    for (size_t i = 0; i < sg_effective_active_count(phase->op); i++) {
        size_t j = sg_effective_active_row(phase->op, i);
        ex->kappa[j] = kappa[j];
    }
    struct set *oldest = &ex->sets[0];
    for (int i = 0; i < SETS; i++) {
        struct set *set = &ex->sets[i];
        if (set->used && memcmp(set->kappa, ex->kappa, ex->q * sizeof *ex->kappa) == 0) {
            *out = set;
            return SG_OK;
        }
        if (set->tick < oldest->tick) oldest = set;
    }
    oldest->used = false;
    TRY(sg_constrained_modes_compute(&oldest->modes, &ex->work, phase->op, phase->system->K.diag, err));
    memcpy(oldest->kappa, ex->kappa, ex->q * sizeof *ex->kappa);
    find_free(ex, oldest);
    find_coefficients(ex, phase, oldest);
    TRY(find_reactions(ex, phase, oldest, err));
    oldest->used = true;
    *out = oldest;
    return SG_OK;
}

/* --- responses ------------------------------------------------------------------------------------ */

/* Finds the slot with step h, or the oldest one, which is to be filled (then its tick is 0). */
static struct responses *find_step(struct responses *steps, double h)
{
    struct responses *oldest = &steps[0];
    for (int i = 0; i < STEPS; i++) {
        if (steps[i].tick != 0 && steps[i].h == h) return &steps[i];
        if (steps[i].tick < oldest->tick) oldest = &steps[i];
    }
    oldest->tick = 0;
    oldest->h = h;
    return oldest;
}

static const struct responses *responses_of(const struct exact *ex, struct set *set, double h)
{
    struct responses *r = find_step(set->steps, h);
    double chain[SG_LOAD_DEGREE + 3];
    for (size_t l = 0; r->tick == 0 && l < set->count; l++) {
        r->mode[l] = sg_oscillator_response(set->k[l], set->c[l], h);
        if (ex->degree <= 1) continue;
        sg_oscillator_chain(set->k[l], set->c[l], h, SG_LOAD_DEGREE + 3, chain);
        memcpy(r->higher + l * HIGHER, chain + 4, HIGHER * sizeof(double));
    }
    r->tick = ex->tick;
    return r;
}

/* --- the motion ----------------------------------------------------------------------------------- */

/* In the residual form the state enters by r = f(t) - K u0 - springs instead of u0: u1 - u0 is a sum of
 * small responses to v0 and to forces, which cancels nothing where the body is far from its rest. */
static void open_modes(struct exact *ex, struct sg_phase *phase, const struct sg_state *from,
                       struct sg_span span)
{
    size_t n = ex->n, count = ex->set->count;
    double *restrict residual = ex->residual;
    sg_effective_restoring(phase->op, from->u, residual);
    const double *f = sg_phase_load(phase, span.t);
    for (size_t i = 0; i < n; i++) residual[i] = f[i] - residual[i];
    to_modes(ex, ex->set, residual, ex->r);
    to_modes(ex, ex->set, from->v, ex->v);
    if (ex->degree == 0) return;
    sg_system_load_course(phase->system, span.t, span.h, ex->degree, ex->course);
    memset(ex->r + count, 0, ex->degree * count * sizeof(double));
    for (size_t k = 0; k < ex->loads; k++)
        for (size_t d = 1; d <= ex->degree; d++)
            sg_axpy(count, ex->course[k * (ex->degree + 1) + d], ex->set->pattern + k * count,
                    ex->r + d * count);
}

static sg_status open_motion(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                             struct sg_span span, struct sg_error *err)
{
    struct exact *ex = self->data;
    ex->tick++;
    TRY(find_set(ex, phase, &ex->set, err));
    ex->set->tick = ex->tick;
    ex->from = from;
    open_modes(ex, phase, from, span);
    const struct set *set = ex->set;
    ex->flow = (struct sg_modal_flow){.t = span.t,
                                      .h = span.h,
                                      .phase = set->number,
                                      .count = set->count,
                                      .k = set->k,
                                      .c = set->c,
                                      .v = ex->v,
                                      .degree = ex->degree,
                                      .r = ex->r,
                                      .loads = ex->loads,
                                      .course = ex->course,
                                      .pattern = set->pattern,
                                      .from_support = ex->from_support,
                                      .gap = set->gap,
                                      .reaction = set->reaction,
                                      .shift = set->shift,
                                      .reach = set->reach,
                                      .beta = phase->system->damped ? phase->system->beta : 0.0,
                                      .y = ex->y,
                                      .dy = ex->dy};
    return SG_OK;
}

/* what curved loads add to y and y' */
static void add_higher(const struct exact *ex, const struct responses *responses)
{
    size_t count = ex->set->count;
    for (size_t l = 0; l < count; l++) {
        const double *higher = responses->higher + l * HIGHER;
        double factorial = 1.0, before = responses->mode[l].s3;
        for (size_t d = 2; d <= ex->degree; d++) {
            factorial *= (double)d;
            double r = factorial * ex->r[d * count + l];
            ex->y[l] += r * higher[d - 2];
            ex->dy[l] += r * before;
            before = higher[d - 2];
        }
    }
}

/* A mode x'' + c x' + k x = r + rate t has
 *
 *     y = v s1 + r s2 + rate s3,     y' = v s1' + r s1 + rate s2,
 *
 * s1 the response to a unit impulse, s2 and s3 its first and second integral (oscillator.h). */
static void move_modes(const struct exact *ex, const struct responses *responses)
{
    size_t count = ex->set->count;
    const struct sg_oscillator *mode = responses->mode;
    const double *restrict v = ex->v, *restrict r = ex->r, *restrict rate = ex->r + count;
    double *restrict y = ex->y, *restrict dy = ex->dy;
    for (size_t l = 0; l < count; l++) {
        y[l] = v[l] * mode[l].s1 + r[l] * mode[l].s2;
        dy[l] = v[l] * mode[l].ds1 + r[l] * mode[l].s1;
    }
    if (ex->degree == 0) return;
    for (size_t l = 0; l < count; l++) {
        y[l] += rate[l] * mode[l].s3;
        dy[l] += rate[l] * mode[l].s2;
    }
    if (ex->degree > 1) add_higher(ex, responses);
}

static void go(struct sg_integrator *self, double tau, struct sg_state *to)
{
    struct exact *ex = self->data;
    struct set *set = ex->set;
    const double *u = ex->from->u;
    move_modes(ex, responses_of(ex, set, tau));
    ex->flow.at = tau;
    for (size_t l = 0; l < set->free; l++) {
        size_t i = set->coordinate[l];
        to->u[i] = u[i] + ex->y[l];
        to->v[i] = ex->dy[l];
    }
    size_t m = set->modes.m;
    double *du = ex->du, *dv = ex->dv;
    memset(du, 0, m * sizeof *du);
    memset(dv, 0, m * sizeof *dv);
    for (size_t l = set->free; l < set->count; l++) {
        const double *x = set->modes.vectors + (l - set->free) * m;
        sg_axpy(m, ex->y[l], x, du);
        sg_axpy(m, ex->dy[l], x, dv);
    }
    for (size_t i = 0; i < m; i++) {
        size_t at = set->modes.index[i];
        to->u[at] = u[at] + du[i];
        to->v[at] = dv[i];
    }
}

static const struct sg_modal_flow *view(const struct sg_integrator *self)
{
    const struct exact *ex = self->data;
    return &ex->flow;
}

static sg_status step(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                      struct sg_span span, struct sg_state *to, struct sg_error *err)
{
    TRY(open_motion(self, phase, from, span, err));
    go(self, span.h, to);
    return SG_OK;
}

static const struct sg_keyword rows[] = {{0}};

static const struct sg_flow_ops flow_ops = {.open = open_motion, .go = go, .view = view};

const struct sg_integrator_ops sg_integrator_exact = {
    .kind = {"exact", "modal propagation in closed form; no error in time", rows},
    .needs_modal = true,
    .exact_flow = true,
    .create = create,
    .step = step,
    .work = sg_work_simpson,
    .flow = &flow_ops,
};
