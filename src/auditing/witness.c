#include "auditing/witness.h"

#include <math.h>
#include <string.h>

#include "auditing/judge.h"
#include "auditing/rows.h"
#include "auditing/witness_motion.h"
#include "support/memory.h"

/* --- energy --------------------------------------------------------------------------------------- */

enum { KINETIC, STRAIN, GRAVITY, CONTACT, EXTERNAL, DISSIPATED, TOTAL, NUMERICAL, ENERGIES };

static const char *const energy_names[ENERGIES] = {"energy/kinetic", "energy/strain",   "energy/gravity",
                                                   "energy/contact", "energy/external", "energy/dissipated",
                                                   "energy/total",   "energy/numerical"};

/* what the rows come to, J */
struct energies {
    double first[ENERGIES], last[ENERGIES];
    double at_hand;
    double parts_off, numerical_off;    /* the largest differences of sums of parts and what is recorded */
    double least, most, gain, loss;     /* of what the scheme makes, out of the parts */
    double most_dissipated, given_back; /* of what is dissipated */
    double gain_at, loss_at, back_at;   /* s */
};

static void see_row(struct energies *e, const double row[ENERGIES], double t, bool first)
{
    double stored = row[KINETIC] + row[STRAIN] + row[CONTACT], sum = stored + row[GRAVITY];
    if (first) memcpy(e->first, row, sizeof e->first);
    const double *start = e->first;
    double sum_first = start[KINETIC] + start[STRAIN] + start[CONTACT] + start[GRAVITY];
    /* what is recorded knows the start that strategies correct: the first row may have a share of its own */
    double made = sum - sum_first - (row[EXTERNAL] - start[EXTERNAL]) + row[DISSIPATED] - start[DISSIPATED];
    memcpy(e->last, row, sizeof e->last);
    e->at_hand = fmax(e->at_hand, fabs(stored) + fabs(row[EXTERNAL]) + fabs(row[GRAVITY] - start[GRAVITY]));
    e->parts_off = fmax(e->parts_off, fabs(sum - row[TOTAL]));
    e->numerical_off = fmax(e->numerical_off, fabs(made - (row[NUMERICAL] - start[NUMERICAL])));
    e->least = fmin(e->least, made);
    e->most = fmax(e->most, made);
    e->most_dissipated = fmax(e->most_dissipated, row[DISSIPATED]);
    if (made - e->least > e->gain) e->gain_at = t;
    if (e->most - made > e->loss) e->loss_at = t;
    if (e->most_dissipated - row[DISSIPATED] > e->given_back) e->back_at = t;
    e->gain = fmax(e->gain, made - e->least);
    e->loss = fmax(e->loss, e->most - made);
    e->given_back = fmax(e->given_back, e->most_dissipated - row[DISSIPATED]);
}

static double share(double part, double whole)
{
    return part > 0.0 ? part / whole : 0.0;
}

/* no more than the grain is rounding */
static double beyond(double part, double grain, double whole)
{
    return part <= grain ? 0.0 : share(part, whole);
}

static void find_energy(const struct energies *e, double grain, struct sg_audit_list *list)
{
    static const struct sg_limits sums = {SG_ROUNDING_SHARE, 1e-6, 1e-3},
                                  made = {SG_ROUNDING_SHARE, 0.05, 0.5},
                                  lost = {SG_ROUNDING_SHARE, 0.01, HUGE_VAL};
    double scale = fmax(e->at_hand, fabs(e->last[TOTAL]));
    sg_audit_add(list, "energy_parts", share(e->parts_off, scale), sums,
                 "kinetic + strain + gravity + contact less total: up to %.3g J", e->parts_off);
    sg_audit_add(list, "energy_numerical", share(e->numerical_off, scale), sums,
                 "the account out of its parts less what is recorded of it: up to %.3g J", e->numerical_off);
    sg_audit_add(list, "energy_gain", beyond(e->gain, grain, e->at_hand), made,
                 "the scheme made up to %.3g J of %.3g at hand, most of it by t = %.4g s", e->gain,
                 e->at_hand, e->gain_at);
    sg_audit_add(list, "energy_loss", beyond(e->loss, grain, e->at_hand), lost,
                 "the scheme lost up to %.3g J of %.3g at hand, most of it by t = %.4g s", e->loss,
                 e->at_hand, e->loss_at);
    struct sg_audit_item *loss = &list->items[list->count - 1];
    if (loss->verdict == SG_VERDICT_DOUBTFUL) loss->verdict = SG_VERDICT_LOSSY;
}

