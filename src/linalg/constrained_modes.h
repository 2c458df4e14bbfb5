/* Modes of a low-rank change of a diagonal matrix, in a null space:
 *
 *     A = diag(k) + sum_elastic kappa_j w_j w_j^T   restricted to   w_j^T x = 0 for the rigid rows j.
 *
 * Only the coordinates that some w_j touches are changed; the result lives on these. */
#ifndef SG_LINALG_CONSTRAINED_MODES_H
#define SG_LINALG_CONSTRAINED_MODES_H

#include <stddef.h>

#include "linalg/effective.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_constrained_modes {
    size_t m;        /* coordinates touched */
    size_t *index;   /* m, ascending; capacity n */
    size_t r;        /* modes: m less the number of rigid rows, may be 0 */
    double *vectors; /* m x r, column-major, orthonormal; capacity n x n */
    double *k;       /* r, ascending */
};

/* Scratch shared by all decompositions of one size; everything is allocated at init. */
struct sg_modes_workspace {
    double *rows;    /* n x q */
    double *reduced; /* n x n */
    double *tau;     /* q */
    double *work;
    int *iwork;
    int lwork, liwork;
    unsigned char *touched; /* n */
};

sg_status sg_modes_workspace_init(struct sg_arena *arena, struct sg_modes_workspace *w, size_t n, size_t q,
                                  struct sg_error *err);

sg_status sg_constrained_modes_init(struct sg_arena *arena, struct sg_constrained_modes *modes, size_t n,
                                    struct sg_error *err);

/* Decomposes for the active set of `op`, whose K is diagonal (`diag`: n). SG_NO_SOLUTION if the rigid
 * rows are linearly dependent or the eigensolver fails. Allocates nothing. */
sg_status sg_constrained_modes_compute(struct sg_constrained_modes *modes, struct sg_modes_workspace *w,
                                       const struct sg_effective *op, const double *diag,
                                       struct sg_error *err);

#endif
