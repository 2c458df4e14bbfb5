#include "jobs/continued.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "results/reader.h"
#include "results/staggered.h"
#include "support/memory.h"

struct source {
    const struct sg_continued_spec *spec;
    const struct sg_setting *node;
    const char *file; /* as the deck has it */
    double at;        /* s; NaN: the end */
    struct sg_arena arena;
    struct sg_reader *reader;
    bool staggered;
    size_t row;
    double *u, *v, *gap, *times; /* n_full, n_full, contacts of the file; rows */
};

__attribute__((format(printf, 4, 5))) static sg_status refuse(const struct source *s, const char *keyword,
                                                              struct sg_error *err, const char *format, ...)
{
    char text[256];
    va_list words;
    va_start(words, format);
    vsnprintf(text, sizeof text, format, words);
    va_end(words);
    sg_complain_about(s->spec->diagnostics, SG_ERROR, s->node, keyword, "%s", text);
    FAIL(err, SG_BAD_DECK, "%s", text);
}

/* --- the file ------------------------------------------------------------------------------------- */

static sg_status open_file(struct source *s, struct sg_error *err)
{
    SG_AUTO_FREE char *path = NULL;
    const struct sg_deck *deck = s->spec->deck;
    sg_status status = sg_deck_side_file(deck, s->file, &path, err);
    if (status == SG_OK) status = sg_deck_note_side_file(deck, path, err);
    if (status == SG_OK) status = sg_reader_open(path, &s->reader, err);
    if (status == SG_OK) s->staggered = sg_results_are_staggered(path);
    if (status == SG_NO_INPUT || status == SG_BAD_DECK)
        sg_complain_about(s->spec->diagnostics, SG_ERROR, s->node, "results", "%s", err->text);
    return status;
}

/* the first name that differs, and how many there are */
static sg_status check_dofs(const struct source *s, struct sg_error *err)
{
    const struct sg_system *system = s->spec->system;
    struct sg_labels names = sg_reader_labels(s->reader, "dof_names");
    if (names.count != system->n_full)
        return refuse(s, "results", err, "'%.80s' has %zu dofs where the model has %zu", s->file, names.count,
                      system->n_full);
    for (size_t i = 0; i < names.count; i++)
        if (strcmp(names.items[i], system->labels.dof_names[i]) != 0)
            return refuse(s, "results", err, "'%.80s' has the dof '%.40s' where the model has '%.40s'",
                          s->file, names.items[i], system->labels.dof_names[i]);
    return SG_OK;
}

static const struct sg_series *history(const struct source *s, const char *name)
{
    return sg_reader_find(s->reader, SG_SERIES_HISTORY, name);
}

static sg_status check_histories(const struct source *s, struct sg_error *err)
{
    static const char *const words[] = {"displacement", "velocity"};
    for (size_t k = 0; k < 2; k++) {
        const struct sg_series *series = history(s, words[k]);
        if (series != NULL && series->width == s->spec->system->n_full && series->rows > 0) continue;
        sg_status status = refuse(s, "results", err, "'%.80s' has no %s of all dofs", s->file, words[k]);
        sg_hint(s->spec->diagnostics,
                "let that run record them: output.histories = [\"displacement\", \"velocity\"], without "
                "output.nodes");
        return status;
    }
    return SG_OK;
}

/* the row at the time asked for, but for rounding */
static sg_status find_row(struct source *s, struct sg_error *err)
{
    const struct sg_series *time = sg_reader_scale(s->reader, SG_SERIES_HISTORY);
    if (time == NULL) return refuse(s, "results", err, "'%.80s' has no histories", s->file);
    size_t rows = history(s, "displacement")->rows;
    TRY(SG_ARENA_NEW(&s->arena, &s->times, rows, err));
    TRY(sg_reader_rows(s->reader, time, 0, rows, s->times, err));
    double last = s->times[rows - 1];
    s->row = rows - 1;
    if (isnan(s->at)) return SG_OK;
    for (size_t k = 0; k < rows; k++)
        if (fabs(s->times[k] - s->at) < fabs(s->times[s->row] - s->at)) s->row = k;
    double nearest = s->times[s->row];
    if (fabs(nearest - s->at) <= 64.0 * DBL_EPSILON * fmax(fabs(s->at), fabs(last))) return SG_OK;
    return refuse(s, "at", err,
                  "'%.80s' has no row at %.12g s: the nearest is at %.12g s, the last at %.12g s", s->file,
                  s->at, nearest, last);
}

