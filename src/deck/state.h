/* What a deck is, inside deck/. */
#ifndef SG_DECK_STATE_H
#define SG_DECK_STATE_H

#include "deck/source.h"
#include "deck/tree.h"

struct sg_side_file;

struct sg_deck {
    struct sg_arena arena; /* has all below but the source */
    struct sg_source source;
    struct sg_setting *root;
    char *folder; /* of the deck file, "" or with a slash at its end */
    char *sides;  /* SG_SHA256_HEX bytes: a checksum of all side files read so far; "": none */
    const struct sg_side_file *offered; /* in memory; NULL: none */
};

#endif
