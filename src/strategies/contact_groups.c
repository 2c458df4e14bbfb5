#include "strategies/contact_groups.h"

#include <string.h>

#include "support/memory.h"

sg_status sg_contact_groups_init(struct sg_contact_groups *groups, size_t n, size_t q, struct sg_error *err)
{
    *groups = (struct sg_contact_groups){0};
    TRY(SG_NEW(&groups->start, q + 1, err));
    TRY(SG_NEW(&groups->order, q, err));
    TRY(SG_NEW(&groups->root, q, err));
    return SG_NEW(&groups->owner, n, err);
}

void sg_contact_groups_release(struct sg_contact_groups *groups)
{
    sg_free(groups->start);
    sg_free(groups->order);
    sg_free(groups->root);
    sg_free(groups->owner);
    *groups = (struct sg_contact_groups){0};
}

/* Finds the root of the tree that holds position i, and makes the way shorter as it goes. Groups are the
 * connected components of the graph whose edges are shared dofs: where D is diagonal, the Delassus operator
 * W^T D W is block diagonal by them, and each block is a problem of its own. */
static size_t root_of(size_t *root, size_t i)
{
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
}

/* Each dof of the contact at position i becomes its own, or joins it to the contact that owns the dof. */
static void join(struct sg_contact_groups *groups, const struct sg_columns *w, size_t column, size_t i)
{
    for (size_t e = w->start[column]; e < w->start[column + 1]; e++) {
        size_t *owner = &groups->owner[w->row[e]];
        if (*owner == 0) {
            *owner = i + 1;
            continue;
        }
        size_t a = root_of(groups->root, *owner - 1), b = root_of(groups->root, i);
        groups->root[a > b ? a : b] = a > b ? b : a;
    }
}

static void forget(struct sg_contact_groups *groups, const struct sg_columns *w, size_t column)
{
    for (size_t e = w->start[column]; e < w->start[column + 1]; e++) groups->owner[w->row[e]] = 0;
}

/* A root is the first of its group: groups are numbered as their roots come. */
static void sort(struct sg_contact_groups *groups, size_t count)
{
    size_t *root = groups->root, *start = groups->start;
    groups->count = 0;
    memset(start, 0, (count + 1) * sizeof *start);
    for (size_t i = 0; i < count; i++) {
        /* from here on root[i] is the number of its group: roots before it are numbered */
        root[i] = root[i] == i ? groups->count++ : root[root[i]];
        start[root[i] + 1]++;
    }
    for (size_t g = 0; g < groups->count; g++) start[g + 1] += start[g];
    for (size_t i = count; i-- > 0;) groups->order[--start[root[i] + 1]] = i;
    memmove(start, start + 1, groups->count * sizeof *start);
    start[groups->count] = count;
}

void sg_contact_groups_find(struct sg_contact_groups *groups, const struct sg_contact_frame *frame,
                            struct sg_contact_list list)
{
    const struct sg_columns *normal = frame->normal, *tangent = frame->tangent;
    size_t tangents = tangent != NULL && normal->q > 0 ? tangent->q / normal->q : 0;
    for (size_t i = 0; i < list.count; i++) {
        groups->root[i] = i;
        join(groups, normal, list.contact[i], i);
        for (size_t k = 0; k < tangents; k++) join(groups, tangent, list.contact[i] * tangents + k, i);
    }
    for (size_t i = 0; i < list.count; i++) {
        forget(groups, normal, list.contact[i]);
        for (size_t k = 0; k < tangents; k++) forget(groups, tangent, list.contact[i] * tangents + k);
        groups->root[i] = root_of(groups->root, i);
    }
    sort(groups, list.count);
}

size_t sg_contact_groups_largest(const struct sg_contact_groups *groups)
{
    size_t most = 0;
    for (size_t g = 0; g < groups->count; g++)
        if (groups->start[g + 1] - groups->start[g] > most) most = groups->start[g + 1] - groups->start[g];
    return most;
}
