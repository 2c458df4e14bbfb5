#include "linalg/effective.h"

#include <math.h>
#include <string.h>

#include "linalg/small.h"
#include "linalg/vector.h"
#include "support/memory.h"

/* Real triples and complex ones have slots of their own: their storage differs. */
enum { REAL_SLOTS = 6, SLOTS = 12, KEEP_AFTER = 2 };

/* One triple: the factor, the response columns X_j = (aM+bC+cK)^-1 w_j made when first needed, the
 * Gram matrix w_i . X_j, and the factorised capacitance matrix of the active set `stamp`. */
struct slot {
    bool used, is_complex;
    double complex a, b, c;
    struct sg_factor factor;
    unsigned long tick; /* last use */
    unsigned long uses;
    double *x_re, *x_im;     /* n x q */
    bool *have;              /* q */
    double complex *gram;    /* q x q, column j valid if have[j] */
    double complex *cap;     /* nA x nA, factorised */
    size_t *pivot;           /* nA */
    unsigned long cap_stamp; /* 0: none */
};

struct sg_effective {
    struct sg_mck mck;
    struct sg_factor_layout layout;
    struct sg_effective_rows rows;
    size_t n, q;
    bool diagonal;
    size_t active_count;
    size_t *active; /* q: rows of A, ascending */
    unsigned long stamp;
    struct slot slots[SLOTS];
    double *delassus;      /* q x q */
    double *mass_response; /* n x q: M^-1 W */
    bool delassus_ready;
    double complex *z; /* q: Woodbury coefficients of the last solve */
    size_t z_count;
    unsigned long tick;
    struct sg_effective_counts counts;
};

static void slot_release(struct slot *s)
{
    sg_factor_release(&s->factor);
    sg_free(s->x_re);
    sg_free(s->x_im);
    sg_free(s->have);
    sg_free(s->gram);
    sg_free(s->cap);
    sg_free(s->pivot);
}

static sg_status slot_init(struct sg_effective *op, struct slot *s, bool complex_valued, struct sg_error *err)
{
    struct sg_factor_layout layout = op->layout;
    layout.complex_valued = complex_valued;
    s->is_complex = complex_valued;
    TRY(sg_factor_init(&s->factor, &layout, err));
    TRY(SG_NEW(&s->x_re, op->n * op->q, err));
    if (complex_valued) TRY(SG_NEW(&s->x_im, op->n * op->q, err));
    TRY(SG_NEW(&s->have, op->q, err));
    TRY(SG_NEW(&s->gram, op->q * op->q, err));
    TRY(SG_NEW(&s->cap, op->q * op->q, err));
    return SG_NEW(&s->pivot, op->q, err);
}

static sg_status allocate(struct sg_effective *op, bool complex_valued, struct sg_error *err)
{
    TRY(SG_NEW(&op->active, op->q, err));
    TRY(SG_NEW(&op->delassus, op->q * op->q, err));
    TRY(SG_NEW(&op->z, op->q, err));
    TRY(SG_NEW(&op->mass_response, op->n * op->q, err));
    op->layout = sg_factor_layout_for(&op->mck);
    if (op->layout.kind == SG_SPARSE)
        TRY(sg_symbolic_create(&op->mck, complex_valued, &op->layout.symbolic, err));
    for (size_t i = 0; i < REAL_SLOTS; i++) TRY(slot_init(op, &op->slots[i], false, err));
    for (size_t i = REAL_SLOTS; complex_valued && i < SLOTS; i++)
        TRY(slot_init(op, &op->slots[i], true, err));
    return SG_OK;
}

sg_status sg_effective_create(const struct sg_mck *mck, const struct sg_effective_rows *rows,
                              bool complex_valued, struct sg_effective **out, struct sg_error *err)
{
    TRY(SG_NEW(out, 1, err));
    struct sg_effective *op = *out;
    op->mck = *mck;
    op->rows = *rows;
    op->n = mck->m->n;
    op->q = rows->w->q;
    op->diagonal = mck->m->kind == SG_DIAGONAL && mck->k->kind == SG_DIAGONAL &&
                   (mck->c->zero || mck->c->kind == SG_DIAGONAL);
    op->stamp = 1;
    sg_status status = allocate(op, complex_valued, err);
    if (status != SG_OK) {
        sg_effective_destroy(op);
        *out = NULL;
    }
    return status;
}

void sg_effective_destroy(struct sg_effective *op)
{
    if (op == NULL) return;
    for (size_t i = 0; i < SLOTS; i++) slot_release(&op->slots[i]);
    sg_symbolic_destroy(op->layout.symbolic);
    sg_free(op->active);
    sg_free(op->delassus);
    sg_free(op->z);
    sg_free(op->mass_response);
    sg_free(op);
}

