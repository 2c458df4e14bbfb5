/* Contact laws: how the normal force R >= 0 of a contact follows its gap g and gap velocity g', and what
 * energy it stores and takes. A new law is one file in laws/ that defines a `struct sg_law_ops`, and one line
 * in laws/registry.c; nothing outside that file asks for a law by its name.
 *
 * A law is an automaton: in each of its statuses (0 is open) the force is a straight line or a curve, and
 * watches say what ends a status and which one follows. Four faces of it serve four kinds of strategies;
 * a law has those that its `uses` names, and a strategy takes the laws that have a face which it understands:
 *
 *     SG_LAW_IMPACT   the gap can't fall below 0; Newton's law of impact gives the velocity after an impulse
 *     SG_LAW_PIECES   in each status R = -kappa (g - level): operators, event-driven integration, orbits
 *     SG_LAW_FORCE    R(g, g') with derivatives, which falls as g and g' grow: Newton's method of `penalty`
 *     SG_LAW_STEP     the force over a step whose work is the change of the stored energy: midpoint rules
 *
 * Numbers of a law are constants of the run (`struct sg_law`); its memory is a few doubles a contact that the
 * strategy keeps beside the status, archives, and hands to every function but `dashpot` and `step`
 * (docs/laws.md). Memory changes at a change of status (`enter`) and before a time step (`note`) alone; the
 * stiffness of a piece must not depend on it, its level may. Force is continuous across a watch. */
#ifndef SG_CONTACT_LAW_H
#define SG_CONTACT_LAW_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "deck/deck.h"
#include "support/text.h"

enum sg_law_use { SG_LAW_IMPACT = 1, SG_LAW_PIECES = 2, SG_LAW_FORCE = 4, SG_LAW_STEP = 8 };

enum { SG_LAW_NUMBERS = 4, SG_LAW_MEMORY = 4, SG_LAW_STATUSES = 8, SG_LAW_WATCHES = 3 };

enum { SG_LAW_OPEN = 0 }; /* the status of every law in which there is no force */

struct sg_law_ops;

/* The law of one contact. */
struct sg_law {
    const struct sg_law_ops *ops; /* NULL: the deck gives no law that the strategy takes */
    double restitution; /* 1, read in this room alone (below). For a spring: docs/laws.md. 0: none */
    double number[SG_LAW_NUMBERS]; /* of the kind's own */
    bool in_short;                 /* given by keywords of the contact itself, not by a group `law` */
};

/* Keywords of a contact that stand for a group `law`, and what else decides them. NaN: not given. */
struct sg_law_short {
    double stiffness;       /* N/m */
    double hertz_stiffness; /* N/m^1.5 */
    double restitution;     /* 1 */
    bool hertzdamp;         /* the dashpot of Hertz's law is 3 (1 - e^2) / 4 */
};

/* nothing is given */
static inline struct sg_law_short sg_law_short_blank(void)
{
    return (struct sg_law_short){NAN, NAN, NAN, false};
}

/* How a group `law` is read. */
struct sg_law_reader {
    double max_stiffness; /* N/m: largest entry of the model's stiffness matrix, for stiffness_factor */
    struct sg_diagnostics *diagnostics;
};

/* m: how deep a gap lies below 0 */
static inline double sg_law_overlap(double gap)
{
    return gap < 0.0 ? -gap : 0.0;
}

/* --- faces of a law ------------------------------------------------------------------------------------- */

/* R = -stiffness (gap - level) while the status lasts. HUGE_VAL: the gap is held, R is a multiplier. */
struct sg_law_piece {
    double stiffness; /* N/m */
    double level;     /* m: the gap at which the straight line is 0 */
};

enum sg_watch_of { SG_WATCH_GAP, SG_WATCH_RATE, SG_WATCH_FORCE };

/* The status ends where what is watched crosses `level` in the direction: then `next` holds. Event-driven
 * integration locates watches of the gap, and the release of contacts at rest, whose watch is of the force;
 * no strategy locates watches of the rate yet, and tests/unit/test_laws.c refuses laws that have some. */
struct sg_law_watch {
    enum sg_watch_of of;
    double level; /* m, m/s, N */
    bool rises;   /* through the level; else it falls through */
    unsigned next;
};

/* Where a force is asked for. */
struct sg_law_point {
    double gap, rate;     /* m, m/s */
    double dashpot;       /* N s/m, what sg_law_dashpot gave; 0 where none is felt */
    const double *memory; /* SG_LAW_MEMORY */
};

