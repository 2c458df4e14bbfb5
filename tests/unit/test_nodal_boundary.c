/* The two phases of the nodal boundary method against integrals of their shape functions. */
#include "model/nodal_boundary.h"

#include <stdio.h>

#include "linalg/eigen.h"
#include "model_fixture.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

/* a clamped bar of length 2, E A = 15 N, rho A = 21 kg/m */
struct bar {
    int order, elements;
    const char *rest;
};

static struct fixture model(const struct bar *bar)
{
    char text[600];
    int length =
        snprintf(text, sizeof text,
                 "bodies = ( { type = \"bar\"; length = 2.0; area = 3.0; modulus = 5.0; density = 7.0; "
                 "elements = %d; order = %d; } ); %s",
                 bar->elements, bar->order, bar->rest);
    ck_assert(length > 0 && length < (int)sizeof text);
    return fixture_model(text);
}

static const char *const clamped = "supports = ( { node = \"bar.left\"; } );";

static struct sg_nodal_boundary *boundary_of(struct fixture *f, struct sg_nodal_contact contact)
{
    struct sg_nodal_boundary *boundary = NULL;
    contact.name = "stop";
    sg_status status = sg_nodal_boundary_create(f->system, &contact, &boundary, &f->err);
    ck_assert_msg(status == SG_OK, "%s", f->err.text);
    return boundary;
}

/* --- shape functions of the whole bar, written anew ----------------------------------------------- */

/* value (derivative 0) or slope (1) of phi_i, i over all nodes, at place x of [0, 2] */
static double phi(const struct bar *bar, int i, double x, int derivative)
{
    int p = bar->order, e = (int)fmin(floor(x / 2 * bar->elements), bar->elements - 1), own = i - e * p;
    if (own < 0 || own > p) return 0;
    double size = 2.0 / bar->elements, y = x / size - e, sum = 0;
    for (int k = 0; k <= p; k++) {
        if (k == own) continue;
        double product = 1 / ((double)(own - k) / p);
        for (int m = 0; m <= p; m++)
            if (m != own && m != k) product *= (y - (double)m / p) / ((double)(own - m) / p);
        if (derivative == 0) return product * (y - (double)k / p);
        sum += product;
    }
    return sum / size;
}

/* P_i: phi_i + s_i phi_N (inactive) or phi_i (active), node 0 held */
static double recombined(const struct bar *bar, enum sg_nodal_phase phase, int i, double x, int derivative)
{
    int last = bar->order * bar->elements;
    double share = phase == SG_INACTIVE ? -phi(bar, i, 2.0, 1) / phi(bar, last, 2.0, 1) : 0;
    return phi(bar, i, x, derivative) + share * phi(bar, last, x, derivative);
}

/* int of the product of two of them over the bar, three Gauss points in each of many cells: to rounding */
static double integral(const struct bar *bar, enum sg_nodal_phase phase, const int ij[2], int derivative)
{
    static const double at[] = {0.11270166537925831148, 0.5, 0.88729833462074168852};
    static const double weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    int cells = 200 * bar->elements;
    double sum = 0, size = 2.0 / cells;
    for (int k = 0; k < cells; k++)
        for (int g = 0; g < 3; g++) {
            double x = (k + at[g]) * size;
            sum += weight[g] * size * recombined(bar, phase, ij[0], x, derivative) *
                   recombined(bar, phase, ij[1], x, derivative);
        }
    return sum;
}

/* --- tests ---------------------------------------------------------------------------------------- */

