/* A plane frame of any form: nodes and straight members between them, as lists. Its nodes: those of the deck;
 * then the second nodes that hinges make; then the nodes within members. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assembly/axes.h"
#include "assembly/bodies/beam_element.h"
#include "assembly/bodies/members_spec.h"
#include "model/storeys.h"
#include "support/memory.h"

enum { DOFS = 3 }; /* of a node: x, y and its rotation */

/* --- lists of a deck ------------------------------------------------------------------------------ */

/* The net before it is built; arrays are as long as the deck's own lists. */
struct net {
    size_t given, hinges; /* nodes */
    bool *used, *turned;  /* given: ends of members are there; some of which turn with the node */
};

static size_t items_of(const struct sg_setting *list)
{
    return list == NULL ? 0 : sg_setting_count(list);
}

static struct sg_member_spec member_of(const struct sg_members_spec *spec, size_t k)
{
    struct sg_member_spec member;
    sg_setting_fill(sg_setting_item(spec->members, k), sg_members_member_rows, &member);
    return member;
}

static bool is_hinged(const struct sg_member_spec *member, size_t end)
{
    return (member->hinges & (end % 2 == 0 ? SG_HINGE_FIRST : SG_HINGE_SECOND)) != 0;
}

/* --- checks --------------------------------------------------------------------------------------- */

static bool check_nodes(const struct sg_body_source *source, const struct sg_setting *group,
                        const char *keyword, struct sg_reals nodes, size_t count)
{
    for (size_t i = 0; i < nodes.count; i++) {
        double node = nodes.data[i];
        if (node == floor(node) && node < (double)count) continue;
        sg_complain_about(source->diagnostics, SG_ERROR, group, keyword, "%g is no node: they are 0 to %zu",
                          node, count - 1);
        return false;
    }
    return true;
}

static void check_lengths(const struct sg_body_source *source, const struct sg_members_spec *spec,
                          const struct sg_setting *group, struct sg_reals ends)
{
    const double *x = spec->nodes.data;
    for (size_t i = 0; i + 1 < ends.count; i += 2) {
        size_t a = (size_t)ends.data[i], b = (size_t)ends.data[i + 1];
        double length = hypot(x[2 * b] - x[2 * a], x[2 * b + 1] - x[2 * a + 1]);
        double far = fmax(hypot(x[2 * a], x[2 * a + 1]), hypot(x[2 * b], x[2 * b + 1]));
        if (length > 1e-9 * far && isfinite(length)) continue;
        sg_complain_about(source->diagnostics, SG_ERROR, group, "ends",
                          "nodes %zu and %zu are %g m apart: this is too close for a member between them", a,
                          b, length);
        return;
    }
}

/* members by their ends, the smaller first, to be sorted */
struct ends {
    size_t a, b, group;
};

static int by_ends(const void *x, const void *y)
{
    const struct ends *p = x, *q = y;
    if (p->a != q->a) return p->a > q->a ? 1 : -1;
    if (p->b != q->b) return p->b > q->b ? 1 : -1;
    return (p->group > q->group) - (p->group < q->group);
}

static void list_ends(const struct sg_members_spec *spec, struct ends *list)
{
    for (size_t k = 0, next = 0; k < sg_setting_count(spec->members); k++) {
        struct sg_member_spec member = member_of(spec, k);
        for (size_t i = 0; i + 1 < member.ends.count; i += 2) {
            size_t a = (size_t)member.ends.data[i], b = (size_t)member.ends.data[i + 1];
            list[next++] = (struct ends){a < b ? a : b, a < b ? b : a, k};
        }
    }
}

/* Two members side by side may be meant, and are as stiff as two. */
static sg_status warn_of_twins(const struct sg_body_source *source, const struct sg_members_spec *spec)
{
    SG_AUTO_FREE struct ends *list = NULL;
    size_t count = 0;
    for (size_t k = 0; k < sg_setting_count(spec->members); k++) count += member_of(spec, k).ends.count / 2;
    TRY(SG_NEW(&list, count, source->err));
    list_ends(spec, list);
    qsort(list, count, sizeof *list, by_ends);
    for (size_t i = 1; i < count; i++)
        if (list[i].a == list[i - 1].a && list[i].b == list[i - 1].b)
            sg_complain_about(source->diagnostics, SG_WARNING, sg_setting_item(spec->members, list[i].group),
                              "ends", "nodes %zu and %zu have a member between them already: both count",
                              list[i].a, list[i].b);
    return SG_OK;
}

