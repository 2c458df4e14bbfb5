/* Scalar functions of time: what loads and prescribed motions follow. */
#ifndef SG_MODEL_SIGNAL_H
#define SG_MODEL_SIGNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/deck.h"
#include "support/status.h"

struct sg_signal;

/* value, first and second derivative at t (derivatives from the right at kinks) */
struct sg_signal_value {
    double s, ds, dds;
};

struct sg_signal_ops {
    struct sg_kind kind; /* name, meaning, rows */
    sg_status (*create)(const struct sg_node *node, const struct sg_deck *deck, struct sg_signal *signal,
                        struct sg_diagnostics *diagnostics, struct sg_error *err);
    void (*destroy)(struct sg_signal *signal);
    struct sg_signal_value (*at)(const struct sg_signal *signal, double t);
    /* the first kink or jump after t (HUGE_VAL: none): steps end there */
    double (*next_break)(const struct sg_signal *signal, double t);
    /* true where the value has two continuous derivatives between breaks and no break at all: what a
     * prescribed displacement needs */
    bool smooth;
};

struct sg_signal {
    const struct sg_signal_ops *ops;
    void *data;
};

extern const struct sg_kind_set sg_signal_kinds;

/* `node` is a validated group of sg_signal_kinds */
sg_status sg_signal_init(const struct sg_node *node, const struct sg_deck *deck, struct sg_signal *signal,
                         struct sg_diagnostics *diagnostics, struct sg_error *err);
void sg_signal_release(struct sg_signal *signal);

#endif
