#include "auditing/watch.h"

#include <math.h>

#include "auditing/balance.h"
#include "auditing/energy.h"
#include "auditing/judge.h"
#include "auditing/small_motion.h"
#include "auditing/touch.h"
#include "support/constants.h"

struct watch {
    struct sg_audit_watch_spec spec;
    double *length; /* n, m: of the solver's coordinates */
    struct sg_balance_watch balance;
    struct sg_energy_watch energy;
    struct sg_touch_watch touch;
    struct sg_small_motion small;
    long long looks; /* steps since the last look at small motions */
};

/* --- steps ---------------------------------------------------------------------------------------- */

static void on_step(void *self, const struct sg_snapshot *now)
{
    struct watch *watch = self;
    if (!watch->spec.own_systems) sg_balance_watch_step(&watch->balance, now);
    sg_energy_watch_step(&watch->energy, now);
    sg_touch_watch_step(&watch->touch, now);
    watch->looks++;
    if (!sg_small_motion_is_due(&watch->small, watch->touch.steps, watch->looks)) return;
    sg_small_motion_see(&watch->small, now->t, now->u);
    watch->looks = 0;
}

static void on_event(void *self, const struct sg_event *event)
{
    struct watch *watch = self;
    if (event->kind == SG_EVENT_IMPACT) watch->balance.impact = true;
}

static void on_row(void *self, const struct sg_energy_row *row)
{
    struct watch *watch = self;
    sg_energy_watch_row(&watch->energy, row);
}

static void save_or_load(void *self, struct sg_archive *archive)
{
    struct watch *watch = self;
    sg_balance_watch_archive(&watch->balance, archive);
    SG_ARCHIVE(archive, watch->energy);
    sg_touch_watch_archive(&watch->touch, archive);
    sg_small_motion_archive(&watch->small, archive);
    SG_ARCHIVE(archive, watch->looks);
}

/* --- findings ------------------------------------------------------------------------------------- */

static void find_momentum(const struct watch *watch, struct sg_audit_list *list)
{
    static const struct sg_limits limits = {SG_ROUNDING_SHARE, 0.02, 0.1};
    const struct sg_balance_watch *b = &watch->balance;
    if (watch->spec.own_systems) {
        sg_audit_add(list, "momentum", 0.0, limits,
                     "does not apply: the strategy crosses systems of its own");
        sg_audit_add(list, "angular_momentum", 0.0, limits, "does not apply: as momentum");
        return;
    }
    sg_audit_add(
        list, "momentum", b->along.share, limits,
        "M (v1 - v0) against loads, internal forces and reactions: %.3g of %.3g N s, %lld of %lld steps "
        "watched",
        b->along.defect, b->along.scale, b->watched, b->steps - 1);
    if (watch->spec.system->dim < 2)
        sg_audit_add(list, "angular_momentum", 0.0, limits, "does not apply: nothing turns in one dimension");
    else if (watch->spec.system->modal != NULL)
        sg_audit_add(list, "angular_momentum", 0.0, limits,
                     "does not apply: modal coordinates are of small motions");
    else
        sg_audit_add(list, "angular_momentum", b->about.share, limits,
                     "the same about the model's middle: %.3g of %.3g N m s", b->about.defect,
                     b->about.scale);
}

static void find_integral(const struct watch *watch, struct sg_audit_list *list)
{
    static const char name[] = "displacement_is_integral_of_velocity";
    const struct sg_balance_watch *b = &watch->balance;
    struct sg_limits limits = {SG_ROUNDING_SHARE, 0.01 + b->integral_limit, 0.1 + b->integral_limit};
    if (watch->spec.own_systems)
        sg_audit_add(list, name, 0.0, limits, "does not apply: the strategy crosses systems of its own");
    else
        sg_audit_add(
            list, name, b->integral.share, limits,
            "u1 - u0 against the steps' velocities: %.3g of %.3g m; steps of their length resolve %.2g of "
            "it",
            b->integral.defect, b->integral.scale, b->integral_limit);
}

/* m: what the model moves by, at least what speeds and loads do in the longest step: a body at rest moves by
 * rounding alone, which is no measure */
