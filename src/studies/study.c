#include "studies/study.h"

#include <math.h>
#include <string.h>

#include "deck/path.h"
#include "support/memory.h"
#include "support/random.h"

enum { CASES_MAX = 1000000 };

enum combination { PRODUCT, ZIP, LATIN_HYPERCUBE };

struct study_spec {
    const char *title, *deck, *folder;
    int combine;
    long long samples, seed;
    struct sg_texts set;
    const struct sg_setting *parameters, *keep, *slurm;
};

const struct sg_keyword sg_slurm_rows[] = {
    {.name = "partition",
     .type = SG_TEXT,
     .meaning = "partition of the cluster; by default the cluster's own default",
     .example = "\"short\"",
     .offset = offsetof(struct sg_slurm_spec, partition)},
    {.name = "account",
     .type = SG_TEXT,
     .meaning = "account that is charged",
     .example = "\"project\"",
     .offset = offsetof(struct sg_slurm_spec, account)},
    {.name = "time",
     .type = SG_TEXT,
     .meaning = "limit of wall-clock time of a task, as sbatch takes it",
     .example = "\"02:00:00\"",
     .offset = offsetof(struct sg_slurm_spec, time)},
    {.name = "memory",
     .type = SG_TEXT,
     .meaning = "memory of a task, as sbatch takes it",
     .example = "\"2G\"",
     .offset = offsetof(struct sg_slurm_spec, memory)},
    {.name = "options",
     .type = SG_TEXTS,
     .meaning = "further options of sbatch",
     .example = "[\"--qos=low\"]",
     .offset = offsetof(struct sg_slurm_spec, options)},
    {.name = "setup",
     .type = SG_TEXTS,
     .meaning = "lines of the shell before the program starts",
     .example = "[\"module load signorini\"]",
     .offset = offsetof(struct sg_slurm_spec, setup)},
    {.name = "tasks",
     .type = SG_INTEGER,
     .meaning = "most tasks of the job array (MaxArraySize of the cluster is above it); with more cases each "
                "task works off several",
     .fallback = "1000",
     .range = SG_BETWEEN(1, 1000000),
     .offset = offsetof(struct sg_slurm_spec, tasks)},
    {.name = "at_once",
     .type = SG_INTEGER,
     .meaning = "most tasks that run at the same time; by default as many as the cluster starts",
     .example = "50",
     .range = SG_BETWEEN(1, 1000000),
     .offset = offsetof(struct sg_slurm_spec, at_once)},
    {0}};

const struct sg_keyword sg_study_grammar[] = {
    {.name = "title",
     .type = SG_TEXT,
     .meaning = "title of the study",
     .fallback = "\"\"",
     .example = "\"gaps and earthquakes\"",
     .offset = offsetof(struct study_spec, title)},
    {.name = "deck",
     .type = SG_TEXT,
     .flags = SG_REQUIRED,
     .meaning = "the base deck, relative to the study's folder",
     .example = "\"bouncing_bar.cfg\"",
     .offset = offsetof(struct study_spec, deck)},
    {.name = "folder",
     .type = SG_TEXT,
     .meaning = "where the results go, relative to the current folder; by default the study's name",
     .example = "\"results/gaps\"",
     .offset = offsetof(struct study_spec, folder)},
    {.name = "set",
     .type = SG_TEXTS,
     .meaning = "PATH=VALUE for all cases, as --set takes it",
     .example = "[\"time.end=1.0\"]",
     .offset = offsetof(struct study_spec, set)},
    {.name = "parameters",
     .type = SG_LIST,
     .flags = SG_REQUIRED,
     .meaning = "what changes from case to case",
     .min_items = 1,
     .max_items = 100,
     .kinds = &sg_parameter_kinds,
     .offset = offsetof(struct study_spec, parameters)},
    {.name = "combine",
     .type = SG_CHOICE,
     .meaning = "how the values of the parameters combine: each with each, the first with the first, or "
                "`samples` random points",
     .choices = "product|zip|latin-hypercube",
     .fallback = "\"product\"",
     .offset = offsetof(struct study_spec, combine)},
    {.name = "samples",
     .type = SG_INTEGER,
     .meaning = "number of cases of a Latin hypercube",
     .example = "100",
     .range = SG_BETWEEN(1, CASES_MAX),
     .offset = offsetof(struct study_spec, samples)},
    {.name = "seed",
     .type = SG_INTEGER,
     .meaning = "seed of a Latin hypercube: another seed gives another one",
     .fallback = "1",
     .range = SG_BETWEEN(0, 2147483647),
     .offset = offsetof(struct study_spec, seed)},
    {.name = "keep",
     .type = SG_LIST,
     .meaning = "numbers of each run for the table; by default steps, events, max_penetration, energy_drift",
     .max_items = 1000,
     .kinds = &sg_keep_kinds,
     .offset = offsetof(struct study_spec, keep)},
    {.name = "slurm",
     .type = SG_GROUP,
     .meaning = "what --slurm asks of the cluster",
     .fallback = "{ }",
     .rows = sg_slurm_rows,
     .offset = offsetof(struct study_spec, slurm)},
    {0}};

