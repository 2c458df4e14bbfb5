#include <math.h>

#include "assembly/loads/load.h"
#include "model/dof_rows.h"

struct spec {
    const char *file, *body;
    long long column;
    const struct sg_setting *signal;
};

static const struct sg_keyword rows[] = {
    {.name = "file",
     .type = SG_TEXT,
     .meaning = "Matrix Market file, relative to the deck: a row a dof, force per unit of the signal",
     .example = "\"push.mtx\"",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct spec, file)},
    {.name = "column",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "column of the file, counted from 1",
     .fallback = "1",
     .range = SG_AT_LEAST(1),
     .offset = offsetof(struct spec, column)},
    {.name = "body",
     .type = SG_TEXT,
     .meaning = "body whose dofs the rows are; by default those of the whole model",
     .example = "\"bar\"",
     .offset = offsetof(struct spec, body)},
    {.name = "signal",
     .type = SG_GROUP,
     .unit = "1",
     .meaning = "factor of the column over time",
     .flags = SG_REQUIRED,
     .kinds = &sg_signal_kinds,
     .offset = offsetof(struct spec, signal)},
    {0}};

/* the column into the load's pattern; false if none of it acts on a dof that is free to move */
static bool fill(const struct sg_system *system, const struct sg_dof_span *span,
                 const struct sg_market *market, size_t column, double *pattern)
{
    bool acts = false;
    for (size_t k = market->start[column]; k < market->start[column + 1]; k++) {
        size_t dof = system->free_of_full[span->first + market->row[k]];
        if (dof == SIZE_MAX || market->value[k] == 0) continue;
        pattern[dof] = market->value[k];
        acts = true;
    }
    return acts;
}

static sg_status add(struct sg_builder *builder, const struct sg_table_source *source,
                     const struct spec *spec, size_t signal, struct sg_market *market)
{
    const struct sg_system *system = builder->system;
    struct sg_dof_span span;
    struct sg_load *load = NULL;
    if (!sg_dof_span_find(system, source->group, spec->body, &span, builder->diagnostics)) return SG_OK;
    TRY(sg_dof_rows_read(source, &span, market, builder->diagnostics, builder->err));
    if ((unsigned long long)spec->column > market->columns) {
        sg_complain_about(builder->diagnostics, SG_ERROR, source->group, "column",
                          "%lld is beyond the %zu of '%s'", spec->column, market->columns, spec->file);
        return SG_BAD_DECK;
    }
    TRY(sg_system_add_load(builder->system, signal, SG_VALUE, &load, builder->err));
    if (fill(system, &span, market, (size_t)spec->column - 1, load->pattern)) return SG_OK;
    sg_complain_about(builder->diagnostics, SG_WARNING, source->group, "file",
                      "column %lld of '%s' acts on no dof that is free to move", spec->column, spec->file);
    return SG_OK;
}

static sg_status apply(struct sg_builder *builder, const struct sg_setting *node)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    size_t signal = 0;
    TRY(sg_builder_signal(builder, spec.signal, &signal));
    SG_LOCAL_ARENA(scratch);
    struct sg_table_source source = {
        .deck = builder->deck, .group = node, .keyword = "file", .file = spec.file, .arena = &scratch};
    struct sg_market market = {0};
    return sg_builder_tolerate(builder, add(builder, &source, &spec, signal, &market));
}

const struct sg_load_ops sg_load_vector = {
    .kind = {.name = "vector",
             .meaning = "forces on all dofs, a column of a file, that follow a signal",
             .rows = rows},
    .apply = apply,
};
