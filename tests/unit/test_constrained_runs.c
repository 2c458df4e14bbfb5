/* Motions under bilateral constraints against what is known of them otherwise: integrals of motion, closed
 * kinematics, the same model without constraints. */
#include <stdio.h>

#include "run_fixture.h"

#define STEPPING(integrator, end, step)                                                                      \
    "integrator = {" integrator "}; strategy = {type = \"time-stepping\";};"                                 \
    "time = {end = " end "; step = " step ";};"
#define THETA   "type = \"theta\";"
#define CENTRAL "type = \"central-difference\";"
#define GRAVITY "loads = ({type = \"gravity\"; acceleration = -10.0; direction = [0.0, 1.0];});"

/* The bob of paper 004 (m = 1, J = .1, l = 1), let go 60 degrees off the vertical */
#define PENDULUM                                                                                             \
    "bodies = ({type = \"multibody\"; name = \"bob\"; positions = [0.8660254037844386, -0.5]; masses = "     \
    "[1.0];"                                                                                                 \
    "inertias = [0.1];});"                                                                                   \
    "constraints = ({type = \"pin\"; name = \"hinge\"; nodes = [\"bob\"];"                                   \
    "arms = [-0.8660254037844386, 0.5];});" GRAVITY

static const double pi = 3.14159265358979323846;

/* s, by the arithmetic-geometric mean: (J + m l^2) phi'' = -m g l sin phi, let go at phi0 */
static double exact_period(double inertia, double moment, double phi0)
{
    double a = 1, g = cos(phi0 / 2);
    for (int k = 0; k < 8; k++) {
        double mean = (a + g) / 2;
        g = sqrt(a * g);
        a = mean;
    }
    return 2 * pi * sqrt(inertia / moment) / a;
}

/* twice the time of the first turn: where the rotation's rate comes back to 0 */
static double period(const struct run *run)
{
    for (size_t i = 2; i < run->count; i++) {
        double before = run->rows[i - 1].v[2], after = run->rows[i].v[2], t0 = run->rows[i - 1].t;
        if (before < 0 && after >= 0) return 2 * (t0 + (run->rows[i].t - t0) * before / (before - after));
    }
    return NAN;
}

static double violation(const struct run *run, size_t row)
{
    const double *u = run->rows[row].u;
    double angle = u[2], x = 0.8660254037844386, y = -0.5;
    double at[2] = {x + u[0] - (cos(angle) * x - sin(angle) * y),
                    y + u[1] - (sin(angle) * x + cos(angle) * y)};
    return hypot(at[0], at[1]);
}

static double worst_violation(const struct run *run)
{
    double worst = 0;
    for (size_t i = 0; i < run->count; i++) worst = fmax(worst, violation(run, i));
    return worst;
}

static const char *const schemes[] = {THETA, CENTRAL};

static struct run swing(const char *integrator, double step)
{
    struct run run;
    char deck[1024];
    snprintf(deck, sizeof deck,
             PENDULUM "integrator = {%s}; strategy = {type = \"time-stepping\";}; time = {end = 2.0; step = "
                      "%.17g;};",
             integrator, step);
    RUN(&run, deck);
    return run;
}

/* Constraints at velocity level turn the velocity by what the step turns, and lose the cosine: first order in
 * the period and in the energy, second in the drift of the position. */
START_TEST(pendulum_swings_with_the_exact_period)
{
    double exact = exact_period(1.1, 10, pi / 3), off[3], drift[3], lost[3];
    for (int k = 0; k < 3; k++) {
        struct run run = swing(schemes[_i], 2e-3 / (1 << k));
        off[k] = period(&run) - exact;
        drift[k] = worst_violation(&run);
        lost[k] = -run_last(&run)->numerical;
        run_release(&run);
    }
    BELOW(fabs(off[2]), 3e-3);
    NEAR(off[1] / off[2], 2, 0.1);
    NEAR(off[0] / off[1], 2, 0.1);
    /* Richardson's limit of the period */
    NEAR(2 * off[2] - off[1], 0, 1e-5);
    ck_assert(lost[2] > 0);
    NEAR(lost[1] / lost[2], 2, 0.1);
    BELOW(drift[2], 2e-5);
    NEAR(drift[1] / drift[2], 4, 0.5);
}
END_TEST

