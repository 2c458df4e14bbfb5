#include "linalg/modal_solve.h"

#include <cblas.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "linalg/eigen.h"
#include "support/arena.h"

/* no nonzero entry of the lower triangle is farther than `width` from the diagonal */
static bool within(size_t n, const double *a, size_t width)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = j + width + 1; i < n; i++)
            if (a[i + j * n] != 0) return false;
    return true;
}

static sg_status solve_tridiagonal(size_t n, double *a, double *k, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    double *off = NULL;
    TRY(SG_ARENA_NEW(&scratch, &off, n, err));
    for (size_t i = 0; i < n; i++) {
        k[i] = a[i + i * n];
        off[i] = i + 1 < n ? a[i + 1 + i * n] : 0;
    }
    lapack_int order = (lapack_int)n, info = LAPACKE_dstevd(LAPACK_COL_MAJOR, 'V', order, k, off, a, order);
    if (info == LAPACK_WORK_MEMORY_ERROR) FAIL(err, SG_NO_MEMORY, "out of memory: %zu modes", n);
    if (info != 0) FAIL(err, SG_NO_SOLUTION, "modes of a component of %zu dofs can't be found", n);
    return SG_OK;
}

/* K phi = M phi diag(k) with phi^T M phi = I, of one component of the model. Beside phi the block keeps
 * M phi, its inverse transposed: amplitudes are y = (M phi)^T u, displacements u = phi y, and nobody has to
 * solve a system to change coordinates. */

/* M = diag(m): the standard problem M^-1/2 K M^-1/2, on whose entries `scale` = m^-1/2 acts */
static sg_status solve_lumped(struct sg_modal_block *b, double *k, double *scale, struct sg_error *err)
{
    size_t n = b->size;
    for (size_t i = 0; i < n; i++) {
        double mass = b->mphi[i + i * n];
        if (!(mass > 0))
            FAIL(err, SG_BAD_DECK, "the mass matrix is not positive definite: dof %zu has mass %g", b->dof[i],
                 mass);
        scale[i] = 1 / sqrt(mass);
    }
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++) b->phi[i + j * n] *= scale[i] * scale[j];
    if (within(n, b->phi, 1))
        TRY(solve_tridiagonal(n, b->phi, k, err));
    else
        TRY(sg_eigen_dense(n, b->phi, k, err));
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) {
            double z = b->phi[i + j * n];
            b->phi[i + j * n] = z * scale[i];
            b->mphi[i + j * n] = z / scale[i];
        }
    return SG_OK;
}

/* mphi = M phi with a sparse M, whose entries are walked once a mode */
static void multiply_sparse(struct sg_modal_block *b, const struct sg_triplets *m)
{
    memset(b->mphi, 0, b->size * b->size * sizeof *b->mphi);
    for (size_t c = 0; c < b->size; c++) {
        const double *x = b->phi + c * b->size;
        double *y = b->mphi + c * b->size;
        for (size_t e = 0; e < m->count; e++) {
            size_t i = m->row[e], j = m->column[e];
            y[i] += m->value[e] * x[j];
            if (i != j) y[j] += m->value[e] * x[i];
        }
    }
}

static sg_status multiply_mass(struct sg_modal_block *b, const double *mass, struct sg_error *err)
{
    size_t n = b->size, filled = 0;
    for (size_t e = 0; e < n * n; e++) filled += mass[e] != 0;
    if (filled > n * n / 16) {
        int order = (int)n;
        cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, order, order, 1, mass, order, b->phi, order, 0,
                    b->mphi, order);
        return SG_OK;
    }
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets entries = {.arena = &scratch, .n = n};
    for (size_t j = 0; j < n; j++)
        for (size_t i = j; i < n; i++)
            if (mass[i + j * n] != 0) sg_triplets_add(&entries, i, j, mass[i + j * n]);
    bool failed = entries.failed;
    if (!failed) multiply_sparse(b, &entries);
    if (failed) FAIL(err, SG_NO_MEMORY, "out of memory: mass matrix of %zu dofs", n);
    return SG_OK;
}

static sg_status solve_consistent(struct sg_modal_block *b, double *k, struct sg_error *err)
{
    size_t n = b->size;
    SG_LOCAL_ARENA(scratch);
    double *mass = NULL;
    TRY(SG_ARENA_NEW(&scratch, &mass, n * n, err));
    memcpy(mass, b->mphi, n * n * sizeof *mass);
    lapack_int order = (lapack_int)n;
    lapack_int info = LAPACKE_dsygvd(LAPACK_COL_MAJOR, 1, 'V', 'L', order, b->phi, order, b->mphi, order, k);
    sg_status status = SG_OK;
    if (info == 0)
        status = multiply_mass(b, mass, err);
    else if (info == LAPACK_WORK_MEMORY_ERROR)
        status = sg_fail(err, SG_NO_MEMORY, "out of memory: %zu modes", n);
    else if (info > order)
        status = sg_fail(err, SG_BAD_DECK, "the mass matrix is not positive definite at dof %zu",
                         b->dof[info - order - 1]);
    else
        status = sg_fail(err, SG_NO_SOLUTION, "modes of a component of %zu dofs can't be found", n);
    return status;
}

/* A symmetric eigenvalue is found to n eps times the largest: what is below that is the 0 of a rigid motion,
 * whose square root would be a slow vibration that is not there. */
static void clear_rounding(size_t n, double *k)
{
    double largest = fmax(fabs(k[0]), fabs(k[n - 1]));
    double noise = (n > 16 ? (double)n : 16.0) * DBL_EPSILON * largest;
    for (size_t i = 0; i < n; i++)
        if (fabs(k[i]) < noise) k[i] = 0;
}

sg_status sg_modal_solve_block(struct sg_modal_block *b, double *k, struct sg_error *err)
{
    sg_status status = SG_OK;
    if (within(b->size, b->mphi, 0)) {
        SG_LOCAL_ARENA(scratch);
        double *scale = NULL;
        TRY(SG_ARENA_NEW(&scratch, &scale, b->size, err));
        status = solve_lumped(b, k, scale, err);
    } else {
        status = solve_consistent(b, k, err);
    }
    if (status == SG_OK) clear_rounding(b->size, k);
    return status;
}
