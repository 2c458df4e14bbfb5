/* Central differences in staggered form: velocities stand in the middles of the steps,
 *
 *     u(n+1) = u(n) + h v(n+1/2),   M (v(n+3/2) - v(n+1/2)) = k F(n+1) + W r,
 *
 * k the mean of the two steps that meet at n+1 (Di Stasio et al. 2019, eqs. (26) to (32) as corrected in
 * docs/time-stepping.md). F takes the damping force at the velocity before (explicit: order 1 where there is
 * damping) or at the mean of both (implicit: order 2). */
#include <math.h>
#include <string.h>

#include "integrators/integrator.h"
#include "integrators/linearized.h"
#include "linalg/kernels.h"
#include "support/arena.h"

enum { EXPLICIT, IMPLICIT };

struct spec {
    int damping;
    int mass_scaling;
};

static const struct sg_keyword rows[] = {
    {.name = "damping",
     .type = SG_CHOICE,
     .choices = "explicit|implicit",
     .fallback = "\"explicit\"",
     .meaning = "velocity of the damping force: that before the step (order 1 with damping), or the mean of "
                "that before and after (order 2)",
     .offset = offsetof(struct spec, damping)},
    {.name = "mass_scaling",
     .type = SG_BOOL,
     .fallback = "false",
     .meaning = "mass is added to the nodes whose own critical step is shorter than time.step / 0.95; "
                "`check` tells how much",
     .offset = offsetof(struct spec, mass_scaling)},
    {0}};

static struct spec spec_of(const struct sg_setting *node)
{
    struct spec spec;
    sg_setting_fill(node, rows, &spec);
    return spec;
}

static bool damps_before(const struct sg_setting *node)
{
    return spec_of(node).damping == EXPLICIT;
}

static bool scales_mass(const struct sg_setting *node)
{
    return spec_of(node).mass_scaling == 1;
}

struct central {
    bool implicit, nonlinear;
    bool dampers;         /* something may take energy */
    bool diagonal;        /* D is */
    bool unloaded;        /* no load at all: f is not read */
    double *inverse;      /* n: the diagonal of D for kicks of length `kick` */
    double *scaled;       /* n, s/kg: kick D */
    double kick;          /* s */
    double *force, *mean; /* n: scratch */
    struct sg_linearized lin;
};

static bool is_unloaded(const struct sg_phase *phase)
{
    if (!phase->steady) return false;
    for (size_t i = 0; i < phase->system->n; i++)
        if (phase->load[i] != 0.0) return false;
    return true;
}

/* D of a kick of length k: 1 / (m + k/2 c) where the damping force is that of the mean velocity, which stands
 * on both sides of M (v1 - v0) = k (f - K u - C (v0 + v1)/2); else 1/m. */
static void set_inverse(struct central *cd, const struct sg_system *system, double kick)
{
    const double *m = system->M.diag, *c = cd->implicit && system->damped ? system->C.diag : NULL;
    if (kick == cd->kick) return;
    cd->kick = kick;
    for (size_t i = 0; i < system->n; i++)
        cd->inverse[i] = 1.0 / (c == NULL ? m[i] : m[i] + 0.5 * kick * c[i]);
    for (size_t i = 0; i < system->n; i++) cd->scaled[i] = kick * cd->inverse[i];
}

static bool has_dampers(const struct sg_system *system)
{
    for (size_t e = 0; e < system->elements.count; e++)
        if (system->elements.items[e].ops->power != NULL && !system->elements.items[e].ops->drives)
            return true;
    return system->damped;
}

