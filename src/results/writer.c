#define _POSIX_C_SOURCE 200809L
#include "results/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "results/audit_table.h"
#include "results/checkpoint.h"
#include "results/files.h"
#include "results/layout.h"
#include "results/trial.h"
#include "support/memory.h"

enum { ROOT_ATTRIBUTES = 64, METADATA_BYTES = 64 * 1024 };

static const char LOCK[] = ".lock";

/* The index of chunks grows with the file; the memory for it does not. Up to its first size it is HDF5's. */
static bool bound_metadata(hid_t list)
{
    H5AC_cache_config_t config = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    if (H5Pget_mdc_config(list, &config) < 0) return false;
    config.max_size = config.initial_size;
    return H5Pset_mdc_config(list, &config) >= 0;
}

/* HDF5's own lock is off: the run's lock keeps other writers out, and a follower that has the file open
 * must not keep a resumed run from it. */
enum { ALIGNED_FROM = 65, ALIGNMENT = 1024 }; /* bytes */

static hid_t file_access(bool resume)
{
    hbool_t clear = 1;
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    if (list < 0) return list;
    bool set =
        H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 &&
        H5Pset_file_locking(list, 0, 1) >= 0 &&
        /* nobody else writes: a wrong checksum stays wrong, HDF5 would wait ever longer for it */
        H5Pset_metadata_read_attempts(list, 1) >= 0 &&
        /* of the file, not of a dataset: the start of SWMR opens these anew, with the file's. One slot:
         * a partial chunk waits for its other rows, and a whole one leaves memory with the next */
        H5Pset_cache(list, 0, 1, SG_CHUNK_BYTES, 0.0) >= 0 && bound_metadata(list) &&
        /* a kill ends a write at a page's end at worst: what lies in one page is written whole */
        H5Pset_alignment(list, ALIGNED_FROM, ALIGNMENT) >= 0 &&
        /* Clears the flag as h5clear does: a killed SWMR writer leaves the file marked as open. */
        (!resume || H5Pset(list, "clear_status_flags", &clear) >= 0);
    if (set) return list;
    H5Pclose(list);
    return H5I_INVALID_HID;
}

static sg_status create_file(struct sg_writer *writer, struct sg_error *err)
{
    /* an earlier run's memory goes first: with the new file it would make no sense */
    sg_checkpoint_remove(writer->path);
    /* a follower of an earlier run keeps its file: this one is another */
    if (unlink(writer->part) != 0 && errno != ENOENT)
        FAIL(err, SG_NO_OUTPUT, "can't remove '%s': %s", writer->part, strerror(errno));
    hid_t access = file_access(false);
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    if (access >= 0 && H5Pset_attr_phase_change(creation, ROOT_ATTRIBUTES, ROOT_ATTRIBUTES - 2) >= 0)
        writer->file = H5Fcreate(writer->part, H5F_ACC_EXCL, creation, access);
    sg_status status =
        writer->file >= 0 ? SG_OK : sg_hdf_fail(err, SG_NO_OUTPUT, H5I_INVALID_HID, "create", writer->part);
    sg_hdf_close(creation);
    sg_hdf_close(access);
    return status;
}

static sg_status reopen_file(struct sg_writer *writer, struct sg_error *err)
{
    if (access(writer->part, R_OK | W_OK) != 0)
        FAIL(err, SG_NO_INPUT, "can't resume '%s': %s", writer->part, strerror(errno));
    TRY(sg_trial_survives(writer->part, err));
    hid_t list = file_access(true);
    if (list >= 0) writer->file = H5Fopen(writer->part, H5F_ACC_RDWR | H5F_ACC_SWMR_WRITE, list);
    sg_status status =
        writer->file >= 0 ? SG_OK : sg_hdf_fail(err, SG_NO_INPUT, H5I_INVALID_HID, "resume", writer->part);
    sg_hdf_close(list);
    return status;
}

