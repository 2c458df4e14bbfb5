#include "contact/gaps/gap.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "contact/gaps/polyline.h"
#include "support/memory.h"

static void at_straight(const struct sg_gap *gap, const double *u, struct sg_gap_value *value)
{
    const struct sg_gap_column *column = &gap->column;
    *value = gap->fixed;
    for (size_t i = 0; i < gap->node_count * gap->dim; i++)
        if (gap->dof[i] != SIZE_MAX)
            value->gap += value->weight[i / gap->dim] * value->normal[i % gap->dim] * u[gap->dof[i]];
    for (size_t i = 0; i < column->count; i++)
        if (column->dof[i] != SIZE_MAX) value->gap += column->value[i] * u[column->dof[i]];
}

/* R(theta) s of node k */
static void turn(const struct sg_gap *gap, size_t k, const double *u, double out[2])
{
    const struct sg_gap_node *node = &gap->node[k];
    double angle = node->rotation != SIZE_MAX ? u[node->rotation] : 0.0;
    double c = cos(angle), s = sin(angle), x = node->point[0], y = node->point[1];
    out[0] = c * x - s * y;
    out[1] = s * x + c * y;
}

static bool has_point(const struct sg_gap_node *node)
{
    return node->point[0] != 0.0 || node->point[1] != 0.0;
}

/* Finds where the nodes' points are, and their arms as far as they are in the nodes' axes. */
static void touch(const struct sg_gap *gap, const double *u, double *x, struct sg_gap_value *value)
{
    for (size_t i = 0; i < gap->node_count * gap->dim; i++)
        x[i] = gap->reference[i] + (gap->dof[i] != SIZE_MAX ? u[gap->dof[i]] : 0.0);
    for (size_t k = 0; k < gap->node_count; k++) {
        if (!has_point(&gap->node[k])) continue;
        turn(gap, k, u, value->arm[k]);
        for (size_t d = 0; d < 2; d++) x[k * gap->dim + d] += value->arm[k][d];
    }
}

/* A round node touches nearer by its radius, on the side of the obstacle. */
static void put_round(const struct sg_gap *gap, size_t k, struct sg_gap_value *value)
{
    double radius = gap->node[k].radius;
    value->gap -= radius;
    for (size_t d = 0; radius > 0.0 && d < 2; d++)
        value->arm[k][d] -= value->weight[k] * radius * value->normal[d];
}

void sg_gap_at(const struct sg_gap *gap, const double *u, struct sg_gap_value *value)
{
    double x[SG_GAP_DOFS] = {0};
    if (gap->straight) {
        at_straight(gap, u, value);
        return;
    }
    *value = (struct sg_gap_value){0};
    if (gap->ops->seek != NULL) {
        gap->ops->seek(gap, u, value);
        return;
    }
    touch(gap, u, x, value);
    gap->ops->at(gap, x, value);
    for (size_t k = 0; k < gap->node_count; k++) put_round(gap, k, value);
}

double sg_gap_move(const struct sg_gap *gap, double t, double *value)
{
    if (!gap->moves) return 0.0;
    struct sg_signal_value s = sg_signal_at(&gap->motion, t);
    *value -= s.s;
    return -s.ds;
}

/* --- second derivatives --------------------------------------------------------------------------- */

/* How p = sum of weight_i (x_i + R s_i) goes with own dof i: dp/di, of which the second is 0 but for
 * rotations */
static void slope_of(const struct sg_gap *gap, const struct sg_gap_value *value, size_t i,
                     double slope[SG_GAP_AXES])
{
    size_t moves = gap->node_count * gap->dim;
    memset(slope, 0, SG_GAP_AXES * sizeof *slope);
    if (i < moves) {
        slope[i % gap->dim] = value->weight[i / gap->dim];
        return;
    }
    slope[0] = -value->weight[i - moves] * value->arm[i - moves][1];
    slope[1] = value->weight[i - moves] * value->arm[i - moves][0];
}

