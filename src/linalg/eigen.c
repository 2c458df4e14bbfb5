#include "linalg/eigen.h"

#include <lapacke.h>

sg_status sg_eigen_dense(size_t n, double *a, double *w, struct sg_error *err)
{
    if (n == 0) return SG_OK;
    if (n > INT32_MAX) FAIL(err, SG_NO_MEMORY, "dense eigenproblem of %zu dofs is too large", n);
    lapack_int order = (lapack_int)n;
    lapack_int info = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', order, a, order, w);
    if (info == LAPACK_WORK_MEMORY_ERROR)
        FAIL(err, SG_NO_MEMORY, "out of memory: eigenproblem of %zu dofs", n);
    if (info < 0) FAIL(err, SG_NO_SOLUTION, "eigenproblem of %zu dofs has an entry that is not finite", n);
    if (info > 0) FAIL(err, SG_NO_SOLUTION, "eigenproblem of %zu dofs did not converge", n);
    return SG_OK;
}
