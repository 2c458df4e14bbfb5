#include "model/loads/load.h"

#include <math.h>

#include "model/keywords.h"
#include "support/memory.h"

static const struct sg_kind *const kinds[] = {&sg_load_gravity.kind,
                                              &sg_load_force.kind,
                                              &sg_load_moment.kind,
                                              &sg_load_vector.kind,
                                              &sg_load_ground_acceleration.kind,
                                              &sg_load_body_force.kind};

const struct sg_kind_set sg_load_kinds = {
    .noun = "load", .count = sizeof kinds / sizeof kinds[0], .items = kinds};

sg_status sg_load_add(struct sg_builder *builder, size_t signal, enum sg_signal_order order,
                      struct sg_load **load)
{
    struct sg_system *system = builder->system;
    *load = &system->loads[system->load_count++];
    (*load)->signal = signal;
    (*load)->order = order;
    return SG_NEW(&(*load)->pattern, system->n, builder->err);
}

bool sg_load_direction(struct sg_builder *builder, const struct sg_setting *node, struct sg_reals given,
                       double unit[3])
{
    size_t dim = builder->system->dim;
    double length = 0;
    unit[0] = unit[1] = unit[2] = 0;
    if (given.data == NULL) {
        unit[dim - 1] = 1;
        return true;
    }
    if (given.count != dim) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "direction",
                          "has %zu number%s where a node has %zu coordinate%s", given.count,
                          given.count == 1 ? "" : "s", dim, dim == 1 ? "" : "s");
        return false;
    }
    for (size_t d = 0; d < dim; d++) length = hypot(length, given.data[d]);
    if (length > 0 && isfinite(length)) {
        for (size_t d = 0; d < dim; d++) unit[d] = given.data[d] / length;
        return true;
    }
    sg_complain_about(builder->diagnostics, SG_ERROR, node, "direction",
                      "has the length %g: it points nowhere", length);
    return false;
}

/* M_fp a_p + C_fp v_p + K_fp u_p on the other side of the equation of motion */
static sg_status add_coupling(struct sg_builder *builder, const struct sg_motion *motion,
                              enum sg_matrix_role role)
{
    static const int derivative[] = {[SG_MASS] = 2, [SG_DAMPING] = 1, [SG_STIFFNESS] = 0};
    const double *column = sg_motion_column(motion, role);
    size_t i = 0, n = builder->system->n;
    while (i < n && column[i] == 0) i++;
    if (i == n) return SG_OK;
    struct sg_load *load = NULL;
    enum sg_signal_order order = (enum sg_signal_order)((int)motion->order + derivative[role]);
    TRY(sg_load_add(builder, motion->signal, order, &load));
    load->from_support = true;
    for (; i < n; i++) load->pattern[i] = -column[i];
    return SG_OK;
}

sg_status sg_build_support_loads(struct sg_builder *builder)
{
    for (size_t m = 0; m < builder->system->motion_count; m++)
        for (int role = SG_MASS; role <= SG_STIFFNESS; role++)
            TRY(add_coupling(builder, &builder->system->motions[m], (enum sg_matrix_role)role));
    return SG_OK;
}

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
    TRY(SG_NEW(&system->gravity, system->n, builder->err));
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
    TRY(SG_NEW(&builder->system->loads, count + 3 * builder->system->motion_count, builder->err));
    TRY(SG_NEW(&builder->system->grounds, count, builder->err));
    TRY(sg_build_support_loads(builder));
    for (size_t k = 0; k < count; k++) {
        const struct sg_setting *node = sg_setting_item(list, k);
        const struct sg_load_ops *ops = (const struct sg_load_ops *)(const void *)sg_setting_kind(node);
        TRY(ops->apply(builder, node));
    }
    return add_gravity(builder);
}
