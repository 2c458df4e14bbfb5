/* Rows of bilateral constraints that depend on one another, and dofs that nothing holds, as findings. */
#ifndef SG_ASSEMBLY_CONSTRAINT_RANK_H
#define SG_ASSEMBLY_CONSTRAINT_RANK_H

#include "assembly/builder.h"
#include "linalg/columns.h"
#include "support/status.h"

/* Findings for rows of G (n x m, at the start) that are combinations of rows before them, by name of these,
 * and for those that hold nothing. Up to 100 rows by Gram-Schmidt, rows scaled by the roots of the masses;
 * more by a factorisation of their products, and by Gram-Schmidt only where that leaves it open. */
sg_status sg_constraints_check_rank(struct sg_builder *model, const struct sg_columns *G);

/* [M G^T; G 0] is regular where no motion of massless dofs alone keeps all constraints: findings for dofs
 * without mass whose rows of G depend on one another. Sets singular_mass of the system. */
sg_status sg_constraints_check_massless(struct sg_builder *model, const struct sg_columns *G);

#endif
