/* HDF5 as the results use it: quiet, with its errors turned into ours. Included within results/ only. */
#ifndef SG_RESULTS_HDF_H
#define SG_RESULTS_HDF_H

#include <stdbool.h>
#include <stddef.h>

#include <hdf5.h>

#include "support/status.h"

/* Stops the library from printing its error stacks, in this process (it keeps them for sg_hdf_fail). */
void sg_hdf_quiet(void);

/* Raises "can't ACTION 'SUBJECT' in 'PATH': reason", the reason being the operating system's or the
 * deepest one on HDF5's error stack. Call at once after the failure: any HDF5 call clears the stack.
 * `object` leads to the path and may be a negative id. */
sg_status sg_hdf_fail(struct sg_error *err, sg_status status, hid_t object, const char *action,
                      const char *subject);

/* closes any id; false if what it had to write could not be written. Ids that are no object (<= 0) are fine.
 */
bool sg_hdf_close(hid_t id);

/* Calls `each` for the group and all objects below it, by name. HDF5 1.12 gave this function and the type of
 * its callback a new version; which of them a bare H5O_info_t means depends on how the library was set up, so
 * both are named by their versions here. */
#if H5_VERSION_GE(1, 12, 0)
typedef H5O_info2_t sg_hdf_object;
#else
typedef H5O_info_t sg_hdf_object;
#endif
herr_t sg_hdf_visit(hid_t group, herr_t (*each)(hid_t, const char *, const sg_hdf_object *, void *),
                    void *memory);

/* SG_NO_INPUT, with a message that names the place, where something in the file stands in another one: an
 * external link, one of a kind that plug-ins bring, a dataset with raw storage outside or made of others.
 * HDF5 would follow all of them wherever they lead, also to write. */
sg_status sg_hdf_check_inside(hid_t file, const char *path, struct sg_error *err);

/* The type of variable-length UTF-8 text; close it. Only for what is written before SWMR starts. */
hid_t sg_hdf_text_type(void);

/* An array to be written whole. `rank` 0: a scalar. Text: type of sg_hdf_text_type, data char **. */
struct sg_hdf_array {
    const char *name, *unit, *description;
    hid_t type;
    int rank;
    hsize_t size[2];
    const void *data; /* row-major */
};

/* creates and writes a dataset with its attributes `units` and `description` */
sg_status sg_hdf_put(hid_t group, const struct sg_hdf_array *array, struct sg_error *err);

/* creates a scalar attribute */
sg_status sg_hdf_put_attribute(hid_t object, const char *name, hid_t type, const void *data,
                               struct sg_error *err);
sg_status sg_hdf_put_text_attribute(hid_t object, const char *name, const char *text, struct sg_error *err);

/* overwrites a scalar attribute of an open object (allowed while SWMR goes on, for fixed-size types) */
sg_status sg_hdf_set_attribute(hid_t object, const char *name, hid_t type, const void *data,
                               struct sg_error *err);

/* Creates a group whose attributes stay in its header however many they are: dense attribute storage
 * must not change during SWMR. */
sg_status sg_hdf_create_group(hid_t parent, const char *name, hid_t *group, struct sg_error *err);

#endif
