#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "commands/check.h"
#include "linalg/eigen.h"
#include "results/file_size.h"
#include "results/recorder.h"
#include "strategies/critical_step.h"
#include "strategies/time_stepping/stop_criterion.h"
#include "support/constants.h"

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
    return omega / (2.0 * SG_PI);
}

bool sg_check_has_springs(const struct sg_job *job)
{
    const struct sg_contact_set *set = job->contacts;
    for (size_t j = 0; j < set->q && !job->strategy.ops->own_systems; j++)
        if (set->sprung[j]) return true;
    return false;
}

/* --- figures -------------------------------------------------------------------------------------- */

/* rad/s: from the modes if there are any; NaN if it can't be found, or is none */
static double lowest_frequency(const struct sg_job *job, const struct sg_matrix *k)
{
    struct sg_error why = {0};
    double lambda = 0.0;
    if (!isnan(job->omega_low)) return job->omega_low;
    sg_status status = sg_eigen_smallest(&job->system->M, k, &lambda, &why);
    return status == SG_OK && lambda >= 0.0 ? sqrt(lambda) : (double)NAN;
}

/* rad/s; NaN where stiffness over mass is beyond the reals, or nearly so: such a model can still run */
static sg_status highest_frequency(const struct sg_critical_spec *spec, double *omega, struct sg_error *err)
{
    struct sg_error why = {0};
    struct sg_critical_step found;
    sg_status status = sg_critical_step_find(spec, &found, &why);
    *omega = status == SG_OK ? found.omega : (double)NAN;
    if (status == SG_OK || status == SG_NO_SOLUTION) return SG_OK;
    *err = why;
    return status;
}

static sg_status find_frequencies(struct sg_check_figures *figures, const struct sg_job *job,
                                  struct sg_error *err)
{
    struct sg_critical_spec spec = {.system = job->system, .stability = HUGE_VAL}, closed = spec;
    TRY(highest_frequency(&spec, &figures->high, err));
    if (job->spring_stiffness != NULL) {
        closed.contacts = job->contacts;
        closed.contact_stiffness = job->spring_stiffness;
        TRY(highest_frequency(&closed, &figures->sizes.omega_closed, err));
    }
    if (job->system->modal != NULL) {
        figures->low = job->omega_low;
        return SG_OK;
    }
    struct sg_critical_matrices at;
    sg_status status = sg_critical_matrices_init(&at, &spec, err);
    if (status == SG_OK) figures->low = lowest_frequency(job, at.K);
    sg_critical_matrices_release(&at);
    return status;
}

sg_status sg_check_figures_find(struct sg_check_figures *figures, const struct sg_job *job,
                                struct sg_error *err)
{
    *figures =
        (struct sg_check_figures){.stepping = job->cell->strategy->fixed_steps, .step = job->time.step};
    if (job->system->singular_mass) {
        figures->low = figures->high = NAN;
        return SG_OK;
    }
    if (figures->stepping) return find_frequencies(figures, job, err);
    const struct sg_contact_set none = {.q = 0};
    const struct sg_contact_set *contacts = job->strategy.ops->own_systems ? &none : job->contacts;
    TRY(sg_step_sizes_find(job->system, contacts, &job->time, &figures->sizes, err));
    figures->low = lowest_frequency(job, &job->system->K);
    figures->high = figures->sizes.omega_free;
    figures->step = figures->sizes.step;
    return SG_OK;
}

/* --- lines ---------------------------------------------------------------------------------------- */

static void print_frequencies(const struct sg_job *job, const struct sg_check_figures *figures)
{
    const char *when = job->system->elements.count > 0 ? ", at the start" : "";
    if (job->system->singular_mass) {
        line("frequencies", "not computed: massless dofs make some frequencies infinite");
        return;
    }
    if (job->system->constraints.count > 0) when = ", without the constraints";
    size_t growing = job->system->growing;
    if (growing > 0)
        line("stiffness", "%zu negative eigenvalue%s: %s by %s", growing, growing == 1 ? "" : "s",
             growing == 1 ? "a motion grows" : "motions grow", growing == 1 ? "itself" : "themselves");
    else if (!isnan(figures->low))
        line("lowest frequency", "%.6g Hz (omega %.6g rad/s)%s%s", hertz(figures->low), figures->low, when,
             figures->low <= 1e-6 * figures->high ? ": a rigid body moves freely" : "");
    if (isnan(figures->high))
        line("highest frequency", "too high to be computed: units or stiffnesses may be wrong");
    else
        line("highest frequency", "%.6g Hz (omega %.7g rad/s)%s", hertz(figures->high), figures->high, when);
    if (figures->sizes.omega_closed > 0.0 && sg_check_has_springs(job))
        line("with springs closed", "%.6g Hz (omega %.7g rad/s)", hertz(figures->sizes.omega_closed),
             figures->sizes.omega_closed);
}

