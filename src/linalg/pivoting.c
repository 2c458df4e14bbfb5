#include "linalg/pivoting.h"

#include <stdint.h>

/* rounds without progress after which rows change sides one by one */
enum { PATIENCE = 10 };

enum sg_pivoting_end sg_pivoting_run(const struct sg_pivoting *pivoting)
{
    size_t fewest = pivoting->rows + 1, patience = PATIENCE, last = 0;
    for (size_t round = 0; round < pivoting->limit; round++) {
        if (!pivoting->solve(pivoting->self)) return SG_PIVOTING_UNSOLVED;
        size_t wrong = pivoting->count_wrong(pivoting->self, &last);
        if (wrong == 0) return SG_PIVOTING_FOUND;
        patience = wrong < fewest ? PATIENCE : patience > 0 ? patience - 1 : 0;
        if (wrong < fewest) fewest = wrong;
        pivoting->exchange(pivoting->self, patience > 0 ? SIZE_MAX : last);
    }
    return SG_PIVOTING_STUCK;
}
