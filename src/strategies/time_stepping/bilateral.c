/* With v1 = v + D G^T mu, velocity level asks for G (v + D G^T mu) + drift = 0, so that with A = G D G^T
 *
 *     A mu = -(G v + drift),
 *
 * the Schur complement of [D^-1 -G^T; G 0]. At position level the displacement u + compliance v1 is to keep g
 * = 0. Newton's iteration about an iterate v* has g(u + compliance v1) = g* + compliance G (v1 - v*), so that
 *
 *     A mu = G (v* - v) - g* / compliance.
 *
 * G is that of the impulses, not that at the iterate: this changes the way of the iteration, not its end, and
 * A is factored once a step. */
#include "strategies/time_stepping/bilateral.h"

#include <math.h>
#include <string.h>

#include "linalg/small.h"
#include "linalg/vector.h"

static void close_frame(void *frame)
{
    sg_constraint_frame_release(frame);
}

sg_status sg_bilateral_init(struct sg_arena *arena, struct sg_bilateral *self,
                            struct sg_integrator *integrator, struct sg_phase *phase, struct sg_kick first,
                            struct sg_error *err)
{
    const struct sg_system *system = phase->system;
    const struct sg_response_ops *ops = integrator->ops->response;
    size_t n = system->n, m = system->constraints.count;
    *self = (struct sg_bilateral){
        .integrator = integrator, .phase = phase, .n = n, .m = m, .kick = {.span = {0.0, NAN}}};
    if (m == 0) return SG_OK;
    self->fixed = system->constraints.affine && !ops->iterates(integrator, phase);
    TRY(sg_arena_own(arena, &self->frame, close_frame, err));
    TRY(sg_arena_own(arena, &self->ahead, close_frame, err));
    TRY(sg_constraint_frame_init(&self->frame, system, err));
    TRY(sg_constraint_frame_init(&self->ahead, system, err));
    double **const by_row[] = {&self->drift_before,  &self->mu,
                               &self->force,         &self->impulse,
                               &self->impulse_start, &self->impulse_sample};
    for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++) TRY(SG_ARENA_NEW(arena, by_row[k], m, err));
    TRY(SG_ARENA_NEW(arena, &self->jump.dv, n, err));
    self->jump.end = n;
    TRY(SG_ARENA_NEW(arena, &self->pivot, m, err));
    TRY(sg_arena_alloc(arena, m, m * sizeof(double), "bilateral.a", &self->a, err));
    TRY(ops->response_diagonal(integrator, phase, first, &self->diagonal, err));
    if (self->diagonal != NULL) return sg_row_pairs_init(arena, &self->pairs, &self->frame.G, err);
    return sg_arena_alloc(arena, m, n * sizeof(double), "bilateral.x", &self->x, err);
}

void sg_bilateral_configure(struct sg_bilateral *self, const struct sg_bilateral_configuration *at)
{
    const struct sg_system *system = self->phase->system;
    double *after = self->mu; /* not yet known */
    if (self->m == 0) return;
    if (!system->constraints.steady) {
        sg_constraints_evaluate(system, at->before, at->u, &self->frame);
        memcpy(self->drift_before, self->frame.drift, self->m * sizeof(double));
        sg_constraints_evaluate(system, at->after, at->u, &self->frame);
        memcpy(after, self->frame.drift, self->m * sizeof(double));
    }
    sg_constraints_evaluate(system, at->t, at->u, &self->frame);
    if (!system->constraints.steady) memcpy(self->frame.drift, after, self->m * sizeof(double));
}

/* --- the operators -------------------------------------------------------------------------------- */

static sg_status fill_diagonal(struct sg_bilateral *self)
{
    const double *const d[2] = {self->diagonal, NULL};
    double sum[2];
    memset(self->a, 0, self->m * self->m * sizeof *self->a);
    for (size_t k = 0; k < self->pairs.count; k++) {
        size_t i = self->pairs.item[k][0], j = self->pairs.item[k][1];
        sg_columns_form(&self->frame.G, i, j, d, sum);
        self->a[i + j * self->m] = self->a[j + i * self->m] = sum[0];
    }
    self->phase->counts.solves++;
    return SG_OK;
}

