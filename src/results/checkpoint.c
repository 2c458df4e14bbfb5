#define _POSIX_C_SOURCE 200809L
#include "results/checkpoint.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <sha2.h>

#include "results/files.h"

enum { VERSION = 1, FINGERPRINT = 64, NOTE_SIZE = 256 };

static const char file_mark[8] = {'S', 'G', 'C', 'H', 'E', 'C', 'K', '\n'};

/* On disk as in memory (a checkpoint is for the machine that wrote it); no padding. */
struct header {
    char mark[8];
    uint32_t version;
    uint32_t byte_order;
    uint64_t length; /* of the payload */
    char fingerprint[FINGERPRINT];
    unsigned char checksum[SHA256_DIGEST_LENGTH]; /* of the header up to here, and the payload */
};

enum { BYTE_ORDER_MARK = 0x01020304 };

_Static_assert(sizeof(struct header) == 24 + FINGERPRINT + SHA256_DIGEST_LENGTH, "header has padding");

static void compute_checksum(const struct header *header, const unsigned char *payload,
                             unsigned char out[SHA256_DIGEST_LENGTH])
{
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)header, offsetof(struct header, checksum));
    SHA256Update(&context, payload, header->length);
    SHA256Final(out, &context);
}

static void copy_fingerprint(char out[FINGERPRINT], const char *fingerprint)
{
    memset(out, 0, FINGERPRINT);
    memcpy(out, fingerprint, strnlen(fingerprint, FINGERPRINT));
}

/* --- writing -------------------------------------------------------------------------------------- */

/* on the stack: a checkpoint within the time loop allocates nothing */
struct names {
    char newest[PATH_MAX], older[PATH_MAX], fresh[PATH_MAX]; /* PATH.checkpoint, .old, .new */
};

static sg_status make_names(const char *output, struct names *names, struct sg_error *err)
{
    static const char longest[] = ".checkpoint.old";
    if (strlen(output) + sizeof longest > PATH_MAX)
        FAIL(err, SG_NO_OUTPUT, "the path of '%s' is longer than %d bytes", output, PATH_MAX);
    snprintf(names->newest, PATH_MAX, "%s.checkpoint", output);
    snprintf(names->older, PATH_MAX, "%s.checkpoint.old", output);
    snprintf(names->fresh, PATH_MAX, "%s.checkpoint.new", output);
    return SG_OK;
}

sg_status sg_checkpoint_check_name(const char *output, struct sg_error *err)
{
    struct names names;
    struct stat info;
    TRY(make_names(output, &names, err));
    if (lstat(names.older, &info) == 0 || errno != ENAMETOOLONG) return SG_OK;
    FAIL(err, SG_NO_OUTPUT, "the output's name is too long for its checkpoint '%s'", names.older);
}

static bool write_all(int fd, const void *data, size_t size)
{
    const char *rest = data;
    while (size > 0) {
        ssize_t done = write(fd, rest, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        rest += done;
        size -= (size_t)done;
    }
    return true;
}

static sg_status write_file(const char *path, const struct header *header, const unsigned char *payload,
                            bool sync, struct sg_error *err)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) FAIL(err, SG_WRITE_FAILED, "can't create the checkpoint '%s': %s", path, strerror(errno));
    bool written = write_all(fd, header, sizeof *header) && write_all(fd, payload, header->length) &&
                   (!sync || fsync(fd) == 0);
    int reason = errno;
    if (close(fd) != 0 && written) {
        written = false;
        reason = errno;
    }
    if (written) return SG_OK;
    unlink(path);
    FAIL(err, SG_WRITE_FAILED, "can't write the checkpoint '%s' (%zu bytes): %s", path,
         sizeof *header + header->length, strerror(reason));
}

static sg_status move(const char *from, const char *to, struct sg_error *err)
{
    if (rename(from, to) == 0) return SG_OK;
    FAIL(err, SG_WRITE_FAILED, "can't rename the checkpoint '%s' to '%s': %s", from, to, strerror(errno));
}

static sg_status write_generation(const struct names *names, const struct header *header,
                                  const unsigned char *payload, bool sync, struct sg_error *err)
{
    TRY(write_file(names->fresh, header, payload, sync, err));
    if (access(names->newest, F_OK) == 0) TRY(move(names->newest, names->older, err));
    TRY(move(names->fresh, names->newest, err));
    return sync ? sg_folder_sync(names->newest, err) : SG_OK;
}

sg_status sg_checkpoint_write(const char *output, const char *fingerprint, const struct sg_archive *archive,
                              bool sync, struct sg_error *err)
{
    struct header header = {.version = VERSION, .byte_order = BYTE_ORDER_MARK, .length = archive->length};
    struct names names;
    if (archive->failed) FAIL(err, SG_NO_MEMORY, "out of memory while a checkpoint was gathered");
    memcpy(header.mark, file_mark, sizeof file_mark);
    copy_fingerprint(header.fingerprint, fingerprint);
    compute_checksum(&header, archive->data, header.checksum);
    TRY(make_names(output, &names, err));
    return write_generation(&names, &header, archive->data, sync, err);
}

