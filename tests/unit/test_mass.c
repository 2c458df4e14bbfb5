/* Lumped mass against models whose deck asks for it, and mass scaling against what it promises. */
#include <stdio.h>

#include "assembly/builder.h"
#include "model/mass_scaling.h"
#include "model_fixture.h"
#include "strategies/critical_step.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

/* bars apart and joined to moving supports, with both parts of Rayleigh damping: MASS is that of both */
#define BARS(MASS)                                                                                           \
    "bodies = ( { type = \"bar\"; length = 2; area = 3; modulus = 50; density = 7; elements = 6;"            \
    "    mass = \"" MASS "\"; },"                                                                            \
    "  { type = \"bar\"; name = \"one\"; length = 1; area = 2; modulus = 30; density = 1; elements = 1;"     \
    "    position = 3; mass = \"" MASS "\"; },"                                                              \
    "  { type = \"particles\"; name = \"p\"; positions = [7, 8, 9]; masses = [1, 2, 3];"                     \
    "    springs = ( { nodes = [0, 1]; stiffness = 40; DASHPOT }, { nodes = [1, 2]; stiffness = 50; } ); } " \
    ");"                                                                                                     \
    "supports = ( { node = \"bar.left\"; motion = { type = \"harmonic\"; amplitude = 0.3; frequency = 0.7; " \
    "}; },"                                                                                                  \
    "  { node = \"bar.right\"; quantity = \"acceleration\";"                                                 \
    "    motion = { type = \"pulse\"; amplitude = 2; duration = 3; }; },"                                    \
    "  { node = \"one.left\"; quantity = \"velocity\";"                                                      \
    "    motion = { type = \"piecewise-linear\"; times = [0, 1, 2]; values = [0, 1, -1]; }; } );"            \
    "loads = ( { type = \"gravity\"; acceleration = -9.81; },"                                               \
    "  { type = \"force\"; node = \"one.right\";"                                                            \
    "    signal = { type = \"harmonic\"; amplitude = 5; frequency = 1; }; } );"                              \
    "initial = ( { body = \"p\"; velocity = 3; } );"                                                         \
    "damping = { mass = 0.1; stiffness = 0.02; };"

/* the text with DASHPOT filled in */
static void fill(const char *text, const char *dashpot, char *out, size_t size)
{
    const char *at = strstr(text, "DASHPOT");
    ck_assert_ptr_nonnull(at);
    int length = snprintf(out, size, "%.*s%s%s", (int)(at - text), text, dashpot, at + strlen("DASHPOT"));
    ck_assert(length > 0 && (size_t)length < size);
}

static void same_vector(const double *a, const double *b, size_t n, double scale)
{
    for (size_t i = 0; i < n; i++) NEAR(a[i], b[i], 1e-13 * scale);
}

static void same_matrix(const struct sg_matrix *a, const struct sg_matrix *b)
{
    double scale = sg_matrix_max_abs(b);
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j <= i; j++)
            NEAR(sg_matrix_entry(a, i, j), sg_matrix_entry(b, i, j), 1e-13 * scale);
}

/* everything that a lumped mass changes, up to rounding of a few sums */
static void same_system(const struct sg_system *a, const struct sg_system *b)
{
    ck_assert_int_eq(a->M.kind, SG_DIAGONAL);
    same_matrix(&a->M, &b->M);
    same_matrix(&a->C, &b->C);
    same_matrix(&a->K, &b->K);
    same_vector(a->momentum, b->momentum, a->n, 10.0);
    same_vector(a->momentum_pp, b->momentum_pp, a->motion_count, 10.0);
    same_vector(a->motion_pp, b->motion_pp, 3 * a->motion_count * a->motion_count, 1000.0);
    for (size_t m = 0; m < a->motion_count; m++) {
        same_vector(a->motions[m].mass, b->motions[m].mass, a->n, 10.0);
        same_vector(a->motions[m].damping, b->motions[m].damping, a->n, 10.0);
        same_vector(a->motions[m].stiffness, b->motions[m].stiffness, a->n, 1000.0);
    }
    double f[32], g[32];
    ck_assert(a->n <= 32);
    for (double t = 0.0; t < 4.0; t += 0.37) {
        sg_system_load(a, t, f);
        sg_system_load(b, t, g);
        same_vector(f, g, a->n, 1000.0);
        SAME(sg_system_kinetic(a, a->v0, t), sg_system_kinetic(b, b->v0, t));
    }
}

static const char *const dashpots[] = {"", "damping = 0.5;"};

