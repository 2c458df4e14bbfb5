#include <math.h>

#include "assembly/bodies/body.h"
#include "assembly/builder.h"
#include "model/end_force.h"
#include "model/lagrange.h"
#include "model/strip.h"
#include "support/memory.h"

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
     .meaning = "area of the cross section, one for all or along the bar",
     .example = "1.0",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .kinds = &sg_profile_kinds,
     .offset = offsetof(struct spec, area)},
    {.name = "modulus",
     .type = SG_REAL,
     .unit = "Pa",
     .meaning = "Young's modulus, one for all or along the bar",
     .example = "2.1e11",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .kinds = &sg_profile_kinds,
     .offset = offsetof(struct spec, modulus)},
    {.name = "density",
     .type = SG_REAL,
     .unit = "kg/m^3",
     .meaning = "mass density, one for all or along the bar",
     .example = "7800.0",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE,
     .kinds = &sg_profile_kinds,
     .offset = offsetof(struct spec, density)},
    {.name = "mass",
     .type = SG_CHOICE,
     .meaning = "mass matrix; of linear elements the average of the other two disperses waves least",
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
     .meaning = "direction along the axis in which the nodes are numbered from node 0",
     .fallback = "\"positive\"",
     .choices = "positive|negative",
     .offset = offsetof(struct spec, direction)},
    {0}};

/* --- size ----------------------------------------------------------------------------------------- */

static void fill(const struct sg_body_source *source, struct spec *spec)
{
    sg_setting_fill(source->node, rows, spec);
    if (source->elements > 0) spec->elements = (long long)source->elements;
}

static sg_status check_length(const struct sg_body_source *source, const struct spec *spec)
{
    double far = fabs(spec->position) + spec->length;
    double step = spec->length / (double)(spec->elements * spec->order);
    if (step > 8 * (nextafter(far, HUGE_VAL) - far)) return SG_OK;
    sg_complain_about(source->diagnostics, SG_ERROR, source->node, "length",
                      "%s of %g m can't be resolved at coordinates of %g m",
                      spec->order == 1 ? "elements" : "parts of elements between nodes", step, far);
    return SG_BAD_DECK;
}

/* Row sums are masses of nodes that integrate polynomials of degree 3 only where p is 2 or 3: to keep the
 * order 2 p of frequencies, degree 2 p - 1 is needed. */
static sg_status check_mass(const struct sg_body_source *source, const struct spec *spec)
{
    const char *fault = NULL;
    if (spec->mass == LUMPED && spec->order > 2)
        fault = "\"lumped\" needs elements of order 1 or 2: with masses at the equidistant nodes, "
                "frequencies of higher elements converge with order 4 only, for p = 4 with order 6";
    if (spec->mass == AVERAGE && spec->order > 1)
        fault = "\"average\" needs elements of order 1: it reduces the dispersion of these";
    if (fault == NULL) return SG_OK;
    sg_complain_about(source->diagnostics, SG_ERROR, source->node, "mass", "%s", fault);
    return SG_BAD_DECK;
}

static sg_status read_profiles(const struct sg_body_source *source, const struct spec *spec,
                               struct sg_strip *strip)
{
    const struct {
        const char *keyword;
        double number;
        struct sg_profile *profile;
    } wanted[] = {{"area", spec->area, &strip->area},
                  {"modulus", spec->modulus, &strip->modulus},
                  {"density", spec->density, &strip->density}};
    sg_status worst = SG_OK;
    for (size_t k = 0; k < 3; k++) {
        struct sg_profile_source from = {.arena = source->arena,
                                         .deck = source->deck,
                                         .body = source->node,
                                         .keyword = wanted[k].keyword,
                                         .number = wanted[k].number,
                                         .length = spec->length,
                                         .diagnostics = source->diagnostics,
                                         .err = source->err};
        sg_status status = sg_profile_init(&from, wanted[k].profile);
        if (status != SG_OK && status != SG_BAD_DECK && status != SG_NO_INPUT) return status;
        if (status != SG_OK && worst != SG_NO_INPUT) worst = status;
    }
    return worst;
}

