/* Exact solutions and reference motions as benchmarks see them: a kind with keyword rows, data made of them
 * once, and functions that formulas call by NAME.FUNCTION(...). A new one is a file in this folder and a line
 * of registry.c; files that unit tests know better have a header of their own. */
#ifndef SG_BENCHMARKS_EXACT_EXACT_H
#define SG_BENCHMARKS_EXACT_EXACT_H

#include <stddef.h>

#include "deck/deck.h"
#include "support/status.h"

/* one operand of a function, at one row */
struct sg_exact_row {
    const double *values;
    size_t width;
};

struct sg_exact_function {
    const char *name;
    size_t operands; /* at most 4 */
    size_t wide;     /* of them the first so many may have more columns than one */
    /* the value at one row of the operands, into `result`; NaN where they don't suit */
    void (*at)(const void *data, const struct sg_exact_row *x, double *result);
    size_t width;        /* numbers of a result; 0: one */
    const char *meaning; /* with its unit */
};

struct sg_exact_ops {
    struct sg_kind kind;
    size_t size; /* of the data, which rows fill at their offsets */
    /* Makes what else is in the data; NULL: nothing is. SG_BAD_DECK for numbers that have no such motion. */
    sg_status (*create)(void *data, struct sg_error *err);
    const struct sg_exact_function *functions; /* end with a row without name */
};

enum { SG_EXACT_OPERANDS = 4 };

extern const struct sg_kind_set sg_exact_kinds;
const struct sg_exact_ops *sg_exact_find(const struct sg_kind *kind);

/* A function of one number, or of none: FUNCTION(name, (data type), expression in `self` and x) */
#define SG_EXACT_FUNCTION(function, type, expression)                                                        \
    static void function(const void *data, const struct sg_exact_row *x, double *result)                     \
    {                                                                                                        \
        const type *self = data;                                                                             \
        (void)x, (void)self;                                                                                 \
        *result = (expression);                                                                              \
    }

#endif
