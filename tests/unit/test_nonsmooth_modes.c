/* The analysis nonsmooth-modes: against closed forms of a mass between springs, by its ways of continuation,
 * stopped and resumed, and what it refuses. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyses/nonsmooth_branch.h"
#include "analyses/points.h"
#include "shipped_fixture.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

Suite *sg_suite_nonsmooth_modes(void);

#define BAR(elements)                                                                                        \
    "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; area = 1.0; density = 1.0; modulus = 1.0; "  \
    "elements = " elements "; order = 2; } ); supports = ( { node = \"bar.left\"; } );"
#define STOP   "contacts = ( { type = \"wall\"; node = \"bar.right\"; side = \"upper\"; gap = 0.01; } );"
#define SCHEME "integrator = { type = \"exact\"; }; strategy = { type = \"nbm\"; };"
#define MODES  "analysis = { type = \"nonsmooth-modes\"; from = 1.06; to = 1.1; count = 3; "

enum { ROWS = 64, WIDTH = 400 };

struct kept {
    double rows[ROWS][WIDTH];
    size_t count, stop_after;
    const struct sg_point_column *columns;
    size_t column_count;
};

static sg_status keep(void *self, const double *values, size_t count, struct sg_error *err)
{
    struct kept *kept = self;
    (void)err;
    ck_assert(kept->count < ROWS && count <= WIDTH);
    memcpy(kept->rows[kept->count++], values, count * sizeof *values);
    return SG_OK;
}

static double of(const struct kept *kept, size_t row, const char *name)
{
    size_t k = 0;
    while (k < kept->column_count && strcmp(kept->columns[k].name, name) != 0) k++;
    ck_assert_msg(k < kept->column_count, "no column '%s'", name);
    return kept->rows[row][sg_point_width(kept->columns, k)];
}

static sg_status stop(void *self, bool *stop, struct sg_error *err)
{
    const struct kept *kept = self;
    (void)err;
    *stop = kept->count == kept->stop_after;
    return SG_OK;
}

static void create(struct sg_points *points, struct run *run, struct kept *kept)
{
    *points = (struct sg_points){0};
    run->status = sg_points_create(points, run->deck, &run->diagnostics, &run->err);
    run_must(run, "points");
    kept->columns = points->ops->columns(points, &kept->column_count);
}

/* a deck out of its parts */
static void read_parts(struct run *run, const char *const *parts)
{
    char text[2000] = "";
    for (size_t k = 0; parts[k] != NULL; k++) {
        ck_assert(strlen(text) + strlen(parts[k]) < sizeof text);
        strcat(text, parts[k]);
    }
    run_read(run, (const char *const[]){text, NULL});
}

/* all points of a deck; release the points when their columns are no longer needed */
static void compute(const char *const *texts, struct run *run, struct sg_points *points, struct kept *kept)
{
    const struct sg_observer observer = {.self = kept, .point = keep};
    const struct sg_points_pause none = {0};
    *kept = (struct kept){.count = 0};
    read_parts(run, texts);
    create(points, run, kept);
    ck_assert_int_eq(sg_points_run(points, &observer, &none, &run->err), SG_OK);
}

static void release(struct run *run, struct sg_points *points)
{
    sg_points_destroy(points);
    run_release(run);
}

/* --- closed form ---------------------------------------------------------------------------------- */

/* A mass m on a spring k that strikes a spring kappa behind a gap g: the period with the amplitude a on the
 * free side. Free from -a to g in (pi - acos(g/a)) / w, then to rest about the center kappa g / (k + kappa).
 */
static double struck_period(double w, double closed, double gap, double amplitude)
{
    double share = 1 - w * w / (closed * closed), center = share * gap;
    double speed = w * sqrt(amplitude * amplitude - gap * gap);
    return 2 * ((acos(-1.0) - acos(gap / amplitude)) / w + atan2(speed / closed, gap - center) / closed);
}

