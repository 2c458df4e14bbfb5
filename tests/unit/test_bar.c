/* Bars of any order with sections that vary: frequencies of the continuum, integrals, and the residual. */
#include <stdio.h>

#include "linalg/modal.h"
#include "model/end_force.h"
#include "model/lagrange.h"
#include "model/strip.h"
#include "model_fixture.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

static const double PI = 3.14159265358979323846;

/* a bar of length 1 with node 0 held as `support` says */
struct bar {
    int order, elements;
    const char *area, *support, *rest;
};

#define CLAMPED "node = \"bar.left\";"

static struct fixture model(const struct bar *bar)
{
    char text[700];
    int length = snprintf(text, sizeof text,
                          "bodies = ( { type = \"bar\"; length = 1; area = %s; modulus = 1.0; density = %s; "
                          "elements = %d; order = %d; } ); supports = ( { %s } );",
                          bar->area, bar->rest, bar->elements, bar->order, bar->support);
    ck_assert(length > 0 && length < (int)sizeof text);
    return fixture_model(text);
}

/* the three lowest circular frequencies */
static void frequencies(const struct bar *bar, double omega[3])
{
    struct fixture f = model(bar);
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&arena, &f.system->M, &f.system->K, &modal, &f.err), SG_OK);
    for (size_t i = 0; i < 3; i++) omega[i] = sqrt(modal->k[i]);
    fixture_release(&f);
}

/* density 1 / area makes rho A = 1, as in the paper, where only E A varies; the product of the two linear
 * profiles is not 1, so the area is the modulus' affair there */
struct section {
    const char *modulus, *support;
    double omega[3];
};

static const struct section sections[] = {
    {"1.0", CLAMPED, {1.5707963267948966, 4.71238898038469, 7.853981633974483}},
    {"1.0", "node = \"bar.left\"; stiffness = 0.5;", {0.653271, 3.292310, 6.361620}},
    {"{ type = \"step\"; places = [0.5]; values = [1.0, 0.5]; }", CLAMPED, {1.437788, 3.803351, 6.537050}},
    {"{ type = \"linear\"; start = 1.0; end = 0.5; }", CLAMPED, {1.435999, 4.056643, 6.724565}},
    {"{ type = \"quadratic\"; start = 1.0; middle = 0.625; end = 0.5; }",
     CLAMPED,
     {1.351732, 3.810442, 6.318955}},
};

static void section_frequencies(const struct section *section, int order, int elements, double omega[3])
{
    char text[600];
    snprintf(text, sizeof text,
             "bodies = ( { type = \"bar\"; length = 1; area = 1; modulus = %s; density = 1; elements = %d;"
             " order = %d; } ); supports = ( { %s } );",
             section->modulus, elements, order, section->support);
    struct fixture f = fixture_model(text);
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&arena, &f.system->M, &f.system->K, &modal, &f.err), SG_OK);
    for (size_t i = 0; i < 3; i++) omega[i] = sqrt(modal->k[i]);
    fixture_release(&f);
}

/* the continuum's, of the spec's list with six decimals; the mesh's own error is below 1e-9 */
START_TEST(test_frequencies)
{
    for (size_t k = 0; k < sizeof sections / sizeof sections[0]; k++) {
        double omega[3];
        section_frequencies(&sections[k], 3, 40, omega);
        for (size_t i = 0; i < 3; i++) NEAR(omega[i], sections[k].omega[i], 1e-6);
        section_frequencies(&sections[k], 4, 20, omega);
        for (size_t i = 0; i < 3; i++) NEAR(omega[i], sections[k].omega[i], 1e-6);
    }
    /* a uniform bar's are known to rounding: eigenvalues of size 1 beside 1e6 in the matrix lose 1e-10 */
    double omega[3];
    section_frequencies(&sections[0], 4, 20, omega);
    for (size_t i = 0; i < 2; i++) NEAR(omega[i], sections[0].omega[i], 1e-10);
}
END_TEST

/* int x^k = 1 / (k + 1) up to degree 15, and not beyond; values, slopes and bends of the shape functions give
 * back a polynomial of the order and its derivatives, to some ten roundings of the size that slopes have */
START_TEST(test_quadrature_and_shapes)
{
    struct sg_gauss rule = sg_gauss_rule();
    for (int k = 0; k <= 16; k++) {
        double sum = 0;
        for (int g = 0; g < SG_GAUSS_POINTS; g++) sum += rule.weight[g] * pow(rule.point[g], k);
        if (k < 16) NEAR(sum, 1.0 / (k + 1), 1e-15);
        if (k == 16) ck_assert_double_gt(fabs(sum - 1.0 / 17), 1e-11);
    }
    for (int p = 1; p <= 4; p++) {
        struct sg_lagrange at = sg_lagrange_at(p, 0.37);
        double value = 0, slope = 0, second = 0;
        for (int i = 0; i <= p; i++) {
            double node = pow((double)i / p - 2, p);
            value += at.value[i] * node;
            slope += at.slope[i] * node;
            second += at.second[i] * node;
        }
        NEAR(value, pow(0.37 - 2, p), 1e-13);
        NEAR(slope, p * pow(0.37 - 2, p - 1), 1e-12);
        NEAR(second, p > 1 ? p * (p - 1) * pow(0.37 - 2, p - 2) : 0, 1e-11);
    }
}
END_TEST

