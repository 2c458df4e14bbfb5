/* Results in the formats of other programs:
 *
 *     source.c     which histories are written, and their rows
 *     recompute.c  histories that were not recorded, from displacements
 *     csv.c        tables
 *     scene.c      the mesh and its fields, as ParaView wants them
 *     xdmf.c       all samples, to be played as a time series
 *     vtk.c        single states, a file each */
#ifndef SG_EXPORTING_EXPORT_H
#define SG_EXPORTING_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "exporting/source.h"
#include "results/reader.h"
#include "support/status.h"
#include "support/text.h"

/* A CSV file a history, one for the events and one for the points (not where histories were chosen), into a
 * folder that exists. A line about each file or folder that was written is appended to `told`, here and
 * below. */
sg_status sg_export_csv(const struct sg_export_source *source, const char *folder, struct sg_text *told,
                        struct sg_error *err);

/* A field over nodes or cells: `size` numbers each, a vector of 3 (0 where the model has fewer axes) or 1. */
struct sg_scene_field {
    const struct sg_series *series;
    char name[96];
    bool cells;
    size_t first,
        parts; /* which columns of the series' row, for item i: i * stride + first + 0 .. parts - 1 */
    size_t stride;
    bool dofs;   /* item i starts in column mesh.first_dof[i] instead, and may lack the part (0) */
    size_t size; /* 3 or 1 */
};

/* Cells are the elements, and a point for each node that no element has: it has no value in the fields of the
 * elements (NaN). */
struct sg_scene {
    const struct sg_export_source *source;
    const struct sg_series *time;
    const char *stem; /* name of the results file without folder and ending */
    struct sg_mesh mesh;
    size_t cell_count;
    size_t *loose; /* cell_count - element_count: nodes without elements */
    struct sg_scene_field *fields;
    size_t field_count;
    double *row;    /* a row of the widest series */
    double *values; /* 3 numbers a node or cell, whichever are more */
};

/* SG_NO_INPUT where there is no mesh or no history over it, saying how to record one. Source and `stem` are
 * borrowed. `scene` has to stay where it is while the arena lives. */
sg_status sg_scene_init(struct sg_arena *arena, struct sg_scene *scene, const struct sg_export_source *source,
                        const char *stem, struct sg_error *err);

/* nodes of cell c into `nodes` (SG_SHAPE_NODES), its shape into `shape`; gives how many */
size_t sg_scene_cell(const struct sg_scene *scene, size_t c, int *nodes, int *shape);

/* Gives how many items a field has, and its values at row `row` into scene->values: size numbers each. */
size_t sg_scene_items(const struct sg_scene *scene, const struct sg_scene_field *field);
sg_status sg_scene_read(struct sg_scene *scene, const struct sg_scene_field *field, size_t row,
                        struct sg_error *err);

/* The samples next to the times of a list, numbers with commas between: SG_USAGE if it is none. */
struct sg_scene_sample {
    size_t row;
    double t; /* s */
};
sg_status sg_scene_samples(struct sg_arena *arena, const struct sg_scene *scene, const char *wanted,
                           struct sg_scene_sample **samples, size_t *count, struct sg_error *err);

/* FOLDER/STEM.xdmf, and its numbers in FOLDER/STEM.xdmf.bin */
sg_status sg_export_xdmf(struct sg_scene *scene, const char *folder, struct sg_text *told,
                         struct sg_error *err);

/* FOLDER/STEM.ROW.vtk (legacy format, text) of the samples next to the times, numbers with commas between */
sg_status sg_export_states(struct sg_scene *scene, const char *folder, const char *times,
                           struct sg_text *told, struct sg_error *err);

/* opens FOLDER/NAME for writing; SG_NO_OUTPUT. To be closed by sg_export_close, which says SG_WRITE_FAILED if
 * anything could not be written; `status` goes first. */
sg_status sg_export_open(const char *folder, const char *name, FILE **file, struct sg_error *err);
sg_status sg_export_close(FILE *file, const char *name, sg_status status, struct sg_error *err);

#endif