static struct sg_orbit_phases *mass_on_springs(size_t contacts)
{
    static const double w[2] = {-1, 1}, offset[2] = {0.5, 0.5};
    static const double force[4][1] = {{0}, {3}, {-3}, {0}}; /* kappa 6 times the gap */
    struct sg_matrix m, k[4];
    struct sg_orbit_phase_spec phases[4];
    struct sg_orbit_phases *out = NULL;
    struct sg_error err;
    struct sg_triplets t = {.arena = &arena, .n = 1};
    sg_triplets_add(&t, 0, 0, 2);
    ck_assert_int_eq(sg_matrix_init(&arena, &m, &t, SG_DENSE, &err), SG_OK);
    for (size_t mask = 0; mask < 4; mask++) {
        double closed = (double)(mask & 1) + (double)(mask >> 1);
        t = (struct sg_triplets){.arena = &arena, .n = 1};
        sg_triplets_add(&t, 0, 0, 8 + 6 * closed);
        ck_assert_int_eq(sg_matrix_init(&arena, &k[mask], &t, SG_DENSE, &err), SG_OK);
        phases[mask] = (struct sg_orbit_phase_spec){&m, &k[mask], force[mask], 0.75 * closed};
    }
    struct sg_orbit_spec spec = {1, contacts, w, offset, phases};
    ck_assert_int_eq(sg_orbit_phases_create(&arena, &spec, &out, &err), SG_OK);
    return out;
}

/* the amplitude that shooting finds at the period that the closed form gives to it */
START_TEST(mass_that_strikes_springs)
{
    static const double amplitudes[2] = {0.6, 4};
    size_t contacts = (size_t)_i + 1;
    struct sg_orbit_phases *phases = mass_on_springs(contacts);
    struct sg_shooter shooter;
    struct sg_error err;
    SG_LOCAL_ARENA(own);
    ck_assert_int_eq(sg_shooter_init(&own, &shooter, phases, &err), SG_OK);
    for (size_t i = 0; i < 2; i++) {
        double w = 2, closed = sqrt(7), gap = 0.5, period;
        double v = w * sqrt(fmax(0, amplitudes[i] * amplitudes[i] - gap * gap));
        if (contacts == 1) {
            period = struck_period(w, closed, gap, amplitudes[i]);
        } else {
            /* both sides alike: four times from the middle to the turn; `amplitudes` is that of the free
             * oscillation that passes the middle as fast */
            double center = 6 * gap / 14;
            period = 4 * (asin(gap / amplitudes[i]) / w + atan2(v / closed, gap - center) / closed);
        }
        double turn =
            6 * gap / 14 + hypot(gap - 6 * gap / 14, v / closed); /* where a closed spring turns it */
        double start = contacts == 1 ? amplitudes[i] : turn;
        double away = phases->phase[0].phi[0] > 0 ? -1 : 1;
        double x = 1.05 * away * start * sqrt(2) * w;
        struct sg_shot shot = sg_shoot_half(&shooter, 1, period, &x);
        ck_assert_int_eq(shot.end, SG_SHOT_HIT);
        NEAR(fabs(shooter.u[0]), start, 1e-10 * start);
        ck_assert_uint_eq(shot.switches, contacts == 1 ? 1 : 2);
    }
}
END_TEST

/* --- continuation --------------------------------------------------------------------------------- */

/* half and whole period, mesh by mesh and with the filter: one orbit */
START_TEST(ways_agree)
{
    static const char *const ways[] = {MODES "};", MODES "shooting = \"full\"; };",
                                       MODES "continuation = \"meshes\"; meshes = [2]; };",
                                       MODES "filter = 3; };"};
    double energies[3] = {0};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        struct run run;
        struct sg_points points;
        struct kept kept;
        compute((const char *const[]){BAR("2"), STOP, SCHEME, ways[k], NULL}, &run, &points, &kept);
        ck_assert_uint_eq(kept.count, 3);
        for (size_t i = 0; i < 3; i++) {
            NEAR(of(&kept, i, "frequency_ratio"), 1.06 + 0.02 * (double)i, 1e-12);
            if (k == 0) energies[i] = of(&kept, i, "energy");
            NEAR(of(&kept, i, "energy"), energies[i], 1e-8 * energies[i]);
            ck_assert(of(&kept, i, "residual") < 1e-9);
            NEAR(of(&kept, i, "determinant"), 1, 1e-9);
            NEAR(of(&kept, i, "energy_jump_sum"), 0, 1e-9 * energies[i]);
            ck_assert(of(&kept, i, "piece") == 1 && of(&kept, i, "end") == 0);
        }
        release(&run, &points);
    }
}
END_TEST

