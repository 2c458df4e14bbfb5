/* SHA-256, by libmd. */
#ifndef SG_SUPPORT_SHA256_H
#define SG_SUPPORT_SHA256_H

#include <stddef.h>

enum { SG_SHA256_HEX = 65 };

/* 64 hex digits and a NUL into `hex` */
void sg_sha256(const void *data, size_t length, char hex[SG_SHA256_HEX]);

#endif
