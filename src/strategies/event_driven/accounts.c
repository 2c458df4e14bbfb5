/* Accounts of a step: works, impulses, and the extremes that each contact passes inside it. A motion in
 * closed form has all of them in closed form (integrators/flow_account.h) or by roots of g' (certify.h); of
 * other schemes the gap is the cubic Hermite interpolant of the step, by which its events are found too. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "integrators/flow_account.h"
#include "model/load_course.h"
#include "strategies/event_driven/certify.h"
#include "strategies/event_driven/event_driven.h"
#include "strategies/event_driven/roots.h"
#include "support/memory.h"

enum { SUPPORT_PARTS = 16 };

sg_status sg_event_totals_init(struct sg_event_totals *totals, const struct sg_run *run, struct sg_error *err)
{
    size_t q = run->contacts->q;
    TRY(SG_NEW(&totals->least, q, err));
    TRY(SG_NEW(&totals->most, q, err));
    TRY(SG_NEW(&totals->peak, q, err));
    TRY(SG_NEW(&totals->impulse, q, err));
    for (size_t j = 0; j < q; j++) {
        totals->least[j] = HUGE_VAL;
        totals->most[j] = -HUGE_VAL;
    }
    if (run->integrator->ops->flow == NULL) return SG_OK;
    return sg_flow_account_create(run->integrator->arena, run->system->n, sg_system_load_degree(run->system),
                                  &totals->flow, err);
}

void sg_event_totals_release(struct sg_event_totals *totals)
{
    sg_free(totals->least);
    sg_free(totals->most);
    sg_free(totals->peak);
    sg_free(totals->impulse);
}

void sg_event_totals_archive(struct sg_event_totals *totals, size_t q, struct sg_archive *store)
{
    sg_archive_bytes(store, totals->least, q * sizeof(double));
    sg_archive_bytes(store, totals->most, q * sizeof(double));
    sg_archive_bytes(store, totals->peak, q * sizeof(double));
    sg_archive_bytes(store, totals->impulse, q * sizeof(double));
}

/* --- works ---------------------------------------------------------------------------------------- */

static const struct sg_modal_flow *flow_of(const struct sg_event_driven *ed)
{
    return ed->run.integrator->ops->flow->view(ed->run.integrator);
}

/* What moving supports do over the motion last opened, and what dampers take, which feel the supports too, by
 * the rule of the schemes in parts of the step, each with exact ends: their error is that of one step over
 * 16^4. `state` is scratch; the motion ends at h again. */
static struct sg_work support_work(struct sg_event_driven *ed, double h, struct sg_state *state)
{
    struct sg_integrator *integrator = ed->run.integrator;
    const struct sg_system *system = ed->run.system;
    struct sg_state start = ed->from.x, end = *state, spare = ed->totals.part;
    struct sg_work work = {0.0, 0.0};
    for (int i = 1; i <= SUPPORT_PARTS; i++) {
        double t0 = h * (i - 1) / SUPPORT_PARTS, t1 = h * i / SUPPORT_PARTS;
        integrator->ops->flow->go(integrator, t1, &end);
        struct sg_step_ends ends = {ed->t + t0, ed->t + t1, start.u, start.v, end.u, end.v};
        work.external += sg_system_support_work(system, &ends);
        work.dissipated += sg_system_damping_work_simpson(system, &ends);
        struct sg_state next = i == 1 ? spare : start;
        start = end;
        end = next;
    }
    return work;
}

static struct sg_work flow_work(struct sg_event_driven *ed, double h)
{
    struct sg_flow_account *account = ed->totals.flow;
    struct sg_work work = {0.0, 0.0};
    bool driven = ed->run.system->motion_count > 0;
    bool loads = ed->run.system->load_count > 0, damped = ed->run.system->damped && !driven;
    if (driven) work = support_work(ed, h, &ed->totals.other);
    if (!loads && !damped) return work;
    sg_flow_account_take(account, flow_of(ed), h);
    if (loads) work.external += sg_flow_account_load_work(account);
    if (damped) work.dissipated = sg_flow_account_damping(account);
    return work;
}

struct sg_work sg_event_work(struct sg_event_driven *ed, double h, const struct sg_event_point *to)
{
    struct sg_integrator *integrator = ed->run.integrator;
    struct sg_span span = {ed->t, h};
    if (sg_event_is_certified(ed)) return flow_work(ed, h);
    struct sg_work work = integrator->ops->work(integrator, ed->run.phase, &ed->from.x, span, &to->x);
    if (ed->dynamics != NULL) work.external += ed->dynamics->support_work(ed->dynamics->self, ed, h, to);
    return work;
}

/* --- impulses ------------------------------------------------------------------------------------- */

/* N s over h from ed->from; of a contact at rest `start` and `end` are its reactions there */
double sg_event_rest_impulse(struct sg_event_driven *ed, size_t j, double h, const double ends[2])
{
    bool rests = ed->status[j] && !ed->run.contacts->sprung[j];
    if (!rests || !sg_event_is_certified(ed)) return 0.5 * h * (ends[0] + ends[1]);
    struct sg_flow_functional reaction = sg_modal_flow_reaction(flow_of(ed), j);
    sg_flow_account_take(ed->totals.flow, flow_of(ed), h);
    return h * ends[0] + sg_flow_account_integral(ed->totals.flow, &reaction);
}

