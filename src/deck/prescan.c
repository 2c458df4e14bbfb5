#define _XOPEN_SOURCE 700 /* realpath */

#include "deck/prescan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "deck/file.h"
#include "deck/scan.h"
#include "support/memory.h"

struct prescan {
    struct sg_source *source;
    struct sg_diagnostics *diagnostics;
    struct sg_error *err;
    char *root;      /* real path of the deck's folder; NULL: includes are refused */
    size_t before;   /* errors found before this deck */
    size_t lines;    /* newlines in the text so far */
    size_t includes; /* so far */
};

/* One file being put in; the chain leads to the deck. */
struct input {
    const struct input *above;
    size_t file;      /* index into source->files */
    const char *real; /* real path, NULL for text from memory */
    const char *bytes;
    size_t length;
    size_t depth;
};

void sg_source_release(struct sg_source *source)
{
    sg_text_release(&source->text);
    for (size_t i = 0; i < source->file_count; i++) sg_free(source->files[i]);
    sg_free(source->files);
    sg_free(source->segments);
    *source = (struct sg_source){0};
}

static sg_status grow(void *array, size_t size, size_t count, size_t *capacity, struct sg_error *err)
{
    if (count < *capacity) return SG_OK;
    size_t more = *capacity == 0 ? 8 : 2 * *capacity;
    void *old = NULL, *fresh = NULL;
    memcpy(&old, array, sizeof old);
    TRY(sg_alloc(more, size, "deck's files and lines", &fresh, err));
    if (count > 0) memcpy(fresh, old, count * size);
    sg_free(old);
    memcpy(array, &fresh, sizeof fresh);
    *capacity = more;
    return SG_OK;
}

static sg_status add_file(struct sg_source *source, const char *name, struct sg_error *err)
{
    TRY(grow(&source->files, sizeof *source->files, source->file_count, &source->file_capacity, err));
    TRY(sg_copy_text(name, &source->files[source->file_count], err));
    source->file_count++;
    return SG_OK;
}

/* The text's next line is `line` of `file`. */
static sg_status add_segment(struct prescan *p, size_t file, size_t line)
{
    struct sg_source *source = p->source;
    size_t first = p->lines + 1, count = source->segment_count;
    if (count > 0 && source->segments[count - 1].first == first) source->segment_count = --count;
    TRY(grow(&source->segments, sizeof *source->segments, count, &source->segment_capacity, p->err));
    source->segments[count] = (struct sg_source_segment){first, file, line};
    source->segment_count++;
    return SG_OK;
}

void sg_source_place(const struct sg_source *source, size_t line, const char **file, size_t *file_line)
{
    size_t low = 0, high = source->segment_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->segments[middle].first <= line)
            low = middle;
        else
            high = middle;
    }
    const struct sg_source_segment *segment = &source->segments[low];
    *file = source->files[segment->file];
    *file_line = segment->line + (line > segment->first ? line - segment->first : 0);
}

static void complain(const char *file, size_t line, struct sg_diagnostics *diagnostics, const char *message)
{
    struct sg_text where = {0};
    sg_text_append(&where, "%s:%zu", file, line);
    sg_complain_at(diagnostics, SG_ERROR, sg_text_view(&where), "", "%s", message);
    sg_text_release(&where);
}

void sg_source_complain(const struct sg_source *source, size_t line, struct sg_diagnostics *diagnostics,
                        const char *message)
{
    const char *file = NULL;
    size_t file_line = 0;
    sg_source_place(source, line, &file, &file_line);
    complain(file, file_line, diagnostics, message);
}

static void complain_input(const struct prescan *p, const struct input *in, size_t line, const char *message)
{
    complain(p->source->files[in->file], line, p->diagnostics, message);
}

static size_t line_of(const char *bytes, size_t at)
{
    size_t line = 1;
    for (size_t i = 0; i < at; i++) line += bytes[i] == '\n' ? 1 : 0;
    return line;
}

