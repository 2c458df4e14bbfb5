/* Each kind of element against its own equation: forces against the gradient of the energy, tangents against
 * differences of the forces, invariance, power; and how the deck's list becomes elements. */
#include "element_fixture.h"

#define STEP 1e-5

/* the central difference of order 4 of `f` values around: error near (h^4 f5 / 30) + eps / h, some 1e-11 */
static double difference(const double f[4])
{
    return (8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * STEP);
}
static const double offsets[4] = {-2 * STEP, -STEP, STEP, 2 * STEP};

/* 1e-7 of the largest: differences are good to some 1e-10 of it, for angles that turn quickly to 1e-8 */
static void check_force(const struct sg_element *e, const struct sg_element_state *at)
{
    double f[SG_ELEMENT_DOFS];
    struct sg_element_state rest = *at;
    memset(rest.v, 0, sizeof rest.v);
    e->ops->force(e, &rest, f);
    for (size_t i = 0; i < e->dof_count; i++) {
        double s[4];
        for (size_t k = 0; k < 4; k++) {
            struct sg_element_state moved = rest;
            moved.x[i] += offsets[k];
            s[k] = e->ops->energy(e, &moved);
        }
        NEAR(f[i], difference(s), 1e-7 * (1 + largest_of(f, e->dof_count)));
    }
}

static void force_at(const struct sg_element *e, const struct sg_element_state *at, size_t moved,
                     double f[4][SG_ELEMENT_DOFS])
{
    for (size_t k = 0; k < 4; k++) {
        struct sg_element_state near = *at;
        *(moved < SG_ELEMENT_DOFS ? &near.x[moved] : &near.v[moved - SG_ELEMENT_DOFS]) += offsets[k];
        e->ops->force(e, &near, f[k]);
    }
}

static void check_matrix(const struct sg_element *e, const struct sg_element_state *at, const double *a,
                         size_t shift)
{
    size_t n = e->dof_count;
    double limit = 1e-7 * fmax(largest_of(a, n * n), 1e-3);
    for (size_t j = 0; j < n; j++) {
        double f[4][SG_ELEMENT_DOFS];
        force_at(e, at, j + shift, f);
        for (size_t i = 0; i < n; i++) {
            const double values[4] = {f[0][i], f[1][i], f[2][i], f[3][i]};
            NEAR(a[i + j * n], difference(values), limit);
            NEAR(a[i + j * n], a[j + i * n], 1e-14 * largest_of(a, n * n)); /* symmetric but for rounding */
        }
    }
}

static void check_tangent(const struct sg_element *e, const struct sg_element_state *at)
{
    double k[SG_ELEMENT_DOFS * SG_ELEMENT_DOFS] = {0}, c[SG_ELEMENT_DOFS * SG_ELEMENT_DOFS] = {0};
    e->ops->tangent(e, at, k, c);
    check_matrix(e, at, k, 0);
    check_matrix(e, at, c, SG_ELEMENT_DOFS);
}

START_TEST(spring_follows_its_energy_in_every_dimension)
{
    unsigned long long seed = 7;
    for (size_t dim = 1; dim <= 3; dim++)
        for (int trial = 0; trial < 20; trial++) {
            struct sg_element e = make_spring(dim, 3.5, trial % 4 == 0 ? 0 : 1.25);
            struct sg_element_state at = random_state(&seed);
            at.x[dim] += 3; /* far from no length, where differences fail */
            check_force(&e, &at);
            check_tangent(&e, &at);
        }
}
END_TEST

START_TEST(spring_pulls_by_its_stretch)
{
    struct sg_element e = make_spring(2, 10, 4);
    struct sg_element_state at = {.x = {1, 1, 4, 5}}; /* 3-4-5 triangle: stretched by 1 */
    double f[SG_ELEMENT_DOFS];
    e.ops->force(&e, &at, f);
    SAME(f[2], 6); /* the resistance of the far node is away from the near one */
    SAME(f[3], 8);
    SAME(f[0], -6);
    SAME(f[1], -8);
    SAME(e.ops->energy(&e, &at), 5);
}
END_TEST

