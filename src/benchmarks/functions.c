/* Operators and functions that go number by number. */
#include "benchmarks/functions.h"

#include <math.h>
#include <string.h>

#define EACH(name, expression)                                                                               \
    static double name(const double *x)                                                                      \
    {                                                                                                        \
        return expression;                                                                                   \
    }

EACH(either, x[0] != 0.0 || x[1] != 0.0)
EACH(both, x[0] != 0.0 && x[1] != 0.0)
EACH(equal, x[0] == x[1])
EACH(unequal, x[0] != x[1])
EACH(below, x[0] < x[1])
EACH(at_most, x[0] <= x[1])
EACH(above, x[0] > x[1])
EACH(at_least, x[0] >= x[1])
EACH(plus, x[0] + x[1])
EACH(minus, x[0] - x[1])
EACH(times, x[0] * x[1])
EACH(over, x[0] / x[1])
EACH(power, x[1] == 2.0 ? x[0] * x[0] : pow(x[0], x[1]))
EACH(absolute, fabs(x[0]))
EACH(root, sqrt(x[0]))
EACH(natural_log, log(x[0]))
EACH(binary_log, log2(x[0]))
EACH(decimal_log, log10(x[0]))
EACH(exponential, exp(x[0]))
EACH(sine, sin(x[0]))
EACH(cosine, cos(x[0]))
EACH(tangent, tan(x[0]))
EACH(hyperbolic_cosine, cosh(x[0]))
EACH(hyperbolic_sine, sinh(x[0]))
EACH(arc_tangent, atan(x[0]))
EACH(angle, atan2(x[0], x[1]))
EACH(hypotenuse, hypot(x[0], x[1]))
EACH(nearest_whole, round(x[0]))
EACH(whole_below, floor(x[0]))
EACH(choice, x[0] != 0.0 ? x[1] : x[2])

const struct sg_function sg_operators[] = {
    {"or", 2, 2, either, NULL, NULL, 2},  {"and", 2, 2, both, NULL, NULL, 3},
    {"==", 2, 2, equal, NULL, NULL, 5},   {"!=", 2, 2, unequal, NULL, NULL, 5},
    {"<=", 2, 2, at_most, NULL, NULL, 5}, {">=", 2, 2, at_least, NULL, NULL, 5},
    {"<", 2, 2, below, NULL, NULL, 5},    {">", 2, 2, above, NULL, NULL, 5},
    {"+", 2, 2, plus, NULL, NULL, 6},     {"-", 2, 2, minus, NULL, NULL, 6},
    {"*", 2, 2, times, NULL, NULL, 7},    {"/", 2, 2, over, NULL, NULL, 7},
    {"^", 2, 2, power, NULL, NULL, 9},    {0}};

const struct sg_function sg_functions[] = {
    {"abs", 1, 1, absolute, NULL, "absolute value", 0},
    {"sqrt", 1, 1, root, NULL, "square root", 0},
    {"log", 1, 1, natural_log, NULL, "natural logarithm", 0},
    {"log2", 1, 1, binary_log, NULL, "logarithm to base 2", 0},
    {"log10", 1, 1, decimal_log, NULL, "logarithm to base 10", 0},
    {"exp", 1, 1, exponential, NULL, "exponential", 0},
    {"sin", 1, 1, sine, NULL, "sine", 0},
    {"cos", 1, 1, cosine, NULL, "cosine", 0},
    {"tan", 1, 1, tangent, NULL, "tangent", 0},
    {"cosh", 1, 1, hyperbolic_cosine, NULL, "hyperbolic cosine", 0},
    {"sinh", 1, 1, hyperbolic_sine, NULL, "hyperbolic sine", 0},
    {"atan", 1, 1, arc_tangent, NULL, "arc tangent", 0},
    {"atan2", 2, 2, angle, NULL, "angle of the vector (x, y), given as atan2(y, x)", 0},
    {"hypot", 2, 2, hypotenuse, NULL, "length of the vector (x, y)", 0},
    {"round", 1, 1, nearest_whole, NULL, "nearest whole number", 0},
    {"floor", 1, 1, whole_below, NULL, "largest whole number that is not above", 0},
    {"if", 3, 3, choice, NULL, "if(c, a, b): a where c holds, else b", 0},
    {0}};

const struct sg_function *sg_operator_find(const char *name, size_t length)
{
    for (const struct sg_function *row = sg_operators; row->name != NULL; row++)
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0) return row;
    return NULL;
}

const struct sg_function *sg_function_find(const char *name)
{
    for (const struct sg_function *row = sg_functions; row->name != NULL; row++)
        if (strcmp(row->name, name) == 0) return row;
    for (const struct sg_function *row = sg_reducers; row->name != NULL; row++)
        if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

static struct sg_value apply_each(const struct sg_function *function, const struct sg_call *call)
{
    struct sg_shape shape;
    struct sg_value result;
    if (!sg_value_fit(call->pool, call->x, call->count, &shape)) return sg_pool_fault(call->pool, "no size");
    double *to = sg_value_make(call->pool, shape.rows, shape.width, &result);
    for (size_t i = 0; to != NULL && i < shape.rows; i++) {
        const double *row[SG_OPERANDS];
        double x[SG_OPERANDS];
        for (size_t o = 0; o < call->count; o++)
            row[o] = call->x[o].data + (call->x[o].rows == 1 ? 0 : i) * call->x[o].stride;
        for (size_t k = 0; k < shape.width; k++) {
            for (size_t o = 0; o < call->count; o++) x[o] = row[o][call->x[o].width == 1 ? 0 : k];
            to[i * shape.width + k] = function->each(x);
        }
    }
    return result;
}

struct sg_value sg_function_apply(const struct sg_function *function, const struct sg_call *call)
{
    return function->each != NULL ? apply_each(function, call) : function->whole(call);
}
