#include "results/stream.h"

#include <math.h>
#include <string.h>

#include <hdf5_hl.h>

#include "support/memory.h"

size_t sg_stream_chunk_rows(size_t item, size_t width)
{
    size_t bytes = item * (width == 0 ? 1 : width);
    size_t rows = SG_CHUNK_ROWS_MAX;
    while (rows > 1 && rows * bytes > SG_CHUNK_BYTES) rows /= 2;
    return rows;
}

static int rank_of(const struct sg_stream *stream)
{
    return stream->width == 0 ? 1 : 2;
}

static size_t row_bytes(const struct sg_stream *stream)
{
    return stream->item * (stream->width == 0 ? 1 : stream->width);
}

static bool set_layout(hid_t list, const struct sg_stream *stream)
{
    hsize_t chunk[2] = {stream->chunk, stream->width};
    double unknown = NAN;
    bool real = H5Tget_class(stream->type) == H5T_FLOAT;
    return H5Pset_chunk(list, rank_of(stream), chunk) >= 0 &&
           (!real || H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &unknown) >= 0);
}

static sg_status create_set(struct sg_stream *stream, hid_t group, const struct sg_stream_spec *spec,
                            struct sg_error *err)
{
    hsize_t size[2] = {0, stream->width}, limit[2] = {H5S_UNLIMITED, stream->width};
    hid_t space = H5Screate_simple(rank_of(stream), size, limit);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (H5Pset_create_intermediate_group(links, 1) >= 0 && set_layout(creation, stream))
        stream->set = H5Dcreate2(group, spec->name, stream->type, space, links, creation, H5P_DEFAULT);
    /* before the closing calls, which clear the error stack */
    sg_status status =
        stream->set >= 0 ? SG_OK : sg_hdf_fail(err, SG_WRITE_FAILED, group, "create", spec->name);
    sg_hdf_close(creation);
    sg_hdf_close(links);
    sg_hdf_close(space);
    return status;
}

static sg_status create_stream(struct sg_stream *stream, hid_t group, const struct sg_stream_spec *spec,
                               struct sg_error *err)
{
    TRY(create_set(stream, group, spec, err));
    TRY(sg_hdf_put_text_attribute(stream->set, "units", spec->unit, err));
    TRY(sg_hdf_put_text_attribute(stream->set, "description", spec->description, err));
    if (spec->note != NULL) TRY(sg_hdf_put_text_attribute(stream->set, "staggering", spec->note, err));
    if (spec->field.location == NULL) return SG_OK;
    TRY(sg_hdf_put_text_attribute(stream->set, "location", spec->field.location, err));
    if (spec->field.parts[0] == '\0') return SG_OK;
    return sg_hdf_put_text_attribute(stream->set, "parts", spec->field.parts, err);
}

/* true if the dataset has the type and the width that the stream writes; sets the extent */
static bool fits(struct sg_stream *stream)
{
    hsize_t size[2] = {0, 0};
    hid_t space = H5Dget_space(stream->set);
    hid_t type = H5Dget_type(stream->set);
    bool same = space >= 0 && H5Sget_simple_extent_ndims(space) == rank_of(stream) &&
                H5Sget_simple_extent_dims(space, size, NULL) >= 0 && H5Tequal(type, stream->type) > 0 &&
                (stream->width == 0 || size[1] == stream->width);
    stream->extent = (size_t)size[0];
    sg_hdf_close(type);
    sg_hdf_close(space);
    return same;
}

static sg_status reopen_stream(struct sg_stream *stream, hid_t group, const struct sg_stream_spec *spec,
                               struct sg_error *err)
{
    stream->set = H5Dopen2(group, spec->name, H5P_DEFAULT);
    if (stream->set < 0) return sg_hdf_fail(err, SG_NO_INPUT, group, "go on with", spec->name);
    if (!fits(stream))
        FAIL(err, SG_NO_INPUT, "can't go on with '%s': the earlier run gave it another shape", spec->name);
    return SG_OK;
}

