/* The yardstick: the arithmetic of a run as plain loops over arrays, without layers, accounts, detection
 * or checks. A run is recorded as the list of its trial steps (start, length, active contacts), and the
 * loop takes the same steps again. */
#ifndef SG_TESTS_PLAIN_H
#define SG_TESTS_PLAIN_H

#include "bench.h"

struct plain_trial {
    double t, h;     /* s */
    unsigned active; /* bit j: contact j is closed */
};

struct plain_trace {
    struct plain_trial *items;
    size_t count, capacity;
};

/* Runs the model once, its trials go to `trace`; at most 32 contacts (8 for plain_modal). */
sg_status plain_record(struct bench_model *model, struct plain_trace *trace, struct sg_error *err);
void plain_trace_release(struct plain_trace *trace);

/* The scheme by its numbers: BoTr by eta, else the alpha family with or without stored acceleration. */
struct plain_scheme {
    int botr, stores_acceleration;
    double eta;                 /* BoTr */
    double am, af, beta, gamma; /* alpha */
};
struct plain_scheme plain_scheme_of(const struct bench_model *model);

/* Takes the steps of the trace in modal coordinates, elastic contacts; *seconds: for all of them. */
sg_status plain_modal(const struct bench_model *model, const struct plain_trace *trace, double *seconds,
                      struct sg_error *err);

/* The same for tridiagonal M and K and one contact at the first dof, by Thomas' algorithm. */
sg_status plain_tridiagonal(const struct bench_model *model, const struct plain_trace *trace, double *seconds,
                            struct sg_error *err);

#endif
