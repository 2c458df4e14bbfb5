#include "commands/load.h"

#include <stdio.h>

#include "grammar.h"

sg_status sg_load_deck(const char *path, const struct sg_overrides *overrides, struct sg_deck **deck,
                       struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    TRY(sg_deck_read_file(path, deck, diagnostics, err));
    sg_status status = SG_OK;
    for (size_t i = 0; i < overrides->count; i++) {
        sg_status one = sg_deck_override(*deck, overrides->items[i], diagnostics, err);
        if (one != SG_OK && one != SG_BAD_DECK) return one;
        if (one != SG_OK) status = one;
    }
    if (status != SG_OK) return status;
    return sg_deck_validate(*deck, sg_grammar, diagnostics, err);
}

int sg_report(const struct sg_diagnostics *diagnostics, sg_status status, const struct sg_error *err)
{
    struct sg_text text = {0};
    sg_diagnostics_render(diagnostics, &text);
    fputs(sg_text_view(&text), stderr);
    sg_text_release(&text);
    bool told = status == SG_BAD_DECK && diagnostics->errors > 0;
    if (status != SG_OK && !told) fprintf(stderr, "signorini: error: %s\n", err->text);
    return sg_status_exit_code(status);
}
