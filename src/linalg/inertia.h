/* Signs of eigenvalues without the eigenvalues. Set-up only: allocates. */
#ifndef SG_LINALG_INERTIA_H
#define SG_LINALG_INERTIA_H

#include <stddef.h>

#include "linalg/matrix.h"
#include "support/status.h"

/* How many eigenvalues of a symmetric matrix are negative: as many as pivots of L D L^T (Sylvester's law of
 * inertia). Pivots are not chosen for stability: eigenvalues that are small beside the largest may be counted
 * wrongly. SG_NO_SOLUTION if a pivot vanishes or an entry is not finite. */
sg_status sg_triplets_count_negative(const struct sg_triplets *t, size_t *count, struct sg_error *err);

#endif
