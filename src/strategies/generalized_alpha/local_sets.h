/* Active sets by the contacts' own problems, for iterates whose sets go in circles: Newton's method chooses
 * all rows at once, which ends where rows depend weakly on one another, and need not where friction or
 * redundant contacts couple them. At an iterate the jump and the correction are two problems in the contacts
 * alone, with X = G, in the jump [G; H],
 *
 *     w = X M^-1 X^T r + b,    0 <= w_N _|_ r_N >= 0,    Coulomb's law in the jump's tangents,
 *
 * M^-1 among motions that keep the bilateral rows. The solvers of contact/solvers find r; which contacts
 * push, and which of them slip, are the sets. */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_LOCAL_SETS_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_LOCAL_SETS_H

#include "strategies/generalized_alpha/step.h"

/* its memory, where there are contacts with a law of impact and Newton's method */
sg_status sg_ggl_local_init(struct sg_ggl *ggl, struct sg_error *err);

/* Forgets the sets of the iterates so far. */
void sg_ggl_local_begin(struct sg_ggl *ggl);

/* Keeps the sets of the iterate just evaluated. Tells whether they are those of an iterate before the last,
 * or whether there were too many. */
bool sg_ggl_is_lost(struct sg_ggl *ggl);

/* Solves the problems of those parts at the iterate just evaluated: motions, multipliers and sets become
 * theirs. SG_NO_SOLUTION if one has none. */
sg_status sg_ggl_solve_local(struct sg_ggl *ggl, int parts, struct sg_error *err);

/* The candidates touch and rest at the start: x, [f; -bias] of the bilateral rows, becomes [a; -lam] as of
 * sg_ggl_respond, with 0 <= G a + bias _|_ lam >= 0 of the candidates, whose lam goes into ggl->lam. `bias`:
 * of all rows; NULL: zero. SG_NO_SOLUTION if there is none. */
sg_status sg_ggl_solve_rest(struct sg_ggl *ggl, const double *bias, double *x, struct sg_error *err);

#endif
