/* The fixed parts of a results file: root attributes, /deck, /model, /summary. Included within results/
 * only. */
#ifndef SG_RESULTS_LAYOUT_H
#define SG_RESULTS_LAYOUT_H

#include "results/hdf.h"
#include "results/record.h"
#include "results/summary.h"

#define SG_CONVENTIONS "signorini-results-1"

/* writes them into a new file; `summary` is the open group whose attributes are set at the end */
sg_status sg_layout_write(hid_t file, hid_t root, const struct sg_recorder_spec *run, hid_t *summary,
                          struct sg_error *err);

/* root attribute `status`: fixed-size text of at most 15 bytes */
sg_status sg_layout_set_status(hid_t root, const char *status, struct sg_error *err);

sg_status sg_layout_set_summary(hid_t summary, const struct sg_summary *values, struct sg_error *err);

/* fills from the attributes of /summary; those that are missing stay 0 */
void sg_layout_get_summary(hid_t summary, struct sg_summary *values);

/* the enum of /events/kind (close open impact stick slip, int8); close it */
hid_t sg_layout_event_kind_type(void);

/* the name of an event kind, "?" if it is none */
const char *sg_layout_event_kind_name(int kind);

#endif