START_TEST(spring_without_length_has_no_direction)
{
    for (size_t dim = 1; dim <= 3; dim++) {
        struct sg_element e = make_spring(dim, 10, 4);
        struct sg_element_state at = {.x = {0}};
        double f[SG_ELEMENT_DOFS], k[36] = {0}, c[36] = {0};
        e.ops->force(&e, &at, f);
        e.ops->tangent(&e, &at, k, c);
        for (size_t i = 0; i < 2 * dim; i++) {
            ck_assert(f[i] == 0);
            for (size_t j = 0; j < 2 * dim; j++) ck_assert(isfinite(k[i + 2 * dim * j]));
        }
        SAME(e.ops->energy(&e, &at), 80);
    }
}
END_TEST

START_TEST(torsion_spring_follows_its_energy)
{
    unsigned long long seed = 11;
    for (int trial = 0; trial < 40; trial++) {
        struct sg_element e = make_torsion(0.7, 0.4);
        struct sg_element_state at = random_state(&seed);
        at.x[2] += 3; /* rods of some length that don't fold back, where the angle jumps */
        at.x[4] += 6;
        check_force(&e, &at);
        check_tangent(&e, &at);
    }
}
END_TEST

START_TEST(torsion_spring_measures_signed_angles)
{
    const double left[6] = {0, 0, 1, 0, 1, 2}, right[6] = {0, 0, 1, 0, 2, -1}, back[6] = {0, 0, 1, 0, 0.5, 0};
    SAME(sg_torsion_angle(left), acos(-1) / 2);
    SAME(sg_torsion_angle(right), -acos(-1) / 4);
    SAME(sg_torsion_angle(back), acos(-1)); /* of (-pi, pi] */
    struct sg_element e = make_torsion(2, 0);
    struct sg_element_state at = {.x = {0, 0, 1, 0, 1, 2}};
    double f[SG_ELEMENT_DOFS], moment = acos(-1); /* 2 pi/2 */
    e.ops->force(&e, &at, f);
    SAME(f[4], -moment / 2); /* arm 2: opening resists a tip that turns left */
    NEAR(f[5], 0, 1e-16);
    NEAR(f[0], 0, 1e-16);
    SAME(f[1], moment); /* arm 1 */
    SAME(f[2], moment / 2);
    SAME(f[3], -moment);
    SAME(e.ops->energy(&e, &at), moment * moment / 4);
}
END_TEST

START_TEST(torsion_spring_bears_rods_without_length)
{
    struct sg_element e = make_torsion(2, 0.3);
    struct sg_element_state at = {.x = {0, 0, 0, 0, 1, 2}};
    double f[SG_ELEMENT_DOFS], k[36] = {0}, c[36] = {0};
    e.ops->force(&e, &at, f);
    e.ops->tangent(&e, &at, k, c);
    for (size_t i = 0; i < 6; i++) ck_assert(isfinite(f[i]));
    for (size_t i = 0; i < 36; i++) ck_assert(isfinite(k[i]));
    ck_assert(isfinite(e.ops->energy(&e, &at)));
}
END_TEST

/* Forces do no work in translations and turns, and the tangent maps a translation to nothing. */
static void check_rigid(const struct sg_element *e, const struct sg_element_state *at, size_t dim)
{
    size_t n = e->dof_count;
    double f[SG_ELEMENT_DOFS], k[81] = {0}, c[81] = {0};
    e->ops->force(e, at, f);
    e->ops->tangent(e, at, k, c);
    double limit = 1e-14 * (1 + largest_of(f, n)) * 10, worst = largest_of(k, n * n);
    for (size_t d = 0; d < dim; d++) {
        double sum = 0;
        for (size_t i = d; i < n; i += dim) sum += f[i];
        NEAR(sum, 0, limit); /* a sum of 3 forces near 1, coordinates up to 8 below */
        for (size_t i = 0; i < n; i++) {
            double moved = 0;
            for (size_t j = d; j < n; j += dim) moved += k[i + j * n];
            NEAR(moved, 0, 1e-14 * (1 + worst));
        }
        for (size_t b = 0; b < d; b++) {
            double moment = 0;
            for (size_t i = 0; i < n; i += dim) moment += at->x[i + b] * f[i + d] - at->x[i + d] * f[i + b];
            NEAR(moment, 0, 10 * limit);
        }
    }
}

