#include "contact/contact_set.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "linalg/modal.h"
#include "support/memory.h"

/* what the deck says of one contact; one struct for both kinds, so that the common rows fit */
struct contact_spec {
    const char *name;
    double gap, stiffness, stiffness_factor, restitution;
    const char *node; /* wall */
    double position;
    int side;
    struct sg_texts nodes; /* pair */
};

#define FIELD(name) offsetof(struct contact_spec, name)

static const struct sg_keyword common_rows[] = {
    {.name = "name",
     .type = SG_TEXT,
     .meaning = "name in results and messages; by default made of the nodes",
     .example = "\"nose\"",
     .offset = FIELD(name)},
    {.name = "gap",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "gap at zero displacement; of a pair by default the distance of its nodes",
     .range = SG_ANY,
     .example = "0.01",
     .offset = FIELD(gap)},
    {.name = "stiffness",
     .type = SG_REAL,
     .unit = "N/m",
     .meaning = "stiffness of the unilateral spring; without it the contact is rigid",
     .range = SG_POSITIVE,
     .example = "1.0e6",
     .offset = FIELD(stiffness)},
    {.name = "stiffness_factor",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "stiffness as a multiple of the largest entry of the stiffness matrix, instead of stiffness",
     .range = SG_POSITIVE,
     .example = "100.0",
     .offset = FIELD(stiffness_factor)},
    {.name = "restitution",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "Newton's coefficient of restitution of a rigid contact",
     .fallback = "0.0",
     .range = SG_BETWEEN(0, 1),
     .offset = FIELD(restitution)},
    {0}};

static const struct sg_keyword wall_rows[] = {
    {.name = "node",
     .type = SG_TEXT,
     .flags = SG_REQUIRED,
     .meaning = "the node that may touch: BODY.left, BODY.right, BODY.NUMBER, or BODY if it has one node",
     .example = "\"bar.left\"",
     .offset = FIELD(node)},
    {.name = "side",
     .type = SG_CHOICE,
     .choices = "lower|upper",
     .fallback = "\"lower\"",
     .meaning = "the wall lies on the side of smaller (lower) or larger (upper) coordinates",
     .offset = FIELD(side)},
    {.name = "position",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "coordinate of the wall, instead of gap",
     .range = SG_ANY,
     .example = "0.0",
     .offset = FIELD(position)},
    {0}};

static const struct sg_keyword pair_rows[] = {
    {.name = "nodes",
     .type = SG_TEXTS,
     .flags = SG_REQUIRED,
     .min_items = 2,
     .max_items = 2,
     .meaning = "the two nodes, the one with the smaller coordinate first",
     .example = "[\"left.right\", \"right.left\"]",
     .offset = FIELD(nodes)},
    {0}};

static const struct sg_kind wall_kind = {"wall", "a node against a fixed wall across the axis", wall_rows};
static const struct sg_kind pair_kind = {"pair", "a node against a node", pair_rows};
static const struct sg_kind *const kinds[] = {&wall_kind, &pair_kind};

const struct sg_kind_set sg_contact_kinds = {
    .noun = "contact", .common = common_rows, .count = sizeof kinds / sizeof kinds[0], .items = kinds};

/* --- building -------------------------------------------------------------------------------------- */

struct builder {
    const struct sg_system *system;
    struct sg_contact_set *set;
    struct sg_diagnostics *diagnostics;
    size_t entries; /* of w, so far */
    bool moving;    /* a node of the contact at hand follows a motion */
    bool sound;     /* the system is without fault */
};

/* Adds +-u of a node to gap j. A node that is held adds nothing; one that moves is refused. */
static void add_node(struct builder *b, const struct sg_node *node, const char *keyword,
                     const struct sg_node_ref *ref, double sign)
{
    size_t free_dof = b->system->free_of_full[ref->full_dof];
    if (free_dof != SIZE_MAX) {
        b->set->w.row[b->entries] = free_dof;
        b->set->w.value[b->entries++] = sign;
        return;
    }
    for (size_t m = 0; m < b->system->motion_count; m++)
        if (b->system->motions[m].dof == ref->full_dof) {
            b->moving = true;
            sg_complain_about(b->diagnostics, SG_ERROR, node, keyword,
                              "the motion of '%s' is prescribed: contacts with moving supports are not "
                              "possible yet",
                              b->system->labels.dof_names[ref->node]);
        }
}

