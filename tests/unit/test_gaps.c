/* Gap functions at a configuration: gradients against differences, tangents, balance of forces and moments,
 * values by hand, ends and degenerate places. */
#include "gap_fixture.h"

Suite *sg_suite_gaps(void);

/* --- gradients ------------------------------------------------------------------------------------ */

struct sample {
    size_t dim;
    const char *contact;
    bool balanced; /* no obstacle: forces sum to zero */
    bool moments;  /* and have no moment */
};

static const struct sample samples[] = {
    {1, "{ type = \"wall\"; node = \"p.0\"; gap = 5.0; }", false, false},
    {1, "{ type = \"wall\"; node = \"p.0\"; position = 5.0; side = \"upper\"; }", false, false},
    {1, "{ type = \"pair\"; nodes = [\"p.1\", \"p.2\"]; }", true, false},
    {1, "{ type = \"plane\"; node = \"p.0\"; normal = [-2.0]; point = [3.0]; " MOVES " }", false, false},
    {1,
     "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; geometry = \"reference\"; fraction "
     "= "
     "0.25; gap = 0.01; }",
     true, false},
    {2, "{ type = \"plane\"; node = \"p.0\"; normal = [1.0, 2.0]; point = [-3.0, -1.0]; }", false, false},
    {2, "{ type = \"plane\"; node = \"p.0\"; normal = [0.3, -0.4]; gap = 0.5; " MOVES " }", false, false},
    {2, "{ type = \"circle\"; node = \"p.0\"; center = [0.1, 0.4]; radius = 3.0; inside = true; }", false,
     false},
    {2, "{ type = \"circle\"; node = \"p.0\"; center = [0.1, 0.4]; radius = 0.01; }", false, false},
    {2, "{ type = \"nodes\"; nodes = [\"p.3\", \"p.1\"]; distance = 0.2; }", true, true},
    {2, "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; }", true, true},
    {2,
     "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.2\", \"p.1\"]; side = \"right\"; distance = 0.05; "
     "}",
     true, true},
    {2,
     "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; geometry = \"reference\"; gap = "
     "0.01; }",
     true, false},
    {3,
     "{ type = \"plane\"; node = \"p.0\"; normal = [1.0, 2.0, -0.5]; point = [-3.0, -1.0, 0.0]; " MOVES " }",
     false, false},
    {3, "{ type = \"sphere\"; node = \"p.0\"; center = [0.1, 0.4, 0.7]; radius = 3.0; inside = true; }",
     false, false},
    {3, "{ type = \"sphere\"; node = \"p.0\"; center = [0.1, 0.4, 0.7]; radius = 0.01; }", false, false},
    {3, "{ type = \"nodes\"; nodes = [\"p.3\", \"p.1\"]; distance = 0.2; }", true, true},
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

/* Fourth-order differences with steps of 1e-3 over lengths of about 1: errors of 1e-12 from the fifth
 * derivative, which grows as distances shrink to 0.1 by five powers, and of 1e-13 from rounding. */
static void check_gradient(const struct trial *t, double time, const double *u,
                           const struct sg_contact_frame *frame)
{
    const double step = 1e-3, tolerance = 1e-7;
    double x[DOFS];
    memcpy(x, u, sizeof x);
    for (size_t i = 0; i < t->system.n; i++) {
        double g[4];
        static const double shift[] = {-2, -1, 1, 2};
        for (int k = 0; k < 4; k++) {
            x[i] = u[i] + shift[k] * step;
            g[k] = sg_contact_set_gap(t->set, 0, time, x);
        }
        x[i] = u[i];
        NEAR((8 * (g[2] - g[1]) - (g[3] - g[0])) / (12 * step), entry(frame->normal, 0, i), tolerance);
    }
}

/* dg/dt by central differences of a sine of about 1 rad/s: error 1e-8 */
static void check_drift(const struct trial *t, double time, const double *u,
                        const struct sg_contact_frame *frame)
{
    const double step = 1e-4;
    double before = sg_contact_set_gap(t->set, 0, time - step, u),
           after = sg_contact_set_gap(t->set, 0, time + step, u);
    NEAR((after - before) / (2 * step), frame->drift[0], 1e-7);
    ck_assert(t->set->gaps[0].moves == (frame->drift[0] != 0.0));
}

/* how far the projection of a segment's node is from an end, in lengths; large for other kinds */
static double switch_distance(const struct trial *t, const double *u)
{
    const struct sg_gap *gap = &t->set->gaps[0];
    if (gap->node_count < 3 || gap->straight) return 1.0;
    double x[6], a[2], r[2];
    for (size_t i = 0; i < 6; i++) x[i] = gap->reference[i] + u[gap->dof[i]];
    for (size_t d = 0; d < 2; d++) {
        a[d] = x[4 + d] - x[2 + d];
        r[d] = x[d] - x[2 + d];
    }
    double z = (a[0] * r[0] + a[1] * r[1]) / (a[0] * a[0] + a[1] * a[1]);
    return fmin(fabs(z), fabs(z - 1.0));
}

START_TEST(gradient_is_the_derivative)
{
    const struct sample *sample = &samples[_i];
    struct world world = square(sample->dim);
    struct trial t;
    begin_well(&t, &world, sample->contact);
    struct sg_contact_frame frame;
    ck_assert_int_eq(sg_contact_frame_init(&frame, t.set, &t.err), SG_OK);
    unsigned long long seed = 4711;
    int seen = 0;
    for (int trial = 0; trial < 60; trial++) {
        double u[DOFS] = {0}, time = 1.0 + 0.1 * trial;
        for (size_t i = 0; i < t.system.n; i++) u[i] = 0.4 * run_random(&seed);
        if (switch_distance(&t, u) < 0.02) continue;
        sg_contact_set_place(t.set, time, u, &frame);
        /* one evaluation or the other: equal but for the order of sums */
        NEAR(frame.gap[0], sg_contact_set_gap(t.set, 0, time, u), 1e-14);
        if (fabs(frame.gap[0]) + t.set->gaps[0].size < 0.1) continue;
        check_gradient(&t, time, u, &frame);
        check_drift(&t, time, u, &frame);
        seen++;
    }
    ck_assert_int_gt(seen, 30);
    sg_contact_frame_release(&frame);
    end(&t);
}
END_TEST

/* Rigid translations change no gap between nodes, and small rotations none of the present geometry: sums of a
 * few products of about 1, to 1e-14. */
START_TEST(forces_balance)
{
    const struct sample *sample = &samples[_i];
    if (!sample->balanced) return;
    struct world world = square(sample->dim);
    struct trial t;
    begin_well(&t, &world, sample->contact);
    struct sg_contact_frame frame;
    ck_assert_int_eq(sg_contact_frame_init(&frame, t.set, &t.err), SG_OK);
    unsigned long long seed = 99;
    for (int trial = 0; trial < 50; trial++) {
        double u[DOFS], force[3] = {0}, moment[3][3] = {{0}};
        for (size_t i = 0; i < t.system.n; i++) u[i] = 0.7 * run_random(&seed);
        sg_contact_set_place(t.set, 0.0, u, &frame);
        for (size_t i = 0; i < t.system.n; i++) {
            size_t axis = i % sample->dim;
            double w = entry(frame.normal, 0, i);
            force[axis] += w;
            for (size_t d = 0; d < sample->dim; d++)
                moment[axis][d] += w * (world.position[i - axis + d] + u[i - axis + d]);
        }
        for (size_t d = 0; d < sample->dim; d++) {
            NEAR(force[d], 0.0, 1e-14);
            for (size_t e = 0; e < d && sample->moments; e++) NEAR(moment[d][e], moment[e][d], 1e-14);
        }
    }
    sg_contact_frame_release(&frame);
    end(&t);
}
END_TEST

/* --- tangents ------------------------------------------------------------------------------------- */

static void check_frame(size_t dim, const double *n)
{
    double t[2][3];
    sg_gap_tangents(dim, n, t);
    for (size_t k = 0; k + 1 < dim; k++) {
        /* a few roundings; the division by at least 0.3 makes them three times as large */
        NEAR(sg_gap_dot(3, t[k], t[k]), 1.0, 4e-15);
        NEAR(sg_gap_dot(3, t[k], n), 0.0, 2e-15);
    }
    if (dim == 3) NEAR(sg_gap_dot(3, t[0], t[1]), 0.0, 2e-15);
}

START_TEST(tangents_are_orthonormal)
{
    unsigned long long seed = 5;
    for (int trial = 0; trial < 3000; trial++) {
        double n[3] = {run_random(&seed), run_random(&seed), run_random(&seed)};
        size_t dim = trial % 2 == 0 ? 2 : 3;
        if (dim == 2) n[2] = 0.0;
        sg_gap_normalize(dim, n);
        check_frame(dim, n);
    }
    for (size_t d = 0; d < 3; d++) {
        double n[3] = {0};
        n[d] = 1.0;
        check_frame(3, n);
        n[d] = -1.0;
        check_frame(3, n);
    }
}
END_TEST

/* Friction's column along the tangent, w's along the normal: both over the same nodes with the same weights,
 * of every kind that has tangents. */
START_TEST(columns_of_friction)
{
    const struct sample *sample = &samples[_i];
    if (sample->dim == 1) return;
    struct world world = square(sample->dim);
    char contact[512];
    snprintf(contact, sizeof contact, "%.*s friction = 0.3; }", (int)strlen(sample->contact) - 1,
             sample->contact);
    struct trial t;
    begin_well(&t, &world, contact);
    ck_assert_uint_eq(t.set->tangents, sample->dim - 1);
    NEAR(t.set->friction[0], 0.3, 0.0);
    struct sg_contact_frame frame;
    ck_assert_int_eq(sg_contact_frame_init(&frame, t.set, &t.err), SG_OK);
    double u[DOFS] = {0};
    for (size_t i = 0; i < t.system.n; i++) u[i] = 0.05 * (double)i - 0.2;
    sg_contact_set_place(t.set, 0.0, u, &frame);
    ck_assert_uint_eq(frame.tangent->q, sample->dim - 1);
    for (size_t node = 0; node < NODES; node++) {
        double ww = 0, tt[2] = {0}, wt[2] = {0};
        for (size_t d = 0; d < sample->dim; d++) {
            double w = entry(frame.normal, 0, sample->dim * node + d);
            ww += w * w;
            for (size_t k = 0; k + 1 < sample->dim; k++) {
                double e = entry(frame.tangent, k, sample->dim * node + d);
                tt[k] += e * e;
                wt[k] += e * w;
            }
        }
        for (size_t k = 0; k + 1 < sample->dim; k++) {
            NEAR(tt[k], ww, 4e-15); /* roundings of numbers up to 1 */
            NEAR(wt[k], 0.0, 4e-15);
        }
    }
    sg_contact_frame_release(&frame);
    end(&t);
}
END_TEST

/* Around a circle the tangent turns with the normal, by the angle of the step and never back. */
START_TEST(tangent_is_continuous_around_a_circle)
{
    struct world world = {.dim = 2, .moving = SIZE_MAX, .position = {1.0, 0.0}};
    struct trial t;
    begin_well(&t, &world,
               "{ type = \"circle\"; node = \"p.0\"; center = [0.0, 0.0]; radius = 2.0; inside = true; "
               "friction = 0.1; }");
    struct sg_contact_frame frame;
    ck_assert_int_eq(sg_contact_frame_init(&frame, t.set, &t.err), SG_OK);
    const double pi = acos(-1.0);
    for (int k = 0; k <= 720; k++) {
        double angle = pi * k / 360.0, u[DOFS] = {cos(angle) - 1.0, sin(angle)};
        sg_contact_set_place(t.set, 0.0, u, &frame);
        /* n = -e_r, so its turn by +90 degrees is -e_phi; roundings of 1 + cos - 1 */
        NEAR(entry(frame.tangent, 0, 0), sin(angle), 1e-15);
        NEAR(entry(frame.tangent, 0, 1), -cos(angle), 1e-15);
        NEAR(frame.gap[0], 1.0, 1e-15);
    }
    sg_contact_frame_release(&frame);
    end(&t);
}
END_TEST

/* Rolling over a sphere down to 40 degrees from its south pole: a step of the normal by 1e-3 turns the
 * tangents by no more than 1e-3 / (1 - 0.7). */
START_TEST(tangents_follow_over_a_sphere)
{
    double last[2][3] = {{0}};
    for (int k = 0; k <= 2300; k++) {
        double polar = 1e-3 * k, azimuth = 3e-4 * k;
        double n[3] = {sin(polar) * cos(azimuth), sin(polar) * sin(azimuth), cos(polar)}, t[2][3];
        sg_gap_tangents(3, n, t);
        for (size_t d = 0; d < 3 && k > 0; d++) {
            NEAR(t[0][d], last[0][d], 3.4e-3);
            NEAR(t[1][d], last[1][d], 3.4e-3);
        }
        memcpy(last, t, sizeof last);
    }
}
END_TEST

/* --- values --------------------------------------------------------------------------------------- */

static double gap_of(const struct world *world, const char *contact)
{
    struct trial t;
    begin_well(&t, world, contact);
    double gap = sg_contact_set_gap(t.set, 0, 0.0, world->u0);
    end(&t);
    return gap;
}

/* numbers that can be told without a formula; roundings of numbers up to 10 */
START_TEST(gaps_by_hand)
{
    struct world w = {.dim = 2, .moving = SIZE_MAX, .position = {3.0, 4.0, 0.0, 0.0, 10.0, 0.0, -3.0, 4.0}};
    NEAR(gap_of(&w, "{ type = \"plane\"; node = \"p.0\"; normal = [0.0, 3.0]; point = [7.0, 1.0]; }"), 3.0,
         1e-14);
    NEAR(gap_of(&w, "{ type = \"plane\"; node = \"p.0\"; normal = [-3.0, -4.0]; point = [6.0, 8.0]; }"), 5.0,
         1e-14);
    NEAR(gap_of(&w, "{ type = \"circle\"; node = \"p.0\"; center = [0.0, 0.0]; radius = 2.0; }"), 3.0, 1e-14);
    NEAR(gap_of(&w,
                "{ type = \"circle\"; node = \"p.0\"; center = [0.0, 0.0]; radius = 7.0; inside = true; }"),
         2.0, 1e-14);
    NEAR(gap_of(&w, "{ type = \"nodes\"; nodes = [\"p.0\", \"p.1\"]; distance = 1.5; }"), 3.5, 1e-14);
    NEAR(gap_of(&w, "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; distance = 0.5; }"),
         3.5, 1e-14);
    NEAR(
        gap_of(&w, "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.2\", \"p.1\"]; side = \"right\"; }"),
        4.0, 1e-14);
    /* beyond the end: from the end at (0, 0) */
    NEAR(gap_of(&w, "{ type = \"segment\"; node = \"p.3\"; segment = [\"p.1\", \"p.2\"]; distance = 0.5; }"),
         4.5, 1e-14);
    w.u0[1] = -1.5;
    NEAR(gap_of(&w, "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; }"), 2.5, 1e-14);
    w.u0[5] = 1.0;
    NEAR(gap_of(&w, "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; geometry = "
                    "\"reference\"; gap = 2.0; }"),
         2.0 - 1.5 - 0.3, 1e-14);
    struct world s = {.dim = 3, .moving = SIZE_MAX, .position = {2.0, 3.0, 6.0}};
    NEAR(gap_of(&s, "{ type = \"sphere\"; node = \"p.0\"; center = [0.0, 0.0, 0.0]; radius = 2.0; }"), 5.0,
         1e-14);
}
END_TEST

/* two_beams of the explicit benchmarks: vertical dofs only, whatever the number of coordinates */
START_TEST(segment_of_beams)
{
    struct world beams = {.dim = 2,
                          .moving = SIZE_MAX,
                          .held = "10101010",
                          .position = {0.05, 0.01, 0.0, 0.0, 0.2, 0.0, 0.4, 0.0}};
    struct trial t;
    begin_well(
        &t, &beams,
        "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; geometry = \"reference\"; }");
    ck_assert(t.set->affine);
    ck_assert_uint_eq(t.set->w.start[1], 3);
    NEAR(t.set->offset[0], 0.01, 1e-16);
    NEAR(entry(&t.set->w, 0, 0), 1.0, 0.0);
    NEAR(entry(&t.set->w, 0, 1), -0.75, 1e-15);
    NEAR(entry(&t.set->w, 0, 2), -0.25, 1e-15);
    end(&t);
    struct world line = {.dim = 1, .moving = SIZE_MAX, .position = {0.05, 0.0, 0.2, 0.4}};
    begin_well(
        &t, &line,
        "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; geometry = \"reference\"; "
        "fraction = 0.25; gap = 0.01; side = \"right\"; }");
    NEAR(t.set->offset[0], 0.01, 0.0);
    NEAR(entry(&t.set->w, 0, 0), -1.0, 0.0);
    NEAR(entry(&t.set->w, 0, 1), 0.75, 0.0);
    NEAR(entry(&t.set->w, 0, 2), 0.25, 0.0);
    end(&t);
}
END_TEST

/* The present gap is continuous where the node leaves the segment on its free side, and open on the other. */
START_TEST(segment_ends)
{
    struct world w = {.dim = 2, .moving = SIZE_MAX, .position = {0.5, 1.0, 0.0, 0.0, 1.0, 0.0, 5.0, 5.0}};
    struct trial t;
    begin_well(&t, &w, "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; }");
    for (int at = 0; at < 2; at++) {
        double inner[DOFS] = {at == 0 ? -0.5 + 1e-9 : 0.5 - 1e-9},
               outer[DOFS] = {at == 0 ? -0.5 - 1e-9 : 0.5 + 1e-9};
        double step = sg_contact_set_gap(t.set, 0, 0.0, inner) - sg_contact_set_gap(t.set, 0, 0.0, outer);
        NEAR(step, 0.0, 1e-15); /* hypot(1, 1e-9) is 1 */
    }
    double below[DOFS] = {-1.0, -1.25}, inside[DOFS] = {0.0, -1.25};
    NEAR(sg_contact_set_gap(t.set, 0, 0.0, below), hypot(0.5, 0.25), 1e-15);
    NEAR(sg_contact_set_gap(t.set, 0, 0.0, inside), -0.25, 1e-15);
    end(&t);
}
END_TEST

/* In a center, on one another, on a segment without length: a unit normal, and no NaN. */
START_TEST(degenerate_places_are_finite)
{
    static const char *const contacts[] = {
        "{ type = \"circle\"; node = \"p.0\"; center = [0.0, 0.0]; radius = 3.0; inside = true; }",
        "{ type = \"nodes\"; nodes = [\"p.0\", \"p.1\"]; distance = 0.2; }",
        "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.1\", \"p.2\"]; }",
        "{ type = \"segment\"; node = \"p.0\"; segment = [\"p.3\", \"p.2\"]; }"};
    static const double gaps[] = {3.0, -0.2, 0.0, 0.0};
    struct world w = {.dim = 2, .moving = SIZE_MAX, .position = {0.0, 1.0, -1.0, 0.0, 1.0, 0.0, -2.0, 0.0}};
    for (int k = 0; k < 4; k++) {
        struct trial t;
        begin_well(&t, &w, contacts[k]);
        /* the first three nodes meet at 0 */
        double u[DOFS] = {0.0, -1.0, 1.0, 0.0, -1.0, 0.0};
        struct sg_gap_value value = {0};
        sg_gap_at(&t.set->gaps[0], u, &value);
        NEAR(value.gap, gaps[k], 0.0);
        NEAR(sg_gap_dot(2, value.normal, value.normal), 1.0, 1e-15);
        for (size_t i = 0; i < 3; i++) ck_assert(isfinite(value.weight[i]));
        end(&t);
    }
}
END_TEST

/* Squares of tiny and huge lengths are no numbers any more: their directions are all the same. */
START_TEST(normalize_at_the_ends_of_the_reals)
{
    static const double scale[] = {1e-300, 1.0, 1e300};
    for (int k = 0; k < 3; k++) {
        double v[3] = {3 * scale[k], 0.0, -4 * scale[k]};
        NEAR(sg_gap_normalize(3, v) / scale[k], 5.0, 4e-15);
        NEAR(v[0], 0.6, 2e-16);
        NEAR(v[2], -0.8, 2e-16);
    }
}
END_TEST

Suite *sg_suite_gaps(void)
{
    Suite *suite = suite_create("gaps");
    TCase *tcase = tcase_create("gaps");
    tcase_add_loop_test(tcase, gradient_is_the_derivative, 0, SAMPLES);
    tcase_add_loop_test(tcase, forces_balance, 0, SAMPLES);
    tcase_add_loop_test(tcase, columns_of_friction, 0, SAMPLES);
    tcase_add_test(tcase, tangents_are_orthonormal);
    tcase_add_test(tcase, tangent_is_continuous_around_a_circle);
    tcase_add_test(tcase, tangents_follow_over_a_sphere);
    tcase_add_test(tcase, gaps_by_hand);
    tcase_add_test(tcase, segment_of_beams);
    tcase_add_test(tcase, segment_ends);
    tcase_add_test(tcase, degenerate_places_are_finite);
    tcase_add_test(tcase, normalize_at_the_ends_of_the_reals);
    suite_add_tcase(suite, tcase);
    return suite;
}
