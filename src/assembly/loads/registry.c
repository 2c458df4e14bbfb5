#include "assembly/keywords.h"
#include "assembly/loads/load.h"

/* one line a kind */
#define LOADS(X)                                                                                             \
    X(gravity)                                                                                               \
    X(force)                                                                                                 \
    X(moment)                                                                                                \
    X(vector)                                                                                                \
    X(ground_acceleration)                                                                                   \
    X(body_force)

#define DECLARE(name) extern const struct sg_load_ops sg_load_##name;
LOADS(DECLARE)
#undef DECLARE

/* each kind is the first member of its ops */
#define KIND(name) &sg_load_##name.kind,
static const struct sg_kind *const kinds[] = {LOADS(KIND)};
#undef KIND

const struct sg_kind_set sg_load_kinds = {
    .noun = "load", .count = sizeof kinds / sizeof kinds[0], .items = kinds};
