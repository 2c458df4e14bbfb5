/* The signals that the registry lists, and what several of them share. */
#ifndef SG_MODEL_SIGNALS_SIGNALS_H
#define SG_MODEL_SIGNALS_SIGNALS_H

#include "formats/table.h"
#include "model/signal.h"

/* those that are made or asked for beside the deck */
extern const struct sg_signal_ops sg_signal_constant;
extern const struct sg_signal_ops sg_signal_record;

/* A signal of straight pieces does this beyond its first and last point. */
enum sg_polyline_outside { SG_OUTSIDE_HOLD, SG_OUTSIDE_ZERO };
#define SG_OUTSIDE_CHOICES "hold|zero"

/* Makes a signal of straight pieces from a table of the arena, whose columns it keeps. */
sg_status sg_polyline_create(struct sg_arena *arena, const struct sg_table *table,
                             enum sg_polyline_outside outside, struct sg_signal *signal,
                             struct sg_error *err);

/* Gives its integrals the values that they have at the first point, m/s and m of an acceleration, instead of
 * 0 at t = 0; the second stays 0 there where its value is NaN. */
void sg_polyline_begin(struct sg_signal *signal, double sum, double sum2);
struct sg_signal_value sg_polyline_at(const struct sg_signal *signal, double t);
double sg_polyline_next_break(const struct sg_signal *signal, double t);

#endif
