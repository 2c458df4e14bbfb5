#include "linalg/effective_slot.h"

#include <math.h>
#include <string.h>

#include "linalg/vector.h"
#include "support/arena.h"

/* uses after which a triple counts as a regular step */
enum { KEEP_AFTER = 2 };

static sg_status slot_init(struct sg_arena *arena, struct sg_effective *op, struct sg_effective_slot *s,
                           bool complex_valued, struct sg_error *err)
{
    struct sg_factor_layout layout = op->layout;
    layout.complex_valued = complex_valued;
    s->is_complex = complex_valued;
    TRY(sg_factor_init(arena, &s->factor, &layout, err));
    if (!op->diagonal) TRY(SG_ARENA_NEW(arena, &s->x_re, op->n * op->q, err));
    if (!op->diagonal && complex_valued) TRY(SG_ARENA_NEW(arena, &s->x_im, op->n * op->q, err));
    TRY(SG_ARENA_NEW(arena, &s->have, op->q * op->q, err));
    TRY(SG_ARENA_NEW(arena, &s->touched, op->q, err));
    TRY(SG_ARENA_NEW(arena, &s->gram, op->q * op->q, err));
    TRY(SG_ARENA_NEW(arena, &s->cap, op->q * op->q, err));
    return SG_ARENA_NEW(arena, &s->pivot, op->q, err);
}

static sg_status allocate(struct sg_arena *arena, struct sg_effective *op, bool complex_valued,
                          struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, &op->active, op->q, err));
    TRY(SG_ARENA_NEW(arena, &op->delassus, op->q * op->q, err));
    TRY(SG_ARENA_NEW(arena, &op->z, op->q, err));
    TRY(SG_ARENA_NEW(arena, &op->mass_response, op->n * op->q, err));
    for (size_t j = 0; j < op->held; j++) op->active[j] = op->contacts + j;
    op->active_count = op->held;
    op->layout = sg_factor_layout_for(&op->mck);
    if (op->layout.kind == SG_SPARSE)
        TRY(sg_symbolic_create(arena, &op->mck, complex_valued, &op->layout.symbolic, err));
    for (size_t i = 0; i < SG_REAL_SLOTS; i++) TRY(slot_init(arena, op, &op->slots[i], false, err));
    for (size_t i = SG_REAL_SLOTS; complex_valued && i < SG_SLOTS; i++)
        TRY(slot_init(arena, op, &op->slots[i], true, err));
    return SG_OK;
}

sg_status sg_effective_create(struct sg_arena *arena, const struct sg_mck *mck,
                              const struct sg_effective_rows *rows, bool complex_valued,
                              struct sg_effective **out, struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, out, 1, err));
    struct sg_effective *op = *out;
    op->mck = *mck;
    op->rows = *rows;
    op->n = mck->m->n;
    op->diagonal = mck->m->kind == SG_DIAGONAL && mck->k->kind == SG_DIAGONAL &&
                   (mck->c->zero || mck->c->kind == SG_DIAGONAL);
    op->stamp = 1;
    TRY(sg_effective_held_init(arena, op, err));
    op->q = op->contacts + op->held;
    return allocate(arena, op, complex_valued, err);
}

void sg_effective_set_active(struct sg_effective *op, const unsigned char *active)
{
    size_t count = 0;
    bool same = true;
    for (size_t j = 0; j < op->q; j++) {
        if (j < op->contacts && !active[j]) continue;
        same = same && count < op->active_count && op->active[count] == j;
        op->active[count++] = j;
    }
    if (same && count == op->active_count) return;
    op->active_count = count;
    op->stamp++;
}

void sg_effective_set_line(struct sg_effective *op, size_t j, double kappa, double offset)
{
    op->offset[j] = offset;
    if (op->kappa[j] == kappa) return;
    op->kappa[j] = kappa;
    op->stamp++;
}

size_t sg_effective_active_count(const struct sg_effective *op)
{
    return op->active_count;
}

size_t sg_effective_active_row(const struct sg_effective *op, size_t i)
{
    return op->active[i];
}

const struct sg_effective_rows *sg_effective_rows_view(const struct sg_effective *op)
{
    return &op->rows;
}

/* --- the cache ------------------------------------------------------------------------------------ */

static void slot_range(bool is_complex, size_t *first, size_t *end)
{
    *first = is_complex ? SG_REAL_SLOTS : 0;
    *end = is_complex ? SG_SLOTS : SG_REAL_SLOTS;
}

/* A triple seen twice is a regular step and is kept longer than a trial's: the victim is the least
 * recently used slot among those used once, else among all. */
static struct sg_effective_slot *victim(struct sg_effective *op, bool is_complex)
{
    size_t first = 0, end = 0;
    slot_range(is_complex, &first, &end);
    struct sg_effective_slot *once = NULL, *oldest = &op->slots[first];
    for (size_t i = first; i < end; i++) {
        struct sg_effective_slot *s = &op->slots[i];
        if (!s->used) return s;
        if (s->tick < oldest->tick) oldest = s;
        if (s->uses < KEEP_AFTER && (once == NULL || s->tick < once->tick)) once = s;
    }
    return once != NULL ? once : oldest;
}

static struct sg_effective_slot *find(struct sg_effective *op, const struct sg_effective_slot *key)
{
    size_t first = 0, end = 0;
    slot_range(key->is_complex, &first, &end);
    for (size_t i = first; i < end; i++) {
        struct sg_effective_slot *s = &op->slots[i];
        if (s->used && s->a == key->a && s->b == key->b && s->c == key->c) return s;
    }
    return NULL;
}

