#include "analyses/orbit_times.h"

#include <math.h>
#include <string.h>

#include "linalg/dense.h"
#include "linalg/small.h"
#include "linalg/vector.h"
#include "support/constants.h"
#include "support/memory.h"

/* Looks for a change of sign every SCAN radians of the fastest modes, at least FEWEST of them, at most
 * MOST_LOOKS. */
static const double SCAN = 0.4, FEWEST = 40, MOST_LOOKS = 60000;

enum { INSTANTS = 8 };

/* --- life ----------------------------------------------------------------------------------------- */

/* the lowest modes of the closed phase by those of the open one */
static sg_status project(struct sg_orbit_times *times, struct sg_error *err)
{
    const struct sg_orbit_phase *open = &times->phases->phase[0];
    const struct sg_orbit_phase *closed = &times->phases->phase[(size_t)1 << times->contact];
    size_t n = times->phases->n, f = times->filter;
    SG_AUTO_FREE double *between = NULL;
    TRY(SG_NEW(&between, n, err));
    struct sg_dense_shape shape = {f, n, f, true};
    sg_dense_multiply(&shape, closed->mphi, open->phi, times->p);
    for (size_t i = 0; i < n; i++) between[i] = open->center[i] - closed->center[i];
    for (size_t j = 0; j < f; j++) times->d[j] = sg_dot(n, closed->mphi + j * n, between) / times->size;
    return SG_OK;
}

sg_status sg_orbit_times_init(struct sg_arena *arena, struct sg_orbit_times *times,
                              const struct sg_orbit_times_spec *spec, struct sg_error *err)
{
    size_t filter = spec->filter, m = filter + 2;
    *times = (struct sg_orbit_times){
        .phases = spec->phases, .filter = filter, .contact = spec->contact, .size = sqrt(2 * spec->energy)};
    double **const vectors[] = {&times->d,     &times->x,  &times->xa, &times->xb, &times->left,
                                &times->right, &times->ca, &times->sa, &times->cb, &times->sb};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        TRY(SG_ARENA_NEW(arena, vectors[k], m, err));
    TRY(SG_ARENA_NEW(arena, &times->p, filter * filter, err));
    TRY(SG_ARENA_NEW(arena, &times->matrix, m * m, err));
    TRY(SG_ARENA_NEW(arena, &times->pivot, m, err));
    return project(times, err);
}

/* --- the equations -------------------------------------------------------------------------------- */

static const double *open_frequencies(const struct sg_orbit_times *times)
{
    return times->phases->phase[0].omega;
}

static const double *closed_frequencies(const struct sg_orbit_times *times)
{
    return times->phases->phase[(size_t)1 << times->contact].omega;
}

/* w . phi_k / gap_0 */
static double sway(const struct sg_orbit_times *times, size_t k)
{
    const struct sg_orbit_phase *open = &times->phases->phase[0];
    return open->sway[k + times->contact * times->phases->n] / open->gap[times->contact];
}

static void turn(struct sg_orbit_times *times, double a, double b)
{
    const double *open = open_frequencies(times), *closed = closed_frequencies(times);
    for (size_t k = 0; k < times->filter; k++) {
        times->ca[k] = cos(open[k] * a);
        times->sa[k] = sin(open[k] * a);
        times->cb[k] = cos(closed[k] * b);
        times->sb[k] = sin(closed[k] * b);
    }
}

/* B into the first rows and columns of a matrix with `m` rows. Row j is divided by Omega_j / omega_1, X is in
 * units of `size` and the last row in those of the gap: the entries are about 1 whatever the units are. */
static void fill(const struct sg_orbit_times *times, size_t m, double *matrix)
{
    const double *open = open_frequencies(times), *closed = closed_frequencies(times);
    size_t f = times->filter;
    for (size_t k = 0; k < f; k++) {
        double c = open[0] / open[k] * times->ca[k], s = open[0] * times->sa[k], *column = matrix + k * m;
        const double *p = times->p + k * f;
        for (size_t j = 0; j < f; j++) column[j] = p[j] * (times->sb[j] * c + times->cb[j] * s / closed[j]);
        column[f] = times->size * sway(times, k) / open[k] * times->ca[k];
    }
    for (size_t j = 0; j < f; j++) matrix[j + f * m] = open[0] * times->sb[j] * times->d[j];
    matrix[f + f * m] = 1;
}

