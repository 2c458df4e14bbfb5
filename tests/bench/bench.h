/* Benchmarks: what is timed, how, and how it is shown.
 *
 * Times are CPU times of the one thread that works, taken around the time loop alone: reading the deck,
 * modes and step sizes come before, and other programs on the machine count little. Each figure is the
 * best and the median of some repetitions, beside it the same arithmetic as a plain loop (yardstick). */
#ifndef SG_TESTS_BENCH_H
#define SG_TESTS_BENCH_H

#include <stddef.h>

#include "jobs/build.h"

struct bench_model {
    struct sg_deck *deck;
    struct sg_diagnostics diagnostics;
    struct sg_job job;
    struct sg_observer observer; /* of bench_run; zero: nobody looks */
};

/* Builds the job of a deck's text with `overrides` (PATH=VALUE, ends with NULL). Close in any case. */
sg_status bench_open(const char *text, const char *const *overrides, struct bench_model *model,
                     struct sg_error *err);
/* with modal bases kept in the folder `modes`; NULL: none */
sg_status bench_open_with_modes(const char *text, const char *const *overrides, const char *modes,
                                struct bench_model *model, struct sg_error *err);
void bench_close(struct bench_model *model);

/* the text of a deck in decks/, NULL if there is none of this name */
const char *bench_shipped(const char *name);

/* A whole run of the model without output, from the start; *seconds: its time loop. */
sg_status bench_run(struct bench_model *model, double *seconds, struct sg_summary *summary,
                    struct sg_error *err);

/* s */
double bench_clock(void);

enum { BENCH_REPETITIONS = 15 };

/* seconds of some repetitions */
struct bench_times {
    double seconds[BENCH_REPETITIONS];
    size_t count;
};
double bench_best(const struct bench_times *times);
double bench_median(const struct bench_times *times);

/* A line of the table: times are divided by `share` (steps, rows; 1 for whole runs). */
struct bench_line {
    const char *name;
    const struct bench_times *times, *yardstick; /* yardstick NULL: none */
    double share;
    double goal; /* s, 0: none */
};
void bench_show(const struct bench_line *line);

/* what a text file has on groups of benchmarks */
typedef sg_status bench_group(struct sg_error *err);
bench_group bench_runs, bench_steps, bench_growth, bench_stepping, bench_plane, bench_ggl, bench_rows,
    bench_orbits, bench_building;

#endif
