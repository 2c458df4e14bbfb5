/* The tangent S_t, eq. (44) of Bruels, Acary and Cardona 2014, entry by entry: of the blocks that are asked
 * for, with the rows of the active sets alone. */
#include <stdint.h>
#include <string.h>

#include "strategies/generalized_alpha/nonsmooth_alpha.h"

double sg_ggl_pull(const struct sg_ggl *ggl)
{
    const struct sg_ggl_spec *s = &ggl->spec;
    return (1.0 - s->am) / ((1.0 - s->af) * s->gamma * ggl->h);
}

double sg_ggl_move(const struct sg_ggl *ggl)
{
    return ggl->h * ggl->spec.beta / ggl->spec.gamma;
}

/* Kicks first: where no force depends on velocities they stand in rows of their own alone, which so are
 * eliminated apart from the rest. */
struct sg_ggl_layout sg_ggl_layout(const struct sg_ggl *ggl, int blocks)
{
    struct sg_ggl_layout at = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX, 0};
    size_t n = ggl->n, slides = (ggl->pushed.count - (ggl->pushed.count > 0 ? ggl->problem->bilateral : 0)) *
                                ggl->problem->tangents;
    if ((blocks & SG_GGL_KICK) && ggl->spec.level != SG_GGL_POSITION) {
        at.w = 0;
        at.kick = n;
        at.slide = at.kick + ggl->pushed.count;
        at.total = at.slide + slides;
    }
    if (blocks & SG_GGL_SMOOTH) {
        at.vt = at.total;
        at.lam = at.vt + n;
        at.total = at.lam + ggl->smooth.count;
    }
    if ((blocks & SG_GGL_PLACE) && ggl->spec.level == SG_GGL_BOTH) {
        at.u = at.total;
        at.nu = at.u + n;
        at.total = at.nu + ggl->closed.count;
    }
    return at;
}

/* --- entries -------------------------------------------------------------------------------------- */

/* what is written, and where: a block of the matrix at (row, column), times s */
struct target {
    struct sg_ggl_entries *entries;
    size_t row, column;
    double s;
};

/* where (i, j) of the block is in the dense matrix */
static double *cell(struct target at, size_t i, size_t j)
{
    return at.entries->dense + at.row + i + (at.column + j) * at.entries->size;
}

static void emit(struct target at, size_t i, size_t j, double value)
{
    struct sg_ggl_entries *e = at.entries;
    if (e->dense != NULL) {
        *cell(at, i, j) += at.s * value;
        return;
    }
    e->row[e->count] = (int)(at.row + i);
    e->column[e->count] = (int)(at.column + j);
    e->value[e->count++] = at.s * value;
}

static void emit_both(struct target at, size_t i, size_t j, double value)
{
    if (value == 0.0) return;
    emit(at, i, j, value);
    if (i != j) emit(at, j, i, value);
}

static void emit_diagonal(struct target at, size_t n, const double *diagonal)
{
    for (size_t j = 0; j < n; j++) *cell(at, j, j) += at.s * diagonal[j];
}

static void emit_matrix(struct target at, const struct sg_matrix *a)
{
    size_t n = a->n, width = a->kind == SG_DENSE ? n - 1 : a->width;
    if (a->zero || at.s == 0.0) return;
    if (a->kind == SG_DIAGONAL && at.entries->dense != NULL) {
        emit_diagonal(at, n, a->diag);
        return;
    }
    for (size_t j = 0; j < n; j++) {
        if (a->kind == SG_DIAGONAL || a->kind == SG_TRIDIAGONAL) emit_both(at, j, j, a->diag[j]);
        if (a->kind == SG_TRIDIAGONAL && j + 1 < n) emit_both(at, j + 1, j, a->off[j]);
        for (size_t k = 0; k <= width && j + k < n && a->band != NULL; k++)
            emit_both(at, j + k, j,
                      a->kind == SG_DENSE ? a->band[j * n + j + k] : a->band[j * (width + 1) + k]);
        for (size_t k = a->start == NULL ? 0 : a->start[j]; a->start != NULL && k < a->start[j + 1]; k++)
            emit_both(at, a->row[k], j, a->value[k]);
    }
}