/* dB/da (X, s) and dB/db (X, s), per radian of omega_1 */
static void differentiate(const struct sg_orbit_times *times, const double *x, double *by_a, double *by_b)
{
    const double *open = open_frequencies(times), *closed = closed_frequencies(times);
    size_t f = times->filter;
    by_a[f] = by_b[f] = 0;
    for (size_t j = 0; j < f; j++) {
        by_a[j] = 0;
        by_b[j] = closed[j] * times->cb[j] * times->d[j] * x[f];
    }
    for (size_t k = 0; k < f; k++) {
        const double *p = times->p + k * f;
        double c = times->ca[k], s = times->sa[k], w = open[k];
        by_a[f] -= times->size * sway(times, k) / open[0] * s * x[k];
        for (size_t j = 0; j < f; j++) {
            by_a[j] += p[j] * x[k] * (times->cb[j] * c * w / closed[j] - times->sb[j] * s);
            by_b[j] += p[j] * x[k] * (closed[j] * times->cb[j] * c / w - times->sb[j] * s);
        }
    }
}

/* The bordered system (Govaerts, Numerical Methods for Bifurcations of Dynamical Equilibria, 2000)
 *
 *     | B       left | | x |   | 0 |
 *     | right^T   0  | | g | = | 1 |
 *
 * is regular also where B is singular, and g(a, b) is 0 exactly there: a smooth function of order 1 instead
 * of a determinant. Fills x, and `slope` with g's derivatives to a and b. */
static bool solve(struct sg_orbit_times *times, double a, double b, double slope[2])
{
    size_t f = times->filter, m = f + 2;
    double *matrix = times->matrix, w = open_frequencies(times)[0];
    turn(times, a, b);
    fill(times, m, matrix);
    for (size_t k = 0; k <= f; k++) {
        matrix[k + (f + 1) * m] = times->left[k];
        matrix[f + 1 + k * m] = times->right[k];
    }
    matrix[f + 1 + (f + 1) * m] = 0;
    if (!sg_small_factor(m, matrix, times->pivot)) return false;
    memset(times->x, 0, m * sizeof *times->x);
    times->x[f + 1] = 1;
    sg_small_solve(m, matrix, times->pivot, times->x);
    differentiate(times, times->x, times->xa, times->xb);
    times->xa[f + 1] = times->xb[f + 1] = 0;
    sg_small_solve(m, matrix, times->pivot, times->xa);
    sg_small_solve(m, matrix, times->pivot, times->xb);
    slope[0] = -w * times->xa[f + 1];
    slope[1] = -w * times->xb[f + 1];
    return sg_first_nonfinite(m, times->x) == m && isfinite(slope[0]) && isfinite(slope[1]);
}

/* Borders for a point (X, s) that was turned to: the vector itself, and the change of B (X, s) along (da,
 * db), which no left null vector of B is normal to unless g's derivative in that direction is 0. */
static bool set_borders(struct sg_orbit_times *times, double da, double db)
{
    size_t m = times->filter + 1;
    differentiate(times, times->x, times->xa, times->xb);
    for (size_t k = 0; k < m; k++) {
        times->right[k] = times->x[k];
        times->left[k] = da * times->xa[k] + db * times->xb[k];
    }
    double *const borders[] = {times->left, times->right};
    for (size_t i = 0; i < 2; i++) {
        double length = sqrt(sg_dot(m, borders[i], borders[i]));
        if (!(length > 0) || !isfinite(length)) return false;
        for (size_t k = 0; k < m; k++) borders[i][k] /= length;
    }
    return true;
}

/* --- along a curve -------------------------------------------------------------------------------- */

/* Sets the direction of the curve, normal to the gradient, and the borders there; `forward`: the sign that
 * the direction times (fa, fb) has. */
static bool set_direction(struct sg_orbit_times *times, const double slope[2], double fa, double fb,
                          struct sg_times_point *point)
{
    double length = hypot(slope[0], slope[1]);
    if (!(length > 0)) return false;
    point->ta = -slope[1] / length;
    point->tb = slope[0] / length;
    if (point->ta * fa + point->tb * fb < 0) {
        point->ta = -point->ta;
        point->tb = -point->tb;
    }
    return set_borders(times, -point->tb, point->ta);
}