static sg_status fill_general(struct sg_bilateral *self, struct sg_kick kick, struct sg_error *err)
{
    const struct sg_response_ops *ops = self->integrator->ops->response;
    for (size_t j = 0; j < self->m; j++) {
        double *x = self->x + j * self->n;
        memset(x, 0, self->n * sizeof *x);
        sg_columns_add(&self->frame.G, j, 1.0, x);
        TRY(ops->apply_response(self->integrator, self->phase, kick, x, err));
        for (size_t i = 0; i < self->m; i++) self->a[i + j * self->m] = sg_columns_dot(&self->frame.G, i, x);
    }
    return SG_OK;
}

sg_status sg_bilateral_begin(struct sg_bilateral *self, struct sg_kick kick, struct sg_error *err)
{
    const struct sg_response_ops *ops = self->integrator->ops->response;
    if (self->m == 0) return SG_OK;
    if (self->fixed && kick.span.h == self->kick.span.h && kick.stage == self->kick.stage) return SG_OK;
    self->kick = kick;
    TRY(ops->response_diagonal(self->integrator, self->phase, kick, &self->diagonal, err));
    TRY(self->diagonal != NULL ? fill_diagonal(self) : fill_general(self, kick, err));
    if (sg_small_factor(self->m, self->a, self->pivot)) return SG_OK;
    FAIL(err, SG_NO_SOLUTION,
         "at t = %.17g s the %zu rows of the bilateral constraints depend on one another: their forces are "
         "not "
         "unique",
         kick.span.t, self->m);
}

/* y += D G^T mu */
static void add_response(const struct sg_bilateral *self, const double *mu, double *y)
{
    struct sg_split d = {(double *)self->diagonal, NULL}, to = {y, NULL};
    for (size_t j = 0; j < self->m; j++) {
        const double factor[2] = {mu[j], 0.0};
        if (self->diagonal != NULL)
            sg_columns_add_scaled(&self->frame.G, j, factor, d, to);
        else
            sg_axpy(self->n, mu[j], self->x + j * self->n, y);
    }
}

/* mu := A^-1 mu, and the jump by it */
static void jump(struct sg_bilateral *self)
{
    sg_small_solve(self->m, self->a, self->pivot, self->mu);
    memset(self->jump.dv, 0, self->n * sizeof(double));
    add_response(self, self->mu, self->jump.dv);
}

void sg_bilateral_solve_velocity(struct sg_bilateral *self, const double *v)
{
    for (size_t i = 0; i < self->m; i++)
        self->mu[i] = -sg_columns_dot(&self->frame.G, i, v) - self->frame.drift[i];
    jump(self);
}

void sg_bilateral_solve_position(struct sg_bilateral *self, const struct sg_bilateral_iterate *at)
{
    const struct sg_columns *G = &self->frame.G;
    sg_constraints_evaluate(self->phase->system, at->t, at->u, &self->ahead);
    for (size_t i = 0; i < self->m; i++)
        self->mu[i] = sg_columns_dot(G, i, at->iterate) - sg_columns_dot(G, i, at->v) -
                      self->ahead.g[i] / at->compliance;
    jump(self);
}

void sg_bilateral_project(const struct sg_bilateral *self, double *x, double *reactions)
{
    for (size_t i = 0; i < self->m; i++) reactions[i] = -sg_columns_dot(&self->frame.G, i, x);
    sg_small_solve(self->m, self->a, self->pivot, reactions);
    add_response(self, reactions, x);
}

/* --- what a step leaves --------------------------------------------------------------------------- */

double sg_bilateral_account(struct sg_bilateral *self, double duration)
{
    double work = 0.0;
    for (size_t i = 0; i < self->m; i++) {
        work -= 0.5 * self->mu[i] * (self->drift_before[i] + self->frame.drift[i]);
        self->force[i] = self->mu[i] / duration;
        self->impulse_start[i] = self->impulse[i];
        self->impulse[i] += self->mu[i];
    }
    return work;
}

void sg_bilateral_sample(struct sg_bilateral *self, double share)
{
    for (size_t i = 0; i < self->m; i++)
        self->impulse_sample[i] =
            self->impulse_start[i] + share * (self->impulse[i] - self->impulse_start[i]);
}

void sg_bilateral_archive(struct sg_bilateral *self, struct sg_archive *store)
{
    sg_archive_bytes(store, self->force, self->m * sizeof(double));
    sg_archive_bytes(store, self->impulse, self->m * sizeof(double));
}
