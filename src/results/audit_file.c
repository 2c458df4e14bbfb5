#include "results/audit_file.h"

#include "results/audit_table.h"
#include "results/hdf.h"

sg_status sg_audit_read(const char *path, struct sg_audit_list *list, struct sg_error *err)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = H5I_INVALID_HID;
    list->count = 0;
    sg_hdf_quiet();
    if (access >= 0 && H5Pset_file_locking(access, 0, 1) >= 0) {
        file = H5Fopen(path, H5F_ACC_RDONLY, access);
        if (file < 0) file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access);
    }
    sg_hdf_close(access);
    if (file < 0) return sg_hdf_fail(err, SG_NO_INPUT, H5I_INVALID_HID, "open", path);
    hid_t summary = H5Lexists(file, "summary", H5P_DEFAULT) > 0 ? H5Gopen2(file, "summary", H5P_DEFAULT)
                                                                : H5I_INVALID_HID;
    if (summary >= 0) sg_audit_table_read(summary, list);
    sg_hdf_close(summary);
    sg_hdf_close(file);
    return SG_OK;
}
