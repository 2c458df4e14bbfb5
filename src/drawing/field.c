#include "drawing/field.h"

#include <math.h>
#include <string.h>

#include "results/element_shape.h"

size_t sg_plot_outline(const struct sg_mesh *mesh, size_t element, size_t nodes[SG_OUTLINE_NODES])
{
    enum sg_element_shape shape = (enum sg_element_shape)mesh->shapes[element];
    size_t corners = sg_element_shape_corners(shape), count = 0;
    if (corners < 3) return 0;
    for (size_t edge = 0; edge < corners; edge++) {
        size_t place[3];
        bool middle = sg_element_shape_edge(shape, edge, place) == 3;
        nodes[count++] = (size_t)mesh->nodes[element * mesh->width + place[0]];
        if (middle) nodes[count++] = (size_t)mesh->nodes[element * mesh->width + place[2]];
    }
    return count;
}

/* --- the field ------------------------------------------------------------------------------------ */

/* One number an item: a field of the scene, or one axis of a field of vectors. */
struct part {
    const struct sg_scene_field *field;
    size_t axis;
    char name[98];
};

static struct part part_of(const struct sg_scene_field *field, size_t axis)
{
    struct part part = {.field = field, .axis = axis};
    if (field->size == 1)
        snprintf(part.name, sizeof part.name, "%s", field->name);
    else
        snprintf(part.name, sizeof part.name, "%s_%c", field->name, "xyz"[axis]);
    return part;
}

static sg_status find_part(const struct sg_scene *scene, const char *name, struct part *found,
                           struct sg_error *err)
{
    SG_LOCAL_TEXT(list);
    for (size_t i = 0; i < scene->field_count; i++)
        for (size_t axis = 0; axis < (scene->fields[i].size == 1 ? 1 : scene->fields[i].parts); axis++) {
            *found = part_of(&scene->fields[i], axis);
            if (strcmp(found->name, name) == 0) return SG_OK;
            sg_text_append(&list, " %s", found->name);
        }
    sg_fail(err, SG_USAGE, "the file has no field '%s'; there are:%s", name, sg_text_view(&list));
    return SG_USAGE;
}

static sg_status find_displacement(const struct sg_scene *scene, const struct sg_scene_field **found,
                                   struct sg_error *err)
{
    for (size_t i = 0; i < scene->field_count; i++) {
        *found = &scene->fields[i];
        if (strcmp((*found)->name, "displacement") == 0 && (*found)->size == 3) return SG_OK;
    }
    FAIL(err, SG_NO_INPUT,
         "the file has no displacements of all nodes: name \"displacement\" in the deck's output.histories, "
         "without output.nodes, or draw the undeformed mesh by --deform 0");
}

/* --- samples -------------------------------------------------------------------------------------- */

static sg_status read_values(struct sg_plot_field *plot, const struct part *part, size_t row,
                             struct sg_field_panel *panel, struct sg_error *err)
{
    const struct sg_mesh *mesh = &plot->scene.mesh;
    size_t count = plot->cells ? mesh->element_count : mesh->node_count;
    TRY(SG_ARENA_NEW(plot->arena, &panel->value, count, err));
    TRY(sg_scene_read(&plot->scene, part->field, row, err));
    for (size_t i = 0; i < count; i++)
        panel->value[i] = plot->scene.values[part->field->size * i + part->axis];
    return SG_OK;
}

static sg_status read_places(struct sg_plot_field *plot, size_t row, struct sg_field_panel *panel,
                             struct sg_error *err)
{
    const struct sg_mesh *mesh = &plot->scene.mesh;
    const struct sg_scene_field *displacement = NULL;
    TRY(SG_ARENA_NEW(plot->arena, &panel->position, 2 * mesh->node_count, err));
    memcpy(panel->position, mesh->positions, 2 * mesh->node_count * sizeof *panel->position);
    if (plot->deform == 0) return SG_OK;
    TRY(find_displacement(&plot->scene, &displacement, err));
    TRY(sg_scene_read(&plot->scene, displacement, row, err));
    for (size_t i = 0; i < mesh->node_count; i++)
        for (size_t d = 0; d < 2; d++)
            panel->position[2 * i + d] += plot->deform * plot->scene.values[3 * i + d];
    return SG_OK;
}

