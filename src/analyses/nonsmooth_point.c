#include "analyses/nonsmooth_point.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "model/lagrange.h"
#include "model/strip.h"
#include "support/constants.h"
#include "support/memory.h"

enum width { ONE, SWITCHES, MULTIPLIERS, FIELD, TIMES, MOTION };

/* in the order of sg_point_fill; those of the motion last */
static const struct {
    const char *name, *unit, *description;
    enum width width;
} kinds[] = {
    {"frequency_ratio", "1", "frequency of the orbit over that of the linear mode", ONE},
    {"energy_ratio", "1", "energy of the orbit over that of the linear mode that just touches", ONE},
    {"period", "s", "of the orbit", ONE},
    {"energy", "J", "at the start of the orbit", ONE},
    {"stable", "1", "1: no multiplier is off the unit circle by more than 1e-4", ONE},
    {"multiplier_largest", "1", "largest modulus of a Floquet multiplier", ONE},
    {"contact_time", "s", "time in a period during which a contact is closed, all contacts together", ONE},
    {"switches", "1", "closings and openings in a period", ONE},
    {"switch_time", "s", "instants of the first of them", SWITCHES},
    {"margin", "m", "nearest to 0 that a gap, or what a closed one would be, turns back; nan: it never does",
     ONE},
    {"energy_jump", "J", "largest change of energy at a switch", ONE},
    {"energy_jump_sum", "J", "sum of these changes over a period", ONE},
    {"determinant", "1", "of the monodromy matrix", ONE},
    {"iterations", "1", "steps of Newton's method", ONE},
    {"residual", "1", "of its equations, over sqrt(2 E)", ONE},
    {"defect", "1", "velocity left at half the period, over sqrt(2 E): 0 of a true orbit", ONE},
    {"residual_estimate", "m^2 s", "R_eps, eqs. (62) and (63): the residual in the elements over a period",
     ONE},
    {"filter", "1", "linear modes that take part", ONE},
    {"dofs", "1", "free dofs of the mesh", ONE},
    {"piece", "1", "number of the piece of the branch", ONE},
    {"end", "1", "0 the branch goes on, 1 it ends in a grazing, 2 it is lost, 3 no orbit found here", ONE},
    {"multiplier_re", "1", "real parts of the Floquet multipliers, by falling modulus", MULTIPLIERS},
    {"multiplier_im", "1", "imaginary parts", MULTIPLIERS},
    {"displacement", "m", "at the start of the orbit, of all dofs", FIELD},
    {"velocity", "m/s", "the same", FIELD},
    {"motion/place", "m", "coordinate of each dof's node along the first axis", FIELD},
    {"motion/time", "s", "instants of the samples of a period", TIMES},
    {"motion/closed", "1", "contacts closed then, as bits", TIMES},
    {"motion/displacement", "m", "of all dofs, sample by sample", MOTION},
    {"motion/velocity", "m/s", "the same", MOTION},
};
enum { KINDS = sizeof kinds / sizeof *kinds, MOTIONS = 5 };

/* --- columns -------------------------------------------------------------------------------------- */

static size_t width_of(const struct sg_point_writer *writer, enum width width)
{
    switch (width) {
    case ONE:
        return 0;
    case SWITCHES:
        return SG_POINT_SWITCHES;
    case MULTIPLIERS:
        return 2 * writer->dofs;
    case FIELD:
        return writer->nodes;
    case TIMES:
        return writer->samples;
    case MOTION:
        return writer->samples * writer->nodes;
    }
    return 0;
}

sg_status sg_point_writer_init(struct sg_arena *arena, struct sg_point_writer *writer, size_t dofs,
                               size_t nodes, size_t samples, struct sg_error *err)
{
    *writer = (struct sg_point_writer){.dofs = dofs, .nodes = nodes, .samples = samples};
    writer->column_count = samples > 0 ? KINDS : KINDS - MOTIONS;
    TRY(SG_ARENA_NEW(arena, &writer->columns, writer->column_count, err));
    for (size_t k = 0; k < writer->column_count; k++)
        writer->columns[k] = (struct sg_point_column){kinds[k].name, kinds[k].unit, kinds[k].description,
                                                      width_of(writer, kinds[k].width)};
    writer->width = sg_point_width(writer->columns, writer->column_count);
    TRY(SG_ARENA_NEW(arena, &writer->values, writer->width, err));
    return SG_ARENA_NEW(arena, &writer->work, 3 * nodes + 2 * dofs, err);
}

