#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands/check.h"
#include "strategies/penalty/penalty.h"
#include "support/memory.h"

/* a line each: more would drown the rest; and a contact that gets fewer steps than that is not resolved */
enum { LINES = 20, STEPS = 5 };

bool sg_check_is_penalty(const struct sg_job *job)
{
    return job->strategy.ops->needs_springs;
}

bool sg_check_bounces(const struct sg_job *job)
{
    const struct sg_setting *strategy = sg_setting_child(sg_deck_root(job->deck), "strategy");
    bool updates = job->strategy.ops->updates != NULL && job->strategy.ops->updates(strategy);
    return job->cell->restitution || updates;
}

/* "rigid, restitution 0.5", "spring 1e+06 N/m, dashpot for restitution 0.5" */
void sg_check_write_law(const struct sg_job *job, size_t j, struct sg_text *text)
{
    const struct sg_contact_set *set = job->contacts;
    const struct sg_law *law = &set->laws[j];
    bool stepping = job->cell->strategy->fixed_steps;
    if (job->strategy.ops->own_systems) {
        sg_text_append(text, "rigid, by the shape functions");
        return;
    }
    law->ops->describe(law, text);
    if (sg_law_is_rigid(law) ? !stepping || sg_check_bounces(job)
                             : sg_check_is_penalty(job) && sg_law_is_damped(law)) {
        sg_text_append(text, sg_law_is_rigid(law) ? ", " : ", dashpot for ");
        sg_law_describe_rebound(law, text);
    }
    if (set->friction[j] > 0.0) sg_text_append(text, ", friction %g", set->friction[j]);
}

/* Describes a blow on a contact, by the first instant's mass of the body behind it. */
struct estimate {
    struct sg_law_blow blow;
    struct sg_law_estimate is;
    double approach; /* m/s, from the initial state, gravity included; 0: none, and the blow is at 1 m/s */
};

/* w_j . x; 0 where it is but rounding of its parts, as of two bodies that fall side by side */
static double opening(const struct sg_columns *w, size_t j, const double *x)
{
    double sum = sg_columns_dot(w, j, x);
    return fabs(sum) <= 1e-12 * sg_columns_dot_abs(w, j, x) ? 0.0 : sum;
}

/* w . M^-1 f of gravity, m/s^2: how the contact opens */
static sg_status fall_of(const struct sg_job *job, size_t j, double *scratch, double *fall,
                         struct sg_error *err)
{
    size_t slot = 0;
    memcpy(scratch, job->system->gravity, job->system->n * sizeof *scratch);
    TRY(sg_effective_prepare(job->op, 1.0, 0.0, 0.0, &slot, err));
    sg_effective_solve(job->op, slot, scratch);
    *fall = opening(&job->contacts->w, j, scratch);
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

static sg_status estimate(const struct sg_job *job, size_t j, double *scratch, struct estimate *is,
                          struct sg_error *err)
{
    const struct sg_contact_set *set = job->contacts;
    double fall = 0.0;
    TRY(sg_penalty_effective_mass(job->op, set, j, scratch, &is->blow.mass, err));
    TRY(fall_of(job, j, scratch, &fall, err));
    double rate = opening(&set->w, j, job->system->v0);
    double gap = fmax(0.0, sg_contact_set_gap(set, j, 0.0, job->system->u0));
    double square = rate * rate - 2.0 * fall * gap;
    bool comes = rate < 0.0 ? square > 0.0 : fall < 0.0;
    is->approach = comes ? sqrt(square) : 0.0;
    is->blow.speed = is->approach > 0.0 ? is->approach : 1.0;
    is->blow.load = weight(job->system);
    is->is = (struct sg_law_estimate){0};
    set->laws[j].ops->estimate(&set->laws[j], &is->blow, &is->is);
    return SG_OK;
}

enum { MARCHES = 100000 };

/* The restitution of the blow while the load presses, by small steps of the mass on the law; NaN if it does
 * not leave. Dashpots are made for a blow that nothing presses. */
static double pressed_restitution(const struct sg_law *law, const struct estimate *is)
{
    static const double fresh[SG_LAW_MEMORY] = {0.0};
    double x = 0.0, v = is->blow.speed, h = is->is.time / 2000.0, c = law->ops->dashpot(law, is->blow.mass);
    for (int k = 0; k < MARCHES; k++) {
        struct sg_law_point point = {-x, -v, c, fresh};
        double middle = v + 0.5 * h * (is->blow.load - law->ops->at(law, &point).value) / is->blow.mass;
        point = (struct sg_law_point){-(x + 0.5 * h * v), -middle, c, fresh};
        double force = law->ops->at(law, &point).value;
        if (v < 0.0 && (force <= 0.0 || x <= 0.0)) return -v / is->blow.speed;
        x += h * middle;
        v += h * (is->blow.load - force) / is->blow.mass;
    }
    return NAN;
}

/* laws that are one straight line have dashpots whose action can be told beforehand */
static void print_pressed(const struct sg_law *law, const struct estimate *is)
{
    if (!sg_law_has_dashpot(law) || sg_law_memory(law) > 0 || !(is->blow.load > 0.0)) return;
    double restitution = pressed_restitution(law, is);
    SG_LOCAL_TEXT(given);
    sg_law_describe_rebound(law, &given);
    printf("  %-22s   %s is that of an impact which nothing presses; under all the weight ", "",
           sg_text_view(&given));
    if (isnan(restitution))
        puts("it does not leave");
    else
        printf("it is %.3g\n", restitution);
}

static void print_one(const struct sg_job *job, size_t j, const struct estimate *is, double step)
{
    printf("  %-22s %s: at least %.3g m deep by an impact at %.3g m/s", j == 0 ? "overlap" : "",
           job->contacts->names[j], is->is.depth, is->blow.speed);
    if (is->blow.load > 0.0) printf(", %.3g m under all the weight", is->is.sink);
    printf("; %.3g s long, %.3g steps\n", is->is.time, is->is.time / step);
}

sg_status sg_check_print_penalty(const struct sg_job *job, double step, struct sg_error *err)
{
    SG_AUTO_FREE double *scratch = NULL;
    size_t q = job->contacts->q;
    sg_status status = SG_NEW(&scratch, job->system->n, err);
    for (size_t j = 0; j < q && j < LINES && status == SG_OK; j++) {
        struct estimate is;
        status = estimate(job, j, scratch, &is, err);
        if (status != SG_OK) continue;
        print_one(job, j, &is, step);
        print_pressed(&job->contacts->laws[j], &is);
    }
    if (q > LINES) printf("  %-22s and %zu more\n", "", q - LINES);
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
        if (status != SG_OK || !(is.is.time < shortest)) continue;
        shortest = is.is.time;
        worst = j;
    }
    sg_free(scratch);
    if (status != SG_OK || shortest >= STEPS * step) return status;
    sg_complain_about(diagnostics, SG_WARNING, sg_setting_child(sg_deck_root(job->deck), "time"), "step",
                      "an impact on contact '%.64s' lasts %.3g s, %.3g steps: with fewer than %d it is not "
                      "resolved, and energy is gained or lost",
                      job->contacts->names[worst], shortest, shortest / step, STEPS);
    return SG_OK;
}