/* At rest, straight down, the hinge carries the weight exactly, and its impulse grows with it. */
START_TEST(hinge_carries_the_weight)
{
    struct run run;
    char deck[1024];
    snprintf(deck, sizeof deck,
             "bodies = ({type = \"multibody\"; name = \"bob\"; positions = [0.0, -1.0]; masses = [3.0];"
             "inertias = [0.1];}); constraints = ({type = \"pin\"; nodes = [\"bob\"]; arms = [0.0, "
             "1.0];});" GRAVITY
             "integrator = {%s}; strategy = {type = \"time-stepping\";}; time = {end = 0.1; step = 0.01;};",
             schemes[_i]);
    RUN(&run, deck);
    const struct sg_snapshot *last = &run.last;
    NEAR(last->constraint_force[0], 0, 1e-12);
    NEAR(last->constraint_force[1], 30, 1e-10);
    /* a staggered scheme is half a step ahead */
    NEAR(last->constraint_impulse[1], 30 * (_i == 0 ? 0.1 : 0.105), 1e-10);
    NEAR(run_last(&run)->u[1], 0, 1e-14);
    run_release(&run);
}
END_TEST

/* crank r = .5 about the origin (m = 2, J = .3 about its centre, at r/2), connecting rod l = 1.5 (m = 1, J =
 * .2, at its middle), slider (m = 3) on the x axis; all from theta = 0 */
#define SLIDER_CRANK(initial, drive)                                                                         \
    "bodies = ({type = \"multibody\"; name = \"m\"; positions = [0.25, 0.0, 1.25, 0.0, 2.0, 0.0];"           \
    "masses = [2.0, 1.0, 3.0]; inertias = [0.3, 0.2, 0.1];});"                                               \
    "constraints = ({type = \"pin\"; nodes = [\"m.0\"]; arms = [-0.25, 0.0]; point = [0.0, 0.0];},"          \
    "{type = \"pin\"; nodes = [\"m.0\", \"m.1\"]; arms = [0.25, 0.0, -0.75, 0.0];},"                         \
    "{type = \"pin\"; nodes = [\"m.1\", \"m.2\"]; arms = [0.75, 0.0, 0.0, 0.0];},"                           \
    "{type = \"prismatic\"; nodes = [\"m.2\"]; point = [0.0, 0.0]; direction = [1.0, 0.0];}" drive ");"      \
    "initial = (" initial ");"
/* omega about the origin; the rod turns by -omega r / l about the slider's end, which rests in the dead point
 */
#define SPIN                                                                                                 \
    "{node = \"m.0\"; velocity_vector = [0.0, 0.5]; angular_velocity = 2.0;},"                               \
    "{node = \"m.1\"; velocity_vector = [0.0, 0.5]; angular_velocity = -0.6666666666666666;}"

/* m: slider's place, and its derivative by theta; rad: the rod's slope and its derivative */
struct crank {
    double x, dx, phi, dphi;
};

static struct crank crank_at(double theta)
{
    double r = 0.5, l = 1.5, s = r * sin(theta), root = sqrt(l * l - s * s);
    struct crank crank = {.x = r * cos(theta) + root, .phi = -asin(s / l)};
    crank.dx = -s - s * r * cos(theta) / root;
    crank.dphi = -r * cos(theta) / root;
    return crank;
}

/* kg m^2: twice the kinetic energy at a rate of 1 */
static double reduced_inertia(double theta)
{
    struct crank crank = crank_at(theta);
    double r = 0.5, half = 0.75;
    double vx = -r * sin(theta) - half * sin(crank.phi) * crank.dphi;
    double vy = r * cos(theta) + half * cos(crank.phi) * crank.dphi;
    return 0.3 + 2 * 0.25 * 0.25 + 0.2 * crank.dphi * crank.dphi + (vx * vx + vy * vy) +
           3 * crank.dx * crank.dx;
}