static sg_status compute(struct sg_effective *op, struct sg_effective_slot *s, struct sg_error *err)
{
    s->used = false;
    s->uses = 0;
    sg_effective_rows_reset(op, s);
    if (s->is_complex)
        TRY(sg_factor_compute_complex(&s->factor, &op->mck, (double complex[3]){s->a, s->b, s->c}, err));
    else
        TRY(sg_factor_compute(&s->factor, &op->mck, (double[3]){creal(s->a), creal(s->b), creal(s->c)}, err));
    if (!op->diagonal) op->counts.factorizations++;
    s->used = true;
    return SG_OK;
}

static sg_status prepare(struct sg_effective *op, const struct sg_effective_slot *key, size_t *index,
                         struct sg_error *err)
{
    op->tick++;
    struct sg_effective_slot *s = find(op, key);
    if (s == NULL) {
        s = victim(op, key->is_complex);
        s->a = key->a;
        s->b = key->b;
        s->c = key->c;
        TRY(compute(op, s, err));
    }
    s->tick = op->tick;
    s->uses++;
    if (op->active_count > 0 && s->cap_stamp != op->stamp) TRY(sg_effective_rows_prepare(op, s, err));
    *index = (size_t)(s - op->slots);
    return SG_OK;
}

sg_status sg_effective_prepare(struct sg_effective *op, double a, double b, double c, size_t *slot,
                               struct sg_error *err)
{
    struct sg_effective_slot key = {.is_complex = false, .a = a, .b = b, .c = c};
    return prepare(op, &key, slot, err);
}

sg_status sg_effective_prepare_complex(struct sg_effective *op, const double complex abc[3], size_t *slot,
                                       struct sg_error *err)
{
    struct sg_effective_slot key = {.is_complex = true, .a = abc[0], .b = abc[1], .c = abc[2]};
    return prepare(op, &key, slot, err);
}

/* --- solves --------------------------------------------------------------------------------------- */

void sg_effective_solve_smooth(const struct sg_effective *op, size_t slot, double *re, double *im)
{
    const struct sg_factor *factor = &op->slots[slot].factor;
    if (im == NULL)
        sg_factor_solve(factor, re);
    else
        sg_factor_solve_complex(factor, re, im);
}

void sg_effective_finish(struct sg_effective *op, size_t slot, const double complex *lead, double *re,
                         double *im)
{
    op->counts.solves++;
    if (op->active_count > 0) sg_effective_rows_apply(op, &op->slots[slot], lead, (struct sg_split){re, im});
}

void sg_effective_solve(struct sg_effective *op, size_t slot, double *x)
{
    sg_effective_solve_smooth(op, slot, x, NULL);
    sg_effective_finish(op, slot, NULL, x, NULL);
}

struct sg_effective_reciprocals sg_effective_reciprocals(const struct sg_effective *op, size_t slot)
{
    const struct sg_factor *factor = &op->slots[slot].factor;
    if (!op->diagonal) return (struct sg_effective_reciprocals){NULL, NULL};
    return (struct sg_effective_reciprocals){factor->re, factor->im};
}

double sg_effective_reaction(const struct sg_effective *op, size_t i)
{
    return -creal(op->z[i]);
}

/* --- products ------------------------------------------------------------------------------------- */

void sg_effective_restoring(const struct sg_effective *op, const double *restrict u, double *restrict y)
{
    sg_matrix_multiply(op->mck.k, u, y);
    for (size_t i = 0; i < op->active_count; i++) {
        size_t j = op->active[i];
        if (!isfinite(op->rows.kappa[j])) continue;
        double gap = sg_columns_dot(op->rows.w, j, u) + op->rows.offset[j];
        sg_columns_add(op->rows.w, j, op->rows.kappa[j] * gap, y);
    }
}

struct sg_effective_counts sg_effective_counts(const struct sg_effective *op)
{
    return op->counts;
}

/* --- impulses ------------------------------------------------------------------------------------- */

/* An impulse acts on the mass alone: dv = M^-1 W r, and gap rates change by H r with the Delassus operator
 * H = W^T M^-1 W, which is the Gram matrix of the triple (1, 0, 0). */
/* M^-1 W is kept apart from the cache: its slot may be given to another triple meanwhile. */
static sg_status delassus(struct sg_effective *op, struct sg_error *err)
{
    if (op->delassus_ready) return SG_OK;
    size_t slot = 0;
    TRY(sg_effective_prepare(op, 1.0, 0.0, 0.0, &slot, err));
    struct sg_effective_slot *s = &op->slots[slot];
    for (size_t j = 0; j < op->q; j++) {
        for (size_t i = 0; i < op->q; i++)
            op->delassus[j * op->q + i] = creal(sg_effective_rows_gram(op, s, i, j));
        sg_effective_rows_response(op, s, j, op->mass_response + j * op->n);
    }
    TRY(sg_effective_held_reduce(op, err));
    op->delassus_ready = true;
    return SG_OK;
}

sg_status sg_effective_delassus(struct sg_effective *op, const double **g, struct sg_error *err)
{
    TRY(delassus(op, err));
    *g = op->delassus;
    return SG_OK;
}

sg_status sg_effective_apply_impulse(struct sg_effective *op, const double *r, double *v,
                                     struct sg_error *err)
{
    TRY(delassus(op, err));
    for (size_t j = 0; j < op->contacts; j++)
        if (r[j] != 0.0) sg_axpy(op->n, r[j], op->mass_response + j * op->n, v);
    return SG_OK;
}
