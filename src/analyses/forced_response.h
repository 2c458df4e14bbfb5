/* Inner structure of the analysis forced-response, shared by its files only:
 *   forced_response.c  keywords, creation, its words
 *   forced_points.c    the points: what is run, and what is told of it */
#ifndef SG_ANALYSES_FORCED_RESPONSE_H
#define SG_ANALYSES_FORCED_RESPONSE_H

#include "analyses/points.h"
#include "analyses/steady_state.h"

enum sg_forced_start { SG_FORCED_CONTINUED, SG_FORCED_INITIAL };
enum sg_forced_direction { SG_FORCED_UP, SG_FORCED_DOWN, SG_FORCED_BOTH };

struct sg_forced_spec {
    double from, to;
    long long count;
    struct sg_reals at;
    double reference, reference_energy;
    int direction, start;
    struct sg_reals amplitudes, dampings;
    const char *node;
    long long steps_per_period;
    double tolerance;
    long long orders, min_periods, max_periods, mean_periods;
    double mean_tolerance;
};

/* a sweep: its points are one behind the other where it continues */
struct sg_forced_branch {
    double amplitude, damping; /* 1; 1/s, NaN: as the deck says */
    bool down;
};

struct sg_forced {
    struct sg_forced_spec spec;
    const struct sg_deck *deck;
    const struct sg_run_maker *maker;
    double omega, energy; /* rad/s, J: what ratios are of; energy may be NaN */
    double *ratios;       /* ratio_count, ascending */
    size_t ratio_count;
    struct sg_forced_branch *branches;
    size_t branch_count;
    size_t n_full, node;
    double step;    /* s, of the deck; NaN: none, or by steps_per_period */
    double *states; /* branch_count x 2 n_full: u, v at the end of the branch's last point */
    unsigned long long done;
    unsigned long long periodic, wandering, neither; /* points done, by how they became steady */
    struct sg_effective_counts counts;
};

extern const struct sg_point_column sg_forced_columns[];
size_t sg_forced_column_count(void);
extern const struct sg_points_apart sg_forced_apart;

/* the period of a ratio, and the time step with its samples: order->step, order->end, steady->period,
 * steady->samples */
void sg_forced_times(const struct sg_forced *forced, double ratio, struct sg_run_order *order,
                     struct sg_steady_spec *steady);

#endif