static void check_members(const struct sg_body_source *source, const struct sg_members_spec *spec,
                          size_t count)
{
    for (size_t k = 0; k < sg_setting_count(spec->members); k++) {
        const struct sg_setting *group = sg_setting_item(spec->members, k);
        struct sg_member_spec member = member_of(spec, k);
        struct sg_beam_section section;
        sg_beam_section_read(member.section, &section, source->diagnostics);
        if (member.ends.count % 2 != 0)
            sg_complain_about(source->diagnostics, SG_ERROR, group, "ends",
                              "has %zu numbers: each member has two ends", member.ends.count);
        if (check_nodes(source, group, "ends", member.ends, count))
            check_lengths(source, spec, group, member.ends);
    }
}

static void check_axes(const struct sg_body_source *source, const struct sg_setting *list,
                       const struct sg_keyword *item_rows, size_t count)
{
    for (size_t k = 0; k < items_of(list); k++) {
        const struct sg_setting *group = sg_setting_item(list, k);
        struct sg_member_axes_spec item;
        bool meant[SG_AXIS_LETTERS];
        sg_setting_fill(group, item_rows, &item);
        check_nodes(source, group, "nodes", item.nodes, count);
        if (sg_axes_read(item.axes, "xyr", meant)) continue;
        sg_complain_about(source->diagnostics, SG_ERROR, group, "axes",
                          "'%.16s' is not made of different letters out of \"xyr\"", item.axes);
    }
}

/* nodes have numbers already, and a dot parts body and set */
static bool is_set_name(const char *name)
{
    return *name != '\0' && strchr(name, '.') == NULL && strspn(name, "0123456789") < strlen(name) &&
           strcmp(name, "left") != 0 && strcmp(name, "right") != 0;
}

static bool is_set_of(const struct sg_setting *group, const char *name)
{
    struct sg_member_set_spec set;
    sg_setting_fill(group, sg_members_set_rows, &set);
    return strcmp(set.name, name) == 0;
}

static void check_name(const struct sg_body_source *source, const struct sg_members_spec *spec, size_t k,
                       const char *name)
{
    const struct sg_setting *group = sg_setting_item(spec->sets, k);
    bool again = false;
    for (size_t i = 0; i < k; i++) again = again || is_set_of(sg_setting_item(spec->sets, i), name);
    if (again)
        sg_complain_about(source->diagnostics, SG_ERROR, group, "name", "'%.64s' is a set already", name);
    if (!is_set_name(name))
        sg_complain_about(source->diagnostics, SG_ERROR, group, "name",
                          "'%.64s' can't be a set's name: no dots, not empty, no number, not left or right",
                          name);
}

static void check_sets(const struct sg_body_source *source, const struct sg_members_spec *spec, size_t count)
{
    for (size_t k = 0; k < items_of(spec->sets); k++) {
        const struct sg_setting *group = sg_setting_item(spec->sets, k);
        struct sg_member_set_spec set;
        sg_setting_fill(group, sg_members_set_rows, &set);
        check_nodes(source, group, "nodes", set.nodes, count);
        check_name(source, spec, k, set.name);
        for (size_t i = 1; i < set.nodes.count; i++) {
            size_t j = 0;
            while (set.nodes.data[j] != set.nodes.data[i]) j++;
            if (j < i)
                sg_complain_about(source->diagnostics, SG_ERROR, group, "nodes", "has node %g twice",
                                  set.nodes.data[i]);
        }
    }
}

/* m, mean over the columns */
static double height_of(const struct sg_members_spec *spec, const struct sg_member_storey_spec *storey)
{
    double sum = 0.0;
    for (size_t i = 0; i < storey->upper.count; i++)
        sum += spec->nodes.data[2 * (size_t)storey->upper.data[i] + 1] -
               spec->nodes.data[2 * (size_t)storey->lower.data[i] + 1];
    return sum / (double)storey->upper.count;
}

