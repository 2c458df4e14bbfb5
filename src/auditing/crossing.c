#include "auditing/crossing.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SIZES_EVERY = 8 }; /* steps */

/* --- sums ----------------------------------------------------------------------------------------- */

/* sum of x along the axes; `absolute`: of its entries' sizes */
static void sum_along(const struct sg_balance_watch *watch, const double *x, bool absolute, double sum[3])
{
    sum[0] = sum[1] = sum[2] = 0.0;
    for (size_t d = 0; d < watch->system->dim; d++) {
        const double *r = watch->direction + d * watch->n;
        for (size_t i = 0; i < watch->n; i++) sum[d] += absolute ? fabs(r[i] * x[i]) : r[i] * x[i];
    }
}

/* what an entry x of free dof i gives about the axes through the centre; `absolute`: the sizes of its parts
 */
static void add_about(const struct sg_balance_watch *watch, size_t i, double x, bool absolute, double sum[3])
{
    const struct sg_system *system = watch->system;
    struct sg_dof_place place = system->places[system->free_dof[i]];
    if (place.axis == SG_ROTATION) {
        sum[2] += absolute ? fabs(x) : x;
        return;
    }
    size_t at = system->first_dof[place.node], b = (size_t)(place.axis + 1) % 3,
           c = (size_t)(place.axis + 2) % 3;
    double along_b = b < system->dim ? watch->place[at + b] - watch->center[b] : 0.0,
           along_c = c < system->dim ? watch->place[at + c] - watch->center[c] : 0.0;
    sum[b] += absolute ? fabs(along_c * x) : along_c * x;
    sum[c] += absolute ? fabs(along_b * x) : -along_b * x;
}

/* modal coordinates have no places, and nothing turns in one dimension */
static bool turns(const struct sg_balance_watch *watch)
{
    return watch->system->dim > 1 && watch->system->modal == NULL;
}

static void sum_about(const struct sg_balance_watch *watch, const double *x, bool absolute, double sum[3])
{
    sum[0] = sum[1] = sum[2] = 0.0;
    for (size_t i = 0; turns(watch) && i < watch->n; i++) add_about(watch, i, x[i], absolute, sum);
}

static double largest_of(const double sum[3])
{
    return fmax(sum[0], fmax(sum[1], sum[2]));
}

/* --- the step's end ------------------------------------------------------------------------------- */

static void place_nodes(struct sg_balance_watch *watch, double t, const double *u)
{
    const struct sg_system *system = watch->system;
    if (!turns(watch)) return;
    sg_system_expand(system, u, t, 0, watch->place);
    for (size_t i = 0; i < system->n_full; i++) watch->place[i] += system->reference[i];
}

/* Loads and internal forces over a step of a staggered scheme are those of its end, dampers at the mean of
 * the velocities around it. */
static void cross_staggered(struct sg_balance_watch *watch, const struct sg_snapshot *now, double h)
{
    const struct sg_system *system = watch->system;
    memcpy(watch->middle_u, now->u, watch->n * sizeof(double));
    for (size_t i = 0; i < watch->n; i++) watch->middle_v[i] = 0.5 * (watch->v0[i] + now->v[i]);
    sg_system_internal(system, now->t, now->u, watch->middle_v, watch->inner);
    sg_system_load(system, now->t, watch->load);
    for (size_t i = 0; i < watch->n; i++) {
        double force = watch->load[i] - watch->inner[i];
        watch->defect[i] = watch->momentum1[i] - watch->momentum0[i] - h * force;
    }
}

static void cross_by_simpson(struct sg_balance_watch *watch, double h)
{
    const struct sg_system *system = watch->system;
    double middle = watch->t0 + 0.5 * h, *force = watch->middle_force;
    sg_system_load(system, middle, force);
    sg_system_internal(system, middle, watch->middle_u, watch->middle_v, watch->simpson);
    for (size_t i = 0; i < watch->n; i++) {
        double mean = (watch->force0[i] + 4.0 * (force[i] - watch->simpson[i]) + watch->force1[i]) / 6.0;
        watch->simpson[i] = watch->momentum1[i] - watch->momentum0[i] - h * mean;
    }
}

