/* Surface contact: the nearest place of a chain of segments, and bodies with non-matching meshes in contact.
 */
#include <stdio.h>

#include "contact/gaps/gap.h"
#include "contact/gaps/polyline.h"
#include "model/plane_element.h"
#include "run_fixture.h"

/* --- the nearest place ---------------------------------------------------------------------------- */

enum { MOST = 40 };

/* a chain by hand, its nodes free dofs 0, 1, 2 ..; closed: the last node joins the first */
struct chain {
    struct sg_surface surface;
    struct sg_segment segments[MOST];
    size_t node[MOST], dof[2 * MOST];
    double reference[2 * MOST];
};

static void make_chain(struct chain *chain, const double (*at)[2], size_t nodes, bool closed)
{
    size_t count = closed ? nodes : nodes - 1;
    *chain = (struct chain){0};
    for (size_t i = 0; i < nodes; i++) {
        chain->node[i] = i;
        for (size_t d = 0; d < 2; d++) {
            chain->dof[2 * i + d] = 2 * i + d;
            chain->reference[2 * i + d] = at[i][d];
        }
    }
    for (size_t k = 0; k < count; k++)
        chain->segments[k] = (struct sg_segment){{k, (k + 1) % nodes},
                                                 k > 0    ? k - 1
                                                 : closed ? count - 1
                                                          : SIZE_MAX,
                                                 k + 1 < count ? k + 1
                                                 : closed      ? 0
                                                               : SIZE_MAX};
    chain->surface = (struct sg_surface){.node_count = nodes,
                                         .node = chain->node,
                                         .dof = chain->dof,
                                         .reference = chain->reference,
                                         .count = count,
                                         .segments = chain->segments};
}

/* counter-clockwise, with corners that jut out and that go in, and joints that are straight */
static const double outline[][2] = {{0, 0},   {1, 0},   {2, 0},     {2, 1},      {1.5, 1},   {1, 0.4},
                                    {0.7, 1}, {0.3, 1}, {0.3, 1.5}, {-0.2, 1.2}, {-0.1, 0.6}};
enum { OUTLINE = sizeof outline / sizeof outline[0] };

/* even-odd rule: whether the point is inside, independent of distances */
static bool is_inside(const double p[2])
{
    bool inside = false;
    for (size_t i = 0, j = OUTLINE - 1; i < OUTLINE; j = i++) {
        const double *a = outline[i], *b = outline[j];
        if ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0])
            inside = !inside;
    }
    return inside;
}

/* by 20000 points on each side: good to the square of half their distance over the depth, or to it */
static double coarse_distance(const double p[2])
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < OUTLINE; i++)
        for (size_t k = 0; k <= 20000; k++) {
            const double *a = outline[i], *b = outline[(i + 1) % OUTLINE];
            double s = (double)k / 20000;
            least = fmin(least, hypot(a[0] + s * (b[0] - a[0]) - p[0], a[1] + s * (b[1] - a[1]) - p[1]));
        }
    return least;
}

START_TEST(is_the_signed_distance)
{
    struct chain chain;
    unsigned long long seed = 7;
    make_chain(&chain, outline, OUTLINE, true);
    for (int i = 0; i < 300; i++) {
        double p[2] = {0.9 + 1.5 * run_random(&seed), 0.7 + 1.2 * run_random(&seed)};
        struct sg_surface_place place;
        sg_surface_find(&chain.surface, NULL, p, &place);
        NEAR(fabs(place.gap), coarse_distance(p), 5e-5); /* half the distance of points */
        ck_assert_int_eq(place.gap < 0, is_inside(p));
    }
}
END_TEST

