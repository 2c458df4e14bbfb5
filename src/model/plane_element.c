#include "model/plane_element.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/plane_shape.h"

void sg_plane_elasticity(const struct sg_plane_material *material, double d[3][3])
{
    double nu = material->poisson, e = material->modulus;
    double factor = material->strain ? e / ((1 + nu) * (1 - 2 * nu)) : e / (1 - nu * nu);
    double direct = material->strain ? 1 - nu : 1;
    memset(d, 0, 3 * sizeof *d);
    d[0][0] = d[1][1] = factor * direct;
    d[0][1] = d[1][0] = factor * nu;
    d[2][2] = e / (2 * (1 + nu));
}

/* --- geometry ------------------------------------------------------------------------------------- */

/* shape functions at a point, with derivatives by x and y */
struct gradient {
    struct sg_plane_values values;
    double slope[SG_SHAPE_NODES][2];
    double jacobian;
};

static void gradient_at(const struct sg_plane_place *place, struct gradient *out)
{
    const double *x = place->x;
    size_t count = sg_element_shape_nodes(place->shape);
    double j[2][2] = {{0, 0}, {0, 0}};
    sg_plane_shape_find(place->shape)->values(place->xi, place->eta, &out->values);
    /* about the first node, so that far from the origin no digits are lost */
    for (size_t k = 1; k < count; k++)
        for (size_t a = 0; a < 2; a++)
            for (size_t c = 0; c < 2; c++) j[a][c] += out->values.d[k][a] * (x[2 * k + c] - x[c]);
    out->jacobian = j[0][0] * j[1][1] - j[0][1] * j[1][0];
    for (size_t k = 0; k < count; k++) {
        const double *d = out->values.d[k];
        out->slope[k][0] = (j[1][1] * d[0] - j[0][1] * d[1]) / out->jacobian;
        out->slope[k][1] = (j[0][0] * d[1] - j[1][0] * d[0]) / out->jacobian;
    }
}

/* --- matrices ------------------------------------------------------------------------------------- */

static double *entry(double *matrix, size_t rows, size_t i, size_t j)
{
    return &matrix[i + j * rows];
}

/* B_i^T D B_j of two nodes, by their slopes */
static void add_pair(const double d[3][3], const double *p, const double *q, double weight,
                     double block[2][2])
{
    block[0][0] += weight * (p[0] * d[0][0] * q[0] + p[1] * d[2][2] * q[1]);
    block[0][1] += weight * (p[0] * d[0][1] * q[1] + p[1] * d[2][2] * q[0]);
    block[1][0] += weight * (p[1] * d[1][0] * q[0] + p[0] * d[2][2] * q[1]);
    block[1][1] += weight * (p[1] * d[1][1] * q[1] + p[0] * d[2][2] * q[0]);
}

/* an integration point's share of the blocks of nodes i and j */
static void add_nodes(const struct gradient *at, const double d[3][3], const double weight[2],
                      const size_t node[3], struct sg_plane_matrices *out)
{
    size_t i = node[0], j = node[1], rows = node[2];
    double block[2][2] = {{0, 0}, {0, 0}}, mass = weight[1] * at->values.n[i] * at->values.n[j];
    add_pair(d, at->slope[i], at->slope[j], weight[0], block);
    for (size_t c = 0; c < 2; c++) {
        *entry(out->mass, rows, 2 * i + c, 2 * j + c) += mass;
        for (size_t r = 0; r < 2; r++) *entry(out->stiffness, rows, 2 * i + r, 2 * j + c) += block[r][c];
    }
}

/* of all blocks below the diagonal */
static void add_point(const struct gradient *at, const double d[3][3], const double weight[2], size_t count,
                      struct sg_plane_matrices *out)
{
    for (size_t j = 0; j < count; j++)
        for (size_t i = j; i < count; i++) add_nodes(at, d, weight, (const size_t[3]){i, j, 2 * count}, out);
}

static void mirror(double *matrix, size_t rows)
{
    for (size_t j = 0; j < rows; j++)
        for (size_t i = j + 1; i < rows; i++) *entry(matrix, rows, j, i) = *entry(matrix, rows, i, j);
}

static void note_jacobian(double jacobian, size_t corner, struct sg_plane_matrices *out)
{
    if (jacobian >= out->jacobian) return;
    out->jacobian = jacobian;
    out->at_corner = corner;
}

void sg_plane_matrices(enum sg_element_shape shape, const struct sg_plane_material *material, const double *x,
                       struct sg_plane_matrices *out)
{
    const struct sg_plane_shape *s = sg_plane_shape_find(shape);
    size_t count = sg_element_shape_nodes(shape);
    struct sg_plane_place place = {.shape = shape, .x = x};
    struct gradient at = {0};
    double d[3][3];
    sg_plane_elasticity(material, d);
    *out = (struct sg_plane_matrices){.jacobian = HUGE_VAL, .at_corner = SIZE_MAX};
    for (size_t g = 0; g < s->point_count; g++) {
        place.xi = s->points[g].xi;
        place.eta = s->points[g].eta;
        gradient_at(&place, &at);
        double volume = s->points[g].weight * at.jacobian * material->thickness;
        const double weight[2] = {volume, volume * material->density};
        add_point(&at, (const double(*)[3])d, weight, count, out);
        note_jacobian(at.jacobian, SIZE_MAX, out);
    }
    for (size_t k = 0; k < sg_element_shape_corners(shape); k++) {
        place.xi = s->nodes[k][0];
        place.eta = s->nodes[k][1];
        gradient_at(&place, &at);
        note_jacobian(at.jacobian, k, out);
    }
    mirror(out->stiffness, 2 * count);
    mirror(out->mass, 2 * count);
}

/* --- stresses ------------------------------------------------------------------------------------- */

void sg_plane_stress_at(const struct sg_plane_place *place, const struct sg_plane_material *material,
                        double stress[SG_PLANE_STRESSES])
{
    struct gradient at = {0};
    double strain[3] = {0}, d[3][3];
    gradient_at(place, &at);
    for (size_t k = 0; k < sg_element_shape_nodes(place->shape); k++) {
        const double *u = place->u + 2 * k, *slope = at.slope[k];
        /* differences from the first node: a rigid flight leaves no rounding in the strains */
        const double move[2] = {u[0] - place->u[0], u[1] - place->u[1]};
        strain[0] += slope[0] * move[0];
        strain[1] += slope[1] * move[1];
        strain[2] += slope[1] * move[0] + slope[0] * move[1];
    }
    sg_plane_elasticity(material, d);
    for (size_t r = 0; r < 3; r++)
        stress[r] = d[r][0] * strain[0] + d[r][1] * strain[1] + d[r][2] * strain[2];
    stress[3] = material->strain ? material->poisson * (stress[0] + stress[1]) : 0;
}

double sg_plane_von_mises(const double stress[SG_PLANE_STRESSES])
{
    double a = stress[0] - stress[1], b = stress[1] - stress[3], c = stress[3] - stress[0];
    return sqrt((a * a + b * b + c * c) / 2 + 3 * stress[2] * stress[2]);
}
