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
    return SG_NEW(&lcp->basic, q, err);
}

void sg_lcp_release(struct sg_lcp *lcp)
{
    sg_free(lcp->matrix);
    sg_free(lcp->rhs);
    sg_free(lcp->basic);
    *lcp = (struct sg_lcp){0};
}

/* Cholesky of the basic block and r = -G_BB^-1 b_B; false if the block is singular */
static bool solve_basic(struct sg_lcp *lcp, const double *g, const double *b, double *r)
{
    size_t q = lcp->q;
    double *l = lcp->matrix, *y = lcp->rhs;
    for (size_t i = 0; i < q; i++) {
        r[i] = 0.0;
        if (!lcp->basic[i]) continue;
        y[i] = -b[i];
        for (size_t j = 0; j <= i; j++) {
            if (!lcp->basic[j]) continue;
            double sum = g[j * q + i];
            for (size_t k = 0; k < j; k++)
                if (lcp->basic[k]) sum -= l[i * q + k] * l[j * q + k];
            if (j < i) {
                l[i * q + j] = sum / l[j * q + j];
                y[i] -= l[i * q + j] * y[j];
                continue;
            }
            if (!(sum > 1e-12 * g[i * q + i])) return false;
            l[i * q + i] = sqrt(sum);
            y[i] /= l[i * q + i];
        }
    }
    for (size_t i = q; i-- > 0;) {
        if (!lcp->basic[i]) continue;
        double sum = y[i];
        for (size_t k = i + 1; k < q; k++)
            if (lcp->basic[k]) sum -= l[k * q + i] * r[k];
        r[i] = sum / l[i * q + i];
    }
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

/* the least index that violates its sign, or q */
static size_t violated(const struct sg_lcp *lcp, const double *g, const double *b,
                       const unsigned char *member, const double *r)
{
    double slack = 1e-13 * scale_of(lcp, b, member);
    for (size_t i = 0; i < lcp->q; i++) {
        if (!member[i]) continue;
        if (lcp->basic[i] ? r[i] < 0.0 : residual(lcp, g, b, r, i) < -slack) return i;
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

sg_status sg_lcp_solve(struct sg_lcp *lcp, const double *g, const double *b, const unsigned char *member,
                       double *r, struct sg_error *err)
{
    if (pivoting(lcp, g, b, member, r) || gauss_seidel(lcp, g, b, member, r)) return SG_OK;
    FAIL(err, SG_NO_SOLUTION, "the reactions of the closed contacts did not converge in %d sweeps", SWEEPS);
}
