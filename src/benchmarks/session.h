/* A benchmark under way: runs its trials as figures need them, and judges. */
#ifndef SG_BENCHMARKS_SESSION_H
#define SG_BENCHMARKS_SESSION_H

#include "benchmarks/benchmark.h"
#include "benchmarks/trace.h"

struct sg_session;

struct sg_verdict {
    const struct sg_bench_trial *trial;
    const struct sg_bench_figure *figure;
    double value;
    bool pass;
    char limit[64];    /* "<= 1e-09", "3.44 +- 0.05", "0.5 to 1" */
    const char *fault; /* why there is no value; "" if there is one */
};

/* `scale` multiplies all limits; one-sided ones stay as they are, and none passes with 0. Exact solutions are
 * made here: SG_BAD_DECK with findings. Destroy in any case. */
sg_status sg_session_create(const struct sg_benchmark *benchmark, double scale, struct sg_session **session,
                            struct sg_diagnostics *diagnostics, struct sg_error *err);
void sg_session_destroy(struct sg_session *session);

/* Figure by figure. A run without solution is told to `failed` and leaves its figures without values. */
struct sg_session_watch {
    void *self;
    void (*verdict)(void *self, const struct sg_verdict *verdict);
    void (*failed)(void *self, const struct sg_bench_trial *trial, const char *why);
};
sg_status sg_session_verify(struct sg_session *session, const struct sg_session_watch *watch,
                            struct sg_diagnostics *diagnostics, struct sg_error *err);

/* All runs of all trials, without figures, told one by one. */
struct sg_session_table {
    void *self;
    void (*run)(void *self, const struct sg_bench_trial *trial, const struct sg_trace *trace);
    void (*failed)(void *self, const struct sg_bench_trial *trial, const char *why);
};
sg_status sg_session_tabulate(struct sg_session *session, const struct sg_session_table *table,
                              struct sg_diagnostics *diagnostics, struct sg_error *err);

#endif
