/* What each contact did over the whole run, of every step and not of the rows that are recorded: the range of
 * its gap, its poundings, the largest force, the impulse. Written as /contacts when the run ends. Included
 * within results/ only. */
#ifndef SG_RESULTS_CONTACT_TOTALS_H
#define SG_RESULTS_CONTACT_TOTALS_H

#include "results/observer.h"
#include "results/record.h"
#include "results/stream.h"
#include "support/archive.h"

struct sg_contact_total {
    double gap_min, gap_max; /* m, at the ends of steps; NaN before the first */
    double peak_force;       /* N, at the ends of steps; NaN where no law gives a force */
    double impulse;          /* N s, in all */
    double peak_impulse;     /* N s, the largest of a phase of contact */
    double phase;            /* N s, of the one at hand */
    double force_before, impulse_before;
    double last_impact; /* s; NaN: none */
    long long poundings;
};

struct sg_contact_totals {
    size_t count;
    bool *sprung; /* count: the force is all that is told, the impulse its integral by the trapezoidal rule */
    struct sg_contact_total *items;
    double start, time; /* s: of the first snapshot and the last; NaN before */
};

/* The totals of a run's contacts; none where its results are points. Release in any case. */
sg_status sg_contact_totals_init(struct sg_contact_totals *totals, const struct sg_recorder_spec *run,
                                 struct sg_error *err);
void sg_contact_totals_release(struct sg_contact_totals *totals);

/* the end of a step, or the initial state */
void sg_contact_totals_step(struct sg_contact_totals *totals, const struct sg_snapshot *now);

/* A pounding is a closing or an impact after the start; a rest that begins with an impact is none of its own.
 */
void sg_contact_totals_event(struct sg_contact_totals *totals, const struct sg_event *event);

void sg_contact_totals_archive(struct sg_contact_totals *totals, struct sg_archive *archive);

long long sg_contact_totals_poundings(const struct sg_contact_totals *totals);
/* N; NaN if there are contacts and none has a law of force */
double sg_contact_totals_peak_force(const struct sg_contact_totals *totals);
/* N s, the largest of a phase of contact */
double sg_contact_totals_peak_impulse(const struct sg_contact_totals *totals);

/* the table /contacts; and row j of it, into the row that is open */
sg_status sg_contact_totals_open(struct sg_stream_table *table, hid_t file, bool reopen,
                                 struct sg_error *err);
void sg_contact_totals_fill(const struct sg_contact_totals *totals, size_t j,
                            const struct sg_stream_table *table);

#endif
