/* Residuals (39) of Bruels, Acary and Cardona 2014 with the sign and the sets that docs/
 * nonsmooth-generalized-alpha.md derives, and the active sets (38). */
#include <math.h>
#include <string.h>

#include "linalg/kernels.h"
#include "strategies/generalized_alpha/nonsmooth_alpha.h"

bool sg_ggl_is_zero(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] != 0.0) return false;
    return true;
}

double sg_ggl_dot(const struct sg_ggl *ggl, size_t row, const double *x)
{
    const struct sg_ggl_problem *p = ggl->problem;
    return row < p->bilateral ? sg_columns_dot(p->rows[0], row, x)
                              : sg_columns_dot(p->rows[1], row - p->bilateral, x);
}

void sg_ggl_add(const struct sg_ggl *ggl, size_t row, double s, double *y)
{
    const struct sg_ggl_problem *p = ggl->problem;
    if (row < p->bilateral)
        sg_columns_add(p->rows[0], row, s, y);
    else
        sg_columns_add(p->rows[1], row - p->bilateral, s, y);
}

static double restitution(const struct sg_ggl *ggl, size_t row)
{
    const struct sg_ggl_problem *p = ggl->problem;
    return row < p->bilateral ? 0.0 : p->restitution[row - p->bilateral];
}

/* --- where ---------------------------------------------------------------------------------------- */

/* q and v of the iterate */
static void add_corrections(struct sg_ggl *ggl)
{
    if (ggl->spec.level == SG_GGL_VELOCITY)
        for (size_t i = 0; i < ggl->n; i++) ggl->U[i] = 0.5 * ggl->h * ggl->W[i];
    for (size_t i = 0; i < ggl->n; i++) {
        ggl->q[i] = ggl->qt[i] + ggl->U[i];
        ggl->v[i] = ggl->vt[i] + ggl->W[i];
    }
}

/* with the gaps at q~ */
static void find_near(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    for (size_t j = 0; j < p->unilateral; j++)
        ggl->near[j] = sg_ggl_is_closed(ggl, p->bilateral + j, p->gap[p->bilateral + j]);
}

/* The iterate, and whether the unilateral gaps are closed at q~; the problem stays at q. Gaps that cost
 * little are found twice rather than to see whether q is q~. */
static void place(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    bool asks = p->unilateral > 0 && ggl->spec.level != SG_GGL_POSITION && !ggl->frozen;
    add_corrections(ggl);
    bool apart = p->affine || !sg_ggl_is_zero(ggl->n, ggl->U);
    if (asks && apart) {
        p->find_gaps(p->self, ggl->t, ggl->qt);
        find_near(ggl);
    }
    p->place(p->self, ggl->t, ggl->q);
    if (asks && !apart) find_near(ggl);
}

/* --- active sets ---------------------------------------------------------------------------------- */

static void list(struct sg_ggl_list *list, size_t row)
{
    list->row[list->count++] = row;
}

static void choose_smooth(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    bool all = ggl->spec.level == SG_GGL_POSITION;
    double push = ggl->push / (ggl->h * ggl->h);
    ggl->smooth.count = 0;
    if (ggl->spec.level == SG_GGL_VELOCITY) return;
    for (size_t j = 0; j < (all ? ggl->rows : p->bilateral); j++) {
        if (j < p->bilateral || ggl->lam[j] - push * p->gap[j] >= 0.0)
            list(&ggl->smooth, j);
        else
            ggl->lam[j] = 0.0;
    }
}

/* friction of a contact that pushes with xi_N: stick if |xi_T| <= mu xi_N */
static void choose_slip(struct sg_ggl *ggl, size_t j, double xi)
{
    const struct sg_ggl_problem *p = ggl->problem;
    double square = 0.0, *way = ggl->way + j * p->tangents;
    for (size_t k = 0; k < p->tangents; k++) {
        size_t column = j * p->tangents + k;
        way[k] = ggl->LamT[column] - ggl->push * sg_columns_dot(p->tangent, column, ggl->v);
        square += way[k] * way[k];
    }
    double size = sqrt(square), mu = p->friction[j];
    ggl->slip[j] = mu == 0.0 || size > mu * xi;
    ggl->reach[j] = size;
    for (size_t k = 0; k < p->tangents; k++) way[k] = size > 0.0 ? way[k] / size : 0.0;
}

