#include "analyses/registry.h"

#include "analyses/points.h"

extern const struct sg_points_ops sg_points_integrator;
extern const struct sg_points_ops sg_points_forced_response;
extern const struct sg_points_ops sg_points_nonsmooth_modes;

static const struct sg_keyword no_rows[] = {{0}};
static const struct sg_kind transient = {"transient", "time histories from t = 0 to time.end", no_rows};

static const struct sg_points_ops *const points[] = {&sg_points_integrator, &sg_points_forced_response,
                                                     &sg_points_nonsmooth_modes};
static const struct sg_kind *const kinds[] = {
    &transient, &sg_points_integrator.kind, &sg_points_forced_response.kind, &sg_points_nonsmooth_modes.kind};

const struct sg_kind_set sg_analysis_kinds = {
    .noun = "analysis", .fallback = "transient", .count = sizeof kinds / sizeof *kinds, .items = kinds};

const struct sg_points_ops *sg_points_find(const struct sg_kind *kind)
{
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        if (&points[i]->kind == kind) return points[i];
    return NULL;
}
