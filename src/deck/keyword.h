/* A deck keyword is one row of a const table beside the code that uses it. The row alone drives
 * parsing, checking, defaults, "did you mean", `signorini help`, the JSON schema and the manual.
 *
 * Tables end with a zeroed row (name NULL). */
#ifndef SG_DECK_KEYWORD_H
#define SG_DECK_KEYWORD_H

#include <stdbool.h>
#include <stddef.h>

enum sg_value_type {
    SG_REAL,    /* double; NaN in the spec struct when not given and without default, or a group */
    SG_INTEGER, /* long long; SG_NOT_GIVEN likewise; word k of `choices` is -1 - k */
    SG_BOOL,    /* int: 0, 1; -1 likewise */
    SG_TEXT,    /* const char *; NULL likewise */
    SG_CHOICE,  /* int: index into `choices`; -1 likewise */
    SG_REALS,   /* struct sg_reals; data NULL likewise */
    SG_TEXTS,   /* struct sg_texts; data NULL likewise */
    SG_GROUP,   /* const struct sg_setting *: rows or kinds; NULL likewise */
    SG_LIST     /* const struct sg_setting *: a list of groups, rows or kinds; NULL likewise */
};

#define SG_NOT_GIVEN (-9223372036854775807LL)

struct sg_reals {
    const double *data; /* owned by the deck */
    size_t count;
};
struct sg_texts {
    const char *const *data; /* owned by the deck */
    size_t count;
};

/* A range with open or closed ends; both ends 0 and closed means "no limit" unless `limited`. */
struct sg_range {
    double low, high;
    bool low_open, high_open;
    bool limited;
};
#define SG_ANY                                                                                               \
    {                                                                                                        \
        0, 0, false, false, false                                                                            \
    }
#define SG_POSITIVE                                                                                          \
    {                                                                                                        \
        0, HUGE_VAL, true, true, true                                                                        \
    }
#define SG_NON_NEGATIVE                                                                                      \
    {                                                                                                        \
        0, HUGE_VAL, false, true, true                                                                       \
    }
#define SG_BETWEEN(a, b)                                                                                     \
    {                                                                                                        \
        (a), (b), false, false, true                                                                         \
    }
#define SG_AT_LEAST(a)                                                                                       \
    {                                                                                                        \
        (a), HUGE_VAL, false, true, true                                                                     \
    }

enum sg_keyword_flags { SG_OPTIONAL = 0, SG_REQUIRED = 1 };

/* Most bytes of what names a body or a node, and of what names anything else. */
enum { SG_NAME_LIMIT = 64, SG_LABEL_LIMIT = 255 };

struct sg_kind;
struct sg_kind_set;

/* The case that `group` beside the keyword (above: beside one of the groups that it is in) is of a kind that
 * does without it, as `spares` says of each of `kinds`. */
struct sg_keyword_case {
    const char *group;
    const struct sg_kind_set *kinds;
    bool (*spares)(const struct sg_kind *kind);
    bool above;
};

struct sg_keyword {
    const char *name;
    enum sg_value_type type;
    const char *unit;     /* "m", "kg", "1" if dimensionless; NULL where it has no meaning */
    const char *meaning;  /* one line, lower case, no full stop */
    const char *fallback; /* default as deck text ("0.5", "\"lumped\"", "true"); NULL: none */
    const char *example;  /* value as deck text; NULL: made from the default or the range */
    unsigned flags;
    const struct sg_keyword_case *spared; /* where a required keyword need not be given; NULL: nowhere */
    struct sg_range range;                /* numbers, and each number of SG_REALS */
    const char *choices;                  /* SG_CHOICE: "consistent|lumped|average"; SG_INTEGER: words that
                                             may stand for the number; the range is then >= 0 */
    const struct sg_keyword *rows;        /* SG_GROUP, SG_LIST without kinds */
    /* SG_GROUP, SG_LIST whose groups say `type = "..."`; SG_REAL: such a group may stand for the number */
    const struct sg_kind_set *kinds;
    /* SG_LIST, SG_REALS, SG_TEXTS; max 0: no limit. SG_TEXT with a max: a name of at most so many bytes,
     * which has a character that can be seen and no control character. */
    size_t min_items, max_items;
    bool single;   /* SG_REALS: a number may stand for an array of one; SG_LIST: a group for a list of one */
    size_t offset; /* into the spec struct that sg_setting_fill fills */
};

/* One value of a `type` keyword: an integrator, a body, a signal ... The ops struct of each kind
 * starts with one of these. */
struct sg_kind {
    const char *name;
    const char *meaning; /* one line, with the source where there is one */
    const struct sg_keyword *rows;
};

/* The registry of a folder, as the deck sees it. */
struct sg_kind_set {
    const char *noun;                /* "integrator", "body": for messages */
    const struct sg_keyword *common; /* rows that every kind has, `type` apart; may be NULL */
    const char *fallback;            /* kind taken when `type` is absent; NULL: `type` is required */
    size_t count;
    const struct sg_kind *const *items;
};

#endif
