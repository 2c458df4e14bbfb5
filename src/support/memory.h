/* Memory: overflow-checked, zeroed, aligned to a cache line (and so to any SIMD width). */
#ifndef SG_SUPPORT_MEMORY_H
#define SG_SUPPORT_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "support/status.h"

enum { SG_ALIGNMENT = 64 };

/* count * size zeroed bytes, or SG_NO_MEMORY with a message that names `what`. A count of 0 gives a
 * pointer that may be freed. `out` is the address of the pointer to set. Release with sg_free. The system
 * gives pages of large blocks when they are first written, so that nothing is taken for what never is. */
sg_status sg_alloc(size_t count, size_t size, const char *what, void *out, struct sg_error *err);

/* The same for what is passed over from end to end in every step: a block of several large pages lies in
 * such pages, where the system has them, and loops that wait for memory run faster (central differences of
 * 10^6 dofs 1.6 to 2 times). One value that is written takes its whole page. */
sg_status sg_alloc_streamed(size_t count, size_t size, const char *what, void *out, struct sg_error *err);

/* NULL is fine. */
void sg_free(void *memory);

/* A pointer whose block is freed where the pointer's own block of code is left:
 *
 *     SG_AUTO_FREE char *path = NULL;
 *
 * The attribute is not of C11, but of gcc and clang. */
#define SG_AUTO_FREE __attribute__((cleanup(sg_free_pointer)))
void sg_free_pointer(void *pointer);

/* SG_NEW(&spec->values, n, err): `out` is a T **, n elements of T. */
#define SG_NEW(out, count, err) sg_alloc((count), sizeof **(out), #out, (out), (err))

#define SG_NEW_STREAMED(out, count, err) sg_alloc_streamed((count), sizeof **(out), #out, (out), (err))

/* Room for one more item of `size` bytes in a list that grows while a model is built: `list` is the address
 * of its pointer. False if there is no memory; the list then stays as it was. Release with free. */
bool sg_grow(void *list, size_t count, size_t *capacity, size_t size);

/* a copy of a string on the heap */
sg_status sg_copy_text(const char *text, char **out, struct sg_error *err);

#endif
