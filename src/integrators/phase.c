#include <math.h>
#include <string.h>

#include "integrators/integrator.h"
#include "support/arena.h"

sg_status sg_phase_init(struct sg_arena *arena, struct sg_phase *phase, const struct sg_system *system,
                        struct sg_effective *op, struct sg_error *err)
{
    *phase = (struct sg_phase){.system = system, .op = op, .steady = system->load_count == 0, .sum = NAN};
    TRY(SG_ARENA_NEW(arena, &phase->load, system->n, err));
    TRY(SG_ARENA_NEW(arena, &phase->scratch, 2 * system->n, err));
    sg_system_load(system, 0.0, phase->load);
    return SG_OK;
}

struct sg_effective_counts sg_phase_counts(const struct sg_phase *phase)
{
    struct sg_effective_counts counts = sg_effective_counts(phase->op);
    counts.factorizations += phase->counts.factorizations;
    counts.solves += phase->counts.solves;
    return counts;
}

void sg_phase_forget_solves(struct sg_phase *phase, struct sg_effective_counts before)
{
    phase->counts.solves -= sg_phase_counts(phase).solves - before.solves;
}

const double *sg_phase_load(struct sg_phase *phase, double t)
{
    if (!phase->steady) sg_system_load(phase->system, t, phase->load);
    return phase->load;
}

const double *sg_phase_load_before(struct sg_phase *phase, double t)
{
    if (!phase->steady) sg_system_load_before(phase->system, t, phase->load);
    return phase->load;
}

const double *sg_phase_load_average(struct sg_phase *phase, struct sg_span span)
{
    if (phase->steady) return phase->load;
    size_t n = phase->system->n;
    double *restrict start = phase->scratch, *restrict load = phase->load;
    sg_system_load(phase->system, span.t, start);
    sg_system_load_before(phase->system, span.t + span.h, load);
    for (size_t i = 0; i < n; i++) load[i] = 0.5 * (start[i] + load[i]);
    return load;
}

/* Solves M a = f - C v - K_A u in the null space of the rigid rows of A: the triple (1, 0, 0) of the
 * effective operator. It is the acceleration of the equation of motion, not one that a scheme stores; with
 * the operator's last solve the multipliers of the rows are the true reactions at this instant. */
static sg_status accelerate(struct sg_phase *phase, const double *load, const double *u, const double *v,
                            double *a, struct sg_error *err)
{
    size_t n = phase->system->n, slot = 0;
    TRY(sg_effective_prepare(phase->op, 1.0, 0.0, 0.0, &slot, err));
    sg_effective_restoring(phase->op, u, a);
    if (phase->system->damped) sg_matrix_multiply_add(&phase->system->C, 1.0, v, a);
    for (size_t i = 0; i < n; i++) a[i] = load[i] - a[i];
    sg_effective_solve(phase->op, slot, a);
    return SG_OK;
}

sg_status sg_phase_acceleration(struct sg_phase *phase, double t, const double *u, const double *v, double *a,
                                struct sg_error *err)
{
    return accelerate(phase, sg_phase_load(phase, t), u, v, a, err);
}

sg_status sg_phase_acceleration_before(struct sg_phase *phase, double t, const double *u, const double *v,
                                       double *a, struct sg_error *err)
{
    return accelerate(phase, sg_phase_load_before(phase, t), u, v, a, err);
}

sg_status sg_phase_acceleration_rate(struct sg_phase *phase, struct sg_span span, const double *v,
                                     const double *a, double *rates, struct sg_error *err)
{
    const struct sg_effective_rows *rows = sg_effective_rows_view(phase->op);
    size_t n = phase->system->n, slot = 0;
    double *rate = rates, *load = rates + n;
    TRY(sg_effective_prepare(phase->op, 1.0, 0.0, 0.0, &slot, err));
    memset(load, 0, n * sizeof *load);
    if (!phase->steady) sg_system_load_over(phase->system, span.t, span.h, rate, load);
    sg_matrix_multiply(&phase->system->K, v, rate);
    if (phase->system->damped) sg_matrix_multiply_add(&phase->system->C, 1.0, a, rate);
    for (size_t i = 0; i < sg_effective_active_count(phase->op); i++) {
        size_t j = sg_effective_active_row(phase->op, i);
        if (j < rows->w->q && isfinite(rows->kappa[j]))
            sg_columns_add(rows->w, j, rows->kappa[j] * sg_columns_dot(rows->w, j, v), rate);
    }
    for (size_t i = 0; i < n; i++) {
        load[i] = phase->steady ? 0.0 : load[i] / span.h;
        rate[i] = load[i] - rate[i];
    }
    sg_effective_solve(phase->op, slot, rate);
    return SG_OK;
}

