/* The words of a deck: strings, comments, numbers, names, as libconfig sees them, but strict where it is
 * silent. How the words may stand together is not known here: that is libconfig's. */
#ifndef SG_DECK_SCAN_H
#define SG_DECK_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* A mark, one of = { } ( ) [ ] ; , is its own kind (':' comes as '='). */
enum sg_token_kind {
    SG_TOKEN_END = 0,
    SG_TOKEN_NAME = 128,
    SG_TOKEN_INTEGER, /* without suffix, decimal or hexadecimal */
    SG_TOKEN_LONG,    /* with suffix L or LL */
    SG_TOKEN_REAL,
    SG_TOKEN_BOOL,
    SG_TOKEN_TEXT,    /* one piece: neighbours make one text */
    SG_TOKEN_INCLUDE, /* the whole directive; takes no part in what libconfig reads */
    SG_TOKEN_FAULT    /* SG_TOKEN_FAULT + k: fault k */
};

/* The word that is wrong stands behind what is said of it. One list makes enum and words. */
#define SG_FAULTS(X)                                                                                         \
    X(COMMENT_OPEN, "unterminated comment", "a '*/' is missing")                                             \
    X(TEXT_OPEN, "unterminated text", "a '\"' is missing")                                                   \
    X(TEXT_RUNS, "unterminated text: it runs on to line", NULL)                                              \
    X(TEXT_NUL, "text with a NUL", NULL)                                                                     \
    X(TEXT_LONG, "text longer than 64 KiB", NULL)                                                            \
    X(NUMBER, "not a number", "numbers read like 12, -0.5, 1e-3, 0xff, 3000000000L")                         \
    X(NUMBER_LONG, "number of more than 64 characters", NULL)                                                \
    X(NAME_LONG, "name of more than 255 characters", NULL)                                                   \
    X(CHARACTER, "unexpected character", NULL)                                                               \
    X(QUOTE, "unexpected character", "text is put in \"...\"")                                               \
    X(DIRECTIVE, "unknown directive", "an include is a line of its own: @include \"FILE\"")                  \
    X(INCLUDE_PLACE, "misplaced directive", "an include is a line of its own: @include \"FILE\"")            \
    X(INCLUDE_OPEN, "unterminated file name", "a '\"' is missing")                                           \
    X(INCLUDE_NONE, "includes are refused here:", NULL)                                                      \
    X(INCLUDE_EMPTY, "the include names no file:", NULL)                                                     \
    X(INCLUDE_ABSOLUTE, "an include has an absolute path:", NULL)                                            \
    X(INCLUDE_BACKSLASH, "an include's path has a backslash:", NULL)                                         \
    X(INCLUDE_PARENT, "an include's path has '..':", NULL)                                                   \
    X(INCLUDE_DEEP, "includes are nested deeper than 8:", NULL)                                              \
    X(INCLUDE_MANY, "more than 1000 includes:", NULL)                                                        \
    X(INCLUDE_ABSENT, "the include does not exist:", NULL)                                                   \
    X(INCLUDE_CLOSED, "the include can't be opened:", NULL)                                                  \
    X(INCLUDE_OUT, "an include leads out of the deck's folder:", NULL)                                       \
    X(INCLUDE_LOOP, "a file includes itself:", NULL)                                                         \
    X(INCLUDE_READ, "the include can't be read as a regular file of at most 16 MiB:", NULL)                  \
    X(NUL, "the deck holds a NUL byte", NULL)                                                                \
    X(UTF16, "the deck holds a NUL byte", "it looks like UTF-16: convert the file, as by iconv -t UTF-8")    \
    X(BOM, "the deck starts with a byte order mark", "save it as UTF-8 without BOM")                         \
    X(ENCODING, "the line is not UTF-8:", "convert the file, as by iconv -t UTF-8")                          \
    X(RETURN, "a carriage return inside a line", "end lines by a line feed")                                 \
    X(BYTES, "the deck with its includes is larger than 16 MiB", NULL)

#define SG_FAULT_NUMBER(name, what, hint) SG_FAULT_##name,
enum sg_fault { SG_FAULTS(SG_FAULT_NUMBER) SG_FAULT_COUNT };

/* 16 bytes: a deck may have a million. */
struct sg_token {
    uint32_t begin, end; /* bytes [begin, end) of what was scanned */
    uint32_t line;       /* of its first byte, from 1 */
    uint16_t file;       /* for those who scan several */
    uint8_t kind;
};

/* The next word of a NUL-terminated text; set `at` to its start, `line` to 1. After a fault the scan goes on
 * behind it. */
struct sg_scanner {
    const char *text, *at;
    uint32_t line;
};
void sg_scan(struct sg_scanner *scanner, struct sg_token *token);

/* true if the bytes are one token of that kind and nothing else */
bool sg_scan_is(const char *text, size_t length, enum sg_token_kind kind);

#endif
