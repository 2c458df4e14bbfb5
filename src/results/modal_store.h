/* Modal bases kept in a folder, so that runs of one model share the eigen-decomposition: in files named by a
 * checksum of both matrices, whose own checksum is verified at every reading. */
#ifndef SG_RESULTS_MODAL_STORE_H
#define SG_RESULTS_MODAL_STORE_H

#include <stdbool.h>

#include "linalg/modal.h"
#include "support/status.h"

/* smaller bases are computed as fast as read; a folder takes no more bytes of them than this */
enum { SG_MODAL_STORE_LEAST = 64 };
#define SG_MODAL_STORE_BYTES 2147483648.0

struct sg_modal_store {
    const char *folder; /* borrowed; NULL: nothing is kept. Made if absent, its parent is not */
    bool cached;        /* the last basis was read back, to the last bit what was computed */
    double seconds;     /* wall-clock time that the last basis took */
};

/* As sg_modal_create. Of processes that want the same basis at once one computes it, the others wait. Files
 * that are damaged, can't be read or can't be written cost the time of computing, no more. SG_INTERRUPTED:
 * while it waited. */
sg_status sg_modal_store_create(struct sg_arena *arena, struct sg_modal_store *store,
                                const struct sg_matrix *m, const struct sg_matrix *k, struct sg_modal **modal,
                                struct sg_error *err);

#endif
