#define _XOPEN_SOURCE 700 /* realpath */

#include "deck/source.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "deck/file.h"
#include "support/memory.h"

struct reading {
    struct sg_source *source;
    struct sg_error *err;
    struct sg_arena arena; /* has bytes and paths while files are read */
    char *root;            /* real path of the deck's folder; NULL: includes are refused */
    size_t includes;       /* so far */
    bool full;             /* no more tokens are taken */
};

/* One file being read; the chain leads to the deck. */
struct input {
    const struct input *above;
    const char *real; /* real path, NULL for text from memory */
    const char *bytes;
    size_t length, depth;
    size_t done;               /* bytes that are in the source's text */
    uint32_t line;             /* the last one, once all is scanned */
    uint16_t file;             /* index into source->files */
    struct sg_token directive; /* the include that is being put in */
};

void sg_source_release(struct sg_source *source)
{
    sg_text_release(&source->text);
    sg_arena_release(&source->arena);
    *source = (struct sg_source){0};
}

static sg_status add_file(struct reading *r, const char *name, uint16_t *file)
{
    struct sg_source *source = r->source;
    *file = (uint16_t)source->file_count;
    TRY(sg_arena_grow(&source->arena, &source->files, source->file_count, &source->file_capacity,
                      sizeof *source->files, r->err));
    TRY(sg_arena_copy_text(&source->arena, name, &source->files[source->file_count], r->err));
    source->file_count++;
    return SG_OK;
}

/* A token of the input, moved to where its bytes are, or will be, in the text. A deck of SG_MAX_VALUES values
 * has less than six tokens a value: what has more is refused later, and no more of it is kept. */
static sg_status add_token(struct reading *r, const struct input *in, struct sg_token token)
{
    struct sg_source *source = r->source;
    if (source->count > 6 * (size_t)SG_MAX_VALUES) r->full = true;
    TRY(sg_arena_grow(&source->arena, &source->tokens, source->count, &source->capacity,
                      sizeof *source->tokens, r->err));
    size_t shift = source->text.length - in->done;
    token.begin += (uint32_t)shift;
    token.end += (uint32_t)shift;
    token.file = in->file;
    source->tokens[source->count++] = token;
    return SG_OK;
}

static sg_status add_fault(struct reading *r, const struct input *in, struct sg_token token, unsigned fault)
{
    token.kind = (uint8_t)(SG_TOKEN_FAULT + fault);
    return add_token(r, in, token);
}

/* Puts the input's bytes up to `end` into the text. */
static sg_status append(struct reading *r, struct input *in, size_t end)
{
    struct sg_text *text = &r->source->text;
    const struct input deck = {0};
    if (r->full) return SG_OK;
    r->full = text->length + end - in->done > SG_MAX_DECK_BYTES;
    if (r->full) return add_fault(r, &deck, (struct sg_token){.line = 1}, SG_FAULT_BYTES);
    sg_text_append_bytes(text, in->bytes + in->done, end - in->done);
    if (end == in->length && text->length > 0 && text->data[text->length - 1] != '\n')
        sg_text_append(text, "\n");
    in->done = end;
    if (text->failed) FAIL(r->err, SG_NO_MEMORY, "out of memory: deck of %zu bytes", text->length);
    return SG_OK;
}

/* Where the bytes are no text, and in which way; SG_FAULT_COUNT: they are. Only the first such fault is told:
 * the rest would follow from it. */
static enum sg_fault check_bytes(const struct input *in, size_t *at)
{
    const char *nul = memchr(in->bytes, '\0', in->length);
    bool marked =
        in->length >= 2 && (memcmp(in->bytes, "\xff\xfe", 2) == 0 || memcmp(in->bytes, "\xfe\xff", 2) == 0);
    *at = nul == NULL ? 0 : (size_t)(nul - in->bytes);
    if (nul != NULL) return marked ? SG_FAULT_UTF16 : SG_FAULT_NUL;
    if (strncmp(in->bytes, "\xef\xbb\xbf", 3) == 0) return SG_FAULT_BOM;
    *at = sg_utf8_check(in->bytes, in->length);
    if (*at < in->length) return SG_FAULT_ENCODING;
    for (const char *cr = in->bytes; (cr = strchr(cr, '\r')) != NULL; cr++) {
        *at = (size_t)(cr - in->bytes);
        if (cr[1] != '\n') return SG_FAULT_RETURN;
    }
    return SG_FAULT_COUNT;
}

