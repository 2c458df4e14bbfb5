/* Pseudo-random numbers that are the same on every machine: splitmix64 (Steele, Lea, Flood, "Fast splittable
 * pseudorandom number generators", OOPSLA 2014). */
#ifndef SG_SUPPORT_RANDOM_H
#define SG_SUPPORT_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct sg_random {
    uint64_t state; /* the seed, at first */
};

uint64_t sg_random_bits(struct sg_random *random);

/* in [0, 1), a multiple of 2^-53 */
double sg_random_unit(struct sg_random *random);

/* 0 .. count - 1 in an order by chance (Fisher and Yates) */
void sg_random_shuffle(struct sg_random *random, size_t *order, size_t count);

#endif
