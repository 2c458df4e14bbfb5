#include "commands/summary.h"

#include <math.h>
#include <string.h>

/* a largest force only where a law gives forces */
static void print_poundings(FILE *to, const struct sg_summary *summary)
{
    fprintf(to, "%-22s %lld, ", "poundings", summary->poundings);
    if (!isnan(summary->peak_force)) fprintf(to, "force up to %.4g N, ", summary->peak_force);
    fprintf(to, "impulse up to %.4g N s\n", summary->peak_impulse);
}

static void print_events(FILE *to, const struct sg_summary *summary)
{
    fprintf(to, "%-22s %lld", "events", summary->events);
    if (summary->events_certified > 0)
        fprintf(to, ", certified: none can be missed (%lld halvings, %lld grazings within rounding)",
                summary->event_subdivisions, summary->events_undecided);
    else if (summary->event_subdivisions > 0)
        fprintf(to, ", looked for inside steps too (%lld trials, %lld parts left open)",
                summary->event_subdivisions, summary->events_undecided);
    fprintf(to, "\n");
}

void sg_summary_print(FILE *to, const char *output, size_t rows, const struct sg_summary *summary)
{
    fprintf(to, "%-22s %s\n", "results", output);
    fprintf(to, "%-22s %zu\n", "samples", rows);
    fprintf(to, "%-22s %lld\n", "steps", summary->steps);
    fprintf(to, "%-22s %lld\n", "rejected steps", summary->rejected_steps);
    print_events(to, summary);
    if (summary->newton_iterations > 0)
        fprintf(to, "%-22s %lld\n", "newton iterations", summary->newton_iterations);
    if (summary->contact_iterations > 0)
        fprintf(to, "%-22s %lld, largest residual %.1e\n", "contact iterations", summary->contact_iterations,
                summary->contact_residual);
    fprintf(to, "%-22s %lld\n", "solves", summary->solves);
    fprintf(to, "%-22s %lld\n", "factorizations", summary->factorizations);
    fprintf(to, "%-22s %.3e of the largest energy\n", "energy drift", summary->energy_drift);
    fprintf(to, "%-22s %.3e m\n", "largest penetration", summary->max_penetration);
    if (summary->poundings > 0) print_poundings(to, summary);
    if (summary->residual_error > 0) fprintf(to, "%-22s %.6e\n", "residual error", summary->residual_error);
    if (summary->update_nonphysical > 0)
        fprintf(to, "%-22s %lld times stopped, a kinetic energy being negative\n", "update",
                summary->update_nonphysical);
    if (summary->stopped) fprintf(to, "%-22s %g s: at rest by time.stop\n", "ended at", summary->end_time);
    fprintf(to, "%-22s %.3f s\n", "wall time", summary->wall_seconds);
}

static void print_words(FILE *to, const char *words)
{
    for (const char *tab; (tab = strchr(words, '\t')) != NULL; words = strchr(tab, '\n') + 1)
        fprintf(to, "%-22.*s %.*s\n", (int)(tab - words), words, (int)strcspn(tab + 1, "\n"), tab + 1);
}

void sg_summary_print_points(FILE *to, const char *output, const struct sg_summary_points *points,
                             const struct sg_summary *summary)
{
    fprintf(to, "%-22s %s\n", "results", output);
    fprintf(to, "%-22s %zu\n", "points", points->count);
    print_words(to, points->words);
    fprintf(to, "%-22s %lld\n", "solves", summary->solves);
    fprintf(to, "%-22s %lld\n", "factorizations", summary->factorizations);
    fprintf(to, "%-22s %.3f s\n", "wall time", summary->wall_seconds);
}
