#include "formats/name_list.h"

#include <stdlib.h>
#include <string.h>

#include "support/arena.h"
#include "support/memory.h"
#include "support/text.h"

enum { FILE_LIMIT = 256 << 20 };

static const char *const blanks = " \t\r\f\v";

static bool has_control(const char *name)
{
    for (; *name != '\0'; name++)
        if ((unsigned char)*name < ' ' || *name == 0x7f) return true;
    return false;
}

/* NULL, or what is wrong with a name */
static const char *judge(const char *name)
{
    if (strlen(name) > SG_NAME_LIMIT) return "is longer than 64 bytes";
    if (sg_utf8_check(name, strlen(name)) < strlen(name)) return "is not UTF-8";
    if (strpbrk(name, blanks) != NULL) return "has a blank: one name stands on a line";
    if (has_control(name)) return "has a control character";
    if (strchr(name, '.') != NULL) return "has a dot, which parts a body's name from its node";
    if (name[strspn(name, "0123456789")] == '\0') return "is a number, as nodes without name have it";
    if (strcmp(name, "left") == 0 || strcmp(name, "right") == 0) return "means an end of the body";
    return NULL;
}

static sg_status complain(const struct sg_table_source *source, size_t line, const char *name,
                          const char *fault, struct sg_diagnostics *diagnostics)
{
    SG_LOCAL_TEXT(shown);
    sg_text_append_excerpt(&shown, name, strlen(name));
    sg_complain_about(diagnostics, SG_ERROR, source->group, source->keyword, "'%s' line %zu: '%s' %s",
                      source->file, line, sg_text_view(&shown), fault);
    return SG_BAD_DECK;
}

/* the word of a line, blanks and comment cut off */
static char *trim(char *line)
{
    line[strcspn(line, "#")] = '\0';
    line += strspn(line, blanks);
    size_t length = strlen(line);
    while (length > 0 && strchr(blanks, line[length - 1]) != NULL) length--;
    line[length] = '\0';
    return line;
}

static sg_status take_lines(const struct sg_table_source *source, size_t count, struct sg_name_list *list,
                            struct sg_diagnostics *diagnostics)
{
    char *next = list->text;
    for (size_t line = 1; next != NULL; line++) {
        char *name = next, *end = strchr(next, '\n');
        if (end != NULL) *end = '\0';
        next = end == NULL ? NULL : end + 1;
        name = trim(name);
        if (*name == '\0') continue;
        if (list->count == count)
            return complain(source, line, name, "is one name more than there are dofs", diagnostics);
        bool none = strcmp(name, "-") == 0;
        const char *fault = none ? NULL : judge(name);
        if (fault != NULL) return complain(source, line, name, fault, diagnostics);
        list->names[list->count++] = none ? NULL : name;
    }
    if (list->count == count) return SG_OK;
    sg_complain_about(diagnostics, SG_ERROR, source->group, source->keyword,
                      "'%s' has %zu name%s where there are %zu dofs", source->file, list->count,
                      list->count == 1 ? "" : "s", count);
    return SG_BAD_DECK;
}

/* those without a name last */
static int compare(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    if (x == NULL || y == NULL) return (x == NULL) - (y == NULL);
    return strcmp(x, y);
}

static sg_status check_unique(const struct sg_table_source *source, const struct sg_name_list *list,
                              struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    SG_AUTO_FREE const char **sorted = NULL;
    TRY(SG_NEW(&sorted, list->count, err));
    memcpy(sorted, list->names, list->count * sizeof *sorted);
    qsort(sorted, list->count, sizeof *sorted, compare);
    size_t k = 1;
    while (k < list->count && sorted[k] != NULL && strcmp(sorted[k - 1], sorted[k]) != 0) k++;
    bool twice = k < list->count && sorted[k] != NULL;
    if (twice)
        sg_complain_about(diagnostics, SG_ERROR, source->group, source->keyword,
                          "'%s' has the name '%s' twice", source->file, sorted[k]);
    return twice ? SG_BAD_DECK : SG_OK;
}

sg_status sg_name_list_read(const struct sg_table_source *source, size_t count, struct sg_name_list *list,
                            struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    size_t length = 0;
    TRY(sg_table_text(source, FILE_LIMIT, &list->text, &length, diagnostics, err));
    TRY(sg_arena_own(source->arena, list->text, sg_free, err));
    TRY(SG_ARENA_NEW(source->arena, &list->names, count, err));
    if (strlen(list->text) != length) {
        sg_complain_about(diagnostics, SG_ERROR, source->group, source->keyword,
                          "'%s' holds a zero byte: it is not text", source->file);
        return SG_BAD_DECK;
    }
    TRY(take_lines(source, count, list, diagnostics));
    return check_unique(source, list, diagnostics, err);
}
