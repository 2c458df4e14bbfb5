#include "jobs/varied_runs.h"

#include "jobs/build.h"
#include "support/memory.h"

static sg_status make(const struct sg_run_order *order, const struct sg_observer *observer,
                      struct sg_varied_run *run, struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_job *job = NULL;
    *run = (struct sg_varied_run){0};
    TRY(SG_NEW(&job, 1, err));
    run->memory = job;
    TRY(sg_job_build_varied(job, order, diagnostics, err));
    TRY(sg_job_attach(job, *observer, diagnostics, err));
    run->system = job->system;
    run->contacts = job->contacts;
    run->strategy = &job->strategy;
    run->step = job->time.step;
    return SG_OK;
}

static void release(struct sg_varied_run *run)
{
    if (run->memory != NULL) sg_job_release(run->memory);
    sg_free(run->memory);
    *run = (struct sg_varied_run){0};
}

static struct sg_effective_counts counts(const struct sg_varied_run *run)
{
    return sg_job_counts(run->memory);
}

const struct sg_run_maker sg_varied_runs = {.make = make, .release = release, .counts = counts};
