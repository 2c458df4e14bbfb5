#include "benchmarks/exact/impacting_bar.h"

#include <math.h>
#include <stddef.h>

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
