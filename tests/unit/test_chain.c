/* The body `chain`: its geometry, and the arch's static equilibrium after it has snapped through. */
#include "assembly/bodies/body.h"
#include "element_fixture.h"
#include "model/tangent.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

extern const struct sg_body_ops sg_body_chain;

enum { NODES = 12, DOFS = 2 * NODES };

static const struct sg_kind *const chain_kinds[] = {&sg_body_chain.kind};
static const struct sg_kind_set chain_set = {.noun = "body", .count = 1, .items = chain_kinds};
static const struct sg_keyword chain_root[] = {
    {.name = "bodies", .type = SG_LIST, .meaning = "bodies", .kinds = &chain_set}, {0}};

#define ARCH                                                                                                 \
    "bodies = ( { type = \"chain\"; radius = 1.0; opening = 0.7853981633974483; elements = 11; "             \
    "node_mass = 1.5; stiffness = 1.0; torsion_stiffness = 4.16e-5; } );"

struct arch {
    double position[DOFS];
    int element_nodes[2 * (NODES - 1)];
    signed char element_shapes[NODES - 1];
    struct sg_triplets mass, damping, stiffness;
    struct sg_elements elements;
};

static void generate(struct arch *arch, const char *text)
{
    struct fixture f = {0};
    *arch = (struct arch){.mass = {.arena = &arena, .n = DOFS},
                          .damping = {.arena = &arena, .n = DOFS},
                          .stiffness = {.arena = &arena, .n = DOFS},
                          .elements = {.arena = &arena}};
    ck_assert(sg_deck_read_text(text, strlen(text), "test", &f.deck, &f.diagnostics, &f.err) == SG_OK);
    ck_assert(sg_deck_validate(f.deck, chain_root, &f.diagnostics, &f.err) == SG_OK);
    const struct sg_setting *node = sg_setting_item(sg_setting_child(sg_deck_root(f.deck), "bodies"), 0);
    struct sg_body_source source = {f.deck, node, &f.diagnostics, &f.err, 0, NULL};
    struct sg_body_size size = {0};
    ck_assert(sg_body_chain.measure(&source, &size) == SG_OK);
    ck_assert_uint_eq(size.nodes, NODES);
    ck_assert_uint_eq(size.elements, NODES - 1);
    struct sg_body_target target = {.position = arch->position,
                                    .width = 2,
                                    .element_nodes = arch->element_nodes,
                                    .element_shapes = arch->element_shapes,
                                    .mass = &arch->mass,
                                    .damping = &arch->damping,
                                    .stiffness = &arch->stiffness,
                                    .elements = &arch->elements};
    ck_assert(sg_body_chain.assemble(&source, &target) == SG_OK);
    ck_assert(!arch->elements.failed && !arch->mass.failed);
    fixture_release(&f);
}

START_TEST(nodes_lie_on_the_arc)
{
    struct arch arch;
    generate(&arch, ARCH);
    double opening = acos(-1) / 4, below = cos(opening / 2); /* the circle's center is below the ends */
    const double *x = arch.position;
    ck_assert(x[1] == 0 && x[DOFS - 1] == 0);
    SAME(x[DOFS - 2] - x[0], 2 * sin(opening / 2));
    for (size_t i = 0; i < NODES; i++) {
        SAME(hypot(x[2 * i], x[2 * i + 1] + below), 1);
        ck_assert(x[2 * i] == -x[DOFS - 2 - 2 * i] && x[2 * i + 1] == x[DOFS - 1 - 2 * i]);
        if (i > 0) SAME(hypot(x[2 * i] - x[2 * i - 2], x[2 * i + 1] - x[2 * i - 1]), 2 * sin(opening / 22));
    }
    SAME(x[2 * 5 + 1], cos(opening / 22) - below); /* nodes 5 and 6 are the two at the top */
}
END_TEST

START_TEST(arch_has_masses_rods_and_torsion_springs)
{
    struct arch arch;
    generate(&arch, ARCH);
    ck_assert_uint_eq(arch.mass.count, DOFS);
    for (size_t k = 0; k < DOFS; k++)
        ck_assert(arch.mass.row[k] == k && arch.mass.column[k] == k && arch.mass.value[k] == 1.5);
    ck_assert_uint_eq(arch.damping.count + arch.stiffness.count, 0);
    ck_assert_uint_eq(arch.elements.count, 11 + 10);
    for (size_t e = 0; e < 11; e++) {
        const struct sg_element *rod = &arch.elements.items[e];
        ck_assert(rod->ops == &sg_element_spring && rod->dof[0] == 2 * e && rod->dof[3] == 2 * e + 3);
        ck_assert(arch.element_nodes[2 * e] == (int)e && arch.element_nodes[2 * e + 1] == (int)e + 1);
    }
    for (size_t e = 11; e < 21; e++) {
        const struct sg_element *bend = &arch.elements.items[e];
        ck_assert(bend->ops == &sg_element_torsion_spring && bend->dof[0] == 2 * (e - 11));
        SAME(bend->parameter[SG_TORSION_ANGLE], -acos(-1) / 44); /* turned right by opening / elements */
    }
}
END_TEST

/* --- statics -------------------------------------------------------------------------------------- */

/* The arch as a system: particles on an axis, dofs 2 i and 2 i + 1 are x and y of node i. The ends are held,
 * and y of nodes 5 and 6. */
