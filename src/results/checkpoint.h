/* A run's memory on disk: small, checksummed, two generations (PATH.checkpoint, PATH.checkpoint.old),
 * each written to a temporary file and renamed. */
#ifndef SG_RESULTS_CHECKPOINT_H
#define SG_RESULTS_CHECKPOINT_H

#include <stdbool.h>

#include "support/archive.h"
#include "support/status.h"

/* `fingerprint`: 64 hex digits of the deck (overrides included) that the memory belongs to. `sync`: by
 * fsync of file and folder it outlives a power cut too. */
sg_status sg_checkpoint_write(const char *output, const char *fingerprint, const struct sg_archive *archive,
                              bool sync, struct sg_error *err);

/* SG_NO_OUTPUT if the file system takes no checkpoint's name for this output */
sg_status sg_checkpoint_check_name(const char *output, struct sg_error *err);

/* Loads the newest generation that is whole; if that is not PATH.checkpoint, `note` (256 bytes) says so, else
 * it is "". SG_NO_INPUT: there is none; SG_BAD_DECK: it is of another deck. */
sg_status sg_checkpoint_read(const char *output, const char *fingerprint, struct sg_archive *archive,
                             char *note, struct sg_error *err);

/* removes all generations (a run that is complete needs none, nor one that begins) */
void sg_checkpoint_remove(const char *output);

#endif
