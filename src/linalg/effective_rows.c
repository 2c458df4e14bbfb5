#include <math.h>
#include <string.h>

#include "linalg/effective_slot.h"
#include "linalg/small.h"
#include "linalg/vector.h"

void sg_effective_rows_reset(const struct sg_effective *op, struct sg_effective_slot *s)
{
    s->cap_stamp = 0;
    for (size_t j = 0; j < op->q; j++) {
        if (s->touched[j]) memset(s->have + j * op->q, 0, op->q * sizeof *s->have);
        s->touched[j] = false;
    }
}

/* --- responses ------------------------------------------------------------------------------------ */

static void response_column(const struct sg_effective *op, struct sg_effective_slot *s, size_t j)
{
    double *re = s->x_re + j * op->n, *im = s->is_complex ? s->x_im + j * op->n : NULL;
    memset(re, 0, op->n * sizeof *re);
    sg_columns_add(op->rows.w, j, 1.0, re);
    if (im != NULL) {
        memset(im, 0, op->n * sizeof *im);
        sg_factor_solve_complex(&s->factor, re, im);
    } else {
        sg_factor_solve(&s->factor, re);
    }
    s->touched[j] = true;
    for (size_t i = 0; i < op->q; i++) {
        double y = im != NULL ? sg_columns_dot(op->rows.w, i, im) : 0.0;
        s->gram[j * op->q + i] = sg_columns_dot(op->rows.w, i, re) + y * I;
        s->have[j * op->q + i] = true;
    }
}

double complex sg_effective_rows_gram(const struct sg_effective *op, struct sg_effective_slot *s, size_t i,
                                      size_t j)
{
    size_t at = j * op->q + i;
    if (s->have[at]) return s->gram[at];
    if (!op->diagonal) {
        response_column(op, s, j);
        return s->gram[at];
    }
    double sum[2];
    sg_columns_form(op->rows.w, i, j, (const double *const[2]){s->factor.re, s->factor.im}, sum);
    s->gram[at] = s->gram[i * op->q + j] = sum[0] + sum[1] * I;
    s->have[at] = s->have[i * op->q + j] = true;
    s->touched[i] = s->touched[j] = true;
    return s->gram[at];
}

void sg_effective_rows_response(const struct sg_effective *op, const struct sg_effective_slot *s, size_t j,
                                double *x)
{
    if (!op->diagonal) {
        memcpy(x, s->x_re + j * op->n, op->n * sizeof *x);
        return;
    }
    memset(x, 0, op->n * sizeof *x);
    sg_columns_add(op->rows.w, j, 1.0, x);
    sg_factor_solve(&s->factor, x);
}

/* y += z X_j */
static void add_response(const struct sg_effective *op, const struct sg_effective_slot *s, size_t j,
                         double complex z, struct sg_split y)
{
    double factor[2] = {creal(z), cimag(z)};
    if (op->diagonal) {
        sg_columns_add_scaled(op->rows.w, j, factor, (struct sg_split){s->factor.re, s->factor.im}, y);
        return;
    }
    struct sg_split x = {s->x_re + j * op->n, y.im != NULL ? s->x_im + j * op->n : NULL};
    if (y.im == NULL)
        sg_axpy(op->n, factor[0], x.re, y.re);
    else
        sg_axpy_complex(op->n, factor, x, y);
}

/* --- the capacitance matrix ----------------------------------------------------------------------- */

/* An elastic row acts through the stiffness only: without K in the triple it does nothing. */
static bool acts(const struct sg_effective *op, const struct sg_effective_slot *s, size_t j)
{
    return s->c != 0.0 || !isfinite(op->rows.kappa[j]);
}

/* D_jj = 1 / (c kappa_j), 0 for a rigid row */
static double complex compliance(const struct sg_effective *op, const struct sg_effective_slot *s, size_t j)
{
    if (!isfinite(op->rows.kappa[j])) return 0.0;
    return 1.0 / (s->c * op->rows.kappa[j]);
}

/* The capacitance matrix of the active rows, of the order of their number,
 *
 *     D + W_A^T X,   D = diag(1 / (c kappa)),   X = (a M + b C + c K)^-1 W_A,
 *
 * in which a contact that closes or opens is a row and a column more or less, and a spring that changes its
 * stiffness an entry of D: the large matrix is never factored again. A row that does not act in this triple
 * has the row of the identity, by which the others don't see it. */
sg_status sg_effective_rows_prepare(struct sg_effective *op, struct sg_effective_slot *s,
                                    struct sg_error *err)
{
    size_t na = op->active_count;
    for (size_t l = 0; l < na; l++) {
        size_t j = op->active[l];
        for (size_t k = 0; k < na; k++) {
            size_t i = op->active[k];
            double complex gram = sg_effective_rows_gram(op, s, i, j);
            s->cap[l * na + k] = acts(op, s, i) && acts(op, s, j) ? gram : 0.0;
        }
        s->cap[l * na + l] += acts(op, s, j) ? compliance(op, s, j) : 1.0;
    }
    if (!sg_small_factor_complex(na, s->cap, s->pivot))
        FAIL(err, SG_NO_SOLUTION,
             "the %zu active contacts are linearly dependent: their reactions are not unique", na);
    s->cap_stamp = op->stamp;
    return SG_OK;
}

/* w_j . y + sum of gram_jl lead_l */
static double complex projection(const struct sg_effective *op, const struct sg_effective_slot *s, size_t j,
                                 const double complex *lead, struct sg_split y)
{
    double dots[2] = {0.0, 0.0};
    if (y.im != NULL)
        sg_columns_dot_two(op->rows.w, j, y.re, y.im, dots);
    else
        dots[0] = sg_columns_dot(op->rows.w, j, y.re);
    double re = dots[0], im = dots[1];
    for (size_t l = 0; lead != NULL && l < op->active_count; l++) {
        double complex g = s->gram[op->active[l] * op->q + j], r = lead[l];
        re += creal(g) * creal(r) - cimag(g) * cimag(r);
        im += creal(g) * cimag(r) + cimag(g) * creal(r);
    }
    return re + im * I;
}

void sg_effective_rows_apply(struct sg_effective *op, const struct sg_effective_slot *s,
                             const double complex *lead, struct sg_split y)
{
    size_t na = op->active_count;
    for (size_t i = 0; i < na; i++) {
        size_t j = op->active[i];
        op->z[i] = acts(op, s, j) ? projection(op, s, j, lead, y) : 0.0;
    }
    sg_small_solve_complex(na, s->cap, s->pivot, op->z);
    for (size_t i = 0; i < na; i++)
        add_response(op, s, op->active[i], (lead != NULL ? lead[i] : 0.0) - op->z[i], y);
}
