/* In modal coordinates a ratio a mode is a diagonal C. In nodal coordinates it is made of the modes with
 * Phi^T M Phi = I: from Phi^T C Phi = diag(2 z_i w_i) follows C = M Phi diag(2 z_i w_i) Phi^T M, since Phi^-1
 * = Phi^T M. It adds to a C that is proportional already. Modes are those of the linear system, so whatever
 * changes them, or has dofs outside them (moving supports), is refused rather than damped by ratios that are
 * not its own. */
#include "model/modal_damping.h"

#include <math.h>
#include <stdlib.h>

#include "model/names.h"
#include "model/scratch.h"
#include "model/system.h"
#include "support/arena.h"
#include "support/memory.h"

struct rank {
    double k;
    size_t mode;
};

/* The first of equal ones stays first: buildings that are the same have the same ratios. */
static int rising(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    if (x->k != y->k) return x->k > y->k ? 1 : -1;
    return (x->mode > y->mode) - (x->mode < y->mode);
}

sg_status sg_modal_damping_rates(const struct sg_system *system, const struct sg_modal *modal, double **rate,
                                 struct sg_error *err)
{
    SG_AUTO_FREE struct rank *rank = NULL;
    size_t last = system->modal_ratio_count - 1;
    TRY(SG_NEW(&rank, modal->n, err));
    sg_status status = SG_NEW(rate, modal->n, err);
    for (size_t i = 0; i < modal->n; i++) rank[i] = (struct rank){modal->k[i], i};
    qsort(rank, modal->n, sizeof *rank, rising);
    for (size_t i = 0; status == SG_OK && i < modal->n; i++)
        (*rate)[rank[i].mode] = 2 * system->modal_ratios[i < last ? i : last] * sqrt(fmax(rank[i].k, 0));
    return status;
}

static sg_status add_spread(struct sg_system *system, const struct sg_modal *modal, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets t = {.arena = &scratch, .n = system->n};
    SG_AUTO_FREE double *rate = NULL;
    TRY(sg_modal_damping_rates(system, modal, &rate, err));
    sg_matrix_to_triplets(&system->C, &t);
    TRY(sg_modal_spread(modal, rate, &t, err));
    return sg_matrix_assemble(&system->arena, &system->C, &t, err);
}

sg_status sg_modal_damping_spread(struct sg_system *system, struct sg_modal_store *store,
                                  struct sg_error *err)
{
    struct sg_modal *modal = NULL;
    if (system->modal_ratios == NULL || system->modal != NULL) return SG_OK;
    TRY(sg_system_modes(system, store, &modal, err));
    return add_spread(system, modal, err);
}

/* dofs in nodal coordinates: C has half their square of numbers, and so have its factors */
enum { FULL_LIMIT = 2000 };

static const char *fault_of(const struct sg_system *system, const struct sg_modal_damping_use *use)
{
    if (system->elements.count > 0) return "nonlinear elements, which change the modes";
    if (system->constraints.count > 0) return "bilateral constraints, which change the modes";
    if (system->motion_count > 0)
        return "supports that move or start displaced: modal ratios don't define what these damp (a ground "
               "that accelerates is a load, and is allowed)";
    if (use->own_systems) return "a strategy that makes systems of its own of the bodies";
    if (use->nodal && system->n > FULL_LIMIT)
        return "nodal coordinates of more than 2000 dofs, in which its matrix is full: take "
               "integrator.operator = \"modal\"";
    return NULL;
}

sg_status sg_modal_damping_check(const struct sg_system *system, const struct sg_modal_damping_use *use,
                                 struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    const char *fault = system->modal_ratios == NULL ? NULL : fault_of(system, use);
    if (fault == NULL) return SG_OK;
    sg_complain_about(diagnostics, SG_ERROR, sg_setting_child(use->root, "damping"), "modal",
                      "can't be combined with %s", fault);
    FAIL(err, SG_BAD_DECK, "modal damping can't be combined with %s", fault);
}
