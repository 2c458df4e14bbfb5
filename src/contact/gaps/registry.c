#include "contact/contact_set.h"
#include "contact/gaps/gap.h"

/* one line a kind */
#define GAPS(X)                                                                                              \
    X(wall)                                                                                                  \
    X(pair)                                                                                                  \
    X(plane)                                                                                                 \
    X(circle)                                                                                                \
    X(sphere)                                                                                                \
    X(nodes)                                                                                                 \
    X(segment)                                                                                               \
    X(surface)                                                                                               \
    X(rows)

#define DECLARE(name) extern const struct sg_gap_ops sg_gap_##name;
GAPS(DECLARE)
#undef DECLARE

/* each kind is the first member of its ops */
#define KIND(name) &sg_gap_##name.kind,
static const struct sg_kind *const kinds[] = {GAPS(KIND)};
#undef KIND

const struct sg_kind_set sg_contact_kinds = {
    .noun = "contact", .common = sg_contact_rows, .count = sizeof kinds / sizeof kinds[0], .items = kinds};

const struct sg_gap_ops *sg_gap_find(const struct sg_kind *kind)
{
    return (const struct sg_gap_ops *)(const void *)kind;
}
