/* The grid: which integrator works with which strategy, what the pair is called in the literature, and what
 * it can treat. A pair that is no cell is refused. */
#ifndef SG_STRATEGIES_GRID_H
#define SG_STRATEGIES_GRID_H

#include "strategies/strategy.h"

/* Says how the pair crosses a step. */
enum sg_step_form {
    SG_STEP_LOCATED,  /* by the integrator's own step; events within it are located */
    SG_STEP_SWITCHED, /* the same, and switches may also be left to the end of the step */
    SG_STEP_RESPONSE, /* in response form: contacts add impulses to the integrator's free motion */
    SG_STEP_COUPLED   /* the strategy solves motion, constraints and contacts of a step together */
};

/* The bilateral constraints that a pair can treat; each scope includes those before it. */
enum sg_constraint_scope {
    SG_NO_CONSTRAINTS,
    SG_FIXED_CONSTRAINTS,   /* affine ones that nothing moves: g = G u + constant */
    SG_ALL_CONSTRAINTS,     /* where all dofs have mass */
    SG_SINGULAR_CONSTRAINTS /* also where some have none */
};

struct sg_grid_cell {
    const struct sg_integrator_ops *integrator;
    const struct sg_strategy_ops *strategy;
    int formulation; /* index among the strategy's formulations; 0 where it has but one */
    enum sg_step_form step;
    enum sg_constraint_scope constraints;
    unsigned laws;       /* faces of contact laws (enum sg_law_use) that the pair understands */
    bool restitution;    /* rigid contacts and dashpots rebound as the deck says */
    bool update;         /* the velocity and acceleration update is there, and brings restitution */
    const char *refusal; /* why the pair can't treat more constraints; NULL: nothing to say */
    const char *scheme;  /* as published */
};

/* NULL: the pair is no cell */
const struct sg_grid_cell *sg_grid_find(const struct sg_integrator_ops *integrator,
                                        const struct sg_strategy_ops *strategy, int formulation);
size_t sg_grid_count(void);
const struct sg_grid_cell *sg_grid_at(size_t i);

/* The deck's word for the cell's level or form; NULL where the strategy has but one formulation. */
const char *sg_grid_formulation(const struct sg_grid_cell *cell);

/* Tells whether the pair takes systems with nonlinear elements. */
bool sg_grid_takes_nonlinear(const struct sg_grid_cell *cell);

#endif
