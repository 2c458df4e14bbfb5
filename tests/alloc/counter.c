#include "counter.h"

#include <stddef.h>

struct sg_counter counter;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
char *__real_realpath(const char *path, char *resolved);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_realpath(const char *path, char *resolved);
void __wrap_free(void *memory);

static void count(void)
{
    if (counter.on) counter.calls++;
}

/* counts a request; true if it fails */
static bool fails(void)
{
    count();
    counter.requests++;
    if (counter.failing <= 0) return false;
    if (counter.failing > 1) {
        counter.failing--;
        return false;
    }
    if (!counter.lasting) counter.failing = 0;
    return true;
}

static void *given(void *memory)
{
    if (memory != NULL) counter.blocks++;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : given(__real_malloc(size));
}

void *__wrap_calloc(size_t number, size_t size)
{
    return fails() ? NULL : given(__real_calloc(number, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    if (fails()) return NULL;
    return memory == NULL ? given(__real_realloc(memory, size)) : __real_realloc(memory, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : given(__real_aligned_alloc(alignment, size));
}

/* gives a block where `resolved` is NULL */
char *__wrap_realpath(const char *path, char *resolved)
{
    if (resolved != NULL) return __real_realpath(path, resolved);
    return fails() ? NULL : given(__real_realpath(path, NULL));
}

void __wrap_free(void *memory)
{
    if (memory != NULL) {
        count();
        counter.blocks--;
    }
    __real_free(memory);
}
