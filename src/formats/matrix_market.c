#include "formats/matrix_market.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "support/bisect.h"
#include "support/memory.h"
#include "support/plain_numbers.h"
#include "support/text.h"

static const size_t file_limit = (size_t)2 << 30;

/* An entry as the file has it, from 0; of a symmetric file below the diagonal once more, transposed. */
struct entry {
    size_t row, column, line;
    double value;
};

struct reading {
    const struct sg_table_source *source;
    struct sg_diagnostics *diagnostics;
    char *text, *next; /* the line after the one at hand; NULL: none */
    char *line;
    size_t length, number; /* of the text; of the line at hand, from 1 */
    size_t size_line;
    bool array, integer, symmetric;
    size_t rows, columns, told; /* told: lines of entries */
    struct sg_arena *scratch;   /* of the entries */
    struct entry *entries;
    size_t count, capacity;
};

/* --- lines and words ------------------------------------------------------------------------------ */

static sg_status fault(const struct reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static sg_status fault(const struct reading *reading, const char *format, ...)
{
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    sg_complain_about(reading->diagnostics, SG_ERROR, reading->source->group, reading->source->keyword,
                      "'%s' line %zu: %s", reading->source->file, reading->number, message);
    return SG_BAD_DECK;
}

static void hint_line(const struct reading *reading, const char *wanted)
{
    SG_LOCAL_TEXT(shown);
    sg_text_append_excerpt(&shown, reading->line, strlen(reading->line));
    sg_hint(reading->diagnostics, "%s; the line reads: %s", wanted, sg_text_view(&shown));
}

static const char *const blanks = " \t\r\f\v";

/* The next line, whatever is in it. */
static bool take_line(struct reading *reading)
{
    if (reading->next == NULL) return false;
    reading->line = reading->next;
    reading->number++;
    char *end = strchr(reading->line, '\n');
    if (end != NULL) *end = '\0';
    reading->next = end == NULL ? NULL : end + 1;
    return true;
}

/* the next line that says something; its blanks in front are skipped */
static bool take_words(struct reading *reading)
{
    while (take_line(reading)) {
        if (reading->line[0] == '%') continue;
        reading->line += strspn(reading->line, blanks);
        if (*reading->line != '\0') return true;
    }
    return false;
}

/* the end of the word at `at` */
static const char *word_end(const char *at)
{
    return at + strcspn(at, blanks);
}

/* A whole number of digits alone; SIZE_MAX where it is beyond all sizes. */
static bool scan_count(const char **at, size_t *count)
{
    const char *end = word_end(*at);
    size_t value = 0;
    if (end == *at) return false;
    for (const char *c = *at; c < end; c++) {
        if (*c < '0' || *c > '9') return false;
        size_t digit = (size_t)(*c - '0');
        value = value > (SIZE_MAX - digit) / 10 ? SIZE_MAX : 10 * value + digit;
    }
    *count = value;
    *at = end + strspn(end, blanks);
    return true;
}

/* --- first line and size -------------------------------------------------------------------------- */

enum { WORDS = 5, WORD = 32 };

/* "%%MatrixMarket matrix coordinate real general", in small letters; words that are too long are cut */
static size_t split(const char *line, char words[WORDS + 1][WORD])
{
    size_t count = 0;
    line += strspn(line, blanks);
    while (*line != '\0' && count <= WORDS) {
        const char *end = word_end(line);
        snprintf(words[count], WORD, "%.*s", (int)(end - line < WORD ? end - line : WORD - 1), line);
        for (char *c = words[count]; *c != '\0'; c++)
            if (*c >= 'A' && *c <= 'Z') *c = (char)(*c - 'A' + 'a');
        count++;
        line = end + strspn(end, blanks);
    }
    return count;
}

static bool is_one_of(const char *word, const char *a, const char *b)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0;
}

