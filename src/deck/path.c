#include "deck/path.h"

#include <stdint.h>
#include <string.h>

struct cursor {
    const char *text;
    size_t length, at;
    bool open_index;
    struct sg_text *fault;
};

static bool refuse(const struct cursor *c, const char *what)
{
    sg_text_append(c->fault, "path '");
    sg_text_append_excerpt(c->fault, c->text, c->length);
    sg_text_append(c->fault, "': %s", what);
    return false;
}

static bool at(const struct cursor *c, char wanted)
{
    return c->at < c->length && c->text[c->at] == wanted;
}

static bool is_open_index(const char *digits, size_t length)
{
    return length == 0 || (length == 1 && digits[0] == 'i');
}

static bool parse_index(struct cursor *c, struct sg_step *step)
{
    enum { DIGITS = 9 };
    c->at++;
    const char *digits = c->text + c->at;
    const char *close = memchr(digits, ']', c->length - c->at);
    if (close == NULL) return refuse(c, "a ']' is missing");
    size_t length = (size_t)(close - digits);
    c->at += length + 1;
    *step = (struct sg_step){.index = c->open_index && is_open_index(digits, length) ? SIZE_MAX : 0};
    if (step->index == SIZE_MAX) return true;
    if (length == 0 || length > DIGITS) return refuse(c, "an index is a number from 0 on, as in [0]");
    for (size_t i = 0; i < length; i++) {
        if (digits[i] < '0' || digits[i] > '9') return refuse(c, "an index is a number from 0 on, as in [0]");
        step->index = 10 * step->index + (size_t)(digits[i] - '0');
    }
    return true;
}

static bool parse_name(struct cursor *c, struct sg_step *step)
{
    size_t begin = c->at;
    while (c->at < c->length && c->text[c->at] != '.' && c->text[c->at] != '[') c->at++;
    *step = (struct sg_step){.name = c->text + begin, .length = c->at - begin};
    if (step->length == 0) return refuse(c, "a name is missing");
    if (step->length > SG_MAX_NAME) return refuse(c, "a name has more than 255 characters");
    if (sg_scan_is(step->name, step->length, SG_TOKEN_NAME)) return true;
    if (step->name[0] >= '0' && step->name[0] <= '9')
        return refuse(c, "an index is put in brackets, as in [0]");
    return refuse(c, "a name has letters, digits, '_' and '-' only");
}

bool sg_path_parse(const char *text, size_t length, bool open_index, struct sg_path *path,
                   struct sg_text *fault)
{
    struct cursor c = {text, length, 0, open_index, fault};
    path->count = 0;
    if (length == 0) return refuse(&c, "a name is missing");
    if (at(&c, '[')) return refuse(&c, "it starts with a name");
    while (c.at < length || path->count == 0) {
        if (path->count == SG_MAX_DEPTH) return refuse(&c, "it has more than 64 parts");
        struct sg_step *step = &path->steps[path->count++];
        if (!(at(&c, '[') ? parse_index(&c, step) : parse_name(&c, step))) return false;
        if (c.at == length || at(&c, '[')) continue;
        if (!at(&c, '.')) return refuse(&c, "a '.' is missing after ']'");
        c.at++;
        if (c.at == length) return refuse(&c, "it ends with '.'");
    }
    return true;
}

void sg_path_append(const struct sg_path *path, size_t count, struct sg_text *text)
{
    for (size_t i = 0; i < count; i++) {
        const struct sg_step *step = &path->steps[i];
        if (i > 0) sg_text_append(text, ".");
        if (step->name != NULL)
            sg_text_append(text, "%.*s", (int)step->length, step->name);
        else
            sg_text_append(text, "[%zu]", step->index);
    }
}
