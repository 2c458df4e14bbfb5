/* The folder of a study's results: who works in it, and what its results were made of. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "deck/file.h"
#include "results/files.h"
#include "studies/sweep.h"
#include "support/memory.h"
#include "support/sha256.h"

enum { LOCK_TRIES = 30, SUMS = 2 * SG_SHA256_HEX + 1 };

static sg_status make_folder(const char *path, struct sg_error *err)
{
    SG_AUTO_FREE char *part = NULL;
    TRY(sg_copy_text(path, &part, err));
    for (char *c = part + 1; *c != '\0'; c++) {
        if (*c != '/') continue;
        *c = '\0';
        mkdir(part, 0777); /* what is wrong shows at the last */
        *c = '/';
    }
    struct stat info;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        FAIL(err, SG_NO_OUTPUT, "can't create the folder '%s': %s", path, strerror(errno));
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        FAIL(err, SG_NO_OUTPUT, "'%s' is there, but is no folder", path);
    if (access(path, W_OK | X_OK) != 0)
        FAIL(err, SG_NO_OUTPUT, "can't write into the folder '%s': %s", path, strerror(errno));
    return SG_OK;
}

/* Runs that a killed sweep left end within moments, and the lock with them. */
static sg_status take_lock(const struct sg_sweep *sweep, const char *path, bool shared, int *lock,
                           struct sg_error *err)
{
    const struct timespec pause = {0, 100000000};
    sg_status status = SG_OK;
    for (int k = 0; k < LOCK_TRIES; k++) {
        if (k > 0) nanosleep(&pause, NULL);
        status = shared ? sg_lock_share(path, lock, err) : sg_lock_take(path, lock, err);
        if (status == SG_OK || access(path, F_OK) != 0) return status;
    }
    FAIL(err, SG_NO_OUTPUT, "another sweep works in '%s': it holds the lock '%s'", sweep->folder, path);
}

/* Computes the checksums of study and base deck, a line each. */
static sg_status find_sums(const struct sg_sweep *sweep, char sums[SUMS], struct sg_error *err)
{
    SG_LOCAL_TEXT(text);
    SG_AUTO_FREE char *bytes = NULL;
    size_t length = 0;
    TRY(sg_file_read(sweep->study->base, SIZE_MAX / 2, &bytes, &length, err));
    sg_deck_print(sweep->deck, &text);
    sg_sha256(sg_text_view(&text), text.length, sums);
    sums[SG_SHA256_HEX - 1] = '\n';
    sg_sha256(bytes, length, sums + SG_SHA256_HEX);
    sums[2 * SG_SHA256_HEX - 1] = '\n';
    sums[2 * SG_SHA256_HEX] = '\0';
    return sg_text_check(&text, err);
}

static struct sg_sweep_changes compare(const char *before, const char *now)
{
    return (struct sg_sweep_changes){
        .study = strncmp(before, now, SG_SHA256_HEX) != 0,
        .deck = strncmp(before + SG_SHA256_HEX, now + SG_SHA256_HEX, SG_SHA256_HEX) != 0};
}

sg_status sg_sweep_note_changes(const struct sg_sweep *sweep, struct sg_sweep_changes *changes,
                                struct sg_error *err)
{
    char now[SUMS], *before = NULL, *path = NULL;
    size_t length = 0;
    *changes = (struct sg_sweep_changes){0};
    TRY(find_sums(sweep, now, err));
    TRY(sg_sweep_path(sweep, "study.sha256", &path, err));
    struct sg_error none;
    sg_error_clear(&none);
    if (sg_file_read(path, SUMS, &before, &length, &none) == SG_OK && length == SUMS - 1)
        *changes = compare(before, now);
    FILE *file = fopen(path, "we");
    bool written = file != NULL && fputs(now, file) >= 0;
    if (file != NULL) written = fclose(file) == 0 && written;
    int cause = errno;
    sg_status status = SG_OK;
    if (!written) status = sg_fail(err, SG_NO_OUTPUT, "can't write '%s': %s", path, strerror(cause));
    sg_free(before);
    sg_free(path);
    return status;
}

sg_status sg_sweep_lock(const struct sg_sweep *sweep, bool shared, int *lock, struct sg_error *err)
{
    SG_AUTO_FREE char *path = NULL;
    *lock = -1;
    TRY(make_folder(sweep->folder, err));
    TRY(sg_sweep_path(sweep, "lock", &path, err));
    return take_lock(sweep, path, shared, lock, err);
}

/* The file of a shared lock stays: others may hold it. */
void sg_sweep_unlock(const struct sg_sweep *sweep, bool shared, int lock)
{
    SG_AUTO_FREE char *path = NULL;
    if (lock < 0) return;
    if (shared || sg_sweep_path(sweep, "lock", &path, NULL) != SG_OK)
        close(lock);
    else
        sg_lock_release(path, lock);
}
