/* What contacts give back of the energy that they took. From velocities w (m/s) along the contacts, impulses
 * r take them to w + H r and do the work r_j (w + H r / 2)_j in contact j. The rebound gives each the energy
 * a_j,
 *
 *     0 <= r_j,     0 <= y_j = (w + H r / 2)_j,     r_j y_j = a_j >= 0,
 *
 * and so sum a_j in all, however contacts feel one another: these are the conditions for the least of the
 * convex function r . H r / 4 + w . r - sum a_j ln r_j, so that velocities w + H r are unique. With a_j = 0 a
 * contact keeps what others do to it from closing it. */
#ifndef SG_CONTACT_SOLVERS_REBOUND_H
#define SG_CONTACT_SOLVERS_REBOUND_H

#include <stddef.h>

#include "contact/solvers/problem.h"

struct sg_rebound_problem {
    size_t count;
    const double *h;      /* count x count, symmetric positive semidefinite, kg^-1 */
    const double *w;      /* count, m/s */
    const double *energy; /* count, J: a */
};

/* r (count, N s) by sweeps over the contacts, each solved exactly: the first one is exact where H is
 * diagonal. They end when an impulse changes velocities by no more than rounding, or after `most`;
 * report->residual is the last change (m/s), on report->scale. */
void sg_contact_rebound(const struct sg_rebound_problem *problem, long long most, double *r,
                        struct sg_contact_report *report);

#endif
