#include "support/archive.h"

#include <stdlib.h>
#include <string.h>

void sg_archive_release(struct sg_archive *archive)
{
    free(archive->data);
    *archive = (struct sg_archive){0};
}

void sg_archive_rewind(struct sg_archive *archive)
{
    archive->length = 0;
    archive->cursor = 0;
    archive->loading = false;
    archive->failed = false;
}

static bool reserve(struct sg_archive *archive, size_t size)
{
    size_t wanted = archive->length + size;
    if (wanted <= archive->capacity) return true;
    size_t capacity = archive->capacity == 0 ? 4096 : archive->capacity;
    while (capacity < wanted) capacity *= 2;
    unsigned char *data = realloc(archive->data, capacity);
    if (data == NULL) return false;
    archive->data = data;
    archive->capacity = capacity;
    return true;
}

void sg_archive_bytes(struct sg_archive *archive, void *memory, size_t size)
{
    if (archive->failed || size == 0) return;
    if (archive->loading) {
        archive->failed = size > archive->length - archive->cursor;
        if (archive->failed) return;
        memcpy(memory, archive->data + archive->cursor, size);
        archive->cursor += size;
        return;
    }
    archive->failed = !reserve(archive, size);
    if (archive->failed) return;
    memcpy(archive->data + archive->length, memory, size);
    archive->length += size;
}

sg_status sg_archive_finish(const struct sg_archive *archive, struct sg_error *err)
{
    if (archive->loading && (archive->failed || archive->cursor != archive->length))
        FAIL(err, SG_INTERNAL, "the checkpoint holds %zu bytes where this run expects %s", archive->length,
             archive->failed ? "more" : "fewer");
    if (archive->failed) FAIL(err, SG_NO_MEMORY, "out of memory while a checkpoint was gathered");
    return SG_OK;
}
