/* Loads: how a group of the deck's `loads` adds to the system. A new kind is one file that defines an
 * sg_load_ops, and one line in registry.c. */
#ifndef SG_MODEL_LOADS_LOAD_H
#define SG_MODEL_LOADS_LOAD_H

#include "model/builder.h"

struct sg_load_ops {
    struct sg_kind kind; /* first member */
    /* adds to the builder's system: at most one entry of `loads` and of `signals`, or to its gravity */
    sg_status (*apply)(struct sg_builder *builder, const struct sg_setting *node);
};

/* Adds an empty load that follows `signal`; the pattern (n zeros) is to be filled. */
sg_status sg_load_add(struct sg_builder *builder, size_t signal, enum sg_signal_order order,
                      struct sg_load **load);

/* The unit vector (dim of 3) of keyword `direction`; `given` without data: the last axis. False with a
 * finding if it has not `dim` items or no length. */
bool sg_load_direction(struct sg_builder *builder, const struct sg_setting *node, struct sg_reals given,
                       double unit[3]);

extern const struct sg_load_ops sg_load_gravity;
extern const struct sg_load_ops sg_load_force;
extern const struct sg_load_ops sg_load_moment;
extern const struct sg_load_ops sg_load_vector;
extern const struct sg_load_ops sg_load_ground_acceleration;
extern const struct sg_load_ops sg_load_body_force;

#endif
