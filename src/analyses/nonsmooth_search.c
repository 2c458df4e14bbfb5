#include "analyses/nonsmooth_search.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "linalg/vector.h"
#include "support/constants.h"
#include "support/memory.h"
#include "support/stop.h"

/* Points of a curve that are kept at most; periods over that of the mode beyond which a curve is left. */
enum { CURVE = 3000, AWAY = 100, BEYOND = 400 };
static const double FARTHEST = 4;

/* A start that shooting moves this far, in the logarithm of its size squared, leads to another orbit. A
 * motion that is left with the part ROUGH of its speed after half a period is not the single blow that it
 * should be. */
static const double LEAP = 0.3, ROUGH = 1e-6;

/* Strides beyond, in units of sg_shoot_scale with WIDTH, and cosines of the turn over one that is too long,
 * and of one that could be longer */
static const double SHORTEST = 1e-6, LONGEST = 0.1, WIDTH = 0.1, SHARP = 0.9, SLIGHT = 0.98;

/* --- life ----------------------------------------------------------------------------------------- */

/* The contact that the mode touches first, its amplitude and side there */
static void find_grazing(struct sg_search *search, const struct sg_orbit_phases *phases)
{
    const struct sg_orbit_phase *open = &phases->phase[0];
    size_t mode = search->rule.mode;
    double least = HUGE_VAL;
    for (size_t j = 0; j < phases->q; j++) {
        struct sg_touch touch = sg_touch_none();
        sg_touch_add(&touch, open->gap[j], open->sway[mode + j * phases->n]);
        if (!(touch.amplitude < least)) continue;
        least = touch.amplitude;
        search->contact = j;
        search->side = touch.side;
        search->grazing = sg_touch_energy(&touch, open->omega[mode]);
    }
    search->turn = 2 * SG_PI / open->omega[mode];
}

sg_status sg_search_init(struct sg_arena *arena, struct sg_search *search, struct sg_shooter *shooter,
                         const struct sg_search_rule *rule, struct sg_error *err)
{
    const struct sg_orbit_phases *phases = shooter->phases;
    size_t f = rule->filter;
    *search = (struct sg_search){.rule = *rule, .shooter = shooter, .grazing = HUGE_VAL};
    find_grazing(search, phases);
    if (!(search->grazing < HUGE_VAL)) return SG_OK;
    struct sg_orbit_times_spec times = {phases, f, 0, search->grazing};
    for (; times.contact < phases->q; times.contact++)
        TRY(sg_orbit_times_init(arena, &search->times[times.contact], &times, err));
    times.contact = search->contact;
    TRY(sg_orbit_times_init(arena, &search->tracer, &times, err));
    TRY(SG_ARENA_NEW(arena, &search->curve, CURVE, err));
    TRY(SG_ARENA_NEW(arena, &search->periods, BEYOND, err));
    TRY(SG_ARENA_NEW(arena, &search->starts, BEYOND * f, err));
    TRY(SG_ARENA_NEW(arena, &search->tangent, f + 1, err));
    TRY(SG_ARENA_NEW(arena, &search->x, f + 1, err));
    TRY(SG_ARENA_NEW(arena, &search->best, f + 1, err));
    return SG_ARENA_NEW(arena, &search->ahead, f + 1, err);
}

static struct sg_shot shoot(struct sg_search *search, double period, double *x)
{
    return sg_shoot_half(search->shooter, search->rule.filter, period, x);
}

static bool is_alike(double energy, double expected, double most)
{
    return fabs(log(energy / expected)) <= most;
}

/* --- from the grazing ----------------------------------------------------------------------------- */

/* Periods of a curve's points, s */
static double period_at(const struct sg_times_point *point)
{
    return 2 * (point->a + point->b);
}

/* One more point of the curve. Where the amplitude changes its sign the energy is infinite: a tongue of an
 * internal resonance comes back from there after a while, the end of a backbone does not. */
