#include "exact_sdof_contact.h"

#include <math.h>

/* gap and its velocity */
struct motion {
    double gap, velocity;
};

static struct motion arc_at(const struct sg_contact_arc *arc, double s)
{
    if (arc->square <= 0.0)
        return (struct motion){arc->gap + s * (arc->velocity + 0.5 * arc->drive * s),
                               arc->velocity + arc->drive * s};
    const double w = sqrt(arc->square), rest = arc->drive / arc->square;
    const double a = arc->gap - rest, b = arc->velocity / w;
    return (struct motion){rest + a * cos(w * s) + b * sin(w * s), w * (b * cos(w * s) - a * sin(w * s))};
}

/* First s > 0 at which the parabola g + v s + d s^2 / 2 falls through zero, from g >= 0. */
static double parabola_falls(double g, double v, double d)
{
    const double discriminant = v * v - 2.0 * d * g;
    if (discriminant <= 0.0) return HUGE_VAL;
    const double root = sqrt(discriminant); /* speed of the crossing */
    if (v > 0.0) return d < 0.0 ? (v + root) / -d : HUGE_VAL;
    return g > 0.0 || d < 0.0 ? 2.0 * g / (root - v) : HUGE_VAL;
}

/* First s > 0 at which the arc crosses zero with the sign `direction` of its velocity. As
 * g = rest + amplitude cos(theta), theta = w s - phase, it falls where sin(theta) > 0. */
static double arc_crossing(const struct sg_contact_arc *arc, int direction)
{
    if (arc->square <= 0.0) return parabola_falls(arc->gap, arc->velocity, arc->drive);
    const double turn = 2.0 * acos(-1.0), w = sqrt(arc->square), rest = arc->drive / arc->square;
    const double a = arc->gap - rest, b = arc->velocity / w, amplitude = hypot(a, b);
    if (amplitude <= fabs(rest)) return HUGE_VAL;
    const double target = direction < 0 ? acos(-rest / amplitude) : -acos(-rest / amplitude);
    double angle = target + atan2(b, a);
    while (angle <= 0.0) angle += turn;
    while (angle > turn) angle -= turn;
    return angle / w;
}

static struct sg_contact_arc make_arc(const struct sg_sdof_contact_spec *spec, bool closed,
                                      struct motion start)
{
    const double stiffness = spec->stiffness + (closed ? spec->contact_stiffness : 0.0);
    struct sg_contact_arc arc = {.gap = start.gap,
                                 .velocity = start.velocity,
                                 .square = stiffness / spec->mass,
                                 .drive = (spec->load + spec->stiffness * spec->gap) / spec->mass};
    arc.duration = arc_crossing(&arc, closed ? 1 : -1);
    return arc;
}

static sg_status check(const struct sg_sdof_contact_spec *spec, struct sg_error *err)
{
    if (!(spec->mass > 0.0))
        FAIL(err, SG_BAD_DECK, "contact oscillator: mass is %g, must be positive", spec->mass);
    if (!(spec->stiffness >= 0.0))
        FAIL(err, SG_BAD_DECK, "contact oscillator: stiffness is %g, must not be negative", spec->stiffness);
    if (!(spec->contact_stiffness > 0.0))
        FAIL(err, SG_BAD_DECK, "contact oscillator: contact stiffness is %g, must be positive",
             spec->contact_stiffness);
    return SG_OK;
}

/* at a gap of exactly zero the velocity decides, then the acceleration (at rest, pressed: closed) */
static bool is_closed(const struct sg_sdof_contact_spec *spec, struct motion start)
{
    if (start.gap != 0.0) return start.gap < 0.0;
    if (start.velocity != 0.0) return start.velocity < 0.0;
    return spec->load + spec->stiffness * spec->gap <= 0.0;
}

/* An arc that starts on the constraint ends with the mirrored velocity: its duration follows from V
 * alone, free of the rounding of a computed starting gap. */
sg_status sg_sdof_contact_init(const struct sg_sdof_contact_spec *spec, struct sg_sdof_contact *sdof,
                               struct sg_error *err)
{
    TRY(check(spec, err));
    const struct motion start = {spec->gap + spec->u0, spec->v0};
    *sdof = (struct sg_sdof_contact){.spec = *spec, .starts_closed = is_closed(spec, start)};
    sdof->first = make_arc(spec, sdof->starts_closed, start);
    if (sdof->first.duration >= HUGE_VAL) return SG_OK;
    const double speed = fabs(arc_at(&sdof->first, sdof->first.duration).velocity);
    sdof->free = make_arc(spec, false, (struct motion){0.0, speed});
    sdof->closed = make_arc(spec, true, (struct motion){0.0, -speed});
    return SG_OK;
}

