#include <math.h>
#include <string.h>

#include "linalg/kernels.h"
#include "linalg/vector.h"
#include "model/names.h"
#include "model/scratch.h"
#include "model/system.h"

/* --- signals -------------------------------------------------------------------------------------- */

typedef struct sg_signal_value signal_at(const struct sg_signal *signal, double t);

static double motion_at(const struct sg_system *system, size_t m, signal_at *at, double t, int derivative)
{
    const struct sg_motion *motion = &system->motions[m];
    struct sg_signal_value value = at(&system->signals[motion->signal], t);
    return sg_signal_pick(&value, (enum sg_signal_order)((int)motion->order + derivative));
}

void sg_system_internal(const struct sg_system *system, double t, const double *u, const double *v, double *f)
{
    sg_matrix_multiply(&system->K, u, f);
    if (system->damped) sg_matrix_multiply_add(&system->C, 1.0, v, f);
    if (system->elements.count == 0) return;
    sg_element_dofs_gather(&system->scratch->elements, 0, t, u, v);
    sg_element_dofs_force(&system->scratch->elements, 0, SG_ALL_ELEMENTS);
    struct sg_element_dofs *dofs = &system->scratch->elements;
    for (size_t i = 0; i < dofs->free_count; i++) f[dofs->source[i]] += dofs->slot[0].f[i];
}

/* --- energies ---------------------------------------------------------------------------------------- */

static const double *pp_row(const struct sg_system *system, enum sg_matrix_role role, size_t m)
{
    return system->motion_pp + ((size_t)role * system->motion_count + m) * system->motion_count;
}

/* x . A x over the full model; p = the prescribed part of x */
static double full_form(const struct sg_system *system, enum sg_matrix_role role, const double *x,
                        const double *p)
{
    const struct sg_matrix *const blocks[] = {&system->M, &system->C, &system->K};
    double sum = blocks[role]->zero ? 0 : sg_matrix_form(blocks[role], x, x);
    for (size_t m = 0; m < system->motion_count; m++) {
        double coupling = sg_dot(system->n, sg_motion_column(&system->motions[m], role), x);
        sum += p[m] * (2 * coupling + sg_dot(system->motion_count, pp_row(system, role, m), p));
    }
    return sum;
}

static const double *prescribed(const struct sg_system *system, double t, int derivative)
{
    double *p = system->scratch->p;
    for (size_t m = 0; m < system->motion_count; m++) p[m] = sg_system_motion(system, m, t, derivative);
    return p;
}

double sg_system_kinetic(const struct sg_system *system, const double *v, double t)
{
    return full_form(system, SG_MASS, v, prescribed(system, t, 1)) / 2;
}

/* displacements of the full model: free ones and those of motions */
struct shape {
    const double *u, *p;
};

/* x . K y over the full model */
static double plain_product(const struct sg_system *system, struct shape x, struct shape y)
{
    double sum = system->K.zero ? 0 : sg_matrix_form(&system->K, x.u, y.u);
    for (size_t m = 0; m < system->motion_count; m++) {
        const double *column = sg_motion_column(&system->motions[m], SG_STIFFNESS);
        double pp = sg_dot(system->motion_count, pp_row(system, SG_STIFFNESS, m), y.p);
        sum += x.p[m] * (sg_dot(system->n, column, y.u) + pp) + y.p[m] * sg_dot(system->n, column, x.u);
    }
    return sum;
}

/* sum of k_i (x_i - x0) (y_i - y0) */
static double pairs(size_t n, const double *k, const double *x, const double *y, const double at[2])
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        if (k[i] != 0) sum += k[i] * ((x[i] - at[0]) * (y[i] - at[1]));
    return sum;
}

/* The same of the differences of coupled dofs (linalg/matrix.h): a body that flies far away keeps the digits
 * of its strain. */
