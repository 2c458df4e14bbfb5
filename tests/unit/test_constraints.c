/* Bilateral constraints: every derivative against differences, and what is no constraint. */
#include <stdio.h>
#include <stdlib.h>

#include "model/constraint.h"
#include "model_fixture.h"

/* two bodies that turn, one whose second node's y moves, particles; one of everything */
#define BODIES                                                                                               \
    "bodies = ({type = \"multibody\"; name = \"m\"; positions = [1.0, 2.0, 3.0, 4.0, 0.5, -1.0];"            \
    "masses = [2.0, 4.0, 1.0]; inertias = [0.5, 0.25, 0.125];},"                                             \
    "{type = \"particles\"; name = \"p\"; dim = 2; positions = [5.0, 6.0, 0.0, 1.0]; masses = [3.0, "        \
    "1.0];});"
#define MOTION                                                                                               \
    "supports = ({node = \"m.2\"; axes = \"y\"; motion = {type = \"harmonic\"; amplitude = 0.2;"             \
    "frequency = 0.5;};}, {node = \"m.2\"; axes = \"r\"; motion = {type = \"harmonic\"; amplitude = 0.7;"    \
    "frequency = 0.3;};});"
#define WAVE "motion = {type = \"harmonic\"; amplitude = 0.3; frequency = 0.4;};"

static const char *const items[] = {
    "{type = \"rod\"; nodes = [\"p.0\", \"p.1\"];}",
    "{type = \"rod\"; nodes = [\"m.0\"]; point = [0.25, -1.0];}",
    "{type = \"pin\"; nodes = [\"m.0\", \"m.1\"]; arms = [0.5, 0.25, -0.75, 0.125];}",
    "{type = \"pin\"; nodes = [\"m.1\"]; arms = [0.5, 0.25];}",
    "{type = \"pin\"; nodes = [\"m.0\", \"p.1\"]; arms = [0.5, 0.25, 0.0, 0.0];}",
    "{type = \"pin\"; nodes = [\"m.0\", \"m.2\"]; arms = [0.5, 0.25, -0.3, 0.4];}",
    "{type = \"distance\"; nodes = [\"m.0\", \"m.1\"]; arms = [0.5, 0.25, -0.75, 0.125];}",
    "{type = \"distance\"; nodes = [\"m.2\", \"m.1\"]; arms = [0.5, 0.25, -0.75, 0.125];}",
    "{type = \"distance\"; nodes = [\"m.1\"]; arms = [0.5, 0.25]; point = [9.0, 1.0];}",
    "{type = \"slot\"; nodes = [\"m.0\", \"m.1\"]; arms = [0.5, 0.25, -0.75, 0.125]; direction = [2.0, "
    "1.0];}",
    "{type = \"slot\"; nodes = [\"p.0\", \"m.1\"]; arms = [0.0, 0.0, -0.75, 0.125]; direction = [2.0, "
    "1.0];}",
    "{type = \"slot\"; nodes = [\"m.1\", \"m.2\"]; arms = [0.2, 0.1, -0.7, 0.1]; direction = [2.0, "
    "-1.0];}",
    "{type = \"slot\"; nodes = [\"m.0\"]; arms = [0.5, 0.25]; point = [1.0, 1.0]; direction = [0.0, "
    "1.0];}",
    "{type = \"prismatic\"; nodes = [\"m.0\", \"m.1\"]; arms = [0.5, 0.25, -0.75, 0.125];"
    "direction = [2.0, 1.0];}",
    "{type = \"prismatic\"; nodes = [\"m.1\"]; point = [1.0, 1.0]; direction = [0.0, 1.0];}",
    "{type = \"prismatic\"; nodes = [\"m.1\", \"m.2\"]; arms = [0.2, 0.1, -0.7, 0.1]; direction = [1.0, "
    "3.0];}",
    "{type = \"coordinate\"; node = \"m.0\"; axis = \"rotation\"; " WAVE "}",
    "{type = \"linear\"; dofs = [\"m.0.rotation\", \"m.1.x\", \"m.2.y\", \"p.0.y\"];"
    "coefficients = [1.0, -2.0, 0.5, 3.0]; " WAVE "}",
};

enum { MOST = 16 };

/* a model with one item, far from its start */
struct probe {
    struct fixture f;
    struct sg_constraint_frame at, other;
    const struct sg_system *system;
    size_t n, m;
    double t, u[MOST], v[MOST], lambda[3], *hessian;
};

