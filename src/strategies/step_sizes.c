#include "strategies/step_sizes.h"

#include <float.h>
#include <math.h>

#include "linalg/eigen.h"
#include "linalg/matrix.h"
#include "strategies/time_stepping/first_step.h"
#include "support/arena.h"
#include "support/constants.h"
#include "support/memory.h"

/* The springs' stiffnesses, 0 for rigid contacts: caller frees. */
static sg_status spring_stiffness(const struct sg_contact_set *contacts, double **kappa, struct sg_error *err)
{
    TRY(SG_NEW(kappa, contacts->q, err));
    for (size_t j = 0; j < contacts->q; j++)
        (*kappa)[j] = contacts->sprung[j] ? sg_law_stiffness(&contacts->laws[j]) : 0.0;
    return SG_OK;
}

static void add_springs(const struct sg_columns *w, const double *kappa, struct sg_triplets *t)
{
    for (size_t j = 0; j < w->q; j++)
        for (size_t a = w->start[j]; a < w->start[j + 1]; a++)
            for (size_t b = w->start[j]; b <= a; b++) {
                double value = kappa[j] * w->value[a] * w->value[b];
                sg_triplets_add(t, w->row[a], w->row[b], value);
            }
}

sg_status sg_closed_stiffness(struct sg_arena *arena, const struct sg_matrix *k, const struct sg_columns *w,
                              const double *stiffness, struct sg_matrix *closed, struct sg_error *err)
{
    struct sg_arena scratch = {0};
    struct sg_triplets t = {.arena = &scratch, .n = k->n};
    sg_matrix_to_triplets(k, &t);
    add_springs(w, stiffness, &t);
    sg_status status = t.failed ? sg_fail(err, SG_NO_MEMORY, "out of memory for the closed stiffness matrix")
                                : sg_matrix_init(arena, closed, &t, sg_triplets_class(&t), err);
    sg_arena_release(&scratch);
    return status;
}

/* nodal coordinates */
static sg_status closed_nodal(const struct sg_system *system, const struct sg_columns *w, const double *kappa,
                              double *lambda, struct sg_error *err)
{
    struct sg_arena scratch = {0};
    struct sg_matrix closed = {0};
    sg_status status = sg_closed_stiffness(&scratch, &system->K, w, kappa, &closed, err);
    if (status == SG_OK) status = sg_eigen_largest(&system->M, &closed, lambda, err);
    sg_arena_release(&scratch);
    return status;
}

/* largest frequency of K + W kappa W^T against M: all springs closed */
static sg_status closed_frequency(const struct sg_system *system, const struct sg_contact_set *contacts,
                                  double *omega, struct sg_error *err)
{
    double lambda = 0.0, *kappa = NULL;
    TRY(spring_stiffness(contacts, &kappa, err));
    bool modal = system->modal != NULL;
    sg_status status = modal ? sg_eigen_largest_lowrank(system->K.diag, &contacts->w, kappa, &lambda, err)
                             : closed_nodal(system, &contacts->w, kappa, &lambda, err);
    sg_free(kappa);
    *omega = sqrt(fmax(lambda, 0.0));
    return status;
}

static bool any_elastic(const struct sg_contact_set *contacts)
{
    for (size_t j = 0; j < contacts->q; j++)
        if (contacts->sprung[j]) return true;
    return false;
}

sg_status sg_step_sizes_find(const struct sg_system *system, const struct sg_contact_set *contacts,
                             const struct sg_time_spec *time, struct sg_step_sizes *sizes,
                             struct sg_error *err)
{
    double lambda = 0.0, turn = 2.0 * SG_PI / time->points_per_period;
    *sizes = (struct sg_step_sizes){.omega_free = NAN};
    TRY(sg_eigen_largest(&system->M, &system->K, &lambda, err));
    sizes->omega_free = sizes->omega_closed = sqrt(fmax(lambda, 0.0));
    if (any_elastic(contacts)) TRY(closed_frequency(system, contacts, &sizes->omega_closed, err));
    bool free_given = !isnan(time->step), contact_given = !isnan(time->contact_step);
    sizes->load_step = sg_system_longest_step(system, 0.0);
    sizes->step = free_given ? time->step : turn / sizes->omega_free;
    sizes->contact_step = contact_given ? time->contact_step
                          : free_given  ? time->step
                                        : turn / sizes->omega_closed;
    if (!free_given && !(sizes->omega_free > 0.0))
        FAIL(err, SG_BAD_DECK, "a step is needed: the model has no stiffness to derive one from");
    return SG_OK;
}

