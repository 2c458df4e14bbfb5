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

struct sg_touch sg_touch_none(void)
{
    return (struct sg_touch){HUGE_VAL, 1.0};
}

void sg_touch_add(struct sg_touch *touch, double gap, double sway)
{
    double amplitude = gap / fabs(sway);
    if (sway == 0.0 || amplitude >= touch->amplitude) return;
    *touch = (struct sg_touch){amplitude, sway > 0.0 ? 1.0 : -1.0};
}

double sg_touch_energy(const struct sg_touch *touch, double omega)
{
    return 0.5 * touch->amplitude * touch->amplitude * omega * omega;
}

/* Measures the mode phi (n) of mass 1: with the amplitude a its gaps are g_j + a w_j . phi cos, so that the
 * first is touched at a = g_j / |w_j . phi|, with the energy a^2 omega^2 / 2. */
static void measure(const struct sg_contact_set *contacts, const double *phi, struct sg_grazing_mode *mode)
{
    struct sg_touch touch = sg_touch_none();
    for (size_t j = 0; j < contacts->q; j++)
        sg_touch_add(&touch, contacts->offset[j], sg_columns_dot(&contacts->w, j, phi));
    if (touch.amplitude < HUGE_VAL) mode->energy = sg_touch_energy(&touch, mode->omega);
}

static sg_status find(const struct sg_modal *modal, const struct sg_system *system,
                      const struct sg_contact_set *contacts, struct sg_grazing_mode *mode,
                      struct sg_error *err)
{
    size_t n = system->n, first = lowest(modal->k, n);
    SG_LOCAL_ARENA(arena);
    double *unit = NULL, *phi = NULL;
    if (first == n) return SG_OK;
    mode->omega = sqrt(modal->k[first]);
    TRY(SG_ARENA_NEW(&arena, &unit, n, err));
    TRY(SG_ARENA_NEW(&arena, &phi, n, err));
    unit[first] = 1.0;
    if (system->modal == NULL) sg_modal_expand(modal, unit, phi);
    measure(contacts, system->modal == NULL ? phi : unit, mode);
    return SG_OK;
}

sg_status sg_grazing_mode_find(const struct sg_system *system, const struct sg_contact_set *contacts,
                               struct sg_grazing_mode *mode, struct sg_error *err)
{
    *mode = (struct sg_grazing_mode){NAN, NAN};
    if (system->modal != NULL) return find(system->modal, system, contacts, mode, err);
    SG_LOCAL_ARENA(scratch);
    struct sg_modal *modal = NULL;
    TRY(sg_modal_create(&scratch, &system->M, &system->K, &modal, err));
    return find(modal, system, contacts, mode, err);
}
