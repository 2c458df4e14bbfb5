/* What integrators do to a mass on a spring: spectral radius, period elongation and amplitude decay, exact
 * and measured, the speed at which it comes to a wall, and the speed at which it leaves it. A point a step
 * size, a column an integrator. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/amplification.h"
#include "analyses/points.h"
#include "support/memory.h"

struct spec {
    double from, to;
    long long count;
    struct sg_reals at;
    double damping_ratio;
    long long periods;
    struct sg_reals phases;
    const struct sg_setting *integrators;
};

static const struct sg_keyword rows[] = {
    {.name = "from",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "shortest step, in periods (dt/T)",
     .fallback = "0.01",
     .range = {1e-6, 1e6, false, false, true},
     .offset = offsetof(struct spec, from)},
    {.name = "to",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "longest step, in periods",
     .fallback = "10.0",
     .range = {1e-6, 1e6, false, false, true},
     .offset = offsetof(struct spec, to)},
    {.name = "count",
     .type = SG_INTEGER,
     .meaning = "steps from the shortest to the longest, evenly spread in their logarithm",
     .fallback = "91",
     .range = SG_BETWEEN(2, 100000),
     .offset = offsetof(struct spec, count)},
    {.name = "at",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "steps in periods, instead of a range",
     .example = "[0.01, 0.05, 0.1, 0.2]",
     .range = {1e-6, 1e6, false, false, true},
     .min_items = 1,
     .offset = offsetof(struct spec, at)},
    {.name = "damping_ratio",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "damping ratio of the mass",
     .fallback = "0.0",
     .range = {0, 1, false, true, true},
     .offset = offsetof(struct spec, damping_ratio)},
    {.name = "periods",
     .type = SG_INTEGER,
     .meaning = "whole periods before the mass comes to the wall, n of n + 1/2",
     .fallback = "0",
     .range = SG_BETWEEN(0, 1000000),
     .offset = offsetof(struct spec, periods)},
    {.name = "phases",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "gaps at the start of the step that meets the wall, over the way of a step",
     .fallback = "[0.1, 0.3, 0.5, 0.7, 0.9]",
     .range = {0, 1, true, false, true},
     .offset = offsetof(struct spec, phases)},
    {.name = "integrators",
     .type = SG_LIST,
     .meaning = "what is compared, instead of the deck's integrator alone",
     .kinds = &sg_integrator_kinds,
     .min_items = 1,
     .max_items = 32,
     .example = "( { type = \"trapezoidal\"; }, { type = \"newmark\"; beta = 0.3; } )",
     .offset = offsetof(struct spec, integrators)},
    {0}};

/* the columns that every integrator has, in the order of `values_of` */
static const struct sg_point_column kinds_of_column[] = {
    {"spectral_radius", "1", "largest modulus of an eigenvalue of a step", 0},
    {"period_elongation", "%", "period over the exact one, less 100 %: from the eigenvalues", 0},
    {"period_elongation_measured", "%", "the same out of a run", 0},
    {"amplitude_decay", "%", "loss of amplitude a period beyond that by damping: from the eigenvalues", 0},
    {"amplitude_decay_measured", "%", "the same out of a run", 0},
    {"contact_velocity", "1", "speed of arrival at a wall, as the scheme holds it, over the exact one", 0},
    {"contact_velocity_formula", "1", "the same by eq. (3.14): a^(n + 1/2) / b, corrected", 0},
};
enum { COMMON = sizeof kinds_of_column / sizeof *kinds_of_column };

struct subject {
    const struct sg_setting *node;
    char name[64];
    struct sg_single_mass mass;
};

struct comparison {
    struct sg_arena *arena; /* the points' */
    struct spec spec;
    struct subject *subjects;
    size_t subject_count;
    double *steps; /* total: dt/T, ascending */
    size_t total;
    unsigned long long done;
    struct sg_point_column *columns;
    char **names; /* of the columns */
    size_t column_count;
    double *values; /* a point */
};

