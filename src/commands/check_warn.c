#include <math.h>

#include "commands/check.h"
#include "strategies/time_stepping/stop_criterion.h"
#include "support/constants.h"

/* --- the update ----------------------------------------------------------------------------------- */

/* Both sides move: the entries of the normal add up to nothing along every axis. */
static bool is_between_bodies(const struct sg_job *job, size_t j)
{
    const struct sg_columns *w = &job->contacts->w;
    double sum[3] = {0.0}, size = 0.0;
    for (size_t k = w->start[j]; k < w->start[j + 1]; k++) {
        size_t axis = sg_system_axis(job->system, w->row[k]);
        if (axis == SG_ROTATION) continue;
        sum[axis] += w->value[k];
        size += fabs(w->value[k]);
    }
    for (size_t axis = 0; axis < job->system->dim; axis++)
        if (fabs(sum[axis]) > 1e-12 * size) return false;
    return size > 0.0;
}

/* Masses that no spring joins feel no work of one another: nothing is lost between them. */
static void warn_of_update(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    const struct sg_setting *strategy = sg_setting_child(sg_deck_root(job->deck), "strategy");
    const struct sg_contact_set *contacts = job->contacts;
    bool updates = job->strategy.ops->updates != NULL && job->strategy.ops->updates(strategy);
    if (!updates || job->system->K.kind == SG_DIAGONAL) return;
    size_t lossy = 0, between = 0;
    while (lossy < contacts->q && sg_law_is_lossless(&contacts->laws[lossy])) lossy++;
    if (lossy < contacts->q) {
        SG_LOCAL_TEXT(rebound);
        sg_law_describe_rebound(&contacts->laws[lossy], &rebound);
        sg_complain_about(diagnostics, SG_WARNING, strategy, "update",
                          "contact '%s' has %s, which acts anew in every step that the contact of an "
                          "elastic body lasts; the published update has 1",
                          contacts->names[lossy], sg_text_view(&rebound));
    }
    while (between < contacts->q && !is_between_bodies(job, between)) between++;
    if (between == contacts->q) return;
    sg_complain_about(diagnostics, SG_WARNING, strategy, "update",
                      "contact '%s' is between bodies, and the update does not keep their momentum",
                      contacts->names[between]);
    sg_hint(diagnostics,
            "all other schemes keep it: level \"velocity\", strategy \"penalty\" or \"event-driven\"");
}

/* --- times ---------------------------------------------------------------------------------------- */

/* Samples between steps are interpolated: less than the scheme itself knows. */
static void warn_of_samples(const struct sg_job *job, double step, struct sg_diagnostics *diagnostics)
{
    double every = job->output.every, ratio = every / step;
    if (!(every > 0.0)) return;
    bool multiple = ratio > 0.5 && fabs(ratio - round(ratio)) <= 1e-9 * ratio;
    if (multiple) return;
    sg_complain_about(diagnostics, SG_WARNING, sg_setting_child(sg_deck_root(job->deck), "output"), "every",
                      "%g s is no multiple of the step, %g s: samples are interpolated between steps", every,
                      step);
}

/* A step of 1 % beyond the end is shortened as the last one of every run is; a longer one is a slip. */
static void warn_of_long_spans(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    const struct sg_setting *time = sg_setting_child(sg_deck_root(job->deck), "time");
    struct sg_stop_criterion stop;
    if (job->time.step > 1.01 * job->time.end)
        sg_complain_about(diagnostics, SG_WARNING, time, "step",
                          "%g s is longer than the whole run, %g s: the run is a single step", job->time.step,
                          job->time.end);
    sg_stop_criterion_init(&stop, job->time.stop);
    if (stop.on && stop.spec.period > job->time.end)
        sg_complain_about(diagnostics, SG_WARNING, job->time.stop, "period",
                          "%g s is longer than the whole run, %g s: it can't stop the run before its end",
                          stop.spec.period, job->time.end);
}

