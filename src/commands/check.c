/* signorini check: parse, validate and build, without running. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "commands/arguments.h"
#include "commands/commands.h"
#include "commands/load.h"
#include "linalg/eigen.h"
#include "results/recorder.h"
#include "scheduler.h"

static const struct sg_option options[] = {
    {"set", 0, "PATH=VALUE", "change a value of the deck", false},
    {"json", 0, NULL, "print the resolved deck as JSON instead", false},
    {"raw-json", 0, NULL, "print the deck as JSON before validation: no defaults, wrong or not", false},
    {0}};

static const char *class_name(enum sg_matrix_class kind)
{
    static const char *const names[] = {[SG_DIAGONAL] = "diagonal",
                                        [SG_TRIDIAGONAL] = "tridiagonal",
                                        [SG_BANDED] = "banded",
                                        [SG_SPARSE] = "sparse",
                                        [SG_DENSE] = "dense"};
    return names[kind];
}

static void line(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void line(const char *name, const char *format, ...)
{
    va_list args;
    printf("  %-22s ", name);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

static double hertz(double omega)
{
    return omega / (2.0 * acos(-1.0));
}

static bool has_springs(const struct sg_contact_set *set)
{
    for (size_t j = 0; j < set->q; j++)
        if (set->elastic[j]) return true;
    return false;
}

/* rad/s: from the modes if there are any; NaN if it can't be found */
static double lowest_frequency(const struct sg_job *job)
{
    struct sg_error why = {0};
    double lambda = 0.0;
    if (!isnan(job->omega_low)) return job->omega_low;
    sg_status status = sg_eigen_smallest(&job->system->M, &job->system->K, &lambda, &why);
    return status == SG_OK ? sqrt(fmax(lambda, 0.0)) : (double)NAN;
}

static void print_frequencies(const struct sg_job *job, const struct sg_step_sizes *sizes)
{
    double low = lowest_frequency(job);
    if (!isnan(low))
        line("lowest frequency", "%.6g Hz (omega %.6g rad/s)%s", hertz(low), low,
             low <= 1e-6 * sizes->omega_free ? ": a rigid body moves freely" : "");
    line("highest frequency", "%.6g Hz (omega %.7g rad/s)", hertz(sizes->omega_free), sizes->omega_free);
    if (has_springs(job->contacts))
        line("with springs closed", "%.6g Hz (omega %.7g rad/s)", hertz(sizes->omega_closed),
             sizes->omega_closed);
}

static void print_steps(const struct sg_job *job, const struct sg_step_sizes *sizes)
{
    line("step", "%.6g s, %.6g s after events", sizes->step, sizes->contact_step);
    double limit = job->integrator.stability;
    if (isfinite(limit))
        line("critical step", "%.6g s, %.6g s with all springs closed", limit / sizes->omega_free,
             limit / sizes->omega_closed);
    else
        line("critical step", "none: unconditionally stable");
}

/* The gap at the start; a sum of positions that is only rounding counts as closed. */
static double start_gap(const struct sg_job *job, size_t j)
{
    double offset = job->contacts->offset[j];
    double gap = sg_contact_set_gap(job->contacts, j, 0.0, job->system->u0);
    return fabs(gap) < 1e-12 * (1.0 + fabs(offset)) ? 0.0 : gap;
}

static void print_contacts(const struct sg_job *job)
{
    const struct sg_contact_set *set = job->contacts;
    for (size_t j = 0; j < set->q; j++) {
        if (set->elastic[j])
            line(j == 0 ? "contacts" : "", "%s: gap %g m at the start, stiffness %.7g N/m", set->names[j],
                 start_gap(job, j), set->stiffness[j]);
        else
            line(j == 0 ? "contacts" : "", "%s: gap %g m at the start, rigid, restitution %g", set->names[j],
                 start_gap(job, j), set->restitution[j]);
    }
}

static void print_size(const struct sg_job *job, const struct sg_step_sizes *sizes)
{
    struct sg_recorder_spec spec = {.every = job->output.every > 0.0 ? job->output.every : sizes->step,
                                    .end = job->time.end,
                                    .names = job->output.histories.data,
                                    .name_count = job->output.histories.count,
                                    .quantities = &job->quantities,
                                    .impulses = job->impulses,
                                    .labels = &job->labels};
    line("results", "some %.3g MB%s", sg_recorder_predict_bytes(&spec) / 1e6,
         job->output.every > 0.0 ? "" : ", more with many events (output.every = 0 records every step)");
}

static void print_model(const char *path, const struct sg_job *job, const struct sg_step_sizes *sizes)
{
    const struct sg_system *system = job->system;
    printf("%s: ok\n", path);
    line("model", "%zu bod%s, %zu nodes, %zu dofs of which %zu free", system->labels.body_count,
         system->labels.body_count == 1 ? "y" : "ies", system->labels.node_count, system->n_full, system->n);
    line("scheme", "%s x %s: %s", job->cell->integrator, job->cell->strategy, job->cell->scheme);
    if (system->modal != NULL)
        line("operator", "modal, %zu blocks", system->modal->block_count);
    else
        line("operator", "nodal, M %s, K %s", class_name(system->M.kind), class_name(system->K.kind));
    print_frequencies(job, sizes);
    print_steps(job, sizes);
    print_contacts(job);
    print_size(job, sizes);
}

