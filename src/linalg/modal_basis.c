/* The modal basis: phi^T M phi = 1, phi^T K phi = diag(k) (its eigenproblems are in modal_solve.c).
 *
 * Dofs that neither M nor K joins are solved apart, component by component of the graph of both matrices. In
 * the order of the components phi is block diagonal, each block dense over the dofs `dof` of its component:
 *
 *     u = [ phi_1          ] y,     states y = (M phi)^T u,     forces f_y = phi^T f,     W_y = phi^T W.
 *         [       phi_2    ]
 *         [             .. ]
 *
 * So bodies that do not touch stay apart to the last bit, and the cost is the sum of the cubes of the blocks
 * instead of the cube of the sum. Gaps and forces go by phi, states by M phi, both kept: then no mass matrix
 * is solved for when a state is projected. A column of W becomes dense from the first to the last block that
 * it meets, and only that range is kept. Blocks are multiplied in chunks of rows, so that their dofs are
 * scattered from the stack. */
#include "linalg/modal.h"

#include <cblas.h>
#include <math.h>
#include <stdbool.h>

#include "linalg/modal_solve.h"
#include "support/arena.h"

enum { CHUNK = 512, CHUNK_ROWS = 256 };

static int blas_int(size_t n)
{
    return (int)n;
}

static size_t at_most(size_t count, size_t limit)
{
    return count < limit ? count : limit;
}

static void expand_block(const struct sg_modal_block *b, const double *y, double *x)
{
    double part[CHUNK];
    for (size_t r = 0; r < b->size; r += CHUNK) {
        size_t rows = at_most(b->size - r, CHUNK);
        cblas_dgemv(CblasColMajor, CblasNoTrans, blas_int(rows), blas_int(b->size), 1, b->phi + r,
                    blas_int(b->size), y + b->first, 1, 0, part, 1);
        for (size_t i = 0; i < rows; i++) x[b->dof[r + i]] = part[i];
    }
}

void sg_modal_expand(const struct sg_modal *modal, const double *y, double *x)
{
    for (size_t k = 0; k < modal->block_count; k++) {
        const struct sg_modal_block *b = &modal->blocks[k];
        if (b->size == 1)
            x[b->dof[0]] = b->phi[0] * y[b->first];
        else
            expand_block(b, y, x);
    }
}

static void expand_block_rows(const struct sg_modal_block *b, const struct sg_modal_rows *rows)
{
    double part[CHUNK_ROWS * SG_MODAL_ROWS_MAX];
    for (size_t r = 0; r < b->size; r += CHUNK_ROWS) {
        size_t some = at_most(b->size - r, CHUNK_ROWS);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, blas_int(some), blas_int(rows->count),
                    blas_int(b->size), 1, b->phi + r, blas_int(b->size), rows->y + b->first,
                    blas_int(rows->lead_y), 0, part, CHUNK_ROWS);
        for (size_t k = 0; k < rows->count; k++)
            for (size_t i = 0; i < some; i++)
                rows->x[k * rows->lead_x + b->dof[r + i]] = part[k * CHUNK_ROWS + i];
    }
}

void sg_modal_expand_rows(const struct sg_modal *modal, const struct sg_modal_rows *rows)
{
    for (size_t j = 0; j < modal->block_count; j++) {
        const struct sg_modal_block *b = &modal->blocks[j];
        if (b->size > 1) expand_block_rows(b, rows);
        for (size_t k = 0; b->size == 1 && k < rows->count; k++)
            rows->x[k * rows->lead_x + b->dof[0]] = b->phi[0] * rows->y[k * rows->lead_y + b->first];
    }
}

/* y_block = A^T x_block, A = phi or mphi */
static void project_block(const struct sg_modal_block *b, const double *a, const double *x, double *y)
{
    double part[CHUNK];
    for (size_t r = 0; r < b->size; r += CHUNK) {
        size_t rows = at_most(b->size - r, CHUNK);
        for (size_t i = 0; i < rows; i++) part[i] = x[b->dof[r + i]];
        cblas_dgemv(CblasColMajor, CblasTrans, blas_int(rows), blas_int(b->size), 1, a + r, blas_int(b->size),
                    part, 1, r == 0 ? 0 : 1, y + b->first, 1);
    }
}

void sg_modal_project_force(const struct sg_modal *modal, const double *x, double *y)
{
    for (size_t k = 0; k < modal->block_count; k++) {
        const struct sg_modal_block *b = &modal->blocks[k];
        project_block(b, b->phi, x, y);
    }
}

