#include "strategies/generalized_alpha/reduced.h"

#include <math.h>
#include <string.h>

#include "linalg/small.h"
#include "linalg/vector.h"
#include "strategies/generalized_alpha/scale.h"
#include "strategies/generalized_alpha/tangent.h"

/* --- memory --------------------------------------------------------------------------------------- */

static sg_status init_factor(struct sg_arena *arena, struct sg_factor *factor, const struct sg_mck *mck,
                             struct sg_error *err)
{
    struct sg_factor_layout layout = sg_factor_layout_for(mck);
    if (layout.kind == SG_SPARSE) TRY(sg_symbolic_create(arena, mck, false, &layout.symbolic, err));
    return sg_factor_init(arena, factor, &layout, err);
}

static const struct sg_matrix *damping(const struct sg_ggl *ggl)
{
    return ggl->problem->C != NULL ? ggl->problem->C : &ggl->reduced->none;
}

static sg_status init_factors(struct sg_ggl *ggl, struct sg_error *err)
{
    struct sg_ggl_reduced *s = ggl->reduced;
    const struct sg_ggl_problem *p = ggl->problem;
    s->none = (struct sg_matrix){.kind = SG_DIAGONAL, .n = ggl->n, .zero = true};
    struct sg_mck alone = {p->M, &s->none, &s->none}, all = {p->M, damping(ggl), p->K};
    TRY(init_factor(ggl->arena, &s->mass, &alone, err));
    ggl->counts.factorizations++;
    TRY(sg_factor_compute(&s->mass, &alone, (double[3]){1.0, 0.0, 0.0}, err));
    return init_factor(ggl->arena, &s->smooth, &all, err);
}

static sg_status allocate(struct sg_ggl *ggl, struct sg_error *err)
{
    struct sg_ggl_reduced *s = ggl->reduced;
    size_t n = ggl->n, m = ggl->rows, small = ggl->problem->bilateral + 2 * m;
    s->columns = ggl->problem->C != NULL ? small : small - m;
    const struct {
        double **values;
        size_t count;
    } arrays[] = {{&s->Y, n * m},
                  {&s->X, n * s->columns},
                  {&s->GY, m * m},
                  {&s->GX, m * s->columns},
                  {&s->matrix, small * small},
                  {&s->y, small},
                  {&s->right_side, small},
                  {&s->gap, m},
                  {&s->rate, m},
                  {&s->shift, m}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        TRY(SG_ARENA_NEW(ggl->arena, arrays[k].values, arrays[k].count, err));
    TRY(SG_ARENA_NEW(ggl->arena, &s->pivot, small, err));
    TRY(SG_ARENA_NEW(ggl->arena, &s->chosen, small, err));
    TRY(SG_ARENA_NEW(ggl->arena, &s->factored, small, err));
    TRY(SG_ARENA_NEW(ggl->arena, &s->in_set, 2 * m, err));
    return SG_ARENA_NEW(ggl->arena, &s->wrong, 2 * m, err);
}

/* g (rows x count) becomes G times the columns. */
static void project(const struct sg_ggl *ggl, size_t count, const double *columns, double *g)
{
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < ggl->rows; i++)
            g[j * ggl->rows + i] = sg_ggl_dot(ggl, i, columns + j * ggl->n);
}

sg_status sg_ggl_reduced_init(struct sg_ggl *ggl, struct sg_error *err)
{
    TRY(SG_ARENA_NEW(ggl->arena, &ggl->reduced, 1, err));
    struct sg_ggl_reduced *s = ggl->reduced;
    s->h = s->factored_h = NAN;
    TRY(allocate(ggl, err));
    TRY(init_factors(ggl, err));
    for (size_t j = 0; j < ggl->rows; j++) {
        sg_ggl_add(ggl, j, 1.0, s->Y + j * ggl->n);
        sg_factor_solve(&s->mass, s->Y + j * ggl->n);
        ggl->counts.solves++;
    }
    project(ggl, ggl->rows, s->Y, s->GY);
    return SG_OK;
}

