#include "model/signal.h"

#include <math.h>

sg_status sg_signal_init(struct sg_arena *arena, const struct sg_setting *node, const struct sg_deck *deck,
                         struct sg_signal *signal, struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    /* each kind is the first member of its ops */
    const struct sg_signal_ops *ops = (const struct sg_signal_ops *)(const void *)sg_setting_kind(node);
    *signal = (struct sg_signal){.ops = ops};
    return ops->create(arena, node, deck, signal, diagnostics, err);
}

struct sg_signal_value sg_signal_at(const struct sg_signal *signal, double t)
{
    return signal->ops->at(signal, t);
}

struct sg_signal_value sg_signal_before(const struct sg_signal *signal, double t)
{
    return signal->ops->at(signal, nextafter(t, -HUGE_VAL));
}

double sg_signal_pick(const struct sg_signal_value *value, enum sg_signal_order order)
{
    switch (order) {
    case SG_SECOND_INTEGRAL:
        return value->sum2;
    case SG_FIRST_INTEGRAL:
        return value->sum;
    case SG_VALUE:
        return value->s;
    case SG_FIRST:
        return value->ds;
    case SG_SECOND:
        break;
    }
    return value->dds;
}
