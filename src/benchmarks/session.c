#include "benchmarks/session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "benchmarks/evaluate.h"
#include "benchmarks/shipped.h"
#include "ground/ground_motion.h"
#include "jobs/grammar.h"
#include "studies/study.h"
#include "support/memory.h"

/* Beside a trial: the columns that formulas name of it, and its runs once they are there. */
struct sg_session {
    struct sg_arena arena;
    const struct sg_benchmark *benchmark;
    double scale;
    void **exacts;
    struct sg_names *names;       /* by trial */
    struct sg_recorded *recorded; /* by trial */
    struct sg_diagnostics *diagnostics;
    sg_status status; /* of the walk through formulas */
    bool *wanted;     /* by trial, of the figure under way */
};

/* --- what formulas need ----------------------------------------------------------------------------- */

static void want_column(void *self, size_t trial, const char *name)
{
    struct sg_session *session = self;
    sg_status status = sg_names_add(&session->arena, &session->names[trial], name, NULL);
    if (status != SG_OK) session->status = status;
}

static void want_trial(void *self, size_t trial)
{
    ((struct sg_session *)self)->wanted[trial] = true;
}

static void need_columns(struct sg_session *session)
{
    const struct sg_benchmark *benchmark = session->benchmark;
    const struct sg_needs needs = {.self = session, .column = want_column};
    for (size_t k = 0; k < benchmark->trial_count; k++)
        for (size_t f = 0; f < benchmark->trials[k].figure_count; f++) {
            sg_formula_needs(benchmark, &benchmark->trials[k].figures[f].value, k, &needs);
            sg_formula_needs(benchmark, &benchmark->trials[k].figures[f].provided, k, &needs);
        }
}

static sg_status make_exacts(struct sg_session *session, struct sg_error *err)
{
    const struct sg_benchmark *benchmark = session->benchmark;
    for (size_t k = 0; k < benchmark->exact_count; k++) {
        const struct sg_bench_exact *exact = &benchmark->exacts[k];
        TRY(sg_arena_alloc(&session->arena, 1, exact->ops->size, "exact solution", &session->exacts[k], err));
        sg_setting_fill(exact->node, exact->ops->kind.rows, session->exacts[k]);
        if (exact->ops->create == NULL) continue;
        sg_status status = exact->ops->create(session->exacts[k], err);
        if (status != SG_OK) sg_complain(session->diagnostics, SG_ERROR, exact->node, "%s", err->text);
        if (status != SG_OK) return SG_BAD_DECK;
    }
    return SG_OK;
}

static sg_status prepare(struct sg_session *session, struct sg_error *err)
{
    const struct sg_benchmark *benchmark = session->benchmark;
    TRY(SG_ARENA_NEW(&session->arena, &session->exacts, benchmark->exact_count, err));
    TRY(SG_ARENA_NEW(&session->arena, &session->names, benchmark->trial_count, err));
    TRY(SG_ARENA_NEW(&session->arena, &session->recorded, benchmark->trial_count, err));
    TRY(SG_ARENA_NEW(&session->arena, &session->wanted, benchmark->trial_count, err));
    need_columns(session);
    if (session->status != SG_OK) FAIL(err, SG_NO_MEMORY, "out of memory for the columns of a benchmark");
    return make_exacts(session, err);
}

sg_status sg_session_create(const struct sg_benchmark *benchmark, double scale, struct sg_session **session,
                            struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    *session = NULL;
    TRY(SG_NEW(session, 1, err));
    (*session)->benchmark = benchmark;
    (*session)->scale = scale;
    (*session)->diagnostics = diagnostics;
    return prepare(*session, err);
}

static void release_runs(struct sg_recorded *recorded)
{
    for (size_t i = 0; i < recorded->count; i++) sg_trace_release(&recorded->runs[i]);
    sg_free(recorded->runs);
    *recorded = (struct sg_recorded){0};
}

void sg_session_destroy(struct sg_session *session)
{
    if (session == NULL) return;
    for (size_t k = 0; session->recorded != NULL && k < session->benchmark->trial_count; k++)
        release_runs(&session->recorded[k]);
    sg_arena_release(&session->arena);
    sg_free(session);
}

/* --- decks ------------------------------------------------------------------------------------------ */

/* One run needs this. */
struct errand {
    struct sg_session *session;
    const char *deck;
    const struct sg_texts *sets[2];
    struct sg_error *err;
};

static sg_status read_shipped(const struct errand *errand, struct sg_deck **deck)
{
    const struct sg_shipped_deck *shipped = sg_shipped_decks;
    while (shipped->name != NULL && strcmp(shipped->name, errand->deck) != 0) shipped++;
    if (shipped->name == NULL) FAIL(errand->err, SG_INTERNAL, "deck '%s' is not compiled in", errand->deck);
    TRY(sg_deck_read_text(shipped->text, shipped->length, shipped->name, deck, errand->session->diagnostics,
                          errand->err));
    sg_deck_offer_side_files(*deck, sg_shipped_files);
    return SG_OK;
}

