/* Files as the results need them: never half there under their final name, never written by two runs. */
#ifndef SG_RESULTS_FILES_H
#define SG_RESULTS_FILES_H

#include "support/status.h"

/* path + suffix on the heap; release with sg_free */
sg_status sg_path_add(const char *path, const char *suffix, char **out, struct sg_error *err);

/* The file that `path` leads to through symbolic links, there or not (a rename onto a link would replace the
 * link); `path` itself if it is none. Release with sg_free. SG_NO_OUTPUT: links in a circle, or too long. */
sg_status sg_path_follow(const char *path, char **out, struct sg_error *err);

/* SG_NO_OUTPUT unless `path` is a regular file or nothing at all: a final rename would fail on a folder
 * and would replace a device. */
sg_status sg_file_check_target(const char *path, struct sg_error *err);

/* fsync of a closed file; SG_WRITE_FAILED */
sg_status sg_file_sync(const char *path, struct sg_error *err);

/* fsync of the folder that holds `path`, so that a rename there survives a power cut */
sg_status sg_folder_sync(const char *path, struct sg_error *err);

/* fsync of `from`, atomic rename to `to`, fsync of the folder */
sg_status sg_file_publish(const char *from, const char *to, struct sg_error *err);

/* Takes an exclusive lock on `path` (created if absent) without waiting. SG_NO_OUTPUT, naming the lock,
 * if another process holds it or it can't be created. */
sg_status sg_lock_take(const char *path, int *lock, struct sg_error *err);

/* The same, beside others that share it; let go by close, which leaves the file. */
sg_status sg_lock_share(const char *path, int *lock, struct sg_error *err);

/* removes the lock file and lets go; a negative `lock` is fine */
void sg_lock_release(const char *path, int lock);

#endif
