/* The tangent S_t, eq. (44) of Bruels, Acary and Cardona 2014, entry by entry: of the parts that are asked
 * for, with the rows of the active sets alone. */
#include "strategies/generalized_alpha/tangent.h"

#include <stdint.h>
#include <string.h>

#include "strategies/generalized_alpha/scale.h"

struct sg_ggl_layout sg_ggl_layout(const struct sg_ggl *ggl, int parts)
{
    static const enum sg_ggl_part_name order[] = {SG_GGL_JUMP, SG_GGL_SMOOTH, SG_GGL_CORRECTION};
    const size_t none = SIZE_MAX;
    struct sg_ggl_layout at = {{none, none, none}, {none, none, none}, 0};
    parts &= ggl->level->parts;
    for (size_t k = 0; k < SG_GGL_PARTS; k++) {
        enum sg_ggl_part_name p = order[k];
        if (!(parts & SG_GGL_ONLY(p))) continue;
        at.motion[p] = at.total;
        at.multiplier[p] = at.total + ggl->n;
        at.total = at.multiplier[p] + ggl->part[p].active.count;
    }
    return at;
}

/* Each constraint has at most eight places and its rate four, second derivatives have six. */
size_t sg_ggl_count_entries(const struct sg_ggl_problem *p)
{
    size_t columns = 0, rows = p->bilateral + p->unilateral;
    for (size_t k = 0; k < 2; k++)
        if (p->rows[k] != NULL) columns += p->rows[k]->start[p->rows[k]->q];
    if (p->tangents > 0) columns += p->tangents * p->tangent->start[p->tangent->q];
    size_t second = p->second != NULL ? p->second->count : 0;
    return 3 * (sg_saddle_entries(p->M) + sg_saddle_entries(p->K) + sg_saddle_entries(p->C)) + 12 * columns +
           12 * second + rows * p->tangents * (5 + p->tangents) + 3 * rows;
}

/* --- entries -------------------------------------------------------------------------------------- */

/* A motion that is an unknown has columns, and a unit of it changes q and v of the iterate by so much. */
struct mover {
    enum sg_ggl_part_name part;
    size_t column;
    double q, v;
};

/* This is the matrix that is being filled. */
struct filling {
    struct sg_ggl *ggl;
    struct sg_ggl_layout at;
    struct mover mover[SG_GGL_PARTS];
    size_t movers;
};

static struct sg_block block(const struct filling *fill, size_t row, size_t column, double s)
{
    return (struct sg_block){&fill->ggl->saddle, row, column, s};
}

/* Since q = q~ + U and v = v~ + W, each motion moves them so; at level `velocity` U = (h/2) W. */
static void find_movers(struct filling *fill)
{
    const struct sg_ggl *ggl = fill->ggl;
    double h = ggl->h, follows = ggl->level->follows * h;
    const struct mover all[] = {{SG_GGL_SMOOTH, 0, sg_ggl_q_by_v(ggl), 1.0},
                                {SG_GGL_CORRECTION, 0, h, 0.0},
                                {SG_GGL_JUMP, 0, follows, 1.0}};
    for (size_t k = 0; k < SG_GGL_PARTS; k++) {
        if (fill->at.motion[all[k].part] == SIZE_MAX) continue;
        fill->mover[fill->movers] = all[k];
        fill->mover[fill->movers++].column = fill->at.motion[all[k].part];
    }
}

static void add_row(const struct filling *fill, struct sg_block at, size_t j)
{
    struct sg_ggl_row row = sg_ggl_row(fill->ggl, j);
    sg_saddle_add_row(at, row.w, row.column);
}

/* G_j^T in the momentum of a motion: multipliers count as impulses with the sign of -dLam */
static void add_reaction(const struct filling *fill, size_t motion, size_t column, size_t j)
{
    struct sg_ggl_row row = sg_ggl_row(fill->ggl, j);
    sg_saddle_add_column(block(fill, motion, column, 1.0), row.w, row.column);
}

static bool curved(const struct sg_ggl *ggl)
{
    return !ggl->problem->affine && ggl->problem->second != NULL;
}

/* Adds s d(G^T multiplier)/dq where q moves: reactions turn with their constraints. */
static void geometric_block(const struct filling *fill, size_t motion, const double *multiplier, double s)
{
    struct sg_ggl *ggl = fill->ggl;
    const struct sg_ggl_problem *p = ggl->problem;
    if (sg_ggl_is_zero(ggl->rows, multiplier) || !curved(ggl)) return;
    p->sum_second(p->self, multiplier);
    for (size_t k = 0; k < fill->movers; k++)
        if (fill->mover[k].q != 0.0)
            sg_saddle_add_symmetric(block(fill, motion, fill->mover[k].column, s * fill->mover[k].q),
                                    p->second);
}

