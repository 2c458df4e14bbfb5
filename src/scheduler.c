#include "scheduler.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "linalg/blas.h"
#include "model/modal_damping.h"
#include "results/selection.h"
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

/* --- the grid --------------------------------------------------------------------------------------- */

static const char *manner_of(const struct sg_setting *strategy)
{
    const struct sg_strategy_ops *ops = sg_strategy_find(sg_setting_kind(strategy));
    return ops->manner == NULL ? NULL : ops->manner(strategy);
}

static const struct sg_strategy_ops *strategy_of(const struct sg_job *job)
{
    return sg_strategy_find(sg_setting_kind(sg_setting_child(sg_deck_root(job->deck), "strategy")));
}

/* "central-difference, theta": the integrators that work with the strategy in that manner */
static void list_partners(const char *strategy, const char *manner, struct sg_text *list)
{
    for (size_t i = 0; i < sg_grid_count(); i++) {
        const struct sg_grid_cell *cell = sg_grid_at(i);
        if (sg_grid_find(cell->integrator, strategy, manner) == cell)
            sg_text_append(list, "%s%s", list->length == 0 ? "" : ", ", cell->integrator);
    }
}

static sg_status find_cell(struct sg_job *job, struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    const struct sg_setting *root = sg_deck_root(job->deck);
    const struct sg_setting *strategy = sg_setting_child(root, "strategy");
    const char *integrator_name = sg_setting_kind(sg_setting_child(root, "integrator"))->name;
    const char *strategy_name = sg_setting_kind(strategy)->name, *manner = manner_of(strategy);
    job->cell = sg_grid_find(integrator_name, strategy_name, manner);
    if (job->cell != NULL) return SG_OK;
    struct sg_text can = {0};
    list_partners(strategy_name, manner, &can);
    bool plain = manner == NULL, form = !plain && strcmp(strategy_of(job)->manner_word, "form") == 0;
    sg_complain(diagnostics, SG_ERROR, strategy, "strategy '%s'%s%s%s does not work with integrator '%s'",
                strategy_name,
                plain  ? ""
                : form ? " in form '"
                       : " at level '",
                plain ? "" : manner, plain ? "" : "'", integrator_name);
    sg_hint(diagnostics, "integrators that do: %s; `signorini list grid` shows all pairs",
            sg_text_view(&can));
    sg_text_release(&can);
    FAIL(err, SG_BAD_DECK, "the pair of integrator and strategy does not work");
}

/* "time-stepping": the strategies to which all contacts are the same, with friction or without */
static void list_general(bool friction, struct sg_text *list)
{
    for (size_t i = 0; i < sg_strategy_kinds.count; i++) {
        const struct sg_kind *kind = sg_strategy_kinds.items[i];
        if (sg_strategy_find(kind)->needs_fixed_contacts) continue;
        if (friction && sg_strategy_find(kind)->needs_springs) continue;
        sg_text_append(list, "%s%s", list->length == 0 ? "" : ", ", kind->name);
    }
}

/* NULL, or what contact j has that not every strategy can treat */
static const char *special(const struct sg_contact_set *set, size_t j)
{
    if (set->friction[j] > 0.0) return "has friction";
    return set->fixed[j] ? NULL : "has a normal or an obstacle that moves";
}

/* Strategies that know one constant W only are refused contacts that change theirs. */
static sg_status check_contacts(const struct sg_job *job, struct sg_error *err)
{
    const struct sg_setting *root = sg_deck_root(job->deck), *list = sg_setting_child(root, "contacts");
    const struct sg_kind *strategy = sg_setting_kind(sg_setting_child(root, "strategy"));
    if (!sg_strategy_find(strategy)->needs_fixed_contacts) return SG_OK;
    bool found = false;
    size_t told = 0; /* of an entry once */
    for (size_t j = 0; j < job->contacts->q; j++) {
        const char *fault = special(job->contacts, j);
        if (fault == NULL || (found && job->contacts->entry[j] == told)) continue;
        found = true;
        told = job->contacts->entry[j];
        sg_complain(job->diagnostics, SG_ERROR, sg_setting_item(list, told),
                    "contact '%.64s' %s, which strategy '%s' can't treat", job->contacts->names[j], fault,
                    strategy->name);
        struct sg_text can = {0};
        list_general(job->contacts->friction[j] > 0.0, &can);
        if (can.length > 0) sg_hint(job->diagnostics, "strategies that can: %s", sg_text_view(&can));
        sg_text_release(&can);
    }
    if (found) FAIL(err, SG_BAD_DECK, "the strategy can't treat the contacts");
    return SG_OK;
}

