/* Steady motions under harmonic loads, against closed forms: the frequency response of a mass and of a bar,
 * and the periodic motions of a mass that strikes a stop; sweeps, processes, resuming. */
#include <check.h>
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses/points.h"
#include "jobs/varied_runs.h"
#include "run_fixture.h"

Suite *sg_suite_forced_response(void);

enum { ROWS = 64, WIDTH = 32 };

struct sweep {
    struct run run; /* its deck and findings */
    struct sg_points points;
    double rows[ROWS][WIDTH];
    size_t count, stop_at; /* stop_at: interrupts after so many points; 0: never */
};

static double pi(void)
{
    return acos(-1.0);
}

static sg_status keep(void *self, const double *values, size_t count, struct sg_error *err)
{
    struct sweep *sweep = self;
    (void)err;
    ck_assert(sweep->count < ROWS && count <= WIDTH);
    memcpy(sweep->rows[sweep->count++], values, count * sizeof *values);
    return SG_OK;
}

static sg_status pause_at(void *self, bool *stop, struct sg_error *err)
{
    const struct sweep *sweep = self;
    (void)err;
    *stop = sweep->stop_at > 0 && sweep->count == sweep->stop_at;
    return SG_OK;
}

static void create(struct sweep *sweep, const char *const *deck)
{
    *sweep = (struct sweep){.points = {.maker = &sg_varied_runs}};
    run_read(&sweep->run, deck);
    sweep->run.status =
        sg_points_create(&sweep->points, sweep->run.deck, &sweep->run.diagnostics, &sweep->run.err);
}
#define CREATE(sweep, ...) create((sweep), (const char *const[]){__VA_ARGS__, NULL})

static sg_status go(struct sweep *sweep)
{
    struct sg_observer observer = {.self = sweep, .point = keep};
    struct sg_points_pause pause = {sweep, pause_at};
    return sg_points_run(&sweep->points, &observer, &pause, &sweep->run.err);
}

/* created and run to its end */
static void finish(struct sweep *sweep, const char *const *deck)
{
    create(sweep, deck);
    run_must(&sweep->run, deck[0]);
    sweep->run.status = go(sweep);
    run_must(&sweep->run, deck[0]);
}
#define SWEEP(sweep, ...) finish((sweep), (const char *const[]){__VA_ARGS__, NULL})

static void release(struct sweep *sweep)
{
    sg_points_destroy(&sweep->points);
    run_release(&sweep->run);
}

static double value(const struct sweep *sweep, size_t row, const char *name)
{
    size_t count = 0, k = 0;
    const struct sg_point_column *columns = sweep->points.ops->columns(&sweep->points, &count);
    while (k < count && strcmp(columns[k].name, name) != 0) k++;
    ck_assert_msg(k < count, "there is no column '%s'", name);
    ck_assert_uint_lt(row, sweep->count);
    return sweep->rows[row][k];
}

/* --- without contact ------------------------------------------------------------------------------ */

#define MASS                                                                                                 \
    "bodies = ( { type = \"particles\"; name = \"mass\"; positions = [0.0]; masses = [2.0];"                 \
    "  springs = ( { node = 0; stiffness = 18.0; } ); } );"                                                  \
    "loads = ( { type = \"force\"; node = \"mass\";"                                                         \
    "  signal = { type = \"harmonic\"; amplitude = 3.0; phase = 0.4; frequency = 1.0; }; } );"
#define THETA                                                                                                \
    "integrator = { type = \"theta\"; theta = 0.5; }; strategy = { type = \"time-stepping\"; }; time = { };"

/* The midpoint rule does to a harmonic motion what its frequency (2/h) tan(w h/2) does in the exact equation,
 * under a load that is larger by 1/cos(w h/2), being that of the midpoint: the response of the scheme itself,
 * to the transient that is left (1e-12, of a damping that takes a third of a distance a period). */