struct sg_law_force {
    double value, by_gap, by_rate; /* N, N/m, N s/m: both derivatives <= 0 */
};

/* What a time step knows of a contact at an equilibrium point, before its force. */
struct sg_law_arrival {
    bool first;           /* the first equilibrium point of the step */
    double gap;           /* m, at the start of the step */
    double before, after; /* m/s: speed of approach at the start, and at the end without contacts */
};

/* The mean force of a step over which the gap goes from g0 to g1, its derivative by g1, and the energy that
 * it takes: value (g1 - g0) = -(U(g1) - U(g0)) - taken. */
struct sg_law_step {
    double value, slope, taken; /* N, N/m, J */
};

/* A mass that meets the contact alone: what `check` tells. */
struct sg_law_blow {
    double mass, speed; /* kg, m/s */
    double load;        /* N, at rest on it */
};
struct sg_law_estimate {
    double time;  /* s: how long the mass stays */
    double depth; /* m: how deep it gets; with a dashpot it gets less deep */
    double sink;  /* m: how deep `load` presses */
};

/* --- a kind --------------------------------------------------------------------------------------------- */

struct sg_law_ops {
    struct sg_kind kind;             /* first member; rows of the group `law` */
    unsigned uses;                   /* of enum sg_law_use */
    const char *force;               /* formula in words, for `list laws` */
    const char *restitution_meaning; /* what a coefficient of restitution means here */
    const char *short_form;          /* keyword of a contact that gives the law; NULL: none, or without any */
    const char *short_hint;          /* how that keyword is given, for messages */
    const char *short_name; /* by which a strategy chooses among short forms; NULL: it is not chosen */
    bool takes_hertzdamp;   /* `hertzdamp` of short forms says something to it */
    /* The kind's numbers and the restitution, out of a validated group; faults are findings. */
    void (*read)(const struct sg_setting *node, const struct sg_law_reader *reader, struct sg_law *law);
    /* the same of short keywords; false if they don't give this law. NULL: there are none */
    bool (*read_short)(const struct sg_law_short *given, struct sg_law *law);
    /* statuses, open included, and numbers of memory that are in use */
    unsigned statuses;
    const char *const *status_names;            /* by status */
    size_t (*memory)(const struct sg_law *law); /* NULL: 0 */
    const char *const *memory_names;            /* with their units */
    /* SG_LAW_PIECES, and rows of SG_LAW_IMPACT: not asked for status 0 */
    struct sg_law_piece (*piece)(const struct sg_law *law, const double *memory, unsigned status);
    size_t (*watches)(const struct sg_law *law, const double *memory, unsigned status,
                      struct sg_law_watch *list);
    /* Changes the memory when the status changes, event by event; NULL: nothing does. */
    void (*enter)(const struct sg_law *law, const struct sg_law_point *at, unsigned status, double *memory);
    /* SG_LAW_FORCE */
    struct sg_law_force (*at)(const struct sg_law *law, const struct sg_law_point *point);
    /* N s/m, of a mass (kg) that shall leave with the restitution; NULL: none, or one of `memory` */
    double (*dashpot)(const struct sg_law *law, double mass);
    /* Changes the memory in a time step, before the force at each of its equilibrium points; NULL: nothing
     */
    void (*note)(const struct sg_law *law, const struct sg_law_arrival *arrival, double *memory);
    /* SG_LAW_STEP, 0 <= chi <= 1: what is taken, as a part of the energy of the change of the overlap */
    struct sg_law_step (*step)(const struct sg_law *law, double chi, double g0, double g1);
    /* J, stored at a gap; NULL: none ever */
    double (*energy)(const struct sg_law *law, const double *memory, double gap);
    /* J, taken so far by the law's own memory; NULL: 0. No account asks for it yet, since no law has such. */
    double (*taken)(const struct sg_law *law, const double *memory);
    /* "spring 1e+06 N/m" */
    void (*describe)(const struct sg_law *law, struct sg_text *text);
    /* NULL: nothing to tell */
    void (*estimate)(const struct sg_law *law, const struct sg_law_blow *blow, struct sg_law_estimate *out);
};

extern const struct sg_kind_set sg_law_kinds;
size_t sg_law_count(void);
const struct sg_law_ops *sg_law_at(size_t i);
const struct sg_law_ops *sg_law_find(const struct sg_kind *kind);

