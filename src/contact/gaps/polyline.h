/* A surface in the plane that nodes may touch: straight segments in chains, each with the body on its left,
 * so that the normal out of the body is (dy, -dx) / length. */
#ifndef SG_CONTACT_GAPS_POLYLINE_H
#define SG_CONTACT_GAPS_POLYLINE_H

#include <stddef.h>

#include "model/system.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_segment {
    size_t node[2];       /* own numbers of its ends */
    size_t before, after; /* segments that it shares them with; SIZE_MAX: the chain ends */
};

struct sg_surface {
    size_t node_count;
    size_t *node;      /* node_count: global */
    size_t *dof;       /* node_count x 2: free dofs; SIZE_MAX: prescribed */
    double *reference; /* node_count x 2, m */
    size_t count;
    struct sg_segment *segments;
    double overhang; /* m, by which the last segments of a chain go on straight beyond its ends */
};

/* Of a set with edges, of which one in three nodes is taken as two straight pieces. SG_BAD_DECK where more
 * than two edges meet in a node, which `branch` then names. */
sg_status sg_surface_create(struct sg_arena *arena, const struct sg_system *system,
                            const struct sg_node_set *set, struct sg_surface **surface, size_t *branch,
                            struct sg_error *err);

/* The place of the surface that is nearest to a point. */
struct sg_surface_place {
    size_t segment;
    double fraction;  /* 0 to 1 from its first end to its second; outside on an overhang */
    double gap;       /* m, signed distance: below 0 inside the body */
    double normal[2]; /* unit, along which the distance is measured, out of the body */
    bool beyond;      /* the place is the end of a chain and the point beyond it: the gap is open there */
};

/* At displacements u (n; NULL: none) of the nodes. The gap is continuous in the point, but where an end of a
 * chain is passed inside the body, and in the surface's displacements; so is the normal outside, while inside
 * it jumps where two places are equally near. Finite with a unit normal at every finite input. */
void sg_surface_find(const struct sg_surface *surface, const double *u, const double point[2],
                     struct sg_surface_place *place);

#endif