/* energies rise along the branch, and those at equal frequencies are equal */
START_TEST(arclength_follows_the_branch)
{
    struct run run;
    struct sg_points points;
    struct kept kept;
    compute((const char *const[]){BAR("2"), STOP, SCHEME, MODES "continuation = \"arclength\"; }; ", NULL},
            &run, &points, &kept);
    ck_assert_uint_eq(kept.count, 3);
    double period = of(&kept, 2, "period"), energy = of(&kept, 2, "energy");
    ck_assert(period < of(&kept, 1, "period") && energy > of(&kept, 1, "energy"));
    release(&run, &points);
    char at[200];
    snprintf(at, sizeof at, "analysis = { type = \"nonsmooth-modes\"; periods = [%.17g]; };", period);
    compute((const char *const[]){BAR("2"), STOP, SCHEME, at, NULL}, &run, &points, &kept);
    NEAR(of(&kept, 0, "energy"), energy, 1e-8 * energy);
    release(&run, &points);
}
END_TEST

/* A branch of a bar between two springs: at some amplitude the swing back comes to the second one. There it
 * ends, told with a point of its own, and another piece begins, with more contacts. */
START_TEST(grazing_is_told)
{
    struct run run;
    struct sg_points points;
    struct kept kept;
    size_t i = 0;
    compute(
        (const char *const[]){BAR("2"),
                              "contacts = ( { type = \"wall\"; node = \"bar.right\"; side = \"upper\"; "
                              "gap = 0.01; stiffness = 2.0; }, { type = \"wall\"; node = \"bar.right\"; "
                              "gap = 0.011; stiffness = 2.0; } );"
                              "integrator = { type = \"exact\"; }; strategy = { type = \"event-driven\"; };"
                              "analysis = { type = \"nonsmooth-modes\"; from = 1.001; to = 1.05; "
                              "count = 40; };",
                              NULL},
        &run, &points, &kept);
    while (i < kept.count && of(&kept, i, "end") == 0) i++;
    ck_assert(i > 0 && i + 1 < kept.count && of(&kept, i, "end") == 1);
    ck_assert(of(&kept, i, "margin") < 1e-3 * 0.01);
    ck_assert(of(&kept, i, "switches") == 2 && of(&kept, i + 1, "switches") > 2);
    ck_assert(of(&kept, i + 1, "piece") == 2);
    release(&run, &points);
}
END_TEST

/* --- Newton's method ------------------------------------------------------------------------------ */

/* by a thousandth of its size, each time in another direction */
static void disturb(size_t n, int seed, double *x)
{
    double step[64], length = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        step[i] = sin(12.9898 * (double)(i + 1) + 78.233 * (double)(seed + 1));
        length += step[i] * step[i];
        size += x[i] * x[i];
    }
    for (size_t i = 0; i < n; i++) x[i] += 1e-3 * sqrt(size / length) * step[i];
}

/* how many of five disturbed starts lead back to the orbit at hand within 8 steps */
static int returns(struct sg_branch *branch)
{
    int back = 0;
    for (int seed = 0; seed < 5; seed++) {
        double x[64];
        memcpy(x, branch->x, branch->model.phases->n * sizeof *x);
        disturb(branch->filter, seed, x);
        struct sg_shot shot = sg_shoot_half(&branch->shooter, branch->filter, branch->period, x);
        bool same = shot.end == SG_SHOT_HIT && fabs(shot.energy / branch->shot.energy - 1) < 1e-9;
        back += same && shot.iterations <= 8;
    }
    return back;
}

/* Orbits of the smooth backbones. (A filter's own orbit is sought from that of a few modes, much farther
 * off.) */
