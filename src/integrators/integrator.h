/* How the smooth system crosses one step. An integrator knows nothing of contact laws: it sees a phase,
 * the linear system that holds while the active set stays as it is.
 *
 * A step reads one state and writes another, and keeps nothing: a localisation trial is a step whose
 * result is not kept, a sample is a step that ends early, and a checkpoint is the state's vectors. */
#ifndef SG_INTEGRATORS_INTEGRATOR_H
#define SG_INTEGRATORS_INTEGRATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/deck.h"
#include "integrators/modal_flow.h"
#include "linalg/effective.h"
#include "model/system.h"
#include "support/arena.h"
#include "support/status.h"

/* The smooth system: M v' + C v + K u + sum_A kappa w (w^T u + g0) = f(t), in the null space of the
 * rigid rows of A. */
struct sg_phase {
    const struct sg_system *system;
    struct sg_effective *op; /* holds A */
    bool steady;             /* no load depends on time: f is `load` always */
    double *load;            /* n: f(t) last evaluated; the gravity load if steady */
    double *scratch;         /* 2 n */
    double sum;              /* of v, finite where all of them are; NaN: not known. See `free_motion` */
    struct sg_effective_counts counts; /* of work beside `op`: see sg_phase_counts */
};

/* displacement, velocity and, for schemes that store it, acceleration (or what is said there): n each */
struct sg_state {
    double *u, *v, *a;
};

struct sg_span {
    double t, h; /* the step from t to t + h, s */
};

struct sg_work {
    double external;   /* J, of loads (gravity excluded) and support motions */
    double dissipated; /* J, by C */
};

struct sg_integrator;

/* --- a step in response form: what time-stepping needs -------------------------------------------- */

/* The end state of a step is affine in the impulses r (N s) that the contacts W give during it:
 *
 *     v1 = v_free + D W r,     u1 = u_free + c D W r.
 *
 * For nonlinear systems this is one Newton iteration about the iterate that `to` holds, D of its tangent.
 * Where a scheme is staggered, `v` of its states is the velocity of the middle of the next step, and `a` the
 * displacement u + h v at its end: from->a and to->u are one array then. */
struct sg_attempt {
    const struct sg_state *from;
    struct sg_span span; /* of the whole step */
    double next;         /* s: the length of the step after it, which staggered schemes look ahead to */
    /* A composite step has several equilibrium points, each with impulses of its own: `to` is the state at
     * point number `stage`, `middle` (stage of them) those of the points before it. */
    size_t stage;
    const struct sg_state *middle;
    struct sg_state *to;
};

/* The collocation point of a step, at which the scheme balances forces and contact forces act. Times are in
 * seconds.
 *
 * At position level the constrained displacement is u* = u1 + lead v1, and compliance = du* / dv1. A spring
 * takes its force at (1 - share) (u1, v1) + share (u0, v0), and compliance is of that point. The impulse of
 * an attempt is r = duration x force. A scheme that stores an acceleration lets the contact force of the step
 * before act on: a step of several stages has the impulse sum r + carry_over p_0 - hold_back p_1, p the part
 * of contact forces in that acceleration, (1 - recursion) p_1 + recursion p_0 = force. An impulse at a point
 * of a composite step moves a free mass, by the end of the step, `reach` times as far as it changes its
 * velocity.
 */
struct sg_collocation {
    double lead, compliance, duration, carry_over, hold_back;
    double reach;     /* s; of schemes with position level that store an acceleration */
    double recursion; /* 1 */
    double share;     /* 1: weight of the start of the step */
};

enum { SG_MAX_STAGES = 2 };

/* When impulses act that a response is asked for. For staggered schemes span.h is the mean of the two steps
 * that meet at the kick. */
struct sg_kick {
    struct sg_span span;
    size_t stage;
};

/* The velocity jump that contacts cause. It is 0 outside the rows first to end - 1, and few contacts change
 * few rows. */
struct sg_velocity_jump {
    double *dv; /* n, m/s */
    size_t first, end;
};

