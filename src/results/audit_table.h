/* The table /summary/audit: one compound row a finding, texts of fixed size. Included within results/ only.
 */
#ifndef SG_RESULTS_AUDIT_TABLE_H
#define SG_RESULTS_AUDIT_TABLE_H

#include "results/audit.h"
#include "results/hdf.h"

/* Creates the table without rows in the group /summary, before SWMR starts. Close it. */
sg_status sg_audit_table_create(hid_t summary, hid_t *table, struct sg_error *err);

/* the table of an earlier run that is resumed; H5I_INVALID_HID if it has none */
hid_t sg_audit_table_reopen(hid_t summary);

/* Writes all rows anew. */
sg_status sg_audit_table_write(hid_t table, const struct sg_audit_list *list, struct sg_error *err);

/* Reads what a file has; `count` is 0 if it has none, or a table of another make. */
void sg_audit_table_read(hid_t summary, struct sg_audit_list *list);

#endif
