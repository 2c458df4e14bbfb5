/* Runs of its deck that an analysis makes, each with something changed. They are built where a deck's words
 * become objects, above this room; this is what the analysis sees of them. */
#ifndef SG_ANALYSES_VARIED_RUN_H
#define SG_ANALYSES_VARIED_RUN_H

#include "assembly/assembly.h"
#include "contact/contact_set.h"
#include "integrators/integrator.h"
#include "model/system.h"
#include "strategies/strategy.h"
#include "support/status.h"

/* A run, and in what it differs from its deck */
struct sg_run_order {
    const struct sg_deck *deck; /* validated */
    struct sg_variation variation;
    const double *u, *v; /* n_full: where it starts; NULL: as the deck says */
    double step;         /* s; NaN: as the deck says */
    double end;          /* s */
};

struct sg_varied_run {
    const struct sg_system *system;
    const struct sg_contact_set *contacts;
    struct sg_strategy *strategy; /* to be started and advanced */
    double step;                  /* s; NaN: the strategy finds its own */
    void *memory;                 /* of the maker */
};

struct sg_run_maker {
    /* The observer is that of the strategy. Faults of the deck are findings (SG_BAD_DECK). Release in any
     * case; a zeroed run is fine. */
    sg_status (*make)(const struct sg_run_order *order, const struct sg_observer *observer,
                      struct sg_varied_run *run, struct sg_diagnostics *diagnostics, struct sg_error *err);
    void (*release)(struct sg_varied_run *run);
    struct sg_effective_counts (*counts)(const struct sg_varied_run *run);
};

#endif
