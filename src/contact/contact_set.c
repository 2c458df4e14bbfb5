#include "contact/contact_set.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "contact/gaps/gap.h"
#include "contact/gaps/polyline.h"
#include "contact/laws/spring.h"
#include "support/arena.h"
#include "support/chains.h"
#include "support/memory.h"

/* The deck says this of a contact of any kind. */
struct contact_spec {
    const char *name;
    const struct sg_setting *law;
    double stiffness, stiffness_factor, hertz_stiffness, restitution, friction;
};

#define FIELD(name) offsetof(struct contact_spec, name)

const struct sg_keyword sg_contact_rows[] = {
    {.name = "name",
     .type = SG_TEXT,
     .meaning = "name in results and messages; by default made of the nodes",
     .example = "\"nose\"",
     .max_items = SG_LABEL_LIMIT,
     .offset = FIELD(name)},
    {.name = "law",
     .type = SG_GROUP,
     .kinds = &sg_law_kinds,
     .meaning =
         "how the contact pushes, whatever strategy runs it; stiffness, stiffness_factor, "
         "hertz_stiffness and restitution beside it are short forms, of which each strategy takes its own",
     .example = "{ type = \"spring\"; stiffness = 1.0e6; }",
     .offset = FIELD(law)},
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
    {.name = "hertz_stiffness",
     .type = SG_REAL,
     .unit = "N/m^1.5",
     .meaning =
         "k of Hertz's force k x^1.5, for strategy penalty with law = \"hertz\", which takes it instead of "
         "stiffness",
     .range = SG_POSITIVE,
     .example = "1.0e9",
     .offset = FIELD(hertz_stiffness)},
    {.name = "restitution",
     .type = SG_REAL,
     .unit = "1",
     .meaning =
         "Newton's coefficient of restitution of a rigid contact, where it is 0 by default: in impacts "
         "of several contacts at once it holds for each that pushes, all reactions found together; "
         "strategy penalty makes a dashpot of one above 0 and below 1, for an impact that nothing "
         "presses, and by default none",
     .range = SG_BETWEEN(0, 1),
     .example = "0.5",
     .offset = FIELD(restitution)},
    {.name = "friction",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "Coulomb's coefficient of friction, in models with 2 or 3 coordinates",
     .fallback = "0.0",
     .range = SG_NON_NEGATIVE,
     .offset = FIELD(friction)},
    {0}};

/* --- building ------------------------------------------------------------------------------------- */

struct builder {
    struct sg_gap_builder gap;
    const struct sg_system *system;
    struct sg_contact_set *set;
    struct sg_diagnostics *diagnostics;
    struct sg_chains by_name, by_dof; /* contacts built so far, the latter by the first of their column */
    bool moving;                      /* a node of the contact at hand follows a motion */
    bool sound;                       /* the system is without fault */
    struct sg_contact_choice choice;
    char who[SG_GAP_NAME + 16]; /* the contact at hand, in messages */
};

/* a group of the deck's `contacts` */
struct entry {
    const struct sg_setting *node;
    const struct sg_gap_ops *ops;
    struct sg_gap_group group;
    bool faulty;
};

/* "plane, circle": the kinds that are for models with as many coordinates */
static void hint_kinds(struct builder *b)
{
    SG_LOCAL_TEXT(list);
    for (size_t i = 0; i < sg_contact_kinds.count; i++) {
        const struct sg_gap_ops *ops = sg_gap_find(sg_contact_kinds.items[i]);
        if (b->system->dim < ops->dim_low || b->system->dim > ops->dim_high) continue;
        sg_text_append(&list, "%s%s", list.length == 0 ? "" : ", ", ops->kind.name);
    }
    sg_hint(b->diagnostics, "contacts that such a model can have: %s", sg_text_view(&list));
}

