#include "linalg/blas.h"

#include <cblas.h>

void sg_linalg_single_thread(void)
{
    openblas_set_num_threads(1);
}
