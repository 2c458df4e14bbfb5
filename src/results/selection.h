/* Chooses the quantities that a run records among those registered. */
#ifndef SG_RESULTS_SELECTION_H
#define SG_RESULTS_SELECTION_H

#include "results/quantity.h"
#include "results/record.h"
#include "support/arena.h"
#include "support/status.h"
#include "support/text.h"

/* Copies, in the order registered; the arena's. */
struct sg_selection {
    struct sg_quantity *items;
    size_t count;
    bool impulses; /* contact_impulse is chosen too */
    size_t force;  /* which item is contact_force; SIZE_MAX: none */
    /* energy/numerical, energy/total, energy/gravity; NULL if not registered */
    const struct sg_quantity *numerical, *total, *gravity;
};

/* SG_BAD_DECK for a name that is neither a quantity nor a group of some. */
sg_status sg_selection_init(struct sg_arena *arena, struct sg_selection *selection,
                            const struct sg_recorder_spec *spec, struct sg_error *err);

/* true if some history is, or belongs to, what is asked for */
bool sg_selection_knows(const struct sg_recorder_spec *spec, const char *asked);

/* the names that may be asked for, one behind the other */
void sg_selection_list(const struct sg_recorder_spec *spec, struct sg_text *text);

/* true if the spec asks for this history, by its name, by its group, or by default */
bool sg_selection_asks(const struct sg_recorder_spec *spec, const char *name, bool on_request);

/* Tells whether impulses can be recorded at all: asked for, and there are contacts. */
bool sg_selection_has_impulses(const struct sg_recorder_spec *spec);

#endif
