#include "linalg/sturm.h"

#include <float.h>
#include <math.h>

static inline double coupling(const struct sg_pencil *p, double x, size_t i)
{
    return p->mo == NULL ? p->ko[i] : p->ko[i] - x * p->mo[i];
}

static inline double diagonal(const struct sg_pencil *p, double x, size_t i)
{
    return p->md == NULL ? p->kd[i] - x : p->kd[i] - x * p->md[i];
}

/* eigenvalues below x = negative pivots of K - x M; a vanishing pivot counts as a tiny negative one */
static size_t count_below(const struct sg_pencil *p, double x, double tiny)
{
    double pivot = diagonal(p, x, 0);
    size_t count = 0;
    for (size_t i = 0;; i++) {
        if (fabs(pivot) < tiny) pivot = -tiny;
        count += pivot < 0;
        if (i + 1 == p->n) return count;
        double off = coupling(p, x, i);
        pivot = diagonal(p, x, i + 1) - off * (off / pivot);
    }
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
    double tiny = DBL_MIN / DBL_EPSILON + DBL_EPSILON * DBL_EPSILON * largest_entry(pencil);
    double low = -scale, high = scale;
    while (count_below(pencil, low, tiny) > index) low *= 2;
    while (count_below(pencil, high, tiny) <= index) high *= 2;
    double width = 2 * DBL_EPSILON * scale;
    while (high - low > width) {
        double middle = low + (high - low) / 2;
        if (middle <= low || middle >= high) break;
        if (count_below(pencil, middle, tiny) > index)
            high = middle;
        else
            low = middle;
    }
    return low + (high - low) / 2;
}
