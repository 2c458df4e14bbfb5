#include <math.h>

#include "model/bodies/body.h"
#include "model/builder.h"

enum mass_kind { CONSISTENT, LUMPED, AVERAGE };
enum direction { POSITIVE, NEGATIVE };

struct spec {
    double length, area, modulus, density, position;
    long long elements;
    int mass, direction;
};

static const struct sg_keyword rows[] = {
    {.name = "length",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "length of the undeformed bar",
     .example = "1.0",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, length)},
    {.name = "elements",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "number of linear two-node elements, all of one length",
     .example = "100",
     .flags = SG_REQUIRED,
     .range = SG_AT_LEAST(1),
     .offset = offsetof(struct spec, elements)},
    {.name = "area",
     .type = SG_REAL,
     .unit = "m^2",
     .meaning = "area of the cross section",
     .example = "1.0",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, area)},
    {.name = "modulus",
     .type = SG_REAL,
     .unit = "Pa",
     .meaning = "Young's modulus",
     .example = "2.1e11",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, modulus)},
    {.name = "density",
     .type = SG_REAL,
     .unit = "kg/m^3",
     .meaning = "mass density",
     .example = "7800.0",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, density)},
    {.name = "mass",
     .type = SG_CHOICE,
     .meaning = "mass matrix; the average of the other two disperses waves least",
     .fallback = "\"consistent\"",
     .choices = "consistent|lumped|average",
     .offset = offsetof(struct spec, mass)},
    {.name = "position",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "coordinate of node 0",
     .fallback = "0.0",
     .offset = offsetof(struct spec, position)},
    {.name = "direction",
     .type = SG_CHOICE,
     .meaning = "way along the axis in which the nodes are numbered from node 0",
     .fallback = "\"positive\"",
     .choices = "positive|negative",
     .offset = offsetof(struct spec, direction)},
    {0}};

static sg_status measure(const struct sg_body_source *source, struct sg_body_size *size)
{
    const struct sg_node *node = source->node;
    struct sg_diagnostics *diagnostics = source->diagnostics;
    struct spec spec = {0};
    sg_node_fill(node, rows, &spec);
    size->elements = (size_t)spec.elements;
    size->nodes = size->elements + 1;
    size->dim = 1;
    double far = fabs(spec.position) + spec.length, step = spec.length / (double)spec.elements;
    /* what is too large is told by its number of elements alone */
    if (spec.elements > SG_DOF_LIMIT) return SG_OK;
    if (step > 8 * (nextafter(far, HUGE_VAL) - far)) return SG_OK;
    sg_complain_about(diagnostics, SG_ERROR, node, "length",
                      "elements of %g m can't be told apart at coordinates of %g m", step, far);
    return SG_BAD_DECK;
}

/* both for an element of mass 1: diagonal entry, coupling */
static const double element_mass[][2] = {
    [CONSISTENT] = {1.0 / 3, 1.0 / 6}, [LUMPED] = {1.0 / 2, 0}, [AVERAGE] = {5.0 / 12, 1.0 / 12}};

static sg_status assemble(const struct sg_body_source *source, const struct sg_body_target *target)
{
    struct spec spec = {0};
    sg_node_fill(source->node, rows, &spec);
    size_t elements = (size_t)spec.elements;
    double sense = spec.direction == POSITIVE ? 1 : -1, count = (double)elements;
    double mass = spec.density * spec.area * spec.length / count;
    double stiffness = spec.modulus * spec.area / spec.length * count;
    const double *share = element_mass[spec.mass];
    for (size_t i = 0; i <= elements; i++) {
        size_t dof = target->first + i;
        double neighbours = i == 0 || i == elements ? 1 : 2;
        target->position[i] = spec.position + sense * spec.length * ((double)i / count);
        sg_triplets_add(target->mass, dof, dof, neighbours * share[0] * mass);
        sg_triplets_add(target->stiffness, dof, dof, neighbours * stiffness);
        if (i == elements) continue;
        if (share[1] != 0) sg_triplets_add(target->mass, dof + 1, dof, share[1] * mass);
        sg_triplets_add(target->stiffness, dof + 1, dof, -stiffness);
        sg_body_join(target, i, dof, dof + 1);
    }
    return SG_OK;
}

const struct sg_body_ops sg_body_bar = {
    .kind = {.name = "bar", .meaning = "an elastic bar of linear elements along the axis", .rows = rows},
    .measure = measure,
    .assemble = assemble,
};
