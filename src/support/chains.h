/* Items 0 .. count - 1 filed under keys, to find those of a key without looking at all: chains of a table. */
#ifndef SG_SUPPORT_CHAINS_H
#define SG_SUPPORT_CHAINS_H

#include <stddef.h>
#include <stdint.h>

#include "support/arena.h"
#include "support/status.h"

struct sg_chains {
    size_t *head, *next; /* 1 + an item, 0: none */
    size_t mask;
};

/* for up to `count` items */
sg_status sg_chains_init(struct sg_arena *arena, struct sg_chains *chains, size_t count,
                         struct sg_error *err);

/* files an item that is not there yet */
void sg_chains_add(struct sg_chains *chains, size_t item, uint64_t key);

/* The items that may have this key, others too, the last filed first:
 * for (size_t at = sg_chains_first(&c, key); at != 0; at = c.next[at - 1]) .. at - 1 .. */
size_t sg_chains_first(const struct sg_chains *chains, uint64_t key);

/* a key of a text */
uint64_t sg_chains_text(const char *text);

#endif
