#include "auditing/rebuilt.h"

#include <stdio.h>
#include <string.h>

#include "auditing/energy.h"
#include "jobs/grammar.h"
#include "support/memory.h"
#include "support/sha256.h"

/* The first finding, on one line, is reason enough. */
static void explain(struct sg_rebuilt *model, const char *what, const struct sg_error *err)
{
    struct sg_text text = {0};
    sg_diagnostics_render(&model->diagnostics, &text);
    const char *words = text.length > 0 ? sg_text_view(&text) : err->text;
    snprintf(model->reason, sizeof model->reason, "%s: %.*s", what, (int)strcspn(words, "\n"), words);
    sg_text_release(&text);
}

/* faults of the deck are reasons, all else is an error */
static sg_status as_reason(struct sg_rebuilt *model, sg_status status, const char *what, struct sg_error *err)
{
    bool deck = status == SG_BAD_DECK || status == SG_NO_INPUT || status == SG_NO_SOLUTION;
    if (!deck) return status;
    explain(model, what, err);
    sg_error_clear(err);
    return SG_OK;
}

/* Side files may have changed, or be others of the same name: the run's fingerprint tells. */
static sg_status compare_fingerprint(struct sg_rebuilt *model, const struct sg_reader *reader,
                                     const char *text, struct sg_error *err)
{
    char fingerprint[SG_SHA256_HEX] = "";
    const char *recorded = sg_reader_attribute(reader, "resolved_sha256");
    TRY(sg_deck_fingerprint(text, model->deck, fingerprint, err));
    if (recorded[0] == '\0' || strcmp(recorded, fingerprint) == 0) return SG_OK;
    snprintf(model->reason, sizeof model->reason,
             "the deck's side files are not those of the run: their checksum differs");
    return SG_OK;
}

static sg_status build(struct sg_rebuilt *model, const struct sg_reader *reader, const char *text,
                       struct sg_error *err)
{
    static const char what[] = "the deck in the file makes no model here";
    TRY(as_reason(
        model, sg_deck_read_text(text, strlen(text), "deck/resolved", &model->deck, &model->diagnostics, err),
        what, err));
    if (model->reason[0] != '\0') return SG_OK;
    TRY(as_reason(model, sg_deck_validate(model->deck, sg_grammar, &model->diagnostics, err), what, err));
    if (model->reason[0] != '\0') return SG_OK;
    bool other_mass = sg_reader_attribute(reader, "mass")[0] != '\0';
    TRY(as_reason(model, sg_job_build_model(&model->job, model->deck, other_mass, &model->diagnostics, err),
                  what, err));
    return model->reason[0] != '\0' ? SG_OK : compare_fingerprint(model, reader, text, err);
}

static sg_status describe(struct sg_rebuilt *model, const struct sg_reader *reader, struct sg_error *err)
{
    const struct sg_job *job = &model->job;
    const struct sg_system *system = job->system;
    const struct sg_strategy_ops *strategy = job->cell->strategy;
    const struct sg_series *time = sg_reader_scale(reader, SG_SERIES_HISTORY);
    model->stepping = strategy->fixed_steps;
    model->staggered = strategy->fixed_steps && job->cell->integrator->response->staggered;
    model->springs = strategy->needs_springs || strategy->own_systems;
    model->own_systems = strategy->own_systems || system->modal_ratios != NULL;
    double steps = sg_reader_summary_value(reader, "steps");
    model->sparse = steps > (double)time->rows;
    model->step = steps > 0.0 ? sg_reader_summary_value(reader, "end_time") / steps : 0.0;
    model->may_give = false;
    for (size_t e = 0; e < system->elements.count; e++)
        model->may_give = model->may_give || system->elements.items[e].ops->power != NULL;
    TRY(SG_ARENA_NEW(&model->arena, &model->length, system->n, err));
    TRY(SG_ARENA_NEW(&model->arena, &model->mobility, system->n, err));
    sg_system_dof_lengths(system, model->length);
    for (size_t i = 0; i < system->n; i++) {
        double mass = sg_matrix_entry(&system->M, i, i);
        model->mobility[i] = mass > 0.0 ? model->length[i] / mass : 0.0;
    }
    model->grain = sg_energy_grain(system, job->contacts, (long long)sg_reader_summary_value(reader, "steps"),
                                   sg_reader_summary_value(reader, "end_time"));
    return sg_small_motion_init(&model->arena, &model->small, system, err);
}

sg_status sg_rebuilt_init(struct sg_rebuilt *model, const struct sg_reader *reader, struct sg_error *err)
{
    char *text = NULL;
    *model = (struct sg_rebuilt){.may_give = true};
    sg_status status = as_reason(model, sg_reader_deck(reader, "resolved", &text, err), "no deck", err);
    if (status == SG_OK && text != NULL) status = build(model, reader, text, err);
    sg_free(text);
    TRY(status);
    return model->reason[0] != '\0' ? SG_OK : describe(model, reader, err);
}

void sg_rebuilt_release(struct sg_rebuilt *model)
{
    sg_arena_release(&model->arena);
    sg_job_release(&model->job);
    sg_deck_destroy(model->deck);
    sg_diagnostics_release(&model->diagnostics);
}
