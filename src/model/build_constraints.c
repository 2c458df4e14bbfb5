/* The deck's `constraints`: rows, what the deck leaves to the start, and what can't be. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "linalg/span.h"
#include "model/builder.h"
#include "model/constraints/kinds.h"
#include "support/memory.h"

/* 1: how far a start may be off, relative to the coordinates or velocities in it; of directions, what counts
 * as none */
static const double slack = 1e-9;

/* m/s: what a velocity that should be 0 may be by rounding of a phase or an angle */
static const double still = 1e-12;

/* --- one item ---------------------------------------------------------------------------------------- */

static void follow_ties(const struct sg_system *system, struct sg_constraint *item)
{
    for (size_t k = 0; k < item->dof_count; k++)
        for (size_t t = 0; t < system->tie_count; t++)
            if (system->ties[t].slave == item->dof[k]) item->dof[k] = system->ties[t].master;
}

/* one entry a distinct free dof */
static void list_free(const struct sg_system *system, struct sg_constraint *item)
{
    for (size_t k = 0; k < item->dof_count; k++) {
        size_t free = system->free_of_full[item->dof[k]], place = 0;
        item->place[k] = SIZE_MAX;
        if (free == SIZE_MAX) continue;
        while (place < item->free_count && item->free[place] != free) place++;
        item->place[k] = place;
        if (place == item->free_count) item->free[item->free_count++] = free;
    }
}

static sg_status add_name(struct sg_constraints *set, const struct sg_constraint *item, size_t r,
                          const char *name, struct sg_error *err)
{
    char text[SG_CONSTRAINT_NAME + 16];
    const char *part = item->row_names[r];
    snprintf(text, sizeof text, "%.200s%s%s", name, part == NULL ? "" : ".", part == NULL ? "" : part);
    return sg_copy_text(text, &set->names[item->first_row + r], err);
}

static sg_status read_item(struct sg_builder *model, const struct sg_node *node, size_t index)
{
    struct sg_constraints *set = &model->system->constraints;
    struct sg_constraint *item = &set->item[index];
    struct sg_constraint_builder builder = {.model = model};
    struct {
        const char *name;
    } spec = {NULL};
    sg_node_fill(node, sg_constraint_kinds.common, &spec);
    /* each kind is the first member of its ops */
    item->ops = (const struct sg_constraint_ops *)(const void *)sg_node_kind(node);
    item->node = node;
    item->first_row = set->count;
    set->items++;
    TRY(item->ops->build(&builder, node, item));
    if (item->rows == 0) return SG_OK;
    follow_ties(model->system, item);
    list_free(model->system, item);
    set->affine = set->affine && item->affine;
    for (size_t r = 0; r < item->rows; r++) {
        TRY(add_name(set, item, r, spec.name == NULL ? builder.name : spec.name, model->err));
        set->entry[set->count++] = index;
    }
    set->entries += item->rows * item->free_count;
    if (!item->affine) set->second_entries += item->free_count * (item->free_count + 1) / 2;
    if (item->free_count > 0) return SG_OK;
    sg_complain(model->diagnostics, SG_ERROR, node,
                "constraint '%.100s' holds nothing: all its coordinates are prescribed",
                set->names[item->first_row]);
    return SG_OK;
}

/* Whether time changes anything beside the coordinates. */
static bool is_steady(const struct sg_system *system)
{
    const struct sg_constraints *set = &system->constraints;
    for (size_t j = 0; j < set->items; j++) {
        if (set->item[j].moves) return false;
        for (size_t k = 0; k < set->item[j].dof_count; k++)
            for (size_t m = 0; m < system->motion_count; m++)
                if (system->motions[m].dof == set->item[j].dof[k]) return false;
    }
    return true;
}

/* --- the start --------------------------------------------------------------------------------------- */

static double start_of(const struct sg_builder *model, size_t full)
{
    const struct sg_system *system = model->system;
    size_t m = model->motion_of_full[full];
    double moved = m == SIZE_MAX ? model->u[full] : sg_system_motion(system, m, 0, 0);
    return system->reference[full] + (model->held[full] ? 0 : moved);
}

/* What the deck left open. */
static sg_status settle(struct sg_builder *model, struct sg_constraint *item)
{
    double *x = NULL;
    bool open = isnan(item->value);
    if (!item->open) return SG_OK;
    TRY(SG_NEW(&x, item->dof_count, model->err));
    for (size_t k = 0; k < item->dof_count; k++) x[k] = start_of(model, item->dof[k]);
    item->ops->settle(item, x);
    sg_free(x);
    if (!open || !item->moves) return SG_OK;
    struct sg_signal_value value = sg_signal_at(&model->system->signals[item->signal], 0);
    item->value -= sg_signal_pick(&value, item->order);
    return SG_OK;
}

