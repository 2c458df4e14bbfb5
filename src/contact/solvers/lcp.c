#include "contact/solvers/lcp.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "linalg/pivoting.h"
#include "linalg/vector.h"
#include "support/memory.h"

enum { SWEEPS = 20000 };

/* A diagonal entry of which less than this is left is rounding. */
static const double DEPENDENT = 1e-12;

struct problem {
    const double *g, *b;
    const unsigned char *member;
    double scale; /* largest |b| of the members */
};

sg_status sg_lcp_init(struct sg_lcp *lcp, size_t q, struct sg_error *err)
{
    *lcp = (struct sg_lcp){.q = q};
    TRY(SG_NEW(&lcp->matrix, q * q, err));
    TRY(SG_NEW(&lcp->rhs, q, err));
    TRY(SG_NEW(&lcp->kept, q, err));
    TRY(SG_NEW(&lcp->w, q, err));
    TRY(SG_NEW(&lcp->terms, q, err));
    TRY(SG_NEW(&lcp->order, q, err));
    TRY(SG_NEW(&lcp->first, q, err));
    TRY(SG_NEW(&lcp->wrong, q, err));
    return SG_NEW(&lcp->basic, q, err);
}

void sg_lcp_release(struct sg_lcp *lcp)
{
    sg_free(lcp->matrix);
    sg_free(lcp->rhs);
    sg_free(lcp->kept);
    sg_free(lcp->w);
    sg_free(lcp->terms);
    sg_free(lcp->order);
    sg_free(lcp->first);
    sg_free(lcp->wrong);
    sg_free(lcp->basic);
    *lcp = (struct sg_lcp){0};
}

/* --- Cholesky factor of the basic block ----------------------------------------------------------- */

/* row a from the rows above; false if it depends on these, whose coordinates it then holds */
static bool factor_row(struct sg_lcp *lcp, const double *g, size_t a)
{
    size_t q = lcp->q, i = lcp->order[a], first = 0;
    const double *column = g + i * q;
    double *row = lcp->matrix + a * q;
    while (first < a && column[lcp->order[first]] == 0.0) first++;
    lcp->first[a] = first;
    for (size_t k = first; k < a; k++) {
        const double *other = lcp->matrix + k * q;
        size_t from = lcp->first[k] > first ? lcp->first[k] : first;
        row[k] = (column[lcp->order[k]] - sg_dot(k - from, other + from, row + from)) / other[k];
    }
    double rest = column[i] - sg_dot(a - first, row + first, row + first);
    row[a] = sqrt(fmax(rest, 0.0));
    return rest > DEPENDENT * column[i];
}

/* the rows of `order` that aren't yet; false at the first that depends on those before it */
static bool factor(struct sg_lcp *lcp, const double *g)
{
    while (lcp->factored < lcp->count) {
        if (!factor_row(lcp, g, lcp->factored)) return false;
        lcp->factored++;
    }
    return true;
}

/* x := L^-T x, L's first `count` rows */
static void solve_transposed(const struct sg_lcp *lcp, size_t count, double *x)
{
    for (size_t a = count; a-- > 0;) {
        const double *row = lcp->matrix + a * lcp->q;
        size_t first = lcp->first[a];
        x[a] /= row[a];
        sg_axpy(a - first, -x[a], row + first, x + first);
    }
}

/* x := (L L^T)^-1 x */
static void solve_factored(const struct sg_lcp *lcp, double *x)
{
    for (size_t a = 0; a < lcp->factored; a++) {
        const double *row = lcp->matrix + a * lcp->q;
        size_t first = lcp->first[a];
        x[a] = (x[a] - sg_dot(a - first, row + first, x + first)) / row[a];
    }
    solve_transposed(lcp, lcp->factored, x);
}

/* `order` = the rows with basic[i] = 1, ascending; what of the factor holds is kept */
static void list_basic(struct sg_lcp *lcp)
{
    size_t count = 0, same = 0;
    for (size_t i = 0; i < lcp->q; i++) {
        if (lcp->basic[i] != 1) continue;
        if (same == count && same < lcp->factored && lcp->order[count] == i) same++;
        lcp->order[count++] = i;
    }
    lcp->count = count;
    lcp->factored = same;
}

