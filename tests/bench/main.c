/* bench [GROUP...]: all groups by default. */
#include <stdio.h>
#include <string.h>

#include "bench.h"
#include "linalg/blas.h"
#include "linalg/kernels.h"

static const struct {
    const char *name, *title;
    bench_group *run;
} groups[] = {
    {"runs", "whole runs, no output", bench_runs},
    {"steps", "one step of 201 dofs in modal coordinates, gaps included", bench_steps},
    {"growth", "bars in nodal coordinates: a step", bench_growth},
    {"stepping", "time-stepping: a step", bench_stepping},
    {"plane", "time-stepping of plane elements: a step", bench_plane},
    {"ggl", "nonsmooth generalized-alpha: a step", bench_ggl},
    {"rows", "results", bench_rows},
    {"orbits", "periodic orbits of 40 dofs", bench_orbits},
    {"building", "a quake of 20 s, recorded", bench_building},
};

enum { GROUPS = sizeof groups / sizeof groups[0] };

static int wanted(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0) return 1;
    return argc < 2;
}

static int known(const char *name)
{
    for (size_t i = 0; i < GROUPS; i++)
        if (strcmp(groups[i].name, name) == 0) return 1;
    fprintf(stderr, "bench: error: no group '%s'; there are:", name);
    for (size_t i = 0; i < GROUPS; i++) fprintf(stderr, " %s", groups[i].name);
    fputs("\n", stderr);
    return 0;
}

int main(int argc, char **argv)
{
    int failures = 0;
    sg_linalg_single_thread();
    for (int i = 1; i < argc; i++)
        if (!known(argv[i])) return 64;
    printf("kernels: %s; CPU time of one thread\n", sg_kernels_name());
    for (size_t i = 0; i < GROUPS; i++) {
        if (!wanted(groups[i].name, argc, argv)) continue;
        struct sg_error err;
        sg_error_clear(&err);
        printf("\n%-48s %10s %10s %10s %6s %10s\n", groups[i].title, "best", "median", "plain loop", "ratio",
               "goal");
        if (groups[i].run(&err) == SG_OK) continue;
        fprintf(stderr, "bench: error: %s: %s\n", groups[i].name, err.text);
        failures++;
    }
    return failures > 0 ? 1 : 0;
}
