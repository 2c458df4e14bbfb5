/* A benchmark: a deck, runs of it with some of its values changed (trials), and figures of these runs against
 * exact or published values. Written in a file NAME.bench beside the deck; docs/benchmarks.md is the manual.
 */
#ifndef SG_BENCHMARKS_BENCHMARK_H
#define SG_BENCHMARKS_BENCHMARK_H

#include "benchmarks/exact/exact.h"
#include "benchmarks/formula.h"
#include "deck/deck.h"
#include "support/status.h"

/* the top-level keywords of a .bench file */
extern const struct sg_keyword sg_bench_grammar[];

/* the functions that formulas may call, a line each */
void sg_bench_print_functions(struct sg_text *text);

enum sg_bench_deck { SG_BENCH_RUN, SG_BENCH_STUDY, SG_BENCH_GROUND_MOTION };

/* What a figure must be. `within`: |value - target| <= tolerance; else low <= value <= high. */
struct sg_limit {
    bool within;
    double target, tolerance;
    double low, high; /* -HUGE_VAL, HUGE_VAL: no limit */
};

struct sg_bench_figure {
    char *name; /* with its unit */
    const char *source, *why;
    struct sg_formula value, provided; /* no root: not given */
    struct sg_limit limit;
    const struct sg_setting *node;
};

struct sg_bench_trial {
    const char *name, *label;
    struct sg_texts set; /* PATH=VALUE */
    size_t variants;     /* runs, each with more values set; 0: one run */
    struct sg_texts *variant_sets;
    struct sg_bench_figure *figures;
    size_t figure_count;
    const struct sg_setting *node;
};

/* A formula with a name; its parameters are values of the place that names it. */
struct sg_bench_term {
    const char *name;
    struct sg_texts of; /* parameters */
    struct sg_formula value;
    const struct sg_setting *node;
};

struct sg_bench_exact {
    const char *name;
    const struct sg_exact_ops *ops;
    const struct sg_setting *node;
};

/* All texts are the deck's, which is owned. */
struct sg_benchmark {
    struct sg_arena arena;
    char *name; /* of its file, without folder and end */
    bool shipped;
    struct sg_deck *file;
    char *deck; /* path of the deck; of a shipped one its name */
    enum sg_bench_deck kind;
    const char *meaning;
    struct sg_bench_exact *exacts;
    struct sg_bench_term *terms;
    struct sg_bench_trial *trials;
    size_t exact_count, term_count, trial_count;
};

/* From a file, or of those that are compiled in. Faults are findings, as many as can be told at once
 * (SG_BAD_DECK). `*benchmark` is NULL unless SG_OK. */
sg_status sg_benchmark_read(const char *path, struct sg_benchmark **benchmark,
                            struct sg_diagnostics *diagnostics, struct sg_error *err);
sg_status sg_benchmark_take(const char *name, struct sg_benchmark **benchmark,
                            struct sg_diagnostics *diagnostics, struct sg_error *err);
void sg_benchmark_destroy(struct sg_benchmark *benchmark);

#endif
