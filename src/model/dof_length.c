/* Lengths by which the solver's coordinates are made comparable. A tolerance on displacements needs metres,
 * but a unit of a rotation moves points by their distance from the node, and a unit of a modal amplitude by
 * the shape of its mode. The length of a rotation is the radius of gyration, sqrt(J / m): a body that turns
 * at omega then has the energy of one that flies at omega times this length. Of mode j it is max_i length_i
 * |Phi_ij|, the farthest that a unit of it moves any dof. */
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

static double length_of(const struct sg_system *system, size_t full)
{
    if (system->places[full].axis != SG_ROTATION) return 1.0;
    size_t node = (size_t)system->places[full].node;
    double length = sqrt(own_mass(system, full) / own_mass(system, sg_system_dof(system, node, 0)));
    return length > 0.0 && length < HUGE_VAL ? length : 1.0;
}

static void find_modes(const struct sg_system *system, double *length)
{
    const struct sg_modal *modal = system->modal;
    for (size_t i = 0; i < system->n; i++) length[i] = 0.0;
    for (size_t b = 0; b < modal->block_count; b++) {
        const struct sg_modal_block *block = &modal->blocks[b];
        double *of = length + block->first;
        for (size_t k = 0; k < block->size; k++) {
            double by = length_of(system, system->free_dof[block->dof[k]]);
            for (size_t j = 0; j < block->size; j++)
                of[j] = fmax(of[j], by * fabs(block->phi[j * block->size + k]));
        }
    }
}

void sg_system_dof_lengths(const struct sg_system *system, double *length)
{
    if (system->modal != NULL)
        find_modes(system, length);
    else
        for (size_t i = 0; i < system->n; i++) length[i] = length_of(system, system->free_dof[i]);
}