/* what a careful colleague would say */
static void warn(const struct sg_job *job, struct sg_diagnostics *diagnostics)
{
    const struct sg_node *contacts = sg_node_child(sg_deck_root(job->deck), "contacts");
    size_t elastic = 0;
    for (size_t j = 0; j < job->contacts->q; j++) {
        const struct sg_node *node = sg_node_item(contacts, j);
        elastic += job->contacts->elastic[j];
        if (job->contacts->elastic[j] && sg_node_given(node, "restitution"))
            sg_complain_about(diagnostics, SG_WARNING, node, "restitution",
                              "unused: event-driven takes the stiffness where one is given");
    }
    const struct sg_node *integrator = sg_node_child(sg_deck_root(job->deck), "integrator");
    if (job->integrator.ops->needs_modal && elastic > 4)
        sg_complain(
            diagnostics, SG_WARNING, integrator,
            "%zu elastic contacts: each set of closed contacts costs an eigen-decomposition, and 8 are kept",
            elastic);
    if (job->contacts->q == 0)
        sg_complain(diagnostics, SG_WARNING, sg_deck_root(job->deck), "the model has no contacts");
}

/* Half a period is the shortest contact that a spring can make. */
static void warn_of_coarse_steps(const struct sg_job *job, const struct sg_step_sizes *sizes,
                                 struct sg_diagnostics *diagnostics)
{
    double half = acos(-1.0) / sizes->omega_closed;
    if (!has_springs(job->contacts) || !(sizes->contact_step > half)) return;
    const char *keyword = !isnan(job->time.contact_step) ? "contact_step"
                          : !isnan(job->time.step)       ? "step"
                                                         : "points_per_period";
    sg_complain_about(diagnostics, SG_WARNING, sg_node_child(sg_deck_root(job->deck), "time"), keyword,
                      "the step of %g s after events is longer than half the shortest period with springs "
                      "closed, %g s: contacts are not resolved",
                      sizes->contact_step, half);
}

static sg_status no_step(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                         int localized, struct sg_error *err)
{
    (void)self, (void)now, (void)sampler, (void)localized, (void)err;
    return SG_OK;
}

static sg_status build_and_print(const char *path, const struct sg_deck *deck,
                                 struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_job job;
    struct sg_observer observer = {.step = no_step};
    struct sg_step_sizes sizes;
    sg_status status = sg_job_build(&job, deck, diagnostics, err);
    if (status == SG_OK) status = sg_job_attach(&job, observer, diagnostics, err);
    if (status == SG_OK) status = sg_step_sizes_find(job.system, job.contacts, &job.time, &sizes, err);
    if (status == SG_OK) {
        warn(&job, diagnostics);
        warn_of_coarse_steps(&job, &sizes, diagnostics);
        print_model(path, &job, &sizes);
    }
    sg_job_release(&job);
    return status;
}

static void print_json(const struct sg_deck *deck)
{
    struct sg_text text = {0};
    sg_deck_print_json(deck, &text);
    fputs(sg_text_view(&text), stdout);
    sg_text_release(&text);
}

static sg_status check_deck(const char *path, const struct sg_arguments *arguments, struct sg_error *err)
{
    struct sg_deck *deck = NULL;
    struct sg_diagnostics diagnostics = {0};
    struct sg_overrides overrides;
    TRY(sg_overrides_init(&overrides, arguments, err));
    bool raw = sg_arguments_has(arguments, "raw-json"), json = sg_arguments_has(arguments, "json");
    sg_status status = raw ? sg_read_deck(path, &overrides, &deck, &diagnostics, err)
                           : sg_load_deck(path, &overrides, &deck, &diagnostics, err);
    if (status == SG_OK && (raw || json))
        print_json(deck);
    else if (status == SG_OK)
        status = build_and_print(path, deck, &diagnostics, err);
    sg_report(&diagnostics, status, err);
    sg_overrides_release(&overrides);
    sg_deck_destroy(deck);
    sg_diagnostics_release(&diagnostics);
    return status;
}

static sg_status body(const struct sg_arguments *arguments, struct sg_error *err)
{
    TRY(sg_arguments_expect(arguments, 1, 100000, err));
    sg_status worst = SG_OK;
    for (size_t i = 0; i < arguments->word_count; i++) {
        sg_status status = check_deck(arguments->words[i], arguments, err);
        if (status != SG_OK && status != SG_BAD_DECK) return status;
        if (status != SG_OK) worst = status;
    }
    return worst;
}

int sg_command_check(int argc, char **argv)
{
    static const struct sg_command_frame frame = {"DECK... [--set PATH=VALUE]... [--json]",
                                                  "checks decks and builds their models without running",
                                                  options, body};
    return sg_command_run(&frame, argc, argv);
}
