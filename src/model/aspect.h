/* Aspects: what kinds of bodies know beside matrices, nodes and elements, such as the storeys of a frame or
 * the field of a bar between its nodes. A body opens an aspect while it assembles itself; the system carries
 * it, and knows of it nothing but these functions. Who needs an aspect asks its own header for it
 * (model/storeys.h, model/strip.h, ...). A new one is a file with an sg_aspect_ops. */
#ifndef SG_MODEL_ASPECT_H
#define SG_MODEL_ASPECT_H

#include <stdbool.h>
#include <stddef.h>

#include "support/arena.h"
#include "support/status.h"

struct sg_modal;
struct sg_quantities;
struct sg_system;

struct sg_aspect_ops {
    size_t size; /* bytes of its data, which begin as zeros; the arena's, as its lists are */
    /* Once it is known which dofs are free, and before the system is used. NULL: nothing is left to do. */
    sg_status (*settle)(void *data, struct sg_system *system, struct sg_error *err);
    /* NULL: it is the same in all coordinates */
    sg_status (*to_modal)(void *data, const struct sg_modal *modal, struct sg_error *err);
    /* NULL: it has none */
    void (*add_quantities)(const void *data, struct sg_quantities *list);
};

struct sg_aspect {
    const struct sg_aspect_ops *ops;
    void *data;
};

/* Part of a system. */
struct sg_aspects {
    struct sg_arena *arena; /* the system's */
    struct sg_aspect *items;
    size_t count, capacity;
    bool failed; /* sticky: out of memory. Bodies need not ask; the builder does */
};

/* The data of an aspect, made where no body opened it before. NULL once memory ran out. */
void *sg_aspect_open(struct sg_aspects *aspects, const struct sg_aspect_ops *ops);

/* room for one more item in a list of an aspect, as of sg_arena_grow; false once memory ran out */
bool sg_aspect_grow(struct sg_aspects *aspects, void *list, size_t count, size_t *capacity, size_t size);

/* NULL: no body of the model has it */
const void *sg_aspect_find(const struct sg_aspects *aspects, const struct sg_aspect_ops *ops);

sg_status sg_aspects_settle(struct sg_system *system, struct sg_aspects *aspects, struct sg_error *err);
sg_status sg_aspects_to_modal(struct sg_aspects *aspects, const struct sg_modal *modal, struct sg_error *err);
void sg_aspects_add_quantities(const struct sg_aspects *aspects, struct sg_quantities *list);

#endif
