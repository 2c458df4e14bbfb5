#include "analyses/grazing_mode.h"

#include <math.h>

#include "support/memory.h"

/* the index of the lowest k above 0; n: none */
static size_t lowest(const double *k, size_t n)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++)
        if (k[i] > 0.0 && (best == n || k[i] < k[best])) best = i;
    return best;
}

/* `phi` (n) has the mass 1: a phi sin(omega t) has the energy (a omega)^2 / 2, and touches where
 * a |w . phi| is the gap at rest. */
static void measure(const struct sg_contact_set *contacts, const double *phi, struct sg_grazing_mode *mode)
{
    for (size_t j = 0; j < contacts->q; j++) {
        double reach = fabs(sg_columns_dot(&contacts->w, j, phi)), gap = contacts->offset[j];
        if (reach == 0.0) continue;
        double a = gap / reach, energy = 0.5 * a * a * mode->omega * mode->omega;
        mode->energy = fmin(mode->energy, energy);
    }
}

static sg_status find(const struct sg_modal *modal, const struct sg_system *system,
                      const struct sg_contact_set *contacts, struct sg_grazing_mode *mode,
                      struct sg_error *err)
{
    size_t n = system->n, first = lowest(modal->k, n);
    double *unit = NULL, *phi = NULL;
    if (first == n) return SG_OK;
    mode->omega = sqrt(modal->k[first]);
    sg_status status = SG_NEW(&unit, n, err);
    if (status == SG_OK) status = SG_NEW(&phi, n, err);
    if (status == SG_OK) {
        unit[first] = 1.0;
        if (system->modal == NULL) sg_modal_expand(modal, unit, phi);
        measure(contacts, system->modal == NULL ? phi : unit, mode);
    }
    sg_free(unit);
    sg_free(phi);
    return status;
}

sg_status sg_grazing_mode_find(const struct sg_system *system, const struct sg_contact_set *contacts,
                               struct sg_grazing_mode *mode, struct sg_error *err)
{
    *mode = (struct sg_grazing_mode){NAN, NAN};
    if (system->modal != NULL) return find(system->modal, system, contacts, mode, err);
    struct sg_modal *modal = NULL;
    sg_status status = sg_modal_create(&system->M, &system->K, &modal, err);
    if (status == SG_OK) status = find(modal, system, contacts, mode, err);
    sg_modal_destroy(modal);
    return status;
}
