/* Exact motion of two masses on springs of their own that may not pass each other: between impacts each
 * swings harmonically about its own rest, which is 0,
 *
 *     x_i(t) = u_i cos w_i (t - t_k) + (v_i / w_i) sin w_i (t - t_k),    gap = x_2 - x_1 >= 0,
 *
 * and at an impact momentum is kept and the gap velocity turns to -e times itself. Impacts are found as the
 * first zeros of the gap by steps that can't pass one: with |gap''| <= B, the gap stays positive for s = (g'
 * + sqrt(g'^2 + 2 B g)) / B, and such steps converge like Newton's. */
#include <float.h>
#include <math.h>

#include "benchmarks/exact/exact.h"

struct pair_state {
    double u[2], v[2]; /* m, m/s */
};

struct pair_spec {
    double mass[2], stiffness[2]; /* kg, N/m; > 0 */
    struct pair_state start;      /* gap > 0 */
    double restitution;           /* 1 */
    double end;                   /* s: impacts are wanted up to here */
};

enum { MOST_IMPACTS = 255 };

/* An arc of free motion from `t` on; but for the first it starts with an impact. */
struct arc {
    double t;                 /* s */
    struct pair_state before; /* the impact */
    struct pair_state after;
};

struct pair {
    struct pair_spec spec;
    size_t impacts;
    struct arc arcs[1 + MOST_IMPACTS]; /* 1 + impacts */
};

/* The benchmark of Noh 2011: m = 2, 1; k = 3, 8; x = -5, 2; v = -3, 1; e = 1; 63 J; to 40 s */
static struct pair_spec benchmark(void)
{
    return (struct pair_spec){.mass = {2.0, 1.0},
                              .stiffness = {3.0, 8.0},
                              .start = {.u = {-5.0, 2.0}, .v = {-3.0, 1.0}},
                              .restitution = 1.0,
                              .end = 40.0};
}

static double frequency(const struct pair_spec *spec, int i)
{
    return sqrt(spec->stiffness[i] / spec->mass[i]);
}

static struct pair_state swing(const struct pair_spec *spec, const struct pair_state *start, double s)
{
    struct pair_state now;
    for (int i = 0; i < 2; i++) {
        double omega = frequency(spec, i), c = cos(omega * s), d = sin(omega * s);
        now.u[i] = start->u[i] * c + start->v[i] / omega * d;
        now.v[i] = start->v[i] * c - start->u[i] * omega * d;
    }
    return now;
}

static struct pair_state strike(const struct pair_spec *spec, const struct pair_state *before)
{
    struct pair_state after = *before;
    double m1 = spec->mass[0], m2 = spec->mass[1];
    double impulse = -(1.0 + spec->restitution) * (before->v[1] - before->v[0]) * m1 * m2 / (m1 + m2);
    after.v[0] -= impulse / m1;
    after.v[1] += impulse / m2;
    /* the gap is zero but for rounding, which must not be met again */
    after.u[0] = after.u[1] = 0.5 * (before->u[0] + before->u[1]);
    return after;
}

/* the largest |gap''| of an arc */
static double bound(const struct pair_spec *spec, const struct pair_state *start)
{
    double sum = 0.0;
    for (int i = 0; i < 2; i++) {
        double omega = frequency(spec, i);
        sum += omega * omega * hypot(start->u[i], start->v[i] / omega);
    }
    return sum;
}

/* Time from the start of the arc to the next zero of its gap, or beyond `most`. The gap starts positive, or
 * at zero and opening. */
static double next_zero(const struct pair_spec *spec, const struct pair_state *start, double most)
{
    double s = 0.0, b = bound(spec, start);
    while (s <= most) {
        struct pair_state now = swing(spec, start, s);
        double gap = s > 0.0 ? now.u[1] - now.u[0] : fmax(start->u[1] - start->u[0], 0.0);
        double rate = now.v[1] - now.v[0];
        if (gap <= 0.0 && s > 0.0) return s;
        double root = sqrt(rate * rate + 2.0 * b * gap);
        /* the same number twice, the one without cancellation */
        double step = rate > 0.0 ? (rate + root) / b : 2.0 * gap / (root - rate);
        if (!(step > 0.5 * DBL_EPSILON * s)) return s;
        s += step;
    }
    return HUGE_VAL;
}