START_TEST(rigid_motions_do_no_work)
{
    unsigned long long seed = 5;
    for (int trial = 0; trial < 20; trial++) {
        struct sg_element_state at = random_state(&seed);
        at.x[2] += 3;
        at.x[4] += 6;
        struct sg_element bend = make_torsion(0.7, 0.4);
        check_rigid(&bend, &at, 2);
        for (size_t dim = 2; dim <= 3; dim++) {
            struct sg_element spring = make_spring(dim, 2, 1);
            check_rigid(&spring, &at, dim);
        }
    }
}
END_TEST

START_TEST(turned_rigidly_energies_stay)
{
    unsigned long long seed = 3;
    struct sg_element_state at = random_state(&seed), turned = at;
    double c = cos(1.1), s = sin(1.1);
    for (size_t i = 0; i < 6; i += 2) {
        turned.x[i] = c * at.x[i] - s * at.x[i + 1] + 3;
        turned.x[i + 1] = s * at.x[i] + c * at.x[i + 1] - 5;
    }
    struct sg_element spring = make_spring(2, 2, 1), bend = make_torsion(0.7, 0.4);
    NEAR(spring.ops->energy(&spring, &at), spring.ops->energy(&spring, &turned),
         1e-13); /* roundings near 1 */
    NEAR(bend.ops->energy(&bend, &at), bend.ops->energy(&bend, &turned), 1e-13);
}
END_TEST

START_TEST(van_der_pol_gives_within_and_takes_beyond)
{
    struct sg_element e = make_van_der_pol(5, 2, 1);
    struct sg_element_state at = {.x = {1}, .v = {3}};
    double f[1];
    e.ops->force(&e, &at, f);
    SAME(f[0], -15); /* -c v at the center */
    SAME(e.ops->power(&e, &at), -45);
    at.x[0] = 3; /* a scale away: nothing */
    NEAR(e.ops->power(&e, &at), 0, 1e-13);
    at.x[0] = 7; /* three scales away: c (9 - 1) v */
    e.ops->force(&e, &at, f);
    SAME(f[0], 120);
    unsigned long long seed = 17;
    for (int trial = 0; trial < 20; trial++) {
        at = random_state(&seed);
        check_tangent(&e, &at);
    }
}
END_TEST

START_TEST(dashpot_is_a_power_of_the_velocity)
{
    struct sg_element e = make_dashpot(2, 4, 3);
    struct sg_element_state at = {.v = {1, 3}};
    double f[2];
    e.ops->force(&e, &at, f);
    SAME(f[1], 32);
    SAME(f[0], -32);
    SAME(e.ops->power(&e, &at), 64);
    at.v[0] = 5; /* the other way round */
    e.ops->force(&e, &at, f);
    SAME(f[1], -32);
    SAME(e.ops->power(&e, &at), 64);
    unsigned long long seed = 19;
    for (size_t ends = 1; ends <= 2; ends++)
        for (int trial = 0; trial < 20; trial++) {
            e = make_dashpot(ends, 4, trial % 2 == 0 ? 1 : 2.5);
            at = random_state(&seed);
            at.v[ends - 1] += at.v[ends - 1] > at.v[0] ? 5 : -5; /* off 0, where a power has a kink */
            check_tangent(&e, &at);
        }
}
END_TEST

START_TEST(dashpot_at_rest_is_finite)
{
    const double exponents[] = {1, 1.5, 2};
    for (size_t i = 0; i < 3; i++) {
        struct sg_element e = make_dashpot(1, 4, exponents[i]);
        struct sg_element_state at = {.v = {0}};
        double f[1], k[1] = {0}, c[1] = {0};
        e.ops->force(&e, &at, f);
        e.ops->tangent(&e, &at, k, c);
        ck_assert(f[0] == 0);
        ck_assert(c[0] == (exponents[i] > 1 ? 0 : 4));
    }
}
END_TEST

/* --- by the deck ---------------------------------------------------------------------------------- */

#define PARTICLES                                                                                            \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [1.0, 3.0, 6.0]; masses = [1, 2, 3]; } );"

