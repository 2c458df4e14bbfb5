#include "formats/record.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "formats/record_peer.h"
#include "support/memory.h"

enum format { AUTO, COLUMNS, COLUMN, PEER };

struct spec {
    const char *file;
    int format, unit, quantity;
    double dt, scale, peak;
};

#define FIRST_CHOICE(name, quantity, factor) name
#define NEXT_CHOICE(name, quantity, factor)  "|" name

static const char *const quantities[] = {[SG_RECORD_ACCELERATION] = "acceleration",
                                         [SG_RECORD_VELOCITY] = "velocity",
                                         [SG_RECORD_DISPLACEMENT] = "displacement"};

const struct sg_keyword sg_record_rows[] = {
    {.name = "file",
     .type = SG_TEXT,
     .meaning = "the record, relative to the deck; a zero ground acceleration is taken before and after it",
     .example = "\"RSN6_IMPVALL_180.AT2\"",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct spec, file)},
    {.name = "format",
     .type = SG_CHOICE,
     .meaning = "two columns (time [s], value), one column with dt, or PEER's .AT2 (.VT2, .DT2) with its "
                "header; auto tells by header and columns",
     .fallback = "\"auto\"",
     .choices = "auto|columns|column|at2",
     .offset = offsetof(struct spec, format)},
    {.name = "dt",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "time between values, of one column",
     .example = "0.01",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, dt)},
    {.name = "unit",
     .type = SG_CHOICE,
     .meaning = "unit of the values (g is 9.80665 m/s^2); by default the header's or, without one, SI's",
     .example = "\"g\"",
     .choices = SG_RECORD_UNITS(FIRST_CHOICE, NEXT_CHOICE),
     .offset = offsetof(struct spec, unit)},
    {.name = "quantity",
     .type = SG_CHOICE,
     .meaning = "quantity that the values are; a velocity or a displacement is refused unless it is named "
                "here, and then differentiated",
     .example = "\"velocity\"",
     .choices = "acceleration|velocity|displacement",
     .offset = offsetof(struct spec, quantity)},
    {.name = "scale",
     .type = SG_REAL,
     .unit = "1",
     .meaning = "factor on the record; this or scale_to_peak",
     .fallback = "1.0",
     .offset = offsetof(struct spec, scale)},
    {.name = "scale_to_peak",
     .type = SG_REAL,
     .unit = "m/s^2",
     .meaning = "peak ground acceleration that the record is scaled to",
     .example = "0.981",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, peak)},
    {0}};

double sg_record_peak(const struct sg_table *table)
{
    double peak = 0;
    for (size_t k = 0; k < table->count; k++) peak = fmax(peak, fabs(table->y[k]));
    return peak;
}

/* --- formats -------------------------------------------------------------------------------------- */

struct reading {
    const struct sg_setting *node;
    struct sg_diagnostics *diagnostics;
    struct sg_table_source source;
    struct spec spec;
    struct sg_table_lines lines;
    struct sg_record_header header;
    struct sg_table *table;
    struct sg_record_start *start;
};

static sg_status refuse(const struct reading *reading, const char *keyword, const char *message)
{
    sg_complain_about(reading->diagnostics, SG_ERROR, reading->node, keyword, "%s", message);
    return SG_BAD_DECK;
}

static bool has_peer_name(const char *file)
{
    const char *dot = strrchr(file, '.');
    return dot != NULL && strlen(dot) == 4 && strchr("AVDavd", dot[1]) != NULL &&
           (dot[2] == 'T' || dot[2] == 't') && dot[3] == '2';
}

/* the numbers of the first line that has any: 0 if it is no such file */
static int count_columns(const char *text)
{
    int columns = 0;
    while (*text != '\0' && columns == 0) {
        size_t length = strcspn(text, "\n"), data = strcspn(text, "#%\n");
        for (size_t k = 0; k < data; columns++) {
            k += strspn(text + k, " \t\r,;");
            if (k >= data) break;
            k += strcspn(text + k, " \t\r\n,;#%");
        }
        text += length;
        if (*text != '\0') text++;
    }
    return columns;
}

static enum format find_format(const struct reading *reading)
{
    const char *npts = strstr(reading->lines.text, "NPTS");
    if (reading->spec.format != AUTO) return (enum format)reading->spec.format;
    if (npts != NULL || has_peer_name(reading->spec.file)) return PEER;
    return count_columns(reading->lines.text) == 1 ? COLUMN : COLUMNS;
}

static sg_status check_dt(const struct reading *reading, enum format format)
{
    double dt = reading->spec.dt;
    if (format == COLUMN && isnan(dt))
        return refuse(reading, "dt", "must be given: the file has one column, without times");
    if (format == COLUMNS && !isnan(dt))
        return refuse(reading, "dt", "is for files of one column: this one has times");
    return SG_OK;
}

