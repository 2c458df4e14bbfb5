/* Loaded before the C library: ends the process as kill -9 does, before its END_AT-th call that changes a
 * file (counted from 0). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

static long left = -1;

__attribute__((constructor)) static void start(void)
{
    const char *text = getenv("END_AT");
    if (text != NULL) left = atol(text);
}

static void count(void)
{
    if (left >= 0 && left-- == 0) kill(getpid(), SIGKILL);
}

#define NEXT(function, name) *(void **)&(function) = dlsym(RTLD_NEXT, name)

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset)
{
    ssize_t (*next)(int, const void *, size_t, off64_t);
    NEXT(next, "pwrite64");
    count();
    return next(fd, data, size, offset);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset)
{
    ssize_t (*next)(int, const void *, size_t, off_t);
    NEXT(next, "pwrite");
    count();
    return next(fd, data, size, offset);
}

int rename(const char *from, const char *to)
{
    int (*next)(const char *, const char *);
    NEXT(next, "rename");
    count();
    return next(from, to);
}

int fsync(int fd)
{
    int (*next)(int);
    NEXT(next, "fsync");
    count();
    return next(fd);
}

int ftruncate64(int fd, off64_t size)
{
    int (*next)(int, off64_t);
    NEXT(next, "ftruncate64");
    count();
    return next(fd, size);
}

int ftruncate(int fd, off_t size)
{
    int (*next)(int, off_t);
    NEXT(next, "ftruncate");
    count();
    return next(fd, size);
}