START_TEST(deck_makes_elements_with_defaults_of_the_reference)
{
    struct fixture f = fixture_model(
        PARTICLES "elements = ( { type = \"spring\"; nodes = [\"p.0\", \"p.2\"]; stiffness = 10; },"
                  "{ type = \"spring\"; nodes = [\"p.0\", \"p.2\"]; stiffness = 10; length = 4; },"
                  "{ type = \"van_der_pol\"; node = \"p.1\"; coefficient = 5; },"
                  "{ type = \"dashpot\"; nodes = [\"p.2\", \"p.1\"]; coefficient = 7; },"
                  "{ type = \"dashpot\"; node = \"p.right\"; coefficient = 7; exponent = 1; } );");
    const struct sg_elements *list = &f.system->elements;
    ck_assert_uint_eq(list->count, 5);
    ck_assert(list->items[0].parameter[SG_SPRING_LENGTH] == 5);
    ck_assert(list->items[1].parameter[SG_SPRING_LENGTH] == 4);
    ck_assert(list->items[2].parameter[SG_VAN_DER_POL_CENTER] == 3);
    ck_assert(list->items[2].parameter[SG_VAN_DER_POL_SCALE] == 1);
    ck_assert(list->items[3].dof[0] == 2 && list->items[3].dof[1] == 1 && list->items[3].dof_count == 2);
    ck_assert(list->items[3].parameter[SG_DASHPOT_EXPONENT] == 2);
    ck_assert(list->items[4].dof[0] == 2 && list->items[4].dof_count == 1);
    fixture_release(&f);
}
END_TEST

#define REFUSED(element, words)                                                                              \
    fixture_refused(PARTICLES "elements = ( { " element " } );", SG_BAD_DECK, words)

START_TEST(deck_faults_are_findings)
{
    REFUSED("type = \"spring\"; nodes = [\"p.0\", \"p.9\"]; stiffness = 1;",
            "elements.[0].nodes: 'p.9' is no node");
    REFUSED("type = \"spring\"; nodes = [\"p.2\", \"p.right\"]; stiffness = 1;",
            "elements.[0].nodes: 'p.2' and 'p.right' are one node");
    REFUSED("type = \"torsion_spring\"; nodes = [\"p.0\", \"p.1\", \"p.2\"]; stiffness = 1;",
            "elements.[0].type: a torsion spring needs a model in 2 dimensions, and this one has 1");
    REFUSED("type = \"dashpot\"; coefficient = 1;", "elements.[0]: give either 'nodes' or 'node'");
    REFUSED("type = \"dashpot\"; node = \"p.0\"; nodes = [\"p.0\", \"p.1\"]; coefficient = 1;", "not both");
    REFUSED("type = \"dashpot\"; node = \"p.0\"; axis = \"y\"; coefficient = 1;",
            "elements.[0].axis: the model has 1 dimension: x alone");
    REFUSED("type = \"van_der_pol\"; node = \"q\"; coefficient = 1;",
            "elements.[0].node: 'q' names no body: there is 'p'");
}
END_TEST

Suite *sg_suite_elements(void)
{
    Suite *suite = suite_create("elements");
    TCase *kinds = tcase_create("kinds");
    tcase_add_test(kinds, spring_follows_its_energy_in_every_dimension);
    tcase_add_test(kinds, spring_pulls_by_its_stretch);
    tcase_add_test(kinds, spring_without_length_has_no_direction);
    tcase_add_test(kinds, torsion_spring_follows_its_energy);
    tcase_add_test(kinds, torsion_spring_measures_signed_angles);
    tcase_add_test(kinds, torsion_spring_bears_rods_without_length);
    tcase_add_test(kinds, rigid_motions_do_no_work);
    tcase_add_test(kinds, turned_rigidly_energies_stay);
    tcase_add_test(kinds, van_der_pol_gives_within_and_takes_beyond);
    tcase_add_test(kinds, dashpot_is_a_power_of_the_velocity);
    tcase_add_test(kinds, dashpot_at_rest_is_finite);
    suite_add_tcase(suite, kinds);
    TCase *deck = tcase_create("deck");
    tcase_add_test(deck, deck_makes_elements_with_defaults_of_the_reference);
    tcase_add_test(deck, deck_faults_are_findings);
    suite_add_tcase(suite, deck);
    return suite;
}
