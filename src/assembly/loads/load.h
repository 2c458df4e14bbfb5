/* Loads: how a group of the deck's `loads` adds to the system. A new kind is one file that defines an
 * sg_load_ops, and one line in registry.c. */
#ifndef SG_ASSEMBLY_LOADS_LOAD_H
#define SG_ASSEMBLY_LOADS_LOAD_H

#include "assembly/builder.h"

struct sg_load_ops {
    struct sg_kind kind; /* first member */
    /* adds to the builder's system: at most one entry of `loads` and of `signals`, or to its gravity */
    sg_status (*apply)(struct sg_builder *builder, const struct sg_setting *node);
};

/* The unit vector (dim of 3) of keyword `direction`; `given` without data: the last axis. False with a
 * finding if it has not `dim` items or no length. */
bool sg_load_direction(struct sg_builder *builder, const struct sg_setting *node, struct sg_reals given,
                       double unit[3]);

#endif
