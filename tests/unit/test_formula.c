/* Formulas of benchmarks on a trace made by hand: values that can be told without the program. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "benchmarks/evaluate.h"

/* x = 3 1 4 1 5 at t = 0 .. 4; w has the columns i, -i */
static double rows[] = {0, 3, 0, 0, 1, 1, 1, -1, 2, 4, 2, -2, 3, 1, 3, -3, 4, 5, 4, -4};
static struct sg_event events[] = {
    {.t = 1, .contact = 0, .kind = SG_EVENT_CLOSE},    {.t = 1.1, .contact = 0, .kind = SG_EVENT_OPEN},
    {.t = 1.2, .contact = 0, .kind = SG_EVENT_CLOSE},  {.t = 2, .contact = 0, .kind = SG_EVENT_OPEN},
    {.t = 2.5, .contact = 1, .kind = SG_EVENT_IMPACT}, {.t = 3, .contact = 0, .kind = SG_EVENT_CLOSE}};

static double evaluate(const char *text, struct sg_text *fault)
{
    static const char *items[] = {"x", "w"};
    static size_t first[] = {1, 2};
    const struct sg_names names = {.items = items, .count = 2};
    struct sg_trace trace = {.names = &names,
                             .first = first,
                             .width = 4,
                             .rows = rows,
                             .row_count = 5,
                             .events = events,
                             .event_count = 6,
                             .timed = true,
                             .summary = {.steps = 4}};
    struct sg_bench_trial trial = {.name = "one"};
    struct sg_benchmark benchmark = {.trials = &trial, .trial_count = 1};
    const struct sg_recorded recorded = {&trace, 1};
    const struct sg_evaluator evaluator = {&benchmark, &recorded, NULL};
    struct sg_arena arena = {0};
    struct sg_formula formula;
    struct sg_error err = {SG_OK, ""};
    double value = NAN;
    if (sg_formula_parse(&arena, text, &formula, fault, &err) == SG_OK)
        ck_assert_int_eq(sg_evaluate(&evaluator, &formula, 0, &value, fault, &err), SG_OK);
    sg_arena_release(&arena);
    return value;
}

/* exact: all are small whole numbers and halves, but for those of libm, which rounding parts */
static const struct {
    const char *text;
    double value;
} cases[] = {{"1 + 2 * 3 ^ 2", 19},
             {"-2 ^ 2", -4},
             {"2 ^ 3 ^ 2", 512},
             {"8 / 4 / 2", 1},
             {"1 - 2 - 3", -4},
             {"2 * -3", -6},
             {"not 0 and 1 or 0", 1},
             {"not 1 == 2", 1},
             {"1 < 2 and 2 <= 2 and 3 > 2 and 3 >= 3 and 1 != 2", 1},
             {"if(0, 1, 2) + if(3, 1, 2)", 3},
             {"max(x)", 5},
             {"min(x, -1)", -1},
             {"sum(x)", 14},
             {"mean(x)", 2.8},
             {"norm([3, 4])", 5},
             {"count(x == 1)", 2},
             {"rows(x where x > 1)", 3},
             {"first(x)", 3},
             {"last(x where x < 5)", 1},
             {"item(x, 2)", 4},
             {"sum(head(x, 2))", 4},
             {"rows(head(x, 9))", 5},
             {"sum(drop(x, 3))", 6},
             {"at(x, 1.5)", 4},
             {"sum(at(x, [3, 1]))", 2},
             {"last(previous(x))", 1},
             {"sum(change(x))", 2},
             {"max(abs(change(x)))", 4},
             {"integral(x, t)", 10},
             {"sum(w)", 0},
             {"sum(w[1])", -10},
             {"sum(w[0:2])", 0},
             {"sum(row_max(w))", 10},
             {"sum(row_sum(w))", 0},
             {"sum(column_max(w))", 4},
             {"item(transpose(last(w)), 1)", -4},
             {"sum(join(x, [1, 2]))", 17},
             {"sum(range(5))", 10},
             {"sum(nearest(x, [3.9, 0]))", 5},
             {"sum((w * [1, 2, 3, 4, 5])[0])", 40},
             {"max(x where t >= 1 and t < 4)", 4},
             {"first(t where x > 3)", 2},
             {"last(row)", 4},
             {"rows(phases(0, 0.5))", 2},
             {"item(phases(0, 0.5)[1], 0)", 2},
             {"item(phases(0, 0.5)[1], 1)", 4},
             {"rows(phases(0, 0.01))", 3},
             {"count(event.kind == close)", 3},
             {"first(event.t where event.kind == impact)", 2.5},
             {"max(event.contact)", 1},
             {"summary.steps", 4},
             {"in(one, max(x)) + run(0, max(x)) + sum_of_runs(max(x)) + max_of_runs(min(x)) + runs", 17},
             {"'x'[0] - x where row == 0", 0},
             {"log2(8) + log10(1000) + hypot(3, 4) + floor(2.7) + round(2.5)", 16},
             {"4 * atan(1) - pi", 0}};

START_TEST(values)
{
    struct sg_text fault = {0};
    double value = evaluate(cases[_i].text, &fault);
    ck_assert_msg(fault.length == 0, "%s: %s", cases[_i].text, sg_text_view(&fault));
    ck_assert_msg(fabs(value - cases[_i].value) <= 1e-14 * fabs(cases[_i].value), "%s is %.17g",
                  cases[_i].text, value);
    sg_text_release(&fault);
}
END_TEST

/* A result that is missing is a fault or NaN, never a number. */
static const char *const faulty[] = {"x",
                                     "max(x + [1, 2])",
                                     "first(x where 0)",
                                     "item(x, 5)",
                                     "item(x, -1)",
                                     "item(x, 0.5)",
                                     "w[2]",
                                     "run(1, max(x))",
                                     "max(y)",
                                     "integral(w, t)",
                                     "at([1], 0)",
                                     "max(join(x, [nan]))",
                                     "min(x / 0 * 0)",
                                     "mean(x where 0)",
                                     "max(x where 0)"};

START_TEST(missing)
{
    struct sg_text fault = {0};
    double value = evaluate(faulty[_i], &fault);
    ck_assert_msg(isnan(value), "%s is %.17g", faulty[_i], value);
    sg_text_release(&fault);
}
END_TEST

Suite *sg_suite_formula(void);
Suite *sg_suite_formula(void)
{
    Suite *suite = suite_create("formula");
    TCase *tests = tcase_create("formula");
    tcase_add_loop_test(tests, values, 0, sizeof cases / sizeof *cases);
    tcase_add_loop_test(tests, missing, 0, sizeof faulty / sizeof *faulty);
    suite_add_tcase(suite, tests);
    return suite;
}
