/* A growable string with a sticky error, for messages, listings, JSON and resolved decks. */
#ifndef SG_SUPPORT_TEXT_H
#define SG_SUPPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "support/status.h"

/* Zero-initialise; release with sg_text_release. `failed` is set once memory ran out: the text is empty then,
 * later appends do nothing, and the caller tests once at the end. */
struct sg_text {
    char *data; /* always NUL-terminated once something was appended, else NULL */
    size_t length;
    size_t capacity;
    bool failed;
};

void sg_text_release(struct sg_text *text);

/* A text that is released where its block is left, as SG_LOCAL_ARENA. */
#define SG_LOCAL_TEXT(name) __attribute__((cleanup(sg_text_release))) struct sg_text name = {0}

void sg_text_append(struct sg_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sg_text_append_bytes(struct sg_text *text, const char *bytes, size_t length);

/* the shortest decimal that reads back as the same double ("1.0" keeps its point: a deck real) */
void sg_text_append_real(struct sg_text *text, double value);

/* the text so far, "" if none; "(out of memory)" where a part of it was lost */
const char *sg_text_view(const struct sg_text *text);

/* SG_NO_MEMORY where a part of the text was lost */
sg_status sg_text_check(const struct sg_text *text, struct sg_error *err);

/* A copy of the whole text on the heap, to be freed by the caller; SG_NO_MEMORY as of sg_text_check. */
sg_status sg_text_copy(const struct sg_text *text, char **out, struct sg_error *err);

/* the same, the arena's */
struct sg_arena;
sg_status sg_text_keep(struct sg_arena *arena, const struct sg_text *text, char **out, struct sg_error *err);

/* edits (insert, delete, replace, swap of neighbours) that turn a into b; for "did you mean" */
size_t sg_text_distance(const char *a, const char *b);

/* Appends foreign bytes as one printable line, cut after 40 bytes. */
void sg_text_append_excerpt(struct sg_text *text, const char *bytes, size_t length);

/* the offset of the first byte that is not UTF-8, or `length` */
size_t sg_utf8_check(const char *text, size_t length);

#endif
