/* Precedence climbing: parse_from(rank) reads one operand, then operators that bind at least as closely as
 * `rank`, each with a right operand of the next closer rank. */
#include "benchmarks/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

enum rank { RANK_WHERE = 1, RANK_NOT = 4, RANK_NEGATIVE = 8, RANK_POWER = 9 };
enum { DEPTH = 100 };

struct parser {
    const char *text, *at;
    struct sg_formula *formula;
    size_t names; /* bytes used */
    struct sg_text *fault;
    int depth;
};

static struct sg_formula_node *parse_from(struct parser *p, int rank);

/* always NULL, for return */
static struct sg_formula_node *complain(struct parser *p, const char *what)
{
    if (p->fault->length > 0) return NULL;
    size_t left = strlen(p->at);
    sg_text_append(p->fault, "%s", what);
    if (left > 0)
        sg_text_append(p->fault, " at '%.*s%s'", left > 24 ? 24 : (int)left, p->at, left > 24 ? "..." : "");
    else
        sg_text_append(p->fault, " at its end");
    return NULL;
}

/* Each node takes a character of the text at least, but for negation's 0: there is room for all. */
static struct sg_formula_node *add(struct parser *p, enum sg_formula_form form)
{
    struct sg_formula_node *node = &p->formula->nodes[p->formula->count++];
    node->form = form;
    return node;
}

static const char *keep_name(struct parser *p, const char *text, size_t length)
{
    char *name = p->formula->names + p->names;
    memcpy(name, text, length);
    p->names += length + 1;
    return name;
}

static void skip(struct parser *p)
{
    while (isspace((unsigned char)*p->at)) p->at++;
}

static bool take(struct parser *p, char mark)
{
    skip(p);
    if (*p->at != mark) return false;
    p->at++;
    return true;
}

static size_t word_length(const char *text)
{
    size_t n = 0;
    if (!isalpha((unsigned char)text[0]) && text[0] != '_') return 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '.') n++;
    return n;
}

static bool take_word(struct parser *p, const char *word)
{
    skip(p);
    size_t length = word_length(p->at);
    if (length != strlen(word) || memcmp(p->at, word, length) != 0) return false;
    p->at += length;
    return true;
}

/* --- operands --------------------------------------------------------------------------------------- */

/* parts up to the closing mark, separated by commas; false: a fault */
static bool parse_parts(struct parser *p, struct sg_formula_node *node, char close)
{
    struct sg_formula_node *last = NULL;
    if (take(p, close)) return true;
    do {
        struct sg_formula_node *part = parse_from(p, RANK_WHERE);
        if (part == NULL) return false;
        if (last == NULL)
            node->first = part;
        else
            last->next = part;
        last = part;
        node->parts++;
    } while (take(p, ','));
    if (take(p, close)) return true;
    complain(p, close == ')' ? "',' or ')' is missing" : "',' or ']' is missing");
    return false;
}

static bool check_parts(struct parser *p, const struct sg_formula_node *node)
{
    const struct sg_function *function = node->function;
    if (node->parts > SG_OPERANDS) {
        complain(p, "too many operands");
        return false;
    }
    if (function == NULL ||
        (node->parts >= function->least && (function->most == 0 || node->parts <= function->most)))
        return true;
    if (p->fault->length == 0)
        sg_text_append(p->fault, "%s() takes %zu operand%s%s, not %zu", function->name, function->least,
                       function->least == 1 ? "" : "s", function->most == 0 ? " or more" : "", node->parts);
    return false;
}

static struct sg_formula_node *parse_word(struct parser *p, size_t length)
{
    const char *name = keep_name(p, p->at, length);
    p->at += length;
    if (!take(p, '(')) {
        struct sg_formula_node *node = add(p, SG_FORMULA_NAME);
        node->name = name;
        return node;
    }
    const struct sg_function *function = sg_function_find(name);
    struct sg_formula_node *node = add(p, function != NULL ? SG_FORMULA_APPLY : SG_FORMULA_CALL);
    node->name = name;
    node->function = function;
    if (!parse_parts(p, node, ')') || !check_parts(p, node)) return NULL;
    return node;
}

static struct sg_formula_node *parse_quoted(struct parser *p)
{
    size_t length = strcspn(p->at, "'");
    if (p->at[length] == '\0') return complain(p, "a closing ' is missing");
    struct sg_formula_node *node = add(p, SG_FORMULA_NAME);
    node->name = keep_name(p, p->at, length);
    node->quoted = true;
    p->at += length + 1;
    return node;
}

static struct sg_formula_node *parse_number(struct parser *p)
{
    char *end = NULL;
    double number = strtod(p->at, &end);
    if (end == p->at) return complain(p, "a number, a name or '(' is missing");
    struct sg_formula_node *node = add(p, SG_FORMULA_NUMBER);
    node->number = number;
    p->at = end;
    return node;
}

