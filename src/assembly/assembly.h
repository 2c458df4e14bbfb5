/* How a model is made of a deck: what this room is for. */
#ifndef SG_ASSEMBLY_ASSEMBLY_H
#define SG_ASSEMBLY_ASSEMBLY_H

#include "assembly/variation.h"
#include "deck/deck.h"
#include "model/system.h"
#include "support/status.h"

/* Builds bodies, supports, loads, initial state from a validated deck. Every semantic fault is a
 * finding; SG_BAD_DECK if there is one, SG_NO_INPUT if a side file can't be opened. `*system` is NULL then,
 * or whole but faulty, good for looking for more faults only (contacts); destroy it in any case. */
sg_status sg_system_create(const struct sg_deck *deck, struct sg_system **system,
                           struct sg_diagnostics *diagnostics, struct sg_error *err);

/* the same of a varied deck; `variation` NULL: as it is. Where damping needs the modes they come from the
 * store (NULL: none), and stay with the system. */
struct sg_modal_store;
sg_status sg_system_create_varied(const struct sg_deck *deck, const struct sg_variation *variation,
                                  struct sg_modal_store *modes, struct sg_system **system,
                                  struct sg_diagnostics *diagnostics, struct sg_error *err);

#endif
