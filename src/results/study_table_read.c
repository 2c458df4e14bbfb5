/* A study's table read back. */
#include <math.h>
#include <string.h>

#include "results/hdf.h"
#include "results/study_table.h"
#include "support/memory.h"

/* "" if it is no text */
static sg_status read_attribute(struct sg_arena *arena, hid_t object, const char *name, char **text,
                                struct sg_error *err)
{
    char *held = NULL;
    hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : H5I_INVALID_HID;
    hid_t type = sg_hdf_text_type();
    if (attribute >= 0 && H5Aread(attribute, type, &held) < 0) held = NULL;
    sg_status status = sg_arena_copy_text(arena, held == NULL ? "" : held, text, err);
    H5free_memory(held);
    sg_hdf_close(type);
    sg_hdf_close(attribute);
    return status;
}

/* H5I_INVALID_HID where the file is no table of a study */
static sg_status open_table(const char *path, hid_t *table, struct sg_error *err)
{
    char *conventions = NULL;
    SG_LOCAL_ARENA(arena);
    sg_hdf_quiet();
    *table = H5I_INVALID_HID;
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) return SG_OK;
    sg_status status = read_attribute(&arena, file, "conventions", &conventions, err);
    bool fits = status == SG_OK && strcmp(conventions, SG_STUDY_CONVENTIONS) == 0;
    if (fits) status = sg_hdf_check_inside(file, path, err);
    if (fits && status == SG_OK)
        *table = file;
    else
        sg_hdf_close(file);
    return status;
}

sg_status sg_study_table_fits(const char *path, bool *fits, struct sg_error *err)
{
    hid_t file = H5I_INVALID_HID;
    TRY(open_table(path, &file, err));
    *fits = file >= 0;
    sg_hdf_close(file);
    return SG_OK;
}

static sg_status read_texts(struct sg_arena *arena, hid_t set, struct sg_study_column *column, size_t rows,
                            struct sg_error *err)
{
    SG_AUTO_FREE char **held = NULL;
    hid_t type = sg_hdf_text_type(), space = H5Dget_space(set);
    sg_status status = SG_ARENA_NEW(arena, &column->texts, rows, err);
    if (status == SG_OK) status = SG_NEW(&held, rows, err);
    bool read = status == SG_OK && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, held) >= 0;
    if (status == SG_OK && !read) status = sg_hdf_fail(err, SG_NO_INPUT, set, "read", column->name);
    for (size_t i = 0; status == SG_OK && i < rows; i++)
        status = sg_arena_copy_text(arena, held[i] == NULL ? "" : held[i], &column->texts[i], err);
    if (read) H5Dvlen_reclaim(type, space, H5P_DEFAULT, held);
    sg_hdf_close(space);
    sg_hdf_close(type);
    return status;
}

static sg_status read_reals(struct sg_arena *arena, hid_t set, struct sg_study_column *column, size_t rows,
                            struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, &column->reals, rows, err));
    if (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, column->reals) >= 0) return SG_OK;
    return sg_hdf_fail(err, SG_NO_INPUT, set, "read", column->name);
}

static bool has_rows(hid_t set, size_t rows)
{
    hid_t space = H5Dget_space(set);
    bool has = space >= 0 && H5Sget_simple_extent_npoints(space) == (hssize_t)rows;
    sg_hdf_close(space);
    return has;
}

static sg_status read_column(struct sg_arena *arena, hid_t set, struct sg_study_column *column, size_t rows,
                             struct sg_error *err)
{
    hid_t type = H5Dget_type(set);
    bool text = H5Tget_class(type) == H5T_STRING;
    sg_hdf_close(type);
    TRY(read_attribute(arena, set, "units", &column->unit, err));
    if (!has_rows(set, rows))
        FAIL(err, SG_NO_INPUT, "column '%s' of the study has not %zu rows", column->name, rows);
    return text ? read_texts(arena, set, column, rows, err) : read_reals(arena, set, column, rows, err);
}

static sg_status read_group(struct sg_arena *arena, hid_t file, bool parameter, struct sg_study_data *data,
                            struct sg_error *err)
{
    const char *name = parameter ? "parameters" : "results";
    H5G_info_t info = {0};
    hid_t group =
        H5Lexists(file, name, H5P_DEFAULT) > 0 ? H5Gopen2(file, name, H5P_DEFAULT) : H5I_INVALID_HID;
    if (group < 0) return SG_OK;
    sg_status status =
        H5Gget_info(group, &info) < 0 ? sg_hdf_fail(err, SG_NO_INPUT, file, "read", name) : SG_OK;
    for (hsize_t i = 0; status == SG_OK && i < info.nlinks; i++) {
        char label[256] = "";
        struct sg_study_column *column = &data->columns[data->count++];
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, label, sizeof label, H5P_DEFAULT);
        column->parameter = parameter;
        status = sg_arena_copy_text(arena, label, &column->name, err);
        hid_t set = status == SG_OK ? H5Dopen2(group, label, H5P_DEFAULT) : H5I_INVALID_HID;
        if (status == SG_OK && set < 0) status = sg_hdf_fail(err, SG_NO_INPUT, file, "read", label);
        if (status == SG_OK) status = read_column(arena, set, column, data->rows, err);
        sg_hdf_close(set);
    }
    sg_hdf_close(group);
    return status;
}

static size_t links_of(hid_t file, const char *name)
{
    H5G_info_t info = {0};
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0 || H5Gget_info_by_name(file, name, &info, H5P_DEFAULT) < 0)
        return 0;
    return (size_t)info.nlinks;
}

static sg_status read_all(struct sg_arena *arena, hid_t file, struct sg_study_data *data,
                          struct sg_error *err)
{
    hid_t set = H5Dopen2(file, "status", H5P_DEFAULT), space = set >= 0 ? H5Dget_space(set) : H5I_INVALID_HID;
    hssize_t rows = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    sg_hdf_close(space);
    sg_hdf_close(set);
    if (rows < 0) return sg_hdf_fail(err, SG_NO_INPUT, file, "read", "status");
    data->rows = (size_t)rows;
    TRY(read_attribute(arena, file, "title", &data->title, err));
    TRY(SG_ARENA_NEW(arena, &data->columns, links_of(file, "parameters") + links_of(file, "results"), err));
    TRY(read_group(arena, file, true, data, err));
    return read_group(arena, file, false, data, err);
}

sg_status sg_study_table_read(struct sg_arena *arena, const char *path, struct sg_study_data *data,
                              struct sg_error *err)
{
    hid_t file = H5I_INVALID_HID;
    *data = (struct sg_study_data){0};
    TRY(open_table(path, &file, err));
    if (file < 0) FAIL(err, SG_NO_INPUT, "'%s' is no table of a study", path);
    sg_status status = read_all(arena, file, data, err);
    sg_hdf_close(file);
    return status;
}
