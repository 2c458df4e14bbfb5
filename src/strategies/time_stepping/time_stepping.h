/* The inner structure of the time-stepping strategy, shared by its files and by those of `penalty`.
 *
 * A step crosses from (u0, v0) to (u1, v1). The integrator gives its end without contacts and says what
 * impulses r in the contacts change,
 *
 *     v1 = v_free + D W r,      u1 = u_free + c D W r,
 *
 * and the scheme of the step finds r: a complementarity problem in the Delassus operator H = W^T D W.
 *
 *     strategy.c      has the keywords, and chooses the scheme
 *     time_stepping.c runs the loop: clock, step, archive
 *     start.c         makes the first state
 *     states.c        exchanges the states of a step, and measures their gaps
 *     solve.c         lists contacts, and solves their problem
 *     response.c      keeps columns D W and entries of H
 *     bilateral.c     eliminates bilateral constraints from both
 *     velocity.c      is the scheme of contact at velocity level
 *     position.c      is the scheme of contact at position level
 *     update.c        changes velocity and acceleration after a step with contact, in one of two forms:
 *                     update_conserving.c, update_published.c
 *     phases.c        knows which contacts act on one another, from their first impulse to the last
 *     account.c       adds up what a step leaves behind: energies, forces, events
 *     observe.c       shows states to the observer, and samples between them
 *     quantities.c    has histories of generalized-alpha
 *     stop.c          ends the run by time.stop
 *
 * The scheme of generalized-alpha is ../generalized_alpha/stepping.c, those of springs are in ../penalty/. */
#ifndef SG_STRATEGIES_TIME_STEPPING_TIME_STEPPING_H
#define SG_STRATEGIES_TIME_STEPPING_TIME_STEPPING_H

#include "contact/solvers/solver.h"
#include "strategies/formulations.h"
#include "strategies/step_clock.h"
#include "strategies/strategy.h"
#include "strategies/time_stepping/phases.h"
#include "strategies/time_stepping/response.h"
#include "strategies/time_stepping/stop_criterion.h"
#include "support/arena.h"

struct sg_stepping_spec {
    int level;
    double tolerance; /* 1: of Newton's iterations, relative to the largest velocity */
    long long max_iterations;
    /* not of penalty: */
    int update, update_form;
    double contact_tolerance;                     /* m, of the update */
    double reaction_tolerance, reaction_accepted; /* 1: residuals of contacts with friction */
    long long reaction_iterations;
    /* generalized-alpha alone reads these (nonsmooth_alpha.h): */
    double residual; /* 1 */
    int coupling, variant, solver;
};

/* accumulated, J; projection: of what is neither, the part of generalized-alpha's impulses and corrections;
 * damping, friction: the parts of what is dissipated beside impacts */
struct sg_accounts {
    double external, dissipated, projection;
    double damping, friction;
};

struct sg_update_form;

/* What the conserving form of the update has for the contacts that were struck; q, packed. */
struct sg_update_shares {
    struct sg_response blow; /* M^-1: of impulses that act at once */
    double *held;            /* N s: what stops them, beyond what was given */
    double *rebound;         /* N s */
    double *energy, *noise;  /* J: what they took, later what they give back; the size of the terms of that */
    size_t *group;           /* of those that feel one another */
};

/* The velocity and acceleration update after Noh 2011 (update.h): what it needs, and what it did in the step
 * at hand. */
struct sg_stepping_update {
    const struct sg_update_form *form;
    bool done;                                 /* in the step at hand */
    struct sg_state free;                      /* the step's end without contacts; owned, as is `middle` */
    struct sg_state middle[SG_MAX_STAGES - 1]; /* before it */
    double *given[SG_MAX_STAGES]; /* q, N s: by the constraints at the points of the step at hand */
    double *moved;   /* q, m: how far a contact's reaction moved its gap, at most in the step at hand */
    double *impulse; /* q, N s: of the whole step */
    struct sg_update_shares shares;
    /* of the published form: */
    double *mass;          /* n, kg: row sums of M */
    double *rate;          /* q, m/s: gap velocities without contacts, of those that were struck, packed */
    unsigned char *struck; /* q */
    double dissipated;     /* J, by restitution in the step at hand */
    long long nonphysical; /* how often a kinetic energy would have been negative, so far */
};

