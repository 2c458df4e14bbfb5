/* libconfig's part: the only file of the project that includes libconfig.h is reader.c. */
#ifndef SG_DECK_READER_H
#define SG_DECK_READER_H

#include "deck/diagnostics.h"
#include "deck/prescan.h"
#include "deck/setting.h"
#include "support/status.h"

/* The tree of a source that was read without findings. `single` as in sg_syntax_check. The nodes borrow
 * the names of the source's files. `*root` is NULL unless SG_OK; free with sg_setting_destroy. */
sg_status sg_reader_parse(const struct sg_source *source, bool single, struct sg_setting **root,
                          struct sg_diagnostics *diagnostics, struct sg_error *err);

/* One deck value from memory ("0.5", "[1.0, 2.0]", "{ type = \"bar\"; }"), given by nobody yet. The first
 * finding's words are in `fault` (SG_BAD_DECK). */
sg_status sg_reader_parse_value(const char *value, struct sg_setting **node, struct sg_text *fault,
                                struct sg_error *err);

#endif
