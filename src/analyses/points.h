/* Analyses whose result is a list of points, each by columns of its own, instead of histories: what the
 * command that runs them, `check` and `verify` see of them. How many points there are may turn out on the
 * way. */
#ifndef SG_ANALYSES_POINTS_H
#define SG_ANALYSES_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyses/varied_run.h"
#include "deck/deck.h"
#include "linalg/effective.h"
#include "results/observer.h"
#include "results/record.h"
#include "support/archive.h"
#include "support/arena.h"
#include "support/status.h"
#include "support/text.h"

struct sg_points {
    const struct sg_points_ops *ops; /* NULL: none, the analysis is transient */
    struct sg_arena arena;           /* of what `create` makes */
    void *data;                      /* the analysis', in the arena */
    /* set by the caller before create: */
    const struct sg_run_maker *maker; /* of runs of the deck, for analyses that make some */
    size_t jobs;                      /* processes at once, where points can be computed apart; 0, 1: none */
};

/* For points that processes of their own may compute, in any number of them and with the same results. */
struct sg_points_apart {
    /* Tells whether the points that point k builds on were accepted; true for the first that was not */
    bool (*ready)(const struct sg_points *self, size_t k);
    /* point k as bytes; changes nothing in `self`, being called in a copy of it */
    sg_status (*compute)(const struct sg_points *self, size_t k, struct sg_text *result,
                         struct sg_error *err);
    /* the next point, out of its bytes; told to the observer */
    sg_status (*accept)(struct sg_points *self, const char *bytes, size_t length,
                        const struct sg_observer *observer, struct sg_error *err);
};

struct sg_points_ops {
    struct sg_kind kind;
    bool brings_model; /* the deck's bodies, integrator and strategy are not wanted */
    bool has_no_time;  /* nor is its `time` */
    bool finds_end;    /* nor is `time.end`: runs end by themselves */
    /* Out of a validated deck, which lives longer; faults are findings (SG_BAD_DECK). Whatever it makes is
     * the arena's, which goes with the points. */
    sg_status (*create)(struct sg_points *self, const struct sg_deck *deck,
                        struct sg_diagnostics *diagnostics, struct sg_error *err);
    /* the columns, the first is what the others are drawn over; borrowed */
    const struct sg_point_column *(*columns)(const struct sg_points *self, size_t *count);
    size_t (*total)(const struct sg_points *self);  /* points in all; the most, where `finished` decides */
    size_t (*done)(const struct sg_points *self);   /* so far */
    bool (*finished)(const struct sg_points *self); /* NULL: when all are done */
    /* Points that can be computed apart; else NULL, and `advance` is there instead. */
    const struct sg_points_apart *apart;
    /* one point, told to the observer; where `finished` decides, any number of them, but little work */
    sg_status (*advance)(struct sg_points *self, const struct sg_observer *observer, struct sg_error *err);
    /* its memory, both ways */
    void (*archive)(struct sg_points *self, struct sg_archive *archive);
    struct sg_effective_counts (*counts)(const struct sg_points *self);
    /* Describes for `check` what will be computed: lines of "name\tvalue\n" */
    void (*describe)(const struct sg_points *self, struct sg_text *text);
    /* Sums up for the summary what came of the points: the same kind of lines; NULL: nothing to say */
    void (*sum_up)(const struct sg_points *self, struct sg_text *text);
};

/* the ops of a deck's analysis; NULL: it is transient */
const struct sg_points_ops *sg_points_find(const struct sg_kind *kind);

/* Creates the analysis of points that the deck asks for, if it does: else points->ops is NULL. `points` is
 * zero but for what the caller sets. */
sg_status sg_points_create(struct sg_points *points, const struct sg_deck *deck,
                           struct sg_diagnostics *diagnostics, struct sg_error *err);
void sg_points_destroy(struct sg_points *points);

/* All points that are left. `between`, before each of them: *stop ends with SG_INTERRUPTED; NULL: never. */
struct sg_points_pause {
    void *self;
    sg_status (*between)(void *self, bool *stop, struct sg_error *err);
};
sg_status sg_points_run(struct sg_points *points, const struct sg_observer *observer,
                        const struct sg_points_pause *pause, struct sg_error *err);

#endif
