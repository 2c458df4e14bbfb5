/* Inner structure of the effective operator, shared by its files only:
 *   effective_cache.c  the cache of triples, solves, products, impulses
 *   effective_rows.c   the active rows as a low-rank change
 *   effective_held.c   rows that are always active */
#ifndef SG_LINALG_EFFECTIVE_SLOT_H
#define SG_LINALG_EFFECTIVE_SLOT_H

#include "linalg/effective.h"

/* Real triples and complex ones have slots of their own: their storage differs. */
enum { SG_REAL_SLOTS = 6, SG_SLOTS = 12 };

/* One triple: the factor, the response columns X_j = (aM+bC+cK)^-1 w_j (in diagonal coordinates products
 * that are never stored), the Gram matrix w_i . X_j as far as it was needed, and the factorised capacitance
 * matrix of the active set `stamp`. */
struct sg_effective_slot {
    bool used, is_complex;
    double complex a, b, c;
    struct sg_factor factor;
    unsigned long tick; /* last use */
    unsigned long uses;
    double *x_re, *x_im;     /* n x q; not diagonal */
    bool *have;              /* q x q: entries of gram that are valid */
    bool *touched;           /* q: columns of `have` that are not all false */
    double complex *gram;    /* q x q */
    double complex *cap;     /* nA x nA, factorised */
    size_t *pivot;           /* nA */
    unsigned long cap_stamp; /* 0: none */
};

struct sg_effective {
    struct sg_mck mck;
    struct sg_factor_layout layout;
    struct sg_effective_rows rows;
    size_t n, q;              /* q: all rows */
    size_t contacts, held;    /* those that come and go, and those behind them that are always active */
    struct sg_columns joined; /* what `rows` views where there are held rows */
    double *kappa, *offset;   /* q: what `rows` views; contacts change theirs */
    double *held_gram;        /* held x held, factorised: their Delassus operator */
    size_t *held_pivot;
    double *held_pull; /* held x contacts: impulses of held rows by a unit impulse of a contact */
    bool diagonal;
    size_t active_count;
    size_t *active; /* q: rows of A, ascending */
    unsigned long stamp;
    struct sg_effective_slot slots[SG_SLOTS];
    double *delassus;      /* q x q */
    double *mass_response; /* n x q: M^-1 W */
    bool delassus_ready;
    double complex *z; /* q: Woodbury coefficients of the last solve */
    unsigned long tick;
    struct sg_effective_counts counts;
};

/* Counts rows and joins those that are held. */
sg_status sg_effective_held_init(struct sg_arena *arena, struct sg_effective *op, struct sg_error *err);

/* From the Delassus operator and the responses of all rows to those of the contacts alone, with the held rows
 * kept. */
sg_status sg_effective_held_reduce(struct sg_effective *op, struct sg_error *err);

/* forgets the responses of the triple before */
void sg_effective_rows_reset(const struct sg_effective *op, struct sg_effective_slot *s);

/* Makes the capacitance matrix of A, D + W_A^T X, and factorises it; a row that does not act becomes a
 * unit row. SG_NO_SOLUTION if it is singular. */
sg_status sg_effective_rows_prepare(struct sg_effective *op, struct sg_effective_slot *s,
                                    struct sg_error *err);

/* y += X (lead - z),  z = (D + W_A^T X)^-1 W_A^T (y + X lead); lead (|A|) NULL: 0 */
void sg_effective_rows_apply(struct sg_effective *op, const struct sg_effective_slot *s,
                             const double complex *lead, struct sg_split y);

/* w_i . X_j and X_j (n, real slots) */
double complex sg_effective_rows_gram(const struct sg_effective *op, struct sg_effective_slot *s, size_t i,
                                      size_t j);
void sg_effective_rows_response(const struct sg_effective *op, const struct sg_effective_slot *s, size_t j,
                                double *x);

#endif
