/* Periodic orbits by shooting: Newton's method on where the motion leads, with the exact derivatives of
 * analyses/orbit_flow.h. Numbers of states are in energy: x_k = omega_k y_k and z_k of modes, so that
 * (|x|^2 + |z|^2) / 2 is the energy.
 *
 * Half a period, for orbits that are symmetric in time. They start at rest and rest again half a period
 * later:
 *     z(T/2; x) = 0                  filter k: x in the first k modes of the phase without contact,
 *                                    z tested on the first k modes of the phase at T/2; the rest of z is left
 * The whole period, for any: x(T) - x = 0, z(T) - z = 0, by the least change each time, as any instant of the
 * orbit will do. */
#ifndef SG_ANALYSES_ORBIT_SHOOT_H
#define SG_ANALYSES_ORBIT_SHOOT_H

#include <stdbool.h>
#include <stddef.h>

#include "analyses/orbit_flow.h"
#include "support/arena.h"
#include "support/status.h"

enum sg_shot_end {
    SG_SHOT_HIT,
    SG_SHOT_FAR,      /* no convergence */
    SG_SHOT_SINGULAR, /* no step: the derivatives are singular */
    SG_SHOT_GRAZED,   /* a gap just touches 0: there are no derivatives */
    SG_SHOT_CHATTER
};

/* found, or how it went wrong */
struct sg_shot {
    enum sg_shot_end end;
    int iterations;  /* Newton steps */
    double residual; /* 1: |equations| / sqrt(2 E) */
    double defect;   /* 1: |all of z(T/2)| / sqrt(2 E), or the residual of the whole period */
    double energy;   /* J, at the start */
    size_t switches; /* in what was shot over */
    double margin;   /* m: sg_orbit_flow's, of what was shot over */
};

struct sg_shooter {
    const struct sg_orbit_phases *phases; /* borrowed */
    struct sg_orbit_flow flow;
    int most;          /* Newton steps allowed */
    double *jacobian;  /* (2 n + 1)^2 */
    double *residual;  /* 2 n + 1 */
    double *by_period; /* n: d residual / d ln T of half a period */
    double *u, *v;     /* n: the state shot from */
    double *work;      /* 2 n + 1 */
    size_t *pivot;     /* 2 n + 1 */
};

/* */
sg_status sg_shooter_init(struct sg_arena *arena, struct sg_shooter *shooter,
                          const struct sg_orbit_phases *phases, struct sg_error *err);

/* The state to shoot from, shooter->u and v: at rest, displaced by x in the first modes of the phase without
 * contact */
void sg_shoot_set_start(struct sg_shooter *shooter, size_t filter, const double *x);

/* x: `filter` numbers (1 to n), in and out; afterwards u and v of the shooter are the start */
struct sg_shot sg_shoot_half(struct sg_shooter *shooter, size_t filter, double period, double *x);

/* Half a period on a line instead of at a given one: *period is found too,
 *     tangent . (x - ahead, ln T - ln T_ahead) = 0,    `tangent`, `ahead`: filter + 1, the last by ln T. */
struct sg_shoot_line {
    const double *tangent, *ahead;
};
struct sg_shot sg_shoot_line(struct sg_shooter *shooter, size_t filter, const struct sg_shoot_line *line,
                             double *period, double *x);

/* The direction in which half-period orbits go on from the one just hit: filter + 1 numbers, of length 1 in x
 * / size and ln T / width, with tangent . before > 0 in these. False where there is none. */
struct sg_shoot_scale {
    double size, width;
};
bool sg_shoot_tangent(struct sg_shooter *shooter, size_t filter, const struct sg_shoot_scale *scale,
                      const double *before, double *tangent);

/* u and v (n) in and out. Allocates. */
sg_status sg_shoot_full(struct sg_shooter *shooter, double period, double *u, double *v, struct sg_shot *shot,
                        struct sg_error *err);

/* d state(T) / d state(0), 2 n x 2 n, by columns, in the numbers of energy of the phase at the start; the
 * shooter's flow has gone once around. Nothing is left out where it grazes: then the derivatives are not
 * whole. */
enum sg_orbit_end sg_shoot_monodromy(struct sg_shooter *shooter, double period, const double *u,
                                     const double *v, double *matrix);

#endif