START_TEST(newton_returns)
{
    static const char *const decks[] = {"nbm_modes_uniform", "nbm_modes_soft_support", "nbm_modes_heav",
                                        "nbm_modes_lin", "nbm_modes_quad"};
    static const double ratios[] = {1.03, 1.05, 1.1, 1.16, 1.2, 1.22, 1.25, 1.265};
    struct run run;
    struct sg_branch branch;
    SG_LOCAL_ARENA(own);
    run_read(&run, (const char *const[]){shipped(decks[_i]), NULL});
    struct sg_branch_rule rule = {.most = 14, .newton = 20};
    ck_assert_int_eq(sg_branch_init(&own, &branch, run.deck, &rule, &run.diagnostics, &run.err), SG_OK);
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; i++) {
        ck_assert_int_eq(sg_branch_start(&branch, 2 * acos(-1.0) / (branch.omega * ratios[i]), &run.err),
                         SG_OK);
        ck_assert(branch.found);
        ck_assert_int_eq(returns(&branch), 5);
    }
    run_release(&run);
}
END_TEST

/* --- loads that stay ------------------------------------------------------------------------------ */

#define SPRINGS(upper, lower)                                                                                \
    "contacts = ( { type = \"wall\"; node = \"bar.right\"; side = \"upper\"; stiffness = 2.0; gap = " upper  \
    "; }, { type = \"wall\"; node = \"bar.right\"; stiffness = 2.0; gap = " lower "; } );"                   \
    "integrator = { type = \"exact\"; }; strategy = { type = \"event-driven\"; };"

/* Gravity a holds the bar's end at a / 2, exactly so by quadratic elements: orbits, their energies and
 * stability are those of a bar without weight whose gaps are by so much smaller and larger. */
START_TEST(gravity_shifts_gaps)
{
    static const char *const columns[] = {"energy", "energy_ratio", "contact_time", "multiplier_largest"};
    const char *const analysis =
        "analysis = { type = \"nonsmooth-modes\"; from = 1.02; to = 1.06; count = 3; };";
    struct run runs[2];
    struct sg_points points[2];
    static struct kept kept[2];
    compute((const char *const[]){BAR("2"), SPRINGS("0.014", "0.02"),
                                  "loads = ( { type = \"gravity\"; acceleration = 0.008; } );", analysis,
                                  NULL},
            &runs[0], &points[0], &kept[0]);
    compute((const char *const[]){BAR("2"), SPRINGS("0.01", "0.024"), analysis, NULL}, &runs[1], &points[1],
            &kept[1]);
    ck_assert_uint_eq(kept[0].count, 3);
    for (size_t i = 0; i < 3; i++)
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            double with = of(&kept[0], i, columns[c]), without = of(&kept[1], i, columns[c]);
            ck_assert(without > 0);
            /* multipliers on the unit circle: the defective pair at 1 moves by the root of rounding */
            NEAR(with, without, (c == 3 ? 1e-5 : 1e-8) * without);
        }
    for (size_t k = 0; k < 2; k++) release(&runs[k], &points[k]);
}
END_TEST

/* --- stopping ------------------------------------------------------------------------------------- */

static void check_resumed(const char *analysis)
{
    struct run run;
    struct sg_points points;
    static struct kept whole, parts;
    struct sg_archive memory = {0};
    const char *const texts[] = {BAR("2"), STOP, SCHEME, analysis, NULL};
    const struct sg_observer observer = {.self = &parts, .point = keep};
    compute(texts, &run, &points, &whole);
    sg_points_destroy(&points);
    parts = (struct kept){.stop_after = 2};
    create(&points, &run, &parts);
    struct sg_points_pause pause = {&parts, stop}, none = {0};
    ck_assert_int_eq(sg_points_run(&points, &observer, &pause, &run.err), SG_INTERRUPTED);
    sg_archive_rewind(&memory);
    points.ops->archive(&points, &memory);
    sg_points_destroy(&points);
    create(&points, &run, &parts);
    memory.loading = true;
    memory.cursor = 0;
    points.ops->archive(&points, &memory);
    ck_assert_int_eq(sg_archive_finish(&memory, &run.err), SG_OK);
    ck_assert_int_eq(sg_points_run(&points, &observer, &none, &run.err), SG_OK);
    ck_assert_uint_eq(parts.count, whole.count);
    size_t width = sg_point_width(parts.columns, parts.column_count);
    for (size_t i = 0; i < whole.count; i++)
        ck_assert(memcmp(parts.rows[i], whole.rows[i], width * sizeof(double)) == 0);
    sg_archive_release(&memory);
    release(&run, &points);
}

