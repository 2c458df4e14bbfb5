#include "assembly/loads/load.h"

struct spec {
    const struct sg_setting *signal;
    struct sg_reals direction;
};

static const struct sg_keyword rows[] = {
    {.name = "signal",
     .type = SG_GROUP,
     .unit = "m/s^2",
     .meaning = "the ground's acceleration over time along the direction",
     .flags = SG_REQUIRED,
     .kinds = &sg_signal_kinds,
     .offset = offsetof(struct spec, signal)},
    {.name = "direction",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "vector along which the ground moves, of any length; by default x",
     .example = "[1.0, 0.0]",
     .max_items = 3,
     .offset = offsetof(struct spec, direction)},
    {0}};

static bool read_direction(struct sg_builder *builder, const struct sg_setting *node, struct sg_reals given,
                           double unit[3])
{
    if (given.data != NULL) return sg_load_direction(builder, node, given, unit);
    unit[0] = 1;
    unit[1] = unit[2] = 0;
    return true;
}

/* What moves with the ground needs the force -M r a of it: r, one along the direction, has all dofs. */
static sg_status apply(struct sg_builder *builder, const struct sg_setting *node)
{
    struct sg_system *system = builder->system;
    struct sg_ground *ground = &system->grounds[system->ground_count];
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    TRY(sg_builder_signal(builder, spec.signal, &ground->signal));
    if (!read_direction(builder, node, spec.direction, ground->direction)) return SG_OK;
    system->ground_count++;
    ground->load = system->load_count;
    struct sg_load *load = NULL;
    TRY(sg_system_add_load(builder->system, ground->signal, SG_VALUE, &load, builder->err));
    for (size_t i = 0; i < system->n; i++)
        load->pattern[i] = -sg_builder_rigid(builder, ground->direction, system->free_dof[i]);
    for (size_t i = 0; i < system->n_full; i++)
        if (system->places[i].axis != SG_ROTATION)
            ground->mass +=
                ground->direction[system->places[i].axis] * sg_builder_rigid(builder, ground->direction, i);
    return SG_OK;
}

const struct sg_load_ops sg_load_ground_acceleration = {
    .kind = {.name = "ground-acceleration",
             .meaning = "an earthquake: all displacements become relative to the ground, which supports and "
                        "obstacles move with",
             .rows = rows},
    .apply = apply,
};
