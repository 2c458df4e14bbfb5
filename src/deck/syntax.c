#define _POSIX_C_SOURCE 200809L
#include "deck/syntax.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "deck/scan.h"
#include "support/memory.h"

enum want { WANT_NAME, WANT_EQUALS, WANT_VALUE, WANT_NEXT };

struct level {
    char open; /* '{' (also the root), '(' or '[' */
    enum want want;
    struct sg_token bracket;
    size_t names;             /* where this group's names start in `names` */
    enum sg_token_kind first; /* array: kind of its first item */
};

struct name {
    size_t begin, length, line;
};

struct parser {
    const struct sg_source *source;
    struct sg_scalars *scalars;
    struct sg_diagnostics *diagnostics;
    struct sg_error *err;
    bool single;
    struct sg_scanner scanner;
    struct sg_token token, previous;
    struct level levels[SG_MAX_DEPTH + 1];
    size_t depth;  /* levels[depth] is the innermost */
    size_t values; /* scalars, groups and lists */
    struct name *names;
    size_t name_count, name_capacity;
};

void sg_scalars_release(struct sg_scalars *scalars)
{
    for (size_t i = 0; i < scalars->count; i++) {
        sg_free(scalars->items[i].fault);
        sg_free(scalars->items[i].hint);
    }
    sg_free(scalars->items);
    *scalars = (struct sg_scalars){0};
}

static const char *bytes(const struct parser *p)
{
    return p->source->text.data;
}

static size_t file_line(const struct parser *p, size_t line)
{
    const char *file = NULL;
    size_t place = 0;
    sg_source_place(p->source, line, &file, &place);
    return place;
}

/* The line of the token as it stands, for messages. */
static void append_line(const struct parser *p, size_t at, struct sg_text *text)
{
    size_t begin = at, end = at;
    while (begin > 0 && bytes(p)[begin - 1] != '\n') begin--;
    while (bytes(p)[end] != '\0' && bytes(p)[end] != '\n' && bytes(p)[end] != '\r') end++;
    while (begin < end && (bytes(p)[begin] == ' ' || bytes(p)[begin] == '\t')) begin++;
    sg_text_append_excerpt(text, bytes(p) + begin, end - begin);
}

static void append_token(const struct parser *p, const struct sg_token *token, struct sg_text *text)
{
    if (token->kind == SG_TOKEN_END) {
        sg_text_append(text, "the end of the %s", p->single ? "value" : "deck");
        return;
    }
    sg_text_append(text, "'");
    sg_text_append_excerpt(text, bytes(p) + token->begin, token->end - token->begin);
    sg_text_append(text, "'");
}

/* Says `what` at the line of `place`, then what was found, then the hint and the line itself. */
static sg_status refuse(struct parser *p, const struct sg_token *place, const char *what, const char *hint)
{
    struct sg_text message = {0}, source_line = {0};
    sg_text_append(&message, "%s, found ", what);
    append_token(p, &p->token, &message);
    append_line(p, place->begin, &source_line);
    sg_source_complain(p->source, place->line, p->diagnostics, sg_text_view(&message));
    const char *shown = sg_text_view(&source_line);
    if (p->scanner.running != 0 && hint == NULL)
        sg_hint(p->diagnostics, "a text that starts in line %zu runs over several lines: is a '\"' missing?",
                file_line(p, p->scanner.running));
    else if (hint != NULL && shown[0] != '\0')
        sg_hint(p->diagnostics, "%s; the line reads: %s", hint, shown);
    else if (hint != NULL)
        sg_hint(p->diagnostics, "%s", hint);
    else if (shown[0] != '\0')
        sg_hint(p->diagnostics, "the line reads: %s", shown);
    sg_text_release(&message);
    sg_text_release(&source_line);
    return SG_BAD_DECK;
}

static sg_status add_name(struct parser *p)
{
    if (p->name_count == p->name_capacity) {
        struct name *names = NULL;
        size_t capacity = p->name_capacity == 0 ? 64 : 2 * p->name_capacity;
        TRY(SG_NEW(&names, capacity, p->err));
        if (p->name_count > 0) memcpy(names, p->names, p->name_count * sizeof *names);
        sg_free(p->names);
        p->names = names;
        p->name_capacity = capacity;
    }
    const struct sg_token *token = &p->token;
    p->names[p->name_count++] = (struct name){token->begin, token->end - token->begin, token->line};
    return SG_OK;
}

