#define _POSIX_C_SOURCE 200809L
#include "results/reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hdf5_hl.h>

#include "results/element_shape.h"
#include "results/hdf.h"
#include "results/layout.h"
#include "support/arena.h"
#include "support/memory.h"

/* A checksum that is wrong because of a writer is right soon. HDF5 waits 1 ns, 2 ns, 4 ns ... between its
 * attempts: these take 0.1 s for good, the default (100) would never end on a damaged file. */
enum { READ_ATTEMPTS = 27 };

enum { ATTRIBUTES = 11, LABEL_LISTS = 5 };

static const char *const attribute_names[ATTRIBUTES] = {
    "title",           "program", "version",     "commit", "created", "deck_sha256",
    "resolved_sha256", "host",    "conventions", "status", "mass"};

static const char *const label_names[] = {"dof_names", "contact_names", "body_names", "constraint_names",
                                          "storey_names"};

static const char *const group_names[] = {
    [SG_SERIES_HISTORY] = "history", [SG_SERIES_EVENTS] = "events", [SG_SERIES_POINTS] = "points"};

enum { GROUPS = sizeof group_names / sizeof *group_names };

struct entry {
    struct sg_series series;
    char *name, *unit, *description, *location, *parts; /* series borrows them */
    hid_t set;
};

struct sg_reader {
    struct sg_arena arena; /* of all but the file's ids */
    char *path;
    hid_t file;
    char *attributes[ATTRIBUTES];
    char **labels[LABEL_LISTS];
    size_t label_counts[LABEL_LISTS];
    struct entry *entries;
    size_t count, capacity;
};

/* --- text ----------------------------------------------------------------------------------------- */

static sg_status copy_fixed(struct sg_arena *arena, hid_t attribute, hid_t type, char **out,
                            struct sg_error *err)
{
    size_t size = H5Tget_size(type);
    TRY(sg_arena_alloc(arena, size + 1, 1, "attribute", out, err));
    if (H5Aread(attribute, type, *out) < 0) (*out)[0] = '\0';
    return SG_OK;
}

static sg_status copy_variable(struct sg_arena *arena, hid_t attribute, hid_t type, char **out,
                               struct sg_error *err)
{
    char *text = NULL;
    if (H5Aread(attribute, type, &text) < 0 || text == NULL) return sg_arena_copy_text(arena, "", out, err);
    sg_status status = sg_arena_copy_text(arena, text, out, err);
    H5free_memory(text);
    return status;
}

/* a scalar text attribute of either kind; "" if it is missing or something else */
static sg_status read_text(struct sg_arena *arena, hid_t object, const char *name, char **out,
                           struct sg_error *err)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t type = attribute >= 0 ? H5Aget_type(attribute) : H5I_INVALID_HID;
    hid_t space = attribute >= 0 ? H5Aget_space(attribute) : H5I_INVALID_HID;
    bool scalar = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
    sg_status status = SG_OK;
    if (!scalar || H5Tget_class(type) != H5T_STRING)
        status = sg_arena_copy_text(arena, "", out, err);
    else if (H5Tis_variable_str(type) > 0)
        status = copy_variable(arena, attribute, type, out, err);
    else
        status = copy_fixed(arena, attribute, type, out, err);
    sg_hdf_close(space);
    sg_hdf_close(type);
    sg_hdf_close(attribute);
    return status;
}

static sg_status read_attributes(struct sg_reader *reader, struct sg_error *err)
{
    hid_t root = H5Gopen2(reader->file, "/", H5P_DEFAULT);
    sg_status status = SG_OK;
    for (size_t i = 0; i < ATTRIBUTES && status == SG_OK; i++)
        status = read_text(&reader->arena, root, attribute_names[i], &reader->attributes[i], err);
    sg_hdf_close(root);
    TRY(status);
    if (strncmp(sg_reader_attribute(reader, "conventions"), "signorini-results-", 18) != 0)
        FAIL(err, SG_NO_INPUT, "'%s' is not a results file of signorini: no attribute 'conventions'",
             reader->path);
    return SG_OK;
}

