/* Exact motion of a rigid block over a rigid floor as long as it is never touched by both lower corners at
 * once: free flight, parabola and constant rate of turning, until a corner comes down; then Newton's law for
 * that corner. m = 1 kg, 1 m wide, 1.5 m high, g = 9.81 m/s^2, e = 1/2, from rest with its centre 1 m above
 * the floor and turned by 0.2 rad (Acary 2013). */
#ifndef SG_BENCHMARKS_EXACT_ROCKING_BLOCK_H
#define SG_BENCHMARKS_EXACT_ROCKING_BLOCK_H

#include <stddef.h>

enum { SG_BLOCK_IMPACTS = 4 };

struct sg_rocking_block {
    double time[SG_BLOCK_IMPACTS];    /* s */
    double impulse[SG_BLOCK_IMPACTS]; /* N s */
    size_t corner[SG_BLOCK_IMPACTS];  /* 0: left */
    double width, height, inertia, gravity;
};

/* the first impacts */
void sg_rocking_block_solve(struct sg_rocking_block *block);

#endif