static sg_status read_header(struct reading *reading)
{
    static const char *const wanted =
        "wanted: %%MatrixMarket matrix coordinate|array real|integer general|symmetric";
    char words[WORDS + 1][WORD] = {{0}};
    sg_status status = SG_OK;
    take_line(reading);
    size_t count = split(reading->line, words);
    if (count == 0 || strcmp(words[0], "%%matrixmarket") != 0)
        status = fault(reading, "is not the first line of a Matrix Market file");
    else if (count != WORDS)
        status =
            fault(reading, "has %s words than the five of a first line", count < WORDS ? "fewer" : "more");
    else if (strcmp(words[1], "matrix") != 0)
        status = fault(reading, "the file holds no matrix but '%s'", words[1]);
    else if (!is_one_of(words[2], "coordinate", "array"))
        status = fault(reading, "the format '%s' is not known", words[2]);
    else if (!is_one_of(words[3], "real", "integer"))
        status = fault(reading, "the field '%s' is not taken: values must be real", words[3]);
    else if (!is_one_of(words[4], "general", "symmetric"))
        status = fault(reading, "the symmetry '%s' is not taken", words[4]);
    if (status != SG_OK) {
        hint_line(reading, wanted);
        return status;
    }
    reading->array = words[2][0] == 'a';
    reading->integer = words[3][0] == 'i';
    reading->symmetric = words[4][0] == 's';
    return SG_OK;
}

static sg_status check_sizes(struct reading *reading)
{
    size_t rows = reading->rows, columns = reading->columns;
    if (rows == 0 || columns == 0) return fault(reading, "a matrix of %zu x %zu has no entry", rows, columns);
    if (rows > SG_MARKET_SIZE || columns > SG_MARKET_SIZE)
        return fault(reading, "the size is too large: %d rows and columns are the most", (int)SG_MARKET_SIZE);
    if (reading->symmetric && rows != columns)
        return fault(reading, "a symmetric matrix can't have %zu rows and %zu columns", rows, columns);
    if (reading->array) reading->told = reading->symmetric ? rows * (rows + 1) / 2 : rows * columns;
    /* a line of an entry has two bytes at least, so that nothing is allocated for what is not there */
    if (reading->told > reading->length)
        return fault(reading, "announces %zu entries, more than the file of %zu bytes can hold",
                     reading->told, reading->length);
    return SG_OK;
}

static sg_status read_size(struct reading *reading)
{
    size_t *const targets[] = {&reading->rows, &reading->columns, &reading->told};
    size_t wanted = reading->array ? 2 : 3, got = 0;
    if (!take_words(reading)) return fault(reading, "the file ends before the line of the size");
    const char *at = reading->line;
    while (got < wanted && scan_count(&at, targets[got])) got++;
    reading->size_line = reading->number;
    if (got == wanted && *at == '\0') return check_sizes(reading);
    fault(reading, "is not the line of the size");
    hint_line(reading, reading->array ? "an array has two numbers there: rows, columns"
                                      : "three whole numbers are wanted: rows, columns, entries");
    return SG_BAD_DECK;
}

/* --- entries -------------------------------------------------------------------------------------- */

static sg_status add_entry(struct reading *reading, struct entry entry, struct sg_error *err)
{
    TRY(sg_arena_grow(reading->scratch, &reading->entries, reading->count, &reading->capacity, sizeof entry,
                      err));
    reading->entries[reading->count++] = entry;
    return SG_OK;
}

/* Index from 1 into one from 0. */
static sg_status check_index(const struct reading *reading, const char *what, size_t size, size_t *index)
{
    if (*index == 0) {
        fault(reading, "the %s is 0 where indices count from 1", what);
        sg_hint(reading->diagnostics,
                "the file seems to count from 0: add 1 to all rows and columns (scipy.io.mmwrite does)");
        return SG_BAD_DECK;
    }
    if (*index > size)
        return fault(reading, "%s %zu is beyond the %zu that line %zu announces", what, *index, size,
                     reading->size_line);
    --*index;
    return SG_OK;
}

/* the number that is the rest of the line */
static sg_status scan_value(const struct reading *reading, const char *at, double *value)
{
    char *rest = NULL;
    *value = sg_plain_number(at, &rest);
    if (rest == at || (*rest != '\0' && strchr(blanks, *rest) == NULL)) {
        fault(reading, "has no number where the value is due");
        hint_line(reading, reading->array ? "each line of an array is one value"
                                          : "each line is row, column and value, apart by blanks");
        return SG_BAD_DECK;
    }
    if (!isfinite(*value)) return fault(reading, "the value is not a finite number");
    if (reading->integer && *value != floor(*value))
        return fault(reading, "the value %g is no integer, which the first line promises", *value);
    if (rest[strspn(rest, blanks)] == '\0') return SG_OK;
    fault(reading, "has more on it than one entry");
    hint_line(reading, "each entry has a line of its own");
    return SG_BAD_DECK;
}

