#include <string.h>

#include "strategies/strategy.h"

extern const struct sg_strategy_ops sg_strategy_event_driven;

static const struct sg_strategy_ops *const strategies[] = {&sg_strategy_event_driven};
static const struct sg_kind *const kinds[] = {&sg_strategy_event_driven.kind};

enum { COUNT = sizeof kinds / sizeof kinds[0] };

const struct sg_kind_set sg_strategy_kinds = {.noun = "strategy", .count = COUNT, .items = kinds};

const struct sg_strategy_ops *sg_strategy_find(const struct sg_kind *kind)
{
    for (size_t i = 0; i < COUNT; i++)
        if (kinds[i] == kind) return strategies[i];
    return NULL;
}

static const struct sg_grid_cell grid[] = {
    {"trapezoidal", "event-driven", "event-driven trapezoidal rule, conserving"},
    {"newmark", "event-driven", "event-driven Newmark"},
    {"generalized-alpha", "event-driven", "Depouhon, Detournay and Denoel 2014, three-level"},
    {"botr", "event-driven", "Depouhon, Detournay and Denoel 2014, two-level BoTr"},
    {"noh-bathe", "event-driven", "Depouhon, Detournay and Denoel 2014, explicit"},
    {"exact", "event-driven", "event-driven modal flow, exact between events"},
};

size_t sg_grid_count(void)
{
    return sizeof grid / sizeof grid[0];
}

const struct sg_grid_cell *sg_grid_at(size_t i)
{
    return &grid[i];
}

const struct sg_grid_cell *sg_grid_find(const char *integrator, const char *strategy)
{
    for (size_t i = 0; i < sg_grid_count(); i++)
        if (strcmp(grid[i].integrator, integrator) == 0 && strcmp(grid[i].strategy, strategy) == 0)
            return &grid[i];
    return NULL;
}
