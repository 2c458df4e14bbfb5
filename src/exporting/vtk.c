/* Single states in VTK's legacy format, version 3.0, as text: what every tool for meshes can read. */
#include "exporting/export.h"

#include "results/element_shape.h"
#include "support/memory.h"

static void put_points(const struct sg_scene *scene, FILE *file)
{
    const struct sg_mesh *mesh = &scene->mesh;
    fprintf(file, "POINTS %zu double\n", mesh->node_count);
    for (size_t i = 0; i < mesh->node_count; i++)
        for (size_t d = 0; d < 3; d++)
            fprintf(file, "%.17g%c", d < mesh->dim ? mesh->positions[i * mesh->dim + d] : 0.0,
                    d < 2 ? ' ' : '\n');
}

static void put_cells(const struct sg_scene *scene, FILE *file)
{
    int nodes[SG_SHAPE_NODES], shape;
    size_t numbers = 0;
    for (size_t c = 0; c < scene->cell_count; c++) numbers += 1 + sg_scene_cell(scene, c, nodes, &shape);
    fprintf(file, "CELLS %zu %zu\n", scene->cell_count, numbers);
    for (size_t c = 0; c < scene->cell_count; c++) {
        size_t count = sg_scene_cell(scene, c, nodes, &shape);
        fprintf(file, "%zu", count);
        for (size_t k = 0; k < count; k++) fprintf(file, " %d", nodes[k]);
        fputc('\n', file);
    }
    fprintf(file, "CELL_TYPES %zu\n", scene->cell_count);
    for (size_t c = 0; c < scene->cell_count; c++) {
        sg_scene_cell(scene, c, nodes, &shape);
        fprintf(file, "%d\n", sg_element_shape_vtk((enum sg_element_shape)shape));
    }
}

static sg_status put_field(struct sg_scene *scene, const struct sg_scene_field *field, size_t row, FILE *file,
                           struct sg_error *err)
{
    size_t items = sg_scene_items(scene, field);
    TRY(sg_scene_read(scene, field, row, err));
    /* The format ends a name at a blank: those of histories have none. */
    fprintf(file, field->size == 3 ? "VECTORS %s double\n" : "SCALARS %s double 1\nLOOKUP_TABLE default\n",
            field->name);
    for (size_t i = 0, k = 0; i < items; i++)
        for (size_t part = 0; part < field->size; part++, k++)
            fprintf(file, "%.17g%c", scene->values[k], part + 1 < field->size ? ' ' : '\n');
    return SG_OK;
}

/* Writes the fields of cells or those of nodes, behind a line that says which they are. */
static sg_status put_fields(struct sg_scene *scene, bool cells, size_t row, FILE *file, struct sg_error *err)
{
    bool first = true;
    for (size_t k = 0; k < scene->field_count; k++) {
        if (scene->fields[k].cells != cells) continue;
        if (first && cells) fprintf(file, "CELL_DATA %zu\n", scene->cell_count);
        if (first && !cells) fprintf(file, "POINT_DATA %zu\n", scene->mesh.node_count);
        first = false;
        TRY(put_field(scene, &scene->fields[k], row, file, err));
    }
    return SG_OK;
}

static sg_status put_state(struct sg_scene *scene, size_t row, double t, FILE *file, struct sg_error *err)
{
    fprintf(file, "# vtk DataFile Version 3.0\n%.200s, t = %.17g s\nASCII\nDATASET UNSTRUCTURED_GRID\n",
            scene->stem, t);
    fprintf(file, "FIELD FieldData 1\nTIME 1 1 double\n%.17g\n", t);
    put_points(scene, file);
    put_cells(scene, file);
    TRY(put_fields(scene, false, row, file, err));
    return put_fields(scene, true, row, file, err);
}

static sg_status write_state(struct sg_scene *scene, const char *folder, const struct sg_scene_sample *sample,
                             struct sg_text *told, struct sg_error *err)
{
    char name[300];
    FILE *file = NULL;
    snprintf(name, sizeof name, "%.250s.%zu.vtk", scene->stem, sample->row);
    TRY(sg_export_open(folder, name, &file, err));
    sg_status status = sg_export_close(file, name, put_state(scene, sample->row, sample->t, file, err), err);
    if (status == SG_OK) sg_text_append(told, "%s/%s: t = %.9g s\n", folder, name, sample->t);
    return status;
}

sg_status sg_export_states(struct sg_scene *scene, const char *folder, const char *times,
                           struct sg_text *told, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_scene_sample *samples = NULL;
    size_t count = 0;
    TRY(sg_scene_samples(&scratch, scene, times, &samples, &count, err));
    for (size_t i = 0; i < count; i++) TRY(write_state(scene, folder, &samples[i], told, err));
    return SG_OK;
}
