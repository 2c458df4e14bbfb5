#include <math.h>

#include "model/signals/signals.h"
#include "support/memory.h"

struct spec {
    double value;
};

static const struct sg_keyword rows[] = {{.name = "value",
                                          .type = SG_REAL,
                                          .meaning = "the value, in the unit of what the signal drives",
                                          .example = "1.0",
                                          .flags = SG_REQUIRED,
                                          .offset = offsetof(struct spec, value)},
                                         {0}};

sg_status sg_signal_init_constant(struct sg_arena *arena, double value, struct sg_signal *signal,
                                  struct sg_error *err)
{
    *signal = (struct sg_signal){.ops = &sg_signal_constant, .continuity = SG_SMOOTH, .straight = true};
    double *data = NULL;
    TRY(SG_ARENA_NEW(arena, &data, 1, err));
    *data = value;
    signal->data = data;
    return SG_OK;
}

static sg_status create(struct sg_arena *arena, const struct sg_setting *node, const struct sg_deck *deck,
                        struct sg_signal *signal, struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    (void)deck;
    (void)diagnostics;
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    return sg_signal_init_constant(arena, spec.value, signal, err);
}

static struct sg_signal_value at(const struct sg_signal *signal, double t)
{
    double value = *(const double *)signal->data;
    return (struct sg_signal_value){.s = value, .sum = value * t, .sum2 = value * t * t / 2};
}

static double next_break(const struct sg_signal *signal, double t)
{
    (void)signal;
    (void)t;
    return HUGE_VAL;
}

const struct sg_signal_ops sg_signal_constant = {
    .kind = {.name = "constant", .meaning = "the same value at all times", .rows = rows},
    .create = create,
    .at = at,
    .next_break = next_break,
    .periodic = true,
};