static sg_status check_name(struct parser *p)
{
    const struct level *level = &p->levels[p->depth];
    const struct sg_token *token = &p->token;
    size_t length = token->end - token->begin;
    for (size_t i = level->names; i < p->name_count; i++) {
        const struct name *name = &p->names[i];
        if (name->length != length || memcmp(bytes(p) + name->begin, bytes(p) + token->begin, length) != 0)
            continue;
        struct sg_text message = {0};
        sg_text_append(&message, "keyword '%.*s' is given twice in this group", (int)length,
                       bytes(p) + token->begin);
        sg_source_complain(p->source, token->line, p->diagnostics, sg_text_view(&message));
        sg_hint(p->diagnostics, "it is first given in line %zu", file_line(p, name->line));
        sg_text_release(&message);
        return SG_BAD_DECK;
    }
    if (p->name_count - level->names >= SG_MAX_NAMES)
        return refuse(p, token, "more than 1000 keywords in one group", NULL);
    return add_name(p);
}

static sg_status open_level(struct parser *p)
{
    if (p->depth == SG_MAX_DEPTH)
        return refuse(p, &p->token, "groups and lists are nested deeper than 64", NULL);
    char mark = p->token.mark;
    p->levels[p->depth].want = WANT_NEXT;
    p->depth++;
    p->levels[p->depth] = (struct level){.open = mark,
                                         .want = mark == '{' ? WANT_NAME : WANT_VALUE,
                                         .bracket = p->token,
                                         .names = p->name_count};
    return SG_OK;
}

static void close_level(struct parser *p)
{
    p->name_count = p->levels[p->depth].names;
    p->depth--;
}

/* NULL-safe copies of what is wrong with an integer that libconfig would wrap or clip. */
static sg_status note_fault(struct parser *p, struct sg_scalar *scalar, const char *digits, bool wide)
{
    struct sg_text fault = {0}, hint = {0};
    sg_text_append(&fault, "integer %s is beyond %d bits", digits, wide ? 64 : 32);
    if (wide || digits[1] == 'x' || digits[1] == 'X')
        sg_text_append(&hint, wide ? "write a real number" : "write %sL for an integer of 64 bits", digits);
    else
        sg_text_append(&hint, "write %s.0 for a real number, %sL for an integer", digits, digits);
    sg_status status = sg_copy_text(sg_text_view(&fault), &scalar->fault, p->err);
    if (status == SG_OK) status = sg_copy_text(sg_text_view(&hint), &scalar->hint, p->err);
    sg_text_release(&fault);
    sg_text_release(&hint);
    return status;
}

static bool fits(const char *digits, bool wide)
{
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    errno = 0;
    if (hex) {
        unsigned long long value = strtoull(digits, NULL, 16);
        return errno == 0 && value <= (wide ? 0x7fffffffffffffffULL : 0x7fffffffULL);
    }
    long long value = strtoll(digits, NULL, 10);
    return errno == 0 && (wide || (value >= -2147483648LL && value <= 2147483647LL));
}

static sg_status check_integer(struct parser *p, struct sg_scalar *scalar)
{
    char digits[SG_MAX_NUMBER + 1];
    bool wide = p->token.kind == SG_TOKEN_LONG;
    size_t length = p->token.end - p->token.begin;
    memcpy(digits, bytes(p) + p->token.begin, length);
    digits[length] = '\0';
    if (fits(digits, wide)) return SG_OK;
    return note_fault(p, scalar, digits, wide);
}