/* bit by bit the same */
START_TEST(a_branch_can_be_resumed)
{
#define RANGE "analysis = { type = \"nonsmooth-modes\"; from = 1.05; to = 1.15; "
    static const char *const analyses[] = {RANGE "count = 5; };", RANGE "count = 5; filter = \"auto\"; };",
                                           RANGE "count = 5; shooting = \"full\"; };",
                                           RANGE "count = 6; continuation = \"arclength\"; };"};
    check_resumed(analyses[_i]);
}
END_TEST

/* --- what is told --------------------------------------------------------------------------------- */

START_TEST(the_motion_is_sampled)
{
    struct run run;
    struct sg_points points;
    struct kept kept;
    compute((const char *const[]){BAR("2"), STOP, SCHEME, MODES "samples = 9; };", NULL}, &run, &points,
            &kept);
    size_t displacement = 0, time = 0, closed = 0;
    for (size_t k = 0; k < kept.column_count; k++) {
        size_t at = sg_point_width(kept.columns, k);
        if (strcmp(kept.columns[k].name, "motion/displacement") == 0) displacement = at;
        if (strcmp(kept.columns[k].name, "motion/time") == 0) time = at;
        if (strcmp(kept.columns[k].name, "motion/closed") == 0) closed = at;
    }
    const double *row = kept.rows[1];
    NEAR(row[time + 8], of(&kept, 1, "period"), 1e-12);
    ck_assert(row[closed] == 0 && row[closed + 4] == 1 && row[closed + 8] == 0);
    for (size_t i = 0; i < 5; i++) {
        /* it closes; and goes back as it came */
        NEAR(row[displacement + 8 * 5 + i], row[displacement + i], 1e-10);
        NEAR(row[displacement + 6 * 5 + i], row[displacement + 2 * 5 + i], 1e-10);
    }
    NEAR(row[displacement + 4 * 5 + 4], 0.01, 1e-15); /* the end rests at the stop */
    release(&run, &points);
}
END_TEST

static void refuses(const char *const *texts, const char *words)
{
    struct run run;
    struct sg_points points = {0};
    read_parts(&run, texts);
    ck_assert_int_eq(sg_points_create(&points, run.deck, &run.diagnostics, &run.err), SG_BAD_DECK);
    bool told = false;
    for (size_t i = 0; i < run.diagnostics.count; i++)
        told = told || strstr(run.diagnostics.items[i].message, words) != NULL;
    ck_assert_msg(told, "not told: %s; but: %s", words,
                  run.diagnostics.count > 0 ? run.diagnostics.items[0].message : "nothing");
    sg_points_destroy(&points);
    run_release(&run);
}

