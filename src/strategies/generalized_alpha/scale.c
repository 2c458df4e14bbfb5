/* What residuals and multipliers are measured by. A residual of a momentum counts by the mass of its own dof:
 * beside a heavy body a light one would never be solved for. */
#include <float.h>
#include <math.h>

#include "linalg/kernels.h"
#include "strategies/generalized_alpha/nonsmooth_alpha.h"

/* what will do where rounding keeps a residual from falling further; and at most, of larger tolerances */
static const double ACCEPTED = 1e-7;

/* of rounding: a gap below it is closed, so that rounding does not decide whether a body that arrives at a
 * step's end has arrived; a residual of a gap below it is none */
static const double CLOSED = 1e3, LEVEL = 4.0;

/* of the tolerance: a step that starts with less needs no solve */
static const double UNSOLVED = 1e-4;

/* --- the start ------------------------------------------------------------------------------------ */

/* a row of constraints or a tangent: column j of w */
struct row {
    const struct sg_columns *w;
    size_t j;
};

static struct row row_of(const struct sg_ggl *ggl, size_t row)
{
    const struct sg_ggl_problem *p = ggl->problem;
    if (row < p->bilateral) return (struct row){p->rows[0], row};
    if (row < ggl->rows) return (struct row){p->rows[1], row - p->bilateral};
    return (struct row){p->tangent, row - ggl->rows};
}

static size_t dof_of(const struct sg_columns *w, size_t j, size_t k)
{
    return w->row != NULL ? w->row[k] : w->first[j] + (k - w->start[j]);
}

/* w . diag(M)^-1 w, of dofs with mass */
static double mobility(const struct sg_ggl *ggl, struct row row)
{
    const struct sg_columns *w = row.w;
    double sum = 0.0;
    for (size_t k = w->start[row.j]; k < w->start[row.j + 1]; k++) {
        double mass = ggl->mass[dof_of(w, row.j, k)];
        if (mass > 0.0) sum += w->value[k] * w->value[k] / mass;
    }
    return sum;
}

/* Dofs without mass: that of the lightest constraint on them. Negative until all are found. */
static void lend_mass(struct sg_ggl *ggl, struct row row, double give)
{
    const struct sg_columns *w = row.w;
    if (give == 0.0) return;
    for (size_t k = w->start[row.j]; k < w->start[row.j + 1]; k++) {
        double *mass = &ggl->mass[dof_of(w, row.j, k)];
        if (*mass > 0.0 || w->value[k] == 0.0) continue;
        if (*mass == 0.0 || -*mass > 1.0 / give) *mass = -1.0 / give;
    }
}

/* a power of two next to x^-1/2: what is scaled by it keeps its bits */
static double root(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, -(exponent >= 0 ? exponent / 2 : (exponent - 1) / 2));
}

/* Residuals are measured as speeds of points, whatever the unit of a dof; S_t by its own masses. */
static void take_units(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    for (size_t i = 0; i < ggl->n; i++) {
        ggl->ease[i] = root(ggl->mass[i]);
        ggl->unit[i] = p->reach != NULL ? 1.0 / p->reach[i] : 1.0;
        ggl->mass[i] *= ggl->unit[i];
        ggl->stiff[i] *= ggl->unit[i];
        ggl->damp[i] *= ggl->unit[i];
    }
    for (size_t j = 0; j < ggl->rows + p->unilateral * p->tangents; j++) ggl->grip[j] = root(ggl->give[j]);
}

