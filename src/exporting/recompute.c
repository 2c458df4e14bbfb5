#include "exporting/recompute.h"

#include <string.h>

#include "assembly/assembly.h"
#include "jobs/grammar.h"
#include "support/sha256.h"

static sg_status build_model(struct sg_recomputed *recomputed, const char *resolved, const char *path,
                             struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    TRY(sg_deck_read_text(resolved, strlen(resolved), path, &recomputed->deck, diagnostics, err));
    TRY(sg_deck_validate(recomputed->deck, sg_grammar, diagnostics, err));
    return sg_system_create(recomputed->deck, &recomputed->system, diagnostics, err);
}

/* The side files must be those of the run, or the model would be another. */
static sg_status check_side_files(const struct sg_recomputed *recomputed, const char *resolved,
                                  const char *path, struct sg_error *err)
{
    char hex[SG_SHA256_HEX];
    TRY(sg_deck_fingerprint(resolved, recomputed->deck, hex, err));
    if (strcmp(hex, sg_reader_attribute(recomputed->reader, "resolved_sha256")) == 0) return SG_OK;
    FAIL(err, SG_NO_INPUT,
         "the deck in '%s' is not that of its run, or the side files that it names have changed", path);
}

static sg_status build(struct sg_recomputed *recomputed, const char *path, struct sg_diagnostics *findings,
                       struct sg_error *err)
{
    SG_AUTO_FREE char *resolved = NULL;
    sg_status status = sg_reader_deck(recomputed->reader, "resolved", &resolved, err);
    if (status == SG_OK) status = build_model(recomputed, resolved, path, findings, err);
    if (findings->errors > 0)
        status = sg_fail(
            err, SG_NO_INPUT,
            "the model of '%s' can't be built again; side files are looked for in the current folder", path);
    if (status == SG_OK) status = check_side_files(recomputed, resolved, path, err);
    return status;
}

static sg_status find_displacement(struct sg_recomputed *recomputed, const char *path, struct sg_error *err)
{
    const struct sg_reader *reader = recomputed->reader;
    recomputed->time = sg_reader_scale(reader, SG_SERIES_HISTORY);
    recomputed->displacement = sg_reader_find(reader, SG_SERIES_HISTORY, "displacement");
    const struct sg_series *found = recomputed->displacement;
    if (recomputed->time != NULL && found != NULL && found->width == recomputed->system->n_full) return SG_OK;
    FAIL(err, SG_NO_INPUT,
         "'%s' has no displacements of all nodes, from which other histories can be computed: name "
         "\"displacement\" in the deck's output.histories, without output.nodes",
         path);
}

static void release(void *self)
{
    struct sg_recomputed *recomputed = self;
    sg_quantities_release(&recomputed->quantities);
    sg_system_destroy(recomputed->system);
    sg_deck_destroy(recomputed->deck);
}

sg_status sg_recomputed_init(struct sg_arena *arena, struct sg_recomputed *recomputed,
                             const struct sg_reader *reader, const char *path,
                             struct sg_diagnostics *findings, struct sg_error *err)
{
    *recomputed = (struct sg_recomputed){.reader = reader};
    TRY(sg_arena_own(arena, recomputed, release, err));
    TRY(build(recomputed, path, findings, err));
    TRY(find_displacement(recomputed, path, err));
    sg_system_register(recomputed->system, &recomputed->quantities);
    if (recomputed->quantities.failed) FAIL(err, SG_NO_MEMORY, "out of memory for the list of histories");
    TRY(SG_ARENA_NEW(arena, &recomputed->full, recomputed->system->n_full, err));
    return SG_ARENA_NEW(arena, &recomputed->u, recomputed->system->n, err);
}

const struct sg_quantity *sg_recomputed_find(const struct sg_recomputed *recomputed, const char *name)
{
    for (size_t i = 0; i < recomputed->quantities.count; i++) {
        const struct sg_quantity *quantity = &recomputed->quantities.items[i];
        if (quantity->of_displacement && strcmp(quantity->name, name) == 0) return quantity;
    }
    return NULL;
}

sg_status sg_recomputed_rows(const struct sg_recomputed *recomputed, const struct sg_quantity *quantity,
                             size_t first, size_t count, double *out, struct sg_error *err)
{
    const struct sg_system *system = recomputed->system;
    size_t width = quantity->width == 0 ? 1 : quantity->width;
    for (size_t row = first; row < first + count; row++, out += width) {
        struct sg_snapshot now = {.u = recomputed->u};
        TRY(sg_reader_rows(recomputed->reader, recomputed->time, row, 1, &now.t, err));
        TRY(sg_reader_rows(recomputed->reader, recomputed->displacement, row, 1, recomputed->full, err));
        for (size_t i = 0; i < system->n; i++) recomputed->u[i] = recomputed->full[system->free_dof[i]];
        quantity->fill(quantity->owner, &now, out);
    }
    return SG_OK;
}