/* a study while it is built */
struct build {
    struct sg_study *study;
    struct study_spec spec;
    struct sg_diagnostics *diagnostics;
    struct sg_error *err;
};

static const struct sg_setting *root_of(const struct build *b)
{
    return sg_deck_root(b->study->deck);
}

static const struct sg_setting *parameter_node(const struct build *b, size_t p)
{
    return sg_setting_item(b->spec.parameters, p);
}

/* faults of the study are findings, and building goes on */
static sg_status keep_on(sg_status status)
{
    return status == SG_BAD_DECK ? SG_OK : status;
}

/* --- parameters ----------------------------------------------------------------------------------- */

static void check_sampling(const struct build *b)
{
    bool latin = b->spec.combine == LATIN_HYPERCUBE, given = b->spec.samples != SG_NOT_GIVEN;
    if (latin && !given)
        sg_complain_about(b->diagnostics, SG_ERROR, root_of(b), "samples",
                          "a Latin hypercube needs `samples`: how many cases there are");
    if (latin) return;
    if (given)
        sg_complain_about(b->diagnostics, SG_ERROR, root_of(b), "samples",
                          "has no meaning unless combine is \"latin-hypercube\"");
    if (sg_setting_given(root_of(b), "seed"))
        sg_complain_about(b->diagnostics, SG_ERROR, root_of(b), "seed",
                          "has no meaning unless combine is \"latin-hypercube\"");
}

static sg_status build_parameters(struct build *b)
{
    struct sg_study *study = b->study;
    size_t count = sg_setting_count(b->spec.parameters);
    bool latin = b->spec.combine == LATIN_HYPERCUBE, given = b->spec.samples != SG_NOT_GIVEN;
    /* Where their number is missing it counts as one, so that the parameters' other faults show. */
    size_t samples = !latin ? 0 : given ? (size_t)b->spec.samples : 1;
    struct sg_parameter_site site = {study->deck, study->base, samples, 0};
    struct sg_random seeds = {(uint64_t)b->spec.seed};
    TRY(SG_ARENA_NEW(study->arena, &study->parameters, count, b->err));
    study->parameter_count = count;
    for (size_t p = 0; p < count; p++) {
        site.seed = sg_random_bits(&seeds);
        TRY(keep_on(sg_parameter_init(study->arena, &study->parameters[p], parameter_node(b, p), &site,
                                      b->diagnostics, b->err)));
    }
    return SG_OK;
}

static void complain_twice(const struct build *b, size_t p, const char *what, const char *word)
{
    sg_complain(b->diagnostics, SG_ERROR, parameter_node(b, p), "%s '%s' is there twice", what, word);
}

static bool parse_path(const char *path, struct sg_path *steps, struct sg_text *fault)
{
    return sg_path_parse(path, strlen(path), false, steps, fault);
}

static bool same_step(const struct sg_step *a, const struct sg_step *b)
{
    if (a->name == NULL || b->name == NULL) return a->name == b->name && a->index == b->index;
    return a->length == b->length && memcmp(a->name, b->name, a->length) == 0;
}

/* however it is spelt: a path that an earlier one is, or leads into, puts its value in that one's place */
static bool replaces(const struct sg_path *later, const char *earlier)
{
    struct sg_path steps;
    SG_LOCAL_TEXT(fault);
    bool known = parse_path(earlier, &steps, &fault);
    if (!known || later->count > steps.count) return false;
    for (size_t i = 0; i < later->count; i++)
        if (!same_step(&later->steps[i], &steps.steps[i])) return false;
    return true;
}

