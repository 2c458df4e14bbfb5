#define _DEFAULT_SOURCE
#include "studies/parameter.h"

#include <float.h>
#include <glob.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "deck/file.h"
#include "support/memory.h"
#include "support/random.h"
#include "support/text.h"

enum { VALUES_MAX = 1000000 };

struct common_spec {
    const char *name, *path;
    struct sg_texts paths;
};

static const struct sg_keyword common_rows[] = {
    {.name = "name",
     .type = SG_TEXT,
     .meaning = "the parameter's column in the table; by default its first path",
     .example = "\"gap\"",
     .max_items = SG_LABEL_LIMIT,
     .offset = offsetof(struct common_spec, name)},
    {.name = "path",
     .type = SG_TEXT,
     .meaning = "deck path of the keyword, as --set takes it",
     .example = "\"contacts.[0].gap\"",
     .offset = offsetof(struct common_spec, path)},
    {.name = "paths",
     .type = SG_TEXTS,
     .meaning = "deck paths that all take the value, instead of `path`",
     .example = "[\"contacts.[0].gap\", \"contacts.[1].gap\"]",
     .min_items = 1,
     .offset = offsetof(struct common_spec, paths)},
    {0}};

struct list_spec {
    struct sg_reals values;
};

static const struct sg_keyword list_rows[] = {{.name = "values",
                                               .type = SG_REALS,
                                               .unit = "1",
                                               .flags = SG_REQUIRED,
                                               .meaning = "numbers, in the unit of the keyword",
                                               .example = "[1e-3, 2e-3, 5e-3]",
                                               .min_items = 1,
                                               .max_items = VALUES_MAX,
                                               .offset = offsetof(struct list_spec, values)},
                                              {0}};

struct words_spec {
    struct sg_texts words;
};

static const struct sg_keyword words_rows[] = {
    {.name = "words",
     .type = SG_TEXTS,
     .flags = SG_REQUIRED,
     .meaning = "values of any type as --set takes them: bare words, true, [1.0, 2.0]",
     .example = "[\"trapezoidal\", \"exact\"]",
     .min_items = 1,
     .max_items = VALUES_MAX,
     .offset = offsetof(struct words_spec, words)},
    {0}};

struct range_spec {
    double from, to, step;
    long long count;
};

static const struct sg_keyword range_rows[] = {
    {.name = "from",
     .type = SG_REAL,
     .unit = "1",
     .flags = SG_REQUIRED,
     .meaning = "the first value",
     .example = "0.0",
     .offset = offsetof(struct range_spec, from)},
    {.name = "to",
     .type = SG_REAL,
     .unit = "1",
     .flags = SG_REQUIRED,
     .meaning = "the last value, or the bound that `step` does not pass",
     .example = "1.0",
     .offset = offsetof(struct range_spec, to)},
    {.name = "count",
     .type = SG_INTEGER,
     .meaning = "number of values; not used in a Latin hypercube",
     .example = "11",
     .range = SG_BETWEEN(2, VALUES_MAX),
     .offset = offsetof(struct range_spec, count)},
    {.name = "step",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "distance of neighbours, instead of `count`",
     .example = "0.1",
     .offset = offsetof(struct range_spec, step)},
    {0}};

static const struct sg_keyword log_range_rows[] = {
    {.name = "from",
     .type = SG_REAL,
     .unit = "1",
     .flags = SG_REQUIRED,
     .meaning = "the first value",
     .example = "1e3",
     .range = SG_POSITIVE,
     .offset = offsetof(struct range_spec, from)},
    {.name = "to",
     .type = SG_REAL,
     .unit = "1",
     .flags = SG_REQUIRED,
     .meaning = "the last value",
     .example = "1e6",
     .range = SG_POSITIVE,
     .offset = offsetof(struct range_spec, to)},
    {.name = "count",
     .type = SG_INTEGER,
     .meaning = "number of values; not used in a Latin hypercube",
     .example = "4",
     .range = SG_BETWEEN(2, VALUES_MAX),
     .offset = offsetof(struct range_spec, count)},
    {0}};

struct files_spec {
    struct sg_texts files;
    const char *pattern;
};

static const struct sg_keyword files_rows[] = {
    {.name = "files",
     .type = SG_TEXTS,
     .meaning = "names of the files, relative to the study's folder",
     .example = "[\"records/a.AT2\", \"records/b.AT2\"]",
     .min_items = 1,
     .max_items = VALUES_MAX,
     .offset = offsetof(struct files_spec, files)},
    {.name = "pattern",
     .type = SG_TEXT,
     .meaning = "shell pattern, instead of `files`: the files that fit it, in the order of their bytes",
     .example = "\"records/*.AT2\"",
     .offset = offsetof(struct files_spec, pattern)},
    {0}};

