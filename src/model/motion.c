/* Prescribed motions of a system, and what follows them. */
#include <stdint.h>

#include "model/system.h"

double *sg_motion_column(const struct sg_motion *motion, enum sg_matrix_role role)
{
    switch (role) {
    case SG_MASS:
        return motion->mass;
    case SG_DAMPING:
        return motion->damping;
    case SG_STIFFNESS:
        break;
    }
    return motion->stiffness;
}

double sg_system_motion(const struct sg_system *system, size_t m, double t, int order)
{
    const struct sg_motion *motion = &system->motions[m];
    struct sg_signal_value value = sg_signal_at(&system->signals[motion->signal], t);
    return sg_signal_pick(&value, (enum sg_signal_order)((int)motion->order + order));
}

void sg_system_ground(const struct sg_system *system, double t, int order, double x[3])
{
    x[0] = x[1] = x[2] = 0;
    for (size_t k = 0; k < system->ground_count; k++) {
        const struct sg_ground *ground = &system->grounds[k];
        struct sg_signal_value value = sg_signal_at(&system->signals[ground->signal], t);
        double s = sg_signal_pick(&value, (enum sg_signal_order)(order - 2));
        for (size_t d = 0; d < system->dim; d++) x[d] += s * ground->direction[d];
    }
}

size_t sg_system_leader(const struct sg_system *system, size_t dof)
{
    for (size_t k = 0; k < system->tie_count; k++)
        if (system->ties[k].slave == dof) return system->ties[k].master;
    return dof;
}

void sg_system_complete(const struct sg_system *system, const double *nodal, const double *p, double *full)
{
    for (size_t i = 0; i < system->n_full; i++) {
        size_t j = system->free_of_full[i];
        full[i] = j == SIZE_MAX ? 0 : nodal[j];
    }
    for (size_t m = 0; m < system->motion_count; m++) full[system->motions[m].dof] = p[m];
    for (size_t k = 0; k < system->tie_count; k++) full[system->ties[k].slave] = full[system->ties[k].master];
}
