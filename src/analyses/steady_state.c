#include "analyses/steady_state.h"

#include <math.h>
#include <string.h>

#include "support/constants.h"
#include "support/memory.h"
#include "support/stop.h"

enum { AXES = 3, WINDOWS = 3, FAR = 1000 };

/* Sums and extremes over one period. */
struct tally {
    double energy; /* J: sum over the samples */
    double amplitude, cosine[AXES], sine[AXES];
    double gap_least, gap_most;
    size_t closed;               /* samples */
    double external, dissipated; /* J, accumulated at its end */
};

struct sg_steady_watch {
    struct sg_arena *arena;
    struct sg_steady_spec spec;
    const struct sg_varied_run *run;
    const struct sg_system *system;
    size_t n;
    double *rows[AXES];    /* n: the node's displacement along an axis; NULL: prescribed */
    double *states;        /* (orders + 1) x 2 n: u, v at the last ends of periods, by their number */
    double *difference;    /* 2 n */
    struct tally *tallies; /* `kept`: of the last periods, by their number; number 0 is the start */
    size_t kept;
    size_t sample, period; /* the next sample is number `sample` of period `period`, both from 1 */
    bool settled;
    struct sg_steady result;
};

/* --- the Poincare section ------------------------------------------------------------------------- */

static double *state_at(const struct sg_steady_watch *w, size_t period)
{
    return w->states + period % (w->spec.orders + 1) * 2 * w->n;
}

static double omega_of(const struct sg_steady_watch *w)
{
    return 2.0 * SG_PI / w->spec.period;
}

/* The norm of energy, v.Mv + u.Ku + omega^2 u.Mu. The last term is that of the load's frequency: without it
 * rigid motions would have no length in u. */
static double squared_norm(const struct sg_steady_watch *w, const double *state)
{
    const double *u = state, *v = state + w->n;
    double omega = omega_of(w);
    return sg_matrix_form(&w->system->M, v, v) + sg_matrix_form(&w->system->K, u, u) +
           omega * omega * sg_matrix_form(&w->system->M, u, u);
}

static struct tally *tally_at(const struct sg_steady_watch *w, size_t period)
{
    return &w->tallies[period % w->kept];
}

/* Compares the states after `period` and `order` periods before it */
static double distance(struct sg_steady_watch *w, size_t period, size_t order)
{
    const double *now = state_at(w, period), *before = state_at(w, period - order);
    for (size_t i = 0; i < 2 * w->n; i++) w->difference[i] = now[i] - before[i];
    double mean = tally_at(w, period)->energy / (double)w->spec.samples;
    double scale = fmax(squared_norm(w, now), 2.0 * mean), squared = squared_norm(w, w->difference);
    return squared > 0.0 ? sqrt(squared / scale) : squared;
}

/* The shortest period that the motion has, in those of the load; 0: none. A transient that changes its sign
 * from period to period is closer over two: it only is a longer period where shorter ones are far off. */
static size_t find_order(struct sg_steady_watch *w, size_t period)
{
    double first = 0.0, least = HUGE_VAL;
    for (size_t order = 1; order <= w->spec.orders && order <= period; order++) {
        double now = distance(w, period, order);
        if (order == 1) first = now;
        if (now <= w->spec.tolerance && (order == 1 || least > FAR * w->spec.tolerance)) {
            w->result.distance = now;
            return order;
        }
        least = fmin(least, now);
    }
    w->result.distance = first;
    return 0;
}

/* --- means ---------------------------------------------------------------------------------------- */

static double mean_energy(const struct sg_steady_watch *w, size_t end, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; k < count; k++) sum += tally_at(w, end - k)->energy;
    return sum / (double)(count * w->spec.samples);
}

/* Chaotic motion has a mean, if anything: the mean energies of three windows, one after the other, agree. */
static bool mean_stays(const struct sg_steady_watch *w, size_t period)
{
    size_t window = w->spec.window;
    if (period < WINDOWS * window) return false;
    double last = mean_energy(w, period, window);
    for (size_t k = 1; k < WINDOWS; k++) {
        double before = mean_energy(w, period - k * window, window);
        if (!(fabs(before - last) <= w->spec.mean_tolerance * last)) return false;
    }
    return true;
}

/* The Fourier coefficient at the load's frequency over the last `count` periods, the root of the sum over the
 * axes. On evenly spaced samples of whole periods the trapezoidal sum is exact for all but aliased harmonics.
 */
