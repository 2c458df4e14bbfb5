/* Residuals (39) of Bruels, Acary and Cardona 2014 with the sign and the sets that docs/
 * nonsmooth-generalized-alpha.md derives, and the active sets (38).
 *
 * With r > 0 a scale, the complementarity 0 <= g _|_ nu >= 0 is the equation nu = max(0, nu - r g). Newton's
 * method for it is an active-set method: a row with nu - r g >= 0 is constrained, g = 0 with nu free, any
 * other has nu = 0. The sets are so chosen anew in each iterate, and r decides nothing but the way to the
 * solution. */
#include "strategies/generalized_alpha/residual.h"

#include <math.h>
#include <string.h>

#include "strategies/generalized_alpha/scale.h"

/* --- configuration -------------------------------------------------------------------------------- */

/* Puts q and v of the iterate together. */
static void add_corrections(struct sg_ggl *ggl)
{
    if (ggl->level->follows > 0.0)
        for (size_t i = 0; i < ggl->n; i++) ggl->U[i] = ggl->level->follows * ggl->h * ggl->W[i];
    for (size_t i = 0; i < ggl->n; i++) {
        ggl->q[i] = ggl->qt[i] + ggl->U[i];
        ggl->v[i] = ggl->vt[i] + ggl->W[i];
    }
}

/* The gaps at hand are those at q~. */
static void find_candidates(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    for (size_t j = 0; j < p->unilateral; j++)
        ggl->candidate[j] = sg_ggl_is_closed(ggl, p->bilateral + j, p->gap[p->bilateral + j]);
}

/* How far contacts that stuck have come along their tangents: H of the middle, which is exact where it does
 * not turn, and of third order in the turn of a step. */
static void find_travel(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    size_t t = p->tangents;
    bool held = false;
    if (t == 0 || !ggl->level->corrects) return;
    for (size_t j = 0; j < p->unilateral; j++) held = held || ggl->stuck[j];
    if (!held) return;
    /* f is filled anew behind this */
    if (!p->affine) {
        for (size_t i = 0; i < ggl->n; i++) ggl->f[i] = 0.5 * (ggl->q0[i] + ggl->q[i]);
        p->evaluate(p->self, ggl->t - 0.5 * ggl->h, ggl->f);
    }
    for (size_t i = 0; i < ggl->n; i++) ggl->f[i] = ggl->q[i] - ggl->q0[i];
    for (size_t k = 0; k < p->unilateral * t; k++)
        if (ggl->stuck[k / t]) ggl->travel[k] = sg_columns_dot(p->tangent, k, ggl->f);
}

/* Gaps at q~ say which contacts may have an impulse; the problem stays at q. Where gaps cost little they are
 * evaluated twice, rather than to find out whether q is q~. */
static void configure(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    bool asks = p->unilateral > 0 && ggl->level->jumps && !ggl->frozen;
    add_corrections(ggl);
    bool apart = p->affine || !sg_ggl_is_zero(ggl->n, ggl->U);
    if (asks && apart) {
        p->find_gaps(p->self, ggl->t, ggl->qt);
        find_candidates(ggl);
    }
    find_travel(ggl);
    p->evaluate(p->self, ggl->t, ggl->q);
    if (asks && !apart) find_candidates(ggl);
}

/* --- active sets ---------------------------------------------------------------------------------- */

static void activate(struct sg_ggl_part *part, size_t row)
{
    part->active.row[part->active.count++] = row;
}

/* Bilateral rows always are active; of unilateral ones without a law of impact (index 3) the gap is
 * complementary to the smooth force. */
static void choose_smooth(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    struct sg_ggl_part *part = &ggl->part[SG_GGL_SMOOTH];
    size_t count = !ggl->level->jumps ? ggl->rows : p->bilateral;
    double square = ggl->h * ggl->h;
    part->active.count = 0;
    if (!ggl->level->holds) return;
    for (size_t j = 0; j < count; j++) {
        if (j < p->bilateral || ggl->lam[j] - p->gap[j] / (square * ggl->scale.delassus_diag[j]) >= 0.0)
            activate(part, j);
        else
            ggl->lam[j] = 0.0;
    }
}

/* Finds xi_T = LamT - r (rates) of the tangents, by length and direction. */
static void find_slip_direction(struct sg_ggl *ggl, size_t j)
{
    const struct sg_ggl_problem *p = ggl->problem;
    double square = 0.0, *direction = ggl->slip_direction + j * p->tangents;
    for (size_t k = 0; k < p->tangents; k++) {
        size_t column = j * p->tangents + k;
        direction[k] = ggl->LamT[column] - sg_columns_dot(p->tangent, column, ggl->v) /
                                               ggl->scale.delassus_diag[ggl->rows + column];
        square += direction[k] * direction[k];
    }
    double norm = sqrt(square);
    ggl->slip_norm[j] = norm;
    for (size_t k = 0; k < p->tangents; k++) direction[k] = norm > 0.0 ? direction[k] / norm : 0.0;
}

