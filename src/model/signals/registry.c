#include "model/signal.h"

/* one line a kind */
#define SIGNALS(X)                                                                                           \
    X(constant)                                                                                              \
    X(harmonic)                                                                                              \
    X(pulse)                                                                                                 \
    X(piecewise_linear)                                                                                      \
    X(table)                                                                                                 \
    X(record)

#define DECLARE(name) extern const struct sg_signal_ops sg_signal_##name;
SIGNALS(DECLARE)
#undef DECLARE

/* each kind is the first member of its ops */
#define KIND(name) &sg_signal_##name.kind,
static const struct sg_kind *const kinds[] = {SIGNALS(KIND)};
#undef KIND

const struct sg_kind_set sg_signal_kinds = {
    .noun = "signal", .count = sizeof kinds / sizeof kinds[0], .items = kinds};