/* curvature (slope_i . slope_j beside the normal) */
static void fill_round_hessian(const struct sg_gap *gap, const struct sg_gap_value *value,
                               struct sg_gap_hessian *hessian)
{
    for (size_t i = 0; i < hessian->count; i++) {
        double a[SG_GAP_AXES], b[SG_GAP_AXES];
        slope_of(gap, value, i, a);
        double along = sg_gap_dot(gap->dim, a, value->normal);
        for (size_t j = 0; j <= i; j++) {
            slope_of(gap, value, j, b);
            double both = sg_gap_dot(gap->dim, a, b) - along * sg_gap_dot(gap->dim, b, value->normal);
            hessian->second[i][j] = hessian->second[j][i] = value->curvature * both;
        }
    }
}

void sg_gap_hessian_at(const struct sg_gap *gap, const double *u, struct sg_gap_hessian *hessian)
{
    double x[SG_GAP_DOFS] = {0};
    hessian->count = 0;
    if (gap->straight || gap->ops->at == NULL) return;
    struct sg_gap_value value = {0};
    touch(gap, u, x, &value);
    gap->ops->at(gap, x, &value);
    size_t moves = gap->node_count * gap->dim;
    hessian->count = moves + gap->node_count;
    for (size_t i = 0; i < hessian->count; i++) {
        hessian->dof[i] = i < moves ? gap->dof[i] : gap->node[i - moves].rotation;
        memset(hessian->second[i], 0, hessian->count * sizeof(double));
    }
    if (value.curvature != 0.0) fill_round_hessian(gap, &value, hessian);
    for (size_t k = 0; k < gap->node_count; k++)
        hessian->second[moves + k][moves + k] -= value.weight[k] * sg_gap_dot(2, value.normal, value.arm[k]);
}

/* --- columns -------------------------------------------------------------------------------------- */

bool sg_gap_depends_on(const struct sg_gap *gap, size_t i)
{
    return !gap->straight ||
           (gap->fixed.weight[i / gap->dim] != 0.0 && gap->fixed.normal[i % gap->dim] != 0.0);
}

/* Along a direction by the rotation of node k. A straight gap's normal goes through the node. */
static double lever(const struct sg_gap_value *value, size_t k, const double *direction)
{
    return value->weight[k] * (value->arm[k][0] * direction[1] - value->arm[k][1] * direction[0]);
}

static bool turns(const struct sg_gap *gap, size_t k, bool tangent)
{
    const struct sg_gap_node *node = &gap->node[k];
    return node->rotation != SIZE_MAX && (has_point(node) || (tangent && node->radius > 0.0));
}

size_t sg_gap_most(const struct sg_system *system)
{
    bool rotates = system->n_full > system->dim * system->labels.node_count;
    return SG_GAP_NODES * (system->dim + (rotates ? 1 : 0));
}

/* One column along `direction`; an opened one gets its pattern too. Tangents are on all free dofs. */
struct column {
    struct sg_columns *columns;
    size_t j;
    const double *direction;
    bool open, tangent;
};

static bool seeks(const struct sg_gap *gap)
{
    return gap->ops->seek != NULL && !gap->straight;
}

/* the first free dof of all that the contact can ever feel, or SIZE_MAX */
static size_t some_free_dof(const struct sg_gap *gap)
{
    for (size_t i = 0; i < gap->dim; i++)
        if (gap->dof[i] != SIZE_MAX) return gap->dof[i];
    for (size_t i = 0; i < gap->dim * gap->surface->node_count; i++)
        if (gap->surface->dof[i] != SIZE_MAX) return gap->surface->dof[i];
    return SIZE_MAX;
}

/* Always as many entries, since another segment may have other prescribed dofs; gives how many. */
static size_t write_sought(const struct sg_gap *gap, const struct sg_gap_value *value,
                           const struct column *to)
{
    size_t first = to->columns->start[to->j], count = SG_GAP_NODES * gap->dim;
    size_t idle = some_free_dof(gap);
    if (idle == SIZE_MAX) return 0;
    for (size_t i = 0; i < count; i++) {
        bool held = value->dof[i] == SIZE_MAX;
        to->columns->row[first + i] = held ? idle : value->dof[i];
        to->columns->value[first + i] =
            held ? 0.0 : value->weight[i / gap->dim] * to->direction[i % gap->dim];
    }
    return count;
}