/* Coulomb's cone by its projection: with xi = Lam - r (rates) of the normal too, the contact sticks where
 * |xi_T| <= mu xi_N, else it slips, with its impulse on the cone along xi_T. */
static void choose_slip(struct sg_ggl *ggl, size_t j, double xi)
{
    double mu = ggl->problem->friction[j];
    find_slip_direction(ggl, j);
    ggl->slip[j] = mu == 0.0 || ggl->slip_norm[j] > mu * xi;
}

void sg_ggl_activate_tangents(struct sg_ggl *ggl)
{
    struct sg_ggl_part *part = &ggl->part[SG_GGL_JUMP];
    size_t t = ggl->problem->tangents, bilateral = ggl->problem->bilateral;
    for (size_t i = bilateral, pushed = part->active.count; i < pushed; i++)
        for (size_t k = 0; k < t; k++) activate(part, ggl->rows + (part->active.row[i] - bilateral) * t + k);
}

/* Of nu the sets take a row where nu - r g >= 0. */
static bool closes(const struct sg_ggl *ggl, size_t j, double beyond)
{
    return beyond - ggl->problem->gap[j] / ggl->scale.delassus_diag[j] >= 0.0;
}

/* A contact that the correction closes may have an impulse too: q~ knows nothing of what holds a body below.
 */
static void add_candidates(struct sg_ggl *ggl)
{
    size_t b = ggl->problem->bilateral;
    if (!ggl->level->corrects || ggl->spec.variant != SG_GGL_STANDARD || !ggl->widened) return;
    for (size_t j = b; j < ggl->rows; j++)
        if (sg_ggl_is_pushed_out(ggl, j) && closes(ggl, j, ggl->nu[j])) ggl->candidate[j - b] = 1;
}

static void choose_jump(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    struct sg_ggl_part *part = &ggl->part[SG_GGL_JUMP];
    size_t t = p->tangents;
    part->active.count = 0;
    if (!ggl->level->jumps) return;
    add_candidates(ggl);
    for (size_t j = 0; j < p->bilateral; j++) activate(part, j);
    for (size_t j = p->bilateral; j < ggl->rows; j++) {
        size_t u = j - p->bilateral;
        double xi = ggl->Lam[j] - part->violation[j] / ggl->scale.delassus_diag[j];
        if (ggl->candidate[u] && xi >= 0.0) {
            activate(part, j);
            if (t > 0) choose_slip(ggl, u, xi);
        } else {
            ggl->Lam[j] = 0.0;
            ggl->slip[u] = 1;
            memset(ggl->LamT + u * t, 0, t * sizeof(double));
        }
    }
    sg_ggl_activate_tangents(ggl);
}

void sg_ggl_activate_held(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    size_t t = p->tangents;
    for (size_t j = 0; j < p->unilateral && t > 0; j++) {
        bool held = sg_ggl_is_held(ggl, j);
        for (size_t k = j * t; k < (j + 1) * t; k++) {
            if (held) activate(&ggl->part[SG_GGL_CORRECTION], ggl->rows + k);
            if (!held) ggl->nuT[k] = 0.0;
        }
    }
}

/* Of the modified condition (25), (27) nu - h Lam takes the place of nu: out of the set nu follows h Lam. */
static void choose_correction(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    struct sg_ggl_part *part = &ggl->part[SG_GGL_CORRECTION];
    bool modified = ggl->spec.variant == SG_GGL_MODIFIED;
    part->active.count = 0;
    if (!ggl->level->corrects) return;
    for (size_t j = 0; j < ggl->rows; j++) {
        double least = modified && j >= p->bilateral ? ggl->h * ggl->Lam[j] : 0.0;
        bool closed = j < p->bilateral || closes(ggl, j, ggl->follows[j] ? 0.0 : ggl->nu[j] - least);
        if (closed) activate(part, j);
        if (!closed || ggl->follows[j]) ggl->nu[j] = least;
        ggl->follows[j] = modified && !closed;
    }
    sg_ggl_activate_held(ggl);
}

/* --- residuals ------------------------------------------------------------------------------------ */

/* The residual is s (M motion - f) - s G^T multiplier; f NULL: none. */
static void momentum(struct sg_ggl *ggl, enum sg_ggl_part_name p, const double *motion, const double *f)
{
    struct sg_ggl_part *part = &ggl->part[p];
    double *r = part->momentum, s = sg_ggl_momentum_scale(ggl, p);
    size_t count = ggl->rows + (p != SG_GGL_SMOOTH ? ggl->problem->unilateral * ggl->problem->tangents : 0);
    part->still = f == NULL && sg_ggl_is_zero(ggl->n, motion) && sg_ggl_is_zero(count, part->multiplier);
    if (part->still) {
        memset(r, 0, ggl->n * sizeof *r);
        return;
    }
    sg_matrix_multiply(ggl->problem->M, motion, r);
    for (size_t i = 0; i < ggl->n; i++) r[i] = s * (f != NULL ? r[i] - f[i] : r[i]);
    for (size_t j = 0; j < count; j++)
        if (part->multiplier[j] != 0.0) sg_ggl_add(ggl, j, -s * part->multiplier[j], r);
}

