#include "studies/sweep.h"

#include <stdio.h>
#include <string.h>

#include "deck/file.h"
#include "support/memory.h"

static sg_status name_folder(struct sg_sweep *sweep, const char *given, struct sg_error *err)
{
    const char *folder = given != NULL ? given : sweep->study->folder;
    if (folder != NULL && folder[0] == '\0') FAIL(err, SG_USAGE, "the name of the folder is empty");
    if (folder != NULL) return sg_arena_copy_text(&sweep->arena, folder, &sweep->folder, err);
    TRY(sg_name_after_deck(sweep->study_path, "", &sweep->folder, err));
    return sg_arena_own(&sweep->arena, sweep->folder, sg_free, err);
}

sg_status sg_sweep_init(struct sg_sweep *sweep, const char *path, const char *folder,
                        struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    sweep->study_path = path;
    TRY(sg_deck_read_file(path, &sweep->deck, diagnostics, err));
    TRY(sg_deck_validate(sweep->deck, sg_study_grammar, diagnostics, err));
    TRY(sg_study_create(&sweep->arena, sweep->deck, &sweep->study, diagnostics, err));
    sweep->count = sweep->study->cases;
    TRY(SG_ARENA_NEW(&sweep->arena, &sweep->results, sweep->study->cases, err));
    TRY(SG_ARENA_NEW(&sweep->arena, &sweep->values, sweep->study->cases * sweep->study->keep_count, err));
    return name_folder(sweep, folder, err);
}

void sg_sweep_release(struct sg_sweep *sweep)
{
    sg_arena_release(&sweep->arena);
    sg_deck_destroy(sweep->deck);
}

sg_status sg_sweep_path(const struct sg_sweep *sweep, const char *name, char **path, struct sg_error *err)
{
    SG_LOCAL_TEXT(text);
    sg_text_append(&text, "%s/%s", sweep->folder, name);
    return sg_text_copy(&text, path, err);
}

sg_status sg_sweep_case_path(const struct sg_sweep *sweep, size_t index, const char *suffix, char **path,
                             struct sg_error *err)
{
    char name[64];
    int digits = snprintf(NULL, 0, "%zu", sweep->study->cases);
    snprintf(name, sizeof name, "case-%0*zu%s", digits < 4 ? 4 : digits, index + 1, suffix);
    return sg_sweep_path(sweep, name, path, err);
}

sg_status sg_sweep_load_case(const struct sg_sweep *sweep, size_t index, struct sg_deck **deck,
                             struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_assignments list;
    TRY(sg_study_assignments(&scratch, sweep->study, index, &list, err));
    return sweep->runner->load(sweep->study->base, &list, deck, diagnostics, err);
}

const char *sg_sweep_status_word(const struct sg_case_result *result)
{
    if (result->exit_code < 0) return "missing";
    if (result->exit_code == 0) return "complete";
    return result->exit_code == sg_status_exit_code(SG_INTERRUPTED) ? "interrupted" : "failed";
}

struct sg_sweep_counts sg_sweep_count(const struct sg_sweep *sweep)
{
    struct sg_sweep_counts counts = {0};
    for (size_t i = 0; i < sweep->study->cases; i++) {
        const char *word = sg_sweep_status_word(&sweep->results[i]);
        counts.complete += strcmp(word, "complete") == 0 ? 1 : 0;
        counts.missing += strcmp(word, "missing") == 0 || strcmp(word, "interrupted") == 0 ? 1 : 0;
        counts.changed += sweep->results[i].changed ? 1 : 0;
    }
    return counts;
}