static bool build_wall(struct builder *b, const struct sg_node *node, size_t j,
                       const struct contact_spec *spec)
{
    struct sg_node_ref ref;
    if (!sg_system_find_node(b->system, &(struct sg_node_name){spec->node, node, "node"}, b->diagnostics,
                             &ref))
        return false;
    bool by_gap = sg_node_given(node, "gap"), by_position = sg_node_given(node, "position");
    if (by_gap == by_position) {
        sg_complain(b->diagnostics, SG_ERROR, node,
                    by_gap
                        ? "give either 'gap' or 'position' of the wall, not both"
                        : "a wall needs 'gap' (m, at zero displacement) or 'position' (m, its coordinate)");
        return false;
    }
    double normal = spec->side == 0 ? 1.0 : -1.0;
    b->set->offset[j] = by_gap ? spec->gap : normal * (ref.position[0] - spec->position);
    add_node(b, node, "node", &ref, normal);
    return true;
}

static bool build_pair(struct builder *b, const struct sg_node *node, size_t j,
                       const struct contact_spec *spec)
{
    struct sg_node_ref ref[2];
    bool found = true;
    for (size_t k = 0; k < 2; k++) {
        struct sg_node_name name = {spec->nodes.data[k], node, "nodes"};
        found = sg_system_find_node(b->system, &name, b->diagnostics, &ref[k]) && found;
    }
    if (!found) return false;
    if (ref[0].full_dof == ref[1].full_dof) {
        sg_complain_about(b->diagnostics, SG_ERROR, node, "nodes", "'%s' and '%s' are the same node",
                          spec->nodes.data[0], spec->nodes.data[1]);
        return false;
    }
    b->set->offset[j] = sg_node_given(node, "gap") ? spec->gap : ref[1].position[0] - ref[0].position[0];
    add_node(b, node, "nodes", &ref[0], -1.0);
    add_node(b, node, "nodes", &ref[1], 1.0);
    return true;
}

static void build_law(struct builder *b, const struct sg_node *node, size_t j,
                      const struct contact_spec *spec)
{
    struct sg_contact_set *set = b->set;
    bool direct = sg_node_given(node, "stiffness"), factor = sg_node_given(node, "stiffness_factor");
    if (direct && factor)
        sg_complain(b->diagnostics, SG_ERROR, node,
                    "give either 'stiffness' or 'stiffness_factor', not both");
    set->elastic[j] = direct || factor;
    set->restitution[j] = spec->restitution;
    set->stiffness[j] = HUGE_VAL;
    if (direct) set->stiffness[j] = spec->stiffness;
    if (!factor) return;
    set->stiffness[j] = spec->stiffness_factor * b->system->max_stiffness;
    if (set->stiffness[j] <= 0.0)
        sg_complain_about(b->diagnostics, SG_ERROR, node, "stiffness_factor",
                          "the model has no stiffness that could be multiplied: give 'stiffness'");
    if (!isfinite(set->stiffness[j]))
        sg_complain_about(b->diagnostics, SG_ERROR, node, "stiffness_factor",
                          "%g times the largest entry of the stiffness matrix, %g N/m, is beyond the reals",
                          spec->stiffness_factor, b->system->max_stiffness);
}

/* what the deck says about the gap at zero displacement */
static const char *gap_keyword(const struct sg_node *node)
{
    if (sg_node_given(node, "gap")) return "gap";
    return sg_node_given(node, "position") ? "position" : "nodes";
}

static void complain_overlap(struct builder *b, const struct sg_node *node, size_t j, double moved)
{
    double offset = b->set->offset[j];
    sg_complain_about(b->diagnostics, SG_ERROR, node, gap_keyword(node),
                      "the contact overlaps by %g m at the start", -(offset + moved));
    if (moved != 0.0)
        sg_hint(b->diagnostics, "the gap is %g m at zero displacement, the initial displacement adds %g m",
                offset, moved);
    else if (sg_node_given(node, "position"))
        sg_hint(b->diagnostics,
                "side = \"lower\" (the default) is a wall below the node, \"upper\" one above");
    else if (!sg_node_given(node, "gap"))
        sg_hint(b->diagnostics, "the node with the smaller coordinate comes first");
}