static double harmonic_of(const struct sg_steady_watch *w, size_t end, size_t count)
{
    double squared = 0.0, scale = 2.0 / (double)(count * w->spec.samples);
    for (size_t axis = 0; axis < AXES; axis++) {
        double cosine = 0.0, sine = 0.0;
        for (size_t k = 0; k < count; k++) {
            cosine += tally_at(w, end - k)->cosine[axis];
            sine += tally_at(w, end - k)->sine[axis];
        }
        squared += scale * scale * (cosine * cosine + sine * sine);
    }
    return sqrt(squared);
}

/* Measures over the last `count` periods. */
static void measure(struct sg_steady_watch *w, size_t end, size_t count)
{
    struct sg_steady *result = &w->result;
    double time = (double)count * w->spec.period;
    const struct tally *last = tally_at(w, end), *before = tally_at(w, end - count);
    size_t closed = 0;
    result->periods = end;
    result->energy = mean_energy(w, end, count);
    result->harmonic = harmonic_of(w, end, count);
    result->amplitude = 0.0;
    result->gap_least = last->gap_least;
    result->gap_most = last->gap_most;
    for (size_t k = 0; k < count; k++) {
        const struct tally *tally = tally_at(w, end - k);
        result->amplitude = fmax(result->amplitude, tally->amplitude);
        result->gap_least = fmin(result->gap_least, tally->gap_least);
        result->gap_most = fmax(result->gap_most, tally->gap_most);
        closed += tally->closed;
    }
    result->contact_share = (double)closed / (double)(count * w->spec.samples);
    result->dissipated = (last->dissipated - before->dissipated) / time;
    result->external = (last->external - before->external) / time;
}

/* a period is over */
static void judge(struct sg_steady_watch *w, size_t period)
{
    size_t order = find_order(w, period), window = w->spec.window;
    if (order > 0 && period >= w->spec.fewest) {
        w->result.order = (int)order;
        measure(w, period, order);
        w->settled = true;
        return;
    }
    /* A motion that is close already becomes periodic yet */
    bool wanders = w->result.distance > FAR * w->spec.tolerance;
    bool stays = wanders && mean_stays(w, period) && period >= w->spec.fewest;
    if (!stays && period < w->spec.most) return;
    w->result.order = stays ? SG_STEADY_MEAN : SG_STEADY_NEITHER;
    measure(w, period, window < period ? window : period);
    w->settled = true;
}

/* --- samples -------------------------------------------------------------------------------------- */

static void open_tally(struct sg_steady_watch *w, size_t period)
{
    *tally_at(w, period) = (struct tally){.gap_least = NAN, .gap_most = NAN};
}

static double energy_of(const struct sg_system *system, const struct sg_snapshot *now)
{
    double strain = now->u_next == NULL ? sg_system_strain(system, now->u, now->t)
                                        : sg_system_staggered_strain(system, now);
    return strain + sg_system_kinetic(system, now->v, sg_snapshot_velocity_time(now));
}

static void add_motion(const struct sg_steady_watch *w, const struct sg_snapshot *now, struct tally *tally)
{
    double squared = 0.0, phase = 2.0 * SG_PI * (double)w->sample / (double)w->spec.samples;
    for (size_t axis = 0; axis < AXES; axis++) {
        if (w->rows[axis] == NULL) continue;
        double u = 0.0;
        for (size_t i = 0; i < w->n; i++) u += w->rows[axis][i] * now->u[i];
        tally->cosine[axis] += u * cos(phase);
        tally->sine[axis] += u * sin(phase);
        squared += u * u;
    }
    tally->amplitude = fmax(tally->amplitude, sqrt(squared));
}

static void add_contacts(const struct sg_steady_watch *w, const struct sg_snapshot *now, struct tally *tally)
{
    bool closed = false;
    for (size_t j = 0; j < w->run->contacts->q; j++) {
        tally->gap_least = fmin(tally->gap_least, now->gap[j]);
        tally->gap_most = fmax(tally->gap_most, now->gap[j]);
        closed = closed || now->active[j] != 0;
    }
    tally->closed += closed;
}

static void keep_section(struct sg_steady_watch *w, const struct sg_snapshot *now)
{
    double *state = state_at(w, w->period);
    memcpy(state, now->u, w->n * sizeof *state);
    memcpy(state + w->n, now->v, w->n * sizeof *state);
    tally_at(w, w->period)->external = now->external;
    tally_at(w, w->period)->dissipated = now->dissipated;
}

static void take(struct sg_steady_watch *w, const struct sg_snapshot *now)
{
    struct tally *tally = tally_at(w, w->period);
    tally->energy += energy_of(w->system, now);
    add_motion(w, now, tally);
    add_contacts(w, now, tally);
    if (w->sample++ < w->spec.samples) return;
    keep_section(w, now);
    judge(w, w->period);
    w->sample = 1;
    open_tally(w, ++w->period);
}

