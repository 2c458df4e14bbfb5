#define _DEFAULT_SOURCE /* madvise */
#include "support/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* bytes from which on pages are given back rather than written */
enum { LARGE = 1 << 20 };

/* `total`: bytes in the end */
static sg_status take(size_t count, size_t size, const char *what, void *out, size_t *total,
                      struct sg_error *err)
{
    size_t bytes = 0;
    void *memory = NULL;
    memcpy(out, &memory, sizeof memory);
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - SG_ALIGNMENT)
        FAIL(err, SG_NO_MEMORY, "out of memory: '%s' would need %zu items of %zu bytes", what, count, size);
    bytes = (bytes + SG_ALIGNMENT) / SG_ALIGNMENT * SG_ALIGNMENT;
    memory = aligned_alloc(SG_ALIGNMENT, bytes);
    if (memory == NULL) FAIL(err, SG_NO_MEMORY, "out of memory: %zu bytes for '%s'", bytes, what);
    memcpy(out, &memory, sizeof memory);
    *total = bytes;
    return SG_OK;
}

/* Whole pages that are given back read as zeros and take room once they are written: a matrix for contacts
 * that never close costs nothing. */
static void clear(unsigned char *memory, size_t bytes)
{
    long size = sysconf(_SC_PAGESIZE);
    size_t page = size > 0 ? (size_t)size : LARGE, head = (page - (uintptr_t)memory % page) % page;
    if (bytes < LARGE || bytes < head + page) {
        memset(memory, 0, bytes);
        return;
    }
    size_t whole = (bytes - head) / page * page;
    if (madvise(memory + head, whole, MADV_DONTNEED) != 0) memset(memory + head, 0, whole);
    memset(memory, 0, head);
    memset(memory + head + whole, 0, bytes - head - whole);
}

sg_status sg_alloc(size_t count, size_t size, const char *what, void *out, struct sg_error *err)
{
    size_t bytes = 0;
    void *memory = NULL;
    TRY(take(count, size, what, out, &bytes, err));
    memcpy(&memory, out, sizeof memory);
    clear(memory, bytes);
    return SG_OK;
}

void sg_free(void *memory)
{
    free(memory);
}

sg_status sg_copy_text(const char *text, char **out, struct sg_error *err)
{
    size_t bytes = strlen(text) + 1;
    TRY(sg_alloc(bytes, 1, "text", out, err));
    memcpy(*out, text, bytes);
    return SG_OK;
}

bool sg_grow(void *list, size_t count, size_t *capacity, size_t size)
{
    void **old = list;
    if (count < *capacity) return true;
    size_t wanted = *capacity == 0 ? 16 : 2 * *capacity;
    void *grown = wanted > SIZE_MAX / size ? NULL : realloc(*old, wanted * size);
    if (grown == NULL) return false;
    *old = grown;
    *capacity = wanted;
    return true;
}
