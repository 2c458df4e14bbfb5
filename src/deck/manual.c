#include <string.h>

#include "deck/deck.h"
#include "deck/words.h"

enum { MAX_SETS = 64, DEEPEST_HEADING = 6 };

struct manual {
    struct sg_text *text;
    const struct sg_kind_set *sets[MAX_SETS]; /* those already told */
    size_t count;
};

/* Where a section stands; the path is owned by the caller of each function. */
struct section {
    const char *path;
    size_t level;
};

static const char intro[] =
    "# Decks\n"
    "\n"
    "A deck is a text file in [libconfig](https://hyperrealm.github.io/libconfig/) syntax, UTF-8, of at "
    "most\n"
    "16 MiB. This page is made from the program's keyword tables; `signorini help PATH` prints the same.\n"
    "\n"
    "```\n"
    "title = \"Two bars\";            # text in quotes; comments start with #, //, or are put in /* */\n"
    "time = { end = 1.0; step = 1e-5; };   # a group { }\n"
    "contacts = ( { gap = 0.0; }, { gap = 1e-3; } );   # a list ( ) of groups\n"
    "```\n"
    "\n"
    "- Where a real number is wanted an integer will do; where an integer is wanted `1e5` will not.\n"
    "- An array `[ ]` has items of one type: write `[1.0, 2.0]`, or a list `(1, 2.0)`. A comma before the\n"
    "  closing bracket is an error.\n"
    "- Integers beyond 32 bits need the suffix `L`; as real numbers write them with a point or exponent.\n"
    "- `@include \"FILE\"`, a line of its own, puts in another file, relative to the file that has the line; "
    "it\n"
    "  must lie below the deck's folder.\n"
    "- Large data (ground motions, matrices, meshes) go into side files: a deck holds at most 200000 "
    "values.\n"
    "- `--set PATH=VALUE` changes one value, as in `--set integrator.rho_inf=0.5` or\n"
    "  `--set contacts.[0].stiffness=1e5`; `contacts[0]` will do too. A bare word is taken as text.\n"
    "- Units are those of the tables, or any other set that is consistent.\n";

/* A bar would end the cell of a table. */
static void append_cell(struct sg_text *text, const char *words)
{
    for (const char *c = words; c != NULL && *c != '\0'; c++) {
        if (*c == '|') sg_text_append(text, "\\");
        sg_text_append_bytes(text, c, 1);
    }
}

static void append_default(struct sg_text *text, const struct sg_keyword *row)
{
    if ((row->flags & SG_REQUIRED) != 0) {
        sg_text_append_required(text, row);
    } else if (row->fallback != NULL) {
        sg_text_append(text, "`");
        append_cell(text, row->fallback);
        sg_text_append(text, "`");
    }
}

static void append_allowed(struct sg_text *text, const struct sg_keyword *row)
{
    const char *separator = row->range.limited ? ", " : "";
    sg_text_append_range(text, row);
    sg_text_append_instead(text, row);
    if (row->type == SG_CHOICE) sg_text_append_choices(text, row->choices);
    if (row->min_items > 0) {
        sg_text_append(text, "%sat least %zu", separator, row->min_items);
        separator = ", ";
    }
    if (row->max_items > 0)
        sg_text_append(text, "%sat most %zu%s", separator, row->max_items,
                       row->type == SG_TEXT ? " bytes" : "");
}

static void print_row(struct sg_text *text, const struct sg_keyword *row)
{
    sg_text_append(text, "| `%s` | %s%s | %s | ", row->name, sg_type_noun(row->type), sg_row_or_other(row),
                   row->unit == NULL ? "" : row->unit);
    append_default(text, row);
    sg_text_append(text, " | ");
    append_allowed(text, row);
    sg_text_append(text, " | ");
    append_cell(text, row->meaning);
    sg_text_append(text, " |\n");
}

