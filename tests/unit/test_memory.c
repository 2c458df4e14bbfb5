#include <check.h>
#include <stdint.h>
#include <string.h>

#include "support/memory.h"

enum { LARGE_PAGE = 1 << 21 };

static void assert_cleared(const double *x, size_t n)
{
    size_t i = 0;
    while (i < n && x[i] == 0.0) i++;
    ck_assert_uint_eq(i, n);
}

/* A block that was written and released is what the next one is made of: all sizes about the bounds from
 * which on pages are given back, and large ones asked for. */
START_TEST(blocks_are_cleared_and_aligned)
{
    static const size_t counts[] = {0, 1, 7, 131071, 131072, 131073, 524287, 524288, 524289, 1000001};
    for (size_t k = 0; k < 2 * sizeof counts / sizeof *counts; k++) {
        size_t n = counts[k / 2];
        double *x = NULL;
        struct sg_error err = {0};
        for (int again = 0; again < 2; again++) {
            sg_status status = k % 2 == 0 ? SG_NEW(&x, n, &err) : SG_NEW_STREAMED(&x, n, &err);
            ck_assert_int_eq(status, SG_OK);
            ck_assert_uint_eq((uintptr_t)x % SG_ALIGNMENT, 0);
            assert_cleared(x, n);
            memset(x, 0xff, n * sizeof *x);
            sg_free(x);
        }
    }
}
END_TEST

START_TEST(streamed_blocks_of_several_large_pages_start_with_one)
{
    double *x = NULL;
    struct sg_error err = {0};
    ck_assert_int_eq(SG_NEW_STREAMED(&x, 2 * (size_t)LARGE_PAGE / 8, &err), SG_OK);
    ck_assert_uint_eq((uintptr_t)x % LARGE_PAGE, 0);
    sg_free(x);
}
END_TEST

/* the product of count and size beyond size_t, and just below: neither wraps round to a small block */
START_TEST(sizes_that_overflow_are_refused_by_name)
{
    static const size_t counts[] = {SIZE_MAX / 8 + 1, SIZE_MAX / 8, PTRDIFF_MAX / 8 + 1, PTRDIFF_MAX / 8};
    for (size_t k = 0; k < 2 * sizeof counts / sizeof *counts; k++) {
        double *many = (double *)1;
        struct sg_error err = {0};
        sg_status status =
            k % 2 == 0 ? SG_NEW(&many, counts[k / 2], &err) : SG_NEW_STREAMED(&many, counts[k / 2], &err);
        ck_assert_int_eq(status, SG_NO_MEMORY);
        ck_assert_ptr_null(many);
        ck_assert_ptr_nonnull(strstr(err.text, "&many"));
    }
}
END_TEST

Suite *sg_suite_memory(void);

Suite *sg_suite_memory(void)
{
    Suite *suite = suite_create("memory");
    TCase *all = tcase_create("blocks");
    tcase_add_test(all, blocks_are_cleared_and_aligned);
    tcase_add_test(all, streamed_blocks_of_several_large_pages_start_with_one);
    tcase_add_test(all, sizes_that_overflow_are_refused_by_name);
    suite_add_tcase(suite, all);
    return suite;
}
