/* What contacts give back (contact/solvers/rebound.h): its conditions for random problems, its uniqueness,
 * and problems with known solutions. */
#include <check.h>
#include <math.h>
#include <string.h>

#include "contact/solvers/rebound.h"
#include "run_fixture.h"
#include "support/random.h"

Suite *sg_suite_rebound(void);

enum { MOST = 12, SWEEPS = 100000 };

struct problem {
    size_t count;
    double h[MOST * MOST], w[MOST], energy[MOST];
};

static struct sg_rebound_problem view(const struct problem *p)
{
    return (struct sg_rebound_problem){p->count, p->h, p->w, p->energy};
}

/* in [-1, 1) */
static double within(struct sg_random *random)
{
    return 2.0 * sg_random_unit(random) - 1.0;
}

/* H = A^T A of `rank` x count, rank >= count, so that contacts feel one another */
static void make(struct problem *p, struct sg_random *random, size_t count, size_t rank)
{
    double a[(MOST + 2) * MOST];
    p->count = count;
    for (size_t i = 0; i < rank * count; i++) a[i] = within(random);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            double sum = 0.0;
            for (size_t l = 0; l < rank; l++) sum += a[i * rank + l] * a[k * rank + l];
            p->h[i * count + k] = sum;
        }
        p->w[i] = within(random);
        p->energy[i] = sg_random_unit(random) < 0.4 ? 0.0 : sg_random_unit(random);
    }
}

/* y = w + H r / 2 of contact i */
static double mean(const struct problem *p, const double *r, size_t i)
{
    double sum = p->w[i];
    for (size_t k = 0; k < p->count; k++) sum += 0.5 * p->h[k * p->count + i] * r[k];
    return sum;
}

/* Each contact has its energy, by rounding of velocities and impulses of order 1 to 10 that sweeps leave. */
START_TEST(each_has_its_energy)
{
    struct sg_random random = {(uint64_t)_i};
    struct problem p;
    struct sg_contact_report report;
    double r[MOST], size = 1.0;
    size_t count = 1 + (size_t)_i % MOST;
    make(&p, &random, count, count + 2);
    struct sg_rebound_problem problem = view(&p);
    sg_contact_rebound(&problem, SWEEPS, r, &report);
    NEAR(report.residual, 0.0, 0.0);
    for (size_t i = 0; i < count; i++) size = fmax(size, fmax(fabs(r[i]), p.h[i * (count + 1)] * fabs(r[i])));
    for (size_t i = 0; i < count; i++) {
        double y = mean(&p, r, i);
        ck_assert(r[i] >= 0.0);
        ck_assert(y > -1e-11 * size);
        NEAR(r[i] * y, p.energy[i], 1e-10 * size * size);
    }
}
END_TEST

/* Contacts twice there have the same velocities as once, with the energy of both. */
START_TEST(twice_is_once)
{
    struct problem once = {1, {2.0}, {0.0}, {3.0}}, twice = {2, {2.0, 2.0, 2.0, 2.0}, {0.0, 0.0}, {1.0, 2.0}};
    struct sg_contact_report report;
    double r[MOST], one[MOST];
    struct sg_rebound_problem problem = view(&once);
    sg_contact_rebound(&problem, SWEEPS, one, &report);
    problem = view(&twice);
    sg_contact_rebound(&problem, SWEEPS, r, &report);
    NEAR(one[0], sqrt(3.0), 1e-14);
    NEAR(r[0] + r[1], one[0], 1e-13);
    NEAR(r[1], 2.0 * r[0], 1e-12);
}
END_TEST

/* A ball of 1 kg and 1 m/s strikes two that touch: it took the energy 1/3 J to stop the three at 1/3 m/s; the
 * contact that took none is kept closed, and -1/3, 2/3, 2/3 m/s come of it. */
START_TEST(three_balls)
{
    struct problem p = {2, {2.0, -1.0, -1.0, 2.0}, {0.0, 0.0}, {1.0 / 3.0, 0.0}};
    struct sg_rebound_problem problem = view(&p);
    struct sg_contact_report report;
    double r[MOST];
    sg_contact_rebound(&problem, SWEEPS, r, &report);
    NEAR(1.0 / 3.0 - r[0], -1.0 / 3.0, 1e-14);
    NEAR(1.0 / 3.0 + r[0] - r[1], 2.0 / 3.0, 1e-14);
    NEAR(1.0 / 3.0 + r[1], 2.0 / 3.0, 1e-14);
}
END_TEST

/* No energy: what approaches is turned, what opens is let alone. */
START_TEST(turns_without_energy)
{
    struct problem p = {2, {4.0, 0.0, 0.0, 4.0}, {-3.0, 2.0}, {0.0, 0.0}};
    struct sg_rebound_problem problem = view(&p);
    struct sg_contact_report report;
    double r[MOST];
    sg_contact_rebound(&problem, SWEEPS, r, &report);
    NEAR(p.w[0] + 4.0 * r[0], 3.0, 1e-15);
    NEAR(r[1], 0.0, 0.0);
}
END_TEST

/* What the sweeps leave is told. */
START_TEST(tells_what_is_left)
{
    struct problem p = {2, {1.0, 0.9, 0.9, 1.0}, {-1.0, 0.5}, {0.1, 0.2}};
    struct sg_rebound_problem problem = view(&p);
    struct sg_contact_report report;
    double r[MOST];
    sg_contact_rebound(&problem, 2, r, &report);
    ck_assert_int_eq(report.iterations, 2);
    ck_assert(report.residual > 1e-6);
    ck_assert(report.scale >= 1.0);
}
END_TEST

Suite *sg_suite_rebound(void)
{
    Suite *suite = suite_create("rebound");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, each_has_its_energy, 0, 20 * MOST);
    tcase_add_test(all, twice_is_once);
    tcase_add_test(all, three_balls);
    tcase_add_test(all, turns_without_energy);
    tcase_add_test(all, tells_what_is_left);
    suite_add_tcase(suite, all);
    return suite;
}
