/* JSON Schema of results files. */
#ifndef SG_RESULTS_SCHEMA_H
#define SG_RESULTS_SCHEMA_H

#include "support/text.h"

/* The schema of a results file described as JSON: each group an object, each dataset an object of
 * `shape` (a list of sizes), `type`, and its attributes `units` and `description`; root attributes under
 * "attributes". */
void sg_results_schema_print(struct sg_text *text);

/* A line a dataset that a run may write, with its meaning. */
void sg_results_list(struct sg_text *text);

#endif
