/* Pairs of columns that share a row: where a product G D G^T with a diagonal D has entries. */
#ifndef SG_LINALG_ROW_PAIRS_H
#define SG_LINALG_ROW_PAIRS_H

#include "linalg/columns.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_row_pairs {
    size_t count;
    size_t (*item)[2]; /* i <= j, by ascending j */
};

/* Lists the pairs of sparse columns whose pattern stays; the list is the arena's. */
sg_status sg_row_pairs_init(struct sg_arena *arena, struct sg_row_pairs *pairs,
                            const struct sg_columns *columns, struct sg_error *err);

#endif