static struct sg_formula_node *parse_operand(struct parser *p)
{
    skip(p);
    size_t length = word_length(p->at);
    if (length > 0) return parse_word(p, length);
    if (take(p, '\'')) return parse_quoted(p);
    if (take(p, '[')) {
        struct sg_formula_node *list = add(p, SG_FORMULA_LIST);
        return parse_parts(p, list, ']') ? list : NULL;
    }
    if (!take(p, '(')) return parse_number(p);
    struct sg_formula_node *inner = parse_from(p, RANK_WHERE);
    if (inner != NULL && !take(p, ')')) return complain(p, "')' is missing");
    return inner;
}

/* x[i], x[i:j], any number of them */
static struct sg_formula_node *parse_columns(struct parser *p)
{
    struct sg_formula_node *inner = parse_operand(p);
    if (inner == NULL) return NULL;
    while (take(p, '[')) {
        struct sg_formula_node *node = add(p, SG_FORMULA_COLUMNS), *from = parse_from(p, RANK_WHERE),
                               *to = NULL;
        if (node == NULL || from == NULL) return NULL;
        if (take(p, ':') && (to = parse_from(p, RANK_WHERE)) == NULL) return NULL;
        if (!take(p, ']')) return complain(p, "']' is missing");
        node->first = inner;
        inner->next = from;
        from->next = to;
        node->parts = to != NULL ? 3 : 2;
        inner = node;
    }
    return inner;
}

/* --- operators -------------------------------------------------------------------------------------- */

static struct sg_formula_node *join(struct parser *p, const struct sg_function *function,
                                    struct sg_formula_node *left, struct sg_formula_node *right)
{
    struct sg_formula_node *node = add(p, function != NULL ? SG_FORMULA_APPLY : SG_FORMULA_WHERE);
    node->function = function;
    node->first = left;
    left->next = right;
    node->parts = 2;
    return node;
}

/* -x is 0 - x, not x is x == 0 */
static struct sg_formula_node *parse_prefix(struct parser *p)
{
    bool negative = take(p, '-'), inverse = !negative && take_word(p, "not");
    if (!negative && !inverse) return parse_columns(p);
    struct sg_formula_node *zero = add(p, SG_FORMULA_NUMBER);
    struct sg_formula_node *inner = parse_from(p, negative ? RANK_NEGATIVE : RANK_NOT);
    if (inner == NULL) return NULL;
    return join(p, sg_operator_find(negative ? "-" : "==", negative ? 1 : 2), zero, inner);
}

/* the operator that comes next, if it binds at least as closely; its length in characters */
static const struct sg_function *next_operator(struct parser *p, int rank, size_t *length)
{
    skip(p);
    *length = word_length(p->at);
    if (*length == 0)
        *length = p->at[0] != '\0' && strchr("=!<>", p->at[0]) != NULL && p->at[1] == '=' ? 2 : 1;
    if (*p->at == '\0') return NULL;
    const struct sg_function *found = sg_operator_find(p->at, *length);
    return found != NULL && found->rank >= rank ? found : NULL;
}

static struct sg_formula_node *parse_operators(struct parser *p, int rank)
{
    struct sg_formula_node *left = parse_prefix(p);
    const struct sg_function *next;
    size_t length = 0;
    while (left != NULL && (next = next_operator(p, rank, &length)) != NULL) {
        p->at += length;
        struct sg_formula_node *right = parse_from(p, next->rank + (next->rank == RANK_POWER ? 0 : 1));
        left = right != NULL ? join(p, next, left, right) : NULL;
    }
    if (left == NULL || rank > RANK_WHERE || !take_word(p, "where")) return left;
    struct sg_formula_node *condition = parse_from(p, RANK_WHERE + 1);
    return condition != NULL ? join(p, NULL, left, condition) : NULL;
}

static struct sg_formula_node *parse_from(struct parser *p, int rank)
{
    if (p->depth >= DEPTH) return complain(p, "too many brackets inside each other");
    p->depth++;
    struct sg_formula_node *node = parse_operators(p, rank);
    p->depth--;
    return node;
}

sg_status sg_formula_parse(struct sg_arena *arena, const char *text, struct sg_formula *formula,
                           struct sg_text *fault, struct sg_error *err)
{
    struct parser parser = {.text = text, .at = text, .formula = formula, .fault = fault};
    *formula = (struct sg_formula){0};
    TRY(SG_ARENA_NEW(arena, &formula->nodes, 2 * strlen(text) + 2, err));
    TRY(SG_ARENA_NEW(arena, &formula->names, 2 * strlen(text) + 2, err));
    formula->root = parse_from(&parser, RANK_WHERE);
    skip(&parser);
    if (formula->root != NULL && *parser.at != '\0') complain(&parser, "an operator is missing");
    if (fault->failed) FAIL(err, SG_NO_MEMORY, "out of memory for a formula");
    if (fault->length > 0) FAIL(err, SG_BAD_DECK, "%s", sg_text_view(fault));
    return SG_OK;
}
