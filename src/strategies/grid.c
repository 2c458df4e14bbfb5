#include "strategies/grid.h"

#include "integrators/kinds.h"
#include "strategies/formulations.h"
#include "strategies/kinds.h"

static const char grows[] =
    "at position level forces of constraints grow from step to step without numerical damping";

/* These columns the cells of a strategy have in common. An integrator that needs modal coordinates takes no
 * constraints, which couple modes. */
#define PAIR(i, s, f) .integrator = &sg_integrator_##i, .strategy = &sg_strategy_##s, .formulation = (f)
#define EVENTS(i)                                                                                            \
    PAIR(i, event_driven, 0), .step = SG_STEP_LOCATED, .laws = SG_LAW_PIECES | SG_LAW_IMPACT,                \
                              .restitution = true
#define VELOCITY(i) PAIR(i, time_stepping, SG_LEVEL_VELOCITY), .laws = SG_LAW_IMPACT, .restitution = true
#define POSITION(i) PAIR(i, time_stepping, SG_LEVEL_POSITION), .laws = SG_LAW_IMPACT
#define PENALTY(i, f)                                                                                        \
    PAIR(i, penalty, f), .step = SG_STEP_RESPONSE, .restitution = true,                                      \
                         .laws = (f) == SG_FORM_STANDARD ? SG_LAW_FORCE : SG_LAW_STEP
/* Implicit schemes of position level keep no velocity of the constraints (docs/constraints.md). */
#define MULTIPLIERS(i) POSITION(i), .step = SG_STEP_RESPONSE, .update = true

