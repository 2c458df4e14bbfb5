/* The second witness: a results file judged from itself alone, by other ways than those of the run's own
 * watch (watch.h). Energies are added up from their histories; the model is built anew from the deck in the
 * file, and recorded gaps, energies and momenta are compared with those of the recorded displacements and
 * velocities; momentum and displacement are integrated over the rows. Files of earlier versions that lack
 * histories are judged by what they have. */
#ifndef SG_AUDITING_WITNESS_H
#define SG_AUDITING_WITNESS_H

#include "results/audit.h"
#include "results/reader.h"
#include "support/text.h"

/* Appends the findings to `list`, and to `untold` a line "NAME\tREASON" for each check that the file can't
 * tell. SG_NO_INPUT if rows can't be read. */
sg_status sg_witness_judge(const struct sg_reader *reader, struct sg_audit_list *list, struct sg_text *untold,
                           struct sg_error *err);

/* The file itself: complete, times that rise, numbers that are numbers. Findings `file_status`, `file_times`,
 * `file_numbers`. */
sg_status sg_witness_judge_file(const struct sg_reader *reader, struct sg_audit_list *list,
                                struct sg_error *err);

#endif
