/* Histories of modal coordinates, which are made late and together, or of a few rows of the basis: the same
 * numbers as those that are filled one by one. */
#include <stdio.h>

#include "model/expansion.h"
#include "run_fixture.h"

Suite *sg_suite_expansion(void);

#define SECTIONS                                                                                             \
    "column = {modulus = 30.0e9; density = 2500.0; width = 0.4; height = 0.4;};"                             \
    "beam = {modulus = 30.0e9; density = 2500.0; width = 0.3; height = 0.5; line_mass = 500.0;};"
#define TOWER(size)                                                                                          \
    "bodies = ({type = \"frame\"; name = \"t\"; " size "span_lengths = [5.0]; storey_heights = [3.0];"       \
    "  slip_joints = [1]; base = \"pinned\"; " SECTIONS "});"
#define SHAKEN                                                                                               \
    "loads = ({type = \"ground-acceleration\"; direction = [0.8, 0.6];"                                      \
    "  signal = {type = \"harmonic\"; amplitude = 2.0; frequency = 1.3;};});"
#define MARCH                                                                                                \
    "integrator = {type = \"trapezoidal\"; operator = \"modal\";}; strategy = {type = \"event-driven\";};"   \
    "time = {end = 0.5; step = 0.01;};"
#define CLOSED                                                                                               \
    "contacts = ({type = \"pair\"; nodes = [\"t.joint0_column\", \"t.joint0_floor\"]; normal = [1.0, 0.0];"  \
    "  gap = 0.001; stiffness = 1.0e8;});"

static const char *const decks[] = {
    TOWER("storeys = 4; spans = 3;") SHAKEN CLOSED MARCH,
    /* few and many nodes, of which some share dofs, and some are held */
    TOWER("storeys = 4; spans = 3;") SHAKEN CLOSED MARCH "output = {nodes = [\"t.9\", \"t.2\"];};",
    TOWER("storeys = 4; spans = 3;") SHAKEN CLOSED MARCH
    "output = {nodes = [\"t.joint0_floor\", \"t.base\", \"t.line1\", \"t.floor4\", \"t.floor1\"];};",
    /* a prescribed motion; masses apart, in three dimensions */
    "bodies = ({type = \"bar\"; name = \"b\"; length = 1.0; elements = 12; area = 1.0; modulus = 1.0; "
    "density = 1.0;});"
    "supports = ({node = \"b.left\"; motion = {type = \"harmonic\"; amplitude = 0.1; frequency = "
    "2.0;};});" MARCH,
    "bodies = ({type = \"particles\"; name = \"p\"; dim = 3; positions = [0.0, 0.0, 0.0, 1.0, 0.0, 0.5];"
    "  masses = [1.0, 2.0];}); loads = ({type = \"gravity\"; acceleration = -9.81;});" MARCH,
    /* stresses */
    "bodies = ({type = \"plane\"; name = \"b\"; shape = \"rectangle\"; width = 2.0; height = 1.0; nx = 6; ny "
    "= 3;"
    "  modulus = 1000.0; poisson = 0.3; density = 1.0; state = \"strain\";});"
    "supports = ({node = \"b.left\";}); loads = ({type = \"gravity\"; acceleration = -9.81;});" MARCH
    "output = {histories = [\"stress\", \"von_mises\", \"stress_node\", \"von_mises_node\"];};"};

enum { DECKS = sizeof decks / sizeof *decks };

static double *numbers(size_t count)
{
    double *x = calloc(count + 1, sizeof *x);
    if (x == NULL) ck_abort_msg("no memory");
    return x;
}

/* a state of its own for row k, of which all modes have some */
struct shaken {
    struct sg_snapshot now;
    double *u, *v;
};

static struct shaken shake(const struct run *run, size_t k)
{
    const struct sg_system *system = run->job.system;
    struct shaken s = {run->last, numbers(system->n), numbers(system->n)};
    for (size_t i = 0; i < system->n; i++) {
        s.u[i] = 1e-3 * sin(1.0 + (double)i + 7.0 * (double)k);
        s.v[i] = 1e-1 * cos(2.0 + 3.0 * (double)i + 5.0 * (double)k);
    }
    s.now.t = 0.013 * (double)k;
    s.now.u = s.u;
    s.now.v = s.v;
    return s;
}

static void put_back(struct shaken *s)
{
    free(s->u);
    free(s->v);
}

/* absolute, of the largest number in the row: products of matrices add in another order, so that n terms
 * differ by some n roundings of the largest, n < 100 */
