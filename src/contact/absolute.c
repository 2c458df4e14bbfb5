#include "contact/absolute.h"

#include <string.h>

#include "linalg/vector.h"
#include "support/memory.h"

/* --- fill functions; `owner` is the sg_absolute -----------------------------------------------------------
 */

static void add_ground(const struct sg_system *system, double t, int order, double *full)
{
    double ground[3];
    sg_system_ground(system, t, order, ground);
    for (size_t i = 0; i < system->n_full; i++)
        if (system->places[i].axis != SG_ROTATION) full[i] += ground[system->places[i].axis];
}

static void pick(const struct sg_absolute *absolute, double *row)
{
    const struct sg_chosen_nodes *chosen = absolute->chosen;
    size_t count = chosen->count > 0 ? chosen->count : absolute->system->n_full;
    for (size_t i = 0; i < count; i++) row[i] = absolute->full[chosen->count > 0 ? chosen->dof[i] : i];
}

static void fill(const struct sg_absolute *absolute, const double *x, double t, int order, double *row)
{
    sg_system_expand(absolute->system, x, t, order, absolute->full);
    add_ground(absolute->system, t, order, absolute->full);
    pick(absolute, row);
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
    double *internal = absolute->full, *force = absolute->force;
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

/* --- registration --------------------------------------------------------------------------------------- */

enum width { NODES, AXES, GROUNDS };

static const struct row {
    const char *name, *unit, *description;
    enum width width;
    void (*fill)(const void *owner, const struct sg_snapshot *now, double *row);
} quantities[] = {
    {"absolute_displacement", "m", "displacement with that of the ground, of all dofs or output.nodes", NODES,
     displacement},
    {"absolute_velocity", "m/s", "velocity with that of the ground, of all dofs or output.nodes", NODES,
     velocity},
    {"absolute_acceleration", "m/s^2", "acceleration with that of the ground, of all dofs or output.nodes",
     NODES, acceleration},
    {"ground/displacement", "m", "displacement of the ground", AXES, ground_displacement},
    {"ground/velocity", "m/s", "velocity of the ground", AXES, ground_velocity},
    {"ground/acceleration", "m/s^2", "acceleration of the ground", AXES, ground_acceleration},
    {"base_shear", "N",
     "rate of the absolute momentum along each ground acceleration: what supports, and other forces along "
     "it, "
     "put on the model",
     GROUNDS, base_shear},
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
                                                     .owner = absolute});
}

static sg_status factor_mass(struct sg_absolute *absolute, struct sg_error *err)
{
    static const double weight[3] = {1, 0, 0};
    const struct sg_matrix *M = &absolute->system->M;
    const struct sg_mck mck = {M, M, M};
    struct sg_factor_layout layout = sg_factor_layout_for(&mck);
    if (layout.kind == SG_SPARSE) TRY(sg_symbolic_create(&mck, false, &absolute->symbolic, err));
    layout.symbolic = absolute->symbolic;
    TRY(sg_factor_init(&absolute->mass, &layout, err));
    return sg_factor_compute(&absolute->mass, &mck, weight, err);
}

sg_status sg_absolute_prepare(struct sg_absolute *absolute, struct sg_error *err)
{
    if (absolute->system->ground_count == 0) return SG_OK;
    TRY(SG_NEW(&absolute->force, absolute->system->n, err));
    TRY(SG_NEW(&absolute->full, absolute->system->n_full, err));
    TRY(SG_NEW(&absolute->frame, 1, err));
    TRY(sg_contact_frame_init(absolute->frame, absolute->contacts, err));
    return factor_mass(absolute, err);
}

void sg_absolute_release(struct sg_absolute *absolute)
{
    if (absolute->frame != NULL) sg_contact_frame_release(absolute->frame);
    sg_free(absolute->frame);
    sg_factor_release(&absolute->mass);
    sg_symbolic_destroy(absolute->symbolic);
    sg_free(absolute->force);
    sg_free(absolute->full);
    *absolute = (struct sg_absolute){0};
}
