/* How contact is treated in a step: the other half of the grid. A strategy owns the states, drives an
 * integrator through phases, and tells an observer what happens. */
#ifndef SG_STRATEGIES_STRATEGY_H
#define SG_STRATEGIES_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>

#include "contact/contact_set.h"
#include "deck/deck.h"
#include "integrators/integrator.h"
#include "model/system.h"
#include "results/observer.h"
#include "results/recorder.h"
#include "support/archive.h"
#include "support/status.h"
#include "support/text.h"

/* The times of a run, from the deck's `time`. */
struct sg_time_spec {
    double end;          /* s */
    double step;         /* s; NaN: by points_per_period */
    double contact_step; /* s; NaN: by points_per_period, or equal to `step` if that was given */
    double points_per_period;
    long long contact_increments;  /* SG_ALWAYS_REDUCED: while a contact is closed */
    int allow_unstable;            /* a step beyond the critical one is a warning only */
    const struct sg_setting *stop; /* group of sg_stop_rows, or NULL */
};
enum { SG_ALWAYS_REDUCED = -1 };

struct sg_run {
    const struct sg_deck *deck;
    struct sg_diagnostics *diagnostics; /* what is wrong with the deck's times */
    const struct sg_system *system;
    const struct sg_contact_set *contacts;
    struct sg_effective *op;
    struct sg_phase *phase;
    struct sg_integrator *integrator;
    struct sg_time_spec time;
    bool modal;                         /* of a strategy with own phases: these go to modal coordinates */
    const struct sg_observer *observer; /* may be exchanged between create and start */
};

struct sg_grid_cell;

struct sg_strategy {
    const struct sg_strategy_ops *ops;
    void *data;
};

/* what quantities of a strategy are of */
struct sg_registration {
    const struct sg_grid_cell *cell;
    const struct sg_system *system;
    const struct sg_contact_set *contacts;
};

/* The bilateral constraints that a strategy can treat; each includes those before it. */
enum sg_constraint_scope {
    SG_NO_CONSTRAINTS,
    SG_FIXED_CONSTRAINTS,   /* affine ones that nothing moves: g = G u + constant */
    SG_ALL_CONSTRAINTS,     /* where all dofs have mass */
    SG_SINGULAR_CONSTRAINTS /* also where some have none */
};

struct sg_strategy_ops {
    struct sg_kind kind;
    bool needs_fixed_contacts; /* all gaps affine for ever, and without friction */
    bool needs_springs;        /* all contacts as forces, and without friction */
    /* It makes smooth systems of its own, and the integrators for them: the run's system stays nodal,
     * operator and phase know no contacts, and contact laws have no meaning. */
    bool own_phases;
    /* `node`: the deck's strategy group; `run` stays valid as long as the strategy */
    sg_status (*create)(struct sg_strategy *self, const struct sg_setting *node, const struct sg_run *run,
                        struct sg_error *err);
    void (*destroy)(struct sg_strategy *self);
    /* the manner that the deck's strategy group chooses, and its keyword: of time-stepping the level, of
     * penalty the form; NULL: there is but one */
    const char *(*manner)(const struct sg_setting *node);
    const char *manner_word;
    /* the faces of contact laws (enum sg_law_use) that it understands in a manner */
    unsigned (*laws)(const char *manner);
    /* which laws it takes of a contact's short keywords, beside the faces; NULL: the first that fits */
    void (*short_laws)(const struct sg_setting *node, struct sg_law_choice *choice);
    /* whether the strategy takes the steps of this integrator in a way of its own, which knows nonlinear
     * elements; NULL: of none */
    bool (*own_steps)(const struct sg_integrator_ops *integrator);
    /* what the strategy can treat with an integrator of the grid in a manner; NULL: no bilateral constraints
     */
    enum sg_constraint_scope (*constraints)(const char *manner, const char *integrator);
    /* why it can't treat the rest; NULL, and as result: nothing to say */
    const char *(*refusal)(const char *manner, const char *integrator);
    /* whether the strategy's group asks for the velocity and acceleration update, which needs nodal
     * coordinates and gives implicit schemes restitution at position level; NULL: never */
    bool (*updates)(const struct sg_setting *node);
    /* Total energy at the start, J, where it is not that of the initial state: staggered schemes. NULL: it
     * is. Also on resume. */
    sg_status (*total_at_start)(struct sg_strategy *self, double *total, struct sg_error *err);
    /* what only this strategy can tell; `self` may be without data yet, and stays where it is. NULL: nothing
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

/* --- the grid ------------------------------------------------------------------------------------- */

/* One cell: what the pair is called in the literature. A pair that is no row is refused. */
struct sg_grid_cell {
    const char *integrator, *strategy;
    const char *manner; /* a level or a form, see sg_strategy_ops; NULL where the strategy has but one */
    const char *scheme;
};
const struct sg_grid_cell *sg_grid_find(const char *integrator, const char *strategy, const char *manner);
size_t sg_grid_count(void);
const struct sg_grid_cell *sg_grid_at(size_t i);

#endif