static double time_of_next(const struct sg_steady_watch *w)
{
    double number = (double)(w->period - 1) * (double)w->spec.samples + (double)w->sample;
    return number * (w->spec.period / (double)w->spec.samples);
}

static void take_start(struct sg_steady_watch *w, const struct sg_snapshot *now)
{
    w->period = 0;
    open_tally(w, 0);
    keep_section(w, now);
    w->period = w->sample = 1;
    open_tally(w, 1);
}

static sg_status on_step(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                         int localized, struct sg_error *err)
{
    struct sg_steady_watch *w = self;
    (void)localized;
    if (w->states == NULL) FAIL(err, SG_INTERNAL, "the steady state's run is not being marched");
    if (sampler == NULL) {
        take_start(w, now);
        return SG_OK;
    }
    double near = 1e-6 * w->spec.period / (double)w->spec.samples;
    while (!w->settled && time_of_next(w) <= now->t + near) {
        double t = time_of_next(w);
        struct sg_snapshot inside;
        bool here = t >= now->t - near;
        if (!here) TRY(sampler->at(sampler->self, t, &inside, err));
        take(w, here ? now : &inside);
    }
    return SG_OK;
}

static sg_status on_event(void *self, const struct sg_event *event, struct sg_error *err)
{
    (void)self;
    (void)event;
    (void)err;
    return SG_OK;
}

/* --- memory --------------------------------------------------------------------------------------- */

sg_status sg_steady_watch_create(struct sg_arena *arena, const struct sg_steady_spec *spec,
                                 struct sg_steady_watch **watch, struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, watch, 1, err));
    (*watch)->arena = arena;
    (*watch)->spec = *spec;
    return SG_OK;
}

struct sg_observer sg_steady_observer(struct sg_steady_watch *watch)
{
    return (struct sg_observer){.self = watch, .step = on_step, .event = on_event};
}

const struct sg_steady *sg_steady_result(const struct sg_steady_watch *watch)
{
    return &watch->result;
}

/* row . x is the displacement of a full dof, x in the coordinates of the solver */
static sg_status make_row(struct sg_steady_watch *w, size_t full, double **row, struct sg_error *err)
{
    size_t dof = w->system->free_of_full[full];
    if (dof == SIZE_MAX) return SG_OK;
    TRY(SG_ARENA_NEW(w->arena, row, w->n, err));
    double *unit = w->system->modal == NULL ? *row : w->difference;
    memset(unit, 0, w->n * sizeof *unit);
    unit[dof] = 1.0;
    if (w->system->modal != NULL) sg_modal_project_force(w->system->modal, unit, *row);
    return SG_OK;
}

static sg_status prepare(struct sg_steady_watch *w, const struct sg_varied_run *run, struct sg_error *err)
{
    w->run = run;
    w->system = run->system;
    w->n = run->system->n;
    w->kept = 1 + WINDOWS * w->spec.window;
    if (w->kept < 1 + w->spec.orders) w->kept = 1 + w->spec.orders;
    TRY(SG_ARENA_NEW(w->arena, &w->states, 2 * w->n * (w->spec.orders + 1), err));
    TRY(SG_ARENA_NEW(w->arena, &w->difference, 2 * w->n, err));
    TRY(SG_ARENA_NEW(w->arena, &w->tallies, w->kept, err));
    for (size_t axis = 0; axis < w->system->dim; axis++)
        TRY(make_row(w, sg_system_dof(w->system, w->spec.node, axis), &w->rows[axis], err));
    return SG_OK;
}

/* --- marching ------------------------------------------------------------------------------------- */

sg_status sg_steady_march(struct sg_steady_watch *watch, const struct sg_varied_run *run, double *u,
                          double *v, struct sg_error *err)
{
    struct sg_strategy *strategy = run->strategy;
    bool done = false;
    TRY(prepare(watch, run, err));
    TRY(strategy->ops->start(strategy, err));
    while (!watch->settled && !done) {
        if (sg_stop_requested()) FAIL(err, SG_INTERRUPTED, "interrupted");
        TRY(strategy->ops->advance(strategy, &done, err));
    }
    if (!watch->settled) FAIL(err, SG_INTERNAL, "the run ended before its period number %zu", watch->period);
    const double *end = state_at(watch, watch->result.periods);
    double t = (double)watch->result.periods * watch->spec.period;
    sg_system_expand(watch->system, end, t, 0, u);
    sg_system_expand(watch->system, end + watch->n, t, 1, v);
    return SG_OK;
}
