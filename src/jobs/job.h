/* A job: the objects that a deck's words became, as jobs/build.h makes them. */
#ifndef SG_JOBS_JOB_H
#define SG_JOBS_JOB_H

#include "analyses/varied_run.h"
#include "contact/absolute.h"
#include "contact/contact_set.h"
#include "deck/deck.h"
#include "integrators/integrator.h"
#include "integrators/route.h"
#include "jobs/grammar.h"
#include "model/chosen_nodes.h"
#include "model/constraint.h"
#include "model/mass_scaling.h"
#include "model/system.h"
#include "results/modal_store.h"
#include "results/quantity.h"
#include "strategies/critical_step.h"
#include "strategies/grid.h"
#include "strategies/step_sizes.h"
#include "strategies/strategy.h"

/* total energy at the start, for the energy that the scheme itself adds or takes */
struct sg_balance {
    const struct sg_system *system;
    double total_start; /* J */
};

/* Everything that a run needs, but its observer. */
struct sg_job {
    struct sg_arena arena;              /* has what is made for the run */
    const struct sg_deck *deck;         /* borrowed */
    const struct sg_run_order *order;   /* borrowed; NULL: the deck as it is */
    struct sg_diagnostics *diagnostics; /* borrowed */
    struct sg_system *system;
    struct sg_contact_set *contacts;
    double *line_stiffness; /* q, N/m: the first straight line of each contact's law; HUGE_VAL: rigid */
    const double *spring_stiffness;  /* q, N/m: the same where all contacts are springs; else NULL */
    struct sg_columns no_rows;       /* empty: of the operator, where the strategy has contacts to itself */
    struct sg_constraint_frame held; /* of affine constraints, where the operator keeps them; else empty */
    struct sg_effective *op;
    struct sg_phase phase;
    struct sg_integrator integrator;
    struct sg_strategy strategy;
    struct sg_time_spec time;
    struct sg_output_spec output;
    struct sg_quantities quantities;
    struct sg_model_labels labels; /* of the model and its contacts */
    struct sg_chosen_nodes chosen;
    struct sg_absolute absolute;
    struct sg_balance balance;
    struct sg_run run;
    struct sg_observer
        observer; /* that the strategy tells; of sg_job_attach, or exchanged before the start */
    const struct sg_grid_cell *cell;
    bool own_modal; /* the strategy's own systems go to modal coordinates */
    bool impulses;  /* some contact is rigid: its impulses can be recorded */
    bool lumped;    /* the mass, for the integrator's sake */
    struct sg_mass_scaling scaling;
    struct sg_critical_step critical; /* time-stepping with an explicit integrator; else step 0 */
    char mass_note[160];              /* what labels.mass shows */
    const char *staggering;           /* of velocity and energies; NULL: they are those of the row's time */
    struct sg_modal_store modes;      /* where the modal basis came from */
    double omega_low; /* rad/s: lowest frequency of the system without contact, 0 for rigid modes; modal
                         coordinates only, else NaN */
};

#endif
