#include "strategies/penalty/penalty.h"

#include <math.h>
#include <string.h>

#include "contact/gaps/gap.h"
#include "support/memory.h"

static const struct sg_keyword rows[] = {
    {.name = "form",
     .type = SG_CHOICE,
     .choices = "standard|conserving|dissipating",
     .fallback = "\"standard\"",
     .meaning =
         "force of a contact: of the overlap at the scheme's own point, or by the contact's energies at "
         "both ends of a midpoint step, conserving or dissipating",
     .offset = offsetof(struct sg_penalty_spec, form)},
    {.name = "law",
     .type = SG_CHOICE,
     .choices = "kelvin-voigt|hertz",
     .fallback = "\"kelvin-voigt\"",
     .meaning =
         "of contacts without a group law: stiffness x + c x', or hertz_stiffness x^1.5 (1 + a x' / v), x "
         "the overlap and v the speed of the impact; c and a follow from the restitution",
     .offset = offsetof(struct sg_penalty_spec, law)},
    {.name = "dashpot",
     .type = SG_CHOICE,
     .choices = "exact|hertzdamp",
     .fallback = "\"exact\"",
     .meaning = "law \"hertz\": a by which a mass leaves with the restitution that is asked for, or "
                "3 (1 - e^2) / 4, as in the literature on pounding",
     .offset = offsetof(struct sg_penalty_spec, dashpot)},
    {.name = "dissipation",
     .type = SG_REAL,
     .unit = "1",
     .meaning =
         "form \"dissipating\": energy taken in a step, as a part of that of a spring stretched by the "
         "change of the overlap",
     .fallback = "0.1",
     .range = SG_BETWEEN(0, 1),
     .offset = offsetof(struct sg_penalty_spec, dissipation)},
    {.name = "tolerance",
     .type = SG_REAL,
     .unit = "1",
     .meaning =
         "tolerance of the iterations: in nonlinear systems on the last change of a velocity, relative to "
         "the largest of the run so far; for contacts with curved gaps on the last change of an impulse",
     .fallback = "1.0e-12",
     .range = SG_POSITIVE,
     .offset = offsetof(struct sg_penalty_spec, tolerance)},
    {.name = "max_iterations",
     .type = SG_INTEGER,
     .meaning = "most of these iterations in a step; after them nonlinear systems halve the step",
     .fallback = "50",
     .range = SG_BETWEEN(1, 10000),
     .offset = offsetof(struct sg_penalty_spec, max_iterations)},
    {0}};

static struct sg_penalty_spec spec_of(const struct sg_setting *node)
{
    struct sg_penalty_spec spec;
    sg_setting_fill(node, rows, &spec);
    return spec;
}

/* in the order of enum sg_penalty_form */
static const char *const forms[] = {"standard", "conserving", "dissipating"};

static int form(const struct sg_setting *node)
{
    return spec_of(node).form;
}

/* --- what can't be done ------------------------------------------------------------------------------- */

/* by its reach: the force stands in the middle, which moves by h/4 of a change of the end's velocity */
static bool is_midpoint(const struct sg_time_stepping *ts)
{
    struct sg_attempt attempt = {.span = {0.0, 1.0}, .next = 1.0};
    if (ts->ops->stages != 1 || ts->ops->staggered) return false;
    struct sg_collocation at = ts->ops->collocation(ts->run.integrator, &attempt);
    return at.lead == 0.0 && fabs(at.share - 0.5) < 1e-12 && fabs(at.compliance - 0.25) < 1e-12;
}

/* 0 is what the set has where nothing is given, too: without dashpot, which is meant then. */
static const char *restitution_keyword(const struct sg_run *run, const struct sg_setting *entry, size_t j)
{
    if (run->contacts->gaps[j].has_restitution) return "restitutions";
    return sg_setting_given(entry, "restitution") ? "restitution" : NULL;
}

/* Springs with dashpots, linear or Hertz's, lose all but nothing: e is above 0 for each, and falls to 0 only
 * as the dashpot grows beyond all bounds. */
static void warn_of_restitution(const struct sg_run *run)
{
    const struct sg_setting *contacts = sg_setting_child(sg_deck_root(run->deck), "contacts");
    const size_t *entry = run->contacts->entry;
    size_t told = SIZE_MAX; /* of an entry once */
    for (size_t j = 0; j < run->contacts->q; j++) {
        const struct sg_setting *node = sg_setting_item(contacts, entry[j]);
        const char *keyword = restitution_keyword(run, node, j);
        if (keyword == NULL || sg_law_rebounds(&run->contacts->laws[j]) || entry[j] == told) continue;
        told = entry[j];
        sg_complain_about(run->diagnostics, SG_WARNING, node, keyword,
                          "unused: restitution 0 would need an infinite dashpot, so the spring has none and "
                          "loses nothing; give a value in (0, 1), or use a rigid contact");
        sg_hint(run->diagnostics, "rigid contacts can have 0: strategy.type = \"time-stepping\"");
    }
}

