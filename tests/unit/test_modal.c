#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/modal.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

static const double PI = 3.14159265358979323846;

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-52 - 1;
}

/* A chain of `size` masses on dofs first, first + stride, ..: the bodies of a model whose dofs may
 * interleave. Fixed to the ground by its first mass if `held`. */
struct body {
    size_t size, first, stride;
    bool consistent, held;
};

enum { MOST = 600 };

static void add_body(const struct body *b, struct sg_triplets *m, struct sg_triplets *k, uint64_t *state)
{
    for (size_t i = 0; i < b->size; i++) {
        size_t dof = b->first + i * b->stride, next = dof + b->stride;
        double mass = 1.5 + uniform(state), stiffness = 1e3 * (1.5 + uniform(state));
        sg_triplets_add(m, dof, dof, mass);
        if (i == 0 && b->held) sg_triplets_add(k, dof, dof, stiffness);
        if (i + 1 == b->size) break;
        if (b->consistent) {
            sg_triplets_add(m, dof, dof, mass);
            sg_triplets_add(m, next, next, mass);
            sg_triplets_add(m, next, dof, mass);
        }
        sg_triplets_add(k, dof, dof, stiffness);
        sg_triplets_add(k, next, next, stiffness);
        sg_triplets_add(k, next, dof, -stiffness);
    }
}

struct model {
    struct sg_matrix m, k;
    struct sg_modal *modal;
};

static void model_init(struct model *model, size_t n, const struct body *bodies, size_t count)
{
    struct sg_error err = {0};
    struct sg_triplets m = {.arena = &arena, .n = n}, k = {.arena = &arena, .n = n};
    uint64_t state = 1;
    for (size_t b = 0; b < count; b++) add_body(&bodies[b], &m, &k, &state);
    ck_assert_int_eq(sg_matrix_init(&arena, &model->m, &m, SG_SPARSE, &err), SG_OK);
    ck_assert_int_eq(sg_matrix_init(&arena, &model->k, &k, SG_SPARSE, &err), SG_OK);
    ck_assert_msg(sg_modal_create(&arena, &model->m, &model->k, &model->modal, &err) == SG_OK, "%s",
                  err.text);
}

/* one body lumped, one consistent; several interleaved ones of uneven sizes, a free mass among them; a
 * body larger than the chunks in which vectors are gathered */
static const struct body bodies[][4] = {
    {{80, 0, 1, false, true}},
    {{81, 0, 1, true, true}},
    {{30, 0, 3, true, false}, {20, 1, 3, false, true}, {30, 2, 3, false, false}, {10, 61, 3, true, true}},
    {{1, 40, 1, false, false}, {20, 0, 2, true, true}, {20, 1, 2, false, false}},
    {{150, 1, 2, true, false}, {150, 0, 2, true, true}},
    {{600, 0, 1, false, false}},
};
static const size_t orders[] = {80, 81, 90, 41, 300, 600}, counts[] = {1, 1, 4, 3, 2, 1};
enum { MODELS = 6 };

static void make(struct model *model, int which)
{
    model_init(model, orders[which], bodies[which], counts[which]);
}

static double *column(const struct sg_modal *modal, size_t mode, double *unit)
{
    double *phi = calloc(modal->n, sizeof *phi);
    ck_assert_ptr_nonnull(phi);
    memset(unit, 0, modal->n * sizeof *unit);
    unit[mode] = 1;
    sg_modal_expand(modal, unit, phi);
    return phi;
}

/* Phi^T M Phi = I and Phi^T K Phi = diag(k), by the modes as the user gets them */
/* x is `value` times the unit vector j */
static void assert_near(size_t n, const double *x, size_t j, double value, double tolerance)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs(x[i] - (i == j ? value : 0)) <= tolerance))
            ck_abort_msg("mode %zu, %zu: %.17g", j, i, x[i]);
}

