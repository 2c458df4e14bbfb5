/* The load of a ground that accelerates, against the same ground as moving supports, by hand, and by balance.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run_fixture.h"

/* a record of a tenth of g: not the same left and right, with a pause, zero at its ends */
#define RECORD                                                                                               \
    "{ type = \"piecewise-linear\"; times = [0.0, 0.1, 0.25, 0.3, 0.4, 0.5]; "                               \
    "values = [0.0, 1.0, -0.7, 0.0, 0.0, 0.0]; }"
#define QUAKE       "loads = ( { type = \"ground-acceleration\"; signal = " RECORD "; } );"
#define EXACT       "integrator = { type = \"exact\"; }; strategy = { type = \"event-driven\"; };"
#define TRAPEZOIDAL "integrator = { type = \"trapezoidal\"; }; strategy = { type = \"event-driven\"; };"

/* one element: a mass on a spring, omega = sqrt(3 E / rho) / L with consistent mass */
#define OSCILLATOR(modulus)                                                                                  \
    "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; area = 1.0; modulus = " modulus              \
    "; density = 3.0; elements = 1; } ); supports = ( { node = \"bar.left\"; } );"
#define BAR                                                                                                  \
    "bodies = ( { type = \"bar\"; name = \"bar\"; length = 10.0; area = 1.0; modulus = 3e7; "                \
    "density = 2000.0; elements = 8; } );"

static double value_at(double t)
{
    static const double x[] = {0, .1, .25, .3}, y[] = {0, 1, -.7, 0};
    for (int k = 0; k < 3; k++)
        if (t <= x[k + 1]) return y[k] + (y[k + 1] - y[k]) * (t - x[k]) / (x[k + 1] - x[k]);
    return 0;
}

/* watches one history, a row a step */
struct watch {
    const struct sg_quantity *quantity;
    double time[4096], row[4096][16];
    size_t count;
};

static sg_status look(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                      int localized, struct sg_error *err)
{
    struct watch *watch = self;
    (void)sampler, (void)localized, (void)err;
    ck_assert_uint_lt(watch->count, 4096);
    watch->time[watch->count] = now->t;
    watch->quantity->fill(watch->quantity->owner, now, watch->row[watch->count++]);
    return SG_OK;
}

static sg_status pass(void *self, const struct sg_event *event, struct sg_error *err)
{
    (void)self, (void)event, (void)err;
    return SG_OK;
}

static const struct sg_quantity *find(const struct run *run, const char *name)
{
    for (size_t i = 0; i < run->job.quantities.count; i++)
        if (strcmp(run->job.quantities.items[i].name, name) == 0) return &run->job.quantities.items[i];
    ck_abort_msg("no history %s", name);
}

static void run_watched(struct run *run, struct watch *watch, const char *history, const char *deck)
{
    PREPARE(run, deck);
    *watch = (struct watch){.quantity = find(run, history)};
    ck_assert_uint_le(watch->quantity->width, 16);
    run->job.observer = (struct sg_observer){.self = watch, .step = look, .event = pass};
    run_go(run);
    run_must(run, deck);
}

/* A period of 6 us: what remains are oscillations that kinks of the record start, of size
 * (change of slope) / omega = 25 / 1e6 m/s^2. */
START_TEST(a_rigid_oscillator_moves_with_the_ground)
{
    static struct watch watch;
    struct run run;
    run_watched(&run, &watch, "absolute_acceleration",
                OSCILLATOR("1e12") QUAKE EXACT "time = { end = 0.6; step = 0.01; };");
    ck_assert_uint_gt(watch.count, 60);
    for (size_t k = 0; k < watch.count; k++) {
        NEAR(watch.row[k][0], value_at(watch.time[k]), 1e-14); /* the support */
        NEAR(watch.row[k][1], value_at(watch.time[k]), 1e-4);
    }
    run_release(&run);
}
END_TEST

