/* Nonsmooth modes: families of periodic orbits of free motion with contact, followed over their frequency
 * (docs/nonsmooth-modes.md). A point an orbit. */
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "analyses/nonsmooth_branch.h"
#include "analyses/nonsmooth_point.h"
#include "analyses/points.h"
#include "support/constants.h"
#include "support/memory.h"
#include "support/stop.h"

enum continuation { SEQUENTIAL, ARCLENGTH, MESHES };
enum { FILTER_ALL = -1, FILTER_AUTO = -2, MESH_LIMIT = 8 };

struct spec {
    int shooting, continuation;
    long long mode, filter, filter_limit, count, iterations, starts, samples;
    double from, to;
    struct sg_reals at, periods, meshes;
};

static const struct sg_keyword rows[] = {
    {.name = "mode",
     .type = SG_INTEGER,
     .meaning = "linear mode without contact, from 1, that the branch begins as",
     .fallback = "1",
     .range = SG_AT_LEAST(1),
     .offset = offsetof(struct spec, mode)},
    {.name = "shooting",
     .type = SG_CHOICE,
     .choices = "half|full",
     .meaning =
         "half: orbits that are symmetric in time, from rest to rest over half a period; full: any, over "
         "the whole one",
     .fallback = "\"half\"",
     .offset = offsetof(struct spec, shooting)},
    {.name = "continuation",
     .type = SG_CHOICE,
     .choices = "sequential|arclength|meshes",
     .meaning =
         "sequential: frequency by frequency; arclength: along the branch, folds too; meshes: sequential "
         "on the coarsest of `meshes`, each orbit then corrected on the finer ones",
     .fallback = "\"sequential\"",
     .offset = offsetof(struct spec, continuation)},
    {.name = "filter",
     .type = SG_INTEGER,
     .choices = "all|auto",
     .meaning =
         "lowest linear modes that half shooting takes part of: all for true orbits; fewer for the smooth "
         "backbone, whose orbits keep a defect; auto: the number with the least defect, found anew at "
         "each frequency",
     .fallback = "\"all\"",
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, filter)},
    {.name = "filter_limit",
     .type = SG_INTEGER,
     .meaning = "most modes that filter = \"auto\" tries",
     .fallback = "14",
     .range = SG_BETWEEN(1, SG_FILTER_MOST),
     .offset = offsetof(struct spec, filter_limit)},
    {.name = "from",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "first frequency, over that of the linear mode",
     .fallback = "1.02",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, from)},
    {.name = "to",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "last frequency, over that of the linear mode",
     .fallback = "1.28",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, to)},
    {.name = "count",
     .type = SG_INTEGER,
     .meaning = "frequencies from first to last, evenly spread; of arclength the most points",
     .fallback = "40",
     .range = SG_BETWEEN(1, 1000000),
     .offset = offsetof(struct spec, count)},
    {.name = "at",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "frequencies over that of the linear mode, in this order, instead of a range",
     .example = "[1.03, 1.1, 1.2]",
     .range = SG_POSITIVE,
     .min_items = 1,
     .offset = offsetof(struct spec, at)},
    {.name = "periods",
     .type = SG_REALS,
     .unit = "s",
     .meaning = "periods, in this order, instead of frequencies",
     .example = "[3.9, 3.7812]",
     .range = SG_POSITIVE,
     .min_items = 1,
     .offset = offsetof(struct spec, periods)},
    {.name = "meshes",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "elements of every bar, from coarse to fine, instead of the bodies' own",
     .example = "[2, 4, 10, 20]",
     .range = {1, 100000, false, false, true},
     .min_items = 1,
     .max_items = MESH_LIMIT,
     .offset = offsetof(struct spec, meshes)},
    {.name = "iterations",
     .type = SG_INTEGER,
     .meaning = "most steps of Newton's method for an orbit",
     .fallback = "20",
     .range = SG_BETWEEN(1, 1000),
     .offset = offsetof(struct spec, iterations)},
    {.name = "starts",
     .type = SG_INTEGER,
     .meaning = "starts of Newton's method at a frequency where neither the branch from the grazing nor any "
                "single blow gives an orbit",
     .fallback = "100",
     .range = SG_BETWEEN(0, 1000000),
     .offset = offsetof(struct spec, starts)},
    {.name = "samples",
     .type = SG_INTEGER,
     .meaning = "samples of the motion over a period that are recorded with each orbit; 0: none",
     .fallback = "0",
     .range = SG_BETWEEN(0, 100000),
     .offset = offsetof(struct spec, samples)},
    {0}};

