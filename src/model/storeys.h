/* Storeys: pairs of nodes one above the other, whose mean relative displacement along x is the storey's
 * drift; an aspect (model/aspect.h). A body names its own while it assembles itself. Quantities: drift,
 * drift_ratio. */
#ifndef SG_MODEL_STOREYS_H
#define SG_MODEL_STOREYS_H

#include <stddef.h>

#include "model/aspect.h"

/* Opens a storey of the body, "BODY.NAME", `height` m, to which the next function adds pairs of global nodes.
 */
void sg_storeys_open(struct sg_aspects *aspects, const char *body, const char *name, double height);
void sg_storeys_add(struct sg_aspects *aspects, size_t upper, size_t lower);

#endif
