#include <string.h>

#include "strategies/strategy.h"

extern const struct sg_strategy_ops sg_strategy_event_driven, sg_strategy_time_stepping, sg_strategy_penalty,
    sg_strategy_nbm;

static const struct sg_strategy_ops *const strategies[] = {
    &sg_strategy_event_driven, &sg_strategy_time_stepping, &sg_strategy_penalty, &sg_strategy_nbm};
static const struct sg_kind *const kinds[] = {&sg_strategy_event_driven.kind, &sg_strategy_time_stepping.kind,
                                              &sg_strategy_penalty.kind, &sg_strategy_nbm.kind};

enum { COUNT = sizeof kinds / sizeof kinds[0] };

const struct sg_kind_set sg_strategy_kinds = {.noun = "strategy", .count = COUNT, .items = kinds};

const struct sg_strategy_ops *sg_strategy_find(const struct sg_kind *kind)
{
    for (size_t i = 0; i < COUNT; i++)
        if (kinds[i] == kind) return strategies[i];
    return NULL;
}

static const struct sg_grid_cell grid[] = {
    {"trapezoidal", "event-driven", NULL, "event-driven trapezoidal rule, conserving"},
    {"newmark", "event-driven", NULL, "event-driven Newmark"},
    {"chaudhary-bathe", "event-driven", NULL, "event-driven Newmark, beta = gamma = 1/2"},
    {"wilson-theta", "event-driven", NULL, "event-driven Wilson theta method"},
    {"generalized-alpha", "event-driven", NULL, "Depouhon, Detournay and Denoel 2014, three-level"},
    {"botr", "event-driven", NULL, "Depouhon, Detournay and Denoel 2014, two-level BoTr"},
    {"bathe", "event-driven", NULL, "event-driven Bathe, composite"},
    {"noh-bathe", "event-driven", NULL, "Depouhon, Detournay and Denoel 2014, explicit"},
    {"exact", "event-driven", NULL, "event-driven modal flow, exact between events"},
    {"exact", "nbm", NULL, "Urman and Legrand 2023, by exact arcs"},
    {"trapezoidal", "nbm", NULL, "Urman and Legrand 2023, Crank-Nicolson"},
    {"central-difference", "time-stepping", "velocity", "CD-Lagrange: Fekak, Brun, Gravouil and Depale 2017"},
    {"theta", "time-stepping", "velocity", "Moreau-Jean: Moreau 1988, Jean 1999"},
    {"central-difference", "time-stepping", "position",
     "Carpenter, Taylor and Katona 1991; restitution: Paoli and Schatzman 2002; constraints: SHAKE"},
    {"generalized-alpha", "time-stepping", "both",
     "nonsmooth generalized-alpha, GGL: Bruels, Acary and Cardona 2014"},
    {"generalized-alpha", "time-stepping", "velocity",
     "nonsmooth generalized-alpha: Chen, Acary, Virlez and Bruels 2013"},
    {"generalized-alpha", "time-stepping", "position",
     "generalized-alpha of index 3: Arnold and Bruels 2007; impacts make energy"},
    {"trapezoidal", "time-stepping", "position",
     "trapezoidal rule with Lagrange multipliers; impacts make energy"},
    {"newmark", "time-stepping", "position", "Newmark with Lagrange multipliers; impacts make energy"},
    {"bathe", "time-stepping", "position", "Bathe with Lagrange multipliers at both points: Noh 2011"},
    {"chaudhary-bathe", "time-stepping", "position",
     "Chaudhary and Bathe 1986, with Lagrange multipliers; rigid masses rebound exactly"},
    {"trapezoidal", "penalty", "standard", "trapezoidal rule with unilateral springs"},
    {"newmark", "penalty", "standard", "Newmark with unilateral springs"},
    {"chaudhary-bathe", "penalty", "standard", "Chaudhary and Bathe with unilateral springs"},
    {"bathe", "penalty", "standard", "Bathe with unilateral springs at both points"},
    {"generalized-alpha", "penalty", "standard", "generalized-alpha with unilateral springs"},
    {"theta", "penalty", "standard", "theta method with unilateral springs"},
    {"central-difference", "penalty", "standard", "explicit penalty method"},
    {"theta", "penalty", "conserving", "Armero and Petocz 1998, midpoint rule"},
    {"theta", "penalty", "dissipating", "after Armero and Romero 2001, midpoint rule"},
    {"generalized-alpha", "penalty", "conserving", "Armero and Petocz 1998, by rho_inf = 1"},
    {"generalized-alpha", "penalty", "dissipating", "after Armero and Romero 2001, by rho_inf = 1"},
};

size_t sg_grid_count(void)
{
    return sizeof grid / sizeof grid[0];
}

const struct sg_grid_cell *sg_grid_at(size_t i)
{
    return &grid[i];
}

static bool same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

const struct sg_grid_cell *sg_grid_find(const char *integrator, const char *strategy, const char *formulation)
{
    for (size_t i = 0; i < sg_grid_count(); i++)
        if (same(grid[i].integrator, integrator) && same(grid[i].strategy, strategy) &&
            same(grid[i].formulation, formulation))
            return &grid[i];
    return NULL;
}
