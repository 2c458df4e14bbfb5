#include <math.h>

#include "assembly/builder.h"
#include "assembly/loads/load.h"
#include "support/memory.h"

static double magnitude(const struct sg_builder *builder)
{
    const double *a = builder->acceleration;
    return builder->system->dim == 1 ? a[0] : sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static sg_status add_gravity(struct sg_builder *builder)
{
    struct sg_system *system = builder->system;
    const double *a = builder->acceleration;
    system->weightless = a[0] == 0 && a[1] == 0 && a[2] == 0;
    TRY(SG_ARENA_NEW(&system->arena, &system->gravity, system->n, builder->err));
    for (size_t i = 0; i < system->n; i++)
        system->gravity[i] = sg_builder_rigid(builder, builder->acceleration, system->free_dof[i]);
    for (size_t m = 0; m < system->motion_count; m++)
        system->motions[m].gravity = sg_builder_rigid(builder, builder->acceleration, system->motions[m].dof);
    for (size_t i = 0; i < system->n; i++) {
        if (isfinite(system->gravity[i])) continue;
        sg_complain_about(builder->diagnostics, SG_ERROR, sg_deck_root(builder->deck), "loads",
                          "the weight of '%s' is not a finite number: its mass under %g m/s^2",
                          system->names->node_names[system->places[system->free_dof[i]].node],
                          magnitude(builder));
        break;
    }
    return SG_OK;
}

sg_status sg_build_loads(struct sg_builder *builder)
{
    const struct sg_setting *list = sg_setting_child(sg_deck_root(builder->deck), "loads");
    size_t count = sg_builder_count(builder, "loads");
    TRY(SG_ARENA_NEW(&builder->system->arena, &builder->system->loads,
                     count + 3 * builder->system->motion_count, builder->err));
    TRY(SG_ARENA_NEW(&builder->system->arena, &builder->system->grounds, count, builder->err));
    TRY(sg_system_add_support_loads(builder->system, builder->err));
    for (size_t k = 0; k < count; k++) {
        const struct sg_setting *node = sg_setting_item(list, k);
        const struct sg_load_ops *ops = (const struct sg_load_ops *)(const void *)sg_setting_kind(node);
        TRY(ops->apply(builder, node));
    }
    return add_gravity(builder);
}
