#include "exact_sdof.h"

#include <math.h>

/* c(t), s(t): the homogeneous solutions with values (1, 0) and slopes (0, 1) at t = 0, and slopes at t */
struct pair {
    double c, s, dc, ds;
};

static struct pair fundamental(double decay, double square, double t)
{
    const double e = exp(-decay * t), split = square - decay * decay; /* > 0: below critical */
    double cosine, sine;
    if (split > 0.0) {
        const double w = sqrt(split);
        cosine = e * cos(w * t);
        sine = e * sin(w * t) / w;
    } else if (split < 0.0) {
        const double r = sqrt(-split); /* exponents -decay +- r, both <= 0 */
        const double slow = exp((r - decay) * t);
        sine = -slow * expm1(-2.0 * r * t) / (2.0 * r);
        cosine = slow - r * sine;
    } else {
        cosine = e;
        sine = e * t;
    }
    return (struct pair){
        .c = cosine + decay * sine, .s = sine, .dc = -square * sine, .ds = cosine - decay * sine};
}

static sg_status check(const struct sg_sdof_spec *spec, struct sg_error *err)
{
    if (!(spec->mass > 0.0)) FAIL(err, SG_BAD_DECK, "oscillator: mass is %g, must be positive", spec->mass);
    if (!(spec->damping >= 0.0))
        FAIL(err, SG_BAD_DECK, "oscillator: damping is %g, must not be negative", spec->damping);
    if (!(spec->stiffness > 0.0))
        FAIL(err, SG_BAD_DECK, "oscillator: stiffness is %g, must be positive", spec->stiffness);
    if (!(spec->frequency >= 0.0))
        FAIL(err, SG_BAD_DECK, "oscillator: load frequency is %g, must not be negative", spec->frequency);
    return SG_OK;
}

sg_status sg_sdof_init(const struct sg_sdof_spec *spec, struct sg_sdof *sdof, struct sg_error *err)
{
    TRY(check(spec, err));
    const double w = spec->frequency;
    const double real = spec->stiffness - w * w * spec->mass, imaginary = w * spec->damping;
    const double norm = real * real + imaginary * imaginary;
    const double limit = 1e-12 * spec->stiffness;
    if (norm <= limit * limit)
        FAIL(err, SG_BAD_DECK, "oscillator: load frequency %g is the natural one, and there is no damping",
             w);
    *sdof = (struct sg_sdof){.spec = *spec,
                             .p0 = (spec->constant - spec->damping * spec->ramp / spec->stiffness) /
                                   spec->stiffness,
                             .p1 = spec->ramp / spec->stiffness,
                             .pc = (real * spec->cosine - imaginary * spec->sine) / norm,
                             .ps = (real * spec->sine + imaginary * spec->cosine) / norm};
    sdof->h0 = spec->u0 - sdof->p0 - sdof->pc;
    sdof->dh0 = spec->v0 - sdof->p1 - w * sdof->ps;
    return SG_OK;
}

struct sg_sdof_state sg_sdof_at(const struct sg_sdof *sdof, double t)
{
    const struct sg_sdof_spec *spec = &sdof->spec;
    const double decay = 0.5 * spec->damping / spec->mass, square = spec->stiffness / spec->mass;
    const double w = spec->frequency, cosine = cos(w * t), sine = sin(w * t);
    const struct pair f = fundamental(decay, square, t);
    const double h = sdof->h0 * f.c + sdof->dh0 * f.s;
    const double dh = sdof->h0 * f.dc + sdof->dh0 * f.ds;
    const double swing = sdof->pc * cosine + sdof->ps * sine;
    return (struct sg_sdof_state){.u = h + sdof->p0 + sdof->p1 * t + swing,
                                  .v = dh + sdof->p1 + w * (sdof->ps * cosine - sdof->pc * sine),
                                  .a = -2.0 * decay * dh - square * h - w * w * swing};
}
