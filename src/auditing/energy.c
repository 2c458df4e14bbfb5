#include "auditing/energy.h"

#include <float.h>
#include <math.h>

#include "auditing/judge.h"

static void swing_take(struct sg_swing *swing, double value, double t)
{
    if (value < swing->least) swing->least = value;
    if (value > swing->most) swing->most = value;
    if (value - swing->least > swing->rise) {
        swing->rise = value - swing->least;
        swing->rise_at = t;
    }
    if (swing->most - value > swing->fall) {
        swing->fall = swing->most - value;
        swing->fall_at = t;
    }
}

void sg_energy_watch_step(struct sg_energy_watch *watch, const struct sg_snapshot *now)
{
    watch->external = now->external;
    if (now->dissipated == watch->dissipated) return;
    double impact = now->dissipated - now->damping - now->friction_work;
    watch->dissipated = now->dissipated;
    swing_take(&watch->damping, now->damping, now->t);
    swing_take(&watch->friction, now->friction_work, now->t);
    swing_take(&watch->impact, impact, now->t);
    watch->taken[0] = now->damping;
    watch->taken[1] = now->friction_work;
    watch->taken[2] = impact;
}

void sg_energy_watch_row(struct sg_energy_watch *watch, const struct sg_energy_row *row)
{
    if (!watch->begun) watch->start = row->total - row->numerical;
    watch->begun = true;
    watch->last = *row;
    watch->at_hand = fmax(watch->at_hand, row->at_hand);
    swing_take(&watch->numerical, row->numerical, row->t);
}

double sg_energy_grain(const struct sg_system *system, const struct sg_contact_set *contacts, long long steps,
                       double end)
{
    double weight = 0.0, way = 0.0, acceleration = 0.0;
    if (steps == 0) return 0.0;
    double step = end / (double)steps;
    for (size_t i = 0; i < system->n; i++) {
        double mass = sg_matrix_entry(&system->M, i, i);
        weight += fabs(system->gravity[i]);
        if (mass > 0.0) acceleration = fmax(acceleration, fabs(system->gravity[i]) / mass);
    }
    for (size_t j = 0; j < contacts->q; j++)
        way = fmax(way, sg_contact_set_rounding(contacts, j, 0.0, system->u0));
    double fall = 0.5 * acceleration * step * step;
    return weight * (1e3 * way + 8.0 * DBL_EPSILON * (double)steps * fall);
}

/* 1: a share of the energy at hand; 0 of rounding */
static double share(const struct sg_energy_watch *watch, double grain, double energy)
{
    return energy <= grain ? 0.0 : energy / watch->at_hand;
}

static const struct sg_limits made = {SG_ROUNDING_SHARE, 0.05, 0.5};

/* Losses are what numerical damping is for: they are told, and never doubtful. */
static void find_loss(const struct sg_energy_watch *watch, double grain, struct sg_audit_list *list)
{
    static const struct sg_limits lost = {SG_ROUNDING_SHARE, 0.01, HUGE_VAL};
    double value = share(watch, grain, watch->numerical.fall);
    sg_audit_add(list, "energy_loss", value, lost,
                 "the scheme lost up to %.3g of the largest energy there was, most of it by t = %.4g s",
                 value, watch->numerical.fall_at);
    struct sg_audit_item *loss = &list->items[list->count - 1];
    if (loss->verdict == SG_VERDICT_DOUBTFUL) loss->verdict = SG_VERDICT_LOSSY;
}

/* Friction and impacts can only take. A damper may be meant to give: one of negative damping drives a motion
 * that excites itself. */
static void find_taken(const struct sg_energy_watch *watch, double grain, struct sg_audit_list *list)
{
    const struct {
        const char *name, *what;
        const struct sg_swing *swing;
        double taken;
        bool may_give;
    } parts[] = {{"damping_loss", "damping", &watch->damping, watch->taken[0], true},
                 {"friction_loss", "friction", &watch->friction, watch->taken[1], false},
                 {"impact_loss", "impacts", &watch->impact, watch->taken[2], false}};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        double back = parts[k].may_give ? 0.0 : share(watch, grain, parts[k].swing->fall);
        sg_audit_add(list, parts[k].name, back, made, "%s took %.4g J in all%s", parts[k].what,
                     parts[k].taken,
                     parts[k].may_give ? "" : "; value: the share of the energy at hand that it gave back");
    }
}

void sg_energy_watch_conclude(const struct sg_energy_watch *watch, double grain, struct sg_audit_list *list)
{
    double back = fmax(watch->friction.fall, watch->impact.fall),
           gain = share(watch, grain, fmax(watch->numerical.rise, back)),
           left = share(watch, grain, fabs(watch->last.numerical));
    sg_audit_add(
        list, "energy_balance", left, (struct sg_limits){SG_ROUNDING_SHARE, 0.05, HUGE_VAL},
        "start %.4g J + external %.4g - damping %.4g - friction %.4g - impacts %.4g - end %.4g = %.3g J",
        watch->start, watch->external, watch->taken[0], watch->taken[1], watch->taken[2], watch->last.total,
        -watch->last.numerical);
    struct sg_audit_item *balance = &list->items[list->count - 1];
    if (balance->verdict == SG_VERDICT_DOUBTFUL && watch->last.numerical < 0.0)
        balance->verdict = SG_VERDICT_LOSSY;
    sg_audit_add(list, "energy_gain", gain, made,
                 gain > made.good ? "the computation made energy, up to %.2g of the largest there was: see "
                                    "/history/energy/numerical, and try smaller steps"
                                  : "the scheme made up to %.3g of the largest energy there was",
                 gain);
    find_loss(watch, grain, list);
    find_taken(watch, grain, list);
}
