/* Contact laws: each one of the registry against itself (forces, derivatives, energies, pieces, watches), a
 * spring with a kink against closed forms, and models of several laws against a solution made here. */
#include <stdio.h>

#include "run_fixture.h"
#include "support/archive.h"

/* --- every law of the registry -------------------------------------------------------------------- */

/* a deck with the law by the examples of its own keywords */
static void write_deck(const struct sg_law_ops *law, char *text, size_t size)
{
    bool events = (law->uses & (SG_LAW_PIECES | SG_LAW_IMPACT)) != 0;
    int length =
        snprintf(text, size,
                 "bodies = ( { type = \"particles\"; name = \"b\"; positions = [1.0]; masses = [2.0]; } );"
                 "integrator = { type = \"trapezoidal\"; }; strategy = { type = \"%s\"; };"
                 "time = { end = 1.0; step = 0.01; };"
                 "contacts = ( { type = \"wall\"; node = \"b\"; position = 0.0;"
                 " law = { type = \"%s\"; ",
                 events ? "event-driven" : "penalty", law->kind.name);
    for (const struct sg_keyword *row = law->kind.rows; row->name != NULL; row++)
        if (row->example != NULL && strcmp(row->name, "stiffness_factor") != 0)
            length += snprintf(text + length, size - (size_t)length, "%s = %s; ", row->name, row->example);
    snprintf(text + length, size - (size_t)length, "}; } );");
}

/* m: where the forces of all examples are of the size of their stiffness */
static double scale_of(const struct sg_law *law)
{
    struct sg_law_watch list[SG_LAW_WATCHES];
    static const double blank[SG_LAW_MEMORY] = {0};
    double scale = 1e-3;
    for (unsigned status = 0; law->ops->piece != NULL && status < law->ops->statuses; status++)
        for (size_t k = law->ops->watches(law, blank, status, list); k > 0; k--)
            scale = fmax(scale, fabs(list[k - 1].level));
    return scale;
}

static double force_at(const struct sg_law *law, double gap, double rate, double dashpot,
                       const double *memory)
{
    struct sg_law_point point = {gap, rate, dashpot, memory};
    return law->ops->at(law, &point).value;
}

/* Derivatives by central differences, away from kinks, where these are of order d; the force falls with gap
 * and rate, never pulls, and is what the energy gives. */
static void check_force(const struct sg_law *law)
{
    const double memory[SG_LAW_MEMORY] = {0.7}, blank[SG_LAW_MEMORY] = {0};
    unsigned long long state = 11;
    double scale = scale_of(law), c = law->ops->dashpot == NULL ? 0 : law->ops->dashpot(law, 2.0),
           d = 1e-6 * scale;
    double k = force_at(law, -scale, 0, 0, blank) / scale;
    size_t seen = 0;
    for (int i = 0; i < 4000; i++) {
        double gap = 3 * scale * run_random(&state), rate = run_random(&state);
        struct sg_law_point point = {gap, rate, c, memory};
        struct sg_law_force f = law->ops->at(law, &point);
        ck_assert(f.value >= 0 && f.by_gap <= 0 && f.by_rate <= 0);
        double up = force_at(law, gap + d, rate, c, memory), down = force_at(law, gap - d, rate, c, memory);
        double fast = force_at(law, gap, rate + 1e-6, c, memory),
               slow = force_at(law, gap, rate - 1e-6, c, memory);
        if ((up > 0) != (down > 0) || (fast > 0) != (slow > 0) || fabs(gap + scale) < 2 * d) continue;
        /* second derivatives are of order k / scale, times d^2 or d at worst; rounding 1e-16 k scale / d */
        NEAR(f.by_gap, (up - down) / (2 * d), 1e-3 * (k + fabs(f.by_gap)));
        NEAR(f.by_rate, (fast - slow) / 2e-6, 1e-6 * (1 + fabs(f.by_rate)) + 1e-9 * k * scale / 1e-6);
        double work = (sg_law_energy(law, blank, gap - d) - sg_law_energy(law, blank, gap + d)) / (2 * d);
        NEAR(force_at(law, gap, 0, 0, blank), work, 1e-6 * k * scale);
        seen += f.value > 0;
    }
    ck_assert_uint_gt(seen, 500);
}

