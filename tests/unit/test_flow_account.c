/* Works and integrals of a motion in closed form against Gauss's rule on the same motion: random modes,
 * rigid, light and heavily damped, under loads that are straight or curved. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "integrators/flow_account.h"
#include "model/load_course.h"
#include "run_fixture.h"

Suite *sg_suite_flow_account(void);

enum { MODES = 4, DEGREE = SG_LOAD_DEGREE, LOADS = 2, PARTS = 400 };

struct motion {
    double k[MODES], c[MODES], v[MODES], r[(DEGREE + 1) * MODES], w[MODES];
    double course[LOADS * (DEGREE + 1)], pattern[LOADS * MODES], shift[LOADS];
    bool from_support[LOADS];
    struct sg_modal_flow flow;
};

static void make_motion(struct motion *m, unsigned long long *random, size_t degree)
{
    memset(m, 0, sizeof *m);
    double h = pow(10.0, 2.0 * run_random(random) - 1.0), root = 6.0 / h;
    for (size_t l = 0; l < MODES; l++) {
        double omega = root * fabs(run_random(random));
        m->k[l] = l == 0 ? 0.0 : omega * omega;
        m->c[l] = l == 1 ? 2.0 * omega : omega * pow(10.0, 1.5 * run_random(random)); /* 1: critical */
        m->v[l] = run_random(random) / h;
        m->w[l] = run_random(random);
        for (size_t d = 0; d <= degree; d++)
            m->r[d * MODES + l] = run_random(random) / pow(h, 2.0 + (double)d);
    }
    for (size_t k = 0; k < LOADS; k++) {
        m->shift[k] = run_random(random);
        for (size_t l = 0; l < MODES; l++) m->pattern[k * MODES + l] = run_random(random);
        for (size_t d = 0; d <= degree; d++)
            m->course[k * (degree + 1) + d] = run_random(random) / pow(h, (double)d);
    }
    m->from_support[1] = true;
    static unsigned long phases = 0;
    m->flow = (struct sg_modal_flow){.h = h,
                                     .phase = ++phases,
                                     .count = MODES,
                                     .k = m->k,
                                     .c = m->c,
                                     .v = m->v,
                                     .degree = degree,
                                     .r = m->r,
                                     .loads = LOADS,
                                     .course = m->course,
                                     .pattern = m->pattern,
                                     .from_support = m->from_support};
}

/* w . y' at tau, of unit weights of one mode */
static double speed(const struct motion *m, size_t l, double tau)
{
    double unit[MODES] = {0.0};
    unit[l] = 1.0;
    struct sg_flow_functional f = {.w = unit};
    return sg_modal_flow_at(&m->flow, &f, tau).slope;
}

static double load(const struct motion *m, size_t k, double tau)
{
    double s = 0.0;
    for (size_t d = m->flow.degree + 1; d-- > 0;) s = s * tau + m->course[k * (m->flow.degree + 1) + d];
    return s;
}

/* powers and the change of a functional at an instant */
struct sums {
    double load, damping, change;
};

static struct sums sums_at(const struct motion *m, const struct sg_flow_functional *f, double tau)
{
    struct sums sums = {.change = sg_modal_flow_at(&m->flow, f, tau).change};
    for (size_t l = 0; l < MODES; l++) {
        double v = speed(m, l, tau);
        sums.load += load(m, 0, tau) * m->pattern[l] * v;
        sums.damping += m->c[l] * v * v;
    }
    return sums;
}

/* Gauss's rule of two points in each of the parts: its error is (w / 6)^4 of a power that changes as exp(-b
 * t), b h up to 200, in parts of h / 400: 5e-5 of it at most, and 1e-6 where b h is below 60, as for most. */
static struct sums integrate(const struct motion *m, const struct sg_flow_functional *f, double h)
{
    struct sums all = {0.0, 0.0, 0.0};
    for (int i = 0; i < 2 * PARTS; i++) {
        double at = (i / 2 + 0.5 + (i % 2 == 0 ? -0.5 : 0.5) / sqrt(3.0)) / PARTS;
        struct sums here = sums_at(m, f, h * at);
        all.load += 0.5 * h / PARTS * here.load;
        all.damping += 0.5 * h / PARTS * here.damping;
        all.change += 0.5 * h / PARTS * here.change;
    }
    return all;
}

