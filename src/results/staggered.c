#include "results/staggered.h"

#include "results/hdf.h"

/* opened as the reader does, which may have it open: by one who may not write, without locks */
static hid_t open_beside(const char *path)
{
    hid_t file = H5I_INVALID_HID, list = H5Pcreate(H5P_FILE_ACCESS);
    if (list >= 0 && H5Pset_file_locking(list, 0, 1) >= 0) {
        file = H5Fopen(path, H5F_ACC_RDONLY, list);
        if (file < 0) file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, list);
    }
    sg_hdf_close(list);
    return file;
}

bool sg_results_are_staggered(const char *path)
{
    sg_hdf_quiet();
    hid_t file = open_beside(path);
    bool staggered = file >= 0 && H5Lexists(file, "history", H5P_DEFAULT) > 0 &&
                     H5Lexists(file, "history/velocity", H5P_DEFAULT) > 0 &&
                     H5Aexists_by_name(file, "history/velocity", "staggering", H5P_DEFAULT) > 0;
    sg_hdf_close(file);
    return staggered;
}
