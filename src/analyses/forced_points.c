#include <math.h>
#include <string.h>

#include "analyses/forced_response.h"
#include "support/constants.h"
#include "support/memory.h"

/* samples of a period where the strategy finds its steps itself */
enum { SAMPLES = 256 };

/* in the order of `fill_values` */
const struct sg_point_column sg_forced_columns[] = {
    {"frequency_ratio", "1", "frequency over the first mode's", 0},
    {"frequency", "rad/s", "circular frequency of the load", 0},
    {"branch", "1", "which sweep, from 0: those of the first amplitude factor, then damping, then direction",
     0},
    {"amplitude_factor", "1", "by which the amplitudes of the deck's harmonic signals are multiplied", 0},
    {"damping", "1/s", "mass-proportional damping; NaN: as the deck says", 0},
    {"direction", "1", "1: the frequency rises from point to point, -1: it falls", 0},
    {"energy", "J", "mean of kinetic + strain energy over the last periods", 0},
    {"energy_ratio", "1",
     "the same over the energy with which the first mode touches a contact; NaN: none is known", 0},
    {"amplitude", "m", "largest displacement of the node over the last periods", 0},
    {"first_harmonic", "m", "amplitude of the node's displacement at the load's frequency", 0},
    {"gap_least", "m", "least gap over the last periods, of all contacts", 0},
    {"gap_most", "m", "largest gap over the last periods, of all contacts", 0},
    {"contact_share", "1", "share of the time with a closed contact", 0},
    {"power/dissipated", "W", "mean power taken by damping, friction and impacts", 0},
    {"power/external", "W", "mean power of the loads", 0},
    {"periods", "1", "periods of the load until the motion was steady", 0},
    {"steady", "1", "n > 0: periodic with n periods of the load; 0: of stable mean; -1: neither in time", 0},
    {"distance", "1", "of the states at the last two periods, relative: what was left of the transient", 0},
};
enum { COLUMNS = sizeof sg_forced_columns / sizeof *sg_forced_columns, STEADY = COLUMNS - 2 };

size_t sg_forced_column_count(void)
{
    return COLUMNS;
}

/* A point's bytes begin with this; the state follows */
struct reply {
    double values[COLUMNS];
    struct sg_effective_counts counts;
};

/* What point k is: points go from one branch to the next, then to the next frequency. */
struct point {
    size_t branch, step; /* step: of the sweep */
    double ratio;
};

static struct point point_at(const struct sg_forced *forced, size_t k)
{
    struct point point = {k % forced->branch_count, k / forced->branch_count, 0.0};
    bool down = forced->branches[point.branch].down;
    point.ratio = forced->ratios[down ? forced->ratio_count - 1 - point.step : point.step];
    return point;
}

void sg_forced_times(const struct sg_forced *forced, double ratio, struct sg_run_order *order,
                     struct sg_steady_spec *steady)
{
    double period = 2.0 * SG_PI / (ratio * forced->omega), samples = SAMPLES;
    bool given = forced->spec.steps_per_period != SG_NOT_GIVEN;
    if (given) samples = (double)forced->spec.steps_per_period;
    if (!given && !isnan(forced->step)) samples = fmax(1.0, ceil(period / forced->step * (1.0 - 1e-12)));
    order->step = given || !isnan(forced->step) ? period / samples : NAN;
    order->end = period * (double)forced->spec.max_periods;
    steady->period = period;
    steady->samples = (size_t)samples;
}

/* --- a point -------------------------------------------------------------------------------------- */

static bool ready(const struct sg_points *self, size_t k)
{
    const struct sg_forced *forced = self->data;
    return forced->spec.start == SG_FORCED_INITIAL || k < forced->done + forced->branch_count;
}

static struct sg_run_order order_of(const struct sg_forced *forced, const struct point *point)
{
    const struct sg_forced_branch *branch = &forced->branches[point->branch];
    struct sg_run_order order = {.deck = forced->deck};
    order.variation = (struct sg_variation){
        .omega = point->ratio * forced->omega, .factor = branch->amplitude, .alpha = branch->damping};
    if (point->step == 0 || forced->spec.start == SG_FORCED_INITIAL) return order;
    order.u = forced->states + 2 * forced->n_full * point->branch;
    order.v = order.u + forced->n_full;
    return order;
}

static struct sg_steady_spec steady_spec(const struct sg_forced *forced)
{
    const struct sg_forced_spec *spec = &forced->spec;
    return (struct sg_steady_spec){.node = forced->node,
                                   .orders = (size_t)spec->orders,
                                   .tolerance = spec->tolerance,
                                   .fewest = (size_t)spec->min_periods,
                                   .most = (size_t)spec->max_periods,
                                   .window = (size_t)spec->mean_periods,
                                   .mean_tolerance = spec->mean_tolerance};
}