/* A distance never changes faster than its point moves, nor does it at joints. */
START_TEST(has_no_jump)
{
    struct chain chain;
    unsigned long long seed = 11;
    make_chain(&chain, outline, OUTLINE, true);
    for (int i = 0; i < 200000; i++) {
        /* near a node of the outline, where segments meet */
        const double *corner = outline[(size_t)i % OUTLINE];
        double size = pow(10, -6 + 6 * fabs(run_random(&seed))), step = size * 1e-3;
        double p[2] = {corner[0] + size * run_random(&seed), corner[1] + size * run_random(&seed)};
        double q[2] = {p[0] + step * run_random(&seed), p[1] + step * run_random(&seed)};
        struct sg_surface_place at_p, at_q;
        sg_surface_find(&chain.surface, NULL, p, &at_p);
        sg_surface_find(&chain.surface, NULL, q, &at_q);
        /* 1e-15: rounding of coordinates around 1 */
        BELOW(fabs(at_p.gap - at_q.gap), hypot(p[0] - q[0], p[1] - q[1]) * (1 + 1e-9) + 1e-15);
        NEAR(hypot(at_p.normal[0], at_p.normal[1]), 1.0, 1e-14);
    }
}
END_TEST

/* g = d/dp along the normal: by central differences, where the nearest place is certain */
START_TEST(normal_is_the_gradient)
{
    struct chain chain;
    unsigned long long seed = 3;
    make_chain(&chain, outline, OUTLINE, true);
    for (int i = 0; i < 2000; i++) {
        double p[2] = {0.9 + 1.5 * run_random(&seed), 0.7 + 1.2 * run_random(&seed)}, h = 1e-6;
        struct sg_surface_place place, up, down;
        sg_surface_find(&chain.surface, NULL, p, &place);
        for (size_t d = 0; d < 2 && place.gap > 1e-3; d++) {
            double a[2] = {p[0], p[1]}, b[2] = {p[0], p[1]};
            a[d] += h;
            b[d] -= h;
            sg_surface_find(&chain.surface, NULL, a, &up);
            sg_surface_find(&chain.surface, NULL, b, &down);
            /* outside of a body that is not convex two places may be equally near: not there */
            if (fabs(up.normal[0] - down.normal[0]) + fabs(up.normal[1] - down.normal[1]) > 0.01) continue;
            NEAR((up.gap - down.gap) / (2 * h), place.normal[d], 1e-6); /* h^2 / gap^2 / 6 */
        }
    }
}
END_TEST

/* Over a straight joint, at it and at rounding's distance of it, the normal stays that of the segments. */
START_TEST(straight_joints_are_not_felt)
{
    static const double line[][2] = {{2, 1}, {1.3, 1}, {0.4, 1}, {0, 1}}; /* top of a body, right to left */
    struct chain chain;
    make_chain(&chain, line, 4, false);
    for (int k = -20; k <= 20; k++)
        for (int depth = -3; depth <= 3; depth++) {
            double p[2] = {1.3 + k * 0x1p-52, 1 + depth * 0x1p-51};
            struct sg_surface_place place;
            sg_surface_find(&chain.surface, NULL, p, &place);
            NEAR(place.gap, p[1] - 1, 0.0);
            NEAR(place.normal[0], 0.0, 0.0);
            NEAR(place.normal[1], 1.0, 0.0);
        }
}
END_TEST

START_TEST(beyond_an_end_it_is_open)
{
    static const double line[][2] = {{2, 1}, {1, 1}};
    struct chain chain;
    struct sg_surface_place place;
    make_chain(&chain, line, 2, false);
    sg_surface_find(&chain.surface, NULL, (const double[]){2.3, 0.6}, &place);
    ck_assert(place.beyond);
    NEAR(place.gap, 0.5, 1e-15);
    sg_surface_find(&chain.surface, NULL, (const double[]){1.5, 0.6}, &place);
    ck_assert(!place.beyond);
    NEAR(place.gap, -0.4, 1e-15);
    /* on the end, to rounding */
    sg_surface_find(&chain.surface, NULL, (const double[]){2 + 0x1p-51, 0.6}, &place);
    ck_assert(!place.beyond);
    NEAR(place.gap, -0.4, 1e-15);
}
END_TEST