/* when the contact step holds, as that step is printed */
static const char *contact_step_holds(const struct sg_time_spec *time)
{
    if (time->contact_increments >= 0) return "after events";
    bool follows = time->contact_increments == SG_REDUCED_BY_CLOSED && isnan(time->step);
    return follows ? "while all springs are closed" : "while a contact is closed";
}

static void print_event_steps(const struct sg_job *job, const struct sg_step_sizes *sizes)
{
    line("step", "%.6g s, %.6g s %s", sizes->step, sizes->contact_step, contact_step_holds(&job->time));
    if (isnan(job->time.step) && sizes->load_step < sizes->step)
        line("step of the loads", "%.6g s: a twentieth of their shortest period", sizes->load_step);
    double limit = job->integrator.stability;
    if (isfinite(limit))
        line("critical step", "%.6g s, %.6g s with all springs closed", limit / sizes->omega_free,
             limit / sizes->omega_closed);
    else
        line("critical step", "none: unconditionally stable");
}

static void print_steps(const struct sg_job *job, const struct sg_check_figures *figures)
{
    if (!figures->stepping) {
        print_event_steps(job, &figures->sizes);
        return;
    }
    const struct sg_critical_step *critical = &job->critical;
    const char *when = job->system->elements.count > 0 ? ", at the start" : "";
    if (sg_check_is_penalty(job)) when = " with all springs closed";
    double steps = fmax(1.0, ceil(job->time.end / figures->step - 1e-9));
    line("step", "%.6g s, %.0f step%s to %g s", figures->step, steps, steps == 1.0 ? "" : "s", job->time.end);
    if (!isfinite(job->integrator.stability))
        line("critical step", "none: unconditionally stable");
    else if (!isfinite(critical->step))
        line("critical step", "none: nothing vibrates%s", when);
    else
        line("critical step", "%.6g s%s%s: the step is %.4g of it", critical->step,
             critical->damped ? " with damping" : "", when, figures->step / critical->step);
}

static void print_mass(const struct sg_job *job)
{
    const struct sg_mass_scaling *scaling = &job->scaling;
    if (job->lumped) line("mass", "lumped by row sums, for a diagonal matrix");
    if (scaling->total > 0.0)
        line("mass added", "%.4g kg at %zu node%s, %.3g %% of %.6g kg", scaling->added, scaling->nodes,
             scaling->nodes == 1 ? "" : "s", 100.0 * scaling->added / scaling->total, scaling->total);
}

static void print_stop(const struct sg_job *job)
{
    struct sg_stop_criterion stop;
    sg_stop_criterion_init(&stop, job->time.stop);
    if (stop.on && job->cell->strategy->fixed_steps)
        line("stop", "once damping gives less than %g of the contacts' impulse during %g s",
             stop.spec.tolerance, stop.spec.period);
}

/* redundant rows are refused: all that are there count */
static void print_constraints(const struct sg_job *job)
{
    const struct sg_constraints *set = &job->system->constraints;
    if (set->count == 0) return;
    line("constraints", "%zu row%s of %zu item%s, rank %zu: %zu of %zu free dofs left", set->count,
         set->count == 1 ? "" : "s", set->items, set->items == 1 ? "" : "s", set->count,
         job->system->n - set->count, job->system->n);
}

/* The gap at the start; a sum of positions that is only rounding counts as closed. */
static double start_gap(const struct sg_job *job, size_t j)
{
    double offset = job->contacts->offset[j];
    double gap = sg_contact_set_gap(job->contacts, j, 0.0, job->system->u0);
    return fabs(gap) < 1e-12 * (1.0 + fabs(offset)) ? 0.0 : gap;
}

