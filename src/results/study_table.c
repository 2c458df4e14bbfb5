#define _POSIX_C_SOURCE 200809L
#include "results/study_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "results/files.h"
#include "results/hdf.h"
#include "support/memory.h"
#include "support/text.h"

/* --- CSV ------------------------------------------------------------------------------------------ */

/* quotes around what holds a comma, quote or line break; quotes doubled */
static void put_text(struct sg_text *text, const char *field)
{
    bool quoted = strpbrk(field, ",\"\r\n") != NULL;
    if (quoted) sg_text_append(text, "\"");
    for (; *field != '\0'; field++) {
        if (*field == '"') sg_text_append(text, "\"");
        sg_text_append_bytes(text, field, 1);
    }
    if (quoted) sg_text_append(text, "\"");
}

/* a whole number without its point: most are counts */
static void put_real(struct sg_text *text, double value)
{
    if (fabs(value) < 1e15 && value == floor(value))
        sg_text_append(text, "%.0f", value);
    else
        sg_text_append_real(text, value);
}

static void put_field(struct sg_text *text, const struct sg_table_column *column, size_t row)
{
    if (column->texts != NULL)
        put_text(text, column->texts[row]);
    else if (column->type == SG_COLUMN_INTEGER)
        sg_text_append(text, "%lld", column->integers[row]);
    else if (!isnan(column->reals[row]))
        put_real(text, column->reals[row]);
}

static void put_line(struct sg_text *text, const struct sg_study_table *table, size_t line)
{
    const char *comma = "";
    for (size_t c = 0; c < table->column_count; c++) {
        const struct sg_table_column *column = &table->columns[c];
        if (column->hidden) continue;
        sg_text_append(text, "%s", comma);
        comma = ",";
        if (line == 0)
            put_text(text, column->name);
        else
            put_field(text, column, line - 1);
    }
    sg_text_append(text, "\r\n");
}

static sg_status write_text(const char *path, const struct sg_text *text, struct sg_error *err)
{
    FILE *file = fopen(path, "wbe");
    if (file == NULL) FAIL(err, SG_NO_OUTPUT, "can't create '%s': %s", path, strerror(errno));
    bool written = fwrite(sg_text_view(text), 1, text->length, file) == text->length;
    int cause = errno;
    if (fclose(file) != 0) {
        if (written) cause = errno;
        written = false;
    }
    if (!written) FAIL(err, SG_WRITE_FAILED, "can't write '%s': %s", path, strerror(cause));
    return SG_OK;
}

typedef sg_status writer(const void *what, const char *path, struct sg_error *err);

/* beside its place, then there at one stroke */
static sg_status publish(const void *what, writer *write, const char *path, struct sg_error *err)
{
    char *fresh = NULL, suffix[32];
    snprintf(suffix, sizeof suffix, ".%ld.new", (long)getpid());
    TRY(sg_path_add(path, suffix, &fresh, err));
    sg_status status = write(what, fresh, err);
    if (status == SG_OK) status = sg_file_publish(fresh, path, err);
    if (status != SG_OK) unlink(fresh);
    sg_free(fresh);
    return status;
}

static sg_status write_csv(const void *what, const char *path, struct sg_error *err)
{
    const struct sg_study_table *table = what;
    struct sg_text text = {0};
    for (size_t line = 0; line <= table->rows; line++) put_line(&text, table, line);
    sg_status status = text.failed ? sg_fail(err, SG_NO_MEMORY, "out of memory for '%s'", path)
                                   : write_text(path, &text, err);
    sg_text_release(&text);
    return status;
}

sg_status sg_study_table_write_csv(const struct sg_study_table *table, const char *path, struct sg_error *err)
{
    return publish(table, write_csv, path, err);
}

/* --- HDF5 ----------------------------------------------------------------------------------------- */

static sg_status put_column(hid_t file, const struct sg_table_column *column, size_t rows,
                            struct sg_error *err)
{
    hid_t text = sg_hdf_text_type(), group = file;
    if (column->group != NULL) group = H5Gopen2(file, column->group, H5P_DEFAULT);
    if (group < 0) group = H5Gcreate2(file, column->group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    struct sg_hdf_array array = {.name = column->name,
                                 .unit = column->unit,
                                 .description = column->description,
                                 .rank = 1,
                                 .size = {rows, 0}};
    array.type = column->type == SG_COLUMN_REAL      ? H5T_NATIVE_DOUBLE
                 : column->type == SG_COLUMN_INTEGER ? H5T_NATIVE_LLONG
                                                     : text;
    array.data = column->type == SG_COLUMN_REAL      ? (const void *)column->reals
                 : column->type == SG_COLUMN_INTEGER ? (const void *)column->integers
                                                     : (const void *)column->texts;
    sg_status status = group < 0 ? sg_hdf_fail(err, SG_WRITE_FAILED, file, "create", column->group)
                                 : sg_hdf_put(group, &array, err);
    if (column->group != NULL) sg_hdf_close(group);
    sg_hdf_close(text);
    return status;
}

static sg_status fill(hid_t file, const struct sg_study_table *table, struct sg_error *err)
{
    TRY(sg_hdf_put_text_attribute(file, "title", table->title, err));
    TRY(sg_hdf_put_text_attribute(file, "program", "signorini", err));
    TRY(sg_hdf_put_text_attribute(file, "version", table->version, err));
    TRY(sg_hdf_put_text_attribute(file, "commit", table->commit, err));
    TRY(sg_hdf_put_text_attribute(file, "study_sha256", table->sha256, err));
    TRY(sg_hdf_put_text_attribute(file, "conventions", SG_STUDY_CONVENTIONS, err));
    for (size_t c = 0; c < table->column_count; c++)
        TRY(put_column(file, &table->columns[c], table->rows, err));
    return SG_OK;
}

static sg_status write_hdf(const void *what, const char *path, struct sg_error *err)
{
    sg_hdf_quiet();
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0) return sg_hdf_fail(err, SG_NO_OUTPUT, H5I_INVALID_HID, "create", path);
    sg_status status = fill(file, what, err);
    bool closed = sg_hdf_close(file);
    if (status == SG_OK && !closed)
        status = sg_hdf_fail(err, SG_WRITE_FAILED, H5I_INVALID_HID, "close", path);
    return status;
}

sg_status sg_study_table_write_hdf(const struct sg_study_table *table, const char *path, struct sg_error *err)
{
    return publish(table, write_hdf, path, err);
}