START_TEST(survives_any_place)
{
    struct chain chain;
    static const double values[] = {0, 1, -1, 1e-320, 1e300, -1.7e308, 0.3};
    enum { VALUES = sizeof values / sizeof values[0] };
    make_chain(&chain, outline, OUTLINE, true);
    double u[2 * OUTLINE] = {0};
    unsigned long long seed = 5;
    for (int i = 0; i < 5000; i++) {
        double p[2];
        for (size_t d = 0; d < 2; d++) p[d] = values[(size_t)(fabs(run_random(&seed)) * VALUES) % VALUES];
        for (size_t d = 0; d < 2 * OUTLINE; d++)
            u[d] = values[(size_t)(fabs(run_random(&seed)) * VALUES) % VALUES];
        struct sg_surface_place place;
        sg_surface_find(&chain.surface, u, p, &place);
        ck_assert_uint_lt(place.segment, OUTLINE);
        NEAR(hypot(place.normal[0], place.normal[1]), 1.0, 1e-14);
        ck_assert(place.fraction >= 0 && place.fraction <= 1);
    }
}
END_TEST

/* --- bodies --------------------------------------------------------------------------------------- */

#define BLOCK(name, x, y, width, cells, element)                                                             \
    "{ type = \"plane\"; name = \"" name "\"; width = " width "; height = 0.5; nx = " cells                  \
    "; ny = 2; element = \"" element "\"; position = [" x ", " y "]; modulus = 1e4; poisson = 0.3;"          \
    " density = 10.0; }"
#define TOUCH(more)                                                                                          \
    "contacts = ( { type = \"surface\"; slave = \"upper.bottom\"; master = \"lower.top\"; " more " } );"
#define THETA(level)    "integrator = { type = \"theta\"; theta = " level "; };"
#define VELOCITY        "strategy = { type = \"time-stepping\"; level = \"velocity\"; };"
#define TRAPEZOIDAL     "integrator = { type = \"trapezoidal\"; };"
#define POSITION        "strategy = { type = \"time-stepping\"; level = \"position\"; };"
#define TIME(end, step) "time = { end = " end "; step = " step "; };"

/* Forces of each contact on its three nodes balance, moments about the origin too, whatever the
 * configuration: of random displacements, frames filled over and over, prescribed dofs counted by
 * differences. */
static void check_balance(const struct run *run, const double *u, const struct sg_contact_frame *frame)
{
    const struct sg_system *system = run->job.system;
    const double *x = system->labels.node_positions;
    for (size_t j = 0; j < run->job.contacts->q; j++) {
        double force[2] = {0}, moment = 0;
        const struct sg_columns *w = frame->normal;
        for (size_t e = w->start[j]; e < w->start[j + 1]; e++) {
            size_t full = system->free_dof[w->row[e]], other = full ^ 1;
            double at = x[other] + u[system->free_of_full[other]];
            force[full % 2] += w->value[e];
            moment += (full % 2 == 1 ? at : -at) * w->value[e];
        }
        /* roundings of forces of 1 at places around 1 */
        BELOW(fabs(force[0]), 1e-14);
        BELOW(fabs(force[1]), 1e-14);
        BELOW(fabs(moment), 1e-14);
    }
}

