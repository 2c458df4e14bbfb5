/* The words of a deck: strings, comments, numbers, names, as libconfig 1.5 sees them, but strict where
 * it is silent. */
#ifndef SG_DECK_SCAN_H
#define SG_DECK_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "support/text.h"

/* What is more than this is refused, so that no deck makes libconfig slow or deep. */
enum {
    SG_MAX_DECK_BYTES = 16 * 1024 * 1024, /* includes counted */
    SG_MAX_NAME = 255,
    SG_MAX_NUMBER = 64,
    SG_MAX_TEXT = 64 * 1024,
    SG_MAX_DEPTH = 64,
    SG_MAX_NAMES = 1000,    /* in one group: libconfig looks for duplicates one by one */
    SG_MAX_VALUES = 200000, /* in a deck, groups and lists too: larger data go into side files */
    SG_MAX_INCLUDE_DEPTH = 8,
    SG_MAX_INCLUDES = 1000
};

enum sg_token_kind {
    SG_TOKEN_END,
    SG_TOKEN_NAME,
    SG_TOKEN_INTEGER, /* without suffix, decimal or hexadecimal */
    SG_TOKEN_LONG,    /* with suffix L or LL */
    SG_TOKEN_REAL,
    SG_TOKEN_BOOL,
    SG_TOKEN_TEXT,    /* one piece: neighbours make one text */
    SG_TOKEN_MARK,    /* one of = { } ( ) [ ] ; , (':' comes as '=') */
    SG_TOKEN_INCLUDE, /* the directive up to the closing quote */
    SG_TOKEN_FAULT
};

struct sg_token {
    enum sg_token_kind kind;
    char mark;
    size_t begin, end;           /* bytes [begin, end) */
    size_t name_begin, name_end; /* SG_TOKEN_INCLUDE: the file name */
    size_t line;                 /* of its first byte, from 1 */
    const char *fault;           /* SG_TOKEN_FAULT: what is wrong with the bytes */
    const char *hint;            /* may be NULL */
};

struct sg_scanner {
    const char *text;
    size_t length, at, line;
    bool blank;     /* only blanks so far on this line */
    size_t running; /* line of the first text that runs over a line's end, 0: none */
};

void sg_scanner_init(struct sg_scanner *scanner, const char *text, size_t length);

/* The next token; after a fault the scan goes on behind it. */
void sg_scan(struct sg_scanner *scanner, struct sg_token *token);

/* true if the bytes are one token of that kind and nothing else */
bool sg_scan_is(const char *text, size_t length, enum sg_token_kind kind);

/* Appends bytes of a deck as one printable line, cut after 40 bytes. */
void sg_text_append_excerpt(struct sg_text *text, const char *bytes, size_t length);

/* the offset of the first byte that is not UTF-8, or `length` */
size_t sg_utf8_check(const char *text, size_t length);

#endif
