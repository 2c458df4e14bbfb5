/* A job is built in this order: the grid's cell, model, contacts, coordinates, operator, integrator; then the
 * strategy, which is told its observer. */
#include "jobs/build.h"

#include <math.h>

#include "jobs/continued.h"
#include "jobs/equilibrium.h"
#include "jobs/parts.h"
#include "linalg/blas.h"
#include "model/constraint.h"
#include "strategies/constraint_scope.h"
#include "strategies/nonlinear_scope.h"
#include "support/memory.h"

/* A fault that a builder met as an error becomes a finding about the group it read: before the first step
 * the deck is to blame, also for what can't be computed. */
static sg_status as_finding(sg_status status, const struct sg_deck *deck, const char *group,
                            struct sg_diagnostics *diagnostics, const struct sg_error *err)
{
    if (status != SG_BAD_DECK && status != SG_NO_SOLUTION) return status;
    if (diagnostics->errors > 0) return SG_BAD_DECK;
    sg_complain(diagnostics, SG_ERROR, sg_setting_child(sg_deck_root(deck), group), "%s", err->text);
    return SG_BAD_DECK;
}

static bool is_damped(const struct sg_system *system)
{
    for (size_t e = 0; e < system->elements.count; e++)
        if (system->elements.items[e].ops->power != NULL && !system->elements.items[e].ops->drives)
            return true;
    return system->damped;
}

/* Without damping its measure is 0 from the first contact on. */
static sg_status check_stop(const struct sg_job *job, struct sg_error *err)
{
    if (job->time.stop == NULL || !job->cell->strategy->fixed_steps || is_damped(job->system)) return SG_OK;
    sg_complain_about(job->diagnostics, SG_ERROR, sg_setting_child(sg_deck_root(job->deck), "time"), "stop",
                      "needs a damped model: an undamped one never comes to rest");
    FAIL(err, SG_BAD_DECK, "time.stop needs damping");
}

/* --- building ------------------------------------------------------------------------------------- */

/* Of the contacts' first straight lines, for the operator; and of the stiffest, for critical steps, where the
 * strategy has all of them closed at once as springs. */
static sg_status find_stiffnesses(struct sg_job *job, struct sg_error *err)
{
    const struct sg_contact_set *set = job->contacts;
    bool any = false;
    TRY(SG_NEW(&job->line_stiffness, set->q, err));
    for (size_t j = 0; j < set->q; j++) {
        job->line_stiffness[j] = set->sprung[j] ? sg_law_stiffness(&set->laws[j]) : HUGE_VAL;
        any = any || (set->sprung[j] && job->line_stiffness[j] > 0.0);
    }
    if (sg_job_strategy(job)->needs_springs && any) job->spring_stiffness = job->line_stiffness;
    return SG_OK;
}

static sg_status build_integrator(struct sg_job *job, struct sg_error *err)
{
    const struct sg_setting *node = sg_job_group(job, "integrator");
    const struct sg_integrator_ops *ops = sg_integrator_find(sg_setting_kind(node));
    TRY(sg_nonlinear_scope_check(job->cell, job->system, sg_deck_root(job->deck), job->diagnostics, err));
    TRY(check_stop(job, err));
    TRY(find_stiffnesses(job, err));
    TRY(sg_job_choose_coordinates(job, err));
    TRY(sg_job_prepare_mass(job, err));
    struct sg_mck mck = {&job->system->M, &job->system->C, &job->system->K};
    struct sg_effective_rows rows = {
        .w = &job->contacts->w, .kappa = job->line_stiffness, .offset = job->contacts->offset};
    /* time-stepping solves for the contacts apart: rows would cost q^2 and n q of memory, and serve nothing
     */
    bool own = sg_job_strategy(job)->own_systems;
    if (job->cell->strategy->fixed_steps || own) rows.w = &job->no_rows;
    if (!job->cell->strategy->fixed_steps && job->system->constraints.count > 0) {
        TRY(sg_constraint_frame_init(&job->held, job->system, err));
        sg_constraints_evaluate(job->system, 0.0, job->system->u0, &job->held);
        rows.held = &job->held.G;
    }
    TRY(sg_effective_create(&job->arena, &mck, &rows, ops->complex_valued, &job->op, err));
    TRY(sg_phase_init(&job->arena, &job->phase, job->system, job->op, err));
    job->integrator.ops = ops;
    job->integrator.arena = &job->arena;
    if (job->cell->strategy->fixed_steps && ops->response->staggered)
        job->staggering = "at the middle of the step that begins at the row's time";
    if (own) {
        job->integrator.stability = HUGE_VAL;
        return SG_OK;
    }
    TRY(ops->create(&job->integrator, node, &job->phase, err));
    return sg_job_check_critical_step(job, err);
}