static void write_column(const struct sg_gap *gap, const struct sg_gap_value *value, const struct column *to)
{
    struct sg_columns *columns = to->columns;
    size_t next = columns->start[to->j];
    if (seeks(gap)) {
        next += write_sought(gap, value, to);
    } else {
        for (size_t i = 0; i < gap->node_count * gap->dim; i++) {
            if (gap->dof[i] == SIZE_MAX || !(to->tangent || sg_gap_depends_on(gap, i))) continue;
            if (to->open) columns->row[next] = gap->dof[i];
            columns->value[next++] = value->weight[i / gap->dim] * to->direction[i % gap->dim];
        }
        for (size_t k = 0; k < gap->node_count; k++) {
            if (!turns(gap, k, to->tangent)) continue;
            if (to->open) columns->row[next] = gap->node[k].rotation;
            columns->value[next++] = lever(value, k, to->direction);
        }
    }
    if (to->open) columns->start[to->j + 1] = next;
}

static void copy_column(const struct sg_gap_column *column, struct sg_columns *w, size_t j)
{
    size_t next = w->start[j];
    for (size_t i = 0; i < column->count; i++) {
        if (column->dof[i] == SIZE_MAX) continue;
        w->row[next] = column->dof[i];
        w->value[next++] = column->value[i];
    }
    w->start[j + 1] = next;
}

void sg_gap_open_column(const struct sg_gap *gap, const struct sg_gap_value *value, struct sg_columns *w,
                        size_t j)
{
    if (gap->column.count > 0) {
        copy_column(&gap->column, w, j);
        return;
    }
    struct column to = {w, j, value->normal, .open = true};
    write_column(gap, value, &to);
}

void sg_gap_fill_column(const struct sg_gap *gap, const struct sg_gap_value *value, struct sg_columns *w,
                        size_t j)
{
    struct column to = {w, j, value->normal, .open = false};
    write_column(gap, value, &to);
}

static void write_tangents(const struct sg_gap *gap, const struct sg_gap_value *value, struct column to)
{
    double direction[2][SG_GAP_AXES];
    size_t tangents = gap->dim - 1, first = to.j * tangents;
    sg_gap_tangents(gap->dim, value->normal, direction);
    to.tangent = true;
    for (size_t k = 0; k < tangents; k++) {
        to.j = first + k;
        to.direction = direction[k];
        write_column(gap, value, &to);
    }
}

void sg_gap_open_tangents(const struct sg_gap *gap, const struct sg_gap_value *value,
                          struct sg_columns *tangent, size_t j)
{
    write_tangents(gap, value, (struct column){.columns = tangent, .j = j, .open = true});
}

void sg_gap_fill_tangents(const struct sg_gap *gap, const struct sg_gap_value *value,
                          struct sg_columns *tangent, size_t j)
{
    write_tangents(gap, value, (struct column){.columns = tangent, .j = j});
}

/* --- for the kinds -------------------------------------------------------------------------------- */

/* the gap's node that `ref` is already, or NULL */
static const struct sg_gap_node *find_twin(const struct sg_gap *gap, const struct sg_node_ref *ref)
{
    for (size_t i = 0; i < gap->node_count; i++)
        if (gap->node[i].ref.full_dof == ref->full_dof) return &gap->node[i];
    return NULL;
}

void sg_gap_append_node(const struct sg_system *system, struct sg_gap_node node, struct sg_gap *gap)
{
    size_t first = gap->node_count * gap->dim, rotation = sg_system_rotation(system, node.ref.node);
    node.rotation = rotation == SIZE_MAX ? SIZE_MAX : system->free_of_full[rotation];
    for (size_t d = 0; d < gap->dim; d++) {
        gap->dof[first + d] = system->free_of_full[node.ref.full_dof + d];
        gap->reference[first + d] = node.ref.position[d];
    }
    gap->node[gap->node_count++] = node;
}

