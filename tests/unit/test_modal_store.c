/* Modal bases kept in a folder: read back to the last bit, never trusted when damaged, computed once. */
#define _POSIX_C_SOURCE 200809L
#include <check.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/modal_store.h"
#include "support/workers.h"

/* has what a test makes */
static struct sg_arena arena;

static void release_arena(void)
{
    sg_arena_release(&arena);
}

enum { N = 90, PATH = 512 };

static char folder[PATH];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/sg_modes_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    signal(SIGTERM, SIG_DFL);
}

/* the name of the only .modes file; "" if there is none */
static void find_file(char path[2 * PATH])
{
    DIR *open = opendir(folder);
    path[0] = '\0';
    for (struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open))
        if (strstr(entry->d_name, ".modes") != NULL) {
            ck_assert_str_eq(path, ""); /* one at most, and no temporary one */
            snprintf(path, 2 * PATH, "%s/%s", folder, entry->d_name);
        }
    closedir(open);
}

static void remove_folder(void)
{
    char path[2 * PATH];
    find_file(path);
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0); /* nothing else is left */
}

struct model {
    struct sg_matrix m, k;
};

/* two chains that don't touch, so that there are two blocks */
static void model_init(struct model *model, double stiffness)
{
    struct sg_triplets m = {.arena = &arena, .n = N}, k = {.arena = &arena, .n = N};
    struct sg_error err;
    for (size_t i = 0; i < N; i++) {
        sg_triplets_add(&m, i, i, 1.0 + 0.01 * (double)i);
        sg_triplets_add(&k, i, i, 2.0 * stiffness);
        if (i != 30 && i > 0) sg_triplets_add(&k, i, i - 1, -stiffness);
    }
    ck_assert_int_eq(sg_matrix_init(&arena, &model->m, &m, SG_DIAGONAL, &err), SG_OK);
    ck_assert_int_eq(sg_matrix_init(&arena, &model->k, &k, SG_TRIDIAGONAL, &err), SG_OK);
}

static void assert_same(const struct sg_modal *a, const struct sg_modal *b)
{
    ck_assert_uint_eq(a->n, b->n);
    ck_assert_uint_eq(a->block_count, b->block_count);
    ck_assert_mem_eq(a->k, b->k, a->n * sizeof *a->k);
    for (size_t i = 0; i < a->block_count; i++) {
        const struct sg_modal_block *x = &a->blocks[i], *y = &b->blocks[i];
        ck_assert_uint_eq(x->size, y->size);
        ck_assert_uint_eq(x->first, y->first);
        ck_assert_mem_eq(x->dof, y->dof, x->size * sizeof *x->dof);
        ck_assert_mem_eq(x->phi, y->phi, x->size * x->size * sizeof *x->phi);
        ck_assert_mem_eq(x->mphi, y->mphi, x->size * x->size * sizeof *x->mphi);
    }
}

/* makes the basis by the store, compares it with one made anew, and tells whether it was kept */
static bool make(const struct model *model)
{
    struct sg_modal_store store = {.folder = folder};
    struct sg_modal *kept = NULL, *fresh = NULL;
    struct sg_error err;
    ck_assert_int_eq(sg_modal_store_create(&arena, &store, &model->m, &model->k, &kept, &err), SG_OK);
    ck_assert_int_eq(sg_modal_create(&arena, &model->m, &model->k, &fresh, &err), SG_OK);
    ck_assert_uint_eq(kept->block_count, 2);
    assert_same(kept, fresh);
    ck_assert_double_ge(store.seconds, 0.0);
    return store.cached;
}

START_TEST(a_basis_is_read_back_to_the_last_bit)
{
    struct model model;
    model_init(&model, 100.0);
    ck_assert(!make(&model));
    ck_assert(make(&model));
    ck_assert(make(&model));
}
END_TEST

START_TEST(other_matrices_are_another_basis)
{
    struct model model, other;
    char first[2 * PATH];
    model_init(&model, 100.0);
    model_init(&other, 100.0 * (1.0 + 1e-15));
    ck_assert(!make(&model));
    find_file(first);
    ck_assert(strlen(first) > 0);
    ck_assert(make(&model));
    ck_assert_int_eq(unlink(first), 0);
    ck_assert(!make(&other));
    ck_assert(!make(&model)); /* its own file is gone: that of the other is not taken */
    ck_assert_int_eq(unlink(first), 0);
}
END_TEST

