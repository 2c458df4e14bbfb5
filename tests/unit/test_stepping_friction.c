/* Time-stepping with friction, moving obstacles and redundant contacts, against exact motion. */
#include <stdio.h>

#include "run_fixture.h"

/* --- a block on a plane --------------------------------------------------------------------------- */

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

/* m: how far the step of the stop is off a T^2/2, T the time when v0 = a T is used up. Central differences
 * take the N steps in whose middle it still moves, and the sum of their velocities is that of the parabola at
 * N h: a (N h - T)^2/2 short. Theta stops in the step that T lies in, from velocity a s, s left of T: half a
 * step of it is a s h/2, not a s^2/2. */
static double stop_error(int scheme, double a, double end, double h)
{
    double middle = h * ceil(end / h - 0.5) - end, left = end - h * floor(end / h);
    return scheme == 0 ? -0.5 * a * middle * middle : 0.5 * a * left * (h - left);
}

START_TEST(slides_to_its_exact_end)
{
    size_t space = (size_t)_i & 1, tangents = 1 + space;
    int scheme = _i >> 1 & 1;
    struct run run;
    RUN(&run, thrown[space], schemes[scheme], steps[_i >> 2]);
    double h = run.rows[1].t, a = mu * g, stop = speed / a, part[2];
    for (size_t i = 1; i < run.count; i++) {
        double t = run.rows[i].t;
        split(run.rows[i].u, heading[space], tangents, part);
        /* m: rounding of 300 steps */
        if (t < stop - h) NEAR(part[0], speed * t - 0.5 * a * t * t, 1e-13);
        double end = 0.5 * a * stop * stop + stop_error(scheme, a, stop, h);
        if (t > stop + h) NEAR(part[0], end, 1e-13);
        /* rounding: it never turns */
        BELOW(part[1], 1e-14);
    }
    const struct run_row *last = run_last(&run);
    split(last->v, heading[space], tangents, part);
    NEAR(part[0], 0.0, 1e-14);
    /* J: all the speed's */
    NEAR(last->dissipated, 0.5 * 2.0 * speed * speed, 1e-12);
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
    double part[2];
    push(&run, _i, 0.9);
    for (size_t i = 1; i < run.count; i++) {
        split(run.rows[i].u, heading[space], tangents, part);
        /* nothing moves it: rounding of .03 m/s, 200 steps of it */
        NEAR(part[0], 0.0, 1e-15);
        BELOW(part[1], 1e-15);
    }
    ck_assert_uint_eq(run_events_of(&run, SG_EVENT_SLIP), 0);
    run_release(&run);
}
END_TEST