START_TEST(forces_and_moments_balance)
{
    struct run run;
    struct sg_contact_frame frame;
    PREPARE(&run, "bodies = ( " BLOCK("lower", "0.0", "0.0", "2.0", "5", "quad8") ", " BLOCK(
                      "upper", "0.3", "0.5", "1.0", "3", "tri6") " );" TOUCH("friction = 0.3;") THETA("0.5")
                      VELOCITY TIME("1.0", "1.0"));
    const struct sg_contact_set *set = run.job.contacts;
    ck_assert_uint_eq(set->q, 7);
    ck_assert(!set->affine);
    ck_assert_int_eq(sg_contact_frame_init(&frame, set, &run.err), SG_OK);
    size_t n = run.job.system->n;
    double *u = calloc(n, sizeof *u), *moved = calloc(n, sizeof *moved);
    unsigned long long seed = 17;
    for (int k = 0; k < 200; k++) {
        for (size_t i = 0; i < n; i++) u[i] = 0.02 * run_random(&seed);
        sg_contact_set_place(set, 0.0, u, &frame);
        check_balance(&run, u, &frame);
        /* the column is the gap's derivative: a third is the error of second order of 1e-6 */
        for (size_t i = 0; i < n; i++) moved[i] = u[i] + 1e-6 * run_random(&seed);
        for (size_t j = 0; j < set->q; j++) {
            double change = sg_columns_dot(frame.normal, j, moved) - sg_columns_dot(frame.normal, j, u);
            double gap = sg_contact_set_gap(set, j, 0.0, moved);
            NEAR(gap - frame.gap[j], change, 1e-9);
        }
    }
    free(u);
    free(moved);
    sg_contact_frame_release(&frame);
    run_release(&run);
}
END_TEST

/* Two free blocks strike each other: total momentum stays to rounding, e = 0 takes energy, never makes it. */
START_TEST(impact_keeps_momentum)
{
    static const char *const laws[] = {THETA("0.5") VELOCITY, TRAPEZOIDAL POSITION,
                                       TRAPEZOIDAL "strategy = { type = \"penalty\"; };"};
    static const char *const elements[] = {BLOCK("lower", "0.0", "0.0", "2.0", "5", "quad4") ", " BLOCK(
                                               "upper", "0.3", "0.52", "1.0", "4", "quad4"),
                                           BLOCK("lower", "0.0", "0.0", "2.0", "5", "quad9") ", " BLOCK(
                                               "upper", "0.3", "0.52", "1.0", "3", "tri3")};
    char deck[4096];
    struct run run;
    snprintf(deck, sizeof deck,
             "bodies = ( %s ); initial = ( { body = \"upper\"; velocity_vector = [0.1, -1.0]; } );" TOUCH(
                 "%s") "%s" TIME("0.1", "0.5e-3"),
             elements[_i / 3], _i % 3 == 2 ? "stiffness = 1e4;" : "", laws[_i % 3]);
    RUN(&run, deck);
    double worst = 0, most = 0;
    size_t touching = 0;
    for (size_t k = 0; k < run.count; k++) {
        const struct sg_system *system = run.job.system;
        double *v = calloc(system->n, sizeof *v), p[2] = {0};
        for (size_t i = 0; i < system->n; i++)
            for (size_t d = 0; d < 2; d++)
                p[d] += system->momentum[d * system->n + i] * run.rows[k].v[system->free_dof[i]];
        free(v);
        /* 5 kg at (0.1, -1) m/s; 1e-12: rounding of 200 steps with forces of 100 N */
        worst = fmax(worst, fmax(fabs(p[0] - 0.5), fabs(p[1] + 5.0)));
        for (size_t j = 0; j < run.job.contacts->q; j++) touching += run.rows[k].force[j] > 0;
        most = fmax(most, run.rows[k].kinetic + run.rows[k].strain);
    }
    ck_assert_uint_gt(touching, 10);
    BELOW(worst, 1e-12);
    if (_i % 3 == 0) BELOW(most, run.rows[0].kinetic * (1 + 1e-12));
    run_release(&run);
}
END_TEST