static sg_status create(struct sg_integrator *self, const struct sg_setting *node,
                        const struct sg_phase *phase, struct sg_error *err)
{
    const struct sg_system *system = phase->system;
    struct central *cd = NULL;
    TRY(SG_ARENA_NEW(self->arena, &cd, 1, err));
    self->data = cd;
    self->stability = 2.0;
    cd->implicit = spec_of(node).damping == IMPLICIT;
    cd->nonlinear = system->elements.count > 0;
    cd->unloaded = is_unloaded(phase);
    cd->dampers = has_dampers(system);
    cd->diagonal = !cd->implicit || (!cd->nonlinear && (system->C.zero || system->C.kind == SG_DIAGONAL));
    TRY(SG_ARENA_NEW_STREAMED(self->arena, &cd->inverse, system->n, err));
    TRY(SG_ARENA_NEW_STREAMED(self->arena, &cd->scaled, system->n, err));
    TRY(SG_ARENA_NEW_STREAMED(self->arena, &cd->force, system->n, err));
    TRY(SG_ARENA_NEW(self->arena, &cd->mean, system->n, err));
    return cd->implicit && cd->nonlinear ? sg_linearized_init(self->arena, &cd->lin, system, err) : SG_OK;
}

/* --- kicks ---------------------------------------------------------------------------------------- */

/* A kick and the drift behind it in one pass over memory: v1 = v0 + scaled (load - force), w = u + next v1, w
 * the displacement at the end of the next step. `stiff` and `off` make the force where the matrix is diagonal
 * or tridiagonal. The functions return the sum of v1, which is finite where all of v1 is. */
struct kick {
    size_t n;
    double next;
    const double *scaled, *load, *force, *stiff, *off, *u, *v0;
    double *v1, *w;
};

SG_HOT static double kick_any(const struct kick *k)
{
    const double *restrict scaled = k->scaled, *restrict load = k->load, *restrict force = k->force;
    const double *restrict u = k->u, *restrict v0 = k->v0;
    double *restrict v1 = k->v1, *restrict w = k->w, next = k->next, sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < k->n; i++) {
        double v = v0[i] + scaled[i] * (load[i] - force[i]);
        v1[i] = v;
        w[i] = u[i] + next * v;
        sum += v;
    }
    return sum;
}

SG_HOT static double kick_diagonal(const struct kick *k)
{
    const double *restrict scaled = k->scaled, *restrict load = k->load, *restrict stiff = k->stiff;
    const double *restrict u = k->u, *restrict v0 = k->v0;
    double *restrict v1 = k->v1, *restrict w = k->w, next = k->next, sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < k->n; i++) {
        double v = v0[i] + scaled[i] * (load[i] - stiff[i] * u[i]);
        v1[i] = v;
        w[i] = u[i] + next * v;
        sum += v;
    }
    return sum;
}

/* Kicks one row at an end, where a neighbour is missing. */
static double kick_end(const struct kick *k, size_t i)
{
    double force = k->stiff[i] * k->u[i];
    if (i > 0) force += k->off[i - 1] * k->u[i - 1];
    if (i + 1 < k->n) force += k->off[i] * k->u[i + 1];
    double load = k->load == NULL ? 0.0 : k->load[i];
    k->v1[i] = k->v0[i] + k->scaled[i] * (load - force);
    k->w[i] = k->u[i] + k->next * k->v1[i];
    return k->v1[i];
}

SG_HOT static double kick_inside_loaded(const struct kick *k)
{
    const double *restrict scaled = k->scaled, *restrict load = k->load;
    const double *restrict stiff = k->stiff, *restrict off = k->off;
    const double *restrict u = k->u, *restrict v0 = k->v0;
    double *restrict v1 = k->v1, *restrict w = k->w, next = k->next, sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 1; i < k->n - 1; i++) {
        double force = stiff[i] * u[i] + off[i - 1] * u[i - 1] + off[i] * u[i + 1];
        double v = v0[i] + scaled[i] * (load[i] - force);
        v1[i] = v;
        w[i] = u[i] + next * v;
        sum += v;
    }
    return sum;
}

SG_HOT static double kick_inside(const struct kick *k)
{
    const double *restrict scaled = k->scaled, *restrict stiff = k->stiff, *restrict off = k->off;
    const double *restrict u = k->u, *restrict v0 = k->v0;
    double *restrict v1 = k->v1, *restrict w = k->w, next = k->next, sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 1; i < k->n - 1; i++) {
        double force = stiff[i] * u[i] + off[i - 1] * u[i - 1] + off[i] * u[i + 1];
        double v = v0[i] - scaled[i] * force;
        v1[i] = v;
        w[i] = u[i] + next * v;
        sum += v;
    }
    return sum;
}

