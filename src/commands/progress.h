/* The progress line of a run, on a terminal only: percent, simulated time, rate, contacts closed, time
 * left. */
#ifndef SG_COMMANDS_PROGRESS_H
#define SG_COMMANDS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "support/clock.h"
#include "support/status.h"

struct sg_progress {
    bool on;
    double end;        /* s, simulated */
    double start_t;    /* s, simulated time at the start: > 0 when resumed */
    double start_wall; /* s */
    double last_wall;  /* s: last time the line was drawn */
};

enum sg_progress_when { SG_PROGRESS_AUTO, SG_PROGRESS_ALWAYS, SG_PROGRESS_NEVER };

/* the word of --progress; SG_USAGE for another */
sg_status sg_progress_choose(const char *word, enum sg_progress_when *when, struct sg_error *err);

void sg_progress_start(struct sg_progress *progress, enum sg_progress_when when, double start_t, double end);
void sg_progress_show(struct sg_progress *progress, double wall, double t, size_t closed);
/* the same where points are counted: start_t and end are numbers of them */
void sg_progress_show_points(struct sg_progress *progress, double wall, size_t done);
/* the same where cases are counted, start_t of which took no time */
struct sg_progress_cases {
    size_t done, running, failed;
};
void sg_progress_show_cases(struct sg_progress *progress, double wall, struct sg_progress_cases cases);
void sg_progress_clear(struct sg_progress *progress);

#endif
