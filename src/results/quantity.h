/* Quantities that can be recorded are registered by those who know them, so that results/ knows no mechanics.
 */
#ifndef SG_RESULTS_QUANTITY_H
#define SG_RESULTS_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The state of a run at one instant, in the solver's coordinates (nodal or modal). Borrowed. */
struct sg_snapshot {
    double t;                    /* s */
    const double *u, *v;         /* n */
    const double *u_next;        /* n: u of the next step, of a staggered scheme (v is that of the middle
                                    between); else NULL */
    double t_next;               /* s: its time; without it, t */
    const double *gap;           /* q, m, > 0 open */
    const double *force;         /* q, N, > 0 compressive */
    bool force_of_impulse;       /* it is an impulse over its step: a row of several steps tells the mean */
    const double *mean_force;    /* q, N: what balances the step where `force` does not; NULL: it does */
    const double *impulse;       /* q, N s, accumulated since the start of the run; NULL: none */
    const double *friction;      /* q x tangents, N, on the body that the normal points to; NULL: none */
    const unsigned char *active; /* q: not 0 where closed */
    const unsigned char *status; /* q: of the contacts' laws, 0 open; NULL: by the gap */
    const double *memory;        /* q SG_LAW_MEMORY (contact/law.h), of the laws; NULL: none */
    const double *constraint_force;   /* m, N: multipliers of bilateral constraints (model/constraint.h), all
                                         that acts in the step: impulses by its length; NULL: none */
    const double *constraint_impulse; /* m, N s, of all that, accumulated since the start; NULL: none */
    const double *constraint_smooth;  /* m, N: smooth part of these forces; NULL: none */
    const double *contact_smooth;     /* q, N: of the contacts; NULL: none */
    const double *constraint_correction, *contact_correction; /* m, q, kg m: multipliers that put positions
                                         right in the step; NULL: none */
    /* of what the run has passed so far, inside steps too, q each; NULL: ends of steps are all that is known
     */
    const double *gap_least, *gap_most; /* m */
    const double *peak_force;           /* N, of springs */
    const double *spring_impulse;       /* N s, of springs */
    double contact_energy;              /* J, stored in elastic contacts */
    double external;                    /* J, accumulated work of loads (gravity excluded) and supports */
    double dissipated;                  /* J, accumulated by damping, friction, impact */
    double damping, friction_work;      /* J: the parts of `dissipated` beside impacts */
    double projection; /* J, accumulated by impulses and corrections beside all these accounts */
    double switching;  /* J, accumulated where a strategy changes its shape functions */
};

/* the time that v belongs to: of a staggered scheme the middle of the step */
double sg_snapshot_velocity_time(const struct sg_snapshot *now);

/* Where the values of a row belong in the mesh of /model: as many numbers as `parts` has names for each of
 * its nodes or elements, one node behind the other. */
struct sg_field {
    const char *location; /* "nodes" or "elements"; "dofs": of nodes that don't all have all the
                             parts (/model/dof_nodes); NULL: no field */
    const char *parts;    /* "x,y": a vector; "xx,yy,xy"; "" : one number */
};

/* Rows that are dear one by one and cheap together: those of all dofs in modal coordinates, which are a
 * product of matrices instead of as many products with a vector. What a row is made of is kept, and
 * SG_LATE_ROWS rows at once are made of it; always so many, with rubbish in the place of those that are not
 * there yet, so that a row's last bits don't depend on when it is asked for. */
enum { SG_LATE_ROWS = 32 };

struct sg_late {
    size_t (*parts)(const void *owner); /* numbers that a row is made of; 0: rows are filled one by one */
    void (*take)(const void *owner, const struct sg_snapshot *now, double *parts);
    /* rows of the quantity's width (1 of scalars), one behind the other, of parts likewise; each of its own
     * alone */
    void (*make)(const void *owner, const double *parts, double *rows);
};

struct sg_quantity {
    const char *name;        /* dataset below /history, e.g. "energy/kinetic" */
    const char *unit;        /* "J" */
    const char *description; /* one line */
    size_t width;            /* columns; 0: a scalar history (rank 1) */
    bool flags;              /* store as uint8 (values 0, 1) */
    bool on_request;         /* only recorded when output.histories names it */
    bool of_displacement;    /* `fill` asks for t and u alone: recorded displacements give it again */
    /* fills one row of max(width, 1) doubles; `owner` is the registrant's object */
    void (*fill)(const void *owner, const struct sg_snapshot *now, double *row);
    const void *owner;
    const struct sg_late *late; /* another way to the same numbers; NULL: none. Not of flags */
    struct sg_field field;      /* told by the attributes `location` and `parts` */
};

/* A list that grows while the model is built. Zero-initialise; release frees the array only. */
struct sg_quantities {
    struct sg_quantity *items;
    size_t count, capacity;
    bool failed; /* sticky: out of memory */
};

void sg_quantities_release(struct sg_quantities *list);
void sg_quantities_add(struct sg_quantities *list, struct sg_quantity quantity);

#endif
