#include "analyses/amplification.h"

#include <complex.h>
#include <float.h>
#include <math.h>

#include "support/constants.h"

/* --- the matrix ----------------------------------------------------------------------------------- */

static double scale_of(double h, size_t i)
{
    return i == 0 ? 1.0 : i == 1 ? h : h * h;
}

static sg_status fill_matrix(struct sg_single_mass *mass, struct sg_amplification *a, struct sg_error *err)
{
    for (size_t j = 0; j < a->size; j++) {
        double from[SG_MASS_STATE] = {0.0}, to[SG_MASS_STATE] = {0.0};
        from[j] = 1.0 / scale_of(a->h, j);
        TRY(sg_single_mass_step(mass, a->h, from, to, err));
        for (size_t i = 0; i < a->size; i++) a->matrix[j * a->size + i] = scale_of(a->h, i) * to[i];
    }
    return SG_OK;
}

static void choose(struct sg_amplification *a)
{
    a->principal = a->size;
    a->radius = 0.0;
    for (size_t j = 0; j < a->size; j++) {
        a->radius = fmax(a->radius, cabs(a->eigen.value[j]));
        if (a->h <= 0.5 && cimag(a->eigen.value[j]) > 0.0) a->principal = j;
    }
}

sg_status sg_amplification_find(struct sg_single_mass *mass, double h, struct sg_amplification *a,
                                struct sg_error *err)
{
    *a = (struct sg_amplification){.h = h, .size = mass->size};
    TRY(fill_matrix(mass, a, err));
    TRY(sg_eigen_small(a->size, a->matrix, &a->eigen, err));
    choose(a);
    return SG_OK;
}

/* --- period and amplitude ------------------------------------------------------------------------- */

/* An eigenvalue exp(growth + i angle) of a step turns the vibration by `angle`, so that a period takes
 * 2 pi / angle steps and multiplies it by d = exp(growth 2 pi / angle). The exact one, of circular frequency
 * 2 pi (the undamped period is 1 s), has the period 1 / sqrt(1 - xi^2) and c = exp(-2 pi xi / sqrt(1 -
 * xi^2)). 1 - d/c is taken by expm1, which keeps the digits of small differences. */
/* The vibration that an eigenvalue of modulus exp(growth) at `angle` makes. */
static struct sg_vibration vibration_of(double growth, double angle, double h, double ratio)
{
    double root = sqrt(1.0 - ratio * ratio), period = 2.0 * SG_PI / angle;
    /* a modulus of one is known to rounding only */
    if (fabs(growth) <= 16.0 * DBL_EPSILON) growth = 0.0;
    double exact = -2.0 * SG_PI * ratio / root;
    return (struct sg_vibration){100.0 * (period * h * root - 1.0),
                                 0.0 - 100.0 * expm1(growth * period - exact)};
}

struct sg_vibration sg_amplification_vibration(const struct sg_amplification *a, double damping_ratio)
{
    if (a->principal == a->size) return (struct sg_vibration){NAN, NAN};
    double complex value = a->eigen.value[a->principal];
    return vibration_of(log(cabs(value)), carg(value), a->h, damping_ratio);
}

/* u(n+1) - 2 u(n) + u(n-1) = -p u(n) - q (u(n) - u(n-1)) by least squares: two columns that stay apart for
 * short steps too */
struct fit {
    double uu, ud, dd, ru, rd; /* sums of products of u, d = u - u before, and the second difference r */
};

static void add_sample(struct fit *fit, double before, double u, double after)
{
    double d = u - before, r = after - u - d;
    fit->uu += u * u;
    fit->ud += u * d;
    fit->dd += d * d;
    fit->ru += r * u;
    fit->rd += r * d;
}