static void check_start(struct builder *b, const struct sg_node *node, size_t j)
{
    const struct sg_columns *w = &b->set->w;
    double offset = b->set->offset[j];
    if (w->start[j] == w->start[j + 1] && !b->moving)
        sg_complain(b->diagnostics, SG_ERROR, node, "none of the contact's nodes can move");
    if (!isfinite(offset))
        sg_complain_about(b->diagnostics, SG_ERROR, node, gap_keyword(node),
                          "the gap is not a finite number");
    if (w->start[j] == w->start[j + 1] || !b->sound) return;
    double moved = sg_columns_dot(w, j, b->system->u0);
    /* positions come from sums: allow their rounding */
    if (offset + moved < -1e-12 * (1.0 + fabs(offset))) complain_overlap(b, node, j, moved);
}

static bool same_column(const struct sg_columns *w, size_t j, size_t k)
{
    size_t a = w->start[j], b = w->start[k], count = w->start[j + 1] - a;
    if (count == 0 || w->start[k + 1] - b != count) return false;
    for (size_t i = 0; i < count; i++)
        if (w->row[a + i] != w->row[b + i] || w->value[a + i] != w->value[b + i]) return false;
    return true;
}

/* Two rigid contacts that are one would share their force in no certain way. */
static void check_twin(struct builder *b, const struct sg_node *node, size_t j)
{
    const double *offset = b->set->offset;
    for (size_t k = 0; k < j; k++) {
        bool apart = fabs(offset[j] - offset[k]) > 1e-12 * (1.0 + fabs(offset[k]));
        if (apart || !same_column(&b->set->w, j, k)) continue;
        sg_complain(b->diagnostics, SG_WARNING, node,
                    "is the same contact as contacts.[%zu]: nodes and gap agree", k);
        return;
    }
}

static void check_name(struct builder *b, const struct sg_node *node, size_t j)
{
    for (size_t k = 0; sg_node_given(node, "name") && k < j; k++) {
        if (strcmp(b->set->names[k], b->set->names[j]) != 0) continue;
        sg_complain_about(b->diagnostics, SG_ERROR, node, "name",
                          "'%.64s' is also the name of contacts.[%zu]", b->set->names[j], k);
        return;
    }
}

static sg_status name_contact(struct builder *b, size_t j, const struct contact_spec *spec,
                              struct sg_error *err)
{
    char name[256];
    if (spec->name != NULL)
        snprintf(name, sizeof name, "%s", spec->name);
    else if (spec->node != NULL)
        snprintf(name, sizeof name, "%s-wall", spec->node);
    else
        snprintf(name, sizeof name, "%s-%s", spec->nodes.data[0], spec->nodes.data[1]);
    TRY(sg_copy_text(name, &b->set->names[j], err));
    b->set->name_count = j + 1;
    return SG_OK;
}

static sg_status build_contact(struct builder *b, const struct sg_node *node, size_t j, struct sg_error *err)
{
    struct contact_spec spec = {0};
    const struct sg_kind *kind = sg_node_kind(node);
    sg_node_fill(node, common_rows, &spec);
    sg_node_fill(node, kind->rows, &spec);
    bool wall = kind == &wall_kind;
    b->moving = false;
    bool built = wall ? build_wall(b, node, j, &spec) : build_pair(b, node, j, &spec);
    b->set->w.start[j + 1] = b->entries;
    TRY(name_contact(b, j, &spec, err));
    check_name(b, node, j);
    if (!built) return SG_OK;
    build_law(b, node, j, &spec);
    check_start(b, node, j);
    check_twin(b, node, j);
    return SG_OK;
}

static sg_status allocate(struct sg_contact_set *set, size_t n, size_t q, struct sg_error *err)
{
    set->q = q;
    set->affine = true;
    TRY(sg_columns_init_sparse(&set->w, n, q, 2 * q, err));
    TRY(SG_NEW(&set->offset, q, err));
    TRY(SG_NEW(&set->stiffness, q, err));
    TRY(SG_NEW(&set->restitution, q, err));
    TRY(SG_NEW(&set->friction, q, err));
    TRY(SG_NEW(&set->elastic, q, err));
    return SG_NEW(&set->names, q, err);
}

