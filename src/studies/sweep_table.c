/* The table of a study, out of what its cases gave. */
#include <math.h>
#include <string.h>

#include "results/study_table.h"
#include "studies/sweep.h"
#include "support/memory.h"
#include "support/sha256.h"
#include "version.h"

enum { FIXED_COLUMNS = 5 };

/* The arrays behind the table's columns. */
struct arrays {
    struct sg_arena *arena;
    struct sg_table_column *columns;
    size_t count;
    long long *numbers, *codes;
    double *seconds;
    const char **statuses, **reasons;
    double *reals;      /* parameter_count x cases */
    const char **texts; /* parameter_count x cases */
    double *kept;       /* keep_count x cases */
    char **units;       /* keep_count */
    char **meanings;    /* keep_count, then parameter_count */
};

static struct sg_table_column *add(struct arrays *a, const char *name, enum sg_table_type type)
{
    struct sg_table_column *column = &a->columns[a->count++];
    *column = (struct sg_table_column){.name = name, .type = type, .unit = "1"};
    return column;
}

static sg_status allocate(struct arrays *a, const struct sg_study *study, struct sg_error *err)
{
    size_t n = study->cases, p = study->parameter_count, k = study->keep_count;
    TRY(SG_ARENA_NEW(a->arena, &a->columns, FIXED_COLUMNS + p + k, err));
    TRY(SG_ARENA_NEW(a->arena, &a->numbers, n, err));
    TRY(SG_ARENA_NEW(a->arena, &a->codes, n, err));
    TRY(SG_ARENA_NEW(a->arena, &a->seconds, n, err));
    TRY(SG_ARENA_NEW(a->arena, &a->statuses, n, err));
    TRY(SG_ARENA_NEW(a->arena, &a->reasons, n, err));
    TRY(SG_ARENA_NEW(a->arena, &a->reals, n * p, err));
    TRY(SG_ARENA_NEW(a->arena, &a->texts, n * p, err));
    TRY(SG_ARENA_NEW(a->arena, &a->kept, n * k, err));
    TRY(SG_ARENA_NEW(a->arena, &a->units, k, err));
    return SG_ARENA_NEW(a->arena, &a->meanings, k + p, err);
}

static void add_number(struct arrays *a, const struct sg_sweep *sweep)
{
    for (size_t i = 0; i < sweep->study->cases; i++) a->numbers[i] = (long long)i + 1;
    struct sg_table_column *column = add(a, "case", SG_COLUMN_INTEGER);
    column->integers = a->numbers;
    column->description = "number of the case: of its results, its log, and of --case";
}

static void add_ends(struct arrays *a, const struct sg_sweep *sweep)
{
    for (size_t i = 0; i < sweep->study->cases; i++) {
        const struct sg_case_result *result = &sweep->results[i];
        a->codes[i] = result->exit_code;
        a->seconds[i] = result->seconds;
        a->statuses[i] = sg_sweep_status_word(result);
        a->reasons[i] = result->reason != NULL ? result->reason : "";
    }
    struct sg_table_column *status = add(a, "status", SG_COLUMN_TEXT);
    status->texts = a->statuses;
    status->description = "complete, failed, interrupted, missing";
    struct sg_table_column *code = add(a, "exit_code", SG_COLUMN_INTEGER);
    code->integers = a->codes;
    code->description = "of the run, 128 + signal where one ended it; -1: none has ended";
}

static void add_last(struct arrays *a)
{
    struct sg_table_column *reason = add(a, "reason", SG_COLUMN_TEXT);
    reason->texts = a->reasons;
    reason->description = "the first error of a run that failed";
    struct sg_table_column *seconds = add(a, "wall_seconds", SG_COLUMN_REAL);
    seconds->reals = a->seconds;
    seconds->unit = "s";
    seconds->description = "wall-clock time of the run";
    seconds->hidden = true;
}

