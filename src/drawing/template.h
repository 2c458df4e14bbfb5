/* Scripts of gnuplot, made of templates: text with named places.
 *
 * A template is a file NAME.gp beside the sources, compiled in as a table of blocks; a block begins behind a
 * line
 * "#--- BLOCK" and ends before the next such line. A place in a block is one of
 *
 *     {{height %.6g}}   a number, in a format of printf: %g or %f with or without digits, %d for a whole
 * number
 *     {{title 76}}      text of users, in quotes, cut behind so many characters
 *     {{style}}         words of gnuplot: letters, digits, blanks and "#.,_-" alone
 *
 * Text of users can't leave its place, whatever is in it: in single quotes gnuplot takes all literally but
 * the quote itself, which becomes an apostrophe (to double it fails at the start of a string), and control
 * characters become blanks. Nothing that was put into a place is looked at again. */
#ifndef SG_DRAWING_TEMPLATE_H
#define SG_DRAWING_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "support/text.h"

/* A block; tables end with a row without name. */
struct sg_template {
    const char *block, *text;
};

/* The templates that are compiled in: one word a file. */
#define SG_TEMPLATES(X)           X(terminal) X(panels) X(field) X(modes) X(orbit)
#define SG_DECLARE_TEMPLATE(name) extern const struct sg_template sg_template_##name[];
SG_TEMPLATES(SG_DECLARE_TEMPLATE)
#undef SG_DECLARE_TEMPLATE

enum sg_place_kind { SG_PLACE_NUMBER, SG_PLACE_TEXT, SG_PLACE_WORDS };

/* What is put into the places of a name. Lists end with a row without name. */
struct sg_place {
    const char *name;
    enum sg_place_kind kind;
    double number;
    const char *text;
    size_t most; /* of text: characters, where the figure has room for fewer than the template says; 0: as it
                    says */
};
#define SG_NUMBER(name, value)                                                                               \
    {                                                                                                        \
        name, SG_PLACE_NUMBER, (double)(value), NULL, 0                                                      \
    }
#define SG_TEXT(name, text)                                                                                  \
    {                                                                                                        \
        name, SG_PLACE_TEXT, 0, text, 0                                                                      \
    }
#define SG_SHORT(name, text, most)                                                                           \
    {                                                                                                        \
        name, SG_PLACE_TEXT, 0, text, most                                                                   \
    }
#define SG_WORDS(name, text)                                                                                 \
    {                                                                                                        \
        name, SG_PLACE_WORDS, 0, text, 0                                                                     \
    }

/* A script while it is written. Zero-initialise; release with sg_script_release. */
struct sg_script {
    struct sg_text text;
    const struct sg_template *template; /* whose blocks are put */
    char fault[160];                    /* the first wrong use of a template; "": none */
    bool listed;                        /* the plot command under way has an element */
};

void sg_script_release(struct sg_script *script);

/* Appends a block with its places filled, as lines of their own. Each place of the block must be filled, and
 * each row of `places` must have its place: what is missing, given twice, unknown or of another kind is noted
 * in `fault`, which the caller looks at once at the end. NULL: no places. */
void sg_script_put(struct sg_script *script, const char *block, const struct sg_place *places);

/* Appends a block within a line: as the next element of gnuplot's `plot` command, or behind what is there. */
void sg_script_plot(struct sg_script *script, const char *block, const struct sg_place *places);
void sg_script_add(struct sg_script *script, const char *block, const struct sg_place *places);

/* Ends the `plot` command; one without elements draws empty axes. */
void sg_script_end_plot(struct sg_script *script);

/* Ends a block of data that began with a line like "$curve << END". */
void sg_script_end_data(struct sg_script *script);

#define SG_PLACES(...)              ((const struct sg_place[]){__VA_ARGS__, {0}})
#define SG_PUT(script, block, ...)  sg_script_put(script, block, SG_PLACES(__VA_ARGS__))
#define SG_PLOT(script, block, ...) sg_script_plot(script, block, SG_PLACES(__VA_ARGS__))
#define SG_ADD(script, block, ...)  sg_script_add(script, block, SG_PLACES(__VA_ARGS__))

#endif
