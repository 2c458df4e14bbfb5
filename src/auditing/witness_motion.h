/* The part of the witness that needs the model (witness.h): built anew from the deck in the file, in nodal
 * coordinates, whatever the run used. */
#ifndef SG_AUDITING_WITNESS_MOTION_H
#define SG_AUDITING_WITNESS_MOTION_H

#include "results/audit.h"
#include "results/reader.h"
#include "support/text.h"

/* what else the model tells */
struct sg_witness_model {
    bool may_give; /* dampers may give energy; also where there is no model */
    double grain;  /* J: rounding of energies; 0 where there is no model */
};

/* as sg_witness_judge */
sg_status sg_witness_judge_motion(const struct sg_reader *reader, struct sg_audit_list *list,
                                  struct sg_text *untold, struct sg_witness_model *told,
                                  struct sg_error *err);

#endif