void sg_modal_project_state(const struct sg_modal *modal, const double *x, double *y)
{
    for (size_t k = 0; k < modal->block_count; k++) {
        const struct sg_modal_block *b = &modal->blocks[k];
        project_block(b, b->mphi, x, y);
    }
}

/* Each dof went to this place of this block. */
struct places {
    size_t *block, *local;
};

static sg_status find_places(struct sg_arena *arena, const struct sg_modal *modal, struct places *at,
                             struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, &at->block, modal->n, err));
    TRY(SG_ARENA_NEW(arena, &at->local, modal->n, err));
    for (size_t k = 0; k < modal->block_count; k++)
        for (size_t i = 0; i < modal->blocks[k].size; i++) {
            at->block[modal->blocks[k].dof[i]] = k;
            at->local[modal->blocks[k].dof[i]] = i;
        }
    return SG_OK;
}

/* the dense range of column j: first row and, returned, length */
static size_t find_range(const struct sg_modal *modal, const struct sg_columns *w, size_t j,
                         const struct places *at, size_t *first)
{
    size_t begin = modal->n, end = 0;
    for (size_t e = w->start[j]; e < w->start[j + 1]; e++) {
        const struct sg_modal_block *b = &modal->blocks[at->block[w->row[e]]];
        if (b->first < begin) begin = b->first;
        if (b->first + b->size > end) end = b->first + b->size;
    }
    *first = end == 0 ? 0 : begin;
    return end == 0 ? 0 : end - begin;
}

static sg_status project_sparse(struct sg_arena *arena, const struct sg_modal *modal,
                                const struct sg_columns *w, const struct places *at, struct sg_columns *p,
                                struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, &p->start, w->q + 1, err));
    TRY(SG_ARENA_NEW(arena, &p->first, w->q, err));
    for (size_t j = 0; j < w->q; j++)
        p->start[j + 1] = p->start[j] + find_range(modal, w, j, at, &p->first[j]);
    TRY(SG_ARENA_NEW(arena, &p->value, p->start[w->q], err));
    for (size_t j = 0; j < w->q; j++)
        for (size_t e = w->start[j]; e < w->start[j + 1]; e++) {
            const struct sg_modal_block *b = &modal->blocks[at->block[w->row[e]]];
            double *out = p->value + p->start[j] + (b->first - p->first[j]);
            const double *row = b->phi + at->local[w->row[e]];
            for (size_t k = 0; k < b->size; k++) out[k] += w->value[e] * row[k * b->size];
        }
    return SG_OK;
}

sg_status sg_modal_project_columns(struct sg_arena *arena, const struct sg_modal *modal, struct sg_columns *w,
                                   struct sg_error *err)
{
    if (w->row == NULL || w->n != modal->n)
        FAIL(err, SG_INTERNAL, "columns of %zu rows to be projected must be sparse and have %zu rows", w->n,
             modal->n);
    SG_LOCAL_ARENA(scratch);
    struct places at = {0};
    struct sg_columns projected = {.n = w->n, .q = w->q};
    sg_status status = find_places(&scratch, modal, &at, err);
    if (status == SG_OK) status = project_sparse(arena, modal, w, &at, &projected, err);
    if (status == SG_OK) *w = projected;
    return status;
}

/* the lowest dof of the component, paths halved on the way */
static size_t find_root(size_t *parent, size_t i)
{
    for (; parent[i] != i; i = parent[i]) parent[i] = parent[parent[i]];
    return i;
}

static void unite(size_t *parent, const struct sg_triplets *t)
{
    for (size_t e = 0; e < t->count; e++) {
        size_t i = find_root(parent, t->row[e]), j = find_root(parent, t->column[e]);
        parent[i < j ? j : i] = i < j ? i : j;
    }
}

/* Components of the graph of both matrices. `local` serves as the union-find's parents first; parents
 * never exceed their children, so that one ascending pass ends at the roots. */
static size_t find_components(const struct sg_triplets t[2], size_t n, struct places *at)
{
    size_t *parent = at->local, count = 0;
    for (size_t i = 0; i < n; i++) parent[i] = i;
    unite(parent, &t[0]);
    unite(parent, &t[1]);
    for (size_t i = 0; i < n; i++) {
        parent[i] = parent[parent[i]];
        at->block[i] = parent[i] == i ? count++ : at->block[parent[i]];
    }
    return count;
}

