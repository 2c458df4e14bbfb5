/* Which coordinates an integrator works in: modal or nodal ones. */
#ifndef SG_INTEGRATORS_ROUTE_H
#define SG_INTEGRATORS_ROUTE_H

#include <stdbool.h>

#include "integrators/integrator.h"

/* the largest number of dofs that operator = "auto" gives to modal coordinates */
enum { SG_MODAL_LIMIT = 2000 };

/* in the order of the keyword's words */
enum sg_operator_choice { SG_OPERATOR_AUTO, SG_OPERATOR_MODAL, SG_OPERATOR_NODAL };

struct sg_route {
    const struct sg_integrator_ops *ops;
    enum sg_operator_choice choice;
    bool diagonal_mass, affine; /* affine: of the contacts */
    bool updates;               /* the strategy does, in nodal coordinates only */
};

bool sg_route_is_modal(const struct sg_system *system, const struct sg_route *route);

/* NULL, or what is wrong with these coordinates, and what helps */
const char *sg_route_fault(const struct sg_system *system, const struct sg_route *route, bool modal,
                           const char **hint);

#endif
