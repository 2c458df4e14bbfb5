/* Square sparse systems without symmetry, by UMFPACK: a matrix given as entries that add up. The
 * analysis is kept as long as the places of the entries stay. */
#ifndef SG_LINALG_SPARSE_LU_H
#define SG_LINALG_SPARSE_LU_H

#include <stddef.h>

#include "support/arena.h"
#include "support/status.h"

struct sg_sparse_lu;

/* for at most n unknowns and `entries` entries */
sg_status sg_sparse_lu_create(struct sg_arena *arena, size_t n, size_t entries, struct sg_sparse_lu **lu,
                              struct sg_error *err);

/* entry k: value[k] at (row[k], column[k]) */
struct sg_sparse_entries {
    size_t n, count;
    const int *row, *column;
    const double *value;
};

/* x (n x count) := A^-1 x; SG_NO_SOLUTION if A is singular, or its smallest pivot is below `sound` times the
 * largest. UMFPACK allocates inside. */
sg_status sg_sparse_lu_solve(struct sg_sparse_lu *lu, const struct sg_sparse_entries *a, double sound,
                             size_t count, double *x, struct sg_error *err);

#endif