/* the path among the first `count` of a parameter whose value would be lost; NULL: none */
static const char *find_lost(const struct sg_parameter *parameter, size_t count, const struct sg_path *later)
{
    for (size_t i = 0; i < count; i++)
        if (replaces(later, parameter->paths[i])) return parameter->paths[i];
    return NULL;
}

static void check_path(const struct build *b, size_t p, size_t i)
{
    const struct sg_parameter *all = b->study->parameters;
    const char *path = all[p].paths[i], *lost;
    struct sg_path steps;
    SG_LOCAL_TEXT(fault);
    bool known = parse_path(path, &steps, &fault);
    if (!known) sg_complain(b->diagnostics, SG_ERROR, parameter_node(b, p), "%s", sg_text_view(&fault));
    if (!known) return;
    lost = find_lost(&all[p], i, &steps);
    for (size_t o = 0; o < p && lost == NULL; o++) lost = find_lost(&all[o], all[o].path_count, &steps);
    if (lost == NULL) return;
    if (strcmp(lost, path) == 0)
        complain_twice(b, p, "path", path);
    else
        sg_complain(b->diagnostics, SG_ERROR, parameter_node(b, p),
                    "path '%s' puts its value in the place of '%s', which is a parameter, too", path, lost);
}

/* columns of the table that every study has */
static bool is_column(const char *name)
{
    static const char *const columns[] = {"case", "status", "exit_code", "reason"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(columns[i], name) == 0) return true;
    return false;
}

