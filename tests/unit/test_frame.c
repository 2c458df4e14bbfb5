/* Beams and frames against closed forms and published numbers. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assembly/bodies/beam_element.h"
#include "model_fixture.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

static const struct sg_beam_section steel = {2.1e11, 3e-3, 4e-6, 24.0};

/* a direction at no special angle */
static const double slant[2] = {1.2, -0.9};

/* no force where the element moves and turns as a rigid body: rounding of entries up to E A / L = 4e8 */
START_TEST(rigid_motions_have_no_force)
{
    double k[6][6];
    sg_beam_stiffness(&steel, slant, k);
    const double motions[3][6] = {{1, 0, 0, 1, 0, 0}, {0, 1, 0, 0, 1, 0}, {0, 0, 1, -slant[1], slant[0], 1}};
    for (size_t m = 0; m < 3; m++)
        for (size_t i = 0; i < 6; i++) {
            double force = 0;
            for (size_t j = 0; j < 6; j++) {
                force += k[i][j] * motions[m][j];
                NEAR(k[i][j], k[j][i], 1e-7);
            }
            NEAR(force, 0, 1e-6);
        }
}
END_TEST

/* A cantilever under a force and a moment at its end bends by F L^3 / 3 EI + M L^2 / 2 EI and turns by
 * F L^2 / 2 EI + M L / EI, and stretches by N L / EA: cubics hold all that exactly. */
START_TEST(a_cantilever_bends_as_it_should)
{
    double k[6][6], l = 1.5, ei = steel.modulus * steel.inertia, c = slant[0] / l, s = slant[1] / l;
    double f = 3.0, m = -2.0, n = 7.0;
    double w = f * l * l * l / (3 * ei) + m * l * l / (2 * ei), turn = f * l * l / (2 * ei) + m * l / ei;
    double stretch = n * l / (steel.modulus * steel.area);
    sg_beam_stiffness(&steel, slant, k);
    const double u[3] = {c * stretch - s * w, s * stretch + c * w, turn},
                 force[3] = {c * n - s * f, s * n + c * f, m};
    for (size_t i = 0; i < 3; i++) {
        double sum = 0;
        for (size_t j = 0; j < 3; j++) sum += k[3 + i][3 + j] * u[j];
        NEAR(sum, force[i], 1e-9); /* rounding of 4e8 times 1e-8 m, and of 1e6 N / m times 1e-5 */
    }
}
END_TEST

/* the mass of a rigid translation is that of the beam along both axes, and a rotation about the first end has
 * m L^2 / 3, whose cubic is exact in the consistent matrix */
START_TEST(masses_add_up)
{
    double a[6][6];
    for (int kind = SG_BEAM_CONSISTENT; kind <= SG_BEAM_LUMPED; kind++) {
        sg_beam_mass(&steel, slant, (enum sg_beam_mass)kind, a);
        const double motions[3][6] = {
            {1, 0, 0, 1, 0, 0}, {0, 1, 0, 0, 1, 0}, {0, 0, 1, -slant[1], slant[0], 1}};
        const double expected[3] = {
            36, 36, kind == SG_BEAM_CONSISTENT ? 36 * 2.25 / 3 : 36 * 2.25 * (0.5 + 2.0 / 78)};
        for (size_t m = 0; m < 3; m++) {
            double sum = 0;
            for (size_t i = 0; i < 6; i++)
                for (size_t j = 0; j < 6; j++) sum += motions[m][i] * a[i][j] * motions[m][j];
            SAME(sum, expected[m]);
        }
    }
}
END_TEST

/* --- frequencies ---------------------------------------------------------------------------------- */

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* all frequencies of a deck's model, rad/s, rising; free them */
static double *frequencies(const char *deck, size_t *count)
{
    struct fixture f = fixture_model(deck);
    struct sg_modal *modal = NULL;
    ck_assert_int_eq(sg_modal_create(&arena, &f.system->M, &f.system->K, &modal, &f.err), SG_OK);
    *count = f.system->n;
    double *omega = malloc(*count * sizeof *omega);
    ck_assert_ptr_nonnull(omega);
    for (size_t i = 0; i < *count; i++) omega[i] = sqrt(fmax(modal->k[i], 0));
    qsort(omega, *count, sizeof *omega, rising);
    fixture_release(&f);
    return omega;
}