/* f (g1 - g0) = U(g0) - U(g1) - taken, and the slope by differences */
static void check_step(const struct sg_law *law)
{
    const double blank[SG_LAW_MEMORY] = {0};
    unsigned long long state = 5;
    double scale = scale_of(law), k = force_at(law, -scale, 0, 0, blank) / scale, most = k * scale * scale;
    for (int i = 0; i < 4000; i++) {
        double g0 = 3 * scale * run_random(&state), g1 = 3 * scale * run_random(&state), d = 1e-6 * scale;
        double chi = 0.5 + 0.5 * run_random(&state);
        struct sg_law_step f = law->ops->step(law, chi, g0, g1);
        ck_assert(f.value >= -1e-12 * k * scale && f.slope <= 1e-12 * k && f.taken >= -1e-12 * most);
        /* a sum of terms of a few dozen k scale^2 */
        NEAR(f.value * (g1 - g0), sg_law_energy(law, blank, g0) - sg_law_energy(law, blank, g1) - f.taken,
             1e-12 * most);
        bool kink = fabs(g1) < 1e-2 * scale || fabs(g1 + scale) < 1e-2 * scale || fabs(g1 - g0) < 0.1 * scale;
        if (kink) continue;
        double up = law->ops->step(law, chi, g0, g1 + d).value,
               down = law->ops->step(law, chi, g0, g1 - d).value;
        NEAR(f.slope, (up - down) / (2 * d), 1e-5 * k);
    }
}

/* The straight line of the status of a gap is the force; at the level of a watch the line that follows has
 * the same. */
static void check_pieces(const struct sg_law *law)
{
    const double blank[SG_LAW_MEMORY] = {0};
    double scale = scale_of(law), k = sg_law_stiffness(law);
    for (int i = -40; i <= 10; i++) {
        double gap = 0.1 * i * scale;
        unsigned status = sg_law_status_of(law, blank, gap);
        ck_assert_uint_lt(status, law->ops->statuses);
        ck_assert((status == SG_LAW_OPEN) == (gap >= 0));
        struct sg_law_piece piece = {0};
        if (status != SG_LAW_OPEN) piece = law->ops->piece(law, blank, status);
        NEAR(status == SG_LAW_OPEN ? 0 : sg_law_piece_force(&piece, gap), force_at(law, gap, 0, 0, blank),
             1e-13 * k * scale);
    }
    for (unsigned status = 0; status < law->ops->statuses; status++) {
        struct sg_law_watch list[SG_LAW_WATCHES];
        for (size_t n = law->ops->watches(law, blank, status, list); n > 0; n--) {
            unsigned next = list[n - 1].next;
            double gap = list[n - 1].level;
            struct sg_law_piece from = {0}, to = {0};
            if (status != SG_LAW_OPEN) from = law->ops->piece(law, blank, status);
            if (next != SG_LAW_OPEN) to = law->ops->piece(law, blank, next);
            ck_assert(next != status && next < law->ops->statuses && list[n - 1].of == SG_WATCH_GAP);
            NEAR(sg_law_piece_force(&from, gap), sg_law_piece_force(&to, gap), 1e-13 * k * scale);
        }
    }
}

START_TEST(laws_agree_with_themselves)
{
    const struct sg_law_ops *ops = sg_law_at((size_t)_i);
    char text[2048];
    struct run run;
    struct sg_text words = {0};
    write_deck(ops, text, sizeof text);
    PREPARE(&run, text);
    const struct sg_law *law = &run.job.contacts->laws[0];
    ck_assert_ptr_eq(law->ops, ops);
    ck_assert(ops->force != NULL && ops->restitution_meaning != NULL && ops->statuses <= SG_LAW_STATUSES);
    for (unsigned s = 0; s < ops->statuses; s++) ck_assert_ptr_nonnull(ops->status_names[s]);
    ops->describe(law, &words);
    ck_assert_uint_gt(words.length, 0);
    if ((ops->uses & SG_LAW_FORCE) != 0) check_force(law);
    if ((ops->uses & SG_LAW_STEP) != 0) check_step(law);
    if ((ops->uses & SG_LAW_PIECES) != 0) check_pieces(law);
    sg_text_release(&words);
    run_release(&run);
}
END_TEST