/* entry k of column j of w, by row and value */
static size_t place_of(const struct sg_columns *w, size_t j, size_t k)
{
    return w->row != NULL ? w->row[k] : w->first[j] + (k - w->start[j]);
}

/* G_j as a row of the block, or as a column of it */
static void emit_column(struct target at, const struct sg_columns *w, size_t j, bool transposed)
{
    if (at.entries->dense != NULL) {
        double *first = cell(at, 0, 0);
        size_t stride = transposed ? 1 : at.entries->size;
        for (size_t k = w->start[j]; k < w->start[j + 1]; k++)
            first[place_of(w, j, k) * stride] += at.s * w->value[k];
        return;
    }
    for (size_t k = w->start[j]; k < w->start[j + 1]; k++) {
        if (w->value[k] == 0.0) continue;
        if (transposed)
            emit(at, place_of(w, j, k), 0, w->value[k]);
        else
            emit(at, 0, place_of(w, j, k), w->value[k]);
    }
}

static void emit_row(const struct sg_ggl *ggl, const struct sg_columns *const w[2], struct target at,
                     size_t row)
{
    size_t bilateral = ggl->problem->bilateral;
    emit_column(at, w[row < bilateral ? 0 : 1], row < bilateral ? row : row - bilateral, false);
}

static void emit_constraint(const struct sg_ggl *ggl, struct target at, size_t row, bool transposed)
{
    const struct sg_ggl_problem *p = ggl->problem;
    if (row < p->bilateral)
        emit_column(at, p->rows[0], row, transposed);
    else
        emit_column(at, p->rows[1], row - p->bilateral, transposed);
}

static void emit_second(struct target at, const struct sg_ggl_second *second)
{
    for (size_t k = 0; k < second->count; k++)
        emit_both(at, second->row[k], second->column[k], second->value[k]);
}

/* --- blocks --------------------------------------------------------------------------------------- */

/* a block of columns, and by how much its unknown moves q (s) and v (1) */
struct mover {
    size_t column;
    double q, v;
};
enum { MOVERS = 3 };

/* v~, U/h and W: all that moves q or v */
static size_t movers(const struct sg_ggl *ggl, const struct sg_ggl_layout *at, struct mover *m)
{
    size_t count = 0;
    bool follows = ggl->spec.level == SG_GGL_VELOCITY;
    if (at->vt != SIZE_MAX) m[count++] = (struct mover){at->vt, sg_ggl_move(ggl), 1.0};
    if (at->u != SIZE_MAX) m[count++] = (struct mover){at->u, ggl->h, 0.0};
    if (at->w != SIZE_MAX) m[count++] = (struct mover){at->w, follows ? 0.5 * ggl->h : 0.0, 1.0};
    return count;
}

static bool curved(const struct sg_ggl *ggl)
{
    return !ggl->problem->affine && ggl->problem->second != NULL;
}

struct weight {
    const double *multiplier;
    double s;
    size_t count; /* of movers */
};

/* s sum multiplier_j H_j, as q moves */
static void geometric_block(struct sg_ggl *ggl, size_t row, const struct mover *m, struct weight w)
{
    const struct sg_ggl_problem *p = ggl->problem;
    bool any = false;
    for (size_t j = 0; j < ggl->rows; j++) any = any || w.multiplier[j] != 0.0;
    if (!any || !curved(ggl)) return;
    p->weigh_second(p->self, w.multiplier);
    for (size_t k = 0; k < w.count; k++)
        if (m[k].q != 0.0)
            emit_second((struct target){&ggl->entries, row, m[k].column, w.s * m[k].q}, p->second);
}

static void differentiate(struct sg_ggl *ggl, const double *v, bool contacts)
{
    if (curved(ggl)) ggl->problem->differentiate_rates(ggl->problem->self, v, contacts);
}

