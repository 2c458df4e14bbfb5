#include "support/arena.h"

#include <stdlib.h>
#include <string.h>

struct sg_arena_item {
    void *object;
    void (*close)(void *object);
};

/* The place in the list is made before the object, so that nothing has to be undone if there is none. */
static sg_status reserve(struct sg_arena *arena, struct sg_error *err)
{
    if (sg_grow(&arena->items, arena->count, &arena->capacity, sizeof *arena->items)) return SG_OK;
    FAIL(err, SG_NO_MEMORY, "out of memory: an arena can't hold more than %zu items", arena->count);
}

static void add(struct sg_arena *arena, void *object, void (*close)(void *))
{
    arena->items[arena->count++] = (struct sg_arena_item){object, close};
}

void sg_arena_release(struct sg_arena *arena)
{
    while (arena->count > 0) {
        const struct sg_arena_item *last = &arena->items[--arena->count];
        last->close(last->object);
    }
    free(arena->items);
    *arena = (struct sg_arena){0};
}

static void release_inner(void *arena)
{
    sg_arena_release(arena);
}

sg_status sg_arena_open(struct sg_arena *parent, struct sg_arena **out, struct sg_error *err)
{
    TRY(SG_ARENA_NEW(parent, out, 1, err));
    return sg_arena_own(parent, *out, release_inner, err);
}

sg_status sg_arena_alloc(struct sg_arena *arena, size_t count, size_t size, const char *what, void *out,
                         struct sg_error *err)
{
    void *block = NULL;
    memcpy(out, &block, sizeof block);
    TRY(reserve(arena, err));
    TRY(sg_alloc(count, size, what, &block, err));
    add(arena, block, sg_free);
    memcpy(out, &block, sizeof block);
    return SG_OK;
}

sg_status sg_arena_alloc_streamed(struct sg_arena *arena, size_t count, size_t size, const char *what,
                                  void *out, struct sg_error *err)
{
    void *block = NULL;
    memcpy(out, &block, sizeof block);
    TRY(reserve(arena, err));
    TRY(sg_alloc_streamed(count, size, what, &block, err));
    add(arena, block, sg_free);
    memcpy(out, &block, sizeof block);
    return SG_OK;
}

sg_status sg_arena_own(struct sg_arena *arena, void *handle, void (*close)(void *), struct sg_error *err)
{
    sg_status status = reserve(arena, err);
    if (status == SG_OK)
        add(arena, handle, close);
    else
        close(handle);
    return status;
}

/* Blocks that are given back or moved are mostly young. */
static struct sg_arena_item *find(const struct sg_arena *arena, const void *block)
{
    size_t i = arena->count;
    while (i > 0 && arena->items[i - 1].object != block) i--;
    return i > 0 ? &arena->items[i - 1] : NULL;
}

sg_status sg_arena_grow(struct sg_arena *arena, void *list, size_t count, size_t *capacity, size_t size,
                        struct sg_error *err)
{
    void *block = NULL;
    if (count < *capacity) return SG_OK;
    memcpy(&block, list, sizeof block);
    TRY(reserve(arena, err));
    struct sg_arena_item *item = block == NULL ? NULL : find(arena, block);
    if (!sg_grow(&block, count, capacity, size))
        FAIL(err, SG_NO_MEMORY, "out of memory: a list of %zu items can't grow", count);
    memcpy(list, &block, sizeof block);
    if (item == NULL)
        add(arena, block, free);
    else
        item->object = block;
    return SG_OK;
}

void sg_arena_drop(struct sg_arena *arena, void *block)
{
    struct sg_arena_item *item = block == NULL ? NULL : find(arena, block);
    if (item == NULL) return;
    item->close(block);
    size_t behind = (size_t)(arena->items + arena->count - (item + 1));
    memmove(item, item + 1, behind * sizeof *item);
    arena->count--;
}

sg_status sg_arena_copy_text(struct sg_arena *arena, const char *text, char **out, struct sg_error *err)
{
    size_t bytes = strlen(text) + 1;
    TRY(sg_arena_alloc(arena, bytes, 1, "text", out, err));
    memcpy(*out, text, bytes);
    return SG_OK;
}
