/* The table at the end of a run. */
#ifndef SG_COMMANDS_SUMMARY_H
#define SG_COMMANDS_SUMMARY_H

#include <stdio.h>

#include "results/summary.h"

void sg_summary_print(FILE *to, const char *output, size_t rows, const struct sg_summary *summary);

/* Of an analysis whose result is points: how many, and what it says of them, lines of "name\tvalue\n". */
struct sg_summary_points {
    size_t count;
    const char *words;
};
void sg_summary_print_points(FILE *to, const char *output, const struct sg_summary_points *points,
                             const struct sg_summary *summary);

#endif
