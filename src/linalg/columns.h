/* A few vectors of length n, used as the columns of W (n x q): sparse in nodal coordinates, dense (on a
 * range) in modal ones. */
#ifndef SG_LINALG_COLUMNS_H
#define SG_LINALG_COLUMNS_H

#include <stddef.h>

#include "linalg/vector.h"
#include "support/arena.h"
#include "support/status.h"

/* Column j: entries k = start[j] .. start[j+1]-1 at rows row[k]; or, where `row` is NULL, dense on rows
 * first[j] .. first[j] + (start[j+1]-start[j]) - 1. */
struct sg_columns {
    size_t n, q;
    size_t *start; /* q + 1 */
    size_t *row;   /* NULL: dense ranges */
    size_t *first; /* q; dense ranges only */
    double *value; /* start[q] */
};

sg_status sg_columns_init_sparse(struct sg_arena *arena, struct sg_columns *w, size_t n, size_t q,
                                 size_t entries, struct sg_error *err);

/* the row of entry k, which is one of column j */
static inline size_t sg_columns_row(const struct sg_columns *w, size_t j, size_t k)
{
    return w->row != NULL ? w->row[k] : w->first[j] + (k - w->start[j]);
}

/* the coordinates first .. first + count - 1 outside which column j is zero */
void sg_columns_range(const struct sg_columns *w, size_t j, size_t *first, size_t *count);

/* entry i of column j */
double sg_columns_entry(const struct sg_columns *w, size_t j, size_t i);

/* w_j . x */
double sg_columns_dot(const struct sg_columns *w, size_t j, const double *x);

/* the same with absolute values: a dot's rounding is machine epsilons of it */
double sg_columns_dot_abs(const struct sg_columns *w, size_t j, const double *x);

/* w_j . x and w_j . y in one pass */
void sg_columns_dot_two(const struct sg_columns *w, size_t j, const double *x, const double *y,
                        double dots[2]);

/* sums of w_j w_k d over all coordinates for two vectors d, of which the second may be NULL (sum 0) */
void sg_columns_form(const struct sg_columns *w, size_t j, size_t k, const double *const d[2], double sum[2]);

/* y += s d w_j, entry by entry, with complex s, d and y; d.im and y.im NULL: all real */
void sg_columns_add_scaled(const struct sg_columns *w, size_t j, const double s[2], struct sg_split d,
                           struct sg_split y);

/* y += s w_j */
void sg_columns_add(const struct sg_columns *w, size_t j, double s, double *y);

/* the dots of all columns with u and with v, in one pass a column */
void sg_columns_dots(const struct sg_columns *w, const double *u, const double *v, double *wu, double *wv);

#endif
