/* Formulas evaluated on the traces of trials. What a name stands for, in this order:
 *
 *     a parameter of the term under way; a term (benchmark.h)
 *     pi nan inf   runs (of the trial)   row (its number)
 *     close open impact stick slip status_change, kinds of events
 *     event.t .kind .contact .gap .gap_velocity, a row an event;   summary.NAME, an attribute of /summary;
 *     sizes.omega_free .omega_closed .step .contact_step
 *     EXACT.FUNCTION(...), of an exact solution
 *     'any/name', t: columns of the trial
 *
 * and beside the functions of functions.h: in(TRIAL, x), x of another trial; run(k, x), sum_of_runs(x),
 * max_of_runs(x) of a trial that has several. */
#ifndef SG_BENCHMARKS_EVALUATE_H
#define SG_BENCHMARKS_EVALUATE_H

#include "benchmarks/benchmark.h"
#include "benchmarks/trace.h"

/* What has been run of a trial: a trace a run. */
struct sg_recorded {
    struct sg_trace *runs;
    size_t count;
};

struct sg_evaluator {
    const struct sg_benchmark *benchmark;
    const struct sg_recorded *recorded; /* by trial */
    void *const *exacts;                /* data by exact solution */
};

/* The formula's one number in a trial whose runs, and those of the trials that it names, are recorded. NaN
 * with `fault` (to be released) where there is none; SG_NO_MEMORY, which is no fault of the formula. */
sg_status sg_evaluate(const struct sg_evaluator *evaluator, const struct sg_formula *formula, size_t trial,
                      double *number, struct sg_text *fault, struct sg_error *err);

/* What a formula needs of trials: called for each column and each trial that it names. `complain`: called
 * with what is wrong with its names; may be NULL. */
struct sg_needs {
    void *self;
    void (*column)(void *self, size_t trial, const char *name);
    void (*trial)(void *self, size_t trial);
    void (*complain)(void *self, const char *what);
};
void sg_formula_needs(const struct sg_benchmark *benchmark, const struct sg_formula *formula, size_t trial,
                      const struct sg_needs *needs);
/* the same of a term's formula, which may name its parameters and the terms above it */
void sg_term_needs(const struct sg_benchmark *benchmark, size_t term, const struct sg_needs *needs);

#endif
