#include "strategies/step_clock.h"

#include <math.h>

/* A last step that is only rounding is none, and one that lacks only rounding is whole. */
void sg_clock_init(struct sg_clock *clock, double end, double h)
{
    double steps = end / h, whole = fmax(1.0, round(steps));
    *clock = (struct sg_clock){.h = h, .last = h, .end = end, .count = (long long)whole};
    if (fabs(steps - whole) <= 1e-9 * whole) return;
    clock->count = (long long)floor(steps) + 1;
    clock->last = end - (double)(clock->count - 1) * h;
}

double sg_clock_whole_step(const struct sg_clock *clock, long long n)
{
    return n >= clock->count - 1 ? clock->last : clock->h;
}

double sg_clock_step(const struct sg_clock *clock)
{
    double whole = sg_clock_whole_step(clock, clock->n);
    return clock->level == 0 ? whole : ldexp(whole, -clock->level);
}

/* The length of the step after the one at hand, for staggered schemes, whose steps are whole. */
double sg_clock_next(const struct sg_clock *clock)
{
    return sg_clock_whole_step(clock, clock->n + 1);
}

double sg_clock_end_of_step(const struct sg_clock *clock)
{
    if (clock->part + 1 < 1LL << clock->level)
        return (double)clock->n * clock->h + (double)(clock->part + 1) * sg_clock_step(clock);
    return clock->n + 1 == clock->count ? clock->end : (double)(clock->n + 1) * clock->h;
}

/* After a halved step the next is as long as it can be. */
void sg_clock_advance(struct sg_clock *clock)
{
    clock->part++;
    for (; clock->level > 0 && clock->part % 2 == 0; clock->level--) clock->part /= 2;
    if (clock->level > 0) return;
    clock->n++;
    clock->part = 0;
}

void sg_clock_halve(struct sg_clock *clock)
{
    clock->level++;
    clock->part *= 2;
}
