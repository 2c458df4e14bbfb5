#include "contact/gaps/polyline.h"

#include <math.h>
#include <stdint.h>

#include "contact/gaps/direction.h"
#include "support/memory.h"

/* --- building ------------------------------------------------------------------------------------- */

/* own number of a global node, which gets one where it has none */
static size_t number_of(struct sg_surface *surface, size_t *numbers, size_t node)
{
    if (numbers[node] == SIZE_MAX) {
        numbers[node] = surface->node_count;
        surface->node[surface->node_count++] = node;
    }
    return numbers[node];
}

static void add_segment(struct sg_surface *surface, size_t a, size_t b)
{
    surface->segments[surface->count++] = (struct sg_segment){{a, b}, SIZE_MAX, SIZE_MAX};
}

static void add_edge(struct sg_surface *surface, size_t *numbers, const struct sg_set_edge *edge)
{
    size_t a = number_of(surface, numbers, edge->node[0]), b = number_of(surface, numbers, edge->node[1]);
    if (edge->shape != SG_SHAPE_LINE3) {
        add_segment(surface, a, b);
        return;
    }
    size_t middle = number_of(surface, numbers, edge->node[2]);
    add_segment(surface, a, middle);
    add_segment(surface, middle, b);
}

static sg_status allocate(struct sg_arena *arena, struct sg_surface *surface, size_t edges,
                          struct sg_error *err)
{
    TRY(SG_ARENA_NEW(arena, &surface->node, 3 * edges, err));
    TRY(SG_ARENA_NEW(arena, &surface->dof, 6 * edges, err));
    TRY(SG_ARENA_NEW(arena, &surface->reference, 6 * edges, err));
    return SG_ARENA_NEW(arena, &surface->segments, 2 * edges, err);
}

/* `start[i]` and `end[i]`: the segment that starts and ends at own node i */
static sg_status link_segments(struct sg_surface *surface, size_t *start, size_t *end, size_t *branch)
{
    for (size_t i = 0; i < surface->node_count; i++) start[i] = end[i] = SIZE_MAX;
    for (size_t k = 0; k < surface->count; k++) {
        const size_t *node = surface->segments[k].node;
        *branch = surface->node[start[node[0]] != SIZE_MAX ? node[0] : node[1]];
        if (start[node[0]] != SIZE_MAX || end[node[1]] != SIZE_MAX) return SG_BAD_DECK;
        start[node[0]] = end[node[1]] = k;
    }
    for (size_t k = 0; k < surface->count; k++) {
        struct sg_segment *segment = &surface->segments[k];
        segment->before = end[segment->node[0]];
        segment->after = start[segment->node[1]];
    }
    return SG_OK;
}

static sg_status build(const struct sg_system *system, const struct sg_node_set *set,
                       struct sg_surface *surface, size_t *numbers, size_t *branch)
{
    size_t nodes = system->n_full / system->dim;
    for (size_t i = 0; i < nodes; i++) numbers[i] = SIZE_MAX;
    for (size_t k = 0; k < set->edge_count; k++) add_edge(surface, numbers, &set->edges[k]);
    for (size_t i = 0; i < surface->node_count; i++) {
        struct sg_node_ref ref = sg_system_node(system, surface->node[i]);
        for (size_t d = 0; d < 2; d++) {
            surface->dof[2 * i + d] = system->free_of_full[ref.full_dof + d];
            surface->reference[2 * i + d] = ref.position[d];
        }
    }
    return link_segments(surface, numbers, numbers + surface->node_count, branch);
}

sg_status sg_surface_create(struct sg_arena *arena, const struct sg_system *system,
                            const struct sg_node_set *set, struct sg_surface **surface, size_t *branch,
                            struct sg_error *err)
{
    SG_AUTO_FREE size_t *numbers = NULL;
    TRY(SG_ARENA_NEW(arena, surface, 1, err));
    TRY(SG_NEW(&numbers, 2 * (system->n_full / system->dim), err));
    TRY(allocate(arena, *surface, set->edge_count, err));
    return build(system, set, *surface, numbers, branch);
}

/* --- the nearest place ---------------------------------------------------------------------------- */

static void position_of(const struct sg_surface *surface, const double *u, size_t node, double x[2])
{
    for (size_t d = 0; d < 2; d++) {
        size_t dof = surface->dof[2 * node + d];
        x[d] = surface->reference[2 * node + d] + (u != NULL && dof != SIZE_MAX ? u[dof] : 0.0);
    }
}

/* a segment seen from the point */
struct view {
    double along[2], normal[2]; /* unit */
    double arm[2];              /* m, from the first end to the point */
    double length, fraction;    /* where the point projects, which may be beyond */
    double low, high;           /* fractions of the segment, overhang included */
};

static double overhang_of(const struct sg_surface *surface, size_t neighbour, double length)
{
    double part = neighbour == SIZE_MAX ? surface->overhang / length : 0.0;
    return isfinite(part) ? part : 0.0;
}

