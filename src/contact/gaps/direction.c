#include "contact/gaps/direction.h"

#include <float.h>
#include <math.h>
#include <string.h>

double sg_gap_dot(size_t dim, const double *a, const double *b)
{
    double sum = 0;
    for (size_t d = 0; d < dim; d++) sum += a[d] * b[d];
    return sum;
}

double sg_gap_normalize(size_t dim, double *v)
{
    /* scaled, so that no square leaves the reals */
    double largest = 0;
    for (size_t d = 0; d < dim; d++) largest = fmax(largest, fabs(v[d]));
    if (!(largest >= DBL_MIN) || !isfinite(largest)) {
        for (size_t d = 0; d < dim; d++) v[d] = d == 0 ? 1.0 : 0.0;
        return largest;
    }
    for (size_t d = 0; d < dim; d++) v[d] /= largest;
    double length = sqrt(sg_gap_dot(dim, v, v));
    for (size_t d = 0; d < dim; d++) v[d] /= length;
    return length * largest;
}

/* Duff et al. 2017, without the loss of digits of Frisvad 2012 near the seam */
void sg_gap_tangents(size_t dim, const double *n, double tangent[2][SG_GAP_AXES])
{
    memset(tangent, 0, 2 * sizeof *tangent);
    if (dim == 2) {
        tangent[0][0] = -n[1];
        tangent[0][1] = n[0];
    }
    if (dim != 3) return;
    double sign = n[2] >= -0.7 ? 1.0 : -1.0, a = -1.0 / (sign + n[2]), b = n[0] * n[1] * a;
    tangent[0][0] = 1.0 + sign * n[0] * n[0] * a;
    tangent[0][1] = sign * b;
    tangent[0][2] = -sign * n[0];
    tangent[1][0] = b;
    tangent[1][1] = sign + n[1] * n[1] * a;
    tangent[1][2] = -n[1];
}
