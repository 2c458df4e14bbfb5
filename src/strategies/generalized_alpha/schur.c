#include "strategies/generalized_alpha/schur.h"

#include <math.h>
#include <string.h>

#include "linalg/small.h"
#include "linalg/vector.h"
#include "support/arena.h"
#include "support/memory.h"

/* --- memory ------------------------------------------------------------------------------------------- */

static sg_status init_factor(struct sg_arena *arena, struct sg_factor *factor, const struct sg_mck *mck,
                             struct sg_symbolic **symbolic, struct sg_error *err)
{
    struct sg_factor_layout layout = sg_factor_layout_for(mck);
    if (layout.kind == SG_SPARSE) TRY(sg_symbolic_create(arena, mck, false, symbolic, err));
    layout.symbolic = *symbolic;
    return sg_factor_init(arena, factor, &layout, err);
}

static const struct sg_matrix *damping(const struct sg_ggl *ggl)
{
    return ggl->problem->C != NULL ? ggl->problem->C : &ggl->schur->none;
}

static sg_status init_factors(struct sg_ggl *ggl, struct sg_error *err)
{
    struct sg_ggl_schur *s = ggl->schur;
    const struct sg_ggl_problem *p = ggl->problem;
    s->none = (struct sg_matrix){.kind = SG_DIAGONAL, .n = ggl->n, .zero = true};
    struct sg_mck alone = {p->M, &s->none, &s->none}, all = {p->M, damping(ggl), p->K};
    TRY(init_factor(&s->arena, &s->mass, &alone, &s->symbolic[0], err));
    ggl->counts.factorizations++;
    TRY(sg_factor_compute(&s->mass, &alone, (double[3]){1.0, 0.0, 0.0}, err));
    return init_factor(&s->arena, &s->smooth, &all, &s->symbolic[1], err);
}

static sg_status allocate(struct sg_ggl *ggl, struct sg_error *err)
{
    struct sg_ggl_schur *s = ggl->schur;
    size_t n = ggl->n, m = ggl->rows, b = ggl->problem->bilateral, small = b + 2 * m;
    double **const columns[] = {&s->Y, &s->X}, **const vectors[] = {&s->x1, &s->x3, &s->x5, &s->work};
    double **const squares[] = {&s->GY, &s->GX}, **const rows[] = {&s->gap, &s->rate, &s->shift};
    for (size_t k = 0; k < 2; k++) TRY(SG_ARENA_NEW(&s->arena, columns[k], n * m, err));
    for (size_t k = 0; k < 2; k++) TRY(SG_ARENA_NEW(&s->arena, squares[k], m * m, err));
    for (size_t k = 0; k < 4; k++) TRY(SG_ARENA_NEW(&s->arena, vectors[k], n, err));
    for (size_t k = 0; k < 3; k++) TRY(SG_ARENA_NEW(&s->arena, rows[k], m, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->Z, n * b, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->GZ, m * b, err));
    if (ggl->problem->C != NULL) TRY(SG_ARENA_NEW(&s->arena, &s->P, n * m, err));
    if (ggl->problem->C != NULL) TRY(SG_ARENA_NEW(&s->arena, &s->GP, m * m, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->small, small * small, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->pivot, small, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->y, small, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->aim, small, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->closed, m, err));
    return SG_ARENA_NEW(&s->arena, &s->pushed, m, err);
}

/* rows x columns: g(i, j) = G_i . column j */
static void project(const struct sg_ggl *ggl, size_t count, const double *columns, double *g)
{
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < ggl->rows; i++)
            g[j * ggl->rows + i] = sg_ggl_dot(ggl, i, columns + j * ggl->n);
}

