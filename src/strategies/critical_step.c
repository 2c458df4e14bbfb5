#include "strategies/critical_step.h"

#include <math.h>
#include <stdio.h>

#include "linalg/eigen.h"
#include "strategies/step_sizes.h"

enum { SEARCHES = 60, CAUSE = 160 };

static const double STILL = 1e-11;

/* Solves h^2 k + 2 h c = s^2 for h; HUGE_VAL if there is none. By this quadratic a scheme with stability
 * number s is stable for a mode of frequency sqrt(k) and damping rate c that it takes at the velocity before;
 * the root is written so that nothing cancels. */
static double limit_of(double s, double k, double c)
{
    if (k < 0.0) k = 0.0;
    if (c < 0.0) c = 0.0;
    double below = c + sqrt(c * c + s * s * k);
    return below > 0.0 ? s * s / below : HUGE_VAL;
}

/* --- matrices ------------------------------------------------------------------------------------- */

sg_status sg_critical_matrices_init(struct sg_critical_matrices *at, const struct sg_critical_spec *spec,
                                    struct sg_error *err)
{
    const struct sg_system *system = spec->system;
    *at = (struct sg_critical_matrices){.K = &system->K, .C = &system->C};
    if (system->elements.count > 0) {
        TRY(sg_tangent_init(&at->arena, &at->tangent, system, err));
        sg_tangent_update(&at->tangent, system, 0.0, system->u0, system->v0);
        at->K = &at->tangent.K;
        at->C = &at->tangent.C;
    }
    if (spec->contact_stiffness == NULL) return SG_OK;
    TRY(sg_closed_stiffness(&at->arena, at->K, &spec->contacts->w, spec->contact_stiffness, &at->closed,
                            err));
    at->K = &at->closed;
    return SG_OK;
}

void sg_critical_matrices_release(struct sg_critical_matrices *at)
{
    sg_arena_release(&at->arena);
}

/* --- damping that shortens the step --------------------------------------------------------------- */

static void add_scaled(const struct sg_matrix *a, double factor, struct sg_triplets *t)
{
    size_t first = t->count;
    sg_matrix_to_triplets(a, t);
    for (size_t k = first; k < t->count; k++) t->value[k] *= factor;
}

/* the largest eigenvalue of h^2 K + 2 h C with respect to M: convex in h, at most s^2 where h is stable */
static sg_status growth(const struct sg_critical_spec *spec, const struct sg_critical_matrices *at, double h,
                        double *value, struct sg_error *err)
{
    struct sg_arena scratch = {0};
    struct sg_triplets t = {.arena = &scratch, .n = at->K->n};
    struct sg_matrix sum = {0};
    add_scaled(at->K, h * h, &t);
    add_scaled(at->C, 2.0 * h, &t);
    sg_status status = t.failed ? sg_fail(err, SG_NO_MEMORY, "out of memory for the critical step")
                                : sg_matrix_init(&scratch, &sum, &t, sg_triplets_class(&t), err);
    if (status == SG_OK) status = sg_eigen_largest(&spec->system->M, &sum, value, err);
    sg_arena_release(&scratch);
    return status;
}

struct bracket {
    double low, high;       /* s: stable, not stable */
    double at_low, at_high; /* growth there */
};

/* The h^2 k + 2 h c through both ends meets s^2 where one mode alone decides; else halves. */
static double next_guess(const struct bracket *b, double s)
{
    double x = b->at_low / b->low, y = b->at_high / b->high;
    double k = (y - x) / (b->high - b->low), c = 0.5 * (x - k * b->low);
    double guess = k >= 0.0 && c >= 0.0 ? limit_of(s, k, c) : 0.0;
    return guess > b->low && guess < b->high ? guess : 0.5 * (b->low + b->high);
}

static sg_status search(const struct sg_critical_spec *spec, const struct sg_critical_matrices *at,
                        struct bracket *b, struct sg_error *err)
{
    double s = spec->stability, target = s * s;
    for (int i = 0; i < SEARCHES && b->high - b->low > STILL * b->high; i++) {
        double h = next_guess(b, s), value = 0.0;
        TRY(growth(spec, at, h, &value, err));
        if (fabs(value - target) <= STILL * target) {
            b->low = h;
            return SG_OK;
        }
        if (value < target) {
            b->low = h;
            b->at_low = value;
        } else {
            b->high = h;
            b->at_high = value;
        }
    }
    return SG_OK;
}