/* --- reading -------------------------------------------------------------------------------------- */

static bool read_all(int fd, void *data, size_t size)
{
    char *rest = data;
    while (size > 0) {
        ssize_t done = read(fd, rest, size);
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        rest += done;
        size -= (size_t)done;
    }
    return true;
}

static sg_status check_header(const char *path, const struct header *header, off_t size, struct sg_error *err)
{
    if (memcmp(header->mark, file_mark, sizeof file_mark) != 0 || header->byte_order != BYTE_ORDER_MARK)
        FAIL(err, SG_NO_INPUT, "'%s' is not a checkpoint of this machine, or its head is damaged", path);
    if (header->version != VERSION)
        FAIL(err, SG_NO_INPUT, "'%s' is a checkpoint of version %u, this program reads version %d", path,
             (unsigned)header->version, VERSION);
    if ((uint64_t)size != sizeof *header + header->length)
        FAIL(err, SG_NO_INPUT, "the checkpoint '%s' is damaged: it has %lld bytes, its head says %llu", path,
             (long long)size, (unsigned long long)(sizeof *header + header->length));
    return SG_OK;
}

static sg_status read_open(const char *path, int fd, struct header *header, struct sg_archive *archive,
                           struct sg_error *err)
{
    struct stat info;
    unsigned char checksum[SHA256_DIGEST_LENGTH];
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        FAIL(err, SG_NO_INPUT, "the checkpoint '%s' is not a regular file", path);
    if (!read_all(fd, header, sizeof *header))
        FAIL(err, SG_NO_INPUT, "the checkpoint '%s' is damaged: it is too short", path);
    TRY(check_header(path, header, info.st_size, err));
    unsigned char *payload = malloc(header->length + 1);
    if (payload == NULL)
        FAIL(err, SG_NO_MEMORY, "out of memory: %llu bytes for a checkpoint",
             (unsigned long long)header->length);
    sg_archive_release(archive);
    archive->data = payload;
    archive->length = header->length;
    archive->capacity = header->length + 1;
    archive->loading = true;
    if (!read_all(fd, payload, header->length))
        FAIL(err, SG_NO_INPUT, "the checkpoint '%s' can't be read: %s", path, strerror(errno));
    compute_checksum(header, payload, checksum);
    if (memcmp(checksum, header->checksum, sizeof checksum) != 0)
        FAIL(err, SG_NO_INPUT, "the checkpoint '%s' is damaged: its checksum is wrong", path);
    return SG_OK;
}

static sg_status read_generation(const char *path, const char *fingerprint, struct sg_archive *archive,
                                 struct sg_error *err)
{
    struct header header;
    char wanted[FINGERPRINT];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) FAIL(err, SG_NO_INPUT, "can't open the checkpoint '%s': %s", path, strerror(errno));
    sg_status status = read_open(path, fd, &header, archive, err);
    close(fd);
    TRY(status);
    copy_fingerprint(wanted, fingerprint);
    if (memcmp(wanted, header.fingerprint, FINGERPRINT) != 0)
        FAIL(err, SG_BAD_DECK, "the checkpoint '%s' is of another deck, or of other --set values", path);
    return SG_OK;
}

/* A run that died between two renames has left no newest one, but a fresh one that is whole. */
static sg_status read_newest_whole(const struct names *names, const char *fingerprint,
                                   struct sg_archive *archive, char *note, struct sg_error *err)
{
    const struct {
        const char *path, *word;
    } all[] = {{names->newest, ""}, {names->fresh, "unnamed"}, {names->older, "older"}};
    struct sg_error first = {0};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct sg_error other = {0}, *reason = i == 0 ? &first : &other;
        sg_status status = read_generation(all[i].path, fingerprint, archive, reason);
        if (status == SG_OK && i > 0)
            snprintf(note, NOTE_SIZE, "going on from the %s checkpoint: %.200s", all[i].word, first.text);
        if (status == SG_OK) return SG_OK;
        if (status != SG_NO_INPUT) FAIL(err, status, "%s", reason->text);
    }
    FAIL(err, SG_NO_INPUT, "nothing to resume: %s", first.text);
}

sg_status sg_checkpoint_read(const char *output, const char *fingerprint, struct sg_archive *archive,
                             char *note, struct sg_error *err)
{
    struct names names;
    note[0] = '\0';
    TRY(make_names(output, &names, err));
    sg_status status = read_newest_whole(&names, fingerprint, archive, note, err);
    if (status != SG_OK) sg_archive_release(archive);
    return status;
}

void sg_checkpoint_remove(const char *output)
{
    struct names names;
    if (make_names(output, &names, NULL) != SG_OK) return;
    unlink(names.newest);
    unlink(names.older);
    unlink(names.fresh);
}
