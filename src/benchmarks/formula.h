/* Formulas of benchmarks, read into a tree. From loosest to closest:
 *
 *     x where c        the rows of x in which c holds
 *     or   and   not   == != <= >= < >   + -   * /   -x   ^
 *     x[i]  x[i:j]     column i; columns i to j - 1, from 0
 *     f(x, y)   name   'any/name'   3.0   [1.0, 2.0] (a column of numbers)   (x)
 *
 * What functions there are is the table's in functions.h; names are the reader's (evaluate.h). */
#ifndef SG_BENCHMARKS_FORMULA_H
#define SG_BENCHMARKS_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "benchmarks/functions.h"
#include "support/arena.h"
#include "support/status.h"
#include "support/text.h"

enum sg_formula_form {
    SG_FORMULA_NUMBER,
    SG_FORMULA_NAME,    /* `quoted`: a quantity in any case */
    SG_FORMULA_CALL,    /* of a name that is no function of the table */
    SG_FORMULA_APPLY,   /* of `function` */
    SG_FORMULA_LIST,    /* a column of numbers */
    SG_FORMULA_COLUMNS, /* of the first part, from the second to the third (which may be absent) */
    SG_FORMULA_WHERE    /* rows of the first part by the second */
};

struct sg_formula_node {
    enum sg_formula_form form;
    bool quoted;
    double number;
    const char *name; /* in the formula's memory */
    const struct sg_function *function;
    const struct sg_formula_node *first, *next; /* its parts, as a list */
    size_t parts;
};

struct sg_formula {
    const struct sg_formula_node *root;
    struct sg_formula_node *nodes;
    size_t count;
    char *names; /* one behind the other */
};

/* SG_BAD_DECK with what is wrong, and where, in `fault`. */
sg_status sg_formula_parse(struct sg_arena *arena, const char *text, struct sg_formula *formula,
                           struct sg_text *fault, struct sg_error *err);

#endif
