/* Small mechanical problems for the nonsmooth generalized-alpha core, written out by hand: constraints are
 * polynomials of order 2,
 *
 *     g_j = c_j + b_j . q + (1/2) q . H_j q,   f = load - stiffness q - cubic q^3 - damping v.
 */
#ifndef SG_TESTS_TOY_ALPHA_H
#define SG_TESTS_TOY_ALPHA_H

#include <check.h>
#include <math.h>
#include <string.h>

#include "linalg/matrix.h"
#include "strategies/generalized_alpha/correct.h"
#include "strategies/generalized_alpha/nonsmooth_alpha.h"
#include "strategies/generalized_alpha/residual.h"
#include "strategies/generalized_alpha/scale.h"
#include "strategies/generalized_alpha/tangent.h"

enum { TOY_DOFS = 12, TOY_ROWS = 4, TOY_TANGENTS = 2 };

struct toy {
    size_t n, bilateral, unilateral, tangents;
    double mass[TOY_DOFS][TOY_DOFS], stiffness[TOY_DOFS][TOY_DOFS], damping[TOY_DOFS][TOY_DOFS];
    double cubic, load[TOY_DOFS];
    double c[TOY_ROWS], b[TOY_ROWS][TOY_DOFS], H[TOY_ROWS][TOY_DOFS][TOY_DOFS];
    double T[TOY_ROWS * TOY_TANGENTS][TOY_DOFS];
    struct sg_law laws[TOY_ROWS];
    double friction[TOY_ROWS];
    bool linear, affine;
    /* made by toy_open: */
    struct sg_ggl_problem problem;
    struct sg_ggl ggl;
    struct sg_matrix M, K, C;
    struct sg_columns rows[2], rate[2], tangent;
    size_t second_row[TOY_DOFS * TOY_DOFS], second_column[TOY_DOFS * TOY_DOFS];
    double second_value[TOY_DOFS * TOY_DOFS], gap[TOY_ROWS], drift[TOY_ROWS], rounding[TOY_ROWS];
    struct sg_symmetric_entries second;
    double q[TOY_DOFS]; /* of the last evaluation */
    double state[2][3][TOY_DOFS];
    struct sg_arena arena;
    struct sg_error err;
};

static inline void toy_matrix(struct sg_arena *arena, struct sg_matrix *a, double (*from)[TOY_DOFS], size_t n)
{
    struct sg_triplets t = {.arena = arena, .n = n};
    struct sg_error err;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) sg_triplets_add(&t, i, j, from[i][j]);
    ck_assert_int_eq(sg_matrix_init(arena, a, &t, sg_triplets_class(&t), &err), SG_OK);
}

static inline void toy_columns(struct sg_arena *arena, struct sg_columns *w, size_t n, size_t q)
{
    struct sg_error err;
    ck_assert_int_eq(sg_columns_init_sparse(arena, w, n, q, n * q, &err), SG_OK);
    for (size_t j = 0; j <= q; j++) w->start[j] = j * n;
    for (size_t k = 0; k < n * q; k++) w->row[k] = k % n;
}

static inline void toy_evaluate(void *self, double t, const double *q)
{
    struct toy *toy = self;
    (void)t;
    memcpy(toy->q, q, toy->n * sizeof *q);
    for (size_t j = 0; j < toy->bilateral + toy->unilateral; j++) {
        size_t block = j < toy->bilateral ? 0 : 1, column = block == 0 ? j : j - toy->bilateral;
        double *w = toy->rows[block].value + column * toy->n, g = toy->c[j];
        for (size_t i = 0; i < toy->n; i++) {
            double bent = 0;
            for (size_t k = 0; k < toy->n; k++) bent += toy->H[j][i][k] * q[k];
            w[i] = toy->b[j][i] + bent;
            g += (toy->b[j][i] + 0.5 * bent) * q[i];
        }
        toy->gap[j] = g;
    }
}

static inline void toy_force(void *self, double t, const double *q, const double *v, double *f)
{
    struct toy *toy = self;
    (void)t;
    for (size_t i = 0; i < toy->n; i++) {
        f[i] = toy->load[i] - toy->cubic * q[i] * q[i] * q[i];
        for (size_t k = 0; k < toy->n; k++) f[i] -= toy->stiffness[i][k] * q[k] + toy->damping[i][k] * v[k];
    }
}

static inline void toy_differentiate_rates(void *self, const double *v, bool contacts)
{
    struct toy *toy = self;
    for (size_t j = 0; j < toy->bilateral + (contacts ? toy->unilateral : 0); j++) {
        size_t block = j < toy->bilateral ? 0 : 1, column = block == 0 ? j : j - toy->bilateral;
        for (size_t i = 0; i < toy->n; i++) {
            double sum = 0;
            for (size_t k = 0; k < toy->n; k++) sum += toy->H[j][i][k] * v[k];
            toy->rate[block].value[column * toy->n + i] = sum;
        }
    }
}

static inline void toy_sum_second(void *self, const double *multiplier)
{
    struct toy *toy = self;
    for (size_t k = 0; k < toy->second.count; k++) {
        toy->second_value[k] = 0;
        for (size_t j = 0; j < toy->bilateral + toy->unilateral; j++)
            toy->second_value[k] += multiplier[j] * toy->H[j][toy->second_row[k]][toy->second_column[k]];
    }
}

