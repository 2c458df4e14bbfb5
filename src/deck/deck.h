/* A deck: libconfig text read into a tree that knows its lines, changed by --set, validated against
 * keyword rows with defaults filled in.
 *
 *     sg_deck_read_file -> sg_deck_override ... -> sg_deck_validate -> sg_setting_fill in each builder
 *
 * Reading never trusts libconfig with more than a checked string: see syntax.h. */
#ifndef SG_DECK_DECK_H
#define SG_DECK_DECK_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/diagnostics.h"
#include "deck/keyword.h"
#include "deck/setting.h"
#include "support/status.h"
#include "support/text.h"

struct sg_deck;

/* Reads a regular file of at most 16 MiB. SG_NO_INPUT when it can't be opened (message in err);
 * SG_BAD_DECK with findings when its text is wrong; `*deck` is NULL unless SG_OK. */
sg_status sg_deck_read_file(const char *path, struct sg_deck **deck, struct sg_diagnostics *diagnostics,
                            struct sg_error *err);

/* Same from memory; `name` stands for the file in messages; includes are refused, and side files are
 * looked for in the current folder. */
sg_status sg_deck_read_text(const char *text, size_t length, const char *name, struct sg_deck **deck,
                            struct sg_diagnostics *diagnostics, struct sg_error *err);

void sg_deck_destroy(struct sg_deck *deck);

/* Applies one PATH=VALUE. Wrong path syntax or value syntax is a finding (where "--set"). */
sg_status sg_deck_override(struct sg_deck *deck, const char *assignment, struct sg_diagnostics *diagnostics,
                           struct sg_error *err);

/* Checks the whole tree against the rows of the root group, adds every finding, fills defaults into
 * the tree. SG_BAD_DECK if there was an error. */
sg_status sg_deck_validate(struct sg_deck *deck, const struct sg_keyword *root,
                           struct sg_diagnostics *diagnostics, struct sg_error *err);

const struct sg_setting *sg_deck_root(const struct sg_deck *deck);

/* the bytes as read (includes resolved), for /deck/source and the checksum */
const char *sg_deck_source(const struct sg_deck *deck);

/* The validated deck with every default and override, as deck text and as JSON. */
void sg_deck_print(const struct sg_deck *deck, struct sg_text *text);
void sg_deck_print_json(const struct sg_deck *deck, struct sg_text *text);

/* a text as decks write it, in quotes, with escapes */
void sg_text_append_quoted(struct sg_text *text, const char *value);

/* The folder of the deck file joined with a relative side-file name: caller frees with sg_free. */
sg_status sg_deck_side_file(const struct sg_deck *deck, const char *name, char **path, struct sg_error *err);

/* A side file in memory, for decks that come from memory; tables end with a row without name. */
struct sg_side_file {
    const char *name; /* as decks write it */
    const char *text;
    size_t length;
};

/* Side files that the deck takes before it looks for files; borrowed. */
void sg_deck_offer_side_files(struct sg_deck *deck, const struct sg_side_file *files);

/* The bytes of a side file of at most `limit` bytes, NUL-terminated; free with sg_free. SG_NO_INPUT or
 * SG_BAD_DECK with a message that names file and cause. What was read is part of what the deck says: a
 * checksum of all side files is kept beside the deck's settings; hex digits, "" while there was none. */
sg_status sg_deck_read_side_file(const struct sg_deck *deck, const char *name, size_t limit, char **bytes,
                                 size_t *length, struct sg_error *err);
/* The same checksum of a side file at `path` that others read, such as a results file of any length. */
sg_status sg_deck_note_side_file(const struct sg_deck *deck, const char *path, struct sg_error *err);
const char *sg_deck_side_checksum(const struct sg_deck *deck);

/* A checksum of all that the deck is made of: its settings as they are (validated or not) and every file that
 * one of its texts names (side files), read or not. SG_NO_INPUT if such a file is there and can't be read. */
sg_status sg_deck_checksum(const struct sg_deck *deck, char *hex, struct sg_error *err);

/* Hex digits of what a run is made of, for 65 bytes: the resolved deck and its side files, once read. */
sg_status sg_deck_fingerprint(const char *resolved, const struct sg_deck *deck, char *hex,
                              struct sg_error *err);

/* whether the file at `path` is one that the deck is made of: itself, what it includes, or what a text of it
 * names from the deck's folder (side files) */
bool sg_deck_is_made_of(const struct sg_deck *deck, const char *path);

/* --- what the rows alone tell --------------------------------------------------------------------- */

/* JSON Schema 2020-12 of what the rows describe: "Signorini deck" */
void sg_schema_print(const char *title, const struct sg_keyword *root, struct sg_text *text);

/* The reference: everything below PATH ("bodies.bar.length", "contacts"), or every keyword whose name
 * or meaning has the word; false if nothing fits (the text then has suggestions). */
bool sg_help_print(const struct sg_keyword *root, const char *topic, struct sg_text *text);

/* the manual's page docs/decks.md, and of such a page only what comes from the rows */
void sg_manual_print(const struct sg_keyword *root, struct sg_text *text);
void sg_manual_print_tables(const struct sg_keyword *root, struct sg_text *text);

#endif
