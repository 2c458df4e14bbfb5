/* Loaded before the C library: ends the process as kill -9 does, before its END_AT-th call that changes a
 * file or a folder (counted from 0).
 *
 * TEAR: if that call writes across pages, only its first TEAR pages get to the file (modulo what there are),
 * as when the signal comes while the kernel copies: it looks for signals between pages. CALLS: a file for the
 * calls' names, the pages that a write goes on to after its first, and the file's path. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { PAGE = 4096 };

static long left = -1, tear;
static FILE *calls;

static long number(const char *name, long otherwise)
{
    const char *text = getenv(name);
    return text != NULL ? atol(text) : otherwise;
}

__attribute__((constructor)) static void start(void)
{
    left = number("END_AT", -1);
    tear = number("TEAR", 0);
    const char *path = getenv("CALLS");
    if (path != NULL) calls = fopen(path, "w");
}

static void end(void)
{
    kill(getpid(), SIGKILL);
}

/* whether this call is the last */
static int count(const char *name, const char *subject, long boundaries)
{
    if (calls != NULL) {
        fprintf(calls, "%s %ld %s\n", name, boundaries, subject);
        fflush(calls);
    }
    return left >= 0 && left-- == 0;
}

static void count_or_end(const char *name, const char *subject)
{
    if (count(name, subject, 0)) end();
}

/* Bytes of a write that get through: all of it, if it isn't the last call. */
static size_t part(const char *name, int fd, size_t size, off_t offset)
{
    char link[64], path[512] = "";
    size_t first = PAGE - (size_t)offset % PAGE;
    long boundaries = size > first ? (long)((size - first - 1) / PAGE) + 1 : 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (calls != NULL && readlink(link, path, sizeof path - 1) < 0) path[0] = '\0';
    if (!count(name, path, boundaries)) return size;
    if (tear == 0 || boundaries == 0) end();
    return first + (size_t)((tear - 1) % boundaries) * PAGE;
}

#define NEXT(function, name) *(void **)&(function) = dlsym(RTLD_NEXT, name)

#define PWRITE(name, offset_type)                                                                            \
    ssize_t name(int fd, const void *data, size_t size, offset_type offset)                                  \
    {                                                                                                        \
        ssize_t (*next)(int, const void *, size_t, offset_type);                                             \
        NEXT(next, #name);                                                                                   \
        size_t allowed = part("pwrite", fd, size, (off_t)offset);                                            \
        ssize_t done = next(fd, data, allowed, offset);                                                      \
        if (allowed < size) end();                                                                           \
        return done;                                                                                         \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int fd, const void *data, size_t size)
{
    ssize_t (*next)(int, const void *, size_t);
    NEXT(next, "write");
    size_t allowed = part("write", fd, size, lseek(fd, 0, SEEK_CUR));
    ssize_t done = next(fd, data, allowed);
    if (allowed < size) end();
    return done;
}

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *);
    NEXT(next, "rename");
    count_or_end("rename", to);
    return next(from, to);
}

int unlink(const char *path)
{
    int (*next)(const char *);
    NEXT(next, "unlink");
    count_or_end("unlink", path);
    return next(path);
}

int fsync(int fd)
{
    int (*next)(int);
    NEXT(next, "fsync");
    count_or_end("fsync", "");
    return next(fd);
}

#define OPEN(name)                                                                                           \
    int name(const char *path, int flags, ...)                                                               \
    {                                                                                                        \
        int (*next)(const char *, int, ...);                                                                 \
        va_list rest;                                                                                        \
        va_start(rest, flags);                                                                               \
        mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;                                            \
        va_end(rest);                                                                                        \
        NEXT(next, #name);                                                                                   \
        if (flags & O_CREAT) count_or_end("create", path);                                                   \
        return next(path, flags, mode);                                                                      \
    }
OPEN(open)
OPEN(open64)

#define TRUNCATE(name, size_type)                                                                            \
    int name(int fd, size_type size)                                                                         \
    {                                                                                                        \
        int (*next)(int, size_type);                                                                         \
        NEXT(next, #name);                                                                                   \
        count_or_end("ftruncate", "");                                                                       \
        return next(fd, size);                                                                               \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define ALLOCATE(name, size_type)                                                                            \
    int name(int fd, size_type offset, size_type size)                                                       \
    {                                                                                                        \
        int (*next)(int, size_type, size_type);                                                              \
        NEXT(next, #name);                                                                                   \
        count_or_end("fallocate", "");                                                                       \
        return next(fd, offset, size);                                                                       \
    }
ALLOCATE(posix_fallocate, off_t)
ALLOCATE(posix_fallocate64, off64_t)
