/* Work arrays of a system's functions, made once. For files of model/ and those that make systems. */
#ifndef SG_MODEL_SCRATCH_H
#define SG_MODEL_SCRATCH_H

#include "model/constraint.h"
#include "model/element_dofs.h"
#include "model/system.h"

struct sg_system_scratch {
    double *u, *v;                  /* n */
    struct sg_signal_value *values; /* 3 x signal_count: at up to three instants of a step */
    double *p;                      /* 2 motion_count */
    double *full;                   /* 3 n_full, or NULL where a node has one coordinate */
    double *late_nodal;             /* SG_LATE_ROWS x n: modal coordinates only */
    double *late_full;              /* 2 SG_LATE_ROWS x n_full, or NULL as `full`: likewise */
    struct sg_element_dofs elements;
    struct sg_constraint_frame constraints;
};

/* The sizes, signals, elements and constraints of the system must be there. */
sg_status sg_system_allocate_scratch(struct sg_system *system, struct sg_error *err);

/* J: of the loads that don't depend on the configuration, by Simpson's rule; gravity and supports excluded */
double sg_system_pattern_work(const struct sg_system *system, const struct sg_step_ends *step);

#endif
