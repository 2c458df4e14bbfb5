#include <math.h>

#include "assembly/bodies/body.h"
#include "assembly/elements/kinds.h"

struct spec {
    double radius, opening, node_mass, stiffness, torsion_stiffness;
    long long elements;
    struct sg_reals position;
};

static const struct sg_keyword rows[] = {
    {.name = "radius",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "radius of the circle on which the nodes lie; the arch rises in y over the line of its ends",
     .example = "1.0",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, radius)},
    {.name = "opening",
     .type = SG_REAL,
     .unit = "rad",
     .meaning = "angle at the circle's center between the first node and the last",
     .example = "0.7853981633974483",
     .flags = SG_REQUIRED,
     .range = {0, 6.283185307179586, true, true, true},
     .offset = offsetof(struct spec, opening)},
    {.name = "elements",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "number of rods, all of one length; nodes are numbered from 0 on the left",
     .example = "11",
     .flags = SG_REQUIRED,
     .range = SG_AT_LEAST(2),
     .offset = offsetof(struct spec, elements)},
    {.name = "node_mass",
     .type = SG_REAL,
     .unit = "kg",
     .meaning = "mass of each node",
     .example = "1.0",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, node_mass)},
    {.name = "stiffness",
     .type = SG_REAL,
     .unit = "N/m",
     .meaning = "stiffness of each rod, a spring that is unstressed as generated",
     .example = "1.0",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, stiffness)},
    {.name = "torsion_stiffness",
     .type = SG_REAL,
     .unit = "N m/rad",
     .meaning = "stiffness of the torsion spring at each inner node, which is unstressed as generated",
     .example = "4.16e-5",
     .flags = SG_REQUIRED,
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, torsion_stiffness)},
    {.name = "position",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "x and y of the middle between the ends",
     .fallback = "[0.0, 0.0]",
     .min_items = 2,
     .max_items = 2,
     .offset = offsetof(struct spec, position)},
    {0}};

static sg_status measure(const struct sg_body_source *source, struct sg_body_size *size)
{
    const struct sg_setting *node = source->node;
    struct sg_diagnostics *diagnostics = source->diagnostics;
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    size->elements = (size_t)spec.elements;
    size->nodes = size->elements + 1;
    size->dim = 2;
    const double *middle = spec.position.data;
    double far = fmax(fabs(middle[0]), fabs(middle[1])) + 2 * spec.radius;
    double rod = 2 * spec.radius * sin(spec.opening / (double)spec.elements / 2), square = rod * rod;
    if (rod > 8 * (nextafter(far, HUGE_VAL) - far) && square > 0 && isfinite(square)) return SG_OK;
    sg_complain_about(diagnostics, SG_ERROR, node, "radius",
                      "rods of %g m can't be resolved at coordinates of %g m", rod, far);
    return SG_BAD_DECK;
}

/* The left half mirrors the right one to the last bit, so that a symmetric arch stays symmetric. */
static void place_nodes(const struct spec *spec, double *position)
{
    double count = (double)spec->elements, half = spec->opening / 2;
    for (long long i = 0; i <= spec->elements; i++) {
        double angle = (2 * (double)i - count) / count * half;
        position[2 * i] = spec->position.data[0] + spec->radius * sin(angle);
        position[2 * i + 1] = spec->position.data[1] + spec->radius * (cos(angle) - cos(half));
    }
}

static void add_rod(const struct sg_body_target *target, size_t i, double stiffness)
{
    const size_t first[2] = {target->first_dof + 2 * i, target->first_dof + 2 * (i + 1)};
    struct sg_element rod = sg_element_on_nodes(&sg_element_spring, first, 2, 2);
    rod.parameter[SG_SPRING_STIFFNESS] = stiffness;
    rod.parameter[SG_SPRING_LENGTH] = sg_spring_length(target->position + 2 * i, 2);
    sg_elements_add(target->elements, &rod);
    sg_body_join(target, i, target->first + i, target->first + i + 1);
}

static void add_torsion(const struct sg_body_target *target, size_t i, double stiffness)
{
    size_t dof = target->first_dof + 2 * i;
    const size_t first[3] = {dof, dof + 2, dof + 4};
    struct sg_element spring = sg_element_on_nodes(&sg_element_torsion_spring, first, 3, 2);
    spring.parameter[SG_TORSION_STIFFNESS] = stiffness;
    spring.parameter[SG_TORSION_ANGLE] = sg_torsion_angle(target->position + 2 * i);
    sg_elements_add(target->elements, &spring);
}

static sg_status assemble(const struct sg_body_source *source, const struct sg_body_target *target)
{
    struct spec spec = {0};
    sg_setting_fill(source->node, rows, &spec);
    size_t rods = (size_t)spec.elements;
    place_nodes(&spec, target->position);
    for (size_t i = 0; i < 2 * (rods + 1); i++) {
        size_t dof = target->first_dof + i;
        sg_triplets_add(target->mass, dof, dof, spec.node_mass);
    }
    for (size_t i = 0; i < rods; i++) add_rod(target, i, spec.stiffness);
    for (size_t i = 0; i + 1 < rods && spec.torsion_stiffness > 0; i++)
        add_torsion(target, i, spec.torsion_stiffness);
    return SG_OK;
}

const struct sg_body_ops sg_body_chain = {
    .kind = {.name = "chain",
             .meaning = "an arch of rods in 2-D, joined by torsion springs (Di Stasio et al. 2019)",
             .rows = rows},
    .measure = measure,
    .assemble = assemble,
};
