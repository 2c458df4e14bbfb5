/* Functions of whole tables: what makes one number of many, what chooses and shifts rows. */
#include <math.h>

#include "benchmarks/functions.h"

/* A fold over all numbers of all operands. */
struct fold {
    double value;
    size_t count;
};
typedef void fold_function(struct fold *fold, double x);

static struct fold fold_all(const struct sg_call *call, fold_function *take)
{
    struct fold fold = {0.0, 0};
    for (size_t o = 0; o < call->count; o++)
        for (size_t i = 0; i < call->x[o].rows; i++)
            for (size_t k = 0; k < call->x[o].width; k++) {
                take(&fold, sg_value_at(&call->x[o], i, k));
                fold.count++;
            }
    return fold;
}

/* NaN stays: it is a result that is missing, and no figure passes by it. */
static void take_larger(struct fold *fold, double x)
{
    if (fold->count == 0 || x > fold->value || isnan(x)) fold->value = x;
}

static void take_smaller(struct fold *fold, double x)
{
    if (fold->count == 0 || x < fold->value || isnan(x)) fold->value = x;
}

static void take_sum(struct fold *fold, double x)
{
    fold->value += x;
}

static void take_square(struct fold *fold, double x)
{
    fold->value += x * x;
}

static void take_true(struct fold *fold, double x)
{
    fold->value += x != 0.0;
}

static struct sg_value of_some(const struct sg_call *call, struct fold fold)
{
    return sg_value_number(call->pool, fold.count > 0 ? fold.value : NAN);
}

static struct sg_value maximum(const struct sg_call *call)
{
    return of_some(call, fold_all(call, take_larger));
}

static struct sg_value minimum(const struct sg_call *call)
{
    return of_some(call, fold_all(call, take_smaller));
}

static struct sg_value sum(const struct sg_call *call)
{
    return sg_value_number(call->pool, fold_all(call, take_sum).value);
}

static struct sg_value norm(const struct sg_call *call)
{
    return sg_value_number(call->pool, sqrt(fold_all(call, take_square).value));
}

static struct sg_value count(const struct sg_call *call)
{
    return sg_value_number(call->pool, fold_all(call, take_true).value);
}

static struct sg_value mean(const struct sg_call *call)
{
    struct fold fold = fold_all(call, take_sum);
    return sg_value_number(call->pool, fold.value / (double)fold.count);
}

static struct sg_value rows(const struct sg_call *call)
{
    return sg_value_number(call->pool, (double)call->x[0].rows);
}

/* --- along rows and columns ------------------------------------------------------------------------- */

/* one number of each row (`of_row`) or of each column */
static struct sg_value fold_lines(const struct sg_call *call, fold_function *take, bool of_row)
{
    const struct sg_value *x = call->x;
    const size_t lines = of_row ? x->rows : x->width, length = of_row ? x->width : x->rows;
    struct sg_value result;
    double *to = sg_value_make(call->pool, of_row ? lines : 1, of_row ? 1 : lines, &result);
    for (size_t l = 0; to != NULL && l < lines; l++) {
        struct fold fold = {0.0, 0};
        for (; fold.count < length; fold.count++)
            take(&fold, of_row ? sg_value_at(x, l, fold.count) : sg_value_at(x, fold.count, l));
        to[l] = fold.value;
    }
    return result;
}

static struct sg_value row_max(const struct sg_call *call)
{
    return fold_lines(call, take_larger, true);
}

static struct sg_value row_sum(const struct sg_call *call)
{
    return fold_lines(call, take_sum, true);
}

static struct sg_value column_max(const struct sg_call *call)
{
    return fold_lines(call, take_larger, false);
}

static struct sg_value transpose(const struct sg_call *call)
{
    const struct sg_value *x = call->x;
    struct sg_value result;
    double *to = sg_value_make(call->pool, x->width, x->rows, &result);
    for (size_t i = 0; to != NULL && i < x->rows; i++)
        for (size_t k = 0; k < x->width; k++) to[k * x->rows + i] = sg_value_at(x, i, k);
    return result;
}

/* --- rows that are chosen --------------------------------------------------------------------------- */

/* a number that says which row, or how many; not beyond `most`. False: a fault. */
static bool take_index(const struct sg_call *call, const struct sg_value *value, size_t most, size_t *index)
{
    double number = sg_value_single(call->pool, value, "a number of rows");
    if (!(number >= 0.0) || number != floor(number)) {
        sg_pool_fault(call->pool, "%g is no number of rows", number);
        return false;
    }
    *index = number < (double)most ? (size_t)number : most;
    return true;
}