/* --- the smooth block ----------------------------------------------------------------------------- */

void sg_ggl_reduced_smooth(struct sg_ggl *ggl, double *x)
{
    ggl->counts.solves++;
    sg_factor_solve(&ggl->reduced->smooth, x);
}

/* out becomes S^-1 s A Y, column by column. */
static void respond(struct sg_ggl *ggl, const struct sg_matrix *a, double s, double *out)
{
    size_t n = ggl->n;
    for (size_t j = 0; j < ggl->rows; j++) {
        double *column = out + j * n;
        sg_matrix_multiply(a, ggl->reduced->Y + j * n, column);
        for (size_t i = 0; i < n; i++) column[i] *= s;
        sg_ggl_reduced_smooth(ggl, column);
    }
}

sg_status sg_ggl_reduced_prepare(struct sg_ggl *ggl, struct sg_error *err)
{
    struct sg_ggl_reduced *s = ggl->reduced;
    const struct sg_ggl_problem *p = ggl->problem;
    double h = ggl->h;
    if (p->linear && s->h == h) return SG_OK;
    struct sg_mck all = {p->M, damping(ggl), p->K};
    s->h = s->factored_h = NAN;
    ggl->counts.factorizations++;
    TRY(sg_factor_compute(&s->smooth, &all, (double[3]){h * sg_ggl_vd_by_v(ggl), h, h * sg_ggl_q_by_v(ggl)},
                          err));
    for (size_t j = 0; j < p->bilateral; j++) {
        double *column = s->X + j * ggl->n;
        memset(column, 0, ggl->n * sizeof *column);
        sg_ggl_add(ggl, j, -1.0, column);
        sg_ggl_reduced_smooth(ggl, column);
    }
    respond(ggl, p->K, h * h, s->X + sg_ggl_reduced_column(ggl, SG_GGL_CORRECTION, 0) * ggl->n);
    if (p->C != NULL) respond(ggl, p->C, h, s->X + sg_ggl_reduced_column(ggl, SG_GGL_JUMP, 0) * ggl->n);
    project(ggl, s->columns, s->X, s->GX);
    s->h = h;
    return SG_OK;
}

/* --- the Schur complement ------------------------------------------------------------------------- */

struct sg_ggl_unknown sg_ggl_reduced_unknown(const struct sg_ggl *ggl, size_t i)
{
    size_t column = ggl->reduced->chosen[i], bilateral = ggl->problem->bilateral;
    if (column < bilateral) return (struct sg_ggl_unknown){SG_GGL_SMOOTH, column};
    column -= bilateral;
    if (column < ggl->rows) return (struct sg_ggl_unknown){SG_GGL_CORRECTION, column};
    return (struct sg_ggl_unknown){SG_GGL_JUMP, column - ggl->rows};
}

void sg_ggl_reduced_choose(struct sg_ggl *ggl)
{
    struct sg_ggl_reduced *s = ggl->reduced;
    s->size = 0;
    for (size_t j = 0; j < ggl->problem->bilateral; j++) s->chosen[s->size++] = j;
    for (size_t p = SG_GGL_CORRECTION; p < SG_GGL_PARTS; p++) {
        const struct sg_ggl_list *active = &ggl->part[p].active;
        for (size_t k = 0; k < active->count; k++)
            s->chosen[s->size++] = sg_ggl_reduced_column(ggl, p, active->row[k]);
    }
}

/* A row of the part is this share of G dv~: gaps are divided by h. */
static double smooth_share(const struct sg_ggl *ggl, enum sg_ggl_part_name part)
{
    return part == SG_GGL_CORRECTION ? sg_ggl_q_by_v(ggl) / ggl->h : 1.0;
}

/* Row i: what the chosen multipliers do to the smooth motion, G X, reaches all rows; what they do to their
 * own correction or jump, -G Y, those of their part alone. */
