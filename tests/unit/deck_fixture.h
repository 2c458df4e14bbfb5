/* A small world of rows that has every row type, and decks read from strings, for the deck's tests. */
#ifndef SG_TESTS_DECK_FIXTURE_H
#define SG_TESTS_DECK_FIXTURE_H

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "deck/deck.h"

struct sg_deck_trial {
    struct sg_deck *deck;
    struct sg_diagnostics findings;
    struct sg_error err;
    sg_status status; /* of the last step taken */
    struct sg_text text;
};

/* what `spec` of the root's `options` group is filled into */
struct sg_trial_options {
    double factor, bare;
    long long count, none, limit;
    int verbose, quiet;
    const char *label, *unset;
    int mode, unmode;
    struct sg_reals weights, no_weights;
    struct sg_texts names, no_names;
    const struct sg_setting *inner, *no_inner, *parts, *no_parts;
};

#define SG_TRIAL_AT(member) offsetof(struct sg_trial_options, member)

static const struct sg_keyword sg_trial_inner_rows[] = {
    {.name = "depth",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "depth of the pit",
     .fallback = "2",
     .range = SG_POSITIVE},
    {.name = NULL},
};

static const struct sg_keyword sg_trial_part_rows[] = {
    {.name = "mass",
     .type = SG_REAL,
     .unit = "kg",
     .meaning = "mass of the part",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE},
    {.name = "at", .type = SG_INTEGER, .meaning = "place of the part", .fallback = "1"},
    {.name = NULL},
};

static const struct sg_keyword sg_trial_option_rows[] = {
    {.name = "factor",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "a factor",
     .fallback = "0.5",
     .range = SG_BETWEEN(0, 1),
     .offset = SG_TRIAL_AT(factor)},
    {.name = "bare",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "a time without default",
     .offset = SG_TRIAL_AT(bare)},
    {.name = "count",
     .type = SG_INTEGER,
     .meaning = "a count | of things",
     .fallback = "3",
     .range = SG_AT_LEAST(1),
     .offset = SG_TRIAL_AT(count)},
    {.name = "none",
     .type = SG_INTEGER,
     .meaning = "an integer without default",
     .offset = SG_TRIAL_AT(none)},
    {.name = "limit",
     .type = SG_INTEGER,
     .meaning = "a number or a word",
     .fallback = "4",
     .choices = "all|few",
     .range = SG_BETWEEN(0, 9),
     .offset = SG_TRIAL_AT(limit)},
    {.name = "verbose",
     .type = SG_BOOL,
     .meaning = "whether to talk",
     .fallback = "true",
     .offset = SG_TRIAL_AT(verbose)},
    {.name = "quiet", .type = SG_BOOL, .meaning = "whether not to", .offset = SG_TRIAL_AT(quiet)},
    {.name = "label",
     .type = SG_TEXT,
     .meaning = "a label",
     .fallback = "\"none\"",
     .offset = SG_TRIAL_AT(label)},
    {.name = "unset", .type = SG_TEXT, .meaning = "a text without default", .offset = SG_TRIAL_AT(unset)},
    {.name = "mode",
     .type = SG_CHOICE,
     .meaning = "the mode",
     .fallback = "\"lumped\"",
     .choices = "consistent|lumped|average",
     .offset = SG_TRIAL_AT(mode)},
    {.name = "unmode",
     .type = SG_CHOICE,
     .meaning = "a mode without default",
     .choices = "on|off",
     .offset = SG_TRIAL_AT(unmode)},
    {.name = "weights",
     .type = SG_REALS,
     .unit = "kg",
     .meaning = "some weights",
     .fallback = "[1.0, 2.5]",
     .range = SG_NON_NEGATIVE,
     .min_items = 1,
     .max_items = 4,
     .offset = SG_TRIAL_AT(weights)},
    {.name = "no_weights", .type = SG_REALS, .meaning = "no weights", .offset = SG_TRIAL_AT(no_weights)},
    {.name = "names",
     .type = SG_TEXTS,
     .meaning = "some names",
     .fallback = "[\"a\"]",
     .offset = SG_TRIAL_AT(names)},
    {.name = "no_names", .type = SG_TEXTS, .meaning = "no names", .offset = SG_TRIAL_AT(no_names)},
    {.name = "inner",
     .type = SG_GROUP,
     .meaning = "a pit",
     .fallback = "{ }",
     .rows = sg_trial_inner_rows,
     .offset = SG_TRIAL_AT(inner)},
    {.name = "no_inner",
     .type = SG_GROUP,
     .meaning = "no pit",
     .rows = sg_trial_inner_rows,
     .offset = SG_TRIAL_AT(no_inner)},
    {.name = "parts",
     .type = SG_LIST,
     .meaning = "some parts",
     .fallback = "( { mass = 1; } )",
     .rows = sg_trial_part_rows,
     .max_items = 3,
     .offset = SG_TRIAL_AT(parts)},
    {.name = "no_parts",
     .type = SG_LIST,
     .meaning = "no parts",
     .rows = sg_trial_part_rows,
     .offset = SG_TRIAL_AT(no_parts)},
    {.name = NULL},
};

