/* The decks in decks/, compiled in (the build writes the table). */
#ifndef SG_BENCHMARKS_SHIPPED_H
#define SG_BENCHMARKS_SHIPPED_H

#include <stddef.h>

struct sg_shipped_deck {
    const char *name;
    const char *text;
    size_t length;
};

/* ends with a row without name */
extern const struct sg_shipped_deck sg_shipped_decks[];

#endif
