#include "support/random.h"

uint64_t sg_random_bits(struct sg_random *random)
{
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = random->state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

double sg_random_unit(struct sg_random *random)
{
    return (double)(sg_random_bits(random) >> 11) * 0x1.0p-53;
}

void sg_random_shuffle(struct sg_random *random, size_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) order[i] = i;
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)(sg_random_unit(random) * (double)i), last = order[i - 1];
        order[i - 1] = order[j];
        order[j] = last;
    }
}
