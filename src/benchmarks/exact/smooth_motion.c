#include "benchmarks/exact/smooth_motion.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 8 };

#define TOLERANCE 1e-13
#define GRAZING   1e-12

/* n midpoint steps over h, Gragg's smoothing at the end */
static void midpoint(const struct sg_smooth_motion *motion, const double *y, double h, int n, double *end)
{
    const double s = h / n;
    double old[SG_SMOOTH_DIM], now[SG_SMOOTH_DIM], rate[SG_SMOOTH_DIM];
    motion->rate(motion->owner, y, rate);
    for (size_t i = 0; i < motion->dim; i++) {
        old[i] = y[i];
        now[i] = y[i] + s * rate[i];
    }
    for (int k = 1; k < n; k++) {
        motion->rate(motion->owner, now, rate);
        for (size_t i = 0; i < motion->dim; i++) {
            const double next = old[i] + 2.0 * s * rate[i];
            old[i] = now[i];
            now[i] = next;
        }
    }
    motion->rate(motion->owner, now, rate);
    for (size_t i = 0; i < motion->dim; i++) end[i] = 0.5 * (old[i] + now[i] + s * rate[i]);
}

/* Row j of the tableau in h^2, from the row before in `row`; returns the last change, relative, summed. */
static double extrapolate(size_t dim, int j, double (*row)[SG_SMOOTH_DIM], const double *first)
{
    double left[SG_SMOOTH_DIM], change = 0.0;
    memcpy(left, first, dim * sizeof *left);
    for (int k = 1; k <= j; k++) {
        const double ratio = (double)(j + 1) / (double)(j + 1 - k);
        for (size_t i = 0; i < dim; i++) {
            const double next = left[i] + (left[i] - row[k - 1][i]) / (ratio * ratio - 1.0);
            row[k - 1][i] = left[i];
            if (k == j) change += fabs(next - left[i]) / fmax(1.0, fabs(next)); /* NAN stays */
            left[i] = next;
        }
    }
    memcpy(row[j], left, dim * sizeof *left);
    return change;
}

/* The columns that a step of h needs, 0 if COLUMNS don't do. */
static int try_step(const struct sg_smooth_motion *motion, const double *y, double h, double *end)
{
    double row[COLUMNS][SG_SMOOTH_DIM], first[SG_SMOOTH_DIM];
    for (int j = 0; j < COLUMNS; j++) {
        midpoint(motion, y, h, 2 * (j + 1), first);
        const double change = extrapolate(motion->dim, j, row, first);
        if (j > 0 && change <= TOLERANCE) {
            memcpy(end, row[j], motion->dim * sizeof *end);
            return j + 1;
        }
    }
    return 0;
}

/* Of the step h that ends behind the wall, the part up to it, and the state there. */
static double locate(const struct sg_smooth_motion *motion, const double *y, double h, double *at)
{
    enum { HALVINGS = 60 };
    double low = 0.0, high = h;
    for (int k = 0; k < HALVINGS; k++) {
        const double middle = 0.5 * (low + high);
        if (try_step(motion, y, middle, at) == 0) break;
        if (motion->gap(motion->owner, at) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The step ends behind the wall: up to it, and the impact. Whether it came at once after the last. */
static bool strike(const struct sg_smooth_motion *motion, double step, struct sg_smooth_state *state)
{
    double at[SG_SMOOTH_DIM];
    const size_t bytes = motion->dim * sizeof *at;
    const double since = state->t - state->impact_time;
    const double part = locate(motion, state->y, step, at);
    memcpy(state->before, at, bytes);
    memcpy(state->y, at, bytes);
    motion->impact(motion->owner, state->y);
    state->t += part;
    state->impact_time = state->t;
    return ++state->impacts > 1 && since + part < 1e-3 * motion->max_step;
}

static bool behind(const struct sg_smooth_motion *motion, const double *y)
{
    return motion->gap != NULL && motion->gap(motion->owner, y) < -GRAZING;
}

sg_status sg_smooth_advance(const struct sg_smooth_motion *motion, double until, bool to_impact,
                            struct sg_smooth_state *state, struct sg_error *err)
{
    enum { CROWD = 100 };
    double h = motion->max_step, end[SG_SMOOTH_DIM];
    int crowded = 0;
    while (state->t < until) {
        const double left = until - state->t, step = fmin(h, left);
        if (h < 1e-14 * fmax(1.0, state->t) || crowded > CROWD)
            FAIL(err, SG_NO_SOLUTION, "reference motion: %s vanish at t = %.15g s",
                 crowded > CROWD ? "flights" : "steps", state->t);
        const int columns = try_step(motion, state->y, step, end);
        if (columns == 0) {
            h = 0.5 * step;
            continue;
        }
        if (behind(motion, end)) {
            crowded = strike(motion, step, state) ? crowded + 1 : 0;
            if (to_impact) return SG_OK;
            continue;
        }
        state->t = step < left ? state->t + step : until;
        memcpy(state->y, end, motion->dim * sizeof *end);
        if (columns < COLUMNS - 1) h = fmin(1.5 * h, motion->max_step);
    }
    return SG_OK;
}