static sg_status copy_labels(struct sg_reader *reader, size_t list, char *const *texts, size_t count,
                             struct sg_error *err)
{
    TRY(SG_ARENA_NEW(&reader->arena, &reader->labels[list], count, err));
    for (size_t i = 0; i < count; i++) {
        TRY(sg_arena_copy_text(&reader->arena, texts[i] == NULL ? "" : texts[i], &reader->labels[list][i],
                               err));
        reader->label_counts[list] = i + 1;
    }
    return SG_OK;
}

static sg_status read_label_set(struct sg_reader *reader, size_t list, hid_t set, struct sg_error *err)
{
    hid_t type = sg_hdf_text_type();
    hid_t space = H5Dget_space(set);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    SG_AUTO_FREE char **texts = NULL;
    sg_status status = SG_OK;
    if (count > 0) status = SG_NEW(&texts, (size_t)count, err);
    if (count > 0 && status == SG_OK && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts) >= 0) {
        status = copy_labels(reader, list, texts, (size_t)count, err);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts);
    }
    sg_hdf_close(space);
    sg_hdf_close(type);
    return status;
}

static sg_status read_labels(struct sg_reader *reader, struct sg_error *err)
{
    hid_t model = H5Gopen2(reader->file, "model", H5P_DEFAULT);
    sg_status status = SG_OK;
    for (size_t i = 0; model >= 0 && i < LABEL_LISTS && status == SG_OK; i++) {
        hid_t set = H5Dopen2(model, label_names[i], H5P_DEFAULT);
        if (set >= 0) status = read_label_set(reader, i, set, err);
        sg_hdf_close(set);
    }
    sg_hdf_close(model);
    return status;
}

/* a scalar text of the file's own kind */
static bool read_scalar_text(hid_t set, char **text)
{
    hid_t type = sg_hdf_text_type(), space = set >= 0 ? H5Dget_space(set) : H5I_INVALID_HID;
    *text = NULL;
    bool read = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    sg_hdf_close(space);
    sg_hdf_close(type);
    return read && *text != NULL;
}

sg_status sg_reader_deck(const struct sg_reader *reader, const char *name, char **text, struct sg_error *err)
{
    char *held = NULL;
    hid_t deck = H5Gopen2(reader->file, "deck", H5P_DEFAULT);
    hid_t set = deck >= 0 ? H5Dopen2(deck, name, H5P_DEFAULT) : H5I_INVALID_HID;
    bool read = read_scalar_text(set, &held);
    sg_status status = read ? sg_copy_text(held, text, err) : SG_OK;
    H5free_memory(held);
    sg_hdf_close(set);
    sg_hdf_close(deck);
    if (!read) FAIL(err, SG_NO_INPUT, "'%s' has no text /deck/%s", reader->path, name);
    return status;
}

/* --- series --------------------------------------------------------------------------------------- */

struct visit {
    struct sg_reader *reader;
    enum sg_series_group group;
    hid_t parent;
    struct sg_error *err;
    sg_status status;
};

static bool is_series(hid_t set, struct sg_series *series)
{
    hsize_t size[2] = {0, 0};
    hid_t space = H5Dget_space(set);
    hid_t type = H5Dget_type(set);
    int rank = space >= 0 ? H5Sget_simple_extent_ndims(space) : 0;
    H5T_class_t kind = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    bool numeric = kind == H5T_FLOAT || kind == H5T_INTEGER || kind == H5T_ENUM;
    bool good = numeric && (rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space, size, NULL) >= 0 &&
                (rank == 1 || size[1] > 0);
    series->rows = (size_t)size[0];
    series->width = rank == 2 ? (size_t)size[1] : 0;
    series->scale = rank == 1 && H5DSis_scale(set) > 0;
    sg_hdf_close(type);
    sg_hdf_close(space);
    return good;
}

