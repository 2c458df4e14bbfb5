#include "results/summary.h"

#include <math.h>
#include <string.h>

static const struct sg_summary_row rows[] = {
    {"steps", offsetof(struct sg_summary, steps), false, "1", NULL},
    {"events", offsetof(struct sg_summary, events), false, "1", NULL},
    {"events_certified", offsetof(struct sg_summary, events_certified), false, "1", NULL},
    {"event_subdivisions", offsetof(struct sg_summary, event_subdivisions), false, "1", NULL},
    {"events_undecided", offsetof(struct sg_summary, events_undecided), false, "1", NULL},
    {"solves", offsetof(struct sg_summary, solves), false, "1", NULL},
    {"factorizations", offsetof(struct sg_summary, factorizations), false, "1", NULL},
    {"newton_iterations", offsetof(struct sg_summary, newton_iterations), false, "1", NULL},
    {"newton_most", offsetof(struct sg_summary, newton_most), false, "1", NULL},
    {"rejected_steps", offsetof(struct sg_summary, rejected_steps), false, "1", NULL},
    {"contact_iterations", offsetof(struct sg_summary, contact_iterations), false, "1", NULL},
    {"contact_residual", offsetof(struct sg_summary, contact_residual), true, "1", NULL},
    {"max_penetration", offsetof(struct sg_summary, max_penetration), true, "m", NULL},
    {"poundings", offsetof(struct sg_summary, poundings), false, "1", NULL},
    {"peak_force", offsetof(struct sg_summary, peak_force), true, "N",
     "its contacts are rigid and have impulses alone: peak_impulse"},
    {"peak_impulse", offsetof(struct sg_summary, peak_impulse), true, "N s", NULL},
    {"residual_error", offsetof(struct sg_summary, residual_error), true, "N^2 m^3 s", NULL},
    {"update_nonphysical", offsetof(struct sg_summary, update_nonphysical), false, "1", NULL},
    {"energy_drift", offsetof(struct sg_summary, energy_drift), true, "1", NULL},
    {"end_time", offsetof(struct sg_summary, end_time), true, "s", NULL},
    {"modes_cached", offsetof(struct sg_summary, modes_cached), false, "1", NULL},
    {"modes_seconds", offsetof(struct sg_summary, modes_seconds), true, "s", NULL},
    {"wall_seconds", offsetof(struct sg_summary, wall_seconds), true, "s", NULL},
};

enum { ROWS = sizeof rows / sizeof *rows };

const struct sg_summary_row *sg_summary_row(size_t i)
{
    return i < ROWS ? &rows[i] : NULL;
}

const struct sg_summary_row *sg_summary_find(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}

double sg_summary_value(const struct sg_summary *summary, const char *name)
{
    const struct sg_summary_row *row = sg_summary_find(name);
    if (row == NULL) return NAN;
    const char *at = (const char *)summary + row->offset;
    return row->real ? *(const double *)(const void *)at : (double)*(const long long *)(const void *)at;
}
