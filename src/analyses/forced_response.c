/* The steady motions of a harmonically loaded model over the load's frequency, by any strategy: a run a
 * point, marched until it is periodic or its mean energy stays (docs/forced-response.md). */
#include "analyses/forced_response.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/grazing_mode.h"
#include "contact/gaps/gap.h"
#include "support/constants.h"
#include "support/memory.h"

/* in a period of the load */
enum { FEWEST_STEPS = 8, MOST_STEPS = 1000000 };

static const struct sg_keyword rows[] = {
    {.name = "from",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "lowest circular frequency of the load, over `reference`",
     .fallback = "0.8",
     .range = SG_POSITIVE,
     .offset = offsetof(struct sg_forced_spec, from)},
    {.name = "to",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "highest circular frequency, over `reference`",
     .fallback = "1.4",
     .range = SG_POSITIVE,
     .offset = offsetof(struct sg_forced_spec, to)},
    {.name = "count",
     .type = SG_INTEGER,
     .meaning = "frequencies from the lowest to the highest, evenly spread",
     .fallback = "61",
     .range = SG_BETWEEN(2, 1000000),
     .offset = offsetof(struct sg_forced_spec, count)},
    {.name = "at",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "frequencies over `reference`, instead of a range",
     .example = "[0.9, 1.0, 1.1]",
     .range = SG_POSITIVE,
     .min_items = 1,
     .offset = offsetof(struct sg_forced_spec, at)},
    {.name = "reference",
     .type = SG_REAL,
     .unit = "rad/s",
     .meaning =
         "circular frequency to which ratios refer; by default the lowest of the model without contact",
     .example = "1.0",
     .range = SG_POSITIVE,
     .offset = offsetof(struct sg_forced_spec, reference)},
    {.name = "reference_energy",
     .type = SG_REAL,
     .unit = "J",
     .meaning =
         "energy to which ratios refer; by default the one with which the lowest mode touches a contact",
     .example = "1.0",
     .range = SG_POSITIVE,
     .offset = offsetof(struct sg_forced_spec, reference_energy)},
    {.name = "direction",
     .type = SG_CHOICE,
     .choices = "up|down|both",
     .meaning = "direction in which the frequency goes from point to point; both makes two branches",
     .fallback = "\"up\"",
     .offset = offsetof(struct sg_forced_spec, direction)},
    {.name = "start",
     .type = SG_CHOICE,
     .choices = "continued|initial",
     .meaning = "whether a point starts from the end of the one before, or from the deck's initial state "
                "(then all points are independent of one another)",
     .fallback = "\"continued\"",
     .offset = offsetof(struct sg_forced_spec, start)},
    {.name = "amplitudes",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "factors on the amplitudes of the deck's harmonic signals, a branch each",
     .fallback = "[1.0]",
     .range = SG_NON_NEGATIVE,
     .min_items = 1,
     .max_items = 1000,
     .offset = offsetof(struct sg_forced_spec, amplitudes)},
    {.name = "dampings",
     .type = SG_REALS,
     .unit = "1/s",
     .meaning = "alpha of C = alpha M + beta K instead of the deck's, a branch each",
     .example = "[0.1, 0.2, 0.4]",
     .range = SG_NON_NEGATIVE,
     .min_items = 1,
     .max_items = 1000,
     .offset = offsetof(struct sg_forced_spec, dampings)},
    {.name = "node",
     .type = SG_TEXT,
     .meaning = "node whose amplitude is recorded: BODY.left, BODY.right, BODY.NUMBER, or BODY if it has one "
                "node; by default the last of the model",
     .example = "\"bar.right\"",
     .offset = offsetof(struct sg_forced_spec, node)},
    {.name = "steps_per_period",
     .type = SG_INTEGER,
     .meaning =
         "time steps in a period of the load, instead of time.step (which is shortened so that a period "
         "is whole)",
     .example = "400",
     .range = SG_BETWEEN(FEWEST_STEPS, MOST_STEPS),
     .offset = offsetof(struct sg_forced_spec, steps_per_period)},
    {.name = "tolerance",
     .type = SG_REAL,
     .unit = "1",
     .meaning =
         "a motion is periodic if its states a period apart differ by less, relative in the energy norm",
     .fallback = "1.0e-6",
     .range = {1e-14, 1.0, false, false, true},
     .offset = offsetof(struct sg_forced_spec, tolerance)},
    {.name = "orders",
     .type = SG_INTEGER,
     .meaning = "the longest period that is looked for, in periods of the load",
     .fallback = "4",
     .range = SG_BETWEEN(1, SG_STEADY_ORDERS),
     .offset = offsetof(struct sg_forced_spec, orders)},
    {.name = "min_periods",
     .type = SG_INTEGER,
     .meaning = "least number of periods of the load over which each point is computed",
     .fallback = "5",
     .range = SG_BETWEEN(1, 10000000),
     .offset = offsetof(struct sg_forced_spec, min_periods)},
    {.name = "max_periods",
     .type = SG_INTEGER,
     .meaning = "periods of the load after which a point is taken as it is",
     .fallback = "500",
     .range = SG_BETWEEN(1, 10000000),
     .offset = offsetof(struct sg_forced_spec, max_periods)},
    {.name = "mean_periods",
     .type = SG_INTEGER,
     .meaning = "periods of a window: a motion that is not periodic is measured over the last one, and done "
                "once three windows on end have the same mean energy",
     .fallback = "40",
     .range = SG_BETWEEN(1, 100000),
     .offset = offsetof(struct sg_forced_spec, mean_periods)},
    {.name = "mean_tolerance",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "relative tolerance by which these mean energies are the same",
     .fallback = "1.0e-3",
     .range = SG_BETWEEN(0, 1),
     .offset = offsetof(struct sg_forced_spec, mean_tolerance)},
    {0}};