static sg_status init_events(struct sg_writer *writer, bool reopen, struct sg_error *err)
{
    hid_t kind = sg_layout_event_kind_type();
    hid_t real = H5T_NATIVE_DOUBLE, integer = H5T_NATIVE_INT32;
    const struct sg_stream_spec specs[SG_EVENT_COLUMNS + 1] = {
        [SG_EVENT_TIME] = {"time", "s", "time of the event", NULL, real, 8, 0, {0}, NULL, NULL},
        [SG_EVENT_CONTACT] =
            {"contact", "1", "contact, counted from 0", NULL, integer, 4, 0, {0}, NULL, NULL},
        [SG_EVENT_KIND] = {"kind", "1", "what happened", NULL, kind, 1, 0, {0}, NULL, NULL},
        [SG_EVENT_GAP] = {"gap", "m", "gap at the event, > 0 open", NULL, real, 8, 0, {0}, NULL, NULL},
        [SG_EVENT_GAP_VELOCITY] =
            {"gap_velocity", "m/s", "rate of the gap before the event", NULL, real, 8, 0, {0}, NULL, NULL},
        [SG_EVENT_ITERATIONS] =
            {"iterations", "1", "trials to localize the event", NULL, integer, 4, 0, {0}, NULL, NULL},
    };
    sg_status status = sg_stream_table_init(&writer->events, writer->file, "events", specs, reopen, err);
    sg_hdf_close(kind);
    return status;
}

static struct sg_stream_spec stream_of(const struct sg_total_column *column)
{
    struct sg_stream_spec spec = {
        .name = column->name, .unit = column->unit, .description = column->description};
    spec.type = column->type == SG_TOTAL_REAL    ? H5T_NATIVE_DOUBLE
                : column->type == SG_TOTAL_INDEX ? H5T_NATIVE_INT32
                                                 : H5T_NATIVE_INT64;
    spec.item = column->type == SG_TOTAL_INDEX ? 4 : 8;
    return spec;
}

static sg_status init_totals(struct sg_writer *writer, const struct sg_totals_ops *totals, bool reopen,
                             struct sg_error *err)
{
    struct sg_stream_spec *specs = NULL;
    size_t count = 0;
    while (totals->columns[count].name != NULL) count++;
    TRY(SG_ARENA_NEW(writer->arena, &specs, count + 1, err));
    for (size_t i = 0; i < count; i++) specs[i] = stream_of(&totals->columns[i]);
    return sg_stream_table_init(&writer->totals, writer->file, totals->group, specs, reopen, err);
}

static sg_status init_tables(struct sg_writer *writer, const struct sg_writer_columns *columns,
                             const struct sg_recorder_spec *run, struct sg_error *err)
{
    bool reopen = run->resume;
    TRY(sg_stream_table_init(&writer->history, writer->file, "history", columns->history, reopen, err));
    TRY(init_events(writer, reopen, err));
    if (run->totals.ops != NULL) TRY(init_totals(writer, run->totals.ops, reopen, err));
    if (columns->points == NULL) return SG_OK;
    return sg_stream_table_init(&writer->points, writer->file, "points", columns->points, reopen, err);
}

/* A kill in the midst of a flush leaves datasets that point beyond the end that the superblock, written last,
 * tells of: that space must not be given out again. */
static sg_status keep_space(struct sg_writer *writer, struct sg_error *err)
{
    if (H5Fincrement_filesize(writer->file, 0) < 0)
        return sg_hdf_fail(err, SG_NO_INPUT, H5I_INVALID_HID, "measure", writer->part);
    return SG_OK;
}

static sg_status open_root(struct sg_writer *writer, struct sg_error *err)
{
    writer->root = H5Gopen2(writer->file, "/", H5P_DEFAULT);
    if (writer->root < 0) return sg_hdf_fail(err, SG_NO_INPUT, writer->file, "open", "/");
    return SG_OK;
}

static sg_status create_all(struct sg_writer *writer, const struct sg_recorder_spec *run,
                            const struct sg_writer_columns *columns, struct sg_error *err)
{
    TRY(create_file(writer, err));
    TRY(open_root(writer, err));
    TRY(sg_layout_write(writer->file, writer->root, run, &writer->summary, err));
    TRY(sg_audit_table_create(writer->summary, &writer->audit, err));
    TRY(init_tables(writer, columns, run, err));
    if (H5Fstart_swmr_write(writer->file) < 0)
        return sg_hdf_fail(err, SG_WRITE_FAILED, writer->file, "start to write", "/history");
    return sg_writer_flush(writer, false, err);
}

static sg_status reopen_all(struct sg_writer *writer, const struct sg_recorder_spec *run,
                            const struct sg_writer_columns *columns, struct sg_error *err)
{
    TRY(reopen_file(writer, err));
    TRY(sg_hdf_check_inside(writer->file, writer->part, err));
    TRY(keep_space(writer, err));
    TRY(open_root(writer, err));
    writer->summary = H5Gopen2(writer->file, "summary", H5P_DEFAULT);
    if (writer->summary < 0) return sg_hdf_fail(err, SG_NO_INPUT, writer->file, "go on with", "summary");
    writer->audit = sg_audit_table_reopen(writer->summary);
    TRY(init_tables(writer, columns, run, err));
    return sg_layout_set_status(writer->root, "running", err);
}