/* Free, its energy I(theta) theta'^2 / 2 stays: the rate is known at every angle. First order in the step. */
START_TEST(slider_crank_turns_by_its_reduced_inertia)
{
    double worst[2] = {0, 0}, apart[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        struct run run;
        RUN(&run, SLIDER_CRANK(SPIN, "") STEPPING(THETA, "5.0", "0.002"),
            k == 0 ? "time.step=0.002" : "time.step=0.001");
        double start = reduced_inertia(0) * 4;
        for (size_t i = 0; i < run.count; i++) {
            double theta = run.rows[i].u[2], rate = run.rows[i].v[2];
            worst[k] = fmax(worst[k], fabs(rate - sqrt(start / reduced_inertia(theta))));
            apart[k] = fmax(apart[k], fabs(2.0 + run.rows[i].u[6] - crank_at(theta).x));
        }
        ck_assert_msg(run_last(&run)->u[2] > 2 * pi, "%g", run_last(&run)->u[2]);
        run_release(&run);
    }
    BELOW(worst[1], 0.03);
    NEAR(worst[0] / worst[1], 2, 0.2);
    BELOW(apart[1], 2e-5);
    NEAR(apart[0] / apart[1], 4, 0.6);
}
END_TEST

/* J: how far the drive's work is from what the mechanism's energy gains, at worst. Kinematics are closed at
 * every time: the crank's exact, of a straight line; the rest of second order. */
static double drive(const char *step)
{
    struct run run;
    double worst = 0;
    RUN(&run,
        SLIDER_CRANK(SPIN, ", {type = \"coordinate\"; node = \"m.0\"; axis = \"rotation\";"
                           "quantity = \"velocity\"; motion = {type = \"constant\"; value = 2.0;};}")
            STEPPING(THETA, "4.0", "0.001"),
        step);
    for (size_t i = 0; i < run.count; i++) {
        double theta = 2 * run.rows[i].t;
        NEAR(run.rows[i].u[2], theta, 1e-10);
        NEAR(2.0 + run.rows[i].u[6], crank_at(theta).x, 2e-5);
        NEAR(run.rows[i].v[6], 2 * crank_at(theta).dx, 1e-5);
        worst = fmax(worst, fabs(run.rows[i].kinetic - run.rows[0].kinetic - run.rows[i].external));
    }
    run_release(&run);
    return worst;
}

START_TEST(driven_crank_moves_as_it_must)
{
    double coarse = drive("time.step=0.001"), fine = drive("time.step=0.0005");
    BELOW(fine, 0.015); /* of 4 J at most */
    NEAR(coarse / fine, 2, 0.1);
}
END_TEST

/* A body that a constant moment turns from rest: M t / J, in every scheme. */
START_TEST(moment_turns)
{
    struct run run;
    RUN(&run, "bodies = ({type = \"multibody\"; name = \"wheel\"; positions = [0.0, 0.0]; masses = [1.0];"
              "inertias = [0.4];}); constraints = ({type = \"pin\"; nodes = [\"wheel\"];});"
              "loads = ({type = \"moment\"; node = \"wheel\"; signal = {type = \"constant\"; value = "
              "2.0;};});" STEPPING(THETA, "1.0", "0.01"));
    NEAR(run_last(&run)->v[2], 5, 1e-12);
    NEAR(run_last(&run)->u[2], 2.5, 1e-12);
    NEAR(run_last(&run)->external, 5, 1e-12);
    run_release(&run);
}
END_TEST

#define DOUBLE                                                                                               \
    "bodies = ({type = \"multibody\"; name = \"m\"; positions = [0.0, 0.0, 2.0, 0.0]; masses = [2.0, 1.0];"  \
    "inertias = [0.5, 0.25];});"                                                                             \
    "constraints = ({type = \"pin\"; nodes = [\"m.0\", \"m.1\"]; arms = [1.0, 0.0, -1.0, 0.0];});"           \
    "initial = ({node = \"m.0\"; velocity_vector = [1.0, 2.0]; angular_velocity = 3.0;},"                    \
    "{node = \"m.1\"; velocity_vector = [1.0, 3.0]; angular_velocity = -2.0;});"

