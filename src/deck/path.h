/* Deck paths: "contacts.[0].stiffness" or "contacts[0].stiffness". libconfig's own lookup takes
 * "[abc]" for [0] and "[1" for [1]. */
#ifndef SG_DECK_PATH_H
#define SG_DECK_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/scan.h"
#include "support/text.h"

struct sg_step {
    const char *name; /* borrowed from the text, not terminated; NULL: an index */
    size_t length;
    size_t index; /* "[i]" and "[]", for any index, give SIZE_MAX where they are allowed */
};

struct sg_path {
    struct sg_step steps[SG_MAX_DEPTH];
    size_t count;
};

/* false, with the reason in `fault`, if the text is no path. `open_index`: "[i]" and "[]" will do. */
bool sg_path_parse(const char *text, size_t length, bool open_index, struct sg_path *path,
                   struct sg_text *fault);

/* "contacts.[0].stiffness", the first `count` steps */
void sg_path_append(const struct sg_path *path, size_t count, struct sg_text *text);

#endif