/* The energy that all others are compared with. */
static sg_status start_balance(struct sg_job *job, struct sg_error *err)
{
    const struct sg_system *system = job->system;
    struct sg_snapshot start = {.u = system->u0, .v = system->v0};
    job->balance.total_start = sg_system_total(system, &start);
    if (isfinite(job->balance.total_start)) return SG_OK;
    sg_complain_about(job->diagnostics, SG_ERROR, sg_deck_root(job->deck), "initial",
                      "the energy of the initial state is not a finite number");
    FAIL(err, SG_BAD_DECK, "the energy of the initial state is not a finite number");
}

static void fill_specs(struct sg_job *job)
{
    const struct sg_setting *root = sg_deck_root(job->deck);
    sg_setting_fill(sg_setting_child(root, "time"), sg_time_rows, &job->time);
    sg_setting_fill(sg_setting_child(root, "output"), sg_output_rows, &job->output);
    if (job->order == NULL) return;
    job->time.end = job->order->end;
    job->time.stop = NULL;
    if (!isnan(job->order->step)) job->time.step = job->order->step;
}

/* Goes on after faults of the deck: the worst of them is kept. Anything else stops. */
static sg_status keep(sg_status *worst, sg_status status)
{
    if (status != SG_BAD_DECK && status != SG_NO_INPUT) return status;
    if (*worst != SG_NO_INPUT) *worst = status;
    return SG_OK;
}

/* All that can be told without the operator. */
static sg_status build_model(struct sg_job *job, struct sg_error *err)
{
    const struct sg_deck *deck = job->deck;
    sg_status worst = SG_OK;
    TRY(keep(&worst, sg_job_find_cell(job, err)));
    const struct sg_variation *variation = job->order != NULL ? &job->order->variation : NULL;
    TRY(keep(&worst,
             sg_system_create_varied(deck, variation, &job->modes, &job->system, job->diagnostics, err)));
    if (job->system == NULL) return worst;
    char who[96];
    struct sg_contact_choice choice = {0};
    if (job->cell != NULL) choice = sg_job_choose_laws(job, who, sizeof who);
    TRY(keep(&worst, sg_contact_set_create(deck, job->system, job->cell != NULL ? &choice : NULL,
                                           &job->contacts, job->diagnostics, err)));
    if (job->contacts == NULL) return worst;
    if (worst == SG_OK) TRY(keep(&worst, sg_job_check_contacts(job, err)));
    if (worst == SG_OK) TRY(keep(&worst, sg_job_check_springs(job, err)));
    if (worst == SG_OK)
        TRY(keep(&worst, sg_constraint_scope_check(job->cell, job->system, sg_deck_root(deck),
                                                   job->diagnostics, err)));
    const struct sg_strategy_ops *strategy = sg_job_strategy(job);
    job->impulses = strategy->fixed_steps;
    for (size_t j = 0; j < job->contacts->q && !strategy->own_systems; j++)
        job->impulses = job->impulses || !job->contacts->sprung[j];
    struct sg_chosen_names names = {job->output.nodes, sg_setting_child(sg_deck_root(deck), "output")};
    TRY(keep(&worst, sg_chosen_nodes_init(&job->chosen, job->system, &names, job->diagnostics, err)));
    TRY(sg_job_register_quantities(job, err));
    TRY(keep(&worst, sg_job_check_output(job, err)));
    return worst;
}

/* A run that goes on from a state of its own has a start. */
static sg_status find_equilibrium(struct sg_job *job, struct sg_error *err)
{
    bool own = job->order != NULL && job->order->u != NULL;
    const struct sg_equilibrium_spec spec = {.system = job->system,
                                             .contacts = job->contacts,
                                             .laws = !sg_job_strategy(job)->own_systems,
                                             .node = job->system->equilibrium,
                                             .diagnostics = job->diagnostics};
    return spec.node == NULL || own ? SG_OK : sg_equilibrium_find(&spec, err);
}

