/* Validation of values that are no groups: type, range, choice, number of items. What is wrong is a finding;
 * a status other than SG_OK means that the check itself failed (memory). */
#ifndef SG_DECK_VALUES_H
#define SG_DECK_VALUES_H

#include "deck/diagnostics.h"
#include "deck/tree.h"
#include "support/status.h"

struct sg_checker {
    struct sg_diagnostics *diagnostics;
    struct sg_arena *arena; /* the tree's */
    struct sg_error *err;
};

/* Checks a number, boolean, text, choice or array, and brings it into the row's C type: sg_setting_fill only
 * copies afterwards. */
sg_status sg_check_value(struct sg_checker *checker, struct sg_setting *setting,
                         const struct sg_keyword *row);

/* The finding that the setting is not of the row's type. */
void sg_report_form(struct sg_checker *checker, const struct sg_setting *setting,
                    const struct sg_keyword *row);

/* The number of a list's or an array's items against the row. */
void sg_check_count(struct sg_checker *checker, const struct sg_setting *setting,
                    const struct sg_keyword *row);

/* What --set gave as 1 or true is text, as typed, where text is wanted. */
void sg_setting_take_raw(struct sg_setting *setting);

/* The row's default as a setting outside any tree, not checked; NULL if the row has none. */
sg_status sg_fallback_create(const struct sg_keyword *row, struct sg_arena *arena,
                             struct sg_setting **setting, struct sg_error *err);

#endif