/* --- what is measured ----------------------------------------------------------------------------- */

static double time_closed(const struct sg_orbit_flow *flow, double period)
{
    double sum = 0;
    for (size_t i = 0; i < flow->switch_count; i++)
        sum += flow->switches[i].closes ? -flow->switches[i].t : flow->switches[i].t;
    /* closed at the end means closed at the start */
    for (size_t mask = flow->mask; mask != 0; mask &= mask - 1) sum += period;
    return sum;
}

/* the integral of R over one smooth stretch of the motion, by Gauss points in panels of some radians of the
 * fastest mode */
static double integrate_stretch(struct sg_point_writer *writer, struct sg_branch *branch, double from,
                                double to)
{
    struct sg_orbit_flow *flow = &branch->shooter.flow;
    const struct sg_orbit_phases *phases = branch->model.phases;
    struct sg_gauss rule = sg_gauss_rule();
    size_t panels = (size_t)fmax(1, ceil((to - from) * phases->phase[0].omega[phases->n - 1] / 10));
    double panel = (to - from) / (double)panels, sum = 0;
    for (size_t k = 0; k < panels; k++)
        for (int g = 0; g < SG_GAUSS_POINTS; g++) {
            sg_orbit_flow_run(flow, from + ((double)k + rule.point[g]) * panel);
            sum += rule.weight[g] * panel *
                   sg_orbit_model_residual(&branch->model, flow->mask, flow->u, flow->v, writer->work);
        }
    return sum;
}

/* R_eps in units of the gap squared; `switches`: of the orbit */
static double residual_estimate(struct sg_point_writer *writer, struct sg_branch *branch,
                                const double *switches, size_t count)
{
    double sum = 0, from = 0;
    if (sg_strips_of(&branch->model.system->aspects)->count == 0) return NAN;
    sg_orbit_flow_start(&branch->shooter.flow, branch->u, branch->v);
    for (size_t i = 0; i <= count; i++) {
        double to = i < count ? switches[i] : branch->period;
        if (to > from) sum += integrate_stretch(writer, branch, from, to);
        from = to;
    }
    return sum;
}

/* --- filling -------------------------------------------------------------------------------------- */

/* `count` numbers, then NaN up to `width` */
static double *put(double *to, const double *from, size_t count, size_t width)
{
    for (size_t i = 0; i < width; i++) to[i] = i < count ? from[i] : NAN;
    return to + width;
}

struct field {
    size_t mask; /* closed contacts */
    const double *x;
    int order; /* 0 displacement, 1 velocity */
};

static double *put_field(const struct sg_point_writer *writer, const struct sg_branch *branch,
                         struct field field, double *to)
{
    const struct sg_orbit_model *model = &branch->model;
    sg_orbit_model_expand(model, field.mask, field.x, field.order, model->full);
    for (size_t i = 0; i < model->nodes; i++) model->full[i] *= model->unit;
    return put(to, model->full, model->nodes, writer->nodes);
}

static double *put_places(const struct sg_point_writer *writer, const struct sg_branch *branch, double *to)
{
    const struct sg_system *system = branch->model.system;
    for (size_t i = 0; i < branch->model.nodes; i++) {
        size_t node = (size_t)system->places[i].node;
        branch->model.full[i] = system->labels.node_positions[node * system->dim];
    }
    return put(to, branch->model.full, branch->model.nodes, writer->nodes);
}

