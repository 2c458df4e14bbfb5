#include "results/hdf.h"

#include <stdio.h>
#include <string.h>

enum { REASON_SIZE = 256, HEADER_ATTRIBUTES = 64 };

void sg_hdf_quiet(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* The file drivers wrap the operating system's words: "..., error message = 'No space left', buf = ...". */
static bool find_system_message(const char *text, char *reason)
{
    static const char mark[] = "error message = '";
    const char *start = strstr(text, mark);
    if (start == NULL) return false;
    start += sizeof mark - 1;
    const char *end = strchr(start, '\'');
    size_t length = end == NULL ? strlen(start) : (size_t)(end - start);
    if (length >= REASON_SIZE) length = REASON_SIZE - 1;
    memcpy(reason, start, length);
    reason[length] = '\0';
    return true;
}

static herr_t visit_error(unsigned level, const H5E_error2_t *entry, void *memory)
{
    char *reason = memory;
    if (entry->desc == NULL) return 0;
    if (find_system_message(entry->desc, reason)) return 1;
    if (level == 0) snprintf(reason, REASON_SIZE, "%s", entry->desc);
    return 0;
}

sg_status sg_hdf_fail(struct sg_error *err, sg_status status, hid_t object, const char *action,
                      const char *subject)
{
    char reason[REASON_SIZE] = "HDF5 gives no reason";
    char path[REASON_SIZE] = "";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, visit_error, reason);
    if (object >= 0) H5Fget_name(object, path, sizeof path);
    if (path[0] == '\0') FAIL(err, status, "can't %s '%s': %s", action, subject, reason);
    FAIL(err, status, "can't %s '%s' in '%s': %s", action, subject, path, reason);
}

bool sg_hdf_close(hid_t id)
{
    if (id <= 0) return true;
    switch (H5Iget_type(id)) {
    case H5I_FILE:
        return H5Fclose(id) >= 0;
    case H5I_DATASET:
        return H5Dclose(id) >= 0;
    default:
        return H5Idec_ref(id) >= 0;
    }
}

hid_t sg_hdf_text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0) return type;
    if (H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
    H5Tclose(type);
    return H5I_INVALID_HID;
}

static sg_status write_array(hid_t group, hid_t set, const struct sg_hdf_array *array, struct sg_error *err)
{
    bool empty = false;
    for (int i = 0; i < array->rank; i++) empty = empty || array->size[i] == 0;
    if (!empty && H5Dwrite(set, array->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, array->data) < 0)
        return sg_hdf_fail(err, SG_WRITE_FAILED, group, "write", array->name);
    TRY(sg_hdf_put_text_attribute(set, "units", array->unit, err));
    return sg_hdf_put_text_attribute(set, "description", array->description, err);
}

sg_status sg_hdf_put(hid_t group, const struct sg_hdf_array *array, struct sg_error *err)
{
    hid_t space = array->rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(array->rank, array->size, NULL);
    hid_t set = H5Dcreate2(group, array->name, array->type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    sg_status status = set < 0 ? sg_hdf_fail(err, SG_WRITE_FAILED, group, "create", array->name)
                               : write_array(group, set, array, err);
    bool closed = sg_hdf_close(set);
    if (status == SG_OK && !closed) status = sg_hdf_fail(err, SG_WRITE_FAILED, group, "close", array->name);
    sg_hdf_close(space);
    return status;
}

sg_status sg_hdf_put_attribute(hid_t object, const char *name, hid_t type, const void *data,
                               struct sg_error *err)
{
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool written = attribute >= 0 && H5Awrite(attribute, type, data) >= 0;
    sg_status status =
        written ? SG_OK : sg_hdf_fail(err, SG_WRITE_FAILED, object, "write the attribute", name);
    sg_hdf_close(attribute);
    sg_hdf_close(space);
    return status;
}

sg_status sg_hdf_put_text_attribute(hid_t object, const char *name, const char *text, struct sg_error *err)
{
    hid_t type = sg_hdf_text_type();
    sg_status status = sg_hdf_put_attribute(object, name, type, &text, err);
    sg_hdf_close(type);
    return status;
}

sg_status sg_hdf_set_attribute(hid_t object, const char *name, hid_t type, const void *data,
                               struct sg_error *err)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    bool written = attribute >= 0 && H5Awrite(attribute, type, data) >= 0;
    sg_status status = written ? SG_OK : sg_hdf_fail(err, SG_WRITE_FAILED, object, "set the attribute", name);
    sg_hdf_close(attribute);
    return status;
}

