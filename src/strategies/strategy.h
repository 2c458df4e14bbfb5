/* A strategy says how contact is treated in a step: it is the other half of the grid. A strategy owns the
 * states, drives an integrator through phases, and tells an observer what happens. */
#ifndef SG_STRATEGIES_STRATEGY_H
#define SG_STRATEGIES_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>

#include "contact/contact_set.h"
#include "deck/deck.h"
#include "integrators/integrator.h"
#include "model/system.h"
#include "results/observer.h"
#include "results/summary.h"
#include "support/archive.h"
#include "support/status.h"
#include "support/text.h"

/* The times of a run, from the deck's `time`. */
struct sg_time_spec {
    double end;          /* s */
    double step;         /* s; NaN: by points_per_period */
    double contact_step; /* s; NaN: by points_per_period, or equal to `step` if that was given */
    double points_per_period;
    long long contact_increments;  /* or one of the two words below */
    int allow_unstable;            /* a step beyond the critical one is a warning only */
    const struct sg_setting *stop; /* group of sg_stop_rows, or NULL */
};
/* words of contact_increments: the contact step while anything is closed; a step that follows what is closed
 */
enum { SG_ALWAYS_REDUCED = -1, SG_REDUCED_BY_CLOSED = -2 };

struct sg_grid_cell;

struct sg_run {
    const struct sg_grid_cell *cell; /* of the pair (grid.h) */
    const struct sg_deck *deck;
    struct sg_diagnostics *diagnostics; /* finds what is wrong with the deck's times */
    const struct sg_system *system;
    const struct sg_contact_set *contacts;
    struct sg_effective *op;
    struct sg_phase *phase;
    struct sg_integrator *integrator;
    struct sg_time_spec time;
    bool modal;                         /* of a strategy with own phases: these go to modal coordinates */
    const struct sg_observer *observer; /* may be exchanged between create and start */
};

struct sg_strategy {
    const struct sg_strategy_ops *ops;
    void *data;
};

/* The quantities of a strategy are those of this run. */
struct sg_registration {
    const struct sg_grid_cell *cell;
    const struct sg_system *system;
    const struct sg_contact_set *contacts;
};

struct sg_strategy_ops {
    struct sg_kind kind;
    bool needs_fixed_contacts; /* all gaps affine for ever, and without friction */
    bool needs_springs;        /* all contacts as forces, and without friction */
    /* It makes smooth systems of its own, and the integrators for them: the run's system stays nodal,
     * operator and phase know no contacts, and contact laws have no meaning. */
    bool own_systems;
    /* `node`: the deck's strategy group; `run` stays valid as long as the strategy */
    sg_status (*create)(struct sg_strategy *self, const struct sg_setting *node, const struct sg_run *run,
                        struct sg_error *err);
    void (*destroy)(struct sg_strategy *self);
    /* It takes steps of one length (`time.step`), and contacts give impulses in them. Else events are
     * located, and the step sizes follow them. */
    bool fixed_steps;
    /* The formulations among which `formulation_keyword` of the deck's strategy group chooses, in the order
     * of its words, and how a sentence names one of them ("at level"). NULL, all four: there is but one. */
    const char *const *formulations;
    const char *formulation_keyword, *formulation_phrase;
    int (*formulation)(const struct sg_setting *node);
    /* Says which laws it takes of a contact's short keywords, beside the faces of the grid's cell; NULL: the
     * first that fits */
    void (*short_laws)(const struct sg_setting *node, struct sg_law_choice *choice);
    /* Tells whether the strategy's group asks for the velocity and acceleration update, which needs nodal
     * coordinates and gives implicit schemes restitution at position level; NULL: never */
    bool (*updates)(const struct sg_setting *node);
    /* Tells whether it does so node by node, in the published form; NULL: never */
    bool (*updates_nodes)(const struct sg_setting *node);
    /* Total energy at the start, J, where it is not that of the initial state, with which it is called:
     * staggered schemes, compressed springs. NULL: it is. Also on resume. */
    sg_status (*initial_energy)(struct sg_strategy *self, double *total, struct sg_error *err);
    /* Registers what only this strategy can tell; `self` may be without data yet, and stays where it is.
     * NULL: nothing
     */
    void (*register_quantities)(const struct sg_strategy *self, const struct sg_registration *of,
                                struct sg_quantities *list);
    /* lines of "name\tvalue" for `check`, about what only this strategy has; NULL: none */
    sg_status (*describe)(const struct sg_strategy *self, struct sg_text *text, struct sg_error *err);
    /* initial active set and events at t = 0; tells the observer the initial state. Not on resume. */
    sg_status (*start)(struct sg_strategy *self, struct sg_error *err);
    /* one accepted increment, observer told; *done at the end time */
    sg_status (*advance)(struct sg_strategy *self, bool *done, struct sg_error *err);
    double (*now)(const struct sg_strategy *self);
    size_t (*closed)(const struct sg_strategy *self); /* contacts closed now, for the progress line */
    /* all its memory, both ways */
    void (*archive)(struct sg_strategy *self, struct sg_archive *archive);
    /* adds its counts: steps, events, rejected steps, penetration */
    void (*summarize)(const struct sg_strategy *self, struct sg_summary *summary);
    /* work beside that of the run's phase; NULL: none */
    struct sg_effective_counts (*counts)(const struct sg_strategy *self);
};

extern const struct sg_kind_set sg_strategy_kinds;
const struct sg_strategy_ops *sg_strategy_find(const struct sg_kind *kind);

/* SG_NO_SOLUTION if x (n, a displacement or velocity after step number `step` at t) is not finite; the
 * message names the dof */
sg_status sg_strategy_check_finite(const struct sg_system *system, const double *x, long long step, double t,
                                   struct sg_error *err);

#endif
