#include "deck/deck.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "deck/file.h"
#include "deck/parse.h"
#include "deck/state.h"
#include "support/memory.h"
#include "support/sha256.h"

void sg_deck_destroy(struct sg_deck *deck)
{
    if (deck == NULL) return;
    sg_source_release(&deck->source);
    sg_arena_release(&deck->arena);
    sg_free(deck);
}

/* `path` NULL: the text from memory */
struct input {
    const char *path;
    const char *text, *name;
    size_t length;
};

static sg_status read_source(struct sg_deck *deck, const struct input *in, struct sg_diagnostics *diagnostics,
                             struct sg_error *err)
{
    if (in->path == NULL) {
        TRY(sg_arena_copy_text(&deck->arena, "", &deck->folder, err));
        return sg_source_read_text(in->text, in->length, in->name, &deck->source, diagnostics, err);
    }
    TRY(sg_file_folder(in->path, &deck->folder, err));
    TRY(sg_arena_own(&deck->arena, deck->folder, sg_free, err));
    return sg_source_read_file(in->path, &deck->source, diagnostics, err);
}

static sg_status parse(struct sg_deck *deck, struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_parser parser = {&deck->source, &deck->arena, diagnostics, err};
    return sg_parse(&parser, false, &deck->root);
}

static sg_status read_deck(const struct input *in, struct sg_deck **deck, struct sg_diagnostics *diagnostics,
                           struct sg_error *err)
{
    struct sg_deck *fresh = NULL;
    *deck = NULL;
    TRY(SG_NEW(&fresh, 1, err));
    sg_status status = SG_ARENA_NEW(&fresh->arena, &fresh->sides, SG_SHA256_HEX, err);
    if (status == SG_OK) status = read_source(fresh, in, diagnostics, err);
    if (status == SG_OK) status = parse(fresh, diagnostics, err);
    if (status != SG_OK) {
        sg_deck_destroy(fresh);
        return status;
    }
    *deck = fresh;
    return SG_OK;
}

sg_status sg_deck_read_file(const char *path, struct sg_deck **deck, struct sg_diagnostics *diagnostics,
                            struct sg_error *err)
{
    return read_deck(&(struct input){.path = path}, deck, diagnostics, err);
}

sg_status sg_deck_read_text(const char *text, size_t length, const char *name, struct sg_deck **deck,
                            struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    return read_deck(&(struct input){.text = text, .length = length, .name = name}, deck, diagnostics, err);
}

const struct sg_setting *sg_deck_root(const struct sg_deck *deck)
{
    return deck->root;
}

const char *sg_deck_source(const struct sg_deck *deck)
{
    return sg_text_view(&deck->source.text);
}

sg_status sg_deck_side_file(const struct sg_deck *deck, const char *name, char **path, struct sg_error *err)
{
    *path = NULL;
    if (name[0] == '\0') FAIL(err, SG_BAD_DECK, "the name of a side file is empty");
    return sg_file_join(name[0] == '/' ? "" : deck->folder, name, path, err);
}

void sg_deck_offer_side_files(struct sg_deck *deck, const struct sg_side_file *files)
{
    deck->offered = files;
}

/* A checksum of one thing more: that of the digits so far and of the digits of the thing. */
static void fold(char *hex, const char *digits)
{
    char both[2 * SG_SHA256_HEX] = "";
    memcpy(both, hex, SG_SHA256_HEX);
    memcpy(both + SG_SHA256_HEX, digits, SG_SHA256_HEX);
    sg_sha256(both, sizeof both, hex);
}

static void fold_bytes(char *hex, const void *bytes, size_t length)
{
    char digits[SG_SHA256_HEX];
    sg_sha256(bytes, length, digits);
    fold(hex, digits);
}

static const struct sg_side_file *find_offered(const struct sg_deck *deck, const char *name)
{
    const struct sg_side_file *file = deck->offered;
    while (file != NULL && file->name != NULL && strcmp(file->name, name) != 0) file++;
    return file != NULL && file->name != NULL ? file : NULL;
}