static sg_status build(struct builder *b, const struct sg_node *list, size_t q, struct sg_error *err)
{
    TRY(allocate(b->set, b->system->n, q, err));
    size_t errors = b->diagnostics->errors;
    for (size_t j = 0; j < q; j++) TRY(build_contact(b, sg_node_item(list, j), j, err));
    if (b->diagnostics->errors != errors) FAIL(err, SG_BAD_DECK, "the deck's contacts are wrong");
    return SG_OK;
}

sg_status sg_contact_set_create(const struct sg_deck *deck, const struct sg_system *system,
                                struct sg_contact_set **set, struct sg_diagnostics *diagnostics,
                                struct sg_error *err)
{
    const struct sg_node *list = sg_node_child(sg_deck_root(deck), "contacts");
    TRY(SG_NEW(set, 1, err));
    struct builder b = {
        .system = system, .set = *set, .diagnostics = diagnostics, .sound = diagnostics->errors == 0};
    sg_status status = build(&b, list, list == NULL ? 0 : sg_node_count(list), err);
    if (status == SG_OK || status == SG_BAD_DECK) return status;
    sg_contact_set_destroy(*set);
    *set = NULL;
    return status;
}

void sg_contact_set_destroy(struct sg_contact_set *set)
{
    if (set == NULL) return;
    sg_columns_release(&set->w);
    sg_free(set->offset);
    sg_free(set->stiffness);
    sg_free(set->restitution);
    sg_free(set->friction);
    sg_free(set->elastic);
    for (size_t j = 0; j < set->name_count; j++) sg_free(set->names[j]);
    sg_free(set->names);
    sg_free(set);
}

sg_status sg_contact_set_to_modal(struct sg_contact_set *set, const struct sg_modal *modal,
                                  struct sg_error *err)
{
    return sg_modal_project_columns(modal, &set->w, err);
}

void sg_contact_set_gaps(const struct sg_contact_set *set, const double *u, const double *v, double *gap,
                         double *rate)
{
    sg_columns_dots(&set->w, u, v, gap, rate);
    for (size_t j = 0; j < set->q; j++) gap[j] += set->offset[j];
}

/* --- frames ----------------------------------------------------------------------------------------- */

sg_status sg_contact_frame_init(struct sg_contact_frame *frame, const struct sg_contact_set *set,
                                struct sg_error *err)
{
    *frame = (struct sg_contact_frame){.normal = &set->w};
    TRY(SG_NEW(&frame->gap, set->q, err));
    return SG_NEW(&frame->drift, set->q, err);
}

void sg_contact_frame_release(struct sg_contact_frame *frame)
{
    sg_free(frame->gap);
    sg_free(frame->drift);
    sg_columns_release(&frame->own_normal);
    sg_columns_release(&frame->own_tangent);
    *frame = (struct sg_contact_frame){0};
}

void sg_contact_set_place(const struct sg_contact_set *set, double t, const double *u,
                          struct sg_contact_frame *frame)
{
    (void)t;
    for (size_t j = 0; j < set->q; j++) frame->gap[j] = set->offset[j] + sg_columns_dot(&set->w, j, u);
}

/* --- what is recorded -------------------------------------------------------------------------------- */

static void fill_gap(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_contact_set *set = owner;
    memcpy(row, now->gap, set->q * sizeof *row);
}

static void fill_force(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_contact_set *set = owner;
    memcpy(row, now->force, set->q * sizeof *row);
}

static void fill_active(const void *owner, const struct sg_snapshot *now, double *row)
{
    const struct sg_contact_set *set = owner;
    for (size_t j = 0; j < set->q; j++) row[j] = now->active[j];
}

void sg_contact_set_register(const struct sg_contact_set *set, struct sg_quantities *list)
{
    if (set->q == 0) return;
    struct sg_quantity gap = {.name = "gap",
                              .unit = "m",
                              .description = "gap of each contact, > 0 open",
                              .width = set->q,
                              .fill = fill_gap,
                              .owner = set};
    struct sg_quantity force = {.name = "contact_force",
                                .unit = "N",
                                .description = "normal force of each contact, > 0 compressive",
                                .width = set->q,
                                .fill = fill_force,
                                .owner = set};
    struct sg_quantity active = {.name = "active",
                                 .unit = "1",
                                 .description = "1 where the contact is closed",
                                 .width = set->q,
                                 .flags = true,
                                 .fill = fill_active,
                                 .owner = set};
    sg_quantities_add(list, gap);
    sg_quantities_add(list, force);
    sg_quantities_add(list, active);
}
