/* Meshes of plane elements out of the body `plane`, assembled anew where nodes were moved, and a dense solver
 * for the tests' own equations. */
#ifndef SG_TESTS_PLANE_FIXTURE_H
#define SG_TESTS_PLANE_FIXTURE_H

#include <stdio.h>
#include <stdlib.h>

#include "assembly/builder.h"
#include "linalg/eigen.h"
#include "model/plane_element.h"
#include "model/plane_shape.h"
#include "model_fixture.h"

static const enum sg_element_shape plane_shapes[] = {SG_SHAPE_TRI3, SG_SHAPE_TRI6, SG_SHAPE_QUAD4,
                                                     SG_SHAPE_QUAD8, SG_SHAPE_QUAD9};
enum { PLANE_SHAPES = 5 };

static inline double *plane_zeros(size_t count)
{
    double *out = calloc(count + 1, sizeof *out);
    ck_assert_ptr_nonnull(out);
    return out;
}

/* a model of one rectangle from (-w/2, -h/2) to (w/2, h/2) */
struct plane_mesh {
    enum sg_element_shape shape;
    double width, height;
    int nx, ny;
    const char *state;
};

static inline struct fixture plane_model(const struct plane_mesh *mesh)
{
    char deck[512];
    snprintf(deck, sizeof deck,
             "bodies = ( { type = \"plane\"; name = \"b\"; width = %.17g; height = %.17g; nx = %d; ny = %d;"
             "  position = [%.15e, %.15e]; element = \"%s\"; state = \"%s\"; modulus = 200.0; poisson = 0.3;"
             "  density = 1.5; thickness = 0.7; } );",
             mesh->width, mesh->height, mesh->nx, mesh->ny, -mesh->width / 2, -mesh->height / 2,
             sg_element_shape_name(mesh->shape), mesh->state);
    return fixture_model(deck);
}

/* the nodes that a name stands for */
static inline struct sg_node_list plane_nodes(const struct sg_system *system, const char *text)
{
    struct sg_node_name name = {.text = text};
    struct sg_node_list list;
    ck_assert_msg(sg_system_find_nodes(system, &name, NULL, &list), "%s", text);
    return list;
}

/* Stiffness (n_full^2, column-major) of the elements with nodes at x; the caller frees. */
static inline double *plane_stiffness(const struct sg_system *system, const double *x)
{
    size_t n = system->n_full;
    double *k = plane_zeros(n * n);
    for (size_t e = 0; e < sg_plane_elements_of(&system->aspects)->count; e++) {
        const struct sg_plane_element *element = &sg_plane_elements_of(&system->aspects)->items[e];
        struct sg_plane_matrices matrices;
        double at[SG_PLANE_DOFS];
        size_t rows = 2 * sg_element_shape_nodes(element->shape);
        for (size_t i = 0; i < rows; i++) at[i] = x[2 * element->node[i / 2] + i % 2];
        sg_plane_matrices(element->shape,
                          &sg_plane_elements_of(&system->aspects)->materials[element->material], at,
                          &matrices);
        ck_assert(matrices.jacobian > 0);
        for (size_t j = 0; j < rows; j++)
            for (size_t i = 0; i < rows; i++)
                k[2 * element->node[i / 2] + i % 2 + n * (2 * element->node[j / 2] + j % 2)] +=
                    matrices.stiffness[i + rows * j];
    }
    return k;
}

/* a (m x m, column-major) becomes its Cholesky factor below the diagonal; b the solution */
static inline void plane_cholesky(size_t m, double *a, double *b)
{
    for (size_t j = 0; j < m; j++) {
        ck_assert(a[j + m * j] > 0);
        double pivot = sqrt(a[j + m * j]);
        for (size_t i = j; i < m; i++) a[i + m * j] /= pivot;
        for (size_t c = j + 1; c < m; c++)
            for (size_t i = c; a[c + m * j] != 0 && i < m; i++) a[i + m * c] -= a[i + m * j] * a[c + m * j];
        b[j] /= a[j + m * j];
        for (size_t i = j + 1; i < m; i++) b[i] -= a[i + m * j] * b[j];
    }
    for (size_t j = m; j-- > 0;) {
        for (size_t i = j + 1; i < m; i++) b[j] -= a[i + m * j] * b[i];
        b[j] /= a[j + m * j];
    }
}

/* K u = f (n): u is given where `held`, and found elsewhere */
static inline void plane_solve(size_t n, const double *k, const bool *held, const double *f, double *u)
{
    size_t m = 0, *of = calloc(n, sizeof *of);
    ck_assert_ptr_nonnull(of);
    for (size_t i = 0; i < n; i++)
        if (!held[i]) of[m++] = i;
    double *a = plane_zeros(m * m), *b = plane_zeros(m);
    for (size_t i = 0; i < m; i++) {
        b[i] = f[of[i]];
        for (size_t j = 0; j < n; j++)
            if (held[j]) b[i] -= k[of[i] + n * j] * u[j];
        for (size_t j = 0; j < m; j++) a[i + m * j] = k[of[i] + n * of[j]];
    }
    plane_cholesky(m, a, b);
    for (size_t i = 0; i < m; i++) u[of[i]] = b[i];
    free(a);
    free(b);
    free(of);
}

#endif
