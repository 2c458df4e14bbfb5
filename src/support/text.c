#include "support/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/arena.h"
#include "support/memory.h"

void sg_text_release(struct sg_text *text)
{
    free(text->data);
    *text = (struct sg_text){0};
}

static bool reserve(struct sg_text *text, size_t extra)
{
    if (text->failed) return false;
    size_t wanted = text->length + extra + 1;
    if (wanted <= text->capacity) return true;
    size_t capacity = text->capacity == 0 ? 256 : text->capacity;
    while (capacity < wanted) capacity *= 2;
    char *data = realloc(text->data, capacity);
    if (data == NULL) {
        text->failed = true;
        text->length = 0;
        if (text->data != NULL) text->data[0] = '\0';
        return false;
    }
    text->data = data;
    text->capacity = capacity;
    return true;
}

void sg_text_append_bytes(struct sg_text *text, const char *bytes, size_t length)
{
    if (!reserve(text, length)) return;
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void sg_text_append(struct sg_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length >= 0 && reserve(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void sg_text_append_real(struct sg_text *text, double value)
{
    char number[40];
    /* from 15 on: fewer would turn 20 into 2e+01; trailing zeros are dropped anyway */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, value);
        if (!isfinite(value) || strtod(number, NULL) == value) break;
    }
    bool integral = strpbrk(number, ".eni") == NULL;
    sg_text_append(text, "%s%s", number, integral ? ".0" : "");
}

const char *sg_text_view(const struct sg_text *text)
{
    if (text->failed) return "(out of memory)";
    return text->data == NULL ? "" : text->data;
}

sg_status sg_text_check(const struct sg_text *text, struct sg_error *err)
{
    if (text->failed) FAIL(err, SG_NO_MEMORY, "out of memory after %zu bytes of a text", text->length);
    return SG_OK;
}

sg_status sg_text_keep(struct sg_arena *arena, const struct sg_text *text, char **out, struct sg_error *err)
{
    *out = NULL;
    TRY(sg_text_check(text, err));
    return sg_arena_copy_text(arena, sg_text_view(text), out, err);
}

sg_status sg_text_copy(const struct sg_text *text, char **out, struct sg_error *err)
{
    *out = NULL;
    TRY(sg_text_check(text, err));
    return sg_copy_text(sg_text_view(text), out, err);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

enum { DISTANCE_MAX = 64 };

/* Optimal string alignment; words longer than DISTANCE_MAX are never similar. */
size_t sg_text_distance(const char *a, const char *b)
{
    size_t la = strlen(a), lb = strlen(b);
    if (la > DISTANCE_MAX || lb > DISTANCE_MAX) return DISTANCE_MAX;
    size_t row[3][DISTANCE_MAX + 1];
    for (size_t j = 0; j <= lb; j++) row[1][j] = j;
    memset(row[0], 0, sizeof row[0]);
    for (size_t i = 1; i <= la; i++) {
        row[2][0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
            size_t best = least(least(row[1][j] + 1, row[2][j - 1] + 1), row[1][j - 1] + cost);
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            row[2][j] = swapped ? least(best, row[0][j - 2] + 1) : best;
        }
        memcpy(row[0], row[1], sizeof row[0]);
        memcpy(row[1], row[2], sizeof row[1]);
    }
    return row[1][lb];
}

/* Bytes of the character that starts with `lead`, and the least code point that needs so many. */
static size_t utf8_length(unsigned char lead, unsigned long *least)
{
    static const unsigned long least_of[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = lead < 0x80             ? 1
                    : (lead & 0xe0) == 0xc0 ? 2
                    : (lead & 0xf0) == 0xe0 ? 3
                    : (lead & 0xf8) == 0xf0 ? 4
                                            : 0;
    *least = least_of[length];
    return length;
}

static size_t utf8_step(const char *text, size_t left)
{
    unsigned char lead = (unsigned char)text[0];
    unsigned long least = 0;
    size_t length = utf8_length(lead, &least);
    if (length <= 1) return length;
    if (length > left) return 0;
    unsigned long code = lead & (0xffU >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c & 0xc0) != 0x80) return 0;
        code = code << 6 | (c & 0x3f);
    }
    bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < least || code > 0x10ffff || surrogate ? 0 : length;
}

size_t sg_utf8_check(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        size_t step = utf8_step(text + at, length - at);
        if (step == 0) return at;
        at += step;
    }
    return length;
}

void sg_text_append_excerpt(struct sg_text *text, const char *bytes, size_t length)
{
    enum { CUT = 40 };
    size_t shown = length > CUT ? CUT : length;
    /* not in the middle of a character */
    while (shown < length && shown > 0 && ((unsigned char)bytes[shown] & 0xc0) == 0x80) shown--;
    for (size_t i = 0, step; i < shown; i += step) {
        unsigned char c = (unsigned char)bytes[i];
        size_t whole = utf8_step(bytes + i, shown - i);
        step = whole == 0 ? 1 : whole;
        if (c == '\n')
            sg_text_append(text, "\\n");
        else if (c < 0x20 || c == 0x7f || whole == 0)
            sg_text_append(text, "\\x%02x", c);
        else
            sg_text_append_bytes(text, bytes + i, step);
    }
    if (shown < length) sg_text_append(text, "...");
}