/* What no token may hold; only the first such fault is told, the rest would follow from it. */
static bool check_bytes(const struct prescan *p, const struct input *in)
{
    const char *nul = memchr(in->bytes, '\0', in->length);
    if (nul != NULL) {
        complain_input(p, in, line_of(in->bytes, (size_t)(nul - in->bytes)), "the deck holds a NUL byte");
        bool utf16 = in->length >= 2 &&
                     (memcmp(in->bytes, "\xff\xfe", 2) == 0 || memcmp(in->bytes, "\xfe\xff", 2) == 0);
        if (utf16) sg_hint(p->diagnostics, "it looks like UTF-16: convert the file, as by iconv -t UTF-8");
        return false;
    }
    if (in->length >= 3 && memcmp(in->bytes, "\xef\xbb\xbf", 3) == 0) {
        complain_input(p, in, 1, "the deck starts with a byte order mark");
        sg_hint(p->diagnostics, "save it as UTF-8 without BOM");
        return false;
    }
    size_t bad = sg_utf8_check(in->bytes, in->length);
    if (bad < in->length) {
        complain_input(p, in, line_of(in->bytes, bad), "the line is not UTF-8");
        sg_hint(p->diagnostics, "the first wrong byte is 0x%02x; convert the file, as by iconv -t UTF-8",
                (unsigned char)in->bytes[bad]);
        return false;
    }
    for (const char *cr = in->bytes; (cr = strchr(cr, '\r')) != NULL; cr++) {
        if (cr[1] == '\n') continue;
        complain_input(p, in, line_of(in->bytes, (size_t)(cr - in->bytes)),
                       "a carriage return inside a line");
        sg_hint(p->diagnostics, "end lines by a line feed");
        return false;
    }
    return true;
}

/* A text without end is most often due to an earlier one whose '"' is missing: that one then ran over
 * the end of its line. */
static void complain_text(const struct prescan *p, const struct input *in, size_t line, size_t running)
{
    struct sg_text message = {0};
    sg_text_append(&message, "unterminated text: it runs on to line %zu", line);
    complain_input(p, in, running, sg_text_view(&message));
    sg_hint(p->diagnostics, "a '\"' is missing here, or else in line %zu", line);
    sg_text_release(&message);
}

static void complain_token(const struct prescan *p, const struct input *in, const struct sg_token *token)
{
    struct sg_text message = {0};
    const char *begin = in->bytes + token->begin;
    const char *newline = memchr(begin, '\n', token->end - token->begin);
    sg_text_append(&message, "%s '", token->fault);
    sg_text_append_excerpt(&message, begin,
                           newline == NULL ? token->end - token->begin : (size_t)(newline - begin));
    sg_text_append(&message, "'");
    complain_input(p, in, token->line, sg_text_view(&message));
    if (token->hint != NULL) sg_hint(p->diagnostics, "%s", token->hint);
    sg_text_release(&message);
}

static bool is_runaway(const struct sg_scanner *scanner, const struct sg_token *token)
{
    return scanner->running != 0 && token->kind == SG_TOKEN_FAULT &&
           strcmp(token->fault, "unterminated text") == 0;
}

/* One fault a line: what follows it is often its consequence. */
static void complain_fault(const struct prescan *p, const struct input *in, const struct sg_scanner *scanner,
                           const struct sg_token *token, size_t *last)
{
    bool again = token->line == *last;
    *last = token->line;
    if (again) return;
    if (is_runaway(scanner, token))
        complain_text(p, in, token->line, scanner->running);
    else
        complain_token(p, in, token);
}

static bool has_parent_step(const char *name)
{
    for (const char *at = name; (at = strstr(at, "..")) != NULL; at++) {
        bool starts = at == name || at[-1] == '/';
        if (starts && (at[2] == '\0' || at[2] == '/')) return true;
    }
    return false;
}

static bool is_below(const char *root, const char *path)
{
    size_t length = strlen(root);
    return strncmp(root, path, length) == 0 && (root[length - 1] == '/' || path[length] == '/');
}

