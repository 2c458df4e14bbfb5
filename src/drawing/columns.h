/* Which columns of a wide history a panel shows, when it has not room for all. */
#ifndef SG_DRAWING_COLUMNS_H
#define SG_DRAWING_COLUMNS_H

#include <stddef.h>

#include "results/reader.h"
#include "support/status.h"

enum { SG_PLOT_COLUMNS = 6 /* that a panel shows unless more are asked for */ };

/* How many columns a series has: 1 for a scalar. */
size_t sg_plot_columns_of(const struct sg_series *series);

/* Chooses at most `most` columns, in ascending order: all where they fit; of contacts those that were closed
 * longest; of dofs along an axis the ends of each body; of other dofs, those that move, evenly spread; of
 * everything else evenly spread ones. `columns` has room for `most`. */
sg_status sg_plot_choose_columns(const struct sg_reader *reader, const struct sg_series *series, size_t most,
                                 size_t *columns, size_t *count, struct sg_error *err);

#endif
