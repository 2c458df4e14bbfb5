#include "assembly/bodies/beam_element.h"

#include <math.h>
#include <string.h>

struct spec {
    double modulus, density, area, inertia, width, height, line_mass;
};

const struct sg_keyword sg_beam_section_rows[] = {
    {.name = "modulus",
     .type = SG_REAL,
     .unit = "Pa",
     .meaning = "Young's modulus",
     .example = "30.0e9",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, modulus)},
    {.name = "density",
     .type = SG_REAL,
     .unit = "kg/m^3",
     .meaning = "mass density of the section",
     .example = "2500.0",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, density)},
    {.name = "width",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "width of a rectangular section, across the plane; with height, or give area and inertia",
     .example = "0.4",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, width)},
    {.name = "height",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "height of a rectangular section, in the plane",
     .example = "0.6",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, height)},
    {.name = "area",
     .type = SG_REAL,
     .unit = "m^2",
     .meaning = "area of a section of any shape, with inertia",
     .example = "0.24",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, area)},
    {.name = "inertia",
     .type = SG_REAL,
     .unit = "m^4",
     .meaning = "second moment of area about the axis of bending",
     .example = "7.2e-3",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, inertia)},
    {.name = "line_mass",
     .type = SG_REAL,
     .unit = "kg/m",
     .meaning = "mass per length that is carried in addition to the section's own: floors, walls",
     .fallback = "0.0",
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, line_mass)},
    {0}};

bool sg_beam_section_read(const struct sg_setting *node, struct sg_beam_section *section,
                          struct sg_diagnostics *diagnostics)
{
    struct spec spec = {0};
    sg_setting_fill(node, sg_beam_section_rows, &spec);
    bool sides = sg_setting_given(node, "width") && sg_setting_given(node, "height");
    bool numbers = sg_setting_given(node, "area") && sg_setting_given(node, "inertia");
    bool any_side = sg_setting_given(node, "width") || sg_setting_given(node, "height");
    bool any_number = sg_setting_given(node, "area") || sg_setting_given(node, "inertia");
    *section = (struct sg_beam_section){
        .modulus = spec.modulus,
        .area = sides ? spec.width * spec.height : spec.area,
        .inertia = sides ? spec.width * spec.height * spec.height * spec.height / 12 : spec.inertia};
    section->line_mass = spec.density * section->area + spec.line_mass;
    if (sides != numbers && any_side != any_number) return true;
    sg_complain(diagnostics, SG_ERROR, node,
                "a section needs 'width' and 'height', or 'area' and 'inertia', not parts of both");
    return false;
}

/* t^T a t, t the rotation of both ends' axes to the member's, a in the member's */
static void to_global(const double d[2], double length, double a[SG_BEAM_DOFS][SG_BEAM_DOFS])
{
    double c = d[0] / length, s = d[1] / length;
    double t[3][3] = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}, half[SG_BEAM_DOFS][SG_BEAM_DOFS] = {{0}};
    for (size_t i = 0; i < SG_BEAM_DOFS; i++)
        for (size_t j = 0; j < SG_BEAM_DOFS; j++)
            for (size_t k = 0; k < 3; k++) half[i][j] += a[i][j / 3 * 3 + k] * t[k][j % 3];
    memset(a, 0, sizeof half);
    for (size_t i = 0; i < SG_BEAM_DOFS; i++)
        for (size_t j = 0; j < SG_BEAM_DOFS; j++)
            for (size_t k = 0; k < 3; k++) a[i][j] += t[k][i % 3] * half[i / 3 * 3 + k][j];
}

void sg_beam_stiffness(const struct sg_beam_section *section, const double d[2],
                       double k[SG_BEAM_DOFS][SG_BEAM_DOFS])
{
    double l = hypot(d[0], d[1]), ea = section->modulus * section->area / l;
    double a = 12 * section->modulus * section->inertia / (l * l * l), b = a * l / 2, c = a * l * l / 3;
    const double local[SG_BEAM_DOFS][SG_BEAM_DOFS] = {{ea, 0, 0, -ea, 0, 0},   {0, a, b, 0, -a, b},
                                                      {0, b, c, 0, -b, c / 2}, {-ea, 0, 0, ea, 0, 0},
                                                      {0, -a, -b, 0, a, -b},   {0, b, c / 2, 0, -b, c}};
    memcpy(k, local, sizeof local);
    to_global(d, l, k);
}

