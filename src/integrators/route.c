#include "integrators/route.h"

static bool can_be_modal(const struct sg_system *system, const struct sg_route *route)
{
    return system->elements.count == 0 && system->constraints.count == 0 && route->affine &&
           (!system->damped || system->classical);
}

bool sg_route_is_modal(const struct sg_system *system, const struct sg_route *route)
{
    if (route->choice != SG_OPERATOR_AUTO) return route->choice == SG_OPERATOR_MODAL;
    if (route->ops->needs_modal) return true;
    if (route->updates) return false;
    if (route->ops->needs_diagonal) return !route->diagonal_mass;
    return can_be_modal(system, route) && system->n <= SG_MODAL_LIMIT;
}

const char *sg_route_fault(const struct sg_system *system, const struct sg_route *route, bool modal,
                           const char **hint)
{
    *hint = NULL;
    if (modal && route->updates) {
        *hint = "take operator = \"nodal\" or \"auto\"";
        return "works in modal coordinates, while the strategy's update needs nodes with masses";
    }
    if (modal && system->elements.count > 0) {
        *hint = route->choice == SG_OPERATOR_MODAL ? "take operator = \"nodal\" or \"auto\""
                                                   : "take mass = \"lumped\", or another integrator";
        return "needs modal coordinates, which nonlinear elements couple";
    }
    if (modal && system->constraints.count > 0) {
        *hint = route->choice == SG_OPERATOR_MODAL ? "take operator = \"nodal\" or \"auto\""
                                                   : "take mass = \"lumped\", or another integrator";
        return "needs modal coordinates, which bilateral constraints couple";
    }
    if (modal && !route->affine) {
        *hint = route->ops->needs_modal ? "take another integrator" : "take operator = \"nodal\"";
        return "needs modal coordinates, in which gaps are fixed combinations of displacements";
    }
    if (modal && !can_be_modal(system, route)) {
        *hint = route->ops->needs_modal ? "take Rayleigh or modal damping, or an integrator that "
                                          "takes dashpots as they are, such as botr, bathe or trapezoidal"
                                        : "take operator = \"nodal\", or Rayleigh or modal damping";
        return "needs modal coordinates, which single dashpots couple";
    }
    if (!modal && route->ops->needs_modal) {
        *hint = "take operator = \"modal\" or \"auto\"";
        return "works in modal coordinates only";
    }
    if (!modal && route->ops->needs_diagonal && !route->diagonal_mass) {
        *hint = "take mass = \"lumped\", or operator = \"modal\"";
        return "needs a diagonal mass in nodal coordinates";
    }
    return NULL;
}
