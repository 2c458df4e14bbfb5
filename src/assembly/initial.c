#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assembly/builder.h"
#include "assembly/keywords.h"
#include "formats/table.h"
#include "model/dof_rows.h"
#include "support/memory.h"

struct spec {
    const char *body, *node;
    struct sg_reals displacement, displacement_vector, velocity, velocity_vector;
    double displacement_slope, velocity_slope, angle, angular_velocity;
    const char *displacement_table, *velocity_table;
    const char *displacement_file, *velocity_file;
    int axis, equilibrium;
    const char *results;
    double at;
};

const struct sg_keyword sg_initial_rows[] = {
    {.name = "equilibrium",
     .type = SG_BOOL,
     .meaning = "the whole model starts at rest in static equilibrium with its loads at t = 0 and its "
                "contacts; other items say where the search begins, and velocities",
     .example = "true",
     .offset = offsetof(struct spec, equilibrium)},
    {.name = "results",
     .type = SG_TEXT,
     .meaning = "the whole model starts with displacements and velocities of a results file of the same "
                "dofs, relative to the deck; time begins anew at 0",
     .example = "\"first.h5\"",
     .offset = offsetof(struct spec, results)},
    {.name = "at",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "time of the row of `results` that is taken; by default the last",
     .example = "1.5",
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, at)},
    {.name = "body",
     .type = SG_TEXT,
     .meaning = "name of the body that starts with this field; the parts of a field add up",
     .example = "\"bar\"",
     .offset = offsetof(struct spec, body)},
    {.name = "node",
     .type = SG_TEXT,
     .meaning = "a single node, or a BODY.SET of nodes, that starts with this field, instead of a body",
     .example = "\"bar.left\"",
     .offset = offsetof(struct spec, node)},
    {.name = "displacement",
     .type = SG_REALS,
     .single = true,
     .unit = "m",
     .meaning = "uniform displacement, one number a coordinate; in 1-D a number alone will do",
     .fallback = "0.0",
     .example = "[0.0, 0.1]",
     .max_items = 3,
     .offset = offsetof(struct spec, displacement)},
    {.name = "displacement_vector",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "the same as an array in displacement",
     .example = "[0.0, 0.1]",
     .max_items = 3,
     .offset = offsetof(struct spec, displacement_vector)},
    {.name = "displacement_slope",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "displacement per distance along x from the body's left end: in 1-D the strain",
     .fallback = "0.0",
     .offset = offsetof(struct spec, displacement_slope)},
    {.name = "velocity",
     .type = SG_REALS,
     .single = true,
     .unit = "m/s",
     .meaning = "uniform velocity, one number a coordinate; in 1-D a number alone will do",
     .fallback = "0.0",
     .example = "[1.0, 0.0]",
     .max_items = 3,
     .offset = offsetof(struct spec, velocity)},
    {.name = "velocity_vector",
     .type = SG_REALS,
     .unit = "m/s",
     .meaning = "the same as an array in velocity",
     .example = "[1.0, 0.0]",
     .max_items = 3,
     .offset = offsetof(struct spec, velocity_vector)},
    {.name = "velocity_slope",
     .type = SG_REAL,
     .unit = "1/s",
     .meaning = "velocity per distance along x from the body's left end",
     .fallback = "0.0",
     .offset = offsetof(struct spec, velocity_slope)},
    {.name = "angle",
     .type = SG_REAL,
     .unit = "rad",
     .meaning = "rotation of each of the nodes, which must have one",
     .fallback = "0.0",
     .offset = offsetof(struct spec, angle)},
    {.name = "angular_velocity",
     .type = SG_REAL,
     .unit = "rad/s",
     .meaning = "rate of rotation of each of the nodes, which must have one",
     .fallback = "0.0",
     .offset = offsetof(struct spec, angular_velocity)},
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
    {.name = "displacement_file",
     .type = SG_TEXT,
     .unit = "m",
     .meaning =
         "Matrix Market file of one column, a row a dof of the body: displacements that add to the rest",
     .example = "\"u0.mtx\"",
     .offset = offsetof(struct spec, displacement_file)},
    {.name = "velocity_file",
     .type = SG_TEXT,
     .unit = "m/s",
     .meaning = "Matrix Market file of one column, a row a dof of the body: velocities that add to the rest",
     .example = "\"v0.mtx\"",
     .offset = offsetof(struct spec, velocity_file)},
    {.name = "axis",
     .type = SG_CHOICE,
     .meaning = "component that slopes and tables give",
     .fallback = "\"x\"",
     .choices = "x|y|z",
     .offset = offsetof(struct spec, axis)},
    {0}};

