/* Time-stepping with friction, moving obstacles and redundant contacts, against exact motion. */
#include <stdio.h>

#include "run_fixture.h"

/* --- a block on a plane --------------------------------------------------------------------------------- */

#define BLOCK(dim, position, normal)                                                                         \
    "bodies = ( { type = \"particles\"; name = \"block\"; dim = " dim "; positions = " position ";"          \
    " masses = [2.0]; } );"                                                                                  \
    "loads = ( { type = \"gravity\"; acceleration = -10.0; } );"                                             \
    "contacts = ( { type = \"plane\"; node = \"block\"; normal = " normal "; gap = 0.0;"                     \
    " restitution = 0.0; friction = 0.3; } );"                                                               \
    "integrator = { type = \"central-difference\"; };"                                                       \
    "strategy = { type = \"time-stepping\"; };"                                                              \
    "time = { end = 2.0; step = 0.01; };"

/* 3 m/s both */
#define THROWN_2D "initial = ( { body = \"block\"; velocity_vector = [-3.0, 0.0]; } );"
#define THROWN_3D "initial = ( { body = \"block\"; velocity_vector = [1.8, -2.4, 0.0]; } );"

static const char *const thrown[] = {BLOCK("2", "[0.0, 0.0]", "[0.0, 1.0]") THROWN_2D,
                                     BLOCK("3", "[0.0, 0.0, 0.0]", "[0.0, 0.0, 1.0]") THROWN_3D};
static const double heading[][3] = {{-1.0, 0.0, 0.0}, {0.6, -0.8, 0.0}};
static const char *const schemes[] = {"integrator.type=central-difference", "integrator.type=theta"};
static const char *const steps[] = {"time.step=0.01", "time.step=0.007"};

static const double g = 10.0, mu = 0.3, speed = 3.0;

/* along the direction, and across it the size; of the first `tangents` coordinates */
static void split(const double *u, const double *direction, size_t tangents, double out[2])
{
    out[0] = out[1] = 0.0;
    for (size_t d = 0; d < tangents; d++) out[0] += u[d] * direction[d];
    for (size_t d = 0; d < tangents; d++) out[1] = fmax(out[1], fabs(u[d] - out[0] * direction[d]));
}

/* Contact begins up to a step late: central differences have none in the half step of their start, and a
 * block that touches is open or closed by rounding. Its weight's impulse comes up to h late, so friction
 * does, and the block is ahead by up to mu g h^2, the same for ever. */
static double ahead_at_most(double deceleration, double h)
{
    return deceleration * h * h;
}

/* Every later step loses mu g h, so displacements are exact but for that; the step in which it stops ends at
 * 0 where the parabola would turn: mu g h^2/8 at most. */
START_TEST(slides_to_its_exact_end)
{
    size_t space = (size_t)_i & 1, tangents = 1 + space;
    struct run run;
    RUN(&run, thrown[space], schemes[_i >> 1 & 1], steps[_i >> 2]);
    double h = run.rows[1].t, stop = speed / (mu * g), ahead = ahead_at_most(mu * g, h), part[2], late = NAN;
    for (size_t i = 0; i < run.count; i++) {
        double t = fmin(run.rows[i].t, stop);
        split(run.rows[i].u, heading[space], tangents, part);
        double error = part[0] - (speed * t - 0.5 * mu * g * t * t);
        NEAR(error, 0.5 * ahead, 0.5 * ahead + ahead / 8.0 + 1e-13);
        if (i == 4) late = error;
        /* m: rounding of 140 steps */
        if (i > 4 && t < stop - h) NEAR(error, late, 1e-13);
        /* rounding: it never turns */
        BELOW(part[1], 1e-14);
    }
    const struct run_row *last = run_last(&run);
    split(last->v, heading[space], tangents, part);
    NEAR(part[0], 0.0, 1e-14);
    /* J: all the speed's, and what it fell before contact began, m g^2 h^2 at most */
    double fall = 2.0 * g * g * h * h;
    NEAR(last->dissipated, 0.5 * 2.0 * speed * speed + 0.5 * fall, 0.5 * fall + 1e-12);
    BELOW(run_imbalance(&run), 1e-12);
    run_release(&run);
}
END_TEST

