/* Keywords that are given and say nothing: a law of contact that the strategy does not take, a time that it
 * has no use for. A deck may hold several laws, to be run with several strategies: all that is unused is one
 * warning. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "auditing/judge.h"
#include "commands/check.h"

enum { MOST = 16 };

struct unused {
    const struct sg_setting *node; /* the first group that has it */
    const char *keyword;
    char reason[96];
    bool time;    /* of the deck's `time`; else of contacts */
    bool matters; /* nothing acts in its place */
    size_t count; /* groups that have it */
};

struct list {
    const struct sg_job *job;
    struct unused items[MOST];
    size_t count;
    bool time;    /* what is added now is of `time` */
    bool matters; /* nothing acts in the place of what is added now */
};

__attribute__((format(printf, 4, 5))) static void add(struct list *list, const struct sg_setting *node,
                                                      const char *keyword, const char *reason, ...)
{
    size_t i = 0;
    while (i < list->count && strcmp(list->items[i].keyword, keyword) != 0) i++;
    if (i == MOST) return;
    struct unused *item = &list->items[i];
    if (i == list->count) {
        va_list words;
        *item = (struct unused){.node = node, .keyword = keyword, .time = list->time};
        item->matters = list->matters;
        va_start(words, reason);
        vsnprintf(item->reason, sizeof item->reason, reason, words);
        va_end(words);
        list->count++;
    }
    item->count++;
}

/* A resolved deck gives every default: a keyword that says no more is no reason to speak. */
static bool says(const struct sg_setting *group, const char *name, double value, double fallback)
{
    return sg_setting_given(group, name) && value != fallback;
}

/* --- contact laws --------------------------------------------------------------------------------- */

static void add_given(struct list *list, const struct sg_setting *node, const char *const *words,
                      const char *reason)
{
    for (; *words != NULL; words++)
        if (sg_setting_given(node, *words)) add(list, node, *words, "%s", reason);
}

/* Short keywords of laws that a contact could have, by another strategy: those of the law that it has are
 * used. */
static void add_short_forms(struct list *list, const struct sg_setting *node, const struct sg_law *law)
{
    static const char *const springs[] = {"stiffness", "stiffness_factor", "stiffnesses", NULL};
    static const char *const hertz[] = {"hertz_stiffness", NULL};
    const char *mine = law->ops->short_form;
    bool penalty = sg_check_is_penalty(list->job), hard = list->job->strategy.ops->own_systems;
    if (mine == NULL || strcmp(mine, *springs) != 0)
        add_given(list, node, springs,
                  penalty ? "law \"hertz\" takes hertz_stiffness"
                  : hard  ? "the end is either free or held: the strategy takes no contact law"
                          : "contacts of time-stepping are rigid");
    if (mine == NULL || strcmp(mine, *hertz) != 0)
        add_given(list, node, hertz, "strategy 'penalty' with law = \"hertz\" takes it");
}

/* why the restitution of a contact says nothing, into text; false if it does */
static bool ignores_restitution(const struct sg_job *job, const struct sg_law *law, char *text, size_t size)
{
    bool stepping = job->cell->strategy->fixed_steps, penalty = sg_check_is_penalty(job);
    if (job->strategy.ops->own_systems)
        snprintf(text, size, "the end is either free or held, and no law of impact acts on it");
    else if (stepping && !penalty && !sg_check_bounces(job))
        snprintf(text, size, "at position level integrator '%s' has no restitution",
                 job->cell->integrator->kind.name);
    else if (!stepping && !sg_law_is_rigid(law))
        snprintf(text, size, "%s",
                 law->in_short ? "event-driven takes the stiffness where one is given"
                               : "event-driven integration knows no dashpot of a spring");
    else
        return false;
    return true;
}

static void add_laws(struct list *list, const struct sg_setting *entry, size_t j)
{
    static const char *const words[] = {"restitution", "restitutions"};
    const struct sg_law *law = &list->job->contacts->laws[j];
    const struct sg_setting *group = sg_setting_child(entry, "law"), *node = group != NULL ? group : entry;
    char reason[96];
    if (group == NULL) add_short_forms(list, entry, law);
    if (!ignores_restitution(list->job, law, reason, sizeof reason)) return;
    /* where the contact gives a spring too, that is the law instead */
    list->matters = (sg_law_is_rigid(law) || !law->in_short) && !list->job->strategy.ops->own_systems;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (sg_setting_given(node, words[k]) && sg_law_rebounds(law)) add(list, node, words[k], "%s", reason);
    list->matters = false;
}

