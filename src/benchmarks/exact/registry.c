#include "benchmarks/exact/exact.h"

/* all exact solutions: a line each */
#define EXACTS(X)                                                                                            \
    X(arch)                                                                                                  \
    X(ball)                                                                                                  \
    X(bar_on_spring)                                                                                         \
    X(bouncing_bar)                                                                                          \
    X(clamped_bar)                                                                                           \
    X(cradle)                                                                                                \
    X(impacting_bar)                                                                                         \
    X(response_spectrum)                                                                                     \
    X(rocking_block)                                                                                         \
    X(rotating_spring)                                                                                       \
    X(slider_crank)                                                                                          \
    X(spring_pair)                                                                                           \
    X(van_der_pol)

#define DECLARE(name) extern const struct sg_exact_ops sg_exact_##name;
EXACTS(DECLARE)

#define KIND(name) &sg_exact_##name.kind,
static const struct sg_kind *const kinds[] = {EXACTS(KIND)};

#define OPS(name) &sg_exact_##name,
static const struct sg_exact_ops *const all[] = {EXACTS(OPS)};

static const struct sg_keyword common[] = {
    {.name = "name",
     .type = SG_TEXT,
     .meaning = "what formulas call it, in NAME.FUNCTION(...); by default its type",
     .example = "\"rough\""},
    {0}};

const struct sg_kind_set sg_exact_kinds = {
    .noun = "exact solution", .common = common, .count = sizeof kinds / sizeof *kinds, .items = kinds};

const struct sg_exact_ops *sg_exact_find(const struct sg_kind *kind)
{
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (&all[k]->kind == kind) return all[k];
    return NULL;
}
