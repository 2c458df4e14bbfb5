#include "formats/table.h"

#include <math.h>
#include <string.h>

#include "support/arena.h"
#include "support/bisect.h"
#include "support/memory.h"
#include "support/plain_numbers.h"
#include "support/text.h"

sg_status sg_table_allocate(struct sg_arena *arena, struct sg_table *table, size_t count,
                            struct sg_error *err)
{
    *table = (struct sg_table){0};
    TRY(SG_ARENA_NEW(arena, &table->x, count, err));
    TRY(SG_ARENA_NEW(arena, &table->y, count, err));
    table->count = count;
    return SG_OK;
}

sg_status sg_table_init(struct sg_arena *arena, struct sg_table *table, size_t count, const double *x,
                        const double *y, struct sg_error *err)
{
    TRY(sg_table_allocate(arena, table, count, err));
    for (size_t k = 0; k < table->count; k++) {
        table->x[k] = x[k];
        table->y[k] = y[k];
    }
    return SG_OK;
}

size_t sg_table_disorder(const struct sg_table *table)
{
    for (size_t k = 1; k < table->count; k++)
        if (!(table->x[k] > table->x[k - 1])) return k;
    return table->count;
}

size_t sg_table_piece(const struct sg_table *table, double at)
{
    size_t low = 0;
    SG_BISECT(low, table->count, middle, table->x[middle] <= at);
    return low;
}

double sg_table_value(const struct sg_table *table, double at)
{
    size_t right = sg_table_piece(table, at);
    if (right == 0) return table->y[0];
    if (right == table->count) return table->y[table->count - 1];
    double share = (at - table->x[right - 1]) / (table->x[right] - table->x[right - 1]);
    return (1.0 - share) * table->y[right - 1] + share * table->y[right];
}

/* --- reading -------------------------------------------------------------------------------------- */

/* the text of a file being read; `line` counts from 1 */
struct reading {
    const struct sg_table_source *source;
    struct sg_diagnostics *diagnostics;
    const struct sg_table_lines *lines;
    struct sg_table table;
    size_t capacity;
};

static void complain(const struct reading *reading, const char *message, size_t line)
{
    sg_complain_about(reading->diagnostics, SG_ERROR, reading->source->group, reading->source->keyword,
                      "'%s' line %zu: %s", reading->source->file, line, message);
}

static sg_status grow(struct reading *reading, struct sg_error *err)
{
    struct sg_table *table = &reading->table;
    struct sg_arena *arena = reading->source->arena;
    size_t capacity = reading->capacity; /* that of x when y can't grow: it then grows again */
    TRY(sg_arena_grow(arena, &table->x, table->count, &capacity, sizeof *table->x, err));
    return sg_arena_grow(arena, &table->y, table->count, &reading->capacity, sizeof *table->y, err);
}

static const char *const separators = " \t\r,;";

/* One finite number or two, and nothing else; NULL, or what is wrong. */
static const char *scan_numbers(const char *line, int count, double *numbers)
{
    for (int k = 0; k < count; k++) {
        line += strspn(line, separators);
        if (*line == '\0') return k == 0 ? "has no number" : "has one number where two are needed";
        char *rest = NULL;
        numbers[k] = sg_plain_number(line, &rest);
        if (rest == line || (*rest != '\0' && strchr(separators, *rest) == NULL))
            return "has a word that is not a number";
        if (!isfinite(numbers[k])) return "has a number that is not finite";
        line = rest;
    }
    line += strspn(line, separators);
    if (*line == '\0') return NULL;
    return count == 1 ? "has more than one number" : "has more than two numbers";
}

static void hint_line(const struct reading *reading, const char *line)
{
    SG_LOCAL_TEXT(shown);
    sg_text_append_excerpt(&shown, line, strlen(line));
    if (reading->lines->dt > 0)
        sg_hint(reading->diagnostics, "one value a line, the decimal sign is '.'; the line reads: %s",
                sg_text_view(&shown));
    else
        sg_hint(reading->diagnostics,
                "two columns are parted by blanks, ',' or ';', the decimal sign is '.'; the line reads: %s",
                sg_text_view(&shown));
}

static sg_status take_line(struct reading *reading, char *line, size_t number, struct sg_error *err)
{
    line[strcspn(line, "#%")] = '\0';
    if (line[strspn(line, separators)] == '\0') return SG_OK;
    bool pairs = !(reading->lines->dt > 0);
    double numbers[2] = {0, 0}, *value = &numbers[pairs ? 1 : 0];
    const char *fault = scan_numbers(line, pairs ? 2 : 1, numbers);
    if (fault != NULL) {
        complain(reading, fault, number);
        hint_line(reading, line);
        return SG_BAD_DECK;
    }
    if (reading->table.count == reading->capacity) TRY(grow(reading, err));
    struct sg_table *table = &reading->table;
    double x = pairs ? numbers[0] : (double)table->count * reading->lines->dt;
    table->x[table->count] = x;
    table->y[table->count] = *value;
    table->count++;
    if (table->count > 1 && !(x > table->x[table->count - 2])) {
        complain(reading, "the first column must rise from line to line", number);
        return SG_BAD_DECK;
    }
    return SG_OK;
}

static sg_status take_lines(void *self, struct sg_error *err)
{
    struct reading *reading = self;
    if (memchr(reading->lines->text, '\0', reading->lines->length) != NULL) {
        complain(reading, "the file holds a zero byte: it is not text", 1);
        return SG_BAD_DECK;
    }
    char *line = reading->lines->text;
    for (size_t number = 1; line != NULL; number++) {
        char *end = strchr(line, '\n');
        if (end != NULL) *end = '\0';
        TRY(take_line(reading, line, number, err));
        line = end == NULL ? NULL : end + 1;
    }
    if (reading->table.count > 0) return SG_OK;
    sg_complain_about(reading->diagnostics, SG_ERROR, reading->source->group, reading->source->keyword,
                      "'%s' holds no numbers", reading->source->file);
    return SG_BAD_DECK;
}

/* A file that can't be read is a finding at its keyword, and a status of its own. */
sg_status sg_table_text(const struct sg_table_source *source, size_t limit, char **text, size_t *length,
                        struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_error why = {0};
    sg_status status = sg_deck_read_side_file(source->deck, source->file, limit, text, length, &why);
    if (status == SG_OK) return SG_OK;
    if (status == SG_NO_INPUT || status == SG_BAD_DECK)
        sg_complain_about(diagnostics, SG_ERROR, source->group, source->keyword, "%s", why.text);
    return sg_fail(err, status, "%s", why.text);
}

sg_status sg_table_parse(const struct sg_table_source *source, const struct sg_table_lines *lines,
                         struct sg_table *table, struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct reading reading = {.source = source, .diagnostics = diagnostics, .lines = lines};
    *table = (struct sg_table){0};
    TRY(sg_with_plain_numbers(take_lines, &reading, err));
    *table = reading.table;
    return SG_OK;
}

sg_status sg_table_read(const struct sg_table_source *source, struct sg_table *table,
                        struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_table_lines lines = {.dt = 0};
    SG_AUTO_FREE char *text = NULL;
    *table = (struct sg_table){0};
    TRY(sg_table_text(source, SG_TABLE_LIMIT, &text, &lines.length, diagnostics, err));
    lines.text = text;
    return sg_table_parse(source, &lines, table, diagnostics, err);
}