static sg_status open_deck(const struct errand *errand, const struct sg_keyword *grammar,
                           struct sg_deck **deck)
{
    struct sg_diagnostics *diagnostics = errand->session->diagnostics;
    if (errand->session->benchmark->shipped)
        TRY(read_shipped(errand, deck));
    else
        TRY(sg_deck_read_file(errand->deck, deck, diagnostics, errand->err));
    for (size_t s = 0; s < 2; s++)
        for (size_t k = 0; errand->sets[s] != NULL && k < errand->sets[s]->count; k++)
            TRY(sg_deck_override(*deck, errand->sets[s]->data[k], diagnostics, errand->err));
    return sg_deck_validate(*deck, grammar, diagnostics, errand->err);
}

static sg_status run_deck(const struct errand *errand, struct sg_trace *trace)
{
    const bool ground = errand->session->benchmark->kind == SG_BENCH_GROUND_MOTION;
    struct sg_deck *deck = NULL;
    sg_status status = open_deck(errand, ground ? sg_ground_grammar : sg_grammar, &deck);
    trace->status = status;
    if (status == SG_OK)
        status = (ground ? sg_trace_ground_motion : sg_trace_run)(deck, trace, errand->session->diagnostics,
                                                                  errand->err);
    sg_deck_destroy(deck);
    return status;
}

/* --- trials ----------------------------------------------------------------------------------------- */

/* A column that is not there is told at a figure; a run without solution leaves NaN behind. */
static sg_status run_one(const struct errand *errand, size_t trial, struct sg_trace *trace,
                         const struct sg_session_watch *watch)
{
    struct sg_session *session = errand->session;
    const struct sg_bench_trial *of = &session->benchmark->trials[trial];
    const size_t errors = session->diagnostics->errors;
    trace->names = &session->names[trial];
    sg_status status = run_deck(errand, trace);
    if ((status == SG_BAD_DECK || status == SG_NO_INPUT) && session->diagnostics->errors == errors)
        sg_complain(session->diagnostics, SG_ERROR, of->node, "%s", errand->err->text);
    else if (status == SG_BAD_DECK)
        sg_complain(session->diagnostics, SG_NOTE, of->node, "so the deck reads with this trial's values");
    if (status != SG_NO_SOLUTION) return status;
    watch->failed(watch->self, of, errand->err->text);
    sg_error_clear(errand->err);
    return SG_OK;
}

static sg_status run_cases(const struct errand *errand, size_t trial, const struct sg_study *study,
                           const struct sg_session_watch *watch)
{
    struct sg_recorded *recorded = &errand->session->recorded[trial];
    struct errand one = {.session = errand->session, .deck = study->base, .err = errand->err};
    TRY(SG_NEW(&recorded->runs, study->cases, errand->err));
    for (size_t k = 0; k < study->cases; k++) {
        SG_LOCAL_ARENA(scratch);
        struct sg_assignments list;
        TRY(sg_study_assignments(&scratch, study, k, &list, errand->err));
        const struct sg_texts sets = {(const char *const *)list.items, list.count};
        one.sets[0] = &sets;
        recorded->count = k + 1;
        TRY(run_one(&one, trial, &recorded->runs[k], watch));
    }
    return SG_OK;
}

/* the base deck's name, of a study that is compiled in: such have no folder */
static void name_base(const struct sg_session *session, struct sg_study *study)
{
    char *end = session->benchmark->shipped ? strrchr(study->base, '.') : NULL;
    char *slash = strrchr(study->base, '/');
    if (end == NULL) return;
    *end = '\0';
    if (slash != NULL) memmove(study->base, slash + 1, strlen(slash + 1) + 1);
}

static sg_status run_study(const struct errand *errand, size_t trial, const struct sg_session_watch *watch)
{
    struct sg_deck *deck = NULL;
    struct sg_study *study = NULL;
    SG_LOCAL_ARENA(arena);
    sg_status status = open_deck(errand, sg_study_grammar, &deck);
    if (status == SG_OK)
        status = sg_study_create(&arena, deck, &study, errand->session->diagnostics, errand->err);
    if (status == SG_OK) {
        name_base(errand->session, study);
        status = run_cases(errand, trial, study, watch);
    }
    sg_deck_destroy(deck);
    return status;
}

static sg_status run_trial(struct sg_session *session, size_t trial, const struct sg_session_watch *watch,
                           struct sg_error *err)
{
    const struct sg_bench_trial *of = &session->benchmark->trials[trial];
    struct sg_recorded *recorded = &session->recorded[trial];
    struct errand errand = {session, session->benchmark->deck, {&of->set, NULL}, err};
    const size_t runs = of->variants > 0 ? of->variants : 1;
    if (recorded->runs != NULL) return SG_OK;
    if (session->benchmark->kind == SG_BENCH_STUDY) return run_study(&errand, trial, watch);
    TRY(SG_NEW(&recorded->runs, runs, err));
    for (size_t k = 0; k < runs; k++) {
        if (of->variants > 0) errand.sets[1] = &of->variant_sets[k];
        recorded->count = k + 1;
        TRY(run_one(&errand, trial, &recorded->runs[k], watch));
    }
    return SG_OK;
}

