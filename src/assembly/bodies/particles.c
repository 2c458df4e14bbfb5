#include <math.h>

#include "assembly/bodies/body.h"

struct spring_spec {
    struct sg_reals nodes;
    long long node;
    double stiffness, damping;
};

static const struct sg_keyword spring_rows[] = {
    {.name = "nodes",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "the two particles that it joins, numbered from 0; or give node",
     .example = "[0, 1]",
     .range = SG_NON_NEGATIVE,
     .min_items = 2,
     .max_items = 2,
     .offset = offsetof(struct spring_spec, nodes)},
    {.name = "node",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "the particle that it joins to the ground; or give nodes",
     .example = "0",
     .range = SG_AT_LEAST(0),
     .offset = offsetof(struct spring_spec, node)},
    {.name = "stiffness",
     .type = SG_REAL,
     .unit = "N/m",
     .meaning = "stiffness of the spring, which is undeformed at the given positions",
     .example = "1000.0",
     .flags = SG_REQUIRED,
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spring_spec, stiffness)},
    {.name = "damping",
     .type = SG_REAL,
     .unit = "N s/m",
     .meaning = "coefficient of the dashpot in parallel with the spring",
     .fallback = "0.0",
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spring_spec, damping)},
    {0}};

struct spec {
    struct sg_reals positions, masses;
    long long dim;
    const struct sg_setting *springs;
};

static const struct sg_keyword rows[] = {
    {.name = "positions",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "coordinates of the particles, one behind the other: with dim = 2, [x0, y0, x1, y1, ...]",
     .example = "[0.0, 1.0]",
     .flags = SG_REQUIRED,
     .min_items = 1,
     .offset = offsetof(struct spec, positions)},
    {.name = "dim",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "coordinates a particle has: 1, 2 or 3",
     .fallback = "1",
     .range = SG_BETWEEN(1, 3),
     .offset = offsetof(struct spec, dim)},
    {.name = "masses",
     .type = SG_REALS,
     .unit = "kg",
     .meaning = "masses of the particles; above 0 unless supported",
     .example = "[1.0, 1.0]",
     .flags = SG_REQUIRED,
     .range = SG_NON_NEGATIVE,
     .min_items = 1,
     .offset = offsetof(struct spec, masses)},
    {.name = "springs",
     .type = SG_LIST,
     .meaning = "springs and dashpots between particles, or from a particle to the ground; only with dim = 1",
     .rows = spring_rows,
     .offset = offsetof(struct spec, springs)},
    {0}};

static bool is_index(double value, size_t count)
{
    return value >= 0 && value < (double)count && floor(value) == value;
}

static void check_ends(const struct sg_setting *node, const double *ends, size_t count,
                       struct sg_diagnostics *diagnostics)
{
    for (size_t k = 0; k < 2; k++)
        if (!is_index(ends[k], count))
            sg_complain_about(diagnostics, SG_ERROR, node, "nodes", "%g is no particle: they are 0 to %zu",
                              ends[k], count - 1);
    if (ends[0] == ends[1])
        sg_complain_about(diagnostics, SG_ERROR, node, "nodes", "a spring can't join particle %g to itself",
                          ends[0]);
}

static void check_spring(const struct sg_setting *node, size_t count, struct sg_diagnostics *diagnostics)
{
    struct spring_spec spring = {0};
    sg_setting_fill(node, spring_rows, &spring);
    bool pair = spring.nodes.data != NULL, single = spring.node != SG_NOT_GIVEN;
    if (pair == single)
        sg_complain(diagnostics, SG_ERROR, node, "give either 'nodes' or 'node'%s", pair ? ", not both" : "");
    if (single && !is_index((double)spring.node, count))
        sg_complain_about(diagnostics, SG_ERROR, node, "node", "%lld is no particle: they are 0 to %zu",
                          spring.node, count - 1);
    if (pair) check_ends(node, spring.nodes.data, count, diagnostics);
}

static size_t spring_count(const struct spec *spec)
{
    return spec->springs == NULL ? 0 : sg_setting_count(spec->springs);
}