void sg_effective_set_active(struct sg_effective *op, const unsigned char *active)
{
    size_t count = 0;
    bool same = true;
    for (size_t j = 0; j < op->q; j++) {
        if (!active[j]) continue;
        same = same && count < op->active_count && op->active[count] == j;
        op->active[count++] = j;
    }
    if (same && count == op->active_count) return;
    op->active_count = count;
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

/* --- the cache ----------------------------------------------------------------------------------- */

static void slot_range(bool is_complex, size_t *first, size_t *end)
{
    *first = is_complex ? REAL_SLOTS : 0;
    *end = is_complex ? SLOTS : REAL_SLOTS;
}

/* A triple seen twice is a regular step and is kept longer than a trial's: the victim is the least
 * recently used slot among those used once, else among all. */
static struct slot *victim(struct sg_effective *op, bool is_complex)
{
    size_t first = 0, end = 0;
    slot_range(is_complex, &first, &end);
    struct slot *once = NULL, *oldest = &op->slots[first];
    for (size_t i = first; i < end; i++) {
        struct slot *s = &op->slots[i];
        if (!s->used) return s;
        if (s->tick < oldest->tick) oldest = s;
        if (s->uses < KEEP_AFTER && (once == NULL || s->tick < once->tick)) once = s;
    }
    return once != NULL ? once : oldest;
}

static struct slot *find(struct sg_effective *op, const struct slot *key)
{
    size_t first = 0, end = 0;
    slot_range(key->is_complex, &first, &end);
    for (size_t i = first; i < end; i++) {
        struct slot *s = &op->slots[i];
        if (s->used && s->a == key->a && s->b == key->b && s->c == key->c) return s;
    }
    return NULL;
}

static sg_status compute(struct sg_effective *op, struct slot *s, struct sg_error *err)
{
    s->used = false;
    s->uses = 0;
    s->cap_stamp = 0;
    if (op->q > 0) memset(s->have, 0, op->q * sizeof *s->have);
    if (s->is_complex)
        TRY(sg_factor_compute_complex(&s->factor, &op->mck, (double complex[3]){s->a, s->b, s->c}, err));
    else
        TRY(sg_factor_compute(&s->factor, &op->mck, (double[3]){creal(s->a), creal(s->b), creal(s->c)}, err));
    if (!op->diagonal) op->counts.factorizations++;
    s->used = true;
    return SG_OK;
}

static void gram_column(const struct sg_effective *op, struct slot *s, size_t j)
{
    const struct sg_columns *w = op->rows.w;
    for (size_t i = 0; i < op->q; i++) {
        double re = sg_columns_dot(w, i, s->x_re + j * op->n);
        double im = s->is_complex ? sg_columns_dot(w, i, s->x_im + j * op->n) : 0.0;
        s->gram[j * op->q + i] = re + im * I;
    }
    s->have[j] = true;
}

/* a diagonal solve where only a range of the right-hand side is not zero */
static void scale_range(const struct sg_factor *f, size_t first, size_t count, double *re, double *im)
{
    for (size_t i = first; i < first + count; i++) {
        double x = re[i];
        re[i] = x * f->re[i];
        if (im != NULL) im[i] = x * f->im[i];
    }
}

static void response_column(const struct sg_effective *op, struct slot *s, size_t j)
{
    double *re = s->x_re + j * op->n, *im = s->is_complex ? s->x_im + j * op->n : NULL;
    size_t first = 0, count = op->n;
    if (op->diagonal) sg_columns_range(op->rows.w, j, &first, &count);
    memset(re + first, 0, count * sizeof *re);
    sg_columns_add(op->rows.w, j, 1.0, re);
    if (im != NULL) memset(im + first, 0, count * sizeof *im);
    if (op->diagonal)
        scale_range(&s->factor, first, count, re, im);
    else if (im != NULL)
        sg_factor_solve_complex(&s->factor, re, im);
    else
        sg_factor_solve(&s->factor, re);
    gram_column(op, s, j);
}

/* An elastic row acts through the stiffness only: without K in the triple it does nothing. */
static bool acts(const struct sg_effective *op, const struct slot *s, size_t j)
{
    return s->c != 0.0 || !isfinite(op->rows.kappa[j]);
}

/* D + W_A^T X; a row that does not act becomes a unit row. */
static sg_status capacitance(struct sg_effective *op, struct slot *s, struct sg_error *err)
{
    size_t na = op->active_count;
    for (size_t i = 0; i < na; i++)
        if (!s->have[op->active[i]]) response_column(op, s, op->active[i]);
    for (size_t l = 0; l < na; l++) {
        size_t j = op->active[l];
        for (size_t i = 0; i < na; i++) {
            bool both = acts(op, s, j) && acts(op, s, op->active[i]);
            s->cap[l * na + i] = both ? s->gram[j * op->q + op->active[i]] : 0.0;
        }
        bool rigid = !isfinite(op->rows.kappa[j]);
        if (!acts(op, s, j))
            s->cap[l * na + l] = 1.0;
        else if (!rigid)
            s->cap[l * na + l] += 1.0 / (s->c * op->rows.kappa[j]);
    }
    if (!sg_small_factor_complex(na, s->cap, s->pivot))
        FAIL(err, SG_NO_SOLUTION,
             "the %zu active contacts are linearly dependent: their reactions are not unique", na);
    s->cap_stamp = op->stamp;
    return SG_OK;
}

static sg_status prepare(struct sg_effective *op, const struct slot *key, size_t *index, struct sg_error *err)
{
    op->tick++;
    struct slot *s = find(op, key);
    if (s == NULL) {
        s = victim(op, key->is_complex);
        s->a = key->a;
        s->b = key->b;
        s->c = key->c;
        TRY(compute(op, s, err));
    }
    s->tick = op->tick;
    s->uses++;
    if (op->active_count > 0 && s->cap_stamp != op->stamp) TRY(capacitance(op, s, err));
    *index = (size_t)(s - op->slots);
    return SG_OK;
}

sg_status sg_effective_prepare(struct sg_effective *op, double a, double b, double c, size_t *slot,
                               struct sg_error *err)
{
    struct slot key = {.is_complex = false, .a = a, .b = b, .c = c};
    return prepare(op, &key, slot, err);
}

sg_status sg_effective_prepare_complex(struct sg_effective *op, const double complex abc[3], size_t *slot,
                                       struct sg_error *err)
{
    struct slot key = {.is_complex = true, .a = abc[0], .b = abc[1], .c = abc[2]};
    return prepare(op, &key, slot, err);
}

/* --- solves --------------------------------------------------------------------------------------- */

static void subtract_response(const struct sg_effective *op, const struct slot *s, size_t i, double *re,
                              double *im)
{
    size_t j = op->active[i], first = 0, count = op->n;
    if (op->diagonal) sg_columns_range(op->rows.w, j, &first, &count);
    double *x_re = s->x_re + j * op->n + first;
    if (im == NULL) {
        sg_axpy(count, -creal(op->z[i]), x_re, re + first);
        return;
    }
    const double factor[2] = {-creal(op->z[i]), -cimag(op->z[i])};
    struct sg_split x = {x_re, s->x_im + j * op->n + first}, y = {re + first, im + first};
    sg_axpy_complex(count, factor, x, y);
}

static void woodbury(struct sg_effective *op, const struct slot *s, double *re, double *im)
{
    size_t na = op->active_count;
    for (size_t i = 0; i < na; i++) {
        size_t j = op->active[i];
        double y_im = im == NULL ? 0.0 : sg_columns_dot(op->rows.w, j, im);
        op->z[i] = acts(op, s, j) ? sg_columns_dot(op->rows.w, j, re) + y_im * I : 0.0;
    }
    sg_small_solve_complex(na, s->cap, s->pivot, op->z);
    for (size_t i = 0; i < na; i++)
        if (acts(op, s, op->active[i])) subtract_response(op, s, i, re, im);
}

void sg_effective_solve(struct sg_effective *op, size_t slot, double *x)
{
    const struct slot *s = &op->slots[slot];
    sg_factor_solve(&s->factor, x);
    op->counts.solves++;
    if (op->active_count > 0) woodbury(op, s, x, NULL);
}

void sg_effective_solve_complex(struct sg_effective *op, size_t slot, double *re, double *im)
{
    const struct slot *s = &op->slots[slot];
    sg_factor_solve_complex(&s->factor, re, im);
    op->counts.solves++;
    if (op->active_count > 0) woodbury(op, s, re, im);
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

void sg_effective_stiffness_add(const struct sg_effective *op, double s, const double *restrict v,
                                double *restrict y)
{
    sg_matrix_multiply_add(op->mck.k, s, v, y);
    for (size_t i = 0; i < op->active_count; i++) {
        size_t j = op->active[i];
        if (!isfinite(op->rows.kappa[j])) continue;
        sg_columns_add(op->rows.w, j, s * op->rows.kappa[j] * sg_columns_dot(op->rows.w, j, v), y);
    }
}

struct sg_effective_counts sg_effective_counts(const struct sg_effective *op)
{
    return op->counts;
}

/* --- impulses ------------------------------------------------------------------------------------- */

/* M^-1 W is kept apart from the cache: its slot may be given to another triple meanwhile. */
static sg_status delassus(struct sg_effective *op, struct sg_error *err)
{
    if (op->delassus_ready) return SG_OK;
    size_t slot = 0;
    TRY(sg_effective_prepare(op, 1.0, 0.0, 0.0, &slot, err));
    struct slot *s = &op->slots[slot];
    for (size_t j = 0; j < op->q; j++) {
        if (!s->have[j]) response_column(op, s, j);
        memcpy(op->mass_response + j * op->n, s->x_re + j * op->n, op->n * sizeof(double));
        for (size_t i = 0; i < op->q; i++) op->delassus[j * op->q + i] = creal(s->gram[j * op->q + i]);
    }
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
    for (size_t j = 0; j < op->q; j++)
        if (r[j] != 0.0) sg_axpy(op->n, r[j], op->mass_response + j * op->n, v);
    return SG_OK;
}
