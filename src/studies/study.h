/* A parameter study: a base deck, parameters, how they combine to cases, and what is kept of each run. */
#ifndef SG_STUDIES_STUDY_H
#define SG_STUDIES_STUDY_H

#include <stddef.h>

#include "deck/deck.h"
#include "studies/keep.h"
#include "studies/parameter.h"
#include "support/arena.h"
#include "support/status.h"

/* the top-level keywords of a study */
extern const struct sg_keyword sg_study_grammar[];

struct sg_slurm_spec {
    const char *partition, *account, *time, *memory;
    struct sg_texts options, setup;
    long long tasks, at_once;
};

extern const struct sg_keyword sg_slurm_rows[];

struct sg_study {
    struct sg_arena *arena;     /* has what is the study's */
    const struct sg_deck *deck; /* of the study; borrowed, as all texts here */
    const char *title, *base_name;
    const char *folder; /* as given; NULL: not */
    const struct sg_setting *slurm;
    char *base;          /* path of the base deck */
    struct sg_texts set; /* PATH=VALUE of all cases */
    struct sg_parameter *parameters;
    size_t parameter_count;
    struct sg_keep *keeps;
    size_t keep_count;
    size_t cases;
    bool product; /* else all parameters go along with the case */
};

/* Of a validated deck. Faults are findings, as many as can be told at once (SG_BAD_DECK). Cases are numbered
 * from 0; of a product the last parameter changes fastest. */
sg_status sg_study_create(struct sg_arena *arena, const struct sg_deck *deck, struct sg_study **study,
                          struct sg_diagnostics *diagnostics, struct sg_error *err);

const struct sg_parameter_value *sg_study_value(const struct sg_study *study, size_t index, size_t parameter);

/* What --set is given for a case: those of all cases, then each path of each parameter. */
struct sg_assignments {
    char **items; /* PATH=VALUE */
    size_t count;
};

sg_status sg_study_assignments(struct sg_arena *arena, const struct sg_study *study, size_t index,
                               struct sg_assignments *list, struct sg_error *err);

#endif
