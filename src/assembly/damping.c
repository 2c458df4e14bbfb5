#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assembly/builder.h"
#include "assembly/keywords.h"
#include "support/memory.h"

struct spec {
    double mass, stiffness;
    struct sg_reals ratios, modes, modal;
};

const struct sg_keyword sg_damping_rows[] = {
    {.name = "mass",
     .type = SG_REAL,
     .unit = "1/s",
     .meaning = "alpha of C = alpha M + beta K",
     .fallback = "0.0",
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, mass)},
    {.name = "stiffness",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "beta of C = alpha M + beta K",
     .fallback = "0.0",
     .range = SG_NON_NEGATIVE,
     .offset = offsetof(struct spec, stiffness)},
    {.name = "ratios",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "damping ratios of two modes, from which alpha and beta follow",
     .example = "[0.05, 0.05]",
     .range = SG_NON_NEGATIVE,
     .min_items = 2,
     .max_items = 2,
     .offset = offsetof(struct spec, ratios)},
    {.name = "modes",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "the two modes, counted from 1 by rising frequency, rigid ones included",
     .example = "[1, 2]",
     .range = SG_AT_LEAST(1),
     .min_items = 2,
     .max_items = 2,
     .offset = offsetof(struct spec, modes)},
    {.name = "modal",
     .type = SG_REALS,
     .unit = "1",
     .meaning = "damping ratio of each mode by rising frequency, rigid ones included; the last one holds for "
                "all modes that follow, so a single one holds for all",
     .example = "[0.05]",
     .range = SG_NON_NEGATIVE,
     .min_items = 1,
     .offset = offsetof(struct spec, modal)},
    {0}};

/* a full eigen-decomposition: beyond this it is not worth the two numbers */
enum { MODES_LIMIT = 5000 };

static int rising(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The modes stay with the system: who computes in their coordinates wants them again. */
static sg_status squared_frequencies(struct sg_builder *builder, double **k, struct sg_error *err)
{
    struct sg_system *system = builder->system;
    struct sg_modal *modal = NULL;
    TRY(sg_system_modes(system, builder->modes, &modal, err));
    system->spare = modal;
    TRY(SG_NEW(k, system->n, err));
    memcpy(*k, modal->k, system->n * sizeof **k);
    qsort(*k, system->n, sizeof **k, rising);
    return SG_OK;
}

/* The mode's circular frequency, or 0 with a finding. */
static double frequency(struct sg_builder *builder, const struct sg_setting *node, double mode,
                        const double *k)
{
    size_t n = builder->system->n, rigid = 0;
    while (rigid < n && k[rigid] <= 0) rigid++;
    if (mode != floor(mode) || mode > (double)n) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "modes", "%g is no mode: they are 1 to %zu",
                          mode, n);
        return 0;
    }
    double squared = k[(size_t)mode - 1];
    if (squared > 0) return sqrt(squared);
    sg_complain_about(builder->diagnostics, SG_ERROR, node, "modes",
                      "mode %g is rigid: a motion without frequency has no damping ratio", mode);
    if (rigid < n) sg_hint(builder->diagnostics, "the first mode with a frequency is %zu", rigid + 1);
    return 0;
}

static void check_negative(struct sg_builder *builder, const struct sg_setting *node, const double *k)
{
    const struct sg_system *system = builder->system;
    for (size_t i = 0; i < system->n; i++) {
        if (system->alpha + system->beta * k[i] >= 0) continue;
        sg_complain_about(builder->diagnostics, SG_WARNING, node, "ratios",
                          "give alpha = %g 1/s, beta = %g s: mode %zu is damped negatively and grows",
                          system->alpha, system->beta, i + 1);
        return;
    }
}

/* z = alpha / (2 w) + beta w / 2 for both modes */
static void solve_ratios(struct sg_builder *builder, const struct sg_setting *node, const struct spec *spec,
                         const double *k)
{
    struct sg_system *system = builder->system;
    double w1 = frequency(builder, node, spec->modes.data[0], k);
    double w2 = frequency(builder, node, spec->modes.data[1], k);
    if (w1 == 0 || w2 == 0) return;
    double z1 = spec->ratios.data[0], z2 = spec->ratios.data[1], gap = (w2 - w1) * (w2 + w1);
    if (fabs(gap) <= 1e-10 * w1 * w1) {
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "modes",
                          "have the same frequency, %g rad/s: they can't fix two numbers", w1);
        return;
    }
    system->alpha = 2 * w1 * w2 * (z1 * w2 - z2 * w1) / gap;
    system->beta = 2 * (z2 * w2 - z1 * w1) / gap;
    check_negative(builder, node, k);
}