/* which laws the strategy takes, and of the short keywords of a contact which one */
static struct sg_contact_choice choose_laws(const struct sg_job *job, char *who, size_t size)
{
    const struct sg_setting *strategy = sg_setting_child(sg_deck_root(job->deck), "strategy");
    const struct sg_strategy_ops *ops = strategy_of(job);
    const char *manner = manner_of(strategy);
    struct sg_contact_choice choice = {.laws = {.uses = ops->laws(manner)}, .who = who};
    if (ops->short_laws != NULL) ops->short_laws(strategy, &choice.laws);
    if (manner == NULL)
        snprintf(who, size, "strategy '%s'", ops->kind.name);
    else
        snprintf(who, size, "strategy '%s' with %s = \"%s\"", ops->kind.name, ops->manner_word, manner);
    return choice;
}

static void check_spring(const struct sg_job *job, size_t j)
{
    const struct sg_setting *node =
        sg_setting_item(sg_setting_child(sg_deck_root(job->deck), "contacts"), job->contacts->entry[j]);
    const char *name = job->contacts->names[j], *strategy = strategy_of(job)->kind.name;
    if (job->contacts->laws[j].ops == NULL) {
        struct sg_law_choice wanted = {0};
        strategy_of(job)->short_laws(sg_setting_child(sg_deck_root(job->deck), "strategy"), &wanted);
        sg_complain(job->diagnostics, SG_ERROR, node, "contact '%.64s' has no %s, which strategy '%s' needs",
                    name, wanted.preferred->short_form, strategy);
        sg_hint(job->diagnostics, "%s", wanted.preferred->short_hint);
    }
    if (job->contacts->friction[j] == 0.0) return;
    sg_complain_about(job->diagnostics, SG_ERROR, node, "friction",
                      "contact '%.64s' has friction, which strategy '%s' can't treat", name, strategy);
    sg_hint(job->diagnostics, "strategy 'time-stepping' can, at level \"velocity\"");
}

