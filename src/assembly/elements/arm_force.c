/* The moment of a force that follows a signal and acts at a point of a body that turns: with r = R(theta)
 * arm,
 *
 *     M = s(t) (r x F),   dM/dtheta = -s(t) r . F,
 *
 * F a unit vector that does not turn. The force itself is a load; this is what the load can't be. */
#include <math.h>

#include "assembly/elements/kinds.h"
#include "model/signal.h"

struct lever {
    double x, y; /* m: r */
};

static struct lever turn(const struct sg_element *self, double angle)
{
    double c = cos(angle), s = sin(angle), x = self->parameter[SG_ARM_X], y = self->parameter[SG_ARM_Y];
    return (struct lever){c * x - s * y, s * x + c * y};
}

static double moment(const struct sg_element *self, const struct sg_element_state *at)
{
    struct lever r = turn(self, at->x[0]);
    return sg_signal_at(self->signal, at->t).s *
           (r.x * self->parameter[SG_ARM_FORCE_Y] - r.y * self->parameter[SG_ARM_FORCE_X]);
}

static void force(const struct sg_element *self, const struct sg_element_state *at, double *f)
{
    f[0] = -moment(self, at);
}

static double power(const struct sg_element *self, const struct sg_element_state *at)
{
    return -moment(self, at) * at->v[0];
}

static void tangent(const struct sg_element *self, const struct sg_element_state *at, double *k, double *c)
{
    struct lever r = turn(self, at->x[0]);
    (void)c;
    k[0] = sg_signal_at(self->signal, at->t).s *
           (r.x * self->parameter[SG_ARM_FORCE_X] + r.y * self->parameter[SG_ARM_FORCE_Y]);
}

const struct sg_element_ops sg_element_arm_force = {
    .kind = {.name = "force at an arm", .meaning = "the moment of a force at a point of a body that turns"},
    .drives = true,
    .force = force,
    .power = power,
    .tangent = tangent,
};