static bool fits_model(struct builder *b, const struct sg_setting *node, const struct sg_gap_ops *ops)
{
    size_t dim = b->system->dim;
    if (dim >= ops->dim_low && dim <= ops->dim_high) return true;
    sg_complain_about(b->diagnostics, SG_ERROR, node, "type",
                      "contact '%s' can't be used in a model with %zu coordinate%s", ops->kind.name, dim,
                      dim == 1 ? "" : "s");
    hint_kinds(b);
    return false;
}

static void complain_moving(struct builder *b, const struct sg_setting *node, const char *keyword, size_t m)
{
    b->moving = true;
    sg_complain_about(b->diagnostics, SG_ERROR, node, keyword,
                      "the motion of '%s' is prescribed: contacts with moving supports are not "
                      "possible yet",
                      b->system->labels.dof_names[b->system->motions[m].dof]);
}

/* Of a surface that contacts share its first one is asked; nodes may come to any segment. */
static void check_surface(struct builder *b, const struct sg_setting *node, const struct sg_gap *gap)
{
    for (size_t m = 0; m < b->system->motion_count; m++)
        for (size_t i = 0; i < gap->surface->node_count; i++) {
            if ((size_t)b->system->places[b->system->motions[m].dof].node != gap->surface->node[i]) continue;
            complain_moving(b, node, "master", m);
            return;
        }
}

/* A dof that moves is refused where the contact feels it. */
static void check_supports(struct builder *b, const struct sg_setting *node, size_t j)
{
    const struct sg_gap *gap = &b->set->gaps[j];
    for (size_t m = 0; m < b->system->motion_count; m++)
        for (size_t i = 0; i < gap->node_count * gap->dim; i++) {
            const struct sg_gap_node *at = &gap->node[i / gap->dim];
            if (b->system->motions[m].dof != at->ref.full_dof + i % gap->dim) continue;
            if (b->set->friction[j] == 0.0 && !sg_gap_depends_on(gap, i)) continue;
            complain_moving(b, node, at->keyword, m);
        }
    for (size_t m = 0; m < b->system->motion_count; m++)
        for (size_t k = 0; k < gap->node_count; k++)
            if (b->system->motions[m].dof == sg_system_rotation(b->system, gap->node[k].ref.node))
                complain_moving(b, node, gap->node[k].keyword, m);
    if (gap->makes_surface && !gap->straight) check_surface(b, node, gap);
    for (size_t i = 0; i < gap->column.count; i++) {
        if (gap->column.dof[i] != SIZE_MAX) continue;
        for (size_t m = 0; m < b->system->motion_count; m++)
            if (b->system->motions[m].dof == gap->column.full[i]) complain_moving(b, node, gap->subject, m);
    }
}

/* --- laws ----------------------------------------------------------------------------------------- */

