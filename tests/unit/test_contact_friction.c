/* Assemblies of bodies with friction: closed forms, limits of equilibrium, piles. Bodies move without
 * turning. */
#include <check.h>

#include "contact_problem.h"

Suite *sg_suite_contact_friction(void);

#define NEAR(a, b, tolerance) ck_assert_msg(fabs((a) - (b)) <= (tolerance), "%.17g, not %.17g", (a), (b))

static const double PI = 3.14159265358979323846;

enum { BODIES = 160, JOINTS = 500, GROUND = -1 };

/* gap rate = n . (v_a - v_b), tangent n turned by a right angle */
struct joint {
    int a, b;
    double n[2], mu;
};

struct assembly {
    int bodies;
    size_t joints;
    double mass[BODIES], v[BODIES][2];
    struct joint joint[JOINTS];
};

static void join(struct assembly *s, int a, int b, double angle, double mu)
{
    ck_assert_uint_lt(s->joints, JOINTS);
    s->joint[s->joints++] = (struct joint){.a = a, .b = b, .n = {cos(angle), sin(angle)}, .mu = mu};
}

/* direction of row k of a joint as body `body` feels it */
static void direction(const struct joint *joint, size_t k, int body, double d[2])
{
    double sign = body == joint->a ? 1 : body == joint->b ? -1 : 0;
    d[0] = sign * (k == 0 ? joint->n[0] : -joint->n[1]);
    d[1] = sign * (k == 0 ? joint->n[1] : joint->n[0]);
}

static double coupling(const struct assembly *s, size_t i, size_t j)
{
    const struct joint *one = &s->joint[i / 2], *other = &s->joint[j / 2];
    const int of_one[2] = {one->a, one->b};
    double sum = 0;
    for (size_t k = 0; k < 2; k++) {
        double d[2], e[2];
        if (of_one[k] == GROUND) continue;
        direction(one, i % 2, of_one[k], d);
        direction(other, j % 2, of_one[k], e);
        sum += (d[0] * e[0] + d[1] * e[1]) / s->mass[of_one[k]];
    }
    return sum;
}

static struct contact_case problem_of(const struct assembly *s)
{
    struct contact_case p = problem_new(s->joints, 1);
    for (size_t i = 0; i < p.n; i++) {
        const struct joint *joint = &s->joint[i / 2];
        const int bodies[2] = {joint->a, joint->b};
        for (size_t j = 0; j < p.n; j++) p.h[j * p.n + i] = coupling(s, i, j);
        for (size_t k = 0; k < 2; k++) {
            double d[2];
            if (bodies[k] == GROUND) continue;
            direction(joint, i % 2, bodies[k], d);
            p.b[i] += d[0] * s->v[bodies[k]][0] + d[1] * s->v[bodies[k]][1];
        }
        p.mu[i / 2] = joint->mu;
    }
    return p;
}

static struct sg_contact_report solve(struct contact_case *p)
{
    struct sg_contact_solver solver;
    struct sg_contact_problem view = problem_view(p);
    struct sg_contact_report report;
    struct sg_error err;
    ck_assert_int_eq(sg_contact_solver_init(&solver, p->count, p->tangents, &err), SG_OK);
    sg_status status = sg_contact_solve(&solver, &view, p->r, &report, &err);
    sg_contact_solver_release(&solver);
    ck_assert_msg(status == SG_OK, "%s", err.text);
    return report;
}

static long double largest(const double *x, size_t n)
{
    long double size = 0;
    for (size_t i = 0; i < n; i++) size = fmaxl(size, fabsl((long double)x[i]));
    return size;
}

/* natural map of contact i, with w in long double */
static long double off_by(const struct contact_case *p, size_t i, const long double w[2])
{
    size_t at = 2 * i;
    long double a = p->h[at * p->n + at], h = p->h[(at + 1) * p->n + at + 1];
    long double limit = h * p->mu[i] * fmaxl(0, p->r[at]), pushed = h * p->r[at + 1] - w[1];
    long double projected = fmaxl(-limit, fminl(limit, pushed));
    return fmaxl(fabsl(fminl(w[0], a * p->r[at])), fabsl(h * p->r[at + 1] - projected));
}

/* The residual of solver.h anew, beyond the rounding of w that it grants (1e-15 of the terms, doubled for
 * that of the checked sums themselves), relative to b */
