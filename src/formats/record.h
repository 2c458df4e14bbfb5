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

/* What a motion has at its first point, which its acceleration does not tell: 0 of records of acceleration.
 */
struct sg_record_start {
    double velocity, displacement; /* m/s, m; NaN: the record is of velocity, and says nothing of it */
};

/* Reads the file that the group's keywords (sg_record_rows) describe, brings it to m/s^2 and scales it.
 * A velocity or displacement is refused unless the group says by `quantity` that it is one: then it is
 * differentiated, and `start` keeps its first values; a warning tells where these are not 0. At least two
 * points. Of `from`, deck, group and arena are taken. Faults are findings: SG_BAD_DECK, SG_NO_INPUT if the
 * file can't be opened. */
sg_status sg_record_read(const struct sg_table_source *from, struct sg_table *table,
                         struct sg_record_start *start, struct sg_diagnostics *diagnostics,
                         struct sg_error *err);

/* largest |y| */
double sg_record_peak(const struct sg_table *table);

#endif
