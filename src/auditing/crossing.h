/* One watched step of the balances (balance.h): its defects, added up in the window at hand. */
#ifndef SG_AUDITING_CROSSING_H
#define SG_AUDITING_CROSSING_H

#include <stdbool.h>

#include "contact/contact_set.h"
#include "model/constraint.h"
#include "model/system.h"

enum { SG_BALANCE_DIRECTIONS = 6 }; /* three along axes, three about them */

/* The largest defects, over what was exchanged: shares. */
struct sg_balance_share {
    double defect, scale; /* of the worst window */
    double share;         /* defect / scale */
    double t;             /* s: the end of that window */
};

struct sg_balance_watch {
    const struct sg_system *system;
    const struct sg_contact_set *contacts;
    const bool *force_only; /* contacts whose snapshots tell forces and no impulses; NULL: none */
    bool all_force_only;
    size_t n, q, m, tangents;
    long long first;      /* steps that are all watched */
    double *direction;    /* n x dim, column-major: unit translations */
    double center[3];     /* m: about which momentum turns */
    const double *length; /* n, m */
    double *mobility;     /* n, m/s^2 for a unit of force: length over the diagonal of M; 0 without mass */
    struct sg_contact_frame frame;
    struct sg_constraint_frame held;
    /* of the step's start */
    double *u0, *v0, *momentum0, *force0, *gap0, *contact0, *impulse0, *constraint0;
    double t0, velocity_time0;
    bool holding; /* the step's start is kept */
    bool impact;  /* velocities jumped at the end of the step at hand */
    /* scratch: n, the last one n_full */
    double *momentum1, *force1, *middle_u, *middle_v, *middle_force, *defect, *simpson, *inner, *load, *place;
    /* of the window */
    double *drift, *way, *unresolved, *jump0; /* n */
    double sum[2][SG_BALANCE_DIRECTIONS], largest[2][SG_BALANCE_DIRECTIONS];
    double exchanged[2], carried[2]; /* along, about: N s, N m s */
    long long window_steps;
    /* of the run */
    double acceleration; /* m/s^2, the largest that loads and internal forces would give */
    double window_time;  /* s, of the window at hand */
    long long steps, watched;
    struct sg_balance_share along, about, integral;
    double integral_limit; /* of `integral`: what steps of their length can resolve */
    double constraint_position, constraint_velocity; /* shares, the largest */
    double constraint_position_at, constraint_velocity_at;
    double speed; /* m/s, the largest seen */
};

/* from the start that was kept to `now` */
void sg_balance_cross(struct sg_balance_watch *watch, const struct sg_snapshot *now);

/* Keeps `now` as the start of the next step; `crossed`: sg_balance_cross came just before. */
void sg_balance_keep(struct sg_balance_watch *watch, const struct sg_snapshot *now, bool crossed);

#endif
