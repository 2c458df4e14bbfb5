#include "results/setup.h"

#include <hdf5.h>

void sg_results_setup(void)
{
    H5dont_atexit();
}