/* "run.h5" and more, as the arena's */
static sg_status extend_path(struct sg_writer *writer, const char *more, char **out, struct sg_error *err)
{
    TRY(sg_path_add(writer->path, more, out, err));
    return sg_arena_own(writer->arena, *out, sg_free, err);
}

sg_status sg_writer_init(struct sg_arena *arena, struct sg_writer *writer, const struct sg_recorder_spec *run,
                         const struct sg_writer_columns *columns, struct sg_error *err)
{
    *writer = (struct sg_writer){.arena = arena,
                                 .history.arena = arena,
                                 .events.arena = arena,
                                 .points.arena = arena,
                                 .totals.arena = arena,
                                 .lock = -1,
                                 .file = H5I_INVALID_HID,
                                 .root = H5I_INVALID_HID,
                                 .summary = H5I_INVALID_HID,
                                 .audit = H5I_INVALID_HID};
    TRY(sg_arena_copy_text(arena, run->path, &writer->path, err));
    TRY(extend_path(writer, ".part", &writer->part, err));
    TRY(extend_path(writer, LOCK, &writer->lock_path, err));
    TRY(sg_file_check_target(run->path, err));
    TRY(sg_file_check_target(writer->part, err));
    TRY(sg_checkpoint_check_name(run->path, err));
    TRY(sg_lock_take(writer->lock_path, &writer->lock, err));
    sg_hdf_quiet();
    if (run->resume) return reopen_all(writer, run, columns, err);
    sg_status status = create_all(writer, run, columns, err);
    if (status != SG_OK && writer->file > 0) unlink(writer->part); /* nothing is in it yet */
    return status;
}

static sg_status file_handle(const struct sg_writer *writer, int *fd, struct sg_error *err)
{
    int *handle = NULL;
    if (H5Fget_vfd_handle(writer->file, H5P_DEFAULT, (void **)&handle) < 0 || handle == NULL)
        return sg_hdf_fail(err, SG_WRITE_FAILED, H5I_INVALID_HID, "reach", writer->part);
    *fd = *handle;
    return SG_OK;
}

static sg_status sync_file(const struct sg_writer *writer, struct sg_error *err)
{
    int fd = -1;
    TRY(file_handle(writer, &fd, err));
    if (fsync(fd) != 0 && errno != EINVAL)
        FAIL(err, SG_WRITE_FAILED, "can't sync '%s': %s", writer->part, strerror(errno));
    return SG_OK;
}

static sg_status file_size(const struct sg_writer *writer, long long *size, struct sg_error *err)
{
    hsize_t bytes = 0;
    if (H5Fget_filesize(writer->file, &bytes) < 0)
        return sg_hdf_fail(err, SG_WRITE_FAILED, H5I_INVALID_HID, "measure", writer->part);
    *size = (long long)bytes;
    return SG_OK;
}

/* HDF5 flushes the new lengths of the datasets even if the disk had no room for the rows: followers
 * would see rows of rubbish. So the room is there before the flush starts. */
static sg_status reserve_room(struct sg_writer *writer, struct sg_error *err)
{
    int fd = -1;
    long long size = 0;
    TRY(file_handle(writer, &fd, err));
    TRY(file_size(writer, &size, err));
    long long wanted = size + METADATA_BYTES + (long long)sg_stream_table_buffer_bytes(&writer->history) +
                       (long long)sg_stream_table_buffer_bytes(&writer->events) +
                       (long long)sg_stream_table_buffer_bytes(&writer->points) +
                       (long long)sg_stream_table_buffer_bytes(&writer->totals);
    if (wanted <= writer->reserved) return SG_OK;
    int reason = posix_fallocate(fd, 0, wanted);
    if (reason != 0 && reason != EINVAL && reason != EOPNOTSUPP)
        FAIL(err, SG_WRITE_FAILED, "can't write '%s' (%lld bytes): %s", writer->part, wanted,
             strerror(reason));
    writer->reserved = wanted;
    return SG_OK;
}

static sg_status flush_file(struct sg_writer *writer, bool sync, struct sg_error *err)
{
    TRY(sg_stream_table_write(&writer->history, err));
    TRY(sg_stream_table_write(&writer->events, err));
    TRY(sg_stream_table_write(&writer->points, err));
    TRY(sg_stream_table_write(&writer->totals, err));
    TRY(reserve_room(writer, err));
    if (H5Fflush(writer->file, H5F_SCOPE_GLOBAL) < 0)
        return sg_hdf_fail(err, SG_WRITE_FAILED, H5I_INVALID_HID, "flush", writer->part);
    return sync ? sync_file(writer, err) : SG_OK;
}

