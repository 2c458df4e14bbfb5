#include "assembly/bodies/body.h"
#include "assembly/keywords.h"

/* one line a kind */
#define BODIES(X)                                                                                            \
    X(bar)                                                                                                   \
    X(particles)                                                                                             \
    X(chain)                                                                                                 \
    X(discrete_beam)                                                                                         \
    X(plane)                                                                                                 \
    X(mesh)                                                                                                  \
    X(matrices)                                                                                              \
    X(multibody)                                                                                             \
    X(frame)                                                                                                 \
    X(members)

#define DECLARE(name) extern const struct sg_body_ops sg_body_##name;
BODIES(DECLARE)
#undef DECLARE

/* each kind is the first member of its ops */
#define KIND(name) &sg_body_##name.kind,
static const struct sg_kind *const kinds[] = {BODIES(KIND)};
#undef KIND

const struct sg_kind_set sg_body_kinds = {
    .noun = "body", .common = sg_body_rows, .count = sizeof kinds / sizeof kinds[0], .items = kinds};
