#include "contact/absolute.h"

#include <string.h>

#include "linalg/vector.h"
#include "support/arena.h"

/* --- fill functions; `owner` is the sg_absolute --------------------------------------------------- */

static size_t width_of(const struct sg_absolute *absolute)
{
    return absolute->chosen->count > 0 ? absolute->chosen->count : absolute->system->n_full;
}

/* the ground's motion to each dof of the row */
static void add_ground(const struct sg_absolute *absolute, const double *ground, double *row)
{
    const struct sg_dof_place *places = absolute->system->places;
    size_t width = width_of(absolute);
    for (size_t i = 0; i < width; i++) {
        int axis = places[absolute->chosen->count > 0 ? absolute->chosen->dof[i] : i].axis;
        if (axis != SG_ROTATION) row[i] += ground[axis];
    }
}

static void fill(const struct sg_absolute *absolute, const double *x, double t, int order, double *row)
{
    double ground[3];
    sg_system_ground(absolute->system, t, order, ground);
    if (absolute->chosen->count > 0)
        sg_some_dofs_fill(&absolute->chosen->some, x, t, order, row);
    else
        sg_system_expand(absolute->system, x, t, order, row);
    add_ground(absolute, ground, row);
}

static void displacement(const void *owner, const struct sg_snapshot *now, double *row)
{
    fill(owner, now->u, now->t, 0, row);
}

static void velocity(const void *owner, const struct sg_snapshot *now, double *row)
{
    fill(owner, now->v, sg_snapshot_velocity_time(now), 1, row);
}

static void add_contacts(const struct sg_absolute *absolute, const struct sg_snapshot *now)
{
    const struct sg_contact_set *set = absolute->contacts;
    struct sg_contact_frame *frame = absolute->frame;
    if (set->q == 0) return;
    sg_contact_set_place(set, now->t, now->u, frame);
    for (size_t j = 0; j < set->q; j++) {
        sg_columns_add(frame->normal, j, now->force[j], absolute->force);
        for (size_t k = 0; now->friction != NULL && k < set->tangents; k++)
            sg_columns_add(frame->tangent, j * set->tangents + k, now->friction[j * set->tangents + k],
                           absolute->force);
    }
}

/* relative to the ground, into absolute->force */
static void accelerate(const struct sg_absolute *absolute, const struct sg_snapshot *now)
{
    const struct sg_system *system = absolute->system;
    double *internal = absolute->internal, *force = absolute->force;
    sg_system_load(system, now->t, force);
    sg_system_internal(system, now->t, now->u, now->v, internal);
    for (size_t i = 0; i < system->n; i++) force[i] -= internal[i];
    add_contacts(absolute, now);
    sg_factor_solve(&absolute->mass, force);
}

static void acceleration(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_absolute *absolute = owner;
    accelerate(absolute, now);
    fill(absolute, absolute->force, now->t, 2, row);
}

/* r_k . M a_abs = r_k . M a + (r_k . M r_j) a_j */
static void base_shear(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_absolute *absolute = owner;
    const struct sg_system *system = absolute->system;
    double ground[3];
    accelerate(absolute, now);
    sg_system_ground(system, now->t, 2, ground);
    for (size_t k = 0; k < system->ground_count; k++) {
        const struct sg_ground *along = &system->grounds[k];
        row[k] = -sg_dot(system->n, system->loads[along->load].pattern, absolute->force);
        for (size_t d = 0; d < system->dim; d++) row[k] += along->mass * along->direction[d] * ground[d];
    }
}

static void ground_motion(const void *owner, const struct sg_snapshot *now, int order, double *row)
{
    const struct sg_absolute *absolute = owner;
    double ground[3];
    sg_system_ground(absolute->system, now->t, order, ground);
    memcpy(row, ground, absolute->system->dim * sizeof *row);
}

static void ground_displacement(const void *owner, const struct sg_snapshot *now, double *row)
{
    ground_motion(owner, now, 0, row);
}

static void ground_velocity(const void *owner, const struct sg_snapshot *now, double *row)
{
    ground_motion(owner, now, 1, row);
}

static void ground_acceleration(const void *owner, const struct sg_snapshot *now, double *row)
{
    ground_motion(owner, now, 2, row);
}

/* --- late rows: of parts and the ground's motion -------------------------------------------------- */

static size_t parts_of(const void *owner)
{
    const struct sg_absolute *absolute = owner;
    size_t parts = absolute->chosen->count > 0 ? sg_some_dofs_parts(&absolute->chosen->some)
                                               : sg_expansion_parts(absolute->system);
    return parts == 0 ? 0 : parts + 3;
}

static void take(const struct sg_absolute *absolute, const double *x, double t, int order, double *parts)
{
    sg_expansion_take(absolute->system, x, t, order, parts);
    sg_system_ground(absolute->system, t, order, parts + sg_expansion_parts(absolute->system));
}

static void take_displacement(const void *owner, const struct sg_snapshot *now, double *parts)
{
    take(owner, now->u, now->t, 0, parts);
}

