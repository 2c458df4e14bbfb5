#include "analyses/nonsmooth_branch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/vector.h"
#include "support/memory.h"

/* Steps in the period shrink to SMALLEST of it; an orbit that Newton's method finds farther away than LEAP in
 * the logarithm of its energy belongs to another branch. A gap that turns back at less than GRAZING of the
 * smallest gap grazes where the branch ends; with a defect of ROUGH it is no orbit. */
static const double SMALLEST = 2e-6, LEAP = 0.3, GRAZING = 0.02, ROUGH = 0.25;

enum { AMPLITUDES = 60, FREE = 4, FEW = 3 };

/* Logarithms of energies of filters: ALIKE agree; a middle half that spreads by APART disagrees; OFF is off a
 * line, which is drawn through orbits whose periods differ by no more than NEIGHBOUR. */
static const double ALIKE = 0.02, APART = 0.03, OFF = 0.08, NEIGHBOUR = 0.012;

/* --- life ----------------------------------------------------------------------------------------- */

static sg_status allocate(struct sg_arena *arena, struct sg_branch *branch, struct sg_error *err)
{
    size_t n = branch->model.phases->n;
    double **const vectors[] = {&branch->x,       &branch->x_before, &branch->u,    &branch->v,
                                &branch->tangent, &branch->trial,    &branch->aside};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        TRY(SG_ARENA_NEW(arena, vectors[k], n + 1, err));
    return SG_OK;
}

/* SG_FILTER_AUTO searches the orbit of the first few modes, from which it tries the others. */
static sg_status init_search(struct sg_arena *arena, struct sg_branch *branch, struct sg_error *err)
{
    const struct sg_branch_rule *rule = &branch->rule;
    size_t few = rule->mode + FEW < rule->most ? rule->mode + FEW : rule->most;
    struct sg_search_rule search = {rule->mode, rule->filter == SG_FILTER_AUTO ? few : rule->filter,
                                    rule->starts};
    return sg_search_init(arena, &branch->search, &branch->shooter, &search, err);
}

sg_status sg_branch_init(struct sg_arena *arena, struct sg_branch *branch, const struct sg_deck *deck,
                         const struct sg_branch_rule *rule, struct sg_diagnostics *diagnostics,
                         struct sg_error *err)
{
    *branch = (struct sg_branch){.rule = *rule, .stride = 0.05};
    TRY(sg_orbit_model_init(arena, &branch->model, deck, rule->elements, diagnostics, err));
    const struct sg_orbit_phases *phases = branch->model.phases;
    TRY(sg_shooter_init(arena, &branch->shooter, phases, err));
    TRY(sg_orbit_monitor_init(arena, &branch->monitor, &branch->shooter, err));
    TRY(allocate(arena, branch, err));
    if (rule->mode < phases->n) {
        branch->omega = phases->phase[0].omega[rule->mode];
        struct sg_touch touch = sg_orbit_touch(phases, rule->mode);
        branch->grazing = sg_touch_energy(&touch, branch->omega);
        branch->side = touch.side;
    }
    branch->shooter.most = rule->newton;
    if (branch->rule.filter > phases->n) branch->rule.filter = phases->n;
    if (branch->rule.most > phases->n) branch->rule.most = phases->n;
    return rule->mode < phases->n ? init_search(arena, branch, err) : SG_OK;
}

void sg_branch_archive(struct sg_branch *branch, struct sg_archive *archive)
{
    size_t bytes = (branch->model.phases->n + 1) * sizeof(double);
    SG_ARCHIVE(archive, branch->found);
    SG_ARCHIVE(archive, branch->known_before);
    SG_ARCHIVE(archive, branch->has_tangent);
    SG_ARCHIVE(archive, branch->filter);
    SG_ARCHIVE(archive, branch->period);
    SG_ARCHIVE(archive, branch->period_before);
    SG_ARCHIVE(archive, branch->stride);
    SG_ARCHIVE(archive, branch->shot);
    SG_ARCHIVE(archive, branch->trace);
    SG_ARCHIVE(archive, branch->found_by);
    double *const vectors[] = {branch->x, branch->x_before, branch->u, branch->v, branch->tangent};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        sg_archive_bytes(archive, vectors[k], bytes);
}

/* --- the orbit at hand ---------------------------------------------------------------------------- */

static void copy(const struct sg_branch *branch, const double *from, double *to)
{
    memcpy(to, from, branch->model.phases->n * sizeof *to);
}

