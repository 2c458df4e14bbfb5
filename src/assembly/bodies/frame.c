/* A plane frame of columns and beams, storey by storey. Its nodes: the joints of column lines and floors,
 * floor by floor from the base; then, for each slip joint and floor, the joint's second node, which carries
 * the beams on the right; then the nodes within members, columns first. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "assembly/bodies/beam_element.h"
#include "model/storeys.h"

struct spec {
    long long storeys, spans, subdivisions;
    struct sg_reals storey_heights, span_lengths, slip_joints, position;
    const struct sg_setting *column, *beam;
    int base, mass, diaphragms;
};

enum base { PINNED, FIXED, FREE };

static const struct sg_keyword rows[] = {
    {.name = "storeys",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "number of storeys",
     .example = "18",
     .flags = SG_REQUIRED,
     .range = SG_BETWEEN(1, 1000),
     .offset = offsetof(struct spec, storeys)},
    {.name = "storey_heights",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "heights from the base upwards, or one number for all",
     .example = "[3.0]",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .min_items = 1,
     .offset = offsetof(struct spec, storey_heights)},
    {.name = "spans",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "number of spans between column lines; 0 is a single column",
     .example = "10",
     .flags = SG_REQUIRED,
     .range = SG_BETWEEN(0, 1000),
     .offset = offsetof(struct spec, spans)},
    {.name = "span_lengths",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "lengths from the left, or one number for all",
     .example = "[5.0]",
     .range = SG_POSITIVE,
     .min_items = 1,
     .offset = offsetof(struct spec, span_lengths)},
    {.name = "subdivisions",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "beam elements of each column and each beam",
     .fallback = "1",
     .range = SG_BETWEEN(1, 1000),
     .offset = offsetof(struct spec, subdivisions)},
    {.name = "column",
     .type = SG_GROUP,
     .meaning = "section of the columns",
     .flags = SG_REQUIRED,
     .rows = sg_beam_section_rows,
     .offset = offsetof(struct spec, column)},
    {.name = "beam",
     .type = SG_GROUP,
     .meaning = "section of the beams",
     .rows = sg_beam_section_rows,
     .offset = offsetof(struct spec, beam)},
    {.name = "base",
     .type = SG_CHOICE,
     .meaning = "how the feet of the columns are held; free: by 'supports', of the set NAME.base",
     .fallback = "\"fixed\"",
     .choices = "pinned|fixed|free",
     .offset = offsetof(struct spec, base)},
    {.name = "slip_joints",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "column lines, counted from 0, where every floor on the right rests on a second node of its "
                "own: it moves up and down with the column, and slides and turns by itself. The sets "
                "NAME.jointK_column and NAME.jointK_floor, K from 0, are its two sides, floor by floor",
     .example = "[6]",
     .range = SG_NON_NEGATIVE,
     .min_items = 1,
     .offset = offsetof(struct spec, slip_joints)},
    {.name = "diaphragms",
     .type = SG_BOOL,
     .meaning = "every floor, from one slip joint to the next, moves sideways as one",
     .fallback = "false",
     .offset = offsetof(struct spec, diaphragms)},
    {.name = "mass",
     .type = SG_CHOICE,
     .meaning = "mass matrix",
     .fallback = "\"consistent\"",
     .choices = "consistent|lumped",
     .offset = offsetof(struct spec, mass)},
    {.name = "position",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "x and y of the first column's foot",
     .fallback = "[0.0, 0.0]",
     .min_items = 2,
     .max_items = 2,
     .offset = offsetof(struct spec, position)},
    {0}};

/* --- sizes ---------------------------------------------------------------------------------------- */

/* counts, and where the groups of nodes start */
struct plan {
    size_t storeys, spans, lines, joints, parts; /* joints: of the slipping kind; parts: of a member */
    size_t slip, columns, beams; /* first nodes of slip joints, within columns, within beams */
    size_t nodes, members;
};

static struct plan plan_of(const struct spec *spec)
{
    struct plan p = {.storeys = (size_t)spec->storeys,
                     .spans = (size_t)spec->spans,
                     .joints = spec->slip_joints.count,
                     .parts = (size_t)spec->subdivisions};
    p.lines = p.spans + 1;
    p.members = p.storeys * (p.lines + p.spans);
    p.slip = (p.storeys + 1) * p.lines;
    p.columns = p.slip + p.joints * p.storeys;
    p.beams = p.columns + p.storeys * p.lines * (p.parts - 1);
    p.nodes = p.beams + p.storeys * p.spans * (p.parts - 1);
    return p;
}

static void check_lengths(const struct sg_body_source *source, const char *keyword, struct sg_reals given,
                          size_t count, const char *what)
{
    if (given.count == count || (given.count == 1 && count > 0)) return;
    sg_complain_about(source->diagnostics, SG_ERROR, source->node, keyword,
                      "has %zu number%s for %zu %s: give one for all, or one each", given.count,
                      given.count == 1 ? "" : "s", count, what);
}

