#include "analyses/registry.h"

#include "analyses/points.h"

/* one line an analysis beside the transient one */
#define ANALYSES(X)                                                                                          \
    X(integrator)                                                                                            \
    X(forced_response)                                                                                       \
    X(nonsmooth_modes)

#define DECLARE(name) extern const struct sg_points_ops sg_points_##name;
ANALYSES(DECLARE)
#undef DECLARE

static const struct sg_keyword no_rows[] = {{0}};
static const struct sg_kind transient = {"transient", "time histories from t = 0 to time.end", no_rows};

#define OPS(name) &sg_points_##name,
static const struct sg_points_ops *const points[] = {ANALYSES(OPS)};
#undef OPS

#define KIND(name) , &sg_points_##name.kind
static const struct sg_kind *const kinds[] = {&transient ANALYSES(KIND)};
#undef KIND

const struct sg_kind_set sg_analysis_kinds = {
    .noun = "analysis", .fallback = "transient", .count = sizeof kinds / sizeof *kinds, .items = kinds};

const struct sg_points_ops *sg_points_find(const struct sg_kind *kind)
{
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        if (&points[i]->kind == kind) return points[i];
    return NULL;
}
