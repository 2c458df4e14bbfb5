#include "deck/diagnostics.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deck/tree.h"

static void format_text(struct sg_text *text, const char *format, va_list args)
{
    char *line = NULL;
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length >= 0) line = malloc((size_t)length + 1);
    if (line != NULL) {
        vsnprintf(line, (size_t)length + 1, format, again);
        sg_text_append_bytes(text, line, (size_t)length);
    }
    text->failed = text->failed || line == NULL;
    free(line);
    va_end(again);
}

static void finding_release(struct sg_finding *finding)
{
    free(finding->where);
    free(finding->path);
    free(finding->message);
    free(finding->hint);
}

void sg_diagnostics_release(struct sg_diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++) finding_release(&diagnostics->items[i]);
    free(diagnostics->items);
    *diagnostics = (struct sg_diagnostics){0};
}

static bool grow(struct sg_diagnostics *diagnostics)
{
    return sg_grow(&diagnostics->items, diagnostics->count, &diagnostics->capacity,
                   sizeof *diagnostics->items);
}

struct place {
    struct sg_text where, path;
};

/* takes over the texts of `place` */
static void add(struct sg_diagnostics *diagnostics, enum sg_severity severity, struct place *place,
                const char *format, va_list args)
{
    struct sg_text message = {0};
    format_text(&message, format, args);
    sg_text_append(&place->where, "%s", "");
    sg_text_append(&place->path, "%s", "");
    struct sg_finding finding = {severity, place->where.data, place->path.data, message.data, NULL, 0, 0, 0};
    /* an error whose words are lost still counts */
    if (severity == SG_ERROR) diagnostics->errors++;
    if (message.failed || place->where.failed || place->path.failed || !grow(diagnostics)) {
        diagnostics->failed = 1;
        finding_release(&finding);
        return;
    }
    diagnostics->items[diagnostics->count++] = finding;
}

void sg_complain(struct sg_diagnostics *diagnostics, enum sg_severity severity,
                 const struct sg_setting *setting, const char *message, ...)
{
    struct place place = {0};
    sg_setting_where(setting, &place.where);
    sg_setting_path(setting, &place.path);
    va_list args;
    va_start(args, message);
    add(diagnostics, severity, &place, message, args);
    va_end(args);
}

void sg_complain_about(struct sg_diagnostics *diagnostics, enum sg_severity severity,
                       const struct sg_setting *setting, const char *name, const char *message, ...)
{
    struct place place = {0};
    const struct sg_setting *child = sg_setting_find(setting, name);
    sg_setting_where(child == NULL ? setting : child, &place.where);
    sg_setting_path(setting, &place.path);
    sg_text_append(&place.path, "%s%s", place.path.length > 0 ? "." : "", name);
    va_list args;
    va_start(args, message);
    add(diagnostics, severity, &place, message, args);
    va_end(args);
}

void sg_complain_at(struct sg_diagnostics *diagnostics, enum sg_severity severity, const char *where,
                    const char *path, const char *message, ...)
{
    struct place place = {0};
    sg_text_append(&place.where, "%s", where);
    sg_text_append(&place.path, "%s", path);
    va_list args;
    va_start(args, message);
    add(diagnostics, severity, &place, message, args);
    va_end(args);
}

void sg_hint(struct sg_diagnostics *diagnostics, const char *hint, ...)
{
    if (diagnostics->count == 0 || diagnostics->failed) return;
    struct sg_text text = {0};
    va_list args;
    va_start(args, hint);
    format_text(&text, hint, args);
    va_end(args);
    struct sg_finding *last = &diagnostics->items[diagnostics->count - 1];
    if (text.failed) {
        diagnostics->failed = 1;
        sg_text_release(&text);
        return;
    }
    free(last->hint);
    last->hint = text.data;
}

void sg_diagnostics_cut(struct sg_diagnostics *diagnostics, size_t count)
{
    while (diagnostics->count > count) {
        struct sg_finding *last = &diagnostics->items[--diagnostics->count];
        if (last->severity == SG_ERROR) diagnostics->errors--;
        finding_release(last);
    }
}

/* Finds where "FILE:LINE" parts; its end if there is no line. */
static size_t file_length(const char *where)
{
    const char *colon = strrchr(where, ':');
    bool line = colon != NULL && colon[1] != '\0' && colon[1 + strspn(colon + 1, "0123456789")] == '\0';
    return line ? (size_t)(colon - where) : strlen(where);
}

static void place_finding(struct sg_finding *items, size_t index)
{
    struct sg_finding *f = &items[index];
    size_t length = file_length(f->where), same = 0;
    while (same < index &&
           (file_length(items[same].where) != length || strncmp(items[same].where, f->where, length) != 0))
        same++;
    f->file = same;
    f->line = f->where[length] == '\0' ? 0 : strtoul(f->where + length + 1, NULL, 10);
    f->order = index;
}

static int by_place(const void *a, const void *b)
{
    const struct sg_finding *x = a, *y = b;
    if (x->file != y->file) return x->file < y->file ? -1 : 1;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

void sg_diagnostics_sort(struct sg_diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++) place_finding(diagnostics->items, i);
    if (diagnostics->count > 1)
        qsort(diagnostics->items, diagnostics->count, sizeof *diagnostics->items, by_place);
}

enum { SHOWN = 100 };

void sg_diagnostics_render(const struct sg_diagnostics *diagnostics, struct sg_text *text)
{
    static const char *const words[] = {[SG_NOTE] = "note", [SG_WARNING] = "warning", [SG_ERROR] = "error"};
    size_t shown = diagnostics->count < SHOWN ? diagnostics->count : SHOWN;
    for (size_t i = 0; i < shown; i++) {
        const struct sg_finding *f = &diagnostics->items[i];
        sg_text_append(text, "%s: %s: ", f->where, words[f->severity]);
        if (f->path[0] != '\0') sg_text_append(text, "%s: ", f->path);
        sg_text_append(text, "%s\n", f->message);
        if (f->hint != NULL) sg_text_append(text, "  hint: %s\n", f->hint);
    }
    if (shown < diagnostics->count)
        sg_text_append(text, "%zu more findings are not shown\n", diagnostics->count - shown);
    if (diagnostics->failed) sg_text_append(text, "error: out of memory: some findings are lost\n");
}
