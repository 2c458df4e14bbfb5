/* The study of the pounding building by its initial gap (figure 20 of Depouhon, Detournay and Denoel 2014),
 * of its first record alone: a building that never touches is linear, so its excursion can't know the gap. */
#include <math.h>
#include <string.h>

#include "commands/verify.h"
#include "studies/study.h"

/* of a case; the histories of its run */
enum column { POUNDINGS, INITIAL, WIDEST, RISE, COLUMNS };
enum { FLOORS = 18 };

static const char *const histories[] = {NULL};
static const char *const of_a_run[] = {"gap", NULL};

enum trial { SHIPPED };
/* gaps with much pounding, hardly any and none */
enum { NARROW, LAST, FREE, WIDE, CASES };

static const struct sg_trial trials[] = {
    [SHIPPED] = {"record 1",
                 {"parameters.[0].type=words", "parameters.[0].words=[\"building_record.AT2\"]",
                  "parameters.[1].values=[0.02, 0.05, 0.06, 0.1]"}},
    {0}};

/* m: the largest gap of all floors, and the most by which one exceeds its first value */
static void measure_case(const struct sg_trace *run, double *row)
{
    size_t gap = sg_trace_column(run, "gap");
    const double *first = sg_trace_row(run, 0) + gap;
    row[POUNDINGS] = (double)sg_trace_count(run, SG_EVENT_CLOSE);
    row[INITIAL] = first[0];
    row[WIDEST] = row[RISE] = 0.0;
    for (size_t i = 0; i < run->row_count; i++)
        for (size_t j = 0; j < FLOORS; j++) {
            double now = sg_trace_row(run, i)[gap + j];
            row[WIDEST] = fmax(row[WIDEST], now);
            row[RISE] = fmax(row[RISE], now - first[j]);
        }
}

/* the base deck as the study sets it */
static sg_status run_case(const struct sg_study *study, size_t index, struct sg_trace *trace,
                          struct sg_error *err)
{
    static const struct sg_benchmark base = {.name = "building_pounding", .histories = of_a_run};
    struct sg_assignments sets;
    struct sg_trial trial = {.label = "a case of sweep_gap"};
    struct sg_trace run = {0};
    sg_status status = sg_study_assignments(study, index, &sets, err);
    if (status == SG_OK && sets.count >= SG_TRIAL_SETS)
        status = sg_fail(err, SG_INTERNAL, "a case of the study sets %zu values", sets.count);
    for (size_t i = 0; status == SG_OK && i < sets.count; i++) trial.sets[i] = sets.items[i];
    if (status == SG_OK) status = sg_trace_record(&base, &trial, &run, err);
    double *row = status == SG_OK ? sg_trace_add_row(trace, err) : NULL;
    if (status == SG_OK && row == NULL) status = err->status;
    if (row != NULL && run.status == SG_OK) measure_case(&run, row);
    for (size_t k = 0; row != NULL && run.status != SG_OK && k < COLUMNS; k++) row[k] = NAN;
    sg_trace_release(&run);
    sg_assignments_release(&sets);
    return status;
}

static sg_status record(const struct sg_deck *deck, struct sg_trace *trace,
                        struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_study *study = NULL;
    trace->histories = histories;
    trace->width = COLUMNS;
    TRY(sg_study_create(deck, &study, diagnostics, err));
    sg_status status = SG_OK;
    for (size_t k = 0; k < study->cases && status == SG_OK; k++) status = run_case(study, k, trace, err);
    sg_study_destroy(study);
    return status;
}

static double of(const struct sg_verification *verification, size_t index, enum column column)
{
    const struct sg_trace *trace = &verification->traces[SHIPPED];
    return index < trace->row_count ? sg_trace_row(trace, index)[column] : NAN;
}

static double cases(const struct sg_verification *verification, size_t trial)
{
    return (double)verification->traces[trial].row_count;
}

static double poundings(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return of(verification, NARROW, POUNDINGS);
}

static double poundings_of_free(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return of(verification, FREE, POUNDINGS) + of(verification, WIDE, POUNDINGS);
}

static double cut(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return of(verification, NARROW, RISE) / of(verification, WIDE, RISE);
}

static double free_to_wide(const struct sg_verification *verification, size_t trial)
{
    (void)trial;
    return of(verification, FREE, RISE) / of(verification, WIDE, RISE);
}

/* m, of all cases: largest gap less the initial one, all floors having the same */
static double apart(const struct sg_verification *verification, size_t trial)
{
    double most = 0.0;
    (void)trial;
    for (size_t k = 0; k < CASES; k++)
        most = fmax(most, fabs(of(verification, k, WIDEST) - of(verification, k, INITIAL) -
                               of(verification, k, RISE)));
    return most;
}

/* A building that never touches has the same excursion whatever the gap, to rounding: 1e-16 of .1 m over .05
 * m. Pounding cuts it: to .66 in the mean of ten records, .57 to .72 by record. */
static const struct sg_figure figures[] = {
    {"cases", SHIPPED, cases, CASES, 0.5},
    {"gap of 2 cm: poundings", SHIPPED, poundings, 91.0, 0.5},
    {"gap of 2 cm: excursion, to that of 10 cm", SHIPPED, cut, 0.7, 0.2},
    {"gaps of 6 and 10 cm: poundings", SHIPPED, poundings_of_free, 0.0, 0.5},
    {"gap of 6 cm: excursion, to that of 10 cm", SHIPPED, free_to_wide, 1.0, 1e-12},
    {"largest gap less initial one and excursion (m)", SHIPPED, apart, 0.0, 1e-14},
    {0}};

const struct sg_benchmark sg_benchmark_sweep_gap = {
    .name = "sweep_gap",
    .meaning = "a study of the building that pounds: excursion by initial gap",
    .trials = trials,
    .figures = figures,
    .histories = histories,
    .record = record,
    .grammar = sg_study_grammar,
};
