/* Corrections by the assembled tangent: dense below some sixty unknowns, where a sparse factorisation costs
 * more than all of it, else sparse. */
#include "linalg/small.h"
#include "linalg/sparse_lu.h"
#include "strategies/generalized_alpha/nonsmooth_alpha.h"
#include "support/memory.h"

#include <stdint.h>
#include <string.h>

enum { DENSE_LIMIT = 60 };

static size_t entries_of(const struct sg_matrix *a)
{
    if (a == NULL || a->zero) return 0;
    switch (a->kind) {
    case SG_DIAGONAL:
        return a->n;
    case SG_TRIDIAGONAL:
        return 3 * a->n;
    case SG_BANDED:
        return (2 * a->width + 1) * a->n;
    case SG_SPARSE:
        return 2 * a->start[a->n];
    default:
        return a->n * a->n;
    }
}

/* at most: each constraint in eight places and its rate in four, second derivatives in six */
static size_t count_entries(const struct sg_ggl_problem *p)
{
    size_t columns = 0, rows = p->bilateral + p->unilateral;
    for (size_t k = 0; k < 2; k++)
        if (p->rows[k] != NULL) columns += p->rows[k]->start[p->rows[k]->q];
    if (p->tangents > 0) columns += p->tangents * p->tangent->start[p->tangent->q];
    size_t second = p->second != NULL ? p->second->count : 0;
    return 3 * entries_of(p->M) + 3 * entries_of(p->K) + 3 * entries_of(p->C) + 12 * columns + 12 * second +
           rows * p->tangents * (3 + p->tangents) + 3 * rows;
}

/* what serves best, by measurement: see docs/nonsmooth-generalized-alpha.md */
static enum sg_ggl_method choose(const struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    const struct sg_ggl_spec *s = &ggl->spec;
    bool plain = s->level == SG_GGL_BOTH && s->coupling == SG_GGL_MONOLITHIC &&
                 s->variant == SG_GGL_STANDARD && p->affine && p->tangents == 0 && !ggl->massless;
    bool small = ggl->most <= DENSE_LIMIT;
    if (s->method == SG_GGL_CONDENSED && plain && p->linear) return SG_GGL_CONDENSED;
    if (s->method == SG_GGL_SCHUR && plain) return SG_GGL_SCHUR;
    if (s->method == SG_GGL_DENSE || s->method == SG_GGL_SPARSE) return s->method;
    if (plain && p->linear) return SG_GGL_CONDENSED;
    if (plain && !small) return SG_GGL_SCHUR;
    return small ? SG_GGL_DENSE : SG_GGL_SPARSE;
}

sg_status sg_ggl_solver_init(struct sg_ggl *ggl, struct sg_error *err)
{
    const struct sg_ggl_problem *p = ggl->problem;
    ggl->most = 3 * ggl->n + p->bilateral + 2 * ggl->rows + p->unilateral * p->tangents;
    ggl->method = choose(ggl);
    TRY(SG_NEW(&ggl->x, ggl->most, err));
    TRY(SG_NEW(&ggl->by, ggl->most, err));
    if (ggl->method == SG_GGL_SCHUR || ggl->method == SG_GGL_CONDENSED) return sg_ggl_schur_init(ggl, err);
    struct sg_ggl_entries *e = &ggl->entries;
    if (ggl->method == SG_GGL_DENSE) {
        TRY(SG_NEW(&e->dense, ggl->most * ggl->most, err));
        return SG_NEW(&ggl->pivot, ggl->most, err);
    }
    e->capacity = count_entries(p);
    TRY(SG_NEW(&e->row, e->capacity, err));
    TRY(SG_NEW(&e->column, e->capacity, err));
    TRY(SG_NEW(&e->value, e->capacity, err));
    return sg_sparse_lu_create(&ggl->arena, ggl->most, e->capacity, &ggl->sparse, err);
}

void sg_ggl_solver_release(struct sg_ggl *ggl)
{
    sg_ggl_schur_release(ggl);
    sg_arena_release(&ggl->arena);
    sg_free(ggl->entries.row);
    sg_free(ggl->entries.column);
    sg_free(ggl->entries.value);
    sg_free(ggl->entries.dense);
    sg_free(ggl->pivot);
    sg_free(ggl->x);
    sg_free(ggl->by);
}

/* of the pivots, smallest to largest: less is rounding, and rows depend on one another */
static const double SOUND = 1e-13;

/* --- scales ------------------------------------------------------------------------------------------ */

/* M has ones on its diagonal then and the rows of constraints are of one length, whatever the units: pivots
 * can be compared */
static void scale_dofs(const struct sg_ggl *ggl, size_t at)
{
    if (at != SIZE_MAX) memcpy(ggl->by + at, ggl->ease, ggl->n * sizeof(double));
}

static void scale_rows(const struct sg_ggl *ggl, size_t at, const struct sg_ggl_list *list)
{
    for (size_t i = 0; at != SIZE_MAX && i < list->count; i++) ggl->by[at + i] = ggl->grip[list->row[i]];
}

static void scale_slides(const struct sg_ggl *ggl, size_t at)
{
    const struct sg_ggl_problem *p = ggl->problem;
    size_t t = p->tangents;
    for (size_t i = p->bilateral; at != SIZE_MAX && t > 0 && i < ggl->pushed.count; i++)
        memcpy(ggl->by + at + (i - p->bilateral) * t,
               ggl->grip + ggl->rows + (ggl->pushed.row[i] - p->bilateral) * t, t * sizeof(double));
}

