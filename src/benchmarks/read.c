#include "benchmarks/benchmark.h"

#include <math.h>
#include <string.h>

#include "benchmarks/evaluate.h"
#include "benchmarks/shipped.h"
#include "support/memory.h"

/* --- keywords --------------------------------------------------------------------------------------- */

struct figure_spec {
    const char *name, *unit, *value, *provided, *source, *why;
    double target, tolerance, relative, at_most, at_least;
};

static const struct sg_keyword figure_rows[] = {
    {.name = "name",
     .type = SG_TEXT,
     .flags = SG_REQUIRED,
     .max_items = SG_LABEL_LIMIT,
     .meaning = "what is measured, in words; each figure of a trial has a name of its own",
     .example = "\"first impact\"",
     .offset = offsetof(struct figure_spec, name)},
    {.name = "unit",
     .type = SG_TEXT,
     .meaning = "unit of the value, shown in brackets behind the name",
     .example = "\"s\"",
     .offset = offsetof(struct figure_spec, unit)},
    {.name = "value",
     .type = SG_TEXT,
     .flags = SG_REQUIRED,
     .meaning = "formula of the number that is judged",
     .example = "\"max(abs(gap))\"",
     .offset = offsetof(struct figure_spec, value)},
    {.name = "provided",
     .type = SG_TEXT,
     .meaning = "formula that must not be 0, else the figure fails, whatever its value",
     .example = "\"count(event.kind == impact) == 4\"",
     .offset = offsetof(struct figure_spec, provided)},
    {.name = "target",
     .type = SG_REAL,
     .meaning = "what the value must be, within `tolerance` or `relative`",
     .fallback = "0.0",
     .offset = offsetof(struct figure_spec, target)},
    {.name = "tolerance",
     .type = SG_REAL,
     .meaning = "largest distance from the target",
     .example = "1e-9",
     .range = SG_POSITIVE,
     .offset = offsetof(struct figure_spec, tolerance)},
    {.name = "relative",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "the same as a part of the target",
     .example = "0.01",
     .range = SG_POSITIVE,
     .offset = offsetof(struct figure_spec, relative)},
    {.name = "at_most",
     .type = SG_REAL,
     .meaning = "one-sided limit, or the upper end of a range; without target",
     .example = "1.0",
     .offset = offsetof(struct figure_spec, at_most)},
    {.name = "at_least",
     .type = SG_REAL,
     .meaning = "one-sided limit, or the lower end of a range; without target",
     .example = "0.5",
     .offset = offsetof(struct figure_spec, at_least)},
    {.name = "source",
     .type = SG_TEXT,
     .meaning = "where the target comes from, if not from the benchmark's source",
     .example = "\"Acary 2013, table 2\"",
     .offset = offsetof(struct figure_spec, source)},
    {.name = "why",
     .type = SG_TEXT,
     .meaning = "why the limit is what it is, if the benchmark's `why` does not say it",
     .example = "\"An impact comes a step late at most.\"",
     .offset = offsetof(struct figure_spec, why)},
    {0}};

struct variant_spec {
    struct sg_texts set;
};

static const struct sg_keyword variant_rows[] = {
    {.name = "set",
     .type = SG_TEXTS,
     .flags = SG_REQUIRED,
     .meaning = "PATH=VALUE of this run alone, as --set takes it",
     .example = "[\"time.step=1e-3\"]",
     .offset = offsetof(struct variant_spec, set)},
    {0}};

struct trial_spec {
    const char *name, *label;
    struct sg_texts set;
    const struct sg_setting *variants, *figures;
};

static const struct sg_keyword trial_rows[] = {
    {.name = "name",
     .type = SG_TEXT,
     .meaning = "what formulas call it, in in(NAME, x); a word",
     .example = "\"coarse\"",
     .offset = offsetof(struct trial_spec, name)},
    {.name = "label",
     .type = SG_TEXT,
     .flags = SG_REQUIRED,
     .meaning = "what verdicts call it",
     .example = "\"50 elements\"",
     .offset = offsetof(struct trial_spec, label)},
    {.name = "set",
     .type = SG_TEXTS,
     .meaning = "PATH=VALUE for all its runs, as --set takes it",
     .example = "[\"time.step=1e-3\"]",
     .offset = offsetof(struct trial_spec, set)},
    {.name = "variants",
     .type = SG_LIST,
     .meaning = "several runs in place of one, each with values of its own",
     .min_items = 1,
     .max_items = 1000,
     .rows = variant_rows,
     .offset = offsetof(struct trial_spec, variants)},
    {.name = "figures",
     .type = SG_LIST,
     .meaning = "what is measured of it",
     .max_items = 10000,
     .rows = figure_rows,
     .offset = offsetof(struct trial_spec, figures)},
    {0}};

