/* Where a deck's words become objects: system, contact set, operator, integrator, strategy. */
#ifndef SG_JOBS_BUILD_H
#define SG_JOBS_BUILD_H

#include "jobs/job.h"

/* Builds the job of a validated deck, strategy apart. Faults of the deck are findings (SG_BAD_DECK, or
 * SG_NO_INPUT if a side file can't be opened), all that can be told at once.
 * Release in any case. */
sg_status sg_job_build(struct sg_job *job, const struct sg_deck *deck, struct sg_diagnostics *diagnostics,
                       struct sg_error *err);

/* The same of the order's deck with what the order changes; `time.stop` does not count. The order is borrowed
 * until release. */
sg_status sg_job_build_varied(struct sg_job *job, const struct sg_run_order *order,
                              struct sg_diagnostics *diagnostics, struct sg_error *err);

/* The same with modal bases kept in the folder `modes`, where runs of the same model find them; NULL: none.
 */
sg_status sg_job_build_with_modes(struct sg_job *job, const struct sg_deck *deck, const char *modes,
                                  struct sg_diagnostics *diagnostics, struct sg_error *err);

/* Model and contacts alone, in nodal coordinates: no operator, integrator, strategy. `other_mass`: with the
 * mass of the run's integrator, lumped or scaled, instead of the deck's. */
sg_status sg_job_build_model(struct sg_job *job, const struct sg_deck *deck, bool other_mass,
                             struct sg_diagnostics *diagnostics, struct sg_error *err);

/* Creates the strategy with the observer that it shall tell. */
sg_status sg_job_attach(struct sg_job *job, struct sg_observer observer, struct sg_diagnostics *diagnostics,
                        struct sg_error *err);

/* factorizations and solves so far */
struct sg_effective_counts sg_job_counts(const struct sg_job *job);

void sg_job_release(struct sg_job *job);

#endif