/* s and phi_N'(1) of a bar of length 1 are rational numbers: 1e-12 leaves a few hundred roundings */
START_TEST(test_weights)
{
    static const double s[][4] = {{1},
                                  {4.0 / 3, -1.0 / 3},
                                  {18.0 / 11, -9.0 / 11, 2.0 / 11},
                                  {48.0 / 25, -36.0 / 25, 16.0 / 25, -3.0 / 25}};
    static const double harmonic[] = {1, 1.5, 11.0 / 6, 25.0 / 12};
    for (int p = 1; p <= 4; p++)
        for (int elements = 2; elements <= 50; elements += 16) {
            struct bar bar = {p, elements, clamped};
            struct fixture f = model(&bar);
            size_t last = f.system->n - 1;
            struct sg_nodal_boundary *b = boundary_of(&f, (struct sg_nodal_contact){NULL, last, -1, 0.1});
            ck_assert_uint_eq(b->s.start[1], (size_t)p);
            for (size_t k = 0; k < (size_t)p; k++) {
                ck_assert_uint_eq(b->s.row[k], last - 1 - k);
                NEAR(b->s.value[k], s[p - 1][k], 1e-12);
            }
            /* E A phi_N'(L), L = 2 */
            double slope = elements * p * harmonic[p - 1] / 2;
            NEAR(b->stiffness / (15 * slope), 1, 1e-12);
            NEAR(b->held, 0.1, 0);
            sg_nodal_boundary_destroy(b);
            fixture_release(&f);
        }
}
END_TEST

static void compare_phase(const struct bar *bar, const struct sg_nodal_boundary *b, enum sg_nodal_phase phase)
{
    const struct sg_system *part = b->phase[phase];
    double mass = sg_matrix_max_abs(&part->M), stiffness = sg_matrix_max_abs(&part->K), lowest = 0;
    for (size_t i = 0; i < b->m; i++)
        for (size_t j = 0; j <= i; j++) {
            const int ij[2] = {(int)i + 1, (int)j + 1};
            NEAR(sg_matrix_entry(&part->M, i, j), 21 * integral(bar, phase, ij, 0), 1e-12 * mass);
            NEAR(sg_matrix_entry(&part->K, i, j), 15 * integral(bar, phase, ij, 1), 1e-12 * stiffness);
        }
    struct sg_error err = {0};
    struct sg_triplets one = {.arena = &arena, .n = b->m};
    struct sg_matrix unit = {0};
    for (size_t i = 0; i < b->m; i++) sg_triplets_add(&one, i, i, 1.0);
    ck_assert_int_eq(sg_matrix_init(&arena, &unit, &one, SG_DIAGONAL, &err), SG_OK);
    ck_assert_int_eq(sg_eigen_smallest(&unit, &part->M, &lowest, &err), SG_OK);
    ck_assert_double_gt(lowest, 0);
    ck_assert_int_eq(sg_eigen_smallest(&part->M, &part->K, &lowest, &err), SG_OK);
    ck_assert_double_gt(lowest, 0);
}

/* M = int rho A P^T P and K = int E A P'^T P' of both phases, both positive definite; rounding of some
 * hundred terms */
START_TEST(test_matrices)
{
    for (int p = 1; p <= 4; p++) {
        struct bar bar = {p, 3, clamped};
        struct fixture f = model(&bar);
        struct sg_nodal_boundary *b =
            boundary_of(&f, (struct sg_nodal_contact){NULL, f.system->n - 1, -1, 0.1});
        compare_phase(&bar, b, SG_INACTIVE);
        compare_phase(&bar, b, SG_ACTIVE);
        sg_nodal_boundary_destroy(b);
        fixture_release(&f);
    }
}
END_TEST

static double energy(const struct sg_system *system, const double *u, const double *v)
{
    return sg_system_kinetic(system, v, 0) + sg_system_strain(system, u, 0) +
           sg_system_gravity_energy(system, u, 0);
}

/* Change of the total energy, J, where the phase changes at S = 0 with internal velocities v (m), eq. (54):
 * by `to` active -d . M (P v) + d . M d / 2 with d = (s . v) e_N, the reverse by inactive. */
