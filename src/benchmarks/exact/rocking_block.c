/* Exact motion of a rigid block over a rigid floor as long as it is never touched by both lower corners at
 * once: free flight, parabola and constant rate of turning, until a corner comes down; then Newton's law for
 * that corner. m = 1 kg, 1 m wide, 1.5 m high, g = 9.81 m/s^2, e = 1/2, from rest with its centre 1 m above
 * the floor and turned by 0.2 rad (Acary 2013). */
#include <math.h>

#include "benchmarks/exact/exact.h"

enum { IMPACTS = 4 };

struct block {
    double time[IMPACTS];    /* s */
    double impulse[IMPACTS]; /* N s */
    size_t corner[IMPACTS];  /* 0: left */
    double width, height, inertia, gravity;
};

/* height and angle with their rates */
struct state {
    double y, angle, vy, spin;
};

static struct state fly(const struct block *b, struct state s, double t)
{
    return (struct state){s.y + s.vy * t - 0.5 * b->gravity * t * t, s.angle + s.spin * t,
                          s.vy - b->gravity * t, s.spin};
}

/* The left (0) or right corner: its height and the derivative of that by the angle. */
static double height(const struct block *b, struct state s, size_t corner, double *slope)
{
    double x = corner == 0 ? -0.5 * b->width : 0.5 * b->width, z = -0.5 * b->height;
    *slope = x * cos(s.angle) - z * sin(s.angle);
    return s.y + x * sin(s.angle) + z * cos(s.angle);
}

/* s: when the corner comes down; HUGE_VAL beyond a second. Steps much shorter than a flight find the sign,
 * bisection the time. */
static double landing(const struct block *b, struct state s, size_t corner)
{
    const double step = 1e-4;
    double slope = 0.0;
    for (int i = 1; i < 10000; i++) {
        double t = step * i;
        if (height(b, fly(b, s, t), corner, &slope) > 0.0) continue;
        double low = t - step, high = t;
        for (int k = 0; k < 60; k++) {
            double middle = 0.5 * (low + high);
            if (height(b, fly(b, s, middle), corner, &slope) > 0.0)
                low = middle;
            else
                high = middle;
        }
        return high;
    }
    return HUGE_VAL;
}

/* the first impacts */
static void find_impacts(struct block *block)
{
    struct block *b = block;
    struct state s = {1.0, 0.2, 0.0, 0.0};
    double t = 0.0;
    *b = (struct block){.width = 1.0, .height = 1.5, .inertia = 3.25 / 12.0, .gravity = 9.81};
    for (size_t k = 0; k < IMPACTS; k++) {
        double times[2] = {landing(b, s, 0), landing(b, s, 1)}, slope = 0.0;
        size_t corner = times[0] <= times[1] ? 0 : 1;
        s = fly(b, s, times[corner]);
        height(b, s, corner, &slope);
        double rate = s.vy + slope * s.spin;
        double impulse = -1.5 * rate / (1.0 + slope * slope / b->inertia);
        s.vy += impulse;
        s.spin += impulse * slope / b->inertia;
        t += times[corner];
        b->time[k] = t;
        b->impulse[k] = impulse;
        b->corner[k] = corner;
    }
}

/* --- for benchmarks --------------------------------------------------------------------------------- */

static const struct sg_keyword rows[] = {{0}};

static sg_status create(void *data, struct sg_error *err)
{
    (void)err;
    find_impacts(data);
    return SG_OK;
}

static size_t impact(const struct sg_exact_row *x)
{
    return (size_t)fmin(fmax(x[0].values[0], 0.0), IMPACTS - 1);
}

SG_EXACT_FUNCTION(time, struct block, self->time[impact(x)])
SG_EXACT_FUNCTION(impulse, struct block, self->impulse[impact(x)])
SG_EXACT_FUNCTION(corner, struct block, (double)self->corner[impact(x)])

static const struct sg_exact_function functions[] = {
    {"time", 1, 0, time, 0, "time(k) of impact k, 0 to 3, s"},
    {"impulse", 1, 0, impulse, 0, "impulse(k), N s"},
    {"corner", 1, 0, corner, 0, "corner(k): 0 is the left one"},
    {0}};

const struct sg_exact_ops sg_exact_rocking_block = {
    .kind = {"rocking-block", "a rigid block that falls on its corners", rows},
    .size = sizeof(struct block),
    .create = create,
    .functions = functions};
