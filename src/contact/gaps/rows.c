#include <math.h>
#include <stdio.h>

#include "contact/gaps/gap.h"
#include "model/dof_rows.h"
#include "support/memory.h"

struct spec {
    const char *directions, *gaps, *body;
    struct sg_reals stiffnesses, restitutions;
};

static const struct sg_keyword rows[] = {
    {.name = "directions",
     .type = SG_TEXT,
     .flags = SG_REQUIRED,
     .unit = "1",
     .meaning = "Matrix Market file of W, a row a dof and a column a contact: gaps are g = g0 + W^T u",
     .example = "\"directions.mtx\"",
     .offset = offsetof(struct spec, directions)},
    {.name = "gaps",
     .type = SG_TEXT,
     .unit = "m",
     .meaning =
         "file of g0, one column with a row a contact: gaps at zero displacement; without it all are 0",
     .example = "\"gaps.mtx\"",
     .offset = offsetof(struct spec, gaps)},
    {.name = "body",
     .type = SG_TEXT,
     .meaning = "body whose dofs the rows of W are; by default those of the whole model",
     .example = "\"bar\"",
     .offset = offsetof(struct spec, body)},
    {.name = "stiffnesses",
     .type = SG_REALS,
     .unit = "N/m",
     .range = SG_POSITIVE,
     .meaning = "stiffness of each contact's spring, instead of one for all",
     .example = "[1.0e6, 2.0e6]",
     .offset = offsetof(struct spec, stiffnesses)},
    {.name = "restitutions",
     .type = SG_REALS,
     .unit = "1",
     .range = SG_BETWEEN(0, 1),
     .meaning = "coefficient of restitution of each contact, instead of one for all",
     .example = "[0.5, 0.9]",
     .offset = offsetof(struct spec, restitutions)},
    {0}};

/* This is read once for all contacts of an entry. */
struct files {
    struct sg_market directions, gaps;
    size_t *full; /* full dof of each entry of W */
    struct sg_dof_span span;
};

static sg_status read_gaps(struct sg_gap_builder *builder, const struct sg_setting *node,
                           const struct spec *spec, struct files *files)
{
    struct sg_table_source source = {builder->deck, node, "gaps", spec->gaps, builder->scratch};
    size_t wanted = files->directions.columns;
    if (spec->gaps == NULL) return SG_OK;
    TRY(sg_market_read(&source, &files->gaps, builder->diagnostics, builder->err));
    if (files->gaps.rows != wanted) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "gaps",
                          "'%s' has %zu row%s where '%s' has %zu column%s, each a contact", spec->gaps,
                          files->gaps.rows, files->gaps.rows == 1 ? "" : "s", spec->directions, wanted,
                          wanted == 1 ? "" : "s");
        return SG_BAD_DECK;
    }
    return sg_dof_rows_check_columns(&source, &files->gaps, 1, builder->diagnostics, builder->err);
}

/* a list of numbers has one for each contact, and stands instead of the number for all */
static void check_list(struct sg_gap_builder *builder, const struct sg_setting *node, const char *list,
                       const struct sg_reals *given, size_t count)
{
    if (given->data == NULL || given->count == count) return;
    sg_complain_about(builder->diagnostics, SG_ERROR, node, list,
                      "has %zu number%s where there %s %zu contact%s", given->count,
                      given->count == 1 ? "" : "s", count == 1 ? "is" : "are", count, count == 1 ? "" : "s");
}

static void check_lists(struct sg_gap_builder *builder, const struct sg_setting *node,
                        const struct spec *spec, size_t count)
{
    check_list(builder, node, "stiffnesses", &spec->stiffnesses, count);
    check_list(builder, node, "restitutions", &spec->restitutions, count);
    bool one = sg_setting_given(node, "stiffness") || sg_setting_given(node, "stiffness_factor");
    if (spec->stiffnesses.data != NULL && one)
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "stiffnesses",
                          "give either one stiffness for all contacts or one for each, not both");
}

static sg_status read_files(struct sg_gap_builder *builder, const struct sg_setting *node,
                            const struct spec *spec, struct files *files)
{
    struct sg_table_source source = {builder->deck, node, "directions", spec->directions, builder->scratch};
    struct sg_market *w = &files->directions;
    if (!sg_dof_span_find(builder->system, node, spec->body, &files->span, builder->diagnostics))
        return SG_BAD_DECK;
    TRY(sg_dof_rows_read(&source, &files->span, w, builder->diagnostics, builder->err));
    TRY(read_gaps(builder, node, spec, files));
    size_t count = w->start[w->columns];
    TRY(SG_ARENA_NEW(builder->scratch, &files->full, count, builder->err));
    for (size_t k = 0; k < count; k++) files->full[k] = files->span.first + w->row[k];
    check_lists(builder, node, spec, w->columns);
    return SG_OK;
}

static sg_status open_files(struct sg_gap_builder *builder, const struct sg_setting *node,
                            struct sg_gap_group *group)
{
    struct spec spec = {0};
    struct files *files = NULL;
    sg_setting_fill(node, rows, &spec);
    TRY(SG_ARENA_NEW(builder->scratch, &files, 1, builder->err));
    group->data = files;
    sg_status status = read_files(builder, node, &spec, files);
    if (status == SG_BAD_DECK) return SG_OK;
    TRY(status);
    group->count = files->directions.columns;
    group->most = files->directions.start[group->count];
    return SG_OK;
}

static sg_status build(struct sg_gap_builder *builder, const struct sg_setting *node, struct sg_gap *gap)
{
    struct spec spec = {0};
    const struct files *files = builder->group->data;
    const struct sg_market *w = &files->directions;
    size_t j = builder->index, first = w->start[j], count = w->start[j + 1] - first;
    sg_setting_fill(node, rows, &spec);
    snprintf(builder->name, sizeof builder->name, "%s", spec.directions);
    gap->subject = spec.gaps != NULL ? "gaps" : "directions";
    gap->fixed.gap = spec.gaps != NULL ? sg_market_entry(&files->gaps, j, 0) : 0.0;
    if (spec.stiffnesses.data != NULL) gap->stiffness = spec.stiffnesses.data[j];
    gap->has_restitution = spec.restitutions.data != NULL;
    if (gap->has_restitution) gap->restitution = spec.restitutions.data[j];
    if (count > 0) return sg_gap_set_column(builder, count, files->full + first, w->value + first, gap);
    sg_complain_about(builder->diagnostics, SG_ERROR, node, "directions",
                      "column %zu of '%s' has no entry: this gap would never change", j + 1, spec.directions);
    return SG_OK;
}

const struct sg_gap_ops sg_gap_rows = {
    .kind = {"rows", "any linear combinations of dofs, the columns of a file", rows},
    .dim_low = 1,
    .dim_high = 3,
    .open = open_files,
    .build = build};