/* A stored acceleration is that of the step's end by the load from the left. Where the load jumps it jumps
 * with it, by M^-1 (f(t) - f(t-0)); without that a scheme of order 2 falls to order 1 at each jump.
 * Differences that are rounding of the signals are none. */
sg_status sg_phase_load_jump(struct sg_phase *phase, double t, double *a, struct sg_error *err)
{
    if (phase->steady) return SG_OK;
    size_t n = phase->system->n, slot = 0;
    double *restrict jump = phase->scratch, largest = 0.0, change = 0.0;
    memcpy(jump, sg_phase_load_before(phase, t), n * sizeof *jump);
    const double *load = sg_phase_load(phase, t);
    for (size_t i = 0; i < n; i++) {
        largest = fmax(largest, fmax(fabs(jump[i]), fabs(load[i])));
        jump[i] = load[i] - jump[i];
        change = fmax(change, fabs(jump[i]));
    }
    if (change <= 1e-12 * largest) return SG_OK;
    TRY(sg_effective_prepare(phase->op, 1.0, 0.0, 0.0, &slot, err));
    sg_effective_solve(phase->op, slot, jump);
    for (size_t i = 0; i < n; i++) a[i] += jump[i];
    return SG_OK;
}

/* --- energy accounts ------------------------------------------------------------------------------ */

static struct sg_step_ends ends(const struct sg_state *from, struct sg_span span, const struct sg_state *to)
{
    return (struct sg_step_ends){
        .t0 = span.t, .t1 = span.t + span.h, .u0 = from->u, .v0 = from->v, .u1 = to->u, .v1 = to->v};
}

static bool dissipates(const struct sg_system *system)
{
    return system->damped || system->elements.count > 0;
}

/* The work of a step that the scheme itself does: forces at the points of its quadrature times the change du
 * of the displacement. With W = du . f and D = h v_m . C v_m, v_m = du/h, the energy balance of the average
 * acceleration closes to rounding; what is left over for other schemes is what they add or take themselves.
 */
struct sg_work sg_work_at(struct sg_phase *phase, const struct sg_state *from, struct sg_span span,
                          const struct sg_state *to, struct sg_work_points points)
{
    const struct sg_system *system = phase->system;
    struct sg_work work = {0.0, 0.0};
    if (phase->steady && !dissipates(system) && system->motion_count == 0) return work;
    size_t n = system->n;
    double *restrict du = phase->scratch, *restrict middle = phase->scratch + n;
    for (size_t i = 0; i < n; i++) du[i] = to->u[i] - from->u[i];
    for (size_t i = 0; i < n && system->elements.count > 0; i++) middle[i] = 0.5 * (from->u[i] + to->u[i]);
    if (!phase->steady)
        work.external = points.w0 * sg_system_load_product(system, du, points.t0, false) +
                        points.w1 * sg_system_load_product(system, du, points.t1, true);
    work.external += sg_system_drive_power(system, middle, du, span.t + 0.5 * span.h);
    for (size_t i = 0; i < n; i++) du[i] /= span.h;
    work.dissipated = span.h * sg_system_damping_power(system, middle, du, span.t + 0.5 * span.h);
    struct sg_step_ends step = ends(from, span, to);
    work.external += sg_system_support_work(system, &step);
    return work;
}

struct sg_work sg_work_average(struct sg_integrator *self, struct sg_phase *phase,
                               const struct sg_state *from, struct sg_span span, const struct sg_state *to)
{
    (void)self;
    return sg_work_at(phase, from, span, to, (struct sg_work_points){0.5, span.t, 0.5, span.t + span.h});
}

struct sg_work sg_work_simpson(struct sg_integrator *self, struct sg_phase *phase,
                               const struct sg_state *from, struct sg_span span, const struct sg_state *to)
{
    (void)self;
    struct sg_work work = {0.0, 0.0};
    if (phase->steady && !dissipates(phase->system) && phase->system->motion_count == 0) return work;
    struct sg_step_ends step = ends(from, span, to);
    work.dissipated = sg_system_damping_work_simpson(phase->system, &step);
    work.external =
        sg_system_load_work_simpson(phase->system, &step) + sg_system_support_work(phase->system, &step);
    return work;
}
