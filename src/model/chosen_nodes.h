/* Displacement and velocity of a few nodes instead of all: what `output.nodes` names. */
#ifndef SG_MODEL_CHOSEN_NODES_H
#define SG_MODEL_CHOSEN_NODES_H

#include "deck/deck.h"
#include "model/expansion.h"
#include "model/system.h"
#include "results/quantity.h"
#include "support/status.h"

struct sg_chosen_nodes {
    const struct sg_system *system;
    size_t count;
    size_t *dof;                   /* count: full dofs, dim a node, in the order named */
    struct sg_some_dofs some;      /* these, once prepared */
    char *displacement, *velocity; /* descriptions, which list the nodes */
};

/* the names, and the deck's group that gives them by keyword `nodes` */
struct sg_chosen_names {
    struct sg_texts nodes;
    const struct sg_setting *group;
};

/* Unknown nodes are findings; SG_BAD_DECK then. Release in any case. */
sg_status sg_chosen_nodes_init(struct sg_chosen_nodes *chosen, const struct sg_system *system,
                               const struct sg_chosen_names *names, struct sg_diagnostics *diagnostics,
                               struct sg_error *err);

/* Once the coordinates are chosen; before a history is filled. */
sg_status sg_chosen_nodes_prepare(struct sg_chosen_nodes *chosen, struct sg_error *err);
void sg_chosen_nodes_release(struct sg_chosen_nodes *chosen);

/* puts the chosen nodes' histories in the place of the registered displacement and velocity */
void sg_chosen_nodes_register(const struct sg_chosen_nodes *chosen, struct sg_quantities *list);

#endif
