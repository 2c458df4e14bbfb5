/* The audit that a results file holds. */
#ifndef SG_RESULTS_AUDIT_FILE_H
#define SG_RESULTS_AUDIT_FILE_H

#include "results/audit.h"
#include "support/status.h"

/* `count` 0 if the file has none: one of an earlier version, of points, or of a run that did not end.
 * SG_NO_INPUT if it can't be opened. Call after sg_reader_open, which sees whether the file can be read. */
sg_status sg_audit_read(const char *path, struct sg_audit_list *list, struct sg_error *err);

#endif