static double kick_tridiagonal(struct kick *k, bool unloaded)
{
    if (unloaded) k->load = NULL;
    double sum = kick_end(k, 0);
    if (k->n > 1) sum += kick_end(k, k->n - 1);
    if (k->n < 3) return sum;
    return sum + (unloaded ? kick_inside(k) : kick_inside_loaded(k));
}

/* --- response form -------------------------------------------------------------------------------- */

static double kick_of(const struct sg_attempt *attempt)
{
    return 0.5 * (attempt->span.h + attempt->next);
}

static double activation_time(const struct sg_integrator *self, struct sg_span span)
{
    (void)self;
    return span.h;
}

static void predict(struct sg_integrator *self, struct sg_phase *phase, const struct sg_attempt *attempt)
{
    const struct central *cd = self->data;
    if (!cd->implicit || !cd->nonlinear) return;
    for (size_t i = 0; i < phase->system->n; i++) attempt->to->v[i] = attempt->from->v[i];
}

static bool iterates(const struct sg_integrator *self, const struct sg_phase *phase)
{
    const struct central *cd = self->data;
    (void)phase;
    return cd->implicit && cd->nonlinear;
}

/* force with the damping at the mean of both velocities: one Newton iteration */
static sg_status iterate(struct central *cd, struct sg_phase *phase, const struct sg_attempt *attempt,
                         struct sg_error *err)
{
    const struct sg_system *system = phase->system;
    const double *u = attempt->to->u, *v0 = attempt->from->v, *m = system->M.diag;
    double t = attempt->span.t + attempt->span.h, k = kick_of(attempt), *v = attempt->to->v;
    for (size_t i = 0; i < system->n; i++) cd->mean[i] = 0.5 * (v0[i] + v[i]);
    sg_system_internal(system, t, u, cd->mean, cd->force);
    const double *load = sg_phase_load(phase, t);
    struct sg_linearize_at at = {t, u, cd->mean, 0.5 * k, 0.0};
    TRY(sg_linearized_factor(&cd->lin, phase, &at, err));
    for (size_t i = 0; i < system->n; i++)
        cd->force[i] = k * (load[i] - cd->force[i]) - m[i] * (v[i] - v0[i]);
    sg_linearized_solve(&cd->lin, phase, cd->force);
    for (size_t i = 0; i < system->n; i++) {
        v[i] += cd->force[i];
        attempt->to->a[i] = u[i] + attempt->next * v[i];
    }
    return SG_OK;
}

/* linear damping that couples dofs, at the mean of both velocities */
static sg_status solve_coupled(struct central *cd, struct sg_phase *phase, const struct sg_attempt *attempt,
                               struct sg_error *err)
{
    size_t n = phase->system->n, slot = 0;
    double k = kick_of(attempt), *x = cd->force;
    const double *load = sg_phase_load(phase, attempt->span.t + attempt->span.h);
    sg_matrix_multiply(&phase->system->K, attempt->to->u, x);
    sg_matrix_multiply_add(&phase->system->C, 1.0, attempt->from->v, x);
    for (size_t i = 0; i < n; i++) x[i] = k * (load[i] - x[i]);
    TRY(sg_effective_prepare(phase->op, 1.0, 0.5 * k, 0.0, &slot, err));
    sg_effective_solve(phase->op, slot, x);
    for (size_t i = 0; i < n; i++) {
        attempt->to->v[i] = attempt->from->v[i] + x[i];
        attempt->to->a[i] = attempt->to->u[i] + attempt->next * attempt->to->v[i];
    }
    return SG_OK;
}

