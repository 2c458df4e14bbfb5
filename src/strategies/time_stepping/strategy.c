/* The strategy `time-stepping`: its keywords, and the scheme that they choose. */
#include <math.h>

#include "integrators/alpha_scheme.h"
#include "strategies/generalized_alpha/stepping.h"
#include "strategies/kinds.h"
#include "strategies/time_stepping/update.h"

#define RESIDUAL_TOLERANCE   1.0e-10
#define DEFAULT_TEXT(number) TEXT_OF(number)
#define TEXT_OF(number)      #number

static const struct sg_keyword rows[] = {
    {.name = "level",
     .type = SG_CHOICE,
     .choices = "velocity|position|both",
     .fallback = "\"velocity\"",
     .meaning = "what contacts restrict: the velocity after the step (with restitution and friction), or the "
                "position; both with generalized-alpha",
     .offset = offsetof(struct sg_stepping_spec, level)},
    {.name = "tolerance",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "tolerance of Newton's iterations in nonlinear systems, on the last change of a velocity "
                "relative to the largest velocity of the run so far",
     .fallback = "1.0e-12",
     .range = SG_POSITIVE,
     .offset = offsetof(struct sg_stepping_spec, tolerance)},
    {.name = "max_iterations",
     .type = SG_INTEGER,
     .meaning = "most of Newton's iterations in a step; after them the step is halved",
     .fallback = "50",
     .range = SG_BETWEEN(1, 10000),
     .offset = offsetof(struct sg_stepping_spec, max_iterations)},
    {.name = "update",
     .type = SG_BOOL,
     .fallback = "false",
     .meaning =
         "velocity and acceleration update after steps with contact, of Newmark's schemes and Bathe's at "
         "position level: contacts reflect with their restitution and keep no force, so that impacts make no "
         "energy",
     .offset = offsetof(struct sg_stepping_spec, update)},
    {.name = "update_form",
     .type = SG_CHOICE,
     .choices = "conserving|published",
     .fallback = "\"conserving\"",
     .meaning = "the update by contacts, which keeps momentum and energy; or that of Noh 2011, by nodes, "
                "which keeps "
                "them for rigid masses and restitution 1 alone",
     .offset = offsetof(struct sg_stepping_spec, update_form)},
    {.name = "contact_tolerance",
     .type = SG_REAL,
     .unit = "m",
     .meaning =
         "the update takes a contact as struck if its reaction moves its gap by more than this, so "
         "that rounding does not decide where a gap is exactly zero; by default 1e-9 of the gap's way in the "
         "step, and rounding",
     .range = SG_BETWEEN(0, 1),
     .offset = offsetof(struct sg_stepping_spec, contact_tolerance)},
    {.name = "reaction_tolerance",
     .type = SG_REAL,
     .unit = "1",
     .fallback = "1.0e-12",
     .meaning = "tolerance of the reactions of contacts with friction, on the largest violation of a contact "
                "law relative to the largest velocity that the contacts must change",
     .range = SG_BETWEEN(1e-14, 1e-2),
     .offset = offsetof(struct sg_stepping_spec, reaction_tolerance)},
    {.name = "reaction_accepted",
     .type = SG_REAL,
     .unit = "1",
     .fallback = "1.0e-4",
     .meaning = "looser tolerance that is accepted, with a warning at the end of the run, if "
                "reaction_iterations sweeps over the contacts did not reach reaction_tolerance; after ten "
                "times as many sweeps the run fails",
     .range = SG_BETWEEN(0, 1),
     .offset = offsetof(struct sg_stepping_spec, reaction_accepted)},
    {.name = "reaction_iterations",
     .type = SG_INTEGER,
     .fallback = "1000",
     .meaning = "sweeps over the contacts with friction in a step before reaction_accepted is enough",
     .range = SG_BETWEEN(1, 1000000),
     .offset = offsetof(struct sg_stepping_spec, reaction_iterations)},
    {.name = "residual_tolerance",
     .type = SG_REAL,
     .unit = "1",
     .fallback = DEFAULT_TEXT(RESIDUAL_TOLERANCE),
     .meaning = "generalized-alpha: tolerance of each residual of a step, relative to the largest velocity "
                "of the run so far or its momentum",
     .range = SG_BETWEEN(1e-15, 1e-3),
     .offset = offsetof(struct sg_stepping_spec, residual)},
    {.name = "coupling",
     .type = SG_CHOICE,
     .choices = "monolithic|sequential|decoupled",
     .fallback = "\"monolithic\"",
     .meaning =
         "generalized-alpha: smooth motion, positions and velocities of a step in one system of equations, "
         "in turn until they agree (else monolithic), or each once, one behind the other",
     .offset = offsetof(struct sg_stepping_spec, coupling)},
    {.name = "variant",
     .type = SG_CHOICE,
     .choices = "standard|modified-lcp",
     .fallback = "\"standard\"",
     .meaning =
         "level \"both\": what is complementary to a gap, nu (standard) or nu - h Lambda, which chatters: "
         "for teaching",
     .offset = offsetof(struct sg_stepping_spec, variant)},
    {.name = "solver",
     .type = SG_CHOICE,
     .choices = "auto|condensed|schur|dense|sparse",
     .fallback = "\"auto\"",
     .meaning =
         "generalized-alpha: how the equations of a step are solved, where the model allows it; all give "
         "the same",
     .offset = offsetof(struct sg_stepping_spec, solver)},
    {0}};

