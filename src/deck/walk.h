/* All keywords that rows tell of, one after the other, for help. */
#ifndef SG_DECK_WALK_H
#define SG_DECK_WALK_H

#include "deck/keyword.h"

/* row: a keyword. No row, but a kind: a kind of a set. Neither: the `type` of a set. */
struct sg_entry {
    const char *path;      /* "bodies.[i].length" */
    const char *plain;     /* "bodies.length" */
    const char *qualified; /* "bodies.bar.length" */
    const struct sg_keyword *row;
    const struct sg_kind_set *kinds; /* of the innermost kinds around the entry; may be NULL */
    const struct sg_kind *kind;
};

struct sg_visitor {
    void *self;
    void (*visit)(void *self, const struct sg_entry *entry);
};

/* In the order of the tables; a set of kinds inside itself is not entered again. */
void sg_rows_walk(const struct sg_keyword *root, struct sg_visitor visitor);

#endif
