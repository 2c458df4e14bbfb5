/* Wall-clock time for progress, intervals of saving and what runs take. */
#ifndef SG_SUPPORT_CLOCK_H
#define SG_SUPPORT_CLOCK_H

/* Seconds of a clock that never jumps; its zero means nothing. */
double sg_wall_clock(void);

#endif
