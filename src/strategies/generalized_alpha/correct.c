/* Which solver serves a problem, and Newton's correction by it. Dense and sparse ones take S_t as it is.
 * Where G never changes, no friction acts and M has an inverse, the motions are eliminated (reduced.h): a
 * step then costs one solve with S instead of a factorisation of all three parts, and linear systems need no
 * iterates at all (condensed.h). */
#include "strategies/generalized_alpha/correct.h"

#include <string.h>

#include "strategies/generalized_alpha/reduced.h"
#include "strategies/generalized_alpha/scale.h"
#include "strategies/generalized_alpha/tangent.h"

/* Up to so many unknowns a sparse factorisation costs more than all of a dense one. */
enum { DENSE_LIMIT = 60 };

/* The solver that serves best was found by measurement: see docs/nonsmooth-generalized-alpha.md. */
static enum sg_ggl_method choose(const struct sg_ggl *ggl)
{
    const struct sg_ggl_problem *p = ggl->problem;
    const struct sg_ggl_spec *s = &ggl->spec;
    bool plain = ggl->level->corrects && s->coupling == SG_GGL_MONOLITHIC && s->variant == SG_GGL_STANDARD &&
                 p->affine && p->tangents == 0 && !ggl->scale.massless;
    bool small = ggl->most <= DENSE_LIMIT;
    if (s->method == SG_GGL_CONDENSED && plain && p->linear) return SG_GGL_CONDENSED;
    if (s->method == SG_GGL_SCHUR && plain) return SG_GGL_SCHUR;
    if (s->method == SG_GGL_DENSE || s->method == SG_GGL_SPARSE) return s->method;
    if (plain && p->linear) return SG_GGL_CONDENSED;
    if (plain && !small) return SG_GGL_SCHUR;
    return small ? SG_GGL_DENSE : SG_GGL_SPARSE;
}

sg_status sg_ggl_solver_init(struct sg_ggl *ggl, struct sg_error *err)
{
    const struct sg_ggl_problem *p = ggl->problem;
    ggl->most = 3 * ggl->n + p->bilateral + 2 * (ggl->rows + p->unilateral * p->tangents);
    ggl->method = choose(ggl);
    TRY(SG_ARENA_NEW(ggl->arena, &ggl->x, ggl->most, err));
    if (ggl->method == SG_GGL_SCHUR || ggl->method == SG_GGL_CONDENSED) return sg_ggl_reduced_init(ggl, err);
    size_t capacity = ggl->method == SG_GGL_SPARSE ? sg_ggl_count_entries(p) : 0;
    return sg_saddle_init(ggl->arena, &ggl->saddle, ggl->most, capacity, err);
}

static sg_status solve(struct sg_ggl *ggl, double sound, size_t count, double *x, struct sg_error *err)
{
    ggl->counts.factorizations++;
    ggl->counts.solves += (long long)count;
    return sg_saddle_solve(&ggl->saddle, sound, count, x, err);
}

/* Rows are independent at the start: masses may lie as far apart as they like. */
sg_status sg_ggl_respond(struct sg_ggl *ggl, size_t bilateral, size_t count, double *x, struct sg_error *err)
{
    if (ggl->reduced != NULL) return sg_ggl_reduced_respond(ggl, bilateral, count, x, err);
    sg_ggl_assemble_mass(ggl, bilateral);
    return solve(ggl, 0.0, count, x, err);
}

static sg_status assembled_correction(struct sg_ggl *ggl, int parts, struct sg_error *err)
{
    sg_ggl_assemble(ggl, parts);
    sg_ggl_right_side(ggl, parts, ggl->x);
    return solve(ggl, ggl->regularization > 0.0 ? 0.0 : SG_GGL_SOUND, 1, ggl->x, err);
}

/* Where no contact pushes and W is zero it stays so: v = v~ then, and the rows of Lam repeat those of lam. */
static int without_idle(const struct sg_ggl *ggl, int parts)
{
    const struct sg_ggl_part *jump = &ggl->part[SG_GGL_JUMP];
    if (!ggl->level->corrects || !(parts & SG_GGL_ONLY(SG_GGL_SMOOTH))) return parts;
    bool idle = jump->still && jump->active.count <= ggl->problem->bilateral;
    return idle ? parts & ~SG_GGL_ONLY(SG_GGL_JUMP) : parts;
}

sg_status sg_ggl_correct(struct sg_ggl *ggl, int parts, struct sg_error *err)
{
    const struct sg_ggl_problem *p = ggl->problem;
    ggl->counts.newton++;
    if (p->linearize != NULL && (parts & SG_GGL_ONLY(SG_GGL_SMOOTH)))
        p->linearize(p->self, ggl->t, ggl->q, ggl->v);
    if (ggl->reduced == NULL) {
        parts = without_idle(ggl, parts);
        sg_status status = assembled_correction(ggl, parts, err);
        if (status == SG_NO_SOLUTION && ggl->regularization == 0.0) {
            sg_error_clear(err);
            ggl->regularization = SG_GGL_DEPENDENT;
            status = assembled_correction(ggl, parts, err);
        }
        if (status != SG_OK) return status;
    } else {
        parts = SG_GGL_ALL;
        TRY(sg_ggl_reduced_solve(ggl, err));
    }
    sg_ggl_apply(ggl, parts, ggl->x);
    return SG_OK;
}
