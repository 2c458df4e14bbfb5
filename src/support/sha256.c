#define _POSIX_C_SOURCE 200809L

#include "support/sha256.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include <sha2.h>

#include "support/stop.h"

enum { PIECE = 1 << 16 };

void sg_sha256(const void *data, size_t length, char hex[SG_SHA256_HEX])
{
    SHA256Data(data, length, hex);
}

sg_status sg_sha256_stream(int descriptor, const char *path, char hex[SG_SHA256_HEX], struct sg_error *err)
{
    unsigned char piece[PIECE];
    SHA2_CTX sum;
    SHA256Init(&sum);
    for (;;) {
        ssize_t got = read(descriptor, piece, sizeof piece);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) FAIL(err, SG_NO_INPUT, "can't read '%s': %s", path, strerror(errno));
        if (got == 0) break;
        SHA256Update(&sum, piece, (size_t)got);
        if (sg_stop_requested()) FAIL(err, SG_INTERRUPTED, "interrupted while '%s' was read", path);
    }
    SHA256End(&sum, hex);
    return SG_OK;
}
