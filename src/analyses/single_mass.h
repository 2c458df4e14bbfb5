/* A mass on a spring, crossed by any integrator of the program through its own operations: what an integrator
 * is measured by. Mass 1 kg, period 1 s, so that a step in seconds is dt/T. */
#ifndef SG_ANALYSES_SINGLE_MASS_H
#define SG_ANALYSES_SINGLE_MASS_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/deck.h"
#include "integrators/integrator.h"
#include "support/arena.h"
#include "support/status.h"

enum { SG_MASS_STATE = 3 };

struct sg_single_mass {
    struct sg_deck *deck;
    struct sg_diagnostics diagnostics;
    struct sg_system *system;
    struct sg_columns no_rows;
    struct sg_effective *op;
    struct sg_phase phase;
    struct sg_integrator integrator;
    double stiffness;     /* N/m */
    double damping_ratio; /* 1 */
    size_t size;    /* numbers that a state has: u, v, and for some schemes a third, which they define */
    bool staggered; /* v is that of the middle of the next step */
    bool rebounds;  /* the scheme can take contacts at position level */
};

/* The mass and its integrator: `node` is the deck's integrator group, and lives as long as the mass. */
struct sg_single_mass_spec {
    const struct sg_setting *node;
    double damping_ratio; /* 1 */
};

/* */
sg_status sg_single_mass_init(struct sg_arena *arena, struct sg_single_mass *mass,
                              const struct sg_single_mass_spec *spec, struct sg_error *err);

/* x = u, v, (third) at t = 0 from u and v, as the scheme starts with steps of h seconds */
sg_status sg_single_mass_start(struct sg_single_mass *mass, double h, double x[SG_MASS_STATE],
                               struct sg_error *err);

/* one step: `to` (apart from `from`) */
sg_status sg_single_mass_step(struct sg_single_mass *mass, double h, const double from[SG_MASS_STATE],
                              double to[SG_MASS_STATE], struct sg_error *err);

/* Thrown against a rigid wall where the spring is relaxed: the mass comes with 1 m/s, its gap at the start of
 * the step in which they meet is phase (0 to 1) times its way in a step. Contact at position level,
 *
 *     0 <= g  _|_  r >= 0   at each equilibrium point of the scheme,
 *
 * until a step without contact leads away. *ratio is the root of the ratio of energies after and before: for
 * short steps the ratio of speeds; 0 if the mass stays at the wall. NaN where the scheme can't take contacts
 * or is unstable, and where a period has less than two steps. */
struct sg_throw {
    double h, phase; /* s; 1 */
};
sg_status sg_single_mass_rebound(struct sg_single_mass *mass, struct sg_throw thrown, double *ratio,
                                 struct sg_error *err);

#endif