/* how the rate of constraint j changes as q moves */
static void curved_row(struct sg_ggl *ggl, size_t row, size_t j, const struct mover *m, size_t count)
{
    if (!curved(ggl)) return;
    for (size_t k = 0; k < count; k++)
        if (m[k].q != 0.0)
            emit_row(ggl, ggl->problem->rate, (struct target){&ggl->entries, row, m[k].column, m[k].q}, j);
}

/* -yield where a row that may depend on others meets its own multiplier */
static void let_yield(struct sg_ggl *ggl, size_t at, size_t row)
{
    if (ggl->yield > 0.0) emit((struct target){&ggl->entries, at, at, -sg_ggl_yield(ggl, row)}, 0, 0, 1.0);
}

static void smooth_block(struct sg_ggl *ggl, const struct sg_ggl_layout *at, const struct mover *m,
                         size_t count)
{
    const struct sg_ggl_problem *p = ggl->problem;
    struct sg_ggl_entries *e = &ggl->entries;
    double h = ggl->h;
    bool places = ggl->spec.level == SG_GGL_POSITION;
    emit_matrix((struct target){e, at->vt, at->vt, h * sg_ggl_pull(ggl)}, p->M);
    for (size_t k = 0; k < count; k++) {
        if (p->C != NULL) emit_matrix((struct target){e, at->vt, m[k].column, h * m[k].v}, p->C);
        emit_matrix((struct target){e, at->vt, m[k].column, h * m[k].q}, p->K);
    }
    geometric_block(ggl, at->vt, m, (struct weight){ggl->lam, -h, count});
    if (!places) differentiate(ggl, ggl->vt, false);
    for (size_t i = 0; i < ggl->smooth.count; i++) {
        size_t j = ggl->smooth.row[i], row = at->lam + i;
        emit_constraint(ggl, (struct target){e, at->vt, row, 1.0}, j, true);
        emit_constraint(ggl, (struct target){e, row, at->vt, places ? sg_ggl_move(ggl) / h : 1.0}, j, false);
        if (!places) curved_row(ggl, row, j, m, count);
        let_yield(ggl, row, j);
    }
}

static void place_block(struct sg_ggl *ggl, const struct sg_ggl_layout *at, const struct mover *m,
                        size_t count)
{
    struct sg_ggl_entries *e = &ggl->entries;
    double inverse = 1.0 / ggl->h;
    emit_matrix((struct target){e, at->u, at->u, 1.0}, ggl->problem->M);
    geometric_block(ggl, at->u, m, (struct weight){ggl->nu, -inverse, count});
    for (size_t i = 0; i < ggl->closed.count; i++) {
        size_t j = ggl->closed.row[i];
        emit_constraint(ggl, (struct target){e, at->u, at->nu + i, 1.0}, j, true);
        for (size_t k = 0; k < count; k++)
            if (m[k].q != 0.0)
                emit_constraint(ggl, (struct target){e, at->nu + i, m[k].column, m[k].q * inverse}, j, false);
        let_yield(ggl, at->nu + i, j);
    }
}

/* nu that follows Lam, of the modified condition: out of `closed`, but pushed */
static void follow_block(struct sg_ggl *ggl, const struct sg_ggl_layout *at)
{
    if (ggl->spec.variant != SG_GGL_MODIFIED || at->u == SIZE_MAX) return;
    for (size_t i = 0, k = 0; i < ggl->pushed.count; i++) {
        size_t j = ggl->pushed.row[i];
        while (k < ggl->closed.count && ggl->closed.row[k] < j) k++;
        if (k < ggl->closed.count && ggl->closed.row[k] == j) continue;
        emit_constraint(ggl, (struct target){&ggl->entries, at->u, at->kick + i, 1.0}, j, true);
    }
}