static void look(const struct sg_surface *surface, const double *u, const double *point, size_t k,
                 struct view *view)
{
    const struct sg_segment *segment = &surface->segments[k];
    double a[2], b[2];
    position_of(surface, u, segment->node[0], a);
    position_of(surface, u, segment->node[1], b);
    for (size_t d = 0; d < 2; d++) {
        view->along[d] = b[d] - a[d];
        view->arm[d] = point[d] - a[d];
    }
    view->length = sg_gap_normalize(2, view->along);
    view->normal[0] = view->along[1];
    view->normal[1] = -view->along[0];
    double fraction = sg_gap_dot(2, view->along, view->arm) / view->length;
    view->fraction = isfinite(fraction) ? fraction : 0.0;
    view->low = -overhang_of(surface, segment->before, view->length);
    view->high = 1.0 + overhang_of(surface, segment->after, view->length);
}

static double cut(const struct view *view)
{
    return fmin(fmax(view->fraction, view->low), view->high);
}

/* m, from the segment to the point */
static double distance(const struct view *view)
{
    double beyond = (view->fraction - cut(view)) * view->length;
    return hypot(beyond, sg_gap_dot(2, view->normal, view->arm));
}

static double cross(const double *a, const double *b)
{
    return a[0] * b[1] - a[1] * b[0];
}

/* A joint that is straighter than this is taken as straight: the direction from a corner that is nearly
 * touched would be noise. */
static const double straight = 1e-9;

static void take(struct sg_surface_place *place, const double *normal, double gap)
{
    for (size_t d = 0; d < 2; d++) place->normal[d] = normal[d];
    place->gap = gap;
}

/* The corner between two segments with normals n[0] and n[1], r the way from it to the point. Outside of a
 * corner that juts out, and inside of one that goes in, the direction r lies between the normals; elsewhere a
 * corner is nearest by rounding only, and one of the segments is. */
static void at_corner(const double n[2][2], const double r[2], struct sg_surface_place *place)
{
    double turn = cross(n[0], n[1]), sense = turn > 0.0 ? 1.0 : -1.0, d[2];
    double side[2] = {sg_gap_dot(2, n[0], r), sg_gap_dot(2, n[1], r)};
    for (size_t i = 0; i < 2; i++) d[i] = sense * r[i];
    double length = sg_gap_normalize(2, d);
    bool between = sense * cross(n[0], d) >= 0.0 && sense * cross(d, n[1]) >= 0.0;
    bool opposite = sg_gap_dot(2, n[0], d) + sg_gap_dot(2, n[1], d) <= 0.0;
    if (fabs(turn) > straight && between && !opposite && length > 0.0) {
        take(place, d, sense * length);
        return;
    }
    size_t which = sense * side[0] >= sense * side[1] ? 0 : 1;
    take(place, n[which], side[which]);
}

/* Beyond an end of a chain the distance is open, whatever side the point is on. */
static void at_end(const double r[2], struct sg_surface_place *place)
{
    double d[2] = {r[0], r[1]}, length = sg_gap_normalize(2, d);
    place->beyond = true;
    if (length > 0.0) take(place, d, length);
}

/* the nearest place is an end of the segment that is looked at */
static void at_joint(const struct sg_surface *surface, const double *u, const double *point,
                     const struct view *view, struct sg_surface_place *place)
{
    const struct sg_segment *segment = &surface->segments[place->segment];
    bool last = view->fraction >= view->high;
    size_t other = last ? segment->after : segment->before;
    double r[2];
    for (size_t d = 0; d < 2; d++) r[d] = view->arm[d] - place->fraction * view->length * view->along[d];
    take(place, view->normal, sg_gap_dot(2, view->normal, r));
    if (other == SIZE_MAX) {
        /* positions come from sums: allow their rounding */
        if (fabs(view->fraction - place->fraction) > straight) at_end(r, place);
        return;
    }
    struct view next;
    look(surface, u, point, other, &next);
    const double *first = last ? view->normal : next.normal, *second = last ? next.normal : view->normal;
    const double n[2][2] = {{first[0], first[1]}, {second[0], second[1]}};
    at_corner(n, r, place);
}

void sg_surface_find(const struct sg_surface *surface, const double *u, const double point[2],
                     struct sg_surface_place *place)
{
    struct view view, nearest = {0};
    double least = HUGE_VAL;
    *place = (struct sg_surface_place){0};
    for (size_t k = 0; k < surface->count; k++) {
        look(surface, u, point, k, &view);
        double far = distance(&view);
        if (k > 0 && !(far < least)) continue;
        least = far;
        nearest = view;
        place->segment = k;
    }
    place->fraction = cut(&nearest);
    if (nearest.fraction > nearest.low && nearest.fraction < nearest.high)
        take(place, nearest.normal, sg_gap_dot(2, nearest.normal, nearest.arm));
    else
        at_joint(surface, u, point, &nearest, place);
}