/* The cubic through both ends has no meaning where velocities jump: there the mean is taken. */
static void cross_whole(struct sg_balance_watch *watch, const struct sg_snapshot *now, double h, bool jumps)
{
    const struct sg_system *system = watch->system;
    const double *u1 = now->u, *v1 = now->v;
    for (size_t i = 0; i < watch->n; i++) {
        double bend = jumps ? 0.0 : h / 8.0 * (watch->v0[i] - v1[i]);
        watch->middle_u[i] = 0.5 * (watch->u0[i] + u1[i]) + bend;
        watch->middle_v[i] = jumps ? 0.5 * (watch->v0[i] + v1[i])
                                   : 1.5 * (u1[i] - watch->u0[i]) / h - 0.25 * (watch->v0[i] + v1[i]);
    }
    sg_system_internal(system, now->t, u1, v1, watch->inner);
    sg_system_load_before(system, now->t, watch->load);
    for (size_t i = 0; i < watch->n; i++) {
        watch->force1[i] = watch->load[i] - watch->inner[i];
        watch->defect[i] =
            watch->momentum1[i] - watch->momentum0[i] - 0.5 * h * (watch->force0[i] + watch->force1[i]);
    }
    if (jumps) return;
    cross_by_simpson(watch, h);
}

/* --- reactions ------------------------------------------------------------------------------------ */

/* N s by both rules, of a contact whose force alone is told */
static void impulse_of_force(const struct sg_balance_watch *watch, const struct sg_snapshot *now, size_t j,
                             double h, double impulse[2])
{
    const struct sg_columns *w = watch->frame.normal;
    double f0 = watch->contact0[j], f1 = now->force[j], g0 = watch->gap0[j], g1 = now->gap[j];
    double bend = h / 8.0 * (sg_columns_dot(w, j, watch->v0) - sg_columns_dot(w, j, now->v));
    double slope = fabs(g1 - g0) > 1e-6 * (fabs(g0) + fabs(g1))
                       ? (f1 - f0) / (g1 - g0)
                       : -sg_law_stiffness(&watch->contacts->laws[j]);
    double middle = f0 > 0.0 || f1 > 0.0 ? fmax(0.0, 0.5 * (f0 + f1) + slope * bend) : 0.0;
    impulse[0] = 0.5 * h * (f0 + f1);
    impulse[1] = isfinite(middle) ? h / 6.0 * (f0 + 4.0 * middle + f1) : impulse[0];
}

struct reaction {
    const struct sg_columns *columns;
    size_t column;
    double impulse[2]; /* by both rules */
};

/* the sums of a column, and of its sizes */
struct column_sums {
    double along[3], about[3], along_size[3], about_size[3];
};

static void sum_column(const struct sg_balance_watch *watch, const struct reaction *reaction,
                       struct column_sums *sums)
{
    const struct sg_columns *w = reaction->columns;
    *sums = (struct column_sums){.along = {0.0}};
    for (size_t k = w->start[reaction->column]; k < w->start[reaction->column + 1]; k++) {
        size_t i = sg_columns_row(w, reaction->column, k);
        for (size_t d = 0; d < watch->system->dim; d++) {
            double part = watch->direction[i + d * watch->n] * w->value[k];
            sums->along[d] += part;
            sums->along_size[d] += fabs(part);
        }
        if (!turns(watch)) continue;
        add_about(watch, i, w->value[k], false, sums->about);
        add_about(watch, i, w->value[k], true, sums->about_size);
    }
}

/* Takes a reaction off both defects. What acts between bodies makes no momentum along or about anything, so
 * that it is taken off `along` alone: then what it gives about the centre is a defect. */
static void take_off(struct sg_balance_watch *watch, const struct reaction *reaction)
{
    struct column_sums sums;
    sum_column(watch, reaction, &sums);
    double most = fmax(fabs(reaction->impulse[0]), fabs(reaction->impulse[1]));
    double net = fmax(fabs(sums.along[0]), fmax(fabs(sums.along[1]), fabs(sums.along[2])));
    bool internal = net <= 1e-9 * largest_of(sums.along_size);
    watch->exchanged[0] += most * largest_of(sums.along_size);
    watch->exchanged[1] += most * largest_of(sums.about_size);
    for (size_t rule = 0; rule < 2; rule++)
        for (size_t d = 0; d < 3; d++) {
            watch->sum[rule][d] -= reaction->impulse[rule] * sums.along[d];
            if (!internal) watch->sum[rule][3 + d] -= reaction->impulse[rule] * sums.about[d];
        }
}

static bool tells_force_only(const struct sg_balance_watch *watch, size_t j)
{
    return watch->all_force_only || (watch->force_only != NULL && watch->force_only[j]);
}

