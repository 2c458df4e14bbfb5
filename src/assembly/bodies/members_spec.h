/* What a deck says of a body of kind `members`, and its keywords. */
#ifndef SG_ASSEMBLY_BODIES_MEMBERS_SPEC_H
#define SG_ASSEMBLY_BODIES_MEMBERS_SPEC_H

#include "deck/deck.h"

struct sg_member_spec {
    struct sg_reals ends;
    const struct sg_setting *section;
    long long subdivisions;
    int hinges;
};

enum sg_hinges { SG_HINGE_NONE, SG_HINGE_FIRST, SG_HINGE_SECOND, SG_HINGE_BOTH };

struct sg_member_axes_spec {
    struct sg_reals nodes;
    const char *axes;
};

struct sg_member_set_spec {
    const char *name;
    struct sg_reals nodes;
};

struct sg_member_storey_spec {
    const char *name;
    struct sg_reals upper, lower;
};

struct sg_members_spec {
    struct sg_reals nodes, position;
    const struct sg_setting *members, *held, *ties, *sets, *storeys;
    int mass;
};

extern const struct sg_keyword sg_members_rows[];
/* The rows of the groups in its lists. */
extern const struct sg_keyword sg_members_member_rows[], sg_members_held_rows[], sg_members_tie_rows[],
    sg_members_set_rows[], sg_members_storey_rows[];

#endif