static void print_table(struct sg_text *text, const struct sg_keyword *rows)
{
    if (rows == NULL || rows->name == NULL) return;
    sg_text_append(text, "\n| keyword | type | unit | default | allowed | meaning |\n"
                         "|---|---|---|---|---|---|\n");
    for (const struct sg_keyword *row = rows; row->name != NULL; row++) print_row(text, row);
}

static void print_heading(struct sg_text *text, size_t level)
{
    sg_text_append(text, "\n");
    for (size_t i = 0; i < level && i < DEEPEST_HEADING; i++) sg_text_append(text, "#");
    sg_text_append(text, " ");
}

static bool is_told(struct manual *m, const struct sg_kind_set *kinds)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->sets[i] == kinds) return true;
    if (m->count == MAX_SETS) return true;
    m->sets[m->count++] = kinds;
    return false;
}

static void print_below(struct manual *m, struct section at, const struct sg_keyword *rows);

static void print_kinds(struct manual *m, struct section at, const struct sg_kind_set *kinds)
{
    if (is_told(m, kinds)) {
        sg_text_append(m->text, "\nKeywords as of any other %s on this page.\n", kinds->noun);
        return;
    }
    sg_text_append(m->text, "\n`type` chooses the %s: ", kinds->noun);
    sg_text_append_kinds(m->text, kinds);
    if (kinds->fallback != NULL)
        sg_text_append(m->text, "; without it, %s.\n", kinds->fallback);
    else
        sg_text_append(m->text, "; it is required.\n");
    print_table(m->text, kinds->common);
    print_below(m, at, kinds->common);
    for (size_t i = 0; i < kinds->count; i++) {
        const struct sg_kind *kind = kinds->items[i];
        print_heading(m->text, at.level + 1);
        sg_text_append(m->text, "`%s` with `type = \"%s\"`\n\n%s\n", at.path, kind->name,
                       kind->meaning == NULL ? "" : kind->meaning);
        print_table(m->text, kind->rows);
        print_below(m, (struct section){at.path, at.level + 1}, kind->rows);
    }
}

static void print_section(struct manual *m, struct section at, const struct sg_keyword *row)
{
    SG_LOCAL_TEXT(path);
    sg_text_append(&path, "%s%s%s%s", at.path, at.path[0] != '\0' ? "." : "", row->name,
                   row->type == SG_LIST ? ".[i]" : "");
    m->text->failed = m->text->failed || path.failed;
    print_heading(m->text, at.level);
    sg_text_append(m->text, "`%s`\n\n%s; %s%s", sg_text_view(&path), row->meaning == NULL ? "" : row->meaning,
                   sg_type_noun(row->type), sg_row_or_other(row));
    if ((row->flags & SG_REQUIRED) != 0) {
        sg_text_append(m->text, ", ");
        sg_text_append_required(m->text, row);
    }
    sg_text_append(m->text, ".\n");
    struct section here = {sg_text_view(&path), at.level};
    if (row->kinds != NULL) {
        print_kinds(m, here, row->kinds);
    } else {
        print_table(m->text, row->rows);
        print_below(m, (struct section){here.path, at.level + 1}, row->rows);
    }
}

/* a section for each row that has rows or kinds of its own */
static void print_below(struct manual *m, struct section at, const struct sg_keyword *rows)
{
    for (const struct sg_keyword *row = rows; row != NULL && row->name != NULL; row++)
        if (sg_row_has_groups(row)) print_section(m, at, row);
}

void sg_manual_print_tables(const struct sg_keyword *root, struct sg_text *text)
{
    struct manual m = {.text = text};
    print_heading(text, 2);
    sg_text_append(text, "Top level\n");
    print_table(text, root);
    print_below(&m, (struct section){"", 2}, root);
}

void sg_manual_print(const struct sg_keyword *root, struct sg_text *text)
{
    sg_text_append(text, "%s", intro);
    sg_manual_print_tables(root, text);
}
