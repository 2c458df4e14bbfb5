/* Rectangles of plane elements, and a disk of one. */
#include <float.h>
#include <math.h>

#include "assembly/bodies/body.h"
#include "assembly/bodies/continuum_add.h"
#include "assembly/bodies/plane_material.h"
#include "assembly/builder.h"
#include "model/continuum/stress.h"

enum form { RECTANGLE, CIRCLE };
enum { GIVEN_SHAPES = 5, MOST_A_SIDE = 100000 };

enum { CIRCLE_NODES = 9 };

struct spec {
    int form, element;
    double width, height, radius, rotation;
    long long nx, ny;
    struct sg_reals position;
    struct sg_plane_words material;
};

static const struct sg_keyword rows[] = {
    {.name = "shape",
     .type = SG_CHOICE,
     .meaning = "a rectangle of nx x ny cells, or a circle: a single quad9 with eight nodes on it",
     .fallback = "\"rectangle\"",
     .choices = "rectangle|circle",
     .offset = offsetof(struct spec, form)},
    {.name = "width",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "length of a rectangle along x",
     .example = "0.4",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, width)},
    {.name = "height",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "length of a rectangle along y",
     .example = "0.6",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, height)},
    {.name = "nx",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "cells along x",
     .example = "8",
     .range = SG_BETWEEN(1, MOST_A_SIDE),
     .offset = offsetof(struct spec, nx)},
    {.name = "ny",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "cells along y",
     .example = "12",
     .range = SG_BETWEEN(1, MOST_A_SIDE),
     .offset = offsetof(struct spec, ny)},
    {.name = "radius",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "of a circle",
     .example = "0.5",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, radius)},
    {.name = "element",
     .type = SG_CHOICE,
     .meaning = "elements of a rectangle: one quadrilateral in each cell, or two triangles; those with 3 and "
                "4 nodes are linear, the others quadratic",
     .fallback = "\"quad4\"",
     .choices = "quad4|quad8|quad9|tri3|tri6",
     .offset = offsetof(struct spec, element)},
    {.name = "position",
     .type = SG_REALS,
     .unit = "m",
     .meaning = "x and y of the lower left corner, or of the circle's center",
     .fallback = "[0.0, 0.0]",
     .min_items = 2,
     .max_items = 2,
     .offset = offsetof(struct spec, position)},
    {.name = "rotation",
     .type = SG_REAL,
     .unit = "rad",
     .meaning = "angle by which the body is turned about its position, counter-clockwise",
     .fallback = "0.0",
     .offset = offsetof(struct spec, rotation)},
    SG_PLANE_MATERIAL_ROWS(offsetof(struct spec, material), SG_REQUIRED),
    {0}};

/* --- sizes ---------------------------------------------------------------------------------------- */

/* in the order of the choices */
static const enum sg_element_shape shapes[GIVEN_SHAPES] = {SG_SHAPE_QUAD4, SG_SHAPE_QUAD8, SG_SHAPE_QUAD9,
                                                           SG_SHAPE_TRI3, SG_SHAPE_TRI6};

static enum sg_element_shape shape_of(const struct spec *spec)
{
    return spec->form == CIRCLE ? SG_SHAPE_QUAD9 : shapes[spec->element];
}

/* The rectangle's nodes are places (i, j), 0 <= i <= last[0], of a grid that has `step` a cell. */
struct grid {
    enum sg_element_shape shape;
    size_t cells[2], step, last[2];
};

static struct grid grid_of(const struct spec *spec)
{
    struct grid grid = {.shape = shape_of(spec), .cells = {(size_t)spec->nx, (size_t)spec->ny}};
    grid.step = sg_element_shape_nodes(grid.shape) > sg_element_shape_corners(grid.shape) ? 2 : 1;
    for (size_t c = 0; c < 2; c++) grid.last[c] = grid.step * grid.cells[c];
    return grid;
}

/* Tells whether a quad8 leaves the place out: the middle of a cell. */
static bool is_hole(const struct grid *grid, size_t i, size_t j)
{
    return grid->shape == SG_SHAPE_QUAD8 && i % 2 == 1 && j % 2 == 1;
}