/* What a parameter's values are taken from: an interval, or items. */
struct source {
    struct sg_arena *arena;
    const struct sg_setting *node;
    struct sg_diagnostics *diagnostics;
    struct sg_error *err;
    bool interval, logarithmic;
    struct range_spec range;
    struct sg_parameter_value *items;
    size_t count; /* of items, or of values of the interval */
};

/* One kind of parameter: fills the source. */
struct parameter_ops {
    struct sg_kind kind;
    sg_status (*read)(struct source *source, const struct sg_parameter_site *site);
    bool numeric;
};

static sg_status refuse(struct source *source, const char *name, const char *message)
{
    sg_complain_about(source->diagnostics, SG_ERROR, source->node, name, "%s", message);
    FAIL(source->err, SG_BAD_DECK, "%s", message);
}

/* --- values --------------------------------------------------------------------------------------- */

/* an integer without point, so that keywords of integers take it too */
static sg_status set_number(struct sg_arena *arena, struct sg_parameter_value *value, double number,
                            struct sg_error *err)
{
    SG_LOCAL_TEXT(text);
    sg_text_append_real(&text, number);
    bool narrow = fabs(number) < 2147483648.0 && number == floor(number);
    if (narrow && text.length > 2 && strcmp(text.data + text.length - 2, ".0") == 0)
        text.data[text.length - 2] = '\0';
    value->number = number;
    TRY(sg_text_keep(arena, &text, &value->word, err));
    return sg_text_keep(arena, &text, &value->shown, err);
}

static sg_status set_word(struct sg_arena *arena, struct sg_parameter_value *value, const char *word,
                          const char *shown, struct sg_error *err)
{
    value->number = NAN;
    TRY(sg_arena_copy_text(arena, word, &value->word, err));
    return sg_arena_copy_text(arena, shown, &value->shown, err);
}

/* --- kinds ---------------------------------------------------------------------------------------- */

static sg_status read_list(struct source *source, const struct sg_parameter_site *site)
{
    (void)site;
    struct list_spec spec;
    sg_setting_fill(source->node, list_rows, &spec);
    TRY(SG_ARENA_NEW(source->arena, &source->items, spec.values.count, source->err));
    source->count = spec.values.count;
    for (size_t i = 0; i < spec.values.count; i++)
        TRY(set_number(source->arena, &source->items[i], spec.values.data[i], source->err));
    return SG_OK;
}

static sg_status read_words(struct source *source, const struct sg_parameter_site *site)
{
    (void)site;
    struct words_spec spec;
    sg_setting_fill(source->node, words_rows, &spec);
    TRY(SG_ARENA_NEW(source->arena, &source->items, spec.words.count, source->err));
    source->count = spec.words.count;
    for (size_t i = 0; i < spec.words.count; i++)
        TRY(set_word(source->arena, &source->items[i], spec.words.data[i], spec.words.data[i], source->err));
    return SG_OK;
}

static sg_status count_by_step(struct source *source)
{
    const struct range_spec *range = &source->range;
    double steps = (range->to - range->from) / range->step;
    if (!(steps >= 0.0)) return refuse(source, "step", "does not lead from `from` to `to`");
    if (steps > VALUES_MAX) return refuse(source, "step", "makes more than 1000000 values");
    source->count = (size_t)floor(steps * (1.0 + 8.0 * DBL_EPSILON) + 1e-9) + 1;
    return SG_OK;
}

static sg_status read_interval(struct source *source, const struct sg_parameter_site *site,
                               const struct sg_keyword *rows)
{
    struct range_spec *range = &source->range;
    range->step = NAN;
    source->interval = true;
    sg_setting_fill(source->node, rows, range);
    bool counted = range->count != SG_NOT_GIVEN, stepped = !isnan(range->step);
    if (site->samples > 0 && (counted || stepped))
        return refuse(source, counted ? "count" : "step",
                      "has no meaning in a Latin hypercube: its `samples` are the values");
    if (site->samples > 0) return SG_OK;
    if (counted && stepped) return refuse(source, "step", "is given beside `count`: give one of them");
    if (stepped) return count_by_step(source);
    if (!counted)
        return refuse(source, "count",
                      source->logarithmic ? "is missing: how many values are there?"
                                          : "is missing, and so is `step`: one is needed");
    source->count = (size_t)range->count;
    return SG_OK;
}

