/* The clock of time-stepping: t_n = n h, never a sum; the last step meets the end; a step that could not be
 * taken is halved, and the pieces are counted. */
#ifndef SG_STRATEGIES_STEP_CLOCK_H
#define SG_STRATEGIES_STEP_CLOCK_H

/* Step number n of `count`, of length h but the last; where Newton's iterations failed it is halved `level`
 * times, and `part` counts the pieces. */
struct sg_clock {
    double h, last, end;
    long long count, n, part;
    int level;
};

/* steps of length h (s) to `end` */
void sg_clock_init(struct sg_clock *clock, double end, double h);

/* length of step n, not halved */
double sg_clock_whole_step(const struct sg_clock *clock, long long n);

/* length of the step at hand, and of the one after it where it is whole */
double sg_clock_step(const struct sg_clock *clock);
double sg_clock_next(const struct sg_clock *clock);

/* the time at the end of the step at hand */
double sg_clock_end_of_step(const struct sg_clock *clock);

/* goes to the next step; after a halved one it is as long as it can be */
void sg_clock_advance(struct sg_clock *clock);

/* halves the step at hand */
void sg_clock_halve(struct sg_clock *clock);

#endif
