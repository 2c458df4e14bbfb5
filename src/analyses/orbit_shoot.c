#include "analyses/orbit_shoot.h"

#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "linalg/small.h"
#include "linalg/vector.h"
#include "support/memory.h"

/* A residual below NEAR is rounding for the weakly unstable; the strongly unstable amplify it, and are done
 * when a step no longer helps below CLOSE. */
static const double NEAR = 1e-12, CLOSE = 1e-9, LONGEST = 0.3;

sg_status sg_shooter_init(struct sg_arena *arena, struct sg_shooter *shooter,
                          const struct sg_orbit_phases *phases, struct sg_error *err)
{
    size_t n = phases->n, all = 2 * n + 1;
    *shooter = (struct sg_shooter){.phases = phases, .most = 20};
    TRY(sg_orbit_flow_init(arena, &shooter->flow, phases, 2 * n, err));
    TRY(SG_ARENA_NEW(arena, &shooter->jacobian, all * all, err));
    TRY(SG_ARENA_NEW(arena, &shooter->residual, all, err));
    TRY(SG_ARENA_NEW(arena, &shooter->by_period, n, err));
    TRY(SG_ARENA_NEW(arena, &shooter->u, n, err));
    TRY(SG_ARENA_NEW(arena, &shooter->v, n, err));
    TRY(SG_ARENA_NEW(arena, &shooter->work, all, err));
    return SG_ARENA_NEW(arena, &shooter->pivot, all, err);
}

static enum sg_shot_end judge(enum sg_orbit_end end)
{
    if (end == SG_ORBIT_GRAZED) return SG_SHOT_GRAZED;
    return end == SG_ORBIT_ARRIVED ? SG_SHOT_HIT : SG_SHOT_CHATTER;
}

static double norm(size_t n, const double *x)
{
    return sqrt(sg_dot(n, x, x));
}

/* --- half a period -------------------------------------------------------------------------------- */

void sg_shoot_set_start(struct sg_shooter *shooter, size_t filter, const double *x)
{
    const struct sg_orbit_phase *open = &shooter->phases->phase[0];
    size_t n = shooter->phases->n;
    memcpy(shooter->u, open->center, n * sizeof *shooter->u);
    memset(shooter->v, 0, n * sizeof *shooter->v);
    for (size_t k = 0; k < filter; k++) sg_axpy(n, x[k] / open->omega[k], open->phi + k * n, shooter->u);
}

static void ask_derivatives(struct sg_shooter *shooter, size_t filter)
{
    const struct sg_orbit_phase *open = &shooter->phases->phase[0];
    struct sg_orbit_flow *flow = &shooter->flow;
    size_t n = shooter->phases->n;
    flow->columns = filter;
    memset(flow->dv, 0, n * filter * sizeof *flow->dv);
    for (size_t k = 0; k < filter; k++)
        for (size_t i = 0; i < n; i++) flow->du[i + k * n] = open->phi[i + k * n] / open->omega[k];
}

/* Shoots over half a period from x: residual z(T/2; x), its Jacobian in x (filter x filter) and `by_period`,
 * its derivative in ln T, z' T/2 = -omega^2 y T/2. With filter < n the highest modes are left out of unknowns
 * and equations alike: they hardly swing, and would make the Jacobian nearly singular. */
static enum sg_shot_end shoot(struct sg_shooter *shooter, size_t filter, double period, const double *x,
                              struct sg_shot *shot)
{
    struct sg_orbit_flow *flow = &shooter->flow;
    size_t n = shooter->phases->n;
    sg_shoot_set_start(shooter, filter, x);
    sg_orbit_flow_start(flow, shooter->u, shooter->v);
    shot->energy = sg_orbit_energy(shooter->phases, flow->mask, shooter->u, shooter->v, shooter->work);
    ask_derivatives(shooter, filter);
    enum sg_shot_end end = judge(sg_orbit_flow_run(flow, period / 2));
    const struct sg_orbit_phase *last = &shooter->phases->phase[flow->mask];
    double *z = shooter->work, *y = shooter->residual;
    sg_orbit_to_modes(&shooter->phases->phase[flow->mask], flow->u, flow->v, y, z);
    for (size_t k = 0; k < filter; k++)
        shooter->by_period[k] = -0.5 * period * last->omega[k] * last->omega[k] * y[k];
    double size = sqrt(2 * fabs(shot->energy));
    shot->defect = norm(n, z) / size;
    memcpy(shooter->residual, z, filter * sizeof *z);
    shot->residual = norm(filter, z) / size;
    shot->switches = flow->switch_count;
    shot->margin = flow->margin;
    struct sg_dense_shape shape = {filter, n, filter, true};
    sg_dense_multiply(&shape, last->mphi, flow->dv, shooter->jacobian);
    return end;
}

/* Adds the step to x, cut to a part of x: from far away Newton's steps are too long. */
static void follow(size_t n, const double *step, double *x)
{
    double length = norm(n, step), size = norm(n, x);
    double part = length > LONGEST * size ? LONGEST * size / length : 1.0;
    sg_axpy(n, part, step, x);
}

