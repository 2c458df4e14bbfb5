#include "linalg/vector.h"
#include "strategies/strategy.h"

sg_status sg_strategy_check_finite(const struct sg_system *system, const double *x, long long step, double t,
                                   struct sg_error *err)
{
    size_t bad = sg_first_nonfinite(system->n, x);
    if (bad == system->n) return SG_OK;
    FAIL(err, SG_NO_SOLUTION, "the state is not finite at step %lld, t = %.17g s, %s '%s'", step, t,
         system->modal != NULL ? "a mode of" : "dof", sg_system_dof_name(system, bad));
}