/* Forces of a joint balance: momentum to rounding. Their arms are those of the end of the step where the
 * positions are those of its middle: angular momentum in first order. */
START_TEST(joints_keep_momentum)
{
    double turned[2], start[2] = {2 + 1, 4 + 3};
    for (int k = 0; k < 2; k++) {
        struct run run;
        RUN(&run, DOUBLE STEPPING(THETA, "3.0", "0.002"), k == 0 ? "time.step=0.002" : "time.step=0.001");
        const double *v = run_last(&run)->v, *u = run_last(&run)->u;
        for (size_t d = 0; d < 2; d++) NEAR(2 * v[d] + v[3 + d], start[d], 1e-11);
        double before = 0.5 * 3 + 0.25 * -2 + 2 * 3.0;
        double l =
            0.5 * v[2] + 0.25 * v[5] + 2 * (u[0] * v[1] - u[1] * v[0]) + (2 + u[3]) * v[4] - u[4] * v[3];
        turned[k] = fabs(l - before);
        run_release(&run);
    }
    BELOW(turned[1], 1e-2); /* of 7 */
    NEAR(turned[0] / turned[1], 2, 0.1);
}
END_TEST

/* two balls, one above the other on a rod, fall on a floor */
#define STACK(integrator, strategy)                                                                          \
    "bodies = ({type = \"particles\"; positions = [1.0, 3.0]; masses = [2.0, 3.0];});"                       \
    "constraints = ({type = \"rod\"; nodes = [\"particles.0\", \"particles.1\"];});"                         \
    "contacts = ({type = \"wall\"; node = \"particles.0\"; position = 0.0; side = \"lower\"; restitution = " \
    "0.5;});"                                                                                                \
    "loads = ({type = \"gravity\"; acceleration = -10.0;});"                                                 \
    "integrator = {" integrator "}; strategy = {" strategy "}; time = {end = 0.8; step = 0.001;};"

static const struct {
    const char *deck;
    double tolerance; /* of times and velocities */
} stacks[] = {
    {STACK(THETA, "type = \"time-stepping\";"), 0.02},
    {STACK(CENTRAL, "type = \"time-stepping\";"), 0.02},
    {STACK("type = \"trapezoidal\";", "type = \"event-driven\";"), 1e-6},
    {STACK("type = \"newmark\";", "type = \"event-driven\";"), 1e-6},
    {STACK("type = \"generalized-alpha\"; rho_inf = 0.8;", "type = \"event-driven\";"), 1e-6},
    {STACK("type = \"botr\";", "type = \"event-driven\";"), 1e-6},
    {STACK("type = \"bathe\";", "type = \"event-driven\";"), 1e-6},
    {STACK("type = \"wilson-theta\";", "type = \"event-driven\";"), 1e-6},
    {STACK("type = \"noh-bathe\";", "type = \"event-driven\";"), 1e-6},
};

/* As one ball of 5 kg: it falls 1 m, 0.4472 s, and rebounds by half; the rod takes 3/5 of the blow. */
START_TEST(rod_passes_the_blow_on)
{
    struct run run;
    RUN(&run, stacks[_i].deck);
    double speed = sqrt(20.0), fall = speed / 10, tolerance = stacks[_i].tolerance;
    NEAR(run.events[0].t, fall, 2e-3 + tolerance);
    const struct run_row *last = run_last(&run);
    double since = last->t - fall, rise = 0.5 * speed * since - 5 * since * since;
    NEAR(last->u[0], -1 + rise, 2 * tolerance);
    NEAR(last->v[0], 0.5 * speed - 10 * since, 2 * tolerance);
    NEAR(last->u[1] - last->u[0], 0, 1e-12); /* rounding of a thousand steps */
    /* contact: m (1 + e) v; rod: the second ball's momentum. g grows where the rod pushes. */
    NEAR(last->impulse[0], 5 * 1.5 * speed, 5 * tolerance);
    double velocity_time = last->t + (_i == 1 ? 0.0005 : 0);
    NEAR(run.last.constraint_impulse[0], 3 * (last->v[1] + 10 * velocity_time), 1e-9);
    NEAR(last->numerical, 0, 1e-9);
    run_release(&run);
}
END_TEST

