#include <math.h>

#include "model/builder.h"
#include "model/keywords.h"
#include "model/table.h"
#include "support/memory.h"

struct spec {
    const char *body;
    double displacement, displacement_slope, velocity, velocity_slope;
    const char *displacement_table, *velocity_table;
};

const struct sg_keyword sg_initial_rows[] = {
    {.name = "body",
     .type = SG_TEXT,
     .meaning = "name of the body that starts so; the three parts of a field add up",
     .example = "\"bar\"",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct spec, body)},
    {.name = "displacement",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "uniform displacement",
     .fallback = "0.0",
     .offset = offsetof(struct spec, displacement)},
    {.name = "displacement_slope",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "strain: displacement per distance from the body's left end",
     .fallback = "0.0",
     .offset = offsetof(struct spec, displacement_slope)},
    {.name = "velocity",
     .type = SG_REAL,
     .unit = "m/s",
     .meaning = "uniform velocity",
     .fallback = "0.0",
     .offset = offsetof(struct spec, velocity)},
    {.name = "velocity_slope",
     .type = SG_REAL,
     .unit = "1/s",
     .meaning = "velocity per distance from the body's left end",
     .fallback = "0.0",
     .offset = offsetof(struct spec, velocity_slope)},
    {.name = "displacement_table",
     .type = SG_TEXT,
     .meaning = "side file of distance from the left end [m] and displacement [m]; straight lines between",
     .example = "\"shape.txt\"",
     .offset = offsetof(struct spec, displacement_table)},
    {.name = "velocity_table",
     .type = SG_TEXT,
     .meaning = "side file of distance from the left end [m] and velocity [m/s]; straight lines between",
     .example = "\"speed.txt\"",
     .offset = offsetof(struct spec, velocity_table)},
    {0}};

/* One field over one body: uniform + slope x + table(x). */
struct field {
    const struct sg_node *node;
    const struct sg_model_body *body;
    double uniform, slope;
    const char *keyword, *file;
    double *values; /* n_full */
};

/* A table that ends within the body would silently hold its last value. */
static void check_cover(struct sg_builder *builder, const struct field *field, const struct sg_table *table)
{
    const double *position = builder->system->names->positions;
    size_t dim = builder->system->dim;
    double length = position[dim * field->body->right] - position[dim * field->body->left];
    double slack = 1e-9 * length;
    double low = table->x[0], high = table->x[table->count - 1];
    if (low <= slack && high >= length - slack) return;
    sg_complain_about(builder->diagnostics, SG_ERROR, field->node, field->keyword,
                      "'%s' goes from %g to %g m, the body from 0 to %g m", field->file, low, high, length);
}

static sg_status add_table(struct sg_builder *builder, const struct field *field)
{
    struct sg_table_source source = {
        .deck = builder->deck, .group = field->node, .keyword = field->keyword, .file = field->file};
    const struct sg_model_body *body = field->body;
    const double *position = builder->system->names->positions;
    struct sg_table table = {0};
    TRY(sg_table_read(&source, &table, builder->diagnostics, builder->err));
    check_cover(builder, field, &table);
    size_t dim = builder->system->dim;
    for (size_t i = body->first; i < body->first + body->count; i++)
        field->values[dim * i] += sg_table_value(&table, position[dim * i] - position[dim * body->left]);
    sg_table_release(&table);
    return SG_OK;
}

static sg_status apply(struct sg_builder *builder, const struct field *field)
{
    const struct sg_model_body *body = field->body;
    const double *position = builder->system->names->positions;
    size_t dim = builder->system->dim;
    for (size_t i = body->first; i < body->first + body->count; i++)
        field->values[dim * i] =
            field->uniform + field->slope * (position[dim * i] - position[dim * body->left]);
    return field->file == NULL ? SG_OK : sg_builder_tolerate(builder, add_table(builder, field));
}

static sg_status read_group(struct sg_builder *builder, const struct sg_node *node, bool *seen)
{
    const struct sg_model_names *names = builder->system->names;
    struct spec spec = {0};
    sg_node_fill(node, sg_initial_rows, &spec);
    struct sg_node_name name = {spec.body, node, "body"};
    const struct sg_model_body *body = sg_model_find_body(names, &name, builder->diagnostics);
    if (body == NULL) return SG_OK;
    bool *mark = &seen[body - names->bodies];
    if (*mark)
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "body", "'%s' has an initial state already",
                          spec.body);
    *mark = true;
    struct field displacement = {node,
                                 body,
                                 spec.displacement,
                                 spec.displacement_slope,
                                 "displacement_table",
                                 spec.displacement_table,
                                 builder->u};
    struct field velocity = {
        node, body, spec.velocity, spec.velocity_slope, "velocity_table", spec.velocity_table, builder->v};
    TRY(apply(builder, &displacement));
    return apply(builder, &velocity);
}

static void check_finite(struct sg_builder *builder)
{
    for (size_t i = 0; i < builder->system->n_full; i++) {
        if (isfinite(builder->u[i]) && isfinite(builder->v[i])) continue;
        sg_complain_about(builder->diagnostics, SG_ERROR, sg_deck_root(builder->deck), "initial",
                          "the state of '%s' is not a finite number", builder->system->labels.dof_names[i]);
        return;
    }
}

sg_status sg_build_initial(struct sg_builder *builder)
{
    const struct sg_node *list = sg_node_child(sg_deck_root(builder->deck), "initial");
    bool *seen = NULL;
    TRY(SG_NEW(&seen, builder->system->names->body_count, builder->err));
    sg_status status = SG_OK;
    for (size_t k = 0; status == SG_OK && k < sg_builder_count(builder, "initial"); k++)
        status = read_group(builder, sg_node_item(list, k), seen);
    sg_free(seen);
    if (status == SG_OK) check_finite(builder);
    return status;
}
