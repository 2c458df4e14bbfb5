/* The summary says what a run comes to: the attributes of /summary in its results file. */
#ifndef SG_RESULTS_SUMMARY_H
#define SG_RESULTS_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

struct sg_summary {
    long long steps, events, solves, factorizations, newton_iterations, rejected_steps;
    long long newton_most;        /* Newton iterations of the step that took most */
    long long contact_iterations; /* of the contacts' local problems, in all */
    double contact_residual;      /* the largest that one of them was left with, in its units (m/s or m) */
    double contact_share;         /* 1, not recorded: the largest relative to what contacts were to take up */
    long long events_certified;   /* 1: no event of the motion can be missed, 0: nothing is promised */
    long long event_subdivisions; /* halvings of steps that looked for events */
    long long events_undecided;   /* grazings within rounding; not certified: parts left open */
    double max_penetration;       /* m, the largest -gap seen */
    double residual_error;        /* the integral of the residual estimator, where it was asked for */
    long long
        update_nonphysical; /* how often the update stopped a motion whose kinetic energy was negative */
    double energy_drift;    /* 1: max |numerical| over the largest |total| or energy at hand */
    double end_time;        /* s, where the run ended: time.end, or earlier by time.stop */
    long long modes_cached; /* 1: the modal basis was not computed but read back */
    double modes_seconds;   /* s, that making or reading the modal basis took */
    double wall_seconds;
    long long poundings; /* closings and impacts of all contacts; this and the next two from the recorder */
    double peak_force;   /* N, the largest of a contact; NaN if none has a law of force */
    double peak_impulse; /* N s, the largest of a contact's phase */
    bool stopped;        /* by time.stop; not an attribute */
};

/* One row an attribute of /summary. */
struct sg_summary_row {
    const char *name;
    size_t offset; /* of the member of struct sg_summary: a double where `real`, else a long long */
    bool real;
    const char *unit;
    const char *absence; /* why it may be NaN, and what there is instead; NULL: it is always a number */
};

/* The row at place `i`, NULL behind the last; the row of a name, NULL if there is none. */
const struct sg_summary_row *sg_summary_row(size_t i);
const struct sg_summary_row *sg_summary_find(const char *name);

/* The attribute of a name as a number; NaN if there is none. */
double sg_summary_value(const struct sg_summary *summary, const char *name);

#endif