/* Takes the orbit that was just hit, at x; the one at hand becomes the one before. */
static void accept(struct sg_branch *branch, size_t filter, double period, const double *x,
                   const struct sg_shot *shot)
{
    copy(branch, branch->x, branch->x_before);
    branch->period_before = branch->period;
    branch->known_before = branch->found;
    copy(branch, x, branch->x);
    copy(branch, branch->shooter.u, branch->u);
    copy(branch, branch->shooter.v, branch->v);
    branch->period = period;
    branch->filter = filter;
    branch->shot = *shot;
    branch->found = true;
}

/* An orbit belongs to the branch if its contacts are those of the orbit at hand and its energy is near. Where
 * a branch crosses another, Newton's method may land on that one; the number of switches and a leap in energy
 * tell. */
static bool is_near(const struct sg_branch *branch, const struct sg_shot *shot)
{
    return shot->end == SG_SHOT_HIT && shot->switches == branch->shot.switches &&
           fabs(log(shot->energy / branch->shot.energy)) <= LEAP;
}

/* --- a first orbit -------------------------------------------------------------------------------- */

/* The one equation of one mode alone, at an amplitude in units of the one that just touches a gap; NaN where
 * no contact is closed half a period later. The sign of modes is that of the phase then. */
static double one_mode(struct sg_branch *branch, double period, double amplitude)
{
    const struct sg_orbit_phases *phases = branch->model.phases;
    const struct sg_orbit_phase *open = &phases->phase[0];
    struct sg_orbit_flow *flow = &branch->shooter.flow;
    size_t n = phases->n, mode = branch->rule.mode;
    double *u = branch->trial, *v = branch->aside, *z = branch->shooter.work;
    double shift = amplitude * sqrt(2 * branch->grazing) / open->omega[mode];
    memset(v, 0, n * sizeof *v);
    memcpy(u, open->center, n * sizeof *u);
    sg_axpy(n, branch->side * shift, open->phi + mode * n, u);
    sg_orbit_flow_start(flow, u, v);
    enum sg_orbit_end end = sg_orbit_flow_run(flow, period / 2);
    if (end == SG_ORBIT_CHATTER || end == SG_ORBIT_STOPPED || flow->mask == 0) return NAN;
    sg_orbit_to_modes(&phases->phase[flow->mask], NULL, flow->v, NULL, z);
    return z[mode];
}

/* The first amplitude at which the equation changes its sign, among geometrically spread ones; 0: none. */
static double first_amplitude(struct sg_branch *branch, double period)
{
    const size_t *mask = &branch->shooter.flow.mask;
    double before = NAN, low = 1;
    size_t mask_before = 0;
    for (int k = 0; k < AMPLITUDES; k++) {
        double amplitude = 1 + 0.005 * pow(1.2, k), now = one_mode(branch, period, amplitude);
        if (before * now < 0 && *mask == mask_before) return 0.5 * (low + amplitude);
        before = now;
        low = amplitude;
        mask_before = *mask;
    }
    return 0;
}

/* numbers of modes that are tried one after the other: all up to 16, then ever fewer */
static size_t next_filter(size_t filter, size_t last)
{
    size_t next = filter < 16 ? filter + 1 : filter + filter / 4;
    return filter < last && next > last ? last : next;
}

/* One rung more of the ladder from `trial`; true if it stays on the branch. The first rungs change the energy
 * as they like. */
static bool climb(struct sg_branch *branch, size_t filter, double period, struct sg_shot *shot)
{
    double energy = branch->found ? branch->shot.energy : 1;
    *shot = sg_shoot_half(&branch->shooter, filter, period, branch->trial);
    if (shot->end != SG_SHOT_HIT || !branch->found) return shot->end == SG_SHOT_HIT;
    if (shot->switches != branch->shot.switches) return false;
    return filter <= branch->rule.mode + FREE || fabs(log(shot->energy / energy)) <= LEAP;
}

/* From one mode to the rule's filter; what was found last is the orbit at hand. */
static void climb_all(struct sg_branch *branch, double period)
{
    size_t last = branch->rule.filter;
    struct sg_shot shot;
    for (size_t k = branch->rule.mode + 1; k <= last; k = next_filter(k, last)) {
        bool stays = climb(branch, k, period, &shot);
        if (stays) accept(branch, k, period, branch->trial, &shot);
        if (stays && k == last) return;
        if (!stays) break;
    }
    /* it may break where all modes together hold */
    copy(branch, branch->x, branch->trial);
    bool began = branch->found;
    branch->found = false;
    shot = sg_shoot_half(&branch->shooter, last, period, branch->trial);
    if (began && shot.end == SG_SHOT_HIT && shot.switches > 0)
        accept(branch, last, period, branch->trial, &shot);
}

