#include "model/profile.h"

/* one line a kind */
#define PROFILES(X)                                                                                          \
    X(constant)                                                                                              \
    X(linear)                                                                                                \
    X(quadratic)                                                                                             \
    X(step)                                                                                                  \
    X(table)

#define DECLARE(name) extern const struct sg_profile_ops sg_profile_##name;
PROFILES(DECLARE)
#undef DECLARE

/* each kind is the first member of its ops */
#define KIND(name) &sg_profile_##name.kind,
static const struct sg_kind *const kinds[] = {PROFILES(KIND)};
#undef KIND

const struct sg_kind_set sg_profile_kinds = {
    .noun = "profile", .count = sizeof kinds / sizeof kinds[0], .items = kinds};