static sg_status add_entry(const struct visit *visit, const char *name, hid_t set, struct sg_error *err)
{
    struct sg_reader *reader = visit->reader;
    struct sg_series series = {.group = visit->group};
    if (!is_series(set, &series)) {
        sg_hdf_close(set);
        return SG_OK;
    }
    struct sg_arena *arena = &reader->arena;
    sg_status status = sg_arena_grow(arena, &reader->entries, reader->count, &reader->capacity,
                                     sizeof *reader->entries, err);
    if (status != SG_OK) {
        sg_hdf_close(set);
        return status;
    }
    struct entry *entry = &reader->entries[reader->count++];
    *entry = (struct entry){.series = series, .set = set};
    TRY(sg_arena_copy_text(arena, name, &entry->name, err));
    TRY(read_text(arena, set, "units", &entry->unit, err));
    TRY(read_text(arena, set, "description", &entry->description, err));
    TRY(read_text(arena, set, "location", &entry->location, err));
    TRY(read_text(arena, set, "parts", &entry->parts, err));
    if (entry->location[0] != '\0') entry->series.field = (struct sg_field){entry->location, entry->parts};
    entry->series.name = entry->name;
    entry->series.unit = entry->unit;
    entry->series.description = entry->description;
    return SG_OK;
}

static herr_t visit_object(hid_t object, const char *name, const sg_hdf_object *info, void *memory)
{
    struct visit *visit = memory;
    (void)object;
    if (info->type != H5O_TYPE_DATASET) return 0;
    hid_t set = H5Dopen2(visit->parent, name, H5P_DEFAULT);
    if (set < 0)
        visit->status = sg_hdf_fail(visit->err, SG_NO_INPUT, visit->parent, "read", name);
    else
        visit->status = add_entry(visit, name, set, visit->err);
    return visit->status == SG_OK ? 0 : -1;
}

static sg_status read_group(struct sg_reader *reader, enum sg_series_group group, struct sg_error *err)
{
    if (H5Lexists(reader->file, group_names[group], H5P_DEFAULT) <= 0) return SG_OK;
    hid_t parent = H5Gopen2(reader->file, group_names[group], H5P_DEFAULT);
    if (parent < 0) return sg_hdf_fail(err, SG_NO_INPUT, reader->file, "read", group_names[group]);
    struct visit visit = {reader, group, parent, err, SG_OK};
    herr_t visited = sg_hdf_visit(parent, visit_object, &visit);
    if (visited < 0 && visit.status == SG_OK)
        visit.status = sg_hdf_fail(err, SG_NO_INPUT, reader->file, "read", group_names[group]);
    sg_hdf_close(parent);
    return visit.status;
}

