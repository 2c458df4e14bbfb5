/* Values of formulas: tables of numbers, rows (of time, of events, of points) by columns (of contacts, of
 * dofs). A number is a table of one row and one column. Where operations meet tables of different sizes, one
 * row stands for all rows and one column for all columns. */
#ifndef SG_BENCHMARKS_VALUE_H
#define SG_BENCHMARKS_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/arena.h"

struct sg_value {
    size_t rows, width;
    size_t stride; /* numbers from one row to the next in `data` */
    const double *data;
};

enum { SG_OPERANDS = 8 }; /* of one operation, at most */

/* What one evaluation owns: its tables, and the first thing that went wrong. Zero-initialise; release in any
 * case. After a fault, values are NaN and no memory is taken. */
struct sg_pool {
    struct sg_arena arena;
    bool failed;
    bool no_memory;  /* that is what went wrong */
    char fault[256]; /* "" while all is well */
};
void sg_pool_release(struct sg_pool *pool);

/* The first fault's text; the result is NaN, for `return sg_pool_fault(...)`. */
struct sg_value sg_pool_fault(struct sg_pool *pool, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

struct sg_value sg_value_number(struct sg_pool *pool, double number);

/* A table to be filled, its rows one behind the other; NULL after a fault. */
double *sg_value_make(struct sg_pool *pool, size_t rows, size_t width, struct sg_value *value);

/* the number at row i and column k, where one row or column stands for all */
double sg_value_at(const struct sg_value *value, size_t i, size_t k);

/* the only number; NaN and a fault if there are more or none */
double sg_value_single(struct sg_pool *pool, const struct sg_value *value, const char *what);

/* rows `first` to `first + rows - 1`, columns likewise: a view */
struct sg_value sg_value_rows(const struct sg_value *value, size_t first, size_t rows);
struct sg_value sg_value_columns(const struct sg_value *value, size_t first, size_t width);

/* the size that operands have in common; false and a fault if they don't fit together */
struct sg_shape {
    size_t rows, width;
};
bool sg_value_fit(struct sg_pool *pool, const struct sg_value *operands, size_t count,
                  struct sg_shape *shape);

#endif
