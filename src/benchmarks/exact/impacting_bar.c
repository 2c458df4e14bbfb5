#include "benchmarks/exact/impacting_bar.h"

#include <math.h>
#include <stddef.h>

#include "benchmarks/exact/exact.h"

struct sg_impacting_bar_spec sg_impacting_bar_benchmark(void)
{
    return (struct sg_impacting_bar_spec){
        .density = 7847.0, .area = 6.45e-4, .modulus = 2.1e11, .length = 0.254, .speed = 5.0, .gap = 2.5e-4};
}

sg_status sg_impacting_bar_init(const struct sg_impacting_bar_spec *spec, struct sg_impacting_bar *bar,
                                struct sg_error *err)
{
    const double values[] = {spec->density, spec->area, spec->modulus, spec->length, spec->speed};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (!(values[i] > 0.0) || isinf(values[i]))
            FAIL(err, SG_BAD_DECK, "impacting bar: a quantity is %g, must be positive", values[i]);
    if (!(spec->gap >= 0.0) || isinf(spec->gap))
        FAIL(err, SG_BAD_DECK, "impacting bar: gap is %g, must not be negative", spec->gap);
    const double c = sqrt(spec->modulus / spec->density), line = spec->density * spec->area;
    *bar = (struct sg_impacting_bar){.spec = *spec, .wave_speed = c};
    bar->closes = spec->gap / spec->speed;
    bar->opens = bar->closes + 2.0 * spec->length / c;
    bar->force = line * c * spec->speed;
    bar->impulse = 2.0 * line * spec->length * spec->speed;
    bar->energy = 0.5 * line * spec->length * spec->speed * spec->speed;
    return SG_OK;
}

struct sg_impacting_bar_point sg_impacting_bar_at(const struct sg_impacting_bar *bar, double x, double t)
{
    const double c = bar->wave_speed, v0 = bar->spec.speed;
    const double stops = bar->closes + x / c, leaves = bar->opens - x / c;
    return (struct sg_impacting_bar_point){.displacement = v0 * (fmax(0.0, t - leaves) - fmin(t, stops)),
                                           .velocity = t < stops    ? -v0
                                                       : t < leaves ? 0.0
                                                                    : v0};
}

double sg_impacting_bar_force(const struct sg_impacting_bar *bar, double t)
{
    if (t < bar->closes || t > bar->opens) return 0.0;
    return t > bar->closes && t < bar->opens ? bar->force : 0.5 * bar->force;
}

/* 2 |Ai'(-s0)| and 2 (Ai'(-s1) - Ai'(-s0)) */
static const double front_end = 0.446400, front_first = 0.904542;

struct sg_bar_front sg_impacting_bar_front(const struct sg_impacting_bar *bar, const struct sg_bar_mesh *mesh)
{
    const double spacing = bar->spec.length / mesh->elements, c = bar->wave_speed, v0 = bar->spec.speed;
    const double courant = c * mesh->step / spacing, a = (1.0 - mesh->rho) / (1.0 + mesh->rho);
    const double p = (1.0 / 12.0 + 3.0 / 8.0 * a * a) * courant * courant - 1.0 / 24.0;
    const double width = cbrt(6.0 * fabs(p) * spacing * spacing * bar->spec.length) / c;
    return (struct sg_bar_front){.impulse = front_end * bar->force * width,
                                 .lag = (p > 0.0 ? front_first : front_end) * v0 * width};
}

/* --- for benchmarks --------------------------------------------------------------------------------- */

static const struct sg_keyword rows[] = {{.name = "density",
                                          .type = SG_REAL,
                                          .unit = "kg/m^3",
                                          .flags = SG_REQUIRED,
                                          .meaning = "density",
                                          .example = "7847.0",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_impacting_bar, spec.density)},
                                         {.name = "area",
                                          .type = SG_REAL,
                                          .unit = "m^2",
                                          .flags = SG_REQUIRED,
                                          .meaning = "cross-section",
                                          .example = "6.45e-4",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_impacting_bar, spec.area)},
                                         {.name = "modulus",
                                          .type = SG_REAL,
                                          .unit = "Pa",
                                          .flags = SG_REQUIRED,
                                          .meaning = "modulus of elasticity",
                                          .example = "2.1e11",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_impacting_bar, spec.modulus)},
                                         {.name = "length",
                                          .type = SG_REAL,
                                          .unit = "m",
                                          .flags = SG_REQUIRED,
                                          .meaning = "length",
                                          .example = "0.254",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_impacting_bar, spec.length)},
                                         {.name = "speed",
                                          .type = SG_REAL,
                                          .unit = "m/s",
                                          .flags = SG_REQUIRED,
                                          .meaning = "speed towards the wall",
                                          .example = "5.0",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_impacting_bar, spec.speed)},
                                         {.name = "gap",
                                          .type = SG_REAL,
                                          .unit = "m",
                                          .flags = SG_REQUIRED,
                                          .meaning = "distance from the wall at the start",
                                          .example = "2.5e-4",
                                          .range = SG_NON_NEGATIVE,
                                          .offset = offsetof(struct sg_impacting_bar, spec.gap)},
                                         {0}};

static sg_status create(void *data, struct sg_error *err)
{
    const struct sg_impacting_bar_spec spec = ((struct sg_impacting_bar *)data)->spec;
    return sg_impacting_bar_init(&spec, data, err);
}

/* The operands are elements, step, rho_inf. */
static struct sg_bar_front front_of(const struct sg_impacting_bar *bar, const struct sg_exact_row *x)
{
    const struct sg_bar_mesh mesh = {x[0].values[0], x[1].values[0], x[2].values[0]};
    return sg_impacting_bar_front(bar, &mesh);
}

SG_EXACT_FUNCTION(force, struct sg_impacting_bar, self->force)
SG_EXACT_FUNCTION(impulse, struct sg_impacting_bar, self->impulse)
SG_EXACT_FUNCTION(gap, struct sg_impacting_bar,
                  self->spec.gap + sg_impacting_bar_at(self, 0.0, x[0].values[0]).displacement)
SG_EXACT_FUNCTION(front_impulse, struct sg_impacting_bar, front_of(self, x).impulse)
SG_EXACT_FUNCTION(front_lag, struct sg_impacting_bar, front_of(self, x).lag)

static const struct sg_exact_function functions[] = {
    {"force", 0, 0, force, 0, "reaction while the bar touches, N"},
    {"impulse", 0, 0, impulse, 0, "of the whole contact, N s"},
    {"gap", 1, 0, gap, 0, "gap(t) of the end that hits, m"},
    {"front_impulse", 3, 0, front_impulse, 0,
     "front_impulse(elements, step, rho_inf), what the dispersion of the front takes, N s"},
    {"front_lag", 3, 0, front_lag, 0, "front_lag(elements, step, rho_inf), by which the end lags, m"},
    {0}};

const struct sg_exact_ops sg_exact_impacting_bar = {
    .kind = {"impacting-bar", "an elastic bar that flies against a rigid wall", rows},
    .size = sizeof(struct sg_impacting_bar),
    .create = create,
    .functions = functions};