/* column lines with beams on both sides, in rising order */
static void check_joints(const struct sg_body_source *source, const struct spec *spec)
{
    const struct sg_reals *lines = &spec->slip_joints;
    for (size_t k = 0; k < lines->count; k++) {
        double line = lines->data[k];
        if (line != floor(line) || line < 1 || line >= (double)spec->spans) {
            sg_complain_about(source->diagnostics, SG_ERROR, source->node, "slip_joints",
                              "%g is no column line with beams on both sides: those are 1 to %lld", line,
                              spec->spans - 1);
            return;
        }
        if (k == 0 || line > lines->data[k - 1]) continue;
        sg_complain_about(source->diagnostics, SG_ERROR, source->node, "slip_joints",
                          "%g follows %g: the column lines rise from left to right", line,
                          lines->data[k - 1]);
        return;
    }
}

static sg_status measure(const struct sg_body_source *source, struct sg_body_size *size)
{
    struct spec spec = {0};
    struct sg_beam_section section;
    size_t errors = source->diagnostics->errors;
    sg_setting_fill(source->node, rows, &spec);
    struct plan plan = plan_of(&spec);
    *size = (struct sg_body_size){
        .nodes = plan.nodes, .elements = plan.members * plan.parts, .dim = 2, .rotates = true};
    check_lengths(source, "storey_heights", spec.storey_heights, plan.storeys, "storeys");
    if (plan.spans > 0 || spec.span_lengths.count > 0)
        check_lengths(source, "span_lengths", spec.span_lengths, plan.spans, "spans");
    check_joints(source, &spec);
    sg_beam_section_read(spec.column, &section, source->diagnostics);
    if (spec.beam != NULL)
        sg_beam_section_read(spec.beam, &section, source->diagnostics);
    else if (plan.spans > 0)
        sg_complain_about(source->diagnostics, SG_ERROR, source->node, "beam", "is missing: %zu span%s beams",
                          plan.spans, plan.spans == 1 ? " has" : "s have");
    if (source->diagnostics->errors == errors) return SG_OK;
    FAIL(source->err, SG_BAD_DECK, "a frame has faults");
}

/* --- nodes ---------------------------------------------------------------------------------------- */

struct work {
    const struct spec *spec;
    const struct sg_body_target *target;
    struct plan plan;
    struct sg_beam_section column, beam;
    size_t next; /* element */
};

static size_t joint_at(const struct plan *plan, size_t line, size_t level)
{
    return level * plan->lines + line;
}

/* slip joint k at level 1, 2, ... */
static size_t slip_at(const struct plan *plan, size_t k, size_t level)
{
    return plan->slip + k * plan->storeys + level - 1;
}

/* the slip joint of a column line, or plan->joints */
static size_t find_slip(const struct work *work, size_t line)
{
    size_t k = 0;
    while (k < work->plan.joints && (size_t)work->spec->slip_joints.data[k] != line) k++;
    return k;
}

static double length_at(struct sg_reals lengths, size_t k)
{
    return lengths.data[lengths.count == 1 ? 0 : k];
}

static void place_joints(const struct work *work)
{
    const struct plan *plan = &work->plan;
    double *position = work->target->position, y = work->spec->position.data[1];
    for (size_t level = 0; level <= plan->storeys; level++) {
        double x = work->spec->position.data[0];
        if (level > 0) y += length_at(work->spec->storey_heights, level - 1);
        for (size_t line = 0; line < plan->lines; line++) {
            if (line > 0) x += length_at(work->spec->span_lengths, line - 1);
            size_t k = find_slip(work, line), at[2] = {joint_at(plan, line, level), SIZE_MAX};
            if (level > 0 && k < plan->joints) at[1] = slip_at(plan, k, level);
            for (size_t i = 0; i < 2 && at[i] != SIZE_MAX; i++) {
                position[2 * at[i]] = x;
                position[2 * at[i] + 1] = y;
            }
        }
    }
}

/* --- members -------------------------------------------------------------------------------------- */

/* a member from joint a to joint b, with `inner` the first of the nodes within */
static void add_member(struct work *work, size_t a, size_t b, size_t inner,
                       const struct sg_beam_section *section)
{
    struct sg_beam beam = {.index = work->next,
                           .a = a,
                           .b = b,
                           .section = section,
                           .mass = work->spec->mass == 0 ? SG_BEAM_CONSISTENT : SG_BEAM_LUMPED};
    sg_beam_add_member(work->target, &beam, inner, work->plan.parts);
    work->next += work->plan.parts;
}

static void add_members(struct work *work)
{
    const struct plan *plan = &work->plan;
    size_t within = plan->parts - 1;
    for (size_t level = 1; level <= plan->storeys; level++)
        for (size_t line = 0; line < plan->lines; line++)
            add_member(work, joint_at(plan, line, level - 1), joint_at(plan, line, level),
                       plan->columns + ((level - 1) * plan->lines + line) * within, &work->column);
    for (size_t level = 1; level <= plan->storeys; level++)
        for (size_t span = 0; span < plan->spans; span++) {
            size_t k = find_slip(work, span);
            size_t left = k < plan->joints ? slip_at(plan, k, level) : joint_at(plan, span, level);
            add_member(work, left, joint_at(plan, span + 1, level),
                       plan->beams + ((level - 1) * plan->spans + span) * within, &work->beam);
        }
}

