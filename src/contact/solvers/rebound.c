#include "contact/solvers/rebound.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* r >= 0 with r (c + h r / 2) = a and c + h r / 2 >= 0, without cancellation */
static double give_back(double h, double c, double a)
{
    double root = sqrt(c * c + 2.0 * h * a);
    if (!(h > 0.0)) return 0.0;
    if (c <= 0.0) return (root - c) / h;
    return a > 0.0 ? 2.0 * a / (c + root) : 0.0;
}

/* Returns the change of its velocity, and raises *scale to the velocities at hand. */
static double sweep_over(const struct sg_rebound_problem *problem, size_t j, double *r, double *scale)
{
    const double *column = problem->h + j * problem->count;
    double c = problem->w[j], before = r[j], own = column[j];
    for (size_t k = 0; k < problem->count; k++)
        if (k != j) c += 0.5 * column[k] * r[k];
    r[j] = give_back(own, c, problem->energy[j]);
    *scale = fmax(*scale, fmax(fabs(c), own * r[j]));
    return own * fabs(r[j] - before);
}

void sg_contact_rebound(const struct sg_rebound_problem *problem, long long most, double *r,
                        struct sg_contact_report *report)
{
    *report = (struct sg_contact_report){0};
    memset(r, 0, problem->count * sizeof *r);
    for (size_t j = 0; j < problem->count; j++) report->scale = fmax(report->scale, fabs(problem->w[j]));
    while (report->iterations < most) {
        double change = 0.0;
        for (size_t j = 0; j < problem->count; j++)
            change = fmax(change, sweep_over(problem, j, r, &report->scale));
        report->iterations++;
        report->residual = change;
        if (problem->count > 1 && change > 4.0 * DBL_EPSILON * report->scale) continue;
        report->residual = 0.0;
        return;
    }
}
