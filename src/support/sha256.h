/* SHA-256, by libmd. */
#ifndef SG_SUPPORT_SHA256_H
#define SG_SUPPORT_SHA256_H

#include <stddef.h>

#include "support/status.h"

enum { SG_SHA256_HEX = 65 };

/* 64 hex digits and a NUL into `hex` */
void sg_sha256(const void *data, size_t length, char hex[SG_SHA256_HEX]);

/* The same of all bytes that `descriptor` still has, without holding more than a piece of them; `path` names
 * it in messages. SG_NO_INPUT if it can't be read; SG_INTERRUPTED when the program is asked to stop. */
sg_status sg_sha256_stream(int descriptor, const char *path, char hex[SG_SHA256_HEX], struct sg_error *err);

#endif
