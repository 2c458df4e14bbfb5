/* Contacts of bodies that turn: gradients and second derivatives against differences, levers by geometry. */
#include <stdio.h>

#include "assembly/assembly.h"
#include "contact/contact_set.h"
#include "contact/gaps/gap.h"
#include "model_fixture.h"

Suite *sg_suite_gap_arms(void);

/* rigid bodies 0 and 1 of "b", a particle without rotation, and a body "h" whose rotation is held */
#define BODIES                                                                                               \
    "bodies = ({type = \"particles\"; name = \"p\"; dim = 2; positions = [2.0, 1.0]; masses = [1.0];},"      \
    "{type = \"multibody\"; name = \"b\"; positions = [0.3, 0.5, -1.0, 0.2]; masses = [2.0, 4.0];"           \
    "inertias = [0.5, 0.25];},"                                                                              \
    "{type = \"multibody\"; name = \"h\"; positions = [0.0, 3.0]; masses = [2.0]; inertias = [0.5];});"      \
    "supports = ({node = \"h\"; axes = \"r\";});"

static const char *const contacts[] = {
    "{type = \"plane\"; node = \"b.0\"; normal = [0.6, 0.8]; point = [0.0, -2.0]; arm = [0.2, -0.3];}",
    "{type = \"plane\"; node = \"b.1\"; normal = [0.0, 1.0]; gap = 0.5; arm = [-0.1, 0.4]; radius = 0.05;}",
    "{type = \"plane\"; node = \"b.1\"; normal = [0.0, 2.0]; gap = 0.5; radius = 0.05;}",
    "{type = \"plane\"; node = \"h\"; normal = [0.0, 1.0]; gap = 0.5; arm = [0.2, 0.1];}",
    "{type = \"nodes\"; nodes = [\"b.0\", \"b.1\"]; radii = [0.2, 0.3];}",
    "{type = \"nodes\"; nodes = [\"p\", \"b.1\"]; radii = [0.0, 0.3];}",
    "{type = \"circle\"; node = \"b.0\"; center = [0.1,0.0]; radius = 9; inside = true; node_radius = 0.2;}",
    "{type = \"circle\"; node = \"b.1\"; center = [4.0, 0.0]; radius = 0.5; node_radius = 0.2;}",
};
enum { CONTACTS = sizeof contacts / sizeof *contacts, MOST = 12 };

static const struct sg_keyword root[] = {
    {.name = "bodies", .type = SG_LIST, .meaning = "bodies", .kinds = &sg_body_kinds},
    {.name = "supports", .type = SG_LIST, .meaning = "supports", .rows = sg_support_rows},
    {.name = "contacts", .type = SG_LIST, .meaning = "contacts", .kinds = &sg_contact_kinds},
    {0}};

struct arms {
    struct fixture f;
    struct sg_contact_set *set;
    struct sg_contact_frame frame;
};

static void begin(struct arms *a, const char *contact)
{
    char text[2048];
    *a = (struct arms){0};
    struct fixture *f = &a->f;
    int length = snprintf(text, sizeof text, BODIES "contacts = (%s);", contact);
    ck_assert_int_eq(sg_deck_read_text(text, (size_t)length, "test", &f->deck, &f->diagnostics, &f->err),
                     SG_OK);
    f->status = sg_deck_validate(f->deck, root, &f->diagnostics, &f->err);
    if (f->status == SG_OK) f->status = sg_system_create(f->deck, &f->system, &f->diagnostics, &f->err);
    if (f->status == SG_OK)
        f->status = sg_contact_set_create(f->deck, f->system, NULL, &a->set, &f->diagnostics, &f->err);
    fixture_render(f);
}

static void end(struct arms *a)
{
    sg_contact_frame_release(&a->frame);
    sg_contact_set_destroy(a->set);
    fixture_release(&a->f);
}

static void begin_well(struct arms *a, const char *contact)
{
    begin(a, contact);
    ck_assert_msg(a->f.status == SG_OK, "%s: %s", contact, sg_text_view(&a->f.findings));
    ck_assert_int_eq(sg_contact_frame_init(&a->frame, a->set, &a->f.err), SG_OK);
}

/* in -1 .. 1, by the multiplier of Knuth's MMIX */
static double any(unsigned long long *seed)
{
    *seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

static void scramble(const struct arms *a, unsigned long long *seed, double *u)
{
    for (size_t i = 0; i < a->f.system->n; i++) u[i] = 0.6 * any(seed);
}

/* Fourth-order differences with steps of 1e-3 over lengths of about 1: 1e-12 by truncation and rounding; the
 * limit leaves room for curvatures of distances down to .1 */
START_TEST(gradient_is_the_derivative)
{
    struct arms a;
    begin_well(&a, contacts[_i]);
    unsigned long long seed = 99;
    for (int trial = 0; trial < 20; trial++) {
        double u[MOST], x[MOST], g[4];
        scramble(&a, &seed, u);
        sg_contact_set_place(a.set, 0, u, &a.frame);
        memcpy(x, u, sizeof x);
        for (size_t i = 0; i < a.f.system->n; i++) {
            static const double shift[] = {-2e-3, -1e-3, 1e-3, 2e-3};
            for (int k = 0; k < 4; k++) {
                x[i] = u[i] + shift[k];
                g[k] = sg_contact_set_gap(a.set, 0, 0, x);
            }
            x[i] = u[i];
            NEAR((8 * (g[2] - g[1]) - (g[3] - g[0])) / 12e-3, sg_columns_entry(a.frame.normal, 0, i), 1e-8);
        }
    }
    end(&a);
}
END_TEST

static double column_at(struct arms *a, const double *x, size_t i)
{
    sg_contact_set_place(a->set, 0, x, &a->frame);
    return sg_columns_entry(a->frame.normal, 0, i);
}

/* second differences of the gradient, as above */
START_TEST(second_derivative_is_that_of_the_gradient)
{
    struct arms a;
    begin_well(&a, contacts[_i]);
    size_t n = a.f.system->n;
    unsigned long long seed = 7;
    for (int trial = 0; trial < 10; trial++) {
        double u[MOST], x[MOST], full[MOST][MOST] = {{0}};
        struct sg_gap_hessian bend;
        scramble(&a, &seed, u);
        sg_gap_hessian_at(&a.set->gaps[0], u, &bend);
        for (size_t i = 0; i < bend.count; i++)
            for (size_t j = 0; j < bend.count; j++)
                if (bend.dof[i] != SIZE_MAX && bend.dof[j] != SIZE_MAX)
                    full[bend.dof[i]][bend.dof[j]] += bend.second[i][j];
        memcpy(x, u, sizeof x);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double g[4];
                static const double shift[] = {-2e-3, -1e-3, 1e-3, 2e-3};
                for (int k = 0; k < 4; k++) {
                    x[j] = u[j] + shift[k];
                    g[k] = column_at(&a, x, i);
                }
                x[j] = u[j];
                NEAR((8 * (g[2] - g[1]) - (g[3] - g[0])) / 12e-3, full[i][j], 1e-7);
            }
    }
    end(&a);
}
END_TEST