/* Rows from the bottom to the top, each from left to right. */
static size_t node_at(const struct grid *grid, size_t i, size_t j)
{
    size_t full = grid->last[0] + 1;
    if (grid->shape != SG_SHAPE_QUAD8) return full * j + i;
    size_t before = (j + 1) / 2 * full + j / 2 * (grid->cells[0] + 1);
    return before + (j % 2 == 1 ? i / 2 : i);
}

static bool is_triangle(const struct grid *grid)
{
    return sg_element_shape_corners(grid->shape) == 3;
}

static void measure_grid(const struct grid *grid, struct sg_body_size *size)
{
    size->nodes = node_at(grid, grid->last[0], grid->last[1]) + 1;
    size->elements = grid->cells[0] * grid->cells[1] * (is_triangle(grid) ? 2 : 1);
}

/* --- faults --------------------------------------------------------------------------------------- */

/* Each form needs its own words and has no use for the other's. */
static void check_words(const struct sg_body_source *source, const struct spec *spec)
{
    static const char *const of_rectangle[] = {"width", "height", "nx", "ny"}, *const of_circle[] = {
                                                                                   "radius"};
    static const struct {
        const char *name;
        const char *const *words;
        size_t count;
    } forms[] = {{"rectangle", of_rectangle, 4}, {"circle", of_circle, 1}};
    for (int form = RECTANGLE; form <= CIRCLE; form++)
        for (size_t k = 0; k < forms[form].count; k++) {
            const char *word = forms[form].words[k];
            bool given = sg_setting_given(source->node, word), needed = form == spec->form;
            if (given == needed) continue;
            sg_complain_about(source->diagnostics, SG_ERROR, source->node, word,
                              needed ? "is needed by shape = \"%s\"" : "is used with shape = \"%s\" only",
                              forms[form].name);
        }
}

/* A resolved deck gives the default, which asks for nothing. */
static void check_element(const struct sg_body_source *source, const struct spec *spec)
{
    enum sg_element_shape shape = shapes[spec->element];
    if (spec->form != CIRCLE || shape == SG_SHAPE_QUAD9 || shape == SG_SHAPE_QUAD4) return;
    sg_complain_about(source->diagnostics, SG_ERROR, source->node, "element",
                      "\"%s\" needs shape = \"rectangle\": a circle is one quad9",
                      sg_element_shape_name(shapes[spec->element]));
}

static void check_resolution(const struct sg_body_source *source, const struct spec *spec)
{
    double size = spec->form == CIRCLE ? spec->radius : fmax(spec->width, spec->height);
    double cell = spec->form == CIRCLE
                      ? spec->radius
                      : fmin(spec->width / (double)spec->nx, spec->height / (double)spec->ny);
    const double *at = spec->position.data;
    double far = fmax(fabs(at[0]), fabs(at[1])) + 2 * size, area = cell * cell;
    if (cell > 8 * (nextafter(far, HUGE_VAL) - far) && area >= DBL_MIN && isfinite(far * far)) return;
    sg_complain_about(source->diagnostics, SG_ERROR, source->node, spec->form == CIRCLE ? "radius" : "width",
                      "cells of %g m can't be resolved at coordinates of %g m", cell, far);
}

static sg_status measure(const struct sg_body_source *source, struct sg_body_size *size)
{
    struct spec spec = {0};
    sg_setting_fill(source->node, rows, &spec);
    size_t errors = source->diagnostics->errors;
    *size = (struct sg_body_size){.nodes = CIRCLE_NODES, .elements = 1, .dim = 2, .width = CIRCLE_NODES};
    check_words(source, &spec);
    check_element(source, &spec);
    sg_plane_material_check(source->node, &spec.material, source->diagnostics);
    if (source->diagnostics->errors != errors) return SG_BAD_DECK;
    check_resolution(source, &spec);
    struct grid grid = grid_of(&spec);
    size->width = sg_element_shape_nodes(grid.shape);
    if (spec.form == RECTANGLE) measure_grid(&grid, size);
    return source->diagnostics->errors != errors ? SG_BAD_DECK : SG_OK;
}

