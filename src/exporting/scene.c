/* The mesh of a results file, and the histories that have a value for each of its nodes or elements. */
#define _POSIX_C_SOURCE 200809L
#include "exporting/export.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "results/element_shape.h"
#include "support/plain_numbers.h"

static size_t count_parts(const char *parts)
{
    size_t count = 1;
    for (const char *c = parts; *c != '\0'; c++) count += *c == ',';
    return count;
}

/* Tells how many of the first parts are the axes of a vector. */
static size_t count_axes(const char *parts)
{
    size_t count = 0;
    for (const char *c = parts; count < 3 && *c == "xyz"[count] && (c[1] == '\0' || c[1] == ','); c += 2) {
        count++;
        if (c[1] == '\0') break;
    }
    return count;
}

/* Names a part of a series: part 2 of "xx,yy,xy" is "stress_xy". */
static void name_part(struct sg_scene_field *field, const char *parts, size_t part)
{
    for (size_t k = 0; k < part; k++) parts = strchr(parts, ',') + 1;
    int length = (int)strcspn(parts, ",");
    snprintf(field->name, sizeof field->name, "%.60s%s%.*s", field->series->name, length > 0 ? "_" : "",
             length > 20 ? 20 : length, parts);
}

static void add_series(struct sg_scene *scene, const struct sg_series *series)
{
    const char *parts = series->field.parts;
    bool cells = strcmp(series->field.location, "elements") == 0;
    bool dofs = strcmp(series->field.location, "dofs") == 0;
    const struct sg_mesh *mesh = &scene->mesh;
    size_t count = count_parts(parts), axes = count_axes(parts),
           width = series->width == 0 ? 1 : series->width;
    size_t items = cells ? mesh->element_count : mesh->node_count;
    if (dofs && (mesh->first_dof == NULL || width != mesh->first_dof[mesh->node_count])) return;
    if (items == 0 || (!dofs && width != items * count)) return;
    for (size_t k = 0; k < count; k = k < axes ? axes : k + 1) {
        struct sg_scene_field *field = &scene->fields[scene->field_count++];
        *field = (struct sg_scene_field){.series = series,
                                         .cells = cells,
                                         .dofs = dofs,
                                         .first = k,
                                         .parts = k < axes ? axes : 1,
                                         .stride = count,
                                         .size = k < axes ? 3 : 1};
        if (k < axes)
            snprintf(field->name, sizeof field->name, "%.90s", series->name);
        else
            name_part(field, parts, k);
    }
}

static sg_status find_fields(struct sg_arena *arena, struct sg_scene *scene, struct sg_error *err)
{
    size_t most = 0, widest = 1;
    for (size_t i = 0; i < scene->source->count; i++) {
        const struct sg_series *series = scene->source->series[i];
        if (series->field.location == NULL) continue;
        most += count_parts(series->field.parts);
        if (series->width > widest) widest = series->width;
    }
    TRY(SG_ARENA_NEW(arena, &scene->fields, most, err));
    TRY(SG_ARENA_NEW(arena, &scene->row, widest, err));
    for (size_t i = 0; i < scene->source->count; i++)
        if (scene->source->series[i]->field.location != NULL) add_series(scene, scene->source->series[i]);
    if (scene->field_count > 0) return SG_OK;
    FAIL(err, SG_NO_INPUT,
         "the file has no history of all nodes or elements: name one in the deck's output.histories "
         "(\"displacement\"), without output.nodes");
}

static sg_status find_loose(struct sg_arena *arena, struct sg_scene *scene, struct sg_error *err)
{
    const struct sg_mesh *mesh = &scene->mesh;
    SG_LOCAL_ARENA(scratch);
    unsigned char *joined = NULL;
    TRY(SG_ARENA_NEW(&scratch, &joined, mesh->node_count, err));
    for (size_t i = 0; i < mesh->element_count * mesh->width; i++)
        if (mesh->nodes[i] >= 0) joined[mesh->nodes[i]] = 1;
    scene->cell_count = mesh->element_count;
    for (size_t i = 0; i < mesh->node_count; i++) scene->cell_count += joined[i] == 0;
    TRY(SG_ARENA_NEW(arena, &scene->loose, scene->cell_count - mesh->element_count, err));
    for (size_t i = 0, k = 0; i < mesh->node_count; i++)
        if (joined[i] == 0) scene->loose[k++] = i;
    return SG_OK;
}

