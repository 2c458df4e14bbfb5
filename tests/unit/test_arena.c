#include <check.h>
#include <stdint.h>
#include <string.h>

#include "support/arena.h"

/* The order in which handles were closed. */
struct closings {
    int number[8];
    size_t count;
};

struct handle {
    struct closings *closings;
    int number;
};

static void close_handle(void *memory)
{
    struct handle *handle = memory;
    handle->closings->number[handle->closings->count++] = handle->number;
}

static void own(struct sg_arena *arena, struct handle *handle)
{
    struct sg_error err = {0};
    ck_assert_int_eq(sg_arena_own(arena, handle, close_handle, &err), SG_OK);
}

START_TEST(blocks_are_zero_and_aligned)
{
    struct sg_arena arena = {0};
    struct sg_error err = {0};
    for (size_t n = 0; n < 100; n++) {
        double *x = NULL, *y = NULL;
        ck_assert_int_eq(SG_ARENA_NEW(&arena, &x, n, &err), SG_OK);
        ck_assert_int_eq(SG_ARENA_NEW_STREAMED(&arena, &y, n, &err), SG_OK);
        ck_assert_uint_eq((uintptr_t)x % SG_ALIGNMENT, 0);
        ck_assert_uint_eq((uintptr_t)y % SG_ALIGNMENT, 0);
        for (size_t i = 0; i < n; i++) ck_assert(x[i] == 0.0 && y[i] == 0.0);
        memset(x, 0xff, n * sizeof *x); /* each its own: sanitizers see the end */
        memset(y, 0xff, n * sizeof *y);
    }
    sg_arena_release(&arena);
}
END_TEST

START_TEST(handles_are_closed_the_last_first_and_once)
{
    struct closings seen = {{0}, 0};
    struct handle handles[3] = {{&seen, 1}, {&seen, 2}, {&seen, 3}};
    struct sg_arena arena = {0};
    for (int i = 0; i < 3; i++) own(&arena, &handles[i]);
    sg_arena_release(&arena);
    sg_arena_release(&arena);
    ck_assert_uint_eq(seen.count, 3);
    for (int i = 0; i < 3; i++) ck_assert_int_eq(seen.number[i], 3 - i);
}
END_TEST

/* A handle lives in a block of the arena, as objects do: the block is there when it is closed. */
START_TEST(a_handle_in_a_block_is_closed_before_the_block_goes)
{
    struct closings seen = {{0}, 0};
    struct sg_arena arena = {0};
    struct sg_error err = {0};
    struct handle *handle = NULL;
    ck_assert_int_eq(SG_ARENA_NEW(&arena, &handle, 1, &err), SG_OK);
    *handle = (struct handle){&seen, 7};
    own(&arena, handle);
    sg_arena_release(&arena);
    ck_assert_uint_eq(seen.count, 1);
    ck_assert_int_eq(seen.number[0], 7);
}
END_TEST

START_TEST(an_arena_inside_goes_with_its_parent_or_before)
{
    struct closings seen = {{0}, 0};
    struct handle handles[4] = {{&seen, 1}, {&seen, 2}, {&seen, 3}, {&seen, 4}};
    struct sg_arena arena = {0}, *inner = NULL;
    struct sg_error err = {0};
    own(&arena, &handles[0]);
    ck_assert_int_eq(sg_arena_open(&arena, &inner, &err), SG_OK);
    own(&arena, &handles[1]);
    own(inner, &handles[2]);
    sg_arena_release(inner);
    own(inner, &handles[3]); /* used again */
    ck_assert_uint_eq(seen.count, 1);
    sg_arena_release(&arena);
    static const int order[] = {3, 2, 4, 1};
    ck_assert_uint_eq(seen.count, 4);
    for (int i = 0; i < 4; i++) ck_assert_int_eq(seen.number[i], order[i]);
}
END_TEST

START_TEST(lists_grow_and_keep_what_they_hold)
{
    struct sg_arena arena = {0};
    struct sg_error err = {0};
    size_t *list = NULL, count = 0, capacity = 0;
    double *other = NULL;
    for (; count < 1000; count++) {
        ck_assert_int_eq(sg_arena_grow(&arena, &list, count, &capacity, sizeof *list, &err), SG_OK);
        list[count] = 3 * count + 1;
        if (count == 20) ck_assert_int_eq(SG_ARENA_NEW(&arena, &other, 10, &err), SG_OK);
    }
    for (size_t i = 0; i < count; i++) ck_assert_uint_eq(list[i], 3 * i + 1);
    ck_assert_uint_le(arena.count, 2); /* one block a list, however often it moved */
    sg_arena_release(&arena);
}
END_TEST

/* `list` of 2^60 items, each of 16 bytes: the product overflows; the list stays. */
START_TEST(sizes_that_overflow_are_refused_and_change_nothing)
{
    struct sg_arena arena = {0};
    struct sg_error err = {0};
    double *x = (double *)1, *list = NULL;
    size_t capacity = 0;
    ck_assert_int_eq(SG_ARENA_NEW(&arena, &x, SIZE_MAX / 8 + 1, &err), SG_NO_MEMORY);
    ck_assert_ptr_null(x);
    ck_assert_ptr_nonnull(strstr(err.text, "&x"));
    ck_assert_int_eq(sg_arena_grow(&arena, &list, 0, &capacity, sizeof *list, &err), SG_OK);
    double *before = list;
    capacity = SIZE_MAX / 16;
    ck_assert_int_eq(sg_arena_grow(&arena, &list, capacity, &capacity, 16, &err), SG_NO_MEMORY);
    ck_assert_ptr_eq(list, before);
    ck_assert_uint_eq(capacity, SIZE_MAX / 16);
    ck_assert_uint_eq(arena.count, 1);
    sg_arena_release(&arena);
}
END_TEST

START_TEST(a_block_may_go_before_its_time)
{
    struct sg_arena arena = {0};
    struct sg_error err = {0};
    double *block[3] = {NULL};
    for (int i = 0; i < 3; i++) ck_assert_int_eq(SG_ARENA_NEW(&arena, &block[i], 5, &err), SG_OK);
    sg_arena_drop(&arena, block[1]);
    sg_arena_drop(&arena, NULL);
    ck_assert_uint_eq(arena.count, 2);
    block[0][4] = block[2][4] = 1.0; /* the others are still there */
    sg_arena_release(&arena);
}
END_TEST

START_TEST(texts_are_copied)
{
    struct sg_arena arena = {0};
    struct sg_error err = {0};
    char text[] = "bar.left", *copy = NULL;
    ck_assert_int_eq(sg_arena_copy_text(&arena, text, &copy, &err), SG_OK);
    text[0] = 'c';
    ck_assert_str_eq(copy, "bar.left");
    sg_arena_release(&arena);
}
END_TEST

Suite *sg_suite_arena(void);

Suite *sg_suite_arena(void)
{
    Suite *suite = suite_create("arena");
    TCase *all = tcase_create("ownership");
    tcase_add_test(all, blocks_are_zero_and_aligned);
    tcase_add_test(all, handles_are_closed_the_last_first_and_once);
    tcase_add_test(all, a_handle_in_a_block_is_closed_before_the_block_goes);
    tcase_add_test(all, an_arena_inside_goes_with_its_parent_or_before);
    tcase_add_test(all, lists_grow_and_keep_what_they_hold);
    tcase_add_test(all, sizes_that_overflow_are_refused_and_change_nothing);
    tcase_add_test(all, a_block_may_go_before_its_time);
    tcase_add_test(all, texts_are_copied);
    suite_add_tcase(suite, all);
    return suite;
}