/* in the order of enum sg_level */
static const char *const levels[] = {"velocity", "position", "both"};

static int level(const struct sg_setting *node)
{
    struct sg_stepping_spec spec;
    sg_setting_fill(node, rows, &spec);
    return spec.level;
}

static bool updates(const struct sg_setting *node)
{
    struct sg_stepping_spec spec;
    sg_setting_fill(node, rows, &spec);
    return spec.update != 0;
}

static bool updates_nodes(const struct sg_setting *node)
{
    struct sg_stepping_spec spec;
    sg_setting_fill(node, rows, &spec);
    return spec.update != 0 && spec.update_form == SG_UPDATE_PUBLISHED;
}

/* The deck says how well reactions with friction are to be found. */
static void set_accuracy(const struct sg_stepping_spec *spec, struct sg_contact_solver *solver)
{
    solver->tolerance = spec->reaction_tolerance;
    solver->accepted = fmax(spec->reaction_accepted, spec->reaction_tolerance);
    solver->patience = spec->reaction_iterations;
    solver->max_iterations = 10 * spec->reaction_iterations;
}

/* Some words belong to one integrator, or one level, alone. */
static sg_status check_words(const struct sg_setting *node, const struct sg_stepping_spec *spec, bool alpha,
                             const struct sg_run *run, struct sg_error *err)
{
    static const char *const words[] = {"residual_tolerance", "coupling", "variant", "solver"};
    /* a resolved deck spells out what goes by default */
    const bool chosen[] = {spec->residual != RESIDUAL_TOLERANCE, spec->coupling != 0, spec->variant != 0,
                           spec->solver != 0};
    size_t errors = run->diagnostics->errors;
    for (size_t k = 0; k < 4 && !alpha; k++)
        if (chosen[k])
            sg_complain_about(run->diagnostics, SG_ERROR, node, words[k],
                              "is used by integrator 'generalized-alpha' only, not by '%s'",
                              run->integrator->ops->kind.name);
    if (alpha && spec->variant != 0 && spec->level != SG_LEVEL_BOTH)
        sg_complain_about(run->diagnostics, SG_ERROR, node, "variant",
                          "\"modified-lcp\" needs level = \"both\", not \"%s\"", levels[spec->level]);
    if (run->diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the deck can't be run by time-stepping");
}

static sg_status create(struct sg_strategy *self, const struct sg_setting *node, const struct sg_run *run,
                        struct sg_error *err)
{
    struct sg_stepping_choice choice;
    sg_setting_fill(node, rows, &choice.spec);
    bool alpha = sg_generalized_alpha_scheme(run->integrator) != NULL;
    TRY(check_words(node, &choice.spec, alpha, run, err));
    choice.scheme = alpha                                    ? &sg_stepping_alpha
                    : choice.spec.level == SG_LEVEL_POSITION ? &sg_stepping_position
                                                             : &sg_stepping_velocity;
    TRY(sg_stepping_create(self, choice, node, run, err));
    struct sg_time_stepping *ts = self->data;
    if (alpha) TRY(sg_stepping_alpha_init(ts, node, err));
    set_accuracy(&ts->spec, &ts->solver);
    return SG_OK;
}

const struct sg_strategy_ops sg_strategy_time_stepping = {
    .kind =
        {"time-stepping",
         "steps of one length, contact by complementarity at velocity or position level (Di Stasio et al. "
         "2019)",
         rows},
    .create = create,
    .destroy = sg_stepping_destroy,
    .fixed_steps = true,
    .formulations = levels,
    .formulation_keyword = "level",
    .formulation_phrase = "at level",
    .formulation = level,
    .updates = updates,
    .updates_nodes = updates_nodes,
    .register_quantities = sg_stepping_register,
    .initial_energy = sg_stepping_initial_energy,
    .start = sg_stepping_start,
    .advance = sg_stepping_advance,
    .now = sg_stepping_now,
    .closed = sg_stepping_closed,
    .archive = sg_stepping_archive,
    .summarize = sg_stepping_summarize,
};