/* omega_h / omega - 1 is of order 2 p, consistent or lumped with p <= 2; measured between meshes whose errors
 * lie well above rounding */
START_TEST(test_orders)
{
    for (int p = 1; p <= 4; p++) {
        int coarse = p == 1 ? 16 : p == 2 ? 8 : 3;
        double a[3], b[3];
        section_frequencies(&sections[0], p, coarse, a);
        section_frequencies(&sections[0], p, 2 * coarse, b);
        double order = log2((a[1] - sections[0].omega[1]) / (b[1] - sections[0].omega[1]));
        NEAR(order, 2.0 * p, 0.15);
    }
}
END_TEST

START_TEST(test_lumped_order)
{
    double error[2];
    for (int k = 0; k < 2; k++) {
        char density[80];
        snprintf(density, sizeof density, "1.0; mass = \"lumped\"");
        struct bar bar = {2, 8 << k, "1.0", CLAMPED, density};
        double omega[3];
        frequencies(&bar, omega);
        error[k] = fabs(omega[1] - 1.5 * PI);
    }
    NEAR(log2(error[0] / error[1]), 4, 0.15);
}
END_TEST

/* Breaks inside elements, all three profiles at once: mass and length of a string in tension against
 * integrals done by hand. area 1 + s on [0, 1]; density 3 up to 0.3, then 5; modulus a table 2, 4, 1 at 0,
 * 0.45, 1. */
START_TEST(test_breaks)
{
    for (int p = 1; p <= 4; p++) {
        char text[700];
        snprintf(text, sizeof text,
                 "bodies = ( { type = \"bar\"; length = 1; elements = 3; order = %d;"
                 " area = { type = \"linear\"; start = 1; end = 2; };"
                 " density = { type = \"step\"; places = [0.3]; values = [3, 5]; };"
                 " modulus = { type = \"table\"; places = (0, 0.45, 1); values = [2, 4, 1]; }; } );",
                 p);
        struct fixture f = fixture_model(text);
        double ones[16], line[16], mass = 0, first = 0, stretch = 0;
        for (size_t i = 0; i < f.system->n; i++) {
            ones[i] = 1;
            line[i] = (double)i / (double)(f.system->n - 1);
        }
        mass = sg_matrix_form(&f.system->M, ones, ones);
        first = sg_matrix_form(&f.system->M, ones, line);
        stretch = sg_matrix_form(&f.system->K, line, line);
        NEAR(mass, 3 * (0.3 + 0.045) + 5 * (0.7 + 0.5 - 0.045), 1e-13);
        NEAR(first, 3 * (0.045 + 0.009) + 5 * (0.5 + 1.0 / 3 - 0.045 - 0.009), 1e-13);
        /* int (1 + s)(2 + a s) to 0.45, a = 2/0.45; then int (1 + s)(4 - b (s - 0.45)), b = 3/0.55 */
        double a = 2 / 0.45, b = 3 / 0.55, c = 4 + 0.45 * b, l = 0.45;
        double head = 2 * l + (2 + a) * l * l / 2 + a * l * l * l / 3;
        double tail = c * (1 - l) + (c - b) * (1 - l * l) / 2 - b * (1 - l * l * l) / 3;
        NEAR(stretch, head + tail, 1e-13);
        /* a translation costs nothing, exactly */
        NEAR(sg_system_strain(f.system, ones, 0), 0, 0);
        fixture_release(&f);
    }
}
END_TEST

/* A table through the values of a line is that line. */
START_TEST(test_table_is_line)
{
    struct bar line = {2, 4, "{ type = \"linear\"; start = 1; end = 0.5; }", CLAMPED, "1.0"};
    struct bar table = {2, 4,
                        "{ type = \"table\"; places = (-1, 0.3, 0.9, 2); values = [1.5, 0.85, 0.55, 0.01]; }",
                        CLAMPED, "1.0"};
    struct fixture f = model(&line), g = model(&table);
    ck_assert_double_eq_tol(sg_profile_value(&sg_strips_of(&g.system->aspects)->items[0].area, 0.5), 0.75,
                            1e-15);
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j <= i; j++) {
            SAME(sg_matrix_entry(&f.system->K, i, j), sg_matrix_entry(&g.system->K, i, j));
            SAME(sg_matrix_entry(&f.system->M, i, j), sg_matrix_entry(&g.system->M, i, j));
        }
    fixture_release(&f);
    fixture_release(&g);
}
END_TEST

/* eq. (62) with A = 1 - s/2, rho A = A here: u = s^3, a = s, v = 1 + s in one cubic element,
 * r = A (s + alpha (1 + s)) - (A (3 s^2 + beta))' = polynomial, integrated by hand in the test by Simpson's
 * rule on many cells (degree 4 squared: 1e-12 of it) */
