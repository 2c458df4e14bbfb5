#include "model/constraint.h"
#include "model/expansion.h"
#include "model/names.h"
#include "model/scratch.h"
#include "model/system.h"

/* --- fill functions; `owner` is the system -------------------------------------------------------- */

static void displacement(const void *owner, const struct sg_snapshot *now, double *row)
{
    sg_system_expand(owner, now->u, now->t, 0, row);
}

static void velocity(const void *owner, const struct sg_snapshot *now, double *row)
{
    sg_system_expand(owner, now->v, sg_snapshot_velocity_time(now), 1, row);
}

static void kinetic(const void *owner, const struct sg_snapshot *now, double *row)
{
    row[0] = sg_system_kinetic(owner, now->v, sg_snapshot_velocity_time(now));
}

static void strain(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_system *system = owner;
    row[0] = now->u_next == NULL ? sg_system_strain(system, now->u, now->t)
                                 : sg_system_staggered_strain(system, now);
}

static void gravity(const void *owner, const struct sg_snapshot *now, double *row)
{
    row[0] = sg_system_gravity_energy(owner, now->u, now->t);
    if (now->u_next != NULL)
        row[0] = (row[0] + sg_system_gravity_energy(owner, now->u_next, now->t_next)) / 2;
}

double sg_system_total(const struct sg_system *system, const struct sg_snapshot *now)
{
    double parts[3];
    kinetic(system, now, &parts[0]);
    strain(system, now, &parts[1]);
    gravity(system, now, &parts[2]);
    return parts[0] + parts[1] + parts[2] + now->contact_energy;
}

static void contact(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    row[0] = now->contact_energy;
}

static void external(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    row[0] = now->external;
}

static void dissipated(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    row[0] = now->dissipated;
}

static void total(const void *owner, const struct sg_snapshot *now, double *row)
{
    row[0] = sg_system_total(owner, now);
}

static void linear_momentum(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_system *system = owner;
    for (size_t d = 0; d < system->dim; d++) {
        const double *weight = system->momentum + d * system->n;
        row[d] = 0;
        for (size_t i = 0; i < system->n; i++) row[d] += weight[i] * now->v[i];
        for (size_t m = 0; m < system->motion_count; m++)
            row[d] += system->momentum_pp[m + d * system->motion_count] *
                      sg_system_motion(system, m, sg_snapshot_velocity_time(now), 1);
    }
}

static void angular_momentum(const void *owner, const struct sg_snapshot *now, double *row)
{
    sg_system_angular_momentum(owner, now, row);
}

static void centers(const struct sg_system *system, const double *x, double t, int order, double *row)
{
    size_t width = system->names->body_count * system->dim;
    for (size_t k = 0; k < width; k++) row[k] = sg_columns_dot(&system->center, k, x);
    for (size_t m = 0; m < system->motion_count; m++) {
        double p = sg_system_motion(system, m, t, order);
        for (size_t k = 0; k < width; k++) row[k] += system->center_pp[m * width + k] * p;
    }
}

static void center_displacement(const void *owner, const struct sg_snapshot *now, double *row)
{
    centers(owner, now->u, now->t, 0, row);
}

static void center_velocity(const void *owner, const struct sg_snapshot *now, double *row)
{
    centers(owner, now->v, sg_snapshot_velocity_time(now), 1, row);
}

/* --- late rows, of modal coordinates: likewise ---------------------------------------------------- */

static size_t parts_of_one(const void *owner)
{
    return sg_expansion_parts(owner);
}

static void take_displacement(const void *owner, const struct sg_snapshot *now, double *parts)
{
    sg_expansion_take(owner, now->u, now->t, 0, parts);
}

static void take_velocity(const void *owner, const struct sg_snapshot *now, double *parts)
{
    sg_expansion_take(owner, now->v, sg_snapshot_velocity_time(now), 1, parts);
}

static void make_full(const void *owner, const double *parts, double *rows)
{
    sg_expansion_make(owner, parts, sg_expansion_parts(owner), rows);
}

/* displacements and velocities */
static size_t parts_of_both(const void *owner)
{
    return 2 * sg_expansion_parts(owner);
}

static void take_both(const void *owner, const struct sg_snapshot *now, double *parts)
{
    take_displacement(owner, now, parts);
    take_velocity(owner, now, parts + sg_expansion_parts(owner));
}

