#include "assembly/constraints/kinds.h"
#include "assembly/keywords.h"

/* one line a kind */
#define CONSTRAINTS(X)                                                                                       \
    X(rod)                                                                                                   \
    X(distance)                                                                                              \
    X(pin)                                                                                                   \
    X(slot)                                                                                                  \
    X(prismatic)                                                                                             \
    X(coordinate)                                                                                            \
    X(linear)

#define DECLARE(name) extern const struct sg_constraint_ops sg_constraint_##name;
CONSTRAINTS(DECLARE)
#undef DECLARE

/* each kind is the first member of its ops */
#define KIND(name) &sg_constraint_##name.kind,
static const struct sg_kind *const kinds[] = {CONSTRAINTS(KIND)};
#undef KIND

static const struct sg_keyword common[] = {
    {.name = "name",
     .type = SG_TEXT,
     .meaning = "name in results and messages; by default made of the nodes",
     .example = "\"hinge\"",
     .max_items = SG_LABEL_LIMIT,
     .offset = 0},
    {0}};

const struct sg_kind_set sg_constraint_kinds = {
    .noun = "constraint", .common = common, .count = sizeof kinds / sizeof kinds[0], .items = kinds};