static sg_status add_byte_fault(struct reading *r, struct input *in, enum sg_fault fault, size_t at)
{
    struct sg_token token = {.begin = (uint32_t)at, .end = (uint32_t)at, .line = 1};
    for (size_t i = 0; i < at; i++) token.line += in->bytes[i] == '\n' ? 1 : 0;
    if (fault == SG_FAULT_ENCODING) token.end++;
    TRY(add_fault(r, in, token, fault));
    return append(r, in, in->length);
}

/* A text without end is most often due to an earlier one whose '"' is missing: that one then ran over the end
 * of its line. All between the two are its consequences. */
static void blame_earlier_text(struct sg_source *source, size_t first)
{
    const struct sg_token *last = &source->tokens[source->count - 1];
    for (size_t i = first; i + 1 < source->count; i++) {
        struct sg_token *token = &source->tokens[i];
        const char *bytes = source->text.data + token->begin;
        bool runs = memchr(bytes, '\n', token->end - token->begin) != NULL;
        if (token->kind != SG_TOKEN_TEXT || token->file != last->file || !runs) continue;
        token->kind = SG_TOKEN_FAULT + SG_FAULT_TEXT_RUNS;
        token->end = last->begin;
        source->count = i + 1;
    }
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

/* SG_FAULT_COUNT, or why the file of that name may not be included */
static enum sg_fault name_fault(const struct reading *r, const struct input *in, const char *name)
{
    if (r->root == NULL) return SG_FAULT_INCLUDE_NONE;
    if (name[0] == '\0') return SG_FAULT_INCLUDE_EMPTY;
    if (name[0] == '/') return SG_FAULT_INCLUDE_ABSOLUTE;
    if (strchr(name, '\\') != NULL) return SG_FAULT_INCLUDE_BACKSLASH;
    if (has_parent_step(name)) return SG_FAULT_INCLUDE_PARENT;
    if (in->depth >= SG_MAX_INCLUDE_DEPTH) return SG_FAULT_INCLUDE_DEEP;
    if (r->includes > SG_MAX_INCLUDES) return SG_FAULT_INCLUDE_MANY;
    return SG_FAULT_COUNT;
}

static enum sg_fault path_fault(const struct reading *r, const struct input *in, const char *real)
{
    if (real == NULL) return errno == ENOENT ? SG_FAULT_INCLUDE_ABSENT : SG_FAULT_INCLUDE_CLOSED;
    if (!is_below(r->root, real)) return SG_FAULT_INCLUDE_OUT;
    for (const struct input *up = in; up != NULL; up = up->above)
        if (strcmp(up->real, real) == 0) return SG_FAULT_INCLUDE_LOOP;
    return SG_FAULT_COUNT;
}

static sg_status scan_file(struct reading *r, struct input *in);

/* `path`: as messages show it; `real`: of the same file */
static sg_status put_in(struct reading *r, struct input *in, const char *path, const char *real,
                        enum sg_fault *fault)
{
    struct sg_error why = {0};
    struct input next = {.above = in, .real = real, .depth = in->depth + 1};
    char *bytes = NULL;
    sg_status status = sg_file_read(real, SG_MAX_DECK_BYTES, &bytes, &next.length, &why);
    if (status == SG_NO_INPUT) *fault = SG_FAULT_INCLUDE_READ;
    if (status == SG_NO_INPUT) return SG_OK;
    if (status != SG_OK) FAIL(r->err, status, "%s", why.text);
    TRY(sg_arena_own(&r->arena, bytes, sg_free, r->err));
    next.bytes = bytes;
    TRY(append(r, in, in->directive.begin));
    in->done = in->directive.end;
    TRY(add_file(r, path, &next.file));
    return scan_file(r, &next);
}

static sg_status include_name(struct reading *r, struct input *in, const char *name, enum sg_fault *fault)
{
    char *folder = NULL, *path = NULL;
    *fault = name_fault(r, in, name);
    if (*fault != SG_FAULT_COUNT) return SG_OK;
    TRY(sg_file_folder(r->source->files[in->file], &folder, r->err));
    TRY(sg_arena_own(&r->arena, folder, sg_free, r->err));
    TRY(sg_file_join(folder, name, &path, r->err));
    TRY(sg_arena_own(&r->arena, path, sg_free, r->err));
    char *real = realpath(path, NULL);
    *fault = path_fault(r, in, real);
    TRY(sg_arena_own(&r->arena, real, free, r->err));
    return *fault == SG_FAULT_COUNT ? put_in(r, in, path, real, fault) : SG_OK;
}

/* A directive that is refused stays in the text, so that the fault has its bytes. */
static sg_status include(struct reading *r, struct input *in, struct sg_token token)
{
    enum sg_fault fault = SG_FAULT_COUNT;
    const char *quote = strchr(in->bytes + token.begin, '"');
    size_t begin = (size_t)(quote - in->bytes) + 1, length = token.end - 1 - begin;
    char *name = NULL;
    TRY(SG_ARENA_NEW(&r->arena, &name, length + 1, r->err));
    memcpy(name, in->bytes + begin, length);
    r->includes++;
    in->directive = token;
    TRY(include_name(r, in, name, &fault));
    if (fault == SG_FAULT_COUNT) return SG_OK;
    token.begin = (uint32_t)begin;
    token.end--;
    return add_fault(r, in, token, fault);
}

static sg_status scan_file(struct reading *r, struct input *in)
{
    struct sg_scanner scanner = {in->bytes, in->bytes, 1};
    struct sg_token token;
    size_t at = 0, first = r->source->count;
    enum sg_fault fault = check_bytes(in, &at);
    if (fault != SG_FAULT_COUNT) return add_byte_fault(r, in, fault, at);
    for (sg_scan(&scanner, &token); token.kind != SG_TOKEN_END && !r->full; sg_scan(&scanner, &token))
        TRY(token.kind == SG_TOKEN_INCLUDE ? include(r, in, token) : add_token(r, in, token));
    in->line = token.line;
    TRY(append(r, in, in->length));
    if (r->source->count > first &&
        r->source->tokens[r->source->count - 1].kind == SG_TOKEN_FAULT + SG_FAULT_TEXT_OPEN)
        blame_earlier_text(r->source, first);
    return SG_OK;
}

/* --- faults, told --------------------------------------------------------------------------------- */

void sg_source_complain(const struct sg_source *source, const struct sg_token *token,
                        struct sg_diagnostics *diagnostics, const char *message)
{
    SG_LOCAL_TEXT(where);
    sg_text_append(&where, "%s:%lu", source->files[token->file], (unsigned long)token->line);
    sg_complain_at(diagnostics, SG_ERROR, sg_text_view(&where), "", "%s", message);
}

static void tell_fault(const struct sg_source *source, const struct sg_token *token,
                       struct sg_diagnostics *diagnostics)
{
#define WORDS(name, what, hint) {what, hint},
    static const struct {
        const char *what, *hint;
    } faults[] = {SG_FAULTS(WORDS)};
    unsigned fault = token->kind - (unsigned)SG_TOKEN_FAULT;
    const char *what = faults[fault].what, *bytes = source->text.data + token->begin;
    size_t length = token->end - token->begin, line = token->line;
    SG_LOCAL_TEXT(message);
    sg_text_append(&message, "%s", what);
    if (fault == SG_FAULT_TEXT_RUNS) {
        for (size_t i = 0; i < length; i++) line += bytes[i] == '\n' ? 1 : 0;
        sg_text_append(&message, " %zu", line);
    } else if (length > 0 || what[strlen(what) - 1] == ':') {
        const char *newline = length == 0 ? NULL : memchr(bytes, '\n', length);
        sg_text_append(&message, " '");
        sg_text_append_excerpt(&message, bytes, newline == NULL ? length : (size_t)(newline - bytes));
        sg_text_append(&message, "'");
    }
    sg_source_complain(source, token, diagnostics, sg_text_view(&message));
    if (fault == SG_FAULT_TEXT_RUNS)
        sg_hint(diagnostics, "a '\"' is missing here, or else in line %zu", line);
    else if (faults[fault].hint != NULL)
        sg_hint(diagnostics, "%s", faults[fault].hint);
}

/* One fault a line: what follows it is often its consequence. */
static bool tell_faults(const struct sg_source *source, struct sg_diagnostics *diagnostics)
{
    enum { MOST = 20 };
    const struct sg_token *last = NULL;
    size_t told = 0;
    for (size_t i = 0; i < source->count && told < MOST; i++) {
        const struct sg_token *token = &source->tokens[i];
        if (token->kind < SG_TOKEN_FAULT) continue;
        bool runs = token->kind == SG_TOKEN_FAULT + SG_FAULT_TEXT_RUNS;
        if (runs || last == NULL || last->file != token->file || last->line != token->line) {
            tell_fault(source, token, diagnostics);
            told++;
        }
        last = token;
    }
    return told > 0;
}

static sg_status scan_all(struct reading *r, struct input *deck, const char *name,
                          struct sg_diagnostics *diagnostics)
{
    TRY(add_file(r, name, &deck->file));
    TRY(scan_file(r, deck));
    if (tell_faults(r->source, diagnostics)) return SG_BAD_DECK;
    return add_token(r, deck, (struct sg_token){.kind = SG_TOKEN_END, .line = deck->line});
}

/* Reads the file and the real paths of itself and its folder. */
static sg_status open_deck(struct reading *r, const char *path, struct input *deck)
{
    char *bytes = NULL, *folder = NULL;
    TRY(sg_file_read(path, SG_MAX_DECK_BYTES, &bytes, &deck->length, r->err));
    TRY(sg_arena_own(&r->arena, bytes, sg_free, r->err));
    TRY(sg_file_folder(path, &folder, r->err));
    TRY(sg_arena_own(&r->arena, folder, sg_free, r->err));
    r->root = realpath(folder[0] == '\0' ? "." : folder, NULL);
    if (r->root == NULL) FAIL(r->err, SG_NO_INPUT, "can't open '%s': %s", path, strerror(errno));
    TRY(sg_arena_own(&r->arena, r->root, free, r->err));
    char *real = realpath(path, NULL);
    TRY(sg_arena_own(&r->arena, real, free, r->err));
    deck->real = real == NULL ? path : real;
    deck->bytes = bytes;
    return SG_OK;
}

sg_status sg_source_read_file(const char *path, struct sg_source *source, struct sg_diagnostics *diagnostics,
                              struct sg_error *err)
{
    struct reading r = {.source = source, .err = err};
    struct input deck = {0};
    sg_status status = open_deck(&r, path, &deck);
    if (status == SG_OK) status = scan_all(&r, &deck, path, diagnostics);
    sg_arena_release(&r.arena);
    return status;
}

sg_status sg_source_read_text(const char *text, size_t length, const char *name, struct sg_source *source,
                              struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct reading r = {.source = source, .err = err};
    char *bytes = NULL;
    if (length > SG_MAX_DECK_BYTES) {
        sg_complain_at(diagnostics, SG_ERROR, name, "", "the deck is larger than 16 MiB");
        return SG_BAD_DECK;
    }
    sg_status status = SG_ARENA_NEW(&r.arena, &bytes, length + 1, err);
    if (status == SG_OK && length > 0) memcpy(bytes, text, length);
    struct input deck = {.bytes = bytes, .length = length};
    if (status == SG_OK) status = scan_all(&r, &deck, name, diagnostics);
    sg_arena_release(&r.arena);
    return status;
}
