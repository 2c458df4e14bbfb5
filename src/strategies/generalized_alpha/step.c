#include "strategies/generalized_alpha/step.h"

const struct sg_ggl_level_facts sg_ggl_levels[] = {
    [SG_GGL_VELOCITY] = {.parts = SG_GGL_ONLY(SG_GGL_SMOOTH) | SG_GGL_ONLY(SG_GGL_JUMP),
                         .jumps = true,
                         .follows = 0.5},
    [SG_GGL_POSITION] = {.parts = SG_GGL_ONLY(SG_GGL_SMOOTH), .holds = true},
    [SG_GGL_BOTH] = {.parts = SG_GGL_ALL, .holds = true, .jumps = true, .corrects = true}};

/* --- memory --------------------------------------------------------------------------------------- */

sg_status sg_ggl_allocate(struct sg_ggl *ggl, struct sg_error *err)
{
    struct sg_ggl_part *smooth = &ggl->part[SG_GGL_SMOOTH], *jump = &ggl->part[SG_GGL_JUMP];
    struct sg_ggl_part *correction = &ggl->part[SG_GGL_CORRECTION];
    size_t contacts = ggl->problem->unilateral, rows = ggl->rows + contacts * ggl->problem->tangents;
    double **const by_dof[] = {&ggl->vd,       &ggl->vd0,    &ggl->U,
                               &ggl->W,        &ggl->f,      &smooth->momentum,
                               &ggl->own[0],   &ggl->own[1], &correction->momentum,
                               &jump->momentum};
    double **const by_row[] = {
        &ggl->rate0, &ggl->drift0, &ggl->rate1,        &ggl->drift1,           &ggl->lam,
        &ggl->nu,    &ggl->Lam,    &smooth->violation, &correction->violation, &jump->violation};
    for (size_t k = 0; k < sizeof by_dof / sizeof *by_dof; k++)
        TRY(SG_ARENA_NEW(ggl->arena, by_dof[k], ggl->n, err));
    for (size_t k = 0; k < sizeof by_row / sizeof *by_row; k++)
        TRY(SG_ARENA_NEW(ggl->arena, by_row[k], rows, err));
    for (size_t p = 0; p < SG_GGL_PARTS; p++)
        TRY(SG_ARENA_NEW(ggl->arena, &ggl->part[p].active.row, rows, err));
    smooth->multiplier = ggl->lam;
    correction->multiplier = ggl->nu;
    jump->multiplier = ggl->Lam;
    ggl->LamT = ggl->Lam + ggl->rows;
    ggl->nuT = ggl->nu + ggl->rows;
    TRY(SG_ARENA_NEW(ggl->arena, &ggl->travel, rows - ggl->rows, err));
    TRY(SG_ARENA_NEW(ggl->arena, &ggl->stuck, contacts, err));
    TRY(SG_ARENA_NEW(ggl->arena, &ggl->slip_direction, rows - ggl->rows, err));
    TRY(SG_ARENA_NEW(ggl->arena, &ggl->candidate, contacts, err));
    TRY(SG_ARENA_NEW(ggl->arena, &ggl->slip, contacts, err));
    TRY(SG_ARENA_NEW(ggl->arena, &ggl->follows, ggl->rows, err));
    return SG_ARENA_NEW(ggl->arena, &ggl->slip_norm, contacts, err);
}
