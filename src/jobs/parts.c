#include "jobs/parts.h"

const struct sg_setting *sg_job_group(const struct sg_job *job, const char *name)
{
    return sg_setting_child(sg_deck_root(job->deck), name);
}

const struct sg_strategy_ops *sg_job_strategy(const struct sg_job *job)
{
    return sg_strategy_find(sg_setting_kind(sg_job_group(job, "strategy")));
}
