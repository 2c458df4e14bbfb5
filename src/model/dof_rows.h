/* Matrix Market files whose rows are the dofs of a body, or of the whole model: loads, initial states, gaps.
 */
#ifndef SG_MODEL_DOF_ROWS_H
#define SG_MODEL_DOF_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/matrix_market.h"
#include "model/system.h"

/* full dofs first .. first + count - 1: node by node, the coordinates of each side by side */
struct sg_dof_span {
    size_t first, count;
    const char *name; /* of the body; NULL: the model's */
};

/* The dofs of the body that keyword `body` of `group` names, of all bodies without one (NULL). False, with a
 * finding, if there is no such body. */
bool sg_dof_span_find(const struct sg_system *system, const struct sg_setting *group, const char *body,
                      struct sg_dof_span *span, struct sg_diagnostics *diagnostics);

/* Reads a file with as many rows as the span has dofs. SG_BAD_DECK with a finding if it has not; others as
 * of sg_market_read. */
sg_status sg_dof_rows_read(const struct sg_table_source *source, const struct sg_dof_span *span,
                           struct sg_market *market, struct sg_diagnostics *diagnostics,
                           struct sg_error *err);

/* Finding and SG_BAD_DECK unless the file has `columns` columns. */
sg_status sg_dof_rows_check_columns(const struct sg_table_source *source, const struct sg_market *market,
                                    size_t columns, struct sg_diagnostics *diagnostics, struct sg_error *err);

#endif