static double stiffness_product(const struct sg_system *system, struct shape x, struct shape y)
{
    const double *sums = system->grounding.value;
    if (sums == NULL) return plain_product(system, x, y);
    double sum = sg_matrix_form_differences(&system->K, system->grounding, x.u, y.u);
    for (size_t m = 0; m < system->motion_count; m++) {
        const double at[2] = {x.p[m], y.p[m]};
        sum += sums[system->n + m] * at[0] * at[1];
        sum -= pairs(system->n, sg_motion_column(&system->motions[m], SG_STIFFNESS), x.u, y.u, at);
        sum -= pairs(m, pp_row(system, SG_STIFFNESS, m), x.p, y.p, at);
    }
    return sum;
}

double sg_system_strain(const struct sg_system *system, const double *u, double t)
{
    struct shape x = {u, prescribed(system, t, 0)};
    double strain = stiffness_product(system, x, x) / 2;
    if (system->elements.count == 0) return strain;
    sg_element_dofs_gather(&system->scratch->elements, 0, t, u, NULL);
    return strain + sg_element_dofs_energy(&system->scratch->elements, 0);
}

/* (S(x) + S(y)) / 2 - (y - x) . (f(y) - f(x)) / 4 of the elements, all their dofs counted */
static double staggered_elements(const struct sg_system *system, const struct sg_snapshot *now)
{
    struct sg_element_dofs *dofs = &system->scratch->elements;
    const struct sg_element_slot *x = &dofs->slot[0], *y = &dofs->slot[1];
    sg_element_dofs_gather(&system->scratch->elements, 0, now->t, now->u, NULL);
    sg_element_dofs_gather(&system->scratch->elements, 1, now->t_next, now->u_next, NULL);
    for (size_t k = 0; k < 2; k++) sg_element_dofs_force(&system->scratch->elements, k, SG_ELASTIC_ELEMENTS);
    double product = 0;
    for (size_t i = 0; i < dofs->count; i++) product += (y->x[i] - x->x[i]) * (y->f[i] - x->f[i]);
    return (sg_element_dofs_energy(&system->scratch->elements, 0) +
            sg_element_dofs_energy(&system->scratch->elements, 1)) /
               2 -
           product / 4;
}

double sg_system_staggered_strain(const struct sg_system *system, const struct sg_snapshot *now)
{
    double *p = system->scratch->p, *r = system->scratch->p + system->motion_count;
    for (size_t m = 0; m < system->motion_count; m++) {
        p[m] = sg_system_motion(system, m, now->t, 0);
        r[m] = sg_system_motion(system, m, now->t_next, 0);
    }
    double strain = stiffness_product(system, (struct shape){now->u, p}, (struct shape){now->u_next, r}) / 2;
    return system->elements.count == 0 ? strain : strain + staggered_elements(system, now);
}

double sg_system_damping_power(const struct sg_system *system, const double *u, const double *v, double t)
{
    double power = system->damped ? full_form(system, SG_DAMPING, v, prescribed(system, t, 1)) : 0;
    if (system->elements.count == 0) return power;
    sg_element_dofs_gather(&system->scratch->elements, 0, t, u, v);
    return power + sg_element_dofs_power(&system->scratch->elements, 0);
}

double sg_system_drive_power(const struct sg_system *system, const double *u, const double *v, double t)
{
    if (system->elements.driving == 0) return 0;
    sg_element_dofs_gather(&system->scratch->elements, 0, t, u, v);
    return sg_element_dofs_drive(&system->scratch->elements, 0);
}

double sg_system_gravity_energy(const struct sg_system *system, const double *u, double t)
{
    if (system->weightless) return 0;
    double work = sg_dot(system->n, system->gravity, u);
    for (size_t m = 0; m < system->motion_count; m++)
        work += system->motions[m].gravity * sg_system_motion(system, m, t, 0);
    return -work;
}

/* --- angular momentum ----------------------------------------------------------------------------- */

static void mass_product(const struct sg_triplets *mass, const double *v, double *p)
{
    memset(p, 0, mass->n * sizeof *p);
    for (size_t k = 0; k < mass->count; k++) {
        size_t i = mass->row[k], j = mass->column[k];
        p[i] += mass->value[k] * v[j];
        if (i != j) p[j] += mass->value[k] * v[i];
    }
}

