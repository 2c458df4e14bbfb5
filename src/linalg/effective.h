/* The effective operator: one object behind all implicit schemes.
 *
 * Every scheme needs  S^-1 r,  S = a M + b C + c (K + sum_A kappa_j w_j w_j^T),  for a few or very many
 * triples (a, b, c), real or complex, while the active set A changes often. The operator factorises
 * a M + b C + c K once per triple (a small cache), and treats the active rows as a low-rank change by
 * the Sherman-Morrison-Woodbury formula: with X = (a M + b C + c K)^-1 W_A,
 *
 *     S^-1 r = y - X (D + W_A^T X)^-1 W_A^T y,   y = (a M + b C + c K)^-1 r,   D = diag(1 / (c kappa)).
 *
 * A rigid row (kappa infinite) has D = 0: the result then lies in the null space of w_j^T, which is the
 * solution of the scheme restricted to the motions that keep gap j. So a resting rigid contact is the
 * limit of a spring, and costs the same.
 *
 * In modal coordinates M, C, K are diagonal, a new triple costs one pass, and nothing is ever
 * factorised. */
#ifndef SG_LINALG_EFFECTIVE_H
#define SG_LINALG_EFFECTIVE_H

#include <complex.h>
#include <stdbool.h>
#include <stddef.h>

#include "linalg/columns.h"
#include "linalg/solver.h"
#include "support/status.h"

struct sg_effective;

/* A row of the low-rank change: the unilateral spring or the stop of one contact. */
struct sg_effective_rows {
    const struct sg_columns *w; /* n x q, m of gap per unit coordinate */
    const double *kappa;        /* q, N/m; HUGE_VAL: rigid. Copied, as the next */
    const double *offset;       /* q, m: gap at zero displacement, from where the spring begins */
    /* n x m rigid rows that are active for ever, of bilateral constraints, numbered behind the q contacts in
     * all that speaks of active rows; NULL: none. w must be sparse then. */
    const struct sg_columns *held;
};

struct sg_effective_counts {
    long long factorizations; /* of a M + b C + c K; none in modal coordinates */
    long long solves;
};

/* The matrices and the rows stay with the caller. `complex_valued`: complex triples will be asked for.
 * All memory is allocated here. */
sg_status sg_effective_create(struct sg_arena *arena, const struct sg_mck *mck,
                              const struct sg_effective_rows *rows, bool complex_valued,
                              struct sg_effective **out, struct sg_error *err);

/* Sets A from flags (q). Cheap; the next solve rebuilds the small capacitance matrix. */
void sg_effective_set_active(struct sg_effective *op, const unsigned char *active);

/* The straight line that row j is from now on, of a contact whose law has several: kappa (w . u + offset). It
 * enters the capacitance matrix by 1 / kappa alone, so that no response and no Gram matrix is computed anew.
 */
void sg_effective_set_line(struct sg_effective *op, size_t j, double kappa, double offset);
size_t sg_effective_active_count(const struct sg_effective *op);
size_t sg_effective_active_row(const struct sg_effective *op, size_t i);
const struct sg_effective_rows *sg_effective_rows_view(const struct sg_effective *op);

/* Makes the triple ready; `*slot` names it until 6 other triples have been prepared. SG_NO_SOLUTION if
 * the matrix is not positive definite or the capacitance matrix is singular. */
sg_status sg_effective_prepare(struct sg_effective *op, double a, double b, double c, size_t *slot,
                               struct sg_error *err);
sg_status sg_effective_prepare_complex(struct sg_effective *op, const double complex abc[3], size_t *slot,
                                       struct sg_error *err);

/* x <- S^-1 x */
void sg_effective_solve(struct sg_effective *op, size_t slot, double *x);

/* The same in two parts, for schemes that know their contact forces as multiples of the rows, or fold the
 * solve with the smooth matrix into loops of their own. The right-hand side is r + sum_A lead_i w_i:
 *
 *     smooth:  y = (a M + b C + c K)^-1 r                      (im NULL in a real slot)
 *     finish:  x = y + X (lead - (D + W_A^T X)^-1 W_A^T (y + X lead))
 *
 * `lead` has a value for each row of A, by position; NULL: 0. */
void sg_effective_solve_smooth(const struct sg_effective *op, size_t slot, double *re, double *im);
void sg_effective_finish(struct sg_effective *op, size_t slot, const double complex *lead, double *re,
                         double *im);

/* If M, C and K are diagonal: 1 / (a m + b c + c k), n each (im NULL in a real slot). Else NULL. */
struct sg_effective_reciprocals {
    const double *re, *im;
};
struct sg_effective_reciprocals sg_effective_reciprocals(const struct sg_effective *op, size_t slot);

/* After a solve: the reaction of row j of A (position i in A), N per unit of the right-hand side, with
 * the sign that pushes the gap open. For rigid rows this is the multiplier. */
double sg_effective_reaction(const struct sg_effective *op, size_t i);

/* y = K u + sum_A kappa_j w_j (w_j^T u + offset_j): the restoring force; rigid rows apart */
void sg_effective_restoring(const struct sg_effective *op, const double *restrict u, double *restrict y);

struct sg_effective_counts sg_effective_counts(const struct sg_effective *op);

/* G_ij = w_i^T M^-1 w_j over all rows (q x q): the Delassus operator; computed once, on the first call. With
 * held rows M^-1 is that of the system that keeps them, here and in apply_impulse. */
sg_status sg_effective_delassus(struct sg_effective *op, const double **g, struct sg_error *err);

/* v += M^-1 sum_j w_j r_j (r: q impulses) */
sg_status sg_effective_apply_impulse(struct sg_effective *op, const double *r, double *v,
                                     struct sg_error *err);

/* impulse (m) += what held rows give where the contacts have the impulses r (q); after one of the two above
 */
void sg_effective_held_impulse(const struct sg_effective *op, const double *r, double *impulse);

#endif
