/* Arenas: one owner for all that is made together and goes together.
 *
 * Whoever starts something that ends (a command, a run, an analysis, a trial) has an arena, and passes it to
 * all that makes objects for it. These take their memory from the arena, give it their foreign handles
 * (factors of CHOLMOD, ids of HDF5, files) with the function that closes them, and have no destructor:
 * sg_arena_release gives back all, the last first. So nothing can be forgotten, and a function that fails
 * half-way just returns.
 *
 * Each block is one of malloc's own, so that sanitizers see what is written beyond it. What lives shorter
 * than its surroundings (a point of an analysis, a case) has an arena of its own, or one inside the larger
 * (sg_arena_open) that is released again and again. */
#ifndef SG_SUPPORT_ARENA_H
#define SG_SUPPORT_ARENA_H

#include <stddef.h>

#include "support/memory.h"
#include "support/status.h"

struct sg_arena_item;

/* All zeros: an empty one. */
struct sg_arena {
    struct sg_arena_item *items; /* in the order in which they came */
    size_t count, capacity;
};

/* Gives back all blocks and closes all handles, the last that came first; the arena is empty then and may be
 * used again. */
void sg_arena_release(struct sg_arena *arena);

/* The arena of a block of code, for what it needs only itself: released wherever the block is left. The
 * attribute is not of C11, but of gcc and clang. */
#define SG_LOCAL_ARENA(name) __attribute__((cleanup(sg_arena_release))) struct sg_arena name = {0}

/* An arena that is released with `parent`, or before, as often as is wanted. */
sg_status sg_arena_open(struct sg_arena *parent, struct sg_arena **out, struct sg_error *err);

/* sg_alloc and sg_alloc_streamed: the block is the arena's. */
sg_status sg_arena_alloc(struct sg_arena *arena, size_t count, size_t size, const char *what, void *out,
                         struct sg_error *err);
sg_status sg_arena_alloc_streamed(struct sg_arena *arena, size_t count, size_t size, const char *what,
                                  void *out, struct sg_error *err);

/* SG_ARENA_NEW(arena, &self->values, n, err): `out` is a T **, n elements of T. */
#define SG_ARENA_NEW(arena, out, count, err)                                                                 \
    sg_arena_alloc((arena), (count), sizeof **(out), #out, (out), (err))

#define SG_ARENA_NEW_STREAMED(arena, out, count, err)                                                        \
    sg_arena_alloc_streamed((arena), (count), sizeof **(out), #out, (out), (err))

/* Makes `handle` the arena's, which calls close(handle). If it fails it has called it already: the handle is
 * the arena's in any case. */
sg_status sg_arena_own(struct sg_arena *arena, void *handle, void (*close)(void *handle),
                       struct sg_error *err);

/* Room for one more item of `size` bytes in a list of `count` that grows while a model is built. `list` is
 * the address of its pointer (NULL: not begun), whose block is the arena's; it moves. On failure the list
 * stays as it was. New items are zero. */
sg_status sg_arena_grow(struct sg_arena *arena, void *list, size_t count, size_t *capacity, size_t size,
                        struct sg_error *err);

/* Gives back one block of the arena before its time: NULL is fine. */
void sg_arena_drop(struct sg_arena *arena, void *block);

/* a copy of a string */
sg_status sg_arena_copy_text(struct sg_arena *arena, const char *text, char **out, struct sg_error *err);

#endif