static sg_status add_scalar(struct parser *p)
{
    struct sg_scalars *scalars = p->scalars;
    if (scalars->count == scalars->capacity) {
        struct sg_scalar *items = NULL;
        size_t capacity = scalars->capacity == 0 ? 64 : 2 * scalars->capacity;
        TRY(SG_NEW(&items, capacity, p->err));
        if (scalars->count > 0) memcpy(items, scalars->items, scalars->count * sizeof *items);
        sg_free(scalars->items);
        scalars->items = items;
        scalars->capacity = capacity;
    }
    struct sg_scalar *scalar = &scalars->items[scalars->count++];
    *scalar = (struct sg_scalar){.line = p->token.line};
    bool integer = p->token.kind == SG_TOKEN_INTEGER || p->token.kind == SG_TOKEN_LONG;
    return integer ? check_integer(p, scalar) : SG_OK;
}

static sg_status count_value(struct parser *p)
{
    if (++p->values <= SG_MAX_VALUES) return SG_OK;
    refuse(p, &p->token, "more than 200000 values", NULL);
    sg_hint(p->diagnostics, "put large data into a side file");
    return SG_BAD_DECK;
}

static bool is_scalar(const struct sg_token *token)
{
    return token->kind >= SG_TOKEN_INTEGER && token->kind <= SG_TOKEN_TEXT;
}

static bool is_number(enum sg_token_kind kind)
{
    return kind == SG_TOKEN_INTEGER || kind == SG_TOKEN_LONG || kind == SG_TOKEN_REAL;
}

static bool is_mark(const struct sg_token *token, const char *marks)
{
    return token->kind == SG_TOKEN_MARK && strchr(marks, token->mark) != NULL;
}

static sg_status check_item(struct parser *p, struct level *level)
{
    if (level->first == SG_TOKEN_END) level->first = p->token.kind;
    if (level->first == p->token.kind) return SG_OK;
    if (is_number(level->first) && is_number(p->token.kind))
        return refuse(p, &p->token, "an array [ ] mixes integer and real numbers",
                      "write every number with a point, as in [1.0, 2.0], or a list, as in (1, 2.0)");
    return refuse(p, &p->token, "an array [ ] mixes items of different type", "write a list: ( )");
}

static bool is_nonfinite(const struct parser *p, const struct sg_token *token)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    size_t length = token->end - token->begin;
    for (size_t i = 0; token->kind == SG_TOKEN_NAME && i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncasecmp(bytes(p) + token->begin, words[i], length) == 0)
            return true;
    return false;
}

static sg_status refuse_value(struct parser *p, const struct level *level)
{
    const struct sg_token *token = &p->token;
    if (level->open != '{' && is_mark(token, ")]}") && is_mark(&p->previous, ","))
        return refuse(p, token, "a value is missing after ','", "remove the ',' before the bracket");
    bool below = token->line > p->previous.line && level->open == '{';
    if (below) return refuse(p, &p->previous, "expected a value after '='", "the value seems to be missing");
    if (is_nonfinite(p, token)) return refuse(p, token, "expected a value", "numbers are finite");
    if (token->kind == SG_TOKEN_NAME) return refuse(p, token, "expected a value", "text is put in \"...\"");
    return refuse(p, token, "expected a value", NULL);
}

static sg_status take_value(struct parser *p)
{
    struct level *level = &p->levels[p->depth];
    bool bracket = is_mark(&p->token, "{([");
    if (!bracket && !is_scalar(&p->token)) return refuse_value(p, level);
    if (level->open == '[' && bracket)
        return refuse(p, &p->token, "an array [ ] holds only numbers, booleans or texts",
                      "write a list: ( )");
    if (level->open == '[') TRY(check_item(p, level));
    TRY(count_value(p));
    if (bracket) return open_level(p);
    level->want = WANT_NEXT;
    return add_scalar(p);
}

static char closing(char open)
{
    return open == '{' ? '}' : open == '(' ? ')' : ']';
}

static sg_status refuse_open(struct parser *p, const struct level *level, const char *expected)
{
    struct sg_text what = {0}, hint = {0};
    sg_text_append(&what, "%s", expected);
    sg_text_append(&hint, "a '%c' seems to be missing: '%c' of line %zu is open", closing(level->open),
                   level->open, file_line(p, level->bracket.line));
    const struct sg_token *place = p->token.kind == SG_TOKEN_END ? &level->bracket : &p->token;
    sg_status status = refuse(p, place, sg_text_view(&what), sg_text_view(&hint));
    sg_text_release(&what);
    sg_text_release(&hint);
    return status;
}

