#include <ctype.h>
#include <math.h>
#include <string.h>

#include "formats/record_peer.h"
#include "formats/record_unit.h"
#include "support/plain_numbers.h"

enum { HEADER_LINES = 20 /* at most */, UNIT_BYTES = 24 };

struct peer {
    const struct sg_table_source *source;
    struct sg_diagnostics *diagnostics;
    const struct sg_table_lines *lines;
    struct sg_record_header *header;
    struct sg_table *table;
    char *next;  /* the first line not taken yet; NULL: none */
    size_t line; /* of those taken, counted from 1 */
};

static sg_status refuse(const struct peer *peer, const char *message)
{
    sg_complain_about(peer->diagnostics, SG_ERROR, peer->source->group, peer->source->keyword,
                      "'%s' line %zu: %s", peer->source->file, peer->line, message);
    return SG_BAD_DECK;
}

/* the next line, without its end; NULL behind the last */
static char *take_line(struct peer *peer)
{
    char *line = peer->next;
    if (line == NULL) return NULL;
    char *end = strchr(line, '\n');
    if (end != NULL) *end = '\0';
    peer->next = end == NULL ? NULL : end + 1;
    peer->line++;
    line[strcspn(line, "\r")] = '\0';
    return line;
}

/* Finds where the word begins in the text, whatever its case; NULL: nowhere. */
static const char *find_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (; *text != '\0'; text++) {
        size_t k = 0;
        while (k < length && toupper((unsigned char)text[k]) == word[k]) k++;
        if (k == length) return text;
    }
    return NULL;
}

/* --- the header ----------------------------------------------------------------------------------- */