/* one byte at each of many places; then cut short */
START_TEST(a_damaged_file_is_not_trusted)
{
    struct model model;
    char path[2 * PATH];
    struct stat info;
    model_init(&model, 100.0);
    ck_assert(!make(&model));
    find_file(path);
    ck_assert_int_eq(stat(path, &info), 0);
    for (int k = 0; k < 12; k++) {
        long place = (long)(info.st_size - 1) * k / 11;
        FILE *file = fopen(path, "r+b");
        ck_assert_ptr_nonnull(file);
        fseek(file, place, SEEK_SET);
        int byte = fgetc(file);
        fseek(file, place, SEEK_SET);
        fputc(byte ^ 1, file);
        ck_assert_int_eq(fclose(file), 0);
        ck_assert_msg(!make(&model), "byte %ld", place);
        ck_assert(make(&model)); /* it was replaced by a sound one */
    }
    ck_assert_int_eq(truncate(path, info.st_size / 2), 0);
    ck_assert(!make(&model));
    ck_assert_int_eq(truncate(path, 0), 0);
    ck_assert(!make(&model));
    ck_assert(make(&model));
}
END_TEST

static sg_status make_in_process(void *self, size_t index, struct sg_text *result, struct sg_error *err)
{
    (void)index, (void)err;
    sg_text_append(result, "%s", make(self) ? "read" : "made");
    return SG_OK;
}

struct count {
    struct model *model;
    int made, read;
};

static sg_status work(void *self, size_t index, struct sg_text *result, struct sg_error *err)
{
    return make_in_process(((struct count *)self)->model, index, result, err);
}

static sg_status count(void *self, const struct sg_outcome *outcome, struct sg_error *err)
{
    struct count *counts = self;
    (void)err;
    counts->made += strcmp(outcome->bytes, "made") == 0 ? 1 : 0;
    counts->read += strcmp(outcome->bytes, "read") == 0 ? 1 : 0;
    return SG_OK;
}

START_TEST(of_processes_side_by_side_one_computes)
{
    struct model model;
    struct sg_error err;
    model_init(&model, 100.0);
    struct count counts = {.model = &model};
    struct sg_workers workers = {.cases = 12, .jobs = 6, .self = &counts, .work = work, .deliver = count};
    ck_assert_int_eq(sg_workers_run(&workers, &err), SG_OK);
    ck_assert_int_eq(counts.made, 1);
    ck_assert_int_eq(counts.read, 11);
}
END_TEST

/* neither a folder that can't be made nor one whose name is too long keeps from computing */
START_TEST(without_a_folder_it_is_computed)
{
    struct model model;
    struct sg_error err;
    char name[6000];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    const char *const folders[] = {NULL, "/dev/null/modes", name};
    model_init(&model, 100.0);
    for (int i = 0; i < 3; i++) {
        struct sg_modal_store store = {.folder = folders[i]};
        struct sg_modal *modal = NULL;
        ck_assert_int_eq(sg_modal_store_create(&arena, &store, &model.m, &model.k, &modal, &err), SG_OK);
        ck_assert(!store.cached);
    }
}
END_TEST

Suite *sg_suite_modal_store(void)
{
    Suite *suite = suite_create("modal_store");
    TCase *tests = tcase_create("modal_store");
    tcase_add_checked_fixture(tests, NULL, release_arena);
    tcase_add_checked_fixture(tests, make_folder, remove_folder);
    tcase_add_test(tests, a_basis_is_read_back_to_the_last_bit);
    tcase_add_test(tests, other_matrices_are_another_basis);
    tcase_add_test(tests, a_damaged_file_is_not_trusted);
    tcase_add_test(tests, of_processes_side_by_side_one_computes);
    tcase_add_test(tests, without_a_folder_it_is_computed);
    suite_add_tcase(suite, tests);
    return suite;
}
