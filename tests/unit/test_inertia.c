/* Signs of eigenvalues by pivots, against the eigenvalues themselves. */
#include "linalg/eigen.h"
#include "linalg/inertia.h"
#include "run_fixture.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

Suite *sg_suite_inertia(void);

enum { LARGEST = 40 };

/* random, of half the entries or more, with a diagonal that leaves about `share` of the eigenvalues negative
 */
static void fill(size_t n, double share, unsigned long long *seed, struct sg_triplets *t)
{
    *t = (struct sg_triplets){.arena = &arena, .n = n};
    for (size_t i = 0; i < n; i++) {
        sg_triplets_add(t, i, i, (double)n * ((double)i < share * (double)n ? -0.3 : 0.3));
        for (size_t j = 0; j <= i; j++) {
            double value = run_random(seed);
            if (value > 0) sg_triplets_add(t, i, j, value - 0.5);
        }
    }
}

START_TEST(counts_what_eigenvalues_say)
{
    struct sg_error err = {0};
    unsigned long long seed = 5 + (unsigned long long)_i;
    for (size_t n = 1; n <= LARGEST; n++) {
        struct sg_triplets t;
        double a[LARGEST * LARGEST] = {0}, w[LARGEST];
        size_t counted = 99, negative = 0;
        fill(n, 0.25 * _i, &seed, &t);
        for (size_t e = 0; e < t.count; e++) a[t.row[e] + n * t.column[e]] += t.value[e];
        ck_assert_int_eq(sg_eigen_dense(n, a, w, &err), SG_OK);
        for (size_t i = 0; i < n; i++) {
            ck_assert_double_gt(fabs(w[i]), 1e-9); /* none that roundings decide */
            negative += w[i] < 0;
        }
        ck_assert_int_eq(sg_triplets_count_negative(&t, &counted, &err), SG_OK);
        ck_assert_uint_eq(counted, negative);
    }
}
END_TEST

/* no pivot without an exchange of rows; not a number */
START_TEST(says_when_it_can_not)
{
    struct sg_error err = {0};
    struct sg_triplets t = {.arena = &arena, .n = 2};
    size_t count = 0;
    sg_triplets_add(&t, 1, 0, 1.0);
    ck_assert_int_eq(sg_triplets_count_negative(&t, &count, &err), SG_NO_SOLUTION);
    sg_triplets_add(&t, 0, 0, (double)NAN);
    ck_assert_int_eq(sg_triplets_count_negative(&t, &count, &err), SG_NO_SOLUTION);
}
END_TEST

Suite *sg_suite_inertia(void)
{
    Suite *suite = suite_create("inertia");
    TCase *tcase = tcase_create("inertia");
    tcase_add_checked_fixture(tcase, NULL, release_arena);
    tcase_add_loop_test(tcase, counts_what_eigenvalues_say, 0, 5);
    tcase_add_test(tcase, says_when_it_can_not);
    suite_add_tcase(suite, tcase);
    return suite;
}