static bool extend(struct sg_search *search)
{
    struct sg_orbit_times *times = &search->tracer;
    if (search->ended || search->count == CURVE) return false;
    if (!search->begun) {
        search->begun = true;
        search->step = 1e-6 * search->turn;
        search->ended = !sg_orbit_times_begin(times, search->rule.mode, search->side, &search->tip);
    } else {
        search->ended = !sg_orbit_times_step(times, search->turn, &search->step, &search->tip);
    }
    search->away = sg_orbit_times_scale(times) > 0 ? 0 : search->away + 1;
    double turns = period_at(&search->tip) / search->turn;
    search->ended = search->ended || turns > FARTHEST || turns < 1 / FARTHEST || search->away > AWAY;
    if (search->ended) return false;
    search->curve[search->count++] = search->tip;
    return true;
}

/* The point with this half period between two of the curve: by Newton's method from the line between them, or
 * where that leads away, by halving. */
static bool meet_between(struct sg_orbit_times *times, double half, const struct sg_times_point *ends,
                         struct sg_times_point *at)
{
    double t0 = ends[0].a + ends[0].b, t1 = ends[1].a + ends[1].b;
    double part = t1 == t0 ? 0 : (half - t0) / (t1 - t0);
    double low = fmin(ends[0].b, ends[1].b), high = fmax(ends[0].b, ends[1].b), room = 0.2 * (high - low);
    *at = (struct sg_times_point){.b = ends[0].b + part * (ends[1].b - ends[0].b)};
    if (sg_orbit_times_meet(times, half, at) && at->b >= low - room && at->b <= high + room) return true;
    at->b = sg_orbit_times_zero(times, half, low, high);
    return at->b < half && sg_orbit_times_meet(times, half, at) && at->b >= low && at->b <= high;
}

/* Runs the motion from rest at x for half a period and tells whether it is the single blow that x was made
 * for: it switches once and comes to rest. */
static bool is_single_blow(struct sg_search *search, double period, const double *x)
{
    const struct sg_orbit_phases *phases = search->shooter->phases;
    struct sg_orbit_flow *flow = &search->shooter->flow;
    double *v = search->shooter->v, *z = search->shooter->work, sum = 0;
    sg_shoot_set_start(search->shooter, search->rule.filter, x);
    sg_orbit_flow_start(flow, search->shooter->u, v);
    if (sg_orbit_flow_run(flow, period / 2) != SG_ORBIT_ARRIVED || flow->switch_count != 1) return false;
    sg_orbit_to_modes(&phases->phase[flow->mask], NULL, flow->v, NULL, z);
    for (size_t k = 0; k < search->rule.filter; k++) sum += z[k] * z[k];
    return sum <= ROUGH * ROUGH * sg_dot(search->rule.filter, x, x);
}

static bool is_solved_possible(struct sg_search *search, double period, const struct sg_times_point *at,
                               double *x)
{
    struct sg_orbit_times *times = &search->times[search->contact];
    return sg_orbit_times_is_possible(times, at) && sg_orbit_times_start(times, x) &&
           is_single_blow(search, period, x);
}

/* Of the curve's possible crossings of the period that with the least energy: at an internal resonance the
 * curve leaves the backbone along a tongue, and comes back to it. */
static bool find_from_grazing(struct sg_search *search, double period)
{
    size_t f = search->rule.filter;
    double least = HUGE_VAL;
    while (!sg_stop_requested() && extend(search)) continue;
    for (size_t i = 1; i < search->count; i++) {
        const struct sg_times_point *ends = &search->curve[i - 1];
        struct sg_times_point at;
        if ((period_at(&ends[0]) - period) * (period_at(&ends[1]) - period) > 0) continue;
        if (!meet_between(&search->times[search->contact], period / 2, ends, &at)) continue;
        if (!is_solved_possible(search, period, &at, search->x)) continue;
        double energy = sg_dot(f, search->x, search->x);
        if (!(energy < least)) continue;
        least = energy;
        memcpy(search->best, search->x, f * sizeof *search->x);
    }
    return least < HUGE_VAL;
}

/* --- beyond --------------------------------------------------------------------------------------- */

/* The start x of the curve's point i; false if its motion is not possible. */
static bool is_point_possible(struct sg_search *search, size_t i, double *x)
{
    const struct sg_times_point *at = &search->curve[i];
    return sg_orbit_times_solve(&search->times[search->contact], at) &&
           is_solved_possible(search, period_at(at), at, x);
}

static struct sg_shoot_scale scale_of(const struct sg_search *search)
{
    const double *x = search->starts + (search->beyond_count - 1) * search->rule.filter;
    return (struct sg_shoot_scale){sqrt(sg_dot(search->rule.filter, x, x)), WIDTH};
}

