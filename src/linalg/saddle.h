/* Saddle-point systems that are put together block by block,
 *
 *     [ A   G^T ] [ x ]   [ a ]
 *     [ H   -R  ] [ y ] = [ b ],
 *
 * x motions, y multipliers of the constraints, R a regularization. The matrix is neither definite nor
 * symmetric where constraints turn, so that it is factored by LU with pivoting, and by one of two engines:
 * plain loops over a dense matrix, which up to some sixty unknowns cost less than the analysis of a sparse
 * one, or UMFPACK. Whoever fills the blocks does not know which. */
#ifndef SG_LINALG_SADDLE_H
#define SG_LINALG_SADDLE_H

#include <stdbool.h>
#include <stddef.h>

#include "linalg/columns.h"
#include "linalg/matrix.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_sparse_lu; /* linalg/sparse_lu.h */

struct sg_saddle {
    size_t most, size; /* unknowns at most, and of the system at hand */
    double *scale;     /* most: rows and columns are multiplied by it before the matrix is factored */
    double *dense;     /* most^2, column-major; NULL: entries in the sparse engine's lists */
    size_t *pivot;     /* most, of the dense engine */
    size_t count;      /* entries of the sparse engine, which add up where their places coincide */
    int *row, *column; /* capacity */
    double *value;     /* capacity */
    struct sg_sparse_lu *sparse;
};

/* Up to `most` unknowns. `capacity`: of entries; 0 chooses the dense engine. All memory is the arena's. */
sg_status sg_saddle_init(struct sg_arena *arena, struct sg_saddle *saddle, size_t most, size_t capacity,
                         struct sg_error *err);

/* the most entries that sg_saddle_add_matrix makes of a matrix (NULL: none) */
size_t sg_saddle_entries(const struct sg_matrix *a);

/* forgets the entries; the next system has `size` unknowns */
void sg_saddle_clear(struct sg_saddle *saddle, size_t size);

/* a block whose first entry stands at (row, column) of the system; all that is added to it counts `s` times
 */
struct sg_block {
    struct sg_saddle *saddle;
    size_t row, column;
    double s;
};
void sg_saddle_add_matrix(struct sg_block at, const struct sg_matrix *a);

/* Single entries, columns and rows are inline: small dense systems consist of little else. */
static inline double *sg_saddle_cell(struct sg_block at)
{
    return at.saddle->dense + at.row + at.column * at.saddle->size;
}

static inline void sg_saddle_add(struct sg_block at, size_t i, size_t j, double value)
{
    struct sg_saddle *saddle = at.saddle;
    if (saddle->dense != NULL) {
        sg_saddle_cell(at)[i + j * saddle->size] += at.s * value;
        return;
    }
    saddle->row[saddle->count] = (int)(at.row + i);
    saddle->column[saddle->count] = (int)(at.column + j);
    saddle->value[saddle->count++] = at.s * value;
}

/* entries of the sparse engine: (i, 0) or, `as_row`, (0, i) for entry i of w_j */
void sg_saddle_list(struct sg_block at, const struct sg_columns *w, size_t j, bool as_row);

static inline void sg_saddle_add_vector(struct sg_block at, const struct sg_columns *w, size_t j, bool as_row)
{
    if (at.saddle->dense == NULL) {
        sg_saddle_list(at, w, j, as_row);
        return;
    }
    double *first = sg_saddle_cell(at);
    size_t stride = as_row ? at.saddle->size : 1;
    for (size_t k = w->start[j]; k < w->start[j + 1]; k++)
        first[sg_columns_row(w, j, k) * stride] += at.s * w->value[k];
}

/* column j of w, as the first column of the block, or as its first row */
static inline void sg_saddle_add_column(struct sg_block at, const struct sg_columns *w, size_t j)
{
    sg_saddle_add_vector(at, w, j, false);
}
static inline void sg_saddle_add_row(struct sg_block at, const struct sg_columns *w, size_t j)
{
    sg_saddle_add_vector(at, w, j, true);
}

/* a symmetric matrix by entries of its lower triangle, which add up */
struct sg_symmetric_entries {
    size_t count;
    const size_t *row, *column;
    double *value;
};
void sg_saddle_add_symmetric(struct sg_block at, const struct sg_symmetric_entries *a);

/* x (size x count) := the solutions for the right-hand sides x. SG_NO_SOLUTION if the matrix is singular, or
 * its smallest pivot is below `sound` times the largest: such pivots are rounding, and rows depend on one
 * another. */
sg_status sg_saddle_solve(struct sg_saddle *saddle, double sound, size_t count, double *x,
                          struct sg_error *err);

#endif