/* Items that don't hold at the start are needed as well: findings of the start don't matter here. */
static void probe_open(struct probe *probe, const char *item)
{
    char deck[2048];
    snprintf(deck, sizeof deck, BODIES MOTION "constraints = (%s);", item);
    *probe = (struct probe){.f = fixture_deck(deck), .t = 0.37};
    fixture_create(&probe->f);
    probe->system = probe->f.system;
    ck_assert_ptr_nonnull(probe->system);
    probe->n = probe->system->n;
    probe->m = probe->system->constraints.count;
    ck_assert_uint_ge(probe->m, 1);
    ck_assert_uint_le(probe->n, MOST);
    for (size_t i = 0; i < probe->n; i++) {
        probe->u[i] = 0.3 * sin(1.0 + 2.7 * (double)i);
        probe->v[i] = cos(2.0 + 1.3 * (double)i);
    }
    for (size_t i = 0; i < 3; i++) probe->lambda[i] = 1.5 - (double)i;
    ck_assert_int_eq(sg_constraint_frame_init(&probe->at, probe->system, &probe->f.err), SG_OK);
    ck_assert_int_eq(sg_constraint_frame_init(&probe->other, probe->system, &probe->f.err), SG_OK);
    sg_constraints_evaluate(probe->system, probe->t, probe->u, &probe->at);
    probe->hessian = calloc(probe->system->constraints.hessian_entries + 1, sizeof *probe->hessian);
    ck_assert_ptr_nonnull(probe->hessian);
    sg_constraints_hessians(probe->system, probe->t, probe->u, probe->hessian);
}

static void probe_close(struct probe *probe)
{
    free(probe->hessian);
    sg_constraint_frame_release(&probe->at);
    sg_constraint_frame_release(&probe->other);
    fixture_release(&probe->f);
}

/* central differences of step 1e-5 of functions of size 1 to 10: 1e-10 of truncation and 1e-10 of rounding */
static const double step = 1e-5, close_to = 2e-9;

/* G v + drift of row i at a place */
static double rate(struct probe *probe, size_t i, double t, const double *u, const double *v)
{
    sg_constraints_evaluate(probe->system, t, u, &probe->other);
    return sg_columns_dot(&probe->other.G, i, v) + probe->other.drift[i];
}

START_TEST(gradients_are_those_of_g)
{
    struct probe probe;
    probe_open(&probe, items[_i]);
    for (size_t i = 0; i < probe.m; i++)
        for (size_t k = 0; k < probe.n; k++) {
            double g[2], kept = probe.u[k];
            for (int side = 0; side < 2; side++) {
                probe.u[k] = kept + (side == 0 ? -step : step);
                sg_constraints_evaluate(probe.system, probe.t, probe.u, &probe.other);
                g[side] = probe.other.g[i];
            }
            probe.u[k] = kept;
            NEAR(sg_columns_entry(&probe.at.G, i, k), (g[1] - g[0]) / (2 * step), close_to);
        }
    probe_close(&probe);
}
END_TEST

START_TEST(drift_is_the_rate_at_rest)
{
    struct probe probe;
    probe_open(&probe, items[_i]);
    for (size_t i = 0; i < probe.m; i++) {
        double g[2];
        for (int side = 0; side < 2; side++) {
            sg_constraints_evaluate(probe.system, probe.t + (side == 0 ? -step : step), probe.u,
                                    &probe.other);
            g[side] = probe.other.g[i];
        }
        NEAR(probe.at.drift[i], (g[1] - g[0]) / (2 * step), close_to);
        if (probe.system->constraints.steady) ck_assert(probe.at.drift[i] == 0.0);
    }
    probe_close(&probe);
}
END_TEST

/* along u + v s, t + s */
START_TEST(bias_is_the_rate_of_the_rate)
{
    struct probe probe;
    double bias[3], moved[MOST];
    probe_open(&probe, items[_i]);
    sg_constraints_bias(probe.system, probe.t, probe.u, probe.v, bias);
    for (size_t i = 0; i < probe.m; i++) {
        double rates[2];
        for (int side = 0; side < 2; side++) {
            double s = side == 0 ? -step : step;
            for (size_t k = 0; k < probe.n; k++) moved[k] = probe.u[k] + s * probe.v[k];
            rates[side] = rate(&probe, i, probe.t + s, moved, probe.v);
        }
        NEAR(bias[i], (rates[1] - rates[0]) / (2 * step), 10 * close_to);
    }
    probe_close(&probe);
}
END_TEST

