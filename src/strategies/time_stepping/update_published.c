/* The update as it is published, as corrected in docs/implicit.md: by the nodes in contact, each for itself.
 * Of the states of the same time
 *
 *     *   end of the step with contacts held: u stays
 *     -   end of the same step without contacts
 *     +   what `-` becomes by an impact with restitution: u+ = u-,  v+ = v- + ML^-1 G J
 *
 * the way from + to * costs work, (1/2) mL (v*^2 - v+^2) = -(1/2) (u* - u+)(r* + r+) in each direction of the
 * nodes in contact, their normals first, r = K u - f. Speeds along normals are relative to obstacles. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "strategies/time_stepping/update.h"

/* --- memory --------------------------------------------------------------------------------------- */

/* row sums of M: the momentum of a motion along the dof's axis */
static sg_status lump(struct sg_time_stepping *ts, struct sg_error *err)
{
    const struct sg_system *system = ts->run.system;
    TRY(SG_ARENA_NEW(&ts->arena, &ts->update.mass, ts->n, err));
    for (size_t i = 0; i < ts->n; i++) {
        double mass = sg_system_row_mass(system, i);
        ts->update.mass[i] = mass;
        if (mass > 0.0) continue;
        sg_complain_about(ts->run.diagnostics, SG_ERROR,
                          sg_setting_child(sg_deck_root(ts->run.deck), "strategy"), "update",
                          "the mass can't be lumped: its row of '%s' sums up to %g kg",
                          sg_system_dof_name(system, i), mass);
        FAIL(err, SG_BAD_DECK, "the deck can't be run with the update");
    }
    return SG_OK;
}

static sg_status init(struct sg_time_stepping *ts, struct sg_error *err)
{
    TRY(SG_ARENA_NEW(&ts->arena, &ts->update.struck, ts->q, err));
    TRY(SG_ARENA_NEW(&ts->arena, &ts->update.rate, ts->q, err));
    return lump(ts, err);
}

/* --- reflection ----------------------------------------------------------------------------------- */

static bool is_struck(const struct sg_time_stepping *ts, size_t j)
{
    return ts->update.struck[j] != 0;
}

/* the struck contacts that approach in `-` into the list, what an impact adds to their velocities into ts->b
 */
static void list_approaching(struct sg_time_stepping *ts)
{
    ts->count = 0;
    for (size_t j = 0; j < ts->q; j++) {
        double rate = sg_columns_dot(ts->frame.normal, j, ts->update.free.v) + ts->frame.drift[j];
        ts->listed[j] = is_struck(ts, j) && rate < 0.0;
        if (!ts->listed[j]) continue;
        ts->b[ts->count] = sg_law_jump(&ts->run.contacts->laws[j], rate);
        ts->list[ts->count++] = j;
    }
}

/* ts->h = G^T ML^-1 G of the list. ts->jump.dv is zero before and after. */
static void gram(struct sg_time_stepping *ts)
{
    const struct sg_columns *w = ts->frame.normal;
    const double plus[2] = {1.0, 0.0}, minus[2] = {-1.0, 0.0};
    struct sg_split inverse = {ts->scratch_u, NULL}, column = {ts->jump.dv, NULL};
    for (size_t i = 0; i < ts->n; i++) ts->scratch_u[i] = 1.0 / ts->update.mass[i];
    memset(ts->jump.dv, 0, ts->n * sizeof(double));
    for (size_t k = 0; k < ts->count; k++) {
        sg_columns_add_scaled(w, ts->list[k], plus, inverse, column);
        for (size_t i = 0; i < ts->count; i++)
            ts->h[k * ts->count + i] = sg_columns_dot(w, ts->list[i], ts->jump.dv);
        sg_columns_add_scaled(w, ts->list[k], minus, inverse, column);
    }
}

/* 0 <= h r + b  _|_  r >= 0 of the list, ts->h and ts->b, into ts->packed */
static sg_status solve_impulses(struct sg_time_stepping *ts, const char *what, double t1,
                                struct sg_error *err)
{
    struct sg_contact_problem problem = {.count = ts->count, .h = ts->h, .b = ts->b};
    struct sg_contact_report report;
    memset(ts->packed, 0, ts->count * sizeof(double));
    sg_status status = sg_contact_solve(&ts->solver, &problem, ts->packed, &report, err);
    if (status == SG_OK) return SG_OK;
    struct sg_error why = *err;
    FAIL(err, status, "%s at t = %.17g s: %s", what, t1, why.text);
}

/* Impulses J of the list and what restitution takes; ts->update.free.v becomes v+. An impulse that would pull
 * is dropped and the rest found anew: 0 <= H J + (1 + e) G v-  _|_  J >= 0. */
