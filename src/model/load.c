/* Loads: f(t) = gravity + sum of s_k(t) F_k, a combination of vectors that don't change. */
#include <math.h>
#include <string.h>

#include "linalg/kernels.h"
#include "linalg/vector.h"
#include "model/scratch.h"
#include "model/system.h"
#include "support/memory.h"

typedef struct sg_signal_value signal_at(const struct sg_signal *signal, double t);

/* y = x + s p; y may be x */
SG_HOT static void add_pattern(size_t n, const double *x, double s, const double *p, double *y)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) y[i] = x[i] + s * p[i];
}

static void load_at(const struct sg_system *system, signal_at *at, double t, double *f)
{
    struct sg_signal_value *values = system->scratch->values;
    const double *base = system->gravity;
    for (size_t k = 0; k < system->signal_count; k++) values[k] = at(&system->signals[k], t);
    for (size_t k = 0; k < system->load_count; k++, base = f) {
        const struct sg_load *load = &system->loads[k];
        add_pattern(system->n, base, sg_signal_pick(&values[load->signal], load->order), load->pattern, f);
    }
    if (system->load_count == 0) memcpy(f, base, system->n * sizeof *f);
}

void sg_system_load(const struct sg_system *system, double t, double *f)
{
    load_at(system, sg_signal_at, t, f);
}

void sg_system_load_before(const struct sg_system *system, double t, double *f)
{
    load_at(system, sg_signal_before, t, f);
}

double sg_system_next_break(const struct sg_system *system, double t)
{
    double first = HUGE_VAL;
    for (size_t k = 0; k < system->signal_count; k++)
        first = fmin(first, system->signals[k].ops->next_break(&system->signals[k], t));
    return first;
}

double sg_system_longest_step(const struct sg_system *system, double t)
{
    double longest = HUGE_VAL;
    for (size_t k = 0; k < system->signal_count; k++) {
        const struct sg_signal *signal = &system->signals[k];
        if (signal->ops->longest_step != NULL) longest = fmin(longest, signal->ops->longest_step(signal, t));
    }
    return longest;
}

/* --- sums over a step ----------------------------------------------------------------------------- */

/* signals are taken from the left at the end, where a jump may be */
static void read_signals(const struct sg_system *system, double t0, double h)
{
    struct sg_signal_value *start = system->scratch->values, *middle = start + system->signal_count,
                           *end = middle + system->signal_count;
    for (size_t k = 0; k < system->signal_count; k++) {
        start[k] = sg_signal_at(&system->signals[k], t0);
        middle[k] = sg_signal_at(&system->signals[k], t0 + 0.5 * h);
        end[k] = sg_signal_before(&system->signals[k], t0 + h);
    }
}

/* Takes those of load k at the three instants that were read. */
static void amplitudes(const struct sg_system *system, size_t k, double s[3])
{
    const struct sg_load *load = &system->loads[k];
    for (size_t i = 0; i < 3; i++) {
        const struct sg_signal_value *values = system->scratch->values + i * system->signal_count;
        s[i] = sg_signal_pick(&values[load->signal], load->order);
    }
}

/* The step takes this of a pattern: impulse and change of its signal. */
struct share {
    double impulse, change;
};

static struct share share_of(const struct sg_system *system, size_t k, double h)
{
    double s[3];
    amplitudes(system, k, s);
    return (struct share){h / 6.0 * (s[0] + 4.0 * s[1] + s[2]), s[2] - s[0]};
}

/* the first pattern, onto gravity */
SG_HOT static void begin_sums(const struct sg_system *system, double h, struct share share,
                              double *restrict impulse, double *restrict change)
{
    const double *restrict gravity = system->gravity, *restrict pattern = system->loads[0].pattern;
    size_t n = system->n;
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        impulse[i] = h * gravity[i] + share.impulse * pattern[i];
        change[i] = share.change * pattern[i];
    }
}