static void check_position(const struct sg_builder *model, const struct sg_constraint_frame *frame, size_t i)
{
    const struct sg_system *system = model->system;
    const struct sg_constraints *set = &system->constraints;
    double limit = slack * sg_constraints_size(system, i, 0, system->u0);
    if (fabs(frame->g[i]) <= limit) return;
    sg_complain(model->diagnostics, SG_ERROR, set->item[set->entry[i]].node,
                "constraint '%.100s' does not hold at the start: it is off by %g, where %g is allowed",
                set->names[i], frame->g[i], limit);
    sg_hint(model->diagnostics,
            "bodies start at their positions and what 'initial' adds; a 'length', 'value' or 'point' that is "
            "left out is taken of the start");
}

static void check_velocity(const struct sg_builder *model, const struct sg_constraint_frame *frame, size_t i)
{
    const struct sg_system *system = model->system;
    const struct sg_constraints *set = &system->constraints;
    double rate = sg_columns_dot(&frame->G, i, system->v0) + frame->drift[i], limit = fabs(frame->drift[i]);
    for (size_t k = frame->G.start[i]; k < frame->G.start[i + 1]; k++)
        limit += fabs(frame->G.value[k] * system->v0[frame->G.row[k]]);
    limit = slack * limit + still;
    if (fabs(rate) <= limit) return;
    sg_complain(
        model->diagnostics, SG_ERROR, set->item[set->entry[i]].node,
        "constraint '%.100s' does not hold in the initial velocities: its rate is %g, where %g is allowed",
        set->names[i], rate, limit);
    sg_hint(model->diagnostics,
            "velocities of the start must be those of a motion that the constraints allow");
}

/* --- rank -------------------------------------------------------------------------------------------- */

/* G in columns over the dofs that any row knows, each divided by the root of its mass */
struct scaled {
    size_t length;
    size_t *of_free; /* n: index among them; SIZE_MAX: none */
    double *scale;   /* length */
};

static sg_status scale_init(const struct sg_system *system, const struct sg_columns *G, struct scaled *scaled,
                            struct sg_error *err)
{
    TRY(SG_NEW(&scaled->of_free, system->n, err));
    TRY(SG_NEW(&scaled->scale, G->start[G->q], err));
    for (size_t i = 0; i < system->n; i++) scaled->of_free[i] = SIZE_MAX;
    for (size_t k = 0; k < G->start[G->q]; k++) {
        size_t i = G->row[k];
        if (scaled->of_free[i] != SIZE_MAX) continue;
        double mass = sg_matrix_entry(&system->M, i, i);
        scaled->scale[scaled->length] = mass > 0 ? 1 / sqrt(mass) : 1;
        scaled->of_free[i] = scaled->length++;
    }
    return SG_OK;
}

static void scale_release(struct scaled *scaled)
{
    sg_free(scaled->of_free);
    sg_free(scaled->scale);
}

/* "'a', 'b' and 3 more": the rows that row i is made of */
static void list_parts(const struct sg_constraints *set, const size_t *member, size_t count,
                       const double *combination, struct sg_text *list)
{
    enum { LISTED = 4 };
    size_t found = 0;
    double largest = 0;
    for (size_t k = 0; k < count; k++) largest = fmax(largest, fabs(combination[k]));
    for (size_t k = 0; k < count; k++) {
        if (fabs(combination[k]) <= 1e-6 * largest) continue;
        if (found++ < LISTED)
            sg_text_append(list, "%s'%.100s'", found == 1 ? "" : ", ", set->names[member[k]]);
    }
    if (found > LISTED) sg_text_append(list, " and %zu more", found - LISTED);
}

/* what the search for dependent rows works with */
struct search {
    struct sg_span span;
    double *vector, *combination;
    size_t *member; /* rows that are independent */
};

static void complain_redundant(const struct sg_builder *model, const struct search *search, size_t i)
{
    const struct sg_constraints *set = &model->system->constraints;
    struct sg_text parts = {0};
    list_parts(set, search->member, search->span.count, search->combination, &parts);
    sg_complain(model->diagnostics, SG_ERROR, set->item[set->entry[i]].node,
                "constraint '%.100s' is redundant: %s say%s the same already", set->names[i],
                parts.length == 0 ? "supports" : sg_text_view(&parts),
                parts.length > 0 && strchr(sg_text_view(&parts), ',') == NULL ? "s" : "");
    sg_text_release(&parts);
}