START_TEST(mass_has_the_frequency_response)
{
    struct sweep sweep;
    SWEEP(&sweep,
          MASS THETA "analysis = { type = \"forced-response\"; at = [1.7, 0.5, 1.0]; steps_per_period = 40;"
                     "  amplitudes = [1.0, 0.5]; dampings = [0.9]; tolerance = 1.0e-12; };");
    ck_assert_uint_eq(sweep.count, 6);
    for (size_t k = 0; k < 6; k++) {
        static const double ratios[] = {0.5, 1.0, 1.7};
        double factor = k % 2 == 0 ? 1.0 : 0.5, omega = 3.0 * ratios[k / 2], h = 2 * pi() / omega / 40;
        double seen = 2 / h * tan(omega * h / 2);
        double f = 3.0 * factor / cos(omega * h / 2),
               u = f / cabs(18.0 - 2.0 * seen * seen + I * seen * 0.9 * 2.0);
        NEAR(value(&sweep, k, "frequency_ratio"), ratios[k / 2], 1e-15);
        NEAR(value(&sweep, k, "frequency"), omega, 1e-14);
        NEAR(value(&sweep, k, "amplitude_factor"), factor, 0);
        NEAR(value(&sweep, k, "steady"), 1, 0);
        NEAR(value(&sweep, k, "first_harmonic"), u, 1e-10 * u);
        NEAR(value(&sweep, k, "energy"), (18.0 + 2.0 * seen * seen) * u * u / 4, 1e-10 * u * u * 18);
        BELOW(value(&sweep, k, "amplitude"), u * (1 + 1e-10));
        BELOW(u * cos(pi() / 40), value(&sweep, k, "amplitude"));
        double power = 0.9 * 2.0 * seen * seen * u * u / 2;
        NEAR(value(&sweep, k, "power/external"), value(&sweep, k, "power/dissipated"), 1e-9 * power);
        NEAR(value(&sweep, k, "contact_share"), 0, 0);
        ck_assert(isnan(value(&sweep, k, "gap_least")) && isnan(value(&sweep, k, "energy_ratio")));
    }
    release(&sweep);
}
END_TEST

#define BAR                                                                                                  \
    "bodies = ( { type = \"bar\"; name = \"bar\"; length = 2.0; area = 0.5; modulus = 3.0; density = 4.0;"   \
    "  elements = 10; } ); supports = ( { node = \"bar.left\"; } );"                                         \
    "contacts = ( { type = \"wall\"; node = \"bar.right\"; gap = 0.01; } );"                                 \
    "loads = ( { type = \"body-force\"; body = \"bar\";"                                                     \
    "  signal = { type = \"harmonic\"; amplitude = 1.0e-4; circular_frequency = 1.0; }; } );"

/* The end of a bar of N linear elements, fixed at its start, under a force F cos(w t) on each of its masses.
 * The rows (K - k M) u = M 1 F with k = w^2 - i w c (of unit mass and stiffness: k (L/c0)^2) have the
 * solution u_j = F/k (cos((N - j) p) / cos(N p) - 1),  cos p = (1 - k h^2/3) / (1 + k h^2/6). */
static double bar_response(double omega, double damping, double elements)
{
    double element = 2.0 / elements, speed = 3.0 / 4.0;
    double complex k = omega * omega - I * omega * damping, kh = k * element * element / speed;
    double complex p = cacos((1 - kh / 3) / (1 + kh / 6));
    return 1e-4 * cabs((1 / ccos(elements * p) - 1) / k);
}

START_TEST(bar_has_the_frequency_response)
{
    struct sweep sweep;
    SWEEP(&sweep, BAR THETA "analysis = { type = \"forced-response\"; from = 0.6; to = 1.4; count = 5;"
                            "  steps_per_period = 100; dampings = [0.2, 0.4]; tolerance = 1.0e-11; };");
    ck_assert_uint_eq(sweep.count, 10);
    for (size_t k = 0; k < 10; k++) {
        double omega = value(&sweep, k, "frequency"), h = 2 * pi() / omega / 100;
        double u = bar_response(2 / h * tan(omega * h / 2), k % 2 == 0 ? 0.2 : 0.4, 10) / cos(omega * h / 2);
        NEAR(value(&sweep, k, "damping"), k % 2 == 0 ? 0.2 : 0.4, 0);
        /* distances of 1e-11 leave 1e-11 mu/(1 - mu) of the transient, mu > 0.4 a period */
        NEAR(value(&sweep, k, "first_harmonic"), u, 1e-9 * u);
        NEAR(value(&sweep, k, "gap_least"), 0.01 - value(&sweep, k, "amplitude"), 1e-5 * u);
    }
    /* omega_1 and E_1 of the continuous bar, (pi^2/16) E A g^2/L, to the mesh's (pi/20)^2/12 = 0.2 % */
    NEAR(value(&sweep, 4, "frequency"), pi() / 4 * sqrt(0.75), 2e-3);
    double touch = pi() * pi() / 16 * 1.5 * 1e-4 / 2;
    NEAR(value(&sweep, 4, "energy") / value(&sweep, 4, "energy_ratio"), touch, 5e-3 * touch);
    release(&sweep);
}
END_TEST

