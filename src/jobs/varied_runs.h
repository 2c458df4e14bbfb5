/* Jobs for analyses that make runs of their own: what is handed to sg_points_create. */
#ifndef SG_JOBS_VARIED_RUNS_H
#define SG_JOBS_VARIED_RUNS_H

#include "analyses/varied_run.h"

extern const struct sg_run_maker sg_varied_runs;

#endif
