/* What scripts of gnuplot have in common: the terminal, text, units. */
#ifndef SG_DRAWING_UNITS_H
#define SG_DRAWING_UNITS_H

#include <stddef.h>

#include "support/text.h"

enum sg_plot_format { SG_PLOT_SVG, SG_PLOT_PNG, SG_PLOT_PDF };

/* A figure of a size in inches, of 8 points' letters, into "plot.out". */
void sg_plot_terminal(struct sg_text *script, enum sg_plot_format format, double width, double height);

/* In single quotes gnuplot takes all literally but the quote itself, which becomes an apostrophe (its
 * doubling fails at the start of a string), and substitutes no commands. At most `most` characters of UTF-8.
 */
void sg_plot_quote(struct sg_text *script, const char *text, size_t most);

/* A unit with the power of 1000 that makes the numbers short: 0.0123 m is drawn as 12.3 mm. */
struct sg_plot_unit {
    double factor; /* numbers are multiplied by it */
    char text[64]; /* " [mm]"; "" for plain numbers */
};
struct sg_plot_unit sg_plot_unit_of(const char *unit, double low, double high);

#endif
