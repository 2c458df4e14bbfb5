/* Whether elements hang together where they touch. Nodes of the boundary are sorted along both axes; of the
 * two the one that leaves fewer nodes beside a side is searched, so that neither graded meshes nor straight
 * rows of nodes make the search quadratic. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "assembly/bodies/mesh_body.h"
#include "formats/gmsh_lines.h"
#include "support/bisect.h"
#include "support/memory.h"

/* Nodes nearer than this, in lengths of the side, count as one place: files of few digits, and nothing that
 * is meant */
static const double near = 1e-5;

struct ranked {
    double x;
    size_t node;
};

struct joints {
    const struct sg_body_source *source;
    const struct sg_mesh_body *mesh;
    size_t *parent, pieces;        /* by node: towards the node that stands for its piece */
    size_t *of_file;               /* by node: its index in the file */
    size_t *twin;                  /* by node: one at the same place, SIZE_MAX: none */
    struct ranked *sorted[2];      /* nodes of the boundary by x and by y */
    size_t count;                  /* of them */
    size_t beside;                 /* nodes on sides of another piece */
    size_t hanging, node;          /* how many hang; the first */
    const struct sg_mesh_side *at; /* the side that it hangs at */
};

static sg_status joints_init(struct sg_arena *arena, struct joints *j, struct sg_error *err)
{
    size_t n = j->mesh->node_count;
    TRY(SG_ARENA_NEW(arena, &j->parent, n, err));
    TRY(SG_ARENA_NEW(arena, &j->of_file, n, err));
    TRY(SG_ARENA_NEW(arena, &j->twin, n, err));
    for (size_t d = 0; d < 2; d++) TRY(SG_ARENA_NEW(arena, &j->sorted[d], n, err));
    for (size_t i = 0; i < n; i++) {
        j->parent[i] = i;
        j->twin[i] = SIZE_MAX;
    }
    for (size_t i = 0; i < j->mesh->file.node_count; i++)
        if (j->mesh->number[i] != SIZE_MAX) j->of_file[j->mesh->number[i]] = i;
    return SG_OK;
}

/* m, as in the file */
static const double *place(const struct joints *j, size_t node)
{
    return j->mesh->file.position + 3 * j->of_file[node];
}

static size_t tag(const struct joints *j, size_t node)
{
    return j->mesh->file.node_tag[j->of_file[node]];
}

/* --- pieces --------------------------------------------------------------------------------------- */

static size_t piece_of(const struct joints *j, size_t i)
{
    size_t *parent = j->parent;
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void find_pieces(struct joints *j)
{
    const struct sg_mesh_body *mesh = j->mesh;
    j->pieces = mesh->node_count;
    for (size_t i = 0; i < mesh->file.element_count; i++) {
        const struct sg_gmsh_element *element = &mesh->file.elements[i];
        const size_t *nodes = mesh->file.nodes + element->first;
        for (size_t k = 1; mesh->part[i] != SIZE_MAX && k < element->shape->nodes; k++) {
            size_t a = piece_of(j, mesh->number[nodes[0]]), b = piece_of(j, mesh->number[nodes[k]]);
            if (a == b) continue;
            j->parent[b] = a;
            j->pieces--;
        }
    }
}

/* --- nodes beside sides --------------------------------------------------------------------------- */

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *p = a, *q = b;
    if (p->x != q->x) return p->x < q->x ? -1 : 1;
    return (p->node > q->node) - (p->node < q->node);
}

/* `twin` marks those that are listed, and is put back */
static void sort_boundary(struct joints *j)
{
    const struct sg_mesh_sides *sides = &j->mesh->sides;
    for (size_t k = 0; k < sides->count; k++) {
        const struct sg_mesh_side *side = &sides->items[k];
        for (size_t i = 0; side->neighbour == SIZE_MAX && i < side->nodes; i++) {
            size_t node = side->node[i];
            if (j->twin[node] == node) continue;
            j->twin[node] = node;
            for (size_t d = 0; d < 2; d++) j->sorted[d][j->count] = (struct ranked){place(j, node)[d], node};
            j->count++;
        }
    }
    for (size_t k = 0; k < j->count; k++) j->twin[j->sorted[0][k].node] = SIZE_MAX;
    for (size_t d = 0; d < 2; d++) qsort(j->sorted[d], j->count, sizeof **j->sorted, compare_ranked);
}

/* a side as a parabola through its nodes, or a straight line */
struct arc {
    double start[2], slope[2], bend[2]; /* x(s) = start + slope s + bend s^2, s from 0 to 1 */
    double length;                      /* of the chord */
    double low[2], high[2];             /* a box around it, with what counts as the same place */
};

