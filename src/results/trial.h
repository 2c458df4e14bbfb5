/* Finds out whether HDF5 survives a file. Metadata carry checksums but for the heaps that hold texts of any
 * length: what is wrong there is followed blindly, out of memory. So a file is read in a process of its own
 * first, all of it but the rows, which can't do harm. */
#ifndef SG_RESULTS_TRIAL_H
#define SG_RESULTS_TRIAL_H

#include "support/status.h"

/* SG_NO_INPUT if the process died; whether it could read the file is not asked. */
sg_status sg_trial_survives(const char *path, struct sg_error *err);

#endif