/* A damper may be meant to give: whether one is there the model tells. */
static void find_dissipation(const struct energies *e, const struct sg_witness_model *model,
                             struct sg_audit_list *list)
{
    static const struct sg_limits made = {SG_ROUNDING_SHARE, 0.05, 0.5};
    sg_audit_add(list, "dissipation",
                 model->may_give || e->given_back <= model->grain ? 0.0 : share(e->given_back, e->at_hand),
                 made, "%.4g J were dissipated; %.3g J came back by t = %.4g s%s", e->last[DISSIPATED],
                 e->given_back, e->back_at, model->may_give ? ", as dampers may mean to" : "");
}

static sg_status judge_energy(const struct sg_reader *reader, const struct sg_witness_model *model,
                              struct sg_audit_list *list, struct sg_text *untold, struct sg_error *err)
{
    struct sg_rows rows;
    struct energies e = {.at_hand = 0.0};
    TRY(sg_rows_open(&rows, reader, energy_names, ENERGIES, err));
    const char *missing = sg_rows_missing(&rows);
    if (missing != NULL) {
        sg_text_append(untold, "energy\tthe file has no history %s\n", missing);
        sg_rows_close(&rows);
        return SG_OK;
    }
    sg_status status = SG_OK;
    for (size_t i = 0; i < rows.count && status == SG_OK; i++) {
        double row[ENERGIES];
        status = sg_rows_go(&rows, i, err);
        for (size_t k = 0; k < ENERGIES && status == SG_OK; k++) row[k] = rows.value[k][0];
        if (status == SG_OK) see_row(&e, row, rows.t, i == 0);
    }
    sg_rows_close(&rows);
    TRY(status);
    find_energy(&e, model->grain, list);
    find_dissipation(&e, model, list);
    return SG_OK;
}

/* --- contacts ------------------------------------------------------------------------------------- */

enum { FORCE, IMPULSE, TOUCHES };

static const char *const touch_names[TOUCHES] = {"contact_force", "contact_impulse"};

/* Reactions push. A spring with a dashpot may pull by its law's own choice; of that the file tells nothing.
 */
static sg_status judge_signs(const struct sg_reader *reader, struct sg_audit_list *list,
                             struct sg_text *untold, struct sg_error *err)
{
    static const struct sg_limits limits = {SG_ROUNDING_SHARE, 1e-3, 0.1};
    struct sg_rows rows;
    double push[TOUCHES] = {0.0}, pull[TOUCHES] = {0.0}, at[TOUCHES] = {0.0};
    TRY(sg_rows_open(&rows, reader, touch_names, TOUCHES, err));
    sg_status status = SG_OK;
    for (size_t i = 0; i < rows.count && status == SG_OK; i++) {
        status = sg_rows_go(&rows, i, err);
        for (size_t k = 0; k < TOUCHES && status == SG_OK; k++)
            for (size_t j = 0; j < rows.width[k]; j++) {
                double value = rows.value[k][j];
                push[k] = fmax(push[k], value);
                if (-value > pull[k]) at[k] = rows.t;
                pull[k] = fmax(pull[k], -value);
            }
    }
    const bool there[TOUCHES] = {rows.width[FORCE] > 0, rows.width[IMPULSE] > 0};
    sg_rows_close(&rows);
    TRY(status);
    if (there[FORCE])
        sg_audit_add(list, "pull", share(pull[FORCE], fmax(push[FORCE], pull[FORCE])), limits,
                     "contact forces pull by up to %.3g N (t = %.4g s), and push by %.3g N", pull[FORCE],
                     at[FORCE], push[FORCE]);
    if (there[IMPULSE])
        sg_audit_add(list, "pull_impulse", share(pull[IMPULSE], fmax(push[IMPULSE], pull[IMPULSE])), limits,
                     "contact impulses pull by up to %.3g N s (t = %.4g s), and push by %.3g N s",
                     pull[IMPULSE], at[IMPULSE], push[IMPULSE]);
    if (!there[FORCE] && sg_reader_labels(reader, "contact_names").count > 0)
        sg_text_append(untold, "pull\tthe file has no history contact_force\n");
    return SG_OK;
}