static sg_status check_springs(const struct sg_job *job, struct sg_error *err)
{
    if (!strategy_of(job)->needs_springs) return SG_OK;
    size_t errors = job->diagnostics->errors;
    const size_t *entry = job->contacts->entry;
    for (size_t j = 0; j < job->contacts->q; j++)
        if (j == 0 || entry[j] != entry[j - 1]) check_spring(job, j);
    if (job->diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the strategy can't treat the contacts");
}

/* --- coordinates ------------------------------------------------------------------------------------ */

static sg_status check_route(struct sg_job *job, const struct sg_route *route, bool modal,
                             struct sg_error *err)
{
    const struct sg_system *system = job->system;
    const struct sg_setting *node = sg_setting_child(sg_deck_root(job->deck), "integrator");
    const char *name = route->ops->kind.name, *hint = NULL,
               *fault = sg_route_fault(system, route, modal, &hint);
    if (fault != NULL) {
        bool chosen = sg_setting_given(node, "operator");
        sg_complain_about(job->diagnostics, SG_ERROR, node, chosen ? "operator" : "type",
                          "integrator '%s' %s", name, fault);
        sg_hint(job->diagnostics, "%s", hint);
        FAIL(err, SG_BAD_DECK, "integrator '%s' %s", name, fault);
    }
    if (modal && route->choice == SG_OPERATOR_AUTO && system->n > SG_MODAL_LIMIT)
        FAIL(
            err, SG_BAD_DECK,
            "integrator '%s' needs the modes of %zu dofs, more than %d: ask for them by operator = \"modal\"",
            name, system->n, (int)SG_MODAL_LIMIT);
    return SG_OK;
}

static sg_status to_modal(struct sg_job *job, struct sg_error *err)
{
    struct sg_modal *modal = NULL;
    TRY(sg_system_modes(job->system, &job->modes, &modal, err));
    job->omega_low = HUGE_VAL;
    for (size_t i = 0; i < modal->n; i++) job->omega_low = fmin(job->omega_low, sqrt(fmax(modal->k[i], 0.0)));
    sg_status status = sg_contact_set_to_modal(job->contacts, modal, err);
    if (status != SG_OK) {
        sg_modal_destroy(modal);
        return status;
    }
    return sg_system_to_modal(job->system, modal, err);
}

static bool job_updates(const struct sg_job *job)
{
    const struct sg_strategy_ops *ops = strategy_of(job);
    return ops->updates != NULL && ops->updates(sg_setting_child(sg_deck_root(job->deck), "strategy"));
}

static sg_status choose_coordinates(struct sg_job *job, const struct sg_integrator_ops *ops,
                                    const struct sg_setting *node, struct sg_error *err)
{
    struct {
        int choice;
    } spec = {SG_OPERATOR_AUTO};
    sg_setting_fill(node, sg_integrator_rows, &spec);
    struct sg_route route = {ops, (enum sg_operator_choice)spec.choice,
                             ops->lumps || job->system->M.kind == SG_DIAGONAL, job->contacts->affine,
                             job_updates(job)};
    bool modal = sg_route_is_modal(job->system, &route);
    TRY(check_route(job, &route, modal, err));
    struct sg_modal_damping_use use = {sg_deck_root(job->deck), !modal, strategy_of(job)->own_phases};
    TRY(sg_modal_damping_check(job->system, &use, job->diagnostics, err));
    job->omega_low = NAN;
    job->own_modal = modal && strategy_of(job)->own_phases;
    return modal && !job->own_modal ? to_modal(job, err) : SG_OK;
}

/* --- what explicit schemes need ---------------------------------------------------------------------- */

/* Never silently: the results tell too. */
static sg_status lump(struct sg_job *job, const struct sg_setting *node, struct sg_error *err)
{
    const struct sg_system *system = job->system;
    if (system->modal != NULL || system->M.kind == SG_DIAGONAL) return SG_OK;
    TRY(sg_system_lump(job->system, err));
    job->lumped = true;
    sg_complain_about(job->diagnostics, SG_NOTE, node, "type",
                      "integrator '%s' needs a diagonal mass: it is lumped by row sums",
                      sg_setting_kind(node)->name);
    sg_hint(job->diagnostics,
            "operator = \"modal\" keeps the mass as given, where damping and contacts allow it");
    return SG_OK;
}

static struct sg_critical_spec critical_spec(const struct sg_job *job, const struct sg_integrator_ops *ops,
                                             const struct sg_setting *node)
{
    return (struct sg_critical_spec){.system = job->system,
                                     .contacts = job->contacts,
                                     .contact_stiffness = job->spring_stiffness,
                                     .damping_before = ops->damps_before != NULL && ops->damps_before(node)};
}

static sg_status scale_mass(struct sg_job *job, const struct sg_integrator_ops *ops,
                            const struct sg_setting *node, struct sg_error *err)
{
    if (ops->scales_mass == NULL || !ops->scales_mass(node) || isnan(job->time.step)) return SG_OK;
    if (job->system->modal != NULL) {
        sg_complain_about(job->diagnostics, SG_ERROR, node, "mass_scaling",
                          "needs nodal coordinates: modes have no mass of their own");
        FAIL(err, SG_BAD_DECK, "mass_scaling needs nodal coordinates");
    }
    struct sg_critical_spec spec = critical_spec(job, ops, node);
    struct sg_critical_matrices at;
    struct sg_mass_scaling *scaling = &job->scaling;
    sg_status status = sg_critical_matrices_init(&at, &spec, err);
    struct sg_mass_scaling_spec wanted = {job->time.step, at.K, spec.damping_before ? at.C : NULL};
    if (status == SG_OK) status = sg_system_scale_mass(job->system, &wanted, scaling, err);
    sg_critical_matrices_release(&at);
    TRY(status);
    if (scaling->nodes == 0) return SG_OK;
    sg_complain_about(job->diagnostics, SG_NOTE, node, "mass_scaling",
                      "%.4g kg are added at %zu node%s, %.3g %% of the mass", scaling->added, scaling->nodes,
                      scaling->nodes == 1 ? "" : "s", 100.0 * scaling->added / scaling->total);
    return SG_OK;
}

static sg_status prepare_mass(struct sg_job *job, const struct sg_integrator_ops *ops,
                              const struct sg_setting *node, struct sg_error *err)
{
    if (ops->lumps) TRY(lump(job, node, err));
    TRY(sg_modal_damping_spread(job->system, &job->modes, err));
    TRY(scale_mass(job, ops, node, err));
    if (!job->lumped && job->scaling.nodes == 0) return SG_OK;
    int length =
        snprintf(job->mass_note, sizeof job->mass_note, "%s", job->lumped ? "lumped by row sums" : "");
    if (job->scaling.nodes > 0)
        snprintf(job->mass_note + length, sizeof job->mass_note - (size_t)length,
                 "%s%.17g kg added at %zu nodes to make the step stable", job->lumped ? ", " : "",
                 job->scaling.added, job->scaling.nodes);
    job->labels.mass_note = job->mass_note;
    return SG_OK;
}

static sg_status check_critical_step(struct sg_job *job, struct sg_error *err)
{
    const struct sg_setting *root = sg_deck_root(job->deck), *node = sg_setting_child(root, "integrator");
    const struct sg_integrator *integrator = &job->integrator;
    if (job->cell->manner == NULL || !isfinite(integrator->stability)) return SG_OK;
    struct sg_critical_spec spec = critical_spec(job, integrator->ops, node);
    spec.stability = integrator->stability;
    TRY(sg_critical_step_find(&spec, &job->critical, err));
    if (isnan(job->time.step)) return SG_OK;
    struct sg_step_verdict verdict = {sg_setting_child(root, "time"), integrator->ops->kind.name,
                                      job->time.step, job->time.allow_unstable == 1,
                                      integrator->ops->scales_mass != NULL && job->system->modal == NULL};
    return sg_critical_step_judge(&job->critical, &verdict, job->diagnostics, err);
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
    if (job->time.stop == NULL || job->cell->manner == NULL || is_damped(job->system)) return SG_OK;
    sg_complain_about(job->diagnostics, SG_ERROR, sg_setting_child(sg_deck_root(job->deck), "time"), "stop",
                      "needs damping: a model without never comes to rest");
    FAIL(err, SG_BAD_DECK, "time.stop needs damping");
}

/* --- building --------------------------------------------------------------------------------------- */

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
    if (strategy_of(job)->needs_springs && any) job->spring_stiffness = job->line_stiffness;
    return SG_OK;
}