/* Two sleds on a rod slide over a floor that brakes the first alone: a = -mu m0 g / (m0 + m1) = -1.2, and the
 * rod pulls the second back by m1 a. All is constant: exact in every step. */
START_TEST(rod_shares_friction)
{
    struct run run;
    char deck[1024];
    snprintf(
        deck, sizeof deck,
        "bodies = ({type = \"particles\"; dim = 2; positions = [0.0, 0.0, 1.0, 0.0]; masses = [2.0, 3.0];});"
        "constraints = ({type = \"rod\"; nodes = [\"particles.0\", \"particles.1\"];});"
        "contacts = ({type = \"plane\"; node = \"particles.0\"; normal = [0.0, 1.0]; gap = 0.0;"
        "friction = 0.3;}, {type = \"plane\"; node = \"particles.1\"; normal = [0.0, 1.0]; gap = 0.0;});"
        "initial = ({body = \"particles\"; velocity_vector = [2.0, 0.0];});" GRAVITY
        "integrator = {%s}; strategy = {type = \"time-stepping\";}; time = {end = 1.0; step = 0.01;};",
        schemes[_i]);
    RUN(&run, deck);
    /* a staggered velocity is half a step ahead; its first blow makes up for the half step before */
    double end = 2 - 1.2 * (_i == 0 ? 1 : 1.005);
    NEAR(run_last(&run)->v[0], end, 1e-10);
    NEAR(run_last(&run)->v[2], end, 1e-10);
    NEAR(run.last.constraint_force[0], -3.6, 1e-9);
    NEAR(run_last(&run)->force[0], 20, 1e-9);
    run_release(&run);
}
END_TEST

static const char *const nonlinear[] = {"type = \"theta\"; forces = \"midpoint\";",
                                        "type = \"theta\"; forces = \"average\";", CENTRAL};

/* The same where Newton iterates: a node held by constraints, on which a spring turns, is a support. */
START_TEST(held_node_is_a_support_of_a_spring)
{
    static const char *const held[] = {"supports = ({node = \"particles.0\";});",
                                       "constraints = ({type = \"coordinate\"; node = \"particles.0\";},"
                                       "{type = \"coordinate\"; node = \"particles.0\"; axis = \"y\";});"};
    struct run runs[2];
    for (int k = 0; k < 2; k++) {
        char deck[1024];
        snprintf(
            deck, sizeof deck,
            "bodies = ({type = \"particles\"; dim = 2; positions = [0.0, 0.0, 1.0, 0.0]; masses = [2.0, "
            "3.0];});"
            "elements = ({type = \"spring\"; nodes = [\"particles.0\", \"particles.1\"]; stiffness = "
            "200.0;});"
            "%s" GRAVITY
            "integrator = {%s}; strategy = {type = \"time-stepping\";}; time = {end = 1.0; step = 0.002;};",
            held[k], nonlinear[_i]);
        RUN(&runs[k], deck);
    }
    NEAR(run_distance(run_last(&runs[0])->u, run_last(&runs[1])->u, 4), 0, 1e-10);
    NEAR(run_last(&runs[0])->numerical, run_last(&runs[1])->numerical, 1e-9);
    /* the reaction: the spring's pull at the end of the last step, of second order in the step but in its
     * place */
    const struct run_row *last = run_last(&runs[1]);
    double x = 1 + last->u[2], y = last->u[3], pull = 200 * (hypot(x, y) - 1);
    NEAR(runs[1].last.constraint_force[1], 20 - pull * y / hypot(x, y), 1.0);
    run_release(&runs[0]);
    run_release(&runs[1]);
}
END_TEST

#define CHAIN(rest)                                                                                          \
    "bodies = ({type = \"particles\"; positions = [0.0, 1.0, 2.0]; masses = [1.0, 2.0, 1.5];"                \
    "springs = ({nodes = [0, 1]; stiffness = 40.0; damping = 0.5;}, {nodes = [1, 2]; stiffness = "           \
    "50.0;});});"                                                                                            \
    "initial = ({node = \"particles.2\"; displacement = -0.1;});" rest