START_TEST(accounts_are_integrals)
{
    unsigned long long random = 5 + (unsigned)_i;
    struct sg_arena arena = {0};
    struct sg_error err;
    struct sg_flow_account *account = NULL;
    size_t degree = _i == 0 ? 0 : _i == 1 ? 1 : DEGREE;
    ck_assert_int_eq(sg_flow_account_create(&arena, MODES, degree, &account, &err), SG_OK);
    for (int i = 0; i < 10; i++) {
        struct motion m;
        make_motion(&m, &random, degree);
        struct sg_flow_functional f = {m.w, degree > 0 ? m.shift : NULL, 0.1 * m.flow.h};
        double h = i % 2 == 0 ? m.flow.h : 0.37 * m.flow.h;
        struct sums sums = integrate(&m, &f, h);
        sg_flow_account_take(account, &m.flow, h);
        /* 1e-4 of the size of the motion: y is of order 1 by h^2 r, so are its works by h^2 */
        double size = 1.0 / (m.flow.h * m.flow.h);
        if (degree > 0) NEAR(sg_flow_account_load_work(account), sums.load, 1e-5);
        NEAR(sg_flow_account_damping(account), sums.damping, 1e-4 * fmax(sums.damping, size));
        NEAR(sg_flow_account_integral(account, &f), sums.change, 1e-5 * h);
    }
    sg_arena_release(&arena);
}
END_TEST

/* A mode alone: what dampers take is what its energy lost, to rounding, however stiff or long it is; the
 * loads' work likewise. The account knows nothing of either energy. */
START_TEST(energies_balance)
{
    const double stiffness[] = {0.0, 1e-6, 1.0, 4.0, 1e4, 1e8}, ratios[] = {1e-6, 0.1, 1.0, 1.5, 1e3};
    struct sg_arena arena = {0};
    struct sg_error err;
    struct sg_flow_account *account = NULL;
    bool off = false;
    ck_assert_int_eq(sg_flow_account_create(&arena, 1, DEGREE, &account, &err), SG_OK);
    for (size_t i = 0; i < 30; i++) {
        double k = stiffness[i / 5], c = 2.0 * ratios[i % 5] * fmax(sqrt(k), 0.1), v = 1.0, w = 1.0,
               pattern = 1.0;
        double r[DEGREE + 1] = {2.0, -1.0, 0.5, 0.3, 0.2, 0.1, -0.4, 0.1};
        struct sg_modal_flow flow = {.h = 1.3,
                                     .phase = i + 1,
                                     .count = 1,
                                     .k = &k,
                                     .c = &c,
                                     .v = &v,
                                     .degree = DEGREE,
                                     .r = r,
                                     .loads = 1,
                                     .course = r,
                                     .pattern = &pattern,
                                     .from_support = &off};
        struct sg_flow_functional f = {.w = &w};
        sg_flow_account_take(account, &flow, flow.h);
        struct sg_flow_value end = sg_modal_flow_at(&flow, &f, flow.h);
        double work = sg_flow_account_load_work(account), taken = sg_flow_account_damping(account);
        double kinetic = 0.5 * end.slope * end.slope - 0.5, strain = 0.5 * k * end.change * end.change;
        NEAR(work - taken, kinetic + strain, 1e-12 * (1.0 + fabs(work) + taken));
    }
    sg_arena_release(&arena);
}
END_TEST

Suite *sg_suite_flow_account(void)
{
    Suite *suite = suite_create("flow_account");
    TCase *tcase = tcase_create("flow_account");
    tcase_add_loop_test(tcase, accounts_are_integrals, 0, 3);
    tcase_add_test(tcase, energies_balance);
    suite_add_tcase(suite, tcase);
    return suite;
}
