#include "integrators/linearized.h"

static struct sg_mck matrices(const struct sg_linearized *lin)
{
    return (struct sg_mck){&lin->system->M, &lin->tangent.C, &lin->tangent.K};
}

sg_status sg_linearized_init(struct sg_arena *arena, struct sg_linearized *lin,
                             const struct sg_system *system, struct sg_error *err)
{
    *lin = (struct sg_linearized){.system = system};
    TRY(sg_tangent_init(arena, &lin->tangent, system, err));
    struct sg_mck mck = matrices(lin);
    struct sg_factor_layout layout = sg_factor_layout_for(&mck);
    if (layout.kind == SG_SPARSE) TRY(sg_symbolic_create(arena, &mck, false, &layout.symbolic, err));
    return sg_factor_init(arena, &lin->factor, &layout, err);
}

sg_status sg_linearized_factor(struct sg_linearized *lin, struct sg_phase *phase,
                               const struct sg_linearize_at *at, struct sg_error *err)
{
    phase->counts.factorizations++;
    struct sg_mck mck = matrices(lin);
    sg_tangent_update(&lin->tangent, lin->system, at->t, at->u, at->v);
    return sg_factor_compute(&lin->factor, &mck, (double[3]){1.0, at->b, at->c}, err);
}

void sg_linearized_solve(const struct sg_linearized *lin, struct sg_phase *phase, double *x)
{
    phase->counts.solves++;
    sg_factor_solve(&lin->factor, x);
}