static void start_empty(struct sg_lcp *lcp)
{
    memset(lcp->basic, 0, lcp->q);
    lcp->count = lcp->factored = 0;
}

/* --- residual ------------------------------------------------------------------------------------- */

static double scale_of(const struct sg_lcp *lcp, const double *b, const unsigned char *member)
{
    double scale = 0.0;
    for (size_t i = 0; i < lcp->q; i++)
        if (member[i]) scale = fmax(scale, fabs(b[i]));
    return scale;
}

static void add_column(size_t q, double r, const double *restrict g, double *restrict w,
                       double *restrict terms)
{
    for (size_t i = 0; i < q; i++) {
        double term = g[i] * r;
        w[i] += term;
        terms[i] += fabs(term);
    }
}

/* w = G r + b, and the sum of its terms' sizes, a measure of its rounding */
static void evaluate(struct sg_lcp *lcp, const struct problem *p, const double *r)
{
    for (size_t i = 0; i < lcp->q; i++) {
        lcp->w[i] = p->b[i];
        lcp->terms[i] = p->scale;
    }
    for (size_t k = 0; k < lcp->q; k++)
        if (r[k] != 0.0) add_column(lcp->q, r[k], p->g + k * lcp->q, lcp->w, lcp->terms);
}

static bool pulls(const struct sg_lcp *lcp, size_t i)
{
    return lcp->w[i] < -1e-13 * lcp->terms[i];
}

/* Marks the rows that violate their sign, and tells whether any does. */
static bool find_wrong(struct sg_lcp *lcp, const struct problem *p, const double *r)
{
    bool any = false;
    for (size_t i = 0; i < lcp->q; i++) {
        lcp->wrong[i] = p->member[i] && (lcp->basic[i] ? r[i] < 0.0 : pulls(lcp, i));
        any = any || lcp->wrong[i];
    }
    return any;
}

/* r = -G_BB^-1 b_B and its w; false if the block is singular */
static bool solve_basic(struct sg_lcp *lcp, const struct problem *p, double *r)
{
    double *x = lcp->rhs;
    if (!factor(lcp, p->g)) return false;
    for (size_t a = 0; a < lcp->count; a++) x[a] = -p->b[lcp->order[a]];
    solve_factored(lcp, x);
    memset(r, 0, lcp->q * sizeof *r);
    for (size_t a = 0; a < lcp->count; a++) r[lcp->order[a]] = x[a];
    evaluate(lcp, p, r);
    return true;
}

/* --- block principal pivoting --------------------------------------------------------------------- */

struct pivoting {
    struct sg_lcp *lcp;
    const struct problem *problem;
    double *r;
};

static bool solve_set(void *self)
{
    struct pivoting *of = self;
    list_basic(of->lcp);
    return solve_basic(of->lcp, of->problem, of->r);
}

static void judge_set(void *self)
{
    struct pivoting *of = self;
    find_wrong(of->lcp, of->problem, of->r);
}

/* From lcp->basic. Where one row is exchanged, the last that is wrong, the rows of the factor before it stay.
 */
static bool pivoting(struct sg_lcp *lcp, const struct problem *p, double *r)
{
    struct pivoting self = {lcp, p, r};
    const struct sg_pivoting of = {.rows = lcp->q,
                                   .in_set = lcp->basic,
                                   .wrong = lcp->wrong,
                                   .limit = lcp->q < 12 ? (size_t)100 << lcp->q : 1000 + 100 * lcp->q,
                                   .self = &self,
                                   .solve = solve_set,
                                   .judge = judge_set};
    return sg_pivoting_run(&of, &lcp->pivots) == SG_PIVOTING_FOUND;
}

/* --- primal active set ---------------------------------------------------------------------------- */

enum { NONBASIC, BASIC, REFUSED };

/* the steepest descent among single rows, or q */
static size_t entering(const struct sg_lcp *lcp, const struct problem *p)
{
    size_t best = lcp->q;
    double steepest = 0.0;
    for (size_t i = 0; i < lcp->q; i++) {
        if (!p->member[i] || lcp->basic[i] != NONBASIC || !pulls(lcp, i)) continue;
        double slope = -lcp->w[i] / sqrt(p->g[i * lcp->q + i]);
        if (!(slope > steepest)) continue;
        steepest = slope;
        best = i;
    }
    return best;
}