static void fill_row(const struct sg_ggl *ggl, size_t i)
{
    const struct sg_ggl_reduced *s = ggl->reduced;
    size_t m = ggl->rows;
    struct sg_ggl_unknown row = sg_ggl_reduced_unknown(ggl, i);
    double share = smooth_share(ggl, row.part);
    for (size_t k = 0; k < s->size; k++) {
        struct sg_ggl_unknown of = sg_ggl_reduced_unknown(ggl, k);
        double entry = s->chosen[k] < s->columns ? share * s->GX[s->chosen[k] * m + row.row] : 0.0;
        if (of.part == row.part && row.part != SG_GGL_SMOOTH) entry -= s->GY[of.row * m + row.row];
        s->matrix[i + k * s->size] = entry;
    }
    if (ggl->regularization > 0.0) s->matrix[i * (s->size + 1)] -= sg_ggl_regularization(ggl, row.row);
}

/* Sets last for many steps, and with them the factors. Rows that had to yield in this set still have to. */
static bool is_factored(struct sg_ggl *ggl)
{
    const struct sg_ggl_reduced *s = ggl->reduced;
    bool kept =
        s->factored_h == ggl->h && (s->regularization == ggl->regularization || ggl->regularization == 0.0) &&
        s->factored_size == s->size && memcmp(s->factored, s->chosen, s->size * sizeof *s->chosen) == 0;
    if (kept) ggl->regularization = s->regularization;
    return kept;
}

static bool factor(struct sg_ggl *ggl)
{
    struct sg_ggl_reduced *s = ggl->reduced;
    s->factored_h = NAN;
    for (size_t i = 0; i < s->size; i++) fill_row(ggl, i);
    return sg_small_factor(s->size, s->matrix, s->pivot) &&
           (ggl->regularization > 0.0 || sg_small_condition(s->size, s->matrix) > SG_GGL_SOUND);
}

static sg_status factor_anew(struct sg_ggl *ggl, struct sg_error *err)
{
    struct sg_ggl_reduced *s = ggl->reduced;
    size_t bilateral = ggl->problem->bilateral;
    bool sound = factor(ggl);
    if (!sound && ggl->regularization == 0.0) {
        ggl->regularization = SG_GGL_DEPENDENT;
        sound = factor(ggl);
    }
    if (!sound)
        FAIL(err, SG_NO_SOLUTION, "the constraints repeat one another: %zu bilateral, %zu contacts",
             bilateral, ggl->part[SG_GGL_CORRECTION].active.count - bilateral);
    s->factored_h = ggl->h;
    s->regularization = ggl->regularization;
    s->factored_size = s->size;
    memcpy(s->factored, s->chosen, s->size * sizeof *s->chosen);
    return SG_OK;
}

sg_status sg_ggl_reduced_multipliers(struct sg_ggl *ggl, struct sg_error *err)
{
    struct sg_ggl_reduced *s = ggl->reduced;
    if (s->size == 0) return SG_OK;
    if (!is_factored(ggl)) TRY(factor_anew(ggl, err));
    sg_small_solve(s->size, s->matrix, s->pivot, s->y);
    return SG_OK;
}

/* From M a = f + Gb^T lam and Y = M^-1 G^T follows Gb Y lam = g - Gb M^-1 f, a system of the rows alone. */
sg_status sg_ggl_reduced_respond(struct sg_ggl *ggl, size_t bilateral, size_t count, double *x,
                                 struct sg_error *err)
{
    struct sg_ggl_reduced *s = ggl->reduced;
    size_t m = ggl->rows, b = bilateral;
    s->factored_h = NAN;
    ggl->counts.solves += (long long)count;
    for (size_t i = 0; i < b; i++)
        for (size_t k = 0; k < b; k++) s->matrix[i + k * b] = s->GY[k * m + i];
    if (!sg_small_factor(b, s->matrix, s->pivot))
        FAIL(err, SG_NO_SOLUTION, "the bilateral constraints repeat one another");
    for (size_t k = 0; k < count; k++) {
        double *a = x + k * (ggl->n + b), *lam = a + ggl->n;
        sg_factor_solve(&s->mass, a);
        for (size_t i = 0; i < b; i++) lam[i] -= sg_ggl_dot(ggl, i, a);
        sg_small_solve(b, s->matrix, s->pivot, lam);
        for (size_t i = 0; i < b; i++) {
            sg_axpy(ggl->n, lam[i], s->Y + i * ggl->n, a);
            lam[i] = -lam[i];
        }
    }
    return SG_OK;
}