/* a force along the plane, `share` of what friction holds: 6 N */
static const char *const pushed[] = {BLOCK("2", "[0.0, 0.0]", "[0.0, 1.0]"),
                                     BLOCK("3", "[0.0, 0.0, 0.0]", "[0.0, 0.0, 1.0]")};
static const char *const direction_text[] = {"[-1.0, 0.0]", "[0.6, -0.8, 0.0]"};

static void push(struct run *run, int variant, double share)
{
    char text[2048];
    size_t space = (size_t)variant & 1;
    const char *all = pushed[space], *list = strstr(all, "} );contacts");
    ck_assert_ptr_nonnull(list);
    snprintf(text, sizeof text,
             "%.*s}, { type = \"force\"; node = \"block\"; direction = %s;"
             " signal = { type = \"constant\"; value = %.17g; }; } );%s",
             (int)(list - all), all, direction_text[space], share * 6.0, list + 4);
    RUN(run, text, schemes[variant >> 1]);
}

START_TEST(sticks_below_its_limit)
{
    size_t space = (size_t)_i & 1, tangents = 1 + space;
    struct run run;
    double part[2], h = 0.01;
    push(&run, _i, 0.9);
    /* m/s^2: what moves it until contact begins, then nothing does, to rounding */
    double ahead = ahead_at_most(0.9 * mu * g, h);
    for (size_t i = 1; i < run.count; i++) {
        split(run.rows[i].u, heading[space], tangents, part);
        NEAR(part[0], 0.5 * ahead, 0.5 * ahead + 1e-15);
        BELOW(part[1], 1e-15);
        if (i > 4) BELOW(run_distance(run.rows[i].u, run.rows[4].u, 1 + tangents), 1e-15);
    }
    ck_assert_uint_eq(run_events_of(&run, SG_EVENT_SLIP), 0);
    run_release(&run);
}
END_TEST

START_TEST(slides_above_its_limit)
{
    size_t space = (size_t)_i & 1, tangents = 1 + space;
    struct run run;
    double part[2], ahead = ahead_at_most(mu * g, 0.01), late = NAN;
    push(&run, _i, 1.1);
    for (size_t i = 0; i < run.count; i++) {
        double t = run.rows[i].t;
        split(run.rows[i].u, heading[space], tangents, part);
        /* a = .1 mu g; parabolas are exact: rounding of 200 steps */
        double error = part[0] - 0.5 * 0.1 * mu * g * t * t;
        NEAR(error, 0.5 * ahead, 0.5 * ahead + 1e-13);
        if (i == 4) late = error;
        if (i > 4) NEAR(error, late, 1e-13);
        BELOW(part[1], 1e-14);
    }
    ck_assert_uint_eq(run_events_of(&run, SG_EVENT_STICK), 0);
    run_release(&run);
}
END_TEST

/* an oblique plane in space, normal (1, 2, 2) / 3: slope sqrt(5)/2, steeper than any friction of .3 */
static const char *const slope_text = BLOCK("3", "[0.0, 0.0, 0.0]", "[1.0, 2.0, 2.0]");