#define WAVE "motion = {type = \"harmonic\"; amplitude = 0.3; frequency = 0.7;};"
/* so that the wave's first velocity is there */
#define MOVING "{node = \"particles.0\"; velocity = 1.3194689145077131;}"

/* A prescribed coordinate does what a moving support does: the same motion, the same work. */
START_TEST(prescribed_coordinate_is_a_support)
{
    struct run a, b;
    RUN(&a, CHAIN("supports = ({node = \"particles.0\"; " WAVE "});") STEPPING(THETA, "2.0", "0.002"));
    RUN(&b, "bodies = ({type = \"particles\"; positions = [0.0, 1.0, 2.0]; masses = [1.0, 2.0, 1.5];"
            "springs = ({nodes = [0, 1]; stiffness = 40.0; damping = 0.5;}, {nodes = [1, 2]; stiffness = "
            "50.0;});});"
            "initial = ({node = \"particles.2\"; displacement = -0.1;}, " MOVING ");"
            "constraints = ({type = \"coordinate\"; node = \"particles.0\"; " WAVE
            "});" STEPPING(THETA, "2.0", "0.002"));
    /* of second order: at 0.7 Hz (omega h)^2 / 12 is 6e-6 */
    NEAR(run_distance(run_last(&a)->u, run_last(&b)->u, 3), 0, 2e-5);
    NEAR(run_last(&a)->external, run_last(&b)->external, 2e-3);
    NEAR(run_last(&b)->numerical, 0, 2e-3);
    run_release(&a);
    run_release(&b);
}
END_TEST

static const char *const event_integrators[] = {
    "integrator.type=\"trapezoidal\"", "integrator.type=\"newmark\"",
    "integrator.type=\"botr\"",        "integrator.type=\"generalized-alpha\"",
    "integrator.type=\"bathe\"",       "integrator.type=\"wilson-theta\""};

/* A held coordinate is a support, to rounding, in every scheme whose operator has rigid rows. */
START_TEST(held_coordinate_is_a_support_between_events)
{
    static const char end[] = "contacts = ({type = \"wall\"; node = \"particles.2\"; position = 2.03; side = "
                              "\"upper\"; stiffness = 500.0;});"
                              "integrator = {type = \"trapezoidal\"; operator = \"nodal\";};"
                              "strategy = {type = \"event-driven\";}; time = {end = 2.0; step = 0.01;};";
    struct run a, b;
    char held[2048], constrained[2048];
    snprintf(held, sizeof held, CHAIN("supports = ({node = \"particles.0\";});") "%s", end);
    snprintf(constrained, sizeof constrained,
             CHAIN("constraints = ({type = \"coordinate\"; node = \"particles.0\";});") "%s", end);
    RUN(&a, held, event_integrators[_i]);
    RUN(&b, constrained, event_integrators[_i]);
    ck_assert_uint_ge(a.event_count, 2);
    ck_assert_uint_eq(a.event_count, b.event_count);
    NEAR(run_distance(run_last(&a)->u, run_last(&b)->u, 3), 0, 1e-9);
    NEAR(run_last(&a)->numerical, run_last(&b)->numerical, 1e-9);
    /* the reaction holds the first spring and its dashpot: on the first mass it pushes against their pull */
    const struct run_row *last = run_last(&b);
    NEAR(b.last.constraint_force[0], -40 * (last->u[1] - last->u[0]) - 0.5 * (last->v[1] - last->v[0]), 1e-8);
    run_release(&a);
    run_release(&b);
}
END_TEST