/* A particle slides over the joints of a surface that does not move: straight on, under its own weight. */
START_TEST(slides_over_joints)
{
    struct run run;
    RUN(&run,
        "bodies = ( " BLOCK(
            "lower", "0.0", "0.0", "2.0", "5",
            "quad9") ", { type = \"particles\"; name = \"p\"; "
                     "dim = 2; positions = [0.05, 0.5]; masses = [2.0]; } );"
                     "supports = ( { node = \"lower.top\"; }, { node = \"lower.bottom\"; } );"
                     "loads = ( { type = \"gravity\"; acceleration = -10.0; } );"
                     "initial = ( { body = \"p\"; velocity_vector = [1.0, 0.0]; } );"
                     "contacts = ( { type = \"surface\"; slave = \"p\"; master = \"lower.top\"; } );" THETA(
                         "0.5") VELOCITY TIME("1.8", "1e-3"));
    size_t x = run.job.system->n_full - 2, y = x + 1;
    for (size_t k = 0; k < run.count; k++) {
        /* 1800 roundings of 1e-16 */
        NEAR(run.rows[k].v[x], 1.0, 1e-12);
        NEAR(run.rows[k].u[y], 0.0, 1e-12);
        if (k > 0) NEAR(run.rows[k].force[0], 20.0, 1e-9);
    }
    NEAR(run_last(&run)->u[x], 1.8, 1e-12);
    run_release(&run);
}
END_TEST

/* --- pressed together ----------------------------------------------------------------------------- */

/* Two blocks of width 1, pressed by 10 Pa on the upper one's top (consistent forces of its quad4); Newmark
 * with damping and long steps comes to rest at the static solution. */
struct press {
    const char *lower, *upper; /* bodies */
    size_t cells;              /* of the upper one along x */
    const char *contact;       /* more words */
};

static void press(struct run *run, const struct press *p)
{
    char deck[6000], load[400];
    snprintf(deck, sizeof deck,
             "bodies = ( %s, %s ); supports = ( { node = \"lower.bottom\"; axes = \"y\"; }, { node = "
             "\"lower.0\"; axes = \"x\"; }, { node = \"upper.0\"; axes = \"x\"; } );" TOUCH(
                 "%s") "integrator = { type = \"newmark\"; beta = 0.5; gamma = 0.9; }; strategy = { type = "
                       "\"time-stepping\"; level = \"position\"; };" TIME("60.0", "0.5") "loads = (",
             p->lower, p->upper, p->contact);
    for (size_t k = 0; k <= p->cells; k++) {
        double share = (k == 0 || k == p->cells ? 0.5 : 1.0) / (double)p->cells;
        snprintf(load, sizeof load,
                 "%s { type = \"force\"; node = \"upper.%zu\"; direction = [0.0, 1.0]; signal = { type = "
                 "\"constant\"; value = %.17g; }; }",
                 k == 0 ? "" : ",", 2 * (p->cells + 1) + k, -10.0 * share);
        strcat(deck, load);
    }
    strcat(deck, " );");
    RUN(run, deck);
}

/* of the contact forces at the end: their sum, and their moment about x = 0 */
static void add_up(const struct run *run, double *force, double *moment)
{
    const struct sg_contact_set *set = run->job.contacts;
    *force = *moment = 0;
    for (size_t j = 0; j < set->q; j++) {
        double f = run_last(run)->force[j];
        *force += f;
        *moment += f * set->gaps[j].reference[0];
    }
}

/* largest relative error of the vertical stress, -10 Pa, at the centers of elements */
static double patch_error(const struct run *run)
{
    const struct sg_plane_elements *plane = sg_plane_elements_of(&run->job.system->aspects);
    double worst = 0;
    for (size_t k = 0; k < plane->count; k++) {
        const struct sg_plane_element *element = &plane->items[k];
        double x[SG_PLANE_DOFS], u[SG_PLANE_DOFS], stress[SG_PLANE_STRESSES];
        for (size_t i = 0; i < 8; i++) {
            x[i] = run->job.system->labels.node_positions[2 * element->node[i / 2] + i % 2];
            u[i] = run_last(run)->u[2 * element->node[i / 2] + i % 2];
        }
        struct sg_plane_place center = {.shape = element->shape, .x = x, .u = u};
        sg_plane_stress_at(&center, &plane->materials[element->material], stress);
        worst = fmax(worst, fabs(stress[1] + 10) / 10);
    }
    return worst;
}