static struct arc arc_of(const struct joints *j, const struct sg_mesh_side *side)
{
    struct arc arc = {0};
    const double *a = place(j, side->node[0]), *b = place(j, side->node[1]);
    const double *m = side->nodes == 3 ? place(j, side->node[2]) : NULL;
    arc.length = hypot(b[0] - a[0], b[1] - a[1]);
    for (size_t d = 0; d < 2; d++) {
        double chord = b[d] - a[d], off = m == NULL ? 0 : m[d] - a[d] - chord / 2;
        /* within the triangle of the ends and the tangents' crossing */
        double crossing = a[d] + chord / 2 + 2 * off;
        arc.start[d] = a[d];
        arc.slope[d] = chord + 4 * off;
        arc.bend[d] = -4 * off;
        arc.low[d] = fmin(crossing, fmin(a[d], b[d])) - near * arc.length;
        arc.high[d] = fmax(crossing, fmax(a[d], b[d])) + near * arc.length;
    }
    return arc;
}

/* m, how far x is from the arc, beyond its ends from them; Gauss-Newton from the place on the chord */
static double distance(const struct arc *arc, const double x[2])
{
    enum { ROUNDS = 10 };
    double s = 0.5, off[2] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        double along = 0, norm = 0;
        for (size_t d = 0; d < 2; d++) {
            double tangent = arc->slope[d] + 2 * arc->bend[d] * s;
            along += tangent * (x[d] - arc->start[d] - (arc->slope[d] + arc->bend[d] * s) * s);
            norm += tangent * tangent;
        }
        s = fmin(1, fmax(0, s + along / norm));
    }
    for (size_t d = 0; d < 2; d++) off[d] = x[d] - arc->start[d] - (arc->slope[d] + arc->bend[d] * s) * s;
    return hypot(off[0], off[1]);
}

static void check_node(struct joints *j, const struct sg_mesh_side *side, const struct arc *arc, size_t node)
{
    const double *x = place(j, node);
    for (size_t d = 0; d < 2; d++)
        if (x[d] < arc->low[d] || x[d] > arc->high[d]) return;
    for (size_t k = 0; k < side->nodes; k++)
        if (side->node[k] == node) return;
    for (size_t k = 0; k < side->nodes; k++) {
        const double *end = place(j, side->node[k]);
        if (hypot(x[0] - end[0], x[1] - end[1]) > near * arc->length) continue;
        j->twin[node] = side->node[k];
        return;
    }
    if (distance(arc, x) > near * arc->length) return;
    if (piece_of(j, node) != piece_of(j, side->node[0]))
        j->beside++;
    else if (j->hanging++ == 0 || side->element < j->at->element) {
        j->node = node;
        j->at = side;
    }
}

/* index of the first that is not below x */
static size_t first_from(const struct ranked *sorted, size_t count, double x)
{
    size_t low = 0;
    SG_BISECT(low, count, middle, sorted[middle].x < x);
    return low;
}

static void check_side(struct joints *j, const struct sg_mesh_side *side)
{
    struct arc arc = arc_of(j, side);
    size_t first[2], end[2];
    for (size_t d = 0; d < 2; d++) {
        first[d] = first_from(j->sorted[d], j->count, arc.low[d]);
        end[d] = first_from(j->sorted[d], j->count, nextafter(arc.high[d], HUGE_VAL));
    }
    size_t d = end[0] - first[0] <= end[1] - first[1] ? 0 : 1;
    for (size_t k = first[d]; k < end[d]; k++) check_node(j, side, &arc, j->sorted[d][k].node);
}

/* --- findings ------------------------------------------------------------------------------------- */

enum { GROUP_TEXT = 128 };

/* " of the physical group 'plate'", or nothing */
static void name_group(const struct joints *j, size_t element, char text[GROUP_TEXT])
{
    const struct sg_gmsh_mesh *file = &j->mesh->file;
    text[0] = '\0';
    for (size_t k = 0; k < file->group_count && text[0] == '\0'; k++) {
        const struct sg_gmsh_group *group = &file->groups[k];
        if (group->dim != 2 || !sg_gmsh_is_member(file, &file->elements[element], group)) continue;
        if (*group->name != '\0')
            snprintf(text, GROUP_TEXT, " of the physical group '%.64s'", group->name);
        else
            snprintf(text, GROUP_TEXT, " of the physical group %d", group->tag);
    }
}