static sg_status add_parameter(struct arrays *a, const struct sg_study *study, size_t p, struct sg_error *err)
{
    const struct sg_parameter *parameter = &study->parameters[p];
    SG_LOCAL_TEXT(meaning);
    double *reals = a->reals + p * study->cases;
    const char **texts = a->texts + p * study->cases;
    for (size_t i = 0; i < study->cases; i++) {
        const struct sg_parameter_value *value = sg_study_value(study, i, p);
        reals[i] = value->number;
        texts[i] = value->shown;
    }
    sg_text_append(&meaning, "in the keyword's unit: ");
    for (size_t i = 0; i < parameter->path_count; i++)
        sg_text_append(&meaning, "%s%s", i > 0 ? ", " : "", parameter->paths[i]);
    char **kept = &a->meanings[study->keep_count + p];
    TRY(sg_text_keep(a->arena, &meaning, kept, err));
    struct sg_table_column *column =
        add(a, parameter->name, parameter->numeric ? SG_COLUMN_REAL : SG_COLUMN_TEXT);
    column->group = "parameters";
    column->unit = "deck";
    column->description = *kept;
    column->reals = reals;
    column->texts = texts;
    return SG_OK;
}

static sg_status add_keep(struct arrays *a, const struct sg_sweep *sweep, size_t k, struct sg_error *err)
{
    const struct sg_study *study = sweep->study;
    SG_LOCAL_TEXT(meaning);
    double *kept = a->kept + k * study->cases;
    for (size_t i = 0; i < study->cases; i++) kept[i] = sweep->values[i * study->keep_count + k];
    sg_keep_describe(&study->keeps[k], &meaning);
    TRY(sg_text_keep(a->arena, &meaning, &a->meanings[k], err));
    struct sg_table_column *column = add(a, study->keeps[k].name, SG_COLUMN_REAL);
    column->group = "results";
    column->unit = a->units[k];
    column->description = a->meanings[k];
    column->reals = kept;
    return SG_OK;
}

/* Units are those of the first run that is complete. */
static sg_status find_units(struct arrays *a, const struct sg_sweep *sweep, struct sg_error *err)
{
    const struct sg_study *study = sweep->study;
    struct sg_reader *reader = NULL;
    SG_AUTO_FREE char *path = NULL;
    size_t first = 0;
    while (first < study->cases && sweep->results[first].exit_code != 0) first++;
    sg_status status = SG_OK;
    if (first < study->cases) status = sg_sweep_case_path(sweep, first, ".h5", &path, err);
    if (status == SG_OK && path != NULL) status = sg_reader_open(path, &reader, err);
    for (size_t k = 0; status == SG_OK && k < study->keep_count; k++)
        status = sg_arena_copy_text(a->arena, reader != NULL ? sg_keep_unit(&study->keeps[k], reader) : "1",
                                    &a->units[k], err);
    sg_reader_close(reader);
    return status;
}

static sg_status fill(struct arrays *a, const struct sg_sweep *sweep, struct sg_error *err)
{
    const struct sg_study *study = sweep->study;
    TRY(allocate(a, study, err));
    TRY(find_units(a, sweep, err));
    add_number(a, sweep);
    for (size_t p = 0; p < study->parameter_count; p++) TRY(add_parameter(a, study, p, err));
    add_ends(a, sweep);
    for (size_t k = 0; k < study->keep_count; k++) TRY(add_keep(a, sweep, k, err));
    add_last(a);
    return SG_OK;
}

static sg_status write_both(const struct sg_sweep *sweep, const struct sg_study_table *table,
                            struct sg_error *err)
{
    SG_AUTO_FREE char *csv = NULL, *hdf = NULL;
    TRY(sg_sweep_path(sweep, "summary.csv", &csv, err));
    TRY(sg_sweep_path(sweep, "summary.h5", &hdf, err));
    TRY(sg_study_table_write_hdf(table, hdf, err));
    return sg_study_table_write_csv(table, csv, err);
}

sg_status sg_sweep_write_table(const struct sg_sweep *sweep, struct sg_error *err)
{
    SG_LOCAL_ARENA(arena);
    struct arrays a = {.arena = &arena};
    char sha256[SG_SHA256_HEX];
    const char *source = sg_deck_source(sweep->deck);
    sg_sha256(source, strlen(source), sha256);
    TRY(fill(&a, sweep, err));
    struct sg_study_table table = {.title = sweep->study->title,
                                   .version = SG_VERSION,
                                   .commit = SG_COMMIT,
                                   .sha256 = sha256,
                                   .columns = a.columns,
                                   .column_count = a.count,
                                   .rows = sweep->study->cases};
    return write_both(sweep, &table, err);
}