static sg_status reflect(struct sg_time_stepping *ts, double t1, struct sg_error *err)
{
    struct sg_stepping_update *update = &ts->update;
    if (ts->count == 0) return SG_OK;
    gram(ts);
    TRY(solve_impulses(ts, "reflection", t1, err));
    for (size_t i = 0; i < ts->count; i++) {
        size_t j = ts->list[i];
        const double impulse[2] = {ts->packed[i], 0.0};
        const struct sg_law *law = &ts->run.contacts->laws[j];
        struct sg_split inverse = {ts->scratch_u, NULL}, v = {update->free.v, NULL};
        update->dissipated += sg_law_impact_loss(law, ts->b[i], ts->packed[i]);
        sg_columns_add_scaled(ts->frame.normal, j, impulse, inverse, v);
    }
    return SG_OK;
}

/* --- work ----------------------------------------------------------------------------------------- */

static void mark_node(const struct sg_system *system, size_t i, double *marked)
{
    int node = system->places[system->free_dof[i]].node;
    for (size_t full = system->first_dof[node]; full < system->first_dof[node + 1]; full++) {
        size_t dof = system->free_of_full[full];
        if (dof != SIZE_MAX) marked[dof] = 1.0;
    }
}

/* marked (n) = 1 at the dofs of nodes in contact */
static void mark(const struct sg_time_stepping *ts, double *marked)
{
    const struct sg_columns *w = ts->frame.normal;
    memset(marked, 0, ts->n * sizeof *marked);
    for (size_t j = 0; j < ts->q; j++) {
        if (!is_struck(ts, j)) continue;
        for (size_t k = w->start[j]; k < w->start[j + 1]; k++)
            if (w->value[k] != 0.0) mark_node(ts->run.system, w->row[k], marked);
    }
}

/* w+ and its squared change by work to w*, the sign kept; *lacking the kinetic energy below zero */
static double adjusted(double w, double held, double change, double *lacking)
{
    double square = w * w + change, noise = 64.0 * DBL_EPSILON * (w * w + fabs(change));
    *lacking = square < -noise ? -square : 0.0;
    return square > noise ? copysign(sqrt(square), w != 0.0 ? w : held) : 0.0;
}

enum { NODE_DOFS = 6 };

/* A node in contact, all in units in which its masses are 1: v sqrt(m), u sqrt(m), f / sqrt(m). */
struct node {
    size_t count, dof[NODE_DOFS];
    double root[NODE_DOFS];                  /* sqrt(m) */
    double v[NODE_DOFS], held[NODE_DOFS];    /* v+, which becomes v*; that of the step with contacts */
    double way[NODE_DOFS], force[NODE_DOFS]; /* u* - u+; mean of -r at both */
    double axis[NODE_DOFS][NODE_DOFS];       /* orthonormal directions that are adjusted already */
    size_t axes;
};

/* of the node of dof i, `sum` (n) = r* + r+; its dofs are marked no longer */
static void open_node(const struct sg_time_stepping *ts, size_t i, const double *sum, double *marked,
                      struct node *node)
{
    const struct sg_system *system = ts->run.system;
    int number = system->places[system->free_dof[i]].node;
    *node = (struct node){0};
    for (size_t full = system->first_dof[number]; full < system->first_dof[number + 1]; full++) {
        size_t dof = system->free_of_full[full], k = node->count;
        if (dof == SIZE_MAX || k == NODE_DOFS) continue;
        double root = sqrt(ts->update.mass[dof]);
        node->dof[k] = dof;
        node->root[k] = root;
        node->v[k] = root * ts->update.free.v[dof];
        node->held[k] = root * ts->to.v[dof];
        node->way[k] = root * (ts->to.u[dof] - ts->update.free.u[dof]);
        node->force[k] = -0.5 * sum[dof] / root;
        node->count++;
        marked[dof] = 0.0;
    }
}

static double dot(const struct node *node, const double *a, const double *b)
{
    double sum = 0.0;
    for (size_t k = 0; k < node->count; k++) sum += a[k] * b[k];
    return sum;
}

/* The part of a direction that is not adjusted already becomes an axis; NULL where next to nothing is left,
 * which would be rounding. */
static const double *add_axis(struct node *node, const double *direction)
{
    double *axis = node->axis[node->axes], size = sqrt(dot(node, direction, direction));
    if (node->axes == node->count || size == 0.0) return NULL;
    memcpy(axis, direction, sizeof node->axis[0]);
    for (size_t a = 0; a < node->axes; a++) {
        double along = dot(node, node->axis[a], axis);
        for (size_t k = 0; k < node->count; k++) axis[k] -= along * node->axis[a][k];
    }
    double left = sqrt(dot(node, axis, axis));
    if (left <= 1e-9 * size) return NULL;
    for (size_t k = 0; k < node->count; k++) axis[k] /= left;
    node->axes++;
    return axis;
}

/* `drift`, `pull`: velocity and acceleration of the obstacle away from the node, along the axis */
static void adjust_along(struct sg_stepping_update *update, struct node *node, const double *axis,
                         double drift, double pull)
{
    double before = dot(node, axis, node->v) + drift, lacking = 0.0;
    double change = 2.0 * (dot(node, axis, node->force) + pull) * dot(node, axis, node->way);
    double after = adjusted(before, dot(node, axis, node->held) + drift, change, &lacking);
    for (size_t k = 0; k < node->count; k++) node->v[k] += (after - before) * axis[k];
    if (lacking > 0.0) update->nonphysical++;
    update->dissipated -= 0.5 * lacking;
}

