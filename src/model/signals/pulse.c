#include <math.h>

#include "model/signals/signals.h"
#include "support/constants.h"
#include "support/memory.h"

enum shape { RECTANGLE, HALF_SINE, TRIANGLE, VERSINE };

struct pulse {
    double amplitude, start, duration, end;
    int shape;
};

static const struct sg_keyword rows[] = {
    {.name = "amplitude",
     .type = SG_REAL,
     .meaning = "largest value",
     .example = "1.0",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct pulse, amplitude)},
    {.name = "start",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "time at which the pulse begins",
     .fallback = "0.0",
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct pulse, start)},
    {.name = "duration",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "length of the pulse; the signal is 0 before and after",
     .example = "0.1",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .offset = offsetof(struct pulse, duration)},
    {.name = "shape",
     .type = SG_CHOICE,
     .meaning = "rectangle, half sine, triangle, or versine (1 - cos) / 2, which alone starts without a kink",
     .fallback = "\"half-sine\"",
     .choices = "rectangle|half-sine|triangle|versine",
     .offset = offsetof(struct pulse, shape)},
    {0}};

/* The shapes at tau after the start, 0 <= tau <= d, for amplitude 1. */

static struct sg_signal_value rectangle(double tau)
{
    return (struct sg_signal_value){.s = 1, .sum = tau, .sum2 = tau * tau / 2};
}

static struct sg_signal_value half_sine(double tau, double d)
{
    double w = SG_PI / d, sine = sin(w * tau), cosine = cos(w * tau);
    return (struct sg_signal_value){.s = sine,
                                    .ds = w * cosine,
                                    .dds = -w * w * sine,
                                    .sum = (1 - cosine) / w,
                                    .sum2 = (tau - sine / w) / w};
}

static struct sg_signal_value triangle(double tau, double d)
{
    double slope = 2 / d, r = tau - d / 2;
    if (r < 0)
        return (struct sg_signal_value){
            .s = slope * tau, .ds = slope, .sum = slope * tau * tau / 2, .sum2 = slope * tau * tau * tau / 6};
    return (struct sg_signal_value){.s = 1 - slope * r,
                                    .ds = -slope,
                                    .sum = d / 4 + r - slope * r * r / 2,
                                    .sum2 = d * d / 24 + r * (d / 4 + r * (0.5 - slope * r / 6))};
}

static struct sg_signal_value versine(double tau, double d)
{
    double w = 2 * SG_PI / d, sine = sin(w * tau), cosine = cos(w * tau);
    return (struct sg_signal_value){.s = (1 - cosine) / 2,
                                    .ds = w * sine / 2,
                                    .dds = w * w * cosine / 2,
                                    .sum = (tau - sine / w) / 2,
                                    .sum2 = (tau * tau / 2 - (1 - cosine) / (w * w)) / 2};
}

static struct sg_signal_value unit_shape(const struct pulse *pulse, double tau)
{
    switch ((enum shape)pulse->shape) {
    case RECTANGLE:
        return rectangle(tau);
    case HALF_SINE:
        return half_sine(tau, pulse->duration);
    case TRIANGLE:
        return triangle(tau, pulse->duration);
    case VERSINE:
        break;
    }
    return versine(tau, pulse->duration);
}

static struct sg_signal_value at(const struct sg_signal *signal, double t)
{
    const struct pulse *pulse = signal->data;
    if (t < pulse->start) return (struct sg_signal_value){0};
    bool over = t >= pulse->end;
    struct sg_signal_value value = unit_shape(pulse, over ? pulse->duration : t - pulse->start);
    if (over) {
        value.sum2 += value.sum * (t - pulse->end);
        value.s = value.ds = value.dds = 0;
    }
    double a = pulse->amplitude;
    return (struct sg_signal_value){a * value.s, a * value.ds, a * value.dds, a * value.sum, a * value.sum2};
}

static double next_break(const struct sg_signal *signal, double t)
{
    const struct pulse *pulse = signal->data;
    double middle = pulse->start + pulse->duration / 2;
    if (t < pulse->start) return pulse->start;
    if (pulse->shape == TRIANGLE && t < middle) return middle;
    return t < pulse->end ? pulse->end : HUGE_VAL;
}

/* a half sine is half a period, a versine a whole one; straight lines end at breaks */
static double longest_step(const struct sg_signal *signal, double t)
{
    const struct pulse *pulse = signal->data;
    if (signal->straight || t >= pulse->end) return HUGE_VAL;
    double period = pulse->shape == HALF_SINE ? 2.0 * pulse->duration : pulse->duration;
    return period / SG_SIGNAL_POINTS;
}

static int continuity(enum shape shape)
{
    if (shape == VERSINE) return 1;
    return shape == RECTANGLE ? -1 : 0;
}

static sg_status create(struct sg_arena *arena, const struct sg_setting *node, const struct sg_deck *deck,
                        struct sg_signal *signal, struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    (void)deck;
    struct pulse *pulse = NULL;
    TRY(SG_ARENA_NEW(arena, &pulse, 1, err));
    signal->data = pulse;
    sg_setting_fill(node, rows, pulse);
    pulse->end = pulse->start + pulse->duration;
    signal->continuity = continuity((enum shape)pulse->shape);
    signal->straight = pulse->shape == RECTANGLE || pulse->shape == TRIANGLE;
    if (pulse->end > pulse->start) return SG_OK;
    sg_complain_about(diagnostics, SG_ERROR, node, "duration", "%g s vanishes beside the start %g s",
                      pulse->duration, pulse->start);
    return SG_BAD_DECK;
}

const struct sg_signal_ops sg_signal_pulse = {
    .kind = {.name = "pulse", .meaning = "a single pulse of given shape and duration", .rows = rows},
    .create = create,
    .at = at,
    .next_break = next_break,
    .longest_step = longest_step,
};
