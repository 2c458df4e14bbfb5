/* Whether a function whose motion is known in closed form crosses zero in a span, and where first: by bounds,
 * so that no crossing is missed however short it is. See docs/event-driven.md.
 *
 * f(tau) = sign (F(tau) - level) of a gap or a reaction F is f >= 0 while the status lasts, and an event
 * where it falls through 0. On a part [a, b] of the span, of length w, with |f''| <= m2, |f'''| <= m3,
 * |f''''| <= m4:
 *
 *   1. f lies above the cubic through both ends less m4 (tau - a)^2 (b - tau)^2 / 24, a quartic with the
 *      Bernstein coefficients f_a, (f_a + 3 p) / 4, (p + q) / 2 - m4 w^4 / 144, (3 q + f_b) / 4, f_b,
 *      p = f_a + w f_a' / 3, q = f_b - w f_b' / 3. None below 0: no event.
 *   2. f' is below (above) the line through its ends by at most m3 w^2 / 8. With one sign f is monotone, and
 *      f_b decides.
 *   3. f'' likewise with m4: concave functions are smallest at an end, and f_b decides.
 *   4. Convex functions have one minimum, found by Newton's method: its sign decides. If it is 0 up to
 * rounding (grazing), nobody can decide: the part counts as undecided and as without event.
 *   5. Else the part is halved, and the state at its middle is evaluated.
 *
 * Where the first m derivatives of f vanish at the start by the logic of events (1 after an event of its own,
 * 2 where a body that touches lifts, 3 where a reaction went to 0), f^(m)(0) - m_(m+1) w / (m + 1) > 0 keeps
 * f above 0 on (0, w]; the value is taken as 0, whatever rounding left. */
#ifndef SG_STRATEGIES_EVENT_DRIVEN_CERTIFY_H
#define SG_STRATEGIES_EVENT_DRIVEN_CERTIFY_H

#include <stdbool.h>

#include "integrators/modal_flow.h"

struct sg_course {
    const struct sg_modal_flow *flow;
    struct sg_flow_functional functional;
    double sign;     /* 1: falls through the level; -1: rises */
    double height;   /* f(0) */
    double rounding; /* of it */
    double limit[3]; /* of the second to the fourth derivative */
    unsigned zeros;  /* of f and its derivatives at 0, at most 3 */
};

/* f and derivatives at an instant; `curve` is NaN where it is not known yet, `rounding` that of f */
struct sg_course_point {
    double tau, f, slope, curve, rounding;
};

struct sg_course_counts {
    long long evaluations, subdivisions, undecided;
};

struct sg_course_point sg_course_at(const struct sg_course *course, double tau);

/* Test 1 alone, between points without zeros by structure: cheap, and enough for most steps. */
bool sg_course_is_clear(const struct sg_course *course, const struct sg_course_point *a,
                        const struct sg_course_point *b);

/* The first crossing between the points of tau = 0 and of the end; false: none. */
bool sg_course_crosses(const struct sg_course *course, const struct sg_course_point *start,
                       const struct sg_course_point *end, struct sg_course_counts *counts, double *tau);

/* The least of f between both points, or `known` where it is not below: parts whose quartic of test 1 stays
 * above the least so far are left out, monotone and concave ones have it at an end. */
double sg_course_least(const struct sg_course *course, const struct sg_course_point *start,
                       const struct sg_course_point *end, double known);

#endif