static int by_group_and_name(const void *a, const void *b)
{
    const struct sg_series *x = &((const struct entry *)a)->series, *y = &((const struct entry *)b)->series;
    if (x->group != y->group) return (int)x->group - (int)y->group;
    if (x->scale != y->scale) return x->scale ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void level_rows(struct sg_reader *reader)
{
    size_t least[GROUPS];
    for (size_t g = 0; g < GROUPS; g++) least[g] = SIZE_MAX;
    for (size_t i = 0; i < reader->count; i++) {
        const struct sg_series *series = &reader->entries[i].series;
        if (series->rows < least[series->group]) least[series->group] = series->rows;
    }
    for (size_t i = 0; i < reader->count; i++)
        reader->entries[i].series.rows = least[reader->entries[i].series.group];
}

static sg_status read_series(struct sg_reader *reader, struct sg_error *err)
{
    for (int group = 0; group < GROUPS; group++) TRY(read_group(reader, (enum sg_series_group)group, err));
    if (reader->count > 1) qsort(reader->entries, reader->count, sizeof *reader->entries, by_group_and_name);
    level_rows(reader);
    return SG_OK;
}

/* --- open and close ------------------------------------------------------------------------------- */

/* a file under way, or left by a killed run, opens only as a follower; a complete one only without */
static sg_status open_file(struct sg_reader *reader, struct sg_error *err)
{
    if (access(reader->path, R_OK) != 0)
        FAIL(err, SG_NO_INPUT, "can't open '%s': %s", reader->path, strerror(errno));
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    if (list >= 0 && H5Pset_file_locking(list, 0, 1) >= 0 &&
        H5Pset_metadata_read_attempts(list, READ_ATTEMPTS) >= 0) {
        reader->file = H5Fopen(reader->path, H5F_ACC_RDONLY, list);
        if (reader->file < 0) reader->file = H5Fopen(reader->path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, list);
    }
    sg_status status =
        reader->file >= 0 ? SG_OK : sg_hdf_fail(err, SG_NO_INPUT, H5I_INVALID_HID, "open", reader->path);
    sg_hdf_close(list);
    return status;
}

static sg_status read_all(struct sg_reader *reader, const char *path, struct sg_error *err)
{
    TRY(sg_arena_copy_text(&reader->arena, path, &reader->path, err));
    TRY(open_file(reader, err));
    TRY(sg_hdf_check_inside(reader->file, reader->path, err));
    TRY(read_attributes(reader, err));
    TRY(read_labels(reader, err));
    return read_series(reader, err);
}

sg_status sg_reader_open_here(const char *path, struct sg_reader **reader, struct sg_error *err)
{
    sg_hdf_quiet();
    TRY(SG_NEW(reader, 1, err));
    (*reader)->file = H5I_INVALID_HID;
    sg_status status = read_all(*reader, path, err);
    if (status == SG_OK) return SG_OK;
    sg_reader_close(*reader);
    *reader = NULL;
    return status;
}

void sg_reader_close(struct sg_reader *reader)
{
    if (reader == NULL) return;
    for (size_t i = 0; i < reader->count; i++) sg_hdf_close(reader->entries[i].set);
    sg_hdf_close(reader->file);
    sg_arena_release(&reader->arena);
    sg_free(reader);
}

/* --- questions ------------------------------------------------------------------------------------ */

size_t sg_reader_count(const struct sg_reader *reader)
{
    return reader->count;
}

const struct sg_series *sg_reader_series(const struct sg_reader *reader, size_t index)
{
    return &reader->entries[index].series;
}

const struct sg_series *sg_reader_find(const struct sg_reader *reader, enum sg_series_group group,
                                       const char *name)
{
    for (size_t i = 0; i < reader->count; i++) {
        const struct sg_series *series = &reader->entries[i].series;
        if (series->group == group && strcmp(series->name, name) == 0) return series;
    }
    return NULL;
}

const struct sg_series *sg_reader_scale(const struct sg_reader *reader, enum sg_series_group group)
{
    for (size_t i = 0; i < reader->count; i++) {
        const struct sg_series *series = &reader->entries[i].series;
        if (series->group == group && series->scale) return series;
    }
    return NULL;
}

sg_status sg_reader_rows(const struct sg_reader *reader, const struct sg_series *series, size_t first,
                         size_t count, double *out, struct sg_error *err)
{
    /* the series is the first member of its entry */
    const struct entry *entry = (const struct entry *)(const void *)series;
    hsize_t start[2] = {first, 0}, size[2] = {count, series->width};
    if (count == 0) return SG_OK;
    if (first + count > series->rows)
        FAIL(err, SG_INTERNAL, "rows %zu to %zu of '%s' were asked for; '%s' has %zu", first,
             first + count - 1, series->name, reader->path, series->rows);
    hid_t space = H5Dget_space(entry->set);
    hid_t memory = H5Screate_simple(series->width == 0 ? 1 : 2, size, NULL);
    bool read = space >= 0 && memory >= 0 &&
                H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                H5Dread(entry->set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out) >= 0;
    sg_status status = read ? SG_OK : sg_hdf_fail(err, SG_NO_INPUT, reader->file, "read", series->name);
    sg_hdf_close(memory);
    sg_hdf_close(space);
    return status;
}

const char *sg_reader_attribute(const struct sg_reader *reader, const char *name)
{
    for (size_t i = 0; i < ATTRIBUTES; i++) {
        if (strcmp(attribute_names[i], name) == 0 && reader->attributes[i] != NULL)
            return reader->attributes[i];
    }
    return "";
}

void sg_reader_summary(const struct sg_reader *reader, struct sg_summary *summary)
{
    hid_t group = H5Gopen2(reader->file, "summary", H5P_DEFAULT);
    sg_layout_get_summary(group, summary);
    sg_hdf_close(group);
}

double sg_reader_summary_value(const struct sg_reader *reader, const char *name)
{
    struct sg_summary summary;
    sg_reader_summary(reader, &summary);
    return sg_summary_value(&summary, name);
}

struct sg_labels sg_reader_labels(const struct sg_reader *reader, const char *name)
{
    for (size_t i = 0; i < LABEL_LISTS; i++) {
        if (strcmp(label_names[i], name) == 0)
            return (struct sg_labels){(const char *const *)reader->labels[i], reader->label_counts[i]};
    }
    return (struct sg_labels){0};
}

static bool is_by_dof(const char *name)
{
    if (strncmp(name, "absolute_", strlen("absolute_")) == 0) name += strlen("absolute_");
    return strcmp(name, "displacement") == 0 || strcmp(name, "velocity") == 0 ||
           strcmp(name, "acceleration") == 0;
}

static bool is_by_axis(const struct sg_series *series)
{
    bool named = strncmp(series->name, "momentum", 8) == 0 || strncmp(series->name, "ground/", 7) == 0;
    return named && series->width <= 3;
}

void sg_reader_column_label(const struct sg_reader *reader, const struct sg_series *series, size_t column,
                            char *label, size_t size)
{
    static const char *const axes[] = {"x", "y", "z"};
    bool by_dof = is_by_dof(series->name), by_axis = is_by_axis(series);
    bool by_body = strncmp(series->name, "center/", 7) == 0;
    bool by_storey = strncmp(series->name, "drift", 5) == 0;
    bool by_constraint = strncmp(series->name, "constraint_", 11) == 0;
    struct sg_labels labels = sg_reader_labels(reader, by_dof          ? "dof_names"
                                                       : by_body       ? "body_names"
                                                       : by_constraint ? "constraint_names"
                                                       : by_storey     ? "storey_names"
                                                                       : "contact_names");
    if (series->width == 0)
        snprintf(label, size, "%s", "");
    else if (by_axis)
        snprintf(label, size, "%s", axes[column]);
    else if (labels.count == series->width)
        snprintf(label, size, "%s", labels.items[column]);
    else if (by_body && (labels.count * 2 == series->width || labels.count * 3 == series->width))
        snprintf(label, size, "%s.%s", labels.items[column / (series->width / labels.count)],
                 axes[column % (series->width / labels.count)]);
    else
        snprintf(label, size, "%zu", column);
}

const char *sg_reader_event_kind(double kind)
{
    return kind >= 0 && kind < 127 ? sg_layout_event_kind_name((int)kind) : "?";
}

/* --- mesh ----------------------------------------------------------------------------------------- */

/* The sizes of a dataset of /model, which is left open for its reading; false if there is none of that rank.
 */
static bool open_table(hid_t model, const char *name, int rank, hid_t *set, hsize_t size[2])
{
    *set = model >= 0 && H5Lexists(model, name, H5P_DEFAULT) > 0 ? H5Dopen2(model, name, H5P_DEFAULT)
                                                                 : H5I_INVALID_HID;
    hid_t space = *set >= 0 ? H5Dget_space(*set) : H5I_INVALID_HID;
    bool good = space >= 0 && H5Sget_simple_extent_ndims(space) == rank &&
                H5Sget_simple_extent_dims(space, size, NULL) >= 0;
    sg_hdf_close(space);
    return good;
}

static bool read_table(hid_t set, hid_t type, hsize_t count, void *out)
{
    return count == 0 || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
}

/* every element has a shape, and its nodes are nodes */
static bool is_sound(const struct sg_mesh *mesh)
{
    for (size_t e = 0; e < mesh->element_count; e++) {
        int shape = mesh->shapes[e];
        if (shape < 0 || shape >= SG_SHAPE_COUNT ||
            sg_element_shape_nodes((enum sg_element_shape)shape) > mesh->width)
            return false;
        for (size_t k = 0; k < sg_element_shape_nodes((enum sg_element_shape)shape); k++) {
            int node = mesh->nodes[e * mesh->width + k];
            if (node < 0 || (size_t)node >= mesh->node_count) return false;
        }
    }
    return true;
}

struct mesh_sets {
    hid_t positions, nodes, shapes;
};

static sg_status read_mesh(struct sg_arena *arena, hid_t model, struct mesh_sets *sets, struct sg_mesh *mesh,
                           const char *path, struct sg_error *err)
{
    hsize_t place[2] = {0, 0}, joined[2] = {0, 0}, kinds[2] = {0, 0};
    bool there = open_table(model, "node_positions", 2, &sets->positions, place) &&
                 open_table(model, "element_nodes", 2, &sets->nodes, joined) &&
                 open_table(model, "element_shape", 1, &sets->shapes, kinds);
    if (!there || place[1] < 1 || place[1] > 3 || kinds[0] != joined[0])
        FAIL(err, SG_NO_INPUT, "'%s' has no mesh of nodes and elements in /model", path);
    mesh->dim = (size_t)place[1];
    mesh->node_count = (size_t)place[0];
    mesh->element_count = (size_t)joined[0];
    mesh->width = (size_t)joined[1];
    TRY(SG_ARENA_NEW(arena, &mesh->positions, mesh->node_count * mesh->dim, err));
    TRY(SG_ARENA_NEW(arena, &mesh->nodes, mesh->element_count * mesh->width, err));
    TRY(SG_ARENA_NEW(arena, &mesh->shapes, mesh->element_count, err));
    if (read_table(sets->positions, H5T_NATIVE_DOUBLE, place[0], mesh->positions) &&
        read_table(sets->nodes, H5T_NATIVE_INT, joined[0], mesh->nodes) &&
        read_table(sets->shapes, H5T_NATIVE_INT, kinds[0], mesh->shapes) && is_sound(mesh))
        return SG_OK;
    FAIL(err, SG_NO_INPUT, "the mesh of '%s' can't be read, or its numbers don't fit together", path);
}

/* Node of each dof, ascending, into where the dofs of each node start. */
static bool count_dofs(const int *node, size_t count, struct sg_mesh *mesh)
{
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        if (node[i] < 0 || (size_t)node[i] >= mesh->node_count || (i > 0 && node[i] < node[i - 1]))
            return false;
        while (next <= (size_t)node[i]) mesh->first_dof[next++] = i;
    }
    while (next <= mesh->node_count) mesh->first_dof[next++] = count;
    return true;
}