static sg_status parse(struct reading *reading, struct sg_error *err)
{
    enum format format = find_format(reading);
    TRY(check_dt(reading, format));
    if (format != PEER) {
        reading->lines.dt = format == COLUMN ? reading->spec.dt : 0;
        return sg_table_parse(&reading->source, &reading->lines, reading->table, reading->diagnostics, err);
    }
    TRY(sg_record_parse_peer(&reading->source, &reading->lines, &reading->header, reading->table,
                             reading->diagnostics, err));
    double dt = reading->spec.dt;
    if (isnan(dt) || fabs(dt - reading->header.dt) <= 1e-6 * dt) return SG_OK;
    sg_complain_about(reading->diagnostics, SG_ERROR, reading->node, "dt",
                      "is %g s where the header of '%s' says DT = %g s", dt, reading->spec.file,
                      reading->header.dt);
    return SG_BAD_DECK;
}

/* --- units and quantities ------------------------------------------------------------------------- */

static const char *si_unit(int quantity)
{
    static const char *const names[] = {
        [SG_RECORD_ACCELERATION] = "m/s^2", [SG_RECORD_VELOCITY] = "m/s", [SG_RECORD_DISPLACEMENT] = "m"};
    return names[quantity < 0 ? SG_RECORD_ACCELERATION : quantity];
}

/* the unit that deck and header agree on */
static sg_status find_unit(const struct reading *reading, const struct sg_record_unit **unit)
{
    const struct sg_record_header *header = &reading->header;
    int given = reading->spec.unit, found = given >= 0 ? given : header->unit;
    if (given >= 0 && header->unit >= 0 && given != header->unit) {
        sg_complain_about(reading->diagnostics, SG_ERROR, reading->node, "unit",
                          "is '%s' where the header of '%s' says '%s'", sg_record_unit_at(given)->name,
                          reading->spec.file, sg_record_unit_at(header->unit)->name);
        return SG_BAD_DECK;
    }
    if (found < 0 && header->count > 0) {
        sg_complain_about(reading->diagnostics, SG_ERROR, reading->node, "unit",
                          "must be given: the header of '%s' names none that is known", reading->spec.file);
        return SG_BAD_DECK;
    }
    *unit = sg_record_unit_at(found >= 0 ? found : sg_record_unit_find(si_unit(reading->spec.quantity)));
    return SG_OK;
}

/* a name .VT2 or .DT2 says what is in the file, where the header doesn't; -1: the name doesn't either */
static int quantity_of_name(const char *file)
{
    char letter = '\0';
    if (has_peer_name(file)) letter = (char)toupper((unsigned char)strrchr(file, '.')[1]);
    return letter == 'V' ? SG_RECORD_VELOCITY : letter == 'D' ? SG_RECORD_DISPLACEMENT : -1;
}

static sg_status check_quantity(const struct reading *reading, const struct sg_record_unit *unit)
{
    int wanted = reading->spec.quantity, told = reading->header.quantity;
    const char *file = reading->spec.file, *what = quantities[unit->quantity];
    int said = told >= 0 ? told : quantity_of_name(file);
    if (said >= 0 && said != (int)unit->quantity) {
        sg_complain_about(reading->diagnostics, SG_ERROR, reading->node, "file",
                          "'%s': %s says %s, and the unit '%s' is of %s", file,
                          told >= 0 ? "the header" : "its name", quantities[said], unit->name, what);
        return SG_BAD_DECK;
    }
    if (wanted >= 0 && wanted != (int)unit->quantity) {
        sg_complain_about(reading->diagnostics, SG_ERROR, reading->node, "quantity",
                          "is %s, and the unit '%s' of '%s' is of %s", quantities[wanted], unit->name, file,
                          what);
        return SG_BAD_DECK;
    }
    if (wanted >= 0 || unit->quantity == SG_RECORD_ACCELERATION) return SG_OK;
    sg_complain_about(reading->diagnostics, SG_ERROR, reading->node, "file",
                      "'%s' is a record of %s (%s), not of acceleration", file, what, unit->name);
    sg_hint(reading->diagnostics,
            "take the record of acceleration, or have this one differentiated by quantity = \"%s\"", what);
    return SG_BAD_DECK;
}