/* A filter gave this; energy NaN: nothing on the branch */
struct rung {
    size_t filter;
    double energy, defect;
};

static int by_energy(const void *a, const void *b)
{
    double x = ((const struct rung *)a)->energy, y = ((const struct rung *)b)->energy;
    return (x > y) - (x < y);
}

/* Extrapolates ln E from the last two orbits in ln T, if they are near; else NaN. */
static double expect(const struct sg_branch *branch, double period)
{
    const struct sg_branch_trace *trace = branch->trace;
    if (!(trace[0].energy > 0) || !(trace[1].energy > 0)) return NAN;
    double ahead = log(period / trace[0].period), span = log(trace[0].period / trace[1].period);
    if (fabs(ahead) > NEIGHBOUR || fabs(span) > NEIGHBOUR || span == 0) return NAN;
    return log(trace[0].energy) + ahead / span * log(trace[0].energy / trace[1].energy);
}

/* Of the filters whose energy is that of most of them the one with the least defect: modes that come in at a
 * resonance move single ones off the backbone, either way. Where they disagree and the middle one is off the
 * line of the orbits before, the one that is nearest to it. `rungs`: by rising energy. */
static const struct rung *choose(const struct rung *rungs, size_t count, double line)
{
    const struct rung *best = &rungs[count / 2], *nearest = best;
    double middle = best->energy;
    for (size_t i = 0; i < count; i++) {
        const struct rung *rung = &rungs[i];
        if (fabs(log(rung->energy / middle)) <= ALIKE && rung->defect < best->defect) best = rung;
        if (fabs(log(rung->energy) - line) < fabs(log(nearest->energy) - line)) nearest = rung;
    }
    size_t quarter = count / 4;
    bool apart = log(rungs[count - 1 - quarter].energy / rungs[quarter].energy) > APART;
    bool off = fabs(log(middle) - line) > OFF && fabs(log(nearest->energy) - line) <= OFF;
    return apart && off ? nearest : best;
}

/* Shoots with each filter from the orbit of the first few modes. In a model of many modes no single filter is
 * right: each higher mode resonates with the period somewhere, and an orbit with it is off the backbone
 * there. */
static size_t try_filters(struct sg_branch *branch, double period, struct rung *rungs)
{
    size_t count = 0;
    for (size_t k = branch->filter; k <= branch->rule.most; k++) {
        copy(branch, branch->x, branch->trial);
        struct sg_shot shot = sg_shoot_half(&branch->shooter, k, period, branch->trial);
        if (shot.end != SG_SHOT_HIT || shot.switches != branch->shot.switches) continue;
        rungs[count++] = (struct rung){k, shot.energy, shot.defect};
    }
    qsort(rungs, count, sizeof *rungs, by_energy);
    return count;
}

/* One mode after the other, while they stay on the branch. */
static void climb_few(struct sg_branch *branch, double period)
{
    struct sg_shot shot;
    for (size_t k = branch->rule.mode + 1; k <= branch->rule.most && k <= branch->rule.mode + FEW; k++) {
        copy(branch, branch->trial, branch->aside);
        if (climb(branch, k, period, &shot))
            accept(branch, k, period, branch->trial, &shot);
        else
            copy(branch, branch->aside, branch->trial);
    }
}

/* From the orbit of few modes at hand to that of the best number of them. */
static void choose_filter(struct sg_branch *branch, double period)
{
    struct rung rungs[SG_FILTER_MOST] = {{0}};
    struct sg_shot shot;
    size_t count = branch->found ? try_filters(branch, period, rungs) : 0;
    branch->found = branch->found && count > 0;
    if (!branch->found) return;
    const struct rung *best = choose(rungs, count, expect(branch, period));
    copy(branch, branch->x, branch->trial);
    shot = sg_shoot_half(&branch->shooter, best->filter, period, branch->trial);
    accept(branch, best->filter, period, branch->trial, &shot);
    branch->trace[1] = branch->trace[0];
    branch->trace[0] = (struct sg_branch_trace){period, shot.energy};
}