void sg_beam_mass(const struct sg_beam_section *section, const double d[2], enum sg_beam_mass kind,
                  double m[SG_BEAM_DOFS][SG_BEAM_DOFS])
{
    double l = hypot(d[0], d[1]), mass = section->line_mass * l, e = mass / 420;
    double h = mass / 2, r = mass * l * l / 78;
    const double lumped[SG_BEAM_DOFS] = {h, h, r, h, h, r};
    const double consistent[SG_BEAM_DOFS][SG_BEAM_DOFS] = {
        {140 * e, 0, 0, 70 * e, 0, 0},
        {0, 156 * e, 22 * l * e, 0, 54 * e, -13 * l * e},
        {0, 22 * l * e, 4 * l * l * e, 0, 13 * l * e, -3 * l * l * e},
        {70 * e, 0, 0, 140 * e, 0, 0},
        {0, 54 * e, 13 * l * e, 0, 156 * e, -22 * l * e},
        {0, -13 * l * e, -3 * l * l * e, 0, -22 * l * e, 4 * l * l * e}};
    memset(m, 0, sizeof consistent);
    for (size_t i = 0; kind == SG_BEAM_LUMPED && i < SG_BEAM_DOFS; i++) m[i][i] = lumped[i];
    if (kind == SG_BEAM_LUMPED) return;
    memcpy(m, consistent, sizeof consistent);
    to_global(d, l, m);
}

static void scatter(const size_t *dof, double a[SG_BEAM_DOFS][SG_BEAM_DOFS], struct sg_triplets *triplets)
{
    for (size_t j = 0; j < SG_BEAM_DOFS; j++)
        for (size_t i = j; i < SG_BEAM_DOFS; i++)
            if (a[i][j] != 0)
                sg_triplets_add(triplets, dof[i] > dof[j] ? dof[i] : dof[j],
                                dof[i] > dof[j] ? dof[j] : dof[i], a[i][j]);
}

static void add_beam(const struct sg_body_target *target, const struct sg_beam *beam)
{
    const double *x = target->position + 2 * beam->a, *y = target->position + 2 * beam->b;
    const double d[2] = {y[0] - x[0], y[1] - x[1]};
    double matrix[SG_BEAM_DOFS][SG_BEAM_DOFS];
    size_t dof[SG_BEAM_DOFS];
    for (size_t i = 0; i < SG_BEAM_DOFS; i++)
        dof[i] = target->first_dof + target->node_dofs * (i < 3 ? beam->a : beam->b) + i % 3;
    sg_beam_stiffness(beam->section, d, matrix);
    scatter(dof, matrix, target->stiffness);
    sg_beam_mass(beam->section, d, beam->mass, matrix);
    scatter(dof, matrix, target->mass);
    sg_body_join(target, beam->index, target->first + beam->a, target->first + beam->b);
}

void sg_beam_add_member(const struct sg_body_target *target, const struct sg_beam *beam, size_t inner,
                        size_t parts)
{
    double *x = target->position, count = (double)parts;
    size_t a = beam->a, b = beam->b;
    for (size_t i = 1; i < parts; i++)
        for (size_t d = 0; d < 2; d++)
            x[2 * (inner + i - 1) + d] = x[2 * a + d] + (x[2 * b + d] - x[2 * a + d]) * ((double)i / count);
    for (size_t i = 0; i < parts; i++) {
        struct sg_beam part = *beam;
        part.index = beam->index + i;
        if (i > 0) part.a = inner + i - 1;
        if (i + 1 < parts) part.b = inner + i;
        add_beam(target, &part);
    }
}