START_TEST(lumping_makes_the_model_of_a_lumped_deck)
{
    char consistent[2048], lumped[2048];
    fill(BARS("consistent"), dashpots[_i], consistent, sizeof consistent);
    fill(BARS("lumped"), dashpots[_i], lumped, sizeof lumped);
    struct fixture a = fixture_model(consistent), b = fixture_model(lumped);
    ck_assert(a.system->M.kind != SG_DIAGONAL);
    size_t loads = a.system->load_count;
    ck_assert(sg_system_lump(a.system, &a.err) == SG_OK);
    ck_assert(a.system->load_count <= loads);
    same_system(a.system, b.system);
    ck_assert(a.system->proportional == b.system->proportional && a.system->damped);
    /* again: nothing left to do */
    struct sg_matrix before = a.system->M;
    ck_assert(sg_system_lump(a.system, &a.err) == SG_OK);
    ck_assert(a.system->M.diag == before.diag);
    fixture_release(&a);
    fixture_release(&b);
}
END_TEST

/* v = 1 everywhere: total mass */
START_TEST(lumping_keeps_mass_momentum_and_weight)
{
    struct fixture f =
        fixture_model(BAR("elements = 7; mass = \"consistent\";") "supports = ( { node = \"bar.left\"; } ); "
                                                                  "loads = ( { type = \"gravity\"; "
                                                                  "acceleration = -3; } );");
    struct sg_system *system = f.system;
    double momentum = 0, weight = 0, mass = 0;
    for (size_t i = 0; i < system->n; i++) momentum += system->momentum[i];
    ck_assert(sg_system_lump(system, &f.err) == SG_OK);
    for (size_t i = 0; i < system->n; i++) {
        mass += system->M.diag[i];
        weight += system->gravity[i];
    }
    SAME(mass, momentum);
    SAME(weight, -3 * mass);
    SAME(mass, 2.0 * 3.0 * 7.0 * (1.0 - 0.5 / 7.0)); /* half an element hangs on the support */
    fixture_release(&f);
}
END_TEST

START_TEST(modes_are_not_lumped)
{
    struct fixture f = fixture_model(BAR("elements = 4;"));
    struct sg_modal *modal = NULL;
    ck_assert(sg_modal_create(&arena, &f.system->M, &f.system->K, &modal, &f.err) == SG_OK);
    ck_assert(sg_system_to_modal(f.system, modal, &f.err) == SG_OK);
    ck_assert_int_eq(sg_system_lump(f.system, &f.err), SG_INTERNAL);
    fixture_release(&f);
}
END_TEST

/* --- mass scaling --------------------------------------------------------------------------------- */

/* one spring of five is a hundred times stiffer: it alone would set the step */
#define UNEVEN(more)                                                                                         \
    "bodies = ( { type = \"particles\"; name = \"p\"; positions = [0, 1, 2, 3, 4, 5];"                       \
    "  masses = [1, 2, 1, 1, 2, 1]; springs = ( { nodes = [0, 1]; stiffness = 10; },"                        \
    "    { nodes = [1, 2]; stiffness = 10; }, { nodes = [2, 3]; stiffness = 1000; " more " },"               \
    "    { nodes = [3, 4]; stiffness = 10; }, { nodes = [4, 5]; stiffness = 10; } ); } );"

static double critical(const struct sg_system *system, bool damping_before)
{
    struct sg_critical_spec spec = {.system = system, .stability = 2.0, .damping_before = damping_before};
    struct sg_critical_step found;
    struct sg_error err;
    ck_assert(sg_critical_step_find(&spec, &found, &err) == SG_OK);
    return found.step;
}

static const struct {
    const char *text;
    bool damped;
} uneven[] = {{UNEVEN(""), false},
              {UNEVEN("damping = 3;"), true},
              {UNEVEN("damping = 3;") "damping = { mass = 0.7; };", true},
              {UNEVEN("") "damping = { mass = 0.7; stiffness = 0.01; };", true},
              {UNEVEN("") "damping = { mass = 0.7; stiffness = 0.01; };", false}};