static sg_status make_blocks(struct sg_arena *arena, struct sg_modal *modal, struct places *at,
                             struct sg_error *err)
{
    for (size_t i = 0; i < modal->n; i++) at->local[i] = modal->blocks[at->block[i]].size++;
    size_t first = 0;
    for (size_t k = 0; k < modal->block_count; k++) {
        struct sg_modal_block *b = &modal->blocks[k];
        b->first = first;
        first += b->size;
        if (b->size > SG_MODAL_LARGEST)
            FAIL(err, SG_NO_MEMORY, "modal basis of %zu connected dofs is beyond the limit of %d", b->size,
                 SG_MODAL_LARGEST);
        TRY(SG_ARENA_NEW(arena, &b->dof, b->size, err));
        TRY(SG_ARENA_NEW_STREAMED(arena, &b->phi, b->size * b->size, err));
        TRY(SG_ARENA_NEW_STREAMED(arena, &b->mphi, b->size * b->size, err));
    }
    for (size_t i = 0; i < modal->n; i++) modal->blocks[at->block[i]].dof[at->local[i]] = i;
    return SG_OK;
}

static void scatter(const struct sg_modal *modal, const struct places *at, const struct sg_triplets t[2])
{
    for (int which = 0; which < 2; which++)
        for (size_t e = 0; e < t[which].count; e++) {
            const struct sg_modal_block *b = &modal->blocks[at->block[t[which].row[e]]];
            double *a = which == 0 ? b->mphi : b->phi;
            a[at->local[t[which].row[e]] + at->local[t[which].column[e]] * b->size] += t[which].value[e];
        }
}

static sg_status build(struct sg_arena *arena, struct sg_modal *modal, const struct sg_triplets t[2],
                       struct places *at, struct sg_error *err)
{
    if (t[0].failed || t[1].failed) FAIL(err, SG_NO_MEMORY, "out of memory: modal basis");
    TRY(SG_ARENA_NEW(arena, &modal->k, modal->n, err));
    modal->block_count = find_components(t, modal->n, at);
    TRY(SG_ARENA_NEW(arena, &modal->blocks, modal->block_count, err));
    TRY(make_blocks(arena, modal, at, err));
    scatter(modal, at, t);
    for (size_t k = 0; k < modal->block_count; k++)
        TRY(sg_modal_solve_block(&modal->blocks[k], modal->k + modal->blocks[k].first, err));
    return SG_OK;
}

sg_status sg_modal_create(struct sg_arena *arena, const struct sg_matrix *m, const struct sg_matrix *k,
                          struct sg_modal **modal, struct sg_error *err)
{
    *modal = NULL;
    struct sg_modal *made = NULL;
    TRY(SG_ARENA_NEW(arena, &made, 1, err));
    made->n = m->n;
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets t[2] = {{.arena = &scratch, .n = m->n}, {.arena = &scratch, .n = k->n}};
    struct places at = {0};
    sg_matrix_to_triplets(m, &t[0]);
    sg_matrix_to_triplets(k, &t[1]);
    sg_status status = SG_ARENA_NEW(&scratch, &at.block, m->n, err);
    if (status == SG_OK) status = SG_ARENA_NEW(&scratch, &at.local, m->n, err);
    if (status == SG_OK) status = build(arena, made, t, &at, err);
    if (status == SG_OK) *modal = made;
    return status;
}

/* M (sum_l d_l x_l x_l^T) M, the matrix in nodal coordinates that has the number d_l in each mode: a
 * symmetric product of M phi diag(sqrt(d)) with itself, d >= 0. */
static void spread_block(const struct sg_modal_block *b, const double *d, double *work, struct sg_triplets *t)
{
    int size = blas_int(b->size);
    double *part = work, *product = work + b->size * b->size;
    for (size_t j = 0; j < b->size; j++)
        for (size_t i = 0; i < b->size; i++)
            part[j * b->size + i] = b->mphi[j * b->size + i] * sqrt(d[b->first + j]);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, size, size, 1, part, size, 0, product, size);
    for (size_t j = 0; j < b->size; j++)
        for (size_t i = j; i < b->size; i++) {
            bool below = b->dof[i] > b->dof[j];
            sg_triplets_add(t, below ? b->dof[i] : b->dof[j], below ? b->dof[j] : b->dof[i],
                            product[j * b->size + i]);
        }
}

sg_status sg_modal_spread(const struct sg_modal *modal, const double *d, struct sg_triplets *t,
                          struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    double *work = NULL;
    size_t most = 0;
    for (size_t k = 0; k < modal->block_count; k++)
        if (modal->blocks[k].size > most) most = modal->blocks[k].size;
    TRY(SG_ARENA_NEW(&scratch, &work, 2 * most * most, err));
    for (size_t k = 0; k < modal->block_count; k++) spread_block(&modal->blocks[k], d, work, t);
    return SG_OK;
}
