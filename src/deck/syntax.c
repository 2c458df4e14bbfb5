#define _POSIX_C_SOURCE 200809L
#include "deck/syntax.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "deck/scan.h"

/* A token among its neighbours. */
struct place {
    const struct sg_source *source;
    struct sg_diagnostics *diagnostics;
    const struct sg_token *token, *previous;
    const struct sg_token *open; /* the innermost bracket that is open before the token; NULL: none */
};

static const char *bytes(const struct place *p, const struct sg_token *token)
{
    return p->source->text.data + token->begin;
}

static size_t length(const struct sg_token *token)
{
    return token->end - token->begin;
}

static bool is_in(const struct sg_token *token, const char *marks)
{
    return token->kind != SG_TOKEN_END && token->kind < SG_TOKEN_NAME && strchr(marks, token->kind) != NULL;
}

static bool is_scalar(const struct sg_token *token)
{
    return token->kind >= SG_TOKEN_INTEGER && token->kind <= SG_TOKEN_TEXT;
}

static bool is_number(const struct sg_token *token)
{
    return token->kind >= SG_TOKEN_INTEGER && token->kind <= SG_TOKEN_REAL;
}

/* One step to the left past `token`: true at the bracket that is open there. */
static bool step_out(const struct sg_token *token, size_t *depth)
{
    if (is_in(token, ")]}")) ++*depth;
    if (!is_in(token, "([{")) return false;
    return (*depth)-- == 0;
}

static struct place place_of(const struct sg_source *source, size_t at, struct sg_diagnostics *diagnostics)
{
    static const struct sg_token start = {.kind = ';', .line = 1};
    struct place p = {source, diagnostics, &source->tokens[at], at > 0 ? &source->tokens[at - 1] : &start,
                      NULL};
    size_t depth = 0;
    for (size_t i = at; i > 0 && p.open == NULL; i--)
        if (step_out(&source->tokens[i - 1], &depth)) p.open = &source->tokens[i - 1];
    return p;
}

/* --- messages ---------------------------------------------------------------------------------------- */

/* The line of the token as it stands. */
static void append_line(const struct place *p, const struct sg_token *token, struct sg_text *text)
{
    const char *whole = p->source->text.data, *begin = bytes(p, token);
    while (begin > whole && begin[-1] != '\n') begin--;
    begin += strspn(begin, " \t");
    sg_text_append_excerpt(text, begin, strcspn(begin, "\r\n"));
}

static const struct sg_token *running_text(const struct place *p)
{
    for (const struct sg_token *token = p->source->tokens; token <= p->token; token++)
        if (token->kind == SG_TOKEN_TEXT && memchr(bytes(p, token), '\n', length(token)) != NULL)
            return token;
    return NULL;
}

/* Says `what` at the line of `at`, then what was found, then the hint and the line itself. */
static void refuse(const struct place *p, const struct sg_token *at, const char *what, const char *hint)
{
    SG_LOCAL_TEXT(message);
    SG_LOCAL_TEXT(line);
    const struct sg_token *running = running_text(p);
    sg_text_append(&message, "%s, found ", what);
    if (p->token->kind == SG_TOKEN_END) {
        sg_text_append(&message, "the end of the deck");
    } else {
        sg_text_append(&message, "'");
        sg_text_append_excerpt(&message, bytes(p, p->token), length(p->token));
        sg_text_append(&message, "'");
    }
    append_line(p, at, &line);
    sg_source_complain(p->source, at, p->diagnostics, sg_text_view(&message));
    bool shown = line.length > 0;
    if (running != NULL && hint == NULL)
        sg_hint(p->diagnostics, "a text that starts in line %lu runs over several lines: is a '\"' missing?",
                (unsigned long)running->line);
    else if (hint != NULL || shown)
        sg_hint(p->diagnostics, "%s%s%s%s", hint == NULL ? "" : hint, hint != NULL && shown ? "; " : "",
                shown ? "the line reads: " : "", sg_text_view(&line));
}

static char closing(char open)
{
    return open == '{' ? '}' : open == '(' ? ')' : ']';
}

static void refuse_open(const struct place *p, const char *expected)
{
    SG_LOCAL_TEXT(hint);
    char open = (char)p->open->kind;
    sg_text_append(&hint, "a '%c' seems to be missing: '%c' of line %lu is open", closing(open), open,
                   (unsigned long)p->open->line);
    refuse(p, p->token->kind == SG_TOKEN_END ? p->open : p->token, expected, sg_text_view(&hint));
}

static bool is_nonfinite(const struct place *p)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    for (size_t i = 0; p->token->kind == SG_TOKEN_NAME && i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length(p->token) &&
            strncasecmp(bytes(p, p->token), words[i], length(p->token)) == 0)
            return true;
    return false;
}