/* --- a correction of Newton ----------------------------------------------------------------------- */

/* x := Y multiplier - motion: what the motion lacks of M motion = G^T multiplier, without a solve */
static void find_lack(const struct sg_ggl *ggl, const struct sg_ggl_part *part, const double *motion,
                      double *x)
{
    for (size_t i = 0; i < ggl->n; i++) x[i] = -motion[i];
    for (size_t k = 0; k < part->active.count; k++) {
        size_t j = part->active.row[k];
        sg_axpy(ggl->n, part->multiplier[j], ggl->reduced->Y + j * ggl->n, x);
    }
}

/* Solves for the motions that right-hand sides alone give; x1 = S^-1 (-rs - h K (h x3) - h C x5). */
static void solve_motions(struct sg_ggl *ggl, double *const x[SG_GGL_PARTS])
{
    size_t n = ggl->n;
    double h = ggl->h, *x1 = x[SG_GGL_SMOOTH], *x3 = x[SG_GGL_CORRECTION], *x5 = x[SG_GGL_JUMP];
    find_lack(ggl, &ggl->part[SG_GGL_CORRECTION], ggl->U, x3);
    find_lack(ggl, &ggl->part[SG_GGL_JUMP], ggl->W, x5);
    for (size_t i = 0; i < n; i++) x1[i] = -ggl->part[SG_GGL_SMOOTH].momentum[i];
    sg_matrix_multiply_add(ggl->problem->K, -h, x3, x1);
    if (ggl->problem->C != NULL) sg_matrix_multiply_add(ggl->problem->C, -h, x5, x1);
    for (size_t i = 0; i < n; i++) x3[i] /= h;
    sg_ggl_reduced_smooth(ggl, x1);
}

sg_status sg_ggl_reduced_solve(struct sg_ggl *ggl, struct sg_error *err)
{
    struct sg_ggl_reduced *s = ggl->reduced;
    struct sg_ggl_layout at = sg_ggl_layout(ggl, SG_GGL_ALL);
    size_t n = ggl->n, next[SG_GGL_PARTS];
    double *x[SG_GGL_PARTS];
    for (size_t p = 0; p < SG_GGL_PARTS; p++) {
        x[p] = ggl->x + at.motion[p];
        next[p] = at.multiplier[p];
    }
    TRY(sg_ggl_reduced_prepare(ggl, err));
    sg_ggl_reduced_choose(ggl);
    solve_motions(ggl, x);
    for (size_t i = 0; i < s->size; i++) {
        struct sg_ggl_unknown of = sg_ggl_reduced_unknown(ggl, i);
        s->y[i] = -ggl->part[of.part].violation[of.row] -
                  smooth_share(ggl, of.part) * sg_ggl_dot(ggl, of.row, x[SG_GGL_SMOOTH]);
        if (of.part != SG_GGL_SMOOTH) s->y[i] -= sg_ggl_dot(ggl, of.row, x[of.part]);
    }
    TRY(sg_ggl_reduced_multipliers(ggl, err));
    for (size_t i = 0; i < s->size; i++) {
        struct sg_ggl_unknown of = sg_ggl_reduced_unknown(ggl, i);
        ggl->x[next[of.part]++] = s->y[i];
        if (s->chosen[i] < s->columns) sg_axpy(n, s->y[i], s->X + s->chosen[i] * n, x[SG_GGL_SMOOTH]);
        if (of.part != SG_GGL_SMOOTH) sg_axpy(n, -s->y[i], s->Y + of.row * n, x[of.part]);
    }
    return SG_OK;
}