static bool ends_in(const char *text, size_t length, const char *end)
{
    size_t tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

/* "CM/SEC/SEC", "cm/s**2", "Cm/S2." -> "cm/s^2", "G" -> "g" */
static void plain_unit(const char *given, char unit[UNIT_BYTES])
{
    size_t length = 0;
    for (; *given != '\0' && strchr(" \t,;)", *given) == NULL && length + 4 < UNIT_BYTES; given++) {
        if (*given == '*') continue;
        unit[length++] = (char)tolower((unsigned char)*given);
        unit[length] = '\0';
        if (ends_in(unit, length, "/sec")) unit[length -= 2] = '\0';
    }
    while (length > 0 && unit[length - 1] == '.') length--;
    unit[length] = '\0';
    if (ends_in(unit, length, "/s/s"))
        memcpy(unit + length - 2, "^2", sizeof "^2");
    else if (ends_in(unit, length, "/s2"))
        memcpy(unit + length - 1, "^2", sizeof "^2");
    if (strcmp(unit, "gal") == 0 || strcmp(unit, "gals") == 0) memcpy(unit, "cm/s^2", sizeof "cm/s^2");
}

static void read_words(struct peer *peer, const char *line)
{
    static const char *const words[] = {[SG_RECORD_ACCELERATION] = "ACCELERATION",
                                        [SG_RECORD_VELOCITY] = "VELOCITY",
                                        [SG_RECORD_DISPLACEMENT] = "DISPLACEMENT"};
    struct sg_record_header *header = peer->header;
    const char *units = find_word(line, "UNITS");
    bool tells =
        units != NULL || find_word(line, "TIME SERIES") != NULL || find_word(line, "TIME HISTORY") != NULL;
    for (int k = 0; tells && k < 3 && header->quantity < 0; k++)
        if (find_word(line, words[k]) != NULL) header->quantity = k;
    if (units == NULL) return;
    char unit[UNIT_BYTES] = "";
    units += strlen("UNITS");
    units += strspn(units, " \t:=");
    if (toupper((unsigned char)units[0]) == 'O' && toupper((unsigned char)units[1]) == 'F') units += 2;
    units += strspn(units, " \t:=(");
    plain_unit(units, unit);
    header->unit = sg_record_unit_find(unit);
}

static const char *after(const char *word, size_t length)
{
    word += length;
    return word + strspn(word, " \t=:");
}

/* "SEC", "s", "seconds," or nothing behind the step; not "MSEC" */
static bool is_seconds(const char *word)
{
    word += strspn(word, " \t");
    size_t length = 0;
    while (isalpha((unsigned char)word[length])) length++;
    return length == 0 || toupper((unsigned char)*word) == 'S' || find_word(word, "NPTS") == word;
}

/* "NPTS=   5372, DT=   .0100 SEC" or "5372  .0100  NPTS, DT" */
static sg_status read_sizes(struct peer *peer, const char *line)
{
    const char *npts = find_word(line, "NPTS"), *dt = find_word(line, "DT");
    const char *count_at = after(npts, strlen("NPTS")), *step_at = after(dt, strlen("DT"));
    char *rest = NULL;
    double count = sg_plain_number(count_at, &rest);
    if (rest == count_at) {
        count = sg_plain_number(line, &rest);
        step_at = rest;
    }
    double step = sg_plain_number(step_at, &rest);
    if (rest == step_at) return refuse(peer, "has no number for NPTS and DT");
    if (!(step > 0) || !isfinite(step)) return refuse(peer, "DT must be a time above 0");
    if (!is_seconds(rest)) return refuse(peer, "DT must be in seconds, SEC");
    if (!(count >= 2) || count != floor(count)) return refuse(peer, "NPTS must be a whole number above 1");
    if (count > (double)peer->lines->length) return refuse(peer, "NPTS is more than the file can hold");
    peer->header->count = (size_t)count;
    peer->header->dt = step;
    return SG_OK;
}

static sg_status read_header(struct peer *peer)
{
    *peer->header = (struct sg_record_header){.unit = -1, .quantity = -1};
    while (peer->line < HEADER_LINES) {
        const char *line = take_line(peer);
        if (line == NULL) break;
        if (find_word(line, "NPTS") != NULL && find_word(line, "DT") != NULL) return read_sizes(peer, line);
        read_words(peer, line);
    }
    sg_complain_about(peer->diagnostics, SG_ERROR, peer->source->group, peer->source->keyword,
                      "'%s' has no header with NPTS and DT in its first %d lines", peer->source->file,
                      (int)HEADER_LINES);
    sg_hint(peer->diagnostics, "files without header: format = \"columns\", or \"column\" with dt");
    return SG_BAD_DECK;
}

/* --- values --------------------------------------------------------------------------------------- */

static sg_status take_values(struct peer *peer, const char *line)
{
    static const char blanks[] = " \t\f\v";
    struct sg_table *table = peer->table;
    for (line += strspn(line, blanks); *line != '\0'; line += strspn(line, blanks)) {
        char *rest = NULL;
        double value = sg_plain_number(line, &rest);
        if (rest == line || (*rest != '\0' && strchr(blanks, *rest) == NULL))
            return refuse(peer, "has a word that is not a number");
        if (!isfinite(value)) return refuse(peer, "has a number that is not finite");
        if (table->count == peer->header->count) return refuse(peer, "has more values than NPTS says");
        table->x[table->count] = (double)table->count * peer->header->dt;
        table->y[table->count++] = value;
        line = rest;
    }
    return SG_OK;
}

static sg_status read_values(struct peer *peer, struct sg_error *err)
{
    const char *line;
    size_t last = peer->line; /* with something on it */
    TRY(sg_table_allocate(peer->source->arena, peer->table, peer->header->count, err));
    peer->table->count = 0;
    while ((line = take_line(peer)) != NULL) {
        if (*line != '\0') last = peer->line;
        TRY(take_values(peer, line));
    }
    if (peer->table->count == peer->header->count) return SG_OK;
    sg_complain_about(peer->diagnostics, SG_ERROR, peer->source->group, peer->source->keyword,
                      "'%s' line %zu: the file ends after %zu value%s where NPTS says %zu",
                      peer->source->file, last, peer->table->count, peer->table->count == 1 ? "" : "s",
                      peer->header->count);
    return SG_BAD_DECK;
}

static sg_status read_all(void *self, struct sg_error *err)
{
    struct peer *peer = self;
    if (memchr(peer->lines->text, '\0', peer->lines->length) != NULL) {
        peer->line = 1;
        return refuse(peer, "the file holds a zero byte: it is not text");
    }
    TRY(read_header(peer));
    return read_values(peer, err);
}

sg_status sg_record_parse_peer(const struct sg_table_source *source, const struct sg_table_lines *lines,
                               struct sg_record_header *header, struct sg_table *table,
                               struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct peer peer = {.source = source,
                        .diagnostics = diagnostics,
                        .lines = lines,
                        .header = header,
                        .table = table,
                        .next = lines->text};
    *table = (struct sg_table){0};
    return sg_with_plain_numbers(read_all, &peer, err);
}