/* The velocity of what touches, seen along tangent and normal, is that of a point of the body: v + omega x a,
 * a from the node to the point of contact (by hand, here). */
START_TEST(tangents_see_the_point_of_contact)
{
    struct arms a;
    begin_well(&a, "{type = \"plane\"; node = \"b.1\"; normal = [0.0, 1.0]; gap = 0.5; arm = [-0.1, 0.4];"
                   "radius = 0.05; friction = 0.5;},"
                   "{type = \"plane\"; node = \"b.0\"; normal = [1.0, 0.0]; gap = 0.5; radius = 0.25; "
                   "friction = 0.5;},"
                   "{type = \"nodes\"; nodes = [\"b.0\", \"b.1\"]; radii = [0.2, 0.3];}");
    unsigned long long seed = 3;
    for (int trial = 0; trial < 20; trial++) {
        double u[MOST], v[MOST];
        scramble(&a, &seed, u);
        scramble(&a, &seed, v);
        sg_contact_set_place(a.set, 0, u, &a.frame);
        /* dofs: p.x p.y b0.x b0.y b0.r b1.x b1.y b1.r h.x h.y */
        double c = cos(u[7]), s = sin(u[7]);
        double arm[2] = {-0.1 * c - 0.4 * s, -0.1 * s + 0.4 * c - 0.05};
        double slip = -(v[5] - v[7] * arm[1]); /* the tangent is (-1, 0) */
        NEAR(sg_columns_dot(a.frame.tangent, 0, v), slip, 1e-14);
        /* a wheel against a wall to the left: arm (-0.25, 0), tangent (0, 1) */
        NEAR(sg_columns_dot(a.frame.tangent, 1, v), v[3] - 0.25 * v[4], 1e-14);
        NEAR(sg_columns_dot(a.frame.normal, 1, v), v[2], 1e-14);
        /* two wheels: both rotations slow the slip down alike */
        double n[2] = {u[5] - 1.0 - u[2] - 0.3, u[6] + 0.2 - u[3] - 0.5}, length = hypot(n[0], n[1]);
        double t[2] = {-n[1] / length, n[0] / length};
        double relative = t[0] * (v[5] - v[2]) + t[1] * (v[6] - v[3]) - 0.3 * v[7] - 0.2 * v[4];
        NEAR(sg_columns_dot(a.frame.tangent, 2, v), relative, 1e-14);
    }
    end(&a);
}
END_TEST

static const struct {
    const char *contact, *finding;
} wrong[] = {
    {"{type = \"plane\"; node = \"p\"; normal = [0.0, 1.0]; gap = 0.5; arm = [0.1, 0.1];}",
     "'p' has no rotation, and so no axes of its own"},
    {"{type = \"nodes\"; nodes = [\"b.0\", \"b.1\"];}", "give either 'distance' or 'radii'"},
    {"{type = \"nodes\"; nodes = [\"b.0\", \"b.1\"]; distance = 0.1; radii = [0.1, 0.1];}",
     "give either 'distance' or 'radii', not both"},
    {"{type = \"plane\"; node = \"b.0\"; normal = [0.0, 1.0]; point = [0.0, 0.3]; radius = 0.3;}",
     "overlaps by 0.1 m at the start"},
    {"{type = \"plane\"; node = \"b.0\"; normal = [0.0, 1.0]; point = [0.0, 0.3]; arm = [0.0, -0.3];}",
     "overlaps by 0.1 m at the start"},
};

START_TEST(wrong_arms_are_told)
{
    struct arms a;
    begin(&a, wrong[_i].contact);
    ck_assert_msg(strstr(sg_text_view(&a.f.findings), wrong[_i].finding) != NULL, "%s",
                  sg_text_view(&a.f.findings));
    end(&a);
}
END_TEST

Suite *sg_suite_gap_arms(void)
{
    Suite *suite = suite_create("gap_arms");
    TCase *tc = tcase_create("gap_arms");
    tcase_add_loop_test(tc, gradient_is_the_derivative, 0, CONTACTS);
    tcase_add_loop_test(tc, second_derivative_is_that_of_the_gradient, 0, CONTACTS);
    tcase_add_test(tc, tangents_see_the_point_of_contact);
    tcase_add_loop_test(tc, wrong_arms_are_told, 0, sizeof wrong / sizeof *wrong);
    suite_add_tcase(suite, tc);
    return suite;
}
