#include "benchmarks/value.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const double not_a_number = NAN;
static const struct sg_value nothing = {1, 1, 1, &not_a_number};

void sg_pool_release(struct sg_pool *pool)
{
    sg_arena_release(&pool->arena);
    *pool = (struct sg_pool){0};
}

struct sg_value sg_pool_fault(struct sg_pool *pool, const char *format, ...)
{
    va_list list;
    if (pool->failed) return nothing;
    pool->failed = true;
    va_start(list, format);
    vsnprintf(pool->fault, sizeof pool->fault, format, list);
    va_end(list);
    return nothing;
}

double *sg_value_make(struct sg_pool *pool, size_t rows, size_t width, struct sg_value *value)
{
    double *data = NULL;
    size_t count = rows * width;
    *value = nothing;
    if (pool->failed) return NULL;
    if (SG_ARENA_NEW(&pool->arena, &data, count > 0 ? count : 1, NULL) != SG_OK) {
        pool->no_memory = true;
        sg_pool_fault(pool, "out of memory for %zu numbers", count);
        return NULL;
    }
    *value = (struct sg_value){rows, width, width, data};
    return data;
}

struct sg_value sg_value_number(struct sg_pool *pool, double number)
{
    struct sg_value value;
    double *data = sg_value_make(pool, 1, 1, &value);
    if (data != NULL) data[0] = number;
    return value;
}

double sg_value_at(const struct sg_value *value, size_t i, size_t k)
{
    return value->data[(value->rows == 1 ? 0 : i) * value->stride + (value->width == 1 ? 0 : k)];
}

double sg_value_single(struct sg_pool *pool, const struct sg_value *value, const char *what)
{
    if (value->rows == 1 && value->width == 1) return value->data[0];
    sg_pool_fault(pool, "%s must be one number, not %zu rows of %zu", what, value->rows, value->width);
    return NAN;
}

struct sg_value sg_value_rows(const struct sg_value *value, size_t first, size_t rows)
{
    return (struct sg_value){rows, value->width, value->stride, value->data + first * value->stride};
}

struct sg_value sg_value_columns(const struct sg_value *value, size_t first, size_t width)
{
    return (struct sg_value){value->rows, width, value->stride, value->data + first};
}

static bool widen(size_t *common, size_t own)
{
    if (own == 1 || own == *common) return true;
    if (*common != 1) return false;
    *common = own;
    return true;
}

bool sg_value_fit(struct sg_pool *pool, const struct sg_value *operands, size_t count, struct sg_shape *shape)
{
    *shape = (struct sg_shape){1, 1};
    for (size_t i = 0; i < count; i++) {
        const struct sg_value *own = &operands[i];
        if (widen(&shape->rows, own->rows) && widen(&shape->width, own->width)) continue;
        sg_pool_fault(pool, "%zu rows of %zu don't go with %zu rows of %zu", own->rows, own->width,
                      shape->rows, shape->width);
        return false;
    }
    return true;
}
