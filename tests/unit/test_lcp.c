/* The linear complementarity problem of contacts: judged by its own conditions, and by trying every set
 * of acting contacts. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "contact/solvers/lcp.h"
#include "run_fixture.h"

Suite *sg_suite_lcp(void);

enum { MOST = 12 };

struct problem {
    size_t q;
    double g[MOST * MOST], b[MOST], r[MOST];
    unsigned char member[MOST];
    double g_scale, b_scale;
};

enum kind { DENSE, TRIDIAGONAL, DEGENERATE, REDUNDANT, KINDS };

/* G = A^T A with A (rows x q): singular where rows < q */
static void square(struct problem *p, const double *a, size_t rows)
{
    for (size_t i = 0; i < p->q; i++)
        for (size_t j = 0; j < p->q; j++) {
            double sum = 0;
            for (size_t k = 0; k < rows; k++) sum += a[i * MOST + k] * a[j * MOST + k];
            p->g[i * p->q + j] = sum;
        }
}

/* of REDUNDANT problems every second contact repeats an earlier one, up to scale, so that G is singular
 * and b is consistent */
static void make(struct problem *p, enum kind kind, unsigned long long *seed)
{
    double a[MOST * MOST] = {0}, x[MOST];
    *p = (struct problem){.q = 1 + (size_t)((run_random(seed) + 1) * (MOST - 1) / 2)};
    for (size_t k = 0; k < MOST; k++) x[k] = run_random(seed);
    for (size_t i = 0; i < p->q; i++) {
        p->member[i] = run_random(seed) > -0.8;
        for (size_t k = 0; k < MOST; k++) {
            bool there = kind != TRIDIAGONAL || k == i || k == i + 1;
            if (there) a[i * MOST + k] = run_random(seed);
        }
        if (kind == TRIDIAGONAL) a[i * MOST + i] += 2;
        double factor = kind == REDUNDANT && i % 2 == 1 ? 1.5 + run_random(seed) : 0;
        for (size_t k = 0; factor > 0 && k < MOST; k++) a[i * MOST + k] = factor * a[(i / 2) * MOST + k];
        for (size_t k = 0; k < MOST; k++) p->b[i] += a[i * MOST + k] * x[k];
        /* exact zeros: contacts that touch and are pushed by nothing */
        if (kind == DEGENERATE && i % 3 == 0) p->b[i] = 0;
    }
    square(p, a, MOST);
    for (size_t i = 0; i < p->q; i++) {
        p->b_scale = fmax(p->b_scale, fabs(p->b[i]));
        for (size_t j = 0; j < p->q; j++) p->g_scale = fmax(p->g_scale, fabs(p->g[i * p->q + j]));
    }
}

static double residual(const struct problem *p, size_t i)
{
    double w = p->b[i];
    for (size_t k = 0; k < p->q; k++) w += p->g[k * p->q + i] * p->r[k];
    return w;
}

/* The solver's own slack is 1e-13 of the terms of w (r may be large where G is nearly singular); its
 * iteration, for singular G, stops at 1e-13 of b a sweep. 1e-9 of both leaves room for slow sweeps. */
static void check_conditions(const struct problem *p)
{
    double r_scale = 0;
    for (size_t i = 0; i < p->q; i++) r_scale = fmax(r_scale, p->r[i]);
    double tolerance = 1e-9 * (p->b_scale + p->g_scale * r_scale);
    for (size_t i = 0; i < p->q; i++) {
        if (!p->member[i]) {
            ck_assert(p->r[i] == 0.0);
            continue;
        }
        double w = residual(p, i);
        ck_assert_msg(p->r[i] >= 0, "r[%zu] = %g", i, p->r[i]);
        ck_assert_msg(w >= -tolerance, "w[%zu] = %g of %g", i, w, p->b_scale);
        ck_assert_msg(p->r[i] == 0 || fabs(w) <= tolerance, "r w = %g %g", p->r[i], w);
    }
}

START_TEST(conditions_hold)
{
    unsigned long long seed = 7 + (unsigned long long)_i;
    struct sg_error err;
    struct problem p;
    for (int trial = 0; trial < 1000; trial++) {
        struct sg_lcp lcp;
        make(&p, (enum kind)_i, &seed);
        ck_assert_int_eq(sg_lcp_init(&lcp, p.q, &err), SG_OK);
        ck_assert_int_eq(sg_lcp_solve(&lcp, p.g, p.b, p.member, p.r, &err), SG_OK);
        check_conditions(&p);
        sg_lcp_release(&lcp);
    }
}
END_TEST