/* --- rectangle ------------------------------------------------------------------------------------ */

/* A body is written from this. */
struct work {
    const struct sg_body_source *source;
    const struct sg_body_target *target;
    struct spec spec;
    struct grid grid;
    size_t material;
};

/* from coordinates of the unturned body about its position */
static void place(const struct work *work, size_t node, double x, double y)
{
    const struct spec *spec = &work->spec;
    double c = spec->rotation == 0 ? 1 : cos(spec->rotation),
           s = spec->rotation == 0 ? 0 : sin(spec->rotation);
    double *to = work->target->position + 2 * node;
    to[0] = spec->position.data[0] + (c * x - s * y);
    to[1] = spec->position.data[1] + (s * x + c * y);
}

static void place_grid(const struct work *work)
{
    const struct grid *grid = &work->grid;
    for (size_t j = 0; j <= grid->last[1]; j++)
        for (size_t i = 0; i <= grid->last[0]; i++)
            if (!is_hole(grid, i, j))
                place(work, node_at(grid, i, j), work->spec.width * ((double)i / (double)grid->last[0]),
                      work->spec.height * ((double)j / (double)grid->last[1]));
}

/* places in a cell, in halves of it */
static const size_t quad_places[][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0},
                                        {2, 1}, {1, 2}, {0, 1}, {1, 1}};
static const size_t triangle_places[2][2][6][2] = {
    {{{0, 0}, {2, 0}, {2, 2}, {1, 0}, {2, 1}, {1, 1}}, {{0, 0}, {2, 2}, {0, 2}, {1, 1}, {1, 2}, {0, 1}}},
    {{{0, 0}, {2, 0}, {0, 2}, {1, 0}, {1, 1}, {0, 1}}, {{2, 0}, {2, 2}, {0, 2}, {2, 1}, {1, 2}, {1, 1}}}};

static bool add_element(const struct work *work, const size_t cell[2], size_t element,
                        const size_t places[][2])
{
    const struct grid *grid = &work->grid;
    struct sg_continuum_element out = {.shape = grid->shape, .element = element, .material = work->material};
    for (size_t k = 0; k < sg_element_shape_nodes(grid->shape); k++) {
        size_t i = grid->step * cell[0] + places[k][0] * grid->step / 2;
        size_t j = grid->step * cell[1] + places[k][1] * grid->step / 2;
        out.node[k] = work->target->first + node_at(grid, i, j);
    }
    return sg_continuum_add(work->source, work->target, &out);
}

/* Diagonals of triangles alternate, so that they prefer no direction. */
static bool add_cell(const struct work *work, const size_t cell[2], size_t index)
{
    if (!is_triangle(&work->grid)) return add_element(work, cell, index, quad_places);
    size_t way = (cell[0] + cell[1]) % 2;
    return add_element(work, cell, 2 * index, triangle_places[way][0]) &&
           add_element(work, cell, 2 * index + 1, triangle_places[way][1]);
}

static bool add_cells(const struct work *work)
{
    const size_t *cells = work->grid.cells;
    for (size_t j = 0; j < cells[1]; j++)
        for (size_t i = 0; i < cells[0]; i++) {
            const size_t cell[2] = {i, j};
            if (!add_cell(work, cell, cells[0] * j + i)) return false;
        }
    return true;
}

/* --- sets ----------------------------------------------------------------------------------------- */

static const char *const side_names[] = {"bottom", "right", "top", "left"};

/* node k of a side, which goes around counter-clockwise */
static size_t side_node(const struct work *work, size_t side, size_t k)
{
    const struct grid *grid = &work->grid;
    size_t across = grid->last[0], up = grid->last[1];
    const size_t places[4][2] = {{k, 0}, {across, k}, {across - k, up}, {0, up - k}};
    /* a difference that is not asked for may wrap around */
    return work->target->first + node_at(grid, places[side][0], places[side][1]);
}

