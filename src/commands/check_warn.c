#include <math.h>
#include <stdint.h>

#include "commands/check.h"
#include "contact/gaps/gap.h"
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
    const struct sg_strategy_ops *ops = job->strategy.ops;
    bool by_nodes = ops->updates_nodes != NULL && ops->updates_nodes(strategy);
    if (!by_nodes || job->system->K.kind == SG_DIAGONAL) return;
    size_t lossy = 0, between = 0;
    while (lossy < contacts->q && sg_law_is_lossless(&contacts->laws[lossy])) lossy++;
    if (lossy < contacts->q) {
        SG_LOCAL_TEXT(rebound);
        sg_law_describe_rebound(&contacts->laws[lossy], &rebound);
        sg_complain_about(diagnostics, SG_WARNING, strategy, "update_form",
                          "contact '%s' has %s, which acts anew in every step that the contact of an "
                          "elastic body lasts; the paper has 1",
                          contacts->names[lossy], sg_text_view(&rebound));
    }
    while (between < contacts->q && !is_between_bodies(job, between)) between++;
    if (between == contacts->q) return;
    sg_complain_about(diagnostics, SG_WARNING, strategy, "update_form",
                      "contact '%s' is between bodies, and the published update does not keep their momentum",
                      contacts->names[between]);
    sg_hint(diagnostics, "update_form = \"conserving\" keeps it, and so do all other schemes");
}

/* --- moments -------------------------------------------------------------------------------------- */

/* Differences below this part of what they are the difference of are rounding. */
static const double NO_ARM = 1e-9;

/* What stands between the points of a contact's bodies at which its forces act, at the start. */
struct pair {
    double across; /* m: of their lines of action, beside the normal */
    double along;  /* m: on it, without the gap */
    double size;   /* m: coordinates */
};

/* c = sum of weight_i (x_i + a_i) leads from the one point to the other; the arms are those of nodes that can
 * turn. In modal coordinates displacements are small beside x. False where a side is held, or the contact
 * seeks its nodes, on whose own edge its forces act. */
static bool find_pair(const struct sg_job *job, size_t j, struct pair *pair)
{
    const struct sg_gap *gap = &job->contacts->gaps[j];
    struct sg_gap_value value = gap->fixed;
    double c[3] = {0.0}, sum = 0.0, along = 0.0, square = 0.0;
    if (gap->node_count == 0 || gap->ops->seek != NULL) return false;
    if (!gap->straight) sg_gap_at(gap, job->system->u0, &value);
    pair->size = 0.0;
    for (size_t i = 0; i < gap->node_count; i++) {
        const struct sg_gap_node *node = &gap->node[i];
        sum += value.weight[i];
        for (size_t d = 0; d < gap->dim; d++) {
            size_t dof = gap->dof[i * gap->dim + d];
            if (dof == SIZE_MAX) return false;
            double x =
                gap->reference[i * gap->dim + d] + (job->system->modal == NULL ? job->system->u0[dof] : 0.0);
            c[d] += value.weight[i] * (node->rotation != SIZE_MAX && d < 2 ? x + value.arm[i][d] : x);
            pair->size += fabs(x);
        }
    }
    for (size_t d = 0; d < gap->dim; d++) along += c[d] * value.normal[d];
    for (size_t d = 0; d < gap->dim; d++) square += pow(c[d] - along * value.normal[d], 2.0);
    pair->across = sqrt(square);
    pair->along = fabs(fabs(along) - fabs(sg_contact_set_gap(job->contacts, j, 0.0, job->system->u0)));
    return fabs(sum) <= NO_ARM;
}

/* Action and reaction along one line are without a moment. Friction acts where the bodies touch, which is one
 * point of both: of a contact that is open the pair stands apart by its gap, which closes. What is beyond
 * that stays, and turns what nothing turns, as friction at a `distance`, which acts on the centres. */
static void warn_of_moments(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    const struct sg_contact_set *set = job->contacts;
    const struct sg_setting *contacts = sg_setting_child(sg_deck_root(job->deck), "contacts");
    struct pair pair;
    /* nothing turns in one dimension */
    for (size_t j = 0; j < set->q && job->system->dim > 1; j++) {
        if (!find_pair(job, j, &pair)) continue;
        bool pushes = pair.across > NO_ARM * pair.size;
        bool rubs = set->friction[j] > 0.0 && pair.along > NO_ARM * pair.size;
        if (!pushes && !rubs) continue;
        sg_complain_about(diagnostics, SG_WARNING, sg_setting_item(contacts, set->entry[j]),
                          pushes ? "type" : "friction",
                          "contact '%s' %s its bodies along two lines that are %g m apart: their angular "
                          "momentum is not kept",
                          set->names[j], pushes ? "pushes" : "rubs", pushes ? pair.across : pair.along);
        if (!pushes)
            sg_hint(diagnostics,
                    "friction acts where bodies touch if both have 'radii' and can turn (bodies of "
                    "type \"multibody\")");
        return;
    }
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

/* A spring may be compressed at the start; that it is so by a mistake is for the user to say. Of a start that
 * is computed or another run's it is none. */
static void warn_of_compressed_springs(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    const struct sg_contact_set *set = job->contacts;
    const struct sg_setting *contacts = sg_setting_child(sg_deck_root(job->deck), "contacts");
    if (job->system->equilibrium != NULL || job->system->continued != NULL) return;
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
    warn_of_moments(job, diagnostics);
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