/* --- estimates: a mass that meets the law alone --------------------------------------------------- */

/* m x'' = -R(x), from x = 0 at `speed`, by steps of 1e-5 of the estimated time: how deep, and for how long */
START_TEST(estimates_are_those_of_a_mass_alone)
{
    const struct sg_law_ops *ops = sg_law_at((size_t)_i);
    char text[2048];
    struct run run;
    write_deck(ops, text, sizeof text);
    PREPARE(&run, text);
    struct sg_law law = run.job.contacts->laws[0];
    const double blank[SG_LAW_MEMORY] = {0};
    law.restitution = 0;
    for (double speed = 0.05; speed < 20 && ops->estimate != NULL; speed *= 6) {
        struct sg_law_blow blow = {2.0, speed, 30.0};
        struct sg_law_estimate is = {0};
        ops->estimate(&law, &blow, &is);
        double x = 0, v = speed, h = 1e-5 * is.time, t = 0, deepest = 0;
        do {
            v -= 0.5 * h / blow.mass * force_at(&law, -x, 0, 0, blank);
            x += h * v;
            v -= 0.5 * h / blow.mass * force_at(&law, -x, 0, 0, blank);
            t += h;
            deepest = fmax(deepest, x);
        } while (x > 0);
        NEAR(is.time, t, 5e-5 * t); /* a step or two, and the scheme's 1e-9 */
        NEAR(is.depth, deepest, 1e-8 * deepest);
        NEAR(force_at(&law, -is.sink, 0, 0, blank), blow.load, 1e-9 * blow.load);
    }
    run_release(&run);
}
END_TEST

/* --- a spring with a kink against closed forms ---------------------------------------------------- */

/* 2 kg at 3 m/s from 0.3 m; k1 = 200, so that omega_1 = 10 and the mass would get 0.3 m deep */
#define PAD(k2)                                                                                              \
    "bodies = ( { type = \"particles\"; name = \"b\"; positions = [0.3]; masses = [2.0]; } );"               \
    "initial = ( { body = \"b\"; velocity = -3.0; } );"                                                      \
    "contacts = ( { type = \"wall\"; node = \"b\"; position = 0.0;"                                          \
    " law = { type = \"bilinear\"; stiffness = 200.0; stiffness_beyond = " k2 "; kink = 0.1; }; } );"        \
    "integrator = { type = \"exact\"; };"                                                                    \
    "strategy = { type = \"event-driven\"; gap_tolerance = 1e-13; time_tolerance = 1e-13; };"                \
    "time = { end = 1.0; step = 0.003; };"

static const char *const pads[] = {PAD("3200.0"), PAD("50.0"), PAD("200.0")};
static const double beyond[] = {3200, 50, 200};

/* Arcs: asin(kink / A) / w1 to the kink, then from the second line's phase acos(s / B) / w2 to rest, and
 * back. */
static void pad_times(double k2, double times[4], double *deepest)
{
    double m = 2, k1 = 200, kink = 0.1, v = 3, w1 = sqrt(k1 / m), w2 = sqrt(k2 / m);
    double v1 = sqrt(v * v - w1 * w1 * kink * kink), s = kink * k1 / k2, b = hypot(s, v1 / w2);
    double first = asin(kink * w1 / v) / w1, second = acos(s / b) / w2;
    times[0] = 0.1;
    times[1] = times[0] + first;
    times[2] = times[1] + 2 * second;
    times[3] = times[2] + first;
    *deepest = kink - s + b;
}

