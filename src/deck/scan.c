#include "deck/scan.h"

#include <string.h>

void sg_scanner_init(struct sg_scanner *scanner, const char *text, size_t length)
{
    *scanner = (struct sg_scanner){text, length, 0, 1, true, 0};
}

/* Bytes are classed by hand: <ctype.h> depends on the locale. */
static bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '*';
}

static bool is_hex(int c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_name(int c)
{
    return is_letter(c) || is_digit(c) || c == '_' || c == '-';
}

static int peek(const struct sg_scanner *s, size_t ahead)
{
    return s->at + ahead < s->length ? (unsigned char)s->text[s->at + ahead] : -1;
}

static void advance(struct sg_scanner *s)
{
    if (s->text[s->at] == '\n') {
        s->line++;
        s->blank = true;
    }
    s->at++;
}

static void finish(const struct sg_scanner *s, struct sg_token *token, enum sg_token_kind kind)
{
    token->kind = kind;
    token->end = s->at;
}

static void fault(const struct sg_scanner *s, struct sg_token *token, const char *what, const char *hint)
{
    finish(s, token, SG_TOKEN_FAULT);
    token->fault = what;
    token->hint = hint;
}

/* false if a comment never ends */
static bool skip_comment(struct sg_scanner *s)
{
    if (peek(s, 1) != '*') {
        while (s->at < s->length && s->text[s->at] != '\n') s->at++;
        return true;
    }
    s->at += 2;
    while (s->at < s->length) {
        if (peek(s, 0) == '*' && peek(s, 1) == '/') {
            s->at += 2;
            return true;
        }
        advance(s);
    }
    return false;
}

static bool is_comment(const struct sg_scanner *s)
{
    return peek(s, 0) == '#' || (peek(s, 0) == '/' && (peek(s, 1) == '/' || peek(s, 1) == '*'));
}

/* true at a token or the end; false, with the comment's place in `token`, if a comment never ends */
static bool skip_space(struct sg_scanner *s, struct sg_token *token)
{
    while (s->at < s->length) {
        token->begin = s->at;
        token->line = s->line;
        if (is_comment(s)) {
            if (!skip_comment(s)) return false;
        } else if (strchr(" \t\n\r\f", s->text[s->at]) != NULL && s->text[s->at] != '\0') {
            advance(s);
        } else {
            return true;
        }
    }
    token->begin = s->at;
    token->line = s->line;
    return true;
}

static bool is_nul_escape(const struct sg_scanner *s)
{
    int x = peek(s, 1);
    return (x == 'x' || x == 'X') && peek(s, 2) == '0' && peek(s, 3) == '0';
}

static void scan_text(struct sg_scanner *s, struct sg_token *token)
{
    bool nul = false;
    s->at++;
    while (s->at < s->length && s->text[s->at] != '"') {
        if (s->text[s->at] == '\\') {
            nul = nul || is_nul_escape(s);
            s->at++;
            if (s->at == s->length) break;
        }
        advance(s);
    }
    if (s->at >= s->length) {
        fault(s, token, "unterminated text", "a '\"' is missing");
        return;
    }
    s->at++;
    if (s->line != token->line && s->running == 0) s->running = token->line;
    if (nul)
        fault(s, token, "text with a NUL", NULL);
    else if (s->at - token->begin > SG_MAX_TEXT)
        fault(s, token, "text longer than 64 KiB", NULL);
    else
        finish(s, token, SG_TOKEN_TEXT);
}

static void skip_digits(struct sg_scanner *s)
{
    while (is_digit(peek(s, 0))) s->at++;
}

static bool skip_exponent(struct sg_scanner *s)
{
    if (peek(s, 0) != 'e' && peek(s, 0) != 'E') return false;
    size_t sign = peek(s, 1) == '+' || peek(s, 1) == '-' ? 1 : 0;
    if (!is_digit(peek(s, 1 + sign))) return false;
    s->at += 1 + sign;
    skip_digits(s);
    return true;
}

static enum sg_token_kind skip_suffix(struct sg_scanner *s)
{
    if (peek(s, 0) != 'L') return SG_TOKEN_INTEGER;
    s->at += peek(s, 1) == 'L' ? 2 : 1;
    return SG_TOKEN_LONG;
}

static enum sg_token_kind skip_decimal(struct sg_scanner *s)
{
    if (peek(s, 0) == '+' || peek(s, 0) == '-') s->at++;
    size_t first = s->at;
    skip_digits(s);
    size_t digits = s->at - first;
    bool point = peek(s, 0) == '.';
    if (point) {
        s->at++;
        skip_digits(s);
        digits = s->at - first - 1;
    }
    if (digits == 0) return SG_TOKEN_FAULT;
    bool exponent = skip_exponent(s);
    return point || exponent ? SG_TOKEN_REAL : skip_suffix(s);
}

static enum sg_token_kind skip_hex(struct sg_scanner *s)
{
    s->at += 2;
    if (!is_hex(peek(s, 0))) return SG_TOKEN_FAULT;
    while (is_hex(peek(s, 0))) s->at++;
    return skip_suffix(s);
}

static void scan_number(struct sg_scanner *s, struct sg_token *token)
{
    bool hex = peek(s, 0) == '0' && (peek(s, 1) == 'x' || peek(s, 1) == 'X');
    enum sg_token_kind kind = hex ? skip_hex(s) : skip_decimal(s);
    bool glued = false;
    while (is_name(peek(s, 0)) || peek(s, 0) == '.' || peek(s, 0) == '+') {
        glued = true;
        s->at++;
    }
    if (glued || kind == SG_TOKEN_FAULT)
        fault(s, token, "not a number", "numbers read like 12, -0.5, 1e-3, 0xff, 3000000000L");
    else if (s->at - token->begin > SG_MAX_NUMBER)
        fault(s, token, "number of more than 64 characters", NULL);
    else
        finish(s, token, kind);
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
    while (is_name(peek(s, 0))) s->at++;
    size_t length = s->at - token->begin;
    const char *word = s->text + token->begin;
    if (length > SG_MAX_NAME)
        fault(s, token, "name of more than 255 characters", NULL);
    else if (is_word(word, length, "true") || is_word(word, length, "false"))
        finish(s, token, SG_TOKEN_BOOL);
    else
        finish(s, token, SG_TOKEN_NAME);
}

static void scan_include(struct sg_scanner *s, struct sg_token *token, bool first)
{
    static const char directive[] = "@include";
    size_t length = sizeof directive - 1;
    bool named = s->length - s->at > length && memcmp(s->text + s->at, directive, length) == 0;
    s->at += named ? length : 1;
    while (!named && is_name(peek(s, 0))) s->at++;
    size_t end = s->at;
    while (named && (peek(s, 0) == ' ' || peek(s, 0) == '\t')) s->at++;
    if (!named || !first || peek(s, 0) != '"') {
        fault(s, token, named ? "misplaced directive" : "unknown directive",
              "an include is a line of its own: @include \"FILE\"");
        token->end = end;
        return;
    }
    s->at++;
    token->name_begin = s->at;
    while (s->at < s->length && s->text[s->at] != '"' && s->text[s->at] != '\n') s->at++;
    token->name_end = s->at;
    if (peek(s, 0) != '"') {
        fault(s, token, "unterminated file name", "a '\"' is missing");
        return;
    }
    s->at++;
    finish(s, token, SG_TOKEN_INCLUDE);
}

static void scan_mark(struct sg_scanner *s, struct sg_token *token)
{
    char c = s->text[s->at++];
    /* the rest of a character of several bytes */
    while ((peek(s, 0) & 0xc0) == 0x80 && peek(s, 0) > 0 && ((unsigned char)c & 0x80) != 0) s->at++;
    token->mark = c == ':' ? '=' : c;
    if (c != '\0' && strchr("=:{}()[];,", c) != NULL)
        finish(s, token, SG_TOKEN_MARK);
    else
        fault(s, token, "unexpected character", c == '\'' ? "text is put in \"...\"" : NULL);
}

void sg_scan(struct sg_scanner *scanner, struct sg_token *token)
{
    *token = (struct sg_token){0};
    if (!skip_space(scanner, token)) {
        fault(scanner, token, "unterminated comment", "a '*/' is missing");
        token->end = token->begin + 2;
        return;
    }
    bool first = scanner->blank;
    scanner->blank = false;
    int c = peek(scanner, 0);
    if (c < 0)
        finish(scanner, token, SG_TOKEN_END);
    else if (c == '"')
        scan_text(scanner, token);
    else if (c == '@')
        scan_include(scanner, token, first);
    else if (is_digit(c) || c == '.' || c == '+' || c == '-')
        scan_number(scanner, token);
    else if (is_letter(c))
        scan_name(scanner, token);
    else
        scan_mark(scanner, token);
}

bool sg_scan_is(const char *text, size_t length, enum sg_token_kind kind)
{
    struct sg_scanner scanner;
    struct sg_token token;
    sg_scanner_init(&scanner, text, length);
    sg_scan(&scanner, &token);
    return token.kind == kind && token.begin == 0 && token.end == length;
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
