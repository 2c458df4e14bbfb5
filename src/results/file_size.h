/* Forecasts how large a results file will be. */
#ifndef SG_RESULTS_FILE_SIZE_H
#define SG_RESULTS_FILE_SIZE_H

#include "results/record.h"

/* Bytes that the file will have, from widths and the predicted number of rows; for `check`. The rows are
 * end / every: where `every` is 0, set it to the step. Names that are no quantity are passed over. */
double sg_results_predict_bytes(const struct sg_recorder_spec *spec);

#endif
