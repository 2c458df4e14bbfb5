#include "ground/ground_motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/record.h"
#include "ground/spectra.h"
#include "model/signals/signals.h"
#include "support/memory.h"

enum { VALUES_LIMIT = 1 << 22 };

struct generate_spec {
    long long count, seed, iterations;
    struct sg_generator_spec generator;
};

#define GENERATOR(member) offsetof(struct generate_spec, generator.member)

static const struct sg_keyword generate_rows[] = {
    {.name = "count",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "number of records, with consecutive seeds",
     .fallback = "1",
     .range = SG_BETWEEN(1, 10000),
     .offset = offsetof(struct generate_spec, count)},
    {.name = "seed",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "seed of the first record: the same seed makes the same record",
     .fallback = "1",
     .range = SG_BETWEEN(0, 1000000000),
     .offset = offsetof(struct generate_spec, seed)},
    {.name = "duration",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "length of a record",
     .fallback = "20.0",
     .range = SG_POSITIVE,
     .offset = GENERATOR(duration)},
    {.name = "dt",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "time between values",
     .fallback = "0.01",
     .range = SG_POSITIVE,
     .offset = GENERATOR(dt)},
    {.name = "rise",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "time in which the envelope rises to 1, as a parabola",
     .fallback = "2.0",
     .range = SG_POSITIVE,
     .offset = GENERATOR(rise)},
    {.name = "strong",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "time for which the envelope then is 1",
     .fallback = "10.0",
     .range = SG_NON_NEGATIVE,
     .offset = GENERATOR(strong)},
    {.name = "decay",
     .type = SG_REAL,
     .unit = "1/s",
     .meaning = "rate at which it then decays",
     .fallback = "0.35",
     .range = SG_NON_NEGATIVE,
     .offset = GENERATOR(decay)},
    {.name = "shortest",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "shortest period at which the response is brought to the target",
     .fallback = "0.04",
     .range = SG_POSITIVE,
     .offset = GENERATOR(shortest)},
    {.name = "longest",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "longest such period",
     .fallback = "4.0",
     .range = SG_POSITIVE,
     .offset = GENERATOR(longest)},
    {.name = "iterations",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "corrections of the filter, at most; the best record counts",
     .fallback = "30",
     .range = SG_BETWEEN(0, 10000),
     .offset = offsetof(struct generate_spec, generator.iterations)},
    {.name = "tolerance",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "mean error of the response spectrum from .1 to 2 s that ends the corrections",
     .fallback = "0.02",
     .range = SG_NON_NEGATIVE,
     .offset = GENERATOR(tolerance)},
    {0}};

struct response_spec {
    double damping, shortest, longest;
    long long count;
};

static const struct sg_keyword response_rows[] = {
    {.name = "damping",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "damping ratio of the oscillators; that of the target spectrum, too",
     .fallback = "0.05",
     .range = {0, 1, false, true, true},
     .offset = offsetof(struct response_spec, damping)},
    {.name = "shortest",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "shortest period",
     .fallback = "0.02",
     .range = SG_POSITIVE,
     .offset = offsetof(struct response_spec, shortest)},
    {.name = "longest",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "longest period",
     .fallback = "4.0",
     .range = SG_POSITIVE,
     .offset = offsetof(struct response_spec, longest)},
    {.name = "count",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "periods, evenly spread in logarithm",
     .fallback = "200",
     .range = SG_BETWEEN(2, 100000),
     .offset = offsetof(struct response_spec, count)},
    {0}};

struct output_spec {
    int at2;
};

static const struct sg_keyword output_rows[] = {
    {.name = "at2",
     .type = SG_BOOL,
     .meaning = "each record made also as a file of its own in PEER's format, beside the results",
     .fallback = "true",
     .offset = offsetof(struct output_spec, at2)},
    {0}};

struct spec {
    const struct sg_setting *spectrum, *generate, *records, *response, *output;
};