static sg_status read_range(struct source *source, const struct sg_parameter_site *site)
{
    return read_interval(source, site, range_rows);
}

static sg_status read_log_range(struct source *source, const struct sg_parameter_site *site)
{
    source->logarithmic = true;
    return read_interval(source, site, log_range_rows);
}

/* A value of the base deck: side files are looked for in its folder, so names relative to the study's are
 * made absolute, unless both are in one folder. */
static sg_status set_file(struct source *source, const struct sg_parameter_site *site, const char *name,
                          struct sg_parameter_value *value)
{
    SG_AUTO_FREE char *path = NULL, *folder = NULL;
    char absolute[PATH_MAX];
    TRY(sg_deck_side_file(site->study, name, &path, source->err));
    TRY(sg_file_folder(site->base, &folder, source->err));
    if (access(path, R_OK) != 0 || realpath(path, absolute) == NULL) {
        sg_complain(source->diagnostics, SG_ERROR, source->node, "can't open the file '%s'", path);
        FAIL(source->err, SG_BAD_DECK, "can't open the file '%s'", path);
    }
    bool beside = strncmp(path, folder, strlen(folder)) == 0 && strcmp(path + strlen(folder), name) == 0;
    SG_LOCAL_TEXT(word);
    sg_text_append_quoted(&word, beside ? name : absolute);
    TRY(sg_text_check(&word, source->err));
    return set_word(source->arena, value, sg_text_view(&word), name, source->err);
}

static sg_status set_files(struct source *source, const struct sg_parameter_site *site,
                           const char *const *names, size_t count)
{
    TRY(SG_ARENA_NEW(source->arena, &source->items, count, source->err));
    source->count = count;
    for (size_t i = 0; i < count; i++) TRY(set_file(source, site, names[i], &source->items[i]));
    return SG_OK;
}

/* the names that fit, cut so that they begin as the pattern does */
static sg_status match_files(struct source *source, const struct sg_parameter_site *site, const char *pattern)
{
    SG_AUTO_FREE char *whole = NULL;
    glob_t found;
    TRY(sg_deck_side_file(site->study, pattern, &whole, source->err));
    size_t folder = strlen(whole) - strlen(pattern);
    int code = glob(whole, 0, NULL, &found);
    if (code == GLOB_NOSPACE)
        FAIL(source->err, SG_NO_MEMORY, "out of memory: files of pattern '%s'", pattern);
    if (code != 0) return refuse(source, "pattern", "fits no file");
    SG_AUTO_FREE const char **names = NULL;
    sg_status status = SG_NEW(&names, found.gl_pathc, source->err);
    for (size_t i = 0; status == SG_OK && i < found.gl_pathc; i++) names[i] = found.gl_pathv[i] + folder;
    if (status == SG_OK) status = set_files(source, site, names, found.gl_pathc);
    globfree(&found);
    return status;
}

static sg_status read_files(struct source *source, const struct sg_parameter_site *site)
{
    struct files_spec spec;
    sg_setting_fill(source->node, files_rows, &spec);
    if (spec.files.data != NULL && spec.pattern != NULL)
        return refuse(source, "pattern", "is given beside `files`: give one of them");
    if (spec.files.data == NULL && spec.pattern == NULL)
        return refuse(source, "files", "is missing, and so is `pattern`: one is needed");
    if (spec.pattern != NULL) return match_files(source, site, spec.pattern);
    return set_files(source, site, spec.files.data, spec.files.count);
}

static const struct parameter_ops parameter_list = {
    {"list", "numbers one by one", list_rows}, read_list, true};
static const struct parameter_ops parameter_words = {
    {"words", "words, or values of any type, one by one", words_rows}, read_words, false};
static const struct parameter_ops parameter_range = {
    {"range", "numbers at equal distances", range_rows}, read_range, true};
static const struct parameter_ops parameter_log_range = {
    {"log-range", "numbers at equal ratios", log_range_rows}, read_log_range, true};
static const struct parameter_ops parameter_files = {
    {"files", "files, such as records", files_rows}, read_files, false};

static const struct sg_kind *const kinds[] = {&parameter_list.kind, &parameter_words.kind,
                                              &parameter_range.kind, &parameter_log_range.kind,
                                              &parameter_files.kind};

