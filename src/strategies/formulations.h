/* The formulations of strategies that have several, each in the order of its keyword's words. */
#ifndef SG_STRATEGIES_FORMULATIONS_H
#define SG_STRATEGIES_FORMULATIONS_H

/* The level says what contacts restrict in a step of time-stepping (keyword `level`). */
enum sg_level { SG_LEVEL_VELOCITY, SG_LEVEL_POSITION, SG_LEVEL_BOTH };

/* The form says how penalty takes the force of a contact over a step (keyword `form`). */
enum sg_penalty_form { SG_FORM_STANDARD, SG_FORM_CONSERVING, SG_FORM_DISSIPATING };

#endif
