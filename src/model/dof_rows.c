#include "model/dof_rows.h"

#include "model/names.h"
#include "model/scratch.h"
#include "model/system.h"

bool sg_dof_span_find(const struct sg_system *system, const struct sg_setting *group, const char *body,
                      struct sg_dof_span *span, struct sg_diagnostics *diagnostics)
{
    *span = (struct sg_dof_span){.count = system->n_full};
    if (body == NULL) return true;
    struct sg_node_name name = {body, group, "body"};
    const struct sg_model_body *found = sg_model_find_body(system->names, &name, diagnostics);
    if (found == NULL) return false;
    *span = (struct sg_dof_span){found->first_dof, found->dof_count, found->name};
    return true;
}

sg_status sg_dof_rows_read(const struct sg_table_source *source, const struct sg_dof_span *span,
                           struct sg_market *market, struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    TRY(sg_market_read(source, market, diagnostics, err));
    if (market->rows == span->count) return SG_OK;
    bool body = span->name != NULL;
    sg_complain_about(diagnostics, SG_ERROR, source->group, source->keyword,
                      "'%s' has %zu row%s where %s%.64s%s %zu dof%s", source->file, market->rows,
                      market->rows == 1 ? "" : "s", body ? "'" : "the model", body ? span->name : "",
                      body ? "' has" : " has", span->count, span->count == 1 ? "" : "s");
    if (!body) sg_hint(diagnostics, "with 'body' the rows are the dofs of that body alone");
    FAIL(err, SG_BAD_DECK, "'%s' has %zu rows where %zu are wanted", source->file, market->rows, span->count);
}

sg_status sg_dof_rows_check_columns(const struct sg_table_source *source, const struct sg_market *market,
                                    size_t columns, struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    if (market->columns == columns) return SG_OK;
    sg_complain_about(diagnostics, SG_ERROR, source->group, source->keyword,
                      "'%s' has %zu columns where %zu %s wanted", source->file, market->columns, columns,
                      columns == 1 ? "is" : "are");
    FAIL(err, SG_BAD_DECK, "'%s' has %zu columns where %zu are wanted", source->file, market->columns,
         columns);
}
