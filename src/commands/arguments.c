#include "commands/arguments.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/memory.h"
#include "support/plain_numbers.h"
#include "support/text.h"

static const struct sg_option *find_long(const struct sg_option *options, const char *name, size_t length)
{
    for (; options->name != NULL; options++) {
        if (strlen(options->name) == length && strncmp(options->name, name, length) == 0) return options;
    }
    return NULL;
}

static const struct sg_option *find_letter(const struct sg_option *options, char letter)
{
    for (; options->name != NULL; options++) {
        if (options->letter != 0 && options->letter == letter) return options;
    }
    return NULL;
}

/* a third of the letters may be wrong */
static sg_status fail_unknown(const struct sg_option *options, const char *word, struct sg_error *err)
{
    const char *best = NULL, *name = word + strspn(word, "-");
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)strcspn(name, "="), name);
    size_t least = strlen(typed) / 3 + 1;
    for (; options->name != NULL; options++) {
        size_t distance = sg_text_distance(typed, options->name);
        if (distance > least) continue;
        least = distance;
        best = options->name;
    }
    if (best != NULL) FAIL(err, SG_USAGE, "unknown option '%s'; did you mean '--%s'?", word, best);
    FAIL(err, SG_USAGE, "unknown option '%s'", word);
}

/* the rest of argv while it is read */
struct cursor {
    int index, argc;
    char **argv;
};

static void add(struct sg_arguments *arguments, const struct sg_option *option, const char *value)
{
    arguments->given[arguments->given_count++] = (struct sg_given){option, value};
}

static bool is_option(const char *word)
{
    return word[0] == '-' && word[1] != '\0';
}

/* a negative number is a value, not an option */
static bool is_value(const char *word)
{
    char *end = NULL;
    if (!is_option(word)) return true;
    sg_plain_number(word, &end);
    return end != word && *end == '\0';
}

static sg_status take_values(struct sg_arguments *arguments, const struct sg_option *option,
                             const char *attached, struct cursor *at, struct sg_error *err)
{
    if (option->value == NULL) {
        if (attached != NULL) FAIL(err, SG_USAGE, "'--%s' takes no value", option->name);
        add(arguments, option, NULL);
        return SG_OK;
    }
    bool next = at->index + 1 < at->argc && is_value(at->argv[at->index + 1]);
    if (attached == NULL && !next)
        FAIL(err, SG_USAGE, "'--%s' needs a value: %s", option->name, option->value);
    add(arguments, option, attached != NULL ? attached : at->argv[++at->index]);
    while (attached == NULL && option->many && at->index + 1 < at->argc && is_value(at->argv[at->index + 1]))
        add(arguments, option, at->argv[++at->index]);
    return SG_OK;
}

static sg_status take_option(struct sg_arguments *arguments, struct cursor *at, struct sg_error *err)
{
    const char *word = at->argv[at->index], *attached = NULL;
    const struct sg_option *option = NULL;
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        size_t length = equals == NULL ? strlen(word + 2) : (size_t)(equals - word - 2);
        option = find_long(arguments->options, word + 2, length);
        attached = equals == NULL ? NULL : equals + 1;
    } else {
        option = find_letter(arguments->options, word[1]);
        attached = word[2] == '\0' ? NULL : word + 2;
    }
    if (option != NULL) return take_values(arguments, option, attached, at, err);
    if (strcmp(word, "-h") != 0 && strcmp(word, "--help") != 0)
        return fail_unknown(arguments->options, word, err);
    arguments->help = true;
    return SG_OK;
}

sg_status sg_arguments_init(struct sg_arguments *arguments, int argc, char **argv,
                            const struct sg_option *options, struct sg_error *err)
{
    size_t most = argc > 0 ? (size_t)argc : 1;
    *arguments = (struct sg_arguments){.command = argc > 0 ? argv[0] : "", .options = options};
    TRY(SG_NEW(&arguments->given, most, err));
    TRY(SG_NEW(&arguments->words, most, err));
    bool closed = false; /* after "--" all words are positional */
    for (struct cursor at = {1, argc, argv}; at.index < argc; at.index++) {
        char *word = argv[at.index];
        if (!closed && strcmp(word, "--") == 0)
            closed = true;
        else if (!closed && is_option(word))
            TRY(take_option(arguments, &at, err));
        else
            arguments->words[arguments->word_count++] = word;
    }
    return SG_OK;
}