START_TEST(slides_above_its_limit)
{
    size_t space = (size_t)_i & 1, tangents = 1 + space;
    struct run run;
    double part[2];
    push(&run, _i, 1.1);
    for (size_t i = 1; i < run.count; i++) {
        double t = run.rows[i].t;
        split(run.rows[i].u, heading[space], tangents, part);
        /* a = .1 mu g; parabolas are exact: rounding of 200 steps */
        NEAR(part[0], 0.5 * 0.1 * mu * g * t * t, 1e-13);
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
    double down[3], part[2];
    for (size_t d = 0; d < 3; d++) down[d] = (n[2] * n[d] - (d == 2 ? 1.0 : 0.0)) / sine;
    RUN(&run, slope_text, schemes[_i]);
    for (size_t i = 1; i < run.count; i++) {
        const struct run_row *row = &run.rows[i];
        double across[3], t = row->t, depth = 0.0;
        for (size_t d = 0; d < 3; d++) depth += row->u[d] * n[d];
        for (size_t d = 0; d < 3; d++) across[d] = row->u[d] - depth * n[d];
        split(across, down, 3, part);
        /* m of 10: rounding of 200 steps */
        NEAR(part[0], 0.5 * g * (sine - mu * n[2]) * t * t, 1e-12);
        BELOW(part[1], 1e-12);
        /* it touches from the start, and stays */
        NEAR(depth, 0.0, 1e-12);
    }
    BELOW(run_imbalance(&run), 1e-11);
    run_release(&run);
}
END_TEST

/* --- at rest at gap 0 ----------------------------------------------------------------------------- */

/* A body that is set down keeps its contact in every step, whatever its mass and whatever rounding makes of
 * its gap: it bears its weight from the first step and does not fall. By theta, whose bodies rest where they
 * are. Kinds: planes, oblique ones, one that it slides on. Settings: short steps; a plane that could move,
 * whose normal is taken in every step. The last is the bottom of a circle. */
#define OBLIQUE BLOCK("3", "[3.7, 0.3, 11.9]", "[0.1, -0.2, 1.0]")
static const char *const rests[] = {
    BLOCK("2", "[0.0, 0.0]", "[0.0, 1.0]"), BLOCK("3", "[7.3, -2.1, 0.4]", "[0.0, 0.1, 1.0]"), OBLIQUE,
    OBLIQUE "initial = ( { body = \"block\"; velocity_vector = [2.0, 1.0, 0.0]; } );"};
#define IN_CIRCLE                                                                                            \
    "contacts=( { type = \"circle\"; node = \"block\"; center = [0.0, 0.7]; radius = 0.7; inside = true;"    \
    " restitution = 0.3; } )"
static const char *const settings[] = {"time.step=0.01", "time.step=0.001",
                                       "contacts.[0].motion={ type = \"constant\"; value = 0.0; }",
                                       IN_CIRCLE};
static const char *const of_mass[] = {"bodies.[0].masses=[2.0]", "bodies.[0].masses=[1.7]",
                                      "bodies.[0].masses=[0.3]"};
enum { RESTS = 13 };

/* the first row's gap is that of the start */
static void check_rest(const struct run *run)
{
    for (size_t i = 1; i < run->count; i++) {
        ck_assert_msg(run->rows[i].force[0] > 0.0, "no force at row %zu", i);
        /* m, of 20 m: rounding of 2000 steps; a step of fall is 5e-6 or more */
        NEAR(run->rows[i].gap[0], 0.0, 1e-12);
    }
    ck_assert_uint_eq(run_events_of(run, SG_EVENT_IMPACT), 1);
    ck_assert_uint_eq(run_events_of(run, SG_EVENT_OPEN), 0);
}

START_TEST(keeps_its_contact)
{
    for (size_t m = 0; m < 3; m++) {
        struct run run;
        RUN(&run, rests[_i & 3], "integrator.type=theta", of_mass[m], settings[_i >> 2]);
        check_rest(&run);
        run_release(&run);
    }
}
END_TEST

/* The plane is given by points that it holds, so that the gap at the start is a sum's rounding, of either
 * sign. */
START_TEST(is_set_down_within_rounding)
{
    size_t above = 0;
    for (int k = 1; k <= 20; k++) {
        char contact[256];
        struct run run;
        double way = 0.37 * k;
        snprintf(contact, sizeof contact,
                 "contacts=( { type = \"plane\"; node = \"block\"; normal = [0.1, -0.2, 1.0];"
                 " point = [%.17e, %.17e, 11.9]; friction = 0.5; } )",
                 3.7 - 2.0 * way, 0.3 - way);
        RUN(&run, rests[2], "integrator.type=theta", contact, "time.end=0.1");
        above += run.rows[0].gap[0] > 0.0;
        check_rest(&run);
        run_release(&run);
    }
    ck_assert_uint_ge(above, 1);
}
END_TEST

/* ... and lets go at once where it is lifted: a force of twice the weight from t = 1, up on plane 0 */
START_TEST(lets_go_when_lifted)
{
    struct run run;
    RUN(&run, rests[0], "integrator.type=theta",
        "loads=( { type = \"gravity\"; acceleration = -10.0; }, { type = \"force\"; node = \"block\"; "
        "direction = "
        "[0.0, 1.0]; signal = { type = \"piecewise-linear\"; times = [0.0, 0.9999, 1.0]; values = [0.0, 0.0, "
        "40.0]; "
        "}; } )");
    for (size_t i = 1; i < run.count; i++) {
        double t = run.rows[i].t - 1.0;
        if (t < 0.0) ck_assert(run.rows[i].force[0] > 0.0);
        if (t < 0.5e-2) continue;
        NEAR(run.rows[i].force[0], 0.0, 0.0);
        /* m: lifted by 10 m/s^2; what the ramp of 1e-4 s does to the step that it ends in is below 2e-3 m/s
         */
        NEAR(run.rows[i].gap[0], 5.0 * t * t, 2e-3 * 1.01);
    }
    run_release(&run);
}
END_TEST

/* what is not rounding is a gap: a block 1e-9 m above the plane falls in the first step */
START_TEST(a_small_gap_is_open)
{
    struct run run;
    RUN(&run, rests[0], "integrator.type=theta", "contacts.[0].gap=1.0e-9");
    NEAR(run.rows[1].force[0], 0.0, 0.0);
    /* m: g h^2/2 */
    NEAR(run.rows[1].gap[0], 1e-9 - 0.5 * g * 1e-4, 1e-18);
    run_release(&run);
}
END_TEST

/* --- order with friction -------------------------------------------------------------------------- */

/* A block that is dropped while it moves along the plane, bounces and slides to rest: normal velocity g t0 at
 * the first impact, e of it after each; each impact and the slide take mu times the normal impulse. */
struct throw
{
    double height, speed, restitution;
};

/* m: where it stops; *end (s): when. All of gravity's impulse goes through the contact: end = v0 / (mu g). */
static double stop_place(const struct throw *c, double *end)
{
    double fall = sqrt(2.0 * c->height / g), normal = g * fall, along = c->speed, place = along * fall;
    for (;;) {
        along -= mu * (1.0 + c->restitution) * normal;
        normal *= c->restitution;
        if (normal < 1e-14) break;
        place += along * 2.0 * normal / g;
    }
    /* it is still moving when it bounces no more */
    ck_assert(along > 0.1);
    *end = c->speed / (mu * g);
    return place + 0.5 * along * along / (mu * g);
}

struct miss {
    double place, end; /* m, s: sums of errors, without sign */
};

static void add_miss(const struct throw *c, int variant, double h, struct miss *miss)
{
    size_t space = (size_t)variant & 1, k = 1;
    char velocity[128], height[64], bounce[64], step[64];
    double end, place = stop_place(c, &end), part[2];
    const double *d = heading[space];
    struct run run;
    snprintf(velocity, sizeof velocity, "initial.[0].velocity_vector=[%.17e, %.17e%s]", c->speed * d[0],
             c->speed * d[1], space ? ", 0.0" : "");
    snprintf(height, sizeof height, "contacts.[0].gap=%.17g", c->height);
    snprintf(bounce, sizeof bounce, "contacts.[0].restitution=%g", c->restitution);
    snprintf(step, sizeof step, "time.step=%.17g", h);
    RUN(&run, thrown[space], schemes[variant >> 1], velocity, height, bounce, step, "time.end=1.5");
    split(run_last(&run)->u, d, 1 + space, part);
    miss->place += fabs(part[0] - place);
    double depth = -run_last(&run)->gap[0];
    /* m: rounding of 3000 steps */
    NEAR(part[0], place + mu * depth + stop_error(variant >> 1, mu * g, end, h), 1e-12);
    /* the first row that stands */
    while (k < run.count && (split(run.rows[k].v, d, 1 + space, part), part[0] > 1e-9)) k++;
    ck_assert_uint_lt(k, run.count);
    miss->end += fabs(run.rows[k].t - end);
    run_release(&run);
}

/* the average over impacts and stops that fall everywhere within a step */
static struct miss mean_miss(double restitution, int variant, double h)
{
    enum { THROWS = 40 };
    struct miss miss = {0};
    for (int k = 0; k < THROWS; k++) {
        struct throw c = {0.2 + 0.1 * fmod(0.6180339887 * k, 1.0), 2.9 + 0.2 * fmod(0.7548776662 * k, 1.0),
                          restitution};
        add_miss(&c, variant, h, &miss);
    }
    return (struct miss){miss.place / THROWS, miss.end / THROWS};
}

static const double bounces[] = {0.0, 0.5};

/* Friction's impulse is mu times the normal one, so what both do to the place goes together: the block ends
 * mu d too far, d its residual penetration. After an impact with e = 0 that is up to the way of a step, order
 * 1; after bounces that have died out it is of the size of g h^2, order 2. The stop is told up to a step
 * late. Within .1; factor 8 in the step. */
START_TEST(stops_with_its_order)
{
    int with_bounces = _i >> 2;
    double e = bounces[with_bounces], order = with_bounces ? 2.0 : 1.0;
    struct miss coarse = mean_miss(e, _i & 3, 1.0 / 256.0), fine = mean_miss(e, _i & 3, 1.0 / 2048.0);
    NEAR(log2(coarse.place / fine.place) / 3.0, order, 0.1);
    NEAR(log2(coarse.end / fine.end) / 3.0, 1.0, 0.1);
}
END_TEST

/* --- obstacles that move -------------------------------------------------------------------------- */

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

/* --- contacts that say the same ------------------------------------------------------------------- */

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
#define EDGES     ROD("0", "1") ", " ROD("1", "2") ", " ROD("2", "3") ", " ROD("3", "0")
#define DIAGONALS ROD("0", "2") ", " ROD("1", "3")
#define ROOF      ROD("0", "4") ", " ROD("1", "4") ", " ROD("2", "4") ", " ROD("3", "4")
#define RODS      "elements = ( " EDGES ", " DIAGONALS ", " ROOF " );"
#define LEGS      "contacts = ( " LEG("0") ", " LEG("1") ", " LEG("2") ", " LEG("3") " );"

static const char table_text[] =
    "bodies = ( { type = \"particles\"; name = \"table\"; dim = 3; masses = [1.0, 1.0, 1.0, 1.0, 1.0];"
    " positions = [0.5, 0.5, 0.0, 0.5, -0.5, 0.0, -0.5, -0.5, 0.0, -0.5, 0.5, 0.0, 0.0, 0.0, 0.6]; } );" //
    RODS LEGS "loads = ( { type = \"gravity\"; acceleration = -10.0; } );"
    "integrator = { type = \"theta\"; theta = 1.0; }; strategy = { type = \"time-stepping\"; };"
    "time = { end = 1.0; step = 0.01; };";

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
    tcase_add_loop_test(all, keeps_its_contact, 0, RESTS);
    tcase_add_test(all, is_set_down_within_rounding);
    tcase_add_test(all, lets_go_when_lifted);
    tcase_add_test(all, a_small_gap_is_open);
    tcase_add_loop_test(all, stops_with_its_order, 0, 8);
    tcase_add_loop_test(all, bounces_on_a_rising_floor, 0, 2);
    tcase_add_loop_test(all, is_carried_by_a_shaken_floor, 0, 2);
    tcase_add_loop_test(all, given_twice_acts_as_once, 0, 4);
    tcase_add_test(all, stands_on_four_legs);
    suite_add_tcase(suite, all);
    return suite;
}
