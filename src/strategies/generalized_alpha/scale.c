/* What residuals and multipliers are measured by. A residual of a momentum counts by the mass of its own dof:
 * beside a heavy body a light one would never be solved for. */
#include "strategies/generalized_alpha/scale.h"

#include <float.h>
#include <math.h>

#include "linalg/kernels.h"

/* A residual of this size will do where rounding keeps it from falling further. */
static const double ACCEPTED = 1e-7;

/* In units of rounding: a gap below CLOSED is closed, so that rounding does not decide whether a body that
 * arrives at a step's end has arrived; a residual of a gap below LEVEL is none. */
static const double CLOSED = 1e3, LEVEL = 4.0;

/* A step that starts with less than this part of the tolerance needs no solve. */
static const double UNSOLVED = 1e-4;

/* --- the start ------------------------------------------------------------------------------------ */

static sg_status allocate(struct sg_ggl *ggl, size_t count, struct sg_error *err)
{
    struct sg_ggl_scale *s = &ggl->scale;
    double **const by_dof[] = {&s->unit,    &s->mass,           &s->stiffness,
                               &s->damping, &s->effective_mass, &s->dof_scaling};
    for (size_t k = 0; k < sizeof by_dof / sizeof *by_dof; k++)
        TRY(SG_ARENA_NEW(ggl->arena, by_dof[k], ggl->n, err));
    TRY(SG_ARENA_NEW(ggl->arena, &s->delassus_diag, count, err));
    return SG_ARENA_NEW(ggl->arena, &s->row_scaling, count, err);
}

/* An entry is w . diag(M)^-1 w over dofs with mass. */
static double delassus_entry(const struct sg_ggl *ggl, size_t row)
{
    struct sg_ggl_row of = sg_ggl_row(ggl, row);
    const struct sg_columns *w = of.w;
    double sum = 0.0;
    for (size_t k = w->start[of.column]; k < w->start[of.column + 1]; k++) {
        double mass = ggl->scale.mass[sg_columns_row(w, of.column, k)];
        if (mass > 0.0) sum += w->value[k] * w->value[k] / mass;
    }
    return sum;
}

/* Dofs without mass get that of the lightest constraint on them. Negative until all are found. */
static void lend_mass(struct sg_ggl *ggl, size_t row)
{
    struct sg_ggl_row of = sg_ggl_row(ggl, row);
    const struct sg_columns *w = of.w;
    double entry = ggl->scale.delassus_diag[row];
    if (entry == 0.0) return;
    for (size_t k = w->start[of.column]; k < w->start[of.column + 1]; k++) {
        double *mass = &ggl->scale.mass[sg_columns_row(w, of.column, k)];
        if (*mass > 0.0 || w->value[k] == 0.0) continue;
        if (*mass == 0.0 || -*mass > 1.0 / entry) *mass = -1.0 / entry;
    }
}

/* This is a power of two next to x^-1/2: what is scaled by it keeps its bits. */
static double root(double x)
{
    int exponent;
    frexp(x, &exponent);
    return ldexp(1.0, -(exponent >= 0 ? exponent / 2 : (exponent - 1) / 2));
}

/* Residuals are measured as speeds of points, whatever the unit of a dof; S_t by its own masses. */
static void take_units(struct sg_ggl *ggl, size_t count)
{
    const struct sg_ggl_problem *p = ggl->problem;
    struct sg_ggl_scale *s = &ggl->scale;
    for (size_t i = 0; i < ggl->n; i++) {
        s->dof_scaling[i] = root(s->mass[i]);
        s->unit[i] = p->dof_length != NULL ? 1.0 / p->dof_length[i] : 1.0;
        s->mass[i] *= s->unit[i];
        s->stiffness[i] *= s->unit[i];
        s->damping[i] *= s->unit[i];
    }
    for (size_t j = 0; j < count; j++) s->row_scaling[j] = root(s->delassus_diag[j]);
}