static sg_status continue_start(struct sg_job *job, struct sg_error *err)
{
    bool own = job->order != NULL && job->order->u != NULL;
    const struct sg_integrator_ops *ops =
        sg_integrator_find(sg_setting_kind(sg_job_group(job, "integrator")));
    const struct sg_continued_spec spec = {.deck = job->deck,
                                           .system = job->system,
                                           .contacts = job->contacts,
                                           .staggered =
                                               job->cell->strategy->fixed_steps && ops->response->staggered,
                                           .diagnostics = job->diagnostics};
    return job->system->continued == NULL || own ? SG_OK : sg_continued_start(&spec, err);
}

static sg_status build(struct sg_job *job, struct sg_error *err)
{
    fill_specs(job);
    TRY(sg_linalg_reserve(err));
    TRY(build_model(job, err));
    /* after the contacts have judged the deck's own start: where a run goes on they may be closed a little */
    TRY(continue_start(job, err));
    TRY(as_finding(find_equilibrium(job, err), job->deck, "initial", job->diagnostics, err));
    if (job->order != NULL && job->order->u != NULL)
        sg_system_start_at(job->system, job->order->u, job->order->v);
    TRY(as_finding(build_integrator(job, err), job->deck, "integrator", job->diagnostics, err));
    TRY(sg_chosen_nodes_prepare(&job->chosen, err));
    TRY(sg_absolute_prepare(&job->absolute, err));
    return start_balance(job, err);
}

sg_status sg_job_build_varied(struct sg_job *job, const struct sg_run_order *order,
                              struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    *job = (struct sg_job){.deck = order->deck, .order = order, .diagnostics = diagnostics};
    return build(job, err);
}

sg_status sg_job_build_with_modes(struct sg_job *job, const struct sg_deck *deck, const char *modes,
                                  struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    *job = (struct sg_job){.deck = deck, .diagnostics = diagnostics, .modes = {.folder = modes}};
    return build(job, err);
}

sg_status sg_job_build(struct sg_job *job, const struct sg_deck *deck, struct sg_diagnostics *diagnostics,
                       struct sg_error *err)
{
    return sg_job_build_with_modes(job, deck, NULL, diagnostics, err);
}

sg_status sg_job_build_model(struct sg_job *job, const struct sg_deck *deck, bool other_mass,
                             struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    *job = (struct sg_job){.deck = deck, .diagnostics = diagnostics};
    fill_specs(job);
    TRY(sg_linalg_reserve(err));
    TRY(build_model(job, err));
    TRY(find_stiffnesses(job, err));
    return other_mass ? sg_job_prepare_mass(job, err) : SG_OK;
}

sg_status sg_job_attach(struct sg_job *job, struct sg_observer observer, struct sg_diagnostics *diagnostics,
                        struct sg_error *err)
{
    const struct sg_setting *node = sg_job_group(job, "strategy");
    job->observer = observer;
    job->run = (struct sg_run){.cell = job->cell,
                               .deck = job->deck,
                               .diagnostics = diagnostics,
                               .system = job->system,
                               .contacts = job->contacts,
                               .op = job->op,
                               .phase = &job->phase,
                               .integrator = &job->integrator,
                               .time = job->time,
                               .modal = job->own_modal,
                               .observer = &job->observer};
    job->strategy.ops = sg_strategy_find(sg_setting_kind(node));
    const struct sg_strategy_ops *ops = job->strategy.ops;
    TRY(as_finding(ops->create(&job->strategy, node, &job->run, err), job->deck, "time", diagnostics, err));
    if (ops->initial_energy == NULL) return SG_OK;
    return ops->initial_energy(&job->strategy, &job->balance.total_start, err);
}

struct sg_effective_counts sg_job_counts(const struct sg_job *job)
{
    struct sg_effective_counts counts = sg_phase_counts(&job->phase);
    if (job->strategy.ops == NULL || job->strategy.ops->counts == NULL) return counts;
    struct sg_effective_counts more = job->strategy.ops->counts(&job->strategy);
    counts.factorizations += more.factorizations;
    counts.solves += more.solves;
    return counts;
}

void sg_job_release(struct sg_job *job)
{
    if (job->strategy.ops != NULL) job->strategy.ops->destroy(&job->strategy);
    sg_absolute_release(&job->absolute);
    sg_arena_release(&job->arena);
    sg_constraint_frame_release(&job->held);
    sg_free(job->line_stiffness);
    sg_contact_set_destroy(job->contacts);
    sg_system_destroy(job->system);
    sg_quantities_release(&job->quantities);
    sg_chosen_nodes_release(&job->chosen);
}