static void check_dim(const struct sg_setting *node, const struct spec *spec,
                      struct sg_diagnostics *diagnostics)
{
    if (spec->positions.count % (size_t)spec->dim != 0)
        sg_complain_about(diagnostics, SG_ERROR, node, "positions",
                          "has %zu number%s, which is no multiple of dim = %lld", spec->positions.count,
                          spec->positions.count == 1 ? "" : "s", spec->dim);
    if (spec->dim == 1 || spring_count(spec) == 0) return;
    sg_complain_about(diagnostics, SG_ERROR, node, "springs",
                      "springs of particles are linear along one axis: with dim = %lld there are none",
                      spec->dim);
    sg_hint(diagnostics, "springs that turn with their ends go in the list 'elements', type = \"spring\"");
}

static void check_masses(const struct sg_setting *node, const struct spec *spec, size_t count,
                         struct sg_diagnostics *diagnostics)
{
    if (spec->masses.count == count) return;
    const char *plural = spec->masses.count == 1 ? "" : "s";
    if (spec->dim == 1)
        sg_complain_about(diagnostics, SG_ERROR, node, "masses", "has %zu number%s where 'positions' has %zu",
                          spec->masses.count, plural, count);
    else
        sg_complain_about(diagnostics, SG_ERROR, node, "masses", "has %zu number%s for %zu particle%s",
                          spec->masses.count, plural, count, count == 1 ? "" : "s");
}

static sg_status measure(const struct sg_body_source *source, struct sg_body_size *size)
{
    const struct sg_setting *node = source->node;
    struct sg_diagnostics *diagnostics = source->diagnostics;
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    size_t errors = diagnostics->errors, dim = (size_t)spec.dim, count = spec.positions.count / dim;
    *size = (struct sg_body_size){.nodes = count, .dim = dim};
    check_dim(node, &spec, diagnostics);
    check_masses(node, &spec, count, diagnostics);
    for (size_t k = 0; k < spring_count(&spec); k++) {
        const struct sg_setting *item = sg_setting_item(spec.springs, k);
        struct spring_spec spring = {0};
        sg_setting_fill(item, spring_rows, &spring);
        check_spring(item, count, diagnostics);
        if (spring.nodes.data != NULL) size->elements++;
    }
    return diagnostics->errors > errors ? SG_BAD_DECK : SG_OK;
}

static void add_pair(struct sg_triplets *triplets, const size_t dof[2], double value)
{
    if (value == 0) return;
    bool rising = dof[1] > dof[0];
    sg_triplets_add(triplets, dof[0], dof[0], value);
    sg_triplets_add(triplets, dof[1], dof[1], value);
    sg_triplets_add(triplets, dof[rising ? 1 : 0], dof[rising ? 0 : 1], -value);
}

static void add_to_ground(const struct spring_spec *spring, const struct sg_body_target *target)
{
    size_t dof = target->first + (size_t)spring->node;
    sg_triplets_add(target->stiffness, dof, dof, spring->stiffness);
    if (spring->damping > 0) sg_triplets_add(target->damping, dof, dof, spring->damping);
}

/* as element `at` of the body */
static void add_between(const struct spring_spec *spring, const struct sg_body_target *target, size_t at)
{
    size_t dof[2];
    for (size_t k = 0; k < 2; k++) dof[k] = target->first + (size_t)spring->nodes.data[k];
    sg_body_join(target, at, dof[0], dof[1]);
    add_pair(target->stiffness, dof, spring->stiffness);
    add_pair(target->damping, dof, spring->damping);
}

static sg_status assemble(const struct sg_body_source *source, const struct sg_body_target *target)
{
    struct spec spec = {0};
    sg_setting_fill(source->node, rows, &spec);
    size_t dim = (size_t)spec.dim;
    for (size_t i = 0; i < spec.positions.count; i++) {
        size_t dof = target->first_dof + i;
        target->position[i] = spec.positions.data[i];
        sg_triplets_add(target->mass, dof, dof, spec.masses.data[i / dim]);
    }
    size_t joined = 0;
    for (size_t k = 0; k < spring_count(&spec); k++) {
        struct spring_spec spring = {0};
        sg_setting_fill(sg_setting_item(spec.springs, k), spring_rows, &spring);
        if (spring.nodes.data == NULL)
            add_to_ground(&spring, target);
        else
            add_between(&spring, target, joined++);
    }
    return SG_OK;
}

const struct sg_body_ops sg_body_particles = {
    .kind = {.name = "particles",
             .meaning = "point masses in one, two or three dimensions, joined by springs in one",
             .rows = rows},
    .measure = measure,
    .assemble = assemble,
};