START_TEST(gradient_of_the_rate)
{
    struct probe probe;
    probe_open(&probe, items[_i]);
    struct sg_columns *found = &probe.at.G;
    sg_constraints_rate_gradient(probe.system, probe.hessian, probe.t, probe.v, found);
    for (size_t i = 0; i < probe.m; i++)
        for (size_t k = 0; k < probe.n; k++) {
            double rates[2], kept = probe.u[k];
            for (int side = 0; side < 2; side++) {
                probe.u[k] = kept + (side == 0 ? -step : step);
                rates[side] = rate(&probe, i, probe.t, probe.u, probe.v);
            }
            probe.u[k] = kept;
            NEAR(sg_columns_entry(found, i, k), (rates[1] - rates[0]) / (2 * step), 10 * close_to);
        }
    probe_close(&probe);
}
END_TEST

/* sum_i lambda_i d2g_i/dq2 into a full square */
static void second(const struct probe *probe, double *square)
{
    size_t entries = probe->system->constraints.second_entries, n = probe->n;
    size_t *row = calloc(entries + 1, sizeof *row), *column = calloc(entries + 1, sizeof *column);
    double *value = calloc(entries + 1, sizeof *value);
    ck_assert(row != NULL && column != NULL && value != NULL);
    sg_constraints_second_pattern(probe->system, row, column);
    sg_constraints_second(probe->system, probe->hessian, probe->lambda, value);
    for (size_t k = 0; k < entries; k++) {
        ck_assert_uint_ge(row[k], column[k]);
        square[row[k] + column[k] * n] += value[k];
        if (row[k] != column[k]) square[column[k] + row[k] * n] += value[k];
    }
    free(row);
    free(column);
    free(value);
}

START_TEST(second_derivatives_are_those_of_the_gradient)
{
    struct probe probe;
    double square[MOST * MOST] = {0};
    probe_open(&probe, items[_i]);
    second(&probe, square);
    for (size_t k = 0; k < probe.n; k++) {
        double sum[2][MOST] = {{0}}, kept = probe.u[k];
        for (int side = 0; side < 2; side++) {
            probe.u[k] = kept + (side == 0 ? -step : step);
            sg_constraints_evaluate(probe.system, probe.t, probe.u, &probe.other);
            for (size_t i = 0; i < probe.m; i++)
                sg_columns_add(&probe.other.G, i, probe.lambda[i], sum[side]);
        }
        probe.u[k] = kept;
        for (size_t l = 0; l < probe.n; l++)
            NEAR(square[l + k * probe.n], (sum[1][l] - sum[0][l]) / (2 * step), 10 * close_to);
    }
    probe_close(&probe);
}
END_TEST

/* a rod on a line does not see the middle of its length: ends keep their order */
START_TEST(rod_on_a_line_is_affine)
{
    struct fixture f =
        fixture_model("bodies = ({type = \"particles\"; positions = [0.0, 2.0]; masses = [1.0, "
                      "1.0];}); constraints = ({type = \"rod\"; nodes = [\"particles.0\", "
                      "\"particles.1\"];});");
    struct sg_constraint_frame frame;
    ck_assert(f.system->constraints.affine && f.system->constraints.steady);
    ck_assert_str_eq(f.system->constraints.names[0], "particles.0-particles.1-rod");
    ck_assert_int_eq(sg_constraint_frame_init(&frame, f.system, &f.err), SG_OK);
    sg_constraints_evaluate(f.system, 0, (const double[2]){3.0, 0.5}, &frame);
    SAME(frame.g[0], (2.0 - 3.0 + 0.5) - 2.0);
    SAME(sg_columns_entry(&frame.G, 0, 0), -1.0);
    sg_constraint_frame_release(&frame);
    fixture_release(&f);
}
END_TEST

#define ONE                                                                                                  \
    "bodies = ({type = \"multibody\"; name = \"m\"; positions = [1.0, 2.0, 3.0, 4.0];"                       \
    "masses = [2.0, 4.0]; inertias = [0.5, 0.25];},"                                                         \
    "{type = \"particles\"; name = \"p\"; dim = 2; positions = [5.0, 6.0]; masses = [3.0];});"
