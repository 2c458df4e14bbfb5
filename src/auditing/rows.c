#include "auditing/rows.h"

#include "support/memory.h"

enum { BLOCK_BYTES = 1 << 20, BLOCK_MOST = 512 };

static size_t block_rows(const struct sg_rows *rows)
{
    size_t widest = 1;
    for (size_t k = 0; k < rows->histories; k++)
        if (rows->width[k] > widest) widest = rows->width[k];
    size_t count = BLOCK_BYTES / (widest * sizeof(double));
    return count < 1 ? 1 : count > BLOCK_MOST ? BLOCK_MOST : count;
}

sg_status sg_rows_open(struct sg_rows *rows, const struct sg_reader *reader, const char *const *names,
                       size_t count, struct sg_error *err)
{
    *rows = (struct sg_rows){.reader = reader, .histories = count, .names = names};
    rows->time = sg_reader_scale(reader, SG_SERIES_HISTORY);
    rows->count = rows->time != NULL ? rows->time->rows : 0;
    for (size_t k = 0; k < count; k++) {
        rows->series[k] = sg_reader_find(reader, SG_SERIES_HISTORY, names[k]);
        if (rows->series[k] != NULL) rows->width[k] = rows->series[k]->width > 0 ? rows->series[k]->width : 1;
    }
    size_t held = block_rows(rows);
    TRY(SG_NEW(&rows->times, held, err));
    for (size_t k = 0; k < count; k++)
        if (rows->series[k] != NULL)
            TRY(sg_alloc(held, rows->width[k] * sizeof(double), names[k], &rows->block[k], err));
    return SG_OK;
}

void sg_rows_close(struct sg_rows *rows)
{
    for (size_t k = 0; k < rows->histories; k++) sg_free(rows->block[k]);
    sg_free(rows->times);
    *rows = (struct sg_rows){0};
}

const char *sg_rows_missing(const struct sg_rows *rows)
{
    for (size_t k = 0; k < rows->histories; k++)
        if (rows->series[k] == NULL) return rows->names[k];
    return NULL;
}

static sg_status read_block(struct sg_rows *rows, size_t first, struct sg_error *err)
{
    size_t most = block_rows(rows), left = rows->count - first;
    rows->first = first;
    rows->held = left < most ? left : most;
    TRY(sg_reader_rows(rows->reader, rows->time, first, rows->held, rows->times, err));
    for (size_t k = 0; k < rows->histories; k++)
        if (rows->series[k] != NULL)
            TRY(sg_reader_rows(rows->reader, rows->series[k], first, rows->held, rows->block[k], err));
    return SG_OK;
}

sg_status sg_rows_go(struct sg_rows *rows, size_t i, struct sg_error *err)
{
    if (rows->held == 0 || i >= rows->first + rows->held) TRY(read_block(rows, i, err));
    rows->t = rows->times[i - rows->first];
    for (size_t k = 0; k < rows->histories; k++)
        rows->value[k] = rows->series[k] != NULL ? rows->block[k] + (i - rows->first) * rows->width[k] : NULL;
    return SG_OK;
}