/* Slopes of the parabola through each point and its neighbours, of the end parabolas at the ends. */
static void differentiate(const struct sg_table *table, const double *y, double *slope)
{
    const double *x = table->x;
    size_t n = table->count;
    for (size_t k = 0; k < n; k++) {
        size_t j = k == 0 ? 1 : k == n - 1 ? n - 2 : k;
        if (n == 2) {
            slope[k] = (y[1] - y[0]) / (x[1] - x[0]);
            continue;
        }
        double left = (y[j] - y[j - 1]) / (x[j] - x[j - 1]), right = (y[j + 1] - y[j]) / (x[j + 1] - x[j]);
        double bend = (right - left) / (x[j + 1] - x[j - 1]);
        slope[k] = left + bend * (2 * x[k] - x[j] - x[j - 1]);
    }
}

/* A motion that starts from rest at its origin is what records mean to tell; the first value may be the noise
 * of a record. */
static void warn_of_start(const struct reading *reading, const struct sg_record_unit *unit)
{
    double first = reading->table->y[0];
    const char *quantity = quantities[unit->quantity];
    if (fabs(first) <= 1e-6 * sg_record_peak(reading->table)) return;
    sg_complain_about(reading->diagnostics, SG_WARNING, reading->node, "file",
                      "'%s' starts with a %s of %g %s: what follows it starts with that %s, not from rest%s",
                      reading->spec.file, quantity, first, unit->name, quantity,
                      unit->quantity == SG_RECORD_DISPLACEMENT ? " at 0" : "");
}

/* Differences lose the values at the first point: these are kept beside them. */
static sg_status to_acceleration(const struct reading *reading, const struct sg_record_unit *unit,
                                 struct sg_error *err)
{
    enum sg_record_quantity quantity = unit->quantity;
    struct sg_table *table = reading->table;
    double first[2] = {0.0, 0.0};
    SG_AUTO_FREE double *slope = NULL;
    if (quantity == SG_RECORD_ACCELERATION) return SG_OK;
    warn_of_start(reading, unit);
    TRY(SG_NEW(&slope, table->count, err));
    for (int k = 0; k < (int)quantity; k++) {
        first[(int)quantity - 1 - k] = table->y[0];
        differentiate(table, table->y, slope);
        memcpy(table->y, slope, table->count * sizeof *slope);
    }
    *reading->start = (struct sg_record_start){
        .velocity = first[0], .displacement = quantity == SG_RECORD_DISPLACEMENT ? first[1] : (double)NAN};
    return SG_OK;
}

static sg_status scale(const struct reading *reading, double factor)
{
    const struct spec *spec = &reading->spec;
    struct sg_table *table = reading->table;
    double peak = sg_record_peak(table);
    bool by_peak = !isnan(spec->peak);
    /* a resolved deck spells out the 1 that goes by default */
    if (by_peak && spec->scale != 1)
        return refuse(reading, "scale", "give either 'scale' or 'scale_to_peak', not both");
    if (by_peak && !(peak > 0))
        return refuse(reading, "scale_to_peak", "can't scale a record that is zero throughout");
    factor = by_peak ? spec->peak / peak : factor * spec->scale;
    reading->start->velocity *= factor;
    reading->start->displacement *= factor;
    for (size_t k = 0; k < table->count; k++) {
        table->y[k] *= factor;
        if (!isfinite(table->y[k]))
            return refuse(reading, by_peak ? "scale_to_peak" : "scale", "makes values that are not finite");
    }
    return SG_OK;
}

static sg_status convert(struct reading *reading, struct sg_error *err)
{
    const struct sg_record_unit *unit = NULL;
    TRY(find_unit(reading, &unit));
    TRY(check_quantity(reading, unit));
    if (reading->table->count < 2)
        return refuse(reading, "file", "holds one value: a record has at least two");
    TRY(to_acceleration(reading, unit, err));
    return scale(reading, unit->factor);
}

sg_status sg_record_read(const struct sg_table_source *from, struct sg_table *table,
                         struct sg_record_start *start, struct sg_diagnostics *diagnostics,
                         struct sg_error *err)
{
    struct reading reading = {.node = from->group,
                              .diagnostics = diagnostics,
                              .source = *from,
                              .header = {.unit = -1, .quantity = -1},
                              .table = table,
                              .start = start};
    SG_AUTO_FREE char *text = NULL;
    *table = (struct sg_table){0};
    *start = (struct sg_record_start){0};
    sg_setting_fill(from->group, sg_record_rows, &reading.spec);
    reading.source.keyword = "file";
    reading.source.file = reading.spec.file;
    TRY(sg_table_text(&reading.source, SG_TABLE_LIMIT, &text, &reading.lines.length, diagnostics, err));
    reading.lines.text = text;
    sg_status status = parse(&reading, err);
    if (status == SG_OK) status = convert(&reading, err);
    if (status != SG_OK) *table = (struct sg_table){0};
    return status;
}