static sg_status free_motion(struct sg_integrator *self, struct sg_phase *phase,
                             const struct sg_attempt *attempt, struct sg_error *err)
{
    struct central *cd = self->data;
    const struct sg_system *system = phase->system;
    if (cd->implicit && cd->nonlinear) return iterate(cd, phase, attempt, err);
    if (!cd->diagonal) return solve_coupled(cd, phase, attempt, err);
    double t = attempt->span.t + attempt->span.h;
    struct kick k = {.n = system->n,
                     .next = attempt->next,
                     .scaled = cd->scaled,
                     .load = sg_phase_load(phase, t),
                     .force = cd->force,
                     .stiff = system->K.diag,
                     .off = system->K.off,
                     .u = attempt->to->u,
                     .v0 = attempt->from->v,
                     .v1 = attempt->to->v,
                     .w = attempt->to->a};
    set_inverse(cd, system, kick_of(attempt));
    phase->counts.solves++;
    bool plain = !cd->nonlinear && !system->damped;
    if (plain && system->K.kind == SG_TRIDIAGONAL) {
        phase->sum = kick_tridiagonal(&k, cd->unloaded);
    } else if (plain && system->K.kind == SG_DIAGONAL) {
        phase->sum = kick_diagonal(&k);
    } else {
        sg_system_internal(system, t, k.u, k.v0, cd->force);
        phase->sum = kick_any(&k);
    }
    return SG_OK;
}

/* D x, D the inverse of what multiplies the new velocity in the kick: M where the damping is explicit,
 * however nonlinear the forces are, and M + (k/2) C where it is implicit. */
static sg_status apply_response(struct sg_integrator *self, struct sg_phase *phase, struct sg_kick kick,
                                double *x, struct sg_error *err)
{
    struct central *cd = self->data;
    size_t slot = 0;
    if (cd->diagonal) {
        set_inverse(cd, phase->system, kick.span.h);
        for (size_t i = 0; i < phase->system->n; i++) x[i] *= cd->inverse[i];
        return SG_OK;
    }
    if (cd->nonlinear) {
        sg_linearized_solve(&cd->lin, phase, x);
        return SG_OK;
    }
    TRY(sg_effective_prepare(phase->op, 1.0, 0.5 * kick.span.h, 0.0, &slot, err));
    sg_effective_solve(phase->op, slot, x);
    return SG_OK;
}

static sg_status response_diagonal(struct sg_integrator *self, struct sg_phase *phase, struct sg_kick kick,
                                   const double **d, struct sg_error *err)
{
    struct central *cd = self->data;
    (void)err;
    *d = NULL;
    if (!cd->diagonal) return SG_OK;
    set_inverse(cd, phase->system, kick.span.h);
    *d = cd->inverse;
    return SG_OK;
}

/* Adds a velocity jump to v and to the drift behind it; returns the sum of the changes. */
SG_HOT static double add_jump(const struct sg_velocity_jump *jump, double next, const struct sg_state *to)
{
    const double *restrict dv = jump->dv;
    double *restrict v = to->v, *restrict w = to->a, sum = 0.0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = jump->first; i < jump->end; i++) {
        v[i] += dv[i];
        w[i] += next * dv[i];
        sum += dv[i];
    }
    return sum;
}

static void apply_impulses(struct sg_integrator *self, struct sg_phase *phase,
                           const struct sg_attempt *attempt, const struct sg_velocity_jump *jump)
{
    (void)self;
    phase->sum += add_jump(jump, attempt->next, attempt->to);
}

/* Position level constrains the displacement at the end of the next drift, u + next v: the kick at hand is
 * what can still change it, by next dv. The impulse lasts for the mean of the two steps that meet at the
 * kick. */
static struct sg_collocation collocation(const struct sg_integrator *self, const struct sg_attempt *attempt)
{
    (void)self;
    return (struct sg_collocation){.lead = attempt->next,
                                   .compliance = attempt->next,
                                   .duration = 0.5 * (attempt->span.h + attempt->next)};
}

/* --- energy account ------------------------------------------------------------------------------- */

/* Dampers of every kind take v . (force with the velocity of the scheme - force at rest), as the kick felt
 * them. */