/* the law with this `short_name`, which is there */
const struct sg_law_ops *sg_law_called(const char *short_name);

/* --- what a strategy takes ------------------------------------------------------------------------------ */

/* A contact may give several laws by short keywords, of which each strategy takes its own. */
struct sg_law_choice {
    unsigned uses;                      /* faces that the strategy understands */
    const struct sg_law_ops *preferred; /* of short keywords this one alone; NULL: the first that fits */
    bool hertzdamp;
};

/* law->ops stays NULL where none fits */
void sg_law_choose_short(const struct sg_law_short *given, const struct sg_law_choice *choice,
                         struct sg_law *law);

/* "rigid, spring": the kinds that have one of these faces */
void sg_law_list(unsigned uses, struct sg_text *list);

/* --- questions about a law ------------------------------------------------------------------------------ */

/* the contact is a constraint with impacts, not a force */
bool sg_law_is_rigid(const struct sg_law *law);

/* --- impacts -------------------------------------------------------------------------------------------- */

/* Newton's law of impact, g'+ = -e g'-, and what follows from it. Nothing outside of this room reads e. */

/* whether something leaves at all: e > 0 */
static inline bool sg_law_rebounds(const struct sg_law *law)
{
    return law->restitution > 0.0;
}

/* whether an impact takes nothing: e = 1 */
static inline bool sg_law_is_lossless(const struct sg_law *law)
{
    return law->restitution == 1.0;
}

/* m/s: e g', what is left of a gap velocity and then turned */
static inline double sg_law_rebound(const struct sg_law *law, double rate)
{
    return law->restitution * rate;
}

/* m/s: (1 + e) g', by how much an impact changes a gap velocity; of gaps alike */
static inline double sg_law_jump(const struct sg_law *law, double rate)
{
    return (1.0 + law->restitution) * rate;
}

/* J: e^2 of the energy that a contact took is left by the impact */
static inline double sg_law_energy_kept(const struct sg_law *law, double energy)
{
    return law->restitution * law->restitution * energy;
}

/* J >= 0, that an impact takes: with the jump b = (1 + e) g'- < 0 and the impulse r (N s) it is
 * -(1/2) r (g'+ + g'-) = -(1/2) (1 - e)/(1 + e) b r. */
static inline double sg_law_impact_loss(const struct sg_law *law, double jump, double impulse)
{
    double e = law->restitution;
    return -(0.5 * (1.0 - e) / (1.0 + e) * jump * impulse);
}

/* m: (g + e g0) / (1 + e), the mean of a gap after a step and before it that is held at or above 0 where
 * displacements are reflected (Paoli and Schatzman 2002) */
static inline double sg_law_mean_gap(const struct sg_law *law, double gap, double before)
{
    double e = law->restitution;
    return e == 0.0 ? gap : (gap + e * before) / (1.0 + e);
}

/* "restitution 0.5" */
void sg_law_describe_rebound(const struct sg_law *law, struct sg_text *text);

/* 0 < e < 1: a spring has a dashpot for it, where the strategy has dashpots */
bool sg_law_is_damped(const struct sg_law *law);

/* it is damped, and its dashpot is for the mass that the contact feels */
bool sg_law_has_dashpot(const struct sg_law *law);

/* N/m: the largest stiffness of its pieces; 0 where the law has none that is finite */
double sg_law_stiffness(const struct sg_law *law);

/* one straight line while it is closed, the dashpot included: `level` 0 */
bool sg_law_is_linear(const struct sg_law *law);

size_t sg_law_memory(const struct sg_law *law);

/* Of a law that is a force, at rest and before any memory: how deep a gap lies below 0 where the force is
 * `force` >= 0 (N), and by how much it deepens for a newton more: m, m/N; at 0 the slope is 0 where the force
 * begins without stiffness. */
struct sg_law_rest {
    double depth, compliance;
};
struct sg_law_rest sg_law_rest_at(const struct sg_law *law, double force);

/* N, 0 in status 0; not for pieces that are held */
double sg_law_piece_force(const struct sg_law_piece *piece, double gap);

/* The status in which the gap can stay: from open along the watches of gaps that are violated. */
unsigned sg_law_status_of(const struct sg_law *law, const double *memory, double gap);

/* J, at a gap */
double sg_law_energy(const struct sg_law *law, const double *memory, double gap);

#endif
