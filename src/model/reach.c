#include <math.h>

#include "model/system.h"

/* kg, kg m^2: of the full model, so that bodies on a held axis have theirs too */
static double own_mass(const struct sg_system *system, size_t full)
{
    double sum = 0.0;
    for (size_t k = 0; k < system->mass_full.count; k++)
        if (system->mass_full.row[k] == full && system->mass_full.column[k] == full)
            sum += system->mass_full.value[k];
    return sum;
}

static double reach_of(const struct sg_system *system, size_t full)
{
    if (system->places[full].axis != SG_ROTATION) return 1.0;
    size_t node = (size_t)system->places[full].node;
    double reach = sqrt(own_mass(system, full) / own_mass(system, sg_system_dof(system, node, 0)));
    return reach > 0.0 && reach < HUGE_VAL ? reach : 1.0;
}

static void find_modes(const struct sg_system *system, double *reach)
{
    const struct sg_modal *modal = system->modal;
    for (size_t i = 0; i < system->n; i++) reach[i] = 0.0;
    for (size_t b = 0; b < modal->block_count; b++) {
        const struct sg_modal_block *block = &modal->blocks[b];
        double *of = reach + block->first;
        for (size_t k = 0; k < block->size; k++) {
            double by = reach_of(system, system->free_dof[block->dof[k]]);
            for (size_t j = 0; j < block->size; j++)
                of[j] = fmax(of[j], by * fabs(block->phi[j * block->size + k]));
        }
    }
}

void sg_system_reach(const struct sg_system *system, double *reach)
{
    if (system->modal != NULL)
        find_modes(system, reach);
    else
        for (size_t i = 0; i < system->n; i++) reach[i] = reach_of(system, system->free_dof[i]);
}