static void take_off_contacts(struct sg_balance_watch *watch, const struct sg_snapshot *now, double h)
{
    for (size_t j = 0; j < watch->q; j++) {
        struct reaction reaction = {watch->frame.normal, j, {0.0, 0.0}};
        if (tells_force_only(watch, j))
            impulse_of_force(watch, now, j, h, reaction.impulse);
        else if (now->impulse != NULL)
            reaction.impulse[0] = reaction.impulse[1] = now->impulse[j] - watch->impulse0[j];
        if (reaction.impulse[0] != 0.0 || reaction.impulse[1] != 0.0) take_off(watch, &reaction);
        for (size_t k = 0; k < watch->tangents && now->friction != NULL; k++) {
            double impulse = h * now->friction[j * watch->tangents + k];
            reaction = (struct reaction){watch->frame.tangent, j * watch->tangents + k, {impulse, impulse}};
            if (impulse != 0.0) take_off(watch, &reaction);
        }
    }
    for (size_t i = 0; i < watch->m && now->constraint_impulse != NULL; i++) {
        double impulse = now->constraint_impulse[i] - watch->constraint0[i];
        struct reaction reaction = {&watch->held.G, i, {impulse, impulse}};
        if (impulse != 0.0) take_off(watch, &reaction);
    }
}

/* --- displacement and velocity -------------------------------------------------------------------- */

/* By the mean of the velocities, of a staggered scheme by that between. What the mean can't resolve: half a
 * step's way of a jump, and of smooth motion twice the error of the rule, by differences of velocity. */
static void cross_displacement(struct sg_balance_watch *watch, const struct sg_snapshot *now, bool jumps)
{
    double h = now->t - watch->t0;
    bool staggered = now->u_next != NULL;
    for (size_t i = 0; i < watch->n; i++) {
        double v0 = watch->v0[i], v1 = now->v[i], change = v1 - v0;
        double mean = staggered ? v0 : 0.5 * (v0 + v1);
        double bend = fabs(change - watch->jump0[i]);
        double fast = !staggered && fabs(v1) > fabs(v0) ? fabs(v1) : fabs(v0);
        watch->drift[i] += now->u[i] - watch->u0[i] - h * mean;
        watch->way[i] += h * fast;
        watch->unresolved[i] += 4.0 * DBL_EPSILON * (fabs(now->u[i]) + fabs(watch->u0[i]));
        if (!staggered) watch->unresolved[i] += jumps ? 0.5 * h * fabs(change) : h / 6.0 * bend;
        watch->jump0[i] = jumps ? 0.0 : change;
        if (fabs(v1) * watch->length[i] > watch->speed) watch->speed = fabs(v1) * watch->length[i];
    }
    watch->window_time += h;
}

/* What loads and internal forces would do with the lightest dof: masses by the diagonal of M. */
static void see_acceleration(struct sg_balance_watch *watch)
{
    for (size_t i = 0; i < watch->n; i++) {
        double here = fabs(watch->load[i] - watch->inner[i]) * watch->mobility[i];
        if (here > watch->acceleration) watch->acceleration = here;
    }
}

/* --- constraints ---------------------------------------------------------------------------------- */

static void see_constraints(struct sg_balance_watch *watch, const struct sg_snapshot *now)
{
    const struct sg_system *system = watch->system;
    bool staggered = now->u_next != NULL;
    if (watch->m == 0) return;
    sg_constraints_evaluate(system, now->t, now->u, &watch->held);
    for (size_t i = 0; i < watch->m; i++) {
        double size = sg_constraints_size(system, i, now->t, now->u);
        double open = size > 0.0 ? fabs(watch->held.g[i]) / size : 0.0;
        if (open > watch->constraint_position) {
            watch->constraint_position = open;
            watch->constraint_position_at = now->t;
        }
        if (staggered) continue; /* velocities are those of other places */
        double rate = fabs(sg_columns_dot(&watch->held.G, i, now->v) + watch->held.drift[i]);
        if (rate > watch->constraint_velocity) {
            watch->constraint_velocity = rate;
            watch->constraint_velocity_at = now->t;
        }
    }
}

/* --- a step --------------------------------------------------------------------------------------- */

static bool velocities_jump(const struct sg_balance_watch *watch, const struct sg_snapshot *now)
{
    bool jumps = watch->impact;
    for (size_t j = 0; j < watch->q && now->force_of_impulse && now->impulse != NULL; j++)
        jumps = jumps || now->impulse[j] != watch->impulse0[j];
    return jumps;
}

static void add_sums(struct sg_balance_watch *watch, size_t rule, const double along[3],
                     const double about[3])
{
    for (size_t d = 0; d < 3; d++) {
        watch->sum[rule][d] += along[d];
        watch->sum[rule][3 + d] += about[d];
    }
}

