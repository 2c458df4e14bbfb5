/* The clock that durations are taken with. */
#ifndef SG_SUPPORT_CLOCK_H
#define SG_SUPPORT_CLOCK_H

/* seconds of a clock that never jumps */
double sg_wall_clock(void);

#endif