/* --- creation ------------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static sg_status list_steps(struct comparison *c, struct sg_error *err)
{
    const struct spec *spec = &c->spec;
    c->total = spec->at.data != NULL ? spec->at.count : (size_t)spec->count;
    TRY(SG_ARENA_NEW(c->arena, &c->steps, c->total, err));
    double ratio = spec->to / spec->from;
    for (size_t k = 0; k < c->total; k++)
        c->steps[k] = spec->at.data != NULL ? spec->at.data[k]
                                            : spec->from * pow(ratio, (double)k / (double)(c->total - 1));
    qsort(c->steps, c->total, sizeof *c->steps, ascending);
    return SG_OK;
}

static void name_subject(struct comparison *c, size_t i)
{
    const char *kind = sg_setting_kind(c->subjects[i].node)->name;
    size_t same = 1;
    for (size_t k = 0; k < i; k++)
        same += sg_setting_kind(c->subjects[k].node) == sg_setting_kind(c->subjects[i].node);
    if (same == 1)
        snprintf(c->subjects[i].name, sizeof c->subjects[i].name, "%.40s", kind);
    else
        snprintf(c->subjects[i].name, sizeof c->subjects[i].name, "%.40s-%zu", kind, same);
}

static sg_status list_subjects(struct comparison *c, const struct sg_deck *deck, struct sg_error *err)
{
    const struct sg_setting *list = c->spec.integrators;
    c->subject_count = list != NULL ? sg_setting_count(list) : 1;
    TRY(SG_ARENA_NEW(c->arena, &c->subjects, c->subject_count, err));
    for (size_t i = 0; i < c->subject_count; i++) {
        c->subjects[i].node =
            list != NULL ? sg_setting_item(list, i) : sg_setting_child(sg_deck_root(deck), "integrator");
        name_subject(c, i);
    }
    return SG_OK;
}

static sg_status build_subjects(struct comparison *c, struct sg_diagnostics *diagnostics,
                                struct sg_error *err)
{
    for (size_t i = 0; i < c->subject_count; i++) {
        struct subject *subject = &c->subjects[i];
        struct sg_single_mass_spec spec = {subject->node, c->spec.damping_ratio};
        sg_status status = sg_single_mass_init(c->arena, &subject->mass, &spec, err);
        if (status == SG_BAD_DECK || status == SG_NO_SOLUTION) {
            sg_complain(diagnostics, SG_ERROR, subject->node, "%s", err->text);
            return SG_BAD_DECK;
        }
        TRY(status);
    }
    return SG_OK;
}

static sg_status add_column(struct comparison *c, struct sg_point_column kind, const char *more,
                            struct sg_error *err)
{
    char name[160];
    size_t k = c->column_count;
    snprintf(name, sizeof name, "%s%s", kind.name, more);
    TRY(sg_arena_copy_text(c->arena, name, &c->names[k], err));
    c->columns[k] = (struct sg_point_column){c->names[k], kind.unit, kind.description, kind.width};
    c->column_count++;
    return SG_OK;
}

static sg_status add_subject_columns(struct comparison *c, const struct subject *subject,
                                     struct sg_error *err)
{
    static const struct sg_point_column rebound = {
        "rebound", "1",
        "speed after a rigid wall over that before, by the gap at the start of the step that meets it", 0};
    char more[128];
    snprintf(more, sizeof more, "/%s", subject->name);
    for (size_t k = 0; k < COMMON; k++) TRY(add_column(c, kinds_of_column[k], more, err));
    for (size_t k = 0; subject->mass.rebounds && k < c->spec.phases.count; k++) {
        snprintf(more, sizeof more, "/%s/phase_%.6g", subject->name, c->spec.phases.data[k]);
        TRY(add_column(c, rebound, more, err));
    }
    return SG_OK;
}

static sg_status list_columns(struct comparison *c, struct sg_error *err)
{
    static const struct sg_point_column scale = {"step_over_period", "1", "dt/T, step over period", 0};
    size_t most = 1 + c->subject_count * (COMMON + c->spec.phases.count);
    TRY(SG_ARENA_NEW(c->arena, &c->columns, most, err));
    TRY(SG_ARENA_NEW(c->arena, &c->names, most, err));
    TRY(SG_ARENA_NEW(c->arena, &c->values, most, err));
    TRY(add_column(c, scale, "", err));
    for (size_t i = 0; i < c->subject_count; i++) TRY(add_subject_columns(c, &c->subjects[i], err));
    return SG_OK;
}

/* equal phases would be one column twice */
static void check_phases(const struct comparison *c, const struct sg_setting *node,
                         struct sg_diagnostics *diagnostics)
{
    const struct sg_reals *phases = &c->spec.phases;
    for (size_t i = 0; i < phases->count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (fabs(phases->data[i] - phases->data[k]) > 1e-5 * phases->data[i]) continue;
            sg_complain_about(diagnostics, SG_ERROR, node, "phases", "the phase %g is listed twice",
                              phases->data[i]);
            return;
        }
    }
}