static struct fixture model_of(struct arch *arch)
{
    struct sg_text text = {0};
    sg_text_append(&text, "bodies = ( { type = \"particles\"; name = \"p\"; positions = [");
    for (size_t i = 0; i < DOFS; i++) {
        if (i > 0) sg_text_append(&text, ", ");
        sg_text_append_real(&text, arch->position[i]);
    }
    sg_text_append(&text, "]; masses = [");
    for (size_t i = 0; i < DOFS; i++) sg_text_append(&text, i == 0 ? "1.5" : ", 1.5");
    sg_text_append(&text, "]; } ); supports = ( ");
    const int held[] = {0, 1, 11, 13, 22, 23};
    for (size_t k = 0; k < 6; k++)
        sg_text_append(&text, "%s{ node = \"p.%d\"; }", k == 0 ? "" : ", ", held[k]);
    sg_text_append(&text, " );");
    struct fixture f = fixture_model(sg_text_view(&text));
    sg_text_release(&text);
    for (size_t e = 0; e < arch->elements.count; e++)
        sg_elements_add(&f.system->elements, &arch->elements.items[e]);
    ck_assert(sg_element_dofs_init(&f.system->arena, &f.system->scratch->elements, f.system, &f.err) ==
              SG_OK);
    return f;
}

START_TEST(arch_is_without_stress_as_generated)
{
    struct arch arch;
    generate(&arch, ARCH);
    struct fixture f = model_of(&arch);
    double f_int[DOFS], rest[DOFS] = {0};
    sg_system_internal(f.system, 0, rest, rest, f_int);
    for (size_t i = 0; i < f.system->n; i++) ck_assert(f_int[i] == 0);
    ck_assert(sg_system_strain(f.system, rest, 0) == 0);
    fixture_release(&f);
}
END_TEST

/* x <- A^-1 x by Gaussian elimination without exchange: A is positive definite near an equilibrium */
static void solve(const struct sg_matrix *a, double *x)
{
    double m[DOFS][DOFS];
    size_t n = a->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) m[i][j] = sg_matrix_entry(a, i, j);
    for (size_t p = 0; p < n; p++)
        for (size_t i = p + 1; i < n; i++) {
            double factor = m[i][p] / m[p][p];
            for (size_t j = p; j < n; j++) m[i][j] -= factor * m[p][j];
            x[i] -= factor * x[p];
        }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) x[i] -= m[i][j] * x[j];
        x[i] /= m[i][i];
    }
}

/* Newton's method from the mirrored arch, nodes 5 and 6 at the wall; N: the residual that is left */
static double equilibrate(const struct sg_system *system, double *u)
{
    struct sg_tangent tangent;
    struct sg_error err = {0};
    double f[DOFS], v[DOFS] = {0};
    ck_assert(sg_tangent_init(&arena, &tangent, system, &err) == SG_OK);
    for (int k = 0; k < 60; k++) {
        sg_system_internal(system, 0, u, v, f);
        sg_tangent_update(&tangent, system, 0, u, v);
        solve(&tangent.K, f);
        double scale = fmin(1, 0.02 / largest_of(f, system->n)); /* shorter than a rod: no new angles */
        for (size_t i = 0; i < system->n; i++) u[i] -= scale * f[i];
    }
    sg_system_internal(system, 0, u, v, f);
    return largest_of(f, system->n);
}

/* The wall lies 0.065 below the ends. The held nodes are moved there as reference, as the elements bring
 * their own undeformed lengths and angles along. */
START_TEST(arch_rests_on_the_wall_as_published)
{
    struct arch arch;
    generate(&arch, ARCH);
    const double *x = arch.position;
    double start[DOFS];
    for (size_t i = 0; i < NODES; i++) start[2 * i + 1] = -0.065 / x[11] * x[2 * i + 1];
    double u[DOFS] = {0};
    arch.position[11] = arch.position[13] = -0.065;
    struct fixture f = model_of(&arch);
    for (size_t j = 0; j < f.system->n; j++) {
        size_t full = f.system->free_dof[j];
        u[j] = full % 2 == 0 ? 0 : start[full] - arch.position[full];
    }
    NEAR(equilibrate(f.system, u), 0, 1e-15); /* eps of coordinates near 1 times k */
    struct sg_element_dofs *dofs = &f.system->scratch->elements;
    double force[DOFS] = {0};
    sg_element_dofs_gather(dofs, 0, 0, u, NULL);
    sg_element_dofs_force(dofs, 0, SG_ALL_ELEMENTS);
    for (size_t e = 0, k = 0; e < f.system->elements.count; e++)
        for (size_t i = 0; i < f.system->elements.items[e].dof_count; i++, k++)
            force[f.system->elements.items[e].dof[i]] = dofs->slot[0].f[dofs->list_index[k]];
    /* the figures of the specification, to their printed digits */
    NEAR(force[11], 4.6476e-5, 5e-10);
    NEAR(force[13], 4.6476e-5, 5e-10);
    NEAR(force[0], 3.0306e-4, 5e-9);
    NEAR(force[22], -3.0306e-4, 5e-9);
    NEAR(sg_system_strain(f.system, u, 0), 4.487111e-6, 5e-13);
    fixture_release(&f);
}
END_TEST

Suite *sg_suite_chain(void)
{
    Suite *suite = suite_create("chain");
    TCase *arch = tcase_create("arch");
    tcase_add_checked_fixture(arch, NULL, release_arena);
    tcase_add_test(arch, nodes_lie_on_the_arc);
    tcase_add_test(arch, arch_has_masses_rods_and_torsion_springs);
    tcase_add_test(arch, arch_is_without_stress_as_generated);
    tcase_add_test(arch, arch_rests_on_the_wall_as_published);
    suite_add_tcase(suite, arch);
    return suite;
}