/* frame by frame over the period, both ends included */
static void put_motion(struct sg_point_writer *writer, struct sg_branch *branch, double *to)
{
    struct sg_orbit_flow *flow = &branch->shooter.flow;
    size_t samples = writer->samples;
    to = put_places(writer, branch, to);
    double *closed = to + samples, *displacement = closed + samples;
    double *velocity = displacement + samples * writer->nodes;
    sg_orbit_flow_start(flow, branch->u, branch->v);
    for (size_t k = 0; k < samples; k++) {
        double t = samples > 1 ? branch->period * (double)k / (double)(samples - 1) : 0;
        sg_orbit_flow_run(flow, t);
        to[k] = t;
        closed[k] = (double)flow->mask;
        displacement = put_field(writer, branch, (struct field){flow->mask, flow->u, 0}, displacement);
        velocity = put_field(writer, branch, (struct field){flow->mask, flow->v, 1}, velocity);
    }
}

static void put_multipliers(const struct sg_point_writer *writer, const struct sg_branch *branch, double *re)
{
    size_t width = 2 * writer->dofs, count = 2 * branch->model.phases->n;
    for (size_t i = 0; i < width; i++) {
        re[i] = i < count ? creal(branch->monitor.multiplier[i]) : NAN;
        re[width + i] = i < count ? cimag(branch->monitor.multiplier[i]) : NAN;
    }
}

static void fill_none(struct sg_point_writer *writer, const struct sg_branch *branch,
                      const struct sg_point_note *note)
{
    for (size_t i = 0; i < writer->width; i++) writer->values[i] = NAN;
    writer->values[0] = note->ratio;
    for (size_t k = 0, at = 0; k < writer->column_count; at += sg_point_width(&writer->columns[k++], 1)) {
        if (strcmp(kinds[k].name, "dofs") == 0) writer->values[at] = (double)branch->model.system->n;
        if (strcmp(kinds[k].name, "piece") == 0) writer->values[at] = (double)note->piece;
        if (strcmp(kinds[k].name, "end") == 0) writer->values[at] = (double)note->end;
    }
}

sg_status sg_point_fill(struct sg_point_writer *writer, struct sg_branch *branch,
                        const struct sg_point_note *note, struct sg_error *err)
{
    const struct sg_shot *shot = &branch->shot;
    struct sg_orbit_flow *flow = &branch->shooter.flow;
    struct sg_orbit_measure found;
    double times[SG_ORBIT_SWITCHES], unit = branch->model.unit, square = unit * unit;
    fill_none(writer, branch, note);
    if (note->end == SG_BRANCH_NONE) return SG_OK;
    TRY(sg_orbit_measure(&branch->monitor, branch->period, branch->u, branch->v, &found, err));
    size_t switches = flow->switch_count;
    for (size_t i = 0; i < switches; i++) times[i] = flow->switches[i].t;
    const double first[] = {SG_PI * 2 / (branch->period * branch->omega),
                            found.energy / branch->grazing,
                            branch->period,
                            found.energy * square,
                            found.stable ? 1 : 0,
                            found.largest,
                            time_closed(flow, branch->period),
                            (double)switches};
    double *to = put(writer->values, first, 8, 8);
    to = put(to, times, switches, SG_POINT_SWITCHES);
    double estimate = residual_estimate(writer, branch, times, switches);
    const double second[] = {found.margin < HUGE_VAL ? found.margin * unit : NAN,
                             found.jump * square,
                             found.jumps * square,
                             found.determinant,
                             shot->iterations,
                             shot->residual,
                             shot->defect,
                             estimate * square,
                             (double)branch->filter,
                             (double)branch->model.system->n,
                             (double)note->piece,
                             (double)note->end};
    to = put(to, second, 12, 12);
    put_multipliers(writer, branch, to);
    to += 4 * writer->dofs;
    sg_orbit_flow_start(flow, branch->u, branch->v);
    size_t mask = flow->mask;
    to = put_field(writer, branch, (struct field){mask, branch->u, 0}, to);
    to = put_field(writer, branch, (struct field){mask, branch->v, 1}, to);
    if (writer->samples > 0) put_motion(writer, branch, to);
    return SG_OK;
}
