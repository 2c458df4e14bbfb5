/* Vectors of one to three coordinates: normals and tangents of contacts. */
#ifndef SG_CONTACT_GAPS_DIRECTION_H
#define SG_CONTACT_GAPS_DIRECTION_H

#include <stddef.h>

enum { SG_GAP_AXES = 3 };

/* dim - 1 unit vectors across the unit normal n, orthogonal to one another. In a plane n turned by +90
 * degrees; in space they follow n without a jump but where n[2] passes -0.7. */
void sg_gap_tangents(size_t dim, const double *n, double tangent[2][SG_GAP_AXES]);

/* Makes v (dim) a unit vector and gives its length; where that is 0 (or no number) v becomes e_1. */
double sg_gap_normalize(size_t dim, double *v);

double sg_gap_dot(size_t dim, const double *a, const double *b);

#endif