/* roots of cos x cosh x = -1: bending of a cantilever has omega = x^2 sqrt(EI / m) / L^2 */
static const double roots[6] = {1.875104068711961,  4.694091132974174,  7.854757438237613,
                                10.995540734875467, 14.137168391046471, 17.278759532088237};

/* E I = 2, m = 3 kg/m, L = 2 m; so stiff along its axis that all that is slow is bending */
static double bending_error(const char *mass, int parts, size_t mode)
{
    char deck[512];
    snprintf(deck, sizeof deck,
             "bodies = ({type = \"frame\"; storeys = 1; storey_heights = [2.0]; spans = 0; subdivisions = %d;"
             "mass = \"%s\"; column = {modulus = 2.0; density = 3.0e-8; area = 1.0e8; inertia = 1.0;};});",
             parts, mass);
    size_t count = 0;
    double *omega = frequencies(deck, &count), exact = roots[mode] * roots[mode] * sqrt(2.0 / 3.0) / 4;
    double error = omega[mode] / exact - 1;
    free(omega);
    return error;
}

/* Six frequencies by twenty elements: consistent masses err by (k h)^4 / 720 or so, above */
START_TEST(a_cantilever_has_its_frequencies)
{
    for (size_t mode = 0; mode < 6; mode++) {
        double error = bending_error("consistent", 20, mode), kh = roots[mode] / 20;
        ck_assert_double_ge(error, -1e-9);
        ck_assert_double_le(error, kh * kh * kh * kh / 700 + 1e-9);
    }
}
END_TEST

/* fourth order of frequencies with consistent masses, second with lumped ones */
START_TEST(frequencies_converge)
{
    for (size_t mode = 0; mode < 2; mode++) {
        double consistent =
            log2(bending_error("consistent", 8, mode) / bending_error("consistent", 16, mode));
        double lumped = log2(bending_error("lumped", 32, mode) / bending_error("lumped", 64, mode));
        NEAR(consistent, 4, 0.1);
        NEAR(lumped, 2, 0.1);
    }
}
END_TEST

/* --- frames --------------------------------------------------------------------------------------- */

#define TOWER(rest)                                                                                          \
    "bodies = ({type = \"frame\"; name = \"tower\"; storeys = 18; storey_heights = [3.0]; spans = 10;"       \
    "span_lengths = [5.0]; subdivisions = 2; base = \"pinned\"; slip_joints = [6];"                          \
    "column = {modulus = 30.0e9; density = 2500.0; width = 0.6; height = 0.6;};"                             \
    "beam = {modulus = 30.0e9; density = 2500.0; width = 0.4; height = 0.6; line_mass = 3000.0;}; " rest     \
    "});"

static double trace(const struct sg_matrix *a, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += sg_matrix_entry(a, i, i);
    return sum;
}

/* The same traces in closed form, to rounding of 1775 sums: a tie adds no diagonal, since no beam joins what
 * it ties; feet are held sideways and upwards. Columns of 1.5 m and beams of 2.5 m, two elements each. */
START_TEST(the_building_has_its_traces)
{
    static const struct {
        double length, area, inertia, line_mass, elements, held;
    } parts[] = {{1.5, 0.36, 0.6 * 0.216 / 12, 900.0, 18 * 11 * 2, 11},
                 {2.5, 0.24, 0.4 * 0.216 / 12, 3600.0, 18 * 10 * 2, 0}};
    double k = 0, m = 0;
    for (size_t i = 0; i < 2; i++) {
        double l = parts[i].length, e = 30.0e9, mass = parts[i].line_mass * l / 420;
        double moved = e * parts[i].area / l + 12 * e * parts[i].inertia / (l * l * l);
        k += 2 * parts[i].elements * (moved + 4 * e * parts[i].inertia / l) - parts[i].held * moved;
        m += 2 * parts[i].elements * (140 + 156 + 4 * l * l) * mass - parts[i].held * (140 + 156) * mass;
    }
    struct fixture f = fixture_model(TOWER(""));
    NEAR(trace(&f.system->K, f.system->n), k, 1e-12 * k);
    NEAR(trace(&f.system->M, f.system->n), m, 1e-12 * m);
    fixture_release(&f);
}
END_TEST

