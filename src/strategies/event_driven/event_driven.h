/* Inner structure of the event-driven strategy, shared by its files only:
 *   event_driven.c  the loop: acceptance, accounts, observer
 *   accounts.c  works, impulses and extremes of a step
 *   steps.c  which step comes next
 *   tolerances.c  gap and time tolerances that the deck doesn't give
 *   locate.c  detection and localisation (Algorithms 2 and 3)
 *   middle.c  what the interpolants of steps don't show
 *   certified.c  the same of motions in closed form, by the bounds of certify.c
 *   status.c  statuses of the laws: lines of the operator, watches, changes
 *   rigid.c   impacts and release of rigid contacts
 *   rest.c    which of those that touch rest
 *   bilateral.c  multipliers of bilateral constraints */
#ifndef SG_STRATEGIES_EVENT_DRIVEN_EVENT_DRIVEN_H
#define SG_STRATEGIES_EVENT_DRIVEN_EVENT_DRIVEN_H

#include "contact/solvers/lcp.h"
#include "strategies/event_driven/roots.h"
#include "strategies/step_sizes.h"
#include "strategies/strategy.h"

struct sg_event_spec {
    double gap_tolerance, time_tolerance; /* m, s; NaN: by the model's scales */
    long long max_iterations;
    bool inside; /* looks inside steps for what their interpolants don't show */
};

/* a state with its gaps */
struct sg_event_point {
    struct sg_state x;
    double *gap, *rate; /* q */
};

/* Detection finds this in a span. */
struct sg_detection {
    double tau;           /* of the earliest event, in [0, 1); 2: none */
    double window;        /* s: the shortest in which a gap crosses its tolerance, of the first events of all
                             contacts */
    double time_rounding; /* s: largest uncertainty of them by rounding of the gap */
};

/* Bilateral constraints: m each, N and N s. `multiplier` is of the acceleration last solved for, `shown` of
 * the last snapshot, `start` of the start of the step; the impulses since the start of the run. */
struct sg_event_bilateral {
    size_t count;
    double *multiplier, *shown, *start, *inside;
    double *impulse, *impulse_start, *impulse_inside;
};

/* What ends the status of a contact, kept for as long as it lasts. */
struct sg_event_watches {
    bool valid;
    unsigned status; /* that they are of */
    size_t count;
    struct sg_law_watch list[SG_LAW_WATCHES];
};

/* What a step with certified events starts from. */
struct sg_event_certificate {
    double *bound; /* 4 n: scratch */
    double *limit; /* 6 q: of derivatives 2 to 4 of each gap, and of each reaction */
    bool valid;    /* the limits hold until the phase or the line of a load ends */
    double since;  /* s: when they were found */
    double stop;   /* s: the next kink of a load, or the end */
    unsigned char
        *zeros; /* q: of a gap, or a reaction, and its derivatives at the start, by the logic of events */
    unsigned char *zero_next; /* q: likewise of the next step */
    double *zero_level;       /* q, m: the level that the gap is at */
    bool jumped;              /* the event is at the start of its step, where a load has jumped */
    long long subdivisions, undecided;
};

enum { SG_MIDDLE_DEPTH = 5 };

/* What the steps of schemes without closed form have shown inside. */
struct sg_event_middle {
    double *bend;          /* 2 q, m/s^4: largest fourth derivative of each gap, open and closed */
    double *third, *turn;  /* q: m/s^3 of the cubic of the step before, m/s^4 of both; 0: an event between */
    double before;         /* s: that step's length; 0: none, or an event at its end */
    double *points;        /* 2 q (SG_MIDDLE_DEPTH + 2): scratch, gaps and rates of instants */
    long long steps, next; /* looked at so far; the one that is looked into in any case */
};

/* What contacts have come to since the start, inside steps too. */
struct sg_event_totals {
    double *least, *most;         /* q, m: gaps */
    double *peak;                 /* q, N: of springs */
    double *impulse;              /* q, N s: of springs */
    struct sg_flow_account *flow; /* of motions in closed form; else NULL */
    struct sg_state part, other;  /* n each: scratch */
};