static void keep_point(struct sg_search *search, double period, const double *x)
{
    size_t f = search->rule.filter;
    memcpy(search->starts + search->beyond_count * f, x, f * sizeof *x);
    search->periods[search->beyond_count++] = period;
}

/* Begins at the last point of the curve before one that is not possible, in the direction of the curve. */
static bool begin_beyond(struct sg_search *search)
{
    size_t f = search->rule.filter, last = 0;
    double *before = search->ahead;
    search->beyond_begun = true;
    for (size_t i = 1; i < search->count && is_point_possible(search, i, search->x); i++) last = i;
    if (last < 2 || !is_point_possible(search, last - 1, before) ||
        !is_point_possible(search, last, search->x))
        return false;
    double period = period_at(&search->curve[last]);
    if (shoot(search, period, search->x).end != SG_SHOT_HIT) return false;
    keep_point(search, period, search->x);
    for (size_t k = 0; k < f; k++) before[k] = search->x[k] - before[k];
    before[f] = log(period / period_at(&search->curve[last - 1]));
    search->stride = 1e-3;
    struct sg_shoot_scale scale = scale_of(search);
    return sg_shoot_tangent(search->shooter, f, &scale, before, search->tangent);
}

/* One step of pseudo-arclength; false if none as long as this leads to an orbit nearby. */
static bool try_stride(struct sg_search *search)
{
    size_t f = search->rule.filter, last = search->beyond_count - 1;
    const double *from = search->starts + last * f;
    double *ahead = search->ahead, *x = search->x, period, along = 0;
    memcpy(ahead, from, f * sizeof *ahead);
    ahead[f] = log(search->periods[last]);
    sg_axpy(f + 1, search->stride, search->tangent, ahead);
    memcpy(x, ahead, f * sizeof *x);
    period = exp(ahead[f]);
    struct sg_shoot_line line = {search->tangent, ahead};
    struct sg_shot shot = sg_shoot_line(search->shooter, f, &line, &period, x);
    if (shot.end != SG_SHOT_HIT || shot.switches == 0) return false;
    if (!is_alike(sg_dot(f, x, x), sg_dot(f, from, from), LEAP)) return false;
    struct sg_shoot_scale scale = scale_of(search);
    memcpy(ahead, search->tangent, (f + 1) * sizeof *ahead);
    if (!sg_shoot_tangent(search->shooter, f, &scale, ahead, search->best)) return false;
    for (size_t k = 0; k <= f; k++)
        along += search->best[k] * ahead[k] / (k < f ? scale.size * scale.size : WIDTH * WIDTH);
    if (along < SHARP) return false;
    keep_point(search, period, x);
    memcpy(search->tangent, search->best, (f + 1) * sizeof *ahead);
    search->stride = fmin(LONGEST, search->stride * (along > SLIGHT && shot.iterations <= 4 ? 1.6 : 1.0));
    return true;
}

static bool extend_beyond(struct sg_search *search)
{
    if (search->beyond_ended || search->beyond_count == BEYOND) return false;
    if (!search->beyond_begun) {
        search->beyond_ended = !begin_beyond(search);
        return !search->beyond_ended;
    }
    while (!try_stride(search)) {
        search->stride /= 3;
        search->beyond_ended = search->stride < SHORTEST || sg_stop_requested();
        if (search->beyond_ended) return false;
    }
    double turns = search->periods[search->beyond_count - 1] / search->turn;
    search->beyond_ended = turns > FARTHEST || turns < 1 / FARTHEST;
    return true;
}

static bool cross_beyond(struct sg_search *search, double period, size_t i)
{
    size_t f = search->rule.filter;
    const double *x0 = search->starts + (i - 1) * f, *x1 = search->starts + i * f;
    double t0 = search->periods[i - 1], t1 = search->periods[i];
    double part = t1 == t0 ? 0 : (period - t0) / (t1 - t0), *x = search->best;
    for (size_t k = 0; k < f; k++) x[k] = x0[k] + part * (x1[k] - x0[k]);
    double expected = sg_dot(f, x, x);
    struct sg_shot shot = shoot(search, period, x);
    return shot.end == SG_SHOT_HIT && shot.switches > 0 && is_alike(sg_dot(f, x, x), expected, LEAP);
}