/* Numbers of an independent program for the building of Depouhon et al. 2014 with sections of ours. They are
 * given with nine digits, f with six decimals. */
START_TEST(the_building_has_its_numbers)
{
    struct fixture f = fixture_model(TOWER("") "damping = {ratios = [0.05, 0.05]; modes = [1, 2];};");
    ck_assert_uint_eq(f.system->n, 1775);
    NEAR(trace(&f.system->K, f.system->n), 9.64907136e12, 5e3 + 1e-9 * 9.65e12);
    NEAR(trace(&f.system->M, f.system->n), 5.718548571e6, 1e-9 * 5.72e6);
    NEAR(100 * f.system->max_stiffness, 1.4731776e12, 1e-9 * 1.47e12);
    NEAR(f.system->alpha, 0.163937731, 1e-8 * 0.16);
    NEAR(f.system->beta, 0.0152094225, 1e-8 * 0.0152);
    fixture_release(&f);
    size_t count = 0;
    double *omega = frequencies(TOWER(""), &count);
    static const double hertz[] = {0.496325, 0.550098, 1.502531, 1.666833, 2.666771};
    for (size_t i = 0; i < 5; i++) NEAR(omega[i] / (8 * atan(1.0)), hertz[i], 1e-6 * hertz[i]);
    NEAR(omega[count - 1], 10701.638, 1e-3);
    free(omega);
}
END_TEST

/* A floor that moves as one feels the sum of what pushes its joints: 2 kN a joint, four of them. */
START_TEST(forces_on_tied_joints_add_up)
{
    struct fixture f =
        fixture_model("bodies = ({type = \"frame\"; name = \"t\"; storeys = 1; storey_heights = [3.0];"
                      "spans = 3; span_lengths = [5.0]; diaphragms = true;"
                      "column = {modulus = 1.0; density = 1.0; width = 1.0; height = 1.0;};"
                      "beam = {modulus = 1.0; density = 1.0; width = 1.0; height = 1.0;};});"
                      "loads = ({type = \"force\"; node = \"t.floor1\"; direction = [1.0, 0.0];"
                      "signal = {type = \"constant\"; value = 2.0e3;};});");
    double *load = calloc(f.system->n, sizeof *load), sum = 0;
    ck_assert_ptr_nonnull(load);
    sg_system_load(f.system, 0, load);
    for (size_t i = 0; i < f.system->n; i++) sum += load[i];
    SAME(sum, 8.0e3);
    free(load);
    fixture_release(&f);
}
END_TEST

/* A slip joint's two nodes share their vertical dof: one free dof, one motion in the results. */
START_TEST(a_slip_joint_shares_a_dof)
{
    struct fixture f = fixture_model(TOWER(""));
    const struct sg_system *s = f.system;
    struct sg_node_list lists[2];
    static const char *const names[] = {"tower.joint0_column", "tower.joint0_floor"};
    for (size_t k = 0; k < 2; k++) {
        struct sg_node_name name = {.text = names[k]};
        ck_assert(sg_system_find_nodes(s, &name, NULL, &lists[k]));
        ck_assert_uint_eq(lists[k].count, 18);
    }
    double *x = calloc(s->n, sizeof *x), *full = calloc(s->n_full, sizeof *full);
    ck_assert(x != NULL && full != NULL);
    for (size_t i = 0; i < s->n; i++) x[i] = (double)i;
    sg_system_expand(s, x, 0, 0, full);
    for (size_t i = 0; i < 18; i++) {
        size_t a = sg_node_list_at(&lists[0], i), b = sg_node_list_at(&lists[1], i);
        ck_assert_uint_eq(s->free_of_full[sg_system_dof(s, a, 1)], s->free_of_full[sg_system_dof(s, b, 1)]);
        ck_assert_uint_ne(s->free_of_full[sg_system_dof(s, a, 0)], s->free_of_full[sg_system_dof(s, b, 0)]);
        NEAR(full[sg_system_dof(s, a, 1)], full[sg_system_dof(s, b, 1)], 0);
        for (size_t d = 0; d < 2; d++)
            NEAR(sg_system_node(s, a).position[d], sg_system_node(s, b).position[d], 0);
    }
    free(x);
    free(full);
    fixture_release(&f);
}
END_TEST

