#include "integrators/alpha_scheme.h"

#include "linalg/kernels.h"
#include "support/memory.h"

sg_status sg_alpha_scheme_create(struct sg_integrator *self, const struct sg_phase *phase,
                                 struct sg_alpha_scheme parameters, struct sg_error *err)
{
    struct sg_alpha_scheme *scheme = NULL;
    TRY(SG_NEW(&scheme, 1, err));
    *scheme = parameters;
    self->data = scheme;
    TRY(SG_NEW(&scheme->u_mid, phase->system->n, err));
    TRY(SG_NEW(&scheme->v_mid, phase->system->n, err));
    return SG_NEW(&scheme->rhs, phase->system->n, err);
}

void sg_alpha_scheme_destroy(struct sg_integrator *self)
{
    struct sg_alpha_scheme *scheme = self->data;
    if (scheme == NULL) return;
    sg_free(scheme->u_mid);
    sg_free(scheme->v_mid);
    sg_free(scheme->rhs);
    sg_free(scheme);
    self->data = NULL;
}

/* What multiplies v0, a0 and a~ in u1 and v1 once a1 = (a~ - am a0) / (1 - am) is put in. For the
 * conservative parameters a0 drops out exactly. */
struct coefficients {
    double h, au, av, cu, cv, weight;
};

static struct coefficients coefficients(const struct sg_alpha_scheme *s, double h)
{
    double share = s->am / (1.0 - s->am);
    return (struct coefficients){.h = h,
                                 .au = h * h * (0.5 - s->beta - s->beta * share),
                                 .av = h * (1.0 - s->gamma - s->gamma * share),
                                 .cu = h * h * s->beta / (1.0 - s->am),
                                 .cv = h * s->gamma / (1.0 - s->am),
                                 .weight = 1.0 - s->af};
}

SG_HOT static void predict(size_t n, struct coefficients c, const struct sg_state *from, struct sg_state *to)
{
    const double *restrict u = from->u, *restrict v = from->v, *restrict a = from->a;
    double *restrict u1 = to->u, *restrict v1 = to->v;
    if (a == NULL) {
        for (size_t i = 0; i < n; i++) {
            u1[i] = u[i] + c.h * v[i];
            v1[i] = v[i];
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        u1[i] = u[i] + c.h * v[i] + c.au * a[i];
        v1[i] = v[i] + c.av * a[i];
    }
}

SG_HOT static void average(size_t n, double weight, const double *restrict x0, const double *restrict x1,
                           double *restrict mid)
{
    for (size_t i = 0; i < n; i++) mid[i] = weight * x1[i] + (1.0 - weight) * x0[i];
}

SG_HOT static void correct(size_t n, struct coefficients c, const double *restrict x, struct sg_state *to)
{
    double *restrict u = to->u, *restrict v = to->v;
    for (size_t i = 0; i < n; i++) {
        u[i] += c.cu * x[i];
        v[i] += c.cv * x[i];
    }
}

sg_status sg_alpha_scheme_step(struct sg_alpha_scheme *scheme, struct sg_phase *phase,
                               const struct sg_alpha_step *step, struct sg_error *err)
{
    const struct sg_state *from = step->from;
    struct sg_state *to = step->to;
    const double *load = step->load;
    size_t n = phase->system->n, slot = 0;
    struct coefficients c = coefficients(scheme, step->h);
    TRY(sg_effective_prepare(phase->op, 1.0, c.weight * c.cv, c.weight * c.cu, &slot, err));
    predict(n, c, from, to);
    average(n, c.weight, from->u, to->u, scheme->u_mid);
    double *restrict x = scheme->rhs;
    sg_effective_restoring(phase->op, scheme->u_mid, x);
    if (phase->system->damped) {
        average(n, c.weight, from->v, to->v, scheme->v_mid);
        sg_matrix_multiply_add(&phase->system->C, 1.0, scheme->v_mid, x);
    }
    for (size_t i = 0; i < n; i++) x[i] = load[i] - x[i];
    sg_effective_solve(phase->op, slot, x);
    correct(n, c, x, to);
    if (to->a == NULL) return SG_OK;
    double am = scheme->am, inverse = 1.0 / (1.0 - am);
    for (size_t i = 0; i < n; i++) to->a[i] = inverse * (x[i] - am * from->a[i]);
    return SG_OK;
}
