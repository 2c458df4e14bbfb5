#define _DEFAULT_SOURCE
#include "results/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/memory.h"

enum { LINKS_MAX = 40 }; /* as many as Linux follows */

sg_status sg_path_add(const char *path, const char *suffix, char **out, struct sg_error *err)
{
    size_t head = strlen(path), tail = strlen(suffix) + 1;
    TRY(sg_alloc(head + tail, 1, "path", out, err));
    memcpy(*out, path, head);
    memcpy(*out + head, suffix, tail);
    return SG_OK;
}

/* Resolves what the link `here` says, seen from the link's folder. */
static sg_status follow_link(char here[PATH_MAX], const char *link, struct sg_error *err)
{
    const char *slash = strrchr(here, '/');
    size_t folder = link[0] == '/' || slash == NULL ? 0 : (size_t)(slash - here) + 1;
    if (folder + strlen(link) >= PATH_MAX)
        FAIL(err, SG_NO_OUTPUT, "the symbolic link '%s' leads to a path of more than %d bytes", here,
             PATH_MAX);
    memcpy(here + folder, link, strlen(link) + 1);
    return SG_OK;
}

sg_status sg_path_follow(const char *path, char **out, struct sg_error *err)
{
    char here[PATH_MAX], link[PATH_MAX];
    if (strlen(path) >= PATH_MAX)
        FAIL(err, SG_NO_OUTPUT, "the path of '%s' is longer than %d bytes", path, PATH_MAX);
    memcpy(here, path, strlen(path) + 1);
    for (int links = 0; links <= LINKS_MAX; links++) {
        ssize_t length = readlink(here, link, sizeof link - 1);
        if (length < 0) return sg_copy_text(here, out, err);
        link[length] = '\0';
        TRY(follow_link(here, link, err));
    }
    FAIL(err, SG_NO_OUTPUT, "'%s' leads through more than %d symbolic links", path, LINKS_MAX);
}

sg_status sg_file_check_target(const char *path, struct sg_error *err)
{
    struct stat info;
    if (stat(path, &info) != 0) return SG_OK;
    if (!S_ISREG(info.st_mode)) FAIL(err, SG_NO_OUTPUT, "can't replace '%s': it is not a regular file", path);
    return SG_OK;
}

static sg_status sync_path(const char *path, int flags, struct sg_error *err)
{
    int fd = open(path, flags | O_RDONLY | O_CLOEXEC);
    if (fd < 0) FAIL(err, SG_WRITE_FAILED, "can't open '%s' to sync it: %s", path, strerror(errno));
    /* EINVAL: a file system without fsync for this kind of file */
    bool synced = fsync(fd) == 0 || errno == EINVAL;
    int reason = errno;
    close(fd);
    if (!synced) FAIL(err, SG_WRITE_FAILED, "can't sync '%s': %s", path, strerror(reason));
    return SG_OK;
}

sg_status sg_file_sync(const char *path, struct sg_error *err)
{
    return sync_path(path, 0, err);
}

sg_status sg_folder_sync(const char *path, struct sg_error *err)
{
    char folder[PATH_MAX] = ".";
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    if (length >= sizeof folder) FAIL(err, SG_WRITE_FAILED, "the path '%s' is too long", path);
    if (length > 0) {
        memcpy(folder, path, length);
        folder[length] = '\0';
    }
    return sync_path(folder, O_DIRECTORY, err);
}

sg_status sg_file_publish(const char *from, const char *to, struct sg_error *err)
{
    TRY(sg_file_sync(from, err));
    if (rename(from, to) != 0)
        FAIL(err, SG_WRITE_FAILED, "can't rename '%s' to '%s': %s", from, to, strerror(errno));
    return sg_folder_sync(to, err);
}

/* Tells whether the path still leads to the file that is locked: a run that ended meanwhile has removed it.
 */
static bool still_there(const char *path, int fd)
{
    struct stat held, named;
    return fstat(fd, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

static sg_status take(const char *path, int kind, int *lock, struct sg_error *err)
{
    *lock = -1;
    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0) FAIL(err, SG_NO_OUTPUT, "can't create '%s': %s", path, strerror(errno));
        if (flock(fd, kind | LOCK_NB) != 0) {
            int reason = errno;
            close(fd);
            if (reason == EWOULDBLOCK)
                FAIL(err, SG_NO_OUTPUT, "another run is writing this output: it holds the lock '%s'", path);
            FAIL(err, SG_NO_OUTPUT, "can't lock '%s': %s", path, strerror(reason));
        }
        if (still_there(path, fd)) {
            *lock = fd;
            return SG_OK;
        }
        close(fd);
    }
}

sg_status sg_lock_take(const char *path, int *lock, struct sg_error *err)
{
    return take(path, LOCK_EX, lock, err);
}

sg_status sg_lock_share(const char *path, int *lock, struct sg_error *err)
{
    return take(path, LOCK_SH, lock, err);
}

void sg_lock_release(const char *path, int lock)
{
    if (lock < 0) return;
    unlink(path);
    close(lock);
}
