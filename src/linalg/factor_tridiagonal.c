/* L D L^T of a tridiagonal matrix, eliminated from both ends towards the middle row: two independent
 * chains of operations where the plain form has one, and a latency-bound loop of half the length.
 *
 * With mid = n/2, multiplier l[i] = s(i,i+1)/d(i) for i < mid and s(i-1,i)/d(i) for i > mid.
 *
 * The complex form does not pivot either. Let a, b, c lie in an open half plane and M, C, K be
 * semidefinite with a definite combination: then for some angle t the matrix Re(e^it S) is positive
 * definite. Schur complements inherit that (their inverses are principal blocks of S^-1, whose field of
 * values lies in the conjugate cone), so that no pivot vanishes, and element growth is bounded (George,
 * Ikramov, Kucherov, Linear Algebra Appl. 341, 2002; Higham, Math. Comp. 67, 1998). h^2 K + s h C + s^2 M
 * with Re s > 0 is of this kind. */
#include <math.h>
#include <string.h>

#include "linalg/factor.h"
#include "linalg/kernels.h"
#include "support/arena.h"

static sg_status init(struct sg_arena *arena, struct sg_factor *f, struct sg_error *err)
{
    size_t n = f->layout.n;
    TRY(SG_ARENA_NEW(arena, &f->re, n, err));
    TRY(SG_ARENA_NEW(arena, &f->l_re, n, err));
    if (!f->layout.complex_valued) return SG_OK;
    TRY(SG_ARENA_NEW(arena, &f->im, n, err));
    TRY(SG_ARENA_NEW(arena, &f->l_im, n, err));
    return SG_OK;
}

/* the elimination of one end: the row that comes next, its pivot, and its diagonal entry in S */
struct chain {
    size_t row;
    double pivot, diagonal;
};

static inline bool sound(const struct chain *c)
{
    return c->pivot > SG_PIVOT_TOLERANCE * c->diagonal;
}

/* Nothing but a division and a subtraction waits for the previous pivot; reciprocals and multipliers
 * come afterwards, in wide vectors. */
static inline void eliminate(struct chain *c, size_t next, double off, double *d)
{
    double square = off * off;
    d[c->row] = c->pivot;
    c->diagonal = d[next];
    c->pivot = c->diagonal - square / c->pivot;
    c->row = next;
}

/* d becomes the pivots; l[i] couples row i to the next one towards the middle. Returns the chain whose
 * pivot fails, or the middle's. */
static struct chain find_pivots(size_t n, double *restrict d, const double *restrict l)
{
    size_t mid = n / 2;
    struct chain top = {0, d[0], d[0]}, bottom = {n - 1, d[n - 1], d[n - 1]};
    while (bottom.row > mid) {
        if (!sound(&top)) return top;
        if (!sound(&bottom)) return bottom;
        eliminate(&top, top.row + 1, l[top.row], d);
        eliminate(&bottom, bottom.row - 1, l[bottom.row], d);
    }
    if (!sound(&top)) return top;
    if (top.row < mid) eliminate(&top, mid, l[top.row], d);
    return (struct chain){mid, top.pivot + (bottom.pivot - d[mid]), d[mid]};
}

SG_HOT static void scale_multipliers(size_t n, double *restrict d, double *restrict l)
{
#pragma omp simd
    for (size_t i = 0; i < n; i++) {
        d[i] = 1 / d[i];
        l[i] *= d[i];
    }
}

static sg_status compute(struct sg_factor *f, const struct sg_mck *mck, const double weight[3],
                         struct sg_error *err)
{
    size_t n = f->layout.n;
    size_t mid = n / 2;
    sg_combine_diagonals(mck, weight, f->re, f->l_re);
    memmove(f->l_re + mid + 1, f->l_re + mid, (n - 1 - mid) * sizeof *f->l_re);
    struct chain last = find_pivots(n, f->re, f->l_re);
    if (last.row != mid || !sound(&last)) return sg_fail_pivot(last.row, last.pivot, last.diagonal, err);
    f->re[mid] = last.pivot;
    scale_multipliers(n, f->re, f->l_re);
    return SG_OK;
}

/* Two rows at a time: x1 = b1 - l0 x0, x2 = (b2 - l1 b1) + (l1 l0) x0, of which only the last product
 * and sum wait for x0. The rounding errors obey the same bound as those of the plain recurrence. */
static inline double two_rows(double carry, double l0, double l1, double *b1, double *b2)
{
    double ahead = *b2 - l1 * *b1;
    *b1 -= l0 * carry;
    *b2 = ahead + l1 * l0 * carry;
    return *b2;
}

static void forward(size_t n, const double *restrict l, double *x)
{
    size_t mid = n / 2, pairs = (n - 1 - mid) / 2, i = 0, j = n - 1;
    double top = x[i], bottom = x[j];
    for (size_t k = 0; k < pairs; k++, i += 2, j -= 2) {
        top = two_rows(top, l[i], l[i + 1], &x[i + 1], &x[i + 2]);
        bottom = two_rows(bottom, l[j], l[j - 1], &x[j - 1], &x[j - 2]);
    }
    for (; i < mid; i++) x[i + 1] -= l[i] * x[i];
    for (; j > mid; j--) x[j - 1] -= l[j] * x[j];
}

