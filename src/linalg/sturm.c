#include "linalg/sturm.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "linalg/kernels.h"

/* shifts that are counted side by side: one costs as much as all, as each waits for its divisions */
enum { LANES = 8 };

/* Elimination without pivoting gives K - x M = L D L^T with
 *
 *     d_i = k_i - x m_i - (o_i - x p_i)^2 / d_(i-1),   o and p the entries beside the diagonals,
 *
 * and D has as many negative entries as K - x M has negative eigenvalues (Sylvester), which is how many
 * eigenvalues of the pencil lie below x, M being positive definite. The count is that of a matrix whose
 * entries differ by a few roundings, whatever the pivots do (Kahan 1966): bisection by it can't go astray. */
/* Eigenvalues below x = negative pivots of K - x M; a vanishing pivot counts as a tiny negative one. */
SG_HOT static void count_below(const struct sg_pencil *p, const double x[LANES], double tiny,
                               double count[LANES])
{
    double pivot[LANES], previous[LANES];
    for (int l = 0; l < LANES; l++) {
        previous[l] = 1;
        count[l] = 0;
    }
    for (size_t i = 0; i < p->n; i++) {
        double kd = p->kd[i], md = p->md == NULL ? 1 : p->md[i];
        double ko = i == 0 ? 0 : p->ko[i - 1], mo = p->mo == NULL || i == 0 ? 0 : p->mo[i - 1];
#pragma omp simd
        for (int l = 0; l < LANES; l++) {
            double off = ko - x[l] * mo;
            pivot[l] = kd - x[l] * md - off * off / previous[l];
            pivot[l] = fabs(pivot[l]) < tiny ? -tiny : pivot[l];
            count[l] += pivot[l] < 0 ? 1.0 : 0.0;
            previous[l] = pivot[l];
        }
    }
}

static bool is_above(const struct sg_pencil *p, double x, double tiny, size_t index)
{
    double all[LANES], count[LANES];
    for (int l = 0; l < LANES; l++) all[l] = x;
    count_below(p, all, tiny, count);
    return count[0] > (double)index;
}

/* cuts [low, high] into LANES + 1 pieces and keeps the one with the eigenvalue */
static void narrow(const struct sg_pencil *p, double tiny, size_t index, double bounds[2])
{
    double x[LANES], count[LANES], low = bounds[0], piece = (bounds[1] - low) / (LANES + 1);
    for (int l = 0; l < LANES; l++) x[l] = low + (l + 1) * piece;
    count_below(p, x, tiny, count);
    for (int l = LANES - 1; l >= 0; l--)
        if (count[l] > (double)index) bounds[1] = x[l];
    for (int l = 0; l < LANES; l++)
        if (x[l] < bounds[1] && count[l] <= (double)index) bounds[0] = x[l];
}

/* a bound of the order of the largest modulus of an eigenvalue, 0 if K = 0 */
static double scale_of(const struct sg_pencil *p)
{
    double scale = 0;
    for (size_t i = 0; i < p->n; i++) {
        double row = fabs(p->kd[i]);
        if (i + 1 < p->n) row += fabs(p->ko[i]);
        if (i > 0) row += fabs(p->ko[i - 1]);
        scale = fmax(scale, p->md == NULL ? row : row / p->md[i]);
    }
    return scale;
}

static double largest_entry(const struct sg_pencil *p)
{
    double most = 0;
    for (size_t i = 0; i < p->n; i++) most = fmax(most, fabs(p->kd[i]));
    return most;
}

double sg_pencil_eigenvalue(const struct sg_pencil *pencil, size_t index)
{
    double scale = scale_of(pencil);
    if (scale == 0) return 0;
    /* bounds must have room to grow */
    if (!(scale < DBL_MAX / 1024)) return (double)NAN;
    double tiny = DBL_MIN / DBL_EPSILON + DBL_EPSILON * DBL_EPSILON * largest_entry(pencil);
    double bounds[2] = {-scale, scale};
    while (isfinite(bounds[0]) && is_above(pencil, bounds[0], tiny, index)) bounds[0] *= 2;
    while (isfinite(bounds[1]) && !is_above(pencil, bounds[1], tiny, index)) bounds[1] *= 2;
    if (!isfinite(bounds[0]) || !isfinite(bounds[1])) return (double)NAN;
    for (double width = HUGE_VAL; bounds[1] - bounds[0] < width;) {
        width = bounds[1] - bounds[0];
        if (width <= 2 * DBL_EPSILON * scale) break;
        narrow(pencil, tiny, index, bounds);
    }
    return bounds[0] + (bounds[1] - bounds[0]) / 2;
}
