/* The decks that ship, compiled in: generated from decks/ NAME .cfg at build time. */
#ifndef SG_BENCHMARKS_SHIPPED_H
#define SG_BENCHMARKS_SHIPPED_H

#include <stddef.h>

struct sg_shipped_deck {
    const char *name; /* file name without .cfg */
    const char *text; /* the file's bytes, then a NUL */
    size_t length;    /* bytes, the NUL not counted */
};

/* in the order of their names, ended by a row whose name is NULL */
extern const struct sg_shipped_deck sg_shipped_decks[];

#endif