void sg_system_load_over(const struct sg_system *system, double t0, double h, double *impulse, double *change)
{
    size_t n = system->n;
    read_signals(system, t0, h);
    if (system->load_count == 0) {
        for (size_t i = 0; i < n; i++) impulse[i] = h * system->gravity[i];
        memset(change, 0, n * sizeof *change);
        return;
    }
    begin_sums(system, h, share_of(system, 0, h), impulse, change);
    for (size_t k = 1; k < system->load_count; k++) {
        struct share share = share_of(system, k, h);
        sg_axpy(n, share.impulse, system->loads[k].pattern, impulse);
        sg_axpy(n, share.change, system->loads[k].pattern, change);
    }
}

/* --- works ---------------------------------------------------------------------------------------- */

static double load_product(const struct sg_system *system, const double *x, double t, signal_at *at)
{
    double sum = 0;
    for (size_t k = 0; k < system->load_count; k++) {
        const struct sg_load *load = &system->loads[k];
        if (load->from_support) continue;
        struct sg_signal_value value = at(&system->signals[load->signal], t);
        sum += sg_signal_pick(&value, load->order) * sg_dot(system->n, load->pattern, x);
    }
    return sum;
}

double sg_system_load_product(const struct sg_system *system, const double *x, double t, bool before)
{
    return load_product(system, x, t, before ? sg_signal_before : sg_signal_at);
}

/* F . v0, F . (u1 - u0), F . v1: with them also F . v at the middle of the cubic */
SG_HOT static void products(size_t n, const double *restrict pattern, const struct sg_step_ends *step,
                            double dots[3])
{
    const double *restrict u0 = step->u0, *restrict v0 = step->v0;
    const double *restrict u1 = step->u1, *restrict v1 = step->v1;
    double start = 0, way = 0, end = 0;
#pragma omp simd reduction(+ : start, way, end)
    for (size_t i = 0; i < n; i++) {
        start += pattern[i] * v0[i];
        way += pattern[i] * (u1[i] - u0[i]);
        end += pattern[i] * v1[i];
    }
    dots[0] = start;
    dots[1] = way;
    dots[2] = end;
}

double sg_system_pattern_work(const struct sg_system *system, const struct sg_step_ends *step)
{
    double h = step->t1 - step->t0, work = 0;
    bool read = false;
    for (size_t k = 0; k < system->load_count; k++) {
        if (system->loads[k].from_support) continue;
        if (!read) read_signals(system, step->t0, h);
        read = true;
        double s[3], dots[3];
        amplitudes(system, k, s);
        products(system->n, system->loads[k].pattern, step, dots);
        double middle = 1.5 * dots[1] / h - 0.25 * (dots[0] + dots[2]);
        work += h / 6.0 * (s[0] * dots[0] + 4.0 * s[1] * middle + s[2] * dots[2]);
    }
    return work;
}

/* --- adding loads ------------------------------------------------------------------------------------ */

sg_status sg_system_add_load(struct sg_system *system, size_t signal, enum sg_signal_order order,
                             struct sg_load **load, struct sg_error *err)
{
    *load = &system->loads[system->load_count++];
    (*load)->signal = signal;
    (*load)->order = order;
    return SG_ARENA_NEW(&system->arena, &(*load)->pattern, system->n, err);
}

/* M_fp a_p + C_fp v_p + K_fp u_p on the other side of the equation of motion */
static sg_status add_coupling(struct sg_system *system, const struct sg_motion *motion,
                              enum sg_matrix_role role, struct sg_error *err)
{
    static const int derivative[] = {[SG_MASS] = 2, [SG_DAMPING] = 1, [SG_STIFFNESS] = 0};
    const double *column = sg_motion_column(motion, role);
    size_t i = 0, n = system->n;
    while (i < n && column[i] == 0) i++;
    if (i == n) return SG_OK;
    struct sg_load *load = NULL;
    enum sg_signal_order order = (enum sg_signal_order)((int)motion->order + derivative[role]);
    TRY(sg_system_add_load(system, motion->signal, order, &load, err));
    load->from_support = true;
    for (; i < n; i++) load->pattern[i] = -column[i];
    return SG_OK;
}

sg_status sg_system_add_support_loads(struct sg_system *system, struct sg_error *err)
{
    for (size_t m = 0; m < system->motion_count; m++)
        for (int role = SG_MASS; role <= SG_STIFFNESS; role++)
            TRY(add_coupling(system, &system->motions[m], (enum sg_matrix_role)role, err));
    return SG_OK;
}
