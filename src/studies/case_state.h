/* What is known of a case beside its results: a small file, so that runs on many machines need nothing in
 * common but the folder. */
#ifndef SG_STUDIES_CASE_STATE_H
#define SG_STUDIES_CASE_STATE_H

#include "support/sha256.h"
#include "support/status.h"

enum { SG_REASON = 512 };

struct sg_case_state {
    char checksum[SG_SHA256_HEX]; /* of the case's deck with all that it is made of; "": not known */
    int exit_code;                /* of its run; -1: none has ended */
    char reason[SG_REASON];       /* of a failure, one line; "" if none */
    double seconds;               /* wall-clock time of its run */
};

/* A state that is missing or can't be read is one of a case that never ran. */
void sg_case_state_read(const char *path, struct sg_case_state *state);

/* replaces the file at one stroke; SG_NO_OUTPUT, SG_WRITE_FAILED */
sg_status sg_case_state_write(const char *path, const struct sg_case_state *state, struct sg_error *err);

/* The text cut and cleaned so that it is one line of UTF-8. */
void sg_case_state_set_reason(struct sg_case_state *state, const char *text);

#endif