static sg_status read_offered(const struct sg_side_file *file, char **bytes, size_t *length,
                              struct sg_error *err)
{
    TRY(SG_NEW(bytes, file->length + 1, err));
    memcpy(*bytes, file->text, file->length);
    *length = file->length;
    return SG_OK;
}

sg_status sg_deck_read_side_file(const struct sg_deck *deck, const char *name, size_t limit, char **bytes,
                                 size_t *length, struct sg_error *err)
{
    const struct sg_side_file *offered = find_offered(deck, name);
    char *path = NULL;
    *bytes = NULL;
    *length = 0;
    sg_status status = SG_OK;
    if (offered != NULL) {
        status = read_offered(offered, bytes, length, err);
    } else {
        status = sg_deck_side_file(deck, name, &path, err);
        if (status == SG_OK) status = sg_file_read(path, limit, bytes, length, err);
        sg_free(path);
    }
    if (status == SG_OK) fold_bytes(deck->sides, *bytes, *length);
    return status;
}

sg_status sg_deck_note_side_file(const struct sg_deck *deck, const char *path, struct sg_error *err)
{
    char digits[SG_SHA256_HEX];
    TRY(sg_file_checksum(path, digits, err));
    fold(deck->sides, digits);
    return SG_OK;
}

const char *sg_deck_side_checksum(const struct sg_deck *deck)
{
    return deck->sides;
}

/* --- files ---------------------------------------------------------------------------------------- */

static bool is_file(const struct stat *file, const char *path)
{
    struct stat other;
    return stat(path, &other) == 0 && other.st_dev == file->st_dev && other.st_ino == file->st_ino;
}

static bool names_file(const struct sg_deck *deck, const struct sg_setting *setting, const struct stat *file)
{
    for (size_t k = 0; k < setting->count; k++)
        if (names_file(deck, setting->items[k], file)) return true;
    if (setting->form != SG_SETTING_TEXT || setting->text == NULL || *setting->text == '\0') return false;
    struct sg_error none = {0};
    SG_AUTO_FREE char *path = NULL;
    bool named = sg_deck_side_file(deck, setting->text, &path, &none) == SG_OK && path != NULL;
    bool found = named && is_file(file, path);
    return found;
}

bool sg_deck_is_made_of(const struct sg_deck *deck, const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0) return false;
    for (size_t k = 0; k < deck->source.file_count; k++)
        if (is_file(&file, deck->source.files[k])) return true;
    return names_file(deck, deck->root, &file);
}

static sg_status fold_file(const struct sg_deck *deck, const char *name, char *hex, struct sg_error *err)
{
    SG_AUTO_FREE char *path = NULL;
    char digits[SG_SHA256_HEX];
    struct stat file;
    TRY(sg_deck_side_file(deck, name, &path, err));
    /* a side file that is found has a path */
    if (path == NULL || stat(path, &file) != 0 || !S_ISREG(file.st_mode)) return SG_OK;
    TRY(sg_file_checksum(path, digits, err));
    fold(hex, digits);
    return SG_OK;
}

static sg_status fold_files(const struct sg_deck *deck, const struct sg_setting *setting, char *hex,
                            struct sg_error *err)
{
    for (size_t k = 0; k < setting->count; k++) TRY(fold_files(deck, setting->items[k], hex, err));
    if (setting->form != SG_SETTING_TEXT || setting->text == NULL || *setting->text == '\0') return SG_OK;
    return fold_file(deck, setting->text, hex, err);
}

sg_status sg_deck_checksum(const struct sg_deck *deck, char *hex, struct sg_error *err)
{
    SG_LOCAL_TEXT(text);
    memset(hex, 0, SG_SHA256_HEX);
    sg_deck_print(deck, &text);
    fold_bytes(hex, sg_text_view(&text), text.length);
    TRY(sg_text_check(&text, err));
    return fold_files(deck, deck->root, hex, err);
}

sg_status sg_deck_fingerprint(const char *resolved, const struct sg_deck *deck, char *hex,
                              struct sg_error *err)
{
    SG_LOCAL_TEXT(whole);
    sg_text_append(&whole, "%s%s", resolved, sg_deck_side_checksum(deck));
    sg_sha256(sg_text_view(&whole), whole.length, hex);
    return sg_text_check(&whole, err);
}
