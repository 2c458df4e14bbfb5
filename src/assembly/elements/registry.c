#include "assembly/keywords.h"
#include "model/element.h"

/* one line a kind */
#define ELEMENTS(X)                                                                                          \
    X(spring)                                                                                                \
    X(torsion_spring)                                                                                        \
    X(van_der_pol)                                                                                           \
    X(dashpot)

#define DECLARE(name) extern const struct sg_element_ops sg_element_##name;
ELEMENTS(DECLARE)
#undef DECLARE

/* each kind is the first member of its ops */
#define KIND(name) &sg_element_##name.kind,
static const struct sg_kind *const kinds[] = {ELEMENTS(KIND)};
#undef KIND

const struct sg_kind_set sg_element_kinds = {
    .noun = "element", .count = sizeof kinds / sizeof kinds[0], .items = kinds};