/* a moving support: x'' + (x - s) 9 = 0 at its base, so the force is 9 s(t) */
START_TEST(supports_are_swept_too)
{
    struct sweep sweep;
    SWEEP(
        &sweep,
        "bodies = ( { type = \"particles\"; name = \"pair\"; positions = [0.0, 1.0]; masses = [1.0, 2.0];"
        "  springs = ( { nodes = [0, 1]; stiffness = 18.0; } ); } );"
        "supports = ( { node = \"pair.0\"; motion = { type = \"harmonic\"; amplitude = 0.5; frequency = 7.0;"
        "  }; } );" THETA
        "analysis = { type = \"forced-response\"; at = [0.5]; dampings = [0.9]; steps_per_period = 200;"
        "  reference = 3.0; amplitudes = [0.2]; tolerance = 1.0e-10; };");
    /* to the scheme's (w h)^2/12 = 8e-5, of which the response near 1/(1 - 1/4) takes a third */
    double omega = 1.5, u = 0.1 * 18.0 / cabs(18.0 - 2 * omega * omega + I * omega * 1.8);
    NEAR(value(&sweep, 0, "first_harmonic"), u, 5e-4 * u);
    release(&sweep);
}
END_TEST

/* --- a mass that strikes a stop ------------------------------------------------------------------- */

/* x'' + 2 z x' + x = cos(w t + a) against a rigid stop at g with restitution e, one impact in n periods of
 * the load: from the impact at t = 0, with p, q the forced motion's displacement and velocity there, x =
 * exp(-z t) (A cos wd t + B sin wd t) + forced,   A = g - p. x(0) = x(T) = g gives B/A, v(0) = -e v(T) gives
 * q = -c A, and p^2 + (q/w)^2 is the square of the forced amplitude. Of the two roots that with the larger
 * speed of impact is stable wherever it is used here: the motion of the other, where it exists, is born with
 * it in a fold. (Known since Masri and Caughey 1966.) */
struct oscillator {
    double w, z, g, e;
    double n, samples; /* samples: of a period of the load, in the run that is compared */
};

struct orbit {
    double arrival;    /* m/s */
    double amplitude;  /* the largest |x| */
    double energy;     /* mean of kinetic and strain energy, mass and stiffness 1 */
    double dissipated; /* mean power */
};

struct coefficients {
    double a, b, p, q, wd;
};

static void state_at(const struct oscillator *o, const struct coefficients *c, double t, double *x, double *v)
{
    double decay = exp(-o->z * t), cosine = cos(c->wd * t), sine = sin(c->wd * t);
    double xh = c->a * cosine + c->b * sine, dh = c->wd * (c->b * cosine - c->a * sine);
    *x = decay * xh + c->p * cos(o->w * t) + c->q / o->w * sin(o->w * t);
    *v = decay * (dh - o->z * xh) + c->q * cos(o->w * t) - c->p * o->w * sin(o->w * t);
}

static struct coefficients solve_orbit(const struct oscillator *o, double root)
{
    double w = o->w, z = o->z, wd = sqrt(1 - z * z), period = o->n * 2 * pi() / w, decay = exp(-z * period);
    double cosine = cos(wd * period), sine = sin(wd * period), b = (1 - decay * cosine) / (decay * sine);
    double leaves = wd * b - z, comes = decay * (leaves * cosine - (wd + z * b) * sine);
    double c = (leaves + o->e * comes) / (1 + o->e), cw = c * c / (w * w);
    double forced = 1 / ((1 - w * w) * (1 - w * w) + 4 * z * z * w * w);
    double half = o->g * cw / (1 + cw), rest = (o->g * o->g * cw - forced) / (1 + cw);
    double p = half + root * sqrt(half * half - rest);
    return (struct coefficients){o->g - p, (o->g - p) * b, p, -c * (o->g - p), wd};
}

static struct orbit measure_orbit(const struct oscillator *o, const struct coefficients *c)
{
    enum { POINTS = 20000 };
    double period = o->n * 2 * pi() / o->w, x = 0, v = 0, squares = 0;
    struct orbit orbit = {0};
    for (int k = 0; k < POINTS; k++) { /* midpoints */
        state_at(o, c, period * (k + 0.5) / POINTS, &x, &v);
        orbit.amplitude = fmax(orbit.amplitude, fabs(x));
        orbit.energy += (x * x + v * v) / 2 / POINTS;
        squares += v * v / POINTS;
        ck_assert(x < o->g);
    }
    state_at(o, c, period, &x, &orbit.arrival);
    NEAR(x, o->g, 1e-12 * fmax(1.0, orbit.amplitude));
    orbit.dissipated = 2 * o->z * squares + (1 - o->e * o->e) * orbit.arrival * orbit.arrival / 2 / period;
    return orbit;
}

