#include "assembly/bodies/plane_material.h"

struct sg_plane_material sg_plane_material_of(const struct sg_plane_words *words)
{
    return (struct sg_plane_material){.modulus = words->modulus,
                                      .poisson = words->poisson,
                                      .density = words->density,
                                      .thickness = words->thickness,
                                      .strain = words->state == 0};
}

void sg_plane_material_check(const struct sg_setting *node, const struct sg_plane_words *words,
                             struct sg_diagnostics *diagnostics)
{
    bool strain = words->state == 0;
    if (strain && words->poisson > 0.4999999)
        sg_complain_about(diagnostics, SG_ERROR, node, "poisson",
                          "%g: in plane strain an incompressible body has no finite stiffness",
                          words->poisson);
    else if (strain && words->poisson > 0.49)
        sg_complain_about(diagnostics, SG_WARNING, node, "poisson",
                          "%g in plane strain: elements with full integration lock", words->poisson);
}