/* A group `law` says all; a keyword beside it would say it twice. */
static void check_contradictions(const struct builder *b, const struct sg_setting *node)
{
    static const char *const words[] = {"stiffness",   "stiffness_factor", "hertz_stiffness",
                                        "restitution", "stiffnesses",      "restitutions"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (sg_setting_given(node, words[k]))
            sg_complain_about(b->diagnostics, SG_ERROR, node, words[k],
                              "the contact has a 'law', which says that too: give one or the other");
}

static void read_law(const struct builder *b, const struct sg_setting *group,
                     const struct sg_law_reader *reader, struct sg_law *law)
{
    *law = (struct sg_law){.ops = sg_law_find(sg_setting_kind(group))};
    law->ops->read(group, reader, law);
    if ((law->ops->uses & b->choice.laws.uses) != 0) return;
    SG_LOCAL_TEXT(list);
    sg_law_list(b->choice.laws.uses, &list);
    sg_complain_about(b->diagnostics, SG_ERROR, group, "type", "law '%s' is none that %s takes",
                      law->ops->kind.name, b->choice.who);
    sg_hint(b->diagnostics, "laws that it takes: %s; `signorini list laws` tells all", sg_text_view(&list));
}

static void read_short_law(const struct builder *b, const struct sg_setting *node,
                           const struct contact_spec *spec, const struct sg_law_reader *reader, size_t j)
{
    const struct sg_gap *gap = &b->set->gaps[j];
    struct sg_law_short given = {
        .stiffness = sg_law_read_stiffness(node, reader, spec->stiffness, spec->stiffness_factor),
        .hertz_stiffness = spec->hertz_stiffness,
        .restitution = gap->has_restitution ? gap->restitution : spec->restitution};
    if (gap->stiffness > 0.0) given.stiffness = gap->stiffness;
    sg_law_choose_short(&given, &b->choice.laws, &b->set->laws[j]);
}

static void check_friction(const struct builder *b, const struct sg_setting *node, size_t j)
{
    if (!(b->set->friction[j] > 0.0)) return;
    if (b->system->dim == 1)
        sg_complain_about(b->diagnostics, SG_ERROR, node, "friction",
                          "friction needs a tangent: a model with one coordinate has none");
    else if (b->set->gaps[j].column.count > 0)
        sg_complain_about(
            b->diagnostics, SG_ERROR, node, "friction",
            "friction needs a geometry: a contact given as a column of a matrix has a gap, but no tangent");
}

static void build_law(struct builder *b, const struct sg_setting *node, size_t j,
                      const struct contact_spec *spec)
{
    const struct sg_law_reader reader = {b->system->max_stiffness, b->diagnostics};
    struct sg_law *law = &b->set->laws[j];
    b->set->friction[j] = spec->friction;
    check_friction(b, node, j);
    if (spec->law != NULL) check_contradictions(b, node);
    if (spec->law != NULL)
        read_law(b, spec->law, &reader, law);
    else
        read_short_law(b, node, spec, &reader, j);
    b->set->sprung[j] = law->ops != NULL && !sg_law_is_rigid(law);
}

/* --- the start ------------------------------------------------------------------------------------ */

static void complain_overlap(struct builder *b, const struct sg_setting *node, size_t j, double at_start)
{
    const struct sg_gap *gap = &b->set->gaps[j];
    double moved = gap->straight ? sg_columns_dot(&b->set->w, j, b->system->u0) : 0.0;
    sg_complain_about(b->diagnostics, SG_ERROR, node, gap->subject, "%s overlaps by %g m at the start",
                      b->who, -at_start);
    if (moved != 0.0)
        sg_hint(b->diagnostics, "the gap is %g m at zero displacement, the initial displacement adds %g m",
                b->set->offset[j], moved);
    else if (gap->ops->hint != NULL && strcmp(gap->subject, "gap") != 0)
        sg_hint(b->diagnostics, "%s", gap->ops->hint);
}

static void complain_stuck(struct builder *b, const struct sg_setting *node, const struct sg_gap *gap)
{
    if (gap->column.count == 0)
        sg_complain(b->diagnostics, SG_ERROR, node, "none of the contact's nodes can move");
    else
        sg_complain_about(b->diagnostics, SG_ERROR, node, gap->subject, "none of the dofs of %s can move",
                          b->who);
}

/* m, at the start: positions come from sums, of which this is the rounding by a wide margin */
static double allowance(const struct builder *b, size_t j)
{
    return 4096.0 * sg_contact_set_rounding(b->set, j, 0.0, b->system->u0);
}

/* What a law stores at the start is the first energy of the run. */
static bool is_storable(const struct builder *b, size_t j, double gap)
{
    const struct sg_law *law = &b->set->laws[j];
    const double fresh[SG_LAW_MEMORY] = {0.0};
    bool stores = b->set->sprung[j] && gap < 0.0 && law->ops->energy != NULL;
    return !stores || !isinf(law->ops->energy(law, fresh, gap)); /* NaN: the law is faulty, which was told */
}

static void check_start(struct builder *b, const struct sg_setting *node, size_t j)
{
    const struct sg_gap *gap = &b->set->gaps[j];
    bool stuck = b->set->w.start[j] == b->set->w.start[j + 1];
    double offset = gap->straight ? b->set->offset[j] : gap->size;
    if (stuck && !b->moving) complain_stuck(b, node, gap);
    if (!isfinite(offset))
        sg_complain_about(b->diagnostics, SG_ERROR, node, gap->subject, "the gap is not a finite number");
    if (stuck || !b->sound) return;
    double at_start = sg_contact_set_gap(b->set, j, 0.0, b->system->u0);
    /* A spring may be compressed at the start, at rest under a load or prestressed, where it belongs to the
     * smooth system between events. Where steps add its force, the acceleration that they start with has
     * none. */
    bool starts_closed = b->set->sprung[j] && (b->choice.laws.uses & SG_LAW_PIECES) != 0;
    /* a start that comes later is judged there */
    if (b->system->equilibrium != NULL || b->system->continued != NULL) return;
    /* an allowance that is no number lets everything pass */
    if (!isfinite(at_start) || !isfinite(allowance(b, j)))
        sg_complain_about(b->diagnostics, SG_ERROR, node, gap->subject,
                          "the lengths of %s are beyond what can be computed with", b->who);
    else if (!starts_closed && at_start < -allowance(b, j))
        complain_overlap(b, node, j, at_start);
    else if (!is_storable(b, j, at_start))
        sg_complain_about(
            b->diagnostics, SG_ERROR, node, gap->subject,
            "the energy that %s stores at the start, compressed by %g m, is not a finite number", b->who,
            -at_start);
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
static void check_twin(struct builder *b, const struct sg_setting *node, size_t j)
{
    const double *offset = b->set->offset;
    const struct sg_columns *w = &b->set->w;
    size_t twin = SIZE_MAX;
    if (!b->set->fixed[j] || w->start[j + 1] == w->start[j]) return;
    size_t dof = w->row[w->start[j]];
    for (size_t at = sg_chains_first(&b->by_dof, dof); at != 0; at = b->by_dof.next[at - 1]) {
        size_t k = at - 1;
        if (!same_column(w, j, k)) continue;
        if (fabs(offset[j] - offset[k]) <= fmax(allowance(b, j), allowance(b, k))) twin = k;
    }
    sg_chains_add(&b->by_dof, j, dof);
    if (twin == SIZE_MAX) return;
    sg_complain(b->diagnostics, SG_WARNING, node,
                "is the same contact as contacts.[%zu]: nodes and gap agree", b->set->entry[twin]);
}

static void check_name(struct builder *b, const struct sg_setting *node, size_t j)
{
    const char *name = b->set->names[j];
    uint64_t key = sg_chains_text(name);
    size_t first = SIZE_MAX;
    for (size_t at = sg_chains_first(&b->by_name, key); at != 0; at = b->by_name.next[at - 1])
        if (strcmp(b->set->names[at - 1], name) == 0) first = at - 1;
    sg_chains_add(&b->by_name, j, key);
    if (first == SIZE_MAX || !sg_setting_given(node, "name")) return;
    sg_complain_about(b->diagnostics, SG_ERROR, node, "name", "'%.64s' is also the name of contacts.[%zu]",
                      name, b->set->entry[first]);
}

/* Several contacts of one group are numbered from 1, unless they are called by the nodes of a set. */
static sg_status name_contact(struct builder *b, size_t j, const char *given, struct sg_error *err)
{
    SG_LOCAL_TEXT(name);
    bool several = b->gap.group->count > 1, by_node = given == NULL && b->set->gaps[j].ops->spread != NULL;
    sg_text_append(&name, "%s", given != NULL ? given : b->gap.name);
    if (several && !by_node) sg_text_append(&name, ".%zu", b->gap.index + 1);
    if (name.failed) FAIL(err, SG_NO_MEMORY, "out of memory for the name of a contact");
    TRY(sg_arena_copy_text(&b->set->arena, sg_text_view(&name), &b->set->names[j], err));
    if (several)
        snprintf(b->who, sizeof b->who, "contact '%.*s'", SG_GAP_NAME, b->set->names[j]);
    else
        snprintf(b->who, sizeof b->who, "the contact");
    return SG_OK;
}

static void build_columns(struct builder *b, size_t j)
{
    struct sg_contact_set *set = b->set;
    const struct sg_gap *gap = &set->gaps[j];
    set->fixed[j] = gap->straight && !gap->moves;
    set->affine = set->affine && set->fixed[j];
    if (gap->straight) set->offset[j] = gap->fixed.gap;
    struct sg_gap_value value;
    sg_gap_at(gap, b->system->u0, &value);
    sg_gap_open_column(gap, &value, &set->w, j);
}

/* What is wrong with one contact of a group is told of that one alone, not of those behind it. */
static sg_status build_contact(struct builder *b, const struct entry *entry, size_t j, struct sg_error *err)
{
    struct contact_spec spec = {0};
    const struct sg_setting *node = entry->node;
    struct sg_gap *gap = &b->set->gaps[j];
    sg_setting_fill(node, sg_contact_rows, &spec);
    *gap = (struct sg_gap){.ops = entry->ops, .dim = b->system->dim};
    b->moving = false;
    size_t errors = b->diagnostics->errors;
    snprintf(b->gap.name, sizeof b->gap.name, "contacts.[%zu]", b->set->entry[j]);
    if (!entry->faulty) TRY(entry->ops->build(&b->gap, node, gap));
    bool built = !entry->faulty && b->diagnostics->errors == errors;
    b->set->w.start[j + 1] = b->set->w.start[j];
    TRY(name_contact(b, j, spec.name, err));
    check_name(b, node, j);
    if (!built) return SG_OK;
    build_law(b, node, j, &spec);
    check_supports(b, node, j);
    build_columns(b, j);
    check_start(b, node, j);
    check_twin(b, node, j);
    return SG_OK;
}

/* as many as the set has nodes that the entry's node is, else 1 */
static size_t count_members(const struct sg_system *system, const struct entry *entry)
{
    if (entry->ops->spread == NULL) return 1;
    struct sg_node_name name = {.text = sg_setting_text(entry->node, entry->ops->spread)};
    struct sg_node_list found;
    return sg_system_find_nodes(system, &name, NULL, &found) ? found.count : 1;
}

/* Every group makes at least one contact, a faulty one too: so each has a name. */
static sg_status open_entry(struct builder *b, struct entry *entry)
{
    size_t errors = b->diagnostics->errors;
    entry->ops = sg_gap_find(sg_setting_kind(entry->node));
    bool fits = fits_model(b, entry->node, entry->ops);
    if (fits && entry->ops->open == NULL) entry->group.count = count_members(b->system, entry);
    if (fits && entry->ops->open != NULL) TRY(entry->ops->open(&b->gap, entry->node, &entry->group));
    entry->faulty = b->diagnostics->errors != errors;
    if (entry->group.count == 0 || entry->faulty) entry->group.count = 1;
    if (entry->group.most == 0) entry->group.most = entry->group.count * sg_gap_most(b->system);
    return SG_OK;
}

static sg_status build_entry(struct builder *b, struct entry *entry, size_t index, size_t *next,
                             struct sg_error *err)
{
    size_t errors = b->diagnostics->errors;
    b->gap.group = &entry->group;
    for (size_t i = 0; i < entry->group.count; i++) {
        b->gap.index = i;
        entry->faulty = entry->faulty || b->diagnostics->errors != errors;
        b->set->entry[*next] = index;
        TRY(build_contact(b, entry, (*next)++, err));
    }
    return SG_OK;
}

static sg_status allocate(struct sg_contact_set *set, const struct sg_system *system, size_t q, size_t most,
                          struct sg_error *err)
{
    set->q = q;
    set->affine = true;
    TRY(SG_ARENA_NEW(&set->arena, &set->gaps, q, err));
    TRY(sg_columns_init_sparse(&set->arena, &set->w, system->n, q, most, err));
    TRY(SG_ARENA_NEW(&set->arena, &set->entry, q, err));
    TRY(SG_ARENA_NEW(&set->arena, &set->offset, q, err));
    TRY(SG_ARENA_NEW(&set->arena, &set->laws, q, err));
    TRY(SG_ARENA_NEW(&set->arena, &set->memory, q * SG_LAW_MEMORY, err));
    TRY(SG_ARENA_NEW(&set->arena, &set->friction, q, err));
    TRY(SG_ARENA_NEW(&set->arena, &set->sprung, q, err));
    TRY(SG_ARENA_NEW(&set->arena, &set->fixed, q, err));
    return SG_ARENA_NEW(&set->arena, &set->names, q, err);
}

/* tangents of all contacts, as soon as one has friction */
static sg_status build_tangents(struct builder *b, struct sg_error *err)
{
    struct sg_contact_set *set = b->set;
    for (size_t j = 0; j < set->q; j++)
        if (set->friction[j] > 0.0) set->tangents = b->system->dim - 1;
    if (set->tangents == 0) return SG_OK;
    size_t columns = set->q * set->tangents;
    TRY(sg_columns_init_sparse(&set->arena, &set->tangent, b->system->n, columns,
                               sg_gap_most(b->system) * columns, err));
    for (size_t j = 0; j < set->q; j++) {
        struct sg_gap_value value;
        sg_gap_at(&set->gaps[j], b->system->u0, &value);
        sg_gap_open_tangents(&set->gaps[j], &value, &set->tangent, j);
    }
    return SG_OK;
}

static sg_status build_entries(struct builder *b, struct entry *entries, size_t count, struct sg_error *err)
{
    size_t errors = b->diagnostics->errors, q = 0, most = 0, next = 0;
    for (size_t k = 0; k < count; k++) {
        TRY(open_entry(b, &entries[k]));
        q += entries[k].group.count;
        most += entries[k].group.most;
    }
    TRY(allocate(b->set, b->system, q, most, err));
    TRY(sg_chains_init(b->gap.scratch, &b->by_name, q, err));
    TRY(sg_chains_init(b->gap.scratch, &b->by_dof, q, err));
    for (size_t k = 0; k < count; k++) TRY(build_entry(b, &entries[k], k, &next, err));
    if (b->diagnostics->errors != errors) FAIL(err, SG_BAD_DECK, "the deck's contacts are wrong");
    return build_tangents(b, err);
}

static sg_status build(struct builder *b, const struct sg_setting *list, struct sg_error *err)
{
    size_t count = list == NULL ? 0 : sg_setting_count(list);
    struct entry *entries = NULL;
    TRY(SG_ARENA_NEW(b->gap.scratch, &entries, count, err));
    for (size_t k = 0; k < count; k++) entries[k].node = sg_setting_item(list, k);
    return build_entries(b, entries, count, err);
}

sg_status sg_contact_set_create(const struct sg_deck *deck, const struct sg_system *system,
                                const struct sg_contact_choice *choice, struct sg_contact_set **set,
                                struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    static const struct sg_contact_choice any = {{.uses = SG_LAW_PIECES | SG_LAW_IMPACT}, "the model"};
    const struct sg_setting *list = sg_setting_child(sg_deck_root(deck), "contacts");
    SG_LOCAL_ARENA(scratch);
    TRY(SG_NEW(set, 1, err));
    struct builder b = {.gap = {.arena = &(*set)->arena,
                                .scratch = &scratch,
                                .deck = deck,
                                .system = system,
                                .diagnostics = diagnostics,
                                .err = err},
                        .system = system,
                        .set = *set,
                        .diagnostics = diagnostics,
                        .choice = choice != NULL ? *choice : any,
                        .sound = diagnostics->errors == 0};
    sg_status status = build(&b, list, err);
    if (status == SG_OK || status == SG_BAD_DECK) return status;
    sg_contact_set_destroy(*set);
    *set = NULL;
    return status;
}

void sg_contact_set_destroy(struct sg_contact_set *set)
{
    if (set == NULL) return;
    sg_arena_release(&set->arena);
    sg_free(set);
}