/* --- the file itself ------------------------------------------------------------------------------ */

enum { BLOCK = 256 };

static sg_status count_faults(const struct sg_reader *reader, const struct sg_series *series, size_t *unsound,
                              size_t *falling, struct sg_error *err)
{
    size_t width = series->width > 0 ? series->width : 1;
    double *block = NULL, before = -HUGE_VAL;
    TRY(sg_alloc(BLOCK, width * sizeof *block, "rows", &block, err));
    sg_status status = SG_OK;
    for (size_t first = 0; first < series->rows && status == SG_OK; first += BLOCK) {
        size_t count = series->rows - first < BLOCK ? series->rows - first : BLOCK;
        status = sg_reader_rows(reader, series, first, count, block, err);
        for (size_t k = 0; k < count * width && status == SG_OK; k++) {
            *unsound += isfinite(block[k]) ? 0 : 1;
            if (!series->scale) continue;
            *falling += block[k] > before ? 0 : 1;
            before = block[k];
        }
    }
    sg_free(block);
    return status;
}

/* Times that rise, and numbers that are some: what else is judged would pass over them. */
static sg_status judge_numbers(const struct sg_reader *reader, struct sg_audit_list *list,
                               struct sg_error *err)
{
    static const struct sg_limits none = {0.0, 0.0, 0.0};
    size_t unsound = 0, falling = 0, histories = 0;
    for (size_t i = 0; i < sg_reader_count(reader); i++) {
        const struct sg_series *series = sg_reader_series(reader, i);
        if (series->group != SG_SERIES_HISTORY) continue;
        histories++;
        TRY(count_faults(reader, series, &unsound, &falling, err));
    }
    sg_audit_add(list, "file_times", (double)falling, none, "rows whose time is not above the one before");
    sg_audit_add(list, "file_numbers", (double)unsound, none,
                 "numbers in %zu histories that are infinite or none", histories);
    return SG_OK;
}

/* --- all ------------------------------------------------------------------------------------------ */

sg_status sg_witness_judge(const struct sg_reader *reader, struct sg_audit_list *list, struct sg_text *untold,
                           struct sg_error *err)
{
    struct sg_witness_model model = {.may_give = true};
    const struct sg_series *time = sg_reader_scale(reader, SG_SERIES_HISTORY);
    if (time == NULL || time->rows == 0) {
        sg_text_append(untold, "all\tthe file has no histories: its results are points\n");
        return SG_OK;
    }
    TRY(judge_numbers(reader, list, err));
    TRY(sg_witness_judge_motion(reader, list, untold, &model, err));
    TRY(judge_energy(reader, &model, list, untold, err));
    return judge_signs(reader, list, untold, err);
}

sg_status sg_witness_judge_file(const struct sg_reader *reader, struct sg_audit_list *list,
                                struct sg_error *err)
{
    static const struct sg_limits none = {0.0, 0.0, 0.0};
    const char *word = sg_reader_attribute(reader, "status");
    sg_audit_add(list, "file_status", strcmp(word, "complete") == 0 ? 0.0 : 1.0, none,
                 "the status is '%.32s'", word);
    return judge_numbers(reader, list, err);
}