static void backward(size_t n, const double *restrict l, double *x)
{
    size_t mid = n / 2, pairs = (n - 1 - mid) / 2, i = mid, j = mid;
    double top = x[mid], bottom = x[mid];
    for (size_t k = 0; k < pairs; k++, i -= 2, j += 2) {
        top = two_rows(top, l[i - 1], l[i - 2], &x[i - 1], &x[i - 2]);
        bottom = two_rows(bottom, l[j + 1], l[j + 2], &x[j + 1], &x[j + 2]);
    }
    for (; i > 0; i--) x[i - 1] -= l[i - 1] * x[i];
    for (; j < n - 1; j++) x[j + 1] -= l[j + 1] * x[j];
}

static void solve(const struct sg_factor *f, double *x)
{
    forward(f->layout.n, f->l_re, x);
    sg_scale(f->layout.n, f->re, x);
    backward(f->layout.n, f->l_re, x);
}

/* a complex number, apart from the compiler's careful (and slow) complex products */
struct pair {
    double re, im;
};

static inline struct pair times(struct pair a, struct pair b)
{
    return (struct pair){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static inline struct pair minus(struct pair a, struct pair b)
{
    return (struct pair){a.re - b.re, a.im - b.im};
}

static inline struct pair load(const double *re, const double *im, size_t i)
{
    return (struct pair){re[i], im[i]};
}

static inline void store(double *re, double *im, size_t i, struct pair value)
{
    re[i] = value.re;
    im[i] = value.im;
}

static inline struct pair inverse(struct pair a)
{
    double square = a.re * a.re + a.im * a.im;
    return (struct pair){a.re / square, -a.im / square};
}

/* eliminates row `from`, whose coupling stands at l[coupling], from its neighbour `to` */
static inline struct pair eliminate_complex(struct sg_factor *f, struct pair pivot, size_t from, size_t to,
                                            size_t coupling)
{
    struct pair off = load(f->l_re, f->l_im, coupling);
    struct pair reciprocal = inverse(pivot), multiplier = times(off, reciprocal);
    store(f->re, f->im, from, reciprocal);
    store(f->l_re, f->l_im, from, multiplier);
    return minus(load(f->re, f->im, to), times(multiplier, off));
}

/* a row whose pivot vanished leaves a reciprocal that is not finite */
static sg_status check_reciprocals(const struct sg_factor *f, struct sg_error *err)
{
    for (size_t i = 0; i < f->layout.n; i++)
        if (!isfinite(f->re[i]) || !isfinite(f->im[i]))
            FAIL(err, SG_NO_SOLUTION, "the complex effective matrix is singular at dof %zu", i);
    return SG_OK;
}

static void factorize_complex(struct sg_factor *f)
{
    size_t n = f->layout.n, mid = n / 2, bottoms = n - 1 - mid, i = 0, j = n - 1;
    struct pair top = load(f->re, f->im, 0), bottom = load(f->re, f->im, j);
    for (size_t k = 0; k < bottoms; k++, i++, j--) {
        struct pair next = eliminate_complex(f, top, i, i + 1, i);
        bottom = eliminate_complex(f, bottom, j, j - 1, j - 1);
        top = next;
    }
    if (i < mid) top = eliminate_complex(f, top, i, i + 1, i);
    struct pair middle = load(f->re, f->im, mid), change = minus(bottom, middle);
    store(f->re, f->im, mid, inverse((struct pair){top.re + change.re, top.im + change.im}));
}

static sg_status compute_complex(struct sg_factor *f, const struct sg_mck *mck,
                                 const double complex weight[3], struct sg_error *err)
{
    double real[3], imaginary[3];
    sg_split_weights(weight, real, imaginary);
    sg_combine_diagonals(mck, real, f->re, f->l_re);
    sg_combine_diagonals(mck, imaginary, f->im, f->l_im);
    factorize_complex(f);
    return check_reciprocals(f, err);
}

static inline struct pair step(const struct sg_factor *f, double *re, double *im, const size_t at[2],
                               struct pair carry)
{
    struct pair next = minus(load(re, im, at[0]), times(load(f->l_re, f->l_im, at[1]), carry));
    store(re, im, at[0], next);
    return next;
}

static void forward_complex(const struct sg_factor *f, double *restrict re, double *restrict im)
{
    size_t n = f->layout.n, mid = n / 2, bottoms = n - 1 - mid, i = 0, j = n - 1;
    struct pair top = load(re, im, i), bottom = load(re, im, j);
    for (size_t k = 0; k < bottoms; k++, i++, j--) {
        top = step(f, re, im, (const size_t[]){i + 1, i}, top);
        bottom = step(f, re, im, (const size_t[]){j - 1, j}, bottom);
    }
    if (i < mid) step(f, re, im, (const size_t[]){i + 1, i}, top);
}

static void backward_complex(const struct sg_factor *f, double *restrict re, double *restrict im)
{
    size_t n = f->layout.n, mid = n / 2, bottoms = n - 1 - mid, i = mid, j = mid;
    struct pair top = load(re, im, mid), bottom = top;
    for (size_t k = 0; k < bottoms; k++, i--, j++) {
        top = step(f, re, im, (const size_t[]){i - 1, i - 1}, top);
        bottom = step(f, re, im, (const size_t[]){j + 1, j + 1}, bottom);
    }
    if (i > 0) step(f, re, im, (const size_t[]){i - 1, i - 1}, top);
}

static void solve_complex(const struct sg_factor *f, double *restrict re, double *restrict im)
{
    forward_complex(f, re, im);
    sg_scale_complex(f, re, im);
    backward_complex(f, re, im);
}

const struct sg_factor_ops sg_factor_tridiagonal = {
    .init = init,
    .compute = compute,
    .compute_complex = compute_complex,
    .solve = solve,
    .solve_complex = solve_complex,
};
