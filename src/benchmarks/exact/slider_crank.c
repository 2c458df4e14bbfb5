/* Slider-crank with clearance in three angles, by another way than the program's (redundant coordinates,
 * pins): crank and rod as a double pendulum that carries the slider at its end, with angles a, b to the x
 * axis,
 *
 *     M(b - a) [a''; b''] = k sin(b - a) [b'^2; -a'^2] - weights,   y = l1 sin a + l2 sin b,   x as cos
 *
 * until the slider meets the wall at |y| = c. Both corners of a side strike at once, so that the slider does
 * not turn: Newton's law for y' and Coulomb's for x' of the slipping slider give one impulse P,
 *
 *     M [da'; db'] = -P (sgn y grad y + mu sgn x' grad x),   y'+ = -e y'-.
 *
 * Parameters: Flores, Leine and Glocker 2010, table 1. */
#include <math.h>

#include "benchmarks/exact/exact.h"
#include "benchmarks/exact/smooth_motion.h"

enum { IMPACTS = 4 };

struct crank {
    double time[IMPACTS];     /* s */
    double impulse[IMPACTS];  /* N s, of both corners */
    double position[IMPACTS]; /* m, x of the slider's pin */
    double friction;          /* mu */
};

#define CRANK       0.153
#define ROD         0.306
#define CLEARANCE   0.001
#define RESTITUTION 0.4
#define GRAVITY     9.81

static const double m_crank = 0.038, m_rod = 0.038, m_slider = 0.076, j_crank = 7.4e-5, j_rod = 5.9e-4;

/* m[0], m[1]: the diagonal, m[2] beside it */
static void mass(const double *y, double m[3])
{
    m[0] = j_crank + (0.25 * m_crank + m_rod + m_slider) * CRANK * CRANK;
    m[1] = j_rod + (0.25 * m_rod + m_slider) * ROD * ROD;
    m[2] = (0.5 * m_rod + m_slider) * CRANK * ROD * cos(y[1] - y[0]);
}

static void solve(const double m[3], const double f[2], double x[2])
{
    const double det = m[0] * m[1] - m[2] * m[2];
    x[0] = (m[1] * f[0] - m[2] * f[1]) / det;
    x[1] = (m[0] * f[1] - m[2] * f[0]) / det;
}

static void rate(const void *owner, const double *y, double *dy)
{
    const double turn = (0.5 * m_rod + m_slider) * CRANK * ROD * sin(y[1] - y[0]);
    double m[3], f[2];
    (void)owner;
    mass(y, m);
    f[0] = turn * y[3] * y[3] - GRAVITY * CRANK * cos(y[0]) * (0.5 * m_crank + m_rod + m_slider);
    f[1] = -turn * y[2] * y[2] - GRAVITY * ROD * cos(y[1]) * (0.5 * m_rod + m_slider);
    dy[0] = y[2];
    dy[1] = y[3];
    solve(m, f, dy + 2);
}

static double height(const double *y)
{
    return CRANK * sin(y[0]) + ROD * sin(y[1]);
}

static double gap(const void *owner, const double *y)
{
    (void)owner;
    return CLEARANCE - fabs(height(y));
}

/* change of the angles' rates by P = 1, and the impulse */
static double impulse(const struct crank *crank, const double *y, double change[2])
{
    const double up[2] = {CRANK * cos(y[0]), ROD * cos(y[1])};
    const double along[2] = {-CRANK * sin(y[0]), -ROD * sin(y[1])};
    const double side = copysign(1.0, height(y)), speed = along[0] * y[2] + along[1] * y[3];
    const double drag = crank->friction * copysign(1.0, speed);
    double m[3];
    mass(y, m);
    solve(m, (double[2]){-side * up[0] - drag * along[0], -side * up[1] - drag * along[1]}, change);
    return -(1.0 + RESTITUTION) * (up[0] * y[2] + up[1] * y[3]) / (up[0] * change[0] + up[1] * change[1]);
}

static void impact(const void *owner, double *y)
{
    double change[2];
    const double given = impulse(owner, y, change);
    y[2] += given * change[0];
    y[3] += given * change[1];
}

static struct sg_smooth_motion motion_of(const struct crank *crank)
{
    return (struct sg_smooth_motion){
        .dim = 4, .max_step = 1e-4, .rate = rate, .gap = gap, .impact = impact, .owner = crank};
}

static const struct sg_smooth_state start = {.y = {0.0, 0.0, 150.0, -75.0}};

/* up to the fourth impact; set `friction` before */
static sg_status find_impacts(struct crank *crank, struct sg_error *err)
{
    const struct sg_smooth_motion motion = motion_of(crank);
    struct sg_smooth_state state = start;
    for (size_t k = 0; k < IMPACTS; k++) {
        double change[2];
        TRY(sg_smooth_advance(&motion, 1.0, true, &state, err));
        crank->time[k] = state.impact_time;
        crank->impulse[k] = impulse(crank, state.before, change);
        crank->position[k] = CRANK * cos(state.y[0]) + ROD * cos(state.y[1]);
    }
    return SG_OK;
}

/* angles of crank and rod at t, before the first impact */
static sg_status fly_free(double t, double angles[2], struct sg_error *err)
{
    struct crank crank = {0};
    const struct sg_smooth_motion motion = motion_of(&crank);
    struct sg_smooth_state state = start;
    TRY(sg_smooth_advance(&motion, t, false, &state, err));
    angles[0] = state.y[0];
    angles[1] = state.y[1];
    return SG_OK;
}

/* --- for benchmarks --------------------------------------------------------------------------------- */

static const struct sg_keyword rows[] = {{.name = "friction",
                                          .type = SG_REAL,
                                          .unit = "1",
                                          .flags = SG_REQUIRED,
                                          .meaning = "coefficient of friction",
                                          .example = "0.01",
                                          .range = SG_NON_NEGATIVE,
                                          .offset = offsetof(struct crank, friction)},
                                         {0}};

static sg_status create(void *data, struct sg_error *err)
{
    return find_impacts(data, err);
}

static void angles(const void *data, const struct sg_exact_row *x, double *result)
{
    (void)data;
    if (fly_free(x[0].values[0], result, NULL) != SG_OK) result[0] = result[1] = NAN;
}

static size_t impact_of(const struct sg_exact_row *x)
{
    return (size_t)fmin(fmax(x[0].values[0], 0.0), IMPACTS - 1);
}

SG_EXACT_FUNCTION(time_of, struct crank, self->time[impact_of(x)])
SG_EXACT_FUNCTION(impulse_of, struct crank, self->impulse[impact_of(x)])
SG_EXACT_FUNCTION(position_of, struct crank, self->position[impact_of(x)])

static const struct sg_exact_function functions[] = {
    {"time", 1, 0, time_of, 0, "time(k) of impact k, 0 to 3, s"},
    {"impulse", 1, 0, impulse_of, 0, "impulse(k) of both corners, N s"},
    {"position", 1, 0, position_of, 0, "position(k) of the slider along its guide, m"},
    {"angles", 1, 0, angles, 2, "angles(t) of crank and rod before the first impact, rad"},
    {0}};

const struct sg_exact_ops sg_exact_slider_crank = {
    .kind = {"slider-crank", "a slider-crank with clearance, in three angles", rows},
    .size = sizeof(struct crank),
    .create = create,
    .functions = functions};
