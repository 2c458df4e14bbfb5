/* Vectors one by one, each told apart into a combination of those before it and a rest: which of them are
 * linearly independent, and what the others are made of. Gram-Schmidt with reorthogonalization. */
#ifndef SG_LINALG_ORTHOBASIS_H
#define SG_LINALG_ORTHOBASIS_H

#include <stdbool.h>
#include <stddef.h>

#include "support/arena.h"
#include "support/status.h"

struct sg_orthobasis {
    size_t length, capacity;
    size_t count; /* independent vectors so far */
    double *q;    /* length x capacity: orthonormal */
    double *r;    /* capacity x capacity: independent vector j is sum_i q_i r[i + j capacity] */
};

/* for vectors of `length` numbers, of which at most `capacity` are independent */
sg_status sg_orthobasis_init(struct sg_arena *arena, struct sg_orthobasis *span, size_t length,
                             size_t capacity, struct sg_error *err);

/* Adds a vector (length), which is overwritten. True if its rest is longer than tolerance (1) times it: then
 * it is one of the independent ones. Else it is the sum of combination[i] times independent vector i, of
 * those there are (capacity; NULL: not asked for). */
bool sg_orthobasis_add(struct sg_orthobasis *span, double *vector, double tolerance, double *combination);

#endif