struct sg_event_driven;

/* Where the smooth system of a status is not that of one operator and its rows, the strategy that runs the
 * loop says what it is: system, contacts, phase and integrator in `run`, and the coordinates of points, are
 * those of the present status. All contacts are springs then. */
struct sg_event_dynamics {
    void *self;
    /* makes ed->run that of ed->status */
    void (*select)(void *self, struct sg_event_driven *ed);
    /* the same after a change of status at t: takes `at`, with its gaps, over from the status selected before
     */
    void (*change)(void *self, struct sg_event_driven *ed, double t, struct sg_event_point *at);
    /* work of supports over the step that ends at `to`, J */
    double (*support_work)(void *self, struct sg_event_driven *ed, double h, const struct sg_event_point *to);
    /* an increment is found, before events are applied */
    sg_status (*account)(void *self, struct sg_event_driven *ed, double h, struct sg_error *err);
    /* puts coordinates, gaps, energies of the run's model into the snapshot of a point */
    void (*show)(void *self, struct sg_event_driven *ed, const struct sg_event_point *at,
                 struct sg_snapshot *now);
    /* instead of localisation: takes ed->to over h, and marks what changes at its end, by the first watch;
     * NULL: events are located
     */
    sg_status (*cross)(void *self, struct sg_event_driven *ed, double h, struct sg_error *err);
};

struct sg_event_driven {
    struct sg_run run;
    const struct sg_event_dynamics *dynamics; /* or NULL */
    struct sg_event_spec spec;
    struct sg_step_sizes sizes;
    double closed_step;                     /* s: while what is closed now stays closed */
    struct sg_event_point from, to, sample; /* start of the step, its end, a sample inside */
    unsigned char *status;                  /* q: of the laws (0: open) at `from`, and of the phase */
    double *memory;                         /* q SG_LAW_MEMORY: of the laws */
    unsigned char *before;                  /* q: status during the step just taken */
    double *memory_before;                  /* q SG_LAW_MEMORY: the same */
    struct sg_event_watches *watches;       /* q: of the status */
    unsigned char *crossing;                /* q: events to apply at `to` */
    unsigned char *which;                   /* q: the watch that each contact's first event is of */
    unsigned char *dependent; /* q: rigid contacts that touch and whose gap those at rest fix already */
    double *floor;            /* q, m: gap at which an open contact has its event */
    double *tolerance;        /* q, m: events are located to twice this behind their levels */
    double *root;             /* q: tau of each contact's first event, 2: none */
    double *force;            /* q: of the last step's end */
    double *force_inside;     /* q: of the last sample inside a step */
    double *reaction;         /* q: multipliers of resting rigid contacts, by contact */
    double *impulse;          /* q: accumulated */
    double *impulse_start;    /* q: the same at the start of the step */
    double *impulse_inside;   /* q: the same at the last sample inside a step */
    double *reaction_start;   /* q: `reaction` at the start of the step */
    double *small;            /* 3 q: scratch */
    unsigned char *member;    /* q: scratch */
    unsigned char *rests;     /* q: scratch */
    double *held;             /* q x q: scratch */
    double *rates;            /* 3 n: scratch */
    double *acceleration;     /* n: scratch */
    struct sg_event_bilateral bilateral;
    struct sg_event_certificate certificate;
    struct sg_event_middle middle;
    struct sg_event_totals totals;
    struct sg_lcp lcp;
    /* time: t = base + count * h, never a sum */
    double t, base, h;
    long long count;
    double hint;                 /* s: upper limit of the next step after a return without event; 0: none */
    long long reduced;           /* accepted increments still to take with the contact step */
    double external, dissipated; /* J, accumulated */
    double damping;              /* J: what of it no impact took */
    double penetration;          /* m, the largest seen */
    double event_time;           /* s: of the first event of the crowd */
    long long cluster;           /* events within the time tolerance of it */
    long long steps, events, rejected;
    int iterations; /* localisation trials of this increment */
};