/* row k of those of contact u that slips: the impulse stays on its cone */
static void slip_row(struct sg_ggl *ggl, const struct sg_ggl_layout *at, size_t i, size_t k)
{
    const struct sg_ggl_problem *p = ggl->problem;
    size_t u = ggl->pushed.row[i] - p->bilateral, t = p->tangents;
    size_t first = at->slide + (i - p->bilateral) * t;
    const double *way = ggl->way + u * t;
    double bound = p->friction[u] * ggl->Lam[p->bilateral + u], inverse = 1.0 / ggl->push;
    double turn = ggl->reach[u] > 0.0 ? bound / ggl->reach[u] : 0.0;
    struct target row = {&ggl->entries, first + k, 0, inverse};
    emit(row, 0, first + k, -1.0);
    emit(row, 0, at->kick + i, p->friction[u] * way[k]);
    for (size_t l = 0; l < t && t > 1; l++) {
        double across = turn * ((k == l ? 1.0 : 0.0) - way[k] * way[l]);
        if (across == 0.0) continue;
        emit(row, 0, first + l, across);
        if (at->vt != SIZE_MAX)
            emit_column((struct target){row.entries, row.row, at->vt, across}, p->tangent, u * t + l, false);
        emit_column((struct target){row.entries, row.row, at->w, across}, p->tangent, u * t + l, false);
    }
}

static void slide_block(struct sg_ggl *ggl, const struct sg_ggl_layout *at)
{
    const struct sg_ggl_problem *p = ggl->problem;
    for (size_t i = p->bilateral; i < ggl->pushed.count && p->tangents > 0; i++) {
        size_t u = ggl->pushed.row[i] - p->bilateral;
        for (size_t k = 0; k < p->tangents; k++) {
            size_t column = u * p->tangents + k, row = at->slide + (i - p->bilateral) * p->tangents + k;
            emit_column((struct target){&ggl->entries, at->w, row, 1.0}, p->tangent, column, true);
            if (ggl->slip[u]) {
                slip_row(ggl, at, i, k);
                continue;
            }
            if (at->vt != SIZE_MAX)
                emit_column((struct target){&ggl->entries, row, at->vt, 1.0}, p->tangent, column, false);
            emit_column((struct target){&ggl->entries, row, at->w, 1.0}, p->tangent, column, false);
            let_yield(ggl, row, ggl->rows + column);
        }
    }
}

static void kick_block(struct sg_ggl *ggl, const struct sg_ggl_layout *at, const struct mover *m,
                       size_t count)
{
    struct sg_ggl_entries *e = &ggl->entries;
    emit_matrix((struct target){e, at->w, at->w, 1.0}, ggl->problem->M);
    geometric_block(ggl, at->w, m, (struct weight){ggl->Lam, -1.0, count});
    differentiate(ggl, ggl->v, ggl->pushed.count > ggl->problem->bilateral);
    for (size_t i = 0; i < ggl->pushed.count; i++) {
        size_t j = ggl->pushed.row[i], row = at->kick + i;
        emit_constraint(ggl, (struct target){e, at->w, row, 1.0}, j, true);
        for (size_t k = 0; k < count; k++)
            if (m[k].v != 0.0) emit_constraint(ggl, (struct target){e, row, m[k].column, m[k].v}, j, false);
        curved_row(ggl, row, j, m, count);
        let_yield(ggl, row, j);
    }
    follow_block(ggl, at);
    slide_block(ggl, at);
}

static void clear(struct sg_ggl_entries *e, size_t size)
{
    e->count = 0;
    e->size = size;
    if (e->dense != NULL) memset(e->dense, 0, size * size * sizeof(double));
}

void sg_ggl_assemble(struct sg_ggl *ggl, int blocks)
{
    struct sg_ggl_layout at = sg_ggl_layout(ggl, blocks);
    struct mover m[MOVERS];
    size_t count = movers(ggl, &at, m);
    clear(&ggl->entries, at.total);
    if (at.vt != SIZE_MAX) smooth_block(ggl, &at, m, count);
    if (at.u != SIZE_MAX) place_block(ggl, &at, m, count);
    if (at.w != SIZE_MAX) kick_block(ggl, &at, m, count);
}

