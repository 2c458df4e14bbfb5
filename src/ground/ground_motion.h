/* A deck of ground motion: records made to fit a spectrum, records out of files, and the response spectra of
 * all of them. */
#ifndef SG_GROUND_GROUND_MOTION_H
#define SG_GROUND_GROUND_MOTION_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/deck.h"
#include "formats/record.h"
#include "ground/generator.h"
#include "ground/response_spectrum.h"
#include "model/signal.h"
#include "results/recorder.h"
#include "support/arena.h"
#include "support/status.h"

/* the keywords of such decks */
extern const struct sg_keyword sg_ground_grammar[];

struct sg_motion_record {
    char *name;              /* "seed_1"; of a file its own, without folder and end */
    struct sg_table record;  /* m/s^2 over s */
    struct sg_signal signal; /* the same, with its integrals */
    struct sg_record_start start;
    bool made;
    double seed;       /* -1: of a file */
    struct sg_fit fit; /* NaN without target */
    long long iterations;
};

struct sg_ground_motion {
    struct sg_arena arena;
    struct sg_motion_record *records;
    size_t count, generated, done; /* in all; made by seeds, which come first; ready */
    bool has_target;
    struct sg_code_spectrum target;
    struct sg_text target_words;
    struct sg_generator_spec generator;
    long long seed;
    double damping;
    size_t periods;
    double *period;                    /* s */
    struct sg_peak_response *response; /* count x periods */
    double step, end;                  /* s: rows of the histories */
    bool at2;
};

/* Out of a deck validated by sg_ground_grammar; reads its files. Faults are findings: SG_BAD_DECK,
 * SG_NO_INPUT. Release in any case. */
sg_status sg_ground_motion_init(struct sg_ground_motion *motion, const struct sg_deck *deck,
                                struct sg_diagnostics *diagnostics, struct sg_error *err);
void sg_ground_motion_release(struct sg_ground_motion *motion);

/* The next record that is not there yet, and its spectra; until done == count. */
sg_status sg_ground_motion_advance(struct sg_ground_motion *motion, struct sg_error *err);

/* Text of a file in PEER's format .AT2: in g, five values a line. */
void sg_ground_motion_print_at2(const struct sg_ground_motion *motion, size_t index, struct sg_text *text);

/* largest |acceleration|, |velocity|, |displacement| at the rows, m/s^2, m/s, m */
void sg_ground_motion_peaks(const struct sg_ground_motion *motion, size_t index, double peak[3]);

/* Writes all into one results file (histories, points by period, /records); `spec` says what does not depend
 * on the records: path, title, deck, version. */
sg_status sg_ground_motion_write(const struct sg_ground_motion *motion, const struct sg_recorder_spec *spec,
                                 struct sg_error *err);

#endif
