#include "ground/random.h"

static uint64_t rotate(uint64_t x, int bits)
{
    return (x << bits) | (x >> (64 - bits));
}

static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

struct sg_random sg_random_start(uint64_t seed)
{
    struct sg_random random;
    for (int k = 0; k < 4; k++) random.state[k] = split_mix(&seed);
    return random;
}

uint64_t sg_random_next(struct sg_random *random)
{
    uint64_t *s = random->state, result = rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

double sg_random_uniform(struct sg_random *random)
{
    return (double)(sg_random_next(random) >> 11) / 9007199254740992.0;
}

double sg_random_normal(struct sg_random *random)
{
    double sum = -6;
    for (int k = 0; k < 12; k++) sum += sg_random_uniform(random);
    return sum;
}