START_TEST(scaled_mass_makes_the_step_admissible)
{
    static const double masses[] = {1, 2, 1, 1, 2, 1};
    struct fixture f = fixture_model(uneven[_i].text);
    struct sg_system *system = f.system;
    bool damped = uneven[_i].damped;
    double step = 0.3, added = 0.0;
    ck_assert(critical(system, damped) < 0.1);
    struct sg_mass_scaling_spec spec = {step, &system->K, damped ? &system->C : NULL};
    struct sg_mass_scaling scaling;
    ck_assert(sg_system_scale_mass(system, &spec, &scaling, &f.err) == SG_OK);
    ck_assert_msg(critical(system, damped) >= step / SG_SCALING_MARGIN * (1 - 1e-9), "%.12g",
                  critical(system, damped));
    for (size_t i = 0; i < 6; i++) {
        double more = system->M.diag[i] - masses[i];
        bool touched = i == 2 || i == 3;
        ck_assert(touched ? more > 0.0 : more == 0.0); /* bit for bit */
        SAME(system->momentum[i], system->M.diag[i]);
        added += more;
    }
    ck_assert_uint_eq(scaling.nodes, 2);
    SAME(scaling.added, added);
    SAME(scaling.total, 8.0);
    /* C = alpha M + beta K still, where it was */
    for (size_t i = 0; i < 6 && system->proportional; i++)
        SAME(sg_matrix_entry(&system->C, i, i),
             system->alpha * system->M.diag[i] + system->beta * sg_matrix_entry(&system->K, i, i));
    double after = system->M.diag[2];
    /* what is admissible stays as it is */
    ck_assert(sg_system_scale_mass(system, &spec, &scaling, &f.err) == SG_OK);
    ck_assert(scaling.nodes == 0 && scaling.added == 0.0 && system->M.diag[2] == after);
    fixture_release(&f);
}
END_TEST

/* undamped: m = h^2 (sum |K|) / (4 x 0.95^2), by hand */
START_TEST(no_more_mass_than_needed)
{
    struct fixture f = fixture_model(UNEVEN(""));
    struct sg_mass_scaling_spec spec = {0.3, &f.system->K, NULL};
    struct sg_mass_scaling scaling;
    ck_assert(sg_system_scale_mass(f.system, &spec, &scaling, &f.err) == SG_OK);
    SAME(f.system->M.diag[2], 0.3 * 0.3 / (0.95 * 0.95) * 2020.0 / 4.0);
    fixture_release(&f);
}
END_TEST

START_TEST(too_much_damping_can_not_be_scaled_away)
{
    struct fixture f = fixture_model(UNEVEN("") "damping = { mass = 10; };");
    struct sg_mass_scaling_spec spec = {0.3, &f.system->K, &f.system->C};
    struct sg_mass_scaling scaling;
    ck_assert_int_eq(sg_system_scale_mass(f.system, &spec, &scaling, &f.err), SG_BAD_DECK);
    ck_assert(strstr(f.err.text, "alone allows 0.19 s") != NULL);
    fixture_release(&f);
}
END_TEST

/* In the plane both axes of a node get the same, or it would turn under a force; the mass of the momentum
 * about the origin follows. */
START_TEST(scaled_mass_stays_isotropic)
{
    struct fixture f =
        fixture_model("bodies = ( { type = \"chain\"; radius = 1.0; opening = 0.8; elements = 5;"
                      "  node_mass = 1.0; stiffness = 1.0; torsion_stiffness = 1e-4; } );");
    struct sg_system *system = f.system;
    struct sg_critical_spec at_start = {.system = system};
    struct sg_critical_matrices at;
    struct sg_mass_scaling scaling;
    ck_assert(sg_critical_matrices_init(&at, &at_start, &f.err) == SG_OK);
    struct sg_mass_scaling_spec spec = {1.5, at.K, NULL};
    ck_assert(sg_system_scale_mass(system, &spec, &scaling, &f.err) == SG_OK);
    ck_assert(scaling.nodes >= 4 && critical(system, false) >= 1.5 / SG_SCALING_MARGIN * (1 - 1e-9));
    double whole = 0.0;
    for (size_t i = 0; i < system->n; i += 2) {
        ck_assert(system->M.diag[i] == system->M.diag[i + 1]);
        whole += system->M.diag[i];
    }
    SAME(whole, scaling.total + scaling.added);
    double full = 0.0;
    for (size_t k = 0; k < system->mass_full.count; k++) full += system->mass_full.value[k];
    SAME(full, 2.0 * whole);
    sg_critical_matrices_release(&at);
    fixture_release(&f);
}
END_TEST

Suite *sg_suite_mass(void)
{
    Suite *suite = suite_create("mass");
    TCase *tcase = tcase_create("mass");
    tcase_add_checked_fixture(tcase, NULL, release_arena);
    tcase_add_loop_test(tcase, lumping_makes_the_model_of_a_lumped_deck, 0, 2);
    tcase_add_test(tcase, lumping_keeps_mass_momentum_and_weight);
    tcase_add_test(tcase, modes_are_not_lumped);
    tcase_add_loop_test(tcase, scaled_mass_makes_the_step_admissible, 0, 5);
    tcase_add_test(tcase, no_more_mass_than_needed);
    tcase_add_test(tcase, too_much_damping_can_not_be_scaled_away);
    tcase_add_test(tcase, scaled_mass_stays_isotropic);
    suite_add_tcase(suite, tcase);
    return suite;
}