struct sg_response_ops {
    size_t stages;            /* equilibrium points of a step, 1 to SG_MAX_STAGES; the last is its end */
    bool stores_acceleration; /* in its states, in response form */
    bool staggered;           /* v is that of the middle of the next step, a the next u */
    bool nonlinear;           /* takes systems with nonlinear elements */
    bool position;            /* can take constraints at position level */
    /* state->a at t = 0 from state->u, state->v as the deck gives them. NULL: nothing to do; staggered
     * schemes begin with a step of length 0, whose kick is half of the first whole step */
    sg_status (*begin)(struct sg_integrator *self, struct sg_phase *phase, struct sg_span first,
                       struct sg_state *state, struct sg_error *err);
    /* The activation time c (s) of the velocity level: a contact is active where its gap is closed at the
     * forecast from.u + c from.v, at the time t + c. Normals are those of the forecast too. */
    double (*activation_time)(const struct sg_integrator *self, struct sg_span span);
    /* Puts the first iterate into attempt->to; does nothing where `free_motion` needs none. */
    void (*predict)(struct sg_integrator *self, struct sg_phase *phase, const struct sg_attempt *attempt);
    /* attempt->to becomes the end state without contacts: by one Newton iteration from the iterate that it
     * holds, contacts' part included, where the system is nonlinear. Schemes for which a look at v would cost
     * much beside the step leave the sum of to->v in phase->sum, and `apply_impulses` adds to it. */
    sg_status (*free_motion)(struct sg_integrator *self, struct sg_phase *phase,
                             const struct sg_attempt *attempt, struct sg_error *err);
    /* Tells whether `free_motion` has to be repeated until the iterate stays. */
    bool (*iterates)(const struct sg_integrator *self, const struct sg_phase *phase);
    /* The equilibrium point `stage` lies this long (s) after the start of the step. NULL: there is one, at
     * the end. */
    double (*stage_end)(const struct sg_integrator *self, struct sg_span span, size_t stage);
    /* x (n) <- D x, with D of the last `free_motion`. For equal kicks and `iterates` false D is always the
     * same. */
    sg_status (*apply_response)(struct sg_integrator *self, struct sg_phase *phase, struct sg_kick kick,
                                double *x, struct sg_error *err);
    /* the diagonal of D (n), valid until the next call, where D is diagonal and for equal kicks always the
     * same; else *d is NULL */
    sg_status (*response_diagonal)(struct sg_integrator *self, struct sg_phase *phase, struct sg_kick kick,
                                   const double **d, struct sg_error *err);
    /* Adds D W r to attempt->to.v, and what follows from it to u and a. */
    void (*apply_impulses)(struct sg_integrator *self, struct sg_phase *phase,
                           const struct sg_attempt *attempt, const struct sg_velocity_jump *jump);
    struct sg_collocation (*collocation)(const struct sg_integrator *self, const struct sg_attempt *attempt);
    /* What a quantity at the end owes to the point before it. x (n) is D of the last point times the
     * quantity's derivative by an impulse there, s (n) its derivative by u1; x becomes that by the velocity,
     * and s that by the displacement of the point before. NULL: a step has one point. */
    void (*trace_back)(struct sg_integrator *self, struct sg_phase *phase, struct sg_span span, double *x,
                       double *s);
    /* the energy account of such a step in the scheme's own algebra; for linear systems kinetic + strain +
     * gravity changes by exactly external - dissipated + (1/2) r . W^T (v0 + v1), where the scheme is
     * conserving */
    struct sg_work (*work)(struct sg_integrator *self, struct sg_phase *phase,
                           const struct sg_attempt *attempt);
};

struct sg_integrator {
    const struct sg_integrator_ops *ops;
    struct sg_arena *arena; /* set before create, which takes all memory from it */
    double stability;       /* largest omega h, HUGE_VAL if unconditionally stable; set by create */
    void *data;             /* parameters and scratch vectors */
};

/* The motion of a phase in closed form, of schemes that have it. */
struct sg_flow_ops {
    /* opens the motion from a state over a span; `from` stays what it is until the next call or step */
    sg_status (*open)(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                      struct sg_span span, struct sg_error *err);
    /* `to` after 0 <= tau <= h of the motion last opened, by `open` or by a step; from and to apart */
    void (*go)(struct sg_integrator *self, double tau, struct sg_state *to);
    /* that motion, valid until the next */
    const struct sg_modal_flow *(*view)(const struct sg_integrator *self);
};

