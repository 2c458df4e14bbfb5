#include <math.h>
#include <stddef.h>

#include "assembly/bodies/beam_element.h"
#include "assembly/bodies/members_spec.h"

const struct sg_keyword sg_members_member_rows[] = {
    {.name = "ends",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "first and second node of a member, and of any number of others with the same section; nodes "
                "are counted from 0",
     .example = "[0, 1, 1, 2]",
     .flags = SG_REQUIRED,
     .range = SG_NON_NEGATIVE,
     .min_items = 2,
     .offset = offsetof(struct sg_member_spec, ends)},
    {.name = "section",
     .type = SG_GROUP,
     .meaning = "cross section of these members",
     .flags = SG_REQUIRED,
     .rows = sg_beam_section_rows,
     .offset = offsetof(struct sg_member_spec, section)},
    {.name = "subdivisions",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "beam elements of each member",
     .fallback = "1",
     .range = SG_BETWEEN(1, 1000),
     .offset = offsetof(struct sg_member_spec, subdivisions)},
    {.name = "hinges",
     .type = SG_CHOICE,
     .meaning = "at which of its ends a member turns freely against its node; both: a bar of a truss",
     .fallback = "\"none\"",
     .choices = "none|first|second|both",
     .offset = offsetof(struct sg_member_spec, hinges)},
    {0}};

#define NODES_ROW(spec, least, what)                                                                         \
    {                                                                                                        \
        .name = "nodes", .type = SG_REALS, .unit = "1", .meaning = (what), .example = "[0, 1]",              \
        .flags = SG_REQUIRED, .range = SG_NON_NEGATIVE, .min_items = (least),                                \
        .offset = offsetof(struct spec, nodes)                                                               \
    }

const struct sg_keyword sg_members_held_rows[] = {
    NODES_ROW(sg_member_axes_spec, 1, "which nodes, counted from 0"),
    {.name = "axes",
     .type = SG_TEXT,
     .meaning = "coordinates of these nodes that are held, as letters out of xyr; r is the rotation",
     .fallback = "\"xyr\"",
     .offset = offsetof(struct sg_member_axes_spec, axes)},
    {0}};

const struct sg_keyword sg_members_tie_rows[] = {
    NODES_ROW(sg_member_axes_spec, 2, "nodes that move as one, wherever they are"),
    {.name = "axes",
     .type = SG_TEXT,
     .meaning = "coordinates that these nodes share, as letters out of xyr: for two nodes at one place xy "
                "makes a hinge and y a slip joint, for a floor's nodes x makes a rigid diaphragm",
     .example = "\"xy\"",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct sg_member_axes_spec, axes)},
    {0}};

const struct sg_keyword sg_members_set_rows[] = {
    {.name = "name",
     .type = SG_TEXT,
     .meaning = "name of the set: supports, loads, contacts and results call it BODY.NAME",
     .example = "\"floor1\"",
     .flags = SG_REQUIRED,
     .max_items = SG_NAME_LIMIT,
     .offset = offsetof(struct sg_member_set_spec, name)},
    NODES_ROW(sg_member_set_spec, 1, "nodes of the set, in this order"),
    {0}};

const struct sg_keyword sg_members_storey_rows[] = {
    {.name = "name",
     .type = SG_TEXT,
     .meaning = "name of the storey: results call it BODY.NAME",
     .example = "\"storey1\"",
     .flags = SG_REQUIRED,
     .max_items = SG_NAME_LIMIT,
     .offset = offsetof(struct sg_member_storey_spec, name)},
    {.name = "upper",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "nodes at the heads of its columns, counted from 0",
     .example = "[2, 3]",
     .flags = SG_REQUIRED,
     .range = SG_NON_NEGATIVE,
     .min_items = 1,
     .offset = offsetof(struct sg_member_storey_spec, upper)},
    {.name = "lower",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "nodes at the feet of these columns, in the same order",
     .example = "[0, 1]",
     .flags = SG_REQUIRED,
     .range = SG_NON_NEGATIVE,
     .min_items = 1,
     .offset = offsetof(struct sg_member_storey_spec, lower)},
    {0}};

const struct sg_keyword sg_members_rows[] = {
    {.name = "nodes",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "x and y of each node, one node behind the other",
     .example = "[0.0, 0.0, 0.0, 3.0, 5.0, 3.0]",
     .flags = SG_REQUIRED,
     .min_items = 4,
     .offset = offsetof(struct sg_members_spec, nodes)},
    {.name = "members",
     .type = SG_LIST,
     .meaning = "straight members between nodes",
     .flags = SG_REQUIRED,
     .rows = sg_members_member_rows,
     .min_items = 1,
     .offset = offsetof(struct sg_members_spec, members)},
    {.name = "held",
     .type = SG_LIST,
     .meaning = "nodes that don't move; those that move, or rest on springs, are for 'supports'",
     .rows = sg_members_held_rows,
     .offset = offsetof(struct sg_members_spec, held)},
    {.name = "ties",
     .type = SG_LIST,
     .meaning = "nodes that share dofs: hinges, slip joints, rigid diaphragms",
     .rows = sg_members_tie_rows,
     .offset = offsetof(struct sg_members_spec, ties)},
    {.name = "sets",
     .type = SG_LIST,
     .meaning = "names for several nodes: floors, feet",
     .rows = sg_members_set_rows,
     .offset = offsetof(struct sg_members_spec, sets)},
    {.name = "storeys",
     .type = SG_LIST,
     .meaning = "storeys, whose drift is recorded: mean displacement along x of heads relative to feet",
     .rows = sg_members_storey_rows,
     .offset = offsetof(struct sg_members_spec, storeys)},
    {.name = "mass",
     .type = SG_CHOICE,
     .meaning = "mass matrix",
     .fallback = "\"consistent\"",
     .choices = "consistent|lumped",
     .offset = offsetof(struct sg_members_spec, mass)},
    {.name = "position",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "translation that is added to the positions of all nodes",
     .fallback = "[0.0, 0.0]",
     .min_items = 2,
     .max_items = 2,
     .offset = offsetof(struct sg_members_spec, position)},
    {0}};