static void search_rows(const struct sg_builder *model, const struct sg_columns *G,
                        const struct scaled *scaled, struct search *search)
{
    for (size_t i = 0; i < G->q; i++) {
        memset(search->vector, 0, scaled->length * sizeof *search->vector);
        for (size_t k = G->start[i]; k < G->start[i + 1]; k++) {
            size_t at = scaled->of_free[G->row[k]];
            search->vector[at] += G->value[k] * scaled->scale[at];
        }
        if (sg_span_add(&search->span, search->vector, slack, search->combination))
            search->member[search->span.count - 1] = i;
        else
            complain_redundant(model, search, i);
    }
}

static void search_release(struct search *search)
{
    sg_span_release(&search->span);
    sg_free(search->vector);
    sg_free(search->combination);
    sg_free(search->member);
}

static sg_status search_init(struct search *search, size_t length, size_t most, struct sg_error *err)
{
    TRY(sg_span_init(&search->span, length, most, err));
    TRY(SG_NEW(&search->vector, length, err));
    TRY(SG_NEW(&search->combination, most, err));
    return SG_NEW(&search->member, most, err);
}

static sg_status check_rank(struct sg_builder *model, const struct sg_columns *G)
{
    struct scaled scaled = {0};
    struct search search = {.vector = NULL};
    sg_status status = scale_init(model->system, G, &scaled, model->err);
    if (status == SG_OK) status = search_init(&search, scaled.length, G->q, model->err);
    if (status == SG_OK) search_rows(model, G, &scaled, &search);
    search_release(&search);
    scale_release(&scaled);
    return status;
}

/* --- dofs without mass --------------------------------------------------------------------------------- */

/* [M G^T; G 0] is regular where no motion of massless dofs alone keeps all constraints: their rows of G are
 * independent. */
static sg_status check_massless(struct sg_builder *model, const struct sg_columns *G)
{
    struct sg_system *system = model->system;
    struct search search = {.vector = NULL};
    sg_status status = search_init(&search, G->q, G->q, model->err);
    for (size_t i = 0; status == SG_OK && i < system->n; i++) {
        if (sg_matrix_entry(&system->M, i, i) > 0) continue;
        system->singular_mass = true;
        for (size_t j = 0; j < G->q; j++) search.vector[j] = sg_columns_entry(G, j, i);
        if (sg_span_add(&search.span, search.vector, slack, search.combination)) continue;
        sg_complain_about(model->diagnostics, SG_ERROR, sg_deck_root(model->deck), "constraints",
                          "'%s' has no mass or inertia, and no constraint says how it moves",
                          system->labels.dof_names[system->free_dof[i]]);
    }
    search_release(&search);
    return status;
}

/* --- all --------------------------------------------------------------------------------------------- */

static sg_status check_start(struct sg_builder *model)
{
    const struct sg_constraints *set = &model->system->constraints;
    struct sg_constraint_frame frame = {.g = NULL};
    size_t errors = model->diagnostics->errors;
    sg_status status = sg_constraint_frame_init(&frame, model->system, model->err);
    if (status == SG_OK) {
        sg_constraints_place(model->system, 0, model->system->u0, &frame);
        for (size_t i = 0; i < set->count; i++) check_position(model, &frame, i);
        for (size_t i = 0; i < set->count; i++) check_velocity(model, &frame, i);
        if (model->diagnostics->errors == errors) status = check_rank(model, &frame.G);
        if (status == SG_OK && model->diagnostics->errors == errors) status = check_massless(model, &frame.G);
    }
    sg_constraint_frame_release(&frame);
    return status;
}

sg_status sg_build_constraints(struct sg_builder *model)
{
    struct sg_constraints *set = &model->system->constraints;
    const struct sg_node *list = sg_node_child(sg_deck_root(model->deck), "constraints");
    size_t count = sg_builder_count(model, "constraints");
    set->affine = true;
    set->steady = true;
    if (count == 0) return SG_OK;
    TRY(SG_NEW(&set->item, count, model->err));
    TRY(SG_NEW(&set->names, count * SG_CONSTRAINT_ROWS, model->err));
    TRY(SG_NEW(&set->entry, count * SG_CONSTRAINT_ROWS, model->err));
    for (size_t k = 0; k < count; k++) TRY(read_item(model, sg_node_item(list, k), k));
    set->steady = is_steady(model->system);
    if (sg_builder_failed(model)) return SG_OK;
    for (size_t k = 0; k < count; k++) TRY(settle(model, &set->item[k]));
    return check_start(model);
}

void sg_constraints_release(struct sg_constraints *set)
{
    for (size_t k = 0; k < set->items; k++) {
        sg_free(set->item[k].dof);
        sg_free(set->item[k].place);
        sg_free(set->item[k].free);
        sg_free(set->item[k].coefficient);
    }
    for (size_t i = 0; set->names != NULL && i < set->count; i++) sg_free(set->names[i]);
    sg_free(set->item);
    sg_free(set->names);
    sg_free(set->entry);
    *set = (struct sg_constraints){0};
}