/* basic rows whose reaction is 0 leave */
static void drop(struct sg_lcp *lcp, const double *r)
{
    size_t count = 0, kept = lcp->factored;
    for (size_t a = 0; a < lcp->count; a++) {
        size_t i = lcp->order[a];
        if (r[i] > 0.0) {
            lcp->order[count++] = i;
            continue;
        }
        lcp->basic[i] = NONBASIC;
        lcp->pivots++;
        if (count < kept) kept = count;
    }
    lcp->count = count;
    lcp->factored = kept < count ? kept : count;
}

/* r += s d over the basic rows with the largest s <= longest that keeps r >= 0; false if that is infinite */
static bool move(const struct sg_lcp *lcp, const double *d, double longest, double *r)
{
    size_t blocking = lcp->q;
    double step = longest;
    for (size_t a = 0; a < lcp->count; a++) {
        size_t i = lcp->order[a];
        if (!(d[a] < 0.0) || !(r[i] < -step * d[a])) continue;
        step = -r[i] / d[a];
        blocking = i;
    }
    if (!isfinite(step)) return false;
    for (size_t a = 0; a < lcp->count; a++) r[lcp->order[a]] = fmax(0.0, r[lcp->order[a]] + step * d[a]);
    if (blocking < lcp->q) r[blocking] = 0.0;
    return true;
}

/* The last of the basic rows depends on the others: G z = 0 with z = 1 there. Along z the energy falls by
 * w z, until another's reaction vanishes. False if none does: w z is rounding, or no r makes w >= 0. */
static bool move_along_null(struct sg_lcp *lcp, double *r)
{
    size_t last = lcp->count - 1, first = lcp->first[last];
    double *z = lcp->rhs;
    const double *row = lcp->matrix + last * lcp->q;
    memset(z, 0, first * sizeof *z);
    for (size_t k = first; k < last; k++) z[k] = -row[k];
    solve_transposed(lcp, last, z);
    z[last] = 1.0;
    return move(lcp, z, INFINITY, r);
}

/* to the minimum over the basic rows, through those of smaller faces */
static bool descend(struct sg_lcp *lcp, const struct problem *p, double *r)
{
    double *d = lcp->rhs;
    while (lcp->count > 0) {
        if (!factor(lcp, p->g)) {
            /* only the row that entered can depend: it is the last */
            if (lcp->factored + 1 != lcp->count) return false;
            if (!move_along_null(lcp, r)) r[lcp->order[lcp->count - 1]] = 0.0;
            drop(lcp, r);
            continue;
        }
        bool inside = true;
        for (size_t a = 0; a < lcp->count; a++) d[a] = -p->b[lcp->order[a]];
        solve_factored(lcp, d);
        for (size_t a = 0; a < lcp->count; a++) {
            inside = inside && d[a] > 0.0;
            lcp->kept[a] = d[a] - r[lcp->order[a]];
        }
        if (inside) {
            for (size_t a = 0; a < lcp->count; a++) r[lcp->order[a]] = d[a];
            return true;
        }
        move(lcp, lcp->kept, 1.0, r);
        drop(lcp, r);
    }
    return true;
}

/* Tells whether what was refused was rounding. */
static bool negligible(const struct sg_lcp *lcp)
{
    for (size_t i = 0; i < lcp->q; i++)
        if (lcp->basic[i] == REFUSED && lcp->w[i] < -1e-11 * lcp->terms[i]) return false;
    return true;
}

static void readmit(struct sg_lcp *lcp)
{
    for (size_t i = 0; i < lcp->q; i++)
        if (lcp->basic[i] == REFUSED) lcp->basic[i] = NONBASIC;
}

/* Lawson and Hanson (1974) from r = 0. A row that rounding alone lets pull comes back at once with no
 * reaction, or without any that it could replace: it is refused until another has moved. */
static bool active_set(struct sg_lcp *lcp, const struct problem *p, double *r)
{
    start_empty(lcp);
    memset(r, 0, lcp->q * sizeof *r);
    for (size_t turn = 0; turn < 100 + 10 * lcp->q; turn++) {
        evaluate(lcp, p, r);
        size_t i = entering(lcp, p);
        if (i == lcp->q) return negligible(lcp);
        lcp->order[lcp->count++] = i;
        lcp->basic[i] = BASIC;
        lcp->pivots++;
        if (!descend(lcp, p, r)) return false;
        if (r[i] > 0.0)
            readmit(lcp);
        else
            lcp->basic[i] = REFUSED;
    }
    return false;
}

