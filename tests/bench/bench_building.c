/* The building of 1775 dofs over 20 s of a quake, gaps, forces and energies recorded every 0.01 s: marching
 * apart from the modes, which a study computes once. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench.h"
#include "contact/totals.h"
#include "results/recorder.h"

struct quake {
    const char *name;
    const char *overrides[3];
    double goal; /* s */
};

#define LONGER "time.step=2e-3", "time.contact_step=7.69891e-5"

static const struct quake quakes[] = {
    {"building, the paper's step", {NULL}, 2.0},
    {"with all displacements",
     {"output.histories=[\"gap\",\"contact_force\",\"energy\",\"displacement\"]"},
     3.0},
    {"building, 2 ms in flight", {LONGER}, .3},
};

enum { REPETITIONS = 3 };

static struct sg_recorder_spec recorder_spec(const struct bench_model *model, const char *path)
{
    const struct sg_job *job = &model->job;
    return (struct sg_recorder_spec){.path = path,
                                     .every = job->output.every,
                                     .end = job->time.end,
                                     .names = job->output.histories.data,
                                     .name_count = job->output.histories.count,
                                     .quantities = &job->quantities,
                                     .labels = &job->labels};
}

static sg_status record(struct bench_model *model, const char *path, double *seconds,
                        struct sg_summary *summary, struct sg_error *err)
{
    struct sg_recorder *recorder = NULL;
    struct sg_recorder_spec spec = recorder_spec(model, path);
    struct sg_arena arena = {0};
    const struct sg_contact_totals_spec of_contacts = {.count = model->job.labels.contact_count,
                                                       .force_only = model->job.contacts->sprung};
    sg_status status = sg_contact_totals_create(&arena, &of_contacts, &spec.totals, err);
    if (status == SG_OK) status = sg_recorder_create(&spec, &recorder, err);
    if (status == SG_OK) model->observer = sg_recorder_observer(recorder);
    if (status == SG_OK) status = bench_run(model, seconds, summary, err);
    if (status == SG_OK) status = sg_recorder_finish(recorder, "complete", summary, err);
    sg_recorder_destroy(recorder);
    sg_arena_release(&arena);
    return status;
}

static sg_status march(const struct quake *quake, struct bench_model *model, const char *path,
                       struct sg_error *err)
{
    struct bench_times times = {.count = REPETITIONS};
    struct sg_summary summary = {0};
    for (size_t i = 0; i < times.count; i++) TRY(record(model, path, &times.seconds[i], &summary, err));
    bench_show(&(struct bench_line){quake->name, &times, NULL, 1.0, quake->goal});
    printf("    %lld increments, %lld localisation trials, %lld events; modes %.2f s%s\n", summary.steps,
           summary.rejected_steps, summary.events, model->job.modes.seconds,
           model->job.modes.cached ? " (read)" : "");
    return SG_OK;
}

static sg_status measure(const char *folder, const char *path, struct sg_error *err)
{
    for (size_t i = 0; i < sizeof quakes / sizeof quakes[0]; i++) {
        struct bench_model model;
        sg_status status = bench_open_with_modes(bench_shipped("building_pounding"), quakes[i].overrides,
                                                 folder, &model, err);
        if (status == SG_OK) status = march(&quakes[i], &model, path, err);
        bench_close(&model);
        TRY(status);
    }
    return SG_OK;
}

/* results, and modes under a name that is their checksum */
static void empty(const char *folder)
{
    DIR *files = opendir(folder);
    if (files == NULL) return;
    for (struct dirent *file = readdir(files); file != NULL; file = readdir(files))
        if (file->d_name[0] != '.') unlinkat(dirfd(files), file->d_name, 0);
    closedir(files);
}

sg_status bench_building(struct sg_error *err)
{
    char folder[] = "/tmp/signorini-bench-XXXXXX", path[64];
    if (mkdtemp(folder) == NULL) FAIL(err, SG_NO_OUTPUT, "can't create a folder below /tmp");
    snprintf(path, sizeof path, "%s/quake.h5", folder);
    sg_status status = measure(folder, path, err);
    empty(folder);
    rmdir(folder);
    return status;
}