/* --- whether a run can go with them --------------------------------------------------------------- */

/* one of the two steps, and where it comes from */
struct origin {
    const struct sg_setting *group; /* the deck's `time` */
    const char *name, *keyword;
    const char *frequency; /* whose highest limits it */
    double step, omega;
};

static void check_stable(const struct sg_run *run, const struct origin *from)
{
    double limit = run->integrator->stability;
    if (!(from->omega * from->step > limit * (1.0 + 1e-12))) return;
    sg_complain_about(run->diagnostics, SG_ERROR, from->group, from->keyword,
                      "the %s of %g s is beyond the stability limit %g s of integrator '%s'", from->name,
                      from->step, limit / from->omega, run->integrator->ops->kind.name);
    sg_hint(run->diagnostics, "the limit is %.6g / omega, omega = %.6g rad/s the highest frequency %s", limit,
            from->omega, from->frequency);
}

/* t + h must differ from t up to the end */
static void check_advances(const struct sg_run *run, const struct origin *from)
{
    if (from->step >= 2.0 * DBL_EPSILON * run->time.end) return;
    sg_complain_about(run->diagnostics, SG_ERROR, from->group, from->keyword,
                      "the %s of %g s vanishes beside the end time %g s: time would not advance", from->name,
                      from->step, run->time.end);
}

sg_status sg_step_sizes_init(const struct sg_run *run, struct sg_step_sizes *sizes, struct sg_error *err)
{
    const struct sg_setting *group = sg_setting_child(sg_deck_root(run->deck), "time");
    bool free_given = !isnan(run->time.step), contact_given = !isnan(run->time.contact_step);
    size_t errors = run->diagnostics->errors;
    sg_status status = sg_step_sizes_find(run->system, run->contacts, &run->time, sizes, err);
    if (status == SG_BAD_DECK) sg_complain_about(run->diagnostics, SG_ERROR, group, "step", "%s", err->text);
    if (status == SG_NO_SOLUTION) {
        sg_complain_about(run->diagnostics, SG_ERROR, sg_deck_root(run->deck),
                          isnan(sizes->omega_free) ? "bodies" : "contacts",
                          "the highest frequency can't be computed: %s", err->text);
        sg_hint(run->diagnostics, "a stiffness or a mass seems to be out of all proportion");
        status = SG_BAD_DECK;
    }
    TRY(status);
    const char *by_default = free_given ? "step" : "points_per_period";
    struct origin free_step = {group, "step", by_default, "without contact", sizes->step, sizes->omega_free};
    struct origin contact_step = {group,
                                  "contact step",
                                  contact_given ? "contact_step" : by_default,
                                  "with all springs closed",
                                  sizes->contact_step,
                                  sizes->omega_closed};
    check_advances(run, &free_step);
    check_stable(run, &free_step);
    /* a contact step that only repeats the step's fault is not told again */
    if (run->diagnostics->errors == errors || contact_given) {
        check_advances(run, &contact_step);
        check_stable(run, &contact_step);
    }
    if (run->diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the deck's steps are wrong");
}

sg_status sg_step_sizes_try(const struct sg_run *run, const struct sg_step_sizes *sizes, struct sg_error *err)
{
    const struct sg_time_spec *time = &run->time;
    const char *keyword = isnan(time->step) ? "points_per_period" : "step";
    TRY(sg_first_step_try(run, keyword, sizes->step, err));
    if (run->contacts->q == 0 || sizes->contact_step == sizes->step) return SG_OK;
    if (!isnan(time->contact_step)) keyword = "contact_step";
    return sg_first_step_try(run, keyword, sizes->contact_step, err);
}