static sg_status build_integrator(struct sg_job *job, struct sg_error *err)
{
    const struct sg_setting *node = sg_setting_child(sg_deck_root(job->deck), "integrator");
    const struct sg_integrator_ops *ops = sg_integrator_find(sg_setting_kind(node));
    TRY(sg_nonlinear_scope_check(job->cell, job->system, sg_deck_root(job->deck), job->diagnostics, err));
    TRY(check_stop(job, err));
    TRY(find_stiffnesses(job, err));
    TRY(choose_coordinates(job, ops, node, err));
    TRY(prepare_mass(job, ops, node, err));
    struct sg_mck mck = {&job->system->M, &job->system->C, &job->system->K};
    struct sg_effective_rows rows = {
        .w = &job->contacts->w, .kappa = job->line_stiffness, .offset = job->contacts->offset};
    /* time-stepping solves for the contacts apart: rows would cost q^2 and n q of memory, and serve nothing
     */
    bool own = strategy_of(job)->own_phases;
    if (job->cell->manner != NULL || own) rows.w = &job->no_rows;
    if (job->cell->manner == NULL && job->system->constraints.count > 0) {
        TRY(sg_constraint_frame_init(&job->held, job->system, err));
        sg_constraints_place(job->system, 0.0, job->system->u0, &job->held);
        rows.held = &job->held.G;
    }
    TRY(sg_effective_create(&mck, &rows, ops->complex_valued, &job->op, err));
    TRY(sg_phase_init(&job->phase, job->system, job->op, err));
    job->integrator.ops = ops;
    if (job->cell->manner != NULL && ops->response->staggered)
        job->staggering = "at the middle of the step that begins at the row's time";
    if (own) {
        job->integrator.stability = HUGE_VAL;
        return SG_OK;
    }
    TRY(ops->create(&job->integrator, node, &job->phase, err));
    return check_critical_step(job, err);
}

static void fill_numerical(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_balance *balance = owner;
    row[0] = sg_system_total(balance->system, now) - balance->total_start - now->external + now->dissipated;
}

