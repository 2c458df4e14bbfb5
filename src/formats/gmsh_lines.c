#include "formats/gmsh_lines.h"
#include "support/plain_numbers.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t\r\v\f";

/* --- faults --------------------------------------------------------------------------------------- */

static sg_status write_fault(struct sg_gmsh_fault *fault, size_t line, const char *format, va_list args)
{
    fault->line = line;
    fault->hint[0] = '\0';
    vsnprintf(fault->message, sizeof fault->message, format, args);
    return SG_BAD_DECK;
}

sg_status sg_gmsh_fault_at(struct sg_gmsh_fault *fault, size_t line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sg_status status = write_fault(fault, line, format, args);
    va_end(args);
    return status;
}

sg_status sg_gmsh_fault_here(struct sg_gmsh_lines *lines, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sg_status status = write_fault(lines->fault, lines->number, format, args);
    va_end(args);
    return status;
}

sg_status sg_gmsh_hint(struct sg_gmsh_fault *fault, sg_status status, const char *hint)
{
    snprintf(fault->hint, sizeof fault->hint, "%s", hint);
    return status;
}

const char *sg_gmsh_show(const char *word, char shown[SG_GMSH_WORD])
{
    size_t length = strcspn(word, blanks), kept = 0;
    for (size_t i = 0; i < length && kept < SG_GMSH_WORD - 4; i++)
        shown[kept++] = word[i] >= ' ' && word[i] <= '~' ? word[i] : '?';
    if (kept < length)
        for (size_t i = 0; i < 3; i++) shown[kept++] = '.';
    shown[kept] = '\0';
    return shown;
}

/* --- lines ---------------------------------------------------------------------------------------- */

bool sg_gmsh_next_line(struct sg_gmsh_lines *lines)
{
    while (lines->next < lines->end) {
        char *line = lines->next, *over = memchr(line, '\n', (size_t)(lines->end - line));
        lines->number++;
        lines->next = over == NULL ? lines->end : over + 1;
        if (over != NULL) *over = '\0';
        lines->word = line + strspn(line, blanks);
        if (*lines->word != '\0') return true;
    }
    return false;
}

sg_status sg_gmsh_due_line(struct sg_gmsh_lines *lines, const char *what)
{
    if (!sg_gmsh_next_line(lines)) {
        sg_gmsh_fault_here(lines, "the file ends in section $%s where %s is due", lines->section, what);
        return sg_gmsh_hint(lines->fault, SG_BAD_DECK, "the file looks cut off: write or copy it again");
    }
    if (*lines->word != '$') return SG_OK;
    char shown[SG_GMSH_WORD];
    return sg_gmsh_fault_here(lines, "%s stands where %s is due: the section holds less than it says",
                              sg_gmsh_show(lines->word, shown), what);
}

static bool is_word(const char *word, const char *first, const char *second)
{
    size_t head = strlen(first), tail = strlen(second), length = strcspn(word, blanks);
    return length == head + tail && strncmp(word, first, head) == 0 &&
           strncmp(word + head, second, tail) == 0;
}

sg_status sg_gmsh_end_section(struct sg_gmsh_lines *lines)
{
    char shown[SG_GMSH_WORD];
    if (!sg_gmsh_next_line(lines)) {
        sg_gmsh_fault_here(lines, "the file ends where $End%s is due", lines->section);
        return sg_gmsh_hint(lines->fault, SG_BAD_DECK, "the file looks cut off: write or copy it again");
    }
    if (!is_word(lines->word, "$End", lines->section))
        return sg_gmsh_fault_here(lines,
                                  "'%s' stands where $End%s is due: the section holds more than it says",
                                  sg_gmsh_show(lines->word, shown), lines->section);
    lines->word += strcspn(lines->word, blanks);
    lines->word += strspn(lines->word, blanks);
    return sg_gmsh_end_line(lines, "the section");
}

/* --- words ---------------------------------------------------------------------------------------- */

static sg_status missing(struct sg_gmsh_lines *lines, const char *what)
{
    return sg_gmsh_fault_here(lines, "the line ends where %s is due", what);
}

/* the end of a number, or NULL if the word goes on */
static char *word_end(char *rest)
{
    return *rest == '\0' || strchr(blanks, *rest) != NULL ? rest : NULL;
}

static void skip(struct sg_gmsh_lines *lines, char *end)
{
    lines->word = end + strspn(end, blanks);
}

sg_status sg_gmsh_size(struct sg_gmsh_lines *lines, const char *what, size_t *value)
{
    char shown[SG_GMSH_WORD], *rest = NULL;
    if (*lines->word == '\0') return missing(lines, what);
    errno = 0;
    bool digit = *lines->word >= '0' && *lines->word <= '9';
    unsigned long long number = digit ? strtoull(lines->word, &rest, 10) : 0;
    char *end = digit ? word_end(rest) : NULL;
    if (end == NULL || errno != 0 || number > SIZE_MAX / 2)
        return sg_gmsh_fault_here(lines, "%s '%s' is no whole number from 0 to %zu", what,
                                  sg_gmsh_show(lines->word, shown), SIZE_MAX / 2);
    *value = (size_t)number;
    skip(lines, end);
    return SG_OK;
}

sg_status sg_gmsh_integer(struct sg_gmsh_lines *lines, const char *what, int *value)
{
    char shown[SG_GMSH_WORD], *rest = NULL;
    if (*lines->word == '\0') return missing(lines, what);
    errno = 0;
    long number = strtol(lines->word, &rest, 10);
    char *end = rest != lines->word ? word_end(rest) : NULL;
    if (end == NULL || errno != 0 || number > INT_MAX || number < -INT_MAX)
        return sg_gmsh_fault_here(lines, "%s '%s' is no whole number between %d and %d", what,
                                  sg_gmsh_show(lines->word, shown), -INT_MAX, INT_MAX);
    *value = (int)number;
    skip(lines, end);
    return SG_OK;
}

sg_status sg_gmsh_real(struct sg_gmsh_lines *lines, const char *what, double *value)
{
    char shown[SG_GMSH_WORD], *rest = NULL;
    if (*lines->word == '\0') return missing(lines, what);
    *value = sg_plain_number(lines->word, &rest);
    char *end = rest != lines->word ? word_end(rest) : NULL;
    if (end == NULL)
        return sg_gmsh_fault_here(lines, "%s '%s' is no number", what, sg_gmsh_show(lines->word, shown));
    if (!isfinite(*value))
        return sg_gmsh_fault_here(lines, "%s '%s' is not finite", what, sg_gmsh_show(lines->word, shown));
    skip(lines, end);
    return SG_OK;
}

sg_status sg_gmsh_count(struct sg_gmsh_lines *lines, const char *what, size_t bytes, size_t *value)
{
    TRY(sg_gmsh_size(lines, what, value));
    size_t left = (size_t)(lines->end - lines->next);
    if (*value <= left / bytes) return SG_OK;
    return sg_gmsh_fault_here(lines, "%s %zu is more than the remaining %zu bytes of the file can hold", what,
                              *value, left);
}

sg_status sg_gmsh_end_line(struct sg_gmsh_lines *lines, const char *what)
{
    char shown[SG_GMSH_WORD];
    if (*lines->word == '\0') return SG_OK;
    return sg_gmsh_fault_here(lines, "'%s' follows where the line of %s is over",
                              sg_gmsh_show(lines->word, shown), what);
}
