/* Tells which pairs of the grid can treat a model's bilateral constraints. */
#ifndef SG_STRATEGIES_CONSTRAINT_SCOPE_H
#define SG_STRATEGIES_CONSTRAINT_SCOPE_H

#include "strategies/grid.h"

/* SG_BAD_DECK, with a finding that lists the pairs that can, if this one can't. */
sg_status sg_constraint_scope_check(const struct sg_grid_cell *cell, const struct sg_system *system,
                                    const struct sg_setting *root, struct sg_diagnostics *diagnostics,
                                    struct sg_error *err);

#endif