static const struct sg_grid_cell grid[] = {
    {EVENTS(trapezoidal), .constraints = SG_FIXED_CONSTRAINTS,
     .scheme = "event-driven trapezoidal rule, conserving"},
    {EVENTS(newmark), .constraints = SG_FIXED_CONSTRAINTS, .scheme = "event-driven Newmark"},
    {EVENTS(chaudhary_bathe), .constraints = SG_FIXED_CONSTRAINTS,
     .scheme = "event-driven Newmark, beta = gamma = 1/2"},
    {EVENTS(wilson_theta), .constraints = SG_FIXED_CONSTRAINTS, .scheme = "event-driven Wilson theta method"},
    {EVENTS(generalized_alpha), .constraints = SG_FIXED_CONSTRAINTS,
     .scheme = "Depouhon, Detournay and Denoel 2014, three-level"},
    {EVENTS(botr), .constraints = SG_FIXED_CONSTRAINTS,
     .scheme = "Depouhon, Detournay and Denoel 2014, two-level BoTr"},
    {EVENTS(bathe), .constraints = SG_FIXED_CONSTRAINTS, .scheme = "event-driven Bathe, composite"},
    {EVENTS(noh_bathe), .constraints = SG_FIXED_CONSTRAINTS,
     .scheme = "Depouhon, Detournay and Denoel 2014, explicit"},
    {EVENTS(exact), .constraints = SG_NO_CONSTRAINTS,
     .scheme = "event-driven modal flow, exact between events"},

    {PAIR(exact, nbm, 0), .laws = SG_LAW_IMPACT, .step = SG_STEP_LOCATED,
     .scheme = "Urman and Legrand 2023, by exact arcs"},
    {PAIR(trapezoidal, nbm, 0), .laws = SG_LAW_IMPACT, .step = SG_STEP_SWITCHED,
     .scheme = "Urman and Legrand 2023, Crank-Nicolson"},

    {VELOCITY(central_difference), .step = SG_STEP_RESPONSE, .constraints = SG_ALL_CONSTRAINTS,
     .scheme = "CD-Lagrange: Fekak, Brun, Gravouil and Depale 2017"},
    {VELOCITY(theta), .step = SG_STEP_RESPONSE, .constraints = SG_ALL_CONSTRAINTS,
     .scheme = "Moreau-Jean: Moreau 1988, Jean 1999"},
    {POSITION(central_difference), .step = SG_STEP_RESPONSE, .constraints = SG_ALL_CONSTRAINTS,
     .restitution = true,
     .scheme =
         "Carpenter, Taylor and Katona 1991; restitution: Paoli and Schatzman 2002; constraints: SHAKE"},
    {PAIR(generalized_alpha, time_stepping, SG_LEVEL_BOTH), .laws = SG_LAW_IMPACT, .step = SG_STEP_COUPLED,
     .constraints = SG_SINGULAR_CONSTRAINTS, .restitution = true,
     .scheme = "nonsmooth generalized-alpha, GGL: Bruels, Acary and Cardona 2014"},
    {VELOCITY(generalized_alpha), .step = SG_STEP_COUPLED, .constraints = SG_ALL_CONSTRAINTS,
     .scheme = "nonsmooth generalized-alpha: Chen, Acary, Virlez and Bruels 2013"},
    {POSITION(generalized_alpha), .step = SG_STEP_COUPLED, .constraints = SG_SINGULAR_CONSTRAINTS,
     .scheme = "generalized-alpha of index 3: Arnold and Bruels 2007; impacts make energy"},
    {MULTIPLIERS(trapezoidal), .refusal = grows,
     .scheme = "trapezoidal rule with Lagrange multipliers; impacts make energy"},
    {MULTIPLIERS(newmark), .refusal = grows,
     .scheme = "Newmark with Lagrange multipliers; impacts make energy"},
    {MULTIPLIERS(bathe), .refusal = "at position level it knows contacts alone",
     .scheme = "Bathe with Lagrange multipliers at both points: Noh 2011"},
    {MULTIPLIERS(chaudhary_bathe), .refusal = grows,
     .scheme = "Chaudhary and Bathe 1986, with Lagrange multipliers; rigid masses rebound exactly"},

    {PENALTY(trapezoidal, SG_FORM_STANDARD), .scheme = "trapezoidal rule with unilateral springs"},
    {PENALTY(newmark, SG_FORM_STANDARD), .scheme = "Newmark with unilateral springs"},
    {PENALTY(chaudhary_bathe, SG_FORM_STANDARD), .scheme = "Chaudhary and Bathe with unilateral springs"},
    {PENALTY(bathe, SG_FORM_STANDARD), .scheme = "Bathe with unilateral springs at both points"},
    {PENALTY(generalized_alpha, SG_FORM_STANDARD), .scheme = "generalized-alpha with unilateral springs"},
    {PENALTY(theta, SG_FORM_STANDARD), .scheme = "theta method with unilateral springs"},
    {PENALTY(central_difference, SG_FORM_STANDARD), .scheme = "explicit penalty method"},
    {PENALTY(theta, SG_FORM_CONSERVING), .scheme = "Armero and Petocz 1998, midpoint rule"},
    {PENALTY(theta, SG_FORM_DISSIPATING), .scheme = "after Armero and Romero 2001, midpoint rule"},
    {PENALTY(generalized_alpha, SG_FORM_CONSERVING), .scheme = "Armero and Petocz 1998, by rho_inf = 1"},
    {PENALTY(generalized_alpha, SG_FORM_DISSIPATING),
     .scheme = "after Armero and Romero 2001, by rho_inf = 1"},
};

size_t sg_grid_count(void)
{
    return sizeof grid / sizeof grid[0];
}

const struct sg_grid_cell *sg_grid_at(size_t i)
{
    return &grid[i];
}

const struct sg_grid_cell *sg_grid_find(const struct sg_integrator_ops *integrator,
                                        const struct sg_strategy_ops *strategy, int formulation)
{
    for (size_t i = 0; i < sg_grid_count(); i++)
        if (grid[i].integrator == integrator && grid[i].strategy == strategy &&
            grid[i].formulation == formulation)
            return &grid[i];
    return NULL;
}

const char *sg_grid_formulation(const struct sg_grid_cell *cell)
{
    return cell->strategy->formulations == NULL ? NULL : cell->strategy->formulations[cell->formulation];
}

/* A located step crosses by the integrator's `step`, which knows linear systems only. */
bool sg_grid_takes_nonlinear(const struct sg_grid_cell *cell)
{
    if (cell->step == SG_STEP_COUPLED) return true;
    return cell->step == SG_STEP_RESPONSE && cell->integrator->response->nonlinear;
}
