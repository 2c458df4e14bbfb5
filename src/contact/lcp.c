#include "contact/lcp.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "support/memory.h"

enum { SWEEPS = 20000 };

sg_status sg_lcp_init(struct sg_lcp *lcp, size_t q, struct sg_error *err)
{
    *lcp = (struct sg_lcp){.q = q};
    TRY(SG_NEW(&lcp->matrix, q * q, err));
    TRY(SG_NEW(&lcp->rhs, q, err));
    TRY(SG_NEW(&lcp->kept, q, err));
    return SG_NEW(&lcp->basic, q, err);
}

void sg_lcp_release(struct sg_lcp *lcp)
{
    sg_free(lcp->matrix);
    sg_free(lcp->rhs);
    sg_free(lcp->kept);
    sg_free(lcp->basic);
    *lcp = (struct sg_lcp){0};
}

/* row i of the Cholesky factor of the basic block, from its rows above; false if it depends on these */
static bool factor_row(struct sg_lcp *lcp, const double *g, size_t i)
{
    size_t q = lcp->q;
    double *l = lcp->matrix;
    for (size_t j = 0; j <= i; j++) {
        if (!lcp->basic[j]) continue;
        double sum = g[j * q + i];
        for (size_t k = 0; k < j; k++)
            if (lcp->basic[k]) sum -= l[i * q + k] * l[j * q + k];
        if (j == i && !(sum > 1e-12 * g[i * q + i])) return false;
        l[i * q + j] = j == i ? sqrt(sum) : sum / l[j * q + j];
    }
    return true;
}

/* x = L^-T L^-1 x on the basic rows below `end`, others untouched */
static void solve_factored(const struct sg_lcp *lcp, size_t end, double *x)
{
    size_t q = lcp->q;
    const double *l = lcp->matrix;
    for (size_t i = 0; i < end; i++) {
        if (!lcp->basic[i]) continue;
        for (size_t k = 0; k < i; k++)
            if (lcp->basic[k]) x[i] -= l[i * q + k] * x[k];
        x[i] /= l[i * q + i];
    }
    for (size_t i = end; i-- > 0;) {
        if (!lcp->basic[i]) continue;
        for (size_t k = i + 1; k < end; k++)
            if (lcp->basic[k]) x[i] -= l[k * q + i] * x[k];
        x[i] /= l[i * q + i];
    }
}

/* r = -G_BB^-1 b_B; false if the block is singular */
static bool solve_basic(struct sg_lcp *lcp, const double *g, const double *b, double *r)
{
    for (size_t i = 0; i < lcp->q; i++) {
        r[i] = lcp->basic[i] ? -b[i] : 0.0;
        if (lcp->basic[i] && !factor_row(lcp, g, i)) return false;
    }
    solve_factored(lcp, lcp->q, r);
    return true;
}

static double residual(const struct sg_lcp *lcp, const double *g, const double *b, const double *r, size_t i)
{
    double w = b[i];
    for (size_t k = 0; k < lcp->q; k++) w += g[k * lcp->q + i] * r[k];
    return w;
}

static double scale_of(const struct sg_lcp *lcp, const double *b, const unsigned char *member)
{
    double scale = 0.0;
    for (size_t i = 0; i < lcp->q; i++)
        if (member[i] && fabs(b[i]) > scale) scale = fabs(b[i]);
    return scale;
}

/* what rounding may make of w_i */
static double slack(const struct sg_lcp *lcp, const double *g, const double *r, double scale, size_t i)
{
    double sum = scale;
    for (size_t k = 0; k < lcp->q; k++) sum += fabs(g[k * lcp->q + i] * r[k]);
    return 1e-13 * sum;
}

/* the least index that violates its sign, or q */
static size_t violated(const struct sg_lcp *lcp, const double *g, const double *b,
                       const unsigned char *member, const double *r)
{
    double scale = scale_of(lcp, b, member);
    for (size_t i = 0; i < lcp->q; i++) {
        if (!member[i]) continue;
        bool wrong = lcp->basic[i] ? r[i] < 0.0 : residual(lcp, g, b, r, i) < -slack(lcp, g, r, scale, i);
        if (wrong) return i;
    }
    return lcp->q;
}

