/* The table at the end of a run. */
#ifndef SG_COMMANDS_SUMMARY_H
#define SG_COMMANDS_SUMMARY_H

#include <stdio.h>

#include "results/recorder.h"

void sg_summary_print(FILE *to, const char *output, size_t rows, const struct sg_summary *summary);

/* of an analysis whose result is points */
void sg_summary_print_points(FILE *to, const char *output, size_t points, const struct sg_summary *summary);

#endif