/* largest difference of the bar's absolute displacements by the two formulations, m */
static double formulations_differ(const char *step)
{
    static struct watch relative, moving;
    struct run run;
    char deck[1024];
    snprintf(deck, sizeof deck,
             BAR "supports = ( { node = \"bar.left\"; } ); damping = { stiffness = 1e-3; };" QUAKE TRAPEZOIDAL
                 "time = { end = 1.0; step = %s; };",
             step);
    run_watched(&run, &relative, "absolute_displacement", deck);
    run_release(&run);
    snprintf(deck, sizeof deck,
             BAR "supports = ( { node = \"bar.left\"; quantity = \"acceleration\"; motion = " RECORD
                 "; } ); damping = { stiffness = 1e-3; };" TRAPEZOIDAL "time = { end = 1.0; step = %s; };",
             step);
    run_watched(&run, &moving, "displacement", deck);
    run_release(&run);
    double worst = 0;
    ck_assert_uint_eq(relative.count, moving.count);
    for (size_t k = 0; k < moving.count; k++) {
        NEAR(relative.row[k][0], moving.row[k][0], 1e-15); /* the support itself, 0.02 m */
        worst = fmax(worst, run_distance(relative.row[k], moving.row[k], 9));
    }
    return worst;
}

/* Both are of order 2, with errors of their own: the difference falls by 4 when the step is halved. */
START_TEST(a_ground_that_accelerates_is_a_support_that_moves)
{
    double coarse = formulations_differ("0.002"), fine = formulations_differ("0.001");
    BELOW(coarse, 1e-5); /* of displacements of 2e-2 m */
    ck_assert_double_gt(fine, 0);
    NEAR(coarse / fine, 4, 0.2);
}
END_TEST

START_TEST(the_ground_s_work_is_counted)
{
    struct run run;
    RUN(&run,
        BAR "supports = ( { node = \"bar.left\"; } ); damping = { ratios = [0.05, 0.05]; modes = [1, 2]; };"
            "contacts = ( { type = \"wall\"; node = \"bar.right\"; gap = 0.002; stiffness = 1e7; } );" QUAKE
                TRAPEZOIDAL "time = { end = 1.0; step = 0.001; contact_step = 0.0005; };");
    double largest = 0;
    for (size_t k = 0; k < run.count; k++) largest = fmax(largest, run.rows[k].kinetic + run.rows[k].strain);
    ck_assert_uint_gt(run_events_of(&run, SG_EVENT_CLOSE), 0);
    ck_assert_double_gt(run_last(&run)->external, 0.1 * largest);
    /* the scheme conserves but for the gap tolerance at events (1e-8 m of 2e-3) and rounding */
    BELOW(run_imbalance(&run), 1e-7 * largest);
    run_release(&run);
}
END_TEST

/* Nothing holds it: it stays where it is, whatever the ground does. Records are straight lines between
 * breaks, which the integrator knows exactly: what is left is rounding of displacements up to 0.1 m. */
START_TEST(a_free_particle_stays_where_it_is)
{
    static const char deck[] =
        "bodies = ( { type = \"particles\"; name = \"p\"; positions = [1.0, 2.0]; dim = 2; masses = [3.0]; } "
        ");"
        "loads = ( { type = \"ground-acceleration\"; signal = " RECORD "; }, "
        "{ type = \"ground-acceleration\"; direction = [-3.0, 4.0]; signal = { type = \"harmonic\"; "
        "amplitude = 0; frequency = 1; mean = 2; }; } );" EXACT "time = { end = 0.5; step = 0.01; };";
    static struct watch watch;
    struct run run;
    run_watched(&run, &watch, "absolute_displacement", deck);
    for (size_t k = 0; k < watch.count; k++)
        for (size_t d = 0; d < 2; d++) NEAR(watch.row[k][d], 0, 1e-14);
    run_release(&run);
    run_watched(&run, &watch, "ground/displacement", deck);
    /* 2 t^2 / 2 along [-.6, .8]; the record's area is .0325 m/s at .3 s, its double integral .00994.. */
    NEAR(watch.row[watch.count - 1][1], 0.8 * 0.25, 1e-15);
    run_release(&run);
    run_watched(&run, &watch, "absolute_acceleration", deck);
    for (size_t k = 0; k < watch.count; k++)
        for (size_t d = 0; d < 2; d++) NEAR(watch.row[k][d], 0, 1e-14);
    run_release(&run);
}
END_TEST