static sg_status check(const struct pair_spec *spec, struct sg_error *err)
{
    for (int i = 0; i < 2; i++)
        if (!(spec->mass[i] > 0.0 && spec->stiffness[i] > 0.0))
            FAIL(err, SG_BAD_DECK, "mass %d is %g kg on %g N/m, both must be positive", i + 1, spec->mass[i],
                 spec->stiffness[i]);
    if (!(spec->start.u[1] > spec->start.u[0]))
        FAIL(err, SG_BAD_DECK, "the gap starts at %g m, must be positive",
             spec->start.u[1] - spec->start.u[0]);
    if (!(spec->restitution >= 0.0 && spec->restitution <= 1.0))
        FAIL(err, SG_BAD_DECK, "the restitution is %g, must be 0 to 1", spec->restitution);
    return SG_OK;
}

/* SG_BAD_DECK for masses, stiffnesses or a gap that are not positive, or e outside [0, 1]; SG_NO_SOLUTION if
 * there are more than MOST_IMPACTS impacts (as where they accumulate). */
static sg_status find_impacts(const struct pair_spec *spec, struct pair *pair, struct sg_error *err)
{
    TRY(check(spec, err));
    pair->spec = *spec;
    pair->impacts = 0;
    pair->arcs[0] = (struct arc){0.0, spec->start, spec->start};
    for (;;) {
        const struct arc *arc = &pair->arcs[pair->impacts];
        double s = next_zero(spec, &arc->after, spec->end - arc->t);
        if (arc->t + s > spec->end) return SG_OK;
        if (pair->impacts == MOST_IMPACTS)
            FAIL(err, SG_NO_SOLUTION, "more than %d impacts by %g s", (int)MOST_IMPACTS, arc->t);
        struct arc next = {.t = arc->t + s, .before = swing(spec, &arc->after, s)};
        next.after = strike(spec, &next.before);
        pair->arcs[++pair->impacts] = next;
    }
}

/* at t >= 0; at an impact after it */
static struct pair_state motion_at(const struct pair *pair, double t)
{
    size_t k = pair->impacts;
    while (k > 0 && pair->arcs[k].t > t) k--;
    return swing(&pair->spec, &pair->arcs[k].after, t - pair->arcs[k].t);
}

/* --- for benchmarks --------------------------------------------------------------------------------- */

static const struct sg_keyword rows[] = {{0}};

static sg_status create(void *data, struct sg_error *err)
{
    const struct pair_spec spec = benchmark();
    return find_impacts(&spec, data, err);
}

static void displacement(const void *data, const struct sg_exact_row *x, double *result)
{
    struct pair_state state = motion_at(data, x[0].values[0]);
    result[0] = state.u[0];
    result[1] = state.u[1];
}

/* Impacts are counted from 0; beyond the last it gives NaN. */
static double time_of(const struct pair *pair, double k)
{
    return k >= 0.0 && k < (double)pair->impacts ? pair->arcs[(size_t)k + 1].t : NAN;
}

SG_EXACT_FUNCTION(impact_time, struct pair, time_of(self, x[0].values[0]))
SG_EXACT_FUNCTION(impacts, struct pair, (double)self->impacts)

static const struct sg_exact_function functions[] = {
    {"displacement", 1, 0, displacement, 2, "displacement(t) of both masses, m"},
    {"impact_time", 1, 0, impact_time, 0, "impact_time(k) of impact k from 0, s"},
    {"impacts", 0, 0, impacts, 0, "how many there are in 40 s"},
    {0}};

const struct sg_exact_ops sg_exact_spring_pair = {
    .kind = {"spring-pair", "two masses on springs that may not pass each other", rows},
    .size = sizeof(struct pair),
    .create = create,
    .functions = functions};