START_TEST(kink_is_met_at_its_times)
{
    static const char *const coordinates[] = {"integrator.type=exact", "integrator.type=trapezoidal",
                                              "integrator.type=botr"};
    static const enum sg_event_kind kinds[] = {SG_EVENT_CLOSE, SG_EVENT_CHANGE, SG_EVENT_CHANGE,
                                               SG_EVENT_OPEN};
    struct run run;
    double times[4], deepest = 0;
    pad_times(beyond[_i], times, &deepest);
    for (size_t i = 0; i < 3; i++) {
        RUN(&run, pads[_i], coordinates[i], i == 0 ? "time.step=0.003" : "time.step=1e-4");
        ck_assert_uint_eq(run.event_count, 4);
        /* exact but for the tolerances of localisation; the others by (omega h)^2 / 12 = 1e-6 of 0.2 s */
        for (size_t e = 0; e < 4; e++) {
            ck_assert_int_eq(run.events[e].kind, kinds[e]);
            NEAR(run.events[e].t, times[e], i == 0 ? 1e-11 : 1e-6);
        }
        NEAR(run_last(&run)->v[0], 3.0, i == 0 ? 1e-11 : 1e-8);
        /* 9 J: trapezoidal steps conserve, botr by its order */
        BELOW(run_imbalance(&run), i == 2 ? 1e-7 : 1e-11);
        BELOW(run_deepest(&run) - deepest, 1e-9);
        run_release(&run);
    }
}
END_TEST

/* the error at the end falls with the square of the step, as the scheme's own */
START_TEST(kink_keeps_the_order_of_the_scheme)
{
    static const char *const operators[] = {"integrator.operator=modal", "integrator.operator=nodal"};
    static const char *const steps[][2] = {{"time.step=2e-3", "time.contact_step=2e-3"},
                                           {"time.step=1e-3", "time.contact_step=1e-3"},
                                           {"time.step=5e-4", "time.contact_step=5e-4"}};
    double times[4], deepest = 0, error[3];
    struct run run;
    pad_times(beyond[0], times, &deepest);
    for (size_t i = 0; i < 3; i++) {
        RUN(&run, pads[0], "integrator.type=trapezoidal", operators[_i], steps[i][0], steps[i][1]);
        error[i] = fabs(run.events[3].t - times[3]);
        run_release(&run);
    }
    /* the steps that events cut differ from run to run */
    for (size_t i = 0; i < 2; i++) NEAR(log2(error[i] / error[i + 1]), 2.0, 0.25);
}
END_TEST

/* penalty, by the law's force: a kink costs a step's part of its jump of slope, of second order still */
START_TEST(penalty_takes_the_kink)
{
    double times[4], deepest = 0, error[2];
    struct run run;
    pad_times(beyond[_i], times, &deepest);
    for (size_t i = 0; i < 2; i++) {
        RUN(&run, pads[_i], "strategy={type=\"penalty\";}", "integrator.type=trapezoidal", "time.end=0.9",
            i == 0 ? "time.step=1e-3" : "time.step=2.5e-4");
        double flight = (0.9 - times[3]) * 3.0;
        error[i] = fabs(run_last(&run)->u[0] + 0.3 - flight);
        NEAR(run_deepest(&run), deepest, 1e-3);
        run_release(&run);
    }
    BELOW(error[1], 2e-4);
    BELOW(error[1], error[0] / 3);
    /* the form of energies keeps them to rounding of 9 J over a thousand steps */
    RUN(&run, pads[_i], "strategy={type=\"penalty\";form=\"conserving\";}",
        "integrator={type=\"theta\";theta=0.5;}", "time.step=1e-3");
    BELOW(run_imbalance(&run), 1e-11);
    NEAR(run_last(&run)->v[0], 3.0, 1e-11);
    run_release(&run);
}
END_TEST

/* a dashpot for e = 0.6 is exact where the impact stays before the kink: at 0.9 m/s 0.09 m at most */
START_TEST(penalty_has_a_dashpot_before_the_kink)
{
    struct run run;
    RUN(&run, pads[0], "strategy={type=\"penalty\";}", "integrator.type=trapezoidal", "time.step=2e-5",
        "contacts.[0].law.restitution=0.6", "initial.[0].velocity=-0.9");
    NEAR(run_last(&run)->v[0], 0.54, 1e-4);
    run_release(&run);
}
END_TEST

/* --- models of several laws ----------------------------------------------------------------------- */

/* Three masses in a row, joined by springs and, by a dashpot each, to the ground, each before a wall of its
 * own with a law of its own. The third law is X. */
