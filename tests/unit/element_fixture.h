/* Elements made by hand, and checks against differences, for the tests of elements and tangents. */
#ifndef SG_TESTS_ELEMENT_FIXTURE_H
#define SG_TESTS_ELEMENT_FIXTURE_H

#include "assembly/elements/kinds.h"
#include "model_fixture.h"

extern const struct sg_element_ops sg_element_van_der_pol, sg_element_dashpot;

static inline struct sg_element make_spring(size_t dim, double stiffness, double length)
{
    const size_t first[2] = {0, dim};
    struct sg_element element = sg_element_on_nodes(&sg_element_spring, first, 2, dim);
    element.parameter[SG_SPRING_STIFFNESS] = stiffness;
    element.parameter[SG_SPRING_LENGTH] = length;
    return element;
}

static inline struct sg_element make_torsion(double stiffness, double angle)
{
    const size_t first[3] = {0, 2, 4};
    struct sg_element element = sg_element_on_nodes(&sg_element_torsion_spring, first, 3, 2);
    element.parameter[SG_TORSION_STIFFNESS] = stiffness;
    element.parameter[SG_TORSION_ANGLE] = angle;
    return element;
}

static inline struct sg_element make_van_der_pol(double coefficient, double scale, double center)
{
    struct sg_element element = {.ops = &sg_element_van_der_pol, .dof_count = 1};
    element.parameter[SG_VAN_DER_POL_COEFFICIENT] = coefficient;
    element.parameter[SG_VAN_DER_POL_SCALE] = scale;
    element.parameter[SG_VAN_DER_POL_CENTER] = center;
    return element;
}

static inline struct sg_element make_dashpot(size_t ends, double coefficient, double exponent)
{
    struct sg_element element = {.ops = &sg_element_dashpot, .dof_count = ends, .dof = {0, 1}};
    element.parameter[SG_DASHPOT_COEFFICIENT] = coefficient;
    element.parameter[SG_DASHPOT_EXPONENT] = exponent;
    return element;
}

/* numbers of [-1, 1) that are the same everywhere; `state` starts at any number but 0 */
static inline double element_random(unsigned long long *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / 4503599627370496.0 - 1.0;
}

static inline struct sg_element_state random_state(unsigned long long *seed)
{
    struct sg_element_state at;
    for (size_t k = 0; k < SG_ELEMENT_DOFS; k++) {
        at.x[k] = 2 * element_random(seed);
        at.v[k] = 2 * element_random(seed);
    }
    return at;
}

static inline double largest_of(const double *x, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
    return most;
}

#endif