static bool find_node(struct sg_gap_builder *builder, const struct sg_node_name *name,
                      const struct sg_gap *gap, struct sg_gap_node *node)
{
    const struct sg_system *system = builder->system;
    struct sg_node_list list;
    if (gap->ops->spread == NULL || strcmp(gap->ops->spread, name->keyword) != 0)
        return sg_system_find_node(system, name, builder->diagnostics, &node->ref);
    if (!sg_system_find_nodes(system, name, builder->diagnostics, &list)) return false;
    size_t at = sg_node_list_at(&list, builder->index);
    node->ref = sg_system_node(system, at);
    if (list.count > 1) node->text = sg_system_node_name(system, at);
    return true;
}

bool sg_gap_add_node(struct sg_gap_builder *builder, const struct sg_node_name *name, struct sg_gap *gap)
{
    struct sg_gap_node node = {.keyword = name->keyword, .text = name->text};
    if (!find_node(builder, name, gap, &node)) return false;
    const struct sg_gap_node *twin = find_twin(gap, &node.ref);
    if (twin == NULL) {
        sg_gap_append_node(builder->system, node, gap);
        return true;
    }
    sg_complain_about(builder->diagnostics, SG_ERROR, name->group, name->keyword,
                      "'%s' and '%s' are the same node", twin->text, name->text);
    return false;
}

bool sg_gap_add_two(struct sg_gap_builder *builder, const struct sg_setting *group, const char *keyword,
                    struct sg_texts names, struct sg_gap *gap)
{
    bool found = true;
    for (size_t k = 0; k < 2; k++) {
        struct sg_node_name name = {names.data[k], group, keyword};
        found = sg_gap_add_node(builder, &name, gap) && found;
    }
    return found;
}

bool sg_gap_read_arm(const struct sg_gap_builder *builder, const struct sg_setting *group,
                     struct sg_reals point, size_t k, struct sg_gap *gap)
{
    struct sg_gap_node *node = &gap->node[k];
    if (point.data == NULL) return true;
    if (sg_system_rotation(builder->system, node->ref.node) == SIZE_MAX) {
        sg_complain_about(builder->diagnostics, SG_ERROR, group, "arm",
                          "'%s' has no rotation, and so no axes of its own", node->text);
        return false;
    }
    if (!sg_gap_read_vector(builder, group, "arm", point, node->point)) return false;
    gap->straight = gap->straight && !has_point(node);
    return true;
}

bool sg_gap_read_vector(const struct sg_gap_builder *builder, const struct sg_setting *node, const char *name,
                        struct sg_reals given, double *out)
{
    size_t dim = builder->system->dim;
    if (given.count != dim) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, name,
                          "has %zu number%s, but the model has %zu coordinate%s", given.count,
                          given.count == 1 ? "" : "s", dim, dim == 1 ? "" : "s");
        return false;
    }
    memcpy(out, given.data, dim * sizeof *out);
    return true;
}

bool sg_gap_read_normal(const struct sg_gap_builder *builder, const struct sg_setting *node,
                        struct sg_reals given, double *normal)
{
    if (!sg_gap_read_vector(builder, node, "normal", given, normal)) return false;
    if (sg_gap_normalize(builder->system->dim, normal) > 0.0) return true;
    sg_complain_about(builder->diagnostics, SG_ERROR, node, "normal", "is zero, so it has no direction");
    return false;
}

sg_status sg_gap_set_column(const struct sg_gap_builder *builder, size_t count, const size_t *full,
                            const double *value, struct sg_gap *gap)
{
    struct sg_gap_column *column = &gap->column;
    gap->straight = true;
    TRY(SG_ARENA_NEW(builder->arena, &column->full, count, builder->err));
    TRY(SG_ARENA_NEW(builder->arena, &column->dof, count, builder->err));
    TRY(SG_ARENA_NEW(builder->arena, &column->value, count, builder->err));
    column->count = count;
    for (size_t i = 0; i < count; i++) {
        column->full[i] = full[i];
        column->dof[i] = builder->system->free_of_full[full[i]];
        column->value[i] = value[i];
    }
    return SG_OK;
}
