#define _POSIX_C_SOURCE 200809L
#include "commands/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/clock.h"

sg_status sg_progress_choose(const char *word, enum sg_progress_when *when, struct sg_error *err)
{
    static const char *const words[] = {"auto", "always", "never"};
    for (int k = 0; k < 3; k++) {
        if (strcmp(word, words[k]) != 0) continue;
        *when = (enum sg_progress_when)k;
        return SG_OK;
    }
    FAIL(err, SG_USAGE, "--progress takes auto, always or never, not '%s'", word);
}

void sg_progress_start(struct sg_progress *progress, enum sg_progress_when when, double start_t, double end)
{
    bool terminal = isatty(STDERR_FILENO) == 1;
    double wall = sg_wall_clock();
    *progress =
        (struct sg_progress){.on = when == SG_PROGRESS_ALWAYS || (when == SG_PROGRESS_AUTO && terminal),
                             .end = end,
                             .start_t = start_t,
                             .start_wall = wall,
                             .last_wall = wall};
}

void sg_progress_show(struct sg_progress *progress, double wall, double t, size_t closed)
{
    if (!progress->on || wall - progress->last_wall < 0.2) return;
    progress->last_wall = wall;
    double rate = (t - progress->start_t) / (wall - progress->start_wall);
    double left = rate > 0.0 ? (progress->end - t) / rate : 0.0;
    fprintf(stderr, "\r%5.1f %%  t = %.6g s  %.3g s/s  %zu closed  %.0f s left \033[K",
            100.0 * t / progress->end, t, rate, closed, left);
    fflush(stderr);
}

void sg_progress_show_points(struct sg_progress *progress, double wall, size_t done)
{
    if (!progress->on || wall - progress->last_wall < 0.2) return;
    progress->last_wall = wall;
    double rate = ((double)done - progress->start_t) / (wall - progress->start_wall);
    double left = rate > 0.0 ? (progress->end - (double)done) / rate : 0.0;
    fprintf(stderr, "\r%5.1f %%  %zu of %.0f points  %.3g/s  %.0f s left \033[K",
            100.0 * (double)done / progress->end, done, progress->end, rate, left);
    fflush(stderr);
}

void sg_progress_show_cases(struct sg_progress *progress, double wall, struct sg_progress_cases cases)
{
    if (!progress->on || wall - progress->last_wall < 0.2) return;
    progress->last_wall = wall;
    double rate = ((double)cases.done - progress->start_t) / (wall - progress->start_wall);
    double left = rate > 0.0 ? (progress->end - (double)cases.done) / rate : 0.0;
    fprintf(stderr, "\r%5.1f %%  %zu of %.0f cases  %zu running  %zu failed  %.3g/s  %.0f s left \033[K",
            100.0 * (double)cases.done / progress->end, cases.done, progress->end, cases.running,
            cases.failed, rate, left);
    fflush(stderr);
}

void sg_progress_clear(struct sg_progress *progress)
{
    if (progress->on) fputs("\r\033[K", stderr);
}
