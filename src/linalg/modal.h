/* Modal basis: K Phi = M Phi diag(k), Phi^T M Phi = I, component by component of the model's graph, so
 * that Phi is block diagonal after a permutation. */
#ifndef SG_LINALG_MODAL_H
#define SG_LINALG_MODAL_H

#include <stddef.h>

#include "linalg/columns.h"
#include "linalg/matrix.h"
#include "support/status.h"

struct sg_modal_block {
    size_t size;
    size_t first; /* its modes are first .. first + size - 1 */
    size_t *dof;  /* size: dofs of the component */
    double *phi;  /* size x size, column-major: column = mode */
    double *mphi; /* M phi of the component, likewise */
};

struct sg_modal {
    size_t n;
    size_t block_count;
    struct sg_modal_block *blocks;
    double *k; /* n: squared circular frequencies, rad^2/s^2, ascending within a block */
};

/* Blocks are numbered by their lowest dof. A value of k below max(16, size) machine epsilons of the
 * block's largest is rounding and set to 0, so that rigid modes are exactly 0; K may be indefinite.
 * SG_BAD_DECK if M is not positive definite (message names the dof). */
sg_status sg_modal_create(struct sg_arena *arena, const struct sg_matrix *m, const struct sg_matrix *k,
                          struct sg_modal **modal, struct sg_error *err);

/* x = Phi y */
void sg_modal_expand(const struct sg_modal *modal, const double *y, double *x);

/* many x = Phi y at once, faster by far than one by one; each has the same last bits whatever the others are
 */
enum { SG_MODAL_ROWS_MAX = 32 };

struct sg_modal_rows {
    size_t count;    /* at most SG_MODAL_ROWS_MAX */
    const double *y; /* of vector k at y + k lead_y */
    size_t lead_y;
    double *x; /* at x + k lead_x */
    size_t lead_x;
};

void sg_modal_expand_rows(const struct sg_modal *modal, const struct sg_modal_rows *rows);

/* y = Phi^T x: forces, gap gradients, momentum rows */
void sg_modal_project_force(const struct sg_modal *modal, const double *x, double *y);

/* y = Phi^T M x: displacements, velocities */
void sg_modal_project_state(const struct sg_modal *modal, const double *x, double *y);

/* Adds M Phi diag(d) Phi^T M, d >= 0 (n): the matrix that is diag(d) in modal coordinates. `t` says if it
 * runs out of memory. */
sg_status sg_modal_spread(const struct sg_modal *modal, const double *d, struct sg_triplets *t,
                          struct sg_error *err);

/* W -> Phi^T W, as dense ranges over the blocks that each column touches:
 * from the first of them to the last, zeros between. w becomes dense, in memory of the arena; on failure it
 * is unchanged. */
sg_status sg_modal_project_columns(struct sg_arena *arena, const struct sg_modal *modal, struct sg_columns *w,
                                   struct sg_error *err);

#endif
