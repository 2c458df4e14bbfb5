/* What `signorini verify` is made of: a benchmark is a shipped deck, runs of it (trials) and figures
 * measured on the traces that they leave in memory, each against an exact or published value.
 *
 *     verify.c         the command: figures, verdicts, JUnit
 *     verify_table.c   all trials of a benchmark side by side
 *     verify_trace.c   one trial, and what is common in measuring its trace
 *     verify_DECK.c    the figures of one deck
 *
 * A new benchmark is one file and one row of sg_benchmarks. */
#ifndef SG_COMMANDS_VERIFY_H
#define SG_COMMANDS_VERIFY_H

#include <stdbool.h>
#include <stddef.h>

#include "benchmarks/bouncing_bar.h"
#include "deck/deck.h"
#include "results/observer.h"
#include "results/recorder.h"
#include "strategies/step_sizes.h"
#include "support/status.h"

enum { SG_TRIAL_SETS = 12, SG_TRACE_HISTORIES = 48 };

/* A run of the deck with some of its values changed; tables end with a row without label. */
struct sg_trial {
    const char *label;               /* "rho_inf 0" */
    const char *sets[SG_TRIAL_SETS]; /* PATH=VALUE; ends with NULL */
};

/* What a trial leaves: every accepted step and every event; of an analysis of points, the points. */
struct sg_trace {
    const char *const *histories; /* the benchmark's; NULL-terminated */
    size_t first[SG_TRACE_HISTORIES];
    double *rows; /* row_count x width: t, then the histories side by side; row 0 is the initial state.
                     Of points: the first column, then those that `histories` names */
    size_t row_count, row_capacity, width;
    struct sg_event *events;
    size_t event_count, event_capacity;
    struct sg_summary summary; /* the strategy's counts */
    struct sg_step_sizes sizes;
    double seconds;   /* of the time loop, observer included */
    sg_status status; /* of the run: SG_OK, or SG_NO_SOLUTION (then nothing can be measured) */
};

struct sg_verification {
    const struct sg_trace *traces; /* by trial; those up to the figure's own are there */
    const void *exact;             /* the benchmark's exact solution */
};

/* Passes if |value - target| <= tolerance, the tolerance being positive. Tables are sorted by trial and
 * end with a row without name. */
struct sg_figure {
    const char *name;
    size_t trial;
    double (*measure)(const struct sg_verification *verification, size_t trial);
    double target, tolerance;
};

struct sg_benchmark {
    const char *name;
    const char *meaning;
    const struct sg_trial *trials;
    const struct sg_figure *figures;
    const char *const *histories; /* at most SG_TRACE_HISTORIES; as in results files, or "impulse";
                                     columns of an analysis of points */
    size_t exact_size;            /* bytes; 0 where figures need no exact solution, exact_init NULL then */
    sg_status (*exact_init)(void *exact, struct sg_error *err);
    /* NULL: the deck is one of `run`; else what makes a trace of a deck of another kind, which is read by
     * `grammar`. Rows are added by sg_trace_add_row. */
    sg_status (*record)(const struct sg_deck *deck, struct sg_trace *trace,
                        struct sg_diagnostics *diagnostics, struct sg_error *err);
    const struct sg_keyword *grammar;
};

/* ends with NULL */
extern const struct sg_benchmark *const sg_benchmarks[];
/* all benchmarks, in the order in which they run */
#define SG_BENCHMARKS(X)                                                                                     \
    X(bouncing_bar)                                                                                          \
    X(newton_cradle)                                                                                         \
    X(ball_events)                                                                                           \
    X(bouncing_ball)                                                                                         \
    X(van_der_pol)                                                                                           \
    X(impacting_bar)                                                                                         \
    X(rotating_spring)                                                                                       \
    X(rotating_spring_friction)                                                                              \
    X(discrete_arch)                                                                                         \
    X(two_beams)                                                                                             \
    X(spring_pair)                                                                                           \
    X(integrator_map)                                                                                        \
    X(penalty_bar)                                                                                           \
    X(mesh_demo)                                                                                             \
    X(carom)                                                                                                 \
    X(block_impact)                                                                                          \
    X(matrices_demo)                                                                                         \
    X(ball_accumulation)                                                                                     \
    X(bouncing_pendulum)                                                                                     \
    X(elastic_bar_impact)                                                                                    \
    X(rocking_block)                                                                                         \
    X(disk_friction)                                                                                         \
    X(slider_crank)                                                                                          \
    X(ground_motion_ec8)                                                                                     \
    X(building_pounding)                                                                                     \
    X(sweep_gap)                                                                                             \
    X(two_shear_buildings)                                                                                   \
    X(nbm_bar)                                                                                               \
    X(nbm_modes_uniform)                                                                                     \
    X(nbm_modes_soft_support)                                                                                \
    X(nbm_modes_heav)                                                                                        \
    X(nbm_modes_lin)                                                                                         \
    X(nbm_modes_quad)                                                                                        \
    X(forced_response)                                                                                       \
    X(modes_two_bars)

