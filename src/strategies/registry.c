#include "strategies/kinds.h"

#define OPS(name) &sg_strategy_##name,
static const struct sg_strategy_ops *const strategies[] = {SG_STRATEGIES(OPS)};
#undef OPS

#define KIND(name) &sg_strategy_##name.kind,
static const struct sg_kind *const kinds[] = {SG_STRATEGIES(KIND)};
#undef KIND

enum { COUNT = sizeof kinds / sizeof kinds[0] };

const struct sg_kind_set sg_strategy_kinds = {.noun = "strategy", .count = COUNT, .items = kinds};

const struct sg_strategy_ops *sg_strategy_find(const struct sg_kind *kind)
{
    for (size_t i = 0; i < COUNT; i++)
        if (kinds[i] == kind) return strategies[i];
    return NULL;
}
