#include <check.h>
#include <stdint.h>
#include <string.h>

#include "strategies/contact_groups.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

enum { DOFS = 60, CONTACTS = 24, TANGENTS = 1 };

static size_t below(uint64_t *state, size_t most)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(*state >> 33) % most;
}

/* columns of none to two dofs */
static void fill(struct sg_columns *w, size_t q, uint64_t *state)
{
    struct sg_error err = {0};
    ck_assert_int_eq(sg_columns_init_sparse(&arena, w, DOFS, q, 2 * q, &err), SG_OK);
    for (size_t j = 0; j < q; j++) {
        size_t count = below(state, 3);
        w->start[j + 1] = w->start[j];
        for (size_t k = 0; k < count; k++) w->row[w->start[j + 1]++] = below(state, DOFS);
    }
}

static bool has(const struct sg_columns *w, size_t j, size_t row)
{
    for (size_t e = w->start[j]; e < w->start[j + 1]; e++)
        if (w->row[e] == row) return true;
    return false;
}

static bool touch(const struct sg_contact_frame *frame, size_t i, size_t j)
{
    for (size_t row = 0; row < DOFS; row++) {
        bool a = has(frame->normal, i, row) || has(frame->tangent, i, row);
        if (a && (has(frame->normal, j, row) || has(frame->tangent, j, row))) return true;
    }
    return false;
}

/* marks what shares a dof with what is marked; false if there is nothing more */
static bool spread(const struct sg_contact_frame *frame, struct sg_contact_list list, size_t mark,
                   size_t *group)
{
    bool moved = false;
    for (size_t k = 0; k < list.count * list.count; k++) {
        size_t a = k / list.count, b = k % list.count;
        if (group[a] != mark || group[b] != SIZE_MAX) continue;
        if (!touch(frame, list.contact[a], list.contact[b])) continue;
        group[b] = mark;
        moved = true;
    }
    return moved;
}

/* the group of each position in `group` */
static size_t by_hand(const struct sg_contact_frame *frame, struct sg_contact_list list, size_t *group)
{
    size_t count = 0;
    for (size_t i = 0; i < list.count; i++) group[i] = SIZE_MAX;
    for (size_t i = 0; i < list.count; i++) {
        if (group[i] != SIZE_MAX) continue;
        group[i] = count;
        while (spread(frame, list, count, group)) continue;
        count++;
    }
    return count;
}

static void check_list(struct sg_contact_groups *groups, const struct sg_contact_frame *frame,
                       struct sg_contact_list list)
{
    size_t expected[CONTACTS], count = by_hand(frame, list, expected), seen = 0;
    sg_contact_groups_find(groups, frame, list);
    ck_assert_uint_eq(groups->count, count);
    ck_assert_uint_eq(groups->start[0], 0);
    ck_assert_uint_eq(groups->start[count], list.count);
    for (size_t g = 0; g < count; g++)
        for (size_t k = groups->start[g]; k < groups->start[g + 1]; k++, seen++) {
            ck_assert_uint_eq(expected[groups->order[k]], g);
            if (k > groups->start[g]) ck_assert_uint_gt(groups->order[k], groups->order[k - 1]);
        }
    ck_assert_uint_eq(seen, list.count);
    for (size_t i = 0; i < DOFS; i++) ck_assert_uint_eq(groups->owner[i], 0);
}

/* of random columns, and random lists of them one after the other */
START_TEST(groups_are_those_that_spreading_finds)
{
    uint64_t state = (uint64_t)_i + 1;
    struct sg_columns normal, tangent;
    struct sg_contact_groups groups;
    struct sg_error err = {0};
    fill(&normal, CONTACTS, &state);
    fill(&tangent, CONTACTS * TANGENTS, &state);
    const struct sg_contact_frame frame = {.normal = &normal, .tangent = &tangent};
    ck_assert_int_eq(sg_contact_groups_init(&groups, DOFS, CONTACTS, &err), SG_OK);
    size_t all[CONTACTS], some[CONTACTS], most;
    for (size_t j = 0; j < CONTACTS; j++) all[j] = j;
    check_list(&groups, &frame, (struct sg_contact_list){all, CONTACTS});
    most = sg_contact_groups_largest(&groups);
    for (size_t round = 0; round < 20; round++) {
        size_t count = 0;
        for (size_t j = CONTACTS; j-- > 0;)
            if (below(&state, 2) == 0) some[count++] = j;
        check_list(&groups, &frame, (struct sg_contact_list){some, count});
        ck_assert_uint_le(sg_contact_groups_largest(&groups), most);
    }
    sg_contact_groups_release(&groups);
}
END_TEST

Suite *sg_suite_contact_groups(void);
Suite *sg_suite_contact_groups(void)
{
    Suite *suite = suite_create("contact_groups");
    TCase *tcase = tcase_create("contact_groups");
    tcase_add_checked_fixture(tcase, NULL, release_arena);
    tcase_add_loop_test(tcase, groups_are_those_that_spreading_finds, 0, 50);
    suite_add_tcase(suite, tcase);
    return suite;
}