/* nodes (all but the last where the next side begins with it) and edges of a side, to the open set */
static void add_side(const struct work *work, size_t side, bool closed)
{
    struct sg_node_sets *sets = work->target->sets;
    size_t last = work->grid.last[side % 2], step = work->grid.step;
    for (size_t k = 0; k < last + (closed ? 1 : 0); k++) sg_node_sets_add(sets, side_node(work, side, k));
    for (size_t k = 0; k < last; k += step) {
        const size_t node[3] = {side_node(work, side, k), side_node(work, side, k + step),
                                side_node(work, side, k + step / 2)};
        sg_node_sets_add_edge(sets, step == 2 ? SG_SHAPE_LINE3 : SG_SHAPE_LINE2, node);
    }
}

static void add_sides(const struct work *work)
{
    for (size_t side = 0; side < 4; side++) {
        sg_node_sets_open(work->target->sets, side_names[side]);
        add_side(work, side, true);
    }
    sg_node_sets_open(work->target->sets, "boundary");
    for (size_t side = 0; side < 4; side++) add_side(work, side, false);
}

/* --- circle --------------------------------------------------------------------------------------- */

#define DIAGONAL 0.70710678118654752440 /* sqrt(1/2) */

/* The image of a square: corners on the diagonals, middles of edges below, right, above and left. */
static void place_circle(const struct work *work)
{
    static const double at[CIRCLE_NODES][2] = {{-DIAGONAL, -DIAGONAL},
                                               {DIAGONAL, -DIAGONAL},
                                               {DIAGONAL, DIAGONAL},
                                               {-DIAGONAL, DIAGONAL},
                                               {0, -1},
                                               {1, 0},
                                               {0, 1},
                                               {-1, 0},
                                               {0, 0}};
    for (size_t k = 0; k < CIRCLE_NODES; k++)
        place(work, k, work->spec.radius * at[k][0], work->spec.radius * at[k][1]);
}

static bool add_circle(const struct work *work)
{
    struct sg_continuum_element out = {.shape = SG_SHAPE_QUAD9, .material = work->material};
    for (size_t k = 0; k < CIRCLE_NODES; k++) out.node[k] = work->target->first + k;
    return sg_continuum_add(work->source, work->target, &out);
}

static void add_rim(const struct work *work)
{
    struct sg_node_sets *sets = work->target->sets;
    size_t first = work->target->first;
    for (size_t side = 0; side < 5; side++) {
        bool whole = side == 4;
        sg_node_sets_open(sets, whole ? "boundary" : side_names[side]);
        for (size_t edge = whole ? 0 : side; edge < (whole ? 4 : side + 1); edge++) {
            const size_t node[3] = {first + edge, first + (edge + 1) % 4, first + 4 + edge};
            sg_node_sets_add(sets, node[0]);
            sg_node_sets_add(sets, node[2]);
            if (!whole) sg_node_sets_add(sets, node[1]);
            sg_node_sets_add_edge(sets, SG_SHAPE_LINE3, node);
        }
    }
}

/* -------------------------------------------------------------------------------------------------- */

static sg_status assemble(const struct sg_body_source *source, const struct sg_body_target *target)
{
    struct work work = {.source = source, .target = target};
    struct spec *spec = &work.spec;
    sg_setting_fill(source->node, rows, spec);
    struct sg_material material = sg_plane_material_of(&spec->material);
    work.material = sg_continuum_material(target->aspects, &material);
    if (spec->form == CIRCLE) {
        place_circle(&work);
        add_rim(&work);
        return add_circle(&work) ? SG_OK : SG_BAD_DECK;
    }
    work.grid = grid_of(spec);
    place_grid(&work);
    add_sides(&work);
    return add_cells(&work) ? SG_OK : SG_BAD_DECK;
}

const struct sg_body_ops sg_body_plane = {
    .kind = {.name = "plane",
             .meaning =
                 "an elastic rectangle or disk of elements in a plane, with node sets bottom, right, top, "
                 "left, boundary",
             .rows = rows},
    .small_motion = true,
    .measure = measure,
    .assemble = assemble,
};