static void smooth_residual(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    struct sg_ggl_part *part = &ggl->part[SG_GGL_SMOOTH];
    bool by_gaps = !ggl->level->jumps;
    p->force(p->self, ggl->t, ggl->q, ggl->v, ggl->f);
    momentum(ggl, SG_GGL_SMOOTH, ggl->vd, ggl->f);
    for (size_t i = 0; i < part->active.count; i++) {
        size_t j = part->active.row[i];
        part->violation[j] = by_gaps ? p->gap[j] / ggl->h : sg_ggl_dot(ggl, j, ggl->vt) + p->drift[j];
    }
}

/* M U = G^T nu + H^T (nuT of contacts that are held, else (h/2) LamT).
 *
 * Friction acts over the step, so that its impulse is in the mean velocity by half: without H^T LamT here all
 * that slides is of first order, and what friction holds creeps by (F_T/m) h/2 a second. With the half alone
 *
 *     q - q_n = (h/2) (v_n + v)_T + h^2 (beta - gamma/2) (a - a_n),
 *
 * whose last term adds up to a bounded sum, but takes (h omega)^2 of the amplitude of an elastic node in each
 * cycle. Where a contact sticks, and did in the step before, the place itself is so kept by a multiplier of
 * its own, with the travel along the tangents in the place of a gap. A contact that alternates falls back to
 * the half. */
static void correction_residual(struct sg_ggl *ggl)
{
    struct sg_ggl_part *part = &ggl->part[SG_GGL_CORRECTION];
    size_t tangents = ggl->problem->unilateral * ggl->problem->tangents;
    double inverse = 1.0 / ggl->h;
    momentum(ggl, SG_GGL_CORRECTION, ggl->U, NULL);
    for (size_t i = 0; i < part->active.count; i++) {
        size_t j = part->active.row[i];
        part->violation[j] = inverse * (j < ggl->rows ? ggl->problem->gap[j] : ggl->travel[j - ggl->rows]);
    }
    for (size_t k = 0; k < tangents; k++) {
        if (ggl->LamT[k] == 0.0 || sg_ggl_is_held(ggl, k / ggl->problem->tangents)) continue;
        sg_ggl_add(ggl, ggl->rows + k, -0.5 * ggl->LamT[k], part->momentum);
        part->still = false;
    }
}

/* Friction, as velocities: H v of contacts that stick; of those that slip what their impulse lacks of the
 * cone's edge, LamT - mu Lam_N xi_T / |xi_T|. */
static void friction_violations(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    struct sg_ggl_part *part = &ggl->part[SG_GGL_JUMP];
    for (size_t i = p->bilateral; i < part->active.count; i++) {
        size_t row = part->active.row[i];
        if (row < ggl->rows) continue;
        size_t column = row - ggl->rows, j = column / p->tangents;
        double bound = p->friction[j] * ggl->Lam[p->bilateral + j];
        part->violation[row] = ggl->slip[j] ? (ggl->LamT[column] - bound * ggl->slip_direction[column]) *
                                                  ggl->scale.delassus_diag[row]
                                            : sg_columns_dot(p->tangent, column, ggl->v);
    }
}

void sg_ggl_find_rates(struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    double *violation = ggl->part[SG_GGL_JUMP].violation;
    for (size_t j = 0; j < ggl->rows; j++) {
        ggl->drift1[j] = p->drift[j];
        ggl->rate1[j] = sg_ggl_dot(ggl, j, ggl->v) + p->drift[j];
        violation[j] = ggl->rate1[j] + (j < p->bilateral ? 0.0 : sg_ggl_rebound(ggl, j - p->bilateral));
    }
}

/* Of fixed sets the direction of slip alone turns, in space. */
static void choose(struct sg_ggl *ggl)
{
    size_t t = ggl->problem->tangents;
    if (!ggl->fixed) {
        choose_smooth(ggl);
        choose_jump(ggl);
        choose_correction(ggl);
    } else if (t > 1) {
        for (size_t j = 0; j < ggl->problem->unilateral; j++)
            if (ggl->Lam[ggl->problem->bilateral + j] != 0.0) find_slip_direction(ggl, j);
    }
}

void sg_ggl_evaluate(struct sg_ggl *ggl)
{
    bool jumps = ggl->level->jumps;
    configure(ggl);
    if (jumps) sg_ggl_find_rates(ggl);
    choose(ggl);
    smooth_residual(ggl);
    if (ggl->level->corrects) correction_residual(ggl);
    if (!jumps) return;
    momentum(ggl, SG_GGL_JUMP, ggl->W, NULL);
    friction_violations(ggl);
}