/* Takes the orbit of the search. */
static void adopt(struct sg_branch *branch, double period, enum sg_search_way way)
{
    size_t n = branch->model.phases->n, f = branch->search.rule.filter;
    if (way == SG_SEARCH_NONE) return;
    memset(branch->trial, 0, n * sizeof *branch->trial);
    memcpy(branch->trial, branch->search.best, f * sizeof *branch->trial);
    struct sg_shot shot = sg_shoot_half(&branch->shooter, f, period, branch->trial);
    if (shot.end != SG_SHOT_HIT) return;
    accept(branch, f, period, branch->trial, &shot);
    branch->known_before = branch->has_tangent = false;
    branch->found_by[way]++;
}

/* Adds modes to the one alone, from its first amplitude. */
static void start_alone(struct sg_branch *branch, double period)
{
    size_t n = branch->model.phases->n, mode = branch->rule.mode;
    double amplitude = first_amplitude(branch, period);
    bool automatic = branch->rule.filter == SG_FILTER_AUTO;
    branch->found = false;
    memset(branch->trial, 0, n * sizeof *branch->trial);
    branch->trial[mode] =
        amplitude * sqrt(2 * branch->grazing) * (branch->model.phases->phase[0].sway[mode] > 0 ? 1 : -1);
    if (amplitude > 0 && automatic) climb_few(branch, period);
    if (amplitude > 0 && !automatic) climb_all(branch, period);
    branch->known_before = false;
}

/* The orbit of half a period, from nothing. */
static void start_half(struct sg_branch *branch, double period)
{
    bool automatic = branch->rule.filter == SG_FILTER_AUTO;
    start_alone(branch, period);
    if (!branch->found) adopt(branch, period, sg_search_find(&branch->search, period, SG_SEARCH_STARTS));
    if (automatic) choose_filter(branch, period);
}

sg_status sg_branch_start(struct sg_branch *branch, double period, struct sg_error *err)
{
    branch->found = branch->has_tangent = branch->known_before = false;
    start_half(branch, period);
    branch->known_before = false;
    branch->found = branch->found && (branch->rule.filter != SG_FILTER_AUTO || branch->shot.defect < ROUGH);
    if (!branch->found || !branch->rule.full) return SG_OK;
    struct sg_shot shot;
    TRY(sg_shoot_full(&branch->shooter, period, branch->u, branch->v, &shot, err));
    branch->shot = shot;
    branch->found = shot.end == SG_SHOT_HIT;
    return SG_OK;
}

/* --- to another period ---------------------------------------------------------------------------- */

/* Where the branch should be at a period: on the line through the last two orbits. */
static void predict(struct sg_branch *branch, double period)
{
    double span = branch->period - branch->period_before;
    size_t n = branch->model.phases->n;
    copy(branch, branch->x, branch->trial);
    if (!branch->known_before || span == 0) return;
    double part = (period - branch->period) / span;
    if (fabs(part) > 2) return;
    for (size_t k = 0; k < n; k++) branch->trial[k] += part * (branch->x[k] - branch->x_before[k]);
}

static sg_status try_period(struct sg_branch *branch, double period, bool *hit, struct sg_error *err)
{
    struct sg_shot shot;
    if (branch->rule.full) {
        copy(branch, branch->u, branch->trial);
        copy(branch, branch->v, branch->aside);
        TRY(sg_shoot_full(&branch->shooter, period, branch->trial, branch->aside, &shot, err));
        *hit = is_near(branch, &shot);
        if (*hit) accept(branch, branch->filter, period, branch->x, &shot);
        return SG_OK;
    }
    predict(branch, period);
    shot = sg_shoot_half(&branch->shooter, branch->filter, period, branch->trial);
    *hit = is_near(branch, &shot);
    if (*hit) accept(branch, branch->filter, period, branch->trial, &shot);
    return SG_OK;
}

/* A gap of the orbit at hand that turns back near 0 tells that it grazes. */
static enum sg_branch_end find_end(struct sg_branch *branch)
{
    struct sg_orbit_flow *flow = &branch->shooter.flow;
    sg_orbit_flow_start(flow, branch->u, branch->v);
    enum sg_orbit_end end = sg_orbit_flow_run(flow, branch->period);
    bool grazes = end == SG_ORBIT_GRAZED || flow->margin < GRAZING;
    return grazes ? SG_BRANCH_GRAZES : SG_BRANCH_LOST;
}

/* By steps in the period; *end tells where they lead no farther. */
static sg_status march(struct sg_branch *branch, double period, enum sg_branch_end *end, struct sg_error *err)
{
    double step = period - branch->period;
    while (branch->period != period) {
        bool hit = false, last = fabs(step) >= fabs(period - branch->period);
        double next = last ? period : branch->period + step;
        TRY(try_period(branch, next, &hit, err));
        if (hit) {
            step = 2 * (last ? period - branch->period_before : step);
            continue;
        }
        step = (next - branch->period) / 4;
        if (fabs(step) > SMALLEST * period) continue;
        *end = find_end(branch);
        return SG_OK;
    }
    return SG_OK;
}

