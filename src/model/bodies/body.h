/* Bodies: how a group of the deck's `bodies` becomes nodes, elements and matrices.
 *
 * A new kind is one file that defines an sg_body_ops, and one line in registry.c. */
#ifndef SG_MODEL_BODIES_BODY_H
#define SG_MODEL_BODIES_BODY_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/deck.h"
#include "linalg/matrix.h"
#include "model/elements/element.h"
#include "support/status.h"

struct sg_body_size {
    size_t nodes;    /* at least 1, dim dofs each */
    size_t elements; /* that join two nodes: what is drawn */
    size_t dim;      /* 1 to 3: coordinates of a node, the same for all bodies of a model */
};

/* Where a body writes itself; all numbers of nodes and dofs are global: its own node i is first + i, whose
 * dof along axis d is dim (first + i) + d. */
struct sg_body_target {
    size_t first;
    double *position;                               /* nodes x dim, row-major: m */
    int *element_nodes;                             /* 2 x elements */
    bool *held;                                     /* nodes x dim, all false: true for a dof that the
                                                       body itself keeps where it is */
    struct sg_triplets *mass, *damping, *stiffness; /* damping: dashpots only, no Rayleigh part */
    struct sg_elements *elements;                   /* nonlinear ones are added here */
};

struct sg_body_ops {
    struct sg_kind kind; /* first member */
    /* Size; SG_BAD_DECK with findings for what the rows alone can't refuse. Must not allocate by the
     * size it finds, which may be absurd. */
    sg_status (*measure)(const struct sg_node *node, struct sg_diagnostics *diagnostics,
                         struct sg_body_size *size);
    /* Fills the target. A triplet list that runs out of memory says so itself. */
    void (*assemble)(const struct sg_node *node, const struct sg_body_target *target);
};

/* the name given, else the kind's; owned by the deck */
const char *sg_body_name(const struct sg_node *node);

extern const struct sg_body_ops sg_body_bar;
extern const struct sg_body_ops sg_body_particles;
extern const struct sg_body_ops sg_body_chain;
extern const struct sg_body_ops sg_body_discrete_beam;

#endif