static const struct {
    const char *deck, *finding;
} refused[] = {
    {PENDULUM "integrator = {type = \"newmark\";}; strategy = {type = \"event-driven\";}; time = {end = 1.0;"
              "step = 0.1;};",
     "integrator 'newmark' with strategy 'event-driven' can't treat bilateral constraints that turn or move\n"
     "  hint: pairs that can: central-difference + time-stepping (velocity), theta + time-stepping "
     "(velocity)"},
    {STACK("type = \"trapezoidal\";", "type = \"penalty\";"),
     "has no stiffness, which strategy 'penalty' needs"},
    {STACK("type = \"trapezoidal\";", "type = \"time-stepping\"; level = \"position\";"),
     "integrator 'trapezoidal' with strategy 'time-stepping' (position) can't treat bilateral constraints"},
    {STACK("type = \"exact\";", "type = \"event-driven\";"),
     "integrator 'exact' with strategy 'event-driven' can't treat bilateral constraints"},
    {STACK("type = \"trapezoidal\"; operator = \"modal\";", "type = \"event-driven\";"),
     "needs modal coordinates, which bilateral constraints couple"},
    {"bodies = ({type = \"multibody\"; name = \"bob\"; positions = [1.0, 0.0]; masses = [1.0];"
     "inertias = [0.0];}); constraints = ({type = \"pin\"; nodes = [\"bob\"]; arms = [-1.0, "
     "0.0];});" STEPPING(THETA, "1.0", "0.1"),
     "can't treat dofs without mass, which constraints move"},
};

START_TEST(pairs_that_cannot_are_told)
{
    struct run run;
    run_read(&run, (const char *const[]){refused[_i].deck, NULL});
    run_build(&run);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    sg_diagnostics_render(&run.diagnostics, &run.findings);
    ck_assert_msg(strstr(sg_text_view(&run.findings), refused[_i].finding) != NULL, "no '%s' in: %s",
                  refused[_i].finding, sg_text_view(&run.findings));
    run_release(&run);
}
END_TEST

/* Two masses that meet, and two others that have nothing to do with them but may have a joint, a nonlinear
 * element, dashpots: the first two never know. 2 m/s, 1 and 9 kg, restitution 1: -1.6 and .4 m/s by momentum
 * and energy, to rounding. */
static const char *const bystanders[] = {
    "elements = ({type = \"spring\"; nodes = [\"p.2\", \"p.3\"]; stiffness = 1.0;});",
    "elements = ({type = \"dashpot\"; nodes = [\"p.2\", \"p.3\"]; coefficient = 2.0; exponent = 1.5;});",
    "constraints = ({type = \"coordinate\"; node = \"p.2\";});",
    "constraints = ({type = \"rod\"; nodes = [\"p.2\", \"p.3\"];});",
};
static const char *const explicit_forms[] = {"explicit", "implicit"};
static const char *const explicit_levels[] = {"velocity", "position"};

START_TEST(central_differences_answer_an_impact_by_the_masses_alone)
{
    enum { KINDS = sizeof bystanders / sizeof *bystanders };
    unsigned chosen = (unsigned)_i & 15, form = (unsigned)_i >> 4 & 1, level = (unsigned)_i >> 5 & 1;
    if ((chosen & 3) == 3 || (chosen & 12) == 12) return; /* one of a kind: a group stands once in a deck */
    char deck[1024] =
        "bodies = ({type = \"particles\"; name = \"p\"; positions = [0.0, 1.0, 5.0, 6.0];"
        "masses = [1.0, 9.0, 1.0, 1.0]; springs = ({nodes = [2, 3]; stiffness = 3.0; damping = 0.7;});});"
        "contacts = ({type = \"pair\"; nodes = [\"p.0\", \"p.1\"]; restitution = 1.0;});"
        "initial = ({node = \"p.0\"; velocity = 2.0;}); time = {end = 1.0; step = 0.001;};";
    size_t used = strlen(deck);
    used += (size_t)snprintf(deck + used, sizeof deck - used,
                             "integrator = {type = \"central-difference\"; damping = \"%s\";};"
                             "strategy = {type = \"time-stepping\"; level = \"%s\";};",
                             explicit_forms[form], explicit_levels[level]);
    for (unsigned k = 0; k < KINDS; k++)
        if (chosen >> k & 1) used += (size_t)snprintf(deck + used, sizeof deck - used, "%s", bystanders[k]);
    struct run run;
    RUN(&run, deck);
    const double *v = run_last(&run)->v;
    ck_assert_double_eq_tol(v[0], -1.6, 1e-12);
    ck_assert_double_eq_tol(v[1], 0.4, 1e-12);
    ck_assert_double_eq_tol(run_last(&run)->impulse[0], 3.6, 1e-11);
    run_release(&run);
}
END_TEST

