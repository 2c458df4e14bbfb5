#include <math.h>
#include <string.h>

#include "assembly/axes.h"
#include "assembly/builder.h"
#include "assembly/keywords.h"
#include "support/memory.h"

struct spec {
    const char *node, *axes;
    double stiffness;
    const struct sg_setting *motion;
    int quantity;
};

enum quantity { DISPLACEMENT, VELOCITY, ACCELERATION };
static const char *const quantity_names[] = {"displacement", "velocity", "acceleration"};

const struct sg_keyword sg_support_rows[] = {
    {.name = "node",
     .type = SG_TEXT,
     .meaning = "node that is held: BODY.left, BODY.right, BODY.NUMBER, or BODY if it has one node; or a set "
                "of nodes, BODY.SET, all of which are held",
     .example = "\"bar.left\"",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct spec, node)},
    {.name = "axes",
     .type = SG_TEXT,
     .meaning = "coordinates that are held, as letters out of xyz, and r for the rotation of a node that has "
                "one; all by default",
     .example = "\"y\"",
     .offset = offsetof(struct spec, axes)},
    {.name = "stiffness",
     .type = SG_REAL,
     .unit = "N/m",
     .meaning =
         "stiffness of a spring to the ground along each of these axes, which holds the node instead of "
         "fixing it and is slack at zero displacement; N m/rad for a rotation, which 'axes' must name",
     .example = "0.5",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, stiffness)},
    {.name = "motion",
     .type = SG_GROUP,
     .meaning = "signal that moves the support along its one axis; without it the node stays where it starts",
     .kinds = &sg_signal_kinds,
     .offset = offsetof(struct spec, motion)},
    {.name = "quantity",
     .type = SG_CHOICE,
     .meaning = "quantity that the signal gives, in m, m/s or m/s^2; a velocity or an acceleration is "
                "integrated from zero",
     .fallback = "\"displacement\"",
     .choices = "displacement|velocity|acceleration",
     .offset = offsetof(struct spec, quantity)},
    {0}};

/* The support's velocity must not jump: its power would be infinite. */
static void check_continuity(struct sg_builder *builder, const struct sg_setting *node,
                             const struct spec *spec, const struct sg_signal *signal)
{
    if (spec->quantity == ACCELERATION) return;
    if (signal->continuity >= (spec->quantity == DISPLACEMENT ? 1 : 0)) return;
    sg_complain_about(builder->diagnostics, SG_ERROR, node, "motion",
                      "a %s by a signal '%s' with %s makes the support's velocity jump",
                      quantity_names[spec->quantity], signal->ops->kind.name,
                      signal->continuity < 0 ? "jumps" : "kinks");
    sg_hint(builder->diagnostics, "give the support's acceleration: quantity = \"acceleration\"");
}

static sg_status read_motion(struct sg_builder *builder, const struct spec *spec, struct sg_support *support)
{
    if (spec->motion == NULL) {
        if (spec->quantity != DISPLACEMENT)
            sg_complain_about(builder->diagnostics, SG_ERROR, support->node, "quantity",
                              "needs a 'motion' that it describes");
        return SG_OK;
    }
    support->moves = true;
    support->order = (enum sg_signal_order)(SG_VALUE - spec->quantity);
    size_t errors = builder->diagnostics->errors;
    TRY(sg_builder_signal(builder, spec->motion, &support->signal));
    if (builder->diagnostics->errors == errors)
        check_continuity(builder, support->node, spec, &builder->system->signals[support->signal]);
    return SG_OK;
}

enum { WAYS = SG_AXIS_LETTERS }; /* in which a node can move: its axes, and its rotation */

/* Which of a node's dofs are meant; false with a finding if the letters are wrong. */
static bool read_axes(struct sg_builder *builder, const struct sg_setting *node, const struct spec *spec,
                      size_t target, bool meant[WAYS])
{
    const struct sg_system *system = builder->system;
    static const char *const letters[] = {"", "x", "xy", "xyz", "xyr"};
    bool rotates = sg_system_rotation(system, target) != SIZE_MAX;
    const char *known = letters[rotates ? 4 : system->dim];
    for (size_t d = 0; d < WAYS; d++)
        meant[d] = spec->axes == NULL && (d < system->dim || (d == SG_ROTATION && rotates));
    if (spec->axes == NULL) return true;
    if (*spec->axes == '\0')
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "axes", "is empty: nothing would be held");
    else if (!sg_axes_read(spec->axes, known, meant))
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "axes",
                          "'%.16s' is not made of different letters out of \"%s\"", spec->axes, known);
    else
        return true;
    return false;
}