static double size_of_motion(const struct watch *watch, double *step_way)
{
    double h = watch->touch.longest_step;
    *step_way = watch->balance.speed * h + watch->balance.acceleration * h * h;
    return fmax(sg_touch_range(&watch->touch), *step_way);
}

static const char *contact_name(const struct watch *watch, size_t j)
{
    return watch->spec.contacts->q > 0 ? watch->spec.contacts->names[j] : "";
}

/* Two steps' way at the largest speed is what a step can't tell. */
static void find_touch(const struct watch *watch, struct sg_audit_list *list)
{
    static const struct sg_limits pull = {SG_ROUNDING_SHARE, 1e-3, 0.1};
    const struct sg_touch_watch *t = &watch->touch;
    double way = 0.0, size = size_of_motion(watch, &way), unseen = size > 0.0 ? 2.0 * way / size : 0.0;
    double apart = t->pushed_apart > 0.0 ? t->pushed_apart / t->pushed / size : 0.0,
           deep = t->penetration.value > 0.0 ? t->penetration.value / size : 0.0,
           pulls = t->pull.value > 0.0 ? t->pull.value / fmax(t->peak_force, t->pull.value) : 0.0,
           slides = t->slide.value > 0.0 ? t->slide.value / fmax(t->peak_force, t->slide.value) : 0.0;
    struct sg_limits limits = {SG_ROUNDING_SHARE, fmax(1e-3, unseen), 10.0 * fmax(1e-3, unseen)};
    sg_audit_add(list, "complementarity", apart, limits,
                 "rigid contacts push at gaps of %.3g m in the mean of g R, of %.3g m that gaps range over",
                 t->pushed > 0.0 ? t->pushed_apart / t->pushed : 0.0, size);
    sg_audit_add(list, "penetration", deep, limits, "rigid contacts reach %.3g m below 0%s%s, at t = %.4g s",
                 t->penetration.value, t->penetration.value > 0.0 ? ": " : "",
                 t->penetration.value > 0.0 ? contact_name(watch, t->penetration.contact) : "",
                 t->penetration.t);
    sg_audit_add(list, "pull", pulls, pull, "rigid contacts pull by up to %.3g N, and push by %.3g N",
                 t->pull.value, t->peak_force);
    sg_audit_add(list, "friction_cone", slides, pull,
                 "friction passes mu times the normal force by up to %.3g N", t->slide.value);
}

static void find_constraints(const struct watch *watch, struct sg_audit_list *list)
{
    const struct sg_balance_watch *b = &watch->balance;
    double rate = b->constraint_velocity > 0.0 ? b->constraint_velocity / b->speed : 0.0;
    const char *none = b->m == 0 ? "no constraints: " : "";
    sg_audit_add(list, "constraint_position", b->constraint_position,
                 (struct sg_limits){SG_ROUNDING_SHARE, 1e-3, 1e-2},
                 "%sconstraints open by up to this share of the coordinates they join, at t = %.4g s", none,
                 b->constraint_position_at);
    sg_audit_add(list, "constraint_velocity", rate, (struct sg_limits){SG_ROUNDING_SHARE, 1e-2, 1e-1},
                 "%stheir rates are up to %.3g (m/s, rad/s), over the largest speed, at t = %.4g s", none,
                 b->constraint_velocity, b->constraint_velocity_at);
}

static void find_small_motion(const struct watch *watch, struct sg_audit_list *list)
{
    static const struct sg_limits limits = {SG_ROUNDING_SHARE, 1.0, 10.0};
    const struct sg_small_motion *s = &watch->small;
    const struct sg_small_extreme *turn = &s->turn, *strain = &s->strain;
    const struct sg_model_body *bodies = watch->spec.system->names->bodies;
    double passed = fmin(isnan(turn->t) ? HUGE_VAL : turn->t, isnan(strain->t) ? HUGE_VAL : strain->t);
    double worst = fmax(turn->share, strain->share);
    if (!s->any)
        sg_audit_add(list, "small_motion", 0.0, limits, "does not apply: no body has linear elements");
    else if (passed < HUGE_VAL)
        sg_audit_add(list, "small_motion", worst, limits,
                     "linear elements: '%s' turns by %.3g degrees (3 at most), '%s' strains by %.3g (0.05 at "
                     "most); passed at t = %.4g s",
                     bodies[turn->body].name, turn->value * 180.0 / SG_PI, bodies[strain->body].name,
                     strain->value, passed);
    else
        sg_audit_add(list, "small_motion", worst, limits,
                     "linear elements turn by %.3g degrees (3 at most) and strain by %.3g (0.05 at most)",
                     turn->value * 180.0 / SG_PI, strain->value);
}

