#include "benchmarks/exact/bouncing_bar.h"

#include <math.h>

#include "benchmarks/exact/exact.h"

struct sg_bouncing_bar_spec sg_bouncing_bar_benchmark(void)
{
    return (struct sg_bouncing_bar_spec){
        .drop = 5.0, .length = 10.0, .wave_speed = 30.0, .gravity = 10.0, .line_density = 1.0};
}

static sg_status check_positive(const struct sg_bouncing_bar_spec *spec, struct sg_error *err)
{
    const struct {
        const char *name;
        double value;
    } quantities[] = {{"drop", spec->drop},
                      {"length", spec->length},
                      {"wave speed", spec->wave_speed},
                      {"gravity", spec->gravity},
                      {"line density", spec->line_density}};
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        if (!(quantities[i].value > 0.0) || isinf(quantities[i].value))
            FAIL(err, SG_BAD_DECK, "bouncing bar: %s is %g, must be positive", quantities[i].name,
                 quantities[i].value);
    return SG_OK;
}

sg_status sg_bouncing_bar_init(const struct sg_bouncing_bar_spec *spec, struct sg_bouncing_bar *bar,
                               struct sg_error *err)
{
    TRY(check_positive(spec, err));
    const double fall = sqrt(2.0 * spec->drop / spec->gravity);
    const double transit = spec->length / spec->wave_speed;
    const double ratio = fall / transit;
    const double nearest = round(ratio);
    if (nearest < 2.0 || nearest > 1e6 || fabs(ratio - nearest) > 1e-9 * nearest)
        FAIL(err, SG_BAD_DECK,
             "bouncing bar: time of fall is %.12g transit times, must be a whole number from 2 on", ratio);
    *bar = (struct sg_bouncing_bar){.spec = *spec,
                                    .fall = fall,
                                    .transit = transit,
                                    .speed = spec->gravity * fall,
                                    .period = 4.0 * (fall + transit),
                                    .ratio = (size_t)nearest};
    return SG_OK;
}

/* The wave that leaves the wall, and its slope. */
struct wave {
    double value, slope;
};

static struct wave leaving_wave(const struct sg_bouncing_bar *bar, double s)
{
    const double g = bar->spec.gravity, round_trip = 2.0 * bar->transit;
    const double windows = (double)bar->ratio + 1.0;
    if (s < 0.0) return (struct wave){0.0, 0.0};
    const double gain = round_trip * (bar->speed + 0.5 * g * round_trip);
    if (s >= windows * round_trip) {
        const double slope = 2.0 * bar->speed + g * round_trip;
        return (struct wave){windows * gain + slope * (s - windows * round_trip), slope};
    }
    const double k = floor(s / round_trip);
    const double r = s - k * round_trip;
    return (struct wave){k * gain + r * (bar->speed + 0.5 * g * r), bar->speed + g * r};
}

static double phase_of(const struct sg_bouncing_bar *bar, double t)
{
    return t - bar->period * floor(t / bar->period);
}

struct point {
    double displacement, velocity, strain;
};

/* `t` in the first period */
static struct point point_at(const struct sg_bouncing_bar *bar, double x, double t)
{
    const double g = bar->spec.gravity, c = bar->spec.wave_speed, s = t - bar->fall;
    const struct wave up = leaving_wave(bar, s - x / c);
    const struct wave down = leaving_wave(bar, s - 2.0 * bar->transit + x / c);
    return (struct point){.displacement = bar->spec.drop - 0.5 * g * t * t + up.value + down.value,
                          .velocity = up.slope + down.slope - g * t,
                          .strain = (down.slope - up.slope) / c};
}

double sg_bouncing_bar_displacement(const struct sg_bouncing_bar *bar, double x, double t)
{
    return point_at(bar, x, phase_of(bar, t)).displacement;
}

double sg_bouncing_bar_velocity(const struct sg_bouncing_bar *bar, double x, double t)
{
    return point_at(bar, x, phase_of(bar, t)).velocity;
}

double sg_bouncing_bar_strain(const struct sg_bouncing_bar *bar, double x, double t)
{
    return point_at(bar, x, phase_of(bar, t)).strain;
}

struct sg_contact_interval sg_bouncing_bar_contact(const struct sg_bouncing_bar *bar, size_t k)
{
    const size_t periods = k / 2;
    const double start = (double)periods * bar->period;
    const double closes = k % 2 == 0 ? start + bar->fall : start + (3.0 * bar->fall + 2.0 * bar->transit);
    return (struct sg_contact_interval){.closes = closes, .opens = closes + 2.0 * bar->transit};
}

double sg_bouncing_bar_force(const struct sg_bouncing_bar *bar, double t)
{
    const double phase = phase_of(bar, t), g = bar->spec.gravity, round_trip = 2.0 * bar->transit;
    const double impedance = bar->spec.line_density * bar->spec.wave_speed;
    const double compressive = phase - bar->fall;
    const double expansive = phase - (3.0 * bar->fall + round_trip);
    if (compressive >= 0.0 && compressive < round_trip) return impedance * (bar->speed + g * compressive);
    if (expansive >= 0.0 && expansive < round_trip)
        return impedance * (bar->speed + g * (round_trip - expansive));
    return 0.0;
}

/* the one wave front in the bar, which splits it into two parts where the fields are polynomials */
static double front_position(const struct sg_bouncing_bar *bar, double t)
{
    const double s = t - bar->fall, round_trip = 2.0 * bar->transit;
    if (s < 0.0) return 0.0;
    const double r = s - round_trip * floor(s / round_trip);
    const double x = bar->spec.wave_speed * (r < bar->transit ? r : round_trip - r);
    return fmin(fmax(x, 0.0), bar->spec.length);
}