static double residual(const struct contact_case *p)
{
    long double worst = 0, terms = 0;
    for (size_t i = 0; i < p->count; i++) {
        long double w[2];
        for (size_t k = 0; k < 2; k++) {
            long double size = 0;
            w[k] = p->b[2 * i + k];
            for (size_t j = 0; j < p->n; j++) {
                long double term = (long double)p->h[j * p->n + 2 * i + k] * p->r[j];
                w[k] += term;
                size += fabsl(term);
            }
            terms = fmaxl(terms, size);
        }
        worst = fmaxl(worst, off_by(p, i, w));
    }
    return (double)(fmaxl(0, worst - 2e-15L * terms) / largest(p->b, p->n));
}

/* --- closed forms --------------------------------------------------------------------------------- */

/* Blocks on one another on a slope, let go for 1 s of unit gravity. Where tan(slope) <= mu all of them stay;
 * where it is more they slide as one, and every joint is at its limit: r_T = mu r_N though only the lowest
 * slips. */
START_TEST(blocks_on_a_slope)
{
    static const double steepness[] = {0.5, 0.99, 1.0, 1.01, 2.0};
    const double mu = 0.3, slope = atan(steepness[_i] * mu);
    struct assembly s = {.bodies = 20};
    double above = 0;
    for (int k = 0; k < s.bodies; k++) {
        s.mass[k] = 1 + 0.2 * k;
        s.v[k][0] = -sin(slope);
        s.v[k][1] = -cos(slope);
        join(&s, k, k - 1, acos(0), mu);
    }
    struct contact_case p = problem_of(&s);
    solve(&p);
    for (int k = s.bodies - 1; k >= 0; k--) {
        above += s.mass[k];
        /* the tangent points to -x, down the slope; tolerance 1e-12 of b times the condition of 20 masses,
         * 4e2 */
        NEAR(p.r[2 * k], above * cos(slope), 1e-9 * above);
        NEAR(p.r[2 * k + 1], -above * fmin(sin(slope), mu * cos(slope)), 1e-9 * above);
    }
    problem_release(&p);
}
END_TEST

/* A wedge of mass m and half angle a, driven with speed 1 between two blocks of mass M that slide on a smooth
 * floor: m (1 - u) = 2 N (sin a + mu cos a), M V = N (cos a - mu sin a), and V cos a = u sin a keeps touch.
 */
START_TEST(a_wedge_drives_blocks_apart)
{
    const double m = 2, M = 3, a = 0.4, mu = 0.05 + 0.1 * _i;
    const double give = 2 * (sin(a) + mu * cos(a)) / m, take = (cos(a) - mu * sin(a)) / M;
    const double N = sin(a) / (cos(a) * take + sin(a) * give);
    struct assembly s = {.bodies = 3, .mass = {m, M, M}, .v = {{0, -1}}};
    /* normals of the wedge: up, and away from the block */
    join(&s, 0, 1, PI - a, mu);
    join(&s, 0, 2, a, mu);
    join(&s, 1, GROUND, PI / 2, 0);
    join(&s, 2, GROUND, PI / 2, 0);
    struct contact_case p = problem_of(&s);
    solve(&p);
    for (size_t k = 0; k < 2; k++) {
        NEAR(p.r[2 * k], N, 1e-11 * N); /* tolerance 1e-12 times a condition of some units */
        NEAR(fabs(p.r[2 * k + 1]), mu * N, 1e-11 * N);
    }
    problem_release(&p);
}
END_TEST

/* --- an arch -------------------------------------------------------------------------------------- */

enum { STONES = 15 };

/* Half circle of equal stones: joint k at the angle pi k / STONES. */
static struct assembly arch(double mu)
{
    struct assembly s = {.bodies = STONES};
    for (int k = 0; k < STONES; k++) {
        s.mass[k] = 1;
        s.v[k][1] = -1;
    }
    for (int k = 0; k <= STONES; k++)
        join(&s, k < STONES ? k : GROUND, k > 0 ? k - 1 : GROUND, PI / 2 + PI * k / STONES, mu);
    return s;
}

/* Whether a thrust H exists for which no joint's force leaves its friction cone: joint k carries the weight
 * of the stones between it and the crown, V_k = STONES / 2 - k, along (H, V_k), at most atan(mu) off its
 * normal. */