static sg_status refuse_name(struct parser *p, const struct level *level)
{
    const struct sg_token *token = &p->token;
    if (p->depth > 0 && (token->kind == SG_TOKEN_END || is_mark(token, ")]")))
        return refuse_open(p, level, "expected a keyword or '}'");
    if (is_mark(token, "}")) return refuse(p, token, "no bracket is open", NULL);
    if (is_mark(token, ";,"))
        return refuse(p, token, "expected a keyword", "one ';' after a value is enough");
    if (is_number(token->kind) && is_mark(&p->previous, ","))
        return refuse(p, token, "expected a keyword", "the decimal sign is '.'");
    if (token->kind == SG_TOKEN_BOOL)
        return refuse(p, token, "expected a keyword", "true and false are values");
    return refuse(p, token, "expected a keyword", NULL);
}

static sg_status take_name(struct parser *p)
{
    struct level *level = &p->levels[p->depth];
    if (p->depth > 0 && is_mark(&p->token, "}")) {
        close_level(p);
        return SG_OK;
    }
    if (p->depth == 0 && p->token.kind == SG_TOKEN_END) return SG_OK;
    if (p->token.kind != SG_TOKEN_NAME) return refuse_name(p, level);
    level->want = WANT_EQUALS;
    return check_name(p);
}

static sg_status take_next(struct parser *p)
{
    struct level *level = &p->levels[p->depth];
    /* pieces of one text */
    if (p->token.kind == SG_TOKEN_TEXT && p->previous.kind == SG_TOKEN_TEXT) return SG_OK;
    if (p->single && p->depth == 0) {
        if (p->token.kind == SG_TOKEN_END) return SG_OK;
        return refuse(p, &p->token, "expected the end after one value", NULL);
    }
    if (level->open == '{') {
        level->want = WANT_NAME;
        return is_mark(&p->token, ";,") ? SG_OK : take_name(p);
    }
    if (is_mark(&p->token, ",")) {
        level->want = WANT_VALUE;
        return SG_OK;
    }
    if (p->token.kind == SG_TOKEN_MARK && p->token.mark == closing(level->open)) {
        close_level(p);
        return SG_OK;
    }
    return refuse_open(p, level, level->open == '(' ? "expected ',' or ')'" : "expected ',' or ']'");
}

static sg_status take_equals(struct parser *p)
{
    if (is_mark(&p->token, "=")) {
        p->levels[p->depth].want = WANT_VALUE;
        return SG_OK;
    }
    struct sg_text what = {0};
    sg_text_append(&what, "expected '=' after '%.*s'", (int)(p->previous.end - p->previous.begin),
                   bytes(p) + p->previous.begin);
    sg_status status = refuse(p, &p->previous, sg_text_view(&what), NULL);
    sg_text_release(&what);
    return status;
}

static sg_status take(struct parser *p)
{
    struct level *level = &p->levels[p->depth];
    bool empty = is_mark(&p->previous, "([") && p->token.kind == SG_TOKEN_MARK &&
                 p->token.mark == closing(level->open);
    switch (level->want) {
    case WANT_NAME:
        return take_name(p);
    case WANT_EQUALS:
        return take_equals(p);
    case WANT_NEXT:
        return take_next(p);
    default:
        if (level->open == '{' || !empty) return take_value(p);
        close_level(p);
        return SG_OK;
    }
}

sg_status sg_syntax_check(const struct sg_source *source, bool single, struct sg_scalars *scalars,
                          struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct parser p = {.source = source,
                       .scalars = scalars,
                       .diagnostics = diagnostics,
                       .err = err,
                       .single = single,
                       .levels = {{.open = '{', .want = WANT_NAME}}};
    sg_status status = SG_OK;
    sg_scanner_init(&p.scanner, source->text.data, source->text.length);
    do {
        sg_scan(&p.scanner, &p.token);
        status = take(&p);
        p.previous = p.token;
    } while (status == SG_OK && p.token.kind != SG_TOKEN_END);
    sg_free(p.names);
    return status;
}
