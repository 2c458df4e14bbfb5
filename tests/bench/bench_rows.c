/* A row of 202 doubles (and its time) to the results file, beside HDF5 alone writing chunks of the same
 * size. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hdf5.h>

#include "bench.h"
#include "results/recorder.h"

enum { WIDTH = 202, ROWS = 20000, REPETITIONS = 7, CHUNK = 128 };

static void fill(const void *owner, const struct sg_snapshot *now, double *row)
{
    (void)owner;
    memcpy(row, now->u, WIDTH * sizeof *row);
}

static sg_status write_rows(const struct sg_observer *observer, struct sg_error *err)
{
    double state[WIDTH] = {0};
    struct sg_snapshot now = {.u = state};
    struct sg_sampler sampler = {0};
    for (size_t i = 0; i < ROWS; i++) {
        now.t = (double)i;
        state[i % WIDTH] = now.t;
        TRY(observer->step(observer->self, &now, i > 0 ? &sampler : NULL, 0, err));
    }
    return SG_OK;
}

static sg_status record(const char *path, double *seconds, struct sg_error *err)
{
    struct sg_quantities quantities = {0};
    struct sg_model_labels labels = {0};
    struct sg_recorder *recorder = NULL;
    const char *names[] = {"row"};
    struct sg_summary summary = {0};
    sg_quantities_add(&quantities,
                      (struct sg_quantity){
                          .name = "row", .unit = "1", .description = "a row", .width = WIDTH, .fill = fill});
    struct sg_recorder_spec spec = {.path = path,
                                    .end = ROWS,
                                    .names = names,
                                    .name_count = 1,
                                    .quantities = &quantities,
                                    .labels = &labels};
    sg_status status = sg_recorder_create(&spec, &recorder, err);
    if (status == SG_OK) {
        struct sg_observer observer = sg_recorder_observer(recorder);
        double start = bench_clock();
        status = write_rows(&observer, err);
        *seconds = bench_clock() - start;
    }
    if (status == SG_OK) status = sg_recorder_finish(recorder, "complete", &summary, err);
    sg_recorder_destroy(recorder);
    sg_quantities_release(&quantities);
    return status;
}

/* one dataset, a chunk at a time */
static bool write_plainly(hid_t set, double *chunk)
{
    bool good = true;
    for (hsize_t row = 0; good && row < ROWS; row++) {
        double *slot = chunk + row % CHUNK * WIDTH;
        memset(slot, 0, WIDTH * sizeof *slot);
        slot[row % WIDTH] = (double)row;
        if (row % CHUNK != CHUNK - 1) continue;
        hsize_t size[2] = {row + 1, WIDTH}, start[2] = {row + 1 - CHUNK, 0}, count[2] = {CHUNK, WIDTH};
        good = H5Dset_extent(set, size) >= 0;
        hid_t space = H5Dget_space(set), memory = H5Screate_simple(2, count, NULL);
        good = good && H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
               H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, chunk) >= 0;
        H5Sclose(memory);
        H5Sclose(space);
    }
    return good;
}

static sg_status plainly(const char *path, double *seconds, struct sg_error *err)
{
    static double chunk[CHUNK * WIDTH];
    hsize_t none[2] = {0, WIDTH}, limit[2] = {H5S_UNLIMITED, WIDTH}, shape[2] = {CHUNK, WIDTH};
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(2, none, limit), properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(properties, 2, shape);
    hid_t set = H5Dcreate2(file, "row", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    double start = bench_clock();
    bool good = set >= 0 && write_plainly(set, chunk);
    *seconds = bench_clock() - start;
    H5Dclose(set);
    H5Pclose(properties);
    H5Sclose(space);
    H5Fclose(file);
    if (!good) FAIL(err, SG_WRITE_FAILED, "can't write '%s'", path);
    return SG_OK;
}

static sg_status measure(const char *path, struct sg_error *err)
{
    struct bench_times times = {.count = REPETITIONS}, plain = {.count = REPETITIONS};
    for (size_t i = 0; i < times.count; i++) {
        TRY(record(path, &times.seconds[i], err));
        TRY(plainly(path, &plain.seconds[i], err));
    }
    bench_show(&(struct bench_line){"row of 202 doubles to HDF5", &times, &plain, ROWS, 2e-6});
    return SG_OK;
}

sg_status bench_rows(struct sg_error *err)
{
    char folder[] = "/tmp/signorini-bench-XXXXXX", path[64];
    if (mkdtemp(folder) == NULL) FAIL(err, SG_NO_OUTPUT, "can't create a folder below /tmp");
    snprintf(path, sizeof path, "%s/rows.h5", folder);
    sg_status status = measure(path, err);
    unlink(path);
    rmdir(folder);
    return status;
}
