#include "deck/walk.h"

#include <stdio.h>
#include <string.h>

#include "deck/words.h"

enum { PATH_SIZE = 512, MAX_NESTING = 8 };

/* A place in the tree of rows; the chain leads to the root. */
struct place {
    const struct place *above;
    const struct sg_kind_set *kinds;
    const struct sg_kind *kind;
    char path[PATH_SIZE], plain[PATH_SIZE], qualified[PATH_SIZE];
};

static void join(char *to, const char *head, const char *tail)
{
    snprintf(to, PATH_SIZE, "%.250s%s%.250s", head, head[0] != '\0' && tail[0] != '\0' ? "." : "", tail);
}

static void emit(const struct place *at, const char *name, const struct sg_keyword *row,
                 const struct sg_visitor *visitor)
{
    struct place here;
    join(here.path, at->path, name);
    join(here.plain, at->plain, name);
    join(here.qualified, at->qualified, name);
    struct sg_entry entry = {here.path, here.plain, here.qualified, row, at->kinds, at->kind};
    visitor->visit(visitor->self, &entry);
}

static bool is_inside(const struct place *at, const struct sg_kind_set *kinds)
{
    size_t nesting = 0;
    for (; at != NULL; at = at->above, nesting++)
        if (at->kinds == kinds) return true;
    return nesting > MAX_NESTING;
}

static void walk_rows(const struct place *at, const struct sg_keyword *rows,
                      const struct sg_visitor *visitor);

static void walk_kinds(const struct place *at, const struct sg_kind_set *kinds,
                       const struct sg_visitor *visitor)
{
    struct place here = *at;
    here.above = at;
    here.kinds = kinds;
    here.kind = NULL;
    emit(&here, "type", NULL, visitor);
    walk_rows(&here, kinds->common, visitor);
    for (size_t i = 0; i < kinds->count; i++) {
        here.kind = kinds->items[i];
        join(here.qualified, at->qualified, kinds->items[i]->name);
        emit(&here, "", NULL, visitor);
        walk_rows(&here, kinds->items[i]->rows, visitor);
    }
}

static void walk_row(const struct place *at, const struct sg_keyword *row, const struct sg_visitor *visitor)
{
    struct place below = {.above = at, .kinds = at->kinds, .kind = at->kind};
    char name[PATH_SIZE];
    emit(at, row->name, row, visitor);
    if (!sg_row_has_groups(row)) return;
    snprintf(name, sizeof name, "%.200s%s", row->name, row->type == SG_LIST ? ".[i]" : "");
    join(below.path, at->path, name);
    join(below.plain, at->plain, row->name);
    join(below.qualified, at->qualified, row->name);
    if (row->kinds == NULL)
        walk_rows(&below, row->rows, visitor);
    else if (!is_inside(at, row->kinds))
        walk_kinds(&below, row->kinds, visitor);
}

static void walk_rows(const struct place *at, const struct sg_keyword *rows, const struct sg_visitor *visitor)
{
    for (const struct sg_keyword *row = rows; row != NULL && row->name != NULL; row++)
        walk_row(at, row, visitor);
}

void sg_rows_walk(const struct sg_keyword *root, struct sg_visitor visitor)
{
    struct place top = {0};
    walk_rows(&top, root, &visitor);
}