/* the nodes of a group: all of a body, a set of it, or one */
struct part {
    const struct sg_setting *node;
    const struct sg_model_body *body;
    struct sg_node_list list; /* its count, of a body too */
    size_t axis;              /* of slope and table */
};

/* global node k of the part */
static size_t node_at(const struct part *part, size_t k)
{
    return part->list.set != NULL ? sg_node_list_at(&part->list, k) : part->list.first + k;
}

/* One field over them: uniform + slope x + table(x), x from the left end. */
struct field {
    const struct part *part;
    struct sg_reals uniform, vector; /* two keywords for one thing */
    double slope;
    const char *name, *file; /* the keyword of `uniform`, the start of the others'; the table */
    const char *vector_file;
    double *values; /* n_full */
};

static double from_left(const struct sg_builder *builder, const struct part *part, size_t node)
{
    const double *position = builder->system->names->positions;
    size_t dim = builder->system->dim;
    return position[dim * node] - position[dim * part->body->left];
}

static void keyword_of(const struct field *field, const char *ending, char keyword[32])
{
    snprintf(keyword, 32, "%s_%s", field->name, ending);
}

/* A table that ends within the body would silently hold its last value. */
static void check_cover(struct sg_builder *builder, const struct field *field, const char *keyword,
                        const struct sg_table *table)
{
    double length = from_left(builder, field->part, field->part->body->right), slack = 1e-9 * length;
    double low = table->x[0], high = table->x[table->count - 1];
    if (low <= slack && high >= length - slack) return;
    sg_complain_about(builder->diagnostics, SG_ERROR, field->part->node, keyword,
                      "'%s' goes from %g to %g m, the body from 0 to %g m", field->file, low, high, length);
}

static sg_status add_table(struct sg_builder *builder, const struct field *field)
{
    const struct part *part = field->part;
    char keyword[32];
    SG_LOCAL_ARENA(scratch);
    keyword_of(field, "table", keyword);
    struct sg_table_source source = {.deck = builder->deck,
                                     .group = part->node,
                                     .keyword = keyword,
                                     .file = field->file,
                                     .arena = &scratch};
    struct sg_table table = {0};
    TRY(sg_table_read(&source, &table, builder->diagnostics, builder->err));
    check_cover(builder, field, keyword, &table);
    for (size_t k = 0; k < part->list.count; k++)
        field->values[sg_system_dof(builder->system, node_at(part, k), part->axis)] +=
            sg_table_value(&table, from_left(builder, part, node_at(part, k)));
    return SG_OK;
}

static sg_status read_column(struct sg_builder *builder, const struct sg_table_source *source,
                             const struct sg_dof_span *span, struct sg_market *market)
{
    TRY(sg_dof_rows_read(source, span, market, builder->diagnostics, builder->err));
    return sg_dof_rows_check_columns(source, market, 1, builder->diagnostics, builder->err);
}

static sg_status add_file(struct sg_builder *builder, const struct field *field)
{
    const struct sg_model_body *body = field->part->body;
    char keyword[32];
    SG_LOCAL_ARENA(scratch);
    keyword_of(field, "file", keyword);
    struct sg_table_source source = {builder->deck, field->part->node, keyword, field->vector_file, &scratch};
    struct sg_dof_span span = {body->first_dof, body->dof_count, body->name};
    if (field->part->list.count != body->count) {
        sg_complain_about(builder->diagnostics, SG_ERROR, field->part->node, keyword,
                          "is for a whole body: give 'body', not 'node'");
        return SG_BAD_DECK;
    }
    struct sg_market market = {0};
    sg_status status = read_column(builder, &source, &span, &market);
    for (size_t k = 0; status == SG_OK && k < market.start[1]; k++)
        field->values[span.first + market.row[k]] += market.value[k];
    return status;
}

/* a resolved deck spells out the 0 that goes by default */
static bool is_said(const struct sg_reals *uniform)
{
    return uniform->count > 1 || (uniform->count == 1 && uniform->data[0] != 0);
}

