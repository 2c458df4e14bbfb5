/* Bodies: how a group of the deck's `bodies` becomes nodes, elements and matrices.
 *
 * A new kind is one file that defines an sg_body_ops, and one line of registry.c. */
#ifndef SG_ASSEMBLY_BODIES_BODY_H
#define SG_ASSEMBLY_BODIES_BODY_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/deck.h"
#include "linalg/matrix.h"
#include "model/aspect.h"
#include "model/element.h"
#include "model/names.h"
#include "results/element_shape.h"
#include "support/status.h"

struct sg_body_size {
    size_t nodes;    /* at least 1, dim dofs each and, if `rotates`, one more */
    size_t elements; /* what is drawn */
    size_t width;    /* the most nodes that an element has; 0: 2 */
    size_t dim;      /* 1 to 3: coordinates of a node, the same for all bodies of a model */
    bool rotates;    /* its nodes have a rotation about z behind their axes; in a plane only */
    void *data;      /* what `measure` read for `assemble`, of the source's arena; or NULL */
};

/* A body's group in its deck, for which side files are relative to the deck's folder (formats/table.h). */
struct sg_body_source {
    const struct sg_deck *deck;
    const struct sg_setting *node;
    struct sg_diagnostics *diagnostics;
    struct sg_error *err;
    size_t elements;        /* of bars, instead of what the deck says; 0: as it says */
    struct sg_arena *arena; /* until the model is built */
};

/* Where a body writes itself; all numbers of nodes and dofs are global: its own node i is first + i, whose
 * dof along axis d is first_dof + node_dofs i + d, and whose rotation follows its axes. */
struct sg_body_target {
    const char *name;
    size_t first;                                   /* node */
    size_t first_dof, node_dofs;                    /* node_dofs: dim, or dim + 1 if it rotates */
    size_t first_element;                           /* row of the results' element_nodes */
    size_t width;                                   /* of the rows of element_nodes */
    void *data;                                     /* from `measure` */
    double *position;                               /* nodes x dim, row-major: m */
    int *element_nodes;                             /* elements x width, all -1; see sg_body_connect */
    signed char *element_shapes;                    /* elements: enum sg_element_shape */
    bool *held;                                     /* nodes x node_dofs, all false: true for a dof that the
                                                       body itself keeps where it is */
    struct sg_triplets *mass, *damping, *stiffness; /* damping: dashpots only, no Rayleigh part */
    struct sg_elements *elements;                   /* nonlinear ones are added here */
    struct sg_aspects *aspects;                     /* what else it knows (model/aspect.h) */
    struct sg_node_sets *sets;                      /* named sets of its nodes are opened here */
    struct sg_ties *ties;                           /* what sg_body_tie adds */
};

struct sg_body_ops {
    struct sg_kind kind; /* first member */
    bool small_motion;   /* its elements are linear: right for small rotations and strains alone */
    bool any_mass;       /* its matrices may be indefinite though their diagonals are positive */
    /* Size; SG_BAD_DECK with findings for what the rows alone can't refuse, SG_NO_INPUT (a finding, too) if a
     * side file can't be opened. Must not allocate by the size it finds, which may be absurd. Called once a
     * body. */
    sg_status (*measure)(const struct sg_body_source *source, struct sg_body_size *size);
    /* Fills the target; faults are findings. A list of triplets, elements or sets that runs out of memory
     * says so itself. */
    sg_status (*assemble)(const struct sg_body_source *source, const struct sg_body_target *target);
};

/* Element i of the body, of a shape and its nodes (global). */
void sg_body_connect(const struct sg_body_target *target, size_t i, enum sg_element_shape shape,
                     const size_t *nodes);

/* the same of a line between nodes a and b */
void sg_body_join(const struct sg_body_target *target, size_t i, size_t a, size_t b);

/* Makes two dofs (global) one: slip joints, rigid diaphragms. A master is no slave of another tie. */
void sg_body_tie(const struct sg_body_target *target, size_t slave, size_t master);

extern const struct sg_keyword sg_body_rows[]; /* of all kinds */

/* the name given, else the kind's; owned by the deck */
const char *sg_body_name(const struct sg_setting *node);

#endif