/* Tells whether the residual is as small as it gets, given the one before. */
static bool is_hit(const struct sg_shot *shot, double before)
{
    return shot->residual <= NEAR || (shot->residual <= CLOSE && shot->residual > 0.1 * before);
}

static bool solve(struct sg_shooter *shooter, size_t n, double *step)
{
    if (!sg_small_factor(n, shooter->jacobian, shooter->pivot)) return false;
    for (size_t i = 0; i < n; i++) step[i] = -shooter->residual[i];
    sg_small_solve(n, shooter->jacobian, shooter->pivot, step);
    return sg_first_nonfinite(n, step) == n;
}

struct sg_shot sg_shoot_half(struct sg_shooter *shooter, size_t filter, double period, double *x)
{
    struct sg_shot shot = {.end = SG_SHOT_FAR};
    double before = HUGE_VAL;
    for (shot.iterations = 0;; shot.iterations++) {
        enum sg_shot_end end = shoot(shooter, filter, period, x, &shot);
        if (end != SG_SHOT_HIT || is_hit(&shot, before)) {
            shot.end = end;
            return shot;
        }
        before = shot.residual;
        if (shot.iterations >= shooter->most || !isfinite(before)) return shot;
        if (!solve(shooter, filter, shooter->work)) {
            shot.end = SG_SHOT_SINGULAR;
            return shot;
        }
        follow(filter, shooter->work, x);
    }
}

/* --- along a branch ------------------------------------------------------------------------------- */

/* Borders the Jacobian J for continuation with the period as an unknown:
 *
 *     | J    dz/d ln T |     J alone is singular where the branch turns back in T; bordered by the tangent of
 *     | row            |     the branch it is regular there too. */
static void border(struct sg_shooter *shooter, size_t filter, const double *row)
{
    double *a = shooter->jacobian;
    size_t m = filter + 1;
    for (size_t c = filter; c-- > 0;) {
        memmove(a + c * m, a + c * filter, filter * sizeof *a);
        a[filter + c * m] = row[c];
    }
    memcpy(a + filter * m, shooter->by_period, filter * sizeof *a);
    a[filter + filter * m] = row[filter];
}

/* The distance of x and T from the plane through `ahead`, normal to the tangent (pseudo-arclength). */
static double off_line(size_t filter, const struct sg_shoot_line *line, double period, const double *x)
{
    double sum = line->tangent[filter] * (log(period) - line->ahead[filter]);
    for (size_t k = 0; k < filter; k++) sum += line->tangent[k] * (x[k] - line->ahead[k]);
    return sum;
}

struct sg_shot sg_shoot_line(struct sg_shooter *shooter, size_t filter, const struct sg_shoot_line *line,
                             double *period, double *x)
{
    struct sg_shot shot = {.end = SG_SHOT_FAR};
    double before = HUGE_VAL, *step = shooter->work;
    for (shot.iterations = 0;; shot.iterations++) {
        enum sg_shot_end end = shoot(shooter, filter, *period, x, &shot);
        double off = off_line(filter, line, *period, x);
        if (end != SG_SHOT_HIT || (fabs(off) <= 1e-9 && is_hit(&shot, before))) {
            shot.end = end;
            return shot;
        }
        before = shot.residual;
        if (shot.iterations >= shooter->most || !isfinite(before)) return shot;
        border(shooter, filter, line->tangent);
        shooter->residual[filter] = off;
        if (!solve(shooter, filter + 1, step)) {
            shot.end = SG_SHOT_SINGULAR;
            return shot;
        }
        *period *= exp(fmax(-0.1, fmin(0.1, step[filter])));
        follow(filter, step, x);
    }
}

bool sg_shoot_tangent(struct sg_shooter *shooter, size_t filter, const struct sg_shoot_scale *scale,
                      const double *before, double *tangent)
{
    double length = 0, along = 0;
    border(shooter, filter, before);
    memset(shooter->residual, 0, (filter + 1) * sizeof *shooter->residual);
    shooter->residual[filter] = -1;
    if (!solve(shooter, filter + 1, tangent)) return false;
    for (size_t k = 0; k <= filter; k++) {
        double unit = k < filter ? scale->size : scale->width;
        length += pow(tangent[k] / unit, 2);
        along += tangent[k] * before[k] / (unit * unit);
    }
    double factor = (along < 0 ? -1.0 : 1.0) / sqrt(length);
    for (size_t k = 0; k <= filter; k++) tangent[k] *= factor;
    return true;
}

/* --- the whole period ----------------------------------------------------------------------------- */

/* The numbers of energy (x, z) of a state in a phase: 2 n. */
static void to_numbers(const struct sg_orbit_phases *phases, size_t mask, const double *u, const double *v,
                       double *x)
{
    sg_orbit_to_modes(&phases->phase[mask], u, v, x, x + phases->n);
    for (size_t k = 0; k < phases->n; k++) x[k] *= phases->phase[mask].omega[k];
}

