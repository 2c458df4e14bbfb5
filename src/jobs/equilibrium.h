/* The static solution that a run may start from. */
#ifndef SG_JOBS_EQUILIBRIUM_H
#define SG_JOBS_EQUILIBRIUM_H

#include "contact/contact_set.h"
#include "deck/deck.h"
#include "model/system.h"
#include "support/status.h"

struct sg_equilibrium_spec {
    struct sg_system *system; /* in nodal coordinates */
    const struct sg_contact_set *contacts;
    bool laws;                     /* contacts that are forces have their laws; else all are rigid */
    const struct sg_setting *node; /* the deck's item, for findings */
    struct sg_diagnostics *diagnostics;
};

/* Puts system->u0 where, at t = 0 and without velocity,
 *
 *     f(0) - f_int(u) + W R + G^T lambda = 0,   0 <= g(u) + x(R)  _|_  R >= 0,   G u = constant,
 *
 * x(R) the depth of the contact's law at rest, 0 of rigid ones, with Coulomb's law for the displacement from
 * the deck's own start. Where directions are left in which nothing holds and nothing pushes, the place stays
 * that start, and a note names one. SG_BAD_DECK with a finding that names a dof where nothing holds against
 * the loads, or where the search does not end; SG_INTERRUPTED. */
sg_status sg_equilibrium_find(const struct sg_equilibrium_spec *spec, struct sg_error *err);

#endif