sg_status sg_ggl_scale_init(struct sg_ggl *ggl, struct sg_error *err)
{
    const struct sg_ggl_problem *p = ggl->problem;
    size_t count = ggl->rows + p->unilateral * p->tangents;
    double most = 0.0, heaviest = 0.0;
    for (size_t i = 0; i < ggl->n; i++) {
        ggl->mass[i] = sg_matrix_entry(p->M, i, i);
        heaviest = fmax(heaviest, ggl->mass[i]);
        ggl->massless = ggl->massless || !(ggl->mass[i] > 0.0);
        ggl->stiff[i] = fabs(sg_matrix_entry(p->K, i, i));
        ggl->damp[i] = p->C != NULL ? fabs(sg_matrix_entry(p->C, i, i)) : 0.0;
    }
    if (!(heaviest > 0.0)) FAIL(err, SG_NO_SOLUTION, "no dof has a mass");
    for (size_t j = 0; j < count; j++) {
        ggl->give[j] = mobility(ggl, row_of(ggl, j));
        if (j < ggl->rows) most = fmax(most, ggl->give[j]);
    }
    ggl->push = most > 0.0 ? 1.0 / most : heaviest;
    for (size_t j = 0; j < count; j++) lend_mass(ggl, row_of(ggl, j), ggl->give[j]);
    for (size_t i = 0; i < ggl->n; i++) ggl->mass[i] = ggl->mass[i] != 0.0 ? fabs(ggl->mass[i]) : heaviest;
    for (size_t j = 0; j < count; j++)
        if (ggl->give[j] == 0.0) ggl->give[j] = 1.0 / ggl->push;
    take_units(ggl);
    ggl->hefty = NAN;
    return SG_OK;
}

bool sg_ggl_is_closed(const struct sg_ggl *ggl, size_t row, double gap)
{
    return gap <= CLOSED * ggl->problem->rounding[row];
}

double sg_ggl_yield(const struct sg_ggl *ggl, size_t row)
{
    return ggl->yield * ggl->give[row];
}

/* --- convergence ---------------------------------------------------------------------------------- */

/* Residuals fall fast until rounding holds them: where they no longer fall, what is left is rounding. */
bool sg_ggl_is_settled(struct sg_ggl_progress *progress, double residual, double tolerance)
{
    /* what the step before left is not taken again unsolved, or it would add up */
    bool first = progress->last == HUGE_VAL;
    if (residual <= (first ? UNSOLVED * tolerance : tolerance)) return true;
    if (residual > 0.5 * progress->last) progress->stalls++;
    progress->last = residual;
    return progress->stalls >= 3 && residual <= ACCEPTED;
}

bool sg_ggl_is_solved(const struct sg_ggl *ggl, double residual)
{
    return residual <= fmax(ACCEPTED, ggl->spec.tolerance);
}

/* up to so many a call of a vector loop costs more than it saves */
enum { FEW = 12 };

/* the largest modulus, the largest beside a mass; NaN where one is not a number */
SG_HOT static double largest_of_many(size_t n, const double *x)
{
    double most = 0.0, poison = 0.0;
#pragma omp simd reduction(max : most) reduction(+ : poison)
    for (size_t i = 0; i < n; i++) {
        double size = fabs(x[i]);
        most = size > most ? size : most;
        poison += x[i] - x[i];
    }
    return most + poison;
}

static double largest(size_t n, const double *x)
{
    double most = 0.0, poison = 0.0;
    if (n > FEW) return largest_of_many(n, x);
    for (size_t i = 0; i < n; i++) {
        double size = fabs(x[i]);
        most = size > most ? size : most;
        poison += x[i] - x[i];
    }
    return most + poison;
}

SG_HOT static double largest_beside_many(size_t n, const double *x, const double *mass)
{
    double most = 0.0, poison = 0.0;
#pragma omp simd reduction(max : most) reduction(+ : poison)
    for (size_t i = 0; i < n; i++) {
        double size = fabs(x[i]) / mass[i];
        most = size > most ? size : most;
        poison += x[i] - x[i];
    }
    return most + poison;
}

static double largest_beside(size_t n, const double *x, const double *mass)
{
    double most = 0.0, poison = 0.0;
    if (n > FEW) return largest_beside_many(n, x, mass);
    for (size_t i = 0; i < n; i++) {
        double size = fabs(x[i]) / mass[i];
        most = size > most ? size : most;
        poison += x[i] - x[i];
    }
    return most + poison;
}