/* A portal with rigid floors whose columns are clamped below and can't turn above is a shear building: the
 * stiffness of a storey is 12 E I / h^3 a column. Beams so stiff that the joints don't turn; the columns'
 * mass is small, so that each floor is a mass on springs: omega_k = 2 sqrt(k/m) sin((2 k - 1) pi / (2 (2 N +
 * 1))). */
START_TEST(rigid_floors_make_a_shear_building)
{
    size_t count = 0;
    double *omega = frequencies(
        "bodies = ({type = \"frame\"; storeys = 3; storey_heights = [2.0]; spans = 1;"
        "span_lengths = [4.0]; diaphragms = true; subdivisions = 2;"
        "column = {modulus = 1.0; density = 1.0e-9; area = 1.0e6; inertia = 5.0;};"
        "beam = {modulus = 1.0; density = 1.0; area = 1.0; inertia = 1.0e6; line_mass = 9.0;};});",
        &count);
    double k = 2 * 12 * 5.0 / 8, m = 10.0 * 4.0, pi = 4 * atan(1.0);
    for (int i = 1; i <= 3; i++) {
        double exact = 2 * sqrt(k / m) * sin((2 * i - 1) * pi / 14);
        NEAR(omega[i - 1] / exact, 1, 2e-4); /* columns weigh 1e-4 of floors */
    }
    free(omega);
}
END_TEST

static const struct {
    const char *deck, *finding;
} wrong[] = {
#define FRAME(rest)                                                                                          \
    "bodies = ({type = \"frame\"; storeys = 3; spans = 2; " rest                                             \
    "column = {modulus = 1.0; density = 1.0; width = 1.0; height = 1.0;};});"
#define BEAM "beam = {modulus = 1.0; density = 1.0; width = 1.0; height = 1.0;};"
    {FRAME("storey_heights = [3.0, 4.0]; span_lengths = [5.0]; " BEAM), "has 2 numbers for 3 storeys"},
    {FRAME("storey_heights = [3.0]; span_lengths = [5.0, 5.0, 5.0]; " BEAM), "has 3 numbers for 2 spans"},
    {FRAME("storey_heights = [3.0]; " BEAM), "has 0 numbers for 2 spans"},
    {FRAME("storey_heights = [3.0]; span_lengths = [5.0];"), "is missing: 2 spans have beams"},
    {FRAME("storey_heights = [3.0]; span_lengths = [5.0]; slip_joints = [2]; " BEAM),
     "2 is no column line with beams on both sides: those are 1 to 1"},
    {FRAME("storey_heights = [3.0]; span_lengths = [5.0]; slip_joints = [0.5]; " BEAM),
     "0.5 is no column line"},
    {FRAME("storey_heights = [3.0]; span_lengths = [5.0]; slip_joints = [1, 1]; " BEAM), "1 follows 1"},
    {FRAME("storey_heights = [3.0]; span_lengths = [5.0];"
           "beam = {modulus = 1.0; density = 1.0; width = 1.0; area = 1.0;};"),
     "'width' and 'height', or 'area' and 'inertia'"},
};

START_TEST(wrong_frames_are_told)
{
    fixture_refused(wrong[_i].deck, SG_BAD_DECK, wrong[_i].finding);
}
END_TEST

Suite *sg_suite_frame(void)
{
    Suite *suite = suite_create("frame");
    TCase *tc = tcase_create("frame");
    tcase_add_checked_fixture(tc, NULL, release_arena);
    tcase_set_timeout(tc, 60);
    tcase_add_test(tc, rigid_motions_have_no_force);
    tcase_add_test(tc, a_cantilever_bends_as_it_should);
    tcase_add_test(tc, masses_add_up);
    tcase_add_test(tc, a_cantilever_has_its_frequencies);
    tcase_add_test(tc, frequencies_converge);
    tcase_add_test(tc, the_building_has_its_traces);
    tcase_add_test(tc, the_building_has_its_numbers);
    tcase_add_test(tc, a_slip_joint_shares_a_dof);
    tcase_add_test(tc, forces_on_tied_joints_add_up);
    tcase_add_test(tc, rigid_floors_make_a_shear_building);
    tcase_add_loop_test(tc, wrong_frames_are_told, 0, sizeof wrong / sizeof *wrong);
    suite_add_tcase(suite, tc);
    return suite;
}