static void find_scales(const struct sg_ggl *ggl, const struct sg_ggl_layout *at)
{
    scale_dofs(ggl, at->vt);
    scale_dofs(ggl, at->u);
    scale_dofs(ggl, at->w);
    scale_rows(ggl, at->lam, &ggl->smooth);
    scale_rows(ggl, at->nu, &ggl->closed);
    scale_rows(ggl, at->kick, &ggl->pushed);
    scale_slides(ggl, at->slide);
}

static void scale_matrix(struct sg_ggl *ggl, size_t size)
{
    struct sg_ggl_entries *e = &ggl->entries;
    const double *by = ggl->by;
    for (size_t j = 0; j < size && e->dense != NULL; j++)
        for (size_t i = 0; i < size; i++) e->dense[i + j * size] *= by[i] * by[j];
    for (size_t k = 0; k < e->count; k++) e->value[k] *= by[e->row[k]] * by[e->column[k]];
}

static void scale_vector(const struct sg_ggl *ggl, size_t size)
{
    for (size_t i = 0; i < size; i++) ggl->x[i] *= ggl->by[i];
}

/* --- solving ----------------------------------------------------------------------------------------- */

static bool factor_dense(struct sg_ggl *ggl, size_t size)
{
    double *a = ggl->entries.dense;
    return sg_small_factor(size, a, ggl->pivot) && (ggl->yield > 0.0 || sg_small_condition(size, a) > SOUND);
}

static sg_status solve_dense(struct sg_ggl *ggl, size_t size, struct sg_error *err)
{
    if (!factor_dense(ggl, size))
        FAIL(
            err, SG_NO_SOLUTION,
            "the system of motion and constraints is singular: a mass without a constraint that holds it, or "
            "constraints that repeat one another");
    sg_small_solve(size, ggl->entries.dense, ggl->pivot, ggl->x);
    return SG_OK;
}

static sg_status solve_sparse(struct sg_ggl *ggl, size_t size, struct sg_error *err)
{
    struct sg_sparse_entries a = {size, ggl->entries.count, ggl->entries.row, ggl->entries.column,
                                  ggl->entries.value};
    return sg_sparse_lu_solve(ggl->sparse, &a, ggl->yield > 0.0 ? 0.0 : SOUND, ggl->x, err);
}

/* x := A^-1 x, A the entries at hand */
static sg_status solve(struct sg_ggl *ggl, const struct sg_ggl_layout *at, struct sg_error *err)
{
    ggl->counts.factorizations++;
    ggl->counts.solves++;
    find_scales(ggl, at);
    scale_matrix(ggl, at->total);
    scale_vector(ggl, at->total);
    TRY(ggl->entries.dense != NULL ? solve_dense(ggl, at->total, err) : solve_sparse(ggl, at->total, err));
    scale_vector(ggl, at->total);
    return SG_OK;
}

sg_status sg_ggl_accelerate(struct sg_ggl *ggl, double *f, struct sg_error *err)
{
    size_t n = ggl->n, count = ggl->smooth.count, none = SIZE_MAX;
    const struct sg_ggl_layout at = {0, n, none, none, none, none, none, n + count};
    if (ggl->schur != NULL) return sg_ggl_schur_accelerate(ggl, f, err);
    memcpy(ggl->x, f, n * sizeof *f);
    for (size_t i = 0; i < count; i++) ggl->x[n + i] = -ggl->cs[i];
    sg_ggl_assemble_start(ggl);
    ggl->yield =
        SG_GGL_SHARING; /* rows are independent at the start: masses may lie as far apart as they like */
    TRY(solve(ggl, &at, err));
    ggl->yield = 0.0;
    memcpy(f, ggl->x, n * sizeof *f);
    for (size_t i = 0; i < count; i++) ggl->lam[ggl->smooth.row[i]] = -ggl->x[n + i];
    return SG_OK;
}

static sg_status assembled_correction(struct sg_ggl *ggl, int blocks, struct sg_error *err)
{
    struct sg_ggl_layout at = sg_ggl_layout(ggl, blocks);
    sg_ggl_assemble(ggl, blocks);
    sg_ggl_right_side(ggl, blocks, ggl->x);
    return solve(ggl, &at, err);
}

/* Where no contact pushes and W is zero it stays so: v = v~ then, and the rows of Lam are those of lam. */
static int without_idle(const struct sg_ggl *ggl, int blocks)
{
    size_t bilateral = ggl->problem->bilateral;
    if (ggl->spec.level != SG_GGL_BOTH || !(blocks & SG_GGL_SMOOTH)) return blocks;
    if (ggl->pushed.count > bilateral || !sg_ggl_is_zero(bilateral, ggl->Lam) ||
        !sg_ggl_is_zero(ggl->n, ggl->W))
        return blocks;
    return blocks & ~SG_GGL_KICK;
}

sg_status sg_ggl_correct(struct sg_ggl *ggl, int blocks, struct sg_error *err)
{
    const struct sg_ggl_problem *p = ggl->problem;
    ggl->counts.newton++;
    if (p->linearize != NULL && (blocks & SG_GGL_SMOOTH)) p->linearize(p->self, ggl->t, ggl->q, ggl->v);
    if (ggl->schur != NULL) return sg_ggl_schur_correct(ggl, err);
    blocks = without_idle(ggl, blocks);
    sg_status status = assembled_correction(ggl, blocks, err);
    if (status == SG_NO_SOLUTION && ggl->yield == 0.0) {
        sg_error_clear(err);
        ggl->yield = SG_GGL_SHARING;
        status = assembled_correction(ggl, blocks, err);
    }
    if (status != SG_OK) return status;
    sg_ggl_apply(ggl, blocks, ggl->x);
    return SG_OK;
}