/* Explicit damping stands on the right: it gives no mass to who is struck, though a joint elsewhere asks for
 * D. */
START_TEST(explicit_damping_adds_no_mass_to_an_impact)
{
    struct run run;
    RUN(&run, "bodies = ({type = \"particles\"; name = \"p\"; positions = [0.0, 1.0, 5.0]; masses = [1.0, "
              "9.0, 1.0];"
              "springs = ({node = 1; stiffness = 0.0; damping = 100.0;});});"
              "contacts = ({type = \"pair\"; nodes = [\"p.0\", \"p.1\"]; restitution = 1.0;});"
              "initial = ({node = \"p.0\"; velocity = 2.0;});"
              "constraints = ({type = \"coordinate\"; node = \"p.2\";});" STEPPING(CENTRAL, "1.0", "0.01"));
    ck_assert_double_eq_tol(run_last(&run)->impulse[0], 3.6, 1e-12);
    run_release(&run);
}
END_TEST

/* A joint holds from the first step on, also where the dashpot is implicit and takes next to nothing: the bob
 * moves as without it, to the 1e-9 of its coefficient. */
START_TEST(joints_hold_from_the_start_beside_implicit_dashpots)
{
    struct run with, without;
    const char *const end = "strategy = {type = \"time-stepping\";}; time = {end = 0.5; step = 0.001;};";
    char deck[2][1200];
    snprintf(deck[0], sizeof deck[0], PENDULUM "integrator = {" CENTRAL "}; %s", end);
    snprintf(deck[1], sizeof deck[1],
             PENDULUM "integrator = {" CENTRAL
                      " damping = \"implicit\";}; %s elements = ({type = \"dashpot\"; node = "
                      "\"bob\"; axis = \"x\"; coefficient = 1e-9; exponent = 1.0;});",
             end);
    RUN(&without, deck[0]);
    RUN(&with, deck[1]);
    for (size_t i = 0; i < with.count; i++)
        for (size_t k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(with.rows[i].u[k], without.rows[i].u[k], 1e-8);
            ck_assert_double_eq_tol(with.rows[i].v[k], without.rows[i].v[k], 1e-7);
        }
    run_release(&with);
    run_release(&without);
}
END_TEST

Suite *sg_suite_constrained_runs(void)
{
    enum {
        STACKS = sizeof stacks / sizeof *stacks,
        EVENTS = sizeof event_integrators / sizeof *event_integrators,
        REFUSED = sizeof refused / sizeof *refused
    };
    Suite *suite = suite_create("constrained_runs");
    TCase *runs = tcase_create("runs");
    tcase_set_timeout(runs, 60);
    tcase_add_loop_test(runs, pendulum_swings_with_the_exact_period, 0, 2);
    tcase_add_loop_test(runs, hinge_carries_the_weight, 0, 2);
    tcase_add_test(runs, slider_crank_turns_by_its_reduced_inertia);
    tcase_add_test(runs, driven_crank_moves_as_it_must);
    tcase_add_test(runs, moment_turns);
    tcase_add_test(runs, joints_keep_momentum);
    tcase_add_loop_test(runs, rod_passes_the_blow_on, 0, STACKS);
    tcase_add_loop_test(runs, rod_shares_friction, 0, 2);
    tcase_add_loop_test(runs, held_node_is_a_support_of_a_spring, 0, 3);
    tcase_add_test(runs, prescribed_coordinate_is_a_support);
    tcase_add_loop_test(runs, held_coordinate_is_a_support_between_events, 0, EVENTS);
    tcase_add_loop_test(runs, central_differences_answer_an_impact_by_the_masses_alone, 0, 64);
    tcase_add_test(runs, explicit_damping_adds_no_mass_to_an_impact);
    tcase_add_test(runs, joints_hold_from_the_start_beside_implicit_dashpots);
    tcase_add_loop_test(runs, pairs_that_cannot_are_told, 0, REFUSED);
    suite_add_tcase(suite, runs);
    return suite;
}