const struct sg_kind_set sg_parameter_kinds = {
    .noun = "parameter", .common = common_rows, .count = sizeof kinds / sizeof *kinds, .items = kinds};

/* --- the values of a parameter -------------------------------------------------------------------- */

/* without the digits that the sum's rounding made: 0.3, not 0.30000000000000004 */
static double tidy(double value, const struct range_spec *range)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.14g", value);
    double rounded = strtod(digits, NULL);
    double scale = fmax(fabs(range->from), fabs(range->to));
    return fabs(rounded - value) <= 4.0 * DBL_EPSILON * scale ? rounded : value;
}

/* the point of the interval at the fraction x of its length */
static double at_fraction(const struct source *source, long double x)
{
    const struct range_spec *range = &source->range;
    double length = range->to - range->from;
    /* in more digits, of which a logarithm up to 700 costs three; no ratio, which may overflow */
    if (source->logarithmic) return (double)expl((1.0L - x) * logl(range->from) + x * logl(range->to));
    if (isinf(length)) return (double)((1.0L - x) * range->from + x * range->to);
    return range->from + (double)x * length;
}

static double grid_value(const struct source *source, size_t i)
{
    const struct range_spec *range = &source->range;
    if (!isnan(range->step)) return tidy(range->from + (double)i * range->step, range);
    if (i == 0) return range->from;
    if (i == source->count - 1) return range->to;
    return tidy(at_fraction(source, (long double)i / (long double)(source->count - 1)), range);
}

static sg_status make_grid(struct sg_parameter *parameter, struct source *source)
{
    parameter->count = source->count;
    if (!source->interval) {
        parameter->values = source->items;
        return SG_OK;
    }
    TRY(SG_ARENA_NEW(source->arena, &parameter->values, parameter->count, source->err));
    for (size_t i = 0; i < parameter->count; i++)
        TRY(set_number(source->arena, &parameter->values[i], grid_value(source, i), source->err));
    return SG_OK;
}

static sg_status draw_one(const struct source *source, double x, struct sg_parameter_value *value)
{
    if (source->interval) return set_number(source->arena, value, at_fraction(source, x), source->err);
    const struct sg_parameter_value *item = &source->items[(size_t)(x * (double)source->count)];
    TRY(set_word(source->arena, value, item->word, item->shown, source->err));
    value->number = item->number;
    return SG_OK;
}

static sg_status draw(struct sg_parameter *parameter, const struct source *source,
                      const struct sg_parameter_site *site)
{
    struct sg_random random = {site->seed};
    SG_AUTO_FREE size_t *order = NULL;
    parameter->count = site->samples;
    TRY(SG_ARENA_NEW(source->arena, &parameter->values, site->samples, source->err));
    TRY(SG_NEW(&order, site->samples, source->err));
    sg_random_shuffle(&random, order, site->samples);
    for (size_t i = 0; i < site->samples; i++) {
        double x = ((double)order[i] + sg_random_unit(&random)) / (double)site->samples;
        TRY(draw_one(source, x, &parameter->values[i]));
    }
    return SG_OK;
}

static sg_status read_paths(struct sg_parameter *parameter, struct source *source)
{
    const struct sg_setting *node = source->node;
    struct common_spec spec;
    sg_setting_fill(node, common_rows, &spec);
    if (spec.path != NULL && spec.paths.data != NULL)
        return refuse(source, "paths", "is given beside `path`: give one of them");
    if (spec.path == NULL && spec.paths.data == NULL)
        return refuse(source, "path", "is missing: which keyword of the base deck is meant?");
    parameter->single = spec.path;
    parameter->paths = spec.path != NULL ? &parameter->single : spec.paths.data;
    parameter->path_count = spec.path != NULL ? 1 : spec.paths.count;
    parameter->name = spec.name != NULL ? spec.name : parameter->paths[0];
    return SG_OK;
}

sg_status sg_parameter_init(struct sg_arena *arena, struct sg_parameter *parameter,
                            const struct sg_setting *node, const struct sg_parameter_site *site,
                            struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct source source = {.arena = arena, .node = node, .diagnostics = diagnostics, .err = err};
    const struct parameter_ops *ops = (const struct parameter_ops *)sg_setting_kind(node);
    *parameter = (struct sg_parameter){0};
    TRY(read_paths(parameter, &source));
    parameter->numeric = ops->numeric;
    TRY(ops->read(&source, site));
    return site->samples > 0 ? draw(parameter, &source, site) : make_grid(parameter, &source);
}
