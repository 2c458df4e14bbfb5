/* Rows of several histories side by side, read in blocks. */
#ifndef SG_AUDITING_ROWS_H
#define SG_AUDITING_ROWS_H

#include "results/reader.h"

enum { SG_ROWS_MOST = 12 };

struct sg_rows {
    const struct sg_reader *reader;
    size_t count, histories;
    const char *const *names;
    const struct sg_series *time, *series[SG_ROWS_MOST]; /* NULL: the file has none */
    size_t width[SG_ROWS_MOST];                          /* numbers of a row, at least 1; 0: not there */
    double *block[SG_ROWS_MOST], *times;                 /* owned */
    size_t first, held;                                  /* rows in the blocks */
    double t;                                            /* s, of the row at hand */
    const double *value[SG_ROWS_MOST];                   /* of the row at hand; NULL: not there */
};

/* Histories that the file lacks stay NULL. Close in any case. */
sg_status sg_rows_open(struct sg_rows *rows, const struct sg_reader *reader, const char *const *names,
                       size_t count, struct sg_error *err);
void sg_rows_close(struct sg_rows *rows);

/* the first name that the file lacks; NULL: it has all */
const char *sg_rows_missing(const struct sg_rows *rows);

/* to row i, rising */
sg_status sg_rows_go(struct sg_rows *rows, size_t i, struct sg_error *err);

#endif
