/* Modal propagation: every phase is a set of uncoupled damped oscillators in its own modes, crossed in
 * closed form. Loads are taken linear over a step, so constant and piecewise-linear loads are exact. What
 * remains is the discretisation in space: chatter is real for the semi-discrete model.
 *
 * A phase with active contacts has the modes of diag(k) + W_A kappa W_A^T in the null space of its
 * resting rows; they are decomposed once per set of stiffnesses and kept in a bounded cache. */
#include <math.h>
#include <string.h>

#include "integrators/integrator.h"
#include "integrators/oscillator.h"
#include "linalg/constrained_modes.h"
#include "linalg/vector.h"
#include "support/arena.h"

enum { SETS = 8, STEPS = 3 };

/* The responses of all modes of a set for one step size. */
struct responses {
    double h;
    unsigned long tick; /* 0: empty */
    struct sg_oscillator *mode;
};

struct set {
    bool used;
    double *kappa; /* q, N/m: of the rows; 0: not active */
    struct sg_constrained_modes modes;
    struct responses steps[STEPS];
    unsigned long tick;
};

struct exact {
    size_t n, q;
    unsigned long tick;
    double *kappa; /* q: scratch */
    struct responses free_steps[STEPS];
    struct set sets[SETS];
    struct sg_modes_workspace work;
    double *residual, *rate, *ru, *rr, *rv; /* n: scratch */
};

