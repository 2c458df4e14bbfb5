/* Groups of contacts that share no dof. Where D is diagonal their Delassus operator falls into blocks:
 * contacts of different groups don't feel one another in a step, and each group is a problem of its own. */
#ifndef SG_STRATEGIES_CONTACT_GROUPS_H
#define SG_STRATEGIES_CONTACT_GROUPS_H

#include <stddef.h>

#include "contact/contact_set.h"
#include "support/status.h"

struct sg_contact_list {
    const size_t *contact;
    size_t count;
};

struct sg_contact_groups {
    size_t count;  /* groups found */
    size_t *start; /* q + 1: where each starts in `order`, ascending from 0 */
    size_t *order; /* q: positions in the list, group by group, in each ascending */
    size_t *root;  /* q: scratch, the forest of positions */
    size_t *owner; /* n: scratch, 1 + a position whose contact moves the dof, 0 between calls */
};

/* Release in any case. */
sg_status sg_contact_groups_init(struct sg_contact_groups *groups, size_t n, size_t q, struct sg_error *err);
void sg_contact_groups_release(struct sg_contact_groups *groups);

/* Finds the groups of a list. Places of columns count, whatever stands there, so that no list has a larger
 * group than that of all contacts. Columns must be sparse. */
void sg_contact_groups_find(struct sg_contact_groups *groups, const struct sg_contact_frame *frame,
                            struct sg_contact_list list);

/* contacts in the largest of them */
size_t sg_contact_groups_largest(const struct sg_contact_groups *groups);

#endif
