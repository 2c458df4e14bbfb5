#include <string.h>

#include "model/constraint.h"
#include "model/names.h"
#include "model/scratch.h"
#include "model/system.h"

/* --- fill functions; `owner` is the system -------------------------------------------------------- */

static void fill(const struct sg_system *system, const double *values, double *row)
{
    size_t m = system->constraints.count;
    if (values == NULL)
        memset(row, 0, m * sizeof *row);
    else
        memcpy(row, values, m * sizeof *row);
}

static void force(const void *owner, const struct sg_snapshot *now, double *row)
{
    fill(owner, now->constraint_force, row);
}

static void impulse(const void *owner, const struct sg_snapshot *now, double *row)
{
    fill(owner, now->constraint_impulse, row);
}

static void smooth(const void *owner, const struct sg_snapshot *now, double *row)
{
    fill(owner, now->constraint_smooth, row);
}

static void violation(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_system *system = owner;
    struct sg_constraint_frame *frame = &system->scratch->constraints;
    sg_constraints_evaluate(system, now->t, now->u, frame);
    fill(system, frame->g, row);
}

static void rate(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_system *system = owner;
    struct sg_constraint_frame *frame = &system->scratch->constraints;
    const double *u = now->u;
    if (now->u_next != NULL) {
        double *middle = system->scratch->u;
        for (size_t i = 0; i < system->n; i++) middle[i] = 0.5 * (now->u[i] + now->u_next[i]);
        u = middle;
    }
    sg_constraints_evaluate(system, sg_snapshot_velocity_time(now), u, frame);
    for (size_t i = 0; i < system->constraints.count; i++)
        row[i] = sg_columns_dot(&frame->G, i, now->v) + frame->drift[i];
}

static const struct row {
    const char *name, *unit, *description;
    void (*fill)(const void *owner, const struct sg_snapshot *now, double *row);
} quantities[] = {
    {"constraint_force", "N",
     "multiplier of each row g of a constraint, N m where g is an angle: > 0 pushes g up; by impulses: of "
     "the "
     "step, over its length",
     force},
    {"constraint_impulse", "N s", "its impulse since the start", impulse},
    {"constraint_smooth", "N",
     "of constraint_force the smooth part, at the end of the step (generalized-alpha); the rest is that of "
     "impulses",
     smooth},
    {"constraint_violation", "m", "g of each row, rad where it is an angle: 0 where it holds", violation},
    {"constraint_rate", "m/s", "its rate, of staggered schemes in the middle of the step", rate},
};

void sg_constraints_register(const struct sg_system *system, struct sg_quantities *list)
{
    if (system->constraints.count == 0) return;
    for (size_t k = 0; k < sizeof quantities / sizeof *quantities; k++)
        sg_quantities_add(list, (struct sg_quantity){.name = quantities[k].name,
                                                     .unit = quantities[k].unit,
                                                     .description = quantities[k].description,
                                                     .width = system->constraints.count,
                                                     .fill = quantities[k].fill,
                                                     .owner = system});
}
