/* The formulations of strategies that have several, each in the order of its keyword's words. */
#ifndef SG_STRATEGIES_FORMULATIONS_H
#define SG_STRATEGIES_FORMULATIONS_H

/* What contacts restrict in a step of time-stepping: its keyword is `level`. */
enum sg_level { SG_LEVEL_VELOCITY, SG_LEVEL_POSITION, SG_LEVEL_BOTH };

/* How penalty takes the force of a contact over a step: its keyword is `form`. */
enum sg_penalty_form { SG_FORM_STANDARD, SG_FORM_CONSERVING, SG_FORM_DISSIPATING };

#endif