static sg_status register_quantities(struct sg_job *job, struct sg_error *err)
{
    const struct sg_system *system = job->system;
    job->balance.system = system;
    struct sg_quantity numerical = {
        .name = "energy/numerical",
        .unit = "J",
        .description = "total - total at start - external + dissipated: what the scheme itself adds or takes",
        .fill = fill_numerical,
        .owner = &job->balance};
    sg_contact_set_register(job->contacts, &job->quantities);
    sg_system_register(system, &job->quantities);
    sg_quantities_add(&job->quantities, numerical);
    sg_chosen_nodes_register(&job->chosen, &job->quantities);
    const struct sg_strategy_ops *strategy = strategy_of(job);
    const struct sg_registration of = {job->cell, system, job->contacts};
    if (strategy->register_quantities != NULL)
        strategy->register_quantities(&job->strategy, &of, &job->quantities);
    sg_absolute_register(&job->absolute, system, job->contacts, &job->chosen, &job->quantities);
    job->labels = system->labels;
    job->labels.contact_count = job->contacts->q;
    job->labels.contact_names = (const char *const *)job->contacts->names;
    job->labels.constraint_count = system->constraints.count;
    job->labels.constraint_names = (const char *const *)system->constraints.names;
    if (job->quantities.failed) FAIL(err, SG_NO_MEMORY, "out of memory for the list of quantities");
    return SG_OK;
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

static void check_histories(const struct sg_job *job, const struct sg_setting *output)
{
    const struct sg_recorder_spec spec = {
        .quantities = &job->quantities, .labels = &job->labels, .impulses = job->impulses};
    struct sg_text there = {0};
    sg_selection_list(&spec, &there);
    for (size_t i = 0; i < job->output.histories.count; i++) {
        const char *name = job->output.histories.data[i];
        if (sg_selection_knows(&spec, name)) continue;
        sg_complain(job->diagnostics, SG_ERROR, sg_setting_item(sg_setting_child(output, "histories"), i),
                    "no history is named '%.64s'", name);
        sg_hint(job->diagnostics, "there are: %s; \"energy\" or \"momentum\" names all of a group",
                sg_text_view(&there));
    }
    sg_text_release(&there);
}

/* What a recorder could not do. */
static sg_status check_output(const struct sg_job *job, struct sg_error *err)
{
    const struct sg_setting *output = sg_setting_child(sg_deck_root(job->deck), "output");
    size_t errors = job->diagnostics->errors;
    check_histories(job, output);
    if (job->output.every > 0.0 && job->output.every < 2.0 * DBL_EPSILON * job->time.end)
        sg_complain_about(job->diagnostics, SG_ERROR, output, "every",
                          "%g s vanishes beside the end time %g s: samples can't be told apart",
                          job->output.every, job->time.end);
    if (job->diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the deck's output is wrong");
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
    TRY(keep(&worst, find_cell(job, job->diagnostics, err)));
    const struct sg_variation *variation = job->order != NULL ? &job->order->variation : NULL;
    TRY(keep(&worst,
             sg_system_create_varied(deck, variation, &job->modes, &job->system, job->diagnostics, err)));
    if (job->system == NULL) return worst;
    char who[96];
    struct sg_contact_choice choice = choose_laws(job, who, sizeof who);
    TRY(keep(&worst,
             sg_contact_set_create(deck, job->system, &choice, &job->contacts, job->diagnostics, err)));
    if (job->contacts == NULL) return worst;
    if (worst == SG_OK) TRY(keep(&worst, check_contacts(job, err)));
    if (worst == SG_OK) TRY(keep(&worst, check_springs(job, err)));
    if (worst == SG_OK)
        TRY(keep(&worst, sg_constraint_scope_check(job->cell, job->system, sg_deck_root(deck),
                                                   job->diagnostics, err)));
    const struct sg_strategy_ops *strategy = strategy_of(job);
    job->impulses = strategy->manner != NULL;
    for (size_t j = 0; j < job->contacts->q && !strategy->own_phases; j++)
        job->impulses = job->impulses || !job->contacts->sprung[j];
    struct sg_chosen_names names = {job->output.nodes, sg_setting_child(sg_deck_root(deck), "output")};
    TRY(keep(&worst, sg_chosen_nodes_init(&job->chosen, job->system, &names, job->diagnostics, err)));
    TRY(register_quantities(job, err));
    TRY(keep(&worst, check_output(job, err)));
    return worst;
}

static sg_status build(struct sg_job *job, struct sg_error *err)
{
    fill_specs(job);
    TRY(sg_linalg_reserve(err));
    TRY(build_model(job, err));
    /* after the contacts have judged the deck's own start: where a run goes on they may be closed a little */
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

sg_status sg_job_attach(struct sg_job *job, struct sg_observer observer, struct sg_diagnostics *diagnostics,
                        struct sg_error *err)
{
    const struct sg_setting *node = sg_setting_child(sg_deck_root(job->deck), "strategy");
    job->observer = observer;
    job->run = (struct sg_run){.deck = job->deck,
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
    if (ops->total_at_start == NULL) return SG_OK;
    return ops->total_at_start(&job->strategy, &job->balance.total_start, err);
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
    if (job->integrator.ops != NULL) job->integrator.ops->destroy(&job->integrator);
    sg_absolute_release(&job->absolute);
    sg_phase_release(&job->phase);
    sg_effective_destroy(job->op);
    sg_constraint_frame_release(&job->held);
    sg_free(job->line_stiffness);
    sg_contact_set_destroy(job->contacts);
    sg_system_destroy(job->system);
    sg_quantities_release(&job->quantities);
    sg_chosen_nodes_release(&job->chosen);
}
