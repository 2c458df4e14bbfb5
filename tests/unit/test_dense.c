/* General dense matrices against products and solutions by hand. */
#include "linalg/dense.h"

#include <check.h>
#include <math.h>

#include "model_fixture.h"

Suite *sg_suite_dense(void);

START_TEST(products)
{
    static const double a[6] = {1, 2, 3, 4, 5, 6}, b[4] = {1, -1, 2, 0.5}, d[6] = {1, 0, -1, 2, 1, 1};
    double c[6];
    /* (1 4; 2 5; 3 6) (1 2; -1 1/2) */
    sg_dense_multiply(&(struct sg_dense_shape){3, 2, 2, false}, a, b, c);
    static const double plain[6] = {-3, -3, -3, 4, 6.5, 9};
    for (int i = 0; i < 6; i++) NEAR(c[i], plain[i], 1e-15);
    /* (1 2 3; 4 5 6) (1 2; 0 1; -1 1) */
    sg_dense_multiply(&(struct sg_dense_shape){2, 3, 2, true}, a, d, c);
    static const double transposed[4] = {-2, -2, 7, 19};
    for (int i = 0; i < 4; i++) NEAR(c[i], transposed[i], 1e-15);
}
END_TEST

/* a rotation by 1 rad beside a stretch by 3 */
START_TEST(eigenvalues)
{
    double a[9] = {cos(1), sin(1), 0, -sin(1), cos(1), 0, 0, 0, 3}, nan[4] = {1, NAN, 0, 1};
    double complex value[3];
    struct sg_error err;
    ck_assert_int_eq(sg_dense_eigenvalues(3, a, value, &err), SG_OK);
    int rotations = 0, stretches = 0;
    for (int i = 0; i < 3; i++) {
        rotations += cabs(value[i] - cexp(I)) < 1e-14 || cabs(value[i] - cexp(-I)) < 1e-14;
        stretches += cabs(value[i] - 3) < 1e-14;
    }
    ck_assert(rotations == 2 && stretches == 1);
    ck_assert_int_eq(sg_dense_eigenvalues(2, nan, value, &err), SG_NO_SOLUTION);
}
END_TEST

/* x + y = 2 twice: the nearest to 0 is (1, 1); with 2 and 4 on the right (1.5, 1.5) */
START_TEST(least_squares)
{
    double a[4] = {1, 1, 1, 1}, b[2] = {2, 2}, c[4] = {1, 1, 1, 1}, d[2] = {2, 4};
    struct sg_error err;
    ck_assert_int_eq(sg_dense_least_squares(2, a, b, 1e-10, &err), SG_OK);
    NEAR(b[0], 1, 1e-14);
    NEAR(b[1], 1, 1e-14);
    ck_assert_int_eq(sg_dense_least_squares(2, c, d, 1e-10, &err), SG_OK);
    NEAR(d[0], 1.5, 1e-14);
    NEAR(d[1], 1.5, 1e-14);
}
END_TEST

Suite *sg_suite_dense(void)
{
    Suite *suite = suite_create("dense");
    TCase *tcase = tcase_create("dense");
    tcase_add_test(tcase, products);
    tcase_add_test(tcase, eigenvalues);
    tcase_add_test(tcase, least_squares);
    suite_add_tcase(suite, tcase);
    return suite;
}
