#include "benchmarks/exact/bar_on_spring.h"

#include <math.h>

#include "benchmarks/exact/exact.h"

enum { BISECTIONS = 200 };

/* F/(Z v0) after the wave has come back */
static double falling(double x, double still)
{
    return (2.0 + 2.0 * x - still) * exp(-x) - 1.0;
}

/* Finds where it is 0: it falls from 1 - exp(-a T) to -1, its slope being (exp(-a T) - 2 x) exp(-x). */
static double end_of(double still)
{
    double low = 0.5 * still, high = 10.0;
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = 0.5 * (low + high);
        if (falling(middle, still) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

sg_status sg_bar_on_spring_init(const struct sg_impacting_bar_spec *spec, double stiffness,
                                struct sg_bar_on_spring *exact, struct sg_error *err)
{
    *exact = (struct sg_bar_on_spring){.stiffness = stiffness};
    TRY(sg_impacting_bar_init(spec, &exact->bar, err));
    if (!(stiffness > 0.0) || isinf(stiffness))
        FAIL(err, SG_BAD_DECK, "bar on a spring: the stiffness is %g, must be positive", stiffness);
    double z = exact->bar.force / spec->speed, time = exact->bar.opens - exact->bar.closes;
    double a = exact->rate = stiffness / z, still = exp(-a * time), x = end_of(still);
    if (!(x < a * time))
        FAIL(err, SG_BAD_DECK, "bar on a spring: the stiffness of %g N/m holds the bar for a second wave",
             stiffness);
    exact->closes = exact->bar.closes;
    exact->opens = exact->bar.opens + x / a;
    exact->depth = exact->bar.force / stiffness * falling(0.5 * still, still);
    double rising = time - (1.0 - still) / a;
    double after = ((2.0 - still) * (1.0 - exp(-x)) + 2.0 * (1.0 - (1.0 + x) * exp(-x)) - x) / a;
    exact->impulse = exact->bar.force * (rising + after);
    return SG_OK;
}

double sg_bar_on_spring_force(const struct sg_bar_on_spring *exact, double t)
{
    double a = exact->rate, s = t - exact->closes, time = exact->bar.opens - exact->bar.closes;
    if (t <= exact->closes || t >= exact->opens) return 0.0;
    if (s < time) return exact->bar.force * (1.0 - exp(-a * s));
    return exact->bar.force * falling(a * (s - time), exp(-a * time));
}

/* --- for benchmarks --------------------------------------------------------------------------------- */

static const struct sg_keyword rows[] = {{.name = "density",
                                          .type = SG_REAL,
                                          .unit = "kg/m^3",
                                          .flags = SG_REQUIRED,
                                          .meaning = "density",
                                          .example = "7847.0",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_bar_on_spring, bar.spec.density)},
                                         {.name = "area",
                                          .type = SG_REAL,
                                          .unit = "m^2",
                                          .flags = SG_REQUIRED,
                                          .meaning = "cross-section",
                                          .example = "6.45e-4",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_bar_on_spring, bar.spec.area)},
                                         {.name = "modulus",
                                          .type = SG_REAL,
                                          .unit = "Pa",
                                          .flags = SG_REQUIRED,
                                          .meaning = "modulus of elasticity",
                                          .example = "2.1e11",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_bar_on_spring, bar.spec.modulus)},
                                         {.name = "length",
                                          .type = SG_REAL,
                                          .unit = "m",
                                          .flags = SG_REQUIRED,
                                          .meaning = "length",
                                          .example = "0.254",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_bar_on_spring, bar.spec.length)},
                                         {.name = "speed",
                                          .type = SG_REAL,
                                          .unit = "m/s",
                                          .flags = SG_REQUIRED,
                                          .meaning = "speed towards the wall",
                                          .example = "5.0",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_bar_on_spring, bar.spec.speed)},
                                         {.name = "gap",
                                          .type = SG_REAL,
                                          .unit = "m",
                                          .flags = SG_REQUIRED,
                                          .meaning = "distance from the wall at the start",
                                          .example = "2.5e-4",
                                          .range = SG_NON_NEGATIVE,
                                          .offset = offsetof(struct sg_bar_on_spring, bar.spec.gap)},
                                         {.name = "stiffness",
                                          .type = SG_REAL,
                                          .unit = "N/m",
                                          .flags = SG_REQUIRED,
                                          .meaning = "stiffness of the wall",
                                          .example = "1e9",
                                          .range = SG_POSITIVE,
                                          .offset = offsetof(struct sg_bar_on_spring, stiffness)},
                                         {0}};

static sg_status create(void *data, struct sg_error *err)
{
    const struct sg_bar_on_spring given = *(const struct sg_bar_on_spring *)data;
    return sg_bar_on_spring_init(&given.bar.spec, given.stiffness, data, err);
}

SG_EXACT_FUNCTION(force, struct sg_bar_on_spring, sg_bar_on_spring_force(self, x[0].values[0]))
SG_EXACT_FUNCTION(plateau, struct sg_bar_on_spring, self->bar.force)
SG_EXACT_FUNCTION(depth, struct sg_bar_on_spring, self->depth)
SG_EXACT_FUNCTION(impulse, struct sg_bar_on_spring, self->impulse)

static const struct sg_exact_function functions[] = {
    {"force", 1, 0, force, 0, "force(t), N"},
    {"plateau", 0, 0, plateau, 0, "force of a rigid wall, N"},
    {"depth", 0, 0, depth, 0, "largest overlap, m"},
    {"impulse", 0, 0, impulse, 0, "of the whole contact, N s"},
    {0}};

const struct sg_exact_ops sg_exact_bar_on_spring = {
    .kind = {"bar-on-spring", "an elastic bar that flies against a unilateral spring", rows},
    .size = sizeof(struct sg_bar_on_spring),
    .create = create,
    .functions = functions};