static sg_status check_deck(const struct comparison *c, const struct sg_deck *deck,
                            struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    const struct sg_setting *root = sg_deck_root(deck), *node = sg_setting_child(root, "analysis");
    size_t errors = diagnostics->errors;
    if (c->spec.integrators == NULL && sg_setting_child(root, "integrator") == NULL) {
        sg_complain_about(
            diagnostics, SG_ERROR, node, "integrators",
            "there is nothing to analyse: neither integrators here nor an integrator of the deck");
        sg_hint(diagnostics, "for example: integrator = { type = \"trapezoidal\"; };");
    }
    if (c->spec.at.data == NULL && !(c->spec.to > c->spec.from))
        sg_complain_about(diagnostics, SG_ERROR, node, "to",
                          "the longest step %g is not above the shortest, %g", c->spec.to, c->spec.from);
    check_phases(c, node, diagnostics);
    if (diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the analysis can't be made");
}

/* What other analyses need and this one does not. */
static void note_unused(const struct comparison *c, const struct sg_deck *deck,
                        struct sg_diagnostics *diagnostics)
{
    static const char *const groups[] = {"bodies",  "elements", "supports", "contacts", "loads",
                                         "initial", "damping",  "strategy", "time"};
    const struct sg_setting *root = sg_deck_root(deck);
    SG_LOCAL_TEXT(unused);
    for (size_t k = 0; k < sizeof groups / sizeof *groups; k++)
        if (sg_setting_given(root, groups[k]))
            sg_text_append(&unused, "%s%s", unused.length > 0 ? ", " : "", groups[k]);
    if (c->spec.integrators != NULL && sg_setting_given(root, "integrator"))
        sg_text_append(&unused, "%sintegrator", unused.length > 0 ? ", " : "");
    if (unused.length > 0)
        sg_complain(diagnostics, SG_NOTE, sg_setting_child(root, "analysis"),
                    "analysis 'integrator' makes its own model, a mass on a spring, and does not use %s",
                    sg_text_view(&unused));
}

static sg_status create(struct sg_points *self, const struct sg_deck *deck,
                        struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct comparison *c = NULL;
    TRY(SG_ARENA_NEW(&self->arena, &c, 1, err));
    self->data = c;
    c->arena = &self->arena;
    sg_setting_fill(sg_setting_child(sg_deck_root(deck), "analysis"), rows, &c->spec);
    TRY(check_deck(c, deck, diagnostics, err));
    TRY(list_steps(c, err));
    TRY(list_subjects(c, deck, err));
    TRY(build_subjects(c, diagnostics, err));
    TRY(list_columns(c, err));
    note_unused(c, deck, diagnostics);
    return SG_OK;
}

/* --- points --------------------------------------------------------------------------------------- */

static const struct sg_point_column *columns(const struct sg_points *self, size_t *count)
{
    const struct comparison *c = self->data;
    *count = c->column_count;
    return c->columns;
}

static size_t total(const struct sg_points *self)
{
    return ((const struct comparison *)self->data)->total;
}

static size_t done(const struct sg_points *self)
{
    return (size_t)((const struct comparison *)self->data)->done;
}

/* the columns of one integrator at one step into `values`; `*used` grows by their number */
static sg_status values_of(struct comparison *c, struct subject *subject, double h, size_t *used,
                           struct sg_error *err)
{
    struct sg_single_mass *mass = &subject->mass;
    struct sg_amplification a;
    struct sg_vibration measured;
    struct sg_arrival arrival;
    TRY(sg_amplification_find(mass, h, &a, err));
    TRY(sg_vibration_measure(mass, h, &measured, err));
    struct sg_vibration exact = sg_amplification_vibration(&a, mass->damping_ratio);
    TRY(sg_arrival_find(mass, &a, exact, (double)c->spec.periods, &arrival, err));
    const double values[COMMON] = {a.radius,       exact.elongation, measured.elongation, exact.decay,
                                   measured.decay, arrival.held,     arrival.formula};
    memcpy(c->values + *used, values, sizeof values);
    *used += COMMON;
    for (size_t k = 0; mass->rebounds && k < c->spec.phases.count; k++)
        TRY(sg_single_mass_rebound(mass, (struct sg_throw){h, c->spec.phases.data[k]}, &c->values[(*used)++],
                                   err));
    return SG_OK;
}

static sg_status advance(struct sg_points *self, const struct sg_observer *observer, struct sg_error *err)
{
    struct comparison *c = self->data;
    size_t used = 1;
    c->values[0] = c->steps[c->done];
    for (size_t i = 0; i < c->subject_count; i++)
        TRY(values_of(c, &c->subjects[i], c->values[0], &used, err));
    c->done++;
    return observer->point(observer->self, c->values, c->column_count, err);
}

static void archive(struct sg_points *self, struct sg_archive *store)
{
    struct comparison *c = self->data;
    SG_ARCHIVE(store, c->done);
}

static struct sg_effective_counts counts(const struct sg_points *self)
{
    const struct comparison *c = self->data;
    struct sg_effective_counts sum = {0};
    for (size_t i = 0; i < c->subject_count; i++) {
        struct sg_effective_counts one = sg_phase_counts(&c->subjects[i].mass.phase);
        sum.factorizations += one.factorizations;
        sum.solves += one.solves;
    }
    return sum;
}

/* --- words ---------------------------------------------------------------------------------------- */

static void describe_phases(const struct comparison *c, struct sg_text *text)
{
    sg_text_append(text, "rebound\tfrom a rigid wall at phases");
    for (size_t k = 0; k < c->spec.phases.count; k++) sg_text_append(text, " %g", c->spec.phases.data[k]);
    sg_text_append(text, ", of:");
    bool any = false;
    for (size_t i = 0; i < c->subject_count; i++) {
        if (!c->subjects[i].mass.rebounds) continue;
        sg_text_append(text, " %s", c->subjects[i].name);
        any = true;
    }
    sg_text_append(text, "%s\n", any ? "" : " none, for want of a position level");
}

static void describe(const struct sg_points *self, struct sg_text *text)
{
    const struct comparison *c = self->data;
    sg_text_append(text, "analysis\tintegrators on a mass with a spring: spectral radius, period elongation, "
                         "amplitude decay, contact velocities\n");
    for (size_t i = 0; i < c->subject_count; i++)
        sg_text_append(text, "%s\t%s: %s\n", i == 0 ? "integrators" : "", c->subjects[i].name,
                       sg_setting_kind(c->subjects[i].node)->meaning);
    sg_text_append(text, "steps\t%zu, dt/T = %g to %g\n", c->total, c->steps[0], c->steps[c->total - 1]);
    sg_text_append(text, "damping ratio\t%g\n", c->spec.damping_ratio);
    sg_text_append(text, "contact velocity\tafter %lld + 1/2 periods\n", c->spec.periods);
    if (c->spec.phases.count > 0) describe_phases(c, text);
    sg_text_append(text, "results\t%zu columns of %zu points\n", c->column_count, c->total);
}

const struct sg_points_ops sg_points_integrator = {
    .kind = {"integrator", "what integrators do to free vibrations and at a wall, against dt/T", rows},
    .brings_model = true,
    .has_no_time = true,
    .create = create,
    .columns = columns,
    .total = total,
    .done = done,
    .advance = advance,
    .archive = archive,
    .counts = counts,
    .describe = describe,
};
