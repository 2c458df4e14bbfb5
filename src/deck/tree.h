/* The tree behind a deck, seen only inside deck/. */
#ifndef SG_DECK_TREE_H
#define SG_DECK_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "deck/keyword.h"
#include "support/arena.h"
#include "support/status.h"
#include "support/text.h"

enum sg_setting_form {
    SG_SETTING_GROUP,
    SG_SETTING_LIST,
    SG_SETTING_ARRAY,
    SG_SETTING_INTEGER,
    SG_SETTING_REAL,
    SG_SETTING_BOOL,
    SG_SETTING_TEXT
};

struct sg_setting {
    enum sg_setting_form form;
    char *name; /* NULL: the root, or an item of a list */
    struct sg_setting *parent;
    size_t index;     /* place in the parent */
    const char *file; /* borrowed from the deck */
    size_t line;      /* 0: the file as a whole */
    bool given;       /* false: a default */
    bool overridden;  /* by --set */

    long long integer; /* SG_SETTING_INTEGER; SG_SETTING_BOOL: 0, 1 */
    double real;       /* SG_SETTING_REAL */
    char *text;        /* SG_SETTING_TEXT; of a scalar that --set gave also its bytes as typed */
    char *fault;       /* NULL, or why the number can't be taken as it is written */
    char *fault_hint;
    struct sg_setting **items;
    size_t count, capacity;

    const struct sg_kind *kind; /* from here on: set by validation */
    int choice;                 /* index into the row's choices, where the value is one of them */
    double *reals;              /* count */
    const char **texts;         /* count; borrowed from the items */
    char *replaced;             /* a `type` that --set changed: the deck's own, "" if it gave none */
};

/* A setting in no tree. All memory of settings is the arena's. */
sg_status sg_setting_create(struct sg_arena *arena, enum sg_setting_form form, struct sg_setting **setting,
                            struct sg_error *err);

/* Puts a setting that is in no tree under `parent` at the end; it takes the name (may be NULL). */
sg_status sg_setting_adopt(struct sg_arena *arena, struct sg_setting *parent, struct sg_setting *setting,
                           const char *name, struct sg_error *err);

/* Takes a setting out of its parent. */
void sg_setting_remove(struct sg_setting *setting);

/* Puts `setting` in the place of `old`; it takes the name. */
void sg_setting_replace(struct sg_setting *old, struct sg_setting *setting);

/* Moves a child to the front of its parent. */
void sg_setting_lead(struct sg_setting *setting);

/* the child of a group, NULL if there is none or `group` is no group */
struct sg_setting *sg_setting_find(const struct sg_setting *group, const char *name);

/* "bodies.[0].length"; nothing for the root */
void sg_setting_path(const struct sg_setting *setting, struct sg_text *text);

/* "FILE:LINE", "FILE" or "--set" */
void sg_setting_where(const struct sg_setting *setting, struct sg_text *text);

#endif