/* |lambda|^2 = 1 - q, 2 Re lambda = 2 - p - q */
static struct sg_vibration solve_fit(const struct fit *fit, double h, double ratio)
{
    double det = fit->uu * fit->dd - fit->ud * fit->ud;
    double p = -(fit->ru * fit->dd - fit->rd * fit->ud) / det;
    double q = -(fit->rd * fit->uu - fit->ru * fit->ud) / det;
    double half = 0.5 * (p + q), im = p - half * half;
    if (!(im > 0.0)) return (struct sg_vibration){NAN, NAN};
    return vibration_of(0.5 * log1p(-q), atan2(sqrt(im), 1.0 - half), h, ratio);
}

enum { START_STEPS = 80, LEAST_SAMPLES = 24, PERIODS = 4, MOST_SAMPLES = 20000 };

sg_status sg_vibration_measure(struct sg_single_mass *mass, double h, struct sg_vibration *vibration,
                               struct sg_error *err)
{
    double x[SG_MASS_STATE] = {1.0, 0.0, 0.0}, to[SG_MASS_STATE] = {0.0}, before = 0.0;
    struct fit fit = {0};
    *vibration = (struct sg_vibration){NAN, NAN};
    if (h > 0.5) return SG_OK;
    long long last = START_STEPS + LEAST_SAMPLES + (long long)fmin(ceil(PERIODS / h), MOST_SAMPLES);
    TRY(sg_single_mass_start(mass, h, x, err));
    for (long long k = 0; k < last; k++) {
        TRY(sg_single_mass_step(mass, h, x, to, err));
        if (k >= START_STEPS) add_sample(&fit, before, x[0], to[0]);
        before = x[0];
        for (size_t i = 0; i < SG_MASS_STATE; i++) x[i] = to[i];
    }
    *vibration = solve_fit(&fit, h, mass->damping_ratio);
    return SG_OK;
}

/* --- arrival -------------------------------------------------------------------------------------- */

/* A state holds this much of the principal vibration: the factor of its eigenvector */
static double complex share(const struct sg_amplification *a, const double *x)
{
    const double complex *left = a->eigen.left + a->principal * a->size;
    const double complex *right = a->eigen.right + a->principal * a->size;
    double complex product = 0.0, norm = 0.0;
    for (size_t i = 0; i < a->size; i++) {
        product += conj(left[i]) * scale_of(a->h, i) * x[i];
        norm += conj(left[i]) * right[i];
    }
    return product / norm;
}

/* u ~ cos(angle s + phase) after s steps: the zero that follows n + 1/2 periods after that at the start */
static double held_speed(const struct sg_amplification *a, double complex factor, double periods, double lag)
{
    const double complex *right = a->eigen.right + a->principal * a->size;
    double complex u = factor * right[0], v = factor * right[1] / a->h;
    double growth = log(cabs(a->eigen.value[a->principal])), angle = carg(a->eigen.value[a->principal]);
    double zero = ((2.0 * periods + 1.0) * SG_PI - 0.5 * SG_PI - carg(u)) / angle;
    return -2.0 * cabs(v) * exp(growth * (zero - lag)) * cos(angle * (zero - lag) + carg(v));
}

sg_status sg_arrival_find(struct sg_single_mass *mass, const struct sg_amplification *a,
                          struct sg_vibration vibration, double periods, struct sg_arrival *arrival,
                          struct sg_error *err)
{
    double x[SG_MASS_STATE] = {0.0, 1.0, 0.0};
    *arrival = (struct sg_arrival){NAN, NAN};
    if (a->principal == a->size) return SG_OK;
    double shrink = 1.0 - vibration.decay / 100.0, stretch = 1.0 + vibration.elongation / 100.0;
    arrival->formula = pow(shrink, periods + 0.5) / stretch;
    TRY(sg_single_mass_start(mass, a->h, x, err));
    double ratio = mass->damping_ratio, root = sqrt(1.0 - ratio * ratio);
    double exact = exp(-ratio / root * (2.0 * periods + 1.0) * SG_PI);
    arrival->held = held_speed(a, share(a, x), periods, mass->staggered ? 0.5 : 0.0) / exact;
    return SG_OK;
}