START_TEST(modes_are_orthonormal_and_decouple)
{
    struct model model;
    make(&model, _i);
    size_t n = orders[_i];
    double unit[MOST], product[MOST], projected[MOST], largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, model.modal->k[i]);
    for (size_t j = 0; j < n; j++) {
        double *phi = column(model.modal, j, unit);
        sg_matrix_multiply(&model.m, phi, product);
        sg_modal_project_force(model.modal, product, projected);
        /* eigenvectors of LAPACK: some n eps, n = 600 at most */
        assert_near(n, projected, j, 1.0, 1e-12);
        sg_matrix_multiply(&model.k, phi, product);
        sg_modal_project_force(model.modal, product, projected);
        assert_near(n, projected, j, model.modal->k[j], 1e-12 * largest);
        free(phi);
    }
}
END_TEST

START_TEST(blocks_are_the_bodies)
{
    struct model model;
    make(&model, _i);
    ck_assert_uint_eq(model.modal->block_count, counts[_i]);
    size_t next = 0, lowest = 0;
    for (size_t b = 0; b < counts[_i]; b++) {
        const struct sg_modal_block *block = &model.modal->blocks[b];
        const struct body *body = bodies[_i];
        while (body->first != block->dof[0]) body++;
        ck_assert(b == 0 || block->dof[0] > lowest);
        lowest = block->dof[0];
        ck_assert_uint_eq(block->first, next);
        ck_assert_uint_eq(block->size, body->size);
        for (size_t i = 0; i < block->size; i++)
            ck_assert_uint_eq(block->dof[i], body->first + i * body->stride);
        const double *k = model.modal->k + block->first;
        for (size_t i = 1; i < block->size; i++) ck_assert(k[i] > k[i - 1]);
        ck_assert(body->held ? k[0] > 0 : k[0] == 0);
        next += block->size;
    }
    ck_assert_uint_eq(next, orders[_i]);
}
END_TEST

START_TEST(states_survive_the_way_there_and_back)
{
    struct model model;
    make(&model, _i);
    size_t n = orders[_i];
    double x[MOST], y[MOST], back[MOST], mx[MOST], force[MOST];
    uint64_t state = 4;
    for (size_t i = 0; i < n; i++) x[i] = uniform(&state);
    sg_modal_project_state(model.modal, x, y);
    sg_modal_expand(model.modal, y, back);
    sg_matrix_multiply(&model.m, x, mx);
    sg_modal_project_force(model.modal, mx, force);
    /* as orthonormality, summed over 600 modes of order 1 */
    for (size_t i = 0; i < n; i++) {
        ck_assert_double_eq_tol(back[i], x[i], 1e-12);
        ck_assert_double_eq_tol(force[i], y[i], 1e-12);
    }
    /* energies are those of the modes */
    double kinetic = 0, strain = 0, scale = 0;
    for (size_t i = 0; i < n; i++) {
        kinetic += y[i] * y[i];
        strain += model.modal->k[i] * y[i] * y[i];
        scale = fmax(scale, model.modal->k[i]);
    }
    ck_assert_double_eq_tol(kinetic, sg_matrix_form(&model.m, x, x), 1e-12 * kinetic);
    ck_assert_double_eq_tol(strain, sg_matrix_form(&model.k, x, x), 1e-12 * scale * kinetic);
}
END_TEST