static sg_status responses_init(struct sg_arena *arena, struct responses *steps, size_t n,
                                struct sg_error *err)
{
    for (int i = 0; i < STEPS; i++) TRY(SG_ARENA_NEW(arena, &steps[i].mode, n, err));
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

static sg_status create(struct sg_integrator *self, const struct sg_setting *node,
                        const struct sg_phase *phase, struct sg_error *err)
{
    (void)node;
    self->stability = HUGE_VAL;
    TRY(check_damping(phase, err));
    struct exact *ex = NULL;
    TRY(SG_ARENA_NEW(self->arena, &ex, 1, err));
    self->data = ex;
    size_t n = ex->n = phase->system->n, q = ex->q = sg_effective_rows_view(phase->op)->w->q;
    TRY(SG_ARENA_NEW(self->arena, &ex->kappa, q, err));
    TRY(responses_init(self->arena, ex->free_steps, n, err));
    TRY(sg_modes_workspace_init(self->arena, &ex->work, n, q, err));
    for (int i = 0; q > 0 && i < SETS; i++) {
        TRY(SG_ARENA_NEW(self->arena, &ex->sets[i].kappa, q, err));
        TRY(sg_constrained_modes_init(self->arena, &ex->sets[i].modes, n, err));
        TRY(responses_init(self->arena, ex->sets[i].steps, n, err));
    }
    TRY(SG_ARENA_NEW(self->arena, &ex->residual, n, err));
    TRY(SG_ARENA_NEW(self->arena, &ex->rate, n, err));
    TRY(SG_ARENA_NEW(self->arena, &ex->ru, n, err));
    TRY(SG_ARENA_NEW(self->arena, &ex->rr, n, err));
    return SG_ARENA_NEW(self->arena, &ex->rv, n, err);
}

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

static const struct sg_oscillator *free_responses(struct exact *ex, const struct sg_system *system, double h)
{
    struct responses *r = find_step(ex->free_steps, h);
    for (size_t i = 0; r->tick == 0 && i < ex->n; i++)
        r->mode[i] = sg_oscillator_response(system->K.diag[i], system->damped ? system->C.diag[i] : 0.0, h);
    r->tick = ex->tick;
    return r->mode;
}

static const struct sg_oscillator *set_responses(struct exact *ex, struct set *set,
                                                 const struct sg_system *system, double h)
{
    struct responses *r = find_step(set->steps, h);
    for (size_t i = 0; r->tick == 0 && i < set->modes.r; i++) {
        double c = system->damped ? system->alpha + system->beta * set->modes.k[i] : 0.0;
        r->mode[i] = sg_oscillator_response(set->modes.k[i], c, h);
    }
    r->tick = ex->tick;
    return r->mode;
}

static sg_status find_set(struct exact *ex, struct sg_phase *phase, struct set **out, struct sg_error *err)
{
    const double *kappa = sg_effective_rows_view(phase->op)->kappa;
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
    for (int i = 0; i < STEPS; i++) oldest->steps[i].tick = 0;
    oldest->used = true;
    *out = oldest;
    return SG_OK;
}

/* In the residual form the state enters by r = f(t) - K u0 - springs instead of u0: u1 - u0 is a sum of
 * small responses to v0, r and the load's rate, which cancels nothing where the body is far from its rest.
 * A mode x'' + c x' + k x = r + rate t has
 *
 *     u1 = u0 + v0 s1 + r s2 + rate s3,     v1 = v0 s1' + r s1 + rate s2,
 *
 * s1 the response to a unit impulse, s2 and s3 its first and second integral (oscillator.h). */
static void forces(struct exact *ex, struct sg_phase *phase, const struct sg_state *from, struct sg_span span)
{
    size_t n = ex->n;
    double *restrict r = ex->residual, *restrict rate = ex->rate;
    sg_effective_restoring(phase->op, from->u, r);
    const double *f = sg_phase_load(phase, span.t);
    for (size_t i = 0; i < n; i++) {
        r[i] = f[i] - r[i];
        rate[i] = -f[i];
    }
    f = sg_phase_load_before(phase, span.t + span.h);
    for (size_t i = 0; i < n; i++) rate[i] = (rate[i] + f[i]) / span.h;
}

static void free_motion(struct exact *ex, const struct sg_oscillator *mode, const struct sg_state *from,
                        struct sg_state *to)
{
    for (size_t i = 0; i < ex->n; i++) {
        double v = from->v[i], r = ex->residual[i], rate = ex->rate[i];
        to->u[i] = from->u[i] + v * mode[i].s1 + r * mode[i].s2 + rate * mode[i].s3;
        to->v[i] = v * mode[i].ds1 + r * mode[i].s1 + rate * mode[i].s2;
    }
}

/* Only the coordinates that active rows touch couple; the others keep their free motion. The touched ones are
 * taken again in the modes x_j of diag(k) + W_A kappa W_A^T within the null space of the rigid rows, in one
 * sweep over the vectors: project r, rate and v, apply_response, and add. */
static void set_step(struct exact *ex, const struct set *set, const struct sg_oscillator *mode,
                     const struct sg_state *from, struct sg_state *to)
{
    size_t m = set->modes.m;
    const size_t *index = set->modes.index;
    for (size_t i = 0; i < m; i++) {
        ex->ru[i] = ex->residual[index[i]];
        ex->rr[i] = ex->rate[index[i]];
        ex->rv[i] = from->v[index[i]];
        to->u[index[i]] = from->u[index[i]];
        to->v[index[i]] = 0.0;
    }
    double *du = ex->residual, *dv = ex->rate; /* free from here on */
    memset(du, 0, m * sizeof *du);
    memset(dv, 0, m * sizeof *dv);
    for (size_t j = 0; j < set->modes.r; j++) {
        const double *x = set->modes.vectors + j * m;
        double r = sg_dot(m, x, ex->ru), rate = sg_dot(m, x, ex->rr), v = sg_dot(m, x, ex->rv);
        sg_axpy(m, v * mode[j].s1 + r * mode[j].s2 + rate * mode[j].s3, x, du);
        sg_axpy(m, v * mode[j].ds1 + r * mode[j].s1 + rate * mode[j].s2, x, dv);
    }
    for (size_t i = 0; i < m; i++) {
        to->u[index[i]] += du[i];
        to->v[index[i]] += dv[i];
    }
}

static sg_status step(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                      struct sg_span span, struct sg_state *to, struct sg_error *err)
{
    struct exact *ex = self->data;
    ex->tick++;
    forces(ex, phase, from, span);
    free_motion(ex, free_responses(ex, phase->system, span.h), from, to);
    if (sg_effective_active_count(phase->op) == 0) return SG_OK;
    struct set *set = NULL;
    TRY(find_set(ex, phase, &set, err));
    set->tick = ex->tick;
    set_step(ex, set, set_responses(ex, set, phase->system, span.h), from, to);
    return SG_OK;
}

static const struct sg_keyword rows[] = {{0}};

const struct sg_integrator_ops sg_integrator_exact = {
    .kind = {"exact", "modal propagation in closed form; no error in time for piecewise-linear loads", rows},
    .needs_modal = true,
    .exact_flow = true,
    .create = create,
    .step = step,
    .work = sg_work_simpson,
};