/* With motions in closed form none can be missed but grazings within rounding; without a certificate an event
 * that comes and goes within a step may be missed where trials inside don't show it. */
static void find_events(const struct watch *watch, const struct sg_summary *summary,
                        struct sg_audit_list *list)
{
    static const struct sg_limits limits = {0.0, 1.0, 1.0};
    if (!watch->spec.located)
        sg_audit_add(list, "events_certified", 0.0, limits,
                     "does not apply: steps of one length locate no events");
    else if (summary->events_certified == 1)
        sg_audit_add(
            list, "events_certified", summary->events_undecided > 0 ? 1.0 : 0.0, limits,
            "certified: no event can be missed, by a bound on the motion in closed form; %lld steps were "
            "halved, %lld grazings are within rounding and count as none",
            summary->event_subdivisions, summary->events_undecided);
    else
        sg_audit_add(
            list, "events_certified", 1.0, limits,
            "not certified: events are located on curves through both ends of each step, which trials inside "
            "steps check (%lld, %lld parts left open); one that comes and goes within a step can be missed",
            summary->event_subdivisions, summary->events_undecided);
}

static void conclude(void *self, const struct sg_summary *summary, struct sg_audit_list *list)
{
    struct watch *watch = self;
    list->count = 0;
    sg_balance_watch_end(&watch->balance);
    find_momentum(watch, list);
    find_integral(watch, list);
    double grain =
        sg_energy_grain(watch->spec.system, watch->spec.contacts, summary->steps, summary->end_time);
    sg_energy_watch_conclude(&watch->energy, grain, list);
    find_touch(watch, list);
    find_constraints(watch, list);
    sg_audit_add(list, "solver_residual", summary->contact_share, (struct sg_limits){1e-12, 1e-6, 1e-3},
                 "the largest residual of the contacts' problems, over what contacts were to take up");
    find_events(watch, summary, list);
    find_small_motion(watch, list);
    for (size_t i = 0; watch->spec.known != NULL && i < watch->spec.known->count; i++)
        if (list->count < SG_AUDIT_ITEMS) list->items[list->count++] = watch->spec.known->items[i];
}

static const struct sg_audit_ops ops = {
    .step = on_step, .event = on_event, .energy = on_row, .archive = save_or_load, .conclude = conclude};

static void release(void *self)
{
    struct watch *watch = self;
    sg_balance_watch_release(&watch->balance);
}

sg_status sg_audit_watch_create(struct sg_arena *arena, const struct sg_audit_watch_spec *spec,
                                struct sg_audit *audit, struct sg_error *err)
{
    struct watch *self = NULL;
    *audit = (struct sg_audit){0};
    TRY(SG_ARENA_NEW(arena, &self, 1, err));
    self->spec = *spec;
    TRY(sg_arena_own(arena, self, release, err));
    TRY(SG_ARENA_NEW(arena, &self->length, spec->system->n, err));
    sg_system_dof_lengths(spec->system, self->length);
    TRY(sg_balance_watch_init(arena, &self->balance, spec->system, spec->contacts, self->length, err));
    self->balance.force_only = spec->force_only;
    self->balance.all_force_only = spec->all_force_only;
    TRY(sg_touch_watch_init(arena, &self->touch, spec->contacts, spec->all_springs, err));
    TRY(sg_small_motion_init(arena, &self->small, spec->system, err));
    *audit = (struct sg_audit){&ops, self};
    return SG_OK;
}