#define SG_BENCHMARK_NAME(name) extern const struct sg_benchmark sg_benchmark_##name;
SG_BENCHMARKS(SG_BENCHMARK_NAME)
#undef SG_BENCHMARK_NAME

/* --- traces --------------------------------------------------------------------------------------- */

/* Runs a trial. A run without solution is told on stderr and by trace->status, all else by the returned
 * status. Release in any case. */
sg_status sg_trace_record(const struct sg_benchmark *benchmark, const struct sg_trial *trial,
                          struct sg_trace *trace, struct sg_error *err);
void sg_trace_release(struct sg_trace *trace);

/* whether it holds the history */
bool sg_trace_has(const struct sg_trace *trace, const char *history);

/* A row of trace->width numbers, which is to be set before the first; NULL if there is no memory. */
double *sg_trace_add_row(struct sg_trace *trace, struct sg_error *err);

/* where a history starts in each row */
size_t sg_trace_column(const struct sg_trace *trace, const char *history);
const double *sg_trace_row(const struct sg_trace *trace, size_t i);
const double *sg_trace_last(const struct sg_trace *trace);

size_t sg_trace_count(const struct sg_trace *trace, enum sg_event_kind kind);

/* Chatter of a contact as phases: from a closing to the last opening before a pause (s) or the end of the
 * run. Writes at most `most`, returns how many there are. */
struct sg_phase_rule {
    size_t contact;
    double pause;
};
size_t sg_trace_phases(const struct sg_trace *trace, struct sg_phase_rule rule,
                       struct sg_contact_interval *phases, size_t most);

/* Largest |error(exact, t, values)| over the rows with from <= t <= until; `values` starts at the
 * history's columns. */
struct sg_trace_span {
    const char *history;
    double from, until; /* s */
};
typedef double sg_trace_error(const void *exact, double t, const double *values);
double sg_trace_worst(const struct sg_trace *trace, struct sg_trace_span span, sg_trace_error *error,
                      const void *exact);
/* the error of what ought to be 0: the first column */
double sg_trace_itself(const void *exact, double t, const double *values);

/* largest difference of the history's first column, row by row; HUGE_VAL where the rows are not as many */
double sg_trace_apart(const struct sg_trace *a, const struct sg_trace *b, const char *history);

/* time integral of the first column of the history, by trapezoids between the span's rows */
double sg_trace_integral(const struct sg_trace *trace, struct sg_trace_span span);

/* --- the table of --table: trials side by side, without verdicts; its head first ------------------ */

void sg_verify_table_head(void);
sg_status sg_verify_table(const struct sg_benchmark *benchmark, struct sg_error *err);

/* --- figures that many benchmarks have ------------------------------------------------------------ */

double sg_measure_increments(const struct sg_verification *verification, size_t trial);
double sg_measure_closings(const struct sg_verification *verification, size_t trial);
double sg_measure_omega_free(const struct sg_verification *verification, size_t trial);
double sg_measure_omega_closed(const struct sg_verification *verification, size_t trial);
double sg_measure_step(const struct sg_verification *verification, size_t trial);
double sg_measure_contact_step(const struct sg_verification *verification, size_t trial);

/* largest |energy/numerical| over largest |energy/total|, as in the results' summary */
double sg_measure_drift(const struct sg_verification *verification, size_t trial);

/* of a trial to the one before it in the table */
typedef double sg_measure(const struct sg_verification *verification, size_t trial);
double sg_measure_ratio(const struct sg_verification *verification, size_t trial, sg_measure *measure);

#endif