struct term_spec {
    const char *name, *value;
    struct sg_texts of;
};

static const struct sg_keyword term_rows[] = {{.name = "name",
                                               .type = SG_TEXT,
                                               .flags = SG_REQUIRED,
                                               .meaning = "what formulas below call it; a word",
                                               .example = "\"given\"",
                                               .offset = offsetof(struct term_spec, name)},
                                              {.name = "of",
                                               .type = SG_TEXTS,
                                               .meaning = "names of its parameters",
                                               .max_items = SG_OPERANDS,
                                               .example = "[\"contact\"]",
                                               .offset = offsetof(struct term_spec, of)},
                                              {.name = "value",
                                               .type = SG_TEXT,
                                               .flags = SG_REQUIRED,
                                               .meaning = "formula that the name stands for",
                                               .example = "\"change(impulse[contact])\"",
                                               .offset = offsetof(struct term_spec, value)},
                                              {0}};

struct bench_spec {
    const char *meaning, *deck, *source, *why;
    int kind;
    const struct sg_setting *exact, *terms, *trials;
};

const struct sg_keyword sg_bench_grammar[] = {
    {.name = "meaning",
     .type = SG_TEXT,
     .flags = SG_REQUIRED,
     .meaning = "what the benchmark is about, in one line",
     .example = "\"a ball that bounces to rest\"",
     .offset = offsetof(struct bench_spec, meaning)},
    {.name = "deck",
     .type = SG_TEXT,
     .meaning = "the deck, relative to this file's folder; by default this file's name with .cfg",
     .example = "\"ball.cfg\"",
     .offset = offsetof(struct bench_spec, deck)},
    {.name = "kind",
     .type = SG_CHOICE,
     .meaning = "what kind of deck that is; a study's cases are runs of a trial",
     .fallback = "\"run\"",
     .choices = "run|study|ground-motion",
     .offset = offsetof(struct bench_spec, kind)},
    {.name = "source",
     .type = SG_TEXT,
     .meaning = "where targets come from",
     .example = "\"Acary 2013\"",
     .offset = offsetof(struct bench_spec, source)},
    {.name = "why",
     .type = SG_TEXT,
     .meaning = "why the limits are what they are; figures without a `why` of their own need it",
     .example = "\"Impacts come a step late at most.\"",
     .offset = offsetof(struct bench_spec, why)},
    {.name = "exact",
     .type = SG_LIST,
     .meaning = "exact solutions whose functions formulas may call",
     .max_items = 16,
     .kinds = &sg_exact_kinds,
     .offset = offsetof(struct bench_spec, exact)},
    {.name = "terms",
     .type = SG_LIST,
     .meaning = "formulas with names, for the formulas below them",
     .max_items = 1000,
     .rows = term_rows,
     .offset = offsetof(struct bench_spec, terms)},
    {.name = "trials",
     .type = SG_LIST,
     .flags = SG_REQUIRED,
     .meaning = "runs of the deck, with their figures",
     .min_items = 1,
     .max_items = 1000,
     .rows = trial_rows,
     .offset = offsetof(struct bench_spec, trials)},
    {0}};

/* --- building --------------------------------------------------------------------------------------- */

struct build {
    struct sg_benchmark *benchmark;
    struct bench_spec spec;
    struct sg_diagnostics *diagnostics;
    struct sg_error *err;
};

/* The formula of a keyword; what is wrong with its text is a finding. */
static sg_status build_formula(struct build *b, const struct sg_setting *node, const char *keyword,
                               struct sg_formula *formula)
{
    SG_LOCAL_TEXT(fault);
    struct sg_error parsing = {SG_OK, ""};
    const char *text = sg_setting_text(node, keyword);
    if (text == NULL) return SG_OK;
    sg_status status = sg_formula_parse(&b->benchmark->arena, text, formula, &fault, &parsing);
    if (status == SG_BAD_DECK)
        sg_complain_about(b->diagnostics, SG_ERROR, node, keyword, "%s", sg_text_view(&fault));
    else if (status != SG_OK)
        sg_fail(b->err, status, "%s", parsing.text);
    return status == SG_BAD_DECK ? SG_OK : status;
}

