/* The normal of a step: a column w that gives the change of a curved gap between two states exactly,
 *
 *     w . (u1 - u0) = g(u1) - g(u0),
 *
 * so that the work of a force along it is what energies say. All is found for the points that touch,
 * p = x + R(theta) s, which are lengths alike: metres and radians are never added. A point goes by
 *
 *     p1 - p0 = x1 - x0 + (theta1 - theta0) f z x R(theta_m) s,     f = sin(d/2) / (d/2),  d = theta1 -
 * theta0,
 *
 * exactly, theta_m the mean angle, so that with the gradient G of the gap by the point the rotation's entry
 * is f (R(theta_m) s x G). G stands at the mean points p_m. Distances r between two points, or from a fixed
 * one, have
 *
 *     r1 - r0 = (|r1|^2 - |r0|^2) / (|r1| + |r0|) = 2 r_m . (r1 - r0) / (|r1| + |r0|):
 *
 * the mean normal times 2 |r_m| / (|r1| + |r0|), which makes no angular momentum. Of other gaps G is turned
 * by the least that does it (Gonzalez 1996), along the change of the points without its rigid part about p_m
 * where the gap is one among nodes: sums and moments of G stay 0, whatever motion the nodes share. Without
 * such a change the points' distances are the same, and so is the gap. */
#include <float.h>
#include <math.h>

#include "contact/gaps/gap.h"

struct secant {
    size_t dim, nodes;
    double mean[SG_GAP_DOFS], change[SG_GAP_DOFS]; /* m: of the points */
    double gradient[SG_GAP_DOFS];                  /* 1: G */
    double arm[SG_GAP_NODES][2];                   /* m: f R(theta_m) s */
};

static double displacement(const double *u, size_t dof)
{
    return dof == SIZE_MAX ? 0.0 : u[dof];
}

/* the point of node k in its axes, turned by an angle */
static void turn(const struct sg_gap_node *node, double angle, double out[2])
{
    double c = cos(angle), s = sin(angle);
    out[0] = c * node->point[0] - s * node->point[1];
    out[1] = s * node->point[0] + c * node->point[1];
}

static void add_arm(const struct sg_gap *gap, size_t k, const double *u0, const double *u1, struct secant *is)
{
    const struct sg_gap_node *node = &gap->node[k];
    if (node->point[0] == 0.0 && node->point[1] == 0.0) return;
    double from = displacement(u0, node->rotation), to = displacement(u1, node->rotation),
           half = 0.5 * (to - from);
    double shrink = half == 0.0 ? 1.0 : sin(half) / half, *arm = is->arm[k];
    turn(node, 0.5 * (from + to), arm);
    for (size_t d = 0; d < 2; d++) is->mean[k * is->dim + d] += cos(half) * arm[d];
    for (size_t d = 0; d < 2; d++) arm[d] *= shrink;
    is->change[k * is->dim] -= 2.0 * half * arm[1];
    is->change[k * is->dim + 1] += 2.0 * half * arm[0];
}

/* points of the nodes, by the displacements of their dofs */
static void set_points(const struct sg_gap *gap, const size_t *dof, const double *u0, const double *u1,
                       struct secant *is)
{
    for (size_t i = 0; i < is->nodes * is->dim; i++) {
        double from = displacement(u0, dof[i]), to = displacement(u1, dof[i]);
        is->mean[i] = gap->reference[i] + 0.5 * (from + to);
        is->change[i] = to - from;
    }
    for (size_t k = 0; k < gap->node_count; k++) add_arm(gap, k, u0, u1, is);
}

/* 1: mean distance by the mean of the distances at the ends; 0 where the gap is none of a distance */
static double stretch_of(const struct sg_gap *gap, const struct secant *is, double curvature)
{
    double radius[2];
    for (size_t end = 0; end < 2; end++) {
        double x[SG_GAP_DOFS] = {0};
        struct sg_gap_value value = {0};
        for (size_t i = 0; i < is->nodes * is->dim; i++)
            x[i] = is->mean[i] + (end == 0 ? -0.5 : 0.5) * is->change[i];
        gap->ops->at(gap, x, &value);
        if (value.curvature == 0.0 || curvature == 0.0) return 0.0;
        radius[end] = 1.0 / value.curvature;
    }
    return 2.0 / curvature / (radius[0] + radius[1]);
}