/* NULL, or why the file may not be included */
static const char *refusal(const struct prescan *p, const struct input *in, const char *name)
{
    if (p->root == NULL) return "includes are refused here";
    if (name[0] == '\0') return "the include names no file";
    if (name[0] == '/') return "an include has an absolute path";
    if (strchr(name, '\\') != NULL) return "an include's path has a backslash";
    if (has_parent_step(name)) return "an include's path has '..'";
    if (in->depth >= SG_MAX_INCLUDE_DEPTH) return "includes are nested deeper than 8";
    if (p->includes > SG_MAX_INCLUDES) return "more than 1000 includes";
    return NULL;
}

static const char *real_refusal(const struct prescan *p, const struct input *in, const char *real)
{
    if (!is_below(p->root, real)) return "an include leads out of the deck's folder";
    for (const struct input *up = in; up != NULL; up = up->above)
        if (strcmp(up->real, real) == 0) return "a file includes itself";
    return NULL;
}

static sg_status expand(struct prescan *p, const struct input *in);

static void complain_include(const struct prescan *p, const struct input *in, size_t line, const char *why,
                             const char *name)
{
    struct sg_text message = {0};
    sg_text_append(&message, "%s: '", why);
    sg_text_append_excerpt(&message, name, strlen(name));
    sg_text_append(&message, "'");
    complain_input(p, in, line, sg_text_view(&message));
    sg_text_release(&message);
}

/* `path`: as messages show it; `real`: of the same file */
static sg_status include_file(struct prescan *p, const struct input *in, size_t line, const char *path,
                              const char *real)
{
    char *bytes = NULL;
    struct sg_error why = {0};
    struct input next = {.above = in, .real = real, .depth = in->depth + 1, .file = p->source->file_count};
    sg_status status = sg_file_read(real, SG_MAX_DECK_BYTES, &bytes, &next.length, &why);
    if (status == SG_NO_INPUT) {
        complain_include(p, in, line, "the include can't be read as a regular file of at most 16 MiB", path);
        return SG_OK;
    }
    if (status != SG_OK) FAIL(p->err, status, "%s", why.text);
    next.bytes = bytes;
    status = add_file(p->source, path, p->err);
    if (status == SG_OK) status = add_segment(p, next.file, 1);
    if (status == SG_OK) status = expand(p, &next);
    sg_free(bytes);
    return status;
}

static sg_status resolve(struct prescan *p, const struct input *in, size_t line, const char *name)
{
    char *folder = NULL, *path = NULL, *real = NULL;
    const char *why = refusal(p, in, name);
    sg_status status = SG_OK;
    if (why == NULL) {
        status = sg_file_folder(p->source->files[in->file], &folder, p->err);
        if (status == SG_OK) status = sg_file_join(folder, name, &path, p->err);
        if (status == SG_OK) real = realpath(path, NULL);
        if (status == SG_OK && real == NULL)
            why = errno == ENOENT ? "the include does not exist" : "the include can't be opened";
    }
    if (real != NULL) why = real_refusal(p, in, real);
    if (why != NULL)
        complain_include(p, in, line, why, name);
    else if (status == SG_OK)
        status = include_file(p, in, line, path, real);
    free(real);
    sg_free(path);
    sg_free(folder);
    return status;
}

static sg_status include(struct prescan *p, const struct input *in, const struct sg_token *token)
{
    char *name = NULL;
    size_t length = token->name_end - token->name_begin;
    TRY(SG_NEW(&name, length + 1, p->err));
    memcpy(name, in->bytes + token->name_begin, length);
    p->includes++;
    sg_status status = resolve(p, in, token->line, name);
    sg_free(name);
    return status;
}

static sg_status append(struct prescan *p, const char *bytes, size_t length)
{
    struct sg_text *text = &p->source->text;
    if (text->length + length > SG_MAX_DECK_BYTES) {
        complain(p->source->files[0], 1, p->diagnostics, "the deck with its includes is larger than 16 MiB");
        return SG_BAD_DECK;
    }
    sg_text_append_bytes(text, bytes, length);
    if (text->failed) FAIL(p->err, SG_NO_MEMORY, "out of memory: deck of %zu bytes", text->length);
    for (size_t i = 0; i < length; i++) p->lines += bytes[i] == '\n' ? 1 : 0;
    return SG_OK;
}