static void refuse_value(const struct place *p)
{
    const struct sg_token *token = p->token;
    if (p->open != NULL && p->open->kind == '[' && is_in(token, "([{"))
        refuse(p, token, "an array [ ] holds only numbers, booleans or texts", "write a list: ( )");
    else if (is_in(p->previous, ",") && is_in(token, ")]}"))
        refuse(p, token, "a value is missing after ','", "remove the ',' before the bracket");
    else if (is_in(p->previous, "=") && token->line > p->previous->line)
        refuse(p, p->previous, "expected a value after '='", "the value seems to be missing");
    else
        refuse(p, token, "expected a value",
               is_nonfinite(p)                ? "numbers are finite"
               : token->kind == SG_TOKEN_NAME ? "text is put in \"...\""
                                              : NULL);
}

/* The keyword of the same name and group that stands before the token. */
static const struct sg_token *first_given(const struct place *p)
{
    size_t depth = 0;
    for (const struct sg_token *other = p->token; other > p->source->tokens;) {
        other--;
        if (step_out(other, &depth)) break;
        if (depth == 0 && other->kind == SG_TOKEN_NAME && length(other) == length(p->token) &&
            memcmp(bytes(p, other), bytes(p, p->token), length(other)) == 0)
            return other;
    }
    return NULL;
}

static void refuse_doubled(const struct place *p, const struct sg_token *first)
{
    SG_LOCAL_TEXT(message);
    sg_text_append(&message, "keyword '%.*s' is given twice in this group", (int)length(p->token),
                   bytes(p, p->token));
    sg_source_complain(p->source, p->token, p->diagnostics, sg_text_view(&message));
    sg_hint(p->diagnostics, "it is first given in line %lu", (unsigned long)first->line);
}

static void refuse_keyword(const struct place *p)
{
    const struct sg_token *token = p->token, *first = first_given(p);
    if (token->kind == SG_TOKEN_NAME && first != NULL)
        refuse_doubled(p, first);
    else if (p->open != NULL && (token->kind == SG_TOKEN_END || is_in(token, ")]")))
        refuse_open(p, "expected a keyword or '}'");
    else if (is_in(token, "}"))
        refuse(p, token, "no bracket is open", NULL);
    else
        refuse(p, token, "expected a keyword",
               is_in(token, ";,")                            ? "one ';' after a value is enough"
               : is_number(token) && is_in(p->previous, ",") ? "the decimal sign is '.'"
               : token->kind == SG_TOKEN_BOOL                ? "true and false are values"
                                                             : NULL);
}

static void refuse_unequal(const struct place *p)
{
    SG_LOCAL_TEXT(what);
    sg_text_append(&what, "expected '=' after '%.*s'", (int)length(p->previous), bytes(p, p->previous));
    refuse(p, p->previous, sg_text_view(&what), NULL);
}

void sg_syntax_explain(const struct sg_source *source, size_t at, struct sg_diagnostics *diagnostics)
{
    struct place p = place_of(source, at, diagnostics);
    bool group = p.open == NULL || p.open->kind == '{';
    if (group && p.previous->kind == SG_TOKEN_NAME)
        refuse_unequal(&p);
    else if (is_in(p.previous, "=") || (!group && is_in(p.previous, "([,")))
        refuse_value(&p);
    else if (group)
        refuse_keyword(&p);
    else
        refuse_open(&p, p.open->kind == '(' ? "expected ',' or ')'" : "expected ',' or ']'");
}

/* --- before libconfig -------------------------------------------------------------------------------- */

struct survey {
    size_t depth, values, faults;
    size_t names[SG_MAX_DEPTH + 1]; /* keywords so far of each bracket that is open */
    uint8_t open[SG_MAX_DEPTH + 1]; /* which bracket; 0: none */
    const struct sg_token *item;    /* the first of an array that is open; NULL: none */
};

/* NULL, or the bound that the token breaks */
static const char *bound(struct survey *s, const struct sg_token *token)
{
    bool opens = is_in(token, "([{");
    if (opens && s->depth == SG_MAX_DEPTH) return "groups and lists are nested deeper than 64";
    if (opens) s->names[++s->depth] = 0;
    if (opens) s->open[s->depth] = token->kind;
    if (token->kind == SG_TOKEN_NAME && ++s->names[s->depth] > SG_MAX_NAMES)
        return "more than 1000 keywords in one group";
    if (opens || is_scalar(token)) s->values++;
    if (s->values > SG_MAX_VALUES) return "more than 200000 values";
    return NULL;
}