/* the master of a tied dof */
static size_t dof_that_moves(const struct sg_system *system, size_t given)
{
    for (size_t k = 0; k < system->tie_count; k++)
        if (system->ties[k].slave == given) return system->ties[k].master;
    return given;
}

/* A dof that its body holds already needs no support. */
static void hold(struct sg_builder *builder, const struct sg_setting *node, const struct spec *spec,
                 size_t given)
{
    const struct sg_system *system = builder->system;
    size_t dof = dof_that_moves(system, given);
    const char *name = system->dim == 1 ? spec->node : system->labels.dof_names[dof];
    if (builder->support_of_full[dof] != SIZE_MAX) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "node", "'%s' is supported twice", name);
    } else if (!builder->held[dof]) {
        builder->support_of_full[dof] = builder->support_count;
        builder->supports[builder->support_count++] = (struct sg_support){.dof = dof, .node = node};
    } else if (spec->motion != NULL) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "motion",
                          "'%s' can't move: its body holds it", name);
    }
}

static void add_spring(struct sg_builder *builder, size_t given, double stiffness)
{
    size_t dof = dof_that_moves(builder->system, given);
    if (!builder->held[dof]) sg_triplets_add(&builder->stiffness, dof, dof, stiffness);
}

/* Rotations have springs of another unit: only where the axes name them. */
static sg_status spring_nodes(struct sg_builder *builder, const struct sg_setting *node,
                              const struct spec *spec, const bool meant[WAYS],
                              const struct sg_node_list *list)
{
    const struct sg_system *system = builder->system;
    if (spec->motion != NULL)
        sg_complain_about(
            builder->diagnostics, SG_ERROR, node, "motion",
            "moves a fixed support only: with 'stiffness' the support is a spring to the ground");
    for (size_t k = 0; k < list->count; k++) {
        size_t target = sg_node_list_at(list, k);
        for (size_t d = 0; d < system->dim; d++)
            if (meant[d]) add_spring(builder, sg_system_dof(system, target, d), spec->stiffness);
        if (meant[SG_ROTATION] && spec->axes != NULL)
            add_spring(builder, sg_system_rotation(system, target), spec->stiffness);
    }
    if (!builder->stiffness.failed) return SG_OK;
    FAIL(builder->err, SG_NO_MEMORY, "out of memory while supports were read");
}

/* the nodes of one entry, which all move alike */
static sg_status hold_nodes(struct sg_builder *builder, const struct sg_setting *node,
                            const struct spec *spec, const bool meant[WAYS], const struct sg_node_list *list)
{
    const struct sg_system *system = builder->system;
    size_t before = builder->support_count;
    for (size_t k = 0; k < list->count; k++) {
        size_t target = sg_node_list_at(list, k);
        for (size_t d = 0; d < system->dim; d++)
            if (meant[d]) hold(builder, node, spec, sg_system_dof(system, target, d));
        if (meant[SG_ROTATION]) hold(builder, node, spec, sg_system_rotation(system, target));
    }
    if (builder->support_count == before) return SG_OK;
    struct sg_support *first = &builder->supports[before];
    TRY(read_motion(builder, spec, first));
    for (size_t k = before + 1; k < builder->support_count; k++) {
        builder->supports[k].moves = first->moves;
        builder->supports[k].signal = first->signal;
        builder->supports[k].order = first->order;
    }
    return SG_OK;
}

static sg_status read_support(struct sg_builder *builder, const struct sg_setting *node)
{
    struct spec spec = {0};
    struct sg_node_list list;
    sg_setting_fill(node, sg_support_rows, &spec);
    struct sg_node_name name = {spec.node, node, "node"};
    bool meant[WAYS] = {false};
    if (!sg_system_find_nodes(builder->system, &name, builder->diagnostics, &list)) return SG_OK;
    if (!read_axes(builder, node, &spec, list.first, meant)) return SG_OK;
    if (spec.motion != NULL && meant[0] + meant[1] + meant[2] + meant[SG_ROTATION] > 1) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "motion",
                          "moves one coordinate, but the support holds several: give 'axes' one letter");
        return SG_OK;
    }
    if (!isnan(spec.stiffness)) return spring_nodes(builder, node, &spec, meant, &list);
    return hold_nodes(builder, node, &spec, meant, &list);
}

/* dofs that the deck's supports could hold */
static size_t most_held(const struct sg_builder *builder, const struct sg_setting *list, size_t count)
{
    size_t nodes = 0;
    for (size_t k = 0; k < count; k++) {
        struct spec spec = {0};
        struct sg_node_list found;
        sg_setting_fill(sg_setting_item(list, k), sg_support_rows, &spec);
        struct sg_node_name name = {.text = spec.node};
        if (sg_system_find_nodes(builder->system, &name, NULL, &found)) nodes += found.count;
    }
    return nodes * (builder->system->dim + 1);
}