static double nonlinear_work(struct central *cd, struct sg_phase *phase, const struct sg_attempt *attempt)
{
    size_t n = phase->system->n;
    double t = attempt->span.t + attempt->span.h, sum = 0.0;
    double *still = phase->scratch, *zero = phase->scratch + n;
    memset(zero, 0, n * sizeof *zero);
    sg_system_internal(phase->system, t, attempt->to->u, cd->implicit ? cd->mean : attempt->from->v,
                       cd->force);
    sg_system_internal(phase->system, t, attempt->to->u, zero, still);
    for (size_t i = 0; i < n; i++) sum += cd->mean[i] * (cd->force[i] - still[i]);
    return sum;
}

static double damped_work(struct central *cd, struct sg_phase *phase, const struct sg_attempt *attempt)
{
    const struct sg_system *system = phase->system;
    double k = kick_of(attempt), t = attempt->span.t + attempt->span.h, *mean = cd->mean;
    const double *v0 = attempt->from->v, *v1 = attempt->to->v;
    for (size_t i = 0; i < system->n; i++) mean[i] = 0.5 * (v0[i] + v1[i]);
    if (cd->nonlinear) return k * nonlinear_work(cd, phase, attempt);
    if (system->motion_count == 0) return k * sg_matrix_form(&system->C, mean, cd->implicit ? mean : v0);
    return k * sg_system_damping_power(system, attempt->to->u, mean, t);
}

/* Supports are taken between the middles of the steps, where the staggered energy stands. */
static double support_work(struct central *cd, const struct sg_phase *phase, const struct sg_attempt *attempt)
{
    double *u0 = cd->mean, *u1 = cd->force;
    for (size_t i = 0; i < phase->system->n; i++) {
        u0[i] = 0.5 * (attempt->from->u[i] + attempt->to->u[i]);
        u1[i] = 0.5 * (attempt->to->u[i] + attempt->to->a[i]);
    }
    double t1 = attempt->span.t + attempt->span.h;
    struct sg_step_ends ends = {.t0 = t1 - 0.5 * attempt->span.h,
                                .t1 = t1 + 0.5 * attempt->next,
                                .u0 = u0,
                                .v0 = attempt->from->v,
                                .u1 = u1,
                                .v1 = attempt->to->v};
    return sg_system_support_work(phase->system, &ends);
}

static struct sg_work work(struct sg_integrator *self, struct sg_phase *phase,
                           const struct sg_attempt *attempt)
{
    struct central *cd = self->data;
    const struct sg_system *system = phase->system;
    struct sg_work sum = {0.0, 0.0};
    if (cd->dampers) sum.dissipated = damped_work(cd, phase, attempt);
    if (system->motion_count > 0) sum.external = support_work(cd, phase, attempt);
    if (phase->steady) return sum;
    double half = 0.5 * kick_of(attempt);
    for (size_t i = 0; i < system->n; i++) cd->mean[i] = half * (attempt->from->v[i] + attempt->to->v[i]);
    double t = attempt->span.t + attempt->span.h;
    sum.external += sg_system_load_product(system, cd->mean, t, false) +
                    sg_system_drive_power(system, attempt->to->u, cd->mean, t);
    return sum;
}

static const struct sg_response_ops response = {
    .stages = 1,
    .staggered = true,
    .nonlinear = true,
    .position = true,
    .activation_time = activation_time,
    .predict = predict,
    .free_motion = free_motion,
    .iterates = iterates,
    .apply_response = apply_response,
    .response_diagonal = response_diagonal,
    .apply_impulses = apply_impulses,
    .collocation = collocation,
    .work = work,
};

const struct sg_integrator_ops sg_integrator_central_difference = {
    .kind = {"central-difference", "central differences (leapfrog), explicit, order 2", rows},
    .needs_diagonal = true,
    .lumps = true,
    .damps_before = damps_before,
    .scales_mass = scales_mass,
    .response = &response,
    .create = create,
};
