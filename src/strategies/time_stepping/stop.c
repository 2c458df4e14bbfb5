/* The measure of time.stop: the norm of what damping forces do in a step beside that of the contacts'
 * impulses. */
#include <math.h>
#include <string.h>

#include "strategies/time_stepping/time_stepping.h"

/* N, the norm of the damping force of a state: what is left of the internal force when motion is taken out.
 * Between steps place, before and dv are free. */
static double damping_norm(struct sg_time_stepping *ts, double t, const struct sg_state *at)
{
    const struct sg_system *system = ts->run.system;
    double sum = 0.0;
    memset(ts->jump.dv, 0, ts->n * sizeof(double));
    sg_system_internal(system, t, at->u, at->v, ts->scratch_u);
    sg_system_internal(system, t, at->u, ts->jump.dv, ts->previous_v);
    for (size_t i = 0; i < ts->n; i++) {
        double force = ts->scratch_u[i] - ts->previous_v[i];
        sum += force * force;
    }
    return sqrt(sum);
}

void sg_stepping_stop(struct sg_time_stepping *ts, const struct sg_stepping *step, double t1)
{
    double contact = 0.0;
    for (size_t k = 0; k < ts->q * ts->rows; k++) contact += ts->total[k] * ts->total[k];
    /* without contact there is nothing to compare with */
    double damping = contact > 0.0 ? step->kick.span.h * damping_norm(ts, t1, &ts->to) : 0.0;
    ts->stopped = sg_stop_criterion_feed(&ts->stop, t1, damping, sqrt(contact));
}
