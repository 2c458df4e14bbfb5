/* Inner structure of a job's building, shared by the files of this room only. Each function judges or makes a
 * part of the job; faults of the deck are findings (SG_BAD_DECK). */
#ifndef SG_JOBS_PARTS_H
#define SG_JOBS_PARTS_H

#include "jobs/job.h"

/* a top-level group of the job's deck */
const struct sg_setting *sg_job_group(const struct sg_job *job, const char *name);

/* the strategy that the deck names, before there is one */
const struct sg_strategy_ops *sg_job_strategy(const struct sg_job *job);

/* Which laws the found pair takes, and of the short keywords of a contact which one; `who` (size) names the
 * pair in messages. */
struct sg_contact_choice sg_job_choose_laws(const struct sg_job *job, char *who, size_t size);

/* Finds job->cell; a pair that is no cell of the grid is a fault. */
sg_status sg_job_find_cell(struct sg_job *job, struct sg_error *err);

/* Strategies that know one constant W only are refused contacts that change theirs. */
sg_status sg_job_check_contacts(const struct sg_job *job, struct sg_error *err);

/* Strategies of springs need the stiffness of every contact. */
sg_status sg_job_check_springs(const struct sg_job *job, struct sg_error *err);

/* Chooses modal or nodal coordinates, and takes system and contacts to modal ones. */
sg_status sg_job_choose_coordinates(struct sg_job *job, struct sg_error *err);

/* Lumps and scales the mass where the integrator needs or the deck wants it; notes what was done. */
sg_status sg_job_prepare_mass(struct sg_job *job, struct sg_error *err);

/* Compares the step of an explicit integrator with the critical one. */
sg_status sg_job_check_critical_step(struct sg_job *job, struct sg_error *err);

/* Lists all that this run can record, with labels. */
sg_status sg_job_register_quantities(struct sg_job *job, struct sg_error *err);

/* Refuses histories that nobody knows, and samples that can't be told apart. */
sg_status sg_job_check_output(const struct sg_job *job, struct sg_error *err);

#endif
