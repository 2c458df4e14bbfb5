#include "benchmarks/rocking_block.h"

#include <math.h>

/* height and angle with their rates */
struct state {
    double y, angle, vy, spin;
};

static struct state fly(const struct sg_rocking_block *b, struct state s, double t)
{
    return (struct state){s.y + s.vy * t - 0.5 * b->gravity * t * t, s.angle + s.spin * t,
                          s.vy - b->gravity * t, s.spin};
}

/* The left (0) or right corner: its height and the derivative of that by the angle. */
static double height(const struct sg_rocking_block *b, struct state s, size_t corner, double *slope)
{
    double x = corner == 0 ? -0.5 * b->width : 0.5 * b->width, z = -0.5 * b->height;
    *slope = x * cos(s.angle) - z * sin(s.angle);
    return s.y + x * sin(s.angle) + z * cos(s.angle);
}

/* s: when the corner comes down; HUGE_VAL beyond a second. Steps much shorter than a flight find the sign,
 * bisection the time. */
static double landing(const struct sg_rocking_block *b, struct state s, size_t corner)
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

void sg_rocking_block_solve(struct sg_rocking_block *block)
{
    struct sg_rocking_block *b = block;
    struct state s = {1.0, 0.2, 0.0, 0.0};
    double t = 0.0;
    *b = (struct sg_rocking_block){.width = 1.0, .height = 1.5, .inertia = 3.25 / 12.0, .gravity = 9.81};
    for (size_t k = 0; k < SG_BLOCK_IMPACTS; k++) {
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
