/* Lagrange polynomials of order p on [0, 1] with equidistant nodes i/p, and Gauss-Legendre quadrature there.
 */
#ifndef SG_MODEL_LAGRANGE_H
#define SG_MODEL_LAGRANGE_H

enum { SG_LAGRANGE_ORDER = 4, SG_LAGRANGE_NODES = SG_LAGRANGE_ORDER + 1, SG_GAUSS_POINTS = 8 };

/* shape functions at one place: values, first and second derivatives by the coordinate in [0, 1] */
struct sg_lagrange {
    double value[SG_LAGRANGE_NODES], slope[SG_LAGRANGE_NODES], second[SG_LAGRANGE_NODES];
};

/* order: 1 to SG_LAGRANGE_ORDER */
struct sg_lagrange sg_lagrange_at(int order, double x);

/* Points in (0, 1), ascending, and weights with sum 1: exact for polynomials of degree 15. */
struct sg_gauss {
    double point[SG_GAUSS_POINTS], weight[SG_GAUSS_POINTS];
};
struct sg_gauss sg_gauss_rule(void);

#endif