#define LIGHT                                                                                                \
    "bodies = ({type = \"multibody\"; name = \"m\"; positions = [1.0, 0.0];"                                 \
    "masses = [2.0]; inertias = [0.0];});"

/* a massless rotation that a pin moves needs no inertia */
START_TEST(inertia_may_be_missing_where_constraints_move)
{
    struct fixture f = fixture_model(LIGHT "constraints = ({type = \"pin\"; nodes = [\"m\"]; arms = [-1.0, "
                                           "0.0]; point = [0.0, 0.0];});");
    ck_assert(f.system->singular_mass);
    fixture_release(&f);
    f = fixture_model(ONE "constraints = ({type = \"rod\"; nodes = [\"m.0\", \"m.1\"];});");
    ck_assert(!f.system->singular_mass);
    fixture_release(&f);
}
END_TEST

static const struct {
    const char *deck, *finding;
} wrong[] = {
    {ONE "constraints = ({type = \"rod\"; nodes = [\"m.0\", \"x\"];});", "'x' names no body"},
    {ONE "constraints = ({type = \"rod\"; nodes = [\"m.0\", \"m.0\"];});", "'m.0' and 'm.0' are one node"},
    {ONE "constraints = ({type = \"rod\"; nodes = [\"m.0\"];});",
     "needs a second node, or the 'point' that 'm.0' keeps its distance from"},
    {ONE "constraints = ({type = \"rod\"; nodes = [\"m.0\", \"m.1\"]; point = [0.0, 0.0];});",
     "is the partner of a single node, and 'nodes' names two"},
    {ONE "constraints = ({type = \"rod\"; nodes = [\"m.0\"]; point = [0.0];});",
     "has 1 number where 2 are meant"},
    {ONE "constraints = ({type = \"pin\"; nodes = [\"m.0\", \"m.1\"]; arms = [0.0, 1.0];});",
     "has 2 numbers where 4 are meant"},
    {ONE "constraints = ({type = \"pin\"; nodes = [\"p\"]; arms = [0.0, 1.0];});",
     "'p' has no rotation that the arm (0, 1) m could turn with"},
    {ONE
     "constraints = ({type = \"prismatic\"; nodes = [\"p\"]; point = [0.0, 0.0]; direction = [1.0, 0.0];});",
     "'p' has no rotation: it can't keep it"},
    {ONE "constraints = ({type = \"slot\"; nodes = [\"m.0\", \"p\"]; direction = [1.0, 0.0];});",
     "'p' has no rotation: it can't carry a line"},
    {ONE "constraints = ({type = \"slot\"; nodes = [\"p\"]; direction = [1.0, 0.0];});",
     "needs a second node that has the line, or a fixed 'point' of it"},
    {ONE "constraints = ({type = \"slot\"; nodes = [\"p\"]; point = [5.0, 6.0]; direction = [0.0, 0.0];});",
     "has the length 0: it points nowhere"},
    {ONE "constraints = ({type = \"coordinate\"; node = \"p\"; axis = \"rotation\";});",
     "'p' has no such coordinate"},
    {ONE "constraints = ({type = \"coordinate\"; node = \"p\"; motion = {type = \"piecewise-linear\"; times "
         "= [0.0, 1.0,"
         "2.0]; values = [0.0, 1.0, 0.0];};});",
     "with kinks makes the velocity jump"},
    {ONE "constraints = ({type = \"linear\"; dofs = [\"p.x\", \"m.0.y\"]; coefficients = [1.0];});",
     "has 1 number for 2 dofs"},
    {ONE "constraints = ({type = \"linear\"; dofs = [\"p.z\"]; coefficients = [1.0];});",
     "'p.z' is no coordinate of node 'p'"},
    {ONE "constraints = ({type = \"coordinate\"; node = \"p\"; name = \"stay\"; value = 5.5;});",
     "constraint 'stay' does not hold at the start: it is off by -0.5"},
    {ONE "initial = ({node = \"p\"; velocity_vector = [2.0, 0.0];});"
         "constraints = ({type = \"rod\"; nodes = [\"p\"]; point = [1.0, 6.0]; name = \"bar\";});",
     "constraint 'bar' does not hold in the initial velocities: its rate is 2"},
    {ONE "constraints = ({type = \"pin\"; nodes = [\"p\"]; name = \"a\";},"
         "{type = \"coordinate\"; node = \"p\"; axis = \"y\"; name = \"b\";});",
     "constraint 'b' is redundant: 'a.y' says the same already"},
    {ONE "constraints = ({type = \"coordinate\"; node = \"p\"; name = \"a\";},"
         "{type = \"coordinate\"; node = \"p\"; axis = \"y\"; name = \"b\";},"
         "{type = \"rod\"; nodes = [\"p\"]; point = [1.0, 2.0]; name = \"c\";});",
     "constraint 'c' is redundant: 'a', 'b' say the same already"},
    {ONE "supports = ({node = \"p\";}); constraints = ({type = \"pin\"; nodes = [\"p\"]; name = \"a\";});",
     "constraint 'a.x' holds nothing: all its coordinates are prescribed"},
    {LIGHT "constraints = ({type = \"rod\"; nodes = [\"m\"]; point = [0.0, 0.0];});",
     "'m.0.rotation' has no mass or inertia, and no constraint says how it moves"},
};