struct modes {
    struct spec spec;
    size_t mesh_count;
    struct sg_branch meshes[MESH_LIMIT];
    double *ratios; /* count */
    size_t count;
    size_t next, done, piece;    /* frequency, points told, pieces begun */
    size_t ends[SG_BRANCH_ENDS]; /* points told, by their end */
    bool finished;               /* arclength */
    struct sg_point_writer writer;
};

/* --- creation ------------------------------------------------------------------------------------- */

static void check_meshes(const struct spec *spec, const struct sg_setting *node,
                         struct sg_diagnostics *diagnostics)
{
    const double *list = spec->meshes.data;
    if (list == NULL && spec->continuation == MESHES)
        sg_complain_about(diagnostics, SG_ERROR, node, "continuation",
                          "\"meshes\" needs `meshes`, the numbers of elements from coarse to fine");
    if (list == NULL) return;
    if (spec->continuation != MESHES)
        sg_complain_about(diagnostics, SG_ERROR, node, "meshes",
                          "is used with continuation = \"meshes\" only");
    for (size_t i = 0; i < spec->meshes.count; i++) {
        if (list[i] == floor(list[i]) && (i == 0 || list[i] > list[i - 1])) continue;
        sg_complain_about(diagnostics, SG_ERROR, node, "meshes",
                          "numbers of elements must be whole and rise: %g is no such number", list[i]);
        return;
    }
}

static void check_filter(const struct spec *spec, const struct sg_setting *node,
                         struct sg_diagnostics *diagnostics)
{
    if (spec->filter == 0)
        sg_complain_about(diagnostics, SG_ERROR, node, "filter",
                          "no orbit is made of 0 modes: give at least `mode`");
    if (spec->filter > 0 && spec->filter < spec->mode)
        sg_complain_about(diagnostics, SG_ERROR, node, "filter",
                          "%lld modes leave out mode %lld, which the branch begins as", spec->filter,
                          spec->mode);
    if (spec->filter == FILTER_ALL) return;
    if (spec->shooting == 1)
        sg_complain_about(
            diagnostics, SG_ERROR, node, "filter",
            "is used with shooting = \"half\" only: shooting over the whole period takes all modes");
    if (spec->continuation == MESHES || (spec->filter == FILTER_AUTO && spec->continuation == ARCLENGTH))
        sg_complain_about(diagnostics, SG_ERROR, node, "filter", "%s",
                          spec->continuation == MESHES
                              ? "can't be used with continuation = \"meshes\", which corrects true orbits"
                              : "\"auto\" needs continuation = \"sequential\"");
}