static sg_status read_panels(struct sg_plot_field *plot, const struct part *part, const char *times,
                             struct sg_error *err)
{
    struct sg_scene_sample *samples = NULL;
    size_t count = 0;
    TRY(sg_scene_samples(plot->arena, &plot->scene, times, &samples, &count, err));
    if (count > SG_FIELD_PANELS)
        FAIL(err, SG_USAGE, "--at: %zu times are more than the %d that a figure has room for", count,
             SG_FIELD_PANELS);
    for (size_t i = 0; i < count; i++) {
        struct sg_field_panel *panel = &plot->panels[plot->count++];
        panel->t = samples[i].t;
        TRY(read_values(plot, part, samples[i].row, panel, err));
        TRY(read_places(plot, samples[i].row, panel, err));
    }
    return SG_OK;
}

/* --- ranges --------------------------------------------------------------------------------------- */

static void widen(double *low, double *high, double value)
{
    if (!isfinite(value)) return;
    *low = fmin(*low, value);
    *high = fmax(*high, value);
}

static void widen_by_element(struct sg_plot_field *plot, const struct sg_field_panel *panel, size_t element)
{
    const struct sg_mesh *mesh = &plot->scene.mesh;
    size_t nodes[SG_OUTLINE_NODES], count = sg_plot_outline(mesh, element, nodes);
    for (size_t k = 0; k < count; k++)
        for (size_t d = 0; d < 2; d++)
            widen(&plot->low[d], &plot->high[d], panel->position[2 * nodes[k] + d]);
    if (plot->cells && count > 0) widen(&plot->least, &plot->most, panel->value[element]);
    if (plot->cells || count == 0) return;
    for (size_t k = 0; k < sg_element_shape_nodes((enum sg_element_shape)mesh->shapes[element]); k++)
        widen(&plot->least, &plot->most, panel->value[mesh->nodes[element * mesh->width + k]]);
}

static sg_status find_ranges(struct sg_plot_field *plot, struct sg_error *err)
{
    plot->low[0] = plot->low[1] = plot->least = HUGE_VAL;
    plot->high[0] = plot->high[1] = plot->most = -HUGE_VAL;
    for (size_t i = 0; i < plot->count; i++)
        for (size_t e = 0; e < plot->scene.mesh.element_count; e++)
            widen_by_element(plot, &plot->panels[i], e);
    if (plot->least > plot->most) plot->least = plot->most = 0;
    bool drawable = plot->high[0] > plot->low[0] && plot->high[1] > plot->low[1] &&
                    isfinite(plot->high[0] - plot->low[0]) && isfinite(plot->high[1] - plot->low[1]);
    if (!drawable) FAIL(err, SG_NO_INPUT, "the mesh has no extent that could be drawn");
    return SG_OK;
}

/* -------------------------------------------------------------------------------------------------- */

static sg_status check_mesh(struct sg_plot_field *plot, struct sg_error *err)
{
    const struct sg_mesh *mesh = &plot->scene.mesh;
    for (size_t e = 0; mesh->dim == 2 && e < mesh->element_count; e++) {
        size_t nodes[SG_OUTLINE_NODES];
        plot->drawn += sg_plot_outline(mesh, e, nodes) > 0;
    }
    if (plot->drawn > 0) return SG_OK;
    FAIL(err, SG_NO_INPUT,
         "fields are drawn over triangles and quadrilaterals in a plane, the model has none");
}

sg_status sg_plot_field_init(struct sg_arena *arena, struct sg_plot_field *plot,
                             const struct sg_reader *reader, const struct sg_field_wish *wish,
                             struct sg_error *err)
{
    struct part part = {0};
    *plot = (struct sg_plot_field){.arena = arena, .deform = wish->deform};
    TRY(sg_export_source_init(arena, &plot->source, reader, "", NULL, err));
    TRY(sg_scene_init(arena, &plot->scene, &plot->source, "", err));
    TRY(check_mesh(plot, err));
    TRY(find_part(&plot->scene, wish->name, &part, err));
    plot->title = sg_reader_attribute(reader, "title");
    plot->unit = part.field->series->unit;
    plot->cells = part.field->cells;
    snprintf(plot->name, sizeof plot->name, "%.90s", part.name);
    TRY(read_panels(plot, &part, wish->times, err));
    return find_ranges(plot, err);
}