static void make_angular(const void *owner, const double *parts, double *rows)
{
    const struct sg_system *system = owner;
    size_t one = sg_expansion_parts(system), n = system->n_full, width = system->dim == 3 ? 3 : 1;
    double *u = system->scratch->late_full, *v = u + SG_LATE_ROWS * n;
    sg_expansion_make(system, parts, 2 * one, u);
    sg_expansion_make(system, parts + one, 2 * one, v);
    for (size_t k = 0; k < SG_LATE_ROWS; k++)
        sg_system_angular_momentum_of(system, u + k * n, v + k * n, rows + k * width);
}

static const struct sg_late late_displacement = {parts_of_one, take_displacement, make_full};
static const struct sg_late late_velocity = {parts_of_one, take_velocity, make_full};
static const struct sg_late late_angular = {parts_of_both, take_both, make_angular};

/* --- registration --------------------------------------------------------------------------------- */

enum width { SCALAR, DOFS, DIMENSIONS, ROTATIONS, BODIES };

static const struct row {
    const char *name, *unit, *description;
    enum width width;
    void (*fill)(const void *owner, const struct sg_snapshot *now, double *row);
    const struct sg_late *late;
} quantities[] = {
    {"displacement", "m", "displacement of all dofs, prescribed ones included", DOFS, displacement,
     &late_displacement},
    {"velocity", "m/s", "velocity of all dofs, prescribed ones included", DOFS, velocity, &late_velocity},
    {"energy/kinetic", "J", "kinetic energy", SCALAR, kinetic, NULL},
    {"energy/strain", "J", "strain energy of bodies and springs", SCALAR, strain, NULL},
    {"energy/gravity", "J", "potential of gravity, 0 in the reference configuration", SCALAR, gravity, NULL},
    {"energy/contact", "J", "energy stored in elastic contacts", SCALAR, contact, NULL},
    {"energy/external", "J", "accumulated work of loads (gravity excluded) and support motion", SCALAR,
     external, NULL},
    {"energy/dissipated", "J", "accumulated loss by damping, friction and impact", SCALAR, dissipated, NULL},
    {"energy/total", "J", "kinetic + strain + gravity + contact", SCALAR, total, NULL},
    {"momentum/linear", "kg m/s", "linear momentum, prescribed dofs included", DIMENSIONS, linear_momentum,
     NULL},
    {"momentum/angular", "kg m^2/s", "angular momentum about the origin", ROTATIONS, angular_momentum,
     &late_angular},
    {"center/displacement", "m", "mass-weighted mean displacement of each body", BODIES, center_displacement,
     NULL},
    {"center/velocity", "m/s", "mass-weighted mean velocity of each body", BODIES, center_velocity, NULL},
};

/* wider histories are recorded only when the deck names them */
enum { WIDTH_BY_DEFAULT = 1000 };

static size_t width_of(const struct sg_system *system, enum width width)
{
    switch (width) {
    case DOFS:
        return system->n_full;
    case DIMENSIONS:
        return system->dim;
    case BODIES:
        return system->names->body_count * system->dim;
    case ROTATIONS:
        return system->dim == 3 ? 3 : 0;
    case SCALAR:
        break;
    }
    return 0;
}

static bool rotates(const struct sg_system *system)
{
    return system->n_full > system->dim * system->labels.node_count;
}

/* rotations stand between displacements */
static const char *unit_of(const struct sg_system *system, const struct row *row)
{
    if (row->width != DOFS || !rotates(system)) return row->unit;
    return row->fill == displacement ? "m, rad" : "m/s, rad/s";
}

static struct sg_field field_of(const struct sg_system *system, enum width width)
{
    static const char *const axes[] = {"", "x", "x,y", "x,y,z"};
    if (width != DOFS) return (struct sg_field){0};
    if (rotates(system)) return (struct sg_field){"dofs", "x,y,rotation"};
    return (struct sg_field){"nodes", axes[system->dim]};
}

/* in one dimension nothing turns */
static const struct sg_late *late_of(const struct sg_system *system, const struct row *row)
{
    return row->width == ROTATIONS && system->dim == 1 ? NULL : row->late;
}

void sg_system_register(const struct sg_system *system, struct sg_quantities *list)
{
    for (size_t k = 0; k < sizeof quantities / sizeof *quantities; k++) {
        size_t width = width_of(system, quantities[k].width);
        sg_quantities_add(list, (struct sg_quantity){.name = quantities[k].name,
                                                     .unit = unit_of(system, &quantities[k]),
                                                     .description = quantities[k].description,
                                                     .width = width,
                                                     .on_request = width > WIDTH_BY_DEFAULT,
                                                     .fill = quantities[k].fill,
                                                     .late = late_of(system, &quantities[k]),
                                                     .field = field_of(system, quantities[k].width),
                                                     .owner = system});
    }
    sg_aspects_add_quantities(&system->aspects, list);
    sg_constraints_register(system, list);
}
