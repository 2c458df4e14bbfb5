/* Block principal pivoting where exchanging all rows at once goes in circles: Murty's P-matrix
 *
 *     w = -1 + M z,   M = [1 2 0; 0 1 2; 2 0 1]:   z = (1, 1, 1) / 3.
 *
 * From the set {1} the sets {1, 2}, {2, 3}, {1, 3} follow one another for ever, two rows wrong in each. */
#include <check.h>

#include "linalg/pivoting.h"
#include "linalg/small.h"

Suite *sg_suite_pivoting(void);

enum { ROWS = 3 };

static const double M[ROWS][ROWS] = {{1, 2, 0}, {0, 1, 2}, {2, 0, 1}};

struct murty {
    unsigned char in_set[ROWS], wrong[ROWS];
    double z[ROWS];
    int solved;
    bool refuses;
};

static bool solve(void *self)
{
    struct murty *of = self;
    size_t row[ROWS], count = 0, pivot[ROWS];
    double a[ROWS * ROWS], x[ROWS] = {1, 1, 1};
    of->solved++;
    if (of->refuses) return false;
    for (size_t i = 0; i < ROWS; i++) {
        of->z[i] = 0;
        if (of->in_set[i]) row[count++] = i;
    }
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i < count; i++) a[i + j * count] = M[row[i]][row[j]];
    if (count > 0) ck_assert(sg_small_factor(count, a, pivot));
    if (count > 0) sg_small_solve(count, a, pivot, x);
    for (size_t i = 0; i < count; i++) of->z[row[i]] = x[i];
    return true;
}

static void judge(void *self)
{
    struct murty *of = self;
    for (size_t i = 0; i < ROWS; i++) {
        double w = -1;
        for (size_t j = 0; j < ROWS; j++) w += M[i][j] * of->z[j];
        of->wrong[i] = of->in_set[i] ? of->z[i] < 0 : w < -1e-12;
    }
}

static enum sg_pivoting_end run(struct murty *of, size_t limit, long long *rounds)
{
    const struct sg_pivoting pivoting = {ROWS, of->in_set, of->wrong, limit, of, solve, judge};
    return sg_pivoting_run(&pivoting, rounds);
}

START_TEST(single_exchanges_break_the_circle)
{
    struct murty of = {.in_set = {1, 0, 0}};
    long long rounds = 0;
    ck_assert_int_eq(run(&of, 100, &rounds), SG_PIVOTING_FOUND);
    /* thirds, by three divisions */
    for (size_t i = 0; i < ROWS; i++) ck_assert_double_eq_tol(of.z[i], 1.0 / 3, 1e-15);
    ck_assert_int_eq(of.solved, rounds + 1);
    /* the circle is given up after ten rounds, and 2^3 sets are all there are */
    ck_assert_int_le(rounds, 10 + 8);
}
END_TEST

START_TEST(the_limit_holds)
{
    struct murty of = {.in_set = {1, 0, 0}};
    ck_assert_int_eq(run(&of, 8, NULL), SG_PIVOTING_STUCK);
    ck_assert_int_eq(of.solved, 8);
}
END_TEST

START_TEST(what_can_not_be_solved_ends_it)
{
    struct murty of = {.refuses = true};
    ck_assert_int_eq(run(&of, 100, NULL), SG_PIVOTING_UNSOLVED);
    ck_assert_int_eq(of.solved, 1);
}
END_TEST

Suite *sg_suite_pivoting(void)
{
    Suite *suite = suite_create("pivoting");
    TCase *tcase = tcase_create("pivoting");
    tcase_add_test(tcase, single_exchanges_break_the_circle);
    tcase_add_test(tcase, the_limit_holds);
    tcase_add_test(tcase, what_can_not_be_solved_ends_it);
    suite_add_tcase(suite, tcase);
    return suite;
}
