#include <math.h>

#include "model/bodies/body.h"
#include "model/builder.h"
#include "model/lagrange.h"

enum mass_kind { CONSISTENT, LUMPED, AVERAGE };
enum direction { POSITIVE, NEGATIVE };

struct spec {
    double length, area, modulus, density, position;
    long long elements, order;
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
     .meaning = "number of elements, all of one length",
     .example = "100",
     .flags = SG_REQUIRED,
     .range = SG_AT_LEAST(1),
     .offset = offsetof(struct spec, elements)},
    {.name = "order",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "order p of the elements' polynomials, by p + 1 equidistant nodes an element",
     .fallback = "1",
     .range = SG_BETWEEN(1, SG_LAGRANGE_ORDER),
     .offset = offsetof(struct spec, order)},
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
    size->elements = (size_t)spec.elements * (size_t)spec.order;
    size->nodes = size->elements + 1;
    size->dim = 1;
    double far = fabs(spec.position) + spec.length, step = spec.length / (double)(spec.elements * spec.order);
    /* what is too large is told by its number of elements alone */
    if (spec.elements > SG_DOF_LIMIT) return SG_OK;
    if (step > 8 * (nextafter(far, HUGE_VAL) - far)) return SG_OK;
    sg_complain_about(diagnostics, SG_ERROR, node, "length",
                      "elements of %g m can't be told apart at coordinates of %g m", step, far);
    return SG_BAD_DECK;
}

/* matrices of one element, lower triangles */
struct element {
    double mass[SG_LAGRANGE_NODES][SG_LAGRANGE_NODES], stiffness[SG_LAGRANGE_NODES][SG_LAGRANGE_NODES];
};

static void integrate(const struct spec *spec, double size, struct element *element)
{
    struct sg_gauss rule = sg_gauss_rule();
    int order = (int)spec->order;
    *element = (struct element){0};
    for (int g = 0; g < SG_GAUSS_POINTS; g++) {
        struct sg_lagrange at = sg_lagrange_at(order, rule.point[g]);
        double mass = rule.weight[g] * size * spec->density * spec->area;
        double stiffness = rule.weight[g] / size * spec->modulus * spec->area;
        for (int i = 0; i <= order; i++)
            for (int j = 0; j <= i; j++) {
                element->mass[i][j] += mass * at.value[i] * at.value[j];
                element->stiffness[i][j] += stiffness * at.slope[i] * at.slope[j];
            }
    }
}

/* A translation costs no strain, not even by rounding. */
static void balance(struct element *element, int order)
{
    for (int i = 0; i <= order; i++) {
        double sum = 0;
        for (int j = 0; j <= order; j++)
            if (j != i) sum += i > j ? element->stiffness[i][j] : element->stiffness[j][i];
        element->stiffness[i][i] = -sum;
    }
}

/* moves a share of what is beside the diagonal onto it: 1 lumps by row sums */
static void lump(struct element *element, int order, double share)
{
    for (int i = 0; i <= order; i++)
        for (int j = 0; j < i; j++) {
            element->mass[i][i] += share * element->mass[i][j];
            element->mass[j][j] += share * element->mass[i][j];
            element->mass[i][j] *= 1 - share;
        }
}

static const double lumped_share[] = {[CONSISTENT] = 0, [LUMPED] = 1, [AVERAGE] = 0.5};

static void add_element(const struct sg_body_target *target, const struct element *element, size_t first,
                        size_t order)
{
    for (size_t i = 0; i <= order; i++)
        for (size_t j = 0; j <= i; j++) {
            if (element->mass[i][j] != 0)
                sg_triplets_add(target->mass, first + i, first + j, element->mass[i][j]);
            sg_triplets_add(target->stiffness, first + i, first + j, element->stiffness[i][j]);
        }
    for (size_t i = 0; i < order; i++)
        sg_body_join(target, first - target->first + i, first + i, first + i + 1);
}

/* At place 0 or 1 of an element whose nodes are first, first + step, ...: from the end inwards both look
 * alike.
 */
static void add_end(const struct sg_body_target *target, const struct spec *spec, size_t end, double size)
{
    struct sg_lagrange at = sg_lagrange_at((int)spec->order, 1.0);
    size_t order = (size_t)spec->order;
    struct sg_end_force force = {.stiffness = spec->modulus * spec->area, .count = order + 1};
    for (size_t i = 0; i <= order; i++) {
        force.node[i] = end == target->first ? end + i : end - i;
        force.slope[i] = at.slope[order - i] / size;
    }
    sg_end_forces_add(target->ends, &force);
}

static sg_status assemble(const struct sg_body_source *source, const struct sg_body_target *target)
{
    struct spec spec = {0};
    struct element element;
    sg_node_fill(source->node, rows, &spec);
    size_t count = (size_t)spec.elements, order = (size_t)spec.order, last = count * order;
    double sense = spec.direction == POSITIVE ? 1 : -1, size = spec.length / (double)count;
    for (size_t i = 0; i <= last; i++)
        target->position[i] = spec.position + sense * spec.length * ((double)i / (double)last);
    integrate(&spec, size, &element);
    balance(&element, (int)order);
    lump(&element, (int)order, lumped_share[spec.mass]);
    for (size_t k = 0; k < count; k++) add_element(target, &element, target->first + k * order, order);
    add_end(target, &spec, target->first, size);
    add_end(target, &spec, target->first + last, size);
    return SG_OK;
}

const struct sg_body_ops sg_body_bar = {
    .kind = {.name = "bar",
             .meaning = "an elastic bar along the axis, of elements of order 1 to 4",
             .rows = rows},
    .measure = measure,
    .assemble = assemble,
};