static void complain_count(struct sg_builder *builder, const struct field *field, const char *keyword,
                           size_t count)
{
    const struct sg_setting *node = field->part->node;
    size_t dim = builder->system->dim;
    if (count == 1 && keyword == field->name)
        sg_complain_about(builder->diagnostics, SG_ERROR, node, keyword,
                          "is a number where a node has %zu coordinates: give an array of %zu numbers", dim,
                          dim);
    else
        sg_complain_about(builder->diagnostics, SG_ERROR, node, keyword,
                          "has %zu number%s where a node has %zu coordinate%s", count, count == 1 ? "" : "s",
                          dim, dim == 1 ? "" : "s");
}

/* The uniform part: a number in 1-D, else an array, by either of two keywords. */
static void add_uniform(struct sg_builder *builder, const struct field *field)
{
    const struct part *part = field->part;
    size_t dim = builder->system->dim;
    char keyword[32];
    keyword_of(field, "vector", keyword);
    bool vector = field->vector.data != NULL, uniform = is_said(&field->uniform);
    struct sg_reals value = vector ? field->vector : field->uniform;
    if (uniform && vector)
        sg_complain(builder->diagnostics, SG_ERROR, part->node, "give either '%s' or '%s', not both",
                    field->name, keyword);
    else if ((uniform || vector) && value.count != dim)
        complain_count(builder, field, vector ? keyword : field->name, value.count);
    else if (uniform || vector)
        for (size_t k = 0; k < dim * part->list.count; k++)
            field->values[sg_system_dof(builder->system, node_at(part, k / dim), k % dim)] +=
                value.data[k % dim];
}

static sg_status apply(struct sg_builder *builder, const struct field *field)
{
    const struct part *part = field->part;
    add_uniform(builder, field);
    for (size_t k = 0; k < part->list.count; k++)
        field->values[sg_system_dof(builder->system, node_at(part, k), part->axis)] +=
            field->slope * from_left(builder, part, node_at(part, k));
    if (field->file != NULL) TRY(sg_builder_tolerate(builder, add_table(builder, field)));
    return field->vector_file == NULL ? SG_OK : sg_builder_tolerate(builder, add_file(builder, field));
}

/* The same rotation for all nodes of the part. */
static void turn(struct sg_builder *builder, const struct part *part, const char *keyword, double value,
                 double *values)
{
    const struct sg_system *system = builder->system;
    if (value == 0) return;
    for (size_t k = 0; k < part->list.count; k++) {
        size_t dof = sg_system_rotation(system, node_at(part, k));
        if (dof != SIZE_MAX) {
            values[dof] += value;
            continue;
        }
        sg_complain_about(builder->diagnostics, SG_ERROR, part->node, keyword,
                          "'%s' has no rotation that could have an initial value",
                          sg_system_node_name(system, node_at(part, k)));
        return;
    }
}

/* Which nodes are meant; false with a finding if none. */
static bool find_part(struct sg_builder *builder, const struct spec *spec, struct part *part)
{
    const struct sg_model_names *names = builder->system->names;
    if ((spec->body == NULL) == (spec->node == NULL)) {
        sg_complain(builder->diagnostics, SG_ERROR, part->node, "give either 'body' or 'node'%s",
                    spec->body == NULL ? "" : ", not both");
        if (spec->body == NULL)
            sg_hint(builder->diagnostics, "or, of the whole model, 'equilibrium' or 'results'");
        return false;
    }
    if (spec->body != NULL) {
        struct sg_node_name name = {spec->body, part->node, "body"};
        part->body = sg_model_find_body(names, &name, builder->diagnostics);
        if (part->body == NULL) return false;
        part->list = (struct sg_node_list){.first = part->body->first, .count = part->body->count};
        return true;
    }
    struct sg_node_name name = {spec->node, part->node, "node"};
    if (!sg_system_find_nodes(builder->system, &name, builder->diagnostics, &part->list)) return false;
    part->body = &names->bodies[names->node_bodies[part->list.first]];
    return true;
}

static void mark_nodes(struct sg_builder *builder, const struct spec *spec, const struct part *part,
                       bool *seen)
{
    bool again = false;
    for (size_t k = 0; k < part->list.count; k++) {
        size_t i = node_at(part, k);
        again = again || seen[i];
        seen[i] = true;
    }
    if (!again) return;
    sg_complain_about(builder->diagnostics, SG_ERROR, part->node, spec->body != NULL ? "body" : "node",
                      "'%s' has an initial state already", spec->body != NULL ? spec->body : spec->node);
}

