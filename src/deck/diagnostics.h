/* What is wrong, or doubtful, with a deck: collected, so that all of it is reported at once.
 *
 * Rendered as  FILE:LINE: error: PATH: message  and, where it helps, a line  "  hint: ...".
 * Findings of --set are rendered as  --set: error: PATH: message. */
#ifndef SG_DECK_DIAGNOSTICS_H
#define SG_DECK_DIAGNOSTICS_H

#include <stddef.h>

#include "support/text.h"

struct sg_setting;

enum sg_severity { SG_NOTE, SG_WARNING, SG_ERROR };

struct sg_finding {
    enum sg_severity severity;
    char *where; /* "FILE:LINE", "FILE" or "--set" */
    char *path;  /* deck path as `signorini help` prints it; "" at the root */
    char *message;
    char *hint;               /* NULL: none */
    size_t file, line, order; /* for sorting: file by first appearance, line (0: none), as found */
};

/* Zero-initialise; release with sg_diagnostics_release. */
struct sg_diagnostics {
    struct sg_finding *items; /* in the order found; errors are also counted */
    size_t count;
    size_t capacity;
    size_t errors;
    int failed; /* memory ran out while collecting: sticky */
};

void sg_diagnostics_release(struct sg_diagnostics *diagnostics);

/* A finding about a setting of the deck; its file, line and path come from the setting. */
void sg_complain(struct sg_diagnostics *diagnostics, enum sg_severity severity,
                 const struct sg_setting *setting, const char *message, ...)
    __attribute__((format(printf, 4, 5)));

/* A finding about the keyword `name` of group `setting`, whether or not the deck gives it. */
void sg_complain_about(struct sg_diagnostics *diagnostics, enum sg_severity severity,
                       const struct sg_setting *setting, const char *name, const char *message, ...)
    __attribute__((format(printf, 5, 6)));

/* A finding about a place that is not a setting (syntax errors). */
void sg_complain_at(struct sg_diagnostics *diagnostics, enum sg_severity severity, const char *where,
                    const char *path, const char *message, ...) __attribute__((format(printf, 5, 6)));

/* Adds a hint to the finding added last. */
void sg_hint(struct sg_diagnostics *diagnostics, const char *hint, ...) __attribute__((format(printf, 2, 3)));

/* Drops all findings but the first `count`: they turned out to be consequences of another fault. */
void sg_diagnostics_cut(struct sg_diagnostics *diagnostics, size_t count);

/* In the order of lines, file by file; findings of one line as they were found. */
void sg_diagnostics_sort(struct sg_diagnostics *diagnostics);

/* the first hundred, and how many are left */
void sg_diagnostics_render(const struct sg_diagnostics *diagnostics, struct sg_text *text);

#endif
