#include "deck/json.h"

#include <stdio.h>
#include <string.h>

static void append_quoted(struct sg_text *text, const char *value, size_t length)
{
    static const char escaped[] = "\"\\\n\t\r\b\f", letters[] = "\"\\ntrbf";
    sg_text_append(text, "\"");
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)value[i];
        const char *place = c == '\0' ? NULL : strchr(escaped, c);
        if (place != NULL)
            sg_text_append(text, "\\%c", letters[place - escaped]);
        else if (c < 0x20)
            sg_text_append(text, "\\u%04x", c);
        else
            sg_text_append_bytes(text, value + i, 1);
    }
    sg_text_append(text, "\"");
}

static void start(struct sg_json *json, const char *key)
{
    if (json->some) sg_text_append(json->text, ",");
    if (json->depth > 0) sg_text_append(json->text, "\n%*s", 2 * json->depth, "");
    json->some = true;
    if (key == NULL) return;
    append_quoted(json->text, key, strlen(key));
    sg_text_append(json->text, ": ");
}

void sg_json_open(struct sg_json *json, const char *key, char bracket)
{
    start(json, key);
    sg_text_append(json->text, "%c", bracket);
    json->depth++;
    json->some = false;
}

void sg_json_close(struct sg_json *json, char bracket)
{
    json->depth--;
    if (json->some) sg_text_append(json->text, "\n%*s", 2 * json->depth, "");
    sg_text_append(json->text, "%c", bracket);
    json->some = true;
}

void sg_json_text_bytes(struct sg_json *json, const char *key, const char *value, size_t length)
{
    start(json, key);
    append_quoted(json->text, value, length);
}

void sg_json_text(struct sg_json *json, const char *key, const char *value)
{
    sg_json_text_bytes(json, key, value, strlen(value));
}

void sg_json_raw(struct sg_json *json, const char *key, const char *value)
{
    start(json, key);
    sg_text_append(json->text, "%s", value);
}

void sg_json_real(struct sg_json *json, const char *key, double value)
{
    start(json, key);
    sg_text_append_real(json->text, value);
}

static void integer(struct sg_json *json, const char *key, long long value)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%lld", value);
    sg_json_raw(json, key, digits);
}

void sg_json_setting(struct sg_json *json, const char *key, const struct sg_setting *setting)
{
    bool group = setting->form == SG_SETTING_GROUP;
    switch (setting->form) {
    case SG_SETTING_INTEGER:
        integer(json, key, setting->integer);
        return;
    case SG_SETTING_REAL:
        sg_json_real(json, key, setting->real);
        return;
    case SG_SETTING_BOOL:
        sg_json_raw(json, key, setting->integer != 0 ? "true" : "false");
        return;
    case SG_SETTING_TEXT:
        sg_json_text(json, key, setting->text);
        return;
    default:
        sg_json_open(json, key, group ? '{' : '[');
        for (size_t i = 0; i < setting->count; i++)
            sg_json_setting(json, setting->items[i]->name, setting->items[i]);
        sg_json_close(json, group ? '}' : ']');
    }
}