/* Signals are one a load, a constraint and a held dof at most. */
sg_status sg_build_supports(struct sg_builder *builder)
{
    const struct sg_setting *list = sg_setting_child(sg_deck_root(builder->deck), "supports");
    size_t count = sg_builder_count(builder, "supports"), loads = sg_builder_count(builder, "loads");
    size_t most = most_held(builder, list, count);
    TRY(SG_ARENA_NEW(&builder->scratch, &builder->supports, most, builder->err));
    size_t constraints = sg_builder_count(builder, "constraints");
    TRY(SG_ARENA_NEW(&builder->system->arena, &builder->system->signals, most + loads + constraints,
                     builder->err));
    for (size_t k = 0; k < count; k++) TRY(read_support(builder, sg_setting_item(list, k)));
    return SG_OK;
}

/* --- motions -------------------------------------------------------------------------------------- */

/* A fixed node that starts displaced is held there. */
static sg_status hold_in_place(struct sg_builder *builder, struct sg_support *support)
{
    struct sg_system *system = builder->system;
    double value = builder->u[support->dof];
    if (support->moves || value == 0) return SG_OK;
    sg_complain_about(builder->diagnostics, SG_NOTE, support->node, "node",
                      "holds '%s' at its initial displacement, %g m", system->labels.dof_names[support->dof],
                      value);
    support->moves = true;
    support->order = SG_VALUE;
    support->signal = system->signal_count++;
    return sg_signal_init_constant(&system->arena, value, &system->signals[support->signal], builder->err);
}

static sg_status create_motion(struct sg_builder *builder, const struct sg_support *support)
{
    struct sg_system *system = builder->system;
    builder->motion_of_full[support->dof] = system->motion_count;
    struct sg_motion *motion = &system->motions[system->motion_count++];
    motion->dof = support->dof;
    motion->signal = support->signal;
    motion->order = support->order;
    TRY(SG_ARENA_NEW(&system->arena, &motion->mass, system->n, builder->err));
    TRY(SG_ARENA_NEW(&system->arena, &motion->damping, system->n, builder->err));
    return SG_ARENA_NEW(&system->arena, &motion->stiffness, system->n, builder->err);
}

static sg_status number_free_dofs(struct sg_builder *builder)
{
    struct sg_system *system = builder->system;
    TRY(SG_ARENA_NEW(&system->arena, &system->free_of_full, system->n_full, builder->err));
    TRY(SG_ARENA_NEW(&system->arena, &system->free_dof, system->n_full, builder->err));
    SG_AUTO_FREE bool *is_slave = NULL;
    TRY(SG_NEW(&is_slave, system->n_full, builder->err));
    for (size_t k = 0; k < system->tie_count; k++) is_slave[system->ties[k].slave] = true;
    for (size_t i = 0; i < system->n_full; i++) {
        bool is_free = builder->support_of_full[i] == SIZE_MAX && !builder->held[i] && !is_slave[i];
        system->free_of_full[i] = is_free ? system->n : SIZE_MAX;
        if (is_free) system->free_dof[system->n++] = i;
    }
    for (size_t k = 0; k < system->tie_count; k++)
        system->free_of_full[system->ties[k].slave] = system->free_of_full[system->ties[k].master];
    if (system->n > 0) return SG_OK;
    sg_complain_about(builder->diagnostics, SG_ERROR, sg_deck_root(builder->deck), "supports",
                      "every node is supported: nothing is left to compute");
    return SG_BAD_DECK;
}

sg_status sg_build_motions(struct sg_builder *builder)
{
    struct sg_system *system = builder->system;
    TRY(number_free_dofs(builder));
    size_t moving = 0;
    for (size_t k = 0; k < builder->support_count; k++) {
        TRY(hold_in_place(builder, &builder->supports[k]));
        moving += builder->supports[k].moves ? 1 : 0;
    }
    TRY(SG_ARENA_NEW(&system->arena, &system->motions, moving, builder->err));
    for (size_t k = 0; k < builder->support_count; k++)
        if (builder->supports[k].moves) TRY(create_motion(builder, &builder->supports[k]));
    if (moving > 0)
        TRY(sg_arena_alloc(&system->arena, moving * moving, 3 * sizeof(double), "motion_pp",
                           &system->motion_pp, builder->err));
    return SG_OK;
}