/* --- ties, supports, names ------------------------------------------------------------------------ */

static size_t dof_of(const struct work *work, size_t node, size_t axis)
{
    return work->target->first_dof + work->target->node_dofs * node + axis;
}

static void tie_joints(const struct work *work)
{
    for (size_t k = 0; k < work->plan.joints; k++)
        for (size_t level = 1; level <= work->plan.storeys; level++) {
            size_t line = (size_t)work->spec->slip_joints.data[k];
            sg_body_tie(work->target, dof_of(work, slip_at(&work->plan, k, level), 1),
                        dof_of(work, joint_at(&work->plan, line, level), 1));
        }
}

/* A floor follows the first node of its part. */
static void tie_floor(const struct work *work, size_t level)
{
    const struct plan *plan = &work->plan;
    size_t first = joint_at(plan, 0, level), within = plan->parts - 1;
    for (size_t span = 0; span < plan->spans; span++) {
        size_t k = find_slip(work, span), inner = plan->beams + ((level - 1) * plan->spans + span) * within;
        if (k < plan->joints) first = slip_at(plan, k, level);
        for (size_t i = 0; i < within; i++)
            sg_body_tie(work->target, dof_of(work, inner + i, 0), dof_of(work, first, 0));
        sg_body_tie(work->target, dof_of(work, joint_at(plan, span + 1, level), 0), dof_of(work, first, 0));
    }
}

static void hold_base(const struct work *work)
{
    for (size_t line = 0; work->spec->base != FREE && line < work->plan.lines; line++)
        for (size_t d = 0; d < (work->spec->base == PINNED ? 2 : 3); d++)
            work->target->held[work->target->node_dofs * joint_at(&work->plan, line, 0) + d] = true;
}

static void name_sets(const struct work *work)
{
    const struct plan *plan = &work->plan;
    struct sg_node_sets *sets = work->target->sets;
    size_t first = work->target->first;
    char name[40];
    for (size_t level = 0; level <= plan->storeys; level++) {
        snprintf(name, sizeof name, level == 0 ? "base" : "floor%zu", level);
        sg_node_sets_open(sets, name);
        for (size_t line = 0; line < plan->lines; line++)
            sg_node_sets_add(sets, first + joint_at(plan, line, level));
    }
    for (size_t line = 0; line < plan->lines; line++) {
        snprintf(name, sizeof name, "line%zu", line);
        sg_node_sets_open(sets, name);
        for (size_t level = 1; level <= plan->storeys; level++)
            sg_node_sets_add(sets, first + joint_at(plan, line, level));
    }
    for (size_t k = 0; k < 2 * plan->joints; k++) {
        bool column = k % 2 == 0;
        size_t line = (size_t)work->spec->slip_joints.data[k / 2];
        snprintf(name, sizeof name, "joint%zu_%s", k / 2, column ? "column" : "floor");
        sg_node_sets_open(sets, name);
        for (size_t level = 1; level <= plan->storeys; level++)
            sg_node_sets_add(sets,
                             first + (column ? joint_at(plan, line, level) : slip_at(plan, k / 2, level)));
    }
}

/* Between slip joints every storey is one of its own: a column line belongs to the floor on its left. */
static void name_storeys(const struct work *work)
{
    const struct plan *plan = &work->plan;
    struct sg_aspects *aspects = work->target->aspects;
    char name[60];
    for (size_t level = 1; level <= plan->storeys; level++) {
        size_t part = 0, first = work->target->first;
        for (size_t line = 0; line < plan->lines; line++) {
            bool begins = line == 0 || find_slip(work, line - 1) < plan->joints;
            snprintf(name, sizeof name, plan->joints == 0 ? "storey%zu" : "storey%zu_part%zu", level, part);
            if (begins)
                sg_storeys_open(aspects, work->target->name, name,
                                length_at(work->spec->storey_heights, level - 1));
            part += begins;
            sg_storeys_add(aspects, first + joint_at(plan, line, level),
                           first + joint_at(plan, line, level - 1));
        }
    }
}

static sg_status assemble(const struct sg_body_source *source, const struct sg_body_target *target)
{
    struct spec spec = {0};
    sg_setting_fill(source->node, rows, &spec);
    struct work work = {.spec = &spec, .target = target, .plan = plan_of(&spec)};
    sg_beam_section_read(spec.column, &work.column, source->diagnostics);
    if (spec.beam != NULL) sg_beam_section_read(spec.beam, &work.beam, source->diagnostics);
    place_joints(&work);
    add_members(&work);
    tie_joints(&work);
    for (size_t level = 1; spec.diaphragms && level <= work.plan.storeys; level++) tie_floor(&work, level);
    hold_base(&work);
    name_sets(&work);
    name_storeys(&work);
    return SG_OK;
}

const struct sg_body_ops sg_body_frame = {
    .kind = {.name = "frame",
             .meaning = "a plane frame of Euler-Bernoulli columns and beams, with slip joints between parts",
             .rows = rows},
    .small_motion = true,
    .measure = measure,
    .assemble = assemble,
};