static bool pivoting(struct sg_lcp *lcp, const double *g, const double *b, const unsigned char *member,
                     double *r)
{
    memset(lcp->basic, 0, lcp->q);
    size_t limit = lcp->q < 16 ? (size_t)2 << lcp->q : 100 * lcp->q;
    for (size_t pivot = 0; pivot < limit; pivot++) {
        if (!solve_basic(lcp, g, b, r)) return false;
        size_t i = violated(lcp, g, b, member, r);
        if (i == lcp->q) return true;
        lcp->basic[i] = !lcp->basic[i];
    }
    return false;
}

static bool gauss_seidel(const struct sg_lcp *lcp, const double *g, const double *b,
                         const unsigned char *member, double *r)
{
    double tolerance = 1e-13 * scale_of(lcp, b, member);
    memset(r, 0, lcp->q * sizeof *r);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double worst = 0.0;
        for (size_t i = 0; i < lcp->q; i++) {
            if (!member[i]) continue;
            double diagonal = g[i * lcp->q + i], w = residual(lcp, g, b, r, i);
            double next = fmax(0.0, r[i] - w / diagonal);
            worst = fmax(worst, fabs(next - r[i]) * diagonal);
            r[i] = next;
        }
        if (worst <= tolerance) return true;
    }
    return false;
}

/* Row i depends on the basic rows below it: G z = 0 for a z with z_i = 1. r moves along z until one of
 * its positive entries is 0, which leaves w = G r + b as it is. */
static void cancel_dependent(struct sg_lcp *lcp, const double *g, double *r, size_t i)
{
    size_t q = lcp->q, first = i;
    double *z = lcp->rhs, step = r[i];
    for (size_t k = 0; k < i; k++) z[k] = lcp->basic[k] ? -g[i * q + k] : 0.0;
    solve_factored(lcp, i, z);
    z[i] = 1.0;
    /* downwards: r - step z with the largest step that keeps r >= 0 */
    for (size_t k = 0; k < i; k++) {
        if (!lcp->basic[k] || !(z[k] > 0.0) || !(r[k] < step * z[k])) continue;
        step = r[k] / z[k];
        first = k;
    }
    for (size_t k = 0; k <= i; k++)
        if (k == i || lcp->basic[k]) r[k] = fmax(0.0, r[k] - step * z[k]);
    r[first] = 0.0;
}

/* a solution whose positive entries belong to independent rows */
static void to_vertex(struct sg_lcp *lcp, const double *g, double *r)
{
    for (size_t i = 0; i < lcp->q; i++) lcp->basic[i] = r[i] > 0.0;
    size_t i = 0;
    while (i < lcp->q) {
        if (!lcp->basic[i] || factor_row(lcp, g, i)) {
            i++;
            continue;
        }
        cancel_dependent(lcp, g, r, i);
        for (size_t k = 0; k < lcp->q; k++) lcp->basic[k] = r[k] > 0.0;
        i = 0;
    }
}

/* The iteration has found which reactions act: their values then follow to rounding. */
static void polish(struct sg_lcp *lcp, const double *g, const double *b, const unsigned char *member,
                   double *r)
{
    for (size_t i = 0; i < lcp->q; i++) lcp->basic[i] = r[i] > 0.0;
    if (!solve_basic(lcp, g, b, lcp->kept)) return;
    if (violated(lcp, g, b, member, lcp->kept) == lcp->q) memcpy(r, lcp->kept, lcp->q * sizeof *r);
}

bool sg_lcp_depends(struct sg_lcp *lcp, const double *g, const unsigned char *set, size_t j)
{
    size_t q = lcp->q;
    double *x = lcp->rhs, rest = g[j * q + j];
    for (size_t i = 0; i < q; i++) {
        lcp->basic[i] = set[i] && i != j;
        x[i] = g[j * q + i];
        if (lcp->basic[i] && !factor_row(lcp, g, i)) return true;
    }
    solve_factored(lcp, q, x);
    for (size_t i = 0; i < q; i++)
        if (lcp->basic[i]) rest -= g[j * q + i] * x[i];
    return rest <= 1e-10 * g[j * q + j];
}

sg_status sg_lcp_solve(struct sg_lcp *lcp, const double *g, const double *b, const unsigned char *member,
                       double *r, struct sg_error *err)
{
    if (pivoting(lcp, g, b, member, r)) return SG_OK;
    if (gauss_seidel(lcp, g, b, member, r)) {
        to_vertex(lcp, g, r);
        polish(lcp, g, b, member, r);
        return SG_OK;
    }
    FAIL(err, SG_NO_SOLUTION, "the reactions of the closed contacts did not converge in %d sweeps", SWEEPS);
}
