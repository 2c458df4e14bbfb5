#include "strategies/generalized_alpha/step.h"

#include "support/memory.h"

/* --- memory --------------------------------------------------------------------------------------- */

sg_status sg_ggl_allocate(struct sg_ggl *ggl, struct sg_error *err)
{
    struct sg_ggl_part *smooth = &ggl->part[SG_GGL_SMOOTH], *jump = &ggl->part[SG_GGL_JUMP];
    struct sg_ggl_part *correction = &ggl->part[SG_GGL_CORRECTION];
    size_t contacts = ggl->problem->unilateral, slides = contacts * ggl->problem->tangents;
    double **const by_dof[] = {&ggl->vd,       &ggl->vd0,    &ggl->U,
                               &ggl->W,        &ggl->f,      &smooth->momentum,
                               &ggl->own[0],   &ggl->own[1], &correction->momentum,
                               &jump->momentum};
    double **const by_row[] = {
        &ggl->rate0, &ggl->drift0, &ggl->rate1,        &ggl->drift1,           &ggl->lam,
        &ggl->nu,    &ggl->Lam,    &smooth->violation, &correction->violation, &jump->violation};
    double **const by_slide[] = {&ggl->LamT, &ggl->slide, &ggl->slip_direction};
    for (size_t k = 0; k < sizeof by_dof / sizeof *by_dof; k++) TRY(SG_NEW(by_dof[k], ggl->n, err));
    for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++) TRY(SG_NEW(by_row[k], ggl->rows, err));
    for (size_t k = 0; k < sizeof by_slide / sizeof *by_slide; k++) TRY(SG_NEW(by_slide[k], slides, err));
    for (size_t p = 0; p < SG_GGL_PARTS; p++) TRY(SG_NEW(&ggl->part[p].active.row, ggl->rows, err));
    smooth->multiplier = ggl->lam;
    correction->multiplier = ggl->nu;
    jump->multiplier = ggl->Lam;
    TRY(SG_NEW(&ggl->candidate, contacts, err));
    TRY(SG_NEW(&ggl->slip, contacts, err));
    TRY(SG_NEW(&ggl->follows, ggl->rows, err));
    return SG_NEW(&ggl->slip_norm, contacts, err);
}

void sg_ggl_free(struct sg_ggl *ggl)
{
    void *const owned[] = {ggl->vd,     ggl->vd0,    ggl->U,      ggl->W,         ggl->f,
                           ggl->lam,    ggl->nu,     ggl->Lam,    ggl->LamT,      ggl->slide,
                           ggl->rate0,  ggl->drift0, ggl->rate1,  ggl->drift1,    ggl->candidate,
                           ggl->slip,   ggl->own[0], ggl->own[1], ggl->slip_norm, ggl->slip_direction,
                           ggl->follows};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) sg_free(owned[k]);
    for (size_t p = 0; p < SG_GGL_PARTS; p++) {
        sg_free(ggl->part[p].active.row);
        sg_free(ggl->part[p].momentum);
        sg_free(ggl->part[p].violation);
    }
}

/* --- rows ----------------------------------------------------------------------------------------- */

int sg_ggl_parts(const struct sg_ggl *ggl)
{
    switch (ggl->spec.level) {
    case SG_GGL_VELOCITY:
        return SG_GGL_ONLY(SG_GGL_SMOOTH) | SG_GGL_ONLY(SG_GGL_JUMP);
    case SG_GGL_POSITION:
        return SG_GGL_ONLY(SG_GGL_SMOOTH);
    default:
        return SG_GGL_ALL;
    }
}

double sg_ggl_dot(const struct sg_ggl *ggl, size_t row, const double *x)
{
    struct sg_ggl_row of = sg_ggl_row(ggl, row);
    return sg_columns_dot(of.w, of.column, x);
}

void sg_ggl_add(const struct sg_ggl *ggl, size_t row, double s, double *y)
{
    struct sg_ggl_row of = sg_ggl_row(ggl, row);
    sg_columns_add(of.w, of.column, s, y);
}

bool sg_ggl_is_zero(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] != 0.0) return false;
    return true;
}
