/* The model of a results file, built anew from the deck that it holds. */
#ifndef SG_AUDITING_REBUILT_H
#define SG_AUDITING_REBUILT_H

#include "auditing/small_motion.h"
#include "jobs/build.h"
#include "results/reader.h"

struct sg_rebuilt {
    struct sg_arena arena;
    struct sg_deck *deck;
    struct sg_diagnostics diagnostics;
    struct sg_job job; /* model and contacts, in nodal coordinates */
    char reason[256];  /* why there is no model; "": there is one */
    bool staggered;    /* velocities are those of the middle of the step that begins at the row */
    bool stepping;     /* steps of one length, in which all contacts give impulses */
    bool springs;      /* no contact is a constraint for the strategy */
    bool own_systems;  /* or damping that has no nodal form: the balance can't be told by the model */
    bool sparse;       /* there are steps without a row */
    bool may_give;     /* some damper may give energy */
    double step;       /* s: the mean of the run's steps, which may be longer than its rows are apart */
    double *length;    /* n, m */
    double *mobility;  /* n, m/s^2 for a unit of force: length over the diagonal of M; 0 without mass */
    double grain;      /* J: rounding of energies */
    struct sg_small_motion small;
};

/* What the deck or its side files don't allow is told by `reason`. Release in any case. */
sg_status sg_rebuilt_init(struct sg_rebuilt *model, const struct sg_reader *reader, struct sg_error *err);
void sg_rebuilt_release(struct sg_rebuilt *model);

#endif