static sg_status read_coordinate(const struct reading *reading, struct entry *entry)
{
    const char *at = reading->line;
    if (!scan_count(&at, &entry->row) || !scan_count(&at, &entry->column)) {
        fault(reading, "does not begin with a row and a column");
        hint_line(reading, "indices are whole numbers from 1");
        return SG_BAD_DECK;
    }
    TRY(check_index(reading, "row", reading->rows, &entry->row));
    TRY(check_index(reading, "column", reading->columns, &entry->column));
    if (reading->symmetric && entry->row < entry->column) {
        fault(reading, "the entry (%zu, %zu) is above the diagonal of a symmetric file", entry->row + 1,
              entry->column + 1);
        sg_hint(reading->diagnostics,
                "a symmetric file holds the lower triangle alone; one with both is 'general'");
        return SG_BAD_DECK;
    }
    return scan_value(reading, at, &entry->value);
}

/* the place of the next value of an array */
static void step_array(const struct reading *reading, struct entry *entry)
{
    if (++entry->row < reading->rows) return;
    entry->column++;
    entry->row = reading->symmetric ? entry->column : 0;
}

static sg_status read_entries(struct reading *reading, struct sg_error *err)
{
    struct entry place = {0};
    for (size_t k = 0; k < reading->told; k++) {
        struct entry entry = place;
        if (!take_words(reading))
            return fault(reading, "the file ends after %zu entr%s, %zu are announced in line %zu", k,
                         k == 1 ? "y" : "ies", reading->told, reading->size_line);
        entry.line = reading->number;
        if (reading->array) {
            TRY(scan_value(reading, reading->line, &entry.value));
            step_array(reading, &place);
        } else {
            TRY(read_coordinate(reading, &entry));
        }
        TRY(add_entry(reading, entry, err));
        if (!reading->symmetric || entry.row == entry.column) continue;
        struct entry mirrored = {entry.column, entry.row, entry.line, entry.value};
        TRY(add_entry(reading, mirrored, err));
    }
    if (!take_words(reading)) return SG_OK;
    return fault(reading, "continues after the last of the %zu entries that line %zu announces",
                 reading->told, reading->size_line);
}

/* --- sorting -------------------------------------------------------------------------------------- */

/* One pass of a radix sort: stable, by row or by column; start (keys + 1) is where each key's begin. */
static void sort_by(const struct reading *reading, bool column, size_t keys, struct entry *sorted,
                    size_t *start)
{
    memset(start, 0, (keys + 1) * sizeof *start);
    for (size_t k = 0; k < reading->count; k++) {
        const struct entry *entry = &reading->entries[k];
        start[(column ? entry->column : entry->row) + 1]++;
    }
    for (size_t i = 0; i < keys; i++) start[i + 1] += start[i];
    for (size_t k = 0; k < reading->count; k++) {
        const struct entry *entry = &reading->entries[k];
        sorted[start[column ? entry->column : entry->row]++] = *entry;
    }
}

static sg_status sort(struct reading *reading, struct sg_error *err)
{
    size_t keys = reading->rows > reading->columns ? reading->rows : reading->columns;
    SG_AUTO_FREE size_t *start = NULL;
    TRY(SG_NEW(&start, keys + 1, err));
    for (int column = 0; column < 2; column++) {
        struct entry *sorted = NULL;
        TRY(SG_ARENA_NEW(reading->scratch, &sorted, reading->count, err));
        sort_by(reading, column == 1, keys, sorted, start);
        sg_arena_drop(reading->scratch, reading->entries);
        reading->entries = sorted;
        reading->capacity = reading->count;
    }
    return SG_OK;
}

/* adds up what stands at one place */
static sg_status compress(const struct reading *reading, struct sg_market *market, struct sg_error *err)
{
    size_t next = 0;
    market->rows = reading->rows;
    market->columns = reading->columns;
    TRY(SG_ARENA_NEW(reading->source->arena, &market->start, market->columns + 1, err));
    TRY(SG_ARENA_NEW(reading->source->arena, &market->row, reading->count, err));
    TRY(SG_ARENA_NEW(reading->source->arena, &market->value, reading->count, err));
    TRY(SG_ARENA_NEW(reading->source->arena, &market->line, reading->count, err));
    for (size_t k = 0; k < reading->count; k++) {
        const struct entry *entry = &reading->entries[k], *before = k > 0 ? entry - 1 : NULL;
        bool again = before != NULL && before->row == entry->row && before->column == entry->column;
        if (!again) next++;
        market->row[next - 1] = entry->row;
        market->value[next - 1] += entry->value;
        market->line[next - 1] = entry->line;
        market->start[entry->column + 1] = next;
    }
    for (size_t j = 0; j < market->columns; j++)
        if (market->start[j + 1] < market->start[j]) market->start[j + 1] = market->start[j];
    return SG_OK;
}

