/* The words of an audit. */
#ifndef SG_COMMANDS_AUDIT_WORDS_H
#define SG_COMMANDS_AUDIT_WORDS_H

#include <stdio.h>

#include "results/audit.h"
#include "support/status.h"

/* A table: name, value, limit, verdict; behind those that are not exact or good, what they are about. */
void sg_audit_print(FILE *to, const struct sg_audit_list *list);

/* a warning on stderr for each that is doubtful or wrong */
void sg_audit_warn(const struct sg_audit_list *list);

/* `length` bytes of a text, as JSON */
void sg_audit_print_json_text(FILE *to, const char *text, size_t length);

/* the table as a JSON list */
void sg_audit_print_json(FILE *to, const struct sg_audit_list *list);

/* SG_NO_SOLUTION if one is doubtful or wrong */
sg_status sg_audit_check(const struct sg_audit_list *list, struct sg_error *err);

#endif