/* Adds the integrals over [a, b]: u, v, v^2 and u_x^2 are at most quadratic there, so that two Gauss
 * points give them exactly. */
static void add_part(const struct sg_bouncing_bar *bar, double t, double a, double b,
                     struct sg_bouncing_bar_totals *sum)
{
    const double half = 0.5 * (b - a), offset = half / sqrt(3.0);
    for (int i = -1; i <= 1; i += 2) {
        const struct point p = point_at(bar, 0.5 * (a + b) + i * offset, t);
        sum->displacement += half * p.displacement;
        sum->velocity += half * p.velocity;
        sum->kinetic += half * p.velocity * p.velocity;
        sum->strain += half * p.strain * p.strain;
    }
}

struct sg_bouncing_bar_totals sg_bouncing_bar_at(const struct sg_bouncing_bar *bar, double t)
{
    const double phase = phase_of(bar, t), front = front_position(bar, phase);
    const double length = bar->spec.length, density = bar->spec.line_density;
    const double c = bar->spec.wave_speed;
    struct sg_bouncing_bar_totals sum = {0};
    add_part(bar, phase, 0.0, front, &sum);
    add_part(bar, phase, front, length, &sum);
    return (struct sg_bouncing_bar_totals){.displacement = sum.displacement / length,
                                           .velocity = sum.velocity / length,
                                           .momentum = density * sum.velocity,
                                           .kinetic = 0.5 * density * sum.kinetic,
                                           .strain = 0.5 * density * c * c * sum.strain,
                                           .gravity = density * bar->spec.gravity * sum.displacement};
}

/* --- for benchmarks --------------------------------------------------------------------------------- */

static const struct sg_keyword rows[] = {{.name = "drop",
                                          .type = SG_REAL,
                                          .unit = "m",
                                          .flags = SG_REQUIRED,
                                          .meaning = "height of the lower end at the release",
                                          .example = "5.0",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_bouncing_bar, spec.drop)},
                                         {.name = "length",
                                          .type = SG_REAL,
                                          .unit = "m",
                                          .flags = SG_REQUIRED,
                                          .meaning = "length",
                                          .example = "10.0",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_bouncing_bar, spec.length)},
                                         {.name = "wave_speed",
                                          .type = SG_REAL,
                                          .unit = "m/s",
                                          .flags = SG_REQUIRED,
                                          .meaning = "speed of waves",
                                          .example = "30.0",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_bouncing_bar, spec.wave_speed)},
                                         {.name = "gravity",
                                          .type = SG_REAL,
                                          .unit = "m/s^2",
                                          .flags = SG_REQUIRED,
                                          .meaning = "acceleration of gravity",
                                          .example = "10.0",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_bouncing_bar, spec.gravity)},
                                         {.name = "line_density",
                                          .type = SG_REAL,
                                          .unit = "kg/m",
                                          .flags = SG_REQUIRED,
                                          .meaning = "mass of a metre",
                                          .example = "1.0",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_bouncing_bar, spec.line_density)},
                                         {0}};

static sg_status create(void *data, struct sg_error *err)
{
    const struct sg_bouncing_bar_spec spec = ((struct sg_bouncing_bar *)data)->spec;
    return sg_bouncing_bar_init(&spec, data, err);
}

static void contact(const void *data, const struct sg_exact_row *x, double *result)
{
    struct sg_contact_interval interval = sg_bouncing_bar_contact(data, (size_t)fmax(x[0].values[0], 0.0));
    result[0] = interval.closes;
    result[1] = interval.opens;
}

static double energy_of(struct sg_bouncing_bar_totals totals)
{
    return totals.kinetic + totals.strain + totals.gravity;
}

SG_EXACT_FUNCTION(displacement, struct sg_bouncing_bar, sg_bouncing_bar_at(self, x[0].values[0]).displacement)
SG_EXACT_FUNCTION(momentum, struct sg_bouncing_bar, sg_bouncing_bar_at(self, x[0].values[0]).momentum)
SG_EXACT_FUNCTION(energy, struct sg_bouncing_bar, energy_of(sg_bouncing_bar_at(self, x[0].values[0])))
SG_EXACT_FUNCTION(transit, struct sg_bouncing_bar, self->transit)
SG_EXACT_FUNCTION(period, struct sg_bouncing_bar, self->period)
SG_EXACT_FUNCTION(fall, struct sg_bouncing_bar, self->fall)

static const struct sg_exact_function functions[] = {
    {"displacement", 1, 0, displacement, 0, "displacement(t) of the centre, m"},
    {"momentum", 1, 0, momentum, 0, "momentum(t), kg m/s"},
    {"energy", 1, 0, energy, 0, "energy(t), J"},
    {"contact", 1, 0, contact, 2, "contact(k): closing and opening of contact k from 0, s"},
    {"transit", 0, 0, transit, 0, "time that a wave takes from end to end, s"},
    {"period", 0, 0, period, 0, "s"},
    {"fall", 0, 0, fall, 0, "time until the first contact, s"},
    {0}};

const struct sg_exact_ops sg_exact_bouncing_bar = {
    .kind = {"bouncing-bar", "an elastic bar that falls on a rigid wall and bounces", rows},
    .size = sizeof(struct sg_bouncing_bar),
    .create = create,
    .functions = functions};