/* both are powers of two: the buffer holds whole chunks, and whole groups of rows that are made together */
static sg_status prepare_late(struct sg_arena *arena, struct sg_stream *stream,
                              const struct sg_stream_spec *spec, struct sg_error *err)
{
    stream->part_count = spec->late != NULL ? spec->late->parts(spec->owner) : 0;
    if (stream->part_count == 0) return SG_OK;
    stream->late = spec->late;
    stream->owner = spec->owner;
    if (stream->held < SG_LATE_ROWS) stream->held = SG_LATE_ROWS;
    return sg_arena_alloc(arena, stream->held, stream->part_count * sizeof(double), spec->name,
                          &stream->parts, err);
}

static sg_status init_stream(const struct sg_stream_table *table, struct sg_stream *stream,
                             const struct sg_stream_spec *spec, bool reopen, struct sg_error *err)
{
    hid_t group = table->group;
    stream->name = spec->name;
    stream->type = H5Tcopy(spec->type);
    if (stream->type < 0) return sg_hdf_fail(err, SG_NO_MEMORY, group, "make a type for", spec->name);
    stream->item = spec->item;
    stream->width = spec->width;
    stream->chunk = sg_stream_chunk_rows(spec->item, spec->width);
    stream->held = stream->chunk;
    TRY(prepare_late(table->arena, stream, spec, err));
    TRY(sg_arena_alloc(table->arena, stream->held, row_bytes(stream), spec->name, &stream->buffer, err));
    return reopen ? reopen_stream(stream, group, spec, err) : create_stream(stream, group, spec, err);
}

static sg_status attach_scale(const struct sg_stream_table *table, const struct sg_stream_spec *specs,
                              struct sg_error *err)
{
    if (H5DSset_scale(table->columns[0].set, specs[0].name) < 0)
        return sg_hdf_fail(err, SG_WRITE_FAILED, table->group, "make a scale of", specs[0].name);
    for (size_t i = 1; i < table->count; i++) {
        if (H5DSattach_scale(table->columns[i].set, table->columns[0].set, 0) < 0)
            return sg_hdf_fail(err, SG_WRITE_FAILED, table->group, "attach a scale to", specs[i].name);
    }
    return SG_OK;
}

sg_status sg_stream_table_init(struct sg_stream_table *table, hid_t file, const char *group,
                               const struct sg_stream_spec *specs, bool reopen, struct sg_error *err)
{
    size_t count = 0;
    while (specs[count].name != NULL) count++;
    table->group = H5I_INVALID_HID;
    TRY(SG_ARENA_NEW(table->arena, &table->columns, count, err));
    table->count = count;
    for (size_t i = 0; i < count; i++) table->columns[i].set = table->columns[i].type = H5I_INVALID_HID;
    if (reopen) {
        table->group = H5Gopen2(file, group, H5P_DEFAULT);
        if (table->group < 0) return sg_hdf_fail(err, SG_NO_INPUT, file, "go on with", group);
    } else {
        TRY(sg_hdf_create_group(file, group, &table->group, err));
    }
    for (size_t i = 0; i < count; i++) TRY(init_stream(table, &table->columns[i], &specs[i], reopen, err));
    return reopen ? SG_OK : attach_scale(table, specs, err);
}

bool sg_stream_table_release(struct sg_stream_table *table, bool abandon)
{
    bool closed = true;
    for (size_t i = 0; i < table->count; i++) {
        struct sg_stream *stream = &table->columns[i];
        if (!abandon) closed = sg_hdf_close(stream->set) && closed;
        sg_hdf_close(stream->type);
    }
    if (!abandon) closed = sg_hdf_close(table->group) && closed;
    *table = (struct sg_stream_table){0};
    return closed;
}

size_t sg_stream_table_buffer_bytes(const struct sg_stream_table *table)
{
    size_t bytes = 0;
    for (size_t i = 0; i < table->count; i++) bytes += table->columns[i].held * row_bytes(&table->columns[i]);
    return bytes;
}