/* --- last resort ---------------------------------------------------------------------------------- */

static double residual(const struct sg_lcp *lcp, const struct problem *p, const double *r, size_t i)
{
    return p->b[i] + sg_dot(lcp->q, p->g + i * lcp->q, r);
}

static bool gauss_seidel(const struct sg_lcp *lcp, const struct problem *p, double *r)
{
    double tolerance = 1e-13 * p->scale;
    memset(r, 0, lcp->q * sizeof *r);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double worst = 0.0;
        for (size_t i = 0; i < lcp->q; i++) {
            if (!p->member[i]) continue;
            double diagonal = p->g[i * lcp->q + i], w = residual(lcp, p, r, i);
            if (!(diagonal > 0.0)) {
                worst = fmax(worst, -w);
                continue;
            }
            double next = fmax(0.0, r[i] - w / diagonal);
            worst = fmax(worst, fabs(next - r[i]) * diagonal);
            r[i] = next;
        }
        if (worst <= tolerance) return true;
    }
    return false;
}

/* a solution whose positive entries belong to independent rows; w stays as it is */
static void to_vertex(struct sg_lcp *lcp, const struct problem *p, double *r)
{
    start_empty(lcp);
    for (size_t i = 0; i < lcp->q; i++) {
        if (!(r[i] > 0.0)) continue;
        lcp->order[lcp->count++] = i;
        while (!factor(lcp, p->g)) {
            /* either sense of the null vector will do; the other one moves row i down */
            double *z = lcp->rhs;
            if (lcp->factored + 1 != lcp->count) return;
            if (!move_along_null(lcp, r)) {
                for (size_t a = 0; a < lcp->count; a++) z[a] = -z[a];
                move(lcp, z, INFINITY, r);
            }
            drop(lcp, r);
        }
    }
}

/* The iteration has found which reactions act: their values then follow to rounding. */
static void polish(struct sg_lcp *lcp, const struct problem *p, double *r)
{
    for (size_t i = 0; i < lcp->q; i++) lcp->basic[i] = r[i] > 0.0;
    list_basic(lcp);
    if (solve_basic(lcp, p, lcp->kept) && !find_wrong(lcp, p, lcp->kept))
        memcpy(r, lcp->kept, lcp->q * sizeof *r);
}

/* --- interface ------------------------------------------------------------------------------------ */

bool sg_lcp_depends(struct sg_lcp *lcp, const double *g, const unsigned char *set, size_t j)
{
    start_empty(lcp);
    for (size_t i = 0; i < lcp->q; i++) lcp->basic[i] = set[i] && i != j;
    list_basic(lcp);
    if (!factor(lcp, g)) return true;
    lcp->order[lcp->count] = j;
    factor_row(lcp, g, lcp->count);
    double rest = lcp->matrix[lcp->count * lcp->q + lcp->count];
    return rest * rest <= 1e-10 * g[j * lcp->q + j];
}

sg_status sg_lcp_solve_warm(struct sg_lcp *lcp, const double *g, const double *b, const unsigned char *member,
                            double *r, struct sg_error *err)
{
    struct problem p = {.g = g, .b = b, .member = member, .scale = scale_of(lcp, b, member)};
    lcp->pivots = 0;
    start_empty(lcp);
    for (size_t i = 0; i < lcp->q; i++) lcp->basic[i] = member[i] && r[i] > 0.0;
    if (pivoting(lcp, &p, r)) return SG_OK;
    if (active_set(lcp, &p, r)) return SG_OK;
    if (gauss_seidel(lcp, &p, r)) {
        to_vertex(lcp, &p, r);
        polish(lcp, &p, r);
        return SG_OK;
    }
    FAIL(err, SG_NO_SOLUTION, "the reactions of the closed contacts did not converge in %d sweeps", SWEEPS);
}

sg_status sg_lcp_solve(struct sg_lcp *lcp, const double *g, const double *b, const unsigned char *member,
                       double *r, struct sg_error *err)
{
    memset(r, 0, lcp->q * sizeof *r);
    return sg_lcp_solve_warm(lcp, g, b, member, r, err);
}