/* The loop as a part of a strategy: `run`, `dynamics` and what they point to stay with the caller. */
sg_status sg_event_driven_create(const struct sg_run *run, const struct sg_event_spec *spec,
                                 const struct sg_step_sizes *sizes, const struct sg_event_dynamics *dynamics,
                                 struct sg_event_driven **out, struct sg_error *err);
void sg_event_driven_destroy(struct sg_event_driven *ed);

/* Completes ed->spec and ed->tolerance; after ed->run and ed->sizes are set. */
sg_status sg_event_set_tolerances(struct sg_event_driven *ed, struct sg_error *err);

/* --- steps, of steps.c ---------------------------------------------------------------------------- */

/* The next kink of a load or the end time, and the step that leads there without passing it. */
struct sg_event_stop {
    double t, h;
};

/* Statuses have changed: finds the step that what is closed now asks for, ed->closed_step. */
sg_status sg_event_steps_follow(struct sg_event_driven *ed, struct sg_error *err);

struct sg_event_stop sg_event_next_stop(const struct sg_event_driven *ed);

/* The step to try; a remainder that is only rounding is not a step of its own. */
double sg_event_choose_step(struct sg_event_driven *ed, const struct sg_event_stop *stop);

/* The time after a step of length h. Equal steps are counted, t = base + count h, so that rounding does not
 * add up, and a stop (the end, a kink of a load) is met exactly: what is compared with it is equal, not near.
 */
double sg_event_next_time(struct sg_event_driven *ed, double h, const struct sg_event_stop *stop);

/* --- statuses, of status.c ------------------------------------------------------------------------ */

/* The contacts' lines in the operator, or the run of `dynamics`, become those of ed->status. */
void sg_event_select_status(struct sg_event_driven *ed);

/* the same after a change at t, which takes the state `at` over */
void sg_event_change_status(struct sg_event_driven *ed, double t, struct sg_event_point *at);

/* Findings (SG_BAD_DECK) where two levels of a contact's law are nearer than two of its gap tolerances (q,
 * m). */
sg_status sg_event_check_levels(const struct sg_run *run, const double *tolerance, struct sg_error *err);

/* Makes ed->watches those of the statuses. */
void sg_event_renew_watches(struct sg_event_driven *ed);

/* A contact that is a force takes the status `next` at a point, and its memory what the law says; tells it.
 */
sg_status sg_event_enter(struct sg_event_driven *ed, double t, const struct sg_event_point *at, size_t j,
                         unsigned next, struct sg_error *err);

/* The first status of a force that is closed at ed->from: that of its gap, or where this is 0 the one that
 * follows open. */
unsigned sg_event_first_status(const struct sg_event_driven *ed, size_t j);

/* N: of contact j, which is a force, at a gap in its status */
double sg_event_spring_force(const struct sg_event_driven *ed, size_t j, double gap);

/* ed->from becomes the initial state */
void sg_event_begin(struct sg_event_driven *ed);

/* Whether the gap at the start is only rounding of the places that it is the difference of, or of modal
 * coordinates. The gap tolerance does not decide it: a large one would keep a body afloat. */
bool sg_event_is_zero_at_start(const struct sg_event_driven *ed, size_t j);

/* Whether contact j, which is a force, is closed there: gaps of exactly zero are decided by velocity, then by
 * acceleration; at rest under load they close. */
sg_status sg_event_closed_at_start(struct sg_event_driven *ed, size_t j, bool *closed, struct sg_error *err);

/* Sets the floors of the gaps at `at`. A rigid contact opens with its gap below 0 by up to twice the
 * tolerance. While it stays below, its event is not at 0 but at its floor, where it opened: it would else
 * fall through unseen, or fall deeper with every blow. */
void sg_event_set_floors(struct sg_event_driven *ed, const struct sg_event_point *at);

/* m: what the gap of a contact may be wrong by, by the rounding of the coordinates that it is the sum of */
double sg_event_gap_rounding(const struct sg_event_driven *ed, size_t j, const struct sg_event_point *at);

/* Takes a trial step of length h from `from` to `to`, gaps included. */
sg_status sg_event_trial(struct sg_event_driven *ed, double h, struct sg_event_point *to,
                         struct sg_error *err);