static bool grow(struct sg_stream *stream, size_t rows)
{
    hsize_t size[2] = {rows, stream->width};
    if (rows <= stream->extent) return true;
    if (H5Dset_extent(stream->set, size) < 0) return false;
    stream->extent = rows;
    return true;
}

/* all groups with a row that is not yet in the file */
static void make_rows(struct sg_stream *stream, size_t rows)
{
    size_t last = (rows - 1) % stream->held;
    size_t row = stream->safe % stream->held / SG_LATE_ROWS * SG_LATE_ROWS;
    for (; stream->late != NULL && row <= last; row += SG_LATE_ROWS)
        stream->late->make(stream->owner, stream->parts + row * stream->part_count,
                           (double *)(void *)(stream->buffer + row * row_bytes(stream)));
}

static sg_status write_rows(struct sg_stream *stream, size_t rows, struct sg_error *err)
{
    hsize_t first[2] = {stream->safe, 0}, count[2] = {rows - stream->safe, stream->width};
    const unsigned char *data = stream->buffer + stream->safe % stream->held * row_bytes(stream);
    if (stream->safe >= rows) return SG_OK;
    make_rows(stream, rows);
    hid_t memory = H5Screate_simple(rank_of(stream), count, NULL);
    bool grown = grow(stream, rows);
    hid_t space = grown ? H5Dget_space(stream->set) : H5I_INVALID_HID;
    bool written = space >= 0 && H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL) >= 0 &&
                   H5Dwrite(stream->set, stream->type, memory, space, H5P_DEFAULT, data) >= 0;
    sg_status status =
        written ? SG_OK : sg_hdf_fail(err, SG_WRITE_FAILED, stream->set, "write", stream->name);
    sg_hdf_close(space);
    sg_hdf_close(memory);
    if (written) stream->safe = rows;
    return status;
}

sg_status sg_stream_table_write(struct sg_stream_table *table, struct sg_error *err)
{
    /* the scale last: what it counts is there in the other columns */
    for (size_t i = table->count; i-- > 0;) TRY(write_rows(&table->columns[i], table->rows, err));
    return SG_OK;
}

sg_status sg_stream_table_open_row(struct sg_stream_table *table, struct sg_error *err)
{
    for (size_t i = table->count; i-- > 0;) {
        if (table->rows % table->columns[i].held == 0) TRY(write_rows(&table->columns[i], table->rows, err));
    }
    return SG_OK;
}

void *sg_stream_table_slot(const struct sg_stream_table *table, size_t column)
{
    const struct sg_stream *stream = &table->columns[column];
    return stream->buffer + table->rows % stream->held * row_bytes(stream);
}

double *sg_stream_table_parts(const struct sg_stream_table *table, size_t column)
{
    const struct sg_stream *stream = &table->columns[column];
    if (stream->late == NULL) return NULL;
    return stream->parts + table->rows % stream->held * stream->part_count;
}

void sg_stream_table_drop_row(struct sg_stream_table *table)
{
    table->rows--;
    for (size_t i = 0; i < table->count; i++) {
        if (table->columns[i].safe > table->rows) table->columns[i].safe = table->rows;
    }
}

sg_status sg_stream_table_go_to(struct sg_stream_table *table, size_t rows, struct sg_error *err)
{
    for (size_t i = 0; i < table->count; i++) {
        struct sg_stream *stream = &table->columns[i];
        if (stream->extent < rows)
            FAIL(err, SG_NO_INPUT, "'%s' holds %zu rows where the checkpoint expects %zu", stream->name,
                 stream->extent, rows);
        stream->safe = rows;
    }
    table->rows = rows;
    return SG_OK;
}

sg_status sg_stream_table_check_end(const struct sg_stream_table *table, struct sg_error *err)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct sg_stream *stream = &table->columns[i];
        if (stream->extent > table->rows)
            FAIL(err, SG_INTERNAL, "'%s' ends with %zu rows, but the run before it was resumed wrote %zu",
                 stream->name, table->rows, stream->extent);
    }
    return SG_OK;
}