/* true if a value is missing between two ',', or between ',' and a bracket, of a list or an array */
static bool is_trailing(const struct survey *s, const struct sg_token *token, const struct sg_token *previous)
{
    bool list = s->open[s->depth] == '(' || s->open[s->depth] == '[';
    return list && is_in(previous, ",") && is_in(token, ",)]");
}

/* true if the token is an item of another type than its array's first */
static bool is_mixed(struct survey *s, const struct sg_token *token, const struct sg_token *previous)
{
    if (!is_scalar(token) && !is_in(token, ",")) s->item = NULL;
    if (is_scalar(token) && is_in(previous, "[")) s->item = token;
    return s->item != NULL && is_scalar(token) && is_in(previous, ",") && token->kind != s->item->kind;
}

static void refuse_mixed(const struct place *p, const struct sg_token *item)
{
    if (!is_number(p->token) || !is_number(item))
        refuse(p, p->token, "an array [ ] mixes items of different type", "write a list: ( )");
    else if (p->token->kind != SG_TOKEN_REAL && item->kind != SG_TOKEN_REAL)
        refuse(p, p->token, "an array [ ] mixes integers with and without L", "write L behind all of them");
    else
        refuse(p, p->token, "an array [ ] mixes integer and real numbers",
               "write every number with a point, as in [1.0, 2.0], or a list, as in (1, 2.0)");
}

sg_status sg_syntax_check(const struct sg_source *source, bool single, size_t *first,
                          struct sg_diagnostics *diagnostics)
{
    enum { MOST_FAULTS = 20 };
    struct survey survey = {0};
    *first = SIZE_MAX;
    for (size_t i = 0; i < source->count; i++) {
        const struct sg_token *token = &source->tokens[i];
        struct place p = {source, diagnostics, token, i > 0 ? token - 1 : token, NULL};
        bool more = i > 2 && token->kind != SG_TOKEN_END && survey.depth == 0 &&
                    !(token->kind == SG_TOKEN_TEXT && p.previous->kind == SG_TOKEN_TEXT);
        const char *what = single && more ? "expected the end after one value" : bound(&survey, token);
        if (what != NULL) {
            refuse(&p, token, what, NULL);
            if (survey.values > SG_MAX_VALUES) sg_hint(diagnostics, "put large data into a side file");
            return SG_BAD_DECK;
        }
        bool mixed = is_mixed(&survey, token, p.previous), trailing = is_trailing(&survey, token, p.previous);
        if (mixed) refuse_mixed(&p, survey.item);
        if (trailing) sg_syntax_explain(source, i, diagnostics);
        if ((mixed || trailing) && survey.faults++ == 0) *first = i;
        if (survey.faults == MOST_FAULTS) break;
        if (is_in(token, ")]}") && survey.depth > 0) survey.depth--;
    }
    return *first == SIZE_MAX ? SG_OK : SG_BAD_DECK;
}

/* --- for libconfig ----------------------------------------------------------------------------------- */

bool sg_syntax_integer(const struct sg_source *source, const struct sg_token *token, long long *value)
{
    const char *digits = source->text.data + token->begin;
    bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    bool wide = token->kind == SG_TOKEN_LONG;
    errno = 0;
    *value = strtoll(digits, NULL, hex ? 16 : 10);
    return errno == 0 && (wide || (*value >= INT32_MIN && *value <= INT32_MAX));
}

/* An escape that only some versions know, or a backslash that is none, gets a second backslash: it stands for
 * itself. A line's end inside a text would move the lines of what follows. */
static void spell_text(const char *at, const char *end, struct sg_text *text)
{
    for (; at < end; at++) {
        if (*at == '\n' || *at == '\r')
            sg_text_append(text, *at == '\n' ? "\\n" : "\\r");
        else if (*at == '\\' && strchr("abv\n\r", at[1]) != NULL)
            sg_text_append(text, "\\\\");
        else if (*at == '\\')
            sg_text_append_bytes(text, at++, 2);
        else
            sg_text_append_bytes(text, at, 1);
    }
}

void sg_syntax_spell(const struct sg_source *source, struct sg_text *text)
{
    for (size_t i = 0; i < source->count; i++) {
        const struct sg_token *token = &source->tokens[i];
        const char *begin = source->text.data + token->begin;
        long long value = 0;
        bool integer = token->kind == SG_TOKEN_INTEGER || token->kind == SG_TOKEN_LONG;
        if (integer) sg_syntax_integer(source, token, &value);
        if (integer)
            sg_text_append(text, "%lldL", value);
        else if (token->kind == SG_TOKEN_TEXT)
            spell_text(begin, begin + length(token), text);
        else
            sg_text_append_bytes(text, begin, length(token));
        sg_text_append(text, "\n");
    }
}
