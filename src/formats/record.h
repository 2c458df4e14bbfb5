/* Records of ground motion out of files, as accelerations in m/s^2 over time in s.
 *
 * Formats: two columns (time, value); one column with `dt`; the files of PEER's data bases (.AT2
 * acceleration, .VT2 velocity, .DT2 displacement), whose header tells quantity, unit, number of values (NPTS)
 * and step (DT). https://ngawest2.berkeley.edu; older files say "4000  0.0100  NPTS, DT". */
#ifndef SG_FORMATS_RECORD_H
#define SG_FORMATS_RECORD_H

#include <stddef.h>

#include "deck/deck.h"
#include "formats/record_unit.h"
#include "formats/table.h"
#include "support/status.h"

extern const struct sg_keyword sg_record_rows[];

/* Reads the file that the group's keywords (sg_record_rows) describe, brings it to m/s^2 and scales it.
 * A velocity or displacement is refused unless the group says by `quantity` that it is one: then it is
 * differentiated. At least two points. Faults are findings: SG_BAD_DECK, SG_NO_INPUT if the file can't be
 * opened. Release the table with sg_table_release. */
sg_status sg_record_read(const struct sg_setting *node, const struct sg_deck *deck, struct sg_table *table,
                         struct sg_diagnostics *diagnostics, struct sg_error *err);

/* largest |y| */
double sg_record_peak(const struct sg_table *table);

#endif
