/* The states at both ends of a step, and their gaps. */
#include <string.h>

#include "strategies/time_stepping/time_stepping.h"

/* Staggered: the displacement at the end of a step is known at its start, and stands there. */
void sg_stepping_share_states(struct sg_time_stepping *ts)
{
    if (ts->ops->staggered) ts->to.u = ts->from.a;
}

static void exchange(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

void sg_stepping_exchange(struct sg_time_stepping *ts)
{
    struct sg_state start = ts->from;
    ts->from = ts->to;
    ts->to = start;
    if (ts->ops->staggered) ts->to.a = start.u;
    sg_stepping_share_states(ts);
    exchange(&ts->gap, &ts->gap_to);
    exchange(&ts->rate, &ts->rate_to);
}

void sg_stepping_measure(struct sg_time_stepping *ts, double t, const struct sg_state *at, double *gap,
                         double *rate)
{
    if (ts->q == 0) return;
    if (ts->run.contacts->affine) {
        sg_contact_set_gaps(ts->run.contacts, at->u, at->v, gap, rate);
        return;
    }
    sg_contact_set_place(ts->run.contacts, t, at->u, &ts->frame);
    memcpy(gap, ts->frame.gap, ts->q * sizeof *gap);
}
