#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "contact/gaps/gap.h"
#include "contact/gaps/polyline.h"

enum geometry { CURRENT, REFERENCE };

struct spec {
    const char *slave, *master;
    int geometry;
    double distance, overhang;
};

static const struct sg_keyword rows[] = {
    {.name = "slave",
     .type = SG_TEXT,
     .flags = SG_REQUIRED,
     .meaning = "the nodes that may touch: a set, BODY.SET, is one contact a node",
     .example = "\"upper.bottom\"",
     .offset = offsetof(struct spec, slave)},
    {.name = "master",
     .type = SG_TEXT,
     .flags = SG_REQUIRED,
     .meaning = "the surface that they touch: a set of nodes on the boundary of a body, BODY.SET",
     .example = "\"lower.top\"",
     .offset = offsetof(struct spec, master)},
    {.name = "geometry",
     .type = SG_CHOICE,
     .choices = "current|reference",
     .fallback = "\"current\"",
     .meaning = "place and normal on the surface: of the present configuration, so that nodes slide from "
                "segment to segment; or as they are without displacement",
     .offset = offsetof(struct spec, geometry)},
    {.name = "distance",
     .type = SG_REAL,
     .unit = "m",
     .fallback = "0.0",
     .meaning = "distance at which they touch: the sum of half the thicknesses",
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, distance)},
    {.name = "overhang",
     .type = SG_REAL,
     .unit = "m",
     .fallback = "0.0",
     .meaning = "length by which the surface continues straight beyond its ends; without it a contact whose "
                "node is beyond an end is open",
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, overhang)},
    {0}};

/* the set that bounds the master, or NULL with a finding */
static const struct sg_node_set *find_master(struct sg_gap_builder *builder, const struct sg_node_name *name)
{
    struct sg_node_list list;
    if (!sg_system_find_nodes(builder->system, name, builder->diagnostics, &list)) return NULL;
    if (list.set != NULL && list.set->edge_count > 0) return list.set;
    sg_complain_about(builder->diagnostics, SG_ERROR, name->group, name->keyword,
                      "'%.100s' is no surface: it has no edges on the boundary of its body", name->text);
    sg_hint(builder->diagnostics, "surfaces are sets of bodies in the plane such as \"block.top\"");
    return NULL;
}

/* made with the first contact of the entry, which owns it */
static sg_status make_surface(struct sg_gap_builder *builder, const struct sg_setting *node,
                              const struct spec *spec, struct sg_gap *gap)
{
    struct sg_node_name name = {spec->master, node, "master"};
    const struct sg_node_set *set = find_master(builder, &name);
    size_t branch = 0;
    builder->surface = NULL;
    if (set == NULL) return SG_OK;
    gap->makes_surface = true;
    sg_status status =
        sg_surface_create(builder->arena, builder->system, set, &gap->surface, &branch, builder->err);
    if (status == SG_BAD_DECK) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "master",
                          "more than two edges of '%.100s' meet in '%s'", spec->master,
                          sg_system_node_name(builder->system, branch));
        return SG_OK;
    }
    TRY(status);
    gap->surface->overhang = spec->overhang;
    builder->surface = gap->surface;
    return SG_OK;
}

static bool check_slave(struct sg_gap_builder *builder, const struct sg_setting *node,
                        const struct sg_gap *gap, const char *master)
{
    for (size_t i = 0; i < gap->surface->node_count; i++) {
        if (gap->surface->node[i] != gap->node[0].ref.node) continue;
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "slave",
                          "'%s' is also a node of '%.100s': it can't touch itself", gap->node[0].text,
                          master);
        return false;
    }
    return true;
}

static void set_weights(const struct sg_surface_place *place, struct sg_gap_value *value)
{
    value->weight[0] = 1.0;
    value->weight[1] = -(1.0 - place->fraction);
    value->weight[2] = -place->fraction;
}

static void take_place(const struct sg_gap *gap, const struct sg_surface_place *place,
                       struct sg_gap_value *value)
{
    value->gap = place->gap - gap->size;
    for (size_t d = 0; d < 2; d++) value->normal[d] = place->normal[d];
    set_weights(place, value);
}

/* Once for all: the ends of the nearest segment become nodes of the contact. */
static void build_reference(struct sg_gap_builder *builder, const struct sg_setting *node, const char *master,
                            struct sg_gap *gap)
{
    struct sg_surface_place place;
    sg_surface_find(gap->surface, NULL, gap->reference, &place);
    if (place.beyond) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "slave",
                          "'%s' stands beyond the ends of '%.100s', where it has no place", gap->node[0].text,
                          master);
        sg_hint(builder->diagnostics, "name the nodes that face it only, or give 'overhang'; with geometry = "
                                      "\"current\" they are open");
        return;
    }
    const struct sg_segment *segment = &gap->surface->segments[place.segment];
    for (size_t k = 0; k < 2; k++) {
        size_t at = gap->surface->node[segment->node[k]];
        struct sg_gap_node end = {.ref = sg_system_node(builder->system, at),
                                  .keyword = "master",
                                  .text = sg_system_node_name(builder->system, at)};
        sg_gap_append_node(builder->system, end, gap);
    }
    gap->straight = true;
    take_place(gap, &place, &gap->fixed);
}

static sg_status build(struct sg_gap_builder *builder, const struct sg_setting *node, struct sg_gap *gap)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    gap->size = spec.distance;
    gap->subject = "slave";
    bool found = sg_gap_add_node(builder, &(struct sg_node_name){spec.slave, node, "slave"}, gap);
    if (builder->index == 0) TRY(make_surface(builder, node, &spec, gap));
    gap->surface = builder->surface != NULL ? builder->surface : gap->surface;
    if (!found || builder->surface == NULL || !check_slave(builder, node, gap, spec.master)) return SG_OK;
    snprintf(builder->name, sizeof builder->name, "%.100s-%.100s", gap->node[0].text, spec.master);
    if (spec.geometry == REFERENCE) build_reference(builder, node, spec.master, gap);
    return SG_OK;
}

static void seek(const struct sg_gap *gap, const double *u, struct sg_gap_value *value)
{
    const struct sg_surface *surface = gap->surface;
    struct sg_surface_place place;
    double point[2];
    for (size_t d = 0; d < 2; d++) {
        value->dof[d] = gap->dof[d];
        point[d] = gap->reference[d] + (gap->dof[d] != SIZE_MAX ? u[gap->dof[d]] : 0.0);
    }
    sg_surface_find(surface, u, point, &place);
    for (size_t i = 0; i < 4; i++)
        value->dof[2 + i] = surface->dof[2 * surface->segments[place.segment].node[i / 2] + i % 2];
    take_place(gap, &place, value);
}

const struct sg_gap_ops sg_gap_surface = {
    .kind = {"surface", "nodes against the boundary of a body, each against the nearest segment", rows},
    .dim_low = 2,
    .dim_high = 2,
    .hint = "the set of the nodes must lie outside of the body that the surface bounds",
    .spread = "slave",
    .build = build,
    .seek = seek,
    .no_hessian = true};