const struct sg_keyword sg_ground_grammar[] = {
    {.name = "title",
     .type = SG_TEXT,
     .meaning = "title of the deck",
     .fallback = "\"\"",
     .example = "\"ten records\""},
    {.name = "spectrum",
     .type = SG_GROUP,
     .meaning = "the target that records are made for, and all are compared with",
     .kinds = &sg_spectrum_kinds,
     .offset = offsetof(struct spec, spectrum)},
    {.name = "generate",
     .type = SG_GROUP,
     .meaning = "records to make; needs a spectrum",
     .rows = generate_rows,
     .offset = offsetof(struct spec, generate)},
    {.name = "records",
     .type = SG_LIST,
     .meaning = "records out of files, whose response spectra are wanted",
     .rows = sg_record_rows,
     .offset = offsetof(struct spec, records)},
    {.name = "response",
     .type = SG_GROUP,
     .meaning = "the oscillators of the response spectra",
     .fallback = "{ }",
     .rows = response_rows,
     .offset = offsetof(struct spec, response)},
    {.name = "output",
     .type = SG_GROUP,
     .meaning = "what is written beside the results",
     .fallback = "{ }",
     .rows = output_rows,
     .offset = offsetof(struct spec, output)},
    {0}};

/* --- the deck ------------------------------------------------------------------------------------- */

struct building {
    struct sg_ground_motion *motion;
    const struct sg_deck *deck;
    struct sg_diagnostics *diagnostics;
    struct spec spec;
};

static sg_status read_response(struct building *b, struct sg_error *err)
{
    struct response_spec spec = {0};
    struct sg_ground_motion *motion = b->motion;
    sg_setting_fill(b->spec.response, response_rows, &spec);
    if (!(spec.longest > spec.shortest)) {
        sg_complain_about(b->diagnostics, SG_ERROR, b->spec.response, "longest",
                          "is %g s, not above 'shortest', %g s", spec.longest, spec.shortest);
        return SG_BAD_DECK;
    }
    motion->damping = spec.damping;
    motion->periods = (size_t)spec.count;
    TRY(SG_ARENA_NEW(&motion->arena, &motion->period, motion->periods, err));
    sg_response_periods(spec.shortest, spec.longest, motion->periods, motion->period);
    return SG_OK;
}

static sg_status read_target(struct building *b)
{
    struct sg_ground_motion *motion = b->motion;
    motion->has_target = b->spec.spectrum != NULL;
    if (!motion->has_target) return SG_OK;
    return sg_spectrum_read(b->spec.spectrum, motion->damping, &motion->target, &motion->target_words,
                            b->diagnostics);
}

/* a fault of `generate`: the keyword, and what is wrong */
static sg_status refuse(const struct building *b, const char *keyword, const char *fault, double value)
{
    sg_complain_about(b->diagnostics, SG_ERROR, b->spec.generate, keyword, fault, value);
    return SG_BAD_DECK;
}

static sg_status check_generator(const struct building *b, const struct sg_generator_spec *g)
{
    if (!(g->duration / g->dt < VALUES_LIMIT))
        return refuse(b, "dt", "makes more than %.0f values a record", VALUES_LIMIT);
    if (!(g->duration > g->rise))
        return refuse(b, "duration", "ends within the rise of the envelope, %g s", g->rise);
    if (!(g->shortest >= 2 * g->dt))
        return refuse(b, "shortest", "is below two values of the record, %g s: no such oscillation is in it",
                      2 * g->dt);
    if (!(g->longest > fmax(0.1, g->shortest)))
        return refuse(b, "longest", "is not above 'shortest' and .1 s, from where the fit is measured: %g s",
                      g->longest);
    if (!(g->longest <= g->duration))
        return refuse(b, "longest", "is a period longer than the record, %g s", g->duration);
    return SG_OK;
}

static sg_status read_generator(struct building *b)
{
    struct generate_spec spec = {0};
    struct sg_ground_motion *motion = b->motion;
    if (b->spec.generate == NULL) return SG_OK;
    sg_setting_fill(b->spec.generate, generate_rows, &spec);
    motion->generated = (size_t)spec.count;
    motion->seed = spec.seed;
    motion->generator = spec.generator;
    motion->generator.damping = motion->damping;
    if (b->spec.spectrum == NULL) {
        sg_complain(b->diagnostics, SG_ERROR, b->spec.generate,
                    "needs a group 'spectrum', to which records are fitted");
        return SG_BAD_DECK;
    }
    return check_generator(b, &motion->generator);
}