START_TEST(slides_down_the_steepest_way)
{
    const double n[3] = {1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}, sine = sqrt(5.0) / 3.0;
    struct run run;
    double down[3], part[2], late = NAN, sunk = NAN;
    for (size_t d = 0; d < 3; d++) down[d] = (n[2] * n[d] - (d == 2 ? 1.0 : 0.0)) / sine;
    RUN(&run, slope_text, schemes[_i]);
    for (size_t i = 0; i < run.count; i++) {
        const struct run_row *row = &run.rows[i];
        double across[3], t = row->t, depth = 0.0;
        for (size_t d = 0; d < 3; d++) depth += row->u[d] * n[d];
        for (size_t d = 0; d < 3; d++) across[d] = row->u[d] - depth * n[d];
        split(across, down, 3, part);
        double error = part[0] - 0.5 * g * (sine - mu * n[2]) * t * t, ahead = mu * g * n[2] * 1e-4;
        NEAR(error, 0.5 * ahead, 0.5 * ahead + 1e-12);
        /* m of 10: rounding of 200 steps */
        if (i == 4) late = error, sunk = depth;
        if (i > 4) NEAR(error, late, 1e-12);
        if (i > 4) NEAR(depth, sunk, 1e-12);
        BELOW(part[1], 1e-12);
        /* m: a step of free fall at most before contact begins */
        BELOW(-depth, g * n[2] * 1e-4 + 1e-12);
    }
    BELOW(run_imbalance(&run), 1e-11);
    run_release(&run);
}
END_TEST

/* --- obstacles that move -------------------------------------------------------------------------------- */

/* a ball above a floor that rises with 0.5 m/s */
static const char *const lift_text =
    "bodies = ( { type = \"particles\"; name = \"ball\"; positions = [1.0]; masses = [2.0]; } );"
    "loads = ( { type = \"gravity\"; acceleration = -10.0; } );"
    "contacts = ( { type = \"plane\"; node = \"ball\"; normal = [1.0]; gap = 1.0; restitution = 1.0;"
    " motion = { type = \"piecewise-linear\"; times = [0.0, 20.0]; values = [0.0, 10.0]; }; } );"
    "integrator = { type = \"central-difference\"; };"
    "strategy = { type = \"time-stepping\"; };"
    "time = { end = 10.0; step = 0.01; };";

/* J, in the frame of the floor; the velocity's time is `late` after the row's */
static double energy_in_lift(const struct run_row *row, double late)
{
    const double m = 2.0, c = 0.5;
    return row->kinetic - m * c * row->v[0] + 0.5 * m * c * c + row->gravity - m * g * c * (row->t + late);
}

/* Seen from the floor it is a ball that bounces for ever; seen from the ground the floor gives energy, its
 * speed times the impulse. */
START_TEST(bounces_on_a_rising_floor)
{
    struct run run;
    RUN(&run, lift_text, schemes[_i]);
    double late = _i == 0 ? 0.005 : 0.0, first = energy_in_lift(&run.rows[0], late);
    for (size_t i = 0; i < run.count; i++) {
        /* J: rounding of 1000 steps in energies of 100 J */
        NEAR(energy_in_lift(&run.rows[i], late), first, 1e-11);
        NEAR(run.rows[i].external, 0.5 * run.rows[i].impulse[0], 1e-11);
        NEAR(run.rows[i].dissipated, 0.0, 1e-11);
    }
    BELOW(run_imbalance(&run), 1e-11);
    ck_assert_uint_ge(run_events_of(&run, SG_EVENT_IMPACT), 10);
    run_release(&run);
}
END_TEST

/* A shaken floor, .1 sin 4 t, of accelerations below g: the plastic ball stays on it once it has hit. */
START_TEST(is_carried_by_a_shaken_floor)
{
    struct run run;
    RUN(&run, lift_text, schemes[_i],
        "contacts.[0].motion={ type = \"harmonic\"; amplitude = 0.1; circular_frequency = 4.0; }",
        "contacts.[0].restitution=0", "time.step=0.001");
    double first = 0.0;
    for (size_t i = 0; i < run.count; i++) {
        const struct run_row *row = &run.rows[i];
        if (row->t < 1.0) first = row->gap[0];
        if (row->t < 1.0) continue;
        double s = 0.1 * sin(4.0 * row->t);
        /* m: the residual gap of its impact stays, up to the way of the floor in a step, at .4 m/s; N: the
         * force is that of the floor's acceleration, up to its change in a step, .013 N */
        NEAR(row->gap[0], first, 0.4 * 1e-3);
        NEAR(row->force[0], 2.0 * (g - 16.0 * s), 0.02);
    }
    /* what the floor did is in the ball's height and speed */
    BELOW(run_imbalance(&run), 1e-11);
    run_release(&run);
}
END_TEST