bool sg_orbit_times_begin(struct sg_orbit_times *times, size_t mode, double side,
                          struct sg_times_point *point)
{
    double slope[2];
    *point = (struct sg_times_point){.a = SG_PI / open_frequencies(times)[mode]};
    memset(times->x, 0, (times->filter + 2) * sizeof *times->x);
    times->x[mode] = side;
    times->x[times->filter] = 1;
    turn(times, point->a, 0);
    return set_borders(times, 1, 0) && solve(times, point->a, 0, slope) &&
           set_direction(times, slope, 0, 1, point);
}

/* Newton's method on g = 0 in the line normal to `at`'s direction; `size`: s, of a correction that is none */
static bool correct(struct sg_orbit_times *times, double size, struct sg_times_point *at, double slope[2],
                    int *count)
{
    for (*count = 1; *count <= 8; ++*count) {
        if (!solve(times, at->a, at->b, slope)) return false;
        double across = -slope[0] * at->tb + slope[1] * at->ta;
        double shift = -times->x[times->filter + 1] / across;
        if (!isfinite(shift)) return false;
        at->a -= shift * at->tb;
        at->b += shift * at->ta;
        if (fabs(shift) <= size) return at->a > 0 && at->b > 0;
    }
    return false;
}

bool sg_orbit_times_step(struct sg_orbit_times *times, double unit, double *step,
                         struct sg_times_point *point)
{
    /* of `unit`: limits of a step, and what Newton's method leaves; cosines of the turn over a step that is
     * too far, and of one that could be longer */
    static const double LONGEST = 0.02, SHORTEST = 1e-9, LEFT = 1e-12, SHARP = 0.95, SLIGHT = 0.99;
    while (*step >= SHORTEST * unit) {
        struct sg_times_point next = *point;
        double slope[2], tried = *step;
        int count = 0;
        *step = tried / 3;
        next.a += tried * point->ta;
        next.b += tried * point->tb;
        if (!correct(times, LEFT * unit, &next, slope, &count)) continue;
        double ta = next.ta, tb = next.tb, length = hypot(slope[0], slope[1]);
        if (fabs(slope[0] * tb - slope[1] * ta) < SHARP * length) continue;
        if (!set_direction(times, slope, ta, tb, &next)) return false;
        double along = ta * next.ta + tb * next.tb;
        *point = next;
        *step = tried;
        if (along > SLIGHT && count <= 4) *step = fmin(LONGEST * unit, 1.6 * tried);
        return true;
    }
    return false;
}

double sg_orbit_times_scale(const struct sg_orbit_times *times)
{
    double length = sqrt(sg_dot(times->filter + 1, times->x, times->x));
    return times->x[times->filter] / length;
}

/* --- at a half period ----------------------------------------------------------------------------- */

/* The sign of det B; 0 where it is 0. */
static int sign_at(struct sg_orbit_times *times, double half, double b)
{
    size_t m = times->filter + 1;
    int sign = 1;
    turn(times, half - b, b);
    fill(times, m, times->matrix);
    if (!sg_small_factor(m, times->matrix, times->pivot)) return 0;
    for (size_t i = 0; i < m; i++) {
        if (times->pivot[i] != i) sign = -sign;
        if (times->matrix[i + i * m] < 0) sign = -sign;
    }
    return sign;
}

/* x as the null vector of B by inverse iteration: two solves from a vector that no pattern is normal to. */
static bool find_null(struct sg_orbit_times *times, double half, double b)
{
    size_t m = times->filter + 1;
    double *x = times->x;
    if (sign_at(times, half, b) == 0 && sign_at(times, half, b * (1 + 1e-14)) == 0) return false;
    for (size_t k = 0; k < m; k++) x[k] = 1 + 0.5 * sin(1 + (double)k * (double)k);
    for (int i = 0; i < 3; i++) {
        sg_small_solve(m, times->matrix, times->pivot, x);
        double length = sqrt(sg_dot(m, x, x));
        if (!(length > 0) || !isfinite(length)) return false;
        for (size_t k = 0; k < m; k++) x[k] /= length;
    }
    return true;
}