static void check_word(const struct build *b, const struct sg_setting *node, const char *name)
{
    size_t length = 0;
    while (name[length] == '_' || (name[length] >= 'a' && name[length] <= 'z') ||
           (name[length] >= 'A' && name[length] <= 'Z') ||
           (length > 0 && name[length] >= '0' && name[length] <= '9'))
        length++;
    if (length == 0 || name[length] != '\0')
        sg_complain_about(b->diagnostics, SG_ERROR, node, "name",
                          "'%s' is no name for formulas: letters, digits and _ make one", name);
}

static void set_limit(const struct build *b, const struct sg_setting *node, const struct figure_spec *spec,
                      struct sg_limit *limit)
{
    bool near = !isnan(spec->tolerance) || !isnan(spec->relative);
    bool sided = !isnan(spec->at_most) || !isnan(spec->at_least);
    limit->within = near;
    limit->target = spec->target;
    limit->tolerance = !isnan(spec->tolerance) ? spec->tolerance : spec->relative * fabs(spec->target);
    limit->low = isnan(spec->at_least) ? -HUGE_VAL : spec->at_least;
    limit->high = isnan(spec->at_most) ? HUGE_VAL : spec->at_most;
    if (!near && !sided)
        sg_complain(b->diagnostics, SG_ERROR, node,
                    "figure '%s' has no limit: give `tolerance`, `relative`, `at_most` or `at_least`",
                    spec->name);
    if (near && sided)
        sg_complain(b->diagnostics, SG_ERROR, node,
                    "figure '%s' has a tolerance and a one-sided limit: give one of them", spec->name);
    if (!isnan(spec->tolerance) && !isnan(spec->relative))
        sg_complain(b->diagnostics, SG_ERROR, node,
                    "figure '%s' has `tolerance` and `relative`: give one of them", spec->name);
    if (!isnan(spec->relative) && spec->target == 0.0)
        sg_complain_about(b->diagnostics, SG_ERROR, node, "relative",
                          "must be of a target that is not 0: give `tolerance`");
    if (sided && sg_setting_given(node, "target"))
        sg_complain_about(b->diagnostics, SG_ERROR, node, "target", "needs `tolerance` or `relative`");
    if (limit->low > limit->high)
        sg_complain(b->diagnostics, SG_ERROR, node, "figure '%s': no number is at least %g and at most %g",
                    spec->name, limit->low, limit->high);
}

static sg_status name_figure(struct sg_arena *arena, const struct figure_spec *spec, char **name,
                             struct sg_error *err)
{
    SG_LOCAL_TEXT(text);
    sg_text_append(&text, "%s", spec->name);
    if (spec->unit != NULL) sg_text_append(&text, " (%s)", spec->unit);
    return sg_text_keep(arena, &text, name, err);
}

static sg_status build_figure(struct build *b, const struct sg_setting *node, struct sg_bench_figure *figure)
{
    struct figure_spec spec;
    sg_setting_fill(node, figure_rows, &spec);
    figure->node = node;
    figure->source = spec.source != NULL ? spec.source : b->spec.source;
    figure->why = spec.why != NULL ? spec.why : b->spec.why;
    if (figure->why == NULL)
        sg_complain(b->diagnostics, SG_ERROR, node, "figure '%s' does not say `why` its limit is what it is",
                    spec.name);
    set_limit(b, node, &spec, &figure->limit);
    TRY(name_figure(&b->benchmark->arena, &spec, &figure->name, b->err));
    TRY(build_formula(b, node, "value", &figure->value));
    return build_formula(b, node, "provided", &figure->provided);
}

static void check_figure_name(const struct build *b, const struct sg_bench_trial *trial, size_t k)
{
    const char *name = trial->figures[k].name;
    for (size_t o = 0; name != NULL && o < k; o++)
        if (trial->figures[o].name != NULL && strcmp(trial->figures[o].name, name) == 0)
            sg_complain(b->diagnostics, SG_ERROR, trial->figures[k].node, "figure '%s' is there twice", name);
}

static sg_status build_trial(struct build *b, const struct sg_setting *node, struct sg_bench_trial *trial)
{
    struct trial_spec spec;
    sg_setting_fill(node, trial_rows, &spec);
    size_t figures = sg_setting_count(spec.figures), variants = sg_setting_count(spec.variants);
    *trial = (struct sg_bench_trial){.name = spec.name, .label = spec.label, .set = spec.set, .node = node};
    if (spec.name != NULL) check_word(b, node, spec.name);
    TRY(SG_ARENA_NEW(&b->benchmark->arena, &trial->variant_sets, variants, b->err));
    trial->variants = variants;
    for (size_t k = 0; k < variants; k++) {
        struct variant_spec variant;
        sg_setting_fill(sg_setting_item(spec.variants, k), variant_rows, &variant);
        trial->variant_sets[k] = variant.set;
    }
    if (variants > 0 && b->spec.kind == SG_BENCH_STUDY)
        sg_complain_about(b->diagnostics, SG_ERROR, node, "variants",
                          "has no meaning for a study: its cases are runs");
    TRY(SG_ARENA_NEW(&b->benchmark->arena, &trial->figures, figures, b->err));
    trial->figure_count = figures;
    for (size_t k = 0; k < figures; k++) {
        TRY(build_figure(b, sg_setting_item(spec.figures, k), &trial->figures[k]));
        check_figure_name(b, trial, k);
    }
    return SG_OK;
}