static sg_status check_whole(const struct sg_writer *writer, struct sg_error *err)
{
    if (writer->broken) FAIL(err, SG_WRITE_FAILED, "an earlier write to '%s' failed", writer->part);
    return SG_OK;
}

sg_status sg_writer_flush(struct sg_writer *writer, bool sync, struct sg_error *err)
{
    TRY(check_whole(writer, err));
    sg_status status = flush_file(writer, sync, err);
    writer->broken = status != SG_OK;
    return status;
}

sg_status sg_writer_open_row(struct sg_writer *writer, struct sg_stream_table *table, struct sg_error *err)
{
    TRY(check_whole(writer, err));
    sg_status status = sg_stream_table_open_row(table, err);
    writer->broken = status != SG_OK;
    return status;
}

/* gives back the room that was reserved and not used */
static sg_status trim_file(const struct sg_writer *writer, struct sg_error *err)
{
    int fd = -1;
    long long size = 0;
    TRY(file_handle(writer, &fd, err));
    TRY(file_size(writer, &size, err));
    if (ftruncate(fd, size) != 0)
        FAIL(err, SG_WRITE_FAILED, "can't trim '%s' to %lld bytes: %s", writer->part, size, strerror(errno));
    return SG_OK;
}

static sg_status close_file(struct sg_writer *writer, struct sg_error *err)
{
    bool abandon = writer->broken;
    bool closed = sg_stream_table_release(&writer->history, abandon);
    closed = sg_stream_table_release(&writer->events, abandon) && closed;
    closed = sg_stream_table_release(&writer->points, abandon) && closed;
    closed = sg_stream_table_release(&writer->totals, abandon) && closed;
    if (!abandon) {
        closed = sg_hdf_close(writer->audit) && closed;
        closed = sg_hdf_close(writer->summary) && closed;
        closed = sg_hdf_close(writer->root) && closed;
        closed = sg_hdf_close(writer->file) && closed;
    }
    writer->audit = writer->summary = writer->root = writer->file = H5I_INVALID_HID;
    if (!closed) return sg_hdf_fail(err, SG_WRITE_FAILED, H5I_INVALID_HID, "close", writer->part);
    return SG_OK;
}

static sg_status check_end(const struct sg_writer *writer, struct sg_error *err)
{
    TRY(sg_stream_table_check_end(&writer->history, err));
    TRY(sg_stream_table_check_end(&writer->events, err));
    return sg_stream_table_check_end(&writer->points, err);
}

sg_status sg_writer_put_audit(struct sg_writer *writer, const struct sg_audit_list *list,
                              struct sg_error *err)
{
    TRY(check_whole(writer, err));
    sg_status status = sg_audit_table_write(writer->audit, list, err);
    writer->broken = status != SG_OK;
    return status;
}

static sg_status settle(struct sg_writer *writer, const char *status, const struct sg_summary *summary,
                        struct sg_error *err)
{
    bool complete = strcmp(status, "complete") == 0;
    TRY(check_whole(writer, err));
    if (complete) TRY(check_end(writer, err));
    TRY(sg_layout_set_summary(writer->summary, summary, err));
    TRY(sg_layout_set_status(writer->root, status, err));
    TRY(sg_writer_flush(writer, true, err));
    TRY(trim_file(writer, err));
    TRY(close_file(writer, err));
    if (!complete) return sg_file_sync(writer->part, err);
    TRY(sg_file_publish(writer->part, writer->path, err));
    /* while the lock is held: the next run's checkpoints are not ours */
    sg_checkpoint_remove(writer->path);
    return SG_OK;
}

static void unlock(struct sg_writer *writer)
{
    sg_lock_release(writer->lock_path, writer->lock);
    writer->lock = -1;
}

sg_status sg_writer_finish(struct sg_writer *writer, const char *status, const struct sg_summary *summary,
                           struct sg_error *err)
{
    sg_status result = settle(writer, status, summary, err);
    unlock(writer);
    return result;
}

void sg_writer_tidy(const char *path)
{
    char *lock_path = NULL;
    int lock = -1;
    if (sg_path_add(path, LOCK, &lock_path, NULL) != SG_OK) return;
    if (sg_lock_take(lock_path, &lock, NULL) == SG_OK) sg_checkpoint_remove(path);
    sg_lock_release(lock_path, lock);
    sg_free(lock_path);
}

void sg_writer_release(struct sg_writer *writer)
{
    if (writer->file > 0 && !writer->broken) trim_file(writer, NULL);
    close_file(writer, NULL);
    unlock(writer);
}
