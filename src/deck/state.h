/* What a deck is, inside deck/. */
#ifndef SG_DECK_STATE_H
#define SG_DECK_STATE_H

#include "deck/deck.h"
#include "deck/prescan.h"
#include "deck/setting.h"

struct sg_deck {
    struct sg_source source;
    struct sg_setting *root;
    char *folder; /* of the deck file, "" or with a slash at its end */
    char *sides;  /* SG_SHA256_HEX bytes: a checksum of all side files read so far; "": none */
    const struct sg_side_file *offered; /* in memory; NULL: none */
};

#endif
