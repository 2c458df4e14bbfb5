#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands/check.h"
#include "contact/laws/hertz_formulas.h"
#include "strategies/penalty/penalty.h"
#include "contact/laws/spring_dashpot.h"
#include "support/memory.h"

/* a line each: more would drown the rest; and a contact that gets fewer steps than that is not resolved */
enum { LINES = 20, STEPS = 5 };

bool sg_check_is_penalty(const struct sg_job *job)
{
    return job->strategy.ops->needs_springs;
}

bool sg_check_is_hertz(const struct sg_job *job)
{
    return sg_penalty_is_hertz(sg_setting_child(sg_deck_root(job->deck), "strategy"));
}

void sg_check_write_spring(const struct sg_job *job, size_t j, char *text, size_t size)
{
    const struct sg_contact_set *set = job->contacts;
    double e = set->restitution[j];
    bool hertz = sg_check_is_hertz(job);
    int length = snprintf(text, size, hertz ? "Hertz %.7g N/m^1.5" : "spring %.7g N/m",
                          hertz ? set->hertz[j] : set->stiffness[j]);
    if (e > 0.0 && e < 1.0) snprintf(text + length, size - (size_t)length, ", dashpot for restitution %g", e);
}

/* what a spring does, by the first instant's mass of the body behind it */
struct estimate {
    double mass;  /* kg */
    double time;  /* s, of a contact: half a period */
    double speed; /* m/s, of the approach from the initial state, gravity included; 0: none */
    double depth; /* m, by that, or of 1 m/s */
};

/* w . M^-1 f of gravity, m/s^2: how the contact opens */
static sg_status fall_of(const struct sg_job *job, size_t j, double *scratch, double *fall,
                         struct sg_error *err)
{
    size_t slot = 0;
    memcpy(scratch, job->system->gravity, job->system->n * sizeof *scratch);
    TRY(sg_effective_prepare(job->op, 1.0, 0.0, 0.0, &slot, err));
    sg_effective_solve(job->op, slot, scratch);
    *fall = sg_columns_dot(&job->contacts->w, j, scratch);
    return SG_OK;
}

/* the speed by which numbers are told */
static double speed_of(const struct estimate *is)
{
    return is->speed > 0.0 ? is->speed : 1.0;
}

static void of_spring(double stiffness, double ratio, struct estimate *is)
{
    double omega = sqrt(stiffness / is->mass);
    is->time = (ratio > 0.0 ? sg_spring_dashpot_duration(ratio) : acos(-1.0)) / omega;
    is->depth = speed_of(is) / omega;
}

/* without dashpot: with one an impact is not as deep, and a little longer */
static void of_hertz(double stiffness, struct estimate *is)
{
    is->time = sg_hertz_duration(stiffness, is->mass, speed_of(is));
    is->depth = sg_hertz_depth(stiffness, is->mass, speed_of(is));
}

static sg_status estimate(const struct sg_job *job, size_t j, double *scratch, struct estimate *is,
                          struct sg_error *err)
{
    const struct sg_contact_set *set = job->contacts;
    double e = set->restitution[j], fall = 0.0;
    TRY(sg_penalty_effective_mass(job->op, set, j, scratch, &is->mass, err));
    TRY(fall_of(job, j, scratch, &fall, err));
    double rate = sg_columns_dot(&set->w, j, job->system->v0);
    double gap = fmax(0.0, sg_contact_set_gap(set, j, 0.0, job->system->u0));
    double square = rate * rate - 2.0 * fall * gap;
    bool comes = rate < 0.0 ? square > 0.0 : fall < 0.0;
    is->speed = comes ? sqrt(square) : 0.0;
    if (sg_check_is_hertz(job))
        of_hertz(set->hertz[j], is);
    else
        of_spring(set->stiffness[j], e > 0.0 && e < 1.0 ? sg_spring_dashpot_ratio(e) : 0.0, is);
    return SG_OK;
}

/* N, of all that can move, along gravity */
static double weight(const struct sg_system *system)
{
    double square = 0.0;
    for (size_t axis = 0; axis < system->dim; axis++) {
        double sum = 0.0;
        for (size_t i = 0; i < system->n; i++) {
            bool along = system->modal != NULL || sg_system_axis(system, i) == axis;
            double share = system->modal == NULL ? 1.0 : system->momentum[axis * system->n + i];
            if (along) sum += system->gravity[i] * share;
        }
        square += sum * sum;
    }
    return sqrt(square);
}

static void print_one(const struct sg_job *job, size_t j, const struct estimate *is, double step)
{
    double load = weight(job->system), k = job->contacts->stiffness[j];
    double sink = sg_check_is_hertz(job) ? pow(load / job->contacts->hertz[j], 2.0 / 3.0) : load / k;
    printf("  %-22s %s: at least %.3g m deep by an impact at %.3g m/s", j == 0 ? "overlap" : "",
           job->contacts->names[j], is->depth, speed_of(is));
    if (load > 0.0) printf(", %.3g m under all the weight", sink);
    printf("; %.3g s long, %.3g steps\n", is->time, is->time / step);
}

sg_status sg_check_print_penalty(const struct sg_job *job, double step, struct sg_error *err)
{
    double *scratch = NULL;
    size_t q = job->contacts->q;
    sg_status status = SG_NEW(&scratch, job->system->n, err);
    for (size_t j = 0; j < q && j < LINES && status == SG_OK; j++) {
        struct estimate is;
        status = estimate(job, j, scratch, &is, err);
        if (status == SG_OK) print_one(job, j, &is, step);
    }
    if (q > LINES) printf("  %-22s and %zu more\n", "", q - LINES);
    sg_free(scratch);
    return status;
}

/* the shortest contact of all decides */
sg_status sg_check_warn_penalty(const struct sg_job *job, double step, struct sg_diagnostics *diagnostics,
                                struct sg_error *err)
{
    double *scratch = NULL, shortest = HUGE_VAL;
    size_t worst = 0;
    sg_status status = SG_NEW(&scratch, job->system->n, err);
    for (size_t j = 0; j < job->contacts->q && j < LINES && status == SG_OK; j++) {
        struct estimate is;
        status = estimate(job, j, scratch, &is, err);
        if (status != SG_OK || !(is.time < shortest)) continue;
        shortest = is.time;
        worst = j;
    }
    sg_free(scratch);
    if (status != SG_OK || shortest >= STEPS * step) return status;
    sg_complain_about(
        diagnostics, SG_WARNING, sg_setting_child(sg_deck_root(job->deck), "time"), "step",
        "an impact on contact '%.64s' lasts %.3g s, %.3g steps: below %d it is not resolved, and "
        "makes or takes energy",
        job->contacts->names[worst], shortest, shortest / step, STEPS);
    return SG_OK;
}
