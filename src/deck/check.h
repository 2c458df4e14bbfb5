/* The two halves of validation: groups (validate.c) and values (values.c). Both report what is wrong as
 * findings; a status other than SG_OK means that the check itself failed (memory). */
#ifndef SG_DECK_CHECK_H
#define SG_DECK_CHECK_H

#include "deck/diagnostics.h"
#include "deck/setting.h"
#include "support/status.h"

struct sg_checker {
    struct sg_diagnostics *diagnostics;
    struct sg_error *err;
};

/* Checks a group against rows or kinds (one of them NULL), and fills defaults in. */
sg_status sg_check_group(struct sg_checker *checker, struct sg_setting *group, const struct sg_keyword *rows,
                         const struct sg_kind_set *kinds);

/* Checks a value and brings it into the row's C type: sg_setting_fill only copies afterwards. */
sg_status sg_check_value(struct sg_checker *checker, struct sg_setting *node, const struct sg_keyword *row);

/* What --set gave as 1 or true is text, as typed, where text is wanted. */
void sg_setting_take_raw(struct sg_setting *node);

/* The row's default as a node outside any tree, not checked; NULL if the row has none. */
sg_status sg_fallback_create(const struct sg_keyword *row, struct sg_setting **node, struct sg_error *err);

#endif
