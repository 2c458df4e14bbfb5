/* The forms of the update (update.c). */
#ifndef SG_STRATEGIES_TIME_STEPPING_UPDATE_H
#define SG_STRATEGIES_TIME_STEPPING_UPDATE_H

#include "strategies/time_stepping/time_stepping.h"

struct sg_update_form {
    /* memory; SG_BAD_DECK if the deck can't be run in this form */
    sg_status (*init)(struct sg_time_stepping *ts, struct sg_error *err);
    /* ts->to.v becomes the velocity after the step, update->impulse (0 on entry) what the listed contacts,
     * those that were struck, gave in it, update->dissipated (0 on entry) what restitution took. ts->to is
     * the end of the step with contacts, update->free that without; the frame stands at ts->to.u,
     * drift_before is the obstacles' at the start of the step. */
    sg_status (*apply)(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err);
};

/* in the order of the words of `update_form` */
enum sg_update_forms { SG_UPDATE_CONSERVING, SG_UPDATE_PUBLISHED };
extern const struct sg_update_form sg_update_conserving, sg_update_published;

/* r (n, N) = K u - f at the end of the step */
void sg_update_force(struct sg_time_stepping *ts, double t1, const double *u, double *r);

#endif