/* Gauss elimination with partial pivoting of the rows in `set`; false if singular */
static bool solve_set(const struct problem *p, unsigned set, double *r)
{
    double a[MOST][MOST + 1];
    size_t index[MOST], n = 0;
    for (size_t i = 0; i < p->q; i++)
        if (set >> i & 1) index[n++] = i;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) a[i][j] = p->g[index[j] * p->q + index[i]];
        a[i][n] = -p->b[index[i]];
    }
    for (size_t j = 0; j < n; j++) {
        size_t best = j;
        for (size_t i = j + 1; i < n; i++)
            if (fabs(a[i][j]) > fabs(a[best][j])) best = i;
        if (fabs(a[best][j]) < 1e-9) return false;
        for (size_t k = 0; k <= n; k++) {
            double kept = a[j][k];
            a[j][k] = a[best][k];
            a[best][k] = kept;
        }
        for (size_t i = 0; i < n; i++)
            for (size_t k = n + 1; i != j && k-- > j;) a[i][k] -= a[i][j] / a[j][j] * a[j][k];
    }
    memset(r, 0, p->q * sizeof *r);
    for (size_t i = 0; i < n; i++) r[index[i]] = a[i][n] / a[i][i];
    return true;
}

/* G is positive definite, so that the solution is one: of all sets of acting contacts the one whose
 * reactions push and whose other gaps don't close. */
START_TEST(enumeration_agrees)
{
    unsigned long long seed = 99;
    struct sg_error err;
    size_t compared = 0;
    for (int trial = 0; trial < 300; trial++) {
        struct sg_lcp lcp;
        struct problem p, truth;
        make(&p, trial % 2 == 0 ? DENSE : TRIDIAGONAL, &seed);
        if (p.q > 8) continue;
        memset(p.member, 1, p.q);
        ck_assert_int_eq(sg_lcp_init(&lcp, p.q, &err), SG_OK);
        ck_assert_int_eq(sg_lcp_solve(&lcp, p.g, p.b, p.member, p.r, &err), SG_OK);
        sg_lcp_release(&lcp);
        for (unsigned set = 0; set < 1U << p.q; set++) {
            bool fits = true;
            truth = p;
            if (!solve_set(&p, set, truth.r)) continue;
            for (size_t i = 0; i < p.q; i++)
                fits = fits && (set >> i & 1 ? truth.r[i] > 0 : residual(&truth, i) >= -1e-12);
            if (!fits) continue;
            /* conditions of these random G reach 1e6: 1e-16 of them */
            for (size_t i = 0; i < p.q; i++) NEAR(p.r[i], truth.r[i], 1e-9 * (1 + truth.r[i]));
            compared++;
        }
    }
    ck_assert_uint_ge(compared, 100);
}
END_TEST

/* a node pressed on one wall that is given three times: one reaction carries it all */
START_TEST(redundant_contacts_get_a_vertex)
{
    const double g[9] = {2, 2, 2, 2, 2, 2, 2, 2, 2}, b[3] = {-6, -6, -6};
    const unsigned char all[3] = {1, 1, 1}, first[3] = {1, 0, 0};
    double r[3];
    struct sg_lcp lcp;
    struct sg_error err;
    ck_assert_int_eq(sg_lcp_init(&lcp, 3, &err), SG_OK);
    ck_assert_int_eq(sg_lcp_solve(&lcp, g, b, all, r, &err), SG_OK);
    NEAR(r[0] + r[1] + r[2], 3, 1e-14); /* one division */
    ck_assert_int_eq((r[0] > 0) + (r[1] > 0) + (r[2] > 0), 1);
    ck_assert(sg_lcp_depends(&lcp, g, first, 1));
    ck_assert(!sg_lcp_depends(&lcp, g, (const unsigned char[3]){0}, 1));
    sg_lcp_release(&lcp);
}
END_TEST

/* Two masses between walls: lower wall (1, 0), pair (-1, 1), upper wall (0, -1) sum to zero. Mass 0 is
 * pushed up with force 1 (b of pair -1, of the lower wall +1): pair and upper wall carry it, with no
 * prestress of the lower wall. */
START_TEST(a_squeezed_chain_has_no_prestress)
{
    const double g[9] = {1, -1, 0, -1, 2, -1, 0, -1, 1}, b[3] = {1, -1, 0};
    const unsigned char all[3] = {1, 1, 1}, walls[3] = {1, 0, 1};
    double r[3];
    struct sg_lcp lcp;
    struct sg_error err;
    ck_assert_int_eq(sg_lcp_init(&lcp, 3, &err), SG_OK);
    ck_assert_int_eq(sg_lcp_solve(&lcp, g, b, all, r, &err), SG_OK);
    ck_assert(r[0] == 0.0);
    NEAR(r[1], 1, 1e-12); /* 1e-13 a sweep, or rounding by pivots */
    NEAR(r[2], 1, 1e-12);
    ck_assert(sg_lcp_depends(&lcp, g, walls, 1));
    sg_lcp_release(&lcp);
}
END_TEST

Suite *sg_suite_lcp(void)
{
    Suite *suite = suite_create("lcp");
    TCase *tcase = tcase_create("lcp");
    tcase_add_loop_test(tcase, conditions_hold, 0, KINDS);
    tcase_add_test(tcase, enumeration_agrees);
    tcase_add_test(tcase, redundant_contacts_get_a_vertex);
    tcase_add_test(tcase, a_squeezed_chain_has_no_prestress);
    suite_add_tcase(suite, tcase);
    return suite;
}