#define ROW3(law)                                                                                            \
    "bodies = ( { type = \"particles\"; name = \"b\"; positions = [0.02, 1.03, 2.05]; masses = [1.0, 2.0, "  \
    "1.5];"                                                                                                  \
    " springs = ( { nodes = [0, 1]; stiffness = 300.0; }, { nodes = [1, 2]; stiffness = 500.0; },"           \
    " { node = 1; stiffness = 100.0; damping = 0.8; } ); } );"                                               \
    "initial = ( { body = \"b\"; velocity = -1.0; } );"                                                      \
    "contacts = ( { type = \"wall\"; node = \"b.0\"; position = 0.0;"                                        \
    " law = { type = \"spring\"; stiffness = 4000.0; }; },"                                                  \
    " { type = \"wall\"; node = \"b.1\"; position = 1.0;"                                                    \
    " law = { type = \"bilinear\"; stiffness = 1000.0; stiffness_beyond = 20000.0; kink = 0.01; }; },"       \
    " { type = \"wall\"; node = \"b.2\"; position = 2.0; " law " } );"                                       \
    "integrator = { type = \"trapezoidal\"; operator = \"nodal\"; };"                                        \
    "strategy = { type = \"event-driven\"; gap_tolerance = 1e-12; time_tolerance = 1e-12; };"                \
    "time = { end = 1.5; step = 1e-4; contact_step = 1e-4; };"

#define RIGID "law = { type = \"rigid\"; restitution = 0.7; };"
#define HERTZ "law = { type = \"hertz\"; stiffness = 60000.0; };"

enum { MASSES = 3, STATES = 2 * MASSES, LEVELS = 4 };

/* gaps less the levels at which a force has a kink or a wall is met */
static void levels_of(const double *y, double *level)
{
    level[0] = 0.02 + y[0];
    level[1] = 0.03 + y[1];
    level[2] = level[1] + 0.01;
    level[3] = 0.05 + y[2];
}

static double over(double gap)
{
    return gap < 0 ? -gap : 0;
}

/* of the model: what its third law is, and the dashpot, N s/m */
struct reference {
    bool rigid;
    double damping;
};

static void rates_of(const double *y, struct reference is, double *rate)
{
    double level[LEVELS];
    levels_of(y, level);
    double a = 300 * (y[1] - y[0]), b = 500 * (y[2] - y[1]);
    for (size_t i = 0; i < MASSES; i++) rate[i] = y[MASSES + i];
    rate[3] = a + 4000 * over(level[0]);
    rate[4] = (b - a - 100 * y[1] - is.damping * y[4] + 1000 * over(level[1]) + 19000 * over(level[2])) / 2;
    rate[5] = (-b + (is.rigid ? 0 : 60000 * pow(over(level[3]), 1.5))) / 1.5;
}

