#include "commands/load.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "commands/arguments.h"
#include "jobs/grammar.h"
#include "support/memory.h"

sg_status sg_read_deck(const char *path, const struct sg_overrides *overrides, struct sg_deck **deck,
                       struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    *deck = NULL;
    TRY(sg_deck_read_file(path, deck, diagnostics, err));
    sg_status status = SG_OK;
    for (size_t i = 0; i < overrides->count; i++) {
        sg_status one = sg_deck_override(*deck, overrides->items[i], diagnostics, err);
        if (one != SG_OK && one != SG_BAD_DECK) return one;
        if (one != SG_OK) status = one;
    }
    return status;
}

sg_status sg_load_deck(const char *path, const struct sg_overrides *overrides, struct sg_deck **deck,
                       struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    sg_status reading = sg_read_deck(path, overrides, deck, diagnostics, err);
    if (*deck == NULL || (reading != SG_OK && reading != SG_BAD_DECK)) return reading;
    sg_status status = sg_deck_validate(*deck, sg_grammar, diagnostics, err);
    return status == SG_OK ? reading : status;
}

sg_status sg_print(const struct sg_text *text, struct sg_error *err)
{
    TRY(sg_text_check(text, err));
    fputs(sg_text_view(text), stdout);
    return SG_OK;
}

sg_status sg_report(struct sg_diagnostics *diagnostics, sg_status status, struct sg_error *err)
{
    SG_LOCAL_TEXT(text);
    sg_diagnostics_sort(diagnostics);
    sg_diagnostics_render(diagnostics, &text);
    fputs(sg_text_view(&text), stderr);
    bool findings = status == SG_BAD_DECK || status == SG_NO_INPUT;
    if (findings && diagnostics->errors > 0) err->text[0] = '\0';
    return status;
}

sg_status sg_overrides_init(struct sg_overrides *overrides, const struct sg_arguments *arguments,
                            struct sg_error *err)
{
    *overrides = (struct sg_overrides){0};
    while (sg_arguments_item(arguments, "set", overrides->count) != NULL) overrides->count++;
    TRY(SG_NEW(&overrides->items, overrides->count, err));
    for (size_t i = 0; i < overrides->count; i++)
        overrides->items[i] = sg_arguments_item(arguments, "set", i);
    return SG_OK;
}

void sg_overrides_release(struct sg_overrides *overrides)
{
    sg_free(overrides->items);
    *overrides = (struct sg_overrides){0};
}