sg_status sg_scene_init(struct sg_arena *arena, struct sg_scene *scene, const struct sg_export_source *source,
                        const char *stem, struct sg_error *err)
{
    *scene = (struct sg_scene){.source = source, .stem = stem};
    scene->time = sg_reader_scale(source->reader, SG_SERIES_HISTORY);
    if (scene->time == NULL || scene->time->rows == 0)
        FAIL(err, SG_NO_INPUT, "the file has no samples in /history");
    TRY(sg_reader_mesh(arena, source->reader, &scene->mesh, err));
    TRY(find_fields(arena, scene, err));
    TRY(find_loose(arena, scene, err));
    size_t nodes = scene->mesh.node_count, cells = scene->cell_count;
    return SG_ARENA_NEW(arena, &scene->values, 3 * (nodes > cells ? nodes : cells), err);
}

size_t sg_scene_cell(const struct sg_scene *scene, size_t c, int *nodes, int *shape)
{
    const struct sg_mesh *mesh = &scene->mesh;
    if (c >= mesh->element_count) {
        nodes[0] = (int)scene->loose[c - mesh->element_count];
        *shape = SG_SHAPE_POINT;
        return 1;
    }
    *shape = mesh->shapes[c];
    size_t count = sg_element_shape_nodes((enum sg_element_shape) * shape);
    memcpy(nodes, mesh->nodes + c * mesh->width, count * sizeof *nodes);
    return count;
}

size_t sg_scene_items(const struct sg_scene *scene, const struct sg_scene_field *field)
{
    return field->cells ? scene->cell_count : scene->mesh.node_count;
}

/* Part k of item i; 0 where the item lacks it. */
static double part_of(const struct sg_scene *scene, const struct sg_scene_field *field, size_t i, size_t k)
{
    if (k >= field->parts) return 0.0;
    if (!field->dofs) return scene->row[i * field->stride + field->first + k];
    size_t column = scene->mesh.first_dof[i] + field->first + k;
    return column < scene->mesh.first_dof[i + 1] ? scene->row[column] : 0.0;
}

sg_status sg_scene_read(struct sg_scene *scene, const struct sg_scene_field *field, size_t row,
                        struct sg_error *err)
{
    size_t known = field->cells ? scene->mesh.element_count : scene->mesh.node_count;
    TRY(sg_export_source_rows(scene->source, field->series, row, 1, scene->row, err));
    for (size_t i = 0; i < sg_scene_items(scene, field); i++)
        for (size_t k = 0; k < field->size; k++) {
            double *value = &scene->values[i * field->size + k];
            *value = i >= known ? NAN : part_of(scene, field, i, k);
        }
    return SG_OK;
}

/* Times rise: beside a huge t all distances would round to one. */
static size_t nearest(const double *times, size_t count, double t)
{
    size_t after = 0;
    while (after < count && times[after] < t) after++;
    if (after == 0) return 0;
    if (after == count) return count - 1;
    return t - times[after - 1] <= times[after] - t ? after - 1 : after;
}

static sg_status find_samples(const char *wanted, const double *times, size_t rows,
                              struct sg_scene_sample *samples, struct sg_error *err)
{
    for (const char *c = wanted;; samples++) {
        char *end = NULL;
        double t = sg_plain_number(c, &end);
        if (end == c || !isfinite(t) || (*end != ',' && *end != '\0'))
            FAIL(err, SG_USAGE, "--at: '%s' is no list of times, like 0.1,0.2", wanted);
        samples->row = nearest(times, rows, t);
        samples->t = times[samples->row];
        if (*end == '\0') return SG_OK;
        c = end + 1;
    }
}

sg_status sg_scene_samples(struct sg_arena *arena, const struct sg_scene *scene, const char *wanted,
                           struct sg_scene_sample **samples, size_t *count, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    double *times = NULL;
    size_t rows = scene->time->rows;
    *count = count_parts(wanted);
    TRY(SG_ARENA_NEW(arena, samples, *count, err));
    TRY(SG_ARENA_NEW(&scratch, &times, rows, err));
    TRY(sg_reader_rows(scene->source->reader, scene->time, 0, rows, times, err));
    return find_samples(wanted, times, rows, *samples, err);
}

sg_status sg_export_open(const char *folder, const char *name, FILE **file, struct sg_error *err)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path)
        FAIL(err, SG_NO_OUTPUT, "the path '%s/%s' is too long", folder, name);
    *file = fopen(path, "w");
    if (*file == NULL) FAIL(err, SG_NO_OUTPUT, "can't create '%s': %s", path, strerror(errno));
    return SG_OK;
}

sg_status sg_export_close(FILE *file, const char *name, sg_status status, struct sg_error *err)
{
    if (file == NULL) return status;
    bool failed = ferror(file) != 0;
    failed = fclose(file) != 0 || failed;
    if (status == SG_OK && failed) FAIL(err, SG_WRITE_FAILED, "can't write '%s': %s", name, strerror(errno));
    return status;
}