void sg_system_angular_momentum(const struct sg_system *system, const struct sg_snapshot *now, double *sum)
{
    if (system->dim == 1) {
        sum[0] = 0;
        return;
    }
    double *u = system->scratch->full, *v = u + system->n_full;
    sg_system_expand(system, now->u, now->t, 0, u);
    sg_system_expand(system, now->v, sg_snapshot_velocity_time(now), 1, v);
    sg_system_angular_momentum_of(system, u, v, sum);
}

void sg_system_angular_momentum_of(const struct sg_system *system, const double *u, const double *v,
                                   double *sum)
{
    size_t dim = system->dim, n = system->n_full;
    double *x = system->scratch->full, *p = x + 2 * n;
    memset(sum, 0, (dim == 3 ? 3 : 1) * sizeof *sum);
    for (size_t i = 0; i < n; i++) x[i] = u[i] + system->reference[i];
    mass_product(&system->mass_full, v, p);
    for (size_t node = 0; node < system->labels.node_count; node++) {
        size_t i = system->first_dof[node], rotation = sg_system_rotation(system, node);
        double z = x[i] * p[i + 1] - x[i + 1] * p[i];
        sum[dim == 3 ? 2 : 0] += z + (rotation == SIZE_MAX ? 0 : p[rotation]);
        if (dim == 2) continue;
        sum[0] += x[i + 1] * p[i + 2] - x[i + 2] * p[i + 1];
        sum[1] += x[i + 2] * p[i] - x[i] * p[i + 2];
    }
}

/* --- works ---------------------------------------------------------------------------------------- */

/* Start, middle and end of a step; signals are taken from the left at the end, where a jump may be. */
struct instant {
    double t, weight; /* Simpson's, s */
    signal_at *at;
    const double *u, *v;
};

SG_HOT static void midpoint(size_t n, const struct sg_step_ends *step, double *restrict u, double *restrict v)
{
    const double *restrict u0 = step->u0, *restrict v0 = step->v0;
    const double *restrict u1 = step->u1, *restrict v1 = step->v1;
    double h = step->t1 - step->t0, eighth = h / 8.0, rate = 1.5 / h;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        u[i] = 0.5 * (u0[i] + u1[i]) + eighth * (v0[i] - v1[i]);
        v[i] = rate * (u1[i] - u0[i]) - 0.25 * (v0[i] + v1[i]);
    }
}

static void instants(const struct sg_system *system, const struct sg_step_ends *step, struct instant at[3])
{
    double h = step->t1 - step->t0, *u = system->scratch->u, *v = system->scratch->v;
    midpoint(system->n, step, u, v);
    at[0] = (struct instant){step->t0, h / 6, sg_signal_at, step->u0, step->v0};
    at[1] = (struct instant){step->t0 + h / 2, 4 * h / 6, sg_signal_at, u, v};
    at[2] = (struct instant){step->t1, h / 6, sg_signal_before, step->u1, step->v1};
}

/* v_p . (C_pf v + K_pf u + C_pp v_p) - a_p M_pf v of motion m */
static double support_power(const struct sg_system *system, size_t m, const struct instant *now)
{
    const struct sg_motion *motion = &system->motions[m];
    size_t n = system->n;
    double force = sg_dot(n, motion->stiffness, now->u);
    if (system->damped) {
        force += sg_dot(n, motion->damping, now->v);
        const double *row = pp_row(system, SG_DAMPING, m);
        for (size_t k = 0; k < system->motion_count; k++)
            force += row[k] * motion_at(system, k, now->at, now->t, 1);
    }
    return motion_at(system, m, now->at, now->t, 1) * force -
           motion_at(system, m, now->at, now->t, 2) * sg_dot(n, motion->mass, now->v);
}

