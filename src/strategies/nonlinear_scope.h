/* Tells which pairs of the grid take models with nonlinear elements. */
#ifndef SG_STRATEGIES_NONLINEAR_SCOPE_H
#define SG_STRATEGIES_NONLINEAR_SCOPE_H

#include "strategies/grid.h"

/* SG_BAD_DECK, with findings that list what does, if this pair does not. */
sg_status sg_nonlinear_scope_check(const struct sg_grid_cell *cell, const struct sg_system *system,
                                   const struct sg_setting *root, struct sg_diagnostics *diagnostics,
                                   struct sg_error *err);

#endif