static struct sg_value item(const struct sg_call *call)
{
    size_t index = 0;
    if (!take_index(call, &call->x[1], call->x[0].rows, &index) || index == call->x[0].rows)
        return sg_pool_fault(call->pool, "there is no such row: there are %zu", call->x[0].rows);
    return sg_value_rows(&call->x[0], index, 1);
}

static struct sg_value first(const struct sg_call *call)
{
    if (call->x[0].rows == 0) return sg_pool_fault(call->pool, "there is no row to be the first");
    return sg_value_rows(&call->x[0], 0, 1);
}

static struct sg_value last(const struct sg_call *call)
{
    if (call->x[0].rows == 0) return sg_pool_fault(call->pool, "there is no row to be the last");
    return sg_value_rows(&call->x[0], call->x[0].rows - 1, 1);
}

static struct sg_value head(const struct sg_call *call)
{
    size_t count = 0;
    if (!take_index(call, &call->x[1], call->x[0].rows, &count)) return sg_pool_fault(call->pool, "no rows");
    return sg_value_rows(&call->x[0], 0, count);
}

static struct sg_value drop(const struct sg_call *call)
{
    const size_t rows = call->x[0].rows;
    size_t count = 0;
    if (!take_index(call, &call->x[1], rows, &count)) return sg_pool_fault(call->pool, "no rows");
    return sg_value_rows(&call->x[0], count, rows - count);
}

static struct sg_value range(const struct sg_call *call)
{
    enum { MOST = 1000000 };
    size_t count = 0;
    struct sg_value result;
    if (!take_index(call, &call->x[0], MOST, &count)) return sg_pool_fault(call->pool, "no rows");
    double *to = sg_value_make(call->pool, count, 1, &result);
    for (size_t i = 0; to != NULL && i < count; i++) to[i] = (double)i;
    return result;
}

static struct sg_value join(const struct sg_call *call)
{
    const size_t width = call->x[0].width;
    size_t all = 0, row = 0;
    struct sg_value result;
    for (size_t o = 0; o < call->count; o++) {
        all += call->x[o].rows;
        if (call->x[o].width != width) return sg_pool_fault(call->pool, "rows of different widths");
    }
    double *to = sg_value_make(call->pool, all, width, &result);
    for (size_t o = 0; to != NULL && o < call->count; o++)
        for (size_t i = 0; i < call->x[o].rows; i++, row++)
            for (size_t k = 0; k < width; k++) to[row * width + k] = sg_value_at(&call->x[o], i, k);
    return result;
}

/* the row before, in each row; the first stands before itself */
static struct sg_value previous(const struct sg_call *call)
{
    const struct sg_value *x = call->x;
    struct sg_value result;
    double *to = sg_value_make(call->pool, x->rows, x->width, &result);
    for (size_t i = 0; to != NULL && i < x->rows; i++)
        for (size_t k = 0; k < x->width; k++) to[i * x->width + k] = sg_value_at(x, i > 0 ? i - 1 : 0, k);
    return result;
}

static struct sg_value change(const struct sg_call *call)
{
    const struct sg_value *x = call->x;
    struct sg_value result;
    double *to = sg_value_make(call->pool, x->rows, x->width, &result);
    for (size_t i = 0; to != NULL && i < x->rows; i++)
        for (size_t k = 0; k < x->width; k++)
            to[i * x->width + k] = sg_value_at(x, i, k) - sg_value_at(x, i > 0 ? i - 1 : 0, k);
    return result;
}

/* --- time ------------------------------------------------------------------------------------------- */

/* by trapezoids between rows */
static struct sg_value integral(const struct sg_call *call)
{
    const struct sg_value *x = &call->x[0], *t = &call->x[1];
    double sum = 0.0;
    if (x->rows != t->rows || x->width != 1 || t->width != 1)
        return sg_pool_fault(call->pool, "an integral is of one column over one of the same rows");
    for (size_t i = 1; i < x->rows; i++)
        sum += 0.5 * (sg_value_at(t, i, 0) - sg_value_at(t, i - 1, 0)) *
               (sg_value_at(x, i - 1, 0) + sg_value_at(x, i, 0));
    return sg_value_number(call->pool, sum);
}

/* A step that ends within a nanosecond before the time asked for ends there: times are sums of steps. */
static const double rounding = 1e-9;

