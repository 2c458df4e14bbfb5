#define _DEFAULT_SOURCE /* madvise */
#include "support/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* bytes from which on pages are given back rather than written */
enum { LARGE = 1 << 20 };

/* the large page of x86-64; elsewhere an alignment that does no harm */
enum { LARGE_PAGE = 1 << 21 };

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

static sg_status allocate(size_t count, size_t size, size_t alignment, const char *what, void *out,
                          struct sg_error *err)
{
    size_t bytes = 0;
    void *memory = NULL;
    memcpy(out, &memory, sizeof memory);
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX - alignment)
        FAIL(err, SG_NO_MEMORY, "out of memory: '%s' would need %zu items of %zu bytes", what, count, size);
    bytes = (bytes + alignment) / alignment * alignment;
    memory = aligned_alloc(alignment, bytes);
    if (memory == NULL) FAIL(err, SG_NO_MEMORY, "out of memory: %zu bytes for '%s'", bytes, what);
#ifdef MADV_HUGEPAGE
    if (alignment == LARGE_PAGE) (void)madvise(memory, bytes, MADV_HUGEPAGE); /* advice: small ones do too */
#endif
    clear(memory, bytes);
    memcpy(out, &memory, sizeof memory);
    return SG_OK;
}

sg_status sg_alloc(size_t count, size_t size, const char *what, void *out, struct sg_error *err)
{
    return allocate(count, size, SG_ALIGNMENT, what, out, err);
}

sg_status sg_alloc_streamed(size_t count, size_t size, const char *what, void *out, struct sg_error *err)
{
    bool several = size > 0 && count >= 2 * LARGE_PAGE / size;
    return allocate(count, size, several ? LARGE_PAGE : SG_ALIGNMENT, what, out, err);
}

void sg_free(void *memory)
{
    free(memory);
}

void sg_free_pointer(void *pointer)
{
    void *memory = NULL;
    memcpy(&memory, pointer, sizeof memory);
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
