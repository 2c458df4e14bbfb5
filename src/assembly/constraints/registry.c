#include "assembly/constraints/kinds.h"
#include "assembly/keywords.h"

static const struct sg_kind *const kinds[] = {&sg_constraint_rod.kind,       &sg_constraint_distance.kind,
                                              &sg_constraint_pin.kind,       &sg_constraint_slot.kind,
                                              &sg_constraint_prismatic.kind, &sg_constraint_coordinate.kind,
                                              &sg_constraint_linear.kind};

static const struct sg_keyword common[] = {
    {.name = "name",
     .type = SG_TEXT,
     .meaning = "name in results and messages; by default made of the nodes",
     .example = "\"hinge\"",
     .offset = 0},
    {0}};

const struct sg_kind_set sg_constraint_kinds = {
    .noun = "constraint", .common = common, .count = sizeof kinds / sizeof kinds[0], .items = kinds};
