#include "deck/scan.h"

#include <string.h>

/* Bytes are classed by hand: <ctype.h> depends on the locale. */
#define DIGITS  "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ*"
#define NAME    DIGITS LETTERS "_-"

static bool is_one_of(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

static void fault(struct sg_token *token, enum sg_fault what)
{
    token->kind = (uint8_t)(SG_TOKEN_FAULT + (unsigned)what);
}

static void go_to(struct sg_scanner *s, const char *end)
{
    for (; s->at < end; s->at++) s->line += *s->at == '\n' ? 1 : 0;
}

/* Goes to the next word, or to a comment that never ends. */
static void skip_space(struct sg_scanner *s)
{
    for (;;) {
        const char *end = s->at + strspn(s->at, " \t\n\r\f");
        if (*end == '#' || strncmp(end, "//", 2) == 0) {
            end += strcspn(end, "\n");
        } else if (strncmp(end, "/*", 2) == 0) {
            const char *close = strstr(end + 2, "*/");
            if (close != NULL) end = close + 2;
        }
        if (end == s->at) return;
        go_to(s, end);
    }
}

/* A text ends at the first '"' that no backslash precedes; it may run over several lines. */
static void scan_text(struct sg_scanner *s, struct sg_token *token)
{
    const char *begin = s->at, *end = begin + 1;
    bool nul = false;
    token->kind = SG_TOKEN_TEXT;
    for (; *end != '"' && *end != '\0'; end++) {
        if (*end != '\\') continue;
        nul = nul || strncmp(end, "\\x00", 4) == 0 || strncmp(end, "\\X00", 4) == 0;
        if (end[1] != '\0') end++;
    }
    if (*end == '\0')
        fault(token, SG_FAULT_TEXT_OPEN);
    else if (nul)
        fault(token, SG_FAULT_TEXT_NUL);
    else if (end - begin >= SG_MAX_TEXT)
        fault(token, SG_FAULT_TEXT_LONG);
    go_to(s, *end == '\0' ? end : end + 1);
}

/* behind "e-3", or `at` itself if that is no exponent */
static const char *skip_exponent(const char *at)
{
    if (*at != 'e' && *at != 'E') return at;
    const char *digits = at + 1 + (at[1] == '+' || at[1] == '-' ? 1 : 0);
    size_t count = strspn(digits, DIGITS);
    return count == 0 ? at : digits + count;
}

/* The kind of number at `at` and its end; a fault if there is none. */
static enum sg_token_kind number_kind(const char **at)
{
    bool real = false;
    size_t digits = 0;
    if (**at == '0' && ((*at)[1] == 'x' || (*at)[1] == 'X')) {
        *at += 2;
        digits = strspn(*at, DIGITS "abcdefABCDEF");
        *at += digits;
    } else {
        *at += **at == '+' || **at == '-' ? 1 : 0;
        digits = strspn(*at, DIGITS);
        *at += digits;
        real = **at == '.';
        size_t decimals = real ? strspn(*at + 1, DIGITS) : 0;
        *at += real ? 1 + decimals : 0;
        digits += decimals;
        const char *end = digits > 0 ? skip_exponent(*at) : *at;
        real = real || end > *at;
        *at = end;
    }
    if (digits == 0) return SG_TOKEN_FAULT;
    if (real) return SG_TOKEN_REAL;
    if (**at != 'L') return SG_TOKEN_INTEGER;
    *at += (*at)[1] == 'L' ? 2 : 1;
    return SG_TOKEN_LONG;
}

/* What is glued to a number is part of the word, which then is no number: "1.0m", "2*3", "1.2.3". */
static void scan_number(struct sg_scanner *s, struct sg_token *token)
{
    const char *begin = s->at;
    enum sg_token_kind kind = number_kind(&s->at);
    size_t glued = strspn(s->at, NAME ".+");
    s->at += glued;
    token->kind = (uint8_t)kind;
    if (glued > 0 || kind == SG_TOKEN_FAULT)
        fault(token, SG_FAULT_NUMBER);
    else if (s->at - begin > SG_MAX_NUMBER)
        fault(token, SG_FAULT_NUMBER_LONG);
}

static bool is_word(const char *text, size_t length, const char *word)
{
    if (strlen(word) != length) return false;
    for (size_t i = 0; i < length; i++)
        if ((text[i] | 0x20) != word[i]) return false;
    return true;
}

static void scan_name(struct sg_scanner *s, struct sg_token *token)
{
    size_t length = strspn(s->at, NAME);
    token->kind = SG_TOKEN_NAME;
    if (length > SG_MAX_NAME)
        fault(token, SG_FAULT_NAME_LONG);
    else if (is_word(s->at, length, "true") || is_word(s->at, length, "false"))
        token->kind = SG_TOKEN_BOOL;
    s->at += length;
}

static bool is_first_in_line(const struct sg_scanner *s)
{
    const char *at = s->at;
    while (at > s->text && (at[-1] == ' ' || at[-1] == '\t')) at--;
    return at == s->text || at[-1] == '\n';
}

static void scan_include(struct sg_scanner *s, struct sg_token *token)
{
    static const char directive[] = "@include";
    size_t length = 1 + strspn(s->at + 1, NAME);
    bool named = length == sizeof directive - 1 && strncmp(s->at, directive, length) == 0;
    const char *name = s->at + length + strspn(s->at + length, " \t");
    if (!named || *name != '"' || !is_first_in_line(s)) {
        fault(token, named ? SG_FAULT_INCLUDE_PLACE : SG_FAULT_DIRECTIVE);
        s->at += length;
        return;
    }
    const char *end = name + 1 + strcspn(name + 1, "\"\n");
    token->kind = SG_TOKEN_INCLUDE;
    if (*end != '"') fault(token, SG_FAULT_INCLUDE_OPEN);
    s->at = end + (*end == '"' ? 1 : 0);
}

static void scan_mark(struct sg_scanner *s, struct sg_token *token)
{
    char c = *s->at++;
    token->kind = (uint8_t)(c == ':' ? '=' : c);
    if (is_one_of(c, "=:{}()[];,")) return;
    /* the rest of a character of several bytes */
    while (((unsigned char)c & 0x80) != 0 && ((unsigned char)*s->at & 0xc0) == 0x80) s->at++;
    fault(token, c == '\'' ? SG_FAULT_QUOTE : SG_FAULT_CHARACTER);
}

void sg_scan(struct sg_scanner *scanner, struct sg_token *token)
{
    struct sg_scanner *s = scanner;
    skip_space(s);
    *token = (struct sg_token){.begin = (uint32_t)(s->at - s->text), .line = s->line};
    if (*s->at == '"') {
        scan_text(s, token);
    } else if (*s->at == '@') {
        scan_include(s, token);
    } else if (is_one_of(*s->at, DIGITS ".+-")) {
        scan_number(s, token);
    } else if (is_one_of(*s->at, LETTERS)) {
        scan_name(s, token);
    } else if (*s->at == '/' && s->at[1] == '*') {
        fault(token, SG_FAULT_COMMENT_OPEN);
        token->end = token->begin + 2;
        go_to(s, s->at + strlen(s->at));
        return;
    } else if (*s->at != '\0') {
        scan_mark(s, token);
    }
    token->end = (uint32_t)(s->at - s->text);
}

bool sg_scan_is(const char *text, size_t length, enum sg_token_kind kind)
{
    struct sg_token token;
    char word[SG_MAX_NAME + 2];
    if (length >= sizeof word) return false;
    memcpy(word, text, length);
    word[length] = '\0';
    struct sg_scanner scanner = {word, word, 1};
    sg_scan(&scanner, &token);
    return token.kind == kind && token.begin == 0 && token.end == length;
}
