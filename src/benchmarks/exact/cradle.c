#include "benchmarks/exact/cradle.h"

#include <math.h>

#include "benchmarks/exact/exact.h"

struct sg_cradle_spec sg_cradle_benchmark(void)
{
    return (struct sg_cradle_spec){
        .bars = 5, .speed = 0.05, .wall_gap = 0.125, .bar_gap = 0.075, .length = 1.0, .wave_speed = 1.0};
}

static sg_status check_positive(const struct sg_cradle_spec *spec, struct sg_error *err)
{
    const struct {
        const char *name;
        double value;
    } quantities[] = {{"speed", spec->speed},
                      {"wall gap", spec->wall_gap},
                      {"bar gap", spec->bar_gap},
                      {"length", spec->length},
                      {"wave speed", spec->wave_speed}};
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        if (!(quantities[i].value > 0.0) || isinf(quantities[i].value))
            FAIL(err, SG_BAD_DECK, "cradle: %s is %g, must be positive", quantities[i].name,
                 quantities[i].value);
    return SG_OK;
}

sg_status sg_cradle_init(const struct sg_cradle_spec *spec, struct sg_cradle *cradle, struct sg_error *err)
{
    if (spec->bars < 2) FAIL(err, SG_BAD_DECK, "cradle: %zu bars, must be at least 2", spec->bars);
    TRY(check_positive(spec, err));
    const double transit = spec->length / spec->wave_speed;
    const double gap = fmin(spec->wall_gap, spec->bar_gap);
    if (gap <= spec->speed * transit)
        FAIL(err, SG_BAD_DECK, "cradle: a gap is %g, must exceed speed x transit time, %g", gap,
             spec->speed * transit);
    const double bars = (double)spec->bars;
    const double flight = (4.0 * spec->wall_gap + 2.0 * (bars - 1.0) * spec->bar_gap) / spec->speed;
    *cradle = (struct sg_cradle){
        .spec = *spec, .transit = transit, .period = flight + 2.0 * (bars + 1.0) * transit};
    return SG_OK;
}

/* A bar that was hit has covered v0 t_W of the gap before it when it is free again, so that contacts
 * follow each other by (gap / v0 - t_W) + 2 t_W. Only bar 1 meets its wall from its place of rest beyond
 * the initial one, after g0 + G0. */
static double closing_in_period(const struct sg_cradle *cradle, size_t j)
{
    const struct sg_cradle_spec *spec = &cradle->spec;
    const size_t bars = spec->bars;
    const double bar_leg = spec->bar_gap / spec->speed + cradle->transit;
    const double wall_leg = spec->wall_gap / spec->speed + cradle->transit;
    const double first = spec->bar_gap / spec->speed;
    if (j + 1 < bars) return first + (double)j * bar_leg;
    const double wall = first + (double)(bars - 2) * bar_leg + wall_leg;
    if (j + 1 == bars) return wall;
    if (j + 1 < 2 * bars) return wall + wall_leg + (double)(j - bars) * bar_leg;
    return wall + 2.0 * wall_leg + (double)(bars - 1) * bar_leg;
}

struct sg_cradle_contact sg_cradle_contact(const struct sg_cradle *cradle, size_t k)
{
    const size_t bars = cradle->spec.bars, j = k % (2 * bars), periods = k / (2 * bars);
    struct sg_cradle_contact contact = {0};
    contact.closes = (double)periods * cradle->period + closing_in_period(cradle, j);
    contact.opens = contact.closes + 2.0 * cradle->transit;
    if (j < bars) {
        contact.striking = j;
        contact.struck = j + 1 < bars ? j + 1 : j;
        contact.interface = j + 1;
        contact.velocity = cradle->spec.speed;
    } else {
        contact.striking = 2 * bars - 1 - j;
        contact.struck = contact.striking > 0 ? contact.striking - 1 : 0;
        contact.interface = contact.striking;
        contact.velocity = -cradle->spec.speed;
    }
    return contact;
}

/* the average motion of bar b within the contact, s after it closed */
static struct sg_cradle_average within(const struct sg_cradle *cradle,
                                       const struct sg_cradle_contact *contact, size_t b, double s)
{
    const double v = contact->velocity, tw = cradle->transit;
    if (contact->striking == contact->struck)
        return (struct sg_cradle_average){v * s * (1.0 - s / (2.0 * tw)), v * (1.0 - s / tw)};
    if (b == contact->striking)
        return (struct sg_cradle_average){v * s * (1.0 - s / (4.0 * tw)), v * (1.0 - s / (2.0 * tw))};
    return (struct sg_cradle_average){v * s * s / (4.0 * tw), v * s / (2.0 * tw)};
}

