/* Scalar functions of time: what loads and prescribed motions follow. */
#ifndef SG_MODEL_SIGNAL_H
#define SG_MODEL_SIGNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/deck.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_signal;

/* The signal at t: its value, first and second derivative, and its first and second integral
 * (sum' = s, sum2' = sum, both 0 at t = 0, but for records of velocity or displacement that start with some).
 * At kinks and jumps: from the right. */
struct sg_signal_value {
    double s, ds, dds;
    double sum, sum2;
};

/* A signal, one of its integrals or one of its derivatives. */
enum sg_signal_order {
    SG_SECOND_INTEGRAL = -2,
    SG_FIRST_INTEGRAL = -1,
    SG_VALUE = 0,
    SG_FIRST = 1,
    SG_SECOND = 2
};

struct sg_signal_ops {
    struct sg_kind kind; /* name, meaning, rows */
    /* sets data, which is the arena's, continuity and straight; SG_BAD_DECK with findings */
    sg_status (*create)(struct sg_arena *arena, const struct sg_setting *node, const struct sg_deck *deck,
                        struct sg_signal *signal, struct sg_diagnostics *diagnostics, struct sg_error *err);
    struct sg_signal_value (*at)(const struct sg_signal *signal, double t);
    /* the first kink or jump after t (HUGE_VAL: none): steps end there */
    double (*next_break)(const struct sg_signal *signal, double t);
    /* s: the longest step at t that shows its course between breaks, a twentieth of a period; NULL: any does
     */
    double (*longest_step)(const struct sg_signal *signal, double t);
    /* gives it the circular frequency omega (rad/s), and multiplies its amplitude; NULL: it has neither */
    void (*retune)(struct sg_signal *signal, double omega, double factor);
    bool periodic; /* with the period of `retune`, or with any */
};

struct sg_signal {
    const struct sg_signal_ops *ops;
    void *data;
    /* derivatives that are continuous for t >= 0: -1 the value itself jumps, 0 it has kinks, ... A
     * prescribed displacement needs 1, a velocity 0, an acceleration nothing. */
    int continuity;
    bool straight; /* a straight line between breaks */
};

enum { SG_SIGNAL_POINTS = 20 }; /* steps that a period of a signal wants */
enum { SG_SMOOTH = 1000 };      /* continuity of a signal without any break */

extern const struct sg_kind_set sg_signal_kinds;

/* `node` is a validated group of sg_signal_kinds. SG_BAD_DECK with findings, SG_NO_INPUT (a finding
 * too) if a file can't be opened. What it holds is the arena's. */
sg_status sg_signal_init(struct sg_arena *arena, const struct sg_setting *node, const struct sg_deck *deck,
                         struct sg_signal *signal, struct sg_diagnostics *diagnostics, struct sg_error *err);

/* a signal of the given value for all t, without a deck */
sg_status sg_signal_init_constant(struct sg_arena *arena, double value, struct sg_signal *signal,
                                  struct sg_error *err);

struct sg_signal_value sg_signal_at(const struct sg_signal *signal, double t);

/* from the left: what holds at the end of a step that ends at t */
struct sg_signal_value sg_signal_before(const struct sg_signal *signal, double t);

double sg_signal_pick(const struct sg_signal_value *value, enum sg_signal_order order);

#endif
