/* Plot data: columns of a series thinned to what a drawing can show, and the phases of contact. */
#ifndef SG_RESULTS_CURVE_H
#define SG_RESULTS_CURVE_H

#include <stddef.h>

#include "results/reader.h"
#include "support/arena.h"
#include "support/status.h"

/* y over x. Of all rows that fall on one pixel column the first, least, largest and last are kept, in
 * their order, so that no peak is lost. */
struct sg_curve {
    double *x, *y; /* the arena's */
    size_t count;
    double low, high; /* of the finite y; 0, 0 if there are none */
};

/* Names the columns of a series that are wanted, the scale that they are drawn over, and the pixels across.
 */
struct sg_curve_request {
    const struct sg_series *x, *y;
    const size_t *columns;
    size_t count; /* columns */
    size_t pixels;
};

/* Reads blockwise, once. `curves`: request->count, zeroed by the caller. */
sg_status sg_curves_read(struct sg_arena *arena, const struct sg_reader *reader,
                         const struct sg_curve_request *request, struct sg_curve *curves,
                         struct sg_error *err);

/* Intervals of time in which any contact is active, from history/active; those closer than a pixel are
 * joined. x: starts, y: ends. Empty if the file has no such history. */
sg_status sg_contact_phases_read(struct sg_arena *arena, const struct sg_reader *reader, size_t pixels,
                                 struct sg_curve *phases, struct sg_error *err);

#endif
