/* Inner structure of the strategy `nbm`, shared by its files only:
 *   nbm.c         keywords, the contact, what the loop of the event-driven strategy asks for, accounts
 *   phases.c  the smooth systems of both phases, and states in their coordinates
 *   words.c   quantities, and what `check` says
 *   step.c    a step across whose middle the phase changes: switching at step ends */
#ifndef SG_STRATEGIES_NBM_NBM_H
#define SG_STRATEGIES_NBM_NBM_H

#include "model/nodal_boundary.h"
#include "strategies/event_driven/event_driven.h"

/* The smooth system of a phase, nodal or modal, with what crosses it. */
struct sg_nbm_phase {
    struct sg_arena arena;    /* has the operator, the contact, the modes */
    struct sg_system *system; /* of the boundary */
    struct sg_effective *op;
    struct sg_phase smooth;
    struct sg_integrator integrator;
    struct sg_contact_set contact; /* one, elastic: its gap is the switching function, its force the stress */
    double offset;
    struct sg_law law;
    bool sprung;
    char *name;
    struct sg_run run; /* all of it, as the loop takes it */
};

/* A snapshot points to this. */
struct sg_nbm_view {
    double *u, *v; /* n: all free dofs, nodal */
    double gap;
};

struct sg_nbm_spec {
    struct sg_event_spec event;
    int switching, residual;
};

struct sg_nbm {
    struct sg_run run; /* of the whole model, nodal */
    struct sg_nbm_spec spec;
    struct sg_nodal_boundary *boundary;
    struct sg_columns no_rows;
    struct sg_nbm_phase phases[SG_NODAL_PHASES];
    enum sg_nodal_phase now; /* whose system the loop has */
    struct sg_event_dynamics dynamics;
    struct sg_event_driven *ed;
    double switching, switching_start; /* J: sum of the jumps, and before the step just taken */
    double residual;                   /* integral of the estimator, eq. (63) */
    struct sg_nbm_view view[2];        /* of the end of a step, and of a sample inside */
    double *scratch[6];                /* m */
    double *ends[4];                   /* n: u, v at both ends of a step, for the work of supports */
    double *full[3];                   /* n_full: u, v, a */
};

/* A contact of one free node against what stands still, as the boundary wants it; false: it is none. Also for
 * orbits, which make phases of their own. */
bool sg_nbm_contact(const struct sg_contact_set *set, struct sg_nodal_contact *contact);

/* Both phases of the boundary with integrators; the messages of faults are findings. */
sg_status sg_nbm_phases_create(struct sg_nbm *nbm, struct sg_error *err);
void sg_nbm_phases_destroy(struct sg_nbm *nbm);

/* Takes a vector (displacement, velocity) of a phase's coordinates to nodal internal ones, and back: m each.
 */
void sg_nbm_to_nodal(const struct sg_nbm *nbm, enum sg_nodal_phase phase, const double *y, double *x);
void sg_nbm_from_nodal(const struct sg_nbm *nbm, enum sg_nodal_phase phase, const double *x, double *y);

/* The total energy of a state of a phase, J. */
double sg_nbm_total(struct sg_nbm *nbm, enum sg_nodal_phase phase, double t, const struct sg_state *at);

/* The residual estimator R(t), eq. (62), of all free dofs (n, nodal) in a phase. */
struct sg_nbm_motion {
    double t;
    const double *u, *v;
};
sg_status sg_nbm_residual(struct sg_nbm *nbm, enum sg_nodal_phase phase, const struct sg_nbm_motion *at,
                          double *residual, struct sg_error *err);

/* words.c: energy/switching, residual; the lines of `check` */
void sg_nbm_register(const struct sg_strategy *self, const struct sg_registration *of,
                     struct sg_quantities *list);
sg_status sg_nbm_describe(const struct sg_strategy *self, struct sg_text *text, struct sg_error *err);

/* sg_event_dynamics.cross: the trapezoidal rule on the discontinuous equation, docs/nbm.md */
sg_status sg_nbm_cross(void *self, struct sg_event_driven *ed, double h, struct sg_error *err);

#endif
