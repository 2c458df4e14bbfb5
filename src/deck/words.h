/* Rows put into words, and words compared: what messages, help, manual and schema share. */
#ifndef SG_DECK_WORDS_H
#define SG_DECK_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/keyword.h"
#include "support/text.h"

/* "real number", "text", "list of groups" ... */
const char *sg_type_noun(enum sg_value_type type);

/* "a real number [m]", "one of 'lumped', 'consistent'", "a list of groups ( {..}, {..} )" */
void sg_text_append_wanted(struct sg_text *text, const struct sg_keyword *row);

/* Tells whether what it holds has rows of its own. */
bool sg_row_has_groups(const struct sg_keyword *row);

/* " or group" of a number for which a group may stand, " or real number" of an array for which a number may;
 * nothing where the type's noun says all */
const char *sg_row_or_other(const struct sg_keyword *row);

/* "> 0 and <= 1"; nothing if there is no limit */
void sg_text_append_range(struct sg_text *text, const struct sg_keyword *row);

bool sg_range_holds(const struct sg_range *range, double value);

/* a number as a message shows it: 0.5, 2, 1e-08 */
void sg_text_append_plain(struct sg_text *text, double value);

/* "length = 1.0;" */
void sg_text_append_example(struct sg_text *text, const struct sg_keyword *row);

/* " [m]"; nothing for numbers without dimension or unit */
void sg_text_append_unit(struct sg_text *text, const struct sg_keyword *row);

/* The choice of index `index` in "a|b|c": false beyond the last. */
bool sg_choice_at(const char *choices, size_t index, const char **word, size_t *length);

/* -1 if the word is none of them */
int sg_choice_find(const char *choices, const char *word);

/* "a, b, c" */
void sg_text_append_choices(struct sg_text *text, const char *choices);

/* " or \"a\" or \"b\"": the words that an integer's row allows; nothing for other rows */
void sg_text_append_instead(struct sg_text *text, const struct sg_keyword *row);

/* Says that a row is "required", and where it is not: "required unless analysis.type is \"integrator\"". */
void sg_text_append_required(struct sg_text *text, const struct sg_keyword *row);

const struct sg_kind *sg_kind_find(const struct sg_kind_set *kinds, const char *name);

/* "bar, frame, plane" */
void sg_text_append_kinds(struct sg_text *text, const struct sg_kind_set *kinds);

/* The row called `name` of a table (NULL: an empty one). */
const struct sg_keyword *sg_row_find(const struct sg_keyword *rows, const char *name);

/* --- did you mean --------------------------------------------------------------------------------- */

enum { SG_SUGGESTION = 64 };

/* Start with `word` set, offer every candidate, read `best` ("" if none is near). */
struct sg_suggestion {
    const char *word;
    char best[SG_SUGGESTION];
    size_t distance;
};

void sg_suggestion_offer(struct sg_suggestion *suggestion, const char *candidate);
void sg_suggestion_offer_rows(struct sg_suggestion *suggestion, const struct sg_keyword *rows);
void sg_suggestion_offer_kinds(struct sg_suggestion *suggestion, const struct sg_kind_set *kinds);
void sg_suggestion_offer_choices(struct sg_suggestion *suggestion, const char *choices);

#endif
