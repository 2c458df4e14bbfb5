#define _POSIX_C_SOURCE 200809L

#include "deck/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/memory.h"
#include "support/sha256.h"

static sg_status check_file(int fd, const char *path, size_t limit, size_t *size, struct sg_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0) FAIL(err, SG_NO_INPUT, "can't open '%s': %s", path, strerror(errno));
    if (S_ISDIR(info.st_mode)) FAIL(err, SG_NO_INPUT, "can't open '%s': it is a folder", path);
    if (!S_ISREG(info.st_mode)) FAIL(err, SG_NO_INPUT, "can't open '%s': it is not a regular file", path);
    if (info.st_size < 0 || (unsigned long long)info.st_size > limit)
        FAIL(err, SG_NO_INPUT, "'%s' is too large: %lld bytes, at most %zu are read", path,
             (long long)info.st_size, limit);
    *size = (size_t)info.st_size;
    return SG_OK;
}

/* What a file says it holds and what it gives can differ (/proc, a file being written). */
static sg_status read_all(int fd, const char *path, char *bytes, size_t size, size_t *length,
                          struct sg_error *err)
{
    *length = 0;
    while (*length < size) {
        ssize_t got = read(fd, bytes + *length, size - *length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) FAIL(err, SG_NO_INPUT, "can't read '%s': %s", path, strerror(errno));
        if (got == 0) break;
        *length += (size_t)got;
    }
    return SG_OK;
}

static sg_status open_file(const char *path, int *fd, struct sg_error *err)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (*fd < 0) FAIL(err, SG_NO_INPUT, "can't open '%s': %s", path, strerror(errno));
    return SG_OK;
}

sg_status sg_file_checksum(const char *path, char *hex, struct sg_error *err)
{
    int fd = -1;
    size_t size = 0;
    TRY(open_file(path, &fd, err));
    sg_status status = check_file(fd, path, SIZE_MAX, &size, err);
    if (status == SG_OK) status = sg_sha256_stream(fd, path, hex, err);
    close(fd);
    return status;
}

sg_status sg_file_read(const char *path, size_t limit, char **bytes, size_t *length, struct sg_error *err)
{
    *bytes = NULL;
    *length = 0;
    int fd = -1;
    size_t size = 0;
    TRY(open_file(path, &fd, err));
    sg_status status = check_file(fd, path, limit, &size, err);
    if (status == SG_OK) status = SG_NEW(bytes, size + 1, err);
    if (status == SG_OK) status = read_all(fd, path, *bytes, size, length, err);
    close(fd);
    if (status != SG_OK) {
        sg_free(*bytes);
        *bytes = NULL;
    }
    return status;
}

sg_status sg_file_folder(const char *path, char **folder, struct sg_error *err)
{
    const char *slash = strrchr(path, '/');
    TRY(sg_copy_text(path, folder, err));
    (*folder)[slash == NULL ? 0 : slash - path + 1] = '\0';
    return SG_OK;
}

sg_status sg_file_join(const char *folder, const char *name, char **path, struct sg_error *err)
{
    size_t head = strlen(folder), tail = strlen(name);
    TRY(SG_NEW(path, head + tail + 1, err));
    memcpy(*path, folder, head);
    memcpy(*path + head, name, tail);
    return SG_OK;
}

sg_status sg_name_after_deck(const char *path, const char *suffix, char **name, struct sg_error *err)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    size_t length = dot != NULL && dot != base ? (size_t)(dot - base) : strlen(base);
    TRY(sg_alloc(length + strlen(suffix) + 1, 1, "output name", name, err));
    memcpy(*name, base, length);
    memcpy(*name + length, suffix, strlen(suffix) + 1);
    return SG_OK;
}
