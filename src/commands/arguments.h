/* Command lines:  -o FILE  -oFILE  --name VALUE  --name=VALUE  --flag  --  and positional words. */
#ifndef SG_COMMANDS_ARGUMENTS_H
#define SG_COMMANDS_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "support/status.h"

/* One row an option; tables end with a row without name. Every command also has -h, --help. */
struct sg_option {
    const char *name;    /* "output" is --output */
    char letter;         /* 'o' is -o; 0: none */
    const char *value;   /* NULL: a flag; else what its value is called in the usage: "FILE" */
    const char *meaning; /* one line */
    bool many;           /* takes all words up to the next option: --only gap energy */
};

struct sg_given {
    const struct sg_option *option;
    const char *value; /* borrowed from argv; NULL for a flag */
};

struct sg_arguments {
    const char *command;             /* argv[0] */
    const struct sg_option *options; /* borrowed */
    struct sg_given *given;          /* in the order given */
    size_t given_count;
    const char **words; /* positional */
    size_t word_count;
    bool help; /* -h or --help */
};

/* SG_USAGE, with a suggestion, for an unknown option, a missing value or a value to a flag. Release on
 * failure too. */
sg_status sg_arguments_init(struct sg_arguments *arguments, int argc, char **argv,
                            const struct sg_option *options, struct sg_error *err);
void sg_arguments_release(struct sg_arguments *arguments);

bool sg_arguments_has(const struct sg_arguments *arguments, const char *name);

/* the last value given, `fallback` if there is none */
const char *sg_arguments_text(const struct sg_arguments *arguments, const char *name, const char *fallback);

/* values of an option given several times (or with many words): index 0 ..; NULL past the last */
const char *sg_arguments_item(const struct sg_arguments *arguments, const char *name, size_t index);

/* SG_USAGE if it is no number, or (integer) outside low .. high */
sg_status sg_arguments_real(const struct sg_arguments *arguments, const char *name, double fallback,
                            double *value, struct sg_error *err);
/* leaves `value` as it is where the option is not given */
sg_status sg_arguments_integer(const struct sg_arguments *arguments, const char *name,
                               const long long range[2], long long *value, struct sg_error *err);

/* SG_USAGE unless there are low .. high positional words */
sg_status sg_arguments_expect(const struct sg_arguments *arguments, size_t low, size_t high,
                              struct sg_error *err);

/* The common frame of a command: parses, prints the usage to stdout if asked (exit 0), else calls `body`
 * and prints its error as "signorini COMMAND: error: ..." to stderr. Returns the exit code; after a usage
 * error a line with the synopsis follows. */
struct sg_command_frame {
    const char *synopsis, *meaning;
    const struct sg_option *options;
    sg_status (*body)(const struct sg_arguments *arguments, struct sg_error *err);
};
int sg_command_run(const struct sg_command_frame *frame, int argc, char **argv);

#endif
