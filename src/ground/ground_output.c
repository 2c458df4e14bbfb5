#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/record.h"
#include "ground/ground_motion.h"
#include "support/memory.h"

/* --- AT2 ------------------------------------------------------------------------------------------ */

void sg_ground_motion_print_at2(const struct sg_ground_motion *motion, size_t index, struct sg_text *text)
{
    enum { A_LINE = 5 };
    const struct sg_motion_record *record = &motion->records[index];
    const struct sg_table *table = &record->record;
    sg_text_append(text, "SIGNORINI SPECTRUM-COMPATIBLE RECORD, SEED %.0f\n%s\n", record->seed,
                   sg_text_view(&motion->target_words));
    sg_text_append(text, "ACCELERATION TIME SERIES IN UNITS OF G\nNPTS= %zu, DT= %.10g SEC\n", table->count,
                   motion->generator.dt);
    for (size_t k = 0; k < table->count; k++)
        sg_text_append(text, "%15.7E%s", table->y[k] / SG_STANDARD_GRAVITY,
                       k % A_LINE == A_LINE - 1 || k + 1 == table->count ? "\n" : "");
}

/* --- histories ------------------------------------------------------------------------------------ */

static size_t row_count(const struct sg_ground_motion *motion)
{
    return (size_t)(motion->end / motion->step + 0.5) + 1;
}

static double row_time(const struct sg_ground_motion *motion, size_t row)
{
    return (double)row * motion->step;
}

static void fill(const struct sg_ground_motion *motion, double t, enum sg_signal_order order, double *row)
{
    for (size_t k = 0; k < motion->count; k++) {
        const struct sg_table *table = &motion->records[k].record;
        struct sg_signal_value value = sg_signal_at(&motion->records[k].signal, t);
        /* a file's last value belongs to the row at its time, behind which the record is zero */
        if (t == table->x[table->count - 1]) value.s = table->y[table->count - 1];
        row[k] = sg_signal_pick(&value, order);
    }
}

static void acceleration(const void *owner, const struct sg_snapshot *now, double *row)
{
    fill(owner, now->t, SG_VALUE, row);
}

static void velocity(const void *owner, const struct sg_snapshot *now, double *row)
{
    fill(owner, now->t, SG_FIRST_INTEGRAL, row);
}

static void displacement(const void *owner, const struct sg_snapshot *now, double *row)
{
    fill(owner, now->t, SG_SECOND_INTEGRAL, row);
}

void sg_ground_motion_peaks(const struct sg_ground_motion *motion, size_t index, double peak[3])
{
    peak[0] = peak[1] = peak[2] = 0;
    for (size_t i = 0; i < row_count(motion); i++) {
        struct sg_signal_value value = sg_signal_at(&motion->records[index].signal, row_time(motion, i));
        for (int k = 0; k < 3; k++)
            peak[k] = fmax(peak[k], fabs(sg_signal_pick(&value, (enum sg_signal_order)(-k))));
    }
    peak[0] = sg_record_peak(&motion->records[index].record);
}

