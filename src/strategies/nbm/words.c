#include <math.h>

#include "linalg/eigen.h"
#include "strategies/nbm/nbm.h"

/* --- quantities ----------------------------------------------------------------------------------- */

static void fill_switching(const void *owner, const struct sg_snapshot *at, double *row)
{
    (void)owner;
    row[0] = at->switching;
}

static void fill_residual(const void *owner, const struct sg_snapshot *at, double *row)
{
    const struct sg_strategy *self = owner;
    struct sg_nbm *nbm = self->data;
    struct sg_error unheard = {0};
    enum sg_nodal_phase phase = at->active[0] ? SG_ACTIVE : SG_INACTIVE;
    if (sg_nbm_residual(nbm, phase, &(struct sg_nbm_motion){at->t, at->u, at->v}, row, &unheard) != SG_OK)
        row[0] = NAN;
}

void sg_nbm_register(const struct sg_strategy *self, const struct sg_registration *of,
                     struct sg_quantities *list)
{
    (void)of;
    struct sg_quantity jumps = {
        .name = "energy/switching",
        .unit = "J",
        .description = "energy taken (< 0) and given where the phase changes, so far; a part of numerical",
        .fill = fill_switching,
        .owner = self};
    struct sg_quantity residual = {.name = "residual",
                                   .unit = "N^2 m^3",
                                   .description = "residual estimator of free motion",
                                   .on_request = true,
                                   .fill = fill_residual,
                                   .owner = self};
    sg_quantities_add(list, jumps);
    sg_quantities_add(list, residual);
}

/* --- check ---------------------------------------------------------------------------------------- */

/* Finds the lowest and the highest frequency, rad/s. */
static sg_status frequencies(const struct sg_system *system, double omega[2], struct sg_error *err)
{
    TRY(sg_eigen_smallest(&system->M, &system->K, &omega[0], err));
    TRY(sg_eigen_largest(&system->M, &system->K, &omega[1], err));
    for (size_t k = 0; k < 2; k++) omega[k] = sqrt(fmax(omega[k], 0.0));
    return SG_OK;
}

/* The deck's displacement of the end, which the method does not take, and what it takes. */
static void describe_start(const struct sg_nbm *nbm, struct sg_text *text)
{
    const struct sg_nodal_boundary *boundary = nbm->boundary;
    const struct sg_system *system = nbm->run.system;
    double *x = nbm->scratch[0], given = system->u0[boundary->node];
    sg_nodal_boundary_restrict(boundary, system->u0, x);
    double s = sg_nodal_boundary_switch(boundary, x);
    double taken = s < 0.0 ? boundary->held : (s - boundary->gap) / boundary->weight;
    sg_text_append(text, "phase at the start\t%s, switching function %.6g m\n",
                   s < 0.0 ? "active" : "inactive", s);
    double size = fabs(given) + fabs(taken);
    if (fabs(given - taken) > 1e-9 * size)
        sg_text_append(text, "end at the start\t%.6g m by the other nodes, not the deck's %.6g m\n", taken,
                       given);
}

sg_status sg_nbm_describe(const struct sg_strategy *self, struct sg_text *text, struct sg_error *err)
{
    static const char *const names[] = {[SG_INACTIVE] = "inactive phase", [SG_ACTIVE] = "active phase"};
    const struct sg_nbm *nbm = self->data;
    sg_text_append(text, "nodal boundary\t%zu internal dofs in %s coordinates; the end follows %zu of them\n",
                   nbm->boundary->m, nbm->run.modal ? "modal" : "nodal", nbm->boundary->s.start[1]);
    for (size_t k = 0; k < SG_NODAL_PHASES; k++) {
        double omega[2];
        TRY(frequencies(nbm->phases[k].system, omega, err));
        sg_text_append(text, "%s\tomega %.6g to %.6g rad/s\n", names[k], omega[0], omega[1]);
    }
    describe_start(nbm, text);
    return SG_OK;
}
