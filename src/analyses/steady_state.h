/* A periodically loaded run marched to its steady state: until successive states at the load's periods (its
 * Poincare section) are close, or until the mean energy stays, or for as many periods as are allowed. */
#ifndef SG_ANALYSES_STEADY_STATE_H
#define SG_ANALYSES_STEADY_STATE_H

#include <stddef.h>

#include "analyses/varied_run.h"
#include "results/observer.h"
#include "support/status.h"

enum { SG_STEADY_ORDERS = 64 };

struct sg_steady_spec {
    double period;       /* s, of the load */
    size_t samples;      /* of a period, evenly spaced */
    size_t node;         /* whose motion is measured (global) */
    size_t orders;       /* the longest period looked for, in periods of the load; at most SG_STEADY_ORDERS */
    double tolerance;    /* 1: of the Poincare distance */
    size_t fewest, most; /* periods */
    size_t window;       /* periods whose means are compared where the motion is not periodic */
    double mean_tolerance; /* 1: of the mean energies of three windows, one after the other */
};

/* How it ended. */
enum { SG_STEADY_NEITHER = -1, SG_STEADY_MEAN = 0 };

/* What is measured is over the last `order` periods of a periodic motion, else over the last window. Means
 * are of the samples, which are exact to the scheme's own order for smooth periodic motions. */
struct sg_steady {
    int order;                   /* n > 0: periodic, with n periods of the load; else SG_STEADY_... */
    size_t periods;              /* of the load, marched */
    double distance;             /* 1: |x(t) - x(t - n T)|, of the norm below, n = order or 1 */
    double energy;               /* J: mean kinetic + strain */
    double amplitude;            /* m: the node's largest displacement */
    double harmonic;             /* m: the amplitude of its displacement at the load's frequency */
    double gap_least, gap_most;  /* m, over all contacts; NaN without */
    double contact_share;        /* 1: of the time, with some contact closed */
    double dissipated, external; /* W: mean power taken by damping, friction, impacts; given by loads */
};

/* The norm of distances is that of energies, |x|^2 = v . M v + u . K u + w^2 u . M u with the load's
 * frequency w (by which rigid motions count), relative to the larger of the state's own and the root of twice
 * the mean energy of the last period. */
struct sg_steady_watch;

sg_status sg_steady_watch_create(struct sg_arena *arena, const struct sg_steady_spec *spec,
                                 struct sg_steady_watch **watch, struct sg_error *err);

/* the observer of the run to be marched */
struct sg_observer sg_steady_observer(struct sg_steady_watch *watch);

/* Starts the run and marches it, from its start on; u, v (n_full) are where it ends. SG_INTERRUPTED when
 * sg_stop_requested(). */
sg_status sg_steady_march(struct sg_steady_watch *watch, const struct sg_varied_run *run, double *u,
                          double *v, struct sg_error *err);
const struct sg_steady *sg_steady_result(const struct sg_steady_watch *watch);

#endif
