/* The settings of a validated deck, as those see them who build by it. */
#ifndef SG_DECK_SETTING_H
#define SG_DECK_SETTING_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/keyword.h"

struct sg_setting;

/* NULL where absent (and without default) */
const struct sg_setting *sg_setting_child(const struct sg_setting *group, const char *name);
size_t sg_setting_count(const struct sg_setting *list);
const struct sg_setting *sg_setting_item(const struct sg_setting *list, size_t index);

/* the kind that the group's `type` chose, NULL for groups without kinds */
const struct sg_kind *sg_setting_kind(const struct sg_setting *group);

/* true if the deck or --set gave the keyword, false if it is absent or a default */
bool sg_setting_given(const struct sg_setting *group, const char *name);

/* the text of one keyword, where its group's spec is not at hand; NULL if it is absent or no text. Owned by
 * the deck. */
const char *sg_setting_text(const struct sg_setting *group, const char *name);

/* Writes the values of `rows` into the spec struct at their offsets (see enum sg_value_type for the
 * C types). Text and arrays stay owned by the deck. */
void sg_setting_fill(const struct sg_setting *group, const struct sg_keyword *rows, void *spec);

#endif
