/* JSON, written piece by piece; two blanks a level. */
#ifndef SG_DECK_JSON_H
#define SG_DECK_JSON_H

#include <stdbool.h>

#include "deck/tree.h"
#include "support/text.h"

/* Start with `text` set. `key` is NULL for items of arrays and for the outermost value. */
struct sg_json {
    struct sg_text *text;
    int depth;
    bool some; /* the open bracket has something already */
};

void sg_json_open(struct sg_json *json, const char *key, char bracket);
void sg_json_close(struct sg_json *json, char bracket);

void sg_json_text(struct sg_json *json, const char *key, const char *value);
void sg_json_text_bytes(struct sg_json *json, const char *key, const char *value, size_t length);

/* a value that is JSON already: a number, true, false */
void sg_json_raw(struct sg_json *json, const char *key, const char *value);
void sg_json_real(struct sg_json *json, const char *key, double value);

/* a setting and all below it, as it is */
void sg_json_setting(struct sg_json *json, const char *key, const struct sg_setting *setting);

#endif
