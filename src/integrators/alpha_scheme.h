/* The step that trapezoidal, Newmark and generalized-alpha share (Chung and Hulbert 1993; eq. (14) of
 * Depouhon et al. 2014). With a~ = (1 - am) a1 + am a0 as the unknown:
 *
 *     u1 = u0 + h v0 + h^2 ((1/2 - beta) a0 + beta a1),   v1 = v0 + h ((1 - gamma) a0 + gamma a1),
 *     M a~ + C v_af + K u_af = f_af,                       x_af = (1 - af) x1 + af x0. */
#ifndef SG_INTEGRATORS_ALPHA_SCHEME_H
#define SG_INTEGRATORS_ALPHA_SCHEME_H

#include "integrators/integrator.h"

struct sg_alpha_scheme {
    double am, af, beta, gamma;
    double *u_mid, *v_mid, *rhs; /* n: scratch; rhs is a~ in the end */
    double *zero, *unused;       /* n: what is read and written where a scheme has no acceleration */
    double complex *lead;        /* q: scratch */
};

sg_status sg_alpha_scheme_create(struct sg_integrator *self, const struct sg_phase *phase,
                                 struct sg_alpha_scheme parameters, struct sg_error *err);

struct sg_alpha_step {
    const struct sg_state *from; /* a NULL: the scheme must not depend on it (am = af = 1/2, beta = 1/4,
                                    gamma = 1/2) */
    double h;                    /* s */
    const double *load;          /* f_af, n */
    struct sg_state *to;         /* a NULL: a1 is not wanted */
};

sg_status sg_alpha_scheme_step(struct sg_alpha_scheme *scheme, struct sg_phase *phase,
                               const struct sg_alpha_step *step, struct sg_error *err);

/* This is `step` of integrators whose equilibrium is at the end of the step (am = af = 0). */
sg_status sg_alpha_scheme_step_to_end(struct sg_integrator *self, struct sg_phase *phase,
                                      const struct sg_state *from, struct sg_span span, struct sg_state *to,
                                      struct sg_error *err);

/* The scheme with equilibrium at the end of the step (am = af = 0) in response form, for the position level:
 * states store a1, in which the reaction of one step acts on in the next. */
extern const struct sg_response_ops sg_alpha_scheme_response;

/* The integrator's own step in response form: contacts push where its other forces do, at u_af. For compliant
 * contacts: a rigid one would hold a point between two states, and neither of them. */
extern const struct sg_response_ops sg_alpha_scheme_own_response;

/* The parameters of `generalized-alpha`, for strategies that take its step in a form of their own; NULL: it
 * is another integrator. */
const struct sg_alpha_scheme *sg_generalized_alpha_scheme(const struct sg_integrator *integrator);

#endif