sg_status sg_hdf_create_group(hid_t parent, const char *name, hid_t *group, struct sg_error *err)
{
    hid_t list = H5Pcreate(H5P_GROUP_CREATE);
    bool set = list >= 0 && H5Pset_attr_phase_change(list, HEADER_ATTRIBUTES, HEADER_ATTRIBUTES - 2) >= 0;
    *group = set ? H5Gcreate2(parent, name, H5P_DEFAULT, list, H5P_DEFAULT) : H5I_INVALID_HID;
    sg_status status = *group >= 0 ? SG_OK : sg_hdf_fail(err, SG_WRITE_FAILED, parent, "create", name);
    sg_hdf_close(list);
    return status;
}

herr_t sg_hdf_visit(hid_t group, herr_t (*each)(hid_t, const char *, const sg_hdf_object *, void *),
                    void *memory)
{
#if H5_VERSION_GE(1, 12, 0)
    return H5Ovisit3(group, H5_INDEX_NAME, H5_ITER_INC, each, memory, H5O_INFO_BASIC);
#else
    return H5Ovisit2(group, H5_INDEX_NAME, H5_ITER_INC, each, memory, H5O_INFO_BASIC);
#endif
}

/* --- what leads to other files -------------------------------------------------------------------- */

#if H5_VERSION_GE(1, 12, 0)
typedef H5L_info2_t link_info;
#else
typedef H5L_info_t link_info;
#endif

/* name of the first link or dataset that leads out; "" while there is none */
struct outside {
    char name[REASON_SIZE];
};

static herr_t see_link(hid_t group, const char *name, const link_info *info, void *memory)
{
    struct outside *outside = memory;
    (void)group;
    if (info->type == H5L_TYPE_HARD || info->type == H5L_TYPE_SOFT) return 0;
    snprintf(outside->name, sizeof outside->name, "%s", name);
    return 1;
}

static bool stands_outside(hid_t set)
{
    hid_t list = set >= 0 ? H5Dget_create_plist(set) : H5I_INVALID_HID;
    bool outside = list >= 0 && (H5Pget_external_count(list) > 0 || H5Pget_layout(list) == H5D_VIRTUAL);
    sg_hdf_close(list);
    return outside;
}

static herr_t see_object(hid_t group, const char *name, const sg_hdf_object *info, void *memory)
{
    struct outside *outside = memory;
    if (info->type != H5O_TYPE_DATASET) return 0;
    hid_t set = H5Dopen2(group, name, H5P_DEFAULT);
    bool found = stands_outside(set);
    sg_hdf_close(set);
    if (found) snprintf(outside->name, sizeof outside->name, "%s", name);
    return found ? 1 : 0;
}

static herr_t visit_links(hid_t file, struct outside *outside)
{
#if H5_VERSION_GE(1, 12, 0)
    return H5Lvisit2(file, H5_INDEX_NAME, H5_ITER_INC, see_link, outside);
#else
    return H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, see_link, outside);
#endif
}

sg_status sg_hdf_check_inside(hid_t file, const char *path, struct sg_error *err)
{
    struct outside outside = {""};
    herr_t seen = visit_links(file, &outside);
    if (seen == 0) seen = sg_hdf_visit(file, see_object, &outside);
    if (seen < 0) return sg_hdf_fail(err, SG_NO_INPUT, file, "read", path);
    if (outside.name[0] == '\0') return SG_OK;
    FAIL(err, SG_NO_INPUT, "'%s' is not read: '%.100s' in it leads to another file", path, outside.name);
}