static struct orbit find_orbit(const struct oscillator *o)
{
    struct coefficients both[2] = {solve_orbit(o, 1), solve_orbit(o, -1)};
    double x = 0, v[2] = {0, 0}, period = o->n * 2 * pi() / o->w;
    for (int k = 0; k < 2; k++) state_at(o, &both[k], period, &x, &v[k]);
    return measure_orbit(o, &both[v[1] > v[0]]);
}

#define STRIKER                                                                                              \
    "bodies = ( { type = \"particles\"; name = \"mass\"; positions = [0.0]; masses = [1.0];"                 \
    "  springs = ( { node = 0; stiffness = 1.0; } ); } );"                                                   \
    "contacts = ( { type = \"wall\"; node = \"mass\"; gap = 0.5; restitution = 0.7; } );"                    \
    "loads = ( { type = \"force\"; node = \"mass\";"                                                         \
    "  signal = { type = \"harmonic\"; amplitude = 1.0; phase = 1.5707963267948966; frequency = 1.0; }; } "  \
    ");"                                                                                                     \
    "damping = { mass = 0.1; };"
#define EXACT "integrator = { type = \"exact\"; }; strategy = { type = \"event-driven\"; }; time = { };"

static void check_orbit(const struct sweep *sweep, size_t row, const struct oscillator *o, double tolerance)
{
    struct orbit orbit = find_orbit(o);
    NEAR(value(sweep, row, "steady"), o->n, 0);
    NEAR(value(sweep, row, "amplitude"), orbit.amplitude, tolerance * orbit.amplitude);
    NEAR(value(sweep, row, "energy"), orbit.energy, tolerance * orbit.energy);
    NEAR(value(sweep, row, "power/dissipated"), orbit.dissipated, tolerance * orbit.dissipated);
    BELOW(-1e-9, value(sweep, row, "gap_least"));
    BELOW(value(sweep, row, "gap_least"), orbit.arrival * 2 * pi() / o->w / o->samples);
}

START_TEST(striker_has_its_periodic_motion)
{
    static const double w[] = {1.1, 1.3, 1.5, 1.8};
    struct sweep sweep;
    SWEEP(&sweep, STRIKER EXACT "analysis = { type = \"forced-response\"; at = [1.1, 1.3, 1.5, 1.8];"
                                "  steps_per_period = 2000; tolerance = 1.0e-7; };");
    for (size_t k = 0; k < 4; k++) {
        struct oscillator o = {w[k], 0.05, 0.5, 0.7, 1, 2000};
        /* loads are linear over a step, (w h)^2/12 = 8e-7 of them; the mean of an energy that jumps at the
         * impact is one of 2000 samples, of which half a sample may be the jump's: 2.5e-4 of half the energy
         */
        check_orbit(&sweep, k, &o, 1e-3);
        NEAR(value(&sweep, k, "contact_share"), 0, 0.51 / 1000);
    }
    release(&sweep);
}
END_TEST

/* by Moreau-Jean: of first order in the step, since an impact is found at the end of one */
START_TEST(striker_by_time_stepping)
{
    double errors[2];
    for (int k = 0; k < 2; k++) {
        struct sweep sweep;
        struct oscillator o = {1.5, 0.05, 0.5, 0.7, 1, 0};
        SWEEP(&sweep,
              STRIKER THETA "analysis = { type = \"forced-response\"; at = [1.5]; steps_per_period = 400; };",
              k == 0 ? "analysis.steps_per_period=500" : "analysis.steps_per_period=8000");
        errors[k] = fabs(value(&sweep, 0, "amplitude") / find_orbit(&o).amplitude - 1);
        release(&sweep);
    }
    BELOW(errors[0], 0.02);
    BELOW(errors[1], 0.02 / 16);
}
END_TEST

/* twice the period of the load: a stop where the spring is slack doubles the frequency, to 2, of which the
 * load has about twice */