static inline void toy_open_second(struct toy *toy)
{
    size_t count = 0;
    for (size_t i = 0; i < toy->n; i++)
        for (size_t k = 0; k <= i; k++) {
            toy->second_row[count] = i;
            toy->second_column[count++] = k;
        }
    toy->second =
        (struct sg_symmetric_entries){count, toy->second_row, toy->second_column, toy->second_value};
    toy->problem.second = &toy->second;
    toy->problem.rate[0] = &toy->rate[0];
    toy->problem.rate[1] = &toy->rate[1];
    toy->problem.differentiate_rates = toy_differentiate_rates;
    toy->problem.sum_second = toy_sum_second;
}

/* K and C of the cubic and swirling parts are those at q = 0 unless `linearize` is called */
static inline void toy_linearize(void *self, double t, const double *q, const double *v)
{
    struct toy *toy = self;
    (void)t;
    for (size_t i = 0; i < toy->n; i++)
        for (size_t k = 0; k <= i; k++) {
            *sg_matrix_place(&toy->K, i, k) =
                toy->stiffness[i][k] + (i == k ? 3 * toy->cubic * q[i] * q[i] : 0.0);
            *sg_matrix_place(&toy->C, i, k) = toy->damping[i][k];
        }
    (void)v;
}

static inline struct sg_ggl_spec toy_spec(double rho)
{
    double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = 0.5 + af - am;
    return (struct sg_ggl_spec){.am = am,
                                .af = af,
                                .gamma = gamma,
                                .beta = 0.25 * (gamma + 0.5) * (gamma + 0.5),
                                .level = SG_GGL_BOTH,
                                .tolerance = 1e-12,
                                .max_iterations = 50};
}

static inline void toy_open(struct toy *toy, struct sg_ggl_spec spec)
{
    toy->arena = (struct sg_arena){0};
    toy_matrix(&toy->arena, &toy->M, toy->mass, toy->n);
    toy_matrix(&toy->arena, &toy->K, toy->stiffness, toy->n);
    toy_matrix(&toy->arena, &toy->C, toy->damping, toy->n);
    toy_columns(&toy->arena, &toy->rows[0], toy->n, toy->bilateral);
    toy_columns(&toy->arena, &toy->rows[1], toy->n, toy->unilateral);
    toy_columns(&toy->arena, &toy->rate[0], toy->n, toy->bilateral);
    toy_columns(&toy->arena, &toy->rate[1], toy->n, toy->unilateral);
    toy_columns(&toy->arena, &toy->tangent, toy->n, toy->unilateral * toy->tangents);
    for (size_t k = 0; k < toy->unilateral * toy->tangents; k++)
        memcpy(toy->tangent.value + k * toy->n, toy->T[k], toy->n * sizeof(double));
    toy->problem = (struct sg_ggl_problem){.n = toy->n,
                                           .bilateral = toy->bilateral,
                                           .unilateral = toy->unilateral,
                                           .tangents = toy->tangents,
                                           .linear = toy->linear,
                                           .affine = toy->affine,
                                           .M = &toy->M,
                                           .K = &toy->K,
                                           .C = &toy->C,
                                           .laws = toy->laws,
                                           .friction = toy->friction,
                                           .rounding = toy->rounding,
                                           .rows = {&toy->rows[0], &toy->rows[1]},
                                           .tangent = &toy->tangent,
                                           .gap = toy->gap,
                                           .drift = toy->drift,
                                           .self = toy,
                                           .evaluate = toy_evaluate,
                                           .find_gaps = toy_evaluate,
                                           .force = toy_force};
    if (!toy->linear) toy->problem.linearize = toy_linearize;
    if (!toy->affine) toy_open_second(toy);
    toy_evaluate(toy, 0, toy->state[0][0]);
    ck_assert_msg(sg_ggl_init(&toy->arena, &toy->ggl, &toy->problem, &spec, &toy->err) == SG_OK, "%s",
                  toy->err.text);
}

static inline void toy_close(struct toy *toy)
{
    sg_arena_release(&toy->arena);
}

/* consistent acceleration of state[0] */
static inline void toy_begin(struct toy *toy, const double *bias)
{
    struct sg_ggl_start start = {0, 0.01, toy->state[0][0], toy->state[0][1], bias};
    ck_assert_msg(sg_ggl_begin(&toy->ggl, &start, toy->state[0][2], &toy->err) == SG_OK, "%s", toy->err.text);
}

/* one step of state[0], which becomes its end */
static inline void toy_step(struct toy *toy, double t, double h)
{
    double(*from)[TOY_DOFS] = toy->state[0], (*to)[TOY_DOFS] = toy->state[1];
    struct sg_ggl_span span = {t, h, from[0], from[1], from[2], to[0], to[1], to[2]};
    ck_assert_msg(sg_ggl_step(&toy->ggl, &span, &toy->err) == SG_OK, "%s", toy->err.text);
    sg_ggl_accept(&toy->ggl);
    memcpy(toy->state[0], toy->state[1], sizeof toy->state[0]);
}

static inline double toy_random(unsigned long long *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

#endif