static void add_contacts(struct list *list)
{
    const struct sg_job *job = list->job;
    const struct sg_setting *contacts = sg_setting_child(sg_deck_root(job->deck), "contacts");
    for (size_t j = 0; j < job->contacts->q; j++) {
        size_t entry = job->contacts->entry[j];
        if (j > 0 && job->contacts->entry[j - 1] == entry) continue;
        add_laws(list, sg_setting_item(contacts, entry), j);
    }
}

/* --- times ---------------------------------------------------------------------------------------- */

static void add_times(struct list *list)
{
    const struct sg_job *job = list->job;
    const struct sg_setting *time = sg_setting_child(sg_deck_root(job->deck), "time");
    const struct {
        const char *name;
        bool stepping, said;
    } words[] = {
        {"contact_step", false, sg_setting_given(time, "contact_step")},
        {"points_per_period", false, says(time, "points_per_period", job->time.points_per_period, 2.5)},
        {"contact_increments", false,
         says(time, "contact_increments", (double)job->time.contact_increments,
              (double)SG_REDUCED_BY_CLOSED)},
        {"allow_unstable", true, says(time, "allow_unstable", job->time.allow_unstable, 0.0)},
        {"stop", true, sg_setting_given(time, "stop")},
    };
    bool stepping = job->cell->strategy->fixed_steps;
    list->time = true;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (words[k].said && words[k].stepping != stepping)
            add(list, time, words[k].name, "strategy '%s' has no use for it", job->cell->strategy->kind.name);
}

/* --- the warning ---------------------------------------------------------------------------------- */

static void tell_one(const struct unused *item, struct sg_diagnostics *diagnostics)
{
    char more[48] = "";
    if (item->count > 1)
        snprintf(more, sizeof more, ", and so in %zu other contact%s", item->count - 1,
                 item->count == 2 ? "" : "s");
    sg_complain_about(diagnostics, SG_WARNING, item->node, item->keyword, "unused: %s%s", item->reason, more);
}

/* "stiffness (contacts of time-stepping are rigid), time.contact_step (...)" */
static void tell_all(const struct list *list, struct sg_diagnostics *diagnostics)
{
    bool contacts = !list->items[0].time; /* they come first */
    SG_LOCAL_TEXT(words);
    for (size_t i = 0; i < list->count; i++)
        sg_text_append(&words, "%s%s%s (%s)", i == 0 ? "" : ", ",
                       contacts && list->items[i].time ? "time." : "", list->items[i].keyword,
                       list->items[i].reason);
    if (words.failed) diagnostics->failed = 1;
    sg_complain_about(diagnostics, SG_WARNING, sg_deck_root(list->job->deck), contacts ? "contacts" : "time",
                      "unused: %s", sg_text_view(&words));
}

static void fill(struct list *list)
{
    add_contacts(list);
    add_times(list);
}

void sg_check_warn_unused(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    struct list list = {.job = job};
    fill(&list);
    if (list.count == 1) tell_one(&list.items[0], diagnostics);
    if (list.count > 1) tell_all(&list, diagnostics);
}

/* --- the finding ---------------------------------------------------------------------------------- */

sg_status sg_check_find_ignored(const struct sg_job *job, struct sg_audit_list *findings,
                                struct sg_error *err)
{
    struct list list = {.job = job};
    SG_LOCAL_TEXT(words);
    size_t matters = 0;
    fill(&list);
    for (size_t i = 0; i < list.count; i++) {
        const struct unused *item = &list.items[i];
        matters += item->matters;
        sg_text_append(&words, "%s%s (%s)", i == 0 ? "" : ", ", item->keyword, item->reason);
    }
    if (words.failed) FAIL(err, SG_NO_MEMORY, "out of memory for what the deck gives in vain");
    sg_audit_add(findings, "ignored_input", (double)list.count,
                 (struct sg_limits){0.0, matters > 0 ? 0.0 : MOST, HUGE_VAL},
                 list.count == 0 ? "all that the deck gives is used%s"
                                 : "the deck gives what is not used: %s",
                 sg_text_view(&words));
    return SG_OK;
}