struct sg_cradle_average sg_cradle_at(const struct sg_cradle *cradle, size_t b, double t)
{
    const double phase = t - cradle->period * floor(t / cradle->period);
    struct sg_cradle_average now = {0.0, b == 0 ? cradle->spec.speed : 0.0};
    double since = 0.0;
    for (size_t j = 0; j < 2 * cradle->spec.bars; j++) {
        const struct sg_cradle_contact contact = sg_cradle_contact(cradle, j);
        if (contact.closes > phase) break;
        if (b != contact.striking && b != contact.struck) continue;
        const double s = fmin(phase, contact.opens) - contact.closes;
        const struct sg_cradle_average inside = within(cradle, &contact, b, s);
        now.displacement += now.velocity * (contact.closes - since) + inside.displacement;
        now.velocity = inside.velocity;
        since = fmin(phase, contact.opens);
    }
    now.displacement += now.velocity * (phase - since);
    return now;
}

double sg_cradle_error(const struct sg_cradle *cradle, double t, const struct sg_cradle_average *computed)
{
    const struct sg_cradle_spec *spec = &cradle->spec;
    const double length = sqrt(spec->bar_gap * spec->wall_gap);
    double sum = 0.0;
    for (size_t b = 0; b < spec->bars; b++) {
        const struct sg_cradle_average exact = sg_cradle_at(cradle, b, t);
        sum += fabs(computed[b].displacement - exact.displacement) / length +
               fabs(computed[b].velocity - exact.velocity) / spec->speed;
    }
    return sum / (double)spec->bars;
}

/* --- for benchmarks --------------------------------------------------------------------------------- */

enum { SG_CRADLE_BARS = 32 };

struct cradle {
    struct sg_cradle cradle;
    long long bars;
};

static const struct sg_keyword rows[] = {{.name = "bars",
                                          .type = SG_INTEGER,
                                          .flags = SG_REQUIRED,
                                          .meaning = "number of bars",
                                          .example = "5",
                                          .range = SG_BETWEEN(2, SG_CRADLE_BARS),
                                          .offset = offsetof(struct cradle, bars)},
                                         {.name = "speed",
                                          .type = SG_REAL,
                                          .unit = "m/s",
                                          .flags = SG_REQUIRED,
                                          .meaning = "speed of the first bar at the start",
                                          .example = "0.05",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct cradle, cradle.spec.speed)},
                                         {.name = "wall_gap",
                                          .type = SG_REAL,
                                          .unit = "m",
                                          .flags = SG_REQUIRED,
                                          .meaning = "gaps to the walls",
                                          .example = "0.125",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct cradle, cradle.spec.wall_gap)},
                                         {.name = "bar_gap",
                                          .type = SG_REAL,
                                          .unit = "m",
                                          .flags = SG_REQUIRED,
                                          .meaning = "gaps between bars",
                                          .example = "0.075",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct cradle, cradle.spec.bar_gap)},
                                         {.name = "length",
                                          .type = SG_REAL,
                                          .unit = "m",
                                          .flags = SG_REQUIRED,
                                          .meaning = "length of a bar",
                                          .example = "1.0",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct cradle, cradle.spec.length)},
                                         {.name = "wave_speed",
                                          .type = SG_REAL,
                                          .unit = "m/s",
                                          .flags = SG_REQUIRED,
                                          .meaning = "speed of waves",
                                          .example = "1.0",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct cradle, cradle.spec.wave_speed)},
                                         {0}};

static sg_status create(void *data, struct sg_error *err)
{
    struct cradle *self = data;
    struct sg_cradle_spec spec = self->cradle.spec;
    spec.bars = (size_t)self->bars;
    return sg_cradle_init(&spec, &self->cradle, err);
}

/* Takes t, displacements and velocities of all centres. */
static void error_at(const void *data, const struct sg_exact_row *x, double *result)
{
    const struct sg_cradle *cradle = &((const struct cradle *)data)->cradle;
    struct sg_cradle_average averages[SG_CRADLE_BARS];
    const size_t bars = cradle->spec.bars;
    *result = NAN;
    if (x[0].width != bars || x[1].width != bars) return;
    for (size_t b = 0; b < bars; b++)
        averages[b] = (struct sg_cradle_average){x[0].values[b], x[1].values[b]};
    *result = sg_cradle_error(cradle, x[2].values[0], averages);
}

SG_EXACT_FUNCTION(closing, struct cradle,
                  sg_cradle_contact(&self->cradle, (size_t)fmax(x[0].values[0], 0.0)).closes)
SG_EXACT_FUNCTION(transit, struct cradle, self->cradle.transit)
SG_EXACT_FUNCTION(period, struct cradle, self->cradle.period)

static const struct sg_exact_function functions[] = {
    {"error", 3, 2, error_at, 0, "error(u, v, t): equation (46) of centres' displacements and velocities, 1"},
    {"closing", 1, 0, closing, 0, "closing(k) of contact k from 0, in their order, s"},
    {"transit", 0, 0, transit, 0, "time that a wave takes from end to end, s"},
    {"period", 0, 0, period, 0, "s"},
    {0}};

const struct sg_exact_ops sg_exact_cradle = {
    .kind = {"cradle", "elastic bars in a row between two rigid walls", rows},
    .size = sizeof(struct cradle),
    .create = create,
    .functions = functions};