static sg_status count_records(struct building *b, struct sg_error *err)
{
    struct sg_ground_motion *motion = b->motion;
    size_t files = b->spec.records == NULL ? 0 : sg_setting_count(b->spec.records);
    motion->count = motion->generated + files;
    TRY(SG_ARENA_NEW(&motion->arena, &motion->records, motion->count, err));
    if (motion->count > 0)
        return SG_ARENA_NEW(&motion->arena, &motion->response, motion->count * motion->periods, err);
    sg_complain(b->diagnostics, SG_ERROR, sg_deck_root(b->deck),
                "has neither 'generate' nor 'records': there is nothing to do");
    return SG_BAD_DECK;
}

/* the file's name without folder and end; with a number behind where it was taken already */
static sg_status name_record(struct sg_ground_motion *motion, size_t index, const char *file,
                             struct sg_error *err)
{
    const char *slash = strrchr(file, '/'), *base = slash == NULL ? file : slash + 1,
               *dot = strrchr(base, '.');
    int length = dot == NULL || dot == base ? (int)strlen(base) : (int)(dot - base);
    size_t bytes = (size_t)length + 24, same = 1;
    char **name = &motion->records[index].name;
    TRY(SG_ARENA_NEW(&motion->arena, name, bytes, err));
    snprintf(*name, bytes, "%.*s", length, base);
    for (size_t k = 0; k < index; k++) {
        if (strcmp(motion->records[k].name, *name) != 0) continue;
        snprintf(*name, bytes, "%.*s_%zu", length, base, ++same);
        k = SIZE_MAX; /* from the first one again */
    }
    return SG_OK;
}

static sg_status take_signal(struct sg_arena *arena, struct sg_motion_record *record, struct sg_error *err)
{
    record->signal.ops = &sg_signal_record;
    TRY(sg_polyline_create(arena, &record->record, SG_OUTSIDE_ZERO, &record->signal, err));
    sg_polyline_begin(&record->signal, record->start.velocity, record->start.displacement);
    return SG_OK;
}

/* one that goes on after a fault, so that all are told */
static sg_status read_file(struct building *b, size_t k, struct sg_error *err)
{
    const struct sg_setting *node = sg_setting_item(b->spec.records, k);
    size_t index = b->motion->generated + k;
    struct sg_motion_record *record = &b->motion->records[index];
    struct {
        const char *file;
    } spec = {NULL};
    static const struct sg_keyword file_row[] = {{.name = "file", .type = SG_TEXT}, {0}};
    sg_setting_fill(node, file_row, &spec);
    TRY(name_record(b->motion, index, spec.file, err));
    record->seed = -1;
    struct sg_table_source source = {.deck = b->deck, .group = node, .arena = &b->motion->arena};
    TRY(sg_record_read(&source, &record->record, &record->start, b->diagnostics, err));
    if (record->record.x[0] >= 0) return take_signal(&b->motion->arena, record, err);
    sg_complain_about(b->diagnostics, SG_ERROR, node, "file", "'%s' starts before t = 0, at %g s", spec.file,
                      record->record.x[0]);
    return SG_BAD_DECK;
}

static sg_status read_files(struct building *b, struct sg_error *err)
{
    sg_status worst = SG_OK;
    for (size_t k = 0; k < b->motion->count - b->motion->generated; k++) {
        sg_status status = read_file(b, k, err);
        if (status == SG_OK) continue;
        if (status != SG_BAD_DECK && status != SG_NO_INPUT) return status;
        if (worst != SG_NO_INPUT) worst = status;
    }
    return worst;
}

static sg_status name_seeds(struct sg_ground_motion *motion, struct sg_error *err)
{
    for (size_t k = 0; k < motion->generated; k++) {
        char name[32];
        motion->records[k].seed = (double)(motion->seed + (long long)k);
        snprintf(name, sizeof name, "seed_%.0f", motion->records[k].seed);
        TRY(name_record(motion, k, name, err));
    }
    return SG_OK;
}

/* Rows as the records made have them, else as the finest file has them. */
static sg_status check_oscillations(struct building *b)
{
    const struct sg_ground_motion *motion = b->motion;
    if (motion->end / motion->period[0] < VALUES_LIMIT) return SG_OK;
    sg_complain_about(b->diagnostics, SG_ERROR, b->spec.response, "shortest",
                      "has more than %d oscillations in a record of %g s", (int)VALUES_LIMIT, motion->end);
    return SG_BAD_DECK;
}