static void check_storey_name(const struct sg_body_source *source, const struct sg_members_spec *spec,
                              size_t k, const char *name)
{
    for (size_t i = 0; i < k; i++) {
        struct sg_member_storey_spec other;
        sg_setting_fill(sg_setting_item(spec->storeys, i), sg_members_storey_rows, &other);
        if (strcmp(other.name, name) != 0) continue;
        sg_complain_about(source->diagnostics, SG_ERROR, sg_setting_item(spec->storeys, k), "name",
                          "'%.64s' is a storey already", name);
        return;
    }
}

static void check_storeys(const struct sg_body_source *source, const struct sg_members_spec *spec,
                          size_t count)
{
    for (size_t k = 0; k < items_of(spec->storeys); k++) {
        const struct sg_setting *group = sg_setting_item(spec->storeys, k);
        struct sg_member_storey_spec storey;
        sg_setting_fill(group, sg_members_storey_rows, &storey);
        check_storey_name(source, spec, k, storey.name);
        bool known = check_nodes(source, group, "upper", storey.upper, count);
        known = check_nodes(source, group, "lower", storey.lower, count) && known;
        if (storey.upper.count != storey.lower.count)
            sg_complain_about(source->diagnostics, SG_ERROR, group, "lower", "has %zu feet for %zu heads",
                              storey.lower.count, storey.upper.count);
        else if (known && !(height_of(spec, &storey) > 0.0))
            sg_complain_about(source->diagnostics, SG_ERROR, group, "upper",
                              "is %g m above 'lower': heads stand above feet", height_of(spec, &storey));
    }
}

/* --- sizes ---------------------------------------------------------------------------------------- */

static void note_ends(struct net *net, const struct sg_members_spec *spec)
{
    for (size_t k = 0; k < sg_setting_count(spec->members); k++) {
        struct sg_member_spec member = member_of(spec, k);
        for (size_t i = 0; i < member.ends.count; i++) {
            size_t node = (size_t)member.ends.data[i];
            net->used[node] = true;
            if (is_hinged(&member, i))
                net->hinges++;
            else
                net->turned[node] = true;
        }
    }
}

static void check_loose(const struct sg_body_source *source, const struct net *net)
{
    for (size_t i = 0; i < net->given; i++)
        if (!net->used[i]) {
            sg_complain_about(source->diagnostics, SG_ERROR, source->node, "nodes",
                              "node %zu is an end of no member", i);
            return;
        }
}

static void add_sizes(const struct sg_members_spec *spec, struct sg_body_size *size)
{
    for (size_t k = 0; k < sg_setting_count(spec->members); k++) {
        struct sg_member_spec member = member_of(spec, k);
        size_t count = member.ends.count / 2, parts = (size_t)member.subdivisions;
        size->elements += count * parts;
        size->nodes += count * (parts - 1);
    }
}

static sg_status measure(const struct sg_body_source *source, struct sg_body_size *size)
{
    struct sg_members_spec spec = {0};
    struct net *net = NULL;
    size_t errors = source->diagnostics->errors;
    sg_setting_fill(source->node, sg_members_rows, &spec);
    size_t count = spec.nodes.count / 2;
    *size = (struct sg_body_size){.nodes = count, .dim = 2, .rotates = true};
    if (spec.nodes.count % 2 != 0)
        sg_complain_about(source->diagnostics, SG_ERROR, source->node, "nodes",
                          "has %zu numbers: each node has x and y", spec.nodes.count);
    check_members(source, &spec, count);
    check_axes(source, spec.held, sg_members_held_rows, count);
    check_axes(source, spec.ties, sg_members_tie_rows, count);
    check_sets(source, &spec, count);
    check_storeys(source, &spec, count);
    if (source->diagnostics->errors != errors) FAIL(source->err, SG_BAD_DECK, "members have faults");
    TRY(warn_of_twins(source, &spec));
    TRY(SG_ARENA_NEW(source->arena, &net, 1, source->err));
    size->data = net;
    net->given = count;
    TRY(SG_ARENA_NEW(source->arena, &net->used, count, source->err));
    TRY(SG_ARENA_NEW(source->arena, &net->turned, count, source->err));
    note_ends(net, &spec);
    check_loose(source, net);
    add_sizes(&spec, size);
    size->nodes += net->hinges;
    if (source->diagnostics->errors == errors) return SG_OK;
    FAIL(source->err, SG_BAD_DECK, "members have faults");
}

