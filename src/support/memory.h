/* Memory: overflow-checked, zeroed, aligned to a cache line (and so to any SIMD width). */
#ifndef SG_SUPPORT_MEMORY_H
#define SG_SUPPORT_MEMORY_H

#include <stddef.h>

#include "support/status.h"

enum { SG_ALIGNMENT = 64 };

/* count * size zeroed bytes, or SG_NO_MEMORY with a message that names `what`. A count of 0 gives a
 * pointer that may be freed. `out` is the address of the pointer to set. Release with sg_free. */
sg_status sg_alloc(size_t count, size_t size, const char *what, void *out, struct sg_error *err);

/* NULL is fine. */
void sg_free(void *memory);

/* SG_NEW(&spec->values, n, err): `out` is a T **, n elements of T. */
#define SG_NEW(out, count, err) sg_alloc((count), sizeof **(out), #out, (out), (err))

/* a copy of a string on the heap */
sg_status sg_copy_text(const char *text, char **out, struct sg_error *err);

#endif
