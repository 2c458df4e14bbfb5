/* Regular files: read whole where they are small, their checksums, their names. */
#ifndef SG_DECK_FILE_H
#define SG_DECK_FILE_H

#include <stddef.h>

#include "support/status.h"

/* The bytes of a regular file of at most `limit` bytes, NUL-terminated; free with sg_free. Never waits
 * (a pipe is refused). SG_NO_INPUT with a message that names path and cause. */
sg_status sg_file_read(const char *path, size_t limit, char **bytes, size_t *length, struct sg_error *err);

/* The SHA-256 of a regular file of any length, 64 hex digits and a NUL. It is read in pieces, and never
 * waited for. SG_NO_INPUT as above, SG_INTERRUPTED when the program is asked to stop. */
sg_status sg_file_checksum(const char *path, char *hex, struct sg_error *err);

/* "a/b.cfg" -> "a/", "b.cfg" -> "": free with sg_free */
sg_status sg_file_folder(const char *path, char **folder, struct sg_error *err);

/* `folder` (as sg_file_folder gives it) and `name` as one path: free with sg_free */
sg_status sg_file_join(const char *folder, const char *name, char **path, struct sg_error *err);

/* The deck's name without folder and extension, with `suffix`, in the current folder: "bar.h5". Release with
 * sg_free. */
sg_status sg_name_after_deck(const char *path, const char *suffix, char **name, struct sg_error *err);

#endif
