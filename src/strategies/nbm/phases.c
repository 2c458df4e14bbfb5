#include <math.h>
#include <string.h>

#include "model/strip.h"
#include "strategies/nbm/nbm.h"
#include "support/memory.h"

/* --- making them ---------------------------------------------------------------------------------- */

/* The switching function as the gap of an elastic contact, whose force is the stress on the end. */
static sg_status create_contact(const struct sg_nbm *nbm, struct sg_nbm_phase *phase, struct sg_error *err)
{
    const struct sg_nodal_boundary *boundary = nbm->boundary;
    const struct sg_columns *s = &boundary->s;
    phase->offset = boundary->gap;
    phase->sprung = true;
    struct sg_law_short given = sg_law_short_blank();
    given.stiffness = boundary->stiffness;
    struct sg_law_choice springs = {.uses = SG_LAW_PIECES};
    sg_law_choose_short(&given, &springs, &phase->law);
    phase->name = nbm->run.contacts->names[0];
    phase->contact = (struct sg_contact_set){.q = 1,
                                             .affine = true,
                                             .offset = &phase->offset,
                                             .laws = &phase->law,
                                             .sprung = &phase->sprung,
                                             .names = &phase->name};
    struct sg_columns *w = &phase->contact.w;
    TRY(sg_columns_init_sparse(&phase->arena, w, boundary->m, 1, s->start[1], err));
    w->start[1] = s->start[1];
    for (size_t k = 0; k < s->start[1]; k++) {
        w->row[k] = s->row[k];
        w->value[k] = boundary->weight * s->value[k];
    }
    return SG_OK;
}

static sg_status to_modal(struct sg_nbm_phase *phase, struct sg_error *err)
{
    struct sg_modal *modal = NULL;
    TRY(sg_modal_create(&phase->arena, &phase->system->M, &phase->system->K, &modal, err));
    TRY(sg_modal_project_columns(&phase->arena, modal, &phase->contact.w, err));
    return sg_system_to_modal(phase->system, modal, err);
}

/* A phase is a system of its own in the internal dofs, with an operator, an integrator and, in modal
 * coordinates, modes of its own; its contact is one row, whose gap is the switching function. The loop of the
 * event-driven strategy takes the phase's `run` whole when it is selected. */
static sg_status create_phase(struct sg_nbm *nbm, struct sg_nbm_phase *phase, struct sg_error *err)
{
    const struct sg_setting *node = sg_setting_child(sg_deck_root(nbm->run.deck), "integrator");
    const struct sg_integrator_ops *ops = nbm->run.integrator->ops;
    TRY(create_contact(nbm, phase, err));
    if (nbm->run.modal) TRY(to_modal(phase, err));
    struct sg_mck mck = {&phase->system->M, &phase->system->C, &phase->system->K};
    struct sg_effective_rows rows = {.w = &nbm->no_rows};
    TRY(sg_effective_create(&phase->arena, &mck, &rows, ops->complex_valued, &phase->op, err));
    TRY(sg_phase_init(&phase->arena, &phase->smooth, phase->system, phase->op, err));
    phase->integrator.ops = ops;
    phase->integrator.arena = &phase->arena;
    TRY(ops->create(&phase->integrator, node, &phase->smooth, err));
    phase->run = nbm->run;
    phase->run.system = phase->system;
    phase->run.contacts = &phase->contact;
    phase->run.op = phase->op;
    phase->run.phase = &phase->smooth;
    phase->run.integrator = &phase->integrator;
    return SG_OK;
}

sg_status sg_nbm_phases_create(struct sg_nbm *nbm, struct sg_error *err)
{
    for (size_t k = 0; k < SG_NODAL_PHASES; k++) {
        nbm->phases[k].system = nbm->boundary->phase[k];
        TRY(create_phase(nbm, &nbm->phases[k], err));
    }
    return SG_OK;
}

void sg_nbm_phases_destroy(struct sg_nbm *nbm)
{
    for (size_t k = 0; k < SG_NODAL_PHASES; k++) {
        struct sg_nbm_phase *phase = &nbm->phases[k];
        sg_arena_release(&phase->arena);
    }
}

/* --- states --------------------------------------------------------------------------------------- */

void sg_nbm_to_nodal(const struct sg_nbm *nbm, enum sg_nodal_phase phase, const double *y, double *x)
{
    const struct sg_modal *modal = nbm->phases[phase].system->modal;
    if (modal != NULL)
        sg_modal_expand(modal, y, x);
    else
        memcpy(x, y, nbm->boundary->m * sizeof *x);
}

void sg_nbm_from_nodal(const struct sg_nbm *nbm, enum sg_nodal_phase phase, const double *x, double *y)
{
    const struct sg_modal *modal = nbm->phases[phase].system->modal;
    if (modal != NULL)
        sg_modal_project_state(modal, x, y);
    else
        memcpy(y, x, nbm->boundary->m * sizeof *y);
}

/* The energy metric of eq. (53), of the whole model with the contact node as the phase carries it. */
double sg_nbm_total(struct sg_nbm *nbm, enum sg_nodal_phase phase, double t, const struct sg_state *at)
{
    double *x = nbm->scratch[0], *v = nbm->scratch[1], *u = nbm->ends[0], *w = nbm->ends[1];
    sg_nbm_to_nodal(nbm, phase, at->u, x);
    sg_nbm_to_nodal(nbm, phase, at->v, v);
    sg_nodal_boundary_expand(nbm->boundary, phase, x, 0, u);
    sg_nodal_boundary_expand(nbm->boundary, phase, v, 1, w);
    struct sg_snapshot now = {.t = t, .u = u, .v = w};
    return sg_system_total(nbm->run.system, &now);
}

/* The estimator of eq. (62) asks for u'' of the field: M_N or M_D gives it in the internal dofs, and the
 * shape functions of the phase at the contact node. */
sg_status sg_nbm_residual(struct sg_nbm *nbm, enum sg_nodal_phase phase, const struct sg_nbm_motion *at,
                          double *residual, struct sg_error *err)
{
    const struct sg_system *system = nbm->run.system;
    double *x = nbm->scratch[0], *y = nbm->scratch[1], *w = nbm->scratch[2], *a = nbm->scratch[3];
    sg_nodal_boundary_restrict(nbm->boundary, at->u, x);
    sg_nbm_from_nodal(nbm, phase, x, y);
    sg_nodal_boundary_restrict(nbm->boundary, at->v, x);
    sg_nbm_from_nodal(nbm, phase, x, w);
    TRY(sg_phase_acceleration(&nbm->phases[phase].smooth, at->t, y, w, a, err));
    sg_nbm_to_nodal(nbm, phase, a, x);
    sg_nodal_boundary_expand(nbm->boundary, phase, x, 2, nbm->ends[0]);
    sg_system_expand(system, at->u, at->t, 0, nbm->full[0]);
    sg_system_expand(system, at->v, at->t, 1, nbm->full[1]);
    sg_system_expand(system, nbm->ends[0], at->t, 2, nbm->full[2]);
    struct sg_strip_motion motion = {nbm->full[0], nbm->full[1], nbm->full[2], system->alpha, system->beta};
    *residual = sg_strips_residual(sg_strips_of(&system->aspects), &motion);
    return SG_OK;
}