struct sg_time_stepping {
    struct sg_arena arena; /* owns all memory and handles below */
    struct sg_run run;
    struct sg_stepping_spec spec;
    const struct sg_response_ops *ops; /* of the integrator */
    const struct sg_stepping_scheme *scheme;
    size_t n, q, rows; /* rows of a contact: normal and tangents */
    bool iterates;
    bool remembers; /* forces act on in the stored acceleration, longer than for a step */
    struct sg_clock clock;
    double t; /* s, of `from` */

    struct sg_state from, to, sample;          /* staggered: to.u is from.a */
    struct sg_state middle[SG_MAX_STAGES - 1]; /* at the equilibrium points before the end; owned */
    double *scratch_u, *previous_v;            /* n: scratch; the iterate before */
    struct sg_velocity_jump jump;              /* by the listed contacts; owned */
    struct sg_contact_frame frame;
    struct sg_response responses[SG_MAX_STAGES]; /* one an equilibrium point */
    struct sg_contact_solver solver;
    struct sg_bilateral bilateral;

    /* by contact: q, or q rows where it says so */
    double *gap, *rate;       /* at `from`; rate of affine sets only */
    double *gap_to, *rate_to; /* at `to` */
    double *gap_sample, *impulse_sample;
    double *gap_blend;        /* position level: where restitution acts; then as a velocity */
    double *closing_rate;     /* m/s: how fast the last impulse kept the gap from closing */
    double *rate_before;      /* q rows: velocities at the start of the step, in its normals */
    double *aim;              /* q, m: gap at the next configuration by the law of the last step; infinite:
                               * no impulse; velocity level, of sets that are not affine */
    double *bias;             /* q, m/s: what the law of velocity level adds to that after the step */
    double *drift_before;     /* q, m/s: of moving obstacles at the time of the velocity before */
    double *r;                /* q rows: impulses of the stage at hand, N s */
    double *total;            /* q rows: of the step, the sum of its stages */
    double *stored_force;     /* q: N, what the acceleration stored in `from` holds of contacts */
    double *normal_impulse;   /* q: N s, what the step gave in the normal, by stored forces too */
    double *mean_force;       /* q: N, that impulse over the length of the step */
    double *force, *friction; /* q, q tangents: N, at the end of the step */
    double *impulse;          /* q: accumulated */
    double *impulse_start;    /* q: at the start of the step */
    unsigned char *active, *slipping; /* q: total > 0 in the step; slip where there is friction */

    /* packed, of the contacts in the list; made by sg_stepping_solve_init */
    size_t *list, count;
    unsigned char *listed; /* q */
    bool touched;          /* a contact was listed in the step at hand */
    long long idle;        /* steps before it in which none was */
    double *b, *packed;
    bool grouped; /* D is diagonal: contacts that share no dof are problems of their own */
    struct sg_contact_groups groups;
    /* packed, of the problem at hand: a group of them, or all */
    double *h, *group_b, *group_r, *friction_of;
    size_t *group_list;
    const double *compliance; /* q, of the scheme: added to the diagonal of H; NULL: contacts are rigid */
    const double *smooth;     /* m, N, of the scheme: smooth part of the constraints' forces; NULL: none */
    const double *given; /* q, N s, of the scheme: what its step gave in the normals; NULL: by collocation */
    const double
        *correction;   /* m + q, kg m, of the scheme: multipliers that put positions right; NULL: none */
    void *scheme_data; /* of the scheme; released and archived by it */

    struct sg_stepping_update update;
    struct sg_stop_criterion stop;
    bool stopped; /* by it, at the end of the step at hand */

    struct sg_contact_phases phases; /* of impulses that give the velocity its change at once */
    struct sg_accounts accounts, accounts_start;
    double speed; /* m/s: the largest velocity so far, what convergence is measured by */
    double penetration;
    long long steps, events, rejected, newton, newton_most;
    struct sg_contact_report contact; /* iterations in all, the largest residual and scale */
    double contact_share;             /* 1: the largest residual over the scale of the run up to it */
};

/* the step at hand */
struct sg_stepping {
    struct sg_attempt attempt;
    struct sg_kick kick; /* what responses are asked for */
};

/* What contacts and constraints do in a step, a file each. Schemes in response form take a step by
 * sg_stepping_take, which asks them to `prepare` and `solve`; generalized-alpha takes it itself, and has
 * neither. */
