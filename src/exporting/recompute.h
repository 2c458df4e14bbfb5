/* Quantities that a results file has not recorded, from its displacements: the model is built again from the
 * deck in the file. Side files of the deck are looked for in the current folder. */
#ifndef SG_EXPORTING_RECOMPUTE_H
#define SG_EXPORTING_RECOMPUTE_H

#include <stddef.h>

#include "deck/deck.h"
#include "model/system.h"
#include "results/reader.h"
#include "support/arena.h"
#include "support/status.h"

struct sg_recomputed {
    const struct sg_reader *reader; /* borrowed */
    struct sg_deck *deck;
    struct sg_system *system;
    struct sg_quantities quantities; /* of the system; those of displacement can be had */
    const struct sg_series *time, *displacement;
    double *full, *u; /* a row of displacements; of the free dofs */
};

/* SG_NO_INPUT where the file has no displacements of all nodes, side files are missing or are not those of
 * the run; what is wrong with the deck is added to `findings`, where `path` names the file. `recomputed` has
 * to stay where it is while the arena lives. */
sg_status sg_recomputed_init(struct sg_arena *arena, struct sg_recomputed *recomputed,
                             const struct sg_reader *reader, const char *path,
                             struct sg_diagnostics *findings, struct sg_error *err);

/* NULL if there is none of this name */
const struct sg_quantity *sg_recomputed_find(const struct sg_recomputed *recomputed, const char *name);

/* rows first .. first + count - 1, as sg_reader_rows gives them */
sg_status sg_recomputed_rows(const struct sg_recomputed *recomputed, const struct sg_quantity *quantity,
                             size_t first, size_t count, double *out, struct sg_error *err);

#endif