double sg_sdof_contact_speed(const struct sg_sdof_contact *sdof)
{
    return sdof->free.velocity;
}

double sg_sdof_contact_event(const struct sg_sdof_contact *sdof, size_t k, bool *closes)
{
    const bool even_closes = !sdof->starts_closed;
    if (closes != NULL) *closes = (k % 2 == 0) == even_closes;
    if (k == 0 || sdof->first.duration >= HUGE_VAL) return sdof->first.duration;
    const size_t whole = k / 2;
    const double pairs = (double)whole, cycle = sdof->free.duration + sdof->closed.duration;
    const double second = even_closes ? sdof->closed.duration : sdof->free.duration;
    double t = sdof->first.duration;
    if (pairs > 0.0) t += pairs * cycle;
    if (k % 2 == 1) t += second;
    return t;
}

/* gap at t, and whether the contact is closed */
static struct motion motion_at(const struct sg_sdof_contact *sdof, double t, bool *closed)
{
    *closed = sdof->starts_closed;
    if (t < sdof->first.duration) return arc_at(&sdof->first, t);
    const struct sg_contact_arc *one = sdof->starts_closed ? &sdof->free : &sdof->closed;
    const struct sg_contact_arc *two = sdof->starts_closed ? &sdof->closed : &sdof->free;
    const double cycle = one->duration + two->duration;
    double s = t - sdof->first.duration;
    if (cycle < HUGE_VAL) s -= cycle * floor(s / cycle);
    const bool in_second = s >= one->duration;
    *closed = (one == &sdof->closed) != in_second;
    return in_second ? arc_at(two, s - one->duration) : arc_at(one, s);
}

struct sg_sdof_contact_state sg_sdof_contact_at(const struct sg_sdof_contact *sdof, double t)
{
    const struct sg_sdof_contact_spec *spec = &sdof->spec;
    struct sg_sdof_contact_state now = {0};
    const struct motion motion = motion_at(sdof, t, &now.closed);
    now.gap = motion.gap;
    now.u = motion.gap - spec->gap;
    now.v = motion.velocity;
    now.force = now.closed ? -spec->contact_stiffness * now.gap : 0.0;
    now.kinetic = 0.5 * spec->mass * now.v * now.v;
    now.strain = 0.5 * spec->stiffness * now.u * now.u;
    now.contact = now.closed ? 0.5 * spec->contact_stiffness * now.gap * now.gap : 0.0;
    now.potential = -spec->load * now.u;
    return now;
}

sg_status sg_two_mass_init(const struct sg_two_mass_spec *spec, struct sg_two_mass *pair,
                           struct sg_error *err)
{
    const double m1 = spec->mass[0], m2 = spec->mass[1];
    if (!(m1 > 0.0 && m2 > 0.0))
        FAIL(err, SG_BAD_DECK, "two masses: a mass is %g, must be positive", fmin(m1, m2));
    if (!(spec->gap > 0.0)) FAIL(err, SG_BAD_DECK, "two masses: gap is %g, must be positive", spec->gap);
    *pair = (struct sg_two_mass){.spec = *spec};
    const struct sg_sdof_contact_spec relative = {.mass = m1 * m2 / (m1 + m2),
                                                  .contact_stiffness = spec->contact_stiffness,
                                                  .gap = spec->gap,
                                                  .v0 = spec->velocity[1] - spec->velocity[0]};
    return sg_sdof_contact_init(&relative, &pair->relative, err);
}

struct sg_two_mass_state sg_two_mass_at(const struct sg_two_mass *pair, double t)
{
    const double m1 = pair->spec.mass[0], m2 = pair->spec.mass[1], total = m1 + m2;
    const double common = (m1 * pair->spec.velocity[0] + m2 * pair->spec.velocity[1]) / total;
    const struct sg_sdof_contact_state r = sg_sdof_contact_at(&pair->relative, t);
    struct sg_two_mass_state now = {.gap = r.gap, .force = r.force, .contact = r.contact};
    now.u[0] = common * t - r.u * m2 / total;
    now.u[1] = common * t + r.u * m1 / total;
    now.v[0] = common - r.v * m2 / total;
    now.v[1] = common + r.v * m1 / total;
    now.kinetic = 0.5 * (m1 * now.v[0] * now.v[0] + m2 * now.v[1] * now.v[1]);
    return now;
}