static double energy_jump(const struct sg_nodal_boundary *boundary, const struct sg_system *system,
                          const double *v, enum sg_nodal_phase to)
{
    double full[64], momentum[64], jump = sg_columns_dot(&boundary->s, 0, v);
    ck_assert_uint_le(system->n, 64);
    sg_nodal_boundary_expand(boundary, SG_ACTIVE, v, 1, full);
    sg_matrix_multiply(&system->M, full, momentum);
    double gain = jump * (momentum[boundary->node] +
                          jump / 2 * sg_matrix_entry(&system->M, boundary->node, boundary->node));
    return to == SG_INACTIVE ? gain : -gain;
}

/* the energy of a phase, by its own matrices and constant, is that of the full coordinates; the jump of the
 * total where the phase changes is eq. (54) */
static void compare_energies(const struct fixture *f, const struct sg_nodal_boundary *b)
{
    size_t m = b->m;
    double x[64], v[64], u[2][65], w[2][65], total[2];
    for (size_t i = 0; i < m; i++) {
        x[i] = sin(1.0 + 3.0 * (double)i);
        v[i] = cos(2.0 + 5.0 * (double)i);
    }
    /* onto S = 0 */
    x[m - 1] -= sg_nodal_boundary_switch(b, x) / (b->weight * sg_columns_entry(&b->s, 0, m - 1));
    NEAR(sg_nodal_boundary_switch(b, x), 0, 1e-14);
    for (int k = 0; k < SG_NODAL_PHASES; k++) {
        const struct sg_system *part = b->phase[k];
        sg_nodal_boundary_expand(b, (enum sg_nodal_phase)k, x, 0, u[k]);
        sg_nodal_boundary_expand(b, (enum sg_nodal_phase)k, v, 1, w[k]);
        total[k] = energy(f->system, u[k], w[k]);
        double own = sg_matrix_form(&part->M, v, v) / 2 + sg_matrix_form(&part->K, x, x) / 2;
        for (size_t i = 0; i < m; i++) own -= part->gravity[i] * x[i];
        NEAR(own + (k == SG_ACTIVE ? b->active_energy : 0), total[k], 1e-13 * fabs(total[k]));
    }
    /* the displacements are the same at S = 0 */
    for (size_t i = 0; i <= m; i++) NEAR(u[0][i], u[1][i], 1e-14);
    double jump = energy_jump(b, f->system, v, SG_ACTIVE);
    NEAR(total[SG_ACTIVE] - total[SG_INACTIVE], jump, 1e-13 * total[0]);
    NEAR(jump, -energy_jump(b, f->system, v, SG_INACTIVE), 0);
    ck_assert_double_gt(fabs(jump), 1e-6 * total[0]);
}

START_TEST(test_energies)
{
    for (int p = 1; p <= 4; p++) {
        struct bar bar = {p, 6,
                          "supports = ( { node = \"bar.left\"; } );"
                          "loads = ( { type = \"gravity\"; acceleration = -9.81; } );"};
        struct fixture f = model(&bar);
        struct sg_nodal_boundary *b =
            boundary_of(&f, (struct sg_nodal_contact){NULL, f.system->n - 1, -1, 0.1});
        compare_energies(&f, b);
        sg_nodal_boundary_destroy(b);
        fixture_release(&f);
    }
}
END_TEST