static void fill_values(const struct sg_forced *forced, const struct point *point,
                        const struct sg_steady *steady, double *values)
{
    const struct sg_forced_branch *branch = &forced->branches[point->branch];
    const double all[COLUMNS] = {point->ratio,          point->ratio * forced->omega,
                                 (double)point->branch, branch->amplitude,
                                 branch->damping,       branch->down ? -1.0 : 1.0,
                                 steady->energy,        steady->energy / forced->energy,
                                 steady->amplitude,     steady->harmonic,
                                 steady->gap_least,     steady->gap_most,
                                 steady->contact_share, steady->dissipated,
                                 steady->external,      (double)steady->periods,
                                 steady->order,         steady->distance};
    memcpy(values, all, sizeof all);
}

/* One point needs this while it is computed */
struct work {
    struct sg_arena arena;
    struct sg_steady_watch *watch;
    struct sg_varied_run run;
    struct sg_diagnostics diagnostics;
    double *state; /* 2 n_full */
};

static sg_status march(const struct sg_forced *forced, const struct point *point, struct work *work,
                       struct reply *reply, struct sg_error *err)
{
    struct sg_run_order order = order_of(forced, point);
    struct sg_steady_spec spec = steady_spec(forced);
    sg_forced_times(forced, point->ratio, &order, &spec);
    TRY(SG_ARENA_NEW(&work->arena, &work->state, 2 * forced->n_full, err));
    TRY(sg_steady_watch_create(&work->arena, &spec, &work->watch, err));
    struct sg_observer observer = sg_steady_observer(work->watch);
    TRY(forced->maker->make(&order, &observer, &work->run, &work->diagnostics, err));
    TRY(sg_steady_march(work->watch, &work->run, work->state, work->state + forced->n_full, err));
    fill_values(forced, point, sg_steady_result(work->watch), reply->values);
    reply->counts = forced->maker->counts(&work->run);
    return SG_OK;
}

/* The deck was found right when the analysis was made: what fails now is the computation. */
static sg_status explain(const struct sg_forced *forced, const struct point *point, const struct work *work,
                         sg_status status, struct sg_error *err)
{
    const struct sg_forced_branch *branch = &forced->branches[point->branch];
    struct sg_error why = *err;
    const struct sg_diagnostics *found = &work->diagnostics;
    const char *text = why.text;
    if (status != SG_NO_SOLUTION && status != SG_BAD_DECK) return status;
    if (status == SG_BAD_DECK && found->count > 0) text = found->items[found->count - 1].message;
    FAIL(err, SG_NO_SOLUTION, "at the frequency ratio %.6g, amplitude factor %g, damping %g 1/s: %s",
         point->ratio, branch->amplitude, branch->damping, text != NULL ? text : "");
}

static sg_status compute(const struct sg_points *self, size_t k, struct sg_text *result, struct sg_error *err)
{
    const struct sg_forced *forced = self->data;
    struct point point = point_at(forced, k);
    struct work work = {0};
    struct reply reply;
    memset(&reply, 0, sizeof reply);
    sg_status status = march(forced, &point, &work, &reply, err);
    status = explain(forced, &point, &work, status, err);
    if (status == SG_OK) {
        sg_text_append_bytes(result, (const char *)&reply, sizeof reply);
        sg_text_append_bytes(result, (const char *)work.state, 2 * forced->n_full * sizeof *work.state);
    }
    forced->maker->release(&work.run);
    sg_diagnostics_release(&work.diagnostics);
    sg_arena_release(&work.arena);
    return status;
}

static void count_steady(struct sg_forced *forced, double steady)
{
    forced->periodic += steady > SG_STEADY_MEAN;
    forced->wandering += steady == SG_STEADY_MEAN;
    forced->neither += steady < SG_STEADY_MEAN;
}

static sg_status accept(struct sg_points *self, const char *bytes, size_t length,
                        const struct sg_observer *observer, struct sg_error *err)
{
    struct sg_forced *forced = self->data;
    struct reply reply;
    size_t state = 2 * forced->n_full, branch = point_at(forced, forced->done).branch;
    if (length != sizeof reply + state * sizeof(double))
        FAIL(err, SG_INTERNAL, "a point of %zu bytes came, of %zu", length,
             sizeof reply + state * sizeof(double));
    memcpy(&reply, bytes, sizeof reply);
    memcpy(forced->states + state * branch, bytes + sizeof reply, state * sizeof(double));
    forced->counts.factorizations += reply.counts.factorizations;
    forced->counts.solves += reply.counts.solves;
    forced->done++;
    count_steady(forced, reply.values[STEADY]);
    return observer->point(observer->self, reply.values, COLUMNS, err);
}

const struct sg_points_apart sg_forced_apart = {.ready = ready, .compute = compute, .accept = accept};
