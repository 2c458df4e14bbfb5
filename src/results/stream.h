/* Streams: datasets that grow by rows, behind a buffer of a chunk or some, and tables of streams that grow
 * together. Nothing is allocated after creation. Included within results/ only. */
#ifndef SG_RESULTS_STREAM_H
#define SG_RESULTS_STREAM_H

#include <stddef.h>

#include "results/hdf.h"
#include "results/quantity.h"
#include "support/arena.h"

enum { SG_CHUNK_BYTES = 256 * 1024, SG_CHUNK_ROWS_MAX = 1024 };

struct sg_stream_spec {
    const char *name; /* below the table's group; "energy/kinetic" makes the group too */
    const char *unit, *description;
    const char *note; /* NULL, or the text of the attribute `staggering` */
    hid_t type;       /* of one item, in memory and in the file */
    size_t item;      /* bytes of one item */
    size_t width;     /* columns; 0: one item a row (rank 1) */
    struct sg_field field;
    const struct sg_late *late; /* with its owner, or NULL: rows are put into their slots as they are */
    const void *owner;
};

/* Row r lies in the buffer's slot r mod held until the buffer is full and the next row needs the
 * space; so the last row can always be written anew. Rows [safe, rows) are not yet in the file. The buffer
 * has one chunk, or as many as SG_LATE_ROWS need where rows are made late: just before they are written. */
struct sg_stream {
    const char *name; /* borrowed from its spec */
    hid_t set, type;
    size_t item, width, chunk, held;
    size_t safe;   /* rows handed to HDF5 */
    size_t extent; /* rows of the dataset; never shrinks */
    unsigned char *buffer;
    const struct sg_late *late;
    const void *owner;
    size_t part_count; /* numbers that a row is made of; 0 without `late` */
    double *parts;     /* held x part_count */
};

struct sg_stream_table {
    struct sg_arena *arena; /* of the buffers; set before */
    hid_t group;
    size_t count; /* columns */
    size_t rows;
    struct sg_stream *columns;
};

/* rows of a chunk, a power of two: SG_CHUNK_BYTES or SG_CHUNK_ROWS_MAX rows, whichever is less */
size_t sg_stream_chunk_rows(size_t item, size_t width);

/* `specs` ends with a row without name. Release on failure too. Column 0 becomes the dimension scale of the
 * others. `reopen`: finds the datasets of an earlier run instead, whose types and widths must fit. */
sg_status sg_stream_table_init(struct sg_stream_table *table, hid_t file, const char *group,
                               const struct sg_stream_spec *specs, bool reopen, struct sg_error *err);

/* Closes without writing; false if HDF5 reports a failure. `abandon`: leaves HDF5's objects
 * as they are, because closing them would flush. */
bool sg_stream_table_release(struct sg_stream_table *table, bool abandon);

/* bytes of the buffer of each column: what a flush may have to find room for */
size_t sg_stream_table_buffer_bytes(const struct sg_stream_table *table);

/* Makes room for the row number table->rows in every column, then the caller fills
 * sg_stream_table_slot(table, column), or sg_stream_table_parts, of each and counts the row with
 * table->rows++. */
sg_status sg_stream_table_open_row(struct sg_stream_table *table, struct sg_error *err);
void *sg_stream_table_slot(const struct sg_stream_table *table, size_t column);

/* The parts that the row is made of, to be filled in the place of the slot; NULL where it is not made late.
 */
double *sg_stream_table_parts(const struct sg_stream_table *table, size_t column);

/* takes back the last row, to be filled anew */
void sg_stream_table_drop_row(struct sg_stream_table *table);

/* hands all rows to HDF5 (which still buffers them: flush the file afterwards) */
sg_status sg_stream_table_write(struct sg_stream_table *table, struct sg_error *err);

/* Goes on from `rows`, rewriting what follows. SG_INTERNAL if the file holds fewer. */
sg_status sg_stream_table_go_to(struct sg_stream_table *table, size_t rows, struct sg_error *err);

/* SG_INTERNAL if a dataset extends beyond the rows: a resumed run that ended with fewer than before */
sg_status sg_stream_table_check_end(const struct sg_stream_table *table, struct sg_error *err);

#endif
