#include "integrators/linearized.h"

static struct sg_mck matrices(const struct sg_linearized *lin)
{
    return (struct sg_mck){&lin->system->M, &lin->tangent.C, &lin->tangent.K};
}

sg_status sg_linearized_init(struct sg_linearized *lin, const struct sg_system *system, struct sg_error *err)
{
    *lin = (struct sg_linearized){.system = system};
    TRY(sg_tangent_init(&lin->tangent, system, err));
    struct sg_mck mck = matrices(lin);
    struct sg_factor_layout layout = sg_factor_layout_for(&mck);
    if (layout.kind == SG_SPARSE) TRY(sg_symbolic_create(&mck, false, &lin->symbolic, err));
    layout.symbolic = lin->symbolic;
    return sg_factor_init(&lin->factor, &layout, err);
}

void sg_linearized_release(struct sg_linearized *lin)
{
    sg_factor_release(&lin->factor);
    sg_symbolic_destroy(lin->symbolic);
    sg_tangent_release(&lin->tangent);
    *lin = (struct sg_linearized){0};
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