sg_status sg_ggl_schur_init(struct sg_ggl *ggl, struct sg_error *err)
{
    TRY(SG_NEW(&ggl->schur, 1, err));
    struct sg_ggl_schur *s = ggl->schur;
    s->h = s->factored = NAN;
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

void sg_ggl_schur_release(struct sg_ggl *ggl)
{
    struct sg_ggl_schur *s = ggl->schur;
    if (s == NULL) return;
    sg_arena_release(&s->arena);
    sg_free(s);
    ggl->schur = NULL;
}

/* --- the smooth block ---------------------------------------------------------------------------------- */

static void solve(struct sg_ggl *ggl, double *x)
{
    ggl->counts.solves++;
    sg_factor_solve(&ggl->schur->smooth, x);
}

/* out := S^-1 s A Y, column by column */
static void respond(struct sg_ggl *ggl, const struct sg_matrix *a, double weight, double *out)
{
    size_t n = ggl->n;
    for (size_t j = 0; j < ggl->rows; j++) {
        double *column = out + j * n;
        sg_matrix_multiply(a, ggl->schur->Y + j * n, column);
        for (size_t i = 0; i < n; i++) column[i] *= weight;
        solve(ggl, column);
    }
}

sg_status sg_ggl_schur_prepare(struct sg_ggl *ggl, struct sg_error *err)
{
    struct sg_ggl_schur *s = ggl->schur;
    const struct sg_ggl_problem *p = ggl->problem;
    double h = ggl->h;
    if (p->linear && s->h == h) return SG_OK;
    struct sg_mck all = {p->M, damping(ggl), p->K};
    s->h = s->factored = NAN;
    ggl->counts.factorizations++;
    TRY(sg_factor_compute(&s->smooth, &all, (double[3]){h * sg_ggl_pull(ggl), h, h * sg_ggl_move(ggl)}, err));
    for (size_t j = 0; j < p->bilateral; j++) {
        double *column = s->Z + j * ggl->n;
        memset(column, 0, ggl->n * sizeof *column);
        sg_ggl_add(ggl, j, 1.0, column);
        solve(ggl, column);
    }
    respond(ggl, p->K, h * h, s->X);
    project(ggl, p->bilateral, s->Z, s->GZ);
    project(ggl, ggl->rows, s->X, s->GX);
    if (p->C != NULL) respond(ggl, p->C, h, s->P);
    if (p->C != NULL) project(ggl, ggl->rows, s->P, s->GP);
    s->h = h;
    return SG_OK;
}

/* --- the small system ----------------------------------------------------------------------------------- */

size_t sg_ggl_schur_size(const struct sg_ggl *ggl)
{
    return ggl->problem->bilateral + ggl->closed.count + ggl->pushed.count;
}

size_t sg_ggl_schur_row(const struct sg_ggl *ggl, size_t i)
{
    size_t b = ggl->problem->bilateral;
    if (i < b) return i;
    return i < b + ggl->closed.count ? ggl->closed.row[i - b] : ggl->pushed.row[i - b - ggl->closed.count];
}

/* Row of constraint j: `smooth` times G_j dv~, and `own` times -G_j Y of the multipliers from `first` on. */
struct small_row {
    size_t at, constraint, first;
    const struct sg_ggl_list *own;
    double smooth;
};

static void fill_row(const struct sg_ggl *ggl, const struct small_row *row)
{
    const struct sg_ggl_schur *s = ggl->schur;
    size_t size = sg_ggl_schur_size(ggl), m = ggl->rows, j = row->constraint, b = ggl->problem->bilateral;
    double *out = s->small + row->at;
    for (size_t k = 0; k < b; k++) out[k * size] = -row->smooth * s->GZ[k * m + j];
    for (size_t k = 0; k < ggl->closed.count; k++)
        out[(b + k) * size] = row->smooth * s->GX[ggl->closed.row[k] * m + j];
    for (size_t k = 0; k < ggl->pushed.count; k++)
        out[(b + ggl->closed.count + k) * size] =
            s->GP == NULL ? 0.0 : row->smooth * s->GP[ggl->pushed.row[k] * m + j];
    for (size_t k = 0; row->own != NULL && k < row->own->count; k++)
        out[(row->first + k) * size] -= s->GY[row->own->row[k] * m + j];
}

static bool same(const struct sg_ggl_list *list, const size_t *row, size_t count)
{
    return list->count == count && memcmp(list->row, row, count * sizeof *row) == 0;
}

/* rows that had to yield in this set still have to */
static bool is_factored(struct sg_ggl *ggl)
{
    const struct sg_ggl_schur *s = ggl->schur;
    bool kept = s->factored == ggl->h && (s->yielded == ggl->yield || ggl->yield == 0.0) &&
                same(&ggl->closed, s->closed, s->closed_count) &&
                same(&ggl->pushed, s->pushed, s->pushed_count);
    if (kept) ggl->yield = s->yielded;
    return kept;
}

static void fill(struct sg_ggl *ggl)
{
    size_t b = ggl->problem->bilateral, first = b + ggl->closed.count;
    double share = sg_ggl_move(ggl) / ggl->h;
    for (size_t j = 0; j < b; j++) fill_row(ggl, &(struct small_row){j, j, 0, NULL, 1.0});
    for (size_t k = 0; k < ggl->closed.count; k++)
        fill_row(ggl, &(struct small_row){b + k, ggl->closed.row[k], b, &ggl->closed, share});
    for (size_t k = 0; k < ggl->pushed.count; k++)
        fill_row(ggl, &(struct small_row){first + k, ggl->pushed.row[k], first, &ggl->pushed, 1.0});
    for (size_t i = 0, size = sg_ggl_schur_size(ggl); ggl->yield > 0.0 && i < size; i++)
        ggl->schur->small[i * (size + 1)] -= sg_ggl_yield(ggl, sg_ggl_schur_row(ggl, i));
}

/* of the pivots, smallest to largest: less is rounding, and rows depend on one another */
static const double SOUND = 1e-13;

static bool factor_small(struct sg_ggl *ggl, size_t size)
{
    struct sg_ggl_schur *s = ggl->schur;
    s->factored = NAN;
    fill(ggl);
    return sg_small_factor(size, s->small, s->pivot) &&
           (ggl->yield > 0.0 || sg_small_condition(size, s->small) > SOUND);
}

sg_status sg_ggl_schur_small(struct sg_ggl *ggl, struct sg_error *err)
{
    struct sg_ggl_schur *s = ggl->schur;
    size_t size = sg_ggl_schur_size(ggl);
    if (size == 0) return SG_OK;
    if (!is_factored(ggl)) {
        bool sound = factor_small(ggl, size);
        if (!sound && ggl->yield == 0.0) {
            ggl->yield = SG_GGL_SHARING;
            sound = factor_small(ggl, size);
        }
        if (!sound)
            FAIL(err, SG_NO_SOLUTION, "the constraints repeat one another: %zu bilateral, %zu contacts",
                 ggl->problem->bilateral, ggl->closed.count - ggl->problem->bilateral);
        s->factored = ggl->h;
        s->yielded = ggl->yield;
        s->closed_count = ggl->closed.count;
        s->pushed_count = ggl->pushed.count;
        memcpy(s->closed, ggl->closed.row, s->closed_count * sizeof(size_t));
        memcpy(s->pushed, ggl->pushed.row, s->pushed_count * sizeof(size_t));
    }
    sg_small_solve(size, s->small, s->pivot, s->y);
    return SG_OK;
}

sg_status sg_ggl_schur_accelerate(struct sg_ggl *ggl, double *f, struct sg_error *err)
{
    struct sg_ggl_schur *s = ggl->schur;
    size_t m = ggl->rows, count = ggl->smooth.count;
    sg_factor_solve(&s->mass, f);
    ggl->counts.solves++;
    s->factored = NAN;
    for (size_t i = 0; i < count; i++) {
        size_t row = ggl->smooth.row[i];
        for (size_t k = 0; k < count; k++) s->small[i + k * count] = s->GY[ggl->smooth.row[k] * m + row];
        s->y[i] = -ggl->cs[i] - sg_ggl_dot(ggl, row, f);
    }
    if (!sg_small_factor(count, s->small, s->pivot))
        FAIL(err, SG_NO_SOLUTION, "the bilateral constraints repeat one another");
    sg_small_solve(count, s->small, s->pivot, s->y);
    for (size_t i = 0; i < count; i++) {
        ggl->lam[ggl->smooth.row[i]] = s->y[i];
        sg_axpy(ggl->n, s->y[i], s->Y + ggl->smooth.row[i] * ggl->n, f);
    }
    return SG_OK;
}

/* --- a correction of Newton ------------------------------------------------------------------------------
 */

/* x := -(jump - Y multiplier): what the jump lacks */
static void lack(const struct sg_ggl *ggl, const struct sg_ggl_list *list, const double *multiplier,
                 const double *jump, double *x)
{
    for (size_t i = 0; i < ggl->n; i++) x[i] = -jump[i];
    for (size_t k = 0; k < list->count; k++)
        sg_axpy(ggl->n, multiplier[list->row[k]], ggl->schur->Y + list->row[k] * ggl->n, x);
}

static void right_side(struct sg_ggl *ggl)
{
    struct sg_ggl_schur *s = ggl->schur;
    size_t n = ggl->n, b = ggl->problem->bilateral, first = b + ggl->closed.count;
    double h = ggl->h, share = sg_ggl_move(ggl) / h;
    lack(ggl, &ggl->closed, ggl->nu, ggl->U, s->x3);
    lack(ggl, &ggl->pushed, ggl->Lam, ggl->W, s->x5);
    for (size_t i = 0; i < n; i++) s->x1[i] = -ggl->rs[i];
    sg_matrix_multiply_add(ggl->problem->K, -h, s->x3, s->x1);
    if (s->P != NULL) sg_matrix_multiply_add(ggl->problem->C, -h, s->x5, s->x1);
    for (size_t i = 0; i < n; i++) s->x3[i] /= h;
    solve(ggl, s->x1);
    for (size_t j = 0; j < b; j++) s->y[j] = -ggl->cs[j] - sg_ggl_dot(ggl, j, s->x1);
    for (size_t k = 0; k < ggl->closed.count; k++) {
        size_t j = ggl->closed.row[k];
        s->y[b + k] = -ggl->cp[j] - share * sg_ggl_dot(ggl, j, s->x1) - sg_ggl_dot(ggl, j, s->x3);
    }
    for (size_t k = 0; k < ggl->pushed.count; k++) {
        size_t j = ggl->pushed.row[k];
        s->y[first + k] = -ggl->cv[j] - sg_ggl_dot(ggl, j, s->x1) - sg_ggl_dot(ggl, j, s->x5);
    }
}

sg_status sg_ggl_schur_correct(struct sg_ggl *ggl, struct sg_error *err)
{
    struct sg_ggl_schur *s = ggl->schur;
    struct sg_ggl_layout at = sg_ggl_layout(ggl, SG_GGL_ALL);
    size_t n = ggl->n, b = ggl->problem->bilateral, first = b + ggl->closed.count;
    TRY(sg_ggl_schur_prepare(ggl, err));
    right_side(ggl);
    TRY(sg_ggl_schur_small(ggl, err));
    double *x1 = ggl->x + at.vt, *x3 = ggl->x + at.u, *x5 = ggl->x + at.w;
    memcpy(x1, s->x1, n * sizeof *x1);
    memcpy(x3, s->x3, n * sizeof *x3);
    memcpy(x5, s->x5, n * sizeof *x5);
    memcpy(ggl->x + at.lam, s->y, b * sizeof(double));
    memcpy(ggl->x + at.nu, s->y + b, ggl->closed.count * sizeof(double));
    memcpy(ggl->x + at.kick, s->y + first, ggl->pushed.count * sizeof(double));
    for (size_t j = 0; j < b; j++) sg_axpy(n, -s->y[j], s->Z + j * n, x1);
    for (size_t k = 0; k < ggl->closed.count; k++) {
        size_t j = ggl->closed.row[k];
        sg_axpy(n, s->y[b + k], s->X + j * n, x1);
        sg_axpy(n, -s->y[b + k], s->Y + j * n, x3);
    }
    for (size_t k = 0; k < ggl->pushed.count; k++) {
        size_t j = ggl->pushed.row[k];
        if (s->P != NULL) sg_axpy(n, s->y[first + k], s->P + j * n, x1);
        sg_axpy(n, -s->y[first + k], s->Y + j * n, x5);
    }
    sg_ggl_apply(ggl, SG_GGL_ALL, ggl->x);
    return SG_OK;
}
