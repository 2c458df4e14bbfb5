/* The decks in decks/ and the files that stand beside them, compiled in (the build writes the tables). */
#ifndef SG_BENCHMARKS_SHIPPED_H
#define SG_BENCHMARKS_SHIPPED_H

#include <stddef.h>

#include "deck/deck.h"

struct sg_shipped_deck {
    const char *name;
    const char *text;
    size_t length;
};

/* decks (.cfg) and benchmarks (.bench); each ends with a row without name */
extern const struct sg_shipped_deck sg_shipped_decks[], sg_shipped_benches[];
extern const struct sg_side_file sg_shipped_files[];

#endif
