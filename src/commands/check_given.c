/* Keywords beside contacts and their laws (check_unused.c) that are given and say nothing: another keyword
 * says the same, or nothing in the model asks for them. A resolved deck gives every default: a keyword that
 * says no more is no reason to speak. */
#include <math.h>

#include "commands/check.h"

/* A keyword of a group, whether it says more than its default, and why that says nothing; NULL: it does. */
struct word {
    const char *name;
    bool said;
    const char *reason;
};

static void tell(const struct sg_setting *group, const struct word *words, size_t count,
                 struct sg_diagnostics *diagnostics)
{
    for (size_t k = 0; k < count; k++)
        if (words[k].said && words[k].reason != NULL && sg_setting_given(group, words[k].name))
            sg_complain_about(diagnostics, SG_WARNING, group, words[k].name, "unused: %s", words[k].reason);
}

static bool has_friction(const struct sg_job *job)
{
    for (size_t j = 0; j < job->contacts->q; j++)
        if (job->contacts->friction[j] > 0.0) return true;
    return false;
}

static const struct sg_setting *group_of(const struct sg_job *job, const char *name)
{
    return sg_setting_child(sg_deck_root(job->deck), name);
}

/* Steps of one length are given; else `step` and what finds it would be two words for one thing. */
static void tell_times(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    bool given = !isnan(job->time.step) && !job->cell->strategy->fixed_steps;
    const struct word words[] = {
        {"points_per_period", job->time.points_per_period != 2.5,
         given ? "the step is given, and with it the step after events" : NULL},
    };
    tell(group_of(job, "time"), words, sizeof words / sizeof *words, diagnostics);
}

static void tell_output(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    const struct word words[] = {
        {"events", job->output.events == 0,
         job->cell->strategy->fixed_steps ? "no event is located within steps of one length, none has a row"
                                          : NULL},
    };
    tell(group_of(job, "output"), words, sizeof words / sizeof *words, diagnostics);
}

/* Accuracies of what the model does not have. Only time-stepping has these words. */
static void tell_strategy(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    const struct sg_setting *strategy = group_of(job, "strategy");
    struct {
        double tolerance, accepted;
        long long iterations;
        int form;
    } spec = {1.0e-12, 1.0e-4, 1000, 0};
    static const struct sg_keyword rows[] = {
        {.name = "reaction_tolerance", .type = SG_REAL, .offset = 0},
        {.name = "reaction_accepted", .type = SG_REAL, .offset = sizeof(double)},
        {.name = "reaction_iterations", .type = SG_INTEGER, .offset = 2 * sizeof(double)},
        {.name = "update_form",
         .type = SG_CHOICE,
         .choices = "conserving|published",
         .offset = 2 * sizeof(double) + sizeof(long long)},
        {0}};
    const char *reason =
        has_friction(job) ? NULL : "no contact has friction, without which reactions are exact";
    bool updates = job->strategy.ops->updates != NULL && job->strategy.ops->updates(strategy);
    sg_setting_fill(strategy, rows, &spec);
    const struct word words[] = {
        {"reaction_tolerance", spec.tolerance != 1.0e-12, reason},
        {"reaction_accepted", spec.accepted != 1.0e-4, reason},
        {"reaction_iterations", spec.iterations != 1000, reason},
        {"update_form", spec.form != 0, updates ? NULL : "the update is not asked for"},
        {"contact_tolerance", true, updates ? NULL : "it is of the update, which is not asked for"},
    };
    tell(strategy, words, sizeof words / sizeof *words, diagnostics);
}

void sg_check_warn_given(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    tell_times(job, diagnostics);
    tell_strategy(job, diagnostics);
    tell_output(job, diagnostics);
}