struct sg_stepping_scheme {
    bool iterates;     /* a step that can't be taken is halved, also of linear systems */
    bool leaves_frame; /* `take` leaves ts->frame at the end of the step */
    bool keeps_gaps; /* in response form gaps are complementary to r, so that impulses must move positions */
    /* N, of a contact at a gap and its rate, at the start; NULL: contacts are no forces, or the scheme has no
     * acceleration that would know of them */
    double (*force)(const struct sg_time_stepping *ts, size_t j, double gap, double rate);
    /* acceleration of the state at t = 0; NULL: as the integrator begins */
    sg_status (*begin)(struct sg_time_stepping *ts, struct sg_state *state, struct sg_error *err);
    /* Crosses from ts->from over step->attempt.span to ts->to; impulses go into ts->r and, of all stages,
     * ts->total. It keeps nothing that a second trial would miss. */
    sg_status (*take)(struct sg_time_stepping *ts, struct sg_stepping *step, struct sg_error *err);
    /* loads and dampers in the step just taken; NULL: the integrator's account */
    struct sg_work (*work)(struct sg_time_stepping *ts, const struct sg_stepping *step);
    /* the step is kept; NULL: nothing to do */
    void (*accept)(struct sg_time_stepping *ts);
    /* Is asked before the first iterate, for what does not depend on it. */
    sg_status (*prepare)(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err);
    /* Begins with the free state in attempt.to: lists contacts, solves for their impulses (ts->r) and applies
     * them. Of a composite step both are called for each equilibrium point, attempt.stage. */
    sg_status (*solve)(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err);
    /* the work of the contacts in the step just taken, into ts->accounts */
    void (*account)(struct sg_time_stepping *ts, const struct sg_stepping *step);
    /* q SG_LAW_MEMORY: what the contacts' laws remember, for snapshots; NULL: nothing */
    const double *(*memory)(const struct sg_time_stepping *ts);
    /* J, stored by the contacts of a snapshot whose gaps are there; NULL for rigid contacts, which store
     * nothing */
    double (*energy)(const struct sg_time_stepping *ts, const struct sg_snapshot *now);
    void (*archive)(struct sg_time_stepping *ts, struct sg_archive *store);
    void (*release)(struct sg_time_stepping *ts);
};
extern const struct sg_stepping_scheme sg_stepping_velocity, sg_stepping_position;

/* `take` of schemes in response form */
sg_status sg_stepping_take(struct sg_time_stepping *ts, struct sg_stepping *step, struct sg_error *err);

/* the aims of contacts that touch at the start, where the first step has length h (s) */
void sg_stepping_start_aims(struct sg_time_stepping *ts, double h);

/* the time of the equilibrium point at hand */
double sg_stepping_point(const struct sg_time_stepping *ts, const struct sg_attempt *attempt);

/* the response of the equilibrium point at hand */
struct sg_response *sg_stepping_response(struct sg_time_stepping *ts, const struct sg_stepping *step);

/* memory of the list and of its problems, after the responses */
sg_status sg_stepping_solve_init(struct sg_time_stepping *ts, struct sg_error *err);

/* Solves w = H r + b over the listed contacts, b packed in ts->b, the impulses into ts->r and ts->packed;
 * ts->jump.dv is their change of velocity. */
sg_status sg_stepping_solve(struct sg_time_stepping *ts, const struct sg_stepping *step,
                            struct sg_error *err);

/* Adds a report to those of the run. */
void sg_stepping_keep_report(struct sg_time_stepping *ts, const struct sg_contact_report *report);

/* The strategy's functions, which `penalty` has too. At sg_stepping_create the scheme is chosen, its data are
 * not there yet; what the deck asks of times that can't be done is a finding. */
struct sg_stepping_choice {
    struct sg_stepping_spec spec;
    const struct sg_stepping_scheme *scheme;
};
sg_status sg_stepping_create(struct sg_strategy *self, struct sg_stepping_choice choice,
                             const struct sg_setting *node, const struct sg_run *run, struct sg_error *err);
void sg_stepping_destroy(struct sg_strategy *self);
sg_status sg_stepping_initial_energy(struct sg_strategy *self, double *total, struct sg_error *err);
sg_status sg_stepping_start(struct sg_strategy *self, struct sg_error *err);
sg_status sg_stepping_advance(struct sg_strategy *self, bool *done, struct sg_error *err);
double sg_stepping_now(const struct sg_strategy *self);
size_t sg_stepping_closed(const struct sg_strategy *self);
void sg_stepping_archive(struct sg_strategy *self, struct sg_archive *store);
void sg_stepping_summarize(const struct sg_strategy *self, struct sg_summary *summary);

/* N: the part of a contact's force that the acceleration has which is stored at the end of a step */
double sg_stepping_stored_force(const struct sg_collocation *at, double force, double before);

/* no contact took part in the step at hand nor in the two before: all impulses and forces are 0, those of the
 * acceleration that is stored too, and were so at the end of the step before */