static const struct sg_keyword sg_trial_bar_rows[] = {
    {.name = "length",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "length of the bar",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE},
    {.name = "elements",
     .type = SG_INTEGER,
     .meaning = "elements of the bar",
     .fallback = "10",
     .range = SG_AT_LEAST(1)},
    {.name = "area",
     .type = SG_REAL,
     .unit = "m^2",
     .meaning = "area of the section",
     .fallback = "1",
     .range = SG_POSITIVE},
    {.name = NULL},
};
static const struct sg_keyword sg_trial_ball_rows[] = {
    {.name = "radius",
     .type = SG_REAL,
     .unit = "m",
     .meaning = "radius of the ball",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE},
    {.name = NULL},
};
static const struct sg_keyword sg_trial_body_rows[] = {
    {.name = "name", .type = SG_TEXT, .meaning = "name of the body", .flags = SG_REQUIRED},
    {.name = NULL},
};
static const struct sg_kind sg_trial_bar = {"bar", "elastic bar of linear elements", sg_trial_bar_rows};
static const struct sg_kind sg_trial_ball = {"ball", "rigid ball", sg_trial_ball_rows};
static const struct sg_kind *const sg_trial_bodies[] = {&sg_trial_bar, &sg_trial_ball};
static const struct sg_kind_set sg_trial_body_kinds = {"body", sg_trial_body_rows, NULL, 2, sg_trial_bodies};

static const struct sg_keyword sg_trial_rho_rows[] = {
    {.name = "rho_inf",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "spectral radius at infinity",
     .fallback = "0.8",
     .range = SG_BETWEEN(0, 1)},
    {.name = NULL},
};
static const struct sg_keyword sg_trial_newmark_rows[] = {
    {.name = "beta", .type = SG_REAL, .unit = "1", .meaning = "Newmark's beta", .fallback = "0.25"},
    {.name = NULL},
};
static const struct sg_kind sg_trial_alpha = {"generalized-alpha", "Chung and Hulbert 1993",
                                              sg_trial_rho_rows};
static const struct sg_kind sg_trial_newmark = {"newmark", "Newmark 1959", sg_trial_newmark_rows};
static const struct sg_kind sg_trial_exact = {"exact", "modal, exact", NULL};
static const struct sg_kind *const sg_trial_integrators[] = {&sg_trial_alpha, &sg_trial_newmark,
                                                             &sg_trial_exact};
static const struct sg_kind_set sg_trial_integrator_kinds = {"integrator", NULL, "generalized-alpha", 3,
                                                             sg_trial_integrators};

/* a kind that holds its own set */
static const struct sg_kind_set sg_trial_signal_kinds;
static const struct sg_keyword sg_trial_sum_rows[] = {
    {.name = "terms",
     .type = SG_LIST,
     .meaning = "what is added up",
     .flags = SG_REQUIRED,
     .kinds = &sg_trial_signal_kinds,
     .min_items = 2},
    {.name = NULL},
};
static const struct sg_keyword sg_trial_constant_rows[] = {
    {.name = "value", .type = SG_REAL, .unit = "1", .meaning = "the value", .flags = SG_REQUIRED},
    {.name = NULL},
};
static const struct sg_kind sg_trial_sum = {"sum", "sum of signals", sg_trial_sum_rows};
static const struct sg_kind sg_trial_constant = {"constant", "the same at all times", sg_trial_constant_rows};
static const struct sg_kind *const sg_trial_signals[] = {&sg_trial_sum, &sg_trial_constant};
static const struct sg_kind_set sg_trial_signal_kinds = {"signal", NULL, NULL, 2, sg_trial_signals};