/* Adds s d(G_j v + drift)/dq where q moves: rates turn with their constraints too. */
static void add_turning(const struct filling *fill, size_t row, size_t j, double s)
{
    const struct sg_ggl_problem *p = fill->ggl->problem;
    bool contact = j >= p->bilateral;
    for (size_t k = 0; k < fill->movers; k++)
        if (fill->mover[k].q != 0.0)
            sg_saddle_add_row(block(fill, row, fill->mover[k].column, s * fill->mover[k].q), p->rate[contact],
                              contact ? j - p->bilateral : j);
}

/* Puts -R where a row meets its own multiplier. */
static void regularize(const struct filling *fill, size_t at, size_t row)
{
    const struct sg_ggl *ggl = fill->ggl;
    if (ggl->regularization > 0.0)
        sg_saddle_add(block(fill, at, at, -sg_ggl_regularization(ggl, row)), 0, 0, 1.0);
}

/* --- parts ---------------------------------------------------------------------------------------- */

/* The residual is h (M vd - f), and forces depend on all that moves q or v. */
static void add_forces(const struct filling *fill, size_t motion)
{
    const struct sg_ggl_problem *p = fill->ggl->problem;
    double h = fill->ggl->h;
    for (size_t k = 0; k < fill->movers; k++) {
        const struct mover *m = &fill->mover[k];
        if (p->C != NULL) sg_saddle_add_matrix(block(fill, motion, m->column, h * m->v), p->C);
        sg_saddle_add_matrix(block(fill, motion, m->column, h * m->q), p->K);
    }
}

/* A unit of the mover changes a row of the part by this weight. Rows are gaps over h, or rates of v~ or of v.
 */
static double row_weight(const struct sg_ggl *ggl, enum sg_ggl_part_name part, const struct mover *m)
{
    if (part == SG_GGL_CORRECTION) return m->q * (1.0 / ggl->h);
    if (part == SG_GGL_JUMP) return m->v;
    if (m->part != SG_GGL_SMOOTH) return 0.0;
    return !ggl->level->jumps ? m->q / ggl->h : 1.0;
}

static void add_rates(const struct filling *fill, enum sg_ggl_part_name part, size_t row, size_t j)
{
    for (size_t k = 0; k < fill->movers; k++) {
        double weight = row_weight(fill->ggl, part, &fill->mover[k]);
        if (weight != 0.0) add_row(fill, block(fill, row, fill->mover[k].column, weight), j);
    }
}

/* The i-th of the active rows of the jump is a tangent whose contact slips: (LamT - mu Lam_N d) / r = 0, with
 * the direction d = xi_T / |xi_T| of xi_T = LamT - r H v. In space d turns, by (1 - d d^T) dxi_T / |xi_T|. */
static void add_slip(const struct filling *fill, size_t i)
{
    const struct sg_ggl *ggl = fill->ggl;
    const struct sg_ggl_problem *p = ggl->problem;
    size_t t = p->tangents, tangent = ggl->part[SG_GGL_JUMP].active.row[i] - ggl->rows, k = tangent % t;
    size_t u = tangent / t, pushing = (ggl->part[SG_GGL_JUMP].active.count - p->bilateral) / (1 + t);
    size_t first = fill->at.multiplier[SG_GGL_JUMP] + i - k, motion[2], motions = 0;
    size_t normal = fill->at.multiplier[SG_GGL_JUMP] + p->bilateral + (i - p->bilateral - pushing) / t;
    const double *d = ggl->slip_direction + u * t;
    double bound = p->friction[u] * ggl->Lam[p->bilateral + u],
           inverse = ggl->scale.delassus_diag[ggl->rows + tangent];
    double turning = ggl->slip_norm[u] > 0.0 ? bound / ggl->slip_norm[u] : 0.0;
    struct sg_block row = block(fill, first + k, 0, inverse);
    sg_saddle_add(row, 0, first + k, -1.0);
    sg_saddle_add(row, 0, normal, p->friction[u] * d[k]);
    for (size_t m = 0; m < fill->movers; m++)
        if (fill->mover[m].v != 0.0) motion[motions++] = fill->mover[m].column;
    for (size_t l = 0; l < t && t > 1; l++) {
        double across = turning * ((k == l ? 1.0 : 0.0) - d[k] * d[l]);
        if (across == 0.0) continue;
        sg_saddle_add(row, 0, first + l, across);
        for (size_t m = 0; m < motions; m++)
            add_row(fill, block(fill, first + k, motion[m], across), ggl->rows + u * t + l);
    }
}

static bool slips(const struct sg_ggl *ggl, size_t row)
{
    return row >= ggl->rows && ggl->slip[(row - ggl->rows) / ggl->problem->tangents];
}