void sg_ggl_assemble_start(struct sg_ggl *ggl)
{
    struct sg_ggl_entries *e = &ggl->entries;
    clear(e, ggl->n + ggl->smooth.count);
    emit_matrix((struct target){e, 0, 0, 1.0}, ggl->problem->M);
    for (size_t i = 0; i < ggl->smooth.count; i++) {
        emit_constraint(ggl, (struct target){e, 0, ggl->n + i, 1.0}, ggl->smooth.row[i], true);
        emit_constraint(ggl, (struct target){e, ggl->n + i, 0, 1.0}, ggl->smooth.row[i], false);
    }
}

/* --- right-hand side and correction --------------------------------------------------------------- */

static void pack(const struct sg_ggl_list *list, const double *x, double *out)
{
    for (size_t i = 0; i < list->count; i++) out[i] = -x[list->row[i]];
}

static void negate(size_t n, const double *x, double *out)
{
    for (size_t i = 0; i < n; i++) out[i] = -x[i];
}

void sg_ggl_right_side(const struct sg_ggl *ggl, int blocks, double *x)
{
    const struct sg_ggl_problem *p = ggl->problem;
    struct sg_ggl_layout at = sg_ggl_layout(ggl, blocks);
    if (at.vt != SIZE_MAX) {
        negate(ggl->n, ggl->rs, x + at.vt);
        pack(&ggl->smooth, ggl->cs, x + at.lam);
    }
    if (at.u != SIZE_MAX) {
        negate(ggl->n, ggl->rp, x + at.u);
        pack(&ggl->closed, ggl->cp, x + at.nu);
    }
    if (at.w == SIZE_MAX) return;
    negate(ggl->n, ggl->rv, x + at.w);
    pack(&ggl->pushed, ggl->cv, x + at.kick);
    for (size_t i = p->bilateral; i < ggl->pushed.count && p->tangents > 0; i++)
        negate(p->tangents, ggl->ct + (ggl->pushed.row[i] - p->bilateral) * p->tangents,
               x + at.slide + (i - p->bilateral) * p->tangents);
}

static void apply_smooth(struct sg_ggl *ggl, const double *dv, const double *dlam)
{
    double pull = sg_ggl_pull(ggl), move = sg_ggl_move(ggl), push = 1.0 / (ggl->spec.gamma * ggl->h);
    for (size_t i = 0; i < ggl->n; i++) {
        ggl->vt[i] += dv[i];
        ggl->vd[i] += pull * dv[i];
        ggl->a[i] += push * dv[i];
        ggl->qt[i] += move * dv[i];
    }
    for (size_t i = 0; i < ggl->smooth.count; i++) ggl->lam[ggl->smooth.row[i]] -= dlam[i] / ggl->h;
}

static void apply_kick(struct sg_ggl *ggl, const struct sg_ggl_layout *at, const double *x)
{
    const struct sg_ggl_problem *p = ggl->problem;
    for (size_t i = 0; i < ggl->n; i++) ggl->W[i] += x[at->w + i];
    for (size_t i = 0; i < ggl->pushed.count; i++) ggl->Lam[ggl->pushed.row[i]] -= x[at->kick + i];
    for (size_t i = p->bilateral; i < ggl->pushed.count && p->tangents > 0; i++) {
        double *slide = ggl->LamT + (ggl->pushed.row[i] - p->bilateral) * p->tangents;
        for (size_t k = 0; k < p->tangents; k++)
            slide[k] -= x[at->slide + (i - p->bilateral) * p->tangents + k];
    }
}

void sg_ggl_apply(struct sg_ggl *ggl, int blocks, const double *x)
{
    struct sg_ggl_layout at = sg_ggl_layout(ggl, blocks);
    if (at.vt != SIZE_MAX) apply_smooth(ggl, x + at.vt, x + at.lam);
    if (at.u != SIZE_MAX) {
        for (size_t i = 0; i < ggl->n; i++) ggl->U[i] += ggl->h * x[at.u + i];
        for (size_t i = 0; i < ggl->closed.count; i++) ggl->nu[ggl->closed.row[i]] -= ggl->h * x[at.nu + i];
    }
    if (at.w != SIZE_MAX) apply_kick(ggl, &at, x);
}