/* --- figures ---------------------------------------------------------------------------------------- */

static sg_status run_wanted(struct sg_session *session, const struct sg_bench_figure *figure, size_t trial,
                            const struct sg_session_watch *watch, struct sg_error *err)
{
    const struct sg_benchmark *benchmark = session->benchmark;
    const struct sg_needs needs = {.self = session, .trial = want_trial};
    for (size_t k = 0; k < benchmark->trial_count; k++) session->wanted[k] = k == trial;
    sg_formula_needs(benchmark, &figure->value, trial, &needs);
    sg_formula_needs(benchmark, &figure->provided, trial, &needs);
    for (size_t k = 0; k < benchmark->trial_count; k++)
        if (session->wanted[k]) TRY(run_trial(session, k, watch, err));
    return SG_OK;
}

/* Not a number passes nothing, nor does anything pass a limit scaled to 0. */
static void judge(const struct sg_limit *limit, double scale, struct sg_verdict *verdict)
{
    const double tolerance = limit->tolerance * scale, value = verdict->value;
    char *text = verdict->limit;
    verdict->pass = limit->within ? tolerance > 0.0 && fabs(value - limit->target) <= tolerance
                                  : scale > 0.0 && value >= limit->low && value <= limit->high;
    if (limit->within && limit->target == 0.0)
        snprintf(text, sizeof verdict->limit, "<= %.4g", tolerance);
    else if (limit->within)
        snprintf(text, sizeof verdict->limit, "%.9g +- %.3g", limit->target, tolerance);
    else if (isinf(limit->low))
        snprintf(text, sizeof verdict->limit, "at most %.6g", limit->high);
    else if (isinf(limit->high))
        snprintf(text, sizeof verdict->limit, "at least %.6g", limit->low);
    else
        snprintf(text, sizeof verdict->limit, "%.6g to %.6g", limit->low, limit->high);
}

static sg_status measure(const struct sg_session *session, size_t trial, struct sg_verdict *verdict,
                         struct sg_text *fault, struct sg_error *err)
{
    const struct sg_evaluator evaluator = {session->benchmark, session->recorded, session->exacts};
    const struct sg_bench_figure *figure = verdict->figure;
    verdict->value = NAN;
    if (figure->provided.root != NULL) {
        double holds = NAN;
        TRY(sg_evaluate(&evaluator, &figure->provided, trial, &holds, fault, err));
        if (fault->length == 0 && (holds == 0.0 || isnan(holds)))
            sg_text_append(fault, "`provided` does not hold");
        if (fault->length > 0) return SG_OK;
    }
    return sg_evaluate(&evaluator, &figure->value, trial, &verdict->value, fault, err);
}

static sg_status verify_figure(struct sg_session *session, size_t trial, size_t index,
                               const struct sg_session_watch *watch, struct sg_error *err)
{
    const struct sg_bench_trial *of = &session->benchmark->trials[trial];
    const struct sg_bench_figure *figure = &of->figures[index];
    SG_LOCAL_TEXT(fault);
    struct sg_verdict verdict = {.trial = of, .figure = figure};
    TRY(run_wanted(session, figure, trial, watch, err));
    TRY(measure(session, trial, &verdict, &fault, err));
    verdict.fault = sg_text_view(&fault);
    judge(&figure->limit, session->scale, &verdict);
    watch->verdict(watch->self, &verdict);
    return SG_OK;
}

sg_status sg_session_verify(struct sg_session *session, const struct sg_session_watch *watch,
                            struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    session->diagnostics = diagnostics;
    for (size_t k = 0; k < session->benchmark->trial_count; k++)
        for (size_t f = 0; f < session->benchmark->trials[k].figure_count; f++)
            TRY(verify_figure(session, k, f, watch, err));
    return SG_OK;
}

/* Where a figure takes the total energy, the table takes it of all trials. */
static void need_energy(struct sg_session *session)
{
    static const char name[] = "energy/total";
    const size_t trials = session->benchmark->trial_count;
    bool is_there = false;
    for (size_t k = 0; k < trials; k++)
        for (size_t i = 0; i < session->names[k].count; i++)
            is_there = is_there || strcmp(session->names[k].items[i], name) == 0;
    for (size_t k = 0; k < trials && is_there; k++) want_column(session, k, name);
}

sg_status sg_session_tabulate(struct sg_session *session, const struct sg_session_table *table,
                              struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    const struct sg_session_watch watch = {.self = table->self, .failed = table->failed};
    session->diagnostics = diagnostics;
    need_energy(session);
    for (size_t k = 0; k < session->benchmark->trial_count; k++) {
        TRY(run_trial(session, k, &watch, err));
        for (size_t i = 0; i < session->recorded[k].count; i++)
            table->run(table->self, &session->benchmark->trials[k], &session->recorded[k].runs[i]);
        release_runs(&session->recorded[k]);
    }
    return SG_OK;
}