static bool find_beyond(struct sg_search *search, double period)
{
    for (size_t i = 1;; i++) {
        while (search->beyond_count <= i)
            if (!extend_beyond(search)) return false;
        if ((search->periods[i - 1] - period) * (search->periods[i] - period) <= 0 &&
            cross_beyond(search, period, i))
            return true;
    }
}

/* --- all single blows ----------------------------------------------------------------------------- */

/* Keeps the orbit at x if it is the one with the least energy so far. */
static void keep_least(struct sg_search *search, double period, struct sg_shot *shot)
{
    struct sg_shot now = shoot(search, period, search->x);
    if (now.end != SG_SHOT_HIT || now.switches == 0) return;
    if (shot->end == SG_SHOT_HIT && now.energy >= shot->energy) return;
    *shot = now;
    memcpy(search->best, search->x, search->rule.filter * sizeof *search->x);
}

static void scan(struct sg_search *search, size_t contact, double period, struct sg_shot *shot)
{
    struct sg_orbit_times *times = &search->times[contact];
    double b = 0;
    while (!sg_stop_requested()) {
        b = sg_orbit_times_next(times, period / 2, b);
        if (!(b < period / 2)) return;
        struct sg_times_point at = {.b = b};
        if (sg_orbit_times_meet(times, period / 2, &at) && sg_orbit_times_is_possible(times, &at) &&
            sg_orbit_times_start(times, search->x))
            keep_least(search, period, shot);
    }
}

static bool find_blows(struct sg_search *search, double period)
{
    struct sg_shot shot = {.end = SG_SHOT_FAR};
    for (size_t j = 0; j < search->shooter->phases->q; j++) scan(search, j, period, &shot);
    return shot.end == SG_SHOT_HIT;
}

/* --- many starts ---------------------------------------------------------------------------------- */

/* Uniform in (0, 1), the same for the same k: splitmix64 (Steele, Lea and Flood 2014) */
static double uniform(uint64_t k)
{
    uint64_t z = k * 0x9E3779B97F4A7C15u + 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return ((double)(z >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t k)
{
    return sqrt(-2 * log(uniform(2 * k))) * cos(2 * SG_PI * uniform(2 * k + 1));
}

/* Start number k: one in two about the mode, the others in any direction; most on the side away from the
 * stop, amplitudes from 0.8 to 16 times that of the grazing. */
static void set_start(struct sg_search *search, size_t k)
{
    size_t f = search->rule.filter, mode = search->rule.mode;
    double *x = search->x, length = 0;
    uint64_t base = (uint64_t)k << 20;
    for (size_t i = 0; i < f; i++) x[i] = normal(base + i) * (k % 2 == 0 ? 0.3 : 1.0);
    if (k % 2 == 0) x[mode] = 1;
    double side = uniform(base + f * 4) < 0.75 ? search->side : -search->side;
    if (x[mode] * side < 0)
        for (size_t i = 0; i < f; i++) x[i] = -x[i];
    for (size_t i = 0; i < f; i++) length += x[i] * x[i];
    double amplitude = 0.8 * pow(20, uniform(base + f * 4 + 1));
    for (size_t i = 0; i < f; i++) x[i] *= amplitude * sqrt(2 * search->grazing / length);
}

static bool find_starts(struct sg_search *search, double period)
{
    struct sg_shot shot = {.end = SG_SHOT_FAR};
    for (size_t k = 0; k < search->rule.starts && !sg_stop_requested(); k++) {
        set_start(search, k);
        keep_least(search, period, &shot);
    }
    return shot.end == SG_SHOT_HIT;
}

/* --- all ways ------------------------------------------------------------------------------------- */

enum sg_search_way sg_search_find(struct sg_search *search, double period, enum sg_search_way last)
{
    static bool (*const ways[SG_SEARCH_WAYS])(struct sg_search *, double) = {
        NULL, find_from_grazing, find_beyond, find_blows, find_starts};
    if (!(search->grazing < HUGE_VAL)) return SG_SEARCH_NONE;
    for (enum sg_search_way way = SG_SEARCH_GRAZING; way <= last; way++)
        if (ways[way](search, period)) return way;
    return SG_SEARCH_NONE;
}