static bool stands(double mu)
{
    double low = 0, high = INFINITY, phi = atan(mu);
    for (int k = 0; 2 * k <= STONES; k++) {
        double weight = STONES / 2.0 - k, angle = PI / 2 - PI * k / STONES;
        if (angle + phi < PI / 2) low = fmax(low, weight / tan(angle + phi));
        if (angle - phi > 0) high = fmin(high, weight / tan(angle - phi));
    }
    return low <= high;
}

/* The reactions of a standing arch are not unique; that it stands is. */
START_TEST(an_arch_stands_where_friction_holds_it)
{
    double low = 0, high = 2;
    for (int turn = 0; turn < 60; turn++) {
        double mid = 0.5 * (low + high);
        *(stands(mid) ? &high : &low) = mid;
    }
    ck_assert_msg(high > 0.05 && high < 1, "%g", high);
    static const double factor[] = {0.7, 0.95, 0.999, 1.001, 1.05, 1.5};
    struct assembly s = arch(high * factor[_i]);
    struct contact_case p = problem_of(&s);
    solve(&p);
    ck_assert_msg(residual(&p) <= 1e-12, "%g", residual(&p)); /* the solver's tolerance */
    problem_w(&p);
    double moves = (double)largest(p.w, p.n);
    /* standing: 1e-12 times the condition; falling by 1 in 1000 of the friction: no less than that of the
     * speed */
    if (factor[_i] > 1)
        ck_assert_msg(moves <= 1e-9, "%g", moves);
    else
        ck_assert_msg(moves >= 1e-5, "%g", moves);
    problem_release(&p);
}
END_TEST

/* --- piles ---------------------------------------------------------------------------------------- */

/* disks in rows that are set off by half a diameter, between walls; neighbours touch */
static struct assembly pile(int width, int height, double mu, unsigned long long *seed)
{
    struct assembly s = {.bodies = width * height};
    for (int k = 0; k < s.bodies; k++) {
        int row = k / width, column = k % width, odd = row % 2;
        s.mass[k] = 1 + problem_random(seed) * 0.5;
        s.v[k][0] = 0.02 * problem_random(seed);
        s.v[k][1] = -1 + 0.02 * problem_random(seed);
        if (row == 0) join(&s, k, GROUND, PI / 2, mu);
        if (column == 0 && !odd) join(&s, k, GROUND, 0, mu);
        if (column == width - 1 && odd) join(&s, k, GROUND, PI, mu);
        if (column > 0) join(&s, k, k - 1, 0, mu);
        if (row == 0) continue;
        int left = column - !odd, below = (row - 1) * width;
        if (left >= 0) join(&s, k, below + left, PI / 3, mu);
        if (left + 1 < width) join(&s, k, below + left + 1, 2 * PI / 3, mu);
    }
    return s;
}

/* redundant contacts in hundreds, little friction: none may be left off by more than the tolerance */
START_TEST(piles_are_solved_to_the_tolerance)
{
    static const double friction[] = {0.02, 0.05, 0.1, 0.2, 0.4};
    unsigned long long seed = 100 + (unsigned long long)_i;
    for (int trial = 0; trial < 6; trial++) {
        struct assembly s = pile(3 + trial, 3 + 2 * trial, friction[_i], &seed);
        struct contact_case p = problem_of(&s);
        struct sg_contact_report report = solve(&p);
        ck_assert_msg(residual(&p) <= 1e-12, "%zu contacts: %g after %lld", p.count, residual(&p),
                      report.iterations);
        problem_release(&p);
    }
}
END_TEST

Suite *sg_suite_contact_friction(void)
{
    Suite *suite = suite_create("contact_friction");
    TCase *tcase = tcase_create("contact_friction");
    tcase_add_loop_test(tcase, blocks_on_a_slope, 0, 5);
    tcase_add_loop_test(tcase, a_wedge_drives_blocks_apart, 0, 4);
    tcase_add_loop_test(tcase, an_arch_stands_where_friction_holds_it, 0, 6);
    tcase_add_loop_test(tcase, piles_are_solved_to_the_tolerance, 0, 5);
    suite_add_tcase(suite, tcase);
    return suite;
}