/* 1 or, of bilateral rows that are angles, m */
static double row_reach(const struct sg_ggl *ggl, size_t row)
{
    const struct sg_ggl_problem *p = ggl->problem;
    return p->row_reach != NULL && row < p->bilateral ? p->row_reach[row] : 1.0;
}

static double largest_of(const struct sg_ggl *ggl, const struct sg_ggl_list *list, const double *x)
{
    double most = 0.0;
    for (size_t i = 0; i < list->count; i++) {
        double size = fabs(x[list->row[i]]) * row_reach(ggl, list->row[i]);
        most = size > most || isnan(size) ? size : most;
    }
    return most;
}

/* of positions: what rounding leaves of them is none */
static double largest_gap(const struct sg_ggl *ggl, const struct sg_ggl_list *list, const double *x)
{
    double most = 0.0;
    for (size_t i = 0; i < list->count; i++) {
        size_t j = list->row[i];
        double size = fabs(x[j]);
        if (size * ggl->h <= LEVEL * ggl->problem->rounding[j]) continue;
        size *= row_reach(ggl, j);
        most = size > most || isnan(size) ? size : most;
    }
    return most;
}

static double slide(const struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    double most = 0.0;
    for (size_t i = p->bilateral; i < ggl->pushed.count && p->tangents > 0; i++)
        most += largest(p->tangents, ggl->ct + (ggl->pushed.row[i] - p->bilateral) * p->tangents);
    return most;
}

/* of S's smooth block: stiff dofs are moved less by what is left of a force */
static void weigh(struct sg_ggl *ggl)
{
    double h = ggl->h, move = sg_ggl_move(ggl);
    if (ggl->hefty == h) return;
    for (size_t i = 0; i < ggl->n; i++)
        ggl->heft[i] = ggl->mass[i] + h * (move * ggl->stiff[i] + ggl->damp[i]);
    ggl->hefty = h;
}

/* m/s: velocities of the run and of this iterate, corrections of positions, and what forces make in a step */
static double set_pace(struct sg_ggl *ggl)
{
    size_t n = ggl->n;
    double pace =
        fmax(ggl->speed, fmax(largest_beside(n, ggl->v, ggl->unit), largest_beside(n, ggl->vt, ggl->unit)));
    if (ggl->spec.level == SG_GGL_BOTH) pace = fmax(pace, largest_beside(n, ggl->U, ggl->unit) / ggl->h);
    ggl->pace = pace;
    return fmax(fmax(pace, ggl->h * largest_beside(n, ggl->f, ggl->heft)), DBL_MIN);
}

/* sums, through which what is not a number is not lost */
double sg_ggl_residual(struct sg_ggl *ggl, int blocks)
{
    bool places = (blocks & SG_GGL_PLACE) && ggl->spec.level == SG_GGL_BOTH;
    bool kicks = (blocks & SG_GGL_KICK) && ggl->spec.level != SG_GGL_POSITION;
    bool index3 = ggl->spec.level == SG_GGL_POSITION;
    double size = 0.0;
    weigh(ggl);
    if (blocks & SG_GGL_SMOOTH) {
        size += largest_beside(ggl->n, ggl->rs, ggl->heft);
        size += index3 ? largest_gap(ggl, &ggl->smooth, ggl->cs) : largest_of(ggl, &ggl->smooth, ggl->cs);
    }
    if (places) size += largest_beside(ggl->n, ggl->rp, ggl->mass) + largest_gap(ggl, &ggl->closed, ggl->cp);
    if (kicks)
        size +=
            largest_beside(ggl->n, ggl->rv, ggl->mass) + largest_of(ggl, &ggl->pushed, ggl->cv) + slide(ggl);
    double pace = set_pace(ggl);
    return size == 0.0 ? 0.0 : size / pace;
}
