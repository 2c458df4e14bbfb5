#include "strategies/step_sizes.h"

#include <math.h>

#include "linalg/eigen.h"
#include "linalg/matrix.h"
#include "support/memory.h"

/* The springs' stiffnesses, 0 for rigid contacts: caller frees. */
static sg_status spring_stiffness(const struct sg_contact_set *contacts, double **kappa, struct sg_error *err)
{
    TRY(SG_NEW(kappa, contacts->q, err));
    for (size_t j = 0; j < contacts->q; j++)
        (*kappa)[j] = contacts->elastic[j] ? contacts->stiffness[j] : 0.0;
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

/* nodal coordinates: the closed stiffness as a matrix of its own */
static sg_status closed_nodal(const struct sg_system *system, const struct sg_columns *w, const double *kappa,
                              double *lambda, struct sg_error *err)
{
    struct sg_triplets t = {.n = system->n};
    struct sg_matrix closed = {0};
    sg_matrix_to_triplets(&system->K, &t);
    add_springs(w, kappa, &t);
    sg_status status = t.failed ? sg_fail(err, SG_NO_MEMORY, "out of memory for the closed stiffness matrix")
                                : sg_matrix_init(&closed, &t, sg_triplets_class(&t), err);
    if (status == SG_OK) status = sg_eigen_largest(&system->M, &closed, lambda, err);
    sg_matrix_release(&closed);
    sg_triplets_release(&t);
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
        if (contacts->elastic[j]) return true;
    return false;
}

sg_status sg_step_sizes_find(const struct sg_system *system, const struct sg_contact_set *contacts,
                             const struct sg_time_spec *time, struct sg_step_sizes *sizes,
                             struct sg_error *err)
{
    double lambda = 0.0, turn = 2.0 * acos(-1.0) / time->points_per_period;
    *sizes = (struct sg_step_sizes){0};
    TRY(sg_eigen_largest(&system->M, &system->K, &lambda, err));
    sizes->omega_free = sizes->omega_closed = sqrt(fmax(lambda, 0.0));
    if (any_elastic(contacts)) TRY(closed_frequency(system, contacts, &sizes->omega_closed, err));
    bool free_given = !isnan(time->step), contact_given = !isnan(time->contact_step);
    sizes->step = free_given ? time->step : turn / sizes->omega_free;
    sizes->contact_step = contact_given ? time->contact_step
                          : free_given  ? time->step
                                        : turn / sizes->omega_closed;
    if (!free_given && !(sizes->omega_free > 0.0))
        FAIL(err, SG_BAD_DECK, "time.step is needed: the model has no stiffness to derive a step from");
    return SG_OK;
}
