#include "analyses/registry.h"

static const struct sg_keyword no_rows[] = {{0}};
static const struct sg_kind transient = {"transient", "time histories from t = 0 to time.end", no_rows};
static const struct sg_kind *const kinds[] = {&transient};

const struct sg_kind_set sg_analysis_kinds = {
    .noun = "analysis", .fallback = "transient", .count = 1, .items = kinds};
