#include "contact/law.h"

/* one line a law; of short keywords the first that fits is taken */
#define LAWS(X)                                                                                              \
    X(spring)                                                                                                \
    X(bilinear)                                                                                              \
    X(hertz)                                                                                                 \
    X(rigid)

#define DECLARE(name) extern const struct sg_law_ops sg_law_##name;
LAWS(DECLARE)
#undef DECLARE

#define OPS(name) &sg_law_##name,
static const struct sg_law_ops *const laws[] = {LAWS(OPS)};
#undef OPS

#define KIND(name) &sg_law_##name.kind,
static const struct sg_kind *const kinds[] = {LAWS(KIND)};
#undef KIND

enum { COUNT = sizeof kinds / sizeof kinds[0] };

const struct sg_kind_set sg_law_kinds = {.noun = "contact law", .count = COUNT, .items = kinds};

size_t sg_law_count(void)
{
    return COUNT;
}

const struct sg_law_ops *sg_law_at(size_t i)
{
    return laws[i];
}

const struct sg_law_ops *sg_law_find(const struct sg_kind *kind)
{
    for (size_t i = 0; i < COUNT; i++)
        if (kinds[i] == kind) return laws[i];
    return NULL;
}