static sg_status from_ratios(struct sg_builder *builder, const struct sg_setting *node,
                             const struct spec *spec)
{
    struct sg_system *system = builder->system;
    if (spec->ratios.data == NULL || spec->modes.data == NULL) {
        sg_complain(builder->diagnostics, SG_ERROR, node, "'ratios' and 'modes' must be given together");
        return SG_OK;
    }
    if (spec->mass != 0 || spec->stiffness != 0)
        sg_complain(builder->diagnostics, SG_ERROR, node,
                    "give either 'mass' and 'stiffness', or 'ratios' and 'modes'");
    if (system->n > MODES_LIMIT)
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "ratios",
                          "need all frequencies, of %zu dofs: the limit is %d; give 'mass' and 'stiffness'",
                          system->n, MODES_LIMIT);
    if (sg_builder_failed(builder)) return SG_OK;
    struct sg_error why = {0};
    SG_AUTO_FREE double *k = NULL;
    sg_status status = squared_frequencies(builder, &k, &why);
    if (status == SG_OK)
        solve_ratios(builder, node, spec, k);
    else
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "ratios", "need the modes: %s", why.text);
    return status == SG_OK ? SG_OK : sg_fail(builder->err, status, "%s", why.text);
}

static sg_status from_modal(struct sg_builder *builder, const struct sg_setting *node,
                            const struct spec *spec)
{
    struct sg_system *system = builder->system;
    bool other = spec->ratios.data != NULL || spec->modes.data != NULL;
    if (other || spec->mass != 0 || spec->stiffness != 0)
        sg_complain_about(
            builder->diagnostics, SG_ERROR, node, "modal",
            "defines all of the damping: give it alone, or the keywords of Rayleigh damping instead");
    if (spec->modal.count > system->n)
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "modal", "has %zu ratios for %zu mode%s",
                          spec->modal.count, system->n, system->n == 1 ? "" : "s");
    if (system->n > MODES_LIMIT)
        sg_complain_about(builder->diagnostics, SG_ERROR, node, "modal",
                          "needs all modes, of %zu dofs: the limit is %d; give 'mass' and 'stiffness'",
                          system->n, MODES_LIMIT);
    TRY(SG_ARENA_NEW(&system->arena, &system->modal_ratios, spec->modal.count, builder->err));
    memcpy(system->modal_ratios, spec->modal.data, spec->modal.count * sizeof(double));
    system->modal_ratio_count = spec->modal.count;
    return SG_OK;
}

static sg_status read_damping(struct sg_builder *builder)
{
    const struct sg_setting *node = sg_setting_child(sg_deck_root(builder->deck), "damping");
    if (node == NULL) return SG_OK;
    struct spec spec = {0};
    sg_setting_fill(node, sg_damping_rows, &spec);
    if (spec.modal.data != NULL) return from_modal(builder, node, &spec);
    if (spec.ratios.data != NULL || spec.modes.data != NULL) return from_ratios(builder, node, &spec);
    builder->system->alpha = spec.mass;
    builder->system->beta = spec.stiffness;
    return SG_OK;
}

static bool any_nonzero(const double *values, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (values[k] != 0) return true;
    return false;
}

sg_status sg_build_damping(struct sg_builder *builder)
{
    struct sg_system *system = builder->system;
    TRY(read_damping(builder));
    if (builder->variation != NULL && !isnan(builder->variation->alpha))
        system->alpha = builder->variation->alpha;
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets free_block = {.arena = &scratch, .n = system->n};
    sg_builder_scatter(builder, &builder->dashpots, 1, SG_DAMPING, &free_block);
    system->classical = !any_nonzero(free_block.value, free_block.count);
    bool modal = any_nonzero(system->modal_ratios, system->modal_ratio_count);
    system->proportional = system->classical && !modal;
    if (system->alpha != 0)
        sg_builder_scatter(builder, &builder->mass, system->alpha, SG_DAMPING, &free_block);
    if (system->beta != 0)
        sg_builder_scatter(builder, &builder->stiffness, system->beta, SG_DAMPING, &free_block);
    TRY(sg_matrix_assemble(&system->arena, &system->C, &free_block, builder->err));
    size_t pp = system->motion_count * system->motion_count;
    system->damped =
        modal || !system->C.zero || (pp > 0 && any_nonzero(system->motion_pp + SG_DAMPING * pp, pp));
    return SG_OK;
}