START_TEST(what_makes_no_sense_is_refused)
{
    static const struct {
        const char *contacts, *scheme, *analysis, *words;
    } wrong[] = {
        {STOP, SCHEME, MODES "filter = 0; };", "no orbit is made of 0 modes"},
        {STOP, SCHEME, MODES "mode = 2; filter = 1; };", "leave out mode 2"},
        {STOP, SCHEME, MODES "filter = 2; shooting = \"full\"; };", "takes all modes"},
        {STOP, SCHEME, MODES "continuation = \"meshes\"; };", "needs `meshes`"},
        {STOP, SCHEME, MODES "meshes = [2]; };", "is used with continuation"},
        {STOP, SCHEME, MODES "continuation = \"meshes\"; meshes = [4, 2]; };", "rise"},
        {STOP, SCHEME, MODES "continuation = \"arclength\"; at = [1.1]; };", "give `from` and `to`"},
        {STOP, SCHEME, MODES "at = [1.1]; periods = [3.8]; };", "not both"},
        {STOP, SCHEME, MODES "mode = 99; };", "no mode 99"},
        {STOP, "integrator = { type = \"exact\"; }; strategy = { type = \"event-driven\"; };", MODES "};",
         "no stiffness"},
        {STOP, "integrator = { type = \"trapezoidal\"; }; strategy = { type = \"nbm\"; };", MODES "};",
         "needs integrator 'exact'"},
        {STOP, "integrator = { type = \"theta\"; }; strategy = { type = \"time-stepping\"; };", MODES "};",
         "needs strategy 'nbm' or 'event-driven'"},
        {"", SCHEME, MODES "};", "needs one contact, not 0"},
        {"contacts = ( { type = \"wall\"; node = \"bar.right\"; side = \"upper\"; gap = 0.0; } );", SCHEME,
         MODES "};", "has no gap"},
        {STOP "damping = { mass = 0.1; };", SCHEME, MODES "};", "damped"},
        {STOP "loads = ( { type = \"gravity\"; acceleration = 0.03; } );", SCHEME, MODES "};",
         "is closed where"},
        {SPRINGS("0.01", "0.01"), "loads = ( { type = \"gravity\"; acceleration = -0.03; } );", MODES "};",
         "is closed where"},
        {"contacts = ( { type = \"wall\"; node = \"bar.right\"; side = \"upper\"; gap = 1e-160; } );", SCHEME,
         MODES "};", "beyond the real numbers"},
        {"contacts = ( { type = \"wall\"; node = \"bar.right\"; side = \"upper\"; gap = 1e160; } );", SCHEME,
         MODES "};", "beyond the real numbers"},
        {STOP, SCHEME, MODES "continuation = \"meshes\"; meshes = [2000]; };", "3000 free dofs at most"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuses((const char *const[]){BAR("2"), wrong[i].contacts, wrong[i].scheme, wrong[i].analysis, NULL},
                wrong[i].words);
}
END_TEST

/* a bar and a ball that it meets: how the ball would be carried from mesh to mesh is not known */
START_TEST(only_bars_are_refined)
{
    static const char *const bodies =
        "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; area = 1.0; density = 1.0; modulus = "
        "1.0; "
        "elements = 2; }, { type = \"particles\"; name = \"ball\"; masses = [1.0]; positions = [1.1]; "
        "springs = ( "
        "{ node = 0; stiffness = 1.0; } ); } ); supports = ( { node = \"bar.left\"; } ); contacts = ( { type "
        "= "
        "\"pair\"; nodes = [\"bar.right\", \"ball\"]; gap = 0.1; stiffness = 1.0; } ); integrator = { type = "
        "\"exact\"; }; strategy = { type = \"event-driven\"; };";
    refuses((const char *const[]){bodies, MODES "continuation = \"meshes\"; meshes = [2, 4]; };", NULL},
            "only bars can be refined");
}
END_TEST

Suite *sg_suite_nonsmooth_modes(void)
{
    Suite *suite = suite_create("nonsmooth_modes");
    TCase *tcase = tcase_create("nonsmooth_modes");
    tcase_add_checked_fixture(tcase, NULL, release_arena);
    tcase_add_loop_test(tcase, mass_that_strikes_springs, 0, 2);
    tcase_add_test(tcase, ways_agree);
    tcase_add_test(tcase, arclength_follows_the_branch);
    tcase_add_test(tcase, grazing_is_told);
    tcase_add_loop_test(tcase, newton_returns, 0, 5);
    tcase_add_test(tcase, gravity_shifts_gaps);
    tcase_add_test(tcase, only_bars_are_refined);
    tcase_add_loop_test(tcase, a_branch_can_be_resumed, 0, 4);
    tcase_add_test(tcase, the_motion_is_sampled);
    tcase_add_test(tcase, what_makes_no_sense_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
