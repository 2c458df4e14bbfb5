/* Symmetric matrices behind one face. The class is chosen from the structure, and every operation
 * uses it: diagonal and tridiagonal kernels are our own, the rest is LAPACK and CHOLMOD. */
#ifndef SG_LINALG_MATRIX_H
#define SG_LINALG_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

#include "support/arena.h"
#include "support/status.h"

enum sg_matrix_class { SG_DIAGONAL, SG_TRIDIAGONAL, SG_BANDED, SG_SPARSE, SG_DENSE };

/* A symmetric matrix as triplets, both triangles implied by the lower one (row >= column); entries at
 * one place add up. To begin with all but the arena and n are zero. */
struct sg_triplets {
    struct sg_arena *arena; /* has the lists */
    size_t n;
    size_t count, capacity;
    size_t *row, *column;
    double *value;
    bool failed; /* sticky: out of memory */
};

/* adds `value` at (i, j) and, if i != j, at (j, i) */
void sg_triplets_add(struct sg_triplets *t, size_t i, size_t j, double value);

/* Storage by class (column-major, lower triangle):
 *   diagonal     diag[n]
 *   tridiagonal  diag[n], off[n] (off[i] couples i and i+1; off[n-1] = 0)
 *   banded       band[(width+1) * n], LAPACK's lower band storage
 *   sparse       compressed columns of the lower triangle, diagonal first in each column
 *   dense        band[n * n], full */
struct sg_matrix {
    enum sg_matrix_class kind;
    size_t n;
    size_t width;        /* half bandwidth */
    bool zero;           /* no nonzero entry: products are skipped */
    double *diag, *off;  /* diagonal, tridiagonal */
    double *band;        /* banded, dense */
    size_t *start, *row; /* sparse: n + 1, start[n] */
    double *value;       /* sparse */
};

/* Assembles into the given class, which must be able to hold the entries (SG_INTERNAL if not). */
sg_status sg_matrix_init(struct sg_arena *arena, struct sg_matrix *a, const struct sg_triplets *t,
                         enum sg_matrix_class kind, struct sg_error *err);

/* The same into the class that costs least. SG_NO_MEMORY also where the triplets ran out of it. */
sg_status sg_matrix_assemble(struct sg_arena *arena, struct sg_matrix *a, const struct sg_triplets *t,
                             struct sg_error *err);

/* largest |row - column| of a nonzero entry */
size_t sg_triplets_bandwidth(const struct sg_triplets *t);

/* the class whose operations cost least for this pattern and size */
enum sg_matrix_class sg_triplets_class(const struct sg_triplets *t);

/* Adds the stored entries of A to `t`, exact zeros left out, row by row of no particular order. */
void sg_matrix_to_triplets(const struct sg_matrix *a, struct sg_triplets *t);

/* y = A x; y and x apart */
void sg_matrix_multiply(const struct sg_matrix *a, const double *restrict x, double *restrict y);

/* y += s A x */
void sg_matrix_multiply_add(const struct sg_matrix *a, double s, const double *restrict x,
                            double *restrict y);

/* x . A y */
double sg_matrix_form(const struct sg_matrix *a, const double *x, const double *y);

/* Sums of a matrix's rows, of which those before `first` and from `end` on are 0: few rows are grounded. */
struct sg_row_sums {
    double *value; /* n */
    size_t first, end;
};

/* sum_i s_i x_i y_i - sum_{i>j} A_ij (x_i - x_j) (y_i - y_j): x . A y if s are the sums of A's rows, but what
 * x and y share over coupled dofs, as in a rigid translation, costs no digits */
double sg_matrix_form_differences(const struct sg_matrix *a, struct sg_row_sums sums, const double *x,
                                  const double *y);

/* Finds where (i, j), i >= j, is stored; NULL if it is not. A dense matrix stores (j, i) too.
 */
double *sg_matrix_place(struct sg_matrix *a, size_t i, size_t j);

double sg_matrix_entry(const struct sg_matrix *a, size_t i, size_t j);

/* the largest modulus of an entry; NaN if one is not a number */
double sg_matrix_max_abs(const struct sg_matrix *a);

#endif