static void check_column(const struct build *b, const struct sg_setting *node, const char *name)
{
    if (is_column(name))
        sg_complain(b->diagnostics, SG_ERROR, node, "name '%s' is that of a column that every table has",
                    name);
    else if (strchr(name, '/') != NULL || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        sg_complain_about(b->diagnostics, SG_ERROR, node, "name",
                          "names a column of a table, so it must have no '/', and not be \".\" or \"..\"");
}

static void check_names(const struct build *b)
{
    const struct sg_study *study = b->study;
    for (size_t p = 0; p < study->parameter_count; p++) {
        if (study->parameters[p].name == NULL) continue;
        for (size_t i = 0; i < study->parameters[p].path_count; i++) check_path(b, p, i);
        check_column(b, parameter_node(b, p), study->parameters[p].name);
        for (size_t o = 0; o < p; o++)
            if (study->parameters[o].name != NULL &&
                strcmp(study->parameters[o].name, study->parameters[p].name) == 0)
                complain_twice(b, p, "name", study->parameters[p].name);
    }
}

static void count_cases(const struct build *b)
{
    struct sg_study *study = b->study;
    double product = 1.0;
    for (size_t p = 0; p < study->parameter_count; p++) product *= (double)study->parameters[p].count;
    study->product = b->spec.combine == PRODUCT;
    if (study->product && product > CASES_MAX) {
        sg_complain_about(b->diagnostics, SG_ERROR, root_of(b), "parameters",
                          "%.6g cases are too many: at most %d", product, CASES_MAX);
        return;
    }
    study->cases = study->product ? (size_t)product : study->parameters[0].count;
    for (size_t p = 1; !study->product && p < study->parameter_count; p++)
        if (study->parameters[p].count != study->cases)
            sg_complain(b->diagnostics, SG_ERROR, parameter_node(b, p),
                        "%zu value%s, but %zu of the first parameter: \"zip\" takes one of each at a time",
                        study->parameters[p].count, study->parameters[p].count == 1 ? "" : "s", study->cases);
}

/* --- what is kept --------------------------------------------------------------------------------- */

static void check_keep_name(const struct build *b, size_t k)
{
    const struct sg_study *study = b->study;
    const struct sg_setting *node = sg_setting_item(b->spec.keep, k);
    const char *name = study->keeps[k].name;
    if (name == NULL) return;
    check_column(b, node, name);
    for (size_t o = 0; o < k; o++)
        if (study->keeps[o].name != NULL && strcmp(study->keeps[o].name, name) == 0)
            sg_complain(b->diagnostics, SG_ERROR, node, "name '%s' is there twice", name);
    for (size_t p = 0; p < study->parameter_count; p++)
        if (study->parameters[p].name != NULL && strcmp(study->parameters[p].name, name) == 0)
            sg_complain(b->diagnostics, SG_ERROR, node,
                        "name '%s' is a parameter's: columns have names of their own", name);
}

static sg_status build_keeps(struct build *b)
{
    static const char *const fallback[] = {"steps", "events", "max_penetration", "energy_drift"};
    struct sg_study *study = b->study;
    bool given = b->spec.keep != NULL;
    size_t count = given ? sg_setting_count(b->spec.keep) : sizeof fallback / sizeof *fallback;
    TRY(SG_ARENA_NEW(study->arena, &study->keeps, count, b->err));
    study->keep_count = count;
    for (size_t k = 0; k < count; k++)
        TRY(keep_on(sg_keep_init(study->arena, &study->keeps[k],
                                 given ? sg_setting_item(b->spec.keep, k) : NULL, given ? NULL : fallback[k],
                                 b->diagnostics, b->err)));
    for (size_t k = 0; given && k < count; k++) check_keep_name(b, k);
    return SG_OK;
}

/* --- the study ------------------------------------------------------------------------------------ */

static sg_status build(struct build *b)
{
    struct sg_study *study = b->study;
    size_t errors = b->diagnostics->errors;
    sg_setting_fill(root_of(b), sg_study_grammar, &b->spec);
    study->title = b->spec.title;
    study->base_name = b->spec.deck;
    study->folder = b->spec.folder;
    study->slurm = b->spec.slurm;
    study->set = b->spec.set;
    TRY(sg_deck_side_file(study->deck, b->spec.deck, &study->base, b->err));
    TRY(sg_arena_own(study->arena, study->base, sg_free, b->err));
    check_sampling(b);
    TRY(build_parameters(b));
    check_names(b);
    if (b->diagnostics->errors == errors) count_cases(b);
    TRY(build_keeps(b));
    if (b->diagnostics->failed) FAIL(b->err, SG_NO_MEMORY, "out of memory: the study's findings");
    if (b->diagnostics->errors > errors) FAIL(b->err, SG_BAD_DECK, "the study is wrong");
    return SG_OK;
}

sg_status sg_study_create(struct sg_arena *arena, const struct sg_deck *deck, struct sg_study **study,
                          struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct build b = {.diagnostics = diagnostics, .err = err};
    TRY(SG_ARENA_NEW(arena, study, 1, err));
    b.study = *study;
    b.study->arena = arena;
    b.study->deck = deck;
    return build(&b);
}

const struct sg_parameter_value *sg_study_value(const struct sg_study *study, size_t index, size_t parameter)
{
    for (size_t p = study->parameter_count; study->product && p > parameter + 1; p--)
        index /= study->parameters[p - 1].count;
    return &study->parameters[parameter].values[index % study->parameters[parameter].count];
}

/* --- assignments ---------------------------------------------------------------------------------- */

static sg_status assign(struct sg_arena *arena, struct sg_assignments *list, const char *path,
                        const char *word, struct sg_error *err)
{
    SG_LOCAL_TEXT(text);
    sg_text_append(&text, "%s%s%s", path, word != NULL ? "=" : "", word != NULL ? word : "");
    return sg_text_keep(arena, &text, &list->items[list->count++], err);
}

sg_status sg_study_assignments(struct sg_arena *arena, const struct sg_study *study, size_t index,
                               struct sg_assignments *list, struct sg_error *err)
{
    size_t most = study->set.count;
    for (size_t p = 0; p < study->parameter_count; p++) most += study->parameters[p].path_count;
    *list = (struct sg_assignments){0};
    TRY(SG_ARENA_NEW(arena, &list->items, most, err));
    for (size_t i = 0; i < study->set.count; i++) TRY(assign(arena, list, study->set.data[i], NULL, err));
    for (size_t p = 0; p < study->parameter_count; p++)
        for (size_t i = 0; i < study->parameters[p].path_count; i++)
            TRY(assign(arena, list, study->parameters[p].paths[i], sg_study_value(study, index, p)->word,
                       err));
    return SG_OK;
}
