#include "benchmarks/exact/rotating_spring.h"

#include <math.h>

#include "benchmarks/exact/exact.h"

struct sg_rotating_spring sg_rotating_spring_benchmark(bool friction)
{
    return (struct sg_rotating_spring){.mass = 1.0,
                                       .stiffness = 10.0,
                                       .length = 1.0,
                                       .radius = 1.4,
                                       .restitution = friction ? 0.0 : 1.0,
                                       .friction = friction ? 0.2 : 0.0,
                                       .x = {0.8, 0.0},
                                       .v = {1.0, 2.0}};
}

static bool positive(double value)
{
    return value > 0.0 && !isinf(value);
}

sg_status sg_rotating_spring_check(const struct sg_rotating_spring *spring, struct sg_error *err)
{
    const double start = hypot(spring->x[0], spring->x[1]);
    if (!positive(spring->mass) || !positive(spring->stiffness) || !positive(spring->length))
        FAIL(err, SG_BAD_DECK, "rotating spring: mass %g, stiffness %g and length %g must be positive",
             spring->mass, spring->stiffness, spring->length);
    if (!(spring->restitution >= 0.0 && spring->restitution <= 1.0))
        FAIL(err, SG_BAD_DECK, "rotating spring: restitution is %g, must be in [0, 1]", spring->restitution);
    if (!(spring->friction >= 0.0) || isinf(spring->friction))
        FAIL(err, SG_BAD_DECK, "rotating spring: friction is %g, must not be negative", spring->friction);
    if (!(start > 0.0 && start < spring->radius))
        FAIL(err, SG_BAD_DECK, "rotating spring: starts at radius %g, must be in (0, %g)", start,
             spring->radius);
    return SG_OK;
}

static void rate(const void *owner, const double *y, double *dy)
{
    const struct sg_rotating_spring *spring = owner;
    const double pull = spring->stiffness / spring->mass * (1.0 - spring->length / hypot(y[0], y[1]));
    dy[0] = y[2];
    dy[1] = y[3];
    dy[2] = -pull * y[0];
    dy[3] = -pull * y[1];
}

static double gap(const void *owner, const double *y)
{
    const struct sg_rotating_spring *spring = owner;
    return spring->radius - hypot(y[0], y[1]);
}

static void impact(const void *owner, double *y)
{
    const struct sg_rotating_spring *spring = owner;
    const double r = hypot(y[0], y[1]), n[2] = {-y[0] / r, -y[1] / r};
    const double along = n[0] * y[3] - n[1] * y[2];
    const double kick = -(1.0 + spring->restitution) * (n[0] * y[2] + n[1] * y[3]);
    const double drag = copysign(fmin(fabs(along), spring->friction * kick), along);
    y[0] *= spring->radius / r;
    y[1] *= spring->radius / r;
    y[2] += kick * n[0] + drag * n[1];
    y[3] += kick * n[1] - drag * n[0];
}

struct sg_smooth_motion sg_rotating_spring_motion(const struct sg_rotating_spring *spring)
{
    return (struct sg_smooth_motion){.dim = 4,
                                     .max_step = 0.1 * sqrt(spring->mass / spring->stiffness),
                                     .rate = rate,
                                     .gap = gap,
                                     .impact = impact,
                                     .owner = spring};
}

struct sg_smooth_state sg_rotating_spring_start(const struct sg_rotating_spring *spring)
{
    return (struct sg_smooth_state){.y = {spring->x[0], spring->x[1], spring->v[0], spring->v[1]}};
}

double sg_rotating_spring_angular_momentum(const struct sg_rotating_spring *spring, const double *y)
{
    return spring->mass * (y[0] * y[3] - y[1] * y[2]);
}

double sg_rotating_spring_energy(const struct sg_rotating_spring *spring, const double *y)
{
    const double stretch = hypot(y[0], y[1]) - spring->length;
    return 0.5 * (spring->mass * (y[2] * y[2] + y[3] * y[3]) + spring->stiffness * stretch * stretch);
}

/* --- for benchmarks --------------------------------------------------------------------------------- */

struct reference {
    int rough;
};

static const struct sg_keyword rows[] = {
    {.name = "friction",
     .type = SG_BOOL,
     .meaning = "whether the circle is rough and takes the speed towards it",
     .fallback = "false",
     .offset = offsetof(struct reference, rough)},
    {0}};

/* the state at the time `until`, and the angular momentum there */
static void advance(const struct reference *self, double until, double *y)
{
    const struct sg_rotating_spring spring = sg_rotating_spring_benchmark(self->rough != 0);
    const struct sg_smooth_motion motion = sg_rotating_spring_motion(&spring);
    struct sg_smooth_state state = sg_rotating_spring_start(&spring);
    if (sg_smooth_advance(&motion, until, false, &state, NULL) != SG_OK) state.y[0] = NAN;
    y[0] = state.y[0];
    y[1] = state.y[1];
    y[2] = sg_rotating_spring_angular_momentum(&spring, state.y);
}

static void place(const void *data, const struct sg_exact_row *x, double *result)
{
    advance(data, x[0].values[0], result);
}

static void momentum(const void *data, const struct sg_exact_row *x, double *result)
{
    double y[3];
    advance(data, x[0].values[0], y);
    *result = y[2];
}

static const struct sg_exact_function functions[] = {
    {"state", 1, 0, place, 3, "state(t): position (m) and angular momentum (kg m^2/s)"},
    {"momentum", 1, 0, momentum, 0, "momentum(t), angular, kg m^2/s"},
    {0}};

const struct sg_exact_ops sg_exact_rotating_spring = {
    .kind = {"rotating-spring", "a mass on a spring that turns inside a rigid circle", rows},
    .size = sizeof(struct reference),
    .create = NULL,
    .functions = functions};