/* int g dt over the step: of the cubic h (g0 + g1)/2 + h^2 (g0' - g1')/12 */
static double gap_integral(struct sg_event_driven *ed, size_t j, double h)
{
    const struct sg_event_point *from = &ed->from, *to = &ed->to;
    if (!sg_event_is_certified(ed))
        return 0.5 * h * (from->gap[j] + to->gap[j]) + h * h * (from->rate[j] - to->rate[j]) / 12.0;
    struct sg_flow_functional gap = sg_modal_flow_gap(flow_of(ed), j);
    sg_flow_account_take(ed->totals.flow, flow_of(ed), h);
    return h * from->gap[j] + sg_flow_account_integral(ed->totals.flow, &gap);
}

/* R = -kappa (g - level) in each status */
static void add_spring_impulse(struct sg_event_driven *ed, size_t j, double h)
{
    const struct sg_law *law = &ed->run.contacts->laws[j];
    struct sg_law_piece piece = law->ops->piece(law, ed->memory + j * SG_LAW_MEMORY, ed->status[j]);
    ed->totals.impulse[j] -= piece.stiffness * (gap_integral(ed, j, h) - piece.level * h);
}

/* --- extremes ------------------------------------------------------------------------------------- */

/* m: the least of sign g_j in the step of another scheme, or `known` where it is not below that */
static double least_of_cubic(const struct sg_event_driven *ed, size_t j, double h, double sign, double known)
{
    const struct sg_event_point *from = &ed->from, *to = &ed->to;
    struct sg_gap_span span = {from->gap[j], from->rate[j], to->gap[j], to->rate[j], h};
    return sg_event_least(&span, sign, known);
}

/* m: the same of a motion in closed form */
static double least_of_flow(struct sg_event_driven *ed, size_t j, double h, double sign, double known)
{
    const struct sg_event_point *from = &ed->from, *to = &ed->to;
    struct sg_course course = {.flow = flow_of(ed),
                               .functional = sg_modal_flow_gap(flow_of(ed), j),
                               .sign = sign,
                               .height = sign * from->gap[j]};
    memcpy(course.limit, ed->certificate.limit + 6 * j, sizeof course.limit);
    struct sg_course_point start = {.f = course.height, .slope = sign * from->rate[j], .curve = NAN};
    struct sg_course_point end = {
        .tau = h, .f = sign * to->gap[j], .slope = sign * to->rate[j], .curve = NAN};
    start.rounding = end.rounding = 1e-14 * fmax(fabs(start.f), fabs(end.f));
    return sg_course_least(&course, &start, &end, known);
}

static void note_force(struct sg_event_driven *ed, size_t j)
{
    if (ed->status[j] == SG_LAW_OPEN || !ed->run.contacts->sprung[j]) return;
    ed->totals.peak[j] = fmax(ed->totals.peak[j], sg_event_spring_force(ed, j, ed->totals.least[j]));
}

void sg_event_totals_begin(struct sg_event_driven *ed)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        ed->totals.least[j] = ed->totals.most[j] = ed->from.gap[j];
        ed->penetration = fmax(ed->penetration, -ed->from.gap[j]);
        note_force(ed, j);
    }
}

/* Contacts at rest keep their gap. */
static void find_extremes(struct sg_event_driven *ed, size_t j, double h, bool certified)
{
    double low = ed->totals.least[j], high = -ed->totals.most[j];
    double least = certified ? least_of_flow(ed, j, h, 1.0, low) : least_of_cubic(ed, j, h, 1.0, low);
    ed->totals.most[j] =
        -(certified ? least_of_flow(ed, j, h, -1.0, high) : least_of_cubic(ed, j, h, -1.0, high));
    if (!(least < ed->totals.least[j])) return;
    ed->totals.least[j] = least;
    ed->penetration = fmax(ed->penetration, -least);
    note_force(ed, j);
}

sg_status sg_event_account(struct sg_event_driven *ed, double h, double t1, struct sg_error *err)
{
    if (h == 0.0) return SG_OK; /* an event at once */
    struct sg_work work = sg_event_work(ed, h, &ed->to);
    ed->external += work.external;
    ed->dissipated += work.dissipated;
    ed->damping += work.dissipated;
    if (ed->dynamics != NULL) return ed->dynamics->account(ed->dynamics->self, ed, h, err);
    TRY(sg_event_reactions_before(ed, t1, &ed->to, ed->force, err));
    sg_event_bilateral_account(&ed->bilateral, h);
    bool certified = sg_event_is_certified(ed);
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        bool sprung = ed->run.contacts->sprung[j];
        double ends[2] = {ed->reaction[j], ed->force[j]};
        if (sprung && ed->status[j]) add_spring_impulse(ed, j, h);
        if (sprung || !ed->status[j]) find_extremes(ed, j, h, certified);
        ed->impulse[j] += sg_event_rest_impulse(ed, j, h, ends);
        ed->reaction[j] = ed->force[j];
    }
    return SG_OK;
}
