/* The table of a study: a row a case, as CSV and as HDF5. Both appear whole or not at all. */
#ifndef SG_RESULTS_STUDY_TABLE_H
#define SG_RESULTS_STUDY_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/arena.h"
#include "support/status.h"

#define SG_STUDY_CONVENTIONS "signorini-study-1"

enum sg_table_type { SG_COLUMN_REAL, SG_COLUMN_INTEGER, SG_COLUMN_TEXT };

/* The type says which of the three arrays is taken; CSV shows texts that stand beside numbers instead of
 * them. */
struct sg_table_column {
    const char *group; /* of the HDF5 file; NULL: its root */
    const char *name, *unit, *description;
    enum sg_table_type type;
    bool hidden; /* not in CSV, which is the same whenever and wherever the study ran */
    const double *reals;
    const long long *integers;
    const char *const *texts;
};

struct sg_study_table {
    const char *title, *version, *commit, *sha256; /* root attributes */
    const struct sg_table_column *columns;
    size_t column_count, rows;
};

/* RFC 4180; NaN is an empty field. SG_NO_OUTPUT, SG_WRITE_FAILED */
sg_status sg_study_table_write_csv(const struct sg_study_table *table, const char *path,
                                   struct sg_error *err);
sg_status sg_study_table_write_hdf(const struct sg_study_table *table, const char *path,
                                   struct sg_error *err);

/* --- read back ------------------------------------------------------------------------------------ */

struct sg_study_column {
    char *name, *unit;
    bool parameter;
    double *reals; /* rows */
    char **texts;  /* rows; of texts, which have no reals */
};

/* Parameters and results of a study's table, by their names. */
struct sg_study_data {
    char *title;
    struct sg_study_column *columns;
    size_t count, rows;
};

/* Tells whether the file is a study's table in HDF5. */
sg_status sg_study_table_fits(const char *path, bool *fits, struct sg_error *err);

/* The data are the arena's. SG_NO_INPUT if the file can't be read. */
sg_status sg_study_table_read(struct sg_arena *arena, const char *path, struct sg_study_data *data,
                              struct sg_error *err);

#endif
