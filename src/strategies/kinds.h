/* The list of strategies: a new one is a folder with its `sg_strategy_NAME` and a line here. */
#ifndef SG_STRATEGIES_KINDS_H
#define SG_STRATEGIES_KINDS_H

#include "strategies/strategy.h"

#define SG_STRATEGIES(X)                                                                                     \
    X(event_driven)                                                                                          \
    X(time_stepping)                                                                                         \
    X(penalty)                                                                                               \
    X(nbm)

#define SG_DECLARE_STRATEGY(name) extern const struct sg_strategy_ops sg_strategy_##name;
SG_STRATEGIES(SG_DECLARE_STRATEGY)
#undef SG_DECLARE_STRATEGY

#endif
