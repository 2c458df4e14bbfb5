/* The step of the nonsmooth generalized-alpha method (Bruels, Acary and Cardona 2014), for any mechanical
 * problem that can say its mass, force, constraints and their derivatives. With G = dg/dq, bilateral rows (b)
 * before unilateral ones (u), the step of level `both` is
 *
 *     M vd - f(q, v, t) - Gb^T lam = 0          Gb v~ + gb_t = 0
 *     M U - G^T nu - (h/2) H^T LamT = 0         gb = 0,  0 <= gu(q) _|_ nu_u >= 0
 *     M W - G^T Lam - H^T LamT = 0              Gb v + gb_t = 0
 *     if g_j(q~) <= 0 or nu_j > 0: 0 <= (G_j v + g_t) + e_j w_j _|_ Lam_j >= 0,  else Lam_j = 0
 *     w_j = max(Gn_j v_n + gn_t, G_j v_n + g_t)
 *     q~ = q_n + h v_n + h^2 ((1/2 - beta) a_n + beta a),   q = q~ + U
 *     v~ = v_n + h ((1 - gamma) a_n + gamma a),             v = v~ + W
 *     (1 - am) a + am a_n = (1 - af) vd + af vd_n
 *
 * with Coulomb's law for LamT along the tangents H. Contacts that stick, and did in the step before, have in
 * the place of (h/2) LamT a multiplier that keeps their place.
 *
 * Level `velocity` has neither nu nor lam, and U = (h/2) W; `position` has neither nu nor Lam, and lam of all
 * constraints with 0 <= gu(q) _|_ lam_u >= 0. docs/nonsmooth-generalized-alpha.md has the derivation.
 *
 *     nonsmooth_alpha.c   takes a step: the prediction, and the iterations of the three couplings
 *     step.c              owns the unknowns and names their parts: smooth motion, correction, jump
 *     scale.c             says what residuals are measured by, and when they are small
 *     residual.c          fills residuals and active sets of an iterate
 *     tangent.c           puts the tangent S_t together
 *     local_sets.c        finds active sets by the contacts' own problems, where Newton's go in circles
 *     correct.c           chooses the solver, and corrects an iterate
 *     reduced.c           eliminates the motions from S_t where constraints never turn
 *     condensed.c         steps linear systems by the rows of their constraints alone
 *     curvature.c         has second derivatives of the model's constraints and contacts
 *     stepping.c          makes a scheme of time-stepping of all this
 */
#ifndef SG_STRATEGIES_GENERALIZED_ALPHA_NONSMOOTH_ALPHA_H
#define SG_STRATEGIES_GENERALIZED_ALPHA_NONSMOOTH_ALPHA_H

#include "strategies/generalized_alpha/step.h"

/* The problem is evaluated at its start. All memory is the arena's. SG_NO_SOLUTION if M (with the bilateral
 * rows) is singular. */
sg_status sg_ggl_init(struct sg_arena *arena, struct sg_ggl *ggl, const struct sg_ggl_problem *problem,
                      const struct sg_ggl_spec *spec, struct sg_error *err);

/* Acceleration at t of q, v by M a - Gb^T lam = f, Gb a = -bias: into `a` and ggl->vd0, its multipliers into
 * ggl->lam. `bias`: rows, d2g/dt2 at a = 0, at level `position` of contacts too; NULL: zero. h: the length of
 * the first step. At level `position` contacts that rest have multipliers too, 0 <= Gu a + bias _|_ lam >= 0.
 */
struct sg_ggl_start {
    double t, h;
    const double *q, *v, *bias;
};
sg_status sg_ggl_begin(struct sg_ggl *ggl, const struct sg_ggl_start *start, double *a, struct sg_error *err);

/* A span has the length of a step and its ends: the first three are read, the last written. */
struct sg_ggl_span {
    double t, h;
    const double *q0, *v0, *a0;
    double *q, *v, *a;
};
/* SG_NO_SOLUTION if the iterations don't converge; may be tried again with another span. */
sg_status sg_ggl_step(struct sg_ggl *ggl, const struct sg_ggl_span *span, struct sg_error *err);

/* Keeps the step: its end is the next one's start. */
void sg_ggl_accept(struct sg_ggl *ggl);

/* These tell of the step just taken G_j v~, without the rate that time adds, and whether it put positions
 * right, then by ggl->U. */
double sg_ggl_smooth_rate(const struct sg_ggl *ggl, size_t row);
bool sg_ggl_corrects(struct sg_ggl *ggl);

/* Tells how far the contacts are from their laws at the end of the step just taken: m/s, at level `position`
 * m. `scale`, in the same unit: the largest velocity that is known of, or its way in a step, and what
 * contacts took up. */
double sg_ggl_contact_residual(const struct sg_ggl *ggl, double *scale);

#endif