/* The supports' work changes this at once: the terms behind d[...]. */
static double support_potential(const struct sg_system *system, const struct instant *now)
{
    double sum = 0;
    for (size_t m = 0; m < system->motion_count; m++) {
        const struct sg_motion *motion = &system->motions[m];
        const double *mass = pp_row(system, SG_MASS, m), *stiffness = pp_row(system, SG_STIFFNESS, m);
        double u = motion_at(system, m, now->at, now->t, 0), v = motion_at(system, m, now->at, now->t, 1);
        sum += v * sg_dot(system->n, motion->mass, now->v) - motion->gravity * u;
        for (size_t k = 0; k < system->motion_count; k++)
            sum += v * mass[k] * motion_at(system, k, now->at, now->t, 1) / 2 +
                   u * stiffness[k] * motion_at(system, k, now->at, now->t, 0) / 2;
    }
    return sum;
}

/* v_p . (force of the elements); supports move without jumps of their velocity, so either side will do */
static double element_support_power(const struct sg_system *system, const struct instant *now)
{
    struct sg_element_dofs *dofs = &system->scratch->elements;
    if (dofs->moved_count == dofs->free_count) return 0;
    const struct sg_element_slot *slot = &dofs->slot[0];
    sg_element_dofs_gather(&system->scratch->elements, 0, now->t, now->u, now->v);
    sg_element_dofs_force(&system->scratch->elements, 0, SG_ALL_ELEMENTS);
    return sg_dot(dofs->moved_count - dofs->free_count, slot->f + dofs->free_count,
                  slot->v + dofs->free_count);
}

double sg_system_support_work(const struct sg_system *system, const struct sg_step_ends *step)
{
    if (system->motion_count == 0 || !(step->t1 > step->t0)) return 0;
    struct instant at[3];
    instants(system, step, at);
    double work = support_potential(system, &at[2]) - support_potential(system, &at[0]);
    for (size_t m = 0; m < system->motion_count; m++)
        for (size_t k = 0; k < 3; k++) work += at[k].weight * support_power(system, m, &at[k]);
    for (size_t k = 0; k < 3; k++) work += at[k].weight * element_support_power(system, &at[k]);
    return work;
}

double sg_system_support_impulse_work(const struct sg_system *system, const double *v, double t)
{
    double work = 0;
    for (size_t m = 0; m < system->motion_count; m++)
        work += sg_system_motion(system, m, t, 1) * sg_dot(system->n, system->motions[m].mass, v);
    return work;
}

typedef double power_at(const struct sg_system *system, const double *u, const double *v, double t);

/* Integrates a power by Simpson's rule. */
static double work_by(power_at *power, const struct sg_system *system, const struct sg_step_ends *step)
{
    struct instant at[3];
    instants(system, step, at);
    double work = 0;
    for (size_t k = 0; k < 3; k++) work += at[k].weight * power(system, at[k].u, at[k].v, at[k].t);
    return work;
}

double sg_system_load_work_simpson(const struct sg_system *system, const struct sg_step_ends *step)
{
    if (!(step->t1 > step->t0)) return 0;
    double work = sg_system_pattern_work(system, step);
    return system->elements.driving == 0 ? work : work + work_by(sg_system_drive_power, system, step);
}

/* v . C v of a diagonal C, times the weights 1, 4, 1 of Simpson's rule */
SG_HOT static double diagonal_damping(size_t n, const double *restrict c, const struct sg_step_ends *step)
{
    const double *restrict u0 = step->u0, *restrict v0 = step->v0;
    const double *restrict u1 = step->u1, *restrict v1 = step->v1;
    double rate = 1.5 / (step->t1 - step->t0), sum = 0;
#pragma omp simd reduction(+ : sum)
    for (size_t i = 0; i < n; i++) {
        double v = rate * (u1[i] - u0[i]) - 0.25 * (v0[i] + v1[i]);
        sum += c[i] * (v0[i] * v0[i] + 4.0 * v * v + v1[i] * v1[i]);
    }
    return sum;
}

double sg_system_damping_work_simpson(const struct sg_system *system, const struct sg_step_ends *step)
{
    if ((!system->damped && system->elements.count == 0) || !(step->t1 > step->t0)) return 0;
    if (system->elements.count == 0 && system->motion_count == 0 && system->C.kind == SG_DIAGONAL)
        return (step->t1 - step->t0) / 6 * diagonal_damping(system->n, system->C.diag, step);
    return work_by(sg_system_damping_power, system, step);
}
