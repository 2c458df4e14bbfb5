#include "contact/contact_set.h"
#include "contact/gap.h"

/* each kind is the first member of its ops */
static const struct sg_kind *const kinds[] = {
    &sg_gap_wall.kind,  &sg_gap_pair.kind,    &sg_gap_plane.kind,   &sg_gap_circle.kind, &sg_gap_sphere.kind,
    &sg_gap_nodes.kind, &sg_gap_segment.kind, &sg_gap_surface.kind, &sg_gap_rows.kind,
};

const struct sg_kind_set sg_contact_kinds = {
    .noun = "contact", .common = sg_contact_rows, .count = sizeof kinds / sizeof kinds[0], .items = kinds};

const struct sg_gap_ops *sg_gap_find(const struct sg_kind *kind)
{
    return (const struct sg_gap_ops *)(const void *)kind;
}