static void ask_all_derivatives(struct sg_shooter *shooter, size_t mask)
{
    const struct sg_orbit_phase *phase = &shooter->phases->phase[mask];
    struct sg_orbit_flow *flow = &shooter->flow;
    size_t n = shooter->phases->n, half = n * n;
    flow->columns = 2 * n;
    memset(flow->du, 0, 2 * half * sizeof *flow->du);
    memset(flow->dv, 0, 2 * half * sizeof *flow->dv);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++) {
            flow->du[i + k * n] = phase->phi[i + k * n] / phase->omega[k];
            flow->dv[half + i + k * n] = phase->phi[i + k * n];
        }
}

/* Fills d (x, z)(T) / d (x, z) by columns, in the modes of the phase at the start: the monodromy matrix. */
static void fill_full(struct sg_shooter *shooter, size_t mask)
{
    const struct sg_orbit_phase *phase = &shooter->phases->phase[mask];
    struct sg_orbit_flow *flow = &shooter->flow;
    size_t n = shooter->phases->n, m = 2 * n;
    for (size_t c = 0; c < m; c++) {
        double *column = shooter->jacobian + c * m;
        for (size_t k = 0; k < n; k++) {
            column[k] = phase->omega[k] * sg_dot(n, phase->mphi + k * n, flow->du + c * n);
            column[n + k] = sg_dot(n, phase->mphi + k * n, flow->dv + c * n);
        }
    }
}

static enum sg_shot_end shoot_around(struct sg_shooter *shooter, double period, size_t *mask,
                                     struct sg_shot *shot)
{
    struct sg_orbit_flow *flow = &shooter->flow;
    const struct sg_orbit_phases *phases = shooter->phases;
    size_t m = 2 * phases->n;
    sg_orbit_flow_start(flow, shooter->u, shooter->v);
    *mask = flow->mask;
    shot->energy = sg_orbit_energy(phases, *mask, shooter->u, shooter->v, shooter->work);
    ask_all_derivatives(shooter, *mask);
    enum sg_shot_end end = judge(sg_orbit_flow_run(flow, period));
    to_numbers(phases, *mask, shooter->u, shooter->v, shooter->work);
    to_numbers(phases, *mask, flow->u, flow->v, shooter->residual);
    sg_axpy(m, -1, shooter->work, shooter->residual);
    shot->residual = shot->defect = norm(m, shooter->residual) / sqrt(2 * fabs(shot->energy));
    shot->switches = flow->switch_count;
    shot->margin = flow->margin;
    fill_full(shooter, *mask);
    return end;
}

enum sg_orbit_end sg_shoot_monodromy(struct sg_shooter *shooter, double period, const double *u,
                                     const double *v, double *matrix)
{
    struct sg_orbit_flow *flow = &shooter->flow;
    size_t n = shooter->phases->n;
    sg_orbit_flow_start(flow, u, v);
    size_t mask = flow->mask;
    ask_all_derivatives(shooter, mask);
    enum sg_orbit_end end = sg_orbit_flow_run(flow, period);
    fill_full(shooter, mask);
    memcpy(matrix, shooter->jacobian, 4 * n * n * sizeof *matrix);
    return end;
}

/* Takes the least change of the state that annuls the residual to first order. The matrix Phi - 1 is singular
 * by nature: a shift along the orbit in time, and one along its family, change nothing. Least squares with
 * small singular values cut off keep out of these directions. */
static sg_status correct(struct sg_shooter *shooter, size_t mask, struct sg_error *err)
{
    const struct sg_orbit_phases *phases = shooter->phases;
    size_t n = phases->n, m = 2 * n;
    double *x = shooter->work, *step = shooter->residual;
    for (size_t i = 0; i < m; i++) {
        step[i] = -step[i];
        shooter->jacobian[i + i * m] -= 1;
    }
    TRY(sg_dense_least_squares(m, shooter->jacobian, step, 1e-8, err));
    follow(m, step, x);
    for (size_t k = 0; k < n; k++) x[k] /= phases->phase[mask].omega[k];
    sg_orbit_from_modes(&phases->phase[mask], x, x + n, shooter->u, shooter->v);
    return SG_OK;
}

sg_status sg_shoot_full(struct sg_shooter *shooter, double period, double *u, double *v, struct sg_shot *shot,
                        struct sg_error *err)
{
    size_t bytes = shooter->phases->n * sizeof *u, mask = 0;
    double before = HUGE_VAL;
    memcpy(shooter->u, u, bytes);
    memcpy(shooter->v, v, bytes);
    *shot = (struct sg_shot){.end = SG_SHOT_FAR};
    for (shot->iterations = 0;; shot->iterations++) {
        enum sg_shot_end end = shoot_around(shooter, period, &mask, shot);
        bool hit = end != SG_SHOT_HIT || is_hit(shot, before);
        if (hit) shot->end = end;
        before = shot->residual;
        if (hit || shot->iterations >= shooter->most || !isfinite(before)) break;
        TRY(correct(shooter, mask, err));
    }
    memcpy(u, shooter->u, bytes);
    memcpy(v, shooter->v, bytes);
    return SG_OK;
}
