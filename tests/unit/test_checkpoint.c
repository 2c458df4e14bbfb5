/* Checkpoints: whatever happens to the bytes, a damaged one is never taken for a whole one. */
#define _DEFAULT_SOURCE
#include <check.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/checkpoint.h"

Suite *sg_suite_checkpoint(void);

#define DECK       "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define OTHER_DECK "ffeeddccbbaa99887766554433221100ffeeddccbbaa99887766554433221100"

struct bench {
    char folder[64], output[96], newest[128], older[128], note[256];
    struct sg_archive archive;
    struct sg_error err;
};

static void set_up(struct bench *b)
{
    memset(b, 0, sizeof *b);
    strcpy(b->folder, "/tmp/sg_checkpoint_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(b->folder));
    snprintf(b->output, sizeof b->output, "%s/out.h5", b->folder);
    snprintf(b->newest, sizeof b->newest, "%s.checkpoint", b->output);
    snprintf(b->older, sizeof b->older, "%s.checkpoint.old", b->output);
}

static void tear_down(struct bench *b)
{
    char command[128];
    sg_archive_release(&b->archive);
    snprintf(command, sizeof command, "rm -rf %s", b->folder);
    ck_assert_int_eq(system(command), 0);
}

static void save(struct bench *b, long long number)
{
    double values[100];
    for (int i = 0; i < 100; i++) values[i] = (double)number + i / 7.0;
    sg_archive_release(&b->archive);
    SG_ARCHIVE(&b->archive, number);
    SG_ARCHIVE(&b->archive, values);
    ck_assert_msg(sg_checkpoint_write(b->output, DECK, &b->archive, true, &b->err) == SG_OK, "%s",
                  b->err.text);
}

/* the number that was saved, or -1 */
static long long load(struct bench *b, sg_status *status)
{
    long long number = -1;
    double values[100];
    *status = sg_checkpoint_read(b->output, DECK, &b->archive, b->note, &b->err);
    if (*status != SG_OK) return -1;
    SG_ARCHIVE(&b->archive, number);
    SG_ARCHIVE(&b->archive, values);
    ck_assert_int_eq(sg_archive_finish(&b->archive, &b->err), SG_OK);
    for (int i = 0; i < 100; i++) ck_assert(values[i] == (double)number + i / 7.0);
    return number;
}

static long file_size(const char *path)
{
    struct stat info;
    ck_assert_int_eq(stat(path, &info), 0);
    return (long)info.st_size;
}

static void flip(const char *path, long place)
{
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    fseek(file, place, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, place, SEEK_SET);
    fputc(byte ^ 0x10, file);
    fclose(file);
}

START_TEST(newest_is_loaded)
{
    struct bench b;
    sg_status status;
    set_up(&b);
    for (int i = 1; i <= 3; i++) {
        save(&b, i);
        ck_assert_int_eq(load(&b, &status), i);
        ck_assert_str_eq(b.note, "");
    }
    ck_assert_int_eq(access(b.older, F_OK), 0);
    sg_checkpoint_remove(b.output);
    ck_assert_int_ne(access(b.newest, F_OK), 0);
    ck_assert_int_ne(access(b.older, F_OK), 0);
    load(&b, &status);
    ck_assert_int_eq(status, SG_NO_INPUT);
    tear_down(&b);
}
END_TEST

START_TEST(every_flipped_byte_is_noticed)
{
    struct bench b;
    sg_status status;
    set_up(&b);
    save(&b, 1);
    save(&b, 2);
    long size = file_size(b.newest);
    for (long place = 0; place < size; place++) {
        flip(b.newest, place);
        ck_assert_msg(load(&b, &status) == 1, "byte %ld: %s", place, b.err.text);
        ck_assert_ptr_nonnull(strstr(b.note, "older"));
        flip(b.newest, place);
    }
    ck_assert_int_eq(load(&b, &status), 2); /* all flips undone */
    tear_down(&b);
}
END_TEST

START_TEST(every_truncation_is_noticed)
{
    struct bench b;
    sg_status status;
    set_up(&b);
    save(&b, 1);
    save(&b, 2);
    for (long size = file_size(b.newest) - 1; size >= 0; size--) {
        ck_assert_int_eq(truncate(b.newest, size), 0);
        ck_assert_msg(load(&b, &status) == 1, "%ld bytes: %s", size, b.err.text);
    }
    tear_down(&b);
}
END_TEST

START_TEST(appended_bytes_are_noticed)
{
    struct bench b;
    sg_status status;
    set_up(&b);
    save(&b, 1);
    FILE *file = fopen(b.newest, "ab");
    fputc('x', file);
    fclose(file);
    load(&b, &status);
    ck_assert_int_eq(status, SG_NO_INPUT);
    ck_assert_ptr_nonnull(strstr(b.err.text, b.newest));
    tear_down(&b);
}
END_TEST

START_TEST(both_damaged_is_no_input)
{
    struct bench b;
    sg_status status;
    set_up(&b);
    save(&b, 1);
    save(&b, 2);
    flip(b.newest, 200);
    flip(b.older, 200);
    load(&b, &status);
    ck_assert_int_eq(status, SG_NO_INPUT);
    ck_assert_ptr_null(b.archive.data);
    tear_down(&b);
}
END_TEST

START_TEST(lost_newest_falls_back)
{
    struct bench b;
    sg_status status;
    set_up(&b);
    save(&b, 1);
    save(&b, 2);
    ck_assert_int_eq(unlink(b.newest), 0); /* a crash between the two renames */
    ck_assert_int_eq(load(&b, &status), 1);
    ck_assert_str_ne(b.note, "");
    save(&b, 3); /* and goes on from there */
    ck_assert_int_eq(load(&b, &status), 3);
    tear_down(&b);
}
END_TEST

/* A crash between the two renames, where the one that was renamed is damaged. */
START_TEST(unnamed_newest_is_found)
{
    struct bench b;
    sg_status status;
    char fresh[sizeof b.newest + 8];
    set_up(&b);
    save(&b, 1);
    save(&b, 2);
    snprintf(fresh, sizeof fresh, "%s.new", b.newest);
    ck_assert_int_eq(rename(b.newest, fresh), 0);
    flip(b.older, 200);
    ck_assert_int_eq(load(&b, &status), 2);
    ck_assert_ptr_nonnull(strstr(b.note, "unnamed"));
    flip(fresh, 200); /* one that was not written whole counts for nothing */
    flip(b.older, 200);
    ck_assert_int_eq(load(&b, &status), 1);
    ck_assert_ptr_nonnull(strstr(b.note, "older"));
    sg_checkpoint_remove(b.output);
    ck_assert_int_ne(access(fresh, F_OK), 0);
    tear_down(&b);
}
END_TEST

/* The longest name of a file has 255 bytes, ".checkpoint.old" 15. */
START_TEST(too_long_a_name_is_known_beforehand)
{
    struct bench b;
    set_up(&b);
    for (int length = 235; length <= 250; length++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%0*d", b.folder, length, 0);
        sg_status wanted = length <= 240 ? SG_OK : SG_NO_OUTPUT;
        ck_assert_msg(sg_checkpoint_check_name(path, &b.err) == wanted, "%d", length);
    }
    tear_down(&b);
}
END_TEST

START_TEST(other_deck_is_refused)
{
    struct bench b;
    set_up(&b);
    save(&b, 1);
    ck_assert_int_eq(sg_checkpoint_read(b.output, OTHER_DECK, &b.archive, b.note, &b.err), SG_BAD_DECK);
    tear_down(&b);
}
END_TEST

START_TEST(unwritable_folder_is_reported)
{
    struct bench b;
    set_up(&b);
    SG_ARCHIVE(&b.archive, b.folder);
    ck_assert_int_eq(sg_checkpoint_write("/nonexistent/out.h5", DECK, &b.archive, true, &b.err),
                     SG_WRITE_FAILED);
    ck_assert_ptr_nonnull(strstr(b.err.text, "/nonexistent/out.h5.checkpoint"));
    tear_down(&b);
}
END_TEST

START_TEST(empty_memory_is_a_checkpoint_too)
{
    struct bench b;
    set_up(&b);
    ck_assert_int_eq(sg_checkpoint_write(b.output, DECK, &b.archive, true, &b.err), SG_OK);
    ck_assert_int_eq(sg_checkpoint_read(b.output, DECK, &b.archive, b.note, &b.err), SG_OK);
    ck_assert_uint_eq(b.archive.length, 0);
    tear_down(&b);
}
END_TEST

Suite *sg_suite_checkpoint(void)
{
    Suite *suite = suite_create("checkpoint");
    TCase *all = tcase_create("checkpoint");
    tcase_add_test(all, newest_is_loaded);
    tcase_add_test(all, every_flipped_byte_is_noticed);
    tcase_add_test(all, every_truncation_is_noticed);
    tcase_add_test(all, appended_bytes_are_noticed);
    tcase_add_test(all, both_damaged_is_no_input);
    tcase_add_test(all, lost_newest_falls_back);
    tcase_add_test(all, unnamed_newest_is_found);
    tcase_add_test(all, too_long_a_name_is_known_beforehand);
    tcase_add_test(all, other_deck_is_refused);
    tcase_add_test(all, unwritable_folder_is_reported);
    tcase_add_test(all, empty_memory_is_a_checkpoint_too);
    suite_add_tcase(suite, all);
    return suite;
}
