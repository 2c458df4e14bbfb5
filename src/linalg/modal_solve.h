/* The eigenproblem of one component of a modal basis; for modal_basis.c alone. */
#ifndef SG_LINALG_MODAL_SOLVE_H
#define SG_LINALG_MODAL_SOLVE_H

#include "linalg/modal.h"
#include "support/status.h"

/* dofs of one component: beyond it, a dense basis alone would take tens of gigabytes */
enum { SG_MODAL_LARGEST = 40000 };

/* On entry phi and mphi hold the lower triangles of K and M; on return the modes and M times them, with
 * k[size] ascending. Errors as sg_modal_create. */
sg_status sg_modal_solve_block(struct sg_modal_block *b, double *k, struct sg_error *err);

#endif
