/* Pairs of columns that share a row: where a product G D G^T with a diagonal D has entries. */
#ifndef SG_LINALG_ROW_PAIRS_H
#define SG_LINALG_ROW_PAIRS_H

#include "linalg/columns.h"
#include "support/status.h"

struct sg_row_pairs {
    size_t count;
    size_t (*item)[2]; /* i <= j, by ascending j */
};

/* of sparse columns whose pattern stays; release in any case */
sg_status sg_row_pairs_init(struct sg_row_pairs *pairs, const struct sg_columns *columns,
                            struct sg_error *err);
void sg_row_pairs_release(struct sg_row_pairs *pairs);

#endif