void sg_arguments_release(struct sg_arguments *arguments)
{
    sg_free(arguments->given);
    sg_free(arguments->words);
    *arguments = (struct sg_arguments){0};
}

const char *sg_arguments_item(const struct sg_arguments *arguments, const char *name, size_t index)
{
    for (size_t i = 0; i < arguments->given_count; i++) {
        if (strcmp(arguments->given[i].option->name, name) != 0) continue;
        if (index-- == 0) return arguments->given[i].value;
    }
    return NULL;
}

bool sg_arguments_has(const struct sg_arguments *arguments, const char *name)
{
    for (size_t i = 0; i < arguments->given_count; i++) {
        if (strcmp(arguments->given[i].option->name, name) == 0) return true;
    }
    return false;
}

const char *sg_arguments_text(const struct sg_arguments *arguments, const char *name, const char *fallback)
{
    for (size_t i = arguments->given_count; i-- > 0;) {
        if (strcmp(arguments->given[i].option->name, name) == 0) return arguments->given[i].value;
    }
    return fallback;
}

sg_status sg_arguments_real(const struct sg_arguments *arguments, const char *name, double fallback,
                            double *value, struct sg_error *err)
{
    const char *text = sg_arguments_text(arguments, name, NULL);
    char *end = NULL;
    *value = fallback;
    if (text == NULL) return SG_OK;
    *value = sg_plain_number(text, &end);
    if (end == text || *end != '\0' || !isfinite(*value))
        FAIL(err, SG_USAGE, "'--%s' needs a number, not '%s'", name, text);
    return SG_OK;
}

sg_status sg_arguments_integer(const struct sg_arguments *arguments, const char *name,
                               const long long range[2], long long *value, struct sg_error *err)
{
    const char *text = sg_arguments_text(arguments, name, NULL);
    char *end = NULL;
    if (text == NULL) return SG_OK;
    errno = 0;
    *value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || *value < range[0] || *value > range[1])
        FAIL(err, SG_USAGE, "'--%s' needs an integer from %lld to %lld, not '%s'", name, range[0], range[1],
             text);
    return SG_OK;
}

sg_status sg_arguments_expect(const struct sg_arguments *arguments, size_t low, size_t high,
                              struct sg_error *err)
{
    size_t count = arguments->word_count;
    if (count > high) FAIL(err, SG_USAGE, "'%s' is one argument too many", arguments->words[high]);
    if (count < low)
        FAIL(err, SG_USAGE, "%s: %zu of %zu", count == 0 ? "the file is missing" : "a file is missing", count,
             low);
    return SG_OK;
}

static void print_usage(const struct sg_command_frame *frame, const char *command)
{
    printf("usage: signorini %s %s\n\n%s\n", command, frame->synopsis, frame->meaning);
    for (const struct sg_option *option = frame->options; option->name != NULL; option++) {
        char left[64];
        char letter[8] = "";
        if (option->letter != 0) snprintf(letter, sizeof letter, "-%c, ", option->letter);
        snprintf(left, sizeof left, "%s--%s%s%s%s", letter, option->name, option->value == NULL ? "" : " ",
                 option->value == NULL ? "" : option->value, option->many ? "..." : "");
        printf("%s  %-24s %s\n", option == frame->options ? "\n" : "", left, option->meaning);
    }
}

int sg_command_run(const struct sg_command_frame *frame, int argc, char **argv)
{
    struct sg_arguments arguments;
    struct sg_error err = {0};
    sg_status status = sg_arguments_init(&arguments, argc, argv, frame->options, &err);
    if (status == SG_OK && arguments.help)
        print_usage(frame, argv[0]);
    else if (status == SG_OK)
        status = frame->body(&arguments, &err);
    /* findings of a deck have been told: their error has no text of its own */
    if (status != SG_OK && err.text[0] != '\0')
        fprintf(stderr, "signorini %s: error: %s\n", argv[0], err.text);
    if (status == SG_USAGE) fprintf(stderr, "usage: signorini %s %s\n", argv[0], frame->synopsis);
    sg_arguments_release(&arguments);
    return sg_status_exit_code(status);
}
