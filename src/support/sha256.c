#include "support/sha256.h"

#include <stdint.h>
#include <sys/types.h>

#include <sha2.h>

void sg_sha256(const void *data, size_t length, char hex[SG_SHA256_HEX])
{
    SHA256Data(data, length, hex);
}