static sg_status complain_hanging(const struct joints *j)
{
    const struct sg_gmsh_element *element = &j->mesh->file.elements[j->at->element];
    struct sg_gmsh_fault fault = {.line = element->line};
    char group[GROUP_TEXT], more[SG_GMSH_WORD] = "";
    name_group(j, j->at->element, group);
    if (j->hanging > 1) snprintf(more, sizeof more, ", and so do %zu more", j->hanging - 1);
    snprintf(fault.message, sizeof fault.message,
             "node %zu at (%g, %g) hangs on the side from node %zu to %zu of element %zu%s, which does not "
             "have it%s",
             tag(j, j->node), place(j, j->node)[0], place(j, j->node)[1], tag(j, j->at->node[0]),
             tag(j, j->at->node[1]), element->tag, group, more);
    sg_gmsh_hint(&fault, SG_BAD_DECK,
                 "split the element there; the two sides of a crack have their nodes at the same places");
    sg_gmsh_complain(&j->mesh->source, &fault, j->source->diagnostics);
    return SG_BAD_DECK;
}

/* Sides of a crack run against each other; those that run the same way bound elements on one another. */
static sg_status check_copies(const struct joints *j)
{
    const struct sg_mesh_sides *sides = &j->mesh->sides;
    for (size_t k = 0; k < sides->count; k++) {
        const struct sg_mesh_side *side = &sides->items[k];
        size_t a = j->twin[side->node[0]], b = j->twin[side->node[1]];
        const struct sg_mesh_side *copy = side->neighbour == SIZE_MAX && a != SIZE_MAX && b != SIZE_MAX
                                              ? sg_mesh_find_side(sides, a, b)
                                              : NULL;
        if (copy == NULL || copy->node[0] != a || copy->element < side->element) continue;
        const struct sg_gmsh_element *one = &j->mesh->file.elements[side->element],
                                     *two = &j->mesh->file.elements[copy->element];
        struct sg_gmsh_fault fault = {.line = two->line};
        snprintf(
            fault.message, sizeof fault.message,
            "elements %zu and %zu overlap: nodes %zu and %zu of the one are at the places of %zu and %zu "
            "of the other, with both elements on the same side",
            one->tag, two->tag, tag(j, side->node[0]), tag(j, side->node[1]), tag(j, a), tag(j, b));
        sg_gmsh_hint(&fault, SG_BAD_DECK, "a surface is drawn twice: in Gmsh, Coherence; then mesh again");
        sg_gmsh_complain(&j->mesh->source, &fault, j->source->diagnostics);
        return SG_BAD_DECK;
    }
    return SG_OK;
}

static void warn(const struct joints *j)
{
    struct sg_diagnostics *diagnostics = j->source->diagnostics;
    size_t shared = 0, first = 0;
    for (size_t i = 0; i < j->mesh->node_count; i++)
        if (j->twin[i] != SIZE_MAX && shared++ == 0) first = i;
    if (j->pieces > 1) {
        char more[SG_GMSH_WORD] = "";
        if (j->beside > 0) snprintf(more, sizeof more, "; %zu nodes lie on sides of another", j->beside);
        sg_complain_about(diagnostics, SG_WARNING, j->source->node, "file",
                          "the body is in %zu pieces that share no node%s", j->pieces, more);
        sg_hint(diagnostics, "where they should hold together: in Gmsh, Coherence; and Coherence Mesh;");
    }
    if (shared == 0) return;
    sg_complain_about(
        diagnostics, SG_WARNING, j->source->node, "file",
        "%zu nodes are at the place of another one, as node %zu and %zu at (%g, %g): nothing holds "
        "elements together there",
        shared, tag(j, first), tag(j, j->twin[first]), place(j, first)[0], place(j, first)[1]);
    sg_hint(diagnostics, "right for cracks and for pieces that touch; else in Gmsh: Coherence Mesh;");
}

static sg_status check(struct joints *j)
{
    const struct sg_mesh_sides *sides = &j->mesh->sides;
    find_pieces(j);
    sort_boundary(j);
    for (size_t k = 0; k < sides->count; k++)
        if (sides->items[k].neighbour == SIZE_MAX) check_side(j, &sides->items[k]);
    if (j->hanging > 0) return complain_hanging(j);
    TRY(check_copies(j));
    warn(j);
    return SG_OK;
}

sg_status sg_mesh_check_joints(const struct sg_body_source *source, const struct sg_mesh_body *mesh)
{
    SG_LOCAL_ARENA(scratch);
    struct joints j = {.source = source, .mesh = mesh};
    TRY(joints_init(&scratch, &j, source->err));
    return check(&j);
}