/* m a_abs = -k u + (the contact's push), with the lumped mass 1.5 kg, k = 1000 N/m, by hand */
START_TEST(contacts_push_absolute_accelerations)
{
    static const char deck[] =
        "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; area = 1.0; modulus = 1000.0; "
        "density = 3.0; elements = 1; mass = \"lumped\"; } ); supports = ( { node = \"bar.left\"; } );"
        "contacts = ( { type = \"wall\"; node = \"bar.right\"; gap = 1e-4; stiffness = 5000.0; } );" QUAKE
            TRAPEZOIDAL "output = { nodes = [\"bar.right\"]; }; time = { end = 0.5; step = 1e-3; };";
    static struct watch acceleration, force, displacement;
    struct run run;
    run_watched(&run, &acceleration, "absolute_acceleration", deck);
    ck_assert_uint_eq(acceleration.quantity->width, 1);
    run_release(&run);
    run_watched(&run, &force, "contact_force", deck);
    run_release(&run);
    run_watched(&run, &displacement, "displacement", deck);
    run_release(&run);
    double pushed = 0;
    for (size_t k = 0; k < force.count; k++) {
        double push = force.row[k][0]; /* a wall on the left pushes to the right */
        NEAR(1.5 * acceleration.row[k][0], -1000 * displacement.row[k][0] + push, 1e-12);
        pushed = fmax(pushed, push);
    }
    ck_assert_double_gt(pushed, 0.1);
}
END_TEST

/* The support's reaction: the spring pulls by k u, and its own half of the mass, 1.5 kg, moves with the
 * ground. */
START_TEST(the_base_shear_is_the_support_s_reaction)
{
    static const char deck[] =
        "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; area = 1.0; modulus = 1000.0; "
        "density = 3.0; elements = 1; mass = \"lumped\"; } ); supports = ( { node = \"bar.left\"; } );" QUAKE
            TRAPEZOIDAL "output = { nodes = [\"bar.right\"]; }; time = { end = 0.45; step = 1e-3; };";
    static const char *const routes[] = {"modal", "nodal"};
    static struct watch shear, displacement;
    struct run run;
    char text[1024];
    snprintf(text, sizeof text, "%s", deck);
    const char *at = strstr(deck, "\"trapezoidal\";");
    size_t head = (size_t)(at - deck) + strlen("\"trapezoidal\";");
    snprintf(text, sizeof text, "%.*s operator = \"%s\";%s", (int)head, deck, routes[_i], deck + head);
    run_watched(&run, &shear, "base_shear", text);
    run_release(&run);
    run_watched(&run, &displacement, "displacement", text);
    run_release(&run);
    double largest = 0;
    for (size_t k = 0; k < shear.count; k++) {
        NEAR(shear.row[k][0], -1000 * displacement.row[k][0] + 1.5 * value_at(shear.time[k]), 1e-12);
        largest = fmax(largest, fabs(shear.row[k][0]));
    }
    ck_assert_double_gt(largest, 0.5);
}
END_TEST

START_TEST(faults_of_direction_are_findings)
{
    struct run run;
    static const char *const decks[] = {
        OSCILLATOR("1e3") EXACT "time = { end = 1.0; step = 0.1; };"
                                "loads = ( { type = \"ground-acceleration\"; direction = [1.0, 0.0]; "
                                "signal = " RECORD "; } );",
        OSCILLATOR("1e3") EXACT "time = { end = 1.0; step = 0.1; };"
                                "loads = ( { type = \"ground-acceleration\"; direction = [0.0]; "
                                "signal = " RECORD "; } );"};
    run_read(&run, (const char *const[]){decks[_i], NULL});
    run_build(&run);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    ck_assert_str_eq(run.diagnostics.items[0].path, "loads.[0].direction");
    run_release(&run);
}
END_TEST

Suite *sg_suite_ground_load(void)
{
    Suite *suite = suite_create("ground_load");
    TCase *cases = tcase_create("ground_load");
    tcase_add_test(cases, a_rigid_oscillator_moves_with_the_ground);
    tcase_add_test(cases, a_ground_that_accelerates_is_a_support_that_moves);
    tcase_add_test(cases, the_ground_s_work_is_counted);
    tcase_add_test(cases, a_free_particle_stays_where_it_is);
    tcase_add_test(cases, contacts_push_absolute_accelerations);
    tcase_add_loop_test(cases, the_base_shear_is_the_support_s_reaction, 0, 2);
    tcase_add_loop_test(cases, faults_of_direction_are_findings, 0, 2);
    suite_add_tcase(suite, cases);
    return suite;
}
