/* A study's table read back. */
#include <math.h>
#include <string.h>

#include "results/hdf.h"
#include "results/study_table.h"
#include "support/memory.h"

void sg_study_data_release(struct sg_study_data *data)
{
    for (size_t c = 0; data->columns != NULL && c < data->count; c++) {
        struct sg_study_column *column = &data->columns[c];
        for (size_t i = 0; column->texts != NULL && i < data->rows; i++) sg_free(column->texts[i]);
        sg_free(column->texts);
        sg_free(column->reals);
        sg_free(column->name);
        sg_free(column->unit);
    }
    sg_free(data->columns);
    sg_free(data->title);
    *data = (struct sg_study_data){0};
}

/* "" if it is no text; free with sg_free */
static sg_status read_attribute(hid_t object, const char *name, char **text, struct sg_error *err)
{
    char *held = NULL;
    hid_t attribute = H5Aexists(object, name) > 0 ? H5Aopen(object, name, H5P_DEFAULT) : H5I_INVALID_HID;
    hid_t type = sg_hdf_text_type();
    if (attribute >= 0 && H5Aread(attribute, type, &held) < 0) held = NULL;
    sg_status status = sg_copy_text(held == NULL ? "" : held, text, err);
    H5free_memory(held);
    sg_hdf_close(type);
    sg_hdf_close(attribute);
    return status;
}

static hid_t open_table(const char *path)
{
    char *conventions = NULL;
    struct sg_error ignored = {0};
    sg_hdf_quiet();
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    bool fits = file >= 0 && read_attribute(file, "conventions", &conventions, &ignored) == SG_OK &&
                strcmp(conventions, SG_STUDY_CONVENTIONS) == 0;
    sg_free(conventions);
    if (fits) return file;
    sg_hdf_close(file);
    return H5I_INVALID_HID;
}

bool sg_study_table_fits(const char *path)
{
    hid_t file = open_table(path);
    return file >= 0 && sg_hdf_close(file);
}

static sg_status read_texts(hid_t set, struct sg_study_column *column, size_t rows, struct sg_error *err)
{
    char **held = NULL;
    hid_t type = sg_hdf_text_type(), space = H5Dget_space(set);
    sg_status status = SG_NEW(&column->texts, rows, err);
    if (status == SG_OK) status = SG_NEW(&held, rows, err);
    bool read = status == SG_OK && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, held) >= 0;
    if (status == SG_OK && !read) status = sg_hdf_fail(err, SG_NO_INPUT, set, "read", column->name);
    for (size_t i = 0; status == SG_OK && i < rows; i++)
        status = sg_copy_text(held[i] == NULL ? "" : held[i], &column->texts[i], err);
    if (read) H5Dvlen_reclaim(type, space, H5P_DEFAULT, held);
    sg_free(held);
    sg_hdf_close(space);
    sg_hdf_close(type);
    return status;
}

static sg_status read_reals(hid_t set, struct sg_study_column *column, size_t rows, struct sg_error *err)
{
    TRY(SG_NEW(&column->reals, rows, err));
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

static sg_status read_column(hid_t set, struct sg_study_column *column, size_t rows, struct sg_error *err)
{
    hid_t type = H5Dget_type(set);
    bool text = H5Tget_class(type) == H5T_STRING;
    sg_hdf_close(type);
    TRY(read_attribute(set, "units", &column->unit, err));
    if (!has_rows(set, rows))
        FAIL(err, SG_NO_INPUT, "column '%s' of the study has not %zu rows", column->name, rows);
    return text ? read_texts(set, column, rows, err) : read_reals(set, column, rows, err);
}

static sg_status read_group(hid_t file, const char *name, bool parameter, struct sg_study_data *data,
                            struct sg_error *err)
{
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
        status = sg_copy_text(label, &column->name, err);
        hid_t set = status == SG_OK ? H5Dopen2(group, label, H5P_DEFAULT) : H5I_INVALID_HID;
        if (status == SG_OK && set < 0) status = sg_hdf_fail(err, SG_NO_INPUT, file, "read", label);
        if (status == SG_OK) status = read_column(set, column, data->rows, err);
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

static sg_status read_all(hid_t file, struct sg_study_data *data, struct sg_error *err)
{
    hid_t set = H5Dopen2(file, "status", H5P_DEFAULT), space = set >= 0 ? H5Dget_space(set) : H5I_INVALID_HID;
    hssize_t rows = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    sg_hdf_close(space);
    sg_hdf_close(set);
    if (rows < 0) return sg_hdf_fail(err, SG_NO_INPUT, file, "read", "status");
    data->rows = (size_t)rows;
    TRY(read_attribute(file, "title", &data->title, err));
    TRY(SG_NEW(&data->columns, links_of(file, "parameters") + links_of(file, "results"), err));
    TRY(read_group(file, "parameters", true, data, err));
    return read_group(file, "results", false, data, err);
}

sg_status sg_study_table_read(const char *path, struct sg_study_data *data, struct sg_error *err)
{
    *data = (struct sg_study_data){0};
    hid_t file = open_table(path);
    if (file < 0) FAIL(err, SG_NO_INPUT, "'%s' is no table of a study", path);
    sg_status status = read_all(file, data, err);
    sg_hdf_close(file);
    return status;
}