/* --- nodes and members ---------------------------------------------------------------------------- */

struct work {
    const struct sg_members_spec *spec;
    const struct sg_body_target *target;
    const struct net *net;
    size_t hinge, inner, element; /* the next ones */
    bool *turned;                 /* by dof: some member's end turns with it */
    size_t *leader;               /* 3 a node of the deck and of a hinge: dof that it moves with, or itself */
};

/* the dof that leads: of smaller number */
static size_t lead_of(const struct work *work, size_t dof)
{
    while (work->leader[dof] != dof) {
        work->leader[dof] = work->leader[work->leader[dof]]; /* shorter next time */
        dof = work->leader[dof];
    }
    return dof;
}

static void unite(struct work *work, size_t a, size_t b)
{
    size_t first = lead_of(work, a), second = lead_of(work, b);
    work->leader[first > second ? first : second] = first > second ? second : first;
}

static void place_nodes(struct work *work)
{
    const struct sg_members_spec *spec = work->spec;
    for (size_t i = 0; i < 2 * work->net->given; i++)
        work->target->position[i] = spec->nodes.data[i] + spec->position.data[i % 2];
    for (size_t i = 0; i < DOFS * (work->net->given + work->net->hinges); i++) work->leader[i] = i;
}

/* the node that a member's end has: the deck's, or a new one hinged to it */
static size_t end_node(struct work *work, const struct sg_member_spec *member, size_t i)
{
    size_t node = (size_t)member->ends.data[i];
    if (!is_hinged(member, i)) return node;
    size_t second = work->hinge++;
    for (size_t d = 0; d < 2; d++) {
        work->target->position[2 * second + d] = work->target->position[2 * node + d];
        unite(work, DOFS * second + d, DOFS * node + d);
    }
    return second;
}

static void add_members(struct work *work, const struct sg_body_source *source)
{
    for (size_t k = 0; k < sg_setting_count(work->spec->members); k++) {
        struct sg_member_spec member = member_of(work->spec, k);
        struct sg_beam_section section;
        size_t parts = (size_t)member.subdivisions;
        sg_beam_section_read(member.section, &section, source->diagnostics);
        for (size_t i = 0; i < member.ends.count; i += 2) {
            size_t a = end_node(work, &member, i), b = end_node(work, &member, i + 1);
            struct sg_beam beam = {.index = work->element,
                                   .a = a,
                                   .b = b,
                                   .section = &section,
                                   .mass = work->spec->mass == 0 ? SG_BEAM_CONSISTENT : SG_BEAM_LUMPED};
            sg_beam_add_member(work->target, &beam, work->inner, parts);
            work->element += parts;
            work->inner += parts - 1;
        }
    }
}

/* --- ties, holds, names --------------------------------------------------------------------------- */

static size_t own_dof(size_t node, size_t letter)
{
    return DOFS * node + (letter < 2 ? letter : 2);
}

static void unite_nodes(struct work *work, size_t a, size_t b, const bool meant[SG_AXIS_LETTERS])
{
    for (size_t d = 0; d < SG_AXIS_LETTERS; d++)
        if (meant[d]) unite(work, own_dof(a, d), own_dof(b, d));
}

