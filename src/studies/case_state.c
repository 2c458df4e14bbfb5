#define _POSIX_C_SOURCE 200809L
#include "studies/case_state.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "deck/deck.h"
#include "deck/file.h"
#include "results/files.h"
#include "support/memory.h"
#include "support/text.h"

enum { BYTES_MAX = 65536 };

struct state_spec {
    const char *checksum, *reason;
    long long exit_code;
    double seconds;
};

/* a small deck of its own */
static const struct sg_keyword rows[] = {
    {.name = "checksum", .type = SG_TEXT, .offset = offsetof(struct state_spec, checksum)},
    {.name = "exit_code",
     .type = SG_INTEGER,
     .range = SG_BETWEEN(-1, 255),
     .offset = offsetof(struct state_spec, exit_code)},
    {.name = "reason", .type = SG_TEXT, .offset = offsetof(struct state_spec, reason)},
    {.name = "seconds", .type = SG_REAL, .offset = offsetof(struct state_spec, seconds)},
    {0}};

static void take(const struct sg_deck *deck, struct sg_case_state *state)
{
    struct state_spec spec;
    sg_setting_fill(sg_deck_root(deck), rows, &spec);
    if (spec.checksum == NULL || spec.reason == NULL || spec.exit_code == SG_NOT_GIVEN || isnan(spec.seconds))
        return;
    snprintf(state->checksum, sizeof state->checksum, "%s", spec.checksum);
    sg_case_state_set_reason(state, spec.reason);
    state->exit_code = (int)spec.exit_code;
    state->seconds = spec.seconds;
}

void sg_case_state_read(const char *path, struct sg_case_state *state)
{
    struct sg_diagnostics diagnostics = {0};
    struct sg_error err;
    struct sg_deck *deck = NULL;
    SG_AUTO_FREE char *bytes = NULL;
    size_t length = 0;
    *state = (struct sg_case_state){.exit_code = -1};
    sg_error_clear(&err);
    sg_status status = sg_file_read(path, BYTES_MAX, &bytes, &length, &err);
    if (status == SG_OK) status = sg_deck_read_text(bytes, length, path, &deck, &diagnostics, &err);
    if (status == SG_OK) status = sg_deck_validate(deck, rows, &diagnostics, &err);
    if (status == SG_OK) take(deck, state);
    sg_deck_destroy(deck);
    sg_diagnostics_release(&diagnostics);
}

static sg_status write_text(const char *path, const struct sg_text *text, struct sg_error *err)
{
    FILE *file = fopen(path, "we");
    if (file == NULL) FAIL(err, SG_NO_OUTPUT, "can't create '%s': %s", path, strerror(errno));
    bool written = fputs(sg_text_view(text), file) >= 0 && !text->failed;
    if (fclose(file) != 0 || !written)
        FAIL(err, SG_WRITE_FAILED, "can't write '%s': %s", path, strerror(errno));
    return SG_OK;
}

sg_status sg_case_state_write(const char *path, const struct sg_case_state *state, struct sg_error *err)
{
    SG_LOCAL_TEXT(text);
    SG_AUTO_FREE char *fresh = NULL;
    TRY(sg_path_add(path, ".new", &fresh, err));
    sg_text_append(&text, "checksum = \"%s\";\nexit_code = %d;\nreason = ", state->checksum,
                   state->exit_code);
    sg_text_append_quoted(&text, state->reason);
    sg_text_append(&text, ";\nseconds = ");
    sg_text_append_real(&text, state->seconds);
    sg_text_append(&text, ";\n");
    sg_status status = write_text(fresh, &text, err);
    if (status == SG_OK && rename(fresh, path) != 0)
        status = sg_fail(err, SG_WRITE_FAILED, "can't rename '%s': %s", fresh, strerror(errno));
    if (status != SG_OK) unlink(fresh);
    return status;
}

void sg_case_state_set_reason(struct sg_case_state *state, const char *text)
{
    size_t length = strcspn(text, "\r\n");
    if (length >= sizeof state->reason) length = sizeof state->reason - 1;
    length = sg_utf8_check(text, length); /* also where the cut went through a character */
    memcpy(state->reason, text, length);
    state->reason[length] = '\0';
}
