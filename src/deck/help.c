#include <string.h>

#include "deck/deck.h"
#include "deck/path.h"
#include "deck/walk.h"
#include "deck/words.h"

struct help {
    struct sg_text *text;
    const char *wanted; /* a path without indices, or a word in lower case */
    size_t shown;
    struct sg_suggestion near;
};

static void print_facts(struct sg_text *text, const struct sg_entry *entry)
{
    const struct sg_keyword *row = entry->row;
    sg_text_append(text, "    %s%s", sg_type_noun(row->type), sg_row_or_other(row));
    sg_text_append_unit(text, row);
    if (row->type == SG_CHOICE) {
        sg_text_append(text, ": ");
        sg_text_append_choices(text, row->choices);
    }
    if (row->range.limited) {
        sg_text_append(text, ", ");
        sg_text_append_range(text, row);
    }
    sg_text_append_instead(text, row);
    if (row->min_items > 0) sg_text_append(text, ", at least %zu", row->min_items);
    if (row->max_items > 0)
        sg_text_append(text, ", at most %zu%s", row->max_items, row->type == SG_TEXT ? " bytes" : "");
    if ((row->flags & SG_REQUIRED) != 0) {
        sg_text_append(text, "; ");
        sg_text_append_required(text, row);
    } else if (row->fallback != NULL) {
        sg_text_append(text, "; default %s", row->fallback);
    } else {
        sg_text_append(text, "; optional");
    }
    if (entry->kind != NULL) sg_text_append(text, "; for %s '%s'", entry->kinds->noun, entry->kind->name);
    sg_text_append(text, "\n");
}

static void print_type(struct sg_text *text, const struct sg_entry *entry)
{
    const struct sg_kind_set *kinds = entry->kinds;
    sg_text_append(text, "%s\n    which %s: ", entry->path, kinds->noun);
    sg_text_append_kinds(text, kinds);
    if (kinds->fallback != NULL)
        sg_text_append(text, "\n    text; default \"%s\"\n", kinds->fallback);
    else
        sg_text_append(text, "\n    text; required\n");
    if (kinds->count > 0) sg_text_append(text, "    example: type = \"%s\";\n", kinds->items[0]->name);
}

static void print_kind(struct sg_text *text, const struct sg_entry *entry)
{
    const struct sg_kind *kind = entry->kind;
    sg_text_append(text, "%s.type = \"%s\"\n    %s\n", entry->path, kind->name,
                   kind->meaning == NULL ? kind->name : kind->meaning);
    const char *lead = "    keywords: ";
    const struct sg_keyword *const tables[] = {entry->kinds->common, kind->rows};
    for (size_t n = 0; n < 2; n++)
        for (const struct sg_keyword *row = tables[n]; row != NULL && row->name != NULL; row++) {
            sg_text_append(text, "%s%s", lead, row->name);
            lead = ", ";
        }
    if (lead[0] == ',') sg_text_append(text, "\n");
}

static void print_entry(struct help *h, const struct sg_entry *entry)
{
    struct sg_text *text = h->text;
    if (h->shown++ > 0) sg_text_append(text, "\n");
    if (entry->row == NULL && entry->kind == NULL) {
        print_type(text, entry);
    } else if (entry->row == NULL) {
        print_kind(text, entry);
    } else {
        sg_text_append(text, "%s\n    %s\n", entry->path,
                       entry->row->meaning == NULL ? entry->row->name : entry->row->meaning);
        print_facts(text, entry);
        sg_text_append(text, "    example: ");
        sg_text_append_example(text, entry->row);
        sg_text_append(text, "\n");
    }
}

/* true if the path is `wanted` or below it */
static bool is_at(const char *path, const char *wanted)
{
    size_t length = strlen(wanted);
    return strncmp(path, wanted, length) == 0 && (path[length] == '\0' || path[length] == '.');
}

static void visit_path(void *self, const struct sg_entry *entry)
{
    struct help *h = self;
    bool kind = entry->row == NULL && entry->kind != NULL;
    if (is_at(entry->qualified, h->wanted) || (!kind && is_at(entry->plain, h->wanted)))
        print_entry(h, entry);
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool has_word(const char *text, const char *word)
{
    for (; text != NULL && *text != '\0'; text++) {
        size_t i = 0;
        while (word[i] != '\0' && lower(text[i]) == lower(word[i])) i++;
        if (word[i] == '\0') return true;
    }
    return false;
}

static void visit_word(void *self, const struct sg_entry *entry)
{
    struct help *h = self;
    bool row = entry->row != NULL &&
               (has_word(entry->row->name, h->wanted) || has_word(entry->row->meaning, h->wanted));
    bool kind = entry->row == NULL && entry->kind != NULL &&
                (has_word(entry->kind->name, h->wanted) || has_word(entry->kind->meaning, h->wanted));
    if (row || kind) print_entry(h, entry);
}

static void visit_near(void *self, const struct sg_entry *entry)
{
    struct help *h = self;
    if (entry->row != NULL)
        sg_suggestion_offer(&h->near, entry->row->name);
    else if (entry->kind != NULL)
        sg_suggestion_offer(&h->near, entry->kind->name);
}

/* The path's names alone; false if the topic is no path. */
static bool plain_path(const char *topic, struct sg_text *plain)
{
    struct sg_path path;
    SG_LOCAL_TEXT(fault);
    bool fine = sg_path_parse(topic, strlen(topic), true, &path, &fault);
    for (size_t i = 0; fine && i < path.count; i++)
        if (path.steps[i].name != NULL)
            sg_text_append(plain, "%s%.*s", plain->length > 0 ? "." : "", (int)path.steps[i].length,
                           path.steps[i].name);
    return fine;
}

static void print_overview(const struct sg_keyword *root, struct sg_text *text)
{
    for (const struct sg_keyword *row = root; row != NULL && row->name != NULL; row++)
        sg_text_append(text, "%-14s %s%s\n", row->name, row->meaning == NULL ? "" : row->meaning,
                       (row->flags & SG_REQUIRED) != 0 ? " (required)" : "");
    sg_text_append(text, "\nA path (bodies, integrator.type) or a word tells more.\n");
}

static bool print_near(const struct sg_keyword *root, const char *topic, struct sg_text *text)
{
    struct help h = {.text = text, .near = {.word = topic}};
    const char *dot = strrchr(topic, '.');
    if (dot != NULL) h.near.word = dot + 1;
    sg_rows_walk(root, (struct sg_visitor){&h, visit_near});
    sg_text_append(text, "no keyword fits '%s'", topic);
    if (h.near.best[0] != '\0') sg_text_append(text, "; did you mean '%s'?", h.near.best);
    sg_text_append(text, "\n");
    return false;
}

bool sg_help_print(const struct sg_keyword *root, const char *topic, struct sg_text *text)
{
    struct help h = {.text = text};
    SG_LOCAL_TEXT(plain);
    if (topic == NULL || topic[0] == '\0') {
        print_overview(root, text);
        return true;
    }
    if (plain_path(topic, &plain)) {
        h.wanted = sg_text_view(&plain);
        sg_rows_walk(root, (struct sg_visitor){&h, visit_path});
    }
    if (h.shown == 0) {
        h.wanted = topic;
        sg_rows_walk(root, (struct sg_visitor){&h, visit_word});
    }
    text->failed = text->failed || plain.failed;
    return h.shown > 0 || print_near(root, topic, text);
}
