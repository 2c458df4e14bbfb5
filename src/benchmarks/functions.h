/* Operators and functions of formulas. A new one is a row of a table in functions.c (number by number) or in
 * reducers.c (tables as a whole). */
#ifndef SG_BENCHMARKS_FUNCTIONS_H
#define SG_BENCHMARKS_FUNCTIONS_H

#include "benchmarks/trace.h"
#include "benchmarks/value.h"

/* What a function of whole tables may look at beside its operands. */
struct sg_call {
    struct sg_pool *pool;
    const struct sg_trace *trace; /* of the run; NULL where only numbers are known */
    const struct sg_value *x;
    size_t count;
};

struct sg_function {
    const char *name;
    size_t least, most;                                   /* operands; most 0: any number */
    double (*each)(const double *x);                      /* number by number; else NULL */
    struct sg_value (*whole)(const struct sg_call *call); /* NULL where `each` is there */
    const char *meaning;
    int rank; /* of operators: how close they bind; 0: a function */
};

/* end with a row without name */
extern const struct sg_function sg_operators[], sg_functions[], sg_reducers[];

/* an operator of two operands by its name of `length` characters, or a function by its name; NULL: none */
const struct sg_function *sg_operator_find(const char *name, size_t length);
const struct sg_function *sg_function_find(const char *name);

/* with the operands of `call`, whose number was checked */
struct sg_value sg_function_apply(const struct sg_function *function, const struct sg_call *call);

#endif