/* within a body, across bodies, empty: w . x = (Phi^T w) . y for x = Phi y */
START_TEST(columns_project_consistently)
{
    struct sg_error err = {0};
    struct model model;
    make(&model, _i);
    size_t n = orders[_i];
    struct sg_columns w;
    ck_assert_int_eq(sg_columns_init_sparse(&arena, &w, n, 4, 6, &err), SG_OK);
    const size_t start[] = {0, 1, 3, 3, 6}, row[] = {n - 1, 0, 1, 2, n / 2, n - 2};
    const double value[] = {1, -1, 1, .5, 2, -3};
    memcpy(w.start, start, sizeof start);
    memcpy(w.row, row, sizeof row);
    memcpy(w.value, value, sizeof value);
    double x[MOST], y[MOST], direct[4];
    uint64_t state = 40;
    for (size_t i = 0; i < n; i++) y[i] = uniform(&state);
    sg_modal_expand(model.modal, y, x);
    for (size_t j = 0; j < 4; j++) direct[j] = sg_columns_dot(&w, j, x);
    ck_assert_int_eq(sg_modal_project_columns(&arena, model.modal, &w, &err), SG_OK);
    ck_assert_ptr_null(w.row);
    ck_assert_uint_eq(w.start[3], w.start[2]);
    /* sums of 600 terms of order 1, in another order */
    for (size_t j = 0; j < 4; j++) ck_assert_double_eq_tol(sg_columns_dot(&w, j, y), direct[j], 1e-12);
    /* no wider than the body it touches */
    for (size_t b = 0; b < model.modal->block_count; b++) {
        const struct sg_modal_block *block = &model.modal->blocks[b];
        if (block->dof[block->size - 1] != n - 1) continue;
        ck_assert_uint_eq(w.first[0], block->first);
        ck_assert_uint_eq(w.start[1], block->size);
    }
    ck_assert_int_eq(sg_modal_project_columns(&arena, model.modal, &w, &err), SG_INTERNAL);
}
END_TEST

/* free bar of n equal masses: k_j = 4 sin^2(j pi / 2n) */
START_TEST(frequencies_of_bars)
{
    enum { N = 100 };
    struct sg_error err = {0};
    struct sg_triplets m = {.arena = &arena, .n = N}, k = {.arena = &arena, .n = N};
    for (size_t i = 0; i < N; i++) {
        sg_triplets_add(&m, i, i, 1);
        if (i + 1 == N) break;
        sg_triplets_add(&k, i, i, 1);
        sg_triplets_add(&k, i + 1, i + 1, 1);
        sg_triplets_add(&k, i + 1, i, -1);
    }
    struct sg_matrix mass, stiffness;
    struct sg_modal *modal;
    ck_assert_int_eq(sg_matrix_init(&arena, &mass, &m, SG_DIAGONAL, &err), SG_OK);
    ck_assert_int_eq(sg_matrix_init(&arena, &stiffness, &k, SG_TRIDIAGONAL, &err), SG_OK);
    ck_assert_int_eq(sg_modal_create(&arena, &mass, &stiffness, &modal, &err), SG_OK);
    for (int j = 0; j < N; j++) {
        double s = sin(j * PI / (2 * N));
        ck_assert_double_eq_tol(modal->k[j], 4 * s * s, 4e-15); /* some eps of the largest */
    }
    ck_assert(modal->k[0] == 0);
}
END_TEST

/* dense matrices of random entries: the path that has no structure to use */
START_TEST(dense_models)
{
    enum { N = 40 };
    struct sg_error err = {0};
    struct sg_triplets m = {.arena = &arena, .n = N}, k = {.arena = &arena, .n = N};
    uint64_t state = 5;
    for (size_t j = 0; j < N; j++)
        for (size_t i = j; i < N; i++) {
            if (_i == 1 || i == j) sg_triplets_add(&m, i, j, i == j ? 30 : uniform(&state));
            sg_triplets_add(&k, i, j, i == j ? 5 : uniform(&state));
        }
    struct model model;
    ck_assert_int_eq(sg_matrix_init(&arena, &model.m, &m, SG_DENSE, &err), SG_OK);
    ck_assert_int_eq(sg_matrix_init(&arena, &model.k, &k, SG_DENSE, &err), SG_OK);
    ck_assert_int_eq(sg_modal_create(&arena, &model.m, &model.k, &model.modal, &err), SG_OK);
    double unit[N], product[N], projected[N];
    for (size_t j = 0; j < N; j++) {
        double *phi = column(model.modal, j, unit);
        sg_modal_project_state(model.modal, phi, projected);
        /* some n eps */
        for (size_t i = 0; i < N; i++) ck_assert_double_eq_tol(projected[i], i == j, 1e-13);
        sg_matrix_multiply(&model.k, phi, product);
        sg_modal_project_force(model.modal, product, projected);
        for (size_t i = 0; i < N; i++)
            ck_assert_double_eq_tol(projected[i], i == j ? model.modal->k[j] : 0, 1e-13);
        free(phi);
    }
}
END_TEST