static sg_status choose_rows(struct building *b)
{
    struct sg_ground_motion *motion = b->motion;
    const struct sg_generator_spec *g = &motion->generator;
    motion->step = HUGE_VAL;
    for (size_t k = motion->generated; k < motion->count; k++) {
        const struct sg_table *table = &motion->records[k].record;
        for (size_t i = 1; i < table->count; i++)
            motion->step = fmin(motion->step, table->x[i] - table->x[i - 1]);
        motion->end = fmax(motion->end, table->x[table->count - 1]);
    }
    if (motion->generated > 0) {
        motion->step = g->dt;
        motion->end = fmax(motion->end, (double)(sg_generator_count(g) - 1) * g->dt);
    }
    if (motion->end / motion->step < VALUES_LIMIT) return check_oscillations(b);
    sg_complain(b->diagnostics, SG_ERROR, sg_deck_root(b->deck),
                "%g s of records in rows of %g s are more than %d rows", motion->end, motion->step,
                (int)VALUES_LIMIT);
    return SG_BAD_DECK;
}

sg_status sg_ground_motion_init(struct sg_ground_motion *motion, const struct sg_deck *deck,
                                struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct building b = {.motion = motion, .deck = deck, .diagnostics = diagnostics};
    struct output_spec output = {0};
    *motion = (struct sg_ground_motion){0};
    sg_setting_fill(sg_deck_root(deck), sg_ground_grammar, &b.spec);
    sg_setting_fill(b.spec.output, output_rows, &output);
    motion->at2 = output.at2 == 1;
    size_t errors = diagnostics->errors;
    TRY(read_response(&b, err));
    sg_status target = read_target(&b), generator = read_generator(&b);
    TRY(count_records(&b, err));
    TRY(name_seeds(motion, err));
    TRY(read_files(&b, err));
    TRY(target);
    TRY(generator);
    if (motion->target_words.failed) FAIL(err, SG_NO_MEMORY, "out of memory for the target's words");
    return diagnostics->errors > errors ? SG_BAD_DECK : choose_rows(&b);
}

void sg_ground_motion_release(struct sg_ground_motion *motion)
{
    sg_arena_release(&motion->arena);
    sg_text_release(&motion->target_words);
    *motion = (struct sg_ground_motion){0};
}

/* --- computing ------------------------------------------------------------------------------------ */

static sg_status make(struct sg_ground_motion *motion, struct sg_motion_record *record, struct sg_error *err)
{
    struct sg_generated generated;
    TRY(sg_generate(&motion->arena, &motion->generator, &motion->target, (uint64_t)record->seed, &generated,
                    err));
    record->record = generated.record;
    record->made = true;
    record->fit = generated.fit;
    record->iterations = generated.iterations;
    return take_signal(&motion->arena, record, err);
}

static sg_status check_peaks(const struct sg_ground_motion *motion, struct sg_error *err)
{
    double peak[3];
    sg_ground_motion_peaks(motion, motion->done, peak);
    if (isfinite(peak[0]) && isfinite(peak[1]) && isfinite(peak[2])) return SG_OK;
    FAIL(err, SG_NO_SOLUTION, "'%s': velocity or displacement of the ground is not finite",
         motion->records[motion->done].name);
}

sg_status sg_ground_motion_advance(struct sg_ground_motion *motion, struct sg_error *err)
{
    struct sg_motion_record *record = &motion->records[motion->done];
    struct sg_peak_response *response = motion->response + motion->done * motion->periods;
    const struct sg_oscillators oscillators = {motion->period, motion->periods, motion->damping};
    if (motion->done < motion->generated)
        TRY(make(motion, record, err));
    else if (motion->has_target)
        TRY(sg_fit_of(&record->record, &motion->target, motion->damping, 2, &record->fit, err));
    else
        record->fit = (struct sg_fit){NAN, NAN};
    TRY(sg_response_spectrum(&record->record, &oscillators, response, err));
    TRY(check_peaks(motion, err));
    motion->done++;
    return SG_OK;
}
