/* A point of a nonsmooth mode: the columns of an orbit. */
#ifndef SG_ANALYSES_NONSMOOTH_POINT_H
#define SG_ANALYSES_NONSMOOTH_POINT_H

#include <stddef.h>

#include "analyses/nonsmooth_branch.h"
#include "results/record.h"
#include "support/arena.h"
#include "support/status.h"

enum { SG_POINT_SWITCHES = 16 };

struct sg_point_writer {
    size_t dofs, nodes; /* the most of any mesh: n of the phases, full dofs */
    size_t samples;     /* of the motion over a period; 0: none */
    size_t column_count;
    struct sg_point_column *columns; /* owned */
    size_t width;
    double *values, *work; /* width; 3 nodes + 2 dofs */
};

/* */
sg_status sg_point_writer_init(struct sg_arena *arena, struct sg_point_writer *writer, size_t dofs,
                               size_t nodes, size_t samples, struct sg_error *err);

/* The part of a point that is not the orbit's own */
struct sg_point_note {
    double ratio; /* of frequencies; of the orbit if one was found */
    size_t piece; /* of the branch: how many were begun */
    enum sg_branch_end end;
};

/* Fills writer->values of the orbit at hand; with SG_BRANCH_NONE only the note. Allocates. */
sg_status sg_point_fill(struct sg_point_writer *writer, struct sg_branch *branch,
                        const struct sg_point_note *note, struct sg_error *err);

#endif