START_TEST(longer_periods_are_found)
{
    struct sweep sweep;
    SWEEP(&sweep,
          STRIKER EXACT "analysis = { type = \"forced-response\"; at = [3.8, 4.2]; direction = \"down\";"
                        "  steps_per_period = 1000; tolerance = 1.0e-8; };",
          "contacts.[0].gap=0.0", "contacts.[0].restitution=0.8", "damping.mass=0.04");
    NEAR(value(&sweep, 0, "frequency_ratio"), 4.2, 1e-15);
    NEAR(value(&sweep, 0, "direction"), -1, 0);
    check_orbit(&sweep, 0, &(struct oscillator){4.2, 0.02, 0.0, 0.8, 2, 1000}, 2e-3);
    check_orbit(&sweep, 1, &(struct oscillator){3.8, 0.02, 0.0, 0.8, 2, 1000}, 2e-3);
    release(&sweep);
    /* with orders = 1 they are not periodic, but of stable mean */
    SWEEP(&sweep,
          STRIKER EXACT "analysis = { type = \"forced-response\"; at = [3.8]; orders = 1;"
                        "  steps_per_period = 100; };",
          "contacts.[0].gap=0.0", "contacts.[0].restitution=0.8", "damping.mass=0.04");
    NEAR(value(&sweep, 0, "steady"), 0, 0);
    ck_assert(value(&sweep, 0, "distance") > 0.1);
    release(&sweep);
}
END_TEST

/* --- sweeps --------------------------------------------------------------------------------------- */

#define BOTH                                                                                                 \
    STRIKER EXACT "analysis = { type = \"forced-response\"; at = [1.5, 1.7, 1.8, 1.9, 2.0, 2.2, 2.6, 3.2];"  \
                  "  direction = \"both\"; steps_per_period = 200; };"

/* at w = 1.8 the mass may strike the stop or swing freely, with 1/(w^2 - 1) = 0.45 before the stop at 0.5:
 * the way decides */
START_TEST(sweeps_remember_where_they_come_from)
{
    struct sweep sweep;
    SWEEP(&sweep, BOTH);
    ck_assert_uint_eq(sweep.count, 16);
    size_t up = 2 * 2, down = 2 * 5 + 1;
    NEAR(value(&sweep, up, "frequency"), 1.8, 1e-12);
    NEAR(value(&sweep, down, "frequency"), 1.8, 1e-12);
    NEAR(value(&sweep, up, "branch"), 0, 0);
    NEAR(value(&sweep, down, "branch"), 1, 0);
    check_orbit(&sweep, up, &(struct oscillator){1.8, 0.05, 0.5, 0.7, 1, 200}, 1e-2);
    NEAR(value(&sweep, down, "amplitude"), 1 / hypot(1.8 * 1.8 - 1, 0.18), 1e-3);
    NEAR(value(&sweep, down, "contact_share"), 0, 0);
    release(&sweep);
}
END_TEST

static void compare_rows(const struct sweep *a, const struct sweep *b)
{
    ck_assert_uint_eq(a->count, b->count);
    ck_assert_int_eq(memcmp(a->rows, b->rows, a->count * sizeof a->rows[0]), 0);
}

START_TEST(processes_change_nothing)
{
    static const char *const starts[] = {"analysis.start=continued", "analysis.start=initial"};
    for (int k = 0; k < 2; k++) {
        struct sweep one, many;
        const char *const deck[] = {BOTH, starts[k],
                                    k == 0 ? "analysis.direction=both" : "analysis.direction=up",
                                    "analysis.dampings=[0.1, 0.2]", NULL};
        finish(&one, deck);
        create(&many, deck);
        run_must(&many.run, deck[0]);
        many.points.jobs = 3;
        many.run.status = go(&many);
        run_must(&many.run, deck[0]);
        compare_rows(&one, &many);
        ck_assert_int_gt(one.points.ops->counts(&one.points).solves, 0);
        ck_assert_int_eq(one.points.ops->counts(&one.points).solves,
                         many.points.ops->counts(&many.points).solves);
        release(&one);
        release(&many);
    }
}
END_TEST

/* stopped after five points, and gone on with by another sweep with its memory */
START_TEST(sweeps_can_be_resumed)
{
    struct sweep whole, first, second;
    struct sg_archive memory = {0};
    SWEEP(&whole, BOTH);
    CREATE(&first, BOTH);
    first.stop_at = 5;
    ck_assert_int_eq(go(&first), SG_INTERRUPTED);
    ck_assert_ptr_nonnull(strstr(first.run.err.text, "after 5 of 16 points"));
    sg_archive_rewind(&memory);
    first.points.ops->archive(&first.points, &memory);
    CREATE(&second, BOTH);
    memory.loading = true;
    memory.cursor = 0;
    second.points.ops->archive(&second.points, &memory);
    ck_assert_int_eq(sg_archive_finish(&memory, &second.run.err), SG_OK);
    memcpy(second.rows, first.rows, sizeof first.rows);
    second.count = first.count;
    second.points.jobs = 2;
    ck_assert_int_eq(go(&second), SG_OK);
    compare_rows(&whole, &second);
    sg_archive_release(&memory);
    release(&whole);
    release(&first);
    release(&second);
}
END_TEST