static void same_row(const struct sg_quantity *quantity, const double *a, const double *b)
{
    double most = 0.0;
    for (size_t i = 0; i < quantity->width || i == 0; i++) most = fmax(most, fabs(a[i]));
    for (size_t i = 0; i < quantity->width || i == 0; i++)
        ck_assert_msg(fabs(a[i] - b[i]) <= 1e-13 * most, "%s, column %zu: %.17g, late %.17g", quantity->name,
                      i, a[i], b[i]);
}

static void check_late(const struct run *run, const struct sg_quantity *quantity)
{
    size_t parts = quantity->late->parts(quantity->owner), width = quantity->width > 0 ? quantity->width : 1;
    double *of = numbers(SG_LATE_ROWS * parts), *late = numbers(SG_LATE_ROWS * width), *row = numbers(width);
    double *lone = numbers(SG_LATE_ROWS * parts), *alone = numbers(SG_LATE_ROWS * width);
    for (size_t k = 0; k < SG_LATE_ROWS; k++) {
        struct shaken s = shake(run, k);
        quantity->late->take(quantity->owner, &s.now, of + k * parts);
        put_back(&s);
    }
    quantity->late->make(quantity->owner, of, late);
    for (size_t k = 0; k < SG_LATE_ROWS; k++) {
        struct shaken s = shake(run, k);
        quantity->fill(quantity->owner, &s.now, row);
        same_row(quantity, row, late + k * width);
        put_back(&s);
        /* alone, as after a run was resumed: to the last bit */
        memset(lone, 0, SG_LATE_ROWS * parts * sizeof *lone);
        memcpy(lone + k * parts, of + k * parts, parts * sizeof *lone);
        quantity->late->make(quantity->owner, lone, alone);
        ck_assert_mem_eq(alone + k * width, late + k * width, width * sizeof *late);
    }
    free(of);
    free(late);
    free(row);
    free(lone);
    free(alone);
}

static size_t check_all(const struct run *run)
{
    size_t late = 0;
    for (size_t i = 0; i < run->job.quantities.count; i++) {
        const struct sg_quantity *quantity = &run->job.quantities.items[i];
        if (quantity->late == NULL || quantity->late->parts(quantity->owner) == 0) continue;
        check_late(run, quantity);
        late++;
    }
    return late;
}

START_TEST(late_rows_are_those_that_are_filled)
{
    /* displacement, velocity, angular momentum; with a ground that moves, three absolute ones; four stresses.
     * Of few nodes angular momentum alone is late */
    static const size_t expected[DECKS] = {6, 1, 6, 2, 3, 7};
    struct run run;
    RUN(&run, decks[_i]);
    ck_assert_ptr_nonnull(run.job.system->modal);
    ck_assert_uint_eq(check_all(&run), expected[_i]);
    run_release(&run);
}
END_TEST

/* rows of the basis against the expansion of all, to the rounding of a sum of n < 100 terms */
START_TEST(few_dofs_are_those_of_all)
{
    struct run run;
    RUN(&run, decks[1]);
    const struct sg_chosen_nodes *chosen = &run.job.chosen;
    const struct sg_system *system = run.job.system;
    double *full = numbers(system->n_full), *row = numbers(chosen->count);
    ck_assert_uint_eq(sg_some_dofs_parts(&chosen->some), 0);
    for (size_t k = 0; k < 8; k++) {
        struct shaken s = shake(&run, k);
        sg_some_dofs_fill(&chosen->some, s.u, s.now.t, 0, row);
        sg_system_expand(system, s.u, s.now.t, 0, full);
        for (size_t i = 0; i < chosen->count; i++)
            ck_assert_double_eq_tol(row[i], full[chosen->dof[i]], 1e-15);
        put_back(&s);
    }
    free(full);
    free(row);
    run_release(&run);
}
END_TEST

START_TEST(nodal_rows_are_never_late)
{
    struct run run;
    RUN(&run, decks[_i], "integrator.operator=nodal");
    ck_assert_uint_eq(check_all(&run), 0);
    run_release(&run);
}
END_TEST

Suite *sg_suite_expansion(void)
{
    Suite *suite = suite_create("expansion");
    TCase *all = tcase_create("rows");
    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, late_rows_are_those_that_are_filled, 0, DECKS);
    tcase_add_test(all, few_dofs_are_those_of_all);
    tcase_add_loop_test(all, nodal_rows_are_never_late, 0, DECKS);
    suite_add_tcase(suite, all);
    return suite;
}