/* --- what the deck has to fulfil ------------------------------------------------------------------ */

static void check_range(const struct sg_forced *forced, const struct sg_setting *node,
                        struct sg_diagnostics *diagnostics)
{
    const struct sg_forced_spec *spec = &forced->spec;
    if (spec->at.data == NULL && !(spec->to > spec->from))
        sg_complain_about(diagnostics, SG_ERROR, node, "to",
                          "the highest frequency %g is not above the lowest, %g", spec->to, spec->from);
    if (spec->start == SG_FORCED_INITIAL && spec->direction == SG_FORCED_BOTH)
        sg_complain_about(diagnostics, SG_ERROR, node, "direction",
                          "both ways are the same where each point starts from the initial state");
    if (spec->min_periods > spec->max_periods)
        sg_complain_about(diagnostics, SG_ERROR, node, "min_periods", "%lld is more than max_periods, %lld",
                          spec->min_periods, spec->max_periods);
}

static void check_step(const struct sg_forced *forced, const struct sg_setting *node,
                       struct sg_diagnostics *diagnostics)
{
    if (isnan(forced->step) || forced->spec.steps_per_period == SG_NOT_GIVEN) return;
    sg_complain_about(diagnostics, SG_ERROR, node, "steps_per_period",
                      "is given, and so is time.step, %g s: give one of them", forced->step);
}

/* Amplitudes and dampings make branches, which must differ. */
static void check_twice(const struct sg_reals *list, const struct sg_setting *node, const char *name,
                        struct sg_diagnostics *diagnostics)
{
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < i; k++) {
            if (list->data[i] != list->data[k]) continue;
            sg_complain_about(diagnostics, SG_ERROR, node, name, "%g is listed twice", list->data[i]);
            return;
        }
}

