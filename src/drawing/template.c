#include "drawing/template.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 24, NAME = 32, DIGITS = 17, LETTERS = 1000 };

/* A place as it stands in a block: "{{name format}}". */
struct slot {
    char name[NAME], format[NAME];
};

void sg_script_release(struct sg_script *script)
{
    sg_text_release(&script->text);
    *script = (struct sg_script){0};
}

/* Keeps the first fault alone: what follows may be a consequence of it. */
static void __attribute__((format(printf, 2, 3))) complain(struct sg_script *script, const char *format, ...)
{
    va_list list;
    if (script->fault[0] != '\0') return;
    va_start(list, format);
    vsnprintf(script->fault, sizeof script->fault, format, list);
    va_end(list);
}

/* --- what is put into places ---------------------------------------------------------------------- */

static void put_quoted(struct sg_text *out, const char *text, size_t most)
{
    sg_text_append(out, "'");
    for (size_t shown = 0; *text != '\0'; text++) {
        bool control = (unsigned char)*text < ' ' || *text == 127;
        bool starts = ((unsigned char)*text & 0xC0) != 0x80; /* a character of UTF-8, not its continuation */
        if (starts && shown++ == most) break;
        if (*text == '\'')
            sg_text_append(out, "’");
        else
            sg_text_append(out, "%c", control ? ' ' : *text);
    }
    sg_text_append(out, *text == '\0' ? "'" : "…'");
}

static bool put_text(struct sg_text *out, const struct slot *slot, const struct sg_place *place)
{
    char *end = NULL;
    unsigned long most = strtoul(slot->format, &end, 10);
    if (end == slot->format || *end != '\0' || most == 0 || most > LETTERS) return false;
    bool fewer = place->most > 0 && place->most < most;
    put_quoted(out, place->text, fewer ? place->most : most);
    return true;
}

static bool put_words(struct sg_text *out, const struct slot *slot, const struct sg_place *place)
{
    if (slot->format[0] != '\0') return false;
    for (const char *c = place->text; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && strchr(" #.,_-", *c) == NULL) return false;
    sg_text_append(out, "%s", place->text);
    return true;
}

/* The format is read here, and not given to printf: a template may ask for "%d", "%g", "%.6g" or "%.3f"
 * alone. */
static bool put_number(struct sg_text *out, const struct slot *slot, const struct sg_place *place)
{
    const char *c = slot->format;
    int digits = 6;
    if (*c++ != '%') return false;
    if (*c == '.') {
        char *end = NULL;
        digits = (int)strtol(c + 1, &end, 10);
        c = end;
    }
    bool whole = *c == 'd' && place->number == rint(place->number);
    if ((*c != 'g' && *c != 'f' && !whole) || c[1] != '\0' || digits < 0 || digits > DIGITS) return false;
    if (*c == 'g')
        sg_text_append(out, "%.*g", digits, place->number);
    else
        sg_text_append(out, "%.*f", whole ? 0 : digits, place->number);
    return true;
}

static bool put_place(struct sg_text *out, const struct slot *slot, const struct sg_place *place)
{
    switch (place->kind) {
    case SG_PLACE_NUMBER:
        return put_number(out, slot, place);
    case SG_PLACE_TEXT:
        return put_text(out, slot, place);
    case SG_PLACE_WORDS:
        return put_words(out, slot, place);
    }
    return false;
}

/* --- blocks --------------------------------------------------------------------------------------- */

static const char *find_block(struct sg_script *script, const char *name)
{
    for (const struct sg_template *row = script->template; row != NULL && row->block != NULL; row++)
        if (strcmp(row->block, name) == 0) return row->text;
    complain(script, "there is no block '%s'", name);
    return "";
}

/* Reads the slot whose "{{" is at `text`, returns what follows its "}}"; NULL if it has none. */
static const char *read_slot(const char *text, struct slot *slot)
{
    const char *end = strstr(text, "}}"), *name = text + 2;
    if (end == NULL || end - name >= NAME) return NULL;
    size_t length = (size_t)(end - name), word = strcspn(name, " }");
    if (word == 0) return NULL;
    *slot = (struct slot){0};
    memcpy(slot->name, name, word < length ? word : length);
    if (word < length) memcpy(slot->format, name + word + 1, length - word - 1);
    return end + 2;
}

/* The number of a row of `places` by its name, which it must have alone; -1: none. */
static int find_place(struct sg_script *script, const char *block, const struct sg_place *places,
                      const char *name)
{
    int found = -1;
    for (int i = 0; places != NULL && places[i].name != NULL; i++) {
        if (strcmp(places[i].name, name) != 0) continue;
        if (found >= 0) complain(script, "block '%s': the place '%s' is filled twice", block, name);
        found = i;
    }
    if (found < 0) complain(script, "block '%s': the place '%s' is not filled", block, name);
    return found;
}

static void check_used(struct sg_script *script, const char *block, const struct sg_place *places,
                       const bool *used)
{
    for (int i = 0; places != NULL && places[i].name != NULL; i++)
        if (!used[i]) complain(script, "block '%s' has no place '%s'", block, places[i].name);
}

void sg_script_add(struct sg_script *script, const char *block, const struct sg_place *places)
{
    bool used[PLACES] = {false};
    struct slot slot;
    for (const char *text = find_block(script, block); text != NULL && *text != '\0';) {
        const char *open = strstr(text, "{{");
        sg_text_append_bytes(&script->text, text, open != NULL ? (size_t)(open - text) : strlen(text));
        if (open == NULL) break;
        text = read_slot(open, &slot);
        if (text == NULL) complain(script, "block '%s': a place has no end or no name", block);
        int found = text != NULL ? find_place(script, block, places, slot.name) : -1;
        if (found < 0 || found >= PLACES) continue;
        used[found] = true;
        if (!put_place(&script->text, &slot, &places[found]))
            complain(script, "block '%s': the place '%s' takes something else", block, slot.name);
    }
    check_used(script, block, places, used);
}

void sg_script_put(struct sg_script *script, const char *block, const struct sg_place *places)
{
    sg_script_add(script, block, places);
    sg_text_append(&script->text, "\n");
}

void sg_script_plot(struct sg_script *script, const char *block, const struct sg_place *places)
{
    sg_text_append(&script->text, script->listed ? ", \\\n    " : "plot ");
    script->listed = true;
    sg_script_add(script, block, places);
}

void sg_script_end_plot(struct sg_script *script)
{
    sg_text_append(&script->text, script->listed ? "\n" : "plot [0:1] [1:10] NaN notitle\n");
    script->listed = false;
}

void sg_script_end_data(struct sg_script *script)
{
    sg_text_append(&script->text, "END\n");
}
