#include "linalg/pivoting.h"

/* rounds without progress after which rows change sides one by one */
enum { PATIENCE = 10 };

static size_t count_wrong(const struct sg_pivoting *pivoting)
{
    size_t count = 0;
    for (size_t i = 0; i < pivoting->rows; i++) count += pivoting->wrong[i];
    return count;
}

static void exchange(const struct sg_pivoting *pivoting, bool all)
{
    for (size_t i = pivoting->rows; i-- > 0;) {
        if (!pivoting->wrong[i]) continue;
        pivoting->in_set[i] = !pivoting->in_set[i];
        if (!all) return;
    }
}

enum sg_pivoting_end sg_pivoting_run(const struct sg_pivoting *pivoting, long long *rounds)
{
    size_t fewest = pivoting->rows + 1, patience = PATIENCE;
    for (size_t round = 0; round < pivoting->limit; round++) {
        if (!pivoting->solve(pivoting->self)) return SG_PIVOTING_UNSOLVED;
        pivoting->judge(pivoting->self);
        size_t wrong = count_wrong(pivoting);
        if (wrong == 0) return SG_PIVOTING_FOUND;
        if (rounds != NULL) ++*rounds;
        patience = wrong < fewest ? PATIENCE : patience > 0 ? patience - 1 : 0;
        if (wrong < fewest) fewest = wrong;
        exchange(pivoting, patience > 0);
    }
    return SG_PIVOTING_STUCK;
}