/* --- contacts that say the same ------------------------------------------------------------------------- */

#define TWICE(contact) "contacts = ( " contact ", " contact " );"
#define ONCE(contact)  "contacts = ( " contact " );"
#define FLOOR                                                                                                \
    "{ type = \"plane\"; node = \"stone\"; normal = [0.1, 0.2, 1.0]; gap = 0.5; restitution = 0.4; }"
#define ROUGH                                                                                                \
    "{ type = \"plane\"; node = \"stone\"; normal = [0.1, 0.2, 1.0]; gap = 0.5; restitution = 0.4;"          \
    " friction = 0.3; }"
#define STONE                                                                                                \
    "bodies = ( { type = \"particles\"; name = \"stone\"; dim = 3; positions = [0.0, 0.0, 0.0];"             \
    " masses = [1.5]; } );"                                                                                  \
    "initial = ( { body = \"stone\"; velocity_vector = [2.0, -1.0, 0.5]; } );"                               \
    "loads = ( { type = \"gravity\"; acceleration = -10.0; } );"                                             \
    "integrator = { type = \"central-difference\"; };"                                                       \
    "strategy = { type = \"time-stepping\"; };"                                                              \
    "time = { end = 3.0; step = 0.01; };"

static const char *const stones[][2] = {{STONE ONCE(FLOOR), STONE TWICE(FLOOR)},
                                        {STONE ONCE(ROUGH), STONE TWICE(ROUGH)}};

/* The operator is singular, how the two share is open; what they do together is not. */
START_TEST(given_twice_acts_as_once)
{
    struct run one, two;
    RUN(&one, stones[_i & 1][0], schemes[_i >> 1]);
    RUN(&two, stones[_i & 1][1], schemes[_i >> 1]);
    ck_assert_uint_eq(one.count, two.count);
    for (size_t i = 0; i < one.count; i++) {
        const struct run_row *a = &one.rows[i], *b = &two.rows[i];
        /* m, N s: the solver's tolerance of 1e-12 of 10 m/s, over 300 steps of .01 s */
        BELOW(run_distance(a->u, b->u, 3), 1e-11);
        NEAR(b->impulse[0] + b->impulse[1], a->impulse[0], 1e-10);
    }
    BELOW(run_imbalance(&two), 1e-11);
    ck_assert_uint_ge(run_events_of(&one, SG_EVENT_IMPACT), 3);
    run_release(&one);
    run_release(&two);
}
END_TEST

/* a table on four legs, so stiff that one of them is almost one too many */
#define LEG(number)                                                                                          \
    "{ type = \"plane\"; node = \"table." number "\"; normal = [0.0, 0.0, 1.0]; gap = 0.1;"                  \
    " restitution = 0.0; }"
