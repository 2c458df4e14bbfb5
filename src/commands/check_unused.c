/* Keywords that are given and say nothing: a law of contact that the strategy does not take, a time that it
 * has no use for. A deck may hold several laws, to be run with several strategies: all that is unused is one
 * warning. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "commands/check.h"

enum { MOST = 16 };

struct unused {
    const struct sg_setting *node; /* the first group that has it */
    const char *keyword;
    char reason[96];
    bool time;    /* of the deck's `time`; else of contacts */
    size_t count; /* groups that have it */
};

struct list {
    const struct sg_job *job;
    struct unused items[MOST];
    size_t count;
    bool time; /* what is added now is of `time` */
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

/* --- contact laws ------------------------------------------------------------------------------------- */

static void add_springs(struct list *list, const struct sg_setting *node, const char *reason)
{
    static const char *const springs[] = {"stiffness", "stiffness_factor", "stiffnesses"};
    for (size_t k = 0; k < sizeof springs / sizeof *springs; k++)
        if (sg_setting_given(node, springs[k])) add(list, node, springs[k], "%s", reason);
}

static void add_restitution(struct list *list, const struct sg_setting *node, size_t j, const char *reason)
{
    static const char *const words[] = {"restitution", "restitutions"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (says(node, words[k], list->job->contacts->restitution[j], 0.0))
            add(list, node, words[k], "%s", reason);
}

static void add_stepping_laws(struct list *list, const struct sg_setting *node, size_t j)
{
    char reason[96];
    add_springs(list, node, "contacts of time-stepping are rigid");
    if (sg_check_bounces(list->job)) return;
    snprintf(reason, sizeof reason, "at position level integrator '%s' knows no restitution",
             list->job->cell->integrator);
    add_restitution(list, node, j, reason);
}

/* The nodal boundary method has no law of contact beside its shape functions. */
static void add_all_laws(struct list *list, const struct sg_setting *node, size_t j)
{
    static const char reason[] = "the end is free or held: the strategy knows no law of contact";
    add_springs(list, node, reason);
    add_restitution(list, node, j, reason);
}

/* Each law of penalty has its own stiffness, and no other strategy has Hertz's. */
static void add_laws(struct list *list, const struct sg_setting *node, size_t j)
{
    const struct sg_job *job = list->job;
    bool penalty = sg_check_is_penalty(job), hertz = sg_check_is_hertz(job);
    if (hertz) add_springs(list, node, "law \"hertz\" takes hertz_stiffness");
    if (!hertz && sg_setting_given(node, "hertz_stiffness"))
        add(list, node, "hertz_stiffness", "strategy 'penalty' with law = \"hertz\" takes it");
    if (job->strategy.ops->own_phases)
        add_all_laws(list, node, j);
    else if (job->cell->manner != NULL && !penalty)
        add_stepping_laws(list, node, j);
    else if (job->cell->manner == NULL && job->contacts->elastic[j])
        add_restitution(list, node, j, "event-driven takes the stiffness where one is given");
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

/* --- times -------------------------------------------------------------------------------------------- */

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
         says(time, "contact_increments", (double)job->time.contact_increments, 10.0)},
        {"allow_unstable", true, says(time, "allow_unstable", job->time.allow_unstable, 0.0)},
        {"stop", true, sg_setting_given(time, "stop")},
    };
    bool stepping = job->cell->manner != NULL;
    list->time = true;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (words[k].said && words[k].stepping != stepping)
            add(list, time, words[k].name, "strategy '%s' has no use for it", job->cell->strategy);
}

/* --- the warning -------------------------------------------------------------------------------------- */

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
    struct sg_text words = {0};
    for (size_t i = 0; i < list->count; i++)
        sg_text_append(&words, "%s%s%s (%s)", i == 0 ? "" : ", ",
                       contacts && list->items[i].time ? "time." : "", list->items[i].keyword,
                       list->items[i].reason);
    sg_complain_about(diagnostics, SG_WARNING, sg_deck_root(list->job->deck), contacts ? "contacts" : "time",
                      "unused: %s", sg_text_view(&words));
    sg_text_release(&words);
}

void sg_check_warn_unused(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    struct list list = {.job = job};
    add_contacts(&list);
    add_times(&list);
    if (list.count == 1) tell_one(&list.items[0], diagnostics);
    if (list.count > 1) tell_all(&list, diagnostics);
}
