/* Results as tables for spreadsheets. */
#include "exporting/export.h"

#include <stdio.h>
#include <string.h>

enum { BLOCK = 16384, LABEL = 128, NAME = 512 };

/* A CSV file while it is written. */
struct table {
    const struct sg_export_source *source;
    FILE *file;
    const struct sg_series **columns; /* the first is the time */
    double **blocks;                  /* of `rows` rows each */
    size_t count, rows;
    bool first; /* no field in the current line yet */
};

static void end_field(struct table *table)
{
    if (!table->first) fputc(',', table->file);
    table->first = false;
}

/* RFC 4180: quotes around what holds a comma, quote or line break; quotes doubled */
static void put_text(struct table *table, const char *text)
{
    end_field(table);
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted) fputc('"', table->file);
    for (; *text != '\0'; text++) {
        if (*text == '"') fputc('"', table->file);
        fputc(*text, table->file);
    }
    if (quoted) fputc('"', table->file);
}

static void put_number(struct table *table, double value)
{
    end_field(table);
    fprintf(table->file, "%.17g", value);
}

static void end_line(struct table *table)
{
    fputs("\r\n", table->file);
    table->first = true;
}

static size_t columns_of(const struct sg_series *series)
{
    return series->width == 0 ? 1 : series->width;
}

static bool is_kind(const struct sg_series *series)
{
    return series->group == SG_SERIES_EVENTS && strcmp(series->name, "kind") == 0;
}

static void put_heads(struct table *table, const struct sg_series *series)
{
    for (size_t j = 0; j < columns_of(series); j++) {
        char label[LABEL], head[2 * LABEL + 64];
        sg_reader_column_label(table->source->reader, series, j, label, sizeof label);
        snprintf(head, sizeof head, "%.64s%s%s [%.32s]", series->name, label[0] == '\0' ? "" : " ", label,
                 series->unit);
        put_text(table, head);
    }
}

static void put_row(struct table *table, size_t row)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct sg_series *series = table->columns[i];
        size_t width = columns_of(series);
        const double *values = table->blocks[i] + row * width;
        for (size_t j = 0; j < width; j++) {
            if (is_kind(series))
                put_text(table, sg_reader_event_kind(values[j]));
            else
                put_number(table, values[j]);
        }
    }
    end_line(table);
}

static sg_status put_rows(struct table *table, struct sg_error *err)
{
    size_t total = table->columns[0]->rows;
    for (size_t first = 0; first < total; first += table->rows) {
        size_t count = total - first < table->rows ? total - first : table->rows;
        for (size_t i = 0; i < table->count; i++)
            TRY(sg_export_source_rows(table->source, table->columns[i], first, count, table->blocks[i], err));
        for (size_t row = 0; row < count; row++) put_row(table, row);
    }
    return SG_OK;
}

static sg_status allocate(struct sg_arena *arena, struct table *table, struct sg_error *err)
{
    size_t widest = 1;
    for (size_t i = 0; i < table->count; i++) {
        if (columns_of(table->columns[i]) > widest) widest = columns_of(table->columns[i]);
    }
    table->rows = BLOCK / widest + 1;
    TRY(SG_ARENA_NEW(arena, &table->blocks, table->count, err));
    for (size_t i = 0; i < table->count; i++)
        TRY(SG_ARENA_NEW(arena, &table->blocks[i], table->rows * columns_of(table->columns[i]), err));
    return SG_OK;
}

static sg_status fill(struct table *table, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    TRY(allocate(&scratch, table, err));
    table->first = true;
    for (size_t i = 0; i < table->count; i++) put_heads(table, table->columns[i]);
    end_line(table);
    return put_rows(table, err);
}

/* FOLDER/energy_kinetic.csv */
static sg_status write_table(struct table *table, const char *folder, const char *name, struct sg_error *err)
{
    char file_name[NAME];
    int length = snprintf(file_name, NAME, "%s.csv", name);
    if (length < 0 || length >= NAME) FAIL(err, SG_NO_OUTPUT, "the name '%s.csv' is too long", name);
    for (char *c = file_name; *c != '\0'; c++)
        if (*c == '/') *c = '_';
    TRY(sg_export_open(folder, file_name, &table->file, err));
    return sg_export_close(table->file, file_name, fill(table, err), err);
}

static sg_status write_histories(const struct sg_export_source *source, const char *folder, size_t *files,
                                 struct sg_error *err)
{
    const struct sg_series *time = sg_reader_scale(source->reader, SG_SERIES_HISTORY);
    for (size_t i = 0; time != NULL && i < source->count; i++) {
        const struct sg_series *columns[2] = {time, source->series[i]};
        struct table table = {.source = source, .columns = columns, .count = 2};
        TRY(write_table(&table, folder, columns[1]->name, err));
        ++*files;
    }
    return SG_OK;
}

/* Events and points have all their columns in one file. */
static sg_status write_group(const struct sg_export_source *source, enum sg_series_group group,
                             const char *folder, size_t *files, struct sg_error *err)
{
    const struct sg_reader *reader = source->reader;
    const struct sg_series **columns = NULL;
    struct table table = {.source = source};
    SG_LOCAL_ARENA(scratch);
    TRY(SG_ARENA_NEW(&scratch, &columns, sg_reader_count(reader), err));
    for (size_t i = 0; i < sg_reader_count(reader); i++) {
        const struct sg_series *series = sg_reader_series(reader, i);
        if (series->group == group) columns[table.count++] = series;
    }
    table.columns = columns;
    if (table.count == 0) return SG_OK;
    ++*files;
    return write_table(&table, folder, group == SG_SERIES_EVENTS ? "events" : "points", err);
}

sg_status sg_export_csv(const struct sg_export_source *source, const char *folder, struct sg_text *told,
                        struct sg_error *err)
{
    size_t files = 0;
    TRY(write_histories(source, folder, &files, err));
    if (!source->chosen) {
        TRY(write_group(source, SG_SERIES_EVENTS, folder, &files, err));
        TRY(write_group(source, SG_SERIES_POINTS, folder, &files, err));
    }
    sg_text_append(told, "%zu tables in %s\n", files, folder);
    return SG_OK;
}