/* w_j of the node, and its part in w . ML^-1 w of the whole contact */
static double direction_of(const struct sg_time_stepping *ts, const struct node *node, size_t j,
                           double direction[NODE_DOFS])
{
    const struct sg_columns *w = ts->frame.normal;
    double own = 0.0, whole = 0.0;
    memset(direction, 0, NODE_DOFS * sizeof *direction);
    for (size_t e = w->start[j]; e < w->start[j + 1]; e++) {
        whole += w->value[e] * w->value[e] / ts->update.mass[w->row[e]];
        for (size_t k = 0; k < node->count; k++)
            if (w->row[e] == node->dof[k]) direction[k] = w->value[e] / node->root[k];
    }
    own = dot(node, direction, direction);
    return own > 0.0 ? own / whole : 0.0;
}

/* A node's directions: the normals of its contacts, relative to obstacles that move, and that of the rest of
 * its way. In all others nothing was done, and v+ stays. */
static void adjust_node(struct sg_time_stepping *ts, struct node *node, double h)
{
    double direction[NODE_DOFS];
    for (size_t j = 0; j < ts->q; j++) {
        if (!is_struck(ts, j)) continue;
        double share = direction_of(ts, node, j, direction);
        if (share == 0.0) continue;
        double scale = share / sqrt(dot(node, direction, direction));
        const double *axis = add_axis(node, direction);
        if (axis != NULL)
            adjust_along(&ts->update, node, axis, scale * ts->frame.drift[j],
                         scale * (ts->frame.drift[j] - ts->drift_before[j]) / h);
    }
    const double *rest = add_axis(node, node->way);
    if (rest != NULL) adjust_along(&ts->update, node, rest, 0.0, 0.0);
    for (size_t k = 0; k < node->count; k++) ts->to.v[node->dof[k]] = node->v[k] / node->root[k];
}

/* ts->to.v of the marked nodes. What stopped directions lack is no loss by restitution. */
static void adjust(struct sg_time_stepping *ts, const struct sg_stepping *step, double *marked)
{
    struct sg_stepping_update *update = &ts->update;
    double *sum = ts->scratch_u, t1 = step->attempt.span.t + step->attempt.span.h;
    struct node node;
    sg_update_force(ts, t1, ts->to.u, sum);
    sg_update_force(ts, t1, update->free.u, ts->previous_v);
    for (size_t i = 0; i < ts->n; i++) sum[i] += ts->previous_v[i];
    for (size_t i = 0; i < ts->n; i++) {
        if (marked[i] == 0.0) continue;
        open_node(ts, i, sum, marked, &node);
        adjust_node(ts, &node, step->attempt.span.h);
    }
    update->dissipated = fmax(update->dissipated, 0.0);
}

/* --- what is told --------------------------------------------------------------------------------- */

static void list_struck(struct sg_time_stepping *ts)
{
    ts->count = 0;
    for (size_t j = 0; j < ts->q; j++) {
        ts->listed[j] = is_struck(ts, j);
        if (ts->listed[j]) ts->list[ts->count++] = j;
    }
}

/* The impulses of the whole step: those that turn v- of the step without contacts into the v* that the update
 * leaves, (G^T ML^-1 G) r = G^T (v* - v-), none of which pulls. J alone is not what acted: of a body at rest,
 * which arrives with g h, it is (1 + e) m g h, and the work on the way back takes e m g h of it. */
static sg_status find_impulses(struct sg_time_stepping *ts, double t1, struct sg_error *err)
{
    list_struck(ts);
    sg_stepping_rates(ts, ts->to.v, ts->frame.drift, ts->b);
    for (size_t i = 0; i < ts->count; i++) ts->b[i] = ts->update.rate[i] - ts->b[i];
    gram(ts);
    TRY(solve_impulses(ts, "the impulses of the update", t1, err));
    for (size_t i = 0; i < ts->count; i++) ts->update.impulse[ts->list[i]] = ts->packed[i];
    return SG_OK;
}

/* --- the form ------------------------------------------------------------------------------------- */

static sg_status apply(struct sg_time_stepping *ts, const struct sg_stepping *step, struct sg_error *err)
{
    struct sg_stepping_update *update = &ts->update;
    double t1 = step->attempt.span.t + step->attempt.span.h;
    memcpy(update->struck, ts->listed, ts->q);
    sg_stepping_rates(ts, update->free.v, ts->frame.drift, update->rate);
    list_approaching(ts);
    TRY(reflect(ts, t1, err));
    mark(ts, update->free.a);
    adjust(ts, step, update->free.a);
    return find_impulses(ts, t1, err);
}

const struct sg_update_form sg_update_published = {init, apply};
