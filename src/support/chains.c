#include "support/chains.h"

#include "support/arena.h"

sg_status sg_chains_init(struct sg_arena *arena, struct sg_chains *chains, size_t count, struct sg_error *err)
{
    size_t size = 16;
    while (size < count) size *= 2;
    *chains = (struct sg_chains){.mask = size - 1};
    TRY(SG_ARENA_NEW(arena, &chains->head, size, err));
    return SG_ARENA_NEW(arena, &chains->next, count, err);
}

/* Fibonacci's: the high bits of a product depend on all bits of the key */
static size_t bucket(const struct sg_chains *chains, uint64_t key)
{
    return (size_t)((key * 11400714819323198485u) >> 32) & chains->mask;
}

void sg_chains_add(struct sg_chains *chains, size_t item, uint64_t key)
{
    size_t *head = &chains->head[bucket(chains, key)];
    chains->next[item] = *head;
    *head = item + 1;
}

size_t sg_chains_first(const struct sg_chains *chains, uint64_t key)
{
    return chains->head[bucket(chains, key)];
}

/* Fowler, Noll and Vo's */
uint64_t sg_chains_text(const char *text)
{
    uint64_t key = 14695981039346656037u;
    for (; *text != '\0'; text++) key = (key ^ (unsigned char)*text) * 1099511628211u;
    return key;
}
