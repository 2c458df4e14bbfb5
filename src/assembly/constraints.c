/* The deck's `constraints`: rows, what the deck leaves to the start, and what can't be. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "assembly/builder.h"
#include "assembly/constraint_rank.h"
#include "assembly/constraints/kinds.h"
#include "model/constraint.h"
#include "support/memory.h"

/* 1: how far a start may be off, relative to the coordinates or velocities in it; of directions, what counts
 * as none */
static const double slack = 1e-9;

/* m/s: what a velocity that should be 0 may be by rounding of a phase or an angle */
static const double still = 1e-12;

/* --- one item ------------------------------------------------------------------------------------- */

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
        item->column_entry[k] = SIZE_MAX;
        if (free == SIZE_MAX) continue;
        while (place < item->free_count && item->free[place] != free) place++;
        item->column_entry[k] = place;
        if (place == item->free_count) item->free[item->free_count++] = free;
    }
}

static sg_status add_name(struct sg_system *system, const struct sg_constraint *item, size_t r,
                          const char *name, struct sg_error *err)
{
    char text[SG_CONSTRAINT_NAME + 16];
    const char *part = item->row_names[r];
    snprintf(text, sizeof text, "%.200s%s%s", name, part == NULL ? "" : ".", part == NULL ? "" : part);
    return sg_arena_copy_text(&system->arena, text, &system->constraints.names[item->first_row + r], err);
}

static sg_status read_item(struct sg_builder *model, const struct sg_setting *node, size_t index)
{
    struct sg_constraints *set = &model->system->constraints;
    struct sg_constraint *item = &set->item[index];
    struct sg_constraint_builder builder = {.model = model};
    struct {
        const char *name;
    } spec = {NULL};
    sg_setting_fill(node, sg_constraint_kinds.common, &spec);
    /* each kind is the first member of its ops */
    item->ops = (const struct sg_constraint_ops *)(const void *)sg_setting_kind(node);
    item->node = node;
    item->first_row = set->count;
    set->items++;
    TRY(item->ops->build(&builder, node, item));
    if (item->rows == 0) return SG_OK;
    follow_ties(model->system, item);
    list_free(model->system, item);
    set->affine = set->affine && item->affine;
    for (size_t r = 0; r < item->rows; r++) {
        TRY(add_name(model->system, item, r, spec.name == NULL ? builder.name : spec.name, model->err));
        set->entry[set->count++] = index;
    }
    set->entries += item->rows * item->free_count;
    if (!item->affine) {
        set->second_entries += item->free_count * (item->free_count + 1) / 2;
        set->hessian_entries += item->rows * item->dof_count * item->dof_count;
    }
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

/* --- the start ------------------------------------------------------------------------------------ */

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
    SG_AUTO_FREE double *x = NULL;
    bool open = isnan(item->value);
    if (!item->open) return SG_OK;
    TRY(SG_NEW(&x, item->dof_count, model->err));
    for (size_t k = 0; k < item->dof_count; k++) x[k] = start_of(model, item->dof[k]);
    item->ops->settle(item, x);
    const char *flaw = item->ops->flaw == NULL ? NULL : item->ops->flaw(item, x);
    if (flaw != NULL)
        sg_complain(model->diagnostics, SG_ERROR, item->node, "constraint '%.100s' %s",
                    model->system->constraints.names[item->first_row], flaw);
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

/* --- all ------------------------------------------------------------------------------------------ */

static sg_status check_start(struct sg_builder *model)
{
    const struct sg_constraints *set = &model->system->constraints;
    struct sg_constraint_frame frame = {.g = NULL};
    size_t errors = model->diagnostics->errors;
    sg_status status = sg_constraint_frame_init(&frame, model->system, model->err);
    if (status == SG_OK) {
        sg_constraints_evaluate(model->system, 0, model->system->u0, &frame);
        for (size_t i = 0; i < set->count; i++) check_position(model, &frame, i);
        for (size_t i = 0; i < set->count; i++) check_velocity(model, &frame, i);
        if (model->diagnostics->errors == errors) status = sg_constraints_check_rank(model, &frame.G);
        if (status == SG_OK && model->diagnostics->errors == errors)
            status = sg_constraints_check_massless(model, &frame.G);
    }
    sg_constraint_frame_release(&frame);
    return status;
}

sg_status sg_build_constraints(struct sg_builder *model)
{
    struct sg_constraints *set = &model->system->constraints;
    const struct sg_setting *list = sg_setting_child(sg_deck_root(model->deck), "constraints");
    size_t count = sg_builder_count(model, "constraints");
    set->affine = true;
    set->steady = true;
    if (count == 0) return SG_OK;
    TRY(SG_ARENA_NEW(&model->system->arena, &set->item, count, model->err));
    TRY(SG_ARENA_NEW(&model->system->arena, &set->names, count * SG_CONSTRAINT_ROWS, model->err));
    TRY(SG_ARENA_NEW(&model->system->arena, &set->entry, count * SG_CONSTRAINT_ROWS, model->err));
    for (size_t k = 0; k < count; k++) TRY(read_item(model, sg_setting_item(list, k), k));
    set->steady = is_steady(model->system);
    if (sg_builder_failed(model)) return SG_OK;
    for (size_t k = 0; k < count; k++) TRY(settle(model, &set->item[k]));
    return sg_builder_failed(model) ? SG_OK : check_start(model);
}