/* Sums of what the step leaves; where both rules are one, its sums are. */
static void add_defects(struct sg_balance_watch *watch, bool one_rule)
{
    double along[3], about[3];
    sum_along(watch, watch->defect, false, along);
    sum_about(watch, watch->defect, false, about);
    add_sums(watch, 0, along, about);
    if (!one_rule) sum_along(watch, watch->simpson, false, along);
    if (!one_rule) sum_about(watch, watch->simpson, false, about);
    add_sums(watch, 1, along, about);
}

/* The sizes of what loads and internal forces exchange in the step, and of the momentum that is there: that
 * is looked at now and then. */
static void add_sizes(struct sg_balance_watch *watch, double h)
{
    double sum[3];
    for (size_t i = 0; i < watch->n; i++)
        watch->middle_force[i] = h * (fabs(watch->load[i]) + fabs(watch->inner[i]));
    sum_along(watch, watch->middle_force, true, sum);
    watch->exchanged[0] += largest_of(sum);
    sum_about(watch, watch->middle_force, true, sum);
    watch->exchanged[1] += largest_of(sum);
    if (watch->window_steps % SIZES_EVERY != 0) return;
    sum_along(watch, watch->momentum1, true, sum);
    watch->carried[0] = fmax(watch->carried[0], largest_of(sum));
    sum_about(watch, watch->momentum1, true, sum);
    watch->carried[1] = fmax(watch->carried[1], largest_of(sum));
}

/* whether any reaction acts in the step: only then do their directions count */
static bool reacts(const struct sg_balance_watch *watch, const struct sg_snapshot *now)
{
    for (size_t j = 0; j < watch->q; j++) {
        if (now->force != NULL && (now->force[j] != 0.0 || watch->contact0[j] != 0.0)) return true;
        if (now->impulse != NULL && now->impulse[j] != watch->impulse0[j]) return true;
    }
    return false;
}

static void keep_largest(struct sg_balance_watch *watch)
{
    for (size_t rule = 0; rule < 2; rule++)
        for (size_t k = 0; k < SG_BALANCE_DIRECTIONS; k++)
            watch->largest[rule][k] = fmax(watch->largest[rule][k], fabs(watch->sum[rule][k]));
}

void sg_balance_cross(struct sg_balance_watch *watch, const struct sg_snapshot *now)
{
    bool jumps = velocities_jump(watch, now), staggered = now->u_next != NULL;
    double h = now->t - watch->t0, middle = staggered ? now->t : watch->t0 + 0.5 * h;
    double span = staggered ? sg_snapshot_velocity_time(now) - watch->velocity_time0 : h;
    watch->impact = false;
    sg_matrix_multiply(&watch->system->M, now->v, watch->momentum1);
    if (staggered)
        cross_staggered(watch, now, span);
    else
        cross_whole(watch, now, h, jumps);
    see_acceleration(watch);
    place_nodes(watch, middle, watch->middle_u);
    if (reacts(watch, now)) sg_contact_set_place(watch->contacts, middle, watch->middle_u, &watch->frame);
    if (watch->m > 0) sg_constraints_evaluate(watch->system, middle, watch->middle_u, &watch->held);
    add_defects(watch, jumps || staggered);
    add_sizes(watch, span);
    take_off_contacts(watch, now, span);
    keep_largest(watch);
    cross_displacement(watch, now, jumps);
    see_constraints(watch, now);
}

void sg_balance_keep(struct sg_balance_watch *watch, const struct sg_snapshot *now, bool crossed)
{
    const struct sg_system *system = watch->system;
    size_t bytes = watch->n * sizeof(double);
    bool staggered = now->u_next != NULL;
    memcpy(watch->u0, now->u, bytes);
    memcpy(watch->v0, now->v, bytes);
    if (!crossed) sg_matrix_multiply(&system->M, now->v, watch->momentum1);
    if (!crossed && !staggered) sg_system_internal(system, now->t, now->u, now->v, watch->inner);
    memcpy(watch->momentum0, watch->momentum1, bytes);
    if (!staggered) sg_system_load(system, now->t, watch->load);
    for (size_t i = 0; i < watch->n && !staggered; i++) watch->force0[i] = watch->load[i] - watch->inner[i];
    for (size_t j = 0; j < watch->q; j++) {
        watch->gap0[j] = now->gap[j];
        watch->contact0[j] = now->force != NULL ? now->force[j] : 0.0;
        watch->impulse0[j] = now->impulse != NULL ? now->impulse[j] : 0.0;
    }
    for (size_t i = 0; i < watch->m && now->constraint_impulse != NULL; i++)
        watch->constraint0[i] = now->constraint_impulse[i];
    watch->t0 = now->t;
    watch->velocity_time0 = sg_snapshot_velocity_time(now);
}