bool sg_orbit_times_solve(struct sg_orbit_times *times, const struct sg_times_point *point)
{
    return find_null(times, point->a + point->b, point->b);
}

bool sg_orbit_times_meet(struct sg_orbit_times *times, double half, struct sg_times_point *point)
{
    /* of `half`: a shift that is rounding, and one that is if it no longer shrinks */
    static const double NOTHING = 1e-14, LITTLE = 1e-9;
    double b = point->b, before = HUGE_VAL;
    if (!find_null(times, half, b) || !set_borders(times, -1, 1)) return false;
    for (int i = 0; i < 20; i++) {
        double slope[2];
        if (!solve(times, half - b, b, slope)) return false;
        double shift = -times->x[times->filter + 1] / (slope[1] - slope[0]), size = fabs(shift) / half;
        if (!(b + shift > 0 && b + shift < half)) return false;
        b += shift;
        if (size <= NOTHING || (size <= LITTLE && size > 0.25 * before)) {
            *point = (struct sg_times_point){.a = half - b, .b = b};
            return true;
        }
        before = size;
    }
    return false;
}

bool sg_orbit_times_start(const struct sg_orbit_times *times, double *x)
{
    double unit = times->size / times->x[times->filter];
    for (size_t k = 0; k < times->filter; k++) x[k] = times->x[k] * unit;
    return sg_first_nonfinite(times->filter, x) == times->filter;
}

bool sg_orbit_times_is_possible(struct sg_orbit_times *times, const struct sg_times_point *point)
{
    const double *open = open_frequencies(times), *closed = closed_frequencies(times);
    const struct sg_orbit_phase *phase = &times->phases->phase[(size_t)1 << times->contact];
    const double *moves = phase->sway + times->contact * times->phases->n;
    size_t f = times->filter;
    double gap = 1, rate = 0, unit = 1 / times->x[f];
    double one = times->phases->phase[0].gap[times->contact];
    turn(times, point->a, point->b);
    for (size_t k = 0; k < f; k++) {
        double x = unit * times->x[k] * times->size * sway(times, k);
        gap += x / open[k];
        rate -= x * times->sa[k];
    }
    if (!(gap > 0) || !(rate < 0)) return false;
    double *eta = times->xa;
    for (size_t j = 0; j < f; j++) {
        double y = times->d[j], z = 0;
        for (size_t k = 0; k < f; k++) {
            double p = times->p[j + k * f] * unit * times->x[k];
            y += p * times->ca[k] / open[k];
            z -= p * times->sa[k];
        }
        eta[j] = times->size * (y * times->cb[j] + z / closed[j] * times->sb[j]);
    }
    for (int i = 0; i < INSTANTS; i++) {
        double t = point->b * i / INSTANTS, sum = phase->gap[times->contact];
        for (size_t j = 0; j < f; j++) sum += moves[j] * eta[j] * cos(closed[j] * t);
        if (!(sum < 1e-9 * one)) return false;
    }
    return true;
}

/* A change of sign is halved to rounding. */
static double halve(struct sg_orbit_times *times, double half, double low, double high, int below)
{
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        if (sign_at(times, half, middle) == below)
            low = middle;
        else
            high = middle;
    }
    return high;
}

double sg_orbit_times_zero(struct sg_orbit_times *times, double half, double low, double high)
{
    int below = low > 0 ? sign_at(times, half, low) : 0;
    return below * sign_at(times, half, high) < 0 ? halve(times, half, low, high, below) : NAN;
}

double sg_orbit_times_next(struct sg_orbit_times *times, double half, double from)
{
    const double *open = open_frequencies(times), *closed = closed_frequencies(times);
    size_t last = times->filter - 1;
    double looks = ceil(half * (open[last] + closed[last]) / SCAN) + FEWEST;
    double step = half / fmin(looks, MOST_LOOKS), low = from > 0 ? from : 1e-3 * step;
    int before = sign_at(times, half, low);
    for (size_t i = (size_t)(low / step) + 1; (double)i * step < half; i++) {
        double high = (double)i * step;
        if (high <= low) continue;
        int now = sign_at(times, half, high);
        if (before * now < 0) return halve(times, half, low, high, before);
        before = now;
        low = high;
    }
    return NAN;
}