static struct sg_value at(const struct sg_call *call)
{
    const struct sg_value *x = &call->x[0], *when = &call->x[1];
    struct sg_value t = {0}, result;
    if (call->trace == NULL || !sg_trace_column(call->trace, "t", &t) || t.rows != x->rows || t.rows == 0)
        return sg_pool_fault(call->pool, "at() takes what has a row for each time of the run");
    double *to = sg_value_make(call->pool, when->rows, x->width, &result);
    for (size_t w = 0, i = 0; to != NULL && w < when->rows; w++) {
        const double wanted = sg_value_at(when, w, 0) - rounding;
        while (i > 0 && sg_value_at(&t, i - 1, 0) >= wanted) i--;
        while (i + 1 < t.rows && sg_value_at(&t, i, 0) < wanted) i++;
        for (size_t k = 0; k < x->width; k++) to[w * x->width + k] = sg_value_at(x, i, k);
    }
    return result;
}

static struct sg_value nearest(const struct sg_call *call)
{
    const struct sg_value *x = &call->x[0], *wanted = &call->x[1];
    struct sg_value result;
    double *to = sg_value_make(call->pool, wanted->rows, 1, &result);
    for (size_t w = 0; to != NULL && w < wanted->rows; w++) {
        const double target = sg_value_at(wanted, w, 0);
        to[w] = NAN;
        for (size_t i = 0; i < x->rows; i++)
            if (!(fabs(sg_value_at(x, i, 0) - target) >= fabs(to[w] - target))) to[w] = sg_value_at(x, i, 0);
    }
    return result;
}

/* Chatter of a contact as phases: from a closing to the last opening before a pause or the end of the run. */
static struct sg_value phases(const struct sg_call *call)
{
    const double contact = sg_value_single(call->pool, &call->x[0], "a contact"),
                 pause = sg_value_single(call->pool, &call->x[1], "a pause");
    struct sg_value result, t;
    size_t count = 0;
    double opened = -HUGE_VAL;
    if (call->trace == NULL || !sg_trace_column(call->trace, "t", &t) || t.rows == 0)
        return sg_pool_fault(call->pool, "only runs have contact phases");
    const double end = sg_value_at(&t, t.rows - 1, 0);
    double *to = sg_value_make(call->pool, call->trace->event_count, 2, &result);
    for (size_t i = 0; to != NULL && i < call->trace->event_count; i++) {
        const struct sg_event *event = &call->trace->events[i];
        const bool closes = event->kind == SG_EVENT_CLOSE;
        if ((double)event->contact != contact || (!closes && event->kind != SG_EVENT_OPEN)) continue;
        if (closes && event->t - opened > pause) to[2 * count++] = event->t;
        opened = closes ? end : event->t;
        if (count > 0) to[2 * count - 1] = opened;
    }
    return sg_value_rows(&result, 0, to != NULL ? count : 1);
}

const struct sg_function sg_reducers[] = {
    {"max", 1, 0, NULL, maximum, "largest of all numbers", 0},
    {"min", 1, 0, NULL, minimum, "smallest of all numbers", 0},
    {"sum", 1, 1, NULL, sum, "sum of all numbers", 0},
    {"mean", 1, 1, NULL, mean, "mean of all numbers", 0},
    {"norm", 1, 1, NULL, norm, "square root of the sum of all squares", 0},
    {"count", 1, 1, NULL, count, "how many numbers are not 0: how often a condition holds", 0},
    {"rows", 1, 1, NULL, rows, "how many rows there are", 0},
    {"first", 1, 1, NULL, first, "first row", 0},
    {"last", 1, 1, NULL, last, "last row", 0},
    {"item", 2, 2, NULL, item, "item(x, k): row k, from 0", 0},
    {"head", 2, 2, NULL, head, "head(x, n): the first n rows, or all if there are fewer", 0},
    {"drop", 2, 2, NULL, drop, "drop(x, n): all rows but the first n", 0},
    {"at", 2, 2, NULL, at, "at(x, T): the row of the first time from T on", 0},
    {"previous", 1, 1, NULL, previous, "in each row the one before it", 0},
    {"change", 1, 1, NULL, change, "each row less the one before it", 0},
    {"integral", 2, 2, NULL, integral, "integral(x, t): by trapezoids", 0},
    {"row_max", 1, 1, NULL, row_max, "largest of each row", 0},
    {"row_sum", 1, 1, NULL, row_sum, "sum of each row", 0},
    {"column_max", 1, 1, NULL, column_max, "largest of each column, side by side", 0},
    {"transpose", 1, 1, NULL, transpose, "rows as columns", 0},
    {"join", 2, 0, NULL, join, "join(x, y, ..): the rows of all, one behind the other", 0},
    {"range", 1, 1, NULL, range, "range(n): the rows 0, 1, .. n - 1", 0},
    {"nearest", 2, 2, NULL, nearest, "nearest(x, y): for each row of y the number of x that is nearest", 0},
    {"phases", 2, 2, NULL, phases,
     "phases(contact, pause): closing and last opening of each contact that lasts, pauses of chatter being "
     "shorter (s)",
     0},
    {0}};
