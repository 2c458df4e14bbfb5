/* The two-level BoTr scheme (Borri-Bottasso and Trainelli family): eq. (15) of Depouhon et al. 2014 as
 * corrected in docs/event-driven.md. u' = v and M v' = f - C v - K u are integrated with
 *
 *     int y dt = h/6 [(3+eta) y1 + (3-eta) y0] - h^2/12 [(1+eta) y1' - (1-eta) y0'],
 *
 * eta = (1-rho)/(1+rho). In increments du, dv, with a = (3+eta)/6, b = (1+eta)/12,
 * R = int f dt - h (K u0 + contact) this is
 *
 *     (C + a h K) du + (M - b h^2 K) dv             = R + (eta h^2/6) K v0                         = r1
 *     (M - b h^2 K) du - (a h M + b h^2 C) dv       = h M v0 + (eta h^2/6) C v0
 *                                                     - (eta h/6) R - (h^2/12)(f1 - f0)            = r2
 *
 * and splits: with s a root of b z^2 - a z + 1 = 0 and d = 1/(2 b s - a),
 *     p = -(h^2 K + s h C + s^2 M)^-1 (h r1 + s r2),   du = 2 Re(d p),   dv = 2 Re(d s p)/h:
 * one complex-symmetric solve of the size of the model. Order 4 at rho = 1, else 3. */
#include <complex.h>
#include <math.h>

#include "integrators/integrator.h"
#include "linalg/kernels.h"
#include "support/memory.h"

struct spec {
    double rho_inf;
};

static const struct sg_keyword rows[] = {
    {.name = "rho_inf",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "spectral radius at infinite frequency: 1 conserves (order 4), below it damps (order 3)",
     .fallback = "0.5",
     .range = SG_BETWEEN(0, 1),
     .offset = offsetof(struct spec, rho_inf)},
    {0}};

struct botr {
    double eta;
    double complex s, d, ds;
    double *r, *kv, *re, *im; /* n: scratch */
};

static sg_status create(struct sg_integrator *self, const struct sg_node *node, const struct sg_phase *phase,
                        struct sg_error *err)
{
    struct spec spec;
    struct botr *botr = NULL;
    sg_node_fill(node, rows, &spec);
    TRY(SG_NEW(&botr, 1, err));
    self->data = botr;
    self->stability = HUGE_VAL;
    botr->eta = (1.0 - spec.rho_inf) / (1.0 + spec.rho_inf);
    double a = (3.0 + botr->eta) / 6.0, b = (1.0 + botr->eta) / 12.0;
    botr->s = (a + sqrt(4.0 * b - a * a) * I) / (2.0 * b);
    botr->d = 1.0 / (2.0 * b * botr->s - a);
    botr->ds = botr->d * botr->s;
    TRY(SG_NEW(&botr->r, phase->system->n, err));
    TRY(SG_NEW(&botr->kv, phase->system->n, err));
    TRY(SG_NEW(&botr->re, phase->system->n, err));
    return SG_NEW(&botr->im, phase->system->n, err);
}

static void destroy(struct sg_integrator *self)
{
    struct botr *botr = self->data;
    if (botr == NULL) return;
    sg_free(botr->r);
    sg_free(botr->kv);
    sg_free(botr->re);
    sg_free(botr->im);
    sg_free(botr);
    self->data = NULL;
}

/* R into r, and the load's difference term (h^2/12)(f1 - f0) subtracted in r2 (in `re`, which holds
 * h M v0 on entry) */
static void loads(struct botr *botr, struct sg_phase *phase, struct sg_span span)
{
    size_t n = phase->system->n;
    double *restrict r = botr->r, *restrict r2 = botr->re, h = span.h;
    if (phase->steady) {
        const double *restrict f = phase->load;
        for (size_t i = 0; i < n; i++) r[i] = h * (f[i] - r[i]);
        return;
    }
    const double at[3] = {span.t, span.t + 0.5 * h, span.t + h};
    const double weight[3] = {h / 6.0, 4.0 * h / 6.0, h / 6.0};
    const double moment[3] = {h * h / 12.0, 0.0, -h * h / 12.0};
    for (size_t i = 0; i < n; i++) r[i] = -h * r[i];
    for (int k = 0; k < 3; k++) {
        const double *f = k < 2 ? sg_phase_load(phase, at[k]) : sg_phase_load_before(phase, at[k]);
        for (size_t i = 0; i < n; i++) {
            r[i] += weight[k] * f[i];
            r2[i] += moment[k] * f[i];
        }
    }
}

/* -(h r1 + s r2), from R, K v0 and the part of r2 in `re` */
SG_HOT static void right_side(const struct botr *botr, size_t n, double h)
{
    double sr = creal(botr->s), si = cimag(botr->s), eta6 = botr->eta * h / 6.0;
    const double *restrict r = botr->r, *restrict kv = botr->kv;
    double *restrict re = botr->re, *restrict im = botr->im;
    if (botr->eta == 0.0) {
        for (size_t i = 0; i < n; i++) {
            im[i] = -si * re[i];
            re[i] = -h * r[i] - sr * re[i];
        }
        return;
    }
    for (size_t i = 0; i < n; i++) {
        double r1 = r[i] + h * eta6 * kv[i], r2 = re[i] - eta6 * r[i];
        re[i] = -h * r1 - sr * r2;
        im[i] = -si * r2;
    }
}

SG_HOT static void increments(const struct botr *botr, size_t n, double h, const struct sg_state *from,
                              struct sg_state *to)
{
    double dr = 2.0 * creal(botr->d), di = 2.0 * cimag(botr->d);
    double er = 2.0 * creal(botr->ds) / h, ei = 2.0 * cimag(botr->ds) / h;
    const double *restrict re = botr->re, *restrict im = botr->im, *restrict u = from->u,
                           *restrict v = from->v;
    double *restrict u1 = to->u, *restrict v1 = to->v;
    for (size_t i = 0; i < n; i++) {
        u1[i] = u[i] + (dr * re[i] - di * im[i]);
        v1[i] = v[i] + (er * re[i] - ei * im[i]);
    }
}

static sg_status step(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                      struct sg_span span, struct sg_state *to, struct sg_error *err)
{
    struct botr *botr = self->data;
    const struct sg_system *system = phase->system;
    size_t n = system->n, slot = 0;
    double h = span.h;
    const double complex abc[3] = {botr->s * botr->s, botr->s * h, h * h};
    TRY(sg_effective_prepare_complex(phase->op, abc, &slot, err));
    sg_effective_restoring(phase->op, from->u, botr->r);
    sg_matrix_multiply(&system->M, from->v, botr->re);
    for (size_t i = 0; i < n; i++) botr->re[i] *= h;
    if (botr->eta != 0.0) {
        for (size_t i = 0; i < n; i++) botr->kv[i] = 0.0;
        sg_effective_stiffness_add(phase->op, 1.0, from->v, botr->kv);
        sg_matrix_multiply_add(&system->C, botr->eta * h * h / 6.0, from->v, botr->re);
    }
    loads(botr, phase, span);
    right_side(botr, n, h);
    sg_effective_solve_complex(phase->op, slot, botr->re, botr->im);
    increments(botr, n, h, from, to);
    return SG_OK;
}

const struct sg_integrator_ops sg_integrator_botr = {
    .kind = {"botr", "two-level BoTr scheme of Depouhon et al. 2014, order 3, at rho_inf = 1 order 4", rows},
    .complex_valued = true,
    .create = create,
    .destroy = destroy,
    .step = step,
    .work = sg_work_simpson,
};
