/* A run's memory as bytes, for checkpoints.
 *
 * One function a module walks its state and calls sg_archive_bytes on each piece; the archive's mode
 * decides whether that saves or loads, so the two can't drift. Fixed-size state only: what the deck
 * determines (sizes, tables) is rebuilt from the deck, not archived. */
#ifndef SG_SUPPORT_ARCHIVE_H
#define SG_SUPPORT_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/status.h"

struct sg_archive {
    unsigned char *data; /* owned */
    size_t length;       /* bytes held */
    size_t capacity;
    size_t cursor; /* next byte to load */
    bool loading;
    bool failed; /* sticky: out of memory while saving, or a load beyond the end */
};

void sg_archive_release(struct sg_archive *archive);

/* start saving afresh; keeps the buffer, so that a checkpoint in the time loop allocates nothing new */
void sg_archive_rewind(struct sg_archive *archive);

/* save `size` bytes from `memory`, or load them into it */
void sg_archive_bytes(struct sg_archive *archive, void *memory, size_t size);

#define SG_ARCHIVE(archive, lvalue) sg_archive_bytes((archive), &(lvalue), sizeof(lvalue))

/* SG_INTERNAL when a load did not consume exactly what was saved, SG_NO_MEMORY when a save failed */
sg_status sg_archive_finish(const struct sg_archive *archive, struct sg_error *err);

#endif
