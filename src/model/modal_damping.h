/* Modal damping: C = M Phi diag(2 z_i w_i) Phi^T M, a damping ratio z_i a mode.
 *
 * Modes are counted by rising frequency w over the whole model, rigid ones (w = 0, never damped) included.
 * The last ratio that is given stands for all modes that follow. In modal coordinates C is diagonal; in nodal
 * ones it is full within each body that hangs together. */
#ifndef SG_MODEL_MODAL_DAMPING_H
#define SG_MODEL_MODAL_DAMPING_H

#include "model/system.h"

/* 2 z w [1/s] by the basis' own order of modes: n, of system->modal_ratios. Free with sg_free. */
sg_status sg_modal_damping_rates(const struct sg_system *system, const struct sg_modal *modal, double **rate,
                                 struct sg_error *err);

/* Adds it to C in nodal coordinates, by the modes of M and K as they are now; nothing where the deck gives no
 * ratios, or in modal coordinates, which have it. */
sg_status sg_modal_damping_spread(struct sg_system *system, struct sg_modal_store *store,
                                  struct sg_error *err);

/* Finding and SG_BAD_DECK where modal damping does not go with what the system has, or with how it is
 * computed. */
struct sg_modal_damping_use {
    const struct sg_setting *root; /* of the deck */
    bool nodal;                    /* coordinates */
    bool own_systems;              /* the strategy makes systems of its own of the bodies */
};
sg_status sg_modal_damping_check(const struct sg_system *system, const struct sg_modal_damping_use *use,
                                 struct sg_diagnostics *diagnostics, struct sg_error *err);

#endif
