/* Nonlinear elements: forces that depend on the configuration and its rate other than linearly.
 *
 * A new kind is one file that defines an sg_element_ops, and one line in assembly/elements/registry.c; bodies
 * may add elements of any kind too. All numbers of dofs are full ones. */
#ifndef SG_MODEL_ELEMENT_H
#define SG_MODEL_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/keyword.h"
#include "support/status.h"

enum { SG_ELEMENT_DOFS = 9, SG_ELEMENT_PARAMETERS = 6 };

struct sg_element {
    const struct sg_element_ops *ops;
    size_t dof_count;
    size_t dof[SG_ELEMENT_DOFS];             /* node by node, axis by axis */
    double parameter[SG_ELEMENT_PARAMETERS]; /* by kind */
    const struct sg_signal *signal;          /* of those that drive; the system's */
};

/* The element's own dofs in its order: current coordinates x (m: reference + displacement) and velocities. */
struct sg_element_state {
    double x[SG_ELEMENT_DOFS], v[SG_ELEMENT_DOFS];
    double t; /* s */
};

struct sg_builder;
struct sg_setting;
struct sg_signal;

struct sg_element_ops {
    struct sg_kind kind; /* first member; of the deck's list `elements` */
    bool drives;         /* it is a load: what it gives is external work, not dissipated */
    /* Adds to the builder's system; faults are findings. */
    sg_status (*build)(struct sg_builder *builder, const struct sg_setting *node);
    /* f (dof_count), N: the force with which it resists, conservative and damping parts */
    void (*force)(const struct sg_element *self, const struct sg_element_state *at, double *f);
    /* J; NULL: it stores nothing */
    double (*energy)(const struct sg_element *self, const struct sg_element_state *at);
    /* W, what it takes from the motion (negative: gives); NULL: nothing */
    double (*power)(const struct sg_element *self, const struct sg_element_state *at);
    /* k = df/dx and c = df/dv, dof_count^2 each, column-major, symmetric; set to zero by the caller */
    void (*tangent)(const struct sg_element *self, const struct sg_element_state *at, double *k, double *c);
};

/* Grows while the model is built. Zero-initialise. */
struct sg_elements {
    struct sg_arena *arena; /* of the list */
    struct sg_element *items;
    size_t count, capacity;
    size_t driving; /* of them */
    bool failed;    /* sticky: out of memory */
};

void sg_elements_add(struct sg_elements *list, const struct sg_element *element);

#endif