static sg_status check_spec(const struct modes *modes, const struct sg_setting *node,
                            struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    const struct spec *spec = &modes->spec;
    size_t errors = diagnostics->errors;
    check_meshes(spec, node, diagnostics);
    check_filter(spec, node, diagnostics);
    if (spec->continuation != SEQUENTIAL && spec->shooting == 1)
        sg_complain_about(diagnostics, SG_ERROR, node, "shooting",
                          "\"full\" needs continuation = \"sequential\"");
    if (spec->continuation == ARCLENGTH &&
        (spec->at.data != NULL || spec->periods.data != NULL || spec->from == spec->to))
        sg_complain_about(diagnostics, SG_ERROR, node, "continuation",
                          "\"arclength\" goes from one frequency toward another: give `from` and `to`");
    if (spec->at.data != NULL && spec->periods.data != NULL)
        sg_complain_about(diagnostics, SG_ERROR, node, "periods", "give either `at` or `periods`, not both");
    if (diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the analysis can't be made");
}

static sg_status list_ratios(struct modes *modes, struct sg_arena *arena, struct sg_error *err)
{
    const struct spec *spec = &modes->spec;
    const struct sg_reals *list = spec->periods.data != NULL ? &spec->periods : &spec->at;
    double turn = 2 * SG_PI / modes->meshes[0].omega;
    modes->count = list->data != NULL ? list->count : (size_t)spec->count;
    TRY(SG_ARENA_NEW(arena, &modes->ratios, modes->count, err));
    for (size_t k = 0; k < modes->count; k++) {
        double part = modes->count > 1 ? (double)k / (double)(modes->count - 1) : 0;
        /* a difference of very unequal ends would lose the smaller one */
        double even = part == 1 ? spec->to : spec->from + part * (spec->to - spec->from);
        modes->ratios[k] = list->data == NULL  ? even
                           : list == &spec->at ? list->data[k]
                                               : turn / list->data[k];
    }
    return SG_OK;
}

/* of all meshes and phases */
static double highest_omega(const struct modes *modes)
{
    double highest = 0;
    for (size_t i = 0; i < modes->mesh_count; i++) {
        const struct sg_orbit_phases *phases = modes->meshes[i].model.phases;
        for (size_t mask = 0; mask < phases->count; mask++)
            highest = fmax(highest, phases->phase[mask].omega[phases->n - 1]);
    }
    return highest;
}

/* Contacts are looked for in each swing of the fastest mode: of too many, no orbit is found in any time. */
static const double MOST_SWINGS = 1e7;

static sg_status check_ratios(const struct modes *modes, const struct sg_setting *node,
                              struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    const struct spec *spec = &modes->spec;
    double highest = highest_omega(modes), omega = modes->meshes[0].omega;
    for (size_t k = 0; k < modes->count; k++) {
        double swings = highest / (omega * modes->ratios[k]);
        const char *keyword = spec->periods.data != NULL ? "periods"
                              : spec->at.data != NULL    ? "at"
                              : k == 0                   ? "from"
                                                         : "to";
        if (swings <= MOST_SWINGS && omega * modes->ratios[k] < HUGE_VAL) continue;
        sg_complain_about(diagnostics, SG_ERROR, node, keyword,
                          "at %g times the frequency of the linear mode the period holds %g swings of the "
                          "model's fastest mode, at most %g can be followed",
                          modes->ratios[k], swings, MOST_SWINGS);
        FAIL(err, SG_BAD_DECK, "the analysis can't be made");
    }
    return SG_OK;
}

static struct sg_branch_rule rule_of(const struct spec *spec)
{
    size_t filter = spec->filter == FILTER_AUTO  ? SG_FILTER_AUTO
                    : spec->filter == FILTER_ALL ? SIZE_MAX
                                                 : (size_t)spec->filter;
    return (struct sg_branch_rule){.mode = (size_t)spec->mode - 1,
                                   .filter = filter,
                                   .most = (size_t)spec->filter_limit,
                                   .full = spec->shooting == 1,
                                   .starts = (size_t)spec->starts,
                                   .newton = (int)spec->iterations};
}

static sg_status build_meshes(struct modes *modes, struct sg_arena *arena, const struct sg_deck *deck,
                              struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    const struct spec *spec = &modes->spec;
    const struct sg_setting *node = sg_setting_child(sg_deck_root(deck), "analysis");
    struct sg_branch_rule rule = rule_of(spec);
    size_t count = spec->continuation == MESHES ? spec->meshes.count : 1;
    for (size_t i = 0; i < count; i++) {
        rule.elements = spec->continuation == MESHES ? (size_t)spec->meshes.data[i] : 0;
        modes->mesh_count = i + 1;
        TRY(sg_branch_init(arena, &modes->meshes[i], deck, &rule, diagnostics, err));
    }
    const struct sg_branch *coarse = &modes->meshes[0];
    size_t n = coarse->model.phases->n, errors = diagnostics->errors;
    if (rule.mode >= n)
        sg_complain_about(diagnostics, SG_ERROR, node, "mode", "there is no mode %lld: the model has %zu",
                          spec->mode, n);
    else if (coarse->grazing == HUGE_VAL)
        sg_complain_about(diagnostics, SG_ERROR, node, "mode", "mode %lld moves no contact", spec->mode);
    if (spec->continuation == MESHES && !sg_orbit_model_refines(&coarse->model))
        sg_complain_about(diagnostics, SG_ERROR, node, "meshes",
                          "only bars can be refined, and the model has other bodies");
    if (diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the analysis can't be made");
}

/* Orbits have starts and times of their own. */
static void note_unused(const struct sg_deck *deck, struct sg_diagnostics *diagnostics)
{
    static const char *const groups[] = {"initial", "time"};
    const struct sg_setting *root = sg_deck_root(deck), *node = sg_setting_child(root, "analysis");
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
        if (sg_setting_given(root, groups[k]))
            sg_complain(diagnostics, SG_NOTE, node, "analysis 'nonsmooth-modes' does not use '%s'",
                        groups[k]);
}

static sg_status create(struct sg_points *self, const struct sg_deck *deck,
                        struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct modes *modes = NULL;
    TRY(SG_ARENA_NEW(&self->arena, &modes, 1, err));
    self->data = modes;
    const struct sg_setting *node = sg_setting_child(sg_deck_root(deck), "analysis");
    sg_setting_fill(node, rows, &modes->spec);
    TRY(check_spec(modes, node, diagnostics, err));
    TRY(build_meshes(modes, &self->arena, deck, diagnostics, err));
    TRY(list_ratios(modes, &self->arena, err));
    TRY(check_ratios(modes, node, diagnostics, err));
    note_unused(deck, diagnostics);
    const struct sg_orbit_model *finest = &modes->meshes[modes->mesh_count - 1].model;
    return sg_point_writer_init(&self->arena, &modes->writer, finest->phases->n, finest->nodes,
                                (size_t)modes->spec.samples, err);
}

/* --- points --------------------------------------------------------------------------------------- */

static const struct sg_point_column *columns(const struct sg_points *self, size_t *count)
{
    const struct modes *modes = self->data;
    *count = modes->writer.column_count;
    return modes->writer.columns;
}

static size_t done(const struct sg_points *self)
{
    return ((const struct modes *)self->data)->done;
}

static size_t total(const struct sg_points *self)
{
    const struct modes *modes = self->data;
    size_t most = modes->count * modes->mesh_count;
    return most > modes->done ? most : modes->done;
}

static bool finished(const struct sg_points *self)
{
    const struct modes *modes = self->data;
    return modes->finished || (modes->spec.continuation != ARCLENGTH && modes->next >= modes->count) ||
           (modes->spec.continuation == ARCLENGTH && modes->done >= modes->count);
}

static double period_at(const struct sg_branch *branch, double ratio)
{
    return 2 * SG_PI / (branch->omega * ratio);
}

static double ratio_of(const struct sg_branch *branch)
{
    return period_at(branch, 1) / branch->period;
}

static sg_status tell(struct modes *modes, struct sg_branch *branch, double ratio, enum sg_branch_end end,
                      const struct sg_observer *observer, struct sg_error *err)
{
    struct sg_point_note note = {ratio, modes->piece, end};
    /* an orbit that was not looked for to the end is no answer: a resumed run begins it anew */
    if (sg_stop_requested()) FAIL(err, SG_INTERRUPTED, "interrupted after %zu points", modes->done);
    TRY(sg_point_fill(&modes->writer, branch, &note, err));
    modes->done++;
    modes->ends[end]++;
    return observer->point(observer->self, modes->writer.values, modes->writer.width, err);
}

/* the orbit just found on the coarsest mesh, on the finer ones */
static sg_status refine(struct modes *modes, const struct sg_observer *observer, struct sg_error *err)
{
    double ratio = modes->ratios[modes->next];
    for (size_t i = 1; i < modes->mesh_count; i++) {
        struct sg_branch *branch = &modes->meshes[i];
        sg_branch_refine(branch, &modes->meshes[i - 1]);
        enum sg_branch_end end = branch->found ? SG_BRANCH_GOES_ON : SG_BRANCH_NONE;
        TRY(tell(modes, branch, ratio, end, observer, err));
        if (!branch->found) return SG_OK;
    }
    return SG_OK;
}

/* The next frequency. Where a piece of the branch ends before it, that end is told, and the frequency is
 * begun anew. */
static sg_status go_on(struct modes *modes, const struct sg_observer *observer, struct sg_error *err)
{
    struct sg_branch *branch = &modes->meshes[0];
    double ratio = modes->ratios[modes->next], period = period_at(branch, ratio);
    enum sg_branch_end end = SG_BRANCH_GOES_ON;
    bool begins = !branch->found;
    if (begins)
        TRY(sg_branch_start(branch, period, err));
    else
        TRY(sg_branch_go(branch, period, &end, err));
    if (end != SG_BRANCH_GOES_ON) {
        branch->found = false;
        return tell(modes, branch, ratio_of(branch), end, observer, err);
    }
    modes->piece += begins && branch->found;
    end = branch->found ? SG_BRANCH_GOES_ON : SG_BRANCH_NONE;
    TRY(tell(modes, branch, ratio, end, observer, err));
    if (branch->found) TRY(refine(modes, observer, err));
    modes->next++;
    return SG_OK;
}

static sg_status stride(struct modes *modes, const struct sg_observer *observer, struct sg_error *err)
{
    struct sg_branch *branch = &modes->meshes[0];
    const struct spec *spec = &modes->spec;
    enum sg_branch_end end = SG_BRANCH_GOES_ON;
    if (!branch->found) {
        TRY(sg_branch_start(branch, period_at(branch, spec->from), err));
        modes->finished = !branch->found;
        modes->piece = branch->found;
        return tell(modes, branch, spec->from, branch->found ? end : SG_BRANCH_NONE, observer, err);
    }
    end = sg_branch_stride(branch, spec->to > spec->from ? -1 : 1);
    double ratio = ratio_of(branch), low = fmin(spec->from, spec->to), high = fmax(spec->from, spec->to);
    modes->finished = end != SG_BRANCH_GOES_ON || ratio < low || ratio > high;
    return tell(modes, branch, ratio, end, observer, err);
}

static sg_status advance(struct sg_points *self, const struct sg_observer *observer, struct sg_error *err)
{
    struct modes *modes = self->data;
    return modes->spec.continuation == ARCLENGTH ? stride(modes, observer, err) : go_on(modes, observer, err);
}

static void archive(struct sg_points *self, struct sg_archive *store)
{
    struct modes *modes = self->data;
    SG_ARCHIVE(store, modes->next);
    SG_ARCHIVE(store, modes->done);
    SG_ARCHIVE(store, modes->piece);
    SG_ARCHIVE(store, modes->ends);
    SG_ARCHIVE(store, modes->finished);
    for (size_t i = 0; i < modes->mesh_count; i++) sg_branch_archive(&modes->meshes[i], store);
}

static struct sg_effective_counts counts(const struct sg_points *self)
{
    (void)self;
    return (struct sg_effective_counts){0};
}

/* --- words ---------------------------------------------------------------------------------------- */

static void describe_mesh(const struct sg_branch *branch, struct sg_text *text)
{
    const struct sg_orbit_model *model = &branch->model;
    double square = model->unit * model->unit;
    sg_text_append(text, "model\t%zu free dofs, %zu contact%s, smallest gap %g m\n", model->system->n,
                   model->contacts->q, model->contacts->q == 1 ? "" : "s", model->unit);
    sg_text_append(text, "linear mode %zu\t%.6g rad/s; touches with %.6g J\n", branch->rule.mode + 1,
                   branch->omega, branch->grazing * square);
}

static void describe(const struct sg_points *self, struct sg_text *text)
{
    static const char *const ways[] = {"frequency by frequency", "along the branch",
                                       "frequency by frequency, corrected from mesh to mesh"};
    const struct modes *modes = self->data;
    const struct spec *spec = &modes->spec;
    sg_text_append(text, "analysis\tnonsmooth modes: periodic orbits by shooting over %s period\n",
                   spec->shooting == 1 ? "the whole" : "half a");
    for (size_t i = 0; i < modes->mesh_count; i++) describe_mesh(&modes->meshes[i], text);
    sg_text_append(text, "continuation\t%s, %zu points from %g to %g of the linear frequency\n",
                   ways[spec->continuation], modes->count, modes->ratios[0], modes->ratios[modes->count - 1]);
    if (spec->filter == FILTER_AUTO)
        sg_text_append(text, "filter\tthe best of up to %lld modes\n", spec->filter_limit);
    else if (spec->filter > 0)
        sg_text_append(text, "filter\t%lld modes\n", spec->filter);
    sg_text_append(text, "results\t%zu numbers a point\n", modes->writer.width);
}

/* Tells by which ways orbits were found that following the branch did not reach. */
static void sum_up_search(const struct sg_branch *branch, struct sg_text *text)
{
    static const char *const ways[SG_SEARCH_WAYS] = {NULL, "the branch from the grazing",
                                                     "its continuation through grazings", "all single blows",
                                                     "many starts"};
    const char *before = "searched\t";
    for (size_t way = 1; way < SG_SEARCH_WAYS; way++) {
        if (branch->found_by[way] == 0) continue;
        sg_text_append(text, "%s%zu by %s", before, branch->found_by[way], ways[way]);
        before = ", ";
    }
    if (before[0] == ',') sg_text_append(text, "\n");
}

static void sum_up(const struct sg_points *self, struct sg_text *text)
{
    const struct modes *modes = self->data;
    const size_t *ends = modes->ends;
    sg_text_append(text, "orbits\t%zu in %zu piece%s", modes->done - ends[SG_BRANCH_NONE], modes->piece,
                   modes->piece == 1 ? "" : "s");
    if (ends[SG_BRANCH_GRAZES] > 0)
        sg_text_append(text, "; %zu end%s in a grazing", ends[SG_BRANCH_GRAZES],
                       ends[SG_BRANCH_GRAZES] == 1 ? "s" : "");
    if (ends[SG_BRANCH_LOST] > 0) sg_text_append(text, "; lost %zu times", ends[SG_BRANCH_LOST]);
    sg_text_append(text, "\n");
    sum_up_search(&modes->meshes[0], text);
    if (ends[SG_BRANCH_NONE] > 0)
        sg_text_append(
            text,
            "no orbit found\tat %zu of the frequencies: not along the branch from the grazing, among "
            "single blows, from one mode alone, nor from %lld starts\n",
            ends[SG_BRANCH_NONE], modes->spec.starts);
}

const struct sg_points_ops sg_points_nonsmooth_modes = {
    .kind = {"nonsmooth-modes",
             "families of periodic orbits of free motion with contact: Urman and Legrand 2023", rows},
    .has_no_time = true,
    .create = create,
    .columns = columns,
    .total = total,
    .done = done,
    .finished = finished,
    .advance = advance,
    .archive = archive,
    .counts = counts,
    .describe = describe,
    .sum_up = sum_up,
};