static sg_status build_trials(struct build *b)
{
    struct sg_benchmark *benchmark = b->benchmark;
    size_t count = sg_setting_count(b->spec.trials);
    TRY(SG_ARENA_NEW(&b->benchmark->arena, &benchmark->trials, count, b->err));
    benchmark->trial_count = count;
    for (size_t k = 0; k < count; k++) {
        struct sg_bench_trial *trial = &benchmark->trials[k];
        TRY(build_trial(b, sg_setting_item(b->spec.trials, k), trial));
        for (size_t o = 0; trial->name != NULL && o < k; o++)
            if (benchmark->trials[o].name != NULL && strcmp(benchmark->trials[o].name, trial->name) == 0)
                sg_complain_about(b->diagnostics, SG_ERROR, trial->node, "name", "'%s' is there twice",
                                  trial->name);
    }
    return SG_OK;
}

static sg_status build_terms(struct build *b)
{
    struct sg_benchmark *benchmark = b->benchmark;
    size_t count = sg_setting_count(b->spec.terms);
    TRY(SG_ARENA_NEW(&b->benchmark->arena, &benchmark->terms, count, b->err));
    benchmark->term_count = count;
    for (size_t k = 0; k < count; k++) {
        struct sg_bench_term *term = &benchmark->terms[k];
        struct term_spec spec;
        term->node = sg_setting_item(b->spec.terms, k);
        sg_setting_fill(term->node, term_rows, &spec);
        term->name = spec.name;
        term->of = spec.of;
        check_word(b, term->node, spec.name);
        if (sg_function_find(spec.name) != NULL)
            sg_complain_about(b->diagnostics, SG_ERROR, term->node, "name", "'%s' is a function", spec.name);
        for (size_t o = 0; o < k; o++)
            if (strcmp(benchmark->terms[o].name, spec.name) == 0)
                sg_complain_about(b->diagnostics, SG_ERROR, term->node, "name", "'%s' is there twice",
                                  spec.name);
        TRY(build_formula(b, term->node, "value", &term->value));
    }
    return SG_OK;
}

static sg_status build_exacts(struct build *b)
{
    struct sg_benchmark *benchmark = b->benchmark;
    size_t count = sg_setting_count(b->spec.exact);
    TRY(SG_ARENA_NEW(&b->benchmark->arena, &benchmark->exacts, count, b->err));
    benchmark->exact_count = count;
    for (size_t k = 0; k < count; k++) {
        struct sg_bench_exact *exact = &benchmark->exacts[k];
        exact->node = sg_setting_item(b->spec.exact, k);
        exact->ops = sg_exact_find(sg_setting_kind(exact->node));
        exact->name = sg_setting_text(exact->node, "name");
        if (exact->name == NULL) exact->name = exact->ops->kind.name;
        for (size_t o = 0; o < k; o++)
            if (strcmp(benchmark->exacts[o].name, exact->name) == 0)
                sg_complain(b->diagnostics, SG_ERROR, exact->node, "'%s' is there twice: give it a `name`",
                            exact->name);
    }
    return SG_OK;
}

/* --- names in formulas ------------------------------------------------------------------------------ */

struct complaint {
    struct sg_diagnostics *diagnostics;
    const struct sg_setting *node;
    const char *keyword;
};

static void complain_of_name(void *self, const char *what)
{
    const struct complaint *about = self;
    sg_complain_about(about->diagnostics, SG_ERROR, about->node, about->keyword, "%s", what);
}