/* takes the translation that all points share from `change`, and in a plane the turn about their mean places
 */
static void remove_rigid(const struct secant *is, bool turned, double *change)
{
    double center[2][SG_GAP_AXES] = {{0}}, moment = 0.0, inertia = 0.0;
    size_t n = is->nodes, dim = is->dim;
    for (size_t i = 0; i < n * dim; i++) {
        center[0][i % dim] += is->mean[i] / (double)n;
        center[1][i % dim] += change[i] / (double)n;
    }
    for (size_t i = 0; i < n * dim; i++) change[i] -= center[1][i % dim];
    if (dim != 2 || !turned) return;
    for (size_t k = 0; k < n; k++) {
        double x = is->mean[2 * k] - center[0][0], y = is->mean[2 * k + 1] - center[0][1];
        moment += x * change[2 * k + 1] - y * change[2 * k];
        inertia += x * x + y * y;
    }
    double spin = inertia > 0.0 ? moment / inertia : 0.0;
    for (size_t k = 0; k < n; k++) {
        change[2 * k] += spin * (is->mean[2 * k + 1] - center[0][1]);
        change[2 * k + 1] -= spin * (is->mean[2 * k] - center[0][0]);
    }
}

/* `wanted` m: the change of the gap; what is missing within the rounding of the places is no reason to turn
 */
static void turn_gradient(struct secant *is, const double *along, double wanted)
{
    double lack = wanted, square = 0.0, size = 0.0;
    for (size_t i = 0; i < is->nodes * is->dim; i++) {
        lack -= is->gradient[i] * is->change[i];
        square += along[i] * along[i];
        size += fabs(is->mean[i]) + fabs(is->change[i]);
    }
    if (!(square > 0.0) || fabs(lack) <= 4.0 * DBL_EPSILON * size) return;
    for (size_t i = 0; i < is->nodes * is->dim; i++) is->gradient[i] += lack / square * along[i];
}

static void write(const struct sg_gap *gap, const struct secant *is, const size_t *dof, struct sg_columns *w,
                  size_t j)
{
    size_t next = w->start[j];
    bool sought = gap->ops->seek != NULL;
    for (size_t i = 0; i < is->nodes * is->dim; i++) {
        if (dof[i] != SIZE_MAX) w->value[next] = is->gradient[i];
        if (dof[i] != SIZE_MAX || sought) next++;
    }
    for (size_t k = 0; k < gap->node_count && !sought; k++) {
        const struct sg_gap_node *node = &gap->node[k];
        if (node->rotation == SIZE_MAX || (node->point[0] == 0.0 && node->point[1] == 0.0)) continue;
        const double *g = is->gradient + k * is->dim;
        w->value[next++] = is->arm[k][0] * g[1] - is->arm[k][1] * g[0];
    }
}

void sg_gap_fill_secant(const struct sg_gap *gap, const struct sg_gap_step *step, struct sg_columns *w,
                        size_t j)
{
    struct sg_gap_value value = {0}, start, end;
    struct secant is = {.dim = gap->dim, .nodes = gap->node_count};
    const size_t *dof = gap->dof;
    double along[SG_GAP_DOFS] = {0.0}, stretch = 0.0;
    bool sought = gap->ops->seek != NULL, among_nodes = gap->node_count > 1;
    if (sought) {
        sg_gap_at(gap, step->mean, &value);
        sg_gap_fill_column(gap, &value, w, j);
        is.nodes = SG_GAP_NODES;
        dof = value.dof;
        among_nodes = true;
    }
    set_points(gap, dof, step->from, step->to, &is);
    if (!sought) {
        gap->ops->at(gap, is.mean, &value);
        stretch = stretch_of(gap, &is, value.curvature);
    }
    for (size_t i = 0; i < is.nodes * is.dim; i++) {
        among_nodes = among_nodes && (!sought || dof[i] != SIZE_MAX);
        is.gradient[i] =
            value.weight[i / is.dim] * value.normal[i % is.dim] * (stretch == 0.0 ? 1.0 : stretch);
        along[i] = is.change[i];
    }
    sg_gap_at(gap, step->from, &start);
    sg_gap_at(gap, step->to, &end);
    if (among_nodes) remove_rigid(&is, !sought, along);
    if (stretch == 0.0) turn_gradient(&is, along, end.gap - start.gap);
    write(gap, &is, dof, w, j);
}
