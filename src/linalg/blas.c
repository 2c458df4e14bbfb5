#include "linalg/blas.h"

#include <stdlib.h>

#include <cblas.h>
#include <lapacke.h>

void sg_linalg_single_thread(void)
{
    openblas_set_num_threads(1);
}

sg_status sg_linalg_reserve(struct sg_error *err)
{
    double one = 1.0;
    void *space = malloc(SG_BLAS_WORK_SPACE);
    if (space == NULL)
        FAIL(err, SG_NO_MEMORY, "out of memory: OpenBLAS needs %d bytes", (int)SG_BLAS_WORK_SPACE);
    free(space);
    /* OpenBLAS keeps what it takes */
    if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', 1, &one, 1) != 0)
        FAIL(err, SG_INTERNAL, "OpenBLAS can't factorize a positive number");
    return SG_OK;
}