START_TEST(wrong_constraints_are_told)
{
    fixture_refused(wrong[_i].deck, SG_BAD_DECK, wrong[_i].finding);
}
END_TEST

/* a chain of bodies 1 m apart on pins, the last of which stands there twice if `again` */
static char *write_chain(size_t bodies, bool again)
{
    size_t room = 200 * bodies + 500, at = 0;
    char *text = malloc(room);
    ck_assert_ptr_nonnull(text);
#define ADD(...) (at += (size_t)snprintf(text + at, room - at, __VA_ARGS__))
    ADD("bodies = ({type = \"multibody\"; name = \"m\"; positions = [");
    for (size_t i = 0; i < bodies; i++) ADD("%s%zu.5, 0.0", i > 0 ? ", " : "", i);
    ADD("]; masses = [");
    for (size_t i = 0; i < bodies; i++) ADD("%s1.0", i > 0 ? ", " : "");
    ADD("]; inertias = [");
    for (size_t i = 0; i < bodies; i++) ADD("%s0.1", i > 0 ? ", " : "");
    ADD("];}); constraints = ({type = \"pin\"; nodes = [\"m.0\"]; arms = [-0.5, 0.0];}");
    for (size_t i = 1; i < bodies + (again ? 1 : 0); i++) {
        size_t k = i < bodies ? i : bodies - 1;
        ADD(", {type = \"pin\"; nodes = [\"m.%zu\", \"m.%zu\"]; arms = [0.5, 0.0, -0.5, 0.0];%s}", k - 1, k,
            i == bodies ? " name = \"again\";" : "");
    }
    ADD(");");
#undef ADD
    ck_assert_uint_lt(at, room);
    return text;
}

/* many rows are told independent by a factorisation; a chain of 2000 bodies took minutes, by Gram-Schmidt */
START_TEST(rank_of_many_rows)
{
    char *text = write_chain(2000, false);
    struct fixture f = fixture_model(text);
    ck_assert_uint_eq(f.system->constraints.count, 4000);
    fixture_release(&f);
    free(text);
    text = write_chain(80, true);
    fixture_refused(text, SG_BAD_DECK,
                    "constraint 'again.x' is redundant: 'm.78-m.79-pin.x' says the same already");
    free(text);
}
END_TEST

Suite *sg_suite_constraints(void)
{
    enum { ITEMS = sizeof items / sizeof *items, WRONG = sizeof wrong / sizeof *wrong };
    Suite *suite = suite_create("constraints");
    TCase *derivatives = tcase_create("derivatives");
    tcase_add_loop_test(derivatives, gradients_are_those_of_g, 0, ITEMS);
    tcase_add_loop_test(derivatives, drift_is_the_rate_at_rest, 0, ITEMS);
    tcase_add_loop_test(derivatives, bias_is_the_rate_of_the_rate, 0, ITEMS);
    tcase_add_loop_test(derivatives, gradient_of_the_rate, 0, ITEMS);
    tcase_add_loop_test(derivatives, second_derivatives_are_those_of_the_gradient, 0, ITEMS);
    tcase_add_test(derivatives, rod_on_a_line_is_affine);
    suite_add_tcase(suite, derivatives);
    TCase *decks = tcase_create("decks");
    tcase_add_test(decks, inertia_may_be_missing_where_constraints_move);
    tcase_add_loop_test(decks, wrong_constraints_are_told, 0, WRONG);
    tcase_add_test(decks, rank_of_many_rows);
    suite_add_tcase(suite, decks);
    return suite;
}