static void tie_nodes(struct work *work)
{
    bool meant[SG_AXIS_LETTERS];
    for (size_t k = 0; k < items_of(work->spec->ties); k++) {
        struct sg_member_axes_spec tie;
        sg_setting_fill(sg_setting_item(work->spec->ties, k), sg_members_tie_rows, &tie);
        sg_axes_read(tie.axes, "xyr", meant);
        for (size_t i = 1; i < tie.nodes.count; i++)
            unite_nodes(work, (size_t)tie.nodes.data[0], (size_t)tie.nodes.data[i], meant);
    }
    size_t first = work->target->first_dof;
    for (size_t i = 0; i < DOFS * (work->net->given + work->net->hinges); i++)
        if (lead_of(work, i) != i) sg_body_tie(work->target, first + i, first + lead_of(work, i));
}

static void hold_node(const struct work *work, size_t node, const bool meant[SG_AXIS_LETTERS])
{
    for (size_t d = 0; d < SG_AXIS_LETTERS; d++)
        if (meant[d]) work->target->held[lead_of(work, own_dof(node, d))] = true;
}

static void hold_nodes(const struct work *work)
{
    bool meant[SG_AXIS_LETTERS];
    for (size_t k = 0; k < items_of(work->spec->held); k++) {
        struct sg_member_axes_spec held;
        sg_setting_fill(sg_setting_item(work->spec->held, k), sg_members_held_rows, &held);
        sg_axes_read(held.axes, "xyr", meant);
        for (size_t i = 0; i < held.nodes.count; i++) hold_node(work, (size_t)held.nodes.data[i], meant);
    }
}

/* Rotations of nodes to which all members are hinged have neither mass nor stiffness. */
static void hold_loose(const struct work *work)
{
    for (size_t i = 0; i < work->net->given; i++)
        if (work->net->turned[i]) work->turned[lead_of(work, own_dof(i, 2))] = true;
    for (size_t i = 0; i < work->net->given; i++) {
        size_t lead = lead_of(work, own_dof(i, 2));
        if (!work->turned[lead]) work->target->held[lead] = true;
    }
}

static void name_sets(const struct work *work)
{
    for (size_t k = 0; k < items_of(work->spec->sets); k++) {
        struct sg_member_set_spec set;
        sg_setting_fill(sg_setting_item(work->spec->sets, k), sg_members_set_rows, &set);
        sg_node_sets_open(work->target->sets, set.name);
        for (size_t i = 0; i < set.nodes.count; i++)
            sg_node_sets_add(work->target->sets, work->target->first + (size_t)set.nodes.data[i]);
    }
}

static void name_storeys(const struct work *work)
{
    size_t first = work->target->first;
    for (size_t k = 0; k < items_of(work->spec->storeys); k++) {
        struct sg_member_storey_spec storey;
        sg_setting_fill(sg_setting_item(work->spec->storeys, k), sg_members_storey_rows, &storey);
        sg_storeys_open(work->target->aspects, work->target->name, storey.name,
                        height_of(work->spec, &storey));
        for (size_t i = 0; i < storey.upper.count; i++)
            sg_storeys_add(work->target->aspects, first + (size_t)storey.upper.data[i],
                           first + (size_t)storey.lower.data[i]);
    }
}

static void build(struct work *work, const struct sg_body_source *source)
{
    place_nodes(work);
    add_members(work, source);
    tie_nodes(work);
    hold_nodes(work);
    hold_loose(work);
    name_sets(work);
    name_storeys(work);
}

static sg_status assemble(const struct sg_body_source *source, const struct sg_body_target *target)
{
    struct sg_members_spec spec = {0};
    sg_setting_fill(source->node, sg_members_rows, &spec);
    const struct net *net = target->data;
    struct work work = {
        .spec = &spec, .target = target, .net = net, .hinge = net->given, .inner = net->given + net->hinges};
    size_t dofs = DOFS * (net->given + net->hinges);
    TRY(SG_ARENA_NEW(source->arena, &work.leader, dofs, source->err));
    TRY(SG_ARENA_NEW(source->arena, &work.turned, dofs, source->err));
    build(&work, source);
    return SG_OK;
}

const struct sg_body_ops sg_body_members = {
    .kind = {.name = "members",
             .meaning =
                 "a plane frame of any form: Euler-Bernoulli beams between nodes that are listed, with "
                 "hinges and slip joints",
             .rows = sg_members_rows},
    .small_motion = true,
    .measure = measure,
    .assemble = assemble,
};