/* finite entries may have a sum that is not */
static sg_status check_sums(struct reading *reading, const struct sg_market *market)
{
    for (size_t k = 0; k < market->start[market->columns]; k++) {
        if (isfinite(market->value[k])) continue;
        reading->number = market->line[k];
        return fault(reading, "the sum of all entries at this place is not a finite number");
    }
    return SG_OK;
}

/* --- all ------------------------------------------------------------------------------------------ */

static sg_status read_lines(void *self, struct sg_error *err)
{
    struct reading *reading = self;
    const char *zero = memchr(reading->text, '\0', reading->length);
    reading->next = reading->text;
    if (zero != NULL) {
        reading->number = 1;
        for (const char *c = reading->text; c < zero; c++) reading->number += *c == '\n';
        return fault(reading, "the file holds a zero byte: it is not text");
    }
    TRY(read_header(reading));
    TRY(read_size(reading));
    return read_entries(reading, err);
}

sg_status sg_market_read(const struct sg_table_source *source, struct sg_market *market,
                         struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct reading reading = {.source = source, .diagnostics = diagnostics};
    SG_LOCAL_ARENA(scratch);
    SG_AUTO_FREE char *text = NULL;
    *market = (struct sg_market){0};
    TRY(sg_table_text(source, file_limit, &text, &reading.length, diagnostics, err));
    reading.text = text;
    reading.scratch = &scratch;
    sg_status status = sg_with_plain_numbers(read_lines, &reading, err);
    if (status == SG_OK) status = sort(&reading, err);
    if (status == SG_OK) status = compress(&reading, market, err);
    if (status == SG_OK) status = check_sums(&reading, market);
    if (status != SG_OK) *market = (struct sg_market){0};
    if (status == SG_BAD_DECK) FAIL(err, SG_BAD_DECK, "'%s' is wrong: see the findings", source->file);
    return status;
}

/* --- use ------------------------------------------------------------------------------------------ */

/* Finds where (i, j) is; SIZE_MAX: nowhere. */
static size_t find(const struct sg_market *market, size_t i, size_t j)
{
    size_t low = market->start[j], end = market->start[j + 1];
    SG_BISECT(low, end, middle, market->row[middle] < i);
    return low < end && market->row[low] == i ? low : SIZE_MAX;
}

double sg_market_entry(const struct sg_market *market, size_t i, size_t j)
{
    size_t k = find(market, i, j);
    return k == SIZE_MAX ? 0.0 : market->value[k];
}

/* |a - b| within rounding of the pair or of what a sum at this place is made of */
static bool agree(const struct sg_market *market, size_t i, size_t j, double a, double b)
{
    double diagonal = sqrt(fabs(sg_market_entry(market, i, i))) * sqrt(fabs(sg_market_entry(market, j, j)));
    return fabs(a - b) <= 1e-12 * fmax(fmax(fabs(a), fabs(b)), diagonal);
}

bool sg_market_add_symmetric(const struct sg_table_source *source, const struct sg_market *market,
                             size_t first, struct sg_triplets *t, struct sg_diagnostics *diagnostics)
{
    for (size_t j = 0; j < market->columns; j++)
        for (size_t k = market->start[j]; k < market->start[j + 1]; k++) {
            size_t i = market->row[k], twin = find(market, j, i);
            double a = market->value[k], b = twin == SIZE_MAX ? 0.0 : market->value[twin];
            if (!agree(market, i, j, a, b)) {
                sg_complain_about(diagnostics, SG_ERROR, source->group, source->keyword,
                                  "'%s' line %zu: the matrix is not symmetric: (%zu, %zu) is %.9g, "
                                  "(%zu, %zu) is %.9g",
                                  source->file, market->line[k], i + 1, j + 1, a, j + 1, i + 1, b);
                return false;
            }
            /* the pair once, from below the diagonal, or from above where there is nothing below */
            if (i >= j)
                sg_triplets_add(t, first + i, first + j, i == j ? a : 0.5 * a + 0.5 * b);
            else if (twin == SIZE_MAX)
                sg_triplets_add(t, first + j, first + i, 0.5 * a);
        }
    return true;
}