/* Takes the diagonals of the matrices; returns the largest mass. */
static double take_diagonals(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    struct sg_ggl_scale *s = &ggl->scale;
    double heaviest = 0.0;
    for (size_t i = 0; i < ggl->n; i++) {
        s->mass[i] = sg_matrix_entry(p->M, i, i);
        heaviest = fmax(heaviest, s->mass[i]);
        s->massless = s->massless || !(s->mass[i] > 0.0);
        s->stiffness[i] = fabs(sg_matrix_entry(p->K, i, i));
        s->damping[i] = p->C != NULL ? fabs(sg_matrix_entry(p->C, i, i)) : 0.0;
    }
    return heaviest;
}

sg_status sg_ggl_scale_init(struct sg_ggl *ggl, struct sg_error *err)
{
    struct sg_ggl_scale *s = &ggl->scale;
    size_t count = ggl->rows + ggl->problem->unilateral * ggl->problem->tangents;
    size_t t = ggl->problem->tangents;
    double largest = 0.0;
    TRY(allocate(ggl, count, err));
    double heaviest = take_diagonals(ggl);
    if (!(heaviest > 0.0)) FAIL(err, SG_NO_SOLUTION, "no dof has a mass");
    for (size_t j = 0; j < count; j++) {
        s->delassus_diag[j] = delassus_entry(ggl, j);
        if (j < ggl->rows) largest = fmax(largest, s->delassus_diag[j]);
    }
    for (size_t j = 0; j < count; j++) lend_mass(ggl, j);
    for (size_t i = 0; i < ggl->n; i++) s->mass[i] = s->mass[i] != 0.0 ? fabs(s->mass[i]) : heaviest;
    for (size_t j = 0; j < count; j++)
        if (s->delassus_diag[j] == 0.0) s->delassus_diag[j] = largest > 0.0 ? largest : 1.0 / heaviest;
    for (size_t j = ggl->rows; j + 1 < count && t > 1; j += t)
        s->delassus_diag[j] = s->delassus_diag[j + 1] = fmax(s->delassus_diag[j], s->delassus_diag[j + 1]);
    take_units(ggl, count);
    s->effective_h = NAN;
    return SG_OK;
}

bool sg_ggl_is_closed(const struct sg_ggl *ggl, size_t row, double gap)
{
    return gap <= CLOSED * ggl->problem->rounding[row];
}

bool sg_ggl_is_pushed_out(const struct sg_ggl *ggl, size_t row)
{
    return !sg_ggl_is_closed(ggl, row, ggl->nu[row] * ggl->scale.delassus_diag[row]);
}

double sg_ggl_regularization(const struct sg_ggl *ggl, size_t row)
{
    return ggl->regularization * ggl->scale.delassus_diag[row];
}

/* --- convergence ---------------------------------------------------------------------------------- */