/* Half a period is the shortest contact that a spring can make. */
static void warn_of_coarse_steps(const struct sg_job *job, const struct sg_step_sizes *sizes,
                                 struct sg_diagnostics *diagnostics)
{
    double half = SG_PI / sizes->omega_closed;
    if (!sg_check_has_springs(job) || !(sizes->contact_step > half)) return;
    const char *keyword = !isnan(job->time.contact_step) ? "contact_step"
                          : !isnan(job->time.step)       ? "step"
                                                         : "points_per_period";
    sg_complain_about(diagnostics, SG_WARNING, sg_setting_child(sg_deck_root(job->deck), "time"), keyword,
                      "the step of %g s after events is longer than half the shortest period with springs "
                      "closed, %g s: contacts are not resolved",
                      sizes->contact_step, half);
}

/* A given step may pass over its loads, which nobody would see in the results. */
static void warn_of_unseen_loads(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    double longest = sg_system_longest_step(job->system, 0.0), step = job->time.step;
    if (!(step > longest)) return;
    sg_complain_about(diagnostics, SG_WARNING, sg_setting_child(sg_deck_root(job->deck), "time"), "step",
                      "%g s makes but %.3g steps in the shortest period of a load or a support's motion: its "
                      "course isn't resolved, %g s or less would do",
                      step, SG_SIGNAL_POINTS * longest / step, longest);
}

/* Events are looked for on a cubic through both ends of a step, which shows one swing of a gap, not several.
 */
static void warn_of_missed_events(const struct sg_job *job, const struct sg_check_figures *figures,
                                  struct sg_diagnostics *diagnostics)
{
    double quarter = 0.5 * SG_PI / figures->low, step = figures->sizes.step;
    if (isnan(job->time.step)) step = fmin(step, figures->sizes.load_step);
    const char *keyword = isnan(job->time.step) ? "points_per_period" : "step";
    if (!(figures->low > 0.0) || !(step > quarter) || job->contacts->q == 0) return;
    sg_complain_about(
        diagnostics, SG_WARNING, sg_setting_child(sg_deck_root(job->deck), "time"), keyword,
        "the step of %g s is longer than a quarter of the longest period, %g s: events may be missed", step,
        quarter);
}

/* A spring may be compressed at the start; that it is so by a mistake is for the user to say. */
static void warn_of_compressed_springs(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    const struct sg_contact_set *set = job->contacts;
    const struct sg_setting *contacts = sg_setting_child(sg_deck_root(job->deck), "contacts");
    for (size_t j = 0; j < set->q; j++) {
        double gap = set->sprung[j] ? sg_contact_set_gap(set, j, 0.0, job->system->u0) : 0.0;
        if (!(-gap > 1e6 * sg_contact_set_rounding(set, j, 0.0, job->system->u0))) continue;
        sg_complain_about(diagnostics, SG_WARNING, sg_setting_item(contacts, set->entry[j]), "gap",
                          "contact '%s' is compressed by %g m at the start", set->names[j], -gap);
        return;
    }
}

/* --- all ------------------------------------------------------------------------------------------ */

static void warn_of_decompositions(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    const struct sg_setting *integrator = sg_setting_child(sg_deck_root(job->deck), "integrator");
    size_t elastic = 0;
    for (size_t j = 0; j < job->contacts->q; j++) elastic += job->contacts->sprung[j];
    if (job->integrator.ops->needs_modal && elastic > 4)
        sg_complain(
            diagnostics, SG_WARNING, integrator,
            "%zu elastic contacts: each set of closed contacts costs an eigen-decomposition, and 8 are kept",
            elastic);
}

void sg_check_warn_at_once(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    sg_check_warn_unused(job, diagnostics);
    sg_check_warn_given(job, diagnostics);
    warn_of_update(job, diagnostics);
    warn_of_decompositions(job, diagnostics);
    warn_of_long_spans(job, diagnostics);
    warn_of_unseen_loads(job, diagnostics);
    warn_of_compressed_springs(job, diagnostics);
}

void sg_check_warn(const struct sg_job *job, const struct sg_check_figures *figures,
                   struct sg_diagnostics *diagnostics)
{
    sg_check_warn_at_once(job, diagnostics);
    if (figures->stepping)
        warn_of_samples(job, figures->step, diagnostics);
    else
        warn_of_coarse_steps(job, &figures->sizes, diagnostics);
    if (!figures->stepping) warn_of_missed_events(job, figures, diagnostics);
    if (job->contacts->q == 0)
        sg_complain(diagnostics, SG_WARNING, sg_deck_root(job->deck), "the model has no contacts");
}
