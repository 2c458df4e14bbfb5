/* Storeys: pairs of nodes one above the other, whose mean relative displacement along x is the storey's
 * drift. A body names its own while it assembles itself. */
#ifndef SG_MODEL_STOREYS_H
#define SG_MODEL_STOREYS_H

#include <stdbool.h>
#include <stddef.h>

#include "linalg/columns.h"
#include "results/quantity.h"
#include "support/status.h"

struct sg_system;

struct sg_storey_pair {
    size_t upper, lower; /* global nodes */
};

struct sg_storey {
    char *name;    /* "BODY.storey3" */
    double height; /* m */
    struct sg_storey_pair *pairs;
    size_t count, capacity;
};

/* Zero-initialise. Like triplets, a list that runs out of memory says so in `failed`. */
struct sg_storeys {
    struct sg_storey *items;
    size_t count, capacity;
    const char *body; /* that opens storeys now: set by the builder */
    bool failed;
    struct sg_columns drift; /* n x count: by the free dofs */
    double *motion;          /* motion_count x count: by prescribed ones */
    const char **names;      /* count, for the results; of the items */
    double *heights;         /* count */
};

/* Opens a storey of the body, to which the next function adds pairs. */
void sg_storeys_open(struct sg_storeys *storeys, const char *name, double height);
void sg_storeys_add(struct sg_storeys *storeys, size_t upper, size_t lower);

/* drift, drift_ratio */
void sg_storeys_register(const struct sg_system *system, struct sg_quantities *list);

void sg_storeys_release(struct sg_storeys *storeys);

#endif