/* Columns of the multipliers, and rows of their constraints. A tangent that sticks is a constraint as any
 * other. */
static void add_constraints(const struct filling *fill, enum sg_ggl_part_name part, bool turns)
{
    const struct sg_ggl *ggl = fill->ggl;
    const struct sg_ggl_list *active = &ggl->part[part].active;
    for (size_t i = 0; i < active->count; i++) {
        size_t j = active->row[i], row = fill->at.multiplier[part] + i;
        add_reaction(fill, fill->at.motion[part], row, j);
        if (slips(ggl, j)) {
            add_slip(fill, i);
            continue;
        }
        add_rates(fill, part, row, j);
        if (turns && j < ggl->rows) add_turning(fill, row, j, 1.0);
        regularize(fill, row, j);
    }
}

/* Of the modified condition nu follows h Lam in rows that push without being closed. */
static void add_followers(const struct filling *fill)
{
    const struct sg_ggl *ggl = fill->ggl;
    const struct sg_ggl_list *closed = &ggl->part[SG_GGL_CORRECTION].active;
    const struct sg_ggl_list *pushed = &ggl->part[SG_GGL_JUMP].active;
    size_t motion = fill->at.motion[SG_GGL_CORRECTION];
    if (ggl->spec.variant != SG_GGL_MODIFIED || motion == SIZE_MAX) return;
    for (size_t i = 0, k = 0; i < pushed->count && pushed->row[i] < ggl->rows; i++) {
        size_t j = pushed->row[i];
        while (k < closed->count && closed->row[k] < j) k++;
        if (k < closed->count && closed->row[k] == j) continue;
        add_reaction(fill, motion, fill->at.multiplier[SG_GGL_JUMP] + i, j);
    }
}

/* Rebounds e G v_n of the rows of the iterate turn too, where these are what counts. */
static void add_rebounds(const struct filling *fill)
{
    const struct sg_ggl *ggl = fill->ggl;
    const struct sg_ggl_problem *p = ggl->problem;
    const struct sg_ggl_list *active = &ggl->part[SG_GGL_JUMP].active;
    bool differentiated = false;
    for (size_t i = p->bilateral; i < active->count && active->row[i] < ggl->rows; i++) {
        size_t j = active->row[i];
        const struct sg_law *law = &p->laws[j - p->bilateral];
        if (!sg_law_rebounds(law) || !(sg_ggl_turned_rate(ggl, j) < 0.0)) continue;
        if (!differentiated) p->differentiate_rates(p->self, ggl->v0, true);
        differentiated = true;
        add_turning(fill, fill->at.multiplier[SG_GGL_JUMP] + i, j, sg_law_rebound(law, 1.0));
    }
}

/* Friction's impulse moves the place by half of its way in a step, but of contacts that are held. */
static void add_friction(const struct filling *fill)
{
    const struct sg_ggl *ggl = fill->ggl;
    const struct sg_ggl_list *pushed = &ggl->part[SG_GGL_JUMP].active;
    size_t motion = fill->at.motion[SG_GGL_CORRECTION], row = fill->at.multiplier[SG_GGL_JUMP];
    if (motion == SIZE_MAX) return;
    for (size_t i = 0; i < pushed->count; i++) {
        size_t j = pushed->row[i];
        if (j < ggl->rows || sg_ggl_is_held(ggl, (j - ggl->rows) / ggl->problem->tangents)) continue;
        struct sg_ggl_row of = sg_ggl_row(ggl, j);
        sg_saddle_add_column(block(fill, motion, row + i, 0.5), of.w, of.column);
    }
}

/* Rates of the rows turn with q: those of v~ in the smooth motion, those of v in the jump. */
static bool differentiate(struct sg_ggl *ggl, enum sg_ggl_part_name part)
{
    const struct sg_ggl_problem *p = ggl->problem;
    bool contacts = part == SG_GGL_JUMP && ggl->part[part].active.count > p->bilateral;
    if (part == SG_GGL_CORRECTION || !ggl->level->jumps || !curved(ggl)) return false;
    p->differentiate_rates(p->self, part == SG_GGL_JUMP ? ggl->v : ggl->vt, contacts);
    return true;
}

static void add_part(const struct filling *fill, enum sg_ggl_part_name part)
{
    struct sg_ggl *ggl = fill->ggl;
    size_t motion = fill->at.motion[part];
    bool smooth = part == SG_GGL_SMOOTH;
    if (motion == SIZE_MAX) return;
    sg_saddle_add_matrix(block(fill, motion, motion, smooth ? ggl->h * sg_ggl_vd_by_v(ggl) : 1.0),
                         ggl->problem->M);
    if (smooth) add_forces(fill, motion);
    geometric_block(fill, motion, ggl->part[part].multiplier, -sg_ggl_momentum_scale(ggl, part));
    add_constraints(fill, part, differentiate(ggl, part));
    if (part != SG_GGL_JUMP) return;
    add_followers(fill);
    add_friction(fill);
    if (curved(ggl) && ggl->level->jumps) add_rebounds(fill);
}