START_TEST(periods_are_bounded)
{
    struct sweep sweep;
    SWEEP(&sweep, BOTH, "analysis.max_periods=7", "analysis.min_periods=7", "analysis.tolerance=1e-14");
    for (size_t k = 0; k < sweep.count; k++) {
        NEAR(value(&sweep, k, "periods"), 7, 0);
        NEAR(value(&sweep, k, "steady"), -1, 0);
    }
    release(&sweep);
}
END_TEST

/* --- the load per mass ---------------------------------------------------------------------------- */

/* consistent with linear shapes: int phi_i dx, of a bar with unit mass a length */
START_TEST(body_force_is_consistent)
{
    struct run run;
    PREPARE(&run, BAR EXACT, "time.end=1.0", "time.step=0.1", "integrator.operator=modal",
            "bodies.[0].density=2.0");
    const struct sg_system *system = run.job.system;
    double nodal[10], *pattern = system->loads[0].pattern, total = 0;
    /* modal amplitudes of a force are Phi^T f: back by f = M Phi y */
    memset(nodal, 0, sizeof nodal);
    const struct sg_modal_block *block = &system->modal->blocks[0];
    ck_assert_uint_eq(block->size, 10);
    for (size_t k = 0; k < 10; k++)
        for (size_t i = 0; i < 10; i++) nodal[block->dof[i]] += block->mphi[k * 10 + i] * pattern[k];
    for (size_t i = 0; i < 10; i++) {
        NEAR(nodal[i], i == 9 ? 0.1 : 0.2, 1e-13);
        total += nodal[i];
    }
    NEAR(total, 2.0 - 0.1, 1e-12); /* half an element is the support's */
    run_release(&run);
}
END_TEST

/* --- what is refused ------------------------------------------------------------------------------ */

static void refuse(const char *deck, const char *change, const char *words)
{
    struct sweep sweep;
    CREATE(&sweep, deck, change);
    sg_text_release(&sweep.run.findings);
    sg_diagnostics_render(&sweep.run.diagnostics, &sweep.run.findings);
    ck_assert_int_eq(sweep.run.status, SG_BAD_DECK);
    ck_assert_msg(strstr(sg_text_view(&sweep.run.findings), words) != NULL, "%s: %s", change,
                  sg_text_view(&sweep.run.findings));
    release(&sweep);
}

START_TEST(decks_are_checked)
{
    refuse(BOTH, "analysis.start=initial", "both ways are the same");
    refuse(BOTH, "analysis.node=\"mass.3\"", "mass");
    refuse(BOTH, "time.step=0.1", "steps_per_period: is given, and so is time.step");
    refuse(BOTH, "analysis.dampings=[0.1, 0.2, 0.1]", "0.1 is listed twice");
    refuse(BOTH, "analysis.min_periods=600", "600 is more than max_periods, 500");
    refuse(BOTH, "loads=()", "no load and no support has a harmonic signal");
    refuse(BOTH, "analysis.node=\"ball\"", "ball");
    refuse(BOTH, "bodies.[0].springs=()", "the model has no frequency above 0");
}
END_TEST

Suite *sg_suite_forced_response(void)
{
    Suite *suite = suite_create("forced_response");
    TCase *tests = tcase_create("forced response");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, mass_has_the_frequency_response);
    tcase_add_test(tests, bar_has_the_frequency_response);
    tcase_add_test(tests, supports_are_swept_too);
    tcase_add_test(tests, striker_has_its_periodic_motion);
    tcase_add_test(tests, striker_by_time_stepping);
    tcase_add_test(tests, longer_periods_are_found);
    tcase_add_test(tests, sweeps_remember_where_they_come_from);
    tcase_add_test(tests, processes_change_nothing);
    tcase_add_test(tests, sweeps_can_be_resumed);
    tcase_add_test(tests, periods_are_bounded);
    tcase_add_test(tests, body_force_is_consistent);
    tcase_add_test(tests, decks_are_checked);
    suite_add_tcase(suite, tests);
    return suite;
}