static void warn_of_unfinished(const struct source *s)
{
    const char *status = sg_reader_attribute(s->reader, "status");
    if (!isnan(s->at) || strcmp(status, "complete") == 0) return;
    sg_complain_about(s->spec->diagnostics, SG_WARNING, s->node, "results",
                      "the run of '%s' is not complete ('%s'): its last row, at %.12g s, is taken", s->file,
                      status, s->times[s->row]);
}

static sg_status read_row(struct source *s, struct sg_error *err)
{
    size_t n = s->spec->system->n_full;
    TRY(SG_ARENA_NEW(&s->arena, &s->u, n, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->v, n, err));
    TRY(sg_reader_rows(s->reader, history(s, "displacement"), s->row, 1, s->u, err));
    TRY(sg_reader_rows(s->reader, history(s, "velocity"), s->row, 1, s->v, err));
    for (size_t i = 0; i < n; i++)
        if (!isfinite(s->u[i]) || !isfinite(s->v[i]))
            return refuse(s, "results", err, "the state of '%.40s' in '%.80s' is not a finite number",
                          s->spec->system->labels.dof_names[i], s->file);
    return SG_OK;
}

/* --- what the state is for ------------------------------------------------------------------------ */

/* Prescribed dofs go on from where the deck has them at t = 0. */
static void warn_of_supports(const struct source *s)
{
    const struct sg_system *system = s->spec->system;
    double size = 0.0;
    for (size_t i = 0; i < system->n_full; i++) size = fmax(size, fabs(s->u[i]));
    for (size_t m = 0; m < system->motion_count; m++) {
        size_t dof = system->motions[m].dof;
        double here = sg_system_motion(system, m, 0.0, 0);
        if (fabs(here - s->u[dof]) <= 1e-9 * size) continue;
        sg_complain_about(s->spec->diagnostics, SG_WARNING, s->node, "results",
                          "the support of '%s' is at %g m there, and at %g m at t = 0 here: it jumps",
                          system->labels.dof_names[dof], s->u[dof], here);
        return;
    }
}

/* Time begins anew, and with it what follows signals. */
static void note_loads(const struct source *s)
{
    const struct sg_system *system = s->spec->system;
    bool varies = false;
    for (size_t k = 0; k < system->signal_count; k++) {
        struct sg_signal_value start = sg_signal_at(&system->signals[k], 0.0);
        varies = varies || !system->signals[k].straight || start.ds != 0.0 ||
                 isfinite(system->signals[k].ops->next_break(&system->signals[k], 0.0));
    }
    if (varies)
        sg_complain_about(s->spec->diagnostics, SG_NOTE, s->node, "results",
                          "time begins anew at 0, and with it loads and motions that change");
}

/* The last step of a run is followed by none: its velocity is that of the row. */
static bool ends(const struct source *s)
{
    return s->row + 1 == history(s, "displacement")->rows &&
           strcmp(sg_reader_attribute(s->reader, "status"), "complete") == 0;
}

static void warn_of_staggering(const struct source *s)
{
    if (!s->staggered || s->spec->staggered || ends(s)) return;
    sg_complain_about(
        s->spec->diagnostics, SG_WARNING, s->node, "results",
        "the velocities in '%s' are those of the middle of the steps that begin at its rows, and "
        "are taken for those at the rows",
        s->file);
}

static bool same_contacts(const struct source *s)
{
    const struct sg_contact_set *set = s->spec->contacts;
    struct sg_labels names = sg_reader_labels(s->reader, "contact_names");
    bool same = names.count == set->q;
    for (size_t j = 0; same && j < set->q; j++) same = strcmp(names.items[j], set->names[j]) == 0;
    return same;
}