static void check_formulas(const struct build *b)
{
    const struct sg_benchmark *benchmark = b->benchmark;
    struct complaint about = {.diagnostics = b->diagnostics};
    const struct sg_needs needs = {.self = &about, .complain = complain_of_name};
    for (size_t k = 0; k < benchmark->term_count; k++) {
        about.node = benchmark->terms[k].node;
        about.keyword = "value";
        sg_term_needs(benchmark, k, &needs);
    }
    for (size_t k = 0; k < benchmark->trial_count; k++)
        for (size_t f = 0; f < benchmark->trials[k].figure_count; f++) {
            const struct sg_bench_figure *figure = &benchmark->trials[k].figures[f];
            about.node = figure->node;
            about.keyword = "value";
            sg_formula_needs(benchmark, &figure->value, k, &needs);
            about.keyword = "provided";
            sg_formula_needs(benchmark, &figure->provided, k, &needs);
        }
}

/* --- files ------------------------------------------------------------------------------------------ */

/* Takes folder and end off a path. */
static sg_status stem_of(struct sg_arena *arena, const char *path, char **stem, struct sg_error *err)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path,
               *dot = strrchr(base, '.');
    TRY(sg_arena_copy_text(arena, base, stem, err));
    if (dot != NULL && dot != base) (*stem)[dot - base] = '\0';
    return SG_OK;
}

static sg_status find_deck(struct sg_benchmark *benchmark, const char *name, struct sg_error *err)
{
    SG_LOCAL_TEXT(own);
    sg_text_append(&own, "%s.cfg", benchmark->name);
    const char *wanted = name != NULL ? name : sg_text_view(&own);
    if (benchmark->shipped) return stem_of(&benchmark->arena, wanted, &benchmark->deck, err);
    TRY(sg_deck_side_file(benchmark->file, wanted, &benchmark->deck, err));
    return sg_arena_own(&benchmark->arena, benchmark->deck, sg_free, err);
}

static sg_status build(struct build *b)
{
    struct sg_benchmark *benchmark = b->benchmark;
    size_t errors = b->diagnostics->errors;
    TRY(sg_deck_validate(benchmark->file, sg_bench_grammar, b->diagnostics, b->err));
    sg_setting_fill(sg_deck_root(benchmark->file), sg_bench_grammar, &b->spec);
    benchmark->meaning = b->spec.meaning;
    benchmark->kind = (enum sg_bench_deck)b->spec.kind;
    TRY(find_deck(benchmark, b->spec.deck, b->err));
    TRY(build_exacts(b));
    TRY(build_terms(b));
    TRY(build_trials(b));
    if (b->diagnostics->errors == errors) check_formulas(b);
    if (b->diagnostics->failed) FAIL(b->err, SG_NO_MEMORY, "out of memory: the benchmark's findings");
    if (b->diagnostics->errors > errors) FAIL(b->err, SG_BAD_DECK, "the benchmark is wrong");
    return SG_OK;
}

static sg_status finish(struct build *b, struct sg_benchmark **benchmark)
{
    sg_status status = build(b);
    if (status == SG_OK)
        *benchmark = b->benchmark;
    else
        sg_benchmark_destroy(b->benchmark);
    return status;
}

sg_status sg_benchmark_read(const char *path, struct sg_benchmark **benchmark,
                            struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct build b = {.diagnostics = diagnostics, .err = err};
    *benchmark = NULL;
    TRY(SG_NEW(&b.benchmark, 1, err));
    sg_status status = stem_of(&b.benchmark->arena, path, &b.benchmark->name, err);
    if (status == SG_OK) status = sg_deck_read_file(path, &b.benchmark->file, diagnostics, err);
    if (status == SG_OK) return finish(&b, benchmark);
    sg_benchmark_destroy(b.benchmark);
    return status;
}

sg_status sg_benchmark_take(const char *name, struct sg_benchmark **benchmark,
                            struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct build b = {.diagnostics = diagnostics, .err = err};
    const struct sg_shipped_deck *shipped = sg_shipped_benches;
    *benchmark = NULL;
    while (shipped->name != NULL && strcmp(shipped->name, name) != 0) shipped++;
    if (shipped->name == NULL) FAIL(err, SG_USAGE, "there is no benchmark '%s'", name);
    TRY(SG_NEW(&b.benchmark, 1, err));
    b.benchmark->shipped = true;
    sg_status status = sg_arena_copy_text(&b.benchmark->arena, name, &b.benchmark->name, err);
    if (status == SG_OK)
        status =
            sg_deck_read_text(shipped->text, shipped->length, name, &b.benchmark->file, diagnostics, err);
    if (status == SG_OK) return finish(&b, benchmark);
    sg_benchmark_destroy(b.benchmark);
    return status;
}

void sg_benchmark_destroy(struct sg_benchmark *benchmark)
{
    if (benchmark == NULL) return;
    sg_arena_release(&benchmark->arena);
    sg_deck_destroy(benchmark->file);
    sg_free(benchmark);
}