static sg_status append_newline(struct prescan *p)
{
    const struct sg_text *text = &p->source->text;
    if (text->length > 0 && text->data[text->length - 1] == '\n') return SG_OK;
    return append(p, "\n", 1);
}

enum { MAX_FAULTS = 20 };

static sg_status expand(struct prescan *p, const struct input *in)
{
    struct sg_scanner scanner;
    struct sg_token token = {0};
    size_t done = 0, last = 0, sound = p->diagnostics->count;
    if (!check_bytes(p, in)) return SG_OK;
    sg_scanner_init(&scanner, in->bytes, in->length);
    do {
        sg_scan(&scanner, &token);
        if (scanner.running == 0) sound = p->diagnostics->count;
        /* faults behind a text that runs on to the end are its consequences */
        if (is_runaway(&scanner, &token)) {
            sg_diagnostics_cut(p->diagnostics, sound);
            last = 0;
        }
        if (token.kind == SG_TOKEN_FAULT) complain_fault(p, in, &scanner, &token, &last);
        if (p->diagnostics->errors - p->before >= MAX_FAULTS) return SG_BAD_DECK;
        if (token.kind != SG_TOKEN_INCLUDE) continue;
        TRY(append(p, in->bytes + done, token.begin - done));
        TRY(include(p, in, &token));
        TRY(append_newline(p));
        TRY(add_segment(p, in->file, token.line));
        done = token.end;
    } while (token.kind != SG_TOKEN_END);
    TRY(append(p, in->bytes + done, in->length - done));
    return append_newline(p);
}

static sg_status start(struct prescan *p, const struct input *in, const char *name)
{
    p->before = p->diagnostics->errors;
    TRY(add_file(p->source, name, p->err));
    TRY(add_segment(p, 0, 1));
    TRY(expand(p, in));
    return p->diagnostics->errors > p->before ? SG_BAD_DECK : SG_OK;
}

static sg_status real_folder(const char *path, char **real, struct sg_error *err)
{
    char *folder = NULL;
    TRY(sg_file_folder(path, &folder, err));
    *real = realpath(folder[0] == '\0' ? "." : folder, NULL);
    int cause = errno;
    sg_free(folder);
    if (*real == NULL) FAIL(err, SG_NO_INPUT, "can't open '%s': %s", path, strerror(cause));
    return SG_OK;
}

sg_status sg_source_read_file(const char *path, struct sg_source *source, struct sg_diagnostics *diagnostics,
                              struct sg_error *err)
{
    struct prescan p = {.source = source, .diagnostics = diagnostics, .err = err};
    char *bytes = NULL, *real = NULL;
    struct input in = {0};
    TRY(sg_file_read(path, SG_MAX_DECK_BYTES, &bytes, &in.length, err));
    sg_status status = real_folder(path, &p.root, err);
    if (status == SG_OK) {
        real = realpath(path, NULL);
        in.real = real == NULL ? path : real;
        in.bytes = bytes;
        status = start(&p, &in, path);
    }
    free(real);
    free(p.root);
    sg_free(bytes);
    return status;
}

sg_status sg_source_read_text(const char *text, size_t length, const char *name, struct sg_source *source,
                              struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct prescan p = {.source = source, .diagnostics = diagnostics, .err = err};
    char *bytes = NULL;
    if (length > SG_MAX_DECK_BYTES) {
        sg_complain_at(diagnostics, SG_ERROR, name, "", "the deck is larger than 16 MiB");
        return SG_BAD_DECK;
    }
    TRY(SG_NEW(&bytes, length + 1, err));
    if (length > 0) memcpy(bytes, text, length);
    struct input in = {.bytes = bytes, .length = length};
    sg_status status = start(&p, &in, name);
    sg_free(bytes);
    return status;
}