sg_status sg_branch_go(struct sg_branch *branch, double period, enum sg_branch_end *end, struct sg_error *err)
{
    *end = SG_BRANCH_GOES_ON;
    if (branch->rule.filter == SG_FILTER_AUTO) return sg_branch_start(branch, period, err);
    return march(branch, period, end, err);
}

/* --- along the branch ----------------------------------------------------------------------------- */

/* shortest and longest stride, in units of sg_shoot_scale */
static const double SHORTEST = 1e-5, LONGEST = 0.1, WIDTH = 0.1;

static struct sg_shoot_scale scale_of(const struct sg_branch *branch)
{
    return (struct sg_shoot_scale){sqrt(2 * branch->shot.energy), WIDTH};
}

/* The tangent at the orbit at hand needs the derivatives there: it is shot once more. `direction`: of ln T,
 * at the start. */
static bool find_tangent(struct sg_branch *branch, double direction)
{
    size_t k = branch->filter;
    struct sg_shoot_scale scale = scale_of(branch);
    copy(branch, branch->x, branch->trial);
    struct sg_shot shot = sg_shoot_half(&branch->shooter, k, branch->period, branch->trial);
    if (shot.end != SG_SHOT_HIT) return false;
    if (!branch->has_tangent) memset(branch->aside, 0, k * sizeof *branch->aside);
    if (!branch->has_tangent)
        branch->aside[k] = direction;
    else
        memcpy(branch->aside, branch->tangent, (k + 1) * sizeof *branch->aside);
    branch->has_tangent = sg_shoot_tangent(&branch->shooter, k, &scale, branch->aside, branch->tangent);
    return branch->has_tangent;
}

/* One step of pseudo-arclength continuation: predict along the tangent by the stride, correct by Newton's
 * method in the plane normal to it (sg_shoot_line). Unlike steps in the period it goes around turning points.
 */
static bool try_stride(struct sg_branch *branch)
{
    size_t k = branch->filter;
    double *ahead = branch->aside, period = branch->period;
    copy(branch, branch->x, branch->trial);
    sg_axpy(k, branch->stride, branch->tangent, branch->trial);
    memcpy(ahead, branch->trial, k * sizeof *ahead);
    ahead[k] = log(branch->period) + branch->stride * branch->tangent[k];
    period = exp(ahead[k]);
    struct sg_shoot_line line = {branch->tangent, ahead};
    struct sg_shot shot = sg_shoot_line(&branch->shooter, k, &line, &period, branch->trial);
    if (!is_near(branch, &shot)) return false;
    accept(branch, k, period, branch->trial, &shot);
    return true;
}

enum sg_branch_end sg_branch_stride(struct sg_branch *branch, double direction)
{
    if (!find_tangent(branch, direction)) return find_end(branch);
    while (!try_stride(branch)) {
        branch->stride /= 3;
        if (branch->stride <= SHORTEST) return find_end(branch);
    }
    branch->stride = fmin(LONGEST, branch->stride * (branch->shot.iterations <= 3 ? 1.5 : 0.8));
    return SG_BRANCH_GOES_ON;
}

/* --- to a finer mesh ------------------------------------------------------------------------------ */

void sg_branch_refine(struct sg_branch *branch, const struct sg_branch *coarse)
{
    const struct sg_orbit_phase *open = &branch->model.phases->phase[0];
    size_t n = branch->model.phases->n;
    sg_orbit_model_expand(&coarse->model, 0, coarse->u, 0, coarse->model.full);
    sg_orbit_model_interpolate(&branch->model, &coarse->model, coarse->model.full, branch->aside);
    sg_orbit_to_modes(&branch->model.phases->phase[0], branch->aside, NULL, branch->trial, NULL);
    for (size_t k = 0; k < n; k++) branch->trial[k] *= open->omega[k];
    struct sg_shot shot = sg_shoot_half(&branch->shooter, n, coarse->period, branch->trial);
    branch->found = branch->known_before = false;
    bool near = shot.end == SG_SHOT_HIT && shot.switches == coarse->shot.switches &&
                fabs(log(shot.energy / coarse->shot.energy)) <= 2 * LEAP;
    if (near) accept(branch, n, coarse->period, branch->trial, &shot);
}