static sg_status measure(const struct sg_body_source *source, struct sg_body_size *size)
{
    struct sg_strip *strip = NULL;
    struct spec spec = {0};
    fill(source, &spec);
    size->elements = (size_t)spec.elements;
    if (spec.elements <= SG_DOF_LIMIT) size->elements *= (size_t)spec.order;
    size->nodes = size->elements + 1;
    size->dim = 1;
    TRY(SG_ARENA_NEW(source->arena, &strip, 1, source->err));
    size->data = strip;
    strip->elements = (size_t)spec.elements;
    strip->order = (int)spec.order;
    strip->size = spec.length / (double)spec.elements;
    sg_status status = read_profiles(source, &spec, strip);
    TRY(status == SG_BAD_DECK ? SG_OK : status);
    TRY(check_mass(source, &spec));
    /* A mesh that is too large is told by its number of elements alone. */
    if (spec.elements <= SG_DOF_LIMIT) TRY(check_length(source, &spec));
    return status;
}

/* --- matrices ------------------------------------------------------------------------------------- */

/* moves a share of what is beside the diagonal onto it: 1 lumps by row sums */
static void lump(struct sg_strip_element *element, int order, double share)
{
    for (int i = 0; i <= order; i++)
        for (int j = 0; j < i; j++) {
            element->mass[i][i] += share * element->mass[i][j];
            element->mass[j][j] += share * element->mass[i][j];
            element->mass[i][j] *= 1 - share;
        }
}

static const double lumped_share[] = {[CONSISTENT] = 0, [LUMPED] = 1, [AVERAGE] = 0.5};

static void add_element(const struct sg_body_target *target, const struct sg_strip_element *element,
                        size_t first, size_t order)
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

static void add_matrices(const struct sg_body_target *target, const struct sg_strip *strip, double share)
{
    struct sg_strip_element element;
    size_t order = (size_t)strip->order;
    bool uniform = sg_strip_is_uniform(strip);
    for (size_t k = 0; k < strip->elements; k++) {
        if (k == 0 || !uniform) {
            sg_strip_integrate(strip, k, &element);
            lump(&element, strip->order, share);
        }
        add_element(target, &element, strip->first + k * order, order);
    }
}

/* From the end inwards both ends look alike. */
static void add_end(const struct sg_body_target *target, const struct sg_strip *strip, bool last)
{
    struct sg_lagrange at = sg_lagrange_at(strip->order, 1.0);
    size_t order = (size_t)strip->order, end = strip->first + (last ? strip->elements * order : 0);
    double s = last ? (double)strip->elements * strip->size : 0;
    struct sg_end_force force = {.stiffness = sg_strip_section(strip, s).stiffness, .count = order + 1};
    for (size_t i = 0; i <= order; i++) {
        force.node[i] = last ? end - i : end + i;
        force.slope[i] = at.slope[order - i] / strip->size;
    }
    sg_end_forces_add(target->aspects, &force);
}

static sg_status assemble(const struct sg_body_source *source, const struct sg_body_target *target)
{
    struct spec spec = {0};
    struct sg_strip *strip = target->data;
    fill(source, &spec);
    strip->first = target->first;
    size_t last = strip->elements * (size_t)strip->order;
    double sense = spec.direction == POSITIVE ? 1 : -1;
    for (size_t i = 0; i <= last; i++)
        target->position[i] = spec.position + sense * spec.length * ((double)i / (double)last);
    add_matrices(target, strip, lumped_share[spec.mass]);
    add_end(target, strip, false);
    add_end(target, strip, true);
    sg_strips_add(target->aspects, strip);
    return SG_OK;
}

const struct sg_body_ops sg_body_bar = {
    .kind = {.name = "bar",
             .meaning = "an elastic bar along the axis, of elements of order 1 to 4",
             .rows = rows},
    .small_motion = true,
    .measure = measure,
    .assemble = assemble,
};