START_TEST(test_residual)
{
    struct bar bar = {3, 1, "{ type = \"linear\"; start = 1; end = 0.5; }", CLAMPED, "1.0"};
    struct fixture f = model(&bar);
    double u[4], v[4], a[4], alpha = 0.3, beta = 0.2, exact = 0;
    for (int i = 0; i < 4; i++) {
        double s = i / 3.0;
        u[i] = s * s * s;
        v[i] = 1 + s;
        a[i] = s;
    }
    for (int k = 0; k <= 2000; k++) {
        double s = k / 2000.0, area = 1 - s / 2;
        double r = area * (s + alpha * (1 + s)) + (3 * s * s + beta) / 2 - area * 6 * s;
        exact += r * r * (k == 0 || k == 2000 ? 1 : k % 2 ? 4 : 2) / 6000;
    }
    struct sg_strip_motion motion = {u, v, a, alpha, beta};
    NEAR(sg_strips_residual(sg_strips_of(&f.system->aspects), &motion), exact, 1e-12 * exact);
    fixture_release(&f);
}
END_TEST

/* A free end is stress-free, a held one is pulled: F = E A u' at both ends, area 1 - s/2, u = s^2. */
START_TEST(test_end_forces)
{
    for (int p = 2; p <= 4; p++) {
        struct bar bar = {p, 3, "{ type = \"linear\"; start = 1; end = 0.5; }", CLAMPED, "1.0"};
        struct fixture f = model(&bar);
        size_t last = 3 * (size_t)p;
        const struct sg_end_force *end[2] = {sg_end_forces_find(&f.system->aspects, 0),
                                             sg_end_forces_find(&f.system->aspects, last)};
        ck_assert_ptr_null(sg_end_forces_find(&f.system->aspects, 1));
        const double slope[2] = {0, 1.0}; /* E A u' = (1 - s/2) 2 s; at the left it holds with a minus */
        for (int k = 0; k < 2; k++) {
            ck_assert_ptr_nonnull(end[k]);
            double force = 0;
            for (size_t i = 0; i < end[k]->count; i++) {
                double s = (double)end[k]->node[i] / (double)last;
                force += end[k]->stiffness * end[k]->slope[i] * s * s;
            }
            NEAR(force, slope[k], 1e-12);
        }
        fixture_release(&f);
    }
}
END_TEST

#define VARIED(area)                                                                                         \
    "bodies = ( { type = \"bar\"; length = 2; modulus = 1; density = 1; elements = 2; area = " area "; } );"

START_TEST(test_refusals)
{
    fixture_refused(VARIED("{ type = \"quadratic\"; start = 1; middle = 0.01; end = 0.2; }"), SG_BAD_DECK,
                    "falls to -0.");
    fixture_refused(VARIED("{ type = \"step\"; places = [0.5, 0.4]; values = [1, 2, 3]; }"), SG_BAD_DECK,
                    "must rise inside the body's 2 m: number 2, 0.4, follows 0.5");
    fixture_refused(VARIED("{ type = \"step\"; places = [2]; values = [1, 2]; }"), SG_BAD_DECK,
                    "must rise inside the body's 2 m: number 1, 2, follows 0");
    fixture_refused(VARIED("{ type = \"step\"; places = [1]; values = [1, 2, 3]; }"), SG_BAD_DECK,
                    "has 3 numbers where 'places' has 1");
    fixture_refused(VARIED("{ type = \"table\"; places = [0, 1]; values = [1]; }"), SG_BAD_DECK,
                    "has 1 number where 'places' has 2");
    fixture_refused(VARIED("{ type = \"table\"; places = [1, 0]; values = [1, 2]; }"), SG_BAD_DECK,
                    "must rise: number 2, 0, follows 1");
    fixture_refused(VARIED("{ type = \"table\"; places = [1, 0]; }"), SG_BAD_DECK,
                    "one of 'places' and 'values' is missing");
    fixture_refused(VARIED("{ type = \"table\"; }"), SG_BAD_DECK, "neither lists nor 'file' are given");
    fixture_refused(VARIED("{ type = \"table\"; file = \"a\"; places = [1]; values = [1]; }"), SG_BAD_DECK,
                    "lists and 'file' are given");
    fixture_refused(VARIED("1; order = 3; mass = \"lumped\""), SG_BAD_DECK, "needs elements of order 1 or 2");
    fixture_refused(VARIED("1; order = 2; mass = \"average\""), SG_BAD_DECK, "needs elements of order 1:");
}
END_TEST

Suite *sg_suite_bar(void)
{
    Suite *suite = suite_create("bar");
    TCase *tests = tcase_create("bar");
    tcase_add_checked_fixture(tests, NULL, release_arena);
    tcase_add_test(tests, test_frequencies);
    tcase_add_test(tests, test_quadrature_and_shapes);
    tcase_add_test(tests, test_orders);
    tcase_add_test(tests, test_lumped_order);
    tcase_add_test(tests, test_breaks);
    tcase_add_test(tests, test_table_is_line);
    tcase_add_test(tests, test_residual);
    tcase_add_test(tests, test_end_forces);
    tcase_add_test(tests, test_refusals);
    suite_add_tcase(suite, tests);
    return suite;
}