struct sg_integrator_ops {
    struct sg_kind kind;
    bool stores_acceleration;
    bool complex_valued; /* asks the effective operator for complex triples */
    bool needs_modal;    /* works in modal coordinates only */
    bool needs_diagonal; /* explicit: M must be diagonal */
    bool exact_flow;     /* a step of any length is the exact solution where the load is steady */
    bool alpha_scheme;   /* `data` is a struct sg_alpha_scheme, with which nonsmooth schemes step */
    bool lumps;          /* then in nodal coordinates M is lumped where it is not */
    /* explicit schemes, by the deck's integrator group; NULL: no */
    bool (*damps_before)(const struct sg_setting *node); /* the damping force stands at the velocity before */
    bool (*scales_mass)(const struct sg_setting *node);  /* model/mass_scaling.h */
    const struct sg_response_ops *response;              /* NULL: no time-stepping */
    /* Makes what only this scheme needs; `node` is the deck's integrator group */
    sg_status (*create)(struct sg_integrator *self, const struct sg_setting *node,
                        const struct sg_phase *phase, struct sg_error *err);
    /* state->a at t, a start from state->u, state->v, where it is not the acceleration; NULL: it is */
    sg_status (*begin)(struct sg_integrator *self, struct sg_phase *phase, double t, struct sg_state *state,
                       struct sg_error *err);
    /* `to` after the span; from and to apart. Errors: SG_NO_SOLUTION. NULL: in response form only. */
    sg_status (*step)(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                      struct sg_span span, struct sg_state *to, struct sg_error *err);
    /* the energy account of such a step, in the scheme's own algebra */
    struct sg_work (*work)(struct sg_integrator *self, struct sg_phase *phase, const struct sg_state *from,
                           struct sg_span span, const struct sg_state *to);
    const struct sg_flow_ops *flow; /* NULL: none */
};

/* Takes system and op; evaluates the load if it is steady. Release frees what it allocated. */
sg_status sg_phase_init(struct sg_arena *arena, struct sg_phase *phase, const struct sg_system *system,
                        struct sg_effective *op, struct sg_error *err);

/* Factorizations and solves so far: those of `op`; Newton's, which factor matrices of their own; and those
 * with the diagonal matrix of an explicit scheme, a kick or a column of the contacts' response each. */
struct sg_effective_counts sg_phase_counts(const struct sg_phase *phase);

/* Takes the solves since `before` out of the counts: those of a trial that is thrown away are no work of the
 * run, and a run that goes on tries once more. Factors are kept, and counted as they are. */
void sg_phase_forget_solves(struct sg_phase *phase, struct sg_effective_counts before);

/* common rows of every integrator (`operator`) */
extern const struct sg_keyword sg_integrator_rows[];

/* the registry; ops of a kind of the set */
extern const struct sg_kind_set sg_integrator_kinds;
const struct sg_integrator_ops *sg_integrator_find(const struct sg_kind *kind);
size_t sg_integrator_count(void);
const struct sg_integrator_ops *sg_integrator_at(size_t i);

/* M a = f(t) - C v - K u - contact, within the null space of the rigid rows: the true acceleration of the
 * phase. The rows' multipliers are those of the operator's last solve (sg_effective_reaction). */
sg_status sg_phase_acceleration(struct sg_phase *phase, double t, const double *u, const double *v, double *a,
                                struct sg_error *err);

/* the same with the load from the left: at the end of a step */
sg_status sg_phase_acceleration_before(struct sg_phase *phase, double t, const double *u, const double *v,
                                       double *a, struct sg_error *err);

/* M a' = f' - C a - K v - contact, of the phase's springs without their offsets, within the null space of the
 * rigid rows: the derivative of that acceleration, from v and a (n). `rates` (2 n) becomes a', and f' by the
 * change of the load over a short span. */
sg_status sg_phase_acceleration_rate(struct sg_phase *phase, struct sg_span span, const double *v,
                                     const double *a, double *rates, struct sg_error *err);

/* a += M^-1 (f(t) - f(t-0)): what a jump of the load does to an acceleration that a scheme stores */
sg_status sg_phase_load_jump(struct sg_phase *phase, double t, double *a, struct sg_error *err);

/* f(t) into phase->load; nothing to do if steady */
const double *sg_phase_load(struct sg_phase *phase, double t);

/* the same from the left: at the end of a step, where the load may jump */
const double *sg_phase_load_before(struct sg_phase *phase, double t);

/* (f(t) + f(t + h)) / 2 into phase->load */
const double *sg_phase_load_average(struct sg_phase *phase, struct sg_span span);

/* the load that a work formula takes: w0 f(t0) + w1 f(t1) */
struct sg_work_points {
    double w0, t0, w1, t1;
};

/* W = du . f by `points`, the second from the left, D = h vm . C vm with vm = du/h; support motions by
 * Simpson's rule */
struct sg_work sg_work_at(struct sg_phase *phase, const struct sg_state *from, struct sg_span span,
                          const struct sg_state *to, struct sg_work_points points);

/* W = du . (f0+f1)/2, D = h vm . C vm with vm = du/h: exact for the average-acceleration schemes */
struct sg_work sg_work_average(struct sg_integrator *self, struct sg_phase *phase,
                               const struct sg_state *from, struct sg_span span, const struct sg_state *to);

/* Simpson's rule on the cubic Hermite interpolant: order 4, exact for constant loads */
struct sg_work sg_work_simpson(struct sg_integrator *self, struct sg_phase *phase,
                               const struct sg_state *from, struct sg_span span, const struct sg_state *to);

#endif