/* Residuals fall fast until rounding holds them: where they no longer fall, what is left is rounding. */
bool sg_ggl_is_settled(struct sg_ggl_progress *progress, double residual, double tolerance)
{
    /* Without the stricter bound at the start, what steps leave unsolved would add up. */
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

/* Up to so many entries a call of a vector loop costs more than it saves. */
enum { FEW = 12 };

/* Returns the largest |x_i| / mass_i; NaN where one is not a number, which no maximum would show. */
SG_HOT static double largest_of_many(size_t n, const double *x, const double *mass)
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

static double largest(size_t n, const double *x, const double *mass)
{
    double most = 0.0, poison = 0.0;
    if (n > FEW) return largest_of_many(n, x, mass);
    for (size_t i = 0; i < n; i++) {
        double size = fabs(x[i]) / mass[i];
        most = size > most ? size : most;
        poison += x[i] - x[i];
    }
    return most + poison;
}

/* A unit of a row moves points by this: 1 or, of bilateral rows that are angles, m. */
static double row_length(const struct sg_ggl *ggl, size_t row)
{
    const struct sg_ggl_problem *p = ggl->problem;
    return p->row_length != NULL && row < p->bilateral ? p->row_length[row] : 1.0;
}

/* Finds the largest violation of a part's active rows. Where they are gaps, what rounding leaves of them is
 * none. */
static double largest_violation(const struct sg_ggl *ggl, const struct sg_ggl_part *part, bool gaps)
{
    double most = 0.0;
    for (size_t i = 0; i < part->active.count; i++) {
        size_t j = part->active.row[i];
        bool tangent = j >= ggl->rows;
        if (tangent && !gaps) break; /* of the jump: sum_slides */
        if (tangent) j = ggl->problem->bilateral + (j - ggl->rows) / ggl->problem->tangents;
        double size = fabs(part->violation[part->active.row[i]]);
        if (gaps && size * ggl->h <= LEVEL * ggl->problem->rounding[j]) continue;
        size *= row_length(ggl, j);
        most = size > most || isnan(size) ? size : most;
    }
    return most;
}

/* Adds up the largest residual of friction of each contact that pushes. */
static double sum_slides(const struct sg_ggl *ggl)
{
    const struct sg_ggl_part *part = &ggl->part[SG_GGL_JUMP];
    size_t t = ggl->problem->tangents;
    double sum = 0.0, most = 0.0;
    for (size_t i = ggl->problem->bilateral; t > 0 && i < part->active.count; i++) {
        size_t row = part->active.row[i];
        if (row < ggl->rows) continue;
        double size = fabs(part->violation[row]);
        bool first = (row - ggl->rows) % t == 0, last = (row - ggl->rows) % t == t - 1;
        most = first || size > most || isnan(size) ? size : most;
        if (last) sum += most;
    }
    return sum;
}

/* The effective mass is about the diagonal of S: stiff dofs are moved less by what is left of a force.
 */
static void find_effective_mass(struct sg_ggl *ggl)
{
    struct sg_ggl_scale *s = &ggl->scale;
    double h = ggl->h, q_by_v = sg_ggl_q_by_v(ggl);
    if (s->effective_h == h) return;
    for (size_t i = 0; i < ggl->n; i++)
        s->effective_mass[i] = s->mass[i] + h * (q_by_v * s->stiffness[i] + s->damping[i]);
    s->effective_h = h;
}

/* The scale (m/s) is the largest of the velocities of the run and of this iterate, of corrections of
 * positions over h, and of what forces make in a step. */
static double find_velocity_scale(struct sg_ggl *ggl)
{
    struct sg_ggl_scale *s = &ggl->scale;
    size_t n = ggl->n;
    bool jumps = ggl->level->jumps && !ggl->part[SG_GGL_JUMP].still;
    bool corrects = ggl->level->corrects && !ggl->part[SG_GGL_CORRECTION].still;
    double scale = fmax(s->speed, largest(n, ggl->vt, s->unit));
    if (jumps) scale = fmax(scale, largest(n, ggl->v, s->unit));
    s->motion = scale;
    s->correction = corrects ? largest(n, ggl->U, s->unit) / ggl->h : 0.0;
    scale = fmax(scale, s->correction);
    s->velocity_scale = scale;
    return fmax(fmax(scale, ggl->h * largest(n, ggl->f, s->effective_mass)), DBL_MIN);
}

static double part_residual(const struct sg_ggl *ggl, enum sg_ggl_part_name p)
{
    const struct sg_ggl_part *part = &ggl->part[p];
    const double *mass = p == SG_GGL_SMOOTH ? ggl->scale.effective_mass : ggl->scale.mass;
    bool gaps = p == SG_GGL_CORRECTION || !ggl->level->jumps;
    double size = part->still ? 0.0 : largest(ggl->n, part->momentum, mass);
    size += largest_violation(ggl, part, gaps);
    return p == SG_GGL_JUMP ? size + sum_slides(ggl) : size;
}

/* Residuals are added, not compared: so one that is not a number is not lost. */
double sg_ggl_residual(struct sg_ggl *ggl, int parts)
{
    double size = 0.0;
    parts &= ggl->level->parts;
    find_effective_mass(ggl);
    for (size_t p = 0; p < SG_GGL_PARTS; p++)
        if (parts & SG_GGL_ONLY(p)) size += part_residual(ggl, (enum sg_ggl_part_name)p);
    double scale = find_velocity_scale(ggl);
    return size == 0.0 ? 0.0 : size / scale;
}