static sg_status read_dofs(struct sg_arena *arena, hid_t model, struct sg_mesh *mesh, const char *path,
                           struct sg_error *err)
{
    hid_t set = H5I_INVALID_HID;
    hsize_t count[2] = {0, 0};
    SG_AUTO_FREE int *node = NULL;
    if (H5Lexists(model, "dof_nodes", H5P_DEFAULT) <= 0) return SG_OK;
    bool sound = open_table(model, "dof_nodes", 1, &set, count);
    sg_status status = SG_NEW(&node, count[0], err);
    if (status == SG_OK) status = SG_ARENA_NEW(arena, &mesh->first_dof, mesh->node_count + 1, err);
    sound = sound && status == SG_OK && read_table(set, H5T_NATIVE_INT, count[0], node);
    sound = sound && count_dofs(node, (size_t)count[0], mesh);
    sg_hdf_close(set);
    TRY(status);
    if (sound) return SG_OK;
    FAIL(err, SG_NO_INPUT, "the nodes of the dofs of '%s' can't be read, or don't fit its mesh", path);
}

sg_status sg_reader_mesh(struct sg_arena *arena, const struct sg_reader *reader, struct sg_mesh *mesh,
                         struct sg_error *err)
{
    struct mesh_sets sets = {H5I_INVALID_HID, H5I_INVALID_HID, H5I_INVALID_HID};
    hid_t model = H5Gopen2(reader->file, "model", H5P_DEFAULT);
    *mesh = (struct sg_mesh){0};
    sg_status status = read_mesh(arena, model, &sets, mesh, reader->path, err);
    sg_hdf_close(sets.positions);
    sg_hdf_close(sets.nodes);
    sg_hdf_close(sets.shapes);
    if (status == SG_OK) status = read_dofs(arena, model, mesh, reader->path, err);
    sg_hdf_close(model);
    return status;
}
