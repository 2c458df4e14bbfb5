#include "auditing/recorded.h"

#include <math.h>
#include <string.h>

#include "auditing/judge.h"

/* --- differences ---------------------------------------------------------------------------------- */

void sg_difference_take(struct sg_difference *difference, double recorded, double computed, double t)
{
    double off = fabs(recorded - computed);
    difference->seen = true;
    difference->size = fmax(difference->size, fmax(fabs(recorded), fabs(computed)));
    if (isnan(off)) off = HUGE_VAL;
    if (off <= difference->largest) return;
    difference->largest = off;
    difference->t = t;
}

double sg_difference_share(const struct sg_difference *difference, double size)
{
    if (difference->largest == HUGE_VAL) return HUGE_VAL;
    return difference->largest > 0.0 ? difference->largest / size : 0.0;
}

/* --- momenta -------------------------------------------------------------------------------------- */

/* M v with the rows of all dofs: those that are held or driven, too */
static void find_momentum(const struct sg_system *system, const double *velocity, double *p)
{
    const struct sg_triplets *mass = &system->mass_full;
    memset(p, 0, system->n_full * sizeof *p);
    for (size_t k = 0; k < mass->count; k++) {
        size_t i = mass->row[k], j = mass->column[k];
        p[i] += mass->value[k] * velocity[j];
        if (i != j) p[j] += mass->value[k] * velocity[i];
    }
}

static double place(const struct sg_system *system, const double *displacement, size_t dof)
{
    return system->reference[dof] + displacement[dof];
}

/* sums over the nodes of x p_y - y p_x and its like, and of what rotations carry */
static void turn(const struct sg_system *system, const double *displacement, const double *p, double sum[3],
                 double *size)
{
    double parts = 0.0;
    for (size_t node = 0; node < system->labels.node_count; node++) {
        size_t first = system->first_dof[node], rotation = sg_system_rotation(system, node);
        for (size_t a = 0; a < system->dim; a++)
            for (size_t b = 0; b < system->dim; b++) {
                if (a == b) continue;
                double sign = (a + 1) % 3 == b ? 1.0 : -1.0;
                double part = sign * place(system, displacement, first + a) * p[first + b];
                sum[3 - a - b] += part;
                parts += fabs(part);
            }
        if (rotation != SIZE_MAX) sum[2] += p[rotation];
        if (rotation != SIZE_MAX) parts += fabs(p[rotation]);
    }
    *size = fmax(*size, parts);
}

/* by the sums of the rows of M along an axis, of free and of driven dofs; `size` grows to that of their
 * parts, since momenta of bodies that meet cancel */
static double along(const struct sg_system *system, const double *velocity, size_t axis, double *size)
{
    double sum = 0.0, parts = 0.0;
    for (size_t i = 0; i < system->n; i++) {
        double part = system->momentum[i + axis * system->n] * velocity[system->free_dof[i]];
        sum += part;
        parts += fabs(part);
    }
    for (size_t m = 0; m < system->motion_count; m++) {
        double part = system->momentum_pp[m + axis * system->motion_count] * velocity[system->motions[m].dof];
        sum += part;
        parts += fabs(part);
    }
    *size = fmax(*size, parts);
    return sum;
}

static void see_momenta(struct sg_recorded_check *recorded, const struct sg_recorded_row *row)
{
    const struct sg_system *system = recorded->model->job.system;
    double about[3] = {0.0};
    if (row->velocity == NULL) return;
    for (size_t d = 0; row->linear != NULL && d < system->dim; d++)
        sg_difference_take(&recorded->linear, row->linear[d],
                           along(system, row->velocity, d, &recorded->linear.size), row->t);
    if (row->angular == NULL || system->dim < 2) return;
    find_momentum(system, row->velocity, recorded->momentum);
    turn(system, row->displacement, recorded->momentum, about, &recorded->angular.size);
    for (size_t k = 0; k < (system->dim == 3 ? 3 : 1); k++)
        sg_difference_take(&recorded->angular, row->angular[k], about[system->dim == 3 ? k : 2], row->t);
}

/* --- contact forces ------------------------------------------------------------------------------- */

static void see_forces(struct sg_recorded_check *recorded, const struct sg_recorded_row *row)
{
    static const double blank[SG_LAW_MEMORY] = {0.0};
    const struct sg_rebuilt *model = recorded->model;
    const struct sg_contact_set *set = model->job.contacts;
    if (row->force == NULL || model->own_systems) return;
    for (size_t j = 0; j < set->q; j++) {
        bool elastic = set->sprung[j] && !model->stepping, pushed = !model->springs && model->stepping;
        if (elastic && row->gap != NULL) {
            struct sg_law_point at = {.gap = row->gap[j], .memory = blank};
            sg_difference_take(&recorded->force, row->force[j],
                               set->laws[j].ops->at(&set->laws[j], &at).value, row->t);
        }
        if (pushed && row->impulse != NULL && row->h > 0.0)
            sg_difference_take(&recorded->force, row->force[j], row->impulse[j] / row->h, row->t);
    }
}

/* --- all ------------------------------------------------------------------------------------------ */

sg_status sg_recorded_init(struct sg_arena *arena, struct sg_recorded_check *recorded,
                           const struct sg_rebuilt *model, struct sg_error *err)
{
    *recorded = (struct sg_recorded_check){.model = model};
    return SG_ARENA_NEW(arena, &recorded->momentum, model->job.system->n_full, err);
}

void sg_recorded_see(struct sg_recorded_check *recorded, const struct sg_recorded_row *row)
{
    see_momenta(recorded, row);
    see_forces(recorded, row);
}

/* a finding: its name, what it compares and the unit of that */
struct finding {
    const char *name, *what, *unit;
};

static void add(struct sg_audit_list *list, const struct finding *finding,
                const struct sg_difference *difference, struct sg_limits limits)
{
    if (!difference->seen) return;
    sg_audit_add(list, finding->name, sg_difference_share(difference, difference->size), limits,
                 "%s: up to %.3g %s at t = %.4g s", finding->what, difference->largest, finding->unit,
                 difference->t);
}

/* Rows between the steps of an event-driven run have force and gap by curves of their own. */
void sg_recorded_conclude(const struct sg_recorded_check *recorded, struct sg_audit_list *list)
{
    static const struct sg_limits limits = {SG_ROUNDING_SHARE, 1e-6, 1e-3},
                                  between = {SG_ROUNDING_SHARE, 1e-3, 5e-3};
    static const struct finding linear = {"recorded_momentum", "the momentum less that of the velocities",
                                          "kg m/s"},
                                angular = {"recorded_angular_momentum",
                                           "the angular momentum less that of places and velocities",
                                           "kg m^2/s"},
                                pushed = {"recorded_force",
                                          "contact forces less impulses over the time of their rows", "N"},
                                elastic = {"recorded_force",
                                           "contact forces less those of their laws at the gaps", "N"};
    bool stepping = recorded->model->stepping;
    add(list, &linear, &recorded->linear, limits);
    add(list, &angular, &recorded->angular, limits);
    add(list, stepping ? &pushed : &elastic, &recorded->force, stepping ? limits : between);
}