/* Events in the span from `from` to `to` of length h, by contact into ed->root. */
struct sg_detection sg_event_detect(struct sg_event_driven *ed, const struct sg_event_point *from,
                                    const struct sg_event_point *to, double h);

/* Whether the gap of contact j has events: not where it is at rest, or held by what rests. */
bool sg_event_is_watched(const struct sg_event_driven *ed, size_t j);

/* gap j in a span from `from` to `to` of length h */
struct sg_gap_span sg_event_span(const struct sg_event_driven *ed, size_t j,
                                 const struct sg_event_point *from, const struct sg_event_point *to,
                                 double h);

/* Takes the first event of contact j in a span into ed->root, ed->which and `found`; false: none. */
bool sg_event_first(struct sg_event_driven *ed, size_t j, const struct sg_event_point *from,
                    const struct sg_gap_span *span, struct sg_detection *found);

/* --- middles of steps, of middle.c ------------------------------------------------------------------ */

sg_status sg_event_middle_init(struct sg_event_middle *own, size_t q, struct sg_error *err);
void sg_event_middle_release(struct sg_event_middle *own);
void sg_event_middle_archive(struct sg_event_middle *own, size_t q, struct sg_archive *store);

/* The step *h to ed->to shows no event but those in ed->crossing: looks for others inside, by trials where
 * the interpolant may be off. One that is found is located instead, as by sg_event_locate. */
sg_status sg_event_look_inside(struct sg_event_driven *ed, double *h, struct sg_error *err);

/* --- localisation ----------------------------------------------------------------------------------- */

/* From a trial over h that has events, finds the increment to accept: *h, its state in ed->to, and the
 * contacts that change in ed->crossing (none: a return without event, with ed->hint set). */
sg_status sg_event_locate(struct sg_event_driven *ed, struct sg_detection found, double *h,
                          struct sg_error *err);

/* --- accounts, of accounts.c ----------------------------------------------------------------------- */

sg_status sg_event_totals_init(struct sg_event_totals *totals, const struct sg_run *run,
                               struct sg_error *err);
void sg_event_totals_release(struct sg_event_totals *totals);
void sg_event_totals_archive(struct sg_event_totals *totals, size_t q, struct sg_archive *store);

/* the gaps and forces of ed->from begin them */
void sg_event_totals_begin(struct sg_event_driven *ed);

/* The energy account of the step h that ends at `to`, in the algebra of the scheme; of a motion in closed
 * form that which was opened last. */
struct sg_work sg_event_work(struct sg_event_driven *ed, double h, const struct sg_event_point *to);

/* N s: of contact j at rest over the time h of a step, with its reactions at both ends */
double sg_event_rest_impulse(struct sg_event_driven *ed, size_t j, double h, const double ends[2]);

/* Takes the step from ed->from to ed->to, which ends at t1 before its events, into all accounts. */
sg_status sg_event_account(struct sg_event_driven *ed, double h, double t1, struct sg_error *err);

/* --- certified events, of certified.c -------------------------------------------------------------- */

sg_status sg_event_certificate_init(struct sg_event_certificate *own, size_t n, size_t q,
                                    struct sg_error *err);
void sg_event_certificate_release(struct sg_event_certificate *own);
void sg_event_certificate_archive(struct sg_event_certificate *own, size_t q, struct sg_archive *store);

/* Whether events are found by bounds on a motion in closed form, so that none can be missed. */
bool sg_event_is_certified(const struct sg_event_driven *ed);

/* The gap of contact j is at `level` when the next step starts, and so many of f, f', f'' are 0 there. */
void sg_event_mark_zeros(struct sg_event_driven *ed, size_t j, unsigned zeros, double level);

/* A step is accepted; `changed`: another phase, or another line of a load, begins. */
void sg_event_certificate_pass(struct sg_event_driven *ed, bool changed);

/* The first event of the trial over h just taken, if there is one: *h becomes its time, ed->to its state, and
 * ed->crossing and ed->which tell what happens there. */