/* What a body holds neither starts elsewhere nor moves. */
static void check_held(struct sg_builder *builder, const struct part *part)
{
    const size_t *first = builder->system->first_dof;
    for (size_t k = 0; k < part->list.count; k++)
        for (size_t i = first[node_at(part, k)]; i < first[node_at(part, k) + 1]; i++) {
            if (!builder->held[i] || (builder->u[i] == 0 && builder->v[i] == 0)) continue;
            sg_complain(builder->diagnostics, SG_ERROR, part->node,
                        "moves '%s', which its body holds: displacement %g m, velocity %g m/s",
                        builder->system->labels.dof_names[i], builder->u[i], builder->v[i]);
            return;
        }
}

/* An item that is of the whole model says nothing else. */
static void check_alone(struct sg_builder *builder, const struct sg_setting *node, const char *word)
{
    bool file = strcmp(word, "results") == 0;
    for (const struct sg_keyword *row = sg_initial_rows; row->name != NULL; row++) {
        bool own = strcmp(row->name, word) == 0 || (file && strcmp(row->name, "at") == 0);
        if (own || !sg_setting_given(node, row->name)) continue;
        sg_complain_about(builder->diagnostics, SG_ERROR, node, row->name,
                          "is beside '%s', which is of the whole model: give it in an item of its own", word);
    }
}

static bool is_whole(struct sg_builder *builder, const struct sg_setting *node, const struct spec *spec)
{
    struct sg_system *system = builder->system;
    bool equilibrium = spec->equilibrium >= 0, results = spec->results != NULL;
    const char *word = results ? "results" : "equilibrium";
    if (!equilibrium && !results) return false;
    check_alone(builder, node, word);
    if (spec->equilibrium == 0) return true;
    if (system->equilibrium != NULL || system->continued != NULL)
        sg_complain_about(builder->diagnostics, SG_ERROR, node, word,
                          "the whole model has a start already, by another item");
    if (results)
        system->continued = node;
    else
        system->equilibrium = node;
    return true;
}

/* The state of another run is that of all bodies. */
static void check_others(struct sg_builder *builder)
{
    const struct sg_setting *node = builder->system->continued;
    if (node == NULL || sg_builder_count(builder, "initial") == 1) return;
    sg_complain_about(builder->diagnostics, SG_ERROR, node, "results",
                      "gives the state of all bodies: no other item of 'initial' may be beside it");
}

static sg_status read_group(struct sg_builder *builder, const struct sg_setting *node, bool *seen)
{
    struct spec spec = {0};
    sg_setting_fill(node, sg_initial_rows, &spec);
    if (is_whole(builder, node, &spec)) return SG_OK;
    struct part part = {.node = node, .axis = (size_t)spec.axis};
    if (!isnan(spec.at))
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "at", "is for 'results', which is not given");
    if (!find_part(builder, &spec, &part)) return SG_OK;
    mark_nodes(builder, &spec, &part, seen);
    if (part.axis >= builder->system->dim) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "axis", "%s is no axis of a model in %zu-D",
                          sg_axis_name(part.axis), builder->system->dim);
        return SG_OK;
    }
    struct field displacement = {.part = &part,
                                 .uniform = spec.displacement,
                                 .slope = spec.displacement_slope,
                                 .vector = spec.displacement_vector,
                                 .name = "displacement",
                                 .file = spec.displacement_table,
                                 .vector_file = spec.displacement_file,
                                 .values = builder->u};
    struct field velocity = {.part = &part,
                             .uniform = spec.velocity,
                             .slope = spec.velocity_slope,
                             .vector = spec.velocity_vector,
                             .name = "velocity",
                             .file = spec.velocity_table,
                             .vector_file = spec.velocity_file,
                             .values = builder->v};
    TRY(apply(builder, &displacement));
    TRY(apply(builder, &velocity));
    turn(builder, &part, "angle", spec.angle, builder->u);
    turn(builder, &part, "angular_velocity", spec.angular_velocity, builder->v);
    check_held(builder, &part);
    return SG_OK;
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
    const struct sg_setting *list = sg_setting_child(sg_deck_root(builder->deck), "initial");
    bool *seen = NULL;
    TRY(SG_NEW(&seen, builder->system->labels.node_count, builder->err));
    sg_status status = SG_OK;
    for (size_t k = 0; status == SG_OK && k < sg_builder_count(builder, "initial"); k++)
        status = read_group(builder, sg_setting_item(list, k), seen);
    sg_free(seen);
    check_others(builder);
    if (status == SG_OK) check_finite(builder);
    return status;
}