/* one step of the classical scheme of order 4 */
static void step_of(const double *from, double h, struct reference is, double *to)
{
    double k[4][STATES], y[STATES];
    rates_of(from, is, k[0]);
    for (size_t s = 1; s < 4; s++) {
        for (size_t i = 0; i < STATES; i++) y[i] = from[i] + (s == 3 ? h : 0.5 * h) * k[s - 1][i];
        rates_of(y, is, k[s]);
    }
    for (size_t i = 0; i < STATES; i++)
        to[i] = from[i] + h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static bool crosses(const double *from, const double *to)
{
    double a[LEVELS], b[LEVELS];
    levels_of(from, a);
    levels_of(to, b);
    for (size_t i = 0; i < LEVELS; i++)
        if (fabs(a[i]) > 1e-13 && (a[i] > 0) != (b[i] > 0)) return true;
    return false;
}

/* Steps of 2e-5 s that end where a level is crossed, so that each is smooth; walls reflect with 0.7. */
static void solve_here(double end, struct reference is, double *y)
{
    double t = 0, next[STATES], level[LEVELS];
    for (size_t i = 0; i < STATES; i++) y[i] = i < MASSES ? 0 : -1;
    while (t < end) {
        double h = fmin(2e-5, end - t), low = 0, high = h;
        step_of(y, h, is, next);
        bool cut = crosses(y, next);
        for (int k = 0; cut && k < 60; k++) {
            double middle = 0.5 * (low + high);
            step_of(y, middle, is, next);
            if (crosses(y, next))
                high = middle;
            else
                low = middle;
        }
        if (cut) step_of(y, h = high, is, next);
        memcpy(y, next, sizeof next);
        levels_of(y, level);
        if (is.rigid && level[3] <= 1e-13 && y[5] < 0) y[5] *= -0.7;
        t += h;
    }
}

static double distance_from(const struct run *run, const double *y)
{
    const struct run_row *row = run_last(run);
    return fmax(run_distance(row->u, y, MASSES), 0.05 * run_distance(row->v, y + MASSES, MASSES));
}

/* rigid, spring and kink event by event, in both coordinates; every kind of event happens */
START_TEST(events_take_three_laws_at_once)
{
    const struct reference is[] = {{true, 0.8}, {true, 0}};
    static const char *const words[][2] = {
        {"integrator.operator=nodal", "bodies.[0].springs.[2].damping=0.8"},
        {"integrator.operator=modal", "bodies.[0].springs.[2].damping=0"}};
    double y[STATES], error[2];
    struct run run;
    solve_here(1.5, is[_i], y);
    for (size_t i = 0; i < 2; i++) {
        RUN(&run, ROW3(RIGID), words[_i][0], words[_i][1], i == 0 ? "time.step=2e-4" : "time.step=1e-4",
            i == 0 ? "time.contact_step=2e-4" : "time.contact_step=1e-4");
        error[i] = distance_from(&run, y);
        ck_assert_uint_ge(run_events_of(&run, SG_EVENT_IMPACT), 2);
        ck_assert_uint_ge(run_events_of(&run, SG_EVENT_CHANGE), 2);
        ck_assert_uint_ge(run_events_of(&run, SG_EVENT_CLOSE), 3);
        run_release(&run);
    }
    /* (omega h)^2 / 12 t omega of the fastest motion, 100 rad/s: 1e-3 of 0.05 m at the most */
    BELOW(error[1], 1e-5);
    NEAR(error[0] / error[1], 4.0, 0.5);
}
END_TEST

/* spring, kink and Hertz by one force law each */
START_TEST(penalty_takes_three_laws_at_once)
{
    static const char *const others[] = {"integrator.type=trapezoidal", "integrator.type=central-difference"};
    double y[STATES], error[2];
    struct run run;
    solve_here(1.5, (struct reference){false, 0.8}, y);
    for (size_t i = 0; i < 2; i++) {
        RUN(&run, ROW3(HERTZ), "strategy={type=\"penalty\";}", others[_i],
            i == 0 ? "time.step=2e-4" : "time.step=5e-5");
        error[i] = distance_from(&run, y);
        run_release(&run);
    }
    BELOW(error[1], 5e-5);
    /* velocities of the staggered scheme are those of half a step later: order 1 */
    BELOW(error[1], error[0] / (_i == 0 ? 6 : 3));
}
END_TEST

/* --- memory --------------------------------------------------------------------------------------- */

static void go(struct run *run, int steps)
{
    struct sg_strategy *strategy = &run->job.strategy;
    bool done = false;
    for (int i = 0; i < steps && run->status == SG_OK; i++)
        run->status = strategy->ops->advance(strategy, &done, &run->err);
    run_must(run, "advance");
}

static void keep(struct run *run, struct sg_archive *archive)
{
    sg_archive_rewind(archive);
    run->job.strategy.ops->archive(&run->job.strategy, archive);
    ck_assert_int_eq(sg_archive_finish(archive, &run->err), SG_OK);
}

static const char *const resumed[][2] = {
    {ROW3(RIGID), "strategy.gap_tolerance=1e-10"},
    {ROW3(HERTZ), "strategy={type=\"penalty\";}"},
    {ROW3("law = { type = \"hertz\"; stiffness = 60000.0; restitution = 0.6; };"),
     "strategy={type=\"penalty\";}"}};

/* The run is archived where contacts are closed, one of them beyond its kink, and goes on the same bit by bit
 * in a job made afresh. */
START_TEST(mixed_models_resume_in_the_middle_of_contact)
{
    struct run whole, fresh;
    struct sg_archive middle = {0}, end = {0}, again = {0};
    PREPARE(&whole, resumed[_i][0], resumed[_i][1]);
    ck_assert_int_eq(whole.job.strategy.ops->start(&whole.job.strategy, &whole.err), SG_OK);
    do go(&whole, 1);
    while (!(run_last(&whole)->gap[1] < -0.012 && run_last(&whole)->gap[0] < 0) && whole.count < 20000);
    ck_assert_uint_lt(whole.count, 20000);
    keep(&whole, &middle);
    go(&whole, 300);
    keep(&whole, &end);
    PREPARE(&fresh, resumed[_i][0], resumed[_i][1]);
    middle.loading = true;
    middle.cursor = 0;
    fresh.job.strategy.ops->archive(&fresh.job.strategy, &middle);
    ck_assert_int_eq(sg_archive_finish(&middle, &fresh.err), SG_OK);
    go(&fresh, 300);
    keep(&fresh, &again);
    ck_assert_uint_eq(end.length, again.length);
    ck_assert(memcmp(end.data, again.data, end.length) == 0);
    sg_archive_release(&middle);
    sg_archive_release(&end);
    sg_archive_release(&again);
    run_release(&whole);
    run_release(&fresh);
}
END_TEST

/* --- words ---------------------------------------------------------------------------------------- */

/* a group `law` and short keywords are the same law */
START_TEST(short_forms_mean_the_group)
{
    static const char *const pairs[][3] = {
        {"contacts=({type=\"wall\";node=\"b.0\";position=0.0;stiffness=4e3;})",
         "contacts=({type=\"wall\";node=\"b.0\";position=0.0;law={type=\"spring\";stiffness=4e3;};})",
         "strategy={type=\"event-driven\";}"},
        {"contacts=({type=\"wall\";node=\"b.0\";position=0.0;restitution=0.5;})",
         "contacts=({type=\"wall\";node=\"b.0\";position=0.0;law={type=\"rigid\";restitution=0.5;};})",
         "strategy={type=\"event-driven\";}"},
        {"contacts=({type=\"wall\";node=\"b.0\";position=0.0;stiffness=4e3;restitution=0.5;})",
         "contacts=({type=\"wall\";node=\"b.0\";position=0.0;law={type=\"spring\";stiffness=4e3;restitution="
         "0.5;};})",
         "strategy={type=\"penalty\";}"},
        {"contacts=({type=\"wall\";node=\"b.0\";position=0.0;hertz_stiffness=4e4;restitution=0.5;})",
         "contacts=({type=\"wall\";node=\"b.0\";position=0.0;law={type=\"hertz\";stiffness=4e4;restitution=0."
         "5;};})",
         "strategy={type=\"penalty\";law=\"hertz\";}"}};
    struct run a, b;
    RUN(&a, ROW3(RIGID), pairs[_i][0], pairs[_i][2], "time.end=0.5");
    RUN(&b, ROW3(RIGID), pairs[_i][1], pairs[_i][2], "time.end=0.5");
    ck_assert_uint_eq(a.count, b.count);
    ck_assert(memcmp(run_last(&a)->u, run_last(&b)->u, MASSES * sizeof(double)) == 0);
    ck_assert(memcmp(run_last(&a)->v, run_last(&b)->v, MASSES * sizeof(double)) == 0);
    run_release(&a);
    run_release(&b);
}
END_TEST

Suite *sg_suite_laws(void);
Suite *sg_suite_laws(void)
{
    Suite *suite = suite_create("laws");
    TCase *all = tcase_create("laws");
    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, laws_agree_with_themselves, 0, (int)sg_law_count());
    tcase_add_loop_test(all, estimates_are_those_of_a_mass_alone, 0, (int)sg_law_count());
    tcase_add_loop_test(all, kink_is_met_at_its_times, 0, 3);
    tcase_add_loop_test(all, kink_keeps_the_order_of_the_scheme, 0, 2);
    tcase_add_loop_test(all, penalty_takes_the_kink, 0, 3);
    tcase_add_test(all, penalty_has_a_dashpot_before_the_kink);
    tcase_add_loop_test(all, events_take_three_laws_at_once, 0, 2);
    tcase_add_loop_test(all, penalty_takes_three_laws_at_once, 0, 2);
    tcase_add_loop_test(all, mixed_models_resume_in_the_middle_of_contact, 0, 3);
    tcase_add_loop_test(all, short_forms_mean_the_group, 0, 4);
    suite_add_tcase(suite, all);
    return suite;
}