static void register_histories(const struct sg_ground_motion *motion, struct sg_quantities *list)
{
    static const struct row {
        const char *name, *unit, *description;
        void (*fill)(const void *owner, const struct sg_snapshot *now, double *row);
    } rows[] = {
        {"acceleration", "m/s^2", "ground acceleration, a column a record", acceleration},
        {"velocity", "m/s", "its integral, a column a record", velocity},
        {"displacement", "m", "its second integral, a column a record", displacement},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        sg_quantities_add(list, (struct sg_quantity){.name = rows[k].name,
                                                     .unit = rows[k].unit,
                                                     .description = rows[k].description,
                                                     .width = motion->count,
                                                     .fill = rows[k].fill,
                                                     .owner = motion});
}

static sg_status no_sample(void *self, double t, struct sg_snapshot *now, struct sg_error *err)
{
    (void)self, (void)now;
    FAIL(err, SG_INTERNAL, "a record has no samples between its rows, asked for at %g s", t);
}

static sg_status tell_histories(const struct sg_ground_motion *motion, const struct sg_observer *observer,
                                struct sg_error *err)
{
    const struct sg_sampler sampler = {.at = no_sample};
    for (size_t i = 0; i < row_count(motion); i++) {
        struct sg_snapshot now = {.t = row_time(motion, i)};
        TRY(observer->step(observer->self, &now, i == 0 ? NULL : &sampler, 0, err));
    }
    return SG_OK;
}

/* --- spectra, as points over the period ----------------------------------------------------------- */

enum { SPECTRA = 3, NAME = 320 };

static const struct {
    const char *group, *unit, *description;
    size_t offset;
} spectra[SPECTRA] = {
    {"pseudo_acceleration", "m/s^2", "omega^2 times the largest relative displacement of an oscillator",
     offsetof(struct sg_peak_response, pseudo_acceleration)},
    {"absolute_acceleration", "m/s^2", "largest absolute acceleration of an oscillator",
     offsetof(struct sg_peak_response, acceleration)},
    {"relative_displacement", "m", "largest displacement of an oscillator relative to the ground",
     offsetof(struct sg_peak_response, displacement)},
};

/* A file is made from this; owned */
struct writing {
    const struct sg_ground_motion *motion;
    struct sg_quantities quantities;
    struct sg_point_column *columns;
    char *names;        /* NAME bytes a column */
    double *values;     /* a point */
    double *figures;    /* records x FIGURES, column by column */
    const char **texts; /* names of the records */
    int *nodes;         /* zeros: the labels want a node a column */
    size_t column_count;
};

static void add_column(struct writing *w, const char *group, const char *name, const char *unit,
                       const char *description)
{
    char *text = w->names + NAME * w->column_count;
    snprintf(text, NAME, "%s%s%s", group, name[0] == '\0' ? "" : "/", name);
    w->columns[w->column_count++] = (struct sg_point_column){text, unit, description, 0};
}

static sg_status make_columns(struct sg_arena *arena, struct writing *w, struct sg_error *err)
{
    const struct sg_ground_motion *motion = w->motion;
    size_t most = 3 + SPECTRA * motion->count;
    TRY(SG_ARENA_NEW(arena, &w->columns, most, err));
    TRY(SG_ARENA_NEW(arena, &w->names, most * NAME, err));
    TRY(SG_ARENA_NEW(arena, &w->values, most, err));
    add_column(w, "period", "", "s", "period of the oscillator");
    if (motion->has_target) add_column(w, "pseudo_acceleration", "target", "m/s^2", "the target spectrum");
    if (motion->count > 1)
        add_column(w, "pseudo_acceleration", "mean", "m/s^2", "mean of the records' pseudo-accelerations");
    for (size_t s = 0; s < SPECTRA; s++)
        for (size_t k = 0; k < motion->count; k++)
            add_column(w, spectra[s].group, motion->records[k].name, spectra[s].unit, spectra[s].description);
    return SG_OK;
}

static void fill_point(struct writing *w, size_t i)
{
    const struct sg_ground_motion *motion = w->motion;
    double *next = w->values, mean = 0;
    *next++ = motion->period[i];
    if (motion->has_target) *next++ = sg_code_spectrum_at(&motion->target, motion->period[i]);
    for (size_t k = 0; k < motion->count; k++)
        mean += motion->response[k * motion->periods + i].pseudo_acceleration / (double)motion->count;
    if (motion->count > 1) *next++ = mean;
    for (size_t s = 0; s < SPECTRA; s++)
        for (size_t k = 0; k < motion->count; k++) {
            const struct sg_peak_response *response = &motion->response[k * motion->periods + i];
            memcpy(next++, (const char *)response + spectra[s].offset, sizeof *next);
        }
}

/* --- figures of the records ----------------------------------------------------------------------- */

enum figure { SEED, PGA, PGV, PGD, MEAN, WORST, ITERATIONS, FIGURES };

static const struct {
    const char *name, *unit, *description;
} figures[FIGURES] = {
    [SEED] = {"seed", "1", "seed that it was made from; -1: it is from a file"},
    [PGA] = {"peak_acceleration", "m/s^2", "largest absolute ground acceleration"},
    [PGV] = {"peak_velocity", "m/s", "largest absolute ground velocity at the rows of the histories"},
    [PGD] = {"peak_displacement", "m", "largest absolute ground displacement at the rows of the histories"},
    [MEAN] = {"mean_error", "1", "mean of |pseudo-acceleration / target - 1| from .1 to 2 s; NaN: no target"},
    [WORST] = {"worst_error", "1", "largest of |pseudo-acceleration / target - 1| from .1 to 2 s"},
    [ITERATIONS] = {"iterations", "1", "corrections of the filter that it took"},
};

static sg_status make_figures(struct sg_arena *arena, struct writing *w, struct sg_error *err)
{
    const struct sg_ground_motion *motion = w->motion;
    size_t count = motion->count;
    TRY(SG_ARENA_NEW(arena, &w->figures, FIGURES * count, err));
    TRY(SG_ARENA_NEW(arena, &w->texts, count, err));
    TRY(SG_ARENA_NEW(arena, &w->nodes, count, err));
    for (size_t k = 0; k < count; k++) {
        const struct sg_motion_record *record = &motion->records[k];
        double peak[3], *figure = w->figures + k;
        sg_ground_motion_peaks(motion, k, peak);
        figure[SEED * count] = record->seed;
        for (size_t d = 0; d < 3; d++) figure[(PGA + d) * count] = peak[d];
        figure[MEAN * count] = record->fit.mean;
        figure[WORST * count] = record->fit.worst;
        figure[ITERATIONS * count] = (double)record->iterations;
        w->texts[k] = record->name;
    }
    return SG_OK;
}

/* --- the file ------------------------------------------------------------------------------------- */

static sg_status tell_points(struct writing *w, const struct sg_observer *observer, struct sg_error *err)
{
    for (size_t i = 0; i < w->motion->periods; i++) {
        fill_point(w, i);
        TRY(observer->point(observer->self, w->values, w->column_count, err));
    }
    return SG_OK;
}

static sg_status record_all(struct writing *w, struct sg_recorder *recorder, struct sg_error *err)
{
    struct sg_observer observer = sg_recorder_observer(recorder);
    struct sg_summary summary = {.steps = (long long)row_count(w->motion) - 1, .end_time = w->motion->end};
    TRY(tell_histories(w->motion, &observer, err));
    TRY(tell_points(w, &observer, err));
    return sg_recorder_finish(recorder, "complete", &summary, err);
}

static sg_status write(struct writing *w, const struct sg_recorder_spec *given, struct sg_error *err)
{
    struct sg_recorder_spec spec = *given;
    const struct sg_ground_motion *motion = w->motion;
    struct sg_recorder_array arrays[FIGURES + 1] = {
        {"name", "1", "the records: columns of the histories", NULL, w->texts}};
    for (size_t f = 0; f < FIGURES; f++)
        arrays[f + 1] = (struct sg_recorder_array){figures[f].name, figures[f].unit, figures[f].description,
                                                   w->figures + f * motion->count, NULL};
    struct sg_model_labels labels = {.dof_count = motion->count,
                                     .dof_names = w->texts,
                                     .dof_nodes = w->nodes,
                                     .dim = 1,
                                     .element_width = 2};
    spec.quantities = &w->quantities;
    spec.labels = &labels;
    spec.end = motion->end;
    spec.point_columns = w->columns;
    spec.point_column_count = w->column_count;
    spec.arrays = (struct sg_recorder_arrays){"records", arrays, FIGURES + 1, motion->count};
    struct sg_recorder *recorder = NULL;
    TRY(sg_recorder_create(&spec, &recorder, err));
    sg_status status = record_all(w, recorder, err);
    sg_recorder_destroy(recorder);
    return status;
}

sg_status sg_ground_motion_write(const struct sg_ground_motion *motion, const struct sg_recorder_spec *spec,
                                 struct sg_error *err)
{
    SG_LOCAL_ARENA(arena);
    struct writing w = {.motion = motion};
    register_histories(motion, &w.quantities);
    sg_status status =
        w.quantities.failed ? sg_fail(err, SG_NO_MEMORY, "out of memory for histories") : SG_OK;
    if (status == SG_OK) status = make_columns(&arena, &w, err);
    if (status == SG_OK) status = make_figures(&arena, &w, err);
    if (status == SG_OK) status = write(&w, spec, err);
    sg_quantities_release(&w.quantities);
    return status;
}