/* --- scales --------------------------------------------------------------------------------------- */

/* M has ones on its diagonal then, and rows of constraints are of one length whatever the units: pivots can
 * be compared. */
static void find_scales(struct sg_ggl *ggl, const struct sg_ggl_layout *at)
{
    double *scale = ggl->saddle.scale;
    for (size_t p = 0; p < SG_GGL_PARTS; p++) {
        const struct sg_ggl_list *active = &ggl->part[p].active;
        if (at->motion[p] == SIZE_MAX) continue;
        memcpy(scale + at->motion[p], ggl->scale.dof_scaling, ggl->n * sizeof(double));
        for (size_t i = 0; i < active->count; i++)
            scale[at->multiplier[p] + i] = ggl->scale.row_scaling[active->row[i]];
    }
}

void sg_ggl_assemble(struct sg_ggl *ggl, int parts)
{
    struct filling fill = {.ggl = ggl, .at = sg_ggl_layout(ggl, parts)};
    find_movers(&fill);
    sg_saddle_clear(&ggl->saddle, fill.at.total);
    find_scales(ggl, &fill.at);
    add_part(&fill, SG_GGL_SMOOTH);
    add_part(&fill, SG_GGL_CORRECTION);
    add_part(&fill, SG_GGL_JUMP);
}

void sg_ggl_assemble_mass(struct sg_ggl *ggl, size_t bilateral)
{
    struct filling fill = {.ggl = ggl};
    sg_saddle_clear(&ggl->saddle, ggl->n + bilateral);
    memcpy(ggl->saddle.scale, ggl->scale.dof_scaling, ggl->n * sizeof(double));
    memcpy(ggl->saddle.scale + ggl->n, ggl->scale.row_scaling, bilateral * sizeof(double));
    sg_saddle_add_matrix(block(&fill, 0, 0, 1.0), ggl->problem->M);
    for (size_t j = 0; j < bilateral; j++) {
        add_reaction(&fill, 0, ggl->n + j, j);
        add_row(&fill, block(&fill, ggl->n + j, 0, 1.0), j);
    }
}

/* --- right-hand side and correction --------------------------------------------------------------- */

void sg_ggl_right_side(const struct sg_ggl *ggl, int parts, double *x)
{
    struct sg_ggl_layout at = sg_ggl_layout(ggl, parts);
    for (size_t p = 0; p < SG_GGL_PARTS; p++) {
        const struct sg_ggl_part *part = &ggl->part[p];
        if (at.motion[p] == SIZE_MAX) continue;
        for (size_t i = 0; i < ggl->n; i++) x[at.motion[p] + i] = -part->momentum[i];
        for (size_t i = 0; i < part->active.count; i++)
            x[at.multiplier[p] + i] = -part->violation[part->active.row[i]];
    }
}

static void apply_smooth(struct sg_ggl *ggl, const double *dv)
{
    double to_vd = sg_ggl_vd_by_v(ggl), to_q = sg_ggl_q_by_v(ggl), to_a = 1.0 / (ggl->spec.gamma * ggl->h);
    for (size_t i = 0; i < ggl->n; i++) {
        ggl->vt[i] += dv[i];
        ggl->vd[i] += to_vd * dv[i];
        ggl->a[i] += to_a * dv[i];
        ggl->qt[i] += to_q * dv[i];
    }
}

/* y += s x */
static void add(size_t n, double s, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) y[i] += s * x[i];
}

void sg_ggl_apply(struct sg_ggl *ggl, int parts, const double *x)
{
    struct sg_ggl_layout at = sg_ggl_layout(ggl, parts);
    for (size_t p = 0; p < SG_GGL_PARTS; p++) {
        struct sg_ggl_part *part = &ggl->part[p];
        if (at.motion[p] == SIZE_MAX) continue;
        if (p == SG_GGL_SMOOTH) apply_smooth(ggl, x + at.motion[p]);
        if (p == SG_GGL_CORRECTION) add(ggl->n, ggl->h, x + at.motion[p], ggl->U);
        if (p == SG_GGL_JUMP) add(ggl->n, 1.0, x + at.motion[p], ggl->W);
        for (size_t i = 0; i < part->active.count; i++)
            part->multiplier[part->active.row[i]] -= sg_ggl_multiplier(ggl, p, x[at.multiplier[p] + i]);
    }
}