static void take_velocity(const void *owner, const struct sg_snapshot *now, double *parts)
{
    take(owner, now->v, sg_snapshot_velocity_time(now), 1, parts);
}

static void take_acceleration(const void *owner, const struct sg_snapshot *now, double *parts)
{
    const struct sg_absolute *absolute = owner;
    accelerate(absolute, now);
    take(absolute, absolute->force, now->t, 2, parts);
}

static void make(const void *owner, const double *parts, double *rows)
{
    const struct sg_absolute *absolute = owner;
    size_t lead = parts_of(owner), width = width_of(absolute);
    if (absolute->chosen->count > 0)
        sg_some_dofs_make(&absolute->chosen->some, parts, lead, rows);
    else
        sg_expansion_make(absolute->system, parts, lead, rows);
    for (size_t k = 0; k < SG_LATE_ROWS; k++)
        add_ground(absolute, parts + k * lead + lead - 3, rows + k * width);
}

static const struct sg_late late_displacement = {parts_of, take_displacement, make};
static const struct sg_late late_velocity = {parts_of, take_velocity, make};
static const struct sg_late late_acceleration = {parts_of, take_acceleration, make};

/* --- registration --------------------------------------------------------------------------------- */

enum width { NODES, AXES, GROUNDS };

static const struct row {
    const char *name, *unit, *description;
    enum width width;
    void (*fill)(const void *owner, const struct sg_snapshot *now, double *row);
    const struct sg_late *late;
} quantities[] = {
    {"absolute_displacement", "m", "displacement with that of the ground, of all dofs or output.nodes", NODES,
     displacement, &late_displacement},
    {"absolute_velocity", "m/s", "velocity with that of the ground, of all dofs or output.nodes", NODES,
     velocity, &late_velocity},
    {"absolute_acceleration", "m/s^2", "acceleration with that of the ground, of all dofs or output.nodes",
     NODES, acceleration, &late_acceleration},
    {"ground/displacement", "m", "displacement of the ground", AXES, ground_displacement, NULL},
    {"ground/velocity", "m/s", "velocity of the ground", AXES, ground_velocity, NULL},
    {"ground/acceleration", "m/s^2", "acceleration of the ground", AXES, ground_acceleration, NULL},
    {"base_shear", "N",
     "rate of the absolute momentum along each ground acceleration: what supports, and other forces along "
     "it, "
     "put on the model",
     GROUNDS, base_shear, NULL},
};

void sg_absolute_register(struct sg_absolute *absolute, const struct sg_system *system,
                          const struct sg_contact_set *contacts, const struct sg_chosen_nodes *chosen,
                          struct sg_quantities *list)
{
    *absolute = (struct sg_absolute){.system = system, .contacts = contacts, .chosen = chosen};
    const size_t width[] = {[NODES] = chosen->count > 0 ? chosen->count : system->n_full,
                            [AXES] = system->dim,
                            [GROUNDS] = system->ground_count};
    for (size_t k = 0; system->ground_count > 0 && k < sizeof quantities / sizeof *quantities; k++)
        sg_quantities_add(list, (struct sg_quantity){.name = quantities[k].name,
                                                     .unit = quantities[k].unit,
                                                     .description = quantities[k].description,
                                                     .width = width[quantities[k].width],
                                                     .on_request = quantities[k].width != AXES,
                                                     .fill = quantities[k].fill,
                                                     .late = quantities[k].late,
                                                     .owner = absolute});
}

static sg_status factor_mass(struct sg_absolute *absolute, struct sg_error *err)
{
    static const double weight[3] = {1, 0, 0};
    const struct sg_matrix *M = &absolute->system->M;
    const struct sg_mck mck = {M, M, M};
    struct sg_factor_layout layout = sg_factor_layout_for(&mck);
    if (layout.kind == SG_SPARSE)
        TRY(sg_symbolic_create(&absolute->arena, &mck, false, &absolute->symbolic, err));
    layout.symbolic = absolute->symbolic;
    TRY(sg_factor_init(&absolute->arena, &absolute->mass, &layout, err));
    return sg_factor_compute(&absolute->mass, &mck, weight, err);
}

sg_status sg_absolute_prepare(struct sg_absolute *absolute, struct sg_error *err)
{
    if (absolute->system->ground_count == 0) return SG_OK;
    TRY(SG_ARENA_NEW(&absolute->arena, &absolute->force, absolute->system->n, err));
    TRY(SG_ARENA_NEW(&absolute->arena, &absolute->internal, absolute->system->n, err));
    TRY(SG_ARENA_NEW(&absolute->arena, &absolute->frame, 1, err));
    TRY(sg_contact_frame_init(absolute->frame, absolute->contacts, err));
    return factor_mass(absolute, err);
}

void sg_absolute_release(struct sg_absolute *absolute)
{
    if (absolute->frame != NULL) sg_contact_frame_release(absolute->frame);
    sg_arena_release(&absolute->arena);
    *absolute = (struct sg_absolute){0};
}