static const struct sg_keyword sg_trial_time_rows[] = {
    {.name = "end",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "end of the run",
     .flags = SG_REQUIRED,
     .range = SG_POSITIVE},
    {.name = "step",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "step",
     .fallback = "1e-3",
     .range = SG_POSITIVE},
    {.name = NULL},
};

static const struct sg_keyword sg_trial_root[] = {
    {.name = "title",
     .type = SG_TEXT,
     .meaning = "one line about the run",
     .flags = SG_REQUIRED,
     .example = "\"Two bars\""},
    {.name = "bodies",
     .type = SG_LIST,
     .meaning = "the bodies",
     .flags = SG_REQUIRED,
     .kinds = &sg_trial_body_kinds,
     .min_items = 1},
    {.name = "integrator",
     .type = SG_GROUP,
     .meaning = "the integrator",
     .fallback = "{ }",
     .kinds = &sg_trial_integrator_kinds},
    {.name = "load", .type = SG_GROUP, .meaning = "a signal", .kinds = &sg_trial_signal_kinds},
    {.name = "time", .type = SG_GROUP, .meaning = "time", .flags = SG_REQUIRED, .rows = sg_trial_time_rows},
    {.name = "options",
     .type = SG_GROUP,
     .meaning = "one of each",
     .fallback = "{ }",
     .rows = sg_trial_option_rows},
    {.name = NULL},
};

/* without a fault */
static const char sg_trial_deck[] =
    "title = \"Two bodies\";\n"
    "bodies = (\n"
    "  { type = \"bar\"; name = \"rod\"; length = 2;\n"
    "    elements = 20; },\n"
    "  { type = \"ball\"; name = \"ball\"; radius = 0.1; }\n"
    ");\n"
    "integrator = {\n"
    "  type = \"generalized-alpha\";\n"
    "  rho_inf = 0.9;\n"
    "};\n"
    "load = { type = \"sum\"; terms = ( { type = \"constant\"; value = 1; },\n"
    "  { type = \"constant\"; value = -2.5e-3; } ); };\n"
    "time = { end = 1; step = 0.25; };\n"
    "options = {\n"
    "  weights = [1, 2];\n"
    "  names = (\"x\", \"y\" \"z\");\n"
    "  label = \"\\\"quoted\\\" \\\\ \\n\\x01 \xc3\xa9\";\n"
    "  verbose = false;\n"
    "  count = 5000000000L; limit = \"few\";\n"
    "  mode = \"average\";\n"
    "  parts = ( { mass = 1.5; }, { mass = 3; at = -4; } );\n"
    "};\n";

/* Reads (as "deck.cfg"), applies `set` (NULL: nothing) and validates, as far as each step succeeds. */
static inline void sg_trial_init(struct sg_deck_trial *trial, const char *text, const char *set)
{
    *trial = (struct sg_deck_trial){0};
    trial->status =
        sg_deck_read_text(text, strlen(text), "deck.cfg", &trial->deck, &trial->findings, &trial->err);
    if (trial->status == SG_OK && set != NULL)
        trial->status = sg_deck_override(trial->deck, set, &trial->findings, &trial->err);
    if (trial->status == SG_OK)
        trial->status = sg_deck_validate(trial->deck, sg_trial_root, &trial->findings, &trial->err);
}

static inline void sg_trial_release(struct sg_deck_trial *trial)
{
    sg_deck_destroy(trial->deck);
    sg_diagnostics_release(&trial->findings);
    sg_text_release(&trial->text);
}

/* The findings as rendered. */
static inline const char *sg_trial_render(struct sg_deck_trial *trial)
{
    sg_text_release(&trial->text);
    sg_diagnostics_render(&trial->findings, &trial->text);
    return sg_text_view(&trial->text);
}

/* A copy of sg_trial_deck with the first `old` replaced by `fresh`; free it. */
static inline char *sg_trial_edit(const char *old, const char *fresh)
{
    const char *place = strstr(sg_trial_deck, old);
    size_t head = place == NULL ? 0 : (size_t)(place - sg_trial_deck);
    char *text = place == NULL ? NULL : malloc(sizeof sg_trial_deck + strlen(fresh));
    if (text == NULL) return NULL;
    memcpy(text, sg_trial_deck, head);
    strcpy(text + head, fresh);
    strcat(text, place + strlen(old));
    return text;
}

#endif
