/* The contact set: the gap functions g_j(u, t) with their normals, and the law of each contact.
 *
 *     w_j = dg_j/du,   g > 0 open,   reactions R_j >= 0 push the gap open: the force on the body is w_j R_j.
 *
 * A set is affine where g_j = offset_j + w_j^T u for ever; that is what event-driven integration and modal
 * coordinates need. Others (circles, segments, moving obstacles) are evaluated at a configuration into a
 * frame. */
#ifndef SG_CONTACT_CONTACT_SET_H
#define SG_CONTACT_CONTACT_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "contact/law.h"
#include "deck/deck.h"
#include "linalg/columns.h"
#include "model/system.h"
#include "results/quantity.h"
#include "support/status.h"

struct sg_gap; /* contact/gaps/gap.h */

struct sg_contact_set {
    struct sg_arena arena; /* has all of it */
    size_t q;
    size_t tangents;           /* directions of friction a contact: dim - 1 if one has friction, else 0 */
    bool affine;               /* `w`, `tangent` and `offset` hold for ever */
    struct sg_columns w;       /* n x q; not affine: at the initial state */
    struct sg_columns tangent; /* n x q tangents, as in the frame; q = 0 without friction */
    double *offset;            /* q, m: gap at u = 0; not affine: 0 where there is none */
    struct sg_law *laws;       /* q */
    double *memory;            /* q x SG_LAW_MEMORY: what laws remember at the start */
    double *friction;          /* q, 1: Coulomb's coefficient */
    bool *sprung;              /* q: the law is a force of the gap, not a constraint with impacts */
    bool *fixed;               /* q: the gap is affine, and the obstacle does not move */
    char **names;              /* q */
    size_t *entry;             /* q: the item of the deck's `contacts` that made it */
    struct sg_gap *gaps;       /* q: how each is measured, in nodal coordinates */
};

extern const struct sg_kind_set sg_contact_kinds;
extern const struct sg_keyword sg_contact_rows[]; /* of every kind */

/* which laws the set may have, and of whom: "strategy 'penalty'" */
struct sg_contact_choice {
    struct sg_law_choice laws;
    const char *who;
};

/* Builds the set from the deck's `contacts`, with the laws of a choice (NULL: those with pieces or impacts).
 * Unknown nodes, moving nodes, overlap at the start and missing or contradictory keywords, and laws beside
 * the choice, are findings; SG_BAD_DECK if there is one, SG_NO_INPUT if a side file can't be opened: then
 * `*set` is NULL, or good for nothing but its size and names; destroy it in any case. Of a faulty system the
 * start is not judged. */
sg_status sg_contact_set_create(const struct sg_deck *deck, const struct sg_system *system,
                                const struct sg_contact_choice *choice, struct sg_contact_set **set,
                                struct sg_diagnostics *diagnostics, struct sg_error *err);
void sg_contact_set_destroy(struct sg_contact_set *set);

/* to the coordinates of sg_system_to_modal; SG_INTERNAL if the set is not affine */
sg_status sg_contact_set_to_modal(struct sg_contact_set *set, const struct sg_modal *modal,
                                  struct sg_error *err);

/* gaps and gap velocities of a state, of an affine set: q each */
void sg_contact_set_gaps(const struct sg_contact_set *set, const double *u, const double *v, double *gap,
                         double *rate);

/* Gaps, normals and tangents at one configuration. */
struct sg_contact_frame {
    struct sg_arena arena;           /* has all of it */
    double *gap;                     /* q, m */
    double *drift;                   /* q, m/s: dg_j/dt at fixed u, of moving obstacles */
    const struct sg_columns *normal; /* n x q: w_j */
    const struct sg_columns
        *tangent; /* n x q tangents: those of contact j are the columns j tangents + k,
                     orthonormal with the normal at the contact point; NULL: no friction */
    struct sg_columns own_normal, own_tangent; /* storage where the normals change */
};

/* Release in any case. The patterns of the columns never change; in an affine set no value does either. */
sg_status sg_contact_frame_init(struct sg_contact_frame *frame, const struct sg_contact_set *set,
                                struct sg_error *err);
void sg_contact_frame_release(struct sg_contact_frame *frame);

/* gaps, drift, normals and tangents at u (n) and t; allocates nothing */
void sg_contact_set_place(const struct sg_contact_set *set, double t, const double *u,
                          struct sg_contact_frame *frame);

/* the gap of one contact at t and u (n) */
double sg_contact_set_gap(const struct sg_contact_set *set, size_t j, double t, const double *u);

/* dg_j/dt at fixed u into drift (q, m/s), of obstacles that move; the others' entries stay as they are */
void sg_contact_set_drift(const struct sg_contact_set *set, double t, double *drift);

/* m: how far the obstacle of contact j goes along the normal from t0 to t1; 0 where it does not move */
double sg_contact_set_obstacle_way(const struct sg_contact_set *set, size_t j, double t0, double t1);

/* m, at t and u (n): machine epsilon times the coordinates that gap j is the difference of */
double sg_contact_set_rounding(const struct sg_contact_set *set, size_t j, double t, const double *u);

/* gap, contact_force, active; friction_force where there is friction */
void sg_contact_set_register(const struct sg_contact_set *set, struct sg_quantities *list);

#endif