#define LOWER(cells) BLOCK("lower", "0.0", "0.0", "1.0", cells, "quad4")
#define UPPER(cells) BLOCK("upper", "0.0", "0.5", "1.0", cells, "quad4")

/* Forces and moments of the whole are met exactly by any two meshes. The uniform pressure of the patch test
 * is met where the master's nodes face nodes of the slave; else one pass over the slave's nodes distributes
 * it by their places: 5 to 7 percent of it are wrong in the elements beside the surface here, over a reach
 * that shrinks with these (docs/meshes.md). Limits: what was found, rounded up; and below, so that the page
 * stays true. */
START_TEST(pressure)
{
    static const struct {
        struct press press;
        double least, most;
    } cases[] = {
        {{LOWER("4"), UPPER("8"), 8, "geometry = \"reference\";"}, 0, 1e-11}, /* 120 steps of rounding */
        {{LOWER("4"), UPPER("4"), 4, "geometry = \"reference\";"}, 0, 1e-11},
        {{LOWER("3"), UPPER("4"), 4, "geometry = \"reference\";"}, 0.03, 0.06},
        {{LOWER("4"), UPPER("3"), 3, "geometry = \"reference\";"}, 0.03, 0.08},
        {{LOWER("12"), UPPER("16"), 16, "geometry = \"reference\";"}, 0.005, 0.06},
        /* normals of the deformed surface */
        {{LOWER("4"), UPPER("8"), 8, "overhang = 0.1;"}, 0, 1e-3},
        {{LOWER("3"), UPPER("4"), 4, "overhang = 0.1;"}, 0.03, 0.06},
    };
    struct run run;
    double force, moment, error;
    press(&run, &cases[_i].press);
    add_up(&run, &force, &moment);
    error = patch_error(&run);
    bool reference = cases[_i].least == 0 ? _i < 2 : _i < 5;
    /* rounding of 120 steps; deformed normals: their cosines, 1e-7 */
    NEAR(force, 10.0, reference ? 1e-12 : 1e-6);
    NEAR(moment, 5.0, reference ? 1e-12 : 1e-2);
    BELOW(error, cases[_i].most);
    BELOW(cases[_i].least, error);
    run_release(&run);
}
END_TEST

/* a node that slides off by rounding or the deformation is open, unless the surface goes on */
START_TEST(overhang_goes_on)
{
    struct run with, without;
    press(&with, &(struct press){LOWER("4"), UPPER("4"), 4, "overhang = 0.1;"});
    press(&without, &(struct press){LOWER("4"), UPPER("4"), 4, "overhang = 0.0;"});
    ck_assert_double_eq(run_last(&without)->force[0], 0.0);
    for (size_t j = 0; j < 5; j++) {
        /* matching nodes: the consistent forces of the pressure, to the tilt of normals */
        NEAR(run_last(&with)->force[j], j == 0 || j == 4 ? 1.25 : 2.5, 1e-3);
    }
    run_release(&with);
    run_release(&without);
}
END_TEST

Suite *sg_suite_surface(void);
Suite *sg_suite_surface(void)
{
    Suite *suite = suite_create("surface");
    TCase *place = tcase_create("place"), *bodies = tcase_create("bodies");
    tcase_add_test(place, is_the_signed_distance);
    tcase_add_test(place, has_no_jump);
    tcase_add_test(place, normal_is_the_gradient);
    tcase_add_test(place, straight_joints_are_not_felt);
    tcase_add_test(place, beyond_an_end_it_is_open);
    tcase_add_test(place, survives_any_place);
    tcase_add_test(bodies, forces_and_moments_balance);
    tcase_add_loop_test(bodies, impact_keeps_momentum, 0, 6);
    tcase_add_test(bodies, slides_over_joints);
    tcase_add_loop_test(bodies, pressure, 0, 7);
    tcase_add_test(bodies, overhang_goes_on);
    suite_add_tcase(suite, place);
    suite_add_tcase(suite, bodies);
    return suite;
}