/* Loads, damping and both ends: the contact at node 0 sees the mirrored bar. */
START_TEST(test_left_end)
{
    struct bar left = {2, 5,
                       "supports = ( { node = \"bar.right\"; } ); damping = { mass = 0.3; stiffness = 0.1; };"
                       "loads = ( { type = \"force\"; node = \"bar.3\";"
                       "  signal = { type = \"constant\"; value = 4; }; } );"};
    struct bar right = {2, 5,
                        "supports = ( { node = \"bar.left\"; } ); damping = { mass = 0.3; stiffness = 0.1; };"
                        "loads = ( { type = \"force\"; node = \"bar.7\";"
                        "  signal = { type = \"constant\"; value = 4; }; } );"};
    struct fixture f = model(&left), g = model(&right);
    size_t m = f.system->n - 1;
    struct sg_nodal_boundary *a = boundary_of(&f, (struct sg_nodal_contact){NULL, 0, 1, 0.1});
    struct sg_nodal_boundary *b = boundary_of(&g, (struct sg_nodal_contact){NULL, m, -1, 0.1});
    SAME(a->stiffness, b->stiffness);
    SAME(a->held, -b->held);
    for (size_t i = 0; i < m; i++)
        NEAR(sg_columns_entry(&a->s, 0, i), sg_columns_entry(&b->s, 0, m - 1 - i), 1e-15);
    for (int k = 0; k < SG_NODAL_PHASES; k++) {
        const struct sg_system *x = a->phase[k], *y = b->phase[k];
        ck_assert(x->damped && x->proportional);
        for (size_t i = 0; i < m; i++) {
            size_t mirror = m - 1 - i;
            NEAR(x->loads[0].pattern[i], y->loads[0].pattern[mirror], 1e-13);
            NEAR(x->gravity[i], -y->gravity[mirror], 1e-12);
            for (size_t j = 0; j < m; j++) {
                NEAR(sg_matrix_entry(&x->C, i, j), sg_matrix_entry(&y->C, mirror, m - 1 - j), 1e-12);
                NEAR(sg_matrix_entry(&x->C, i, j),
                     0.3 * sg_matrix_entry(&x->M, i, j) + 0.1 * sg_matrix_entry(&x->K, i, j), 1e-12);
            }
        }
    }
    sg_nodal_boundary_destroy(a);
    sg_nodal_boundary_destroy(b);
    fixture_release(&f);
    fixture_release(&g);
}
END_TEST

static void refused(const char *text, size_t dof, const char *words)
{
    struct fixture f = fixture_model(text);
    struct sg_nodal_boundary *boundary = NULL;
    struct sg_nodal_contact contact = {"stop", dof, 1, 0.1};
    sg_status status = sg_nodal_boundary_create(f.system, &contact, &boundary, &f.err);
    ck_assert_int_eq(status, SG_BAD_DECK);
    ck_assert_ptr_null(boundary);
    ck_assert_msg(strstr(f.err.text, words) != NULL, "no '%s' in: %s", words, f.err.text);
    fixture_release(&f);
}

#define PARTICLES "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0, 1]; masses = [1, 1]; } );"

START_TEST(test_refusals)
{
    refused(BAR("elements = 4;"), 2, "is on 'bar.2', where no shape functions give the force on an end");
    refused(PARTICLES, 1, "is on 'p.1', where no shape functions give the force on an end");
    refused(BAR("elements = 1;") "supports = ( { node = \"bar.left\"; } );", 0,
            "'bar.1', the only node that is free");
    refused(BAR("elements = 1; order = 2;") "supports = ( { node = \"bar.left\";"
                                            " motion = { type = \"harmonic\"; amplitude = 1; frequency = 1; "
                                            "}; } );",
            1, "has a support that moves or starts displaced, 'bar.0'");
    refused("bodies = ( { type = \"plane\"; width = 1; height = 1; nx = 1; ny = 1; modulus = 1; poisson = 0;"
            " density = 1; thickness = 1; } );",
            0, "a node of this model has 2 coordinates");
}
END_TEST

Suite *sg_suite_nodal_boundary(void)
{
    Suite *suite = suite_create("nodal_boundary");
    TCase *tests = tcase_create("phases");
    tcase_add_checked_fixture(tests, NULL, release_arena);
    tcase_add_test(tests, test_weights);
    tcase_add_test(tests, test_matrices);
    tcase_add_test(tests, test_energies);
    tcase_add_test(tests, test_left_end);
    tcase_add_test(tests, test_refusals);
    suite_add_tcase(suite, tests);
    return suite;
}