static sg_status check_midpoint(const struct sg_time_stepping *ts, const struct sg_setting *node,
                                struct sg_error *err)
{
    const struct sg_run *run = &ts->run;
    const struct sg_setting *root = sg_deck_root(run->deck), *contacts = sg_setting_child(root, "contacts");
    size_t errors = run->diagnostics->errors;
    if (!is_midpoint(ts)) {
        sg_complain_about(
            run->diagnostics, SG_ERROR, sg_setting_child(root, "integrator"), "type",
            "form \"%s\" needs a step of midpoint type, which integrator '%s' does not take with "
            "these parameters",
            forms[form(node)], run->integrator->ops->kind.name);
        sg_hint(run->diagnostics,
                "those that do: theta with theta = 0.5, generalized-alpha with rho_inf = 1");
    }
    const size_t *entry = run->contacts->entry;
    for (size_t j = 0; j < run->contacts->q; j++)
        if (sg_law_is_damped(&run->contacts->laws[j]) && (j == 0 || entry[j] != entry[j - 1])) {
            const struct sg_setting *item = sg_setting_item(contacts, entry[j]);
            const struct sg_setting *group = sg_setting_child(item, "law");
            sg_complain_about(run->diagnostics, SG_ERROR, group != NULL ? group : item, "restitution",
                              "a dashpot needs form = \"standard\": form \"%s\" has none", forms[form(node)]);
        }
    if (run->diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the deck can't be run by strategy 'penalty'");
}

/* in the order of the choices of `law` */
static const char *const short_names[] = {"kelvin-voigt", "hertz"};

static const struct sg_law_ops *short_law(const struct sg_penalty_spec *spec)
{
    return sg_law_called(short_names[spec->law]);
}

/* `law` and `dashpot` of the strategy are of contacts that say so by their own keywords. */
static void check_group(const struct sg_time_stepping *ts, const struct sg_setting *contacts,
                        const struct sg_law_ops *chosen, size_t j)
{
    const struct sg_law *law = &ts->run.contacts->laws[j];
    if (law->in_short || law->ops == chosen) return;
    const struct sg_setting *entry = sg_setting_item(contacts, ts->run.contacts->entry[j]);
    sg_complain_about(
        ts->run.diagnostics, SG_ERROR, sg_setting_child(entry, "law"), "type",
        "law '%s' contradicts strategy.law = \"%s\": contacts with a group 'law' need no law of "
        "the strategy",
        law->ops->kind.name, chosen->short_name);
}

static sg_status check_law(const struct sg_time_stepping *ts, const struct sg_setting *node,
                           const struct sg_penalty_spec *spec, struct sg_error *err)
{
    const struct sg_setting *contacts = sg_setting_child(sg_deck_root(ts->run.deck), "contacts");
    const size_t *entry = ts->run.contacts->entry;
    const struct sg_law_ops *chosen = short_law(spec);
    size_t errors = ts->run.diagnostics->errors;
    if ((chosen->uses & SG_LAW_STEP) == 0 && spec->form != SG_FORM_STANDARD)
        sg_complain_about(ts->run.diagnostics, SG_ERROR, node, "law",
                          "\"%s\" needs form = \"standard\": form \"%s\" takes springs alone",
                          chosen->short_name, forms[form(node)]);
    for (size_t j = 0; j < ts->q && spec->law != SG_PENALTY_COMMON_LAW; j++)
        if (j == 0 || entry[j] != entry[j - 1]) check_group(ts, contacts, chosen, j);
    if (!chosen->takes_hertzdamp && spec->dashpot != SG_DASHPOT_EXACT)
        sg_complain_about(ts->run.diagnostics, SG_WARNING, node, "dashpot",
                          "unused: the dashpot of law \"%s\" is always exact", chosen->short_name);
    if (ts->run.diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the deck can't be run by strategy 'penalty'");
}

/* --- memory ------------------------------------------------------------------------------------------- */

/* what the laws say of stiffness and dashpots */
static sg_status take_laws(struct sg_time_stepping *ts, struct sg_penalty *p, struct sg_error *err)
{
    const struct sg_contact_set *set = ts->run.contacts;
    for (size_t j = 0; j < ts->q; j++) {
        const struct sg_law *law = &set->laws[j];
        p->kappa[j] = sg_law_stiffness(law);
        p->damped = p->damped || sg_law_is_damped(law);
    }
    if (!p->damped) return SG_OK;
    TRY(sg_penalty_share_masses(ts, p, err));
    for (size_t j = 0; j < ts->q; j++) {
        const struct sg_law *law = &set->laws[j];
        if (sg_law_has_dashpot(law)) p->c[j] = law->ops->dashpot(law, p->sharing.alone[j]);
    }
    return SG_OK;
}

static sg_status allocate(struct sg_time_stepping *ts, struct sg_penalty *p, struct sg_error *err)
{
    size_t q = ts->q;
    double **const by_contact[] = {&p->kappa, &p->c,           &p->slope, &p->compliance,
                                   &p->base,  &p->damper_held, &p->before};
    for (size_t k = 0; k < sizeof by_contact / sizeof *by_contact; k++) TRY(SG_NEW(by_contact[k], q, err));
    TRY(SG_NEW(&p->damper, q * ts->ops->stages, err));
    TRY(SG_NEW(&p->dashpot, q, err));
    TRY(SG_NEW(&p->memory, q * SG_LAW_MEMORY, err));
    TRY(SG_NEW(&p->memory_held, q * SG_LAW_MEMORY, err));
    for (size_t i = 0; i < q * SG_LAW_MEMORY; i++)
        p->memory[i] = p->memory_held[i] = ts->run.contacts->memory[i];
    if (p->spec.form == SG_FORM_STANDARD && p->linear) return SG_OK;
    TRY(SG_NEW(&p->matrix, q * q, err));
    TRY(SG_NEW(&p->rhs, q, err));
    TRY(SG_NEW(&p->y, q, err));
    TRY(SG_NEW(&p->end, ts->n, err));
    return SG_NEW(&p->pivot, q, err);
}

void sg_penalty_release(struct sg_time_stepping *ts)
{
    struct sg_penalty *p = ts->scheme_data;
    if (p == NULL) return;
    double *const owned[] = {p->kappa,  p->c,           p->slope,  p->compliance, p->base,
                             p->damper, p->damper_held, p->before, p->matrix,     p->rhs,
                             p->y,      p->end,         p->memory, p->memory_held};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) sg_free(owned[k]);
    sg_penalty_sharing_release(&p->sharing);
    sg_free(p->dashpot);
    sg_free(p->pivot);
    sg_free(p);
    ts->scheme_data = NULL;
}

/* --- the strategy --------------------------------------------------------------------------------------- */

static const struct sg_stepping_scheme *law_of(const struct sg_penalty_spec *spec)
{
    return spec->form == SG_FORM_STANDARD ? &sg_penalty_standard : &sg_penalty_midpoint;
}

static bool all_linear(const struct sg_contact_set *set)
{
    for (size_t j = 0; j < set->q; j++)
        if (!sg_law_is_linear(&set->laws[j])) return false;
    return true;
}

static sg_status create(struct sg_strategy *self, const struct sg_setting *node, const struct sg_run *run,
                        struct sg_error *err)
{
    struct sg_penalty_spec spec = spec_of(node);
    struct sg_stepping_choice choice = {{.tolerance = spec.tolerance, .max_iterations = spec.max_iterations},
                                        law_of(&spec)};
    struct sg_penalty *p = NULL;
    TRY(sg_stepping_create(self, choice, node, run, err));
    struct sg_time_stepping *ts = self->data;
    warn_of_restitution(run);
    TRY(check_law(ts, node, &spec, err));
    if (spec.form != SG_FORM_STANDARD) TRY(check_midpoint(ts, node, err));
    TRY(SG_NEW(&p, 1, err));
    ts->scheme_data = p;
    p->spec = spec;
    p->laws = run->contacts->laws;
    p->chi = spec.form == SG_FORM_DISSIPATING ? spec.dissipation : 0.0;
    p->linear = all_linear(run->contacts);
    TRY(allocate(ts, p, err));
    return take_laws(ts, p, err);
}

static void short_laws(const struct sg_setting *node, struct sg_law_choice *choice)
{
    struct sg_penalty_spec spec = spec_of(node);
    choice->preferred = short_law(&spec);
    /* of a form that does not know it there is more to say, in check_law */
    if (spec.law != SG_PENALTY_COMMON_LAW) choice->uses |= choice->preferred->uses;
    choice->hertzdamp = spec.dashpot == SG_DASHPOT_HERTZDAMP;
}

const struct sg_strategy_ops sg_strategy_penalty = {
    .kind = {"penalty", "steps of one length, contacts as forces of their laws", rows},
    .needs_springs = true,
    .short_laws = short_laws,
    .create = create,
    .destroy = sg_stepping_destroy,
    .fixed_steps = true,
    .formulations = forms,
    .formulation_keyword = "form",
    .formulation_phrase = "in form",
    .formulation = form,
    .initial_energy = sg_stepping_initial_energy,
    .start = sg_stepping_start,
    .advance = sg_stepping_advance,
    .now = sg_stepping_now,
    .closed = sg_stepping_closed,
    .archive = sg_stepping_archive,
    .summarize = sg_stepping_summarize,
};
