/* Random numbers that are the same on every machine: xoshiro256** (D. Blackman, S. Vigna: Scrambled linear
 * pseudorandom number generators, 2021), its state filled from the seed by splitmix64. Integers and exact
 * operations alone, no function of the math library. */
#ifndef SG_GROUND_RANDOM_H
#define SG_GROUND_RANDOM_H

#include <stdint.h>

struct sg_random {
    uint64_t state[4];
};

struct sg_random sg_random_start(uint64_t seed);
uint64_t sg_random_next(struct sg_random *random);

/* of [0, 1): the upper 53 bits */
double sg_random_uniform(struct sg_random *random);

/* Mean 0, variance 1, nearly normal: the sum of twelve of [0, 1), less 6. */
double sg_random_normal(struct sg_random *random);

#endif
