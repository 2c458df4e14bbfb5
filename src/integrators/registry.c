#include "integrators/kinds.h"

const struct sg_keyword sg_integrator_rows[] = {
    {.name = "operator",
     .type = SG_CHOICE,
     .choices = "auto|modal|nodal",
     .fallback = "\"auto\"",
     .meaning =
         "coordinates of the effective operator: modal (one eigen-decomposition, no factorisation) or nodal "
         "(tridiagonal, banded, sparse or dense factors); auto takes modal up to 2000 dofs where the damping "
         "allows"},
    {0}};

#define OPS(name) &sg_integrator_##name,
static const struct sg_integrator_ops *const integrators[] = {SG_INTEGRATORS(OPS)};
#undef OPS

#define KIND(name) &sg_integrator_##name.kind,
static const struct sg_kind *const kinds[] = {SG_INTEGRATORS(KIND)};
#undef KIND

enum { COUNT = sizeof kinds / sizeof kinds[0] };

const struct sg_kind_set sg_integrator_kinds = {
    .noun = "integrator", .common = sg_integrator_rows, .count = COUNT, .items = kinds};

size_t sg_integrator_count(void)
{
    return COUNT;
}

const struct sg_integrator_ops *sg_integrator_at(size_t i)
{
    return integrators[i];
}

const struct sg_integrator_ops *sg_integrator_find(const struct sg_kind *kind)
{
    for (size_t i = 0; i < COUNT; i++)
        if (kinds[i] == kind) return integrators[i];
    return NULL;
}