/* K and C at their worst together are stable; either alone at its worst is not. */
static sg_status shorten(const struct sg_critical_spec *spec, const struct sg_critical_matrices *at, double k,
                         double *step, struct sg_error *err)
{
    double s = spec->stability, c = 0.0;
    TRY(sg_eigen_largest(&spec->system->M, at->C, &c, err));
    struct bracket b = {.low = limit_of(s, k, c), .high = fmin(limit_of(s, k, 0.0), limit_of(s, 0.0, c))};
    *step = b.low;
    if (!(c > 0.0) || !(b.high > b.low)) return SG_OK;
    TRY(growth(spec, at, b.low, &b.at_low, err));
    TRY(growth(spec, at, b.high, &b.at_high, err));
    TRY(search(spec, at, &b, err));
    *step = b.low;
    return SG_OK;
}

/* --- the step ------------------------------------------------------------------------------------- */

static sg_status find_nodal(const struct sg_critical_spec *spec, const struct sg_critical_matrices *at,
                            struct sg_critical_step *critical, struct sg_error *err)
{
    const struct sg_system *system = spec->system;
    double k = 0.0, s = spec->stability;
    TRY(sg_eigen_largest(&system->M, at->K, &k, err));
    critical->omega = sqrt(fmax(k, 0.0));
    critical->step = isfinite(s) ? limit_of(s, k, 0.0) : HUGE_VAL;
    if (!isfinite(s) || !spec->damping_before || at->C->zero) return SG_OK;
    double undamped = critical->step;
    bool proportional = system->proportional && system->beta >= 0.0 && at->K == &system->K;
    if (proportional)
        critical->step = limit_of(s, k, system->alpha + system->beta * fmax(k, 0.0));
    else
        TRY(shorten(spec, at, k, &critical->step, err));
    critical->damped = critical->step < undamped;
    return SG_OK;
}

/* M = I, K and C diagonal */
static sg_status find_modal(const struct sg_critical_spec *spec, struct sg_critical_step *critical,
                            struct sg_error *err)
{
    const struct sg_system *system = spec->system;
    double k = 0.0, most = 0.0, s = spec->stability, step = HUGE_VAL;
    for (size_t i = 0; i < system->n; i++) {
        double ki = system->K.diag[i], ci = system->C.diag[i];
        k = fmax(k, ki);
        most = fmax(most, ci);
        step = fmin(step, limit_of(s, ki, spec->damping_before ? ci : 0.0));
    }
    if (spec->contact_stiffness != NULL) {
        TRY(sg_eigen_largest_lowrank(system->K.diag, &spec->contacts->w, spec->contact_stiffness, &k, err));
        step = limit_of(s, k, spec->damping_before ? most : 0.0);
    }
    critical->omega = sqrt(k);
    critical->step = isfinite(s) ? step : HUGE_VAL;
    critical->damped = isfinite(s) && step < limit_of(s, k, 0.0);
    return SG_OK;
}

sg_status sg_critical_step_find(const struct sg_critical_spec *spec, struct sg_critical_step *critical,
                                struct sg_error *err)
{
    *critical = (struct sg_critical_step){.step = HUGE_VAL,
                                          .tangent = spec->system->elements.count > 0,
                                          .closed = spec->contact_stiffness != NULL};
    if (spec->system->modal != NULL) return find_modal(spec, critical, err);
    struct sg_critical_matrices at;
    sg_status status = sg_critical_matrices_init(&at, spec, err);
    if (status == SG_OK) status = find_nodal(spec, &at, critical, err);
    sg_critical_matrices_release(&at);
    return status;
}

/* Says for a hint what limits the step */
static const char *cause_of(const struct sg_critical_step *critical, char *text, size_t size)
{
    if (!(critical->omega > 0.0)) return "the damping force of the velocity before limits it";
    snprintf(text, size, "at omega = %.6g rad/s, the highest frequency%s%s%s", critical->omega,
             critical->tangent ? " at the start" : "", critical->closed ? " with all springs closed" : "",
             critical->damped ? ", and with the damping force of the velocity before" : "");
    return text;
}

sg_status sg_critical_step_judge(const struct sg_critical_step *critical,
                                 const struct sg_step_verdict *verdict, struct sg_diagnostics *diagnostics,
                                 struct sg_error *err)
{
    char cause[CAUSE];
    if (!(verdict->step > critical->step * (1.0 + 1e-12))) return SG_OK;
    sg_complain_about(diagnostics, verdict->allowed ? SG_WARNING : SG_ERROR, verdict->time, "step",
                      "the step of %g s is beyond the critical step %.6g s of integrator '%s'", verdict->step,
                      critical->step, verdict->integrator);
    if (verdict->allowed) return SG_OK;
    sg_hint(diagnostics, "%s; %stime.allow_unstable = true runs the deck anyway",
            cause_of(critical, cause, sizeof cause),
            verdict->scalable ? "integrator.mass_scaling = true makes longer steps stable, " : "");
    FAIL(err, SG_BAD_DECK, "the step is beyond the critical step");
}