bool sg_stepping_is_idle(const struct sg_time_stepping *ts);

/* adds contact j to the list */
void sg_stepping_list(struct sg_time_stepping *ts, size_t j);

/* Contacts that the impulses of the listed ones close join the list: those where base_j (q) and `factor`
 * slope_j (NULL: 1) times what the jump gives to the normal velocity are negative together. True if any did.
 */
bool sg_stepping_extend(struct sg_time_stepping *ts, const double *base, const double *slope, double factor);

/* rates of the listed contacts' rows for a velocity v and the drift (q) of obstacles at its time, packed into
 * `rate` */
void sg_stepping_rates(const struct sg_time_stepping *ts, const double *v, const double *drift, double *rate);

/* s, the times of the velocities at the start and at the end of a step: of staggered schemes the middles */
struct sg_stepping_times {
    double before, after;
};
struct sg_stepping_times sg_stepping_velocity_times(const struct sg_time_stepping *ts,
                                                    const struct sg_attempt *attempt);

/* Obstacles as impulses meet them: their drift at both times, into ts->drift_before and ts->frame. */
void sg_stepping_place_drifts(struct sg_time_stepping *ts, const struct sg_attempt *attempt);

/* -(1/2) r . (rates before and after) of the listed contacts as dissipated, the obstacles' part as external:
 * for schemes whose impulses give the velocity its change at once (one equilibrium point) */
void sg_stepping_account_impulses(struct sg_time_stepping *ts, const struct sg_stepping *step);

/* memory of the update; SG_BAD_DECK if the mass can't be lumped */
sg_status sg_stepping_update_init(struct sg_time_stepping *ts, struct sg_error *err);

/* the update of the step just taken, if a contact pushed in it */
sg_status sg_stepping_update(struct sg_time_stepping *ts, const struct sg_stepping *step, double t1,
                             struct sg_error *err);

/* accounts of the step just taken, with impulses */
void sg_stepping_account(struct sg_time_stepping *ts, const struct sg_stepping *step);

/* Of the first kick of a staggered scheme: its energy begins behind it, so that loads have done no work yet.
 */
void sg_stepping_account_start(struct sg_time_stepping *ts, const struct sg_stepping *step);

/* J, what obstacles that move do in a step with the mean of the contacts' forces */
double sg_stepping_obstacle_work(const struct sg_time_stepping *ts, const struct sg_stepping *step);

/* Staggered: the displacement at the end of a step is known at its start, and stands there. */
void sg_stepping_share_states(struct sg_time_stepping *ts);

/* Its end becomes the start of the next: states, and gaps with them. */
void sg_stepping_exchange(struct sg_time_stepping *ts);

/* forces, gaps and events at its end */
sg_status sg_stepping_finish_contacts(struct sg_time_stepping *ts, const struct sg_stepping *step, double t1,
                                      struct sg_error *err);

/* Puts into the acceleration with which the integrator begins what contacts do at the start, and notes their
 * forces; the velocity stays. h: the first step, s. Not of staggered schemes. Uses scratch_u, previous_v, the
 * list and the frame. */
sg_status sg_stepping_know_contacts(struct sg_time_stepping *ts, double h, struct sg_state *state,
                                    struct sg_error *err);

/* Notes how fast loads would close the contacts that a model rests on, in a first step of length h (s): what
 * their gaps are measured by. Uses previous_v and the frame. */
sg_status sg_stepping_weigh(struct sg_time_stepping *ts, double h, struct sg_error *err);

/* gaps of a state, of affine sets their rates too */
void sg_stepping_measure(struct sg_time_stepping *ts, double t, const struct sg_state *at, double *gap,
                         double *rate);

/* the state at the start or the end of a step; `next`: the length of the one that follows */
void sg_stepping_snapshot(struct sg_time_stepping *ts, double t, double next, const struct sg_state *at,
                          struct sg_snapshot *now);

/* histories of generalized-alpha alone: multipliers of positions, energy/projection */
void sg_stepping_register(const struct sg_strategy *self, const struct sg_registration *of,
                          struct sg_quantities *list);

/* the step just taken, into the criterion of time.stop: sets ts->stopped */
void sg_stepping_stop(struct sg_time_stepping *ts, const struct sg_stepping *step, double t1);

/* Shows the observer the step just taken, from ts->from to ts->to. */
sg_status sg_stepping_observe(struct sg_time_stepping *ts, const struct sg_stepping *step, double t1,
                              struct sg_error *err);

#endif