static sg_status check_words(const struct sg_forced *forced, const struct sg_setting *node,
                             struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    size_t errors = diagnostics->errors;
    check_range(forced, node, diagnostics);
    check_step(forced, node, diagnostics);
    check_twice(&forced->spec.amplitudes, node, "amplitudes", diagnostics);
    check_twice(&forced->spec.dampings, node, "dampings", diagnostics);
    check_twice(&forced->spec.at, node, "at", diagnostics);
    if (diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the analysis can't be made");
}

/* The load must be periodic with the period that is swept. */
static void check_signals(const struct sg_system *system, const struct sg_setting *node,
                          struct sg_diagnostics *diagnostics)
{
    size_t harmonic = 0;
    for (size_t k = 0; k < system->signal_count; k++) {
        const struct sg_signal_ops *ops = system->signals[k].ops;
        harmonic += ops->retune != NULL;
        if (ops->periodic) continue;
        sg_complain(diagnostics, SG_ERROR, node,
                    "a load or support follows a signal '%s': only harmonic and constant ones are periodic",
                    ops->kind.name);
    }
    if (harmonic > 0) return;
    sg_complain(diagnostics, SG_ERROR, node,
                "no load and no support has a harmonic signal: there is no frequency "
                "to be swept");
    sg_hint(diagnostics, "for example: loads = ( { type = \"force\"; node = \"bar.right\"; signal = { type = "
                         "\"harmonic\"; amplitude = 1.0; circular_frequency = 1.0; }; } )");
}

static void check_obstacles(const struct sg_contact_set *contacts, const struct sg_setting *node,
                            struct sg_diagnostics *diagnostics)
{
    for (size_t j = 0; j < contacts->q; j++) {
        if (!contacts->gaps[j].moves) continue;
        sg_complain(diagnostics, SG_ERROR, node,
                    "the obstacle of contact '%.64s' moves: its frequency is not swept", contacts->names[j]);
        return;
    }
}

/* --- what is measured by -------------------------------------------------------------------------- */

static sg_status find_node(struct sg_forced *forced, const struct sg_system *system,
                           const struct sg_setting *node, struct sg_diagnostics *diagnostics)
{
    forced->node = (size_t)system->places[system->n_full - 1].node;
    if (forced->spec.node != NULL) {
        struct sg_node_name name = {forced->spec.node, node, "node"};
        struct sg_node_ref ref;
        if (!sg_system_find_node(system, &name, diagnostics, &ref)) return SG_BAD_DECK;
        forced->node = ref.node;
    }
    for (size_t axis = 0; axis < system->dim; axis++)
        if (system->free_of_full[sg_system_dof(system, forced->node, axis)] != SIZE_MAX) return SG_OK;
    sg_complain_about(diagnostics, SG_ERROR, node, "node", "'%s' is supported: it has no amplitude",
                      sg_system_node_name(system, forced->node));
    return SG_BAD_DECK;
}

/* a full eigen-decomposition: beyond this it is not worth two numbers */
enum { MODES_LIMIT = 5000 };

static sg_status find_reference(struct sg_forced *forced, const struct sg_varied_run *run,
                                const struct sg_setting *node, struct sg_diagnostics *diagnostics,
                                struct sg_error *err)
{
    struct sg_grazing_mode mode = {NAN, NAN};
    bool many = run->system->modal == NULL && run->system->n > MODES_LIMIT;
    if (!many) TRY(sg_grazing_mode_find(run->system, run->contacts, &mode, err));
    forced->omega = isnan(forced->spec.reference) ? mode.omega : forced->spec.reference;
    forced->energy = isnan(forced->spec.reference_energy) ? mode.energy : forced->spec.reference_energy;
    if (!isnormal(forced->energy)) forced->energy = NAN;
    if (!isnan(forced->omega)) return SG_OK;
    if (many)
        sg_complain_about(diagnostics, SG_ERROR, node, "reference",
                          "must be given: the lowest frequency is not computed beyond %d dofs", MODES_LIMIT);
    else
        sg_complain_about(diagnostics, SG_ERROR, node, "reference",
                          "must be given: the model has no frequency above 0");
    return SG_BAD_DECK;
}

/* s: shorter than any that a scheme objects to */
static const double PROBE_STEP = 1e-12;

static sg_status ignore(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                        int localized, struct sg_error *err)
{
    (void)self, (void)now, (void)sampler, (void)localized, (void)err;
    return SG_OK;
}

enum { PROBE_PERIODS = 1000 };

/* The model as the deck has it: with the longest time step of the sweep, or, before there is a reference,
 * with one that no scheme objects to. */
static sg_status make_probe(const struct sg_forced *forced, struct sg_varied_run *run,
                            struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    static const struct sg_observer nobody = {.step = ignore};
    struct sg_run_order order = {.deck = forced->deck,
                                 .variation = {.omega = NAN, .factor = 1.0, .alpha = NAN},
                                 .step = PROBE_STEP,
                                 .end = PROBE_PERIODS * PROBE_STEP};
    struct sg_steady_spec steady;
    if (forced->spec.dampings.count > 0) order.variation.alpha = forced->spec.dampings.data[0];
    if (!isnan(forced->omega)) sg_forced_times(forced, forced->ratios[0], &order, &steady);
    return forced->maker->make(&order, &nobody, run, diagnostics, err);
}

/* time.step makes as many steps of a period as steps_per_period may */
static bool check_steps(const struct sg_forced *forced, struct sg_diagnostics *diagnostics)
{
    const struct sg_setting *time = sg_setting_child(sg_deck_root(forced->deck), "time");
    if (isnan(forced->step) || forced->spec.steps_per_period != SG_NOT_GIVEN) return true;
    double turn = 2.0 * SG_PI / forced->omega, step = forced->step;
    double longest = turn / forced->ratios[0], shortest = turn / forced->ratios[forced->ratio_count - 1];
    bool few = !(shortest / step > FEWEST_STEPS - 1), many = !(longest / step <= MOST_STEPS);
    if (few)
        sg_complain_about(diagnostics, SG_ERROR, time, "step",
                          "%g s makes fewer than %d steps of the load's shortest period, %g s", step,
                          FEWEST_STEPS, shortest);
    if (many)
        sg_complain_about(diagnostics, SG_ERROR, time, "step",
                          "%g s makes more than %d steps of the load's longest period, %g s", step,
                          MOST_STEPS, longest);
    return !few && !many;
}

static sg_status learn(struct sg_forced *forced, const struct sg_varied_run *run,
                       struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    const struct sg_setting *node = sg_setting_child(sg_deck_root(forced->deck), "analysis");
    size_t errors = diagnostics->errors;
    check_signals(run->system, node, diagnostics);
    if (run->system->constraints.count > 0)
        sg_complain_about(
            diagnostics, SG_ERROR, node, "type",
            "a forced response knows no bilateral constraints: its frequencies are of a model without");
    check_obstacles(run->contacts, node, diagnostics);
    TRY(find_node(forced, run->system, node, diagnostics));
    TRY(find_reference(forced, run, node, diagnostics, err));
    if (!check_steps(forced, diagnostics)) FAIL(err, SG_BAD_DECK, "the analysis can't be made");
    forced->n_full = run->system->n_full;
    if (diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the analysis can't be made");
}

/* Without contact there is nothing to be touched, and none expects a ratio. */
static void warn_of_energy(const struct sg_forced *forced, const struct sg_varied_run *run,
                           struct sg_diagnostics *diagnostics)
{
    const struct sg_setting *node = sg_setting_child(sg_deck_root(forced->deck), "analysis");
    if (!isnan(forced->energy) || run->contacts->q == 0) return;
    sg_complain_about(diagnostics, SG_WARNING, node, "reference_energy",
                      "is not given, and the lowest mode touches a contact with no energy above 0: "
                      "`energy_ratio` will be no number");
}

/* What is wrong must be known before the first point. Findings of the first probe come again with the second.
 */
static sg_status probe(struct sg_forced *forced, struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_varied_run run = {0};
    size_t count = diagnostics->count;
    sg_status status = make_probe(forced, &run, diagnostics, err);
    if (status == SG_OK) status = learn(forced, &run, diagnostics, err);
    forced->maker->release(&run);
    TRY(status);
    sg_diagnostics_cut(diagnostics, count);
    status = make_probe(forced, &run, diagnostics, err);
    if (status == SG_OK) warn_of_energy(forced, &run, diagnostics);
    forced->maker->release(&run);
    if (status == SG_BAD_DECK && isnan(forced->step) && forced->spec.steps_per_period == SG_NOT_GIVEN)
        sg_hint(diagnostics, "in a period of the load: analysis.steps_per_period = 400, for example");
    return status;
}

/* --- creation ------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static sg_status list_ratios(struct sg_forced *forced, struct sg_arena *arena, struct sg_error *err)
{
    const struct sg_forced_spec *spec = &forced->spec;
    forced->ratio_count = spec->at.data != NULL ? spec->at.count : (size_t)spec->count;
    TRY(SG_ARENA_NEW(arena, &forced->ratios, forced->ratio_count, err));
    double last = (double)(forced->ratio_count - 1), width = spec->to - spec->from;
    for (size_t k = 0; k < forced->ratio_count; k++)
        forced->ratios[k] = spec->at.data != NULL ? spec->at.data[k] : spec->from + width * (double)k / last;
    qsort(forced->ratios, forced->ratio_count, sizeof *forced->ratios, ascending);
    return SG_OK;
}

static sg_status list_branches(struct sg_forced *forced, struct sg_arena *arena, struct sg_error *err)
{
    const struct sg_forced_spec *spec = &forced->spec;
    size_t ways = spec->direction == SG_FORCED_BOTH ? 2 : 1;
    size_t dampings = spec->dampings.count > 0 ? spec->dampings.count : 1;
    forced->branch_count = spec->amplitudes.count * dampings * ways;
    TRY(SG_ARENA_NEW(arena, &forced->branches, forced->branch_count, err));
    for (size_t b = 0; b < forced->branch_count; b++) {
        size_t damping = b / ways % dampings;
        forced->branches[b].amplitude = spec->amplitudes.data[b / ways / dampings];
        forced->branches[b].damping = spec->dampings.count > 0 ? spec->dampings.data[damping] : NAN;
        forced->branches[b].down = spec->direction == SG_FORCED_DOWN || b % ways == 1;
    }
    return SG_ARENA_NEW(arena, &forced->states, 2 * forced->n_full * forced->branch_count, err);
}

static double step_of(const struct sg_deck *deck)
{
    struct {
        double step;
    } spec = {NAN};
    static const struct sg_keyword step_row[] = {{.name = "step", .type = SG_REAL}, {0}};
    const struct sg_setting *time = sg_setting_child(sg_deck_root(deck), "time");
    if (time != NULL) sg_setting_fill(time, step_row, &spec);
    return spec.step;
}

static sg_status create(struct sg_points *self, const struct sg_deck *deck,
                        struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_forced *forced = NULL;
    const struct sg_setting *node = sg_setting_child(sg_deck_root(deck), "analysis");
    TRY(SG_ARENA_NEW(&self->arena, &forced, 1, err));
    self->data = forced;
    forced->deck = deck;
    forced->maker = self->maker;
    forced->omega = NAN;
    forced->step = step_of(deck);
    sg_setting_fill(node, rows, &forced->spec);
    TRY(check_words(forced, node, diagnostics, err));
    TRY(list_ratios(forced, &self->arena, err));
    TRY(probe(forced, diagnostics, err));
    return list_branches(forced, &self->arena, err);
}

/* --- what is seen of it --------------------------------------------------------------------------- */

static const struct sg_point_column *columns(const struct sg_points *self, size_t *count)
{
    (void)self;
    *count = sg_forced_column_count();
    return sg_forced_columns;
}

static size_t total(const struct sg_points *self)
{
    const struct sg_forced *forced = self->data;
    return forced->ratio_count * forced->branch_count;
}

static size_t done(const struct sg_points *self)
{
    return (size_t)((const struct sg_forced *)self->data)->done;
}

static void archive(struct sg_points *self, struct sg_archive *store)
{
    struct sg_forced *forced = self->data;
    SG_ARCHIVE(store, forced->done);
    SG_ARCHIVE(store, forced->counts);
    SG_ARCHIVE(store, forced->periodic);
    SG_ARCHIVE(store, forced->wandering);
    SG_ARCHIVE(store, forced->neither);
    sg_archive_bytes(store, forced->states, 2 * forced->n_full * forced->branch_count * sizeof(double));
}

static struct sg_effective_counts counts(const struct sg_points *self)
{
    return ((const struct sg_forced *)self->data)->counts;
}

static void describe_list(const char *name, const struct sg_reals *list, struct sg_text *text)
{
    sg_text_append(text, "%s\t", name);
    for (size_t k = 0; k < list->count; k++) sg_text_append(text, "%s%g", k > 0 ? ", " : "", list->data[k]);
    if (list->count == 0) sg_text_append(text, "of the deck");
    sg_text_append(text, "\n");
}

static void describe(const struct sg_points *self, struct sg_text *text)
{
    const struct sg_forced *forced = self->data;
    const struct sg_forced_spec *spec = &forced->spec;
    struct sg_run_order order;
    struct sg_steady_spec steady;
    sg_forced_times(forced, forced->ratios[0], &order, &steady);
    sg_text_append(text, "analysis\tsteady motions under harmonic loads, over the loads' frequency\n");
    sg_text_append(text, "reference\t%.9g rad/s, ", forced->omega);
    if (isnan(forced->energy))
        sg_text_append(text, "no energy\n");
    else
        sg_text_append(text, "%.6g J\n", forced->energy);
    sg_text_append(text, "frequencies\t%zu, ratios %g to %g\n", forced->ratio_count, forced->ratios[0],
                   forced->ratios[forced->ratio_count - 1]);
    describe_list("amplitude factors", &spec->amplitudes, text);
    describe_list("dampings, 1/s", &spec->dampings, text);
    sg_text_append(text, "branches\t%zu%s\n", forced->branch_count,
                   spec->start == SG_FORCED_CONTINUED ? ", each point from the end of the one before"
                                                      : ", each point from the initial state");
    sg_text_append(text, "lowest frequency\tperiod %.6g s, %zu samples", steady.period, steady.samples);
    if (!isnan(order.step)) sg_text_append(text, ", time step %.6g s", order.step);
    sg_text_append(text, "\nsteady\tat a distance of %g, or a mean energy within %g, or after %lld periods\n",
                   spec->tolerance, spec->mean_tolerance, spec->max_periods);
    sg_text_append(text, "results\t%zu columns of %zu points\n", sg_forced_column_count(), total(self));
}

static void sum_up(const struct sg_points *self, struct sg_text *text)
{
    const struct sg_forced *forced = self->data;
    sg_text_append(text, "periodic\t%llu\n", forced->periodic);
    if (forced->wandering > 0) sg_text_append(text, "of stable mean\t%llu\n", forced->wandering);
    if (forced->neither > 0)
        sg_text_append(text, "not steady\t%llu after %lld periods\n", forced->neither,
                       forced->spec.max_periods);
}

const struct sg_points_ops sg_points_forced_response = {
    .kind = {"forced-response", "steady motions under harmonic loads, swept over the loads' frequency", rows},
    .finds_end = true,
    .create = create,
    .columns = columns,
    .total = total,
    .done = done,
    .apart = &sg_forced_apart,
    .archive = archive,
    .counts = counts,
    .describe = describe,
    .sum_up = sum_up,
};