void sg_event_find_certified(struct sg_event_driven *ed, double *h);

/* A load has jumped at ed->to: resting contacts that it makes pull let go at once, into ed->crossing. */
void sg_event_mark_jumps(struct sg_event_driven *ed);

/* Where a reaction went to 0 at ed->to, the state of the phase 1e-9 of a step later, and its time; where it
 * jumped, and where events are located behind their zero, ed->to itself. */
const struct sg_event_point *sg_event_after_release(struct sg_event_driven *ed, double *t);

/* Applies Newton's impact law at ed->to to the rigid contacts in ed->crossing, and decides which rigid
 * contacts rest. */
sg_status sg_event_impact(struct sg_event_driven *ed, double t, struct sg_error *err);

/* If a resting contact would pull at the end of the increment, shortens it to where its reaction is
 * zero; *h and ed->to are the increment to accept, ed->crossing marks what opens. */
sg_status sg_event_locate_release(struct sg_event_driven *ed, double *h, struct sg_error *err);

/* Opens the resting contacts in ed->crossing at ed->to, and settles those that stay. */
sg_status sg_event_release(struct sg_event_driven *ed, double t, struct sg_error *err);

/* Multipliers at a point of the present phase into `reaction` (q; 0 for contacts that are not rigid and
 * active); nothing to do, and zero, where no rigid contact rests. */
sg_status sg_event_reactions(struct sg_event_driven *ed, double t, const struct sg_event_point *at,
                             double *reaction, struct sg_error *err);

/* the same with the load from the left: at the end of a step */
sg_status sg_event_reactions_before(struct sg_event_driven *ed, double t, const struct sg_event_point *at,
                                    double *reaction, struct sg_error *err);

/* Rigid contacts of ed->member, which touch without normal velocity at ed->to, rest if they must push; the
 * others are open. Tells the changes. */
sg_status sg_event_begin_rest(struct sg_event_driven *ed, double t, struct sg_error *err);

/* --- rest, of rest.c ------------------------------------------------------------------------------- */

/* Puts the normal accelerations without the reactions of rigid contacts into b (q): b_j = w_j . a. All rigid
 * contacts are open then. */
sg_status sg_event_free_acceleration(struct sg_event_driven *ed, double t, const struct sg_event_point *at,
                                     double *b, struct sg_error *err);

/* Decides which of the rigid contacts in ed->member, which touch without normal velocity at `at`, rest
 * (active) and which open: by the complementarity problem
 *
 *     0 <= b + G r  _|_  r >= 0,     b = W^T a without reactions,   G = W^T M^-1 W the Delassus operator.
 *
 * Contacts with r > 0 must push, and rest. Where both sides are 0 up to rounding the first derivative that is
 * not decides: with the pressed ones held, that of the acceleration solves the same problem; who has none
 * either rests. Rows of those at rest are independent; one that depends on them keeps its gap by them, and
 * stays open without force (dependent). */
sg_status sg_event_solve_rest(struct sg_event_driven *ed, double t, const struct sg_event_point *at,
                              struct sg_error *err);

sg_status sg_event_bilateral_init(struct sg_event_bilateral *held, size_t m, struct sg_error *err);
void sg_event_bilateral_release(struct sg_event_bilateral *held);

/* a step begins; it ends after h with the multipliers that hold there before events */
void sg_event_bilateral_begin(struct sg_event_bilateral *held);
void sg_event_bilateral_account(struct sg_event_bilateral *held, double h);

/* multipliers and impulses of a snapshot whose acceleration was solved for: of the end of a step, and of a
 * sample h inside it */
void sg_event_bilateral_show(struct sg_event_bilateral *held, struct sg_snapshot *now);
void sg_event_bilateral_sample(struct sg_event_bilateral *held, double h, struct sg_snapshot *now);
void sg_event_bilateral_archive(struct sg_event_bilateral *held, struct sg_archive *store);

/* tells the observer of an event, and counts it; SG_NO_SOLUTION if events accumulate */
sg_status sg_event_report(struct sg_event_driven *ed, const struct sg_event *event, struct sg_error *err);

#endif