#define ROD(a, b) "{ type = \"spring\"; nodes = [\"table." a "\", \"table." b "\"]; stiffness = 1.0e8; }"
static const char *const table_text =
    "bodies = ( { type = \"particles\"; name = \"table\"; dim = 3; masses = [1.0, 1.0, 1.0, 1.0, 1.0];"
    " positions = [0.5, 0.5, 0.0, 0.5, -0.5, 0.0, -0.5, -0.5, 0.0, -0.5, 0.5, 0.0, 0.0, 0.0, 0.6]; } );"
    "elements = ( " ROD("0", "1") ", " ROD("1", "2") ", " ROD("2", "3") ", " ROD("3", "0") ", " ROD("0", "2") ", " ROD(
        "1",
        "3") ", " ROD("0",
                      "4") ", " ROD("1",
                                    "4") ", " ROD("2",
                                                  "4") ", " ROD("3",
                                                                "4") " );"
                                                                     "loads = ( { type = \"gravity\"; "
                                                                     "acceleration = -10.0; } );"
                                                                     "contacts = ( " LEG("0") ", " LEG(
                                                                         "1") ", " LEG("2") ", " LEG("3") " )"
                                                                                                          ";"
                                                                                                          "in"
                                                                                                          "te"
                                                                                                          "gr"
                                                                                                          "at"
                                                                                                          "or"
                                                                                                          " ="
                                                                                                          " {"
                                                                                                          " t"
                                                                                                          "yp"
                                                                                                          "e "
                                                                                                          "= "
                                                                                                          "\""
                                                                                                          "th"
                                                                                                          "et"
                                                                                                          "a"
                                                                                                          "\""
                                                                                                          "; "
                                                                                                          "th"
                                                                                                          "et"
                                                                                                          "a "
                                                                                                          "= "
                                                                                                          "1."
                                                                                                          "0;"
                                                                                                          " }"
                                                                                                          ";"
                                                                                                          "st"
                                                                                                          "ra"
                                                                                                          "te"
                                                                                                          "gy"
                                                                                                          " ="
                                                                                                          " {"
                                                                                                          " t"
                                                                                                          "yp"
                                                                                                          "e "
                                                                                                          "= "
                                                                                                          "\""
                                                                                                          "ti"
                                                                                                          "me"
                                                                                                          "-s"
                                                                                                          "te"
                                                                                                          "pp"
                                                                                                          "in"
                                                                                                          "g"
                                                                                                          "\""
                                                                                                          "; "
                                                                                                          "};"
                                                                                                          "ti"
                                                                                                          "me"
                                                                                                          " ="
                                                                                                          " {"
                                                                                                          " e"
                                                                                                          "nd"
                                                                                                          " ="
                                                                                                          " 1"
                                                                                                          ".0"
                                                                                                          "; "
                                                                                                          "st"
                                                                                                          "ep"
                                                                                                          " ="
                                                                                                          " 0"
                                                                                                          ".0"
                                                                                                          "1;"
                                                                                                          " }"
                                                                                                          ";";

START_TEST(stands_on_four_legs)
{
    struct run run;
    RUN(&run, table_text);
    const struct run_row *last = run_last(&run);
    double fall = 0.0, sum = 0.0, total = 0.0;
    for (size_t k = 0; k < 5; k++) fall += last->v[3 * k + 2];
    for (size_t j = 0; j < 4; j++) {
        sum += last->force[j];
        total += last->impulse[j];
        /* N: alike by symmetry, as the springs' 1e8 N/m times rounding of 1 m allow */
        NEAR(last->force[j], 12.5, 1e-5);
    }
    NEAR(sum, 50.0, 4e-5);
    /* N s: all of gravity's impulse but what still falls; Newton's tolerance in 100 steps of 5 kg */
    NEAR(total, 50.0 * last->t + fall, 1e-9);
    NEAR(fall, 0.0, 1e-9);
    run_release(&run);
}
END_TEST

Suite *sg_suite_stepping_friction(void);
Suite *sg_suite_stepping_friction(void)
{
    Suite *suite = suite_create("stepping_friction");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, slides_to_its_exact_end, 0, 8);
    tcase_add_loop_test(all, sticks_below_its_limit, 0, 4);
    tcase_add_loop_test(all, slides_above_its_limit, 0, 4);
    tcase_add_loop_test(all, slides_down_the_steepest_way, 0, 2);
    tcase_add_loop_test(all, bounces_on_a_rising_floor, 0, 2);
    tcase_add_loop_test(all, is_carried_by_a_shaken_floor, 0, 2);
    tcase_add_loop_test(all, given_twice_acts_as_once, 0, 4);
    tcase_add_test(all, stands_on_four_legs);
    suite_add_tcase(suite, all);
    return suite;
}
