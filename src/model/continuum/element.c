#include "model/continuum/element.h"

#include <math.h>
#include <stdint.h>

#include "model/shapes/shape.h"

struct sg_elasticity sg_elasticity_of(const struct sg_material *material)
{
    double nu = material->poisson, e = material->modulus;
    double factor = material->plane_stress ? e / (1 - nu * nu) : e / ((1 + nu) * (1 - 2 * nu));
    return (struct sg_elasticity){factor * (material->plane_stress ? 1 : 1 - nu), factor * nu,
                                  e / (2 * (1 + nu))};
}

/* --- geometry ------------------------------------------------------------------------------------- */

/* shape functions at a point, with their gradients by x, y and z */
struct gradient {
    struct sg_shape_values values;
    double slope[SG_SHAPE_NODES][3];
    double jacobian;
};

/* Rows of j: derivatives of x, y, z by the coordinates of the reference element. `inverse` is the adjugate,
 * which the Jacobian divides only where it is used: so nothing is lost where it is small. */
static double adjugate(size_t dim, double j[3][3], double inverse[3][3])
{
    if (dim == 2) {
        inverse[0][0] = j[1][1];
        inverse[0][1] = -j[0][1];
        inverse[1][0] = -j[1][0];
        inverse[1][1] = j[0][0];
        return j[0][0] * j[1][1] - j[0][1] * j[1][0];
    }
    for (size_t c = 0; c < 3; c++)
        for (size_t a = 0; a < 3; a++) {
            size_t a1 = (a + 1) % 3, a2 = (a + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
            inverse[c][a] = j[a1][c1] * j[a2][c2] - j[a1][c2] * j[a2][c1];
        }
    return j[0][0] * inverse[0][0] + j[0][1] * inverse[1][0] + j[0][2] * inverse[2][0];
}

static double row_times(size_t dim, const double *row, const double *d)
{
    double sum = row[0] * d[0] + row[1] * d[1];
    return dim == 2 ? sum : sum + row[2] * d[2];
}

static void gradient_at(const struct sg_element_point *point, struct gradient *out)
{
    const struct sg_shape_kind *shape = sg_shape_find(point->shape);
    const double *x = point->x;
    size_t count = sg_element_shape_nodes(point->shape), dim = shape->dim;
    double j[3][3] = {{0}}, inverse[3][3];
    shape->values(point->at, &out->values);
    /* about the first node, so that far from the origin no digits are lost */
    for (size_t k = 1; k < count; k++)
        for (size_t a = 0; a < dim; a++)
            for (size_t c = 0; c < dim; c++) j[a][c] += out->values.d[k][a] * (x[dim * k + c] - x[c]);
    out->jacobian = adjugate(dim, j, inverse);
    for (size_t k = 0; k < count; k++)
        for (size_t c = 0; c < dim; c++)
            out->slope[k][c] = row_times(dim, inverse[c], out->values.d[k]) / out->jacobian;
}

/* --- matrices ------------------------------------------------------------------------------------- */

static double *entry(double *matrix, size_t rows, size_t i, size_t j)
{
    return &matrix[i + j * rows];
}

/* a point's weights in K and M */
struct weights {
    size_t dim, rows;
    struct sg_elasticity d;
    double volume, mass;
};

/* entry (r, c) of B_i^T D B_j, by the gradients p and q of the two nodes */
static double pair(const struct weights *w, const double *p, const double *q, size_t r, size_t c)
{
    const struct sg_elasticity *d = &w->d;
    if (r != c) return p[r] * d->cross * q[c] + p[c] * d->shear * q[r];
    double sum = p[r] * d->direct * q[r];
    for (size_t s = 0; s < w->dim; s++)
        if (s != r) sum += p[s] * d->shear * q[s];
    return sum;
}

/* an integration point's share of the blocks of nodes i and j */
static void add_stiffness(const struct gradient *at, const struct weights *w, size_t i, size_t j,
                          double *stiffness)
{
    for (size_t c = 0; c < w->dim; c++)
        for (size_t r = 0; r < w->dim; r++)
            *entry(stiffness, w->rows, w->dim * i + r, w->dim * j + c) +=
                w->volume * pair(w, at->slope[i], at->slope[j], r, c);
}

static void add_mass(const struct gradient *at, const struct weights *w, size_t i, size_t j, double *mass)
{
    double share = w->mass * at->values.n[i] * at->values.n[j];
    for (size_t c = 0; c < w->dim; c++) *entry(mass, w->rows, w->dim * i + c, w->dim * j + c) += share;
}

/* Adds to all blocks on and below the diagonal. */
static void add_point(void (*add)(const struct gradient *at, const struct weights *w, size_t i, size_t j,
                                  double *matrix),
                      const struct gradient *at, const struct weights *weights, double *matrix)
{
    size_t count = weights->rows / weights->dim;
    for (size_t j = 0; j < count; j++)
        for (size_t i = j; i < count; i++) add(at, weights, i, j, matrix);
}

static void mirror(double *matrix, size_t rows)
{
    for (size_t j = 0; j < rows; j++)
        for (size_t i = j + 1; i < rows; i++) *entry(matrix, rows, j, i) = *entry(matrix, rows, i, j);
}

static void note_jacobian(double jacobian, size_t corner, struct sg_element_matrices *out)
{
    if (jacobian >= out->jacobian) return;
    out->jacobian = jacobian;
    out->at_corner = corner;
}

static void move_to(const double at[3], struct sg_element_point *point, struct gradient *gradient)
{
    for (size_t c = 0; c < 3; c++) point->at[c] = at[c];
    gradient_at(point, gradient);
}

void sg_element_integrate(enum sg_element_shape shape, const struct sg_material *material, const double *x,
                          struct sg_element_matrices *out)
{
    const struct sg_shape_kind *s = sg_shape_find(shape);
    size_t count = sg_element_shape_nodes(shape);
    double thickness = s->dim == 2 ? material->thickness : 1;
    struct sg_element_point point = {.shape = shape, .x = x};
    struct gradient at = {0};
    struct weights weights = {s->dim, s->dim * count, sg_elasticity_of(material), 0, 0};
    *out = (struct sg_element_matrices){.jacobian = HUGE_VAL, .at_corner = SIZE_MAX};
    for (size_t g = 0; g < s->point_count; g++) {
        move_to(s->points[g].at, &point, &at);
        weights.volume = s->points[g].weight * at.jacobian * thickness;
        weights.mass = weights.volume * material->density;
        add_point(add_stiffness, &at, &weights, out->stiffness);
        if (s->mass_points == NULL) add_point(add_mass, &at, &weights, out->mass);
        note_jacobian(at.jacobian, SIZE_MAX, out);
    }
    for (size_t g = 0; s->mass_points != NULL && g < s->mass_point_count; g++) {
        move_to(s->mass_points[g].at, &point, &at);
        weights.mass = s->mass_points[g].weight * at.jacobian * thickness * material->density;
        add_point(add_mass, &at, &weights, out->mass);
    }
    for (size_t k = 0; k < sg_element_shape_corners(shape); k++) {
        move_to(s->nodes[k], &point, &at);
        note_jacobian(at.jacobian, k, out);
    }
    mirror(out->stiffness, weights.rows);
    mirror(out->mass, weights.rows);
}

/* --- stresses ------------------------------------------------------------------------------------- */

/* the two axes of a shear stress */
static const size_t sheared[][2] = {{0, 1}, {1, 2}, {0, 2}};

static size_t shears(size_t dim)
{
    return dim == 2 ? 1 : 3;
}

/* exx, eyy, ezz and 2 exy, 2 eyz, 2 exz */
static void strain_at(const struct sg_element_point *point, size_t dim, double strain[SG_STRESSES])
{
    struct gradient at = {0};
    gradient_at(point, &at);
    for (size_t c = 0; c < SG_STRESSES; c++) strain[c] = 0;
    for (size_t k = 0; k < sg_element_shape_nodes(point->shape); k++) {
        const double *u = point->u + dim * k, *slope = at.slope[k];
        double move[3] = {0};
        /* differences from the first node: a rigid flight leaves no rounding in the strains */
        for (size_t c = 0; c < dim; c++) move[c] = u[c] - point->u[c];
        for (size_t c = 0; c < dim; c++) strain[c] += slope[c] * move[c];
        for (size_t s = 0; s < shears(dim); s++) {
            size_t a = sheared[s][0], b = sheared[s][1];
            strain[SG_XY + s] += slope[b] * move[a] + slope[a] * move[b];
        }
    }
}

void sg_element_stress(const struct sg_element_point *point, const struct sg_material *material,
                       double stress[SG_STRESSES])
{
    size_t dim = sg_shape_find(point->shape)->dim;
    struct sg_elasticity d = sg_elasticity_of(material);
    double strain[SG_STRESSES];
    strain_at(point, dim, strain);
    for (size_t r = 0; r < SG_STRESSES; r++) stress[r] = 0;
    for (size_t r = 0; r < dim; r++)
        for (size_t c = 0; c < dim; c++) stress[r] += (r == c ? d.direct : d.cross) * strain[c];
    for (size_t s = 0; s < shears(dim); s++) stress[SG_XY + s] = d.shear * strain[SG_XY + s];
    if (dim == 2 && !material->plane_stress)
        stress[SG_ZZ] = material->poisson * (stress[SG_XX] + stress[SG_YY]);
}

double sg_von_mises(const double stress[SG_STRESSES])
{
    double a = stress[SG_XX] - stress[SG_YY], b = stress[SG_YY] - stress[SG_ZZ];
    double c = stress[SG_ZZ] - stress[SG_XX], shear = 0;
    for (size_t s = SG_XY; s < SG_STRESSES; s++) shear += 3 * stress[s] * stress[s];
    return sqrt((a * a + b * b + c * c) / 2 + shear);
}
