/* Matrix Market files: matrices and vectors that other programs write (Boisvert, Pozo and Remington 1996,
 * NISTIR 5935). Read strictly:
 *
 *     %%MatrixMarket matrix coordinate|array real|integer general|symmetric
 *     % comments
 *     ROWS COLUMNS ENTRIES            of coordinate; ROWS COLUMNS of array
 *     ROW COLUMN VALUE                ENTRIES lines, indices from 1; VALUE, column by column, of array
 *
 * Blank lines are skipped anywhere, lines that start with '%' behind the first. A symmetric file holds the
 * lower triangle, diagonal included, and nothing above it. Entries of one place add up, as in assembly. All
 * else is refused: complex, pattern, skew-symmetric and hermitian matrices, numbers that are not finite,
 * indices outside the size, fewer or more entries than told. */
#ifndef SG_FORMATS_MATRIX_MARKET_H
#define SG_FORMATS_MATRIX_MARKET_H

#include <stddef.h>

#include "formats/table.h"
#include "linalg/matrix.h"
#include "support/arena.h"
#include "support/status.h"

/* Compressed columns: entries of column j are start[j] .. start[j+1]-1, their rows rise. Of a symmetric file
 * both triangles. The arena's of its source. */
struct sg_market {
    size_t rows, columns; /* at least 1, at most SG_MARKET_SIZE */
    size_t *start;        /* columns + 1 */
    size_t *row;          /* start[columns], from 0 */
    double *value;        /* start[columns], finite */
    size_t *line;         /* start[columns]: of the file, where the entry stands last */
};

enum { SG_MARKET_SIZE = 10000000 };

/* The side file of a keyword, at most 2 GiB. SG_NO_INPUT (a finding, too) if it can't be opened; SG_BAD_DECK
 * with a finding that names file and line. */
sg_status sg_market_read(const struct sg_table_source *source, struct sg_market *market,
                         struct sg_diagnostics *diagnostics, struct sg_error *err);

/* entry (i, j), from 0; 0 where there is none */
double sg_market_entry(const struct sg_market *market, size_t i, size_t j);

/* Adds a square matrix to `t` from dof `first` on, a pair of entries by its mean. False with a finding if
 * it is not symmetric but for rounding: 1e-12 of the larger of the pair, and of the root of the product of
 * both diagonals. */
bool sg_market_add_symmetric(const struct sg_table_source *source, const struct sg_market *market,
                             size_t first, struct sg_triplets *t, struct sg_diagnostics *diagnostics);

#endif