/* mass missing, negative, or indefinite by its couplings, at a dof of the second of two bodies */
START_TEST(mass_must_be_positive_definite)
{
    static const double coupling[] = {0, 0, 2}, own[] = {0, -1, 1};
    struct sg_error err = {0};
    struct sg_triplets m = {.arena = &arena, .n = 10}, k = {.arena = &arena, .n = 10};
    for (size_t i = 0; i < 10; i++) sg_triplets_add(&m, i, i, i == 7 ? own[_i] : 1);
    for (size_t i = 0; i < 10; i++) sg_triplets_add(&k, i, i, 1);
    for (size_t i = 0; i + 2 < 10; i++) sg_triplets_add(&k, i + 2, i, -.1);
    sg_triplets_add(&m, 7, 5, coupling[_i]);
    struct sg_matrix mass, stiffness;
    struct sg_modal *modal;
    ck_assert_int_eq(sg_matrix_init(&arena, &mass, &m, SG_BANDED, &err), SG_OK);
    ck_assert_int_eq(sg_matrix_init(&arena, &stiffness, &k, SG_BANDED, &err), SG_OK);
    ck_assert_int_eq(sg_modal_create(&arena, &mass, &stiffness, &modal, &err), SG_BAD_DECK);
    ck_assert_ptr_null(modal);
    ck_assert_msg(strstr(err.text, "dof 7") != NULL, "%s", err.text);
}
END_TEST

START_TEST(entries_must_be_finite)
{
    struct sg_error err = {0};
    for (int consistent = 0; consistent < 2; consistent++) {
        struct sg_triplets m = {.arena = &arena, .n = 3}, k = {.arena = &arena, .n = 3};
        for (size_t i = 0; i < 3; i++) sg_triplets_add(&m, i, i, 1);
        if (consistent) sg_triplets_add(&m, 1, 0, .5);
        sg_triplets_add(&k, 1, 0, (double)NAN);
        sg_triplets_add(&k, 2, 0, 1);
        struct sg_matrix mass, stiffness;
        struct sg_modal *modal;
        ck_assert_int_eq(sg_matrix_init(&arena, &mass, &m, SG_DENSE, &err), SG_OK);
        ck_assert_int_eq(sg_matrix_init(&arena, &stiffness, &k, SG_DENSE, &err), SG_OK);
        ck_assert_int_eq(sg_modal_create(&arena, &mass, &stiffness, &modal, &err), SG_NO_SOLUTION);
    }
}
END_TEST

Suite *sg_suite_modal(void);
Suite *sg_suite_modal(void)
{
    Suite *suite = suite_create("modal");
    TCase *tc = tcase_create("basis");
    tcase_add_checked_fixture(tc, NULL, release_arena);
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, modes_are_orthonormal_and_decouple, 0, MODELS);
    tcase_add_loop_test(tc, blocks_are_the_bodies, 0, MODELS);
    tcase_add_loop_test(tc, states_survive_the_way_there_and_back, 0, MODELS);
    tcase_add_loop_test(tc, columns_project_consistently, 0, MODELS);
    tcase_add_test(tc, frequencies_of_bars);
    tcase_add_loop_test(tc, dense_models, 0, 2);
    tcase_add_loop_test(tc, mass_must_be_positive_definite, 0, 3);
    tcase_add_test(tc, entries_must_be_finite);
    suite_add_tcase(suite, tc);
    return suite;
}