static void choose_pushed(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    ggl->pushed.count = 0;
    if (ggl->spec.level == SG_GGL_POSITION) return;
    for (size_t j = 0; j < p->bilateral; j++) list(&ggl->pushed, j);
    for (size_t j = p->bilateral; j < ggl->rows; j++) {
        size_t u = j - p->bilateral;
        double xi = ggl->Lam[j] - ggl->push * ggl->cv[j];
        if (ggl->near[u] && xi >= 0.0) {
            list(&ggl->pushed, j);
            if (p->tangents > 0) choose_slip(ggl, u, xi);
        } else {
            ggl->Lam[j] = 0.0;
            memset(ggl->LamT + u * p->tangents, 0, p->tangents * sizeof(double));
        }
    }
}

/* Of the modified condition nu - h Lam takes the place of nu: out of the set nu follows Lam. */
static void choose_closed(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    bool modified = ggl->spec.variant == SG_GGL_MODIFIED;
    ggl->closed.count = 0;
    if (ggl->spec.level != SG_GGL_BOTH) return;
    for (size_t j = 0; j < ggl->rows; j++) {
        double least = modified && j >= p->bilateral ? ggl->h * ggl->Lam[j] : 0.0;
        double beyond = ggl->follows[j] ? 0.0 : ggl->nu[j] - least;
        bool closes = j < p->bilateral || beyond - ggl->push * p->gap[j] >= 0.0;
        if (closes) list(&ggl->closed, j);
        if (!closes || ggl->follows[j]) ggl->nu[j] = least;
        ggl->follows[j] = modified && !closes;
    }
}

/* --- residuals ------------------------------------------------------------------------------------ */

static void add_rows(const struct sg_ggl *ggl, double s, const double *multiplier, double *y)
{
    for (size_t j = 0; j < ggl->rows; j++)
        if (multiplier[j] != 0.0) sg_ggl_add(ggl, j, s * multiplier[j], y);
}

static void smooth_residual(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    bool places = ggl->spec.level == SG_GGL_POSITION;
    p->force(p->self, ggl->t, ggl->q, ggl->v, ggl->f);
    sg_matrix_multiply(p->M, ggl->vd, ggl->rs);
    for (size_t i = 0; i < ggl->n; i++) ggl->rs[i] = ggl->h * (ggl->rs[i] - ggl->f[i]);
    add_rows(ggl, -ggl->h, ggl->lam, ggl->rs);
    for (size_t i = 0; i < ggl->smooth.count; i++) {
        size_t j = ggl->smooth.row[i];
        ggl->cs[j] = places ? p->gap[j] / ggl->h : sg_ggl_dot(ggl, j, ggl->vt) + p->drift[j];
    }
}

static void place_residual(struct sg_ggl *ggl)
{
    double inverse = 1.0 / ggl->h;
    if (ggl->spec.level != SG_GGL_BOTH) return;
    sg_matrix_multiply(ggl->problem->M, ggl->U, ggl->rp);
    for (size_t i = 0; i < ggl->n; i++) ggl->rp[i] *= inverse;
    add_rows(ggl, -inverse, ggl->nu, ggl->rp);
    for (size_t i = 0; i < ggl->closed.count; i++) {
        size_t j = ggl->closed.row[i];
        ggl->cp[j] = ggl->problem->gap[j] * inverse;
    }
}

/* as velocities; of a contact that slips the impulse beside the cone */
static void slide_residual(struct sg_ggl *ggl, size_t j)
{
    const struct sg_ggl_problem *p = ggl->problem;
    double bound = p->friction[j] * ggl->Lam[p->bilateral + j];
    for (size_t k = 0; k < p->tangents; k++) {
        size_t column = j * p->tangents + k;
        ggl->ct[column] = ggl->slip[j] ? (ggl->LamT[column] - bound * ggl->way[column]) / ggl->push
                                       : sg_columns_dot(p->tangent, column, ggl->v);
        if (ggl->LamT[column] != 0.0) sg_columns_add(p->tangent, column, -ggl->LamT[column], ggl->rv);
    }
}

static void kick_residual(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    if (ggl->spec.level == SG_GGL_POSITION) return;
    sg_matrix_multiply(p->M, ggl->W, ggl->rv);
    add_rows(ggl, -1.0, ggl->Lam, ggl->rv);
    if (p->tangents == 0) return;
    for (size_t i = p->bilateral; i < ggl->pushed.count; i++)
        slide_residual(ggl, ggl->pushed.row[i] - p->bilateral);
}

void sg_ggl_evaluate(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    place(ggl);
    if (ggl->spec.level != SG_GGL_POSITION)
        for (size_t j = 0; j < ggl->rows; j++)
            ggl->cv[j] = sg_ggl_dot(ggl, j, ggl->v) + p->drift[j] + restitution(ggl, j) * ggl->rate0[j];
    choose_smooth(ggl);
    choose_pushed(ggl);
    choose_closed(ggl);
    smooth_residual(ggl);
    place_residual(ggl);
    kick_residual(ggl);
}
