/* What the motion of a phase does in a span, in closed form: the work of loads, what dampers take, integrals
 * of gaps and reactions. None is a difference of energies or momenta: these are what the accounts are held
 * against. */
#ifndef SG_INTEGRATORS_FLOW_ACCOUNT_H
#define SG_INTEGRATORS_FLOW_ACCOUNT_H

#include <stddef.h>

#include "integrators/modal_flow.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_flow_account;

/* For motions of up to n modes under loads of a degree, all memory from the arena. */
sg_status sg_flow_account_create(struct sg_arena *arena, size_t n, size_t degree,
                                 struct sg_flow_account **out, struct sg_error *err);

/* The span [0, tau] of a motion, which the next three are of, 0 < tau <= h. What depends on k, c and tau
 * alone is kept from one call to the next. */
void sg_flow_account_take(struct sg_flow_account *account, const struct sg_modal_flow *flow, double tau);

/* J: work of the loads but those of supports, int sum_k s_k F_k . v dt. With P_l = sum_k (F_k . x_l) s_k, a
 * polynomial, and Y_i the i-fold integral of y from 0, by parts
 *
 *     int P y' dt = sum_i (-1)^i P^(i)(tau) Y_i(tau),     Y_i = v S_(i+1) + sum_d d! r_d S_(d+2+i). */
double sg_flow_account_load_work(const struct sg_flow_account *account);

/* J: sum_l c_l int y_l'^2 dt, a quadratic form in (v, r_0, r_1, ..). Its matrix, int phi phi^T dt with phi =
 * (S_0, 0! S_1, 1! S_2, ..), is found by Gauss's rule over a short part, where it is exact to rounding, and
 * doubled: with T the map of (v, r) at the start to those at the part's end, G(2 tau) = G(tau) + T^T G(tau)
 * T. */
double sg_flow_account_damping(struct sg_flow_account *account);

/* int (F - F(0)) dt of a functional */
double sg_flow_account_integral(const struct sg_flow_account *account, const struct sg_flow_functional *f);

#endif
