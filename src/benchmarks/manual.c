/* What formulas may call, as text: lines of name and meaning. */
#include "benchmarks/benchmark.h"

static void print_table(const struct sg_function *functions, struct sg_text *text)
{
    for (const struct sg_function *row = functions; row->name != NULL; row++)
        sg_text_append(text, "  %-12s %s\n", row->name, row->meaning);
}

static void print_exact(const struct sg_exact_ops *ops, struct sg_text *text)
{
    sg_text_append(text, "  %s: %s\n", ops->kind.name, ops->kind.meaning);
    for (const struct sg_exact_function *row = ops->functions; row->name != NULL; row++)
        sg_text_append(text, "    .%s%s: %s\n", row->name, row->operands == 0 ? "()" : "(..)", row->meaning);
}

void sg_bench_print_functions(struct sg_text *text)
{
    sg_text_append(text, "functions number by number:\n");
    print_table(sg_functions, text);
    sg_text_append(text, "functions of whole columns:\n");
    print_table(sg_reducers, text);
    sg_text_append(text, "  %-12s %s\n  %-12s %s\n  %-12s %s\n  %-12s %s\n", "in",
                   "in(NAME, x): x of another trial", "run",
                   "run(k, x): x of run k of a trial that has several, from 0", "sum_of_runs",
                   "sum of a number over all runs", "max_of_runs", "largest of a number over all runs");
    sg_text_append(text, "exact solutions, by type:\n");
    for (size_t k = 0; k < sg_exact_kinds.count; k++)
        print_exact(sg_exact_find(sg_exact_kinds.items[k]), text);
}