/* Gaps that the file has are those of the model in its state: else it is another model's. */
static sg_status check_gaps(struct source *s, struct sg_error *err)
{
    const struct sg_contact_set *set = s->spec->contacts;
    const struct sg_series *gap = history(s, "gap");
    struct sg_labels names = sg_reader_labels(s->reader, "contact_names");
    bool same = gap != NULL && gap->width == set->q && same_contacts(s);
    if (!same && (set->q > 0 || names.count > 0))
        sg_complain_about(s->spec->diagnostics, SG_WARNING, s->node, "results",
                          "the contacts of '%s' are others, or their gaps are not there: that the state fits "
                          "them is not checked",
                          s->file);
    if (!same || set->q == 0) return SG_OK;
    double moved = 0.0;
    for (size_t i = 0; i < s->spec->system->n; i++) moved = fmax(moved, fabs(s->spec->system->u0[i]));
    TRY(SG_ARENA_NEW(&s->arena, &s->gap, set->q, err));
    TRY(sg_reader_rows(s->reader, gap, s->row, 1, s->gap, err));
    for (size_t j = 0; j < set->q; j++) {
        double here = sg_contact_set_gap(set, j, 0.0, s->spec->system->u0);
        double size = sg_contact_set_rounding(set, j, 0.0, s->spec->system->u0) / DBL_EPSILON;
        if (fabs(here - s->gap[j]) <= 1e-9 * (size + moved) || !set->fixed[j]) continue;
        return refuse(s, "results", err, "contact '%.40s' has a gap of %.6g m in '%.80s' and %.6g m here",
                      set->names[j], s->gap[j], s->file, here);
    }
    return SG_OK;
}

/* numbers that the laws keep, contact by contact */
static sg_status read_memory(const struct source *s, const struct sg_series *series, struct sg_error *err)
{
    struct sg_contact_set *set = s->spec->contacts;
    double *row = NULL;
    TRY(SG_NEW(&row, series->width, err));
    sg_status status = sg_reader_rows(s->reader, series, s->row, 1, row, err);
    for (size_t j = 0, at = 0; status == SG_OK && j < set->q; j++)
        for (size_t k = 0; k < sg_law_memory(&set->laws[j]); k++, at++)
            set->memory[j * SG_LAW_MEMORY + k] = isfinite(row[at]) ? row[at] : 0.0;
    sg_free(row);
    return status;
}

/* Where contacts are others, or the file has no memory, laws begin as with a first touch: told where one is
 * closed. */
static sg_status take_memory(const struct source *s, struct sg_error *err)
{
    const struct sg_contact_set *set = s->spec->contacts;
    const struct sg_series *series = history(s, "contact_memory");
    size_t width = 0, lost = SIZE_MAX;
    for (size_t j = 0; j < set->q; j++) {
        size_t count = sg_law_memory(&set->laws[j]);
        width += count;
        if (count > 0 && sg_contact_set_gap(set, j, 0.0, s->spec->system->u0) < 0.0) lost = j;
    }
    if (same_contacts(s) && series != NULL && series->width == width && series->rows > s->row)
        return read_memory(s, series, err);
    if (lost == SIZE_MAX) return SG_OK;
    sg_complain_about(s->spec->diagnostics, SG_WARNING, s->node, "results",
                      "'%.80s' does not tell what the law of contact '%.40s' remembers (histories "
                      "'contact_memory' and names of contacts): it goes on as if it began to touch",
                      s->file, set->names[lost]);
    return SG_OK;
}

static sg_status take(struct source *s, struct sg_error *err)
{
    struct sg_system *system = s->spec->system;
    TRY(open_file(s, err));
    TRY(check_dofs(s, err));
    TRY(check_histories(s, err));
    TRY(find_row(s, err));
    warn_of_unfinished(s);
    TRY(read_row(s, err));
    for (size_t i = 0; i < system->n; i++) {
        system->u0[i] = s->u[system->free_dof[i]];
        system->v0[i] = s->v[system->free_dof[i]];
    }
    system->midway = s->staggered && s->spec->staggered && !ends(s);
    warn_of_supports(s);
    warn_of_staggering(s);
    note_loads(s);
    TRY(check_gaps(s, err));
    return take_memory(s, err);
}

sg_status sg_continued_start(const struct sg_continued_spec *spec, struct sg_error *err)
{
    static const struct sg_keyword rows[] = {
        {.name = "results", .type = SG_TEXT, .offset = offsetof(struct source, file)},
        {.name = "at", .type = SG_REAL, .offset = offsetof(struct source, at)},
        {0}};
    struct source s = {.spec = spec, .node = spec->system->continued};
    sg_setting_fill(s.node, rows, &s);
    sg_status status = take(&s, err);
    sg_reader_close(s.reader);
    sg_arena_release(&s.arena);
    return status;
}