/* A line an entry of the deck, also where that is a contact a node of a set. */
static sg_status print_contacts(const struct sg_job *job, struct sg_error *err)
{
    const struct sg_contact_set *set = job->contacts;
    for (size_t j = 0, next = 0; j < set->q; j = next) {
        SG_LOCAL_TEXT(text);
        double gap = start_gap(job, j);
        sg_check_write_law(job, j, &text);
        TRY(sg_text_check(&text, err));
        const char *law = sg_text_view(&text);
        for (next = j + 1; next < set->q && set->entry[next] == set->entry[j]; next++)
            gap = fmin(gap, start_gap(job, next));
        const char *label = j == 0 ? "contacts" : "";
        if (next == j + 1)
            line(label, "%s: gap %g m at the start, %s", set->names[j], gap, law);
        else
            line(label, "%s to %s, %zu contacts: gap %g m at the start at the least, each %s", set->names[j],
                 set->names[next - 1], next - j, gap, law);
    }
    return SG_OK;
}

/* What holds where one impact makes others: a word on the law, of contacts that bounce. */
static void print_impact_law(const struct sg_job *job)
{
    size_t rigid = 0;
    for (size_t j = 0; j < job->contacts->q; j++)
        rigid += !job->contacts->sprung[j] && job->contacts->laws[j].ops != NULL;
    bool bounces = !job->cell->strategy->fixed_steps || sg_check_bounces(job);
    if (rigid > 1 && bounces && !job->strategy.ops->own_systems)
        line("impacts at once", "Newton's law for each contact that pushes, all reactions found together");
}

static void print_size(const struct sg_job *job, const struct sg_check_figures *figures)
{
    struct sg_recorder_spec spec = {.every = job->output.every > 0.0 ? job->output.every : figures->step,
                                    .end = job->time.end,
                                    .names = job->output.histories.data,
                                    .name_count = job->output.histories.count,
                                    .quantities = &job->quantities,
                                    .impulses = job->impulses,
                                    .labels = &job->labels};
    bool events = job->output.every <= 0.0 && !figures->stepping;
    if (job->labels.storey_count > 0)
        line("storeys", "%zu, %s to %s: histories drift and, on request, drift_ratio",
             job->labels.storey_count, job->labels.storey_names[0],
             job->labels.storey_names[job->labels.storey_count - 1]);
    line("results", "some %.3g MB%s", sg_results_predict_bytes(&spec) / 1e6,
         events ? ", more with many events (output.every = 0 records every step)" : "");
}

static void print_scheme(const struct sg_job *job)
{
    const struct sg_grid_cell *cell = job->cell;
    const char *integrator = cell->integrator->kind.name, *strategy = cell->strategy->kind.name;
    if (sg_grid_formulation(cell) == NULL)
        line("scheme", "%s x %s: %s", integrator, strategy, cell->scheme);
    else
        line("scheme", "%s x %s, %s %s: %s", integrator, strategy, sg_grid_formulation(cell),
             cell->strategy->formulation_keyword, cell->scheme);
}

sg_status sg_check_print_lines(const struct sg_text *lines, struct sg_error *err)
{
    TRY(sg_text_check(lines, err));
    for (const char *text = sg_text_view(lines); *text != '\0'; text += strcspn(text, "\n") + 1) {
        int name = (int)strcspn(text, "\t"), value = (int)strcspn(text + name + 1, "\n");
        printf("  %-22.*s %.*s\n", name, text, value, text + name + 1);
    }
    return SG_OK;
}

sg_status sg_check_print(const char *path, const struct sg_job *job, const struct sg_check_figures *figures,
                         struct sg_error *err)
{
    const struct sg_system *system = job->system;
    printf("%s: ok\n", path);
    line("model", "%zu bod%s, %zu nodes, %zu dofs of which %zu free", system->labels.body_count,
         system->labels.body_count == 1 ? "y" : "ies", system->labels.node_count, system->n_full, system->n);
    print_scheme(job);
    if (system->modal != NULL)
        line("operator", "modal, %zu blocks", system->modal->block_count);
    else
        line("operator", "nodal, M %s, K %s", class_name(system->M.kind), class_name(system->K.kind));
    print_mass(job);
    print_frequencies(job, figures);
    print_steps(job, figures);
    print_stop(job);
    print_constraints(job);
    TRY(print_contacts(job, err));
    print_impact_law(job);
    print_size(job, figures);
    return SG_OK;
}
