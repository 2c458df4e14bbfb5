#include <string.h>

#include "deck/deck.h"
#include "deck/json.h"
#include "deck/state.h"
#include "deck/tree.h"

void sg_text_append_quoted(struct sg_text *text, const char *value)
{
    sg_text_append(text, "\"");
    for (const char *at = value; *at != '\0'; at++) {
        unsigned char c = (unsigned char)*at;
        if (c == '"' || c == '\\')
            sg_text_append(text, "\\%c", c);
        else if (c == '\n')
            sg_text_append(text, "\\n");
        else if (c < 0x20 || c == 0x7f)
            sg_text_append(text, "\\x%02x", c);
        else
            sg_text_append_bytes(text, at, 1);
    }
    sg_text_append(text, "\"");
}

static void print_integer(long long value, struct sg_text *text)
{
    bool narrow = value >= -2147483648LL && value <= 2147483647LL;
    sg_text_append(text, "%lld%s", value, narrow ? "" : "L");
}

static void print_value(const struct sg_setting *setting, int indent, struct sg_text *text);

static void print_group(const struct sg_setting *setting, int indent, struct sg_text *text)
{
    for (size_t i = 0; i < setting->count; i++) {
        sg_text_append(text, "%*s%s = ", indent, "", setting->items[i]->name);
        print_value(setting->items[i], indent, text);
        sg_text_append(text, ";\n");
    }
}

static void print_items(const struct sg_setting *setting, int indent, struct sg_text *text)
{
    bool list = setting->form == SG_SETTING_LIST;
    sg_text_append(text, list ? "(" : "[");
    for (size_t i = 0; i < setting->count; i++) {
        if (i > 0) sg_text_append(text, ",");
        if (list)
            sg_text_append(text, "\n%*s", indent + 2, "");
        else if (i > 0)
            sg_text_append(text, " ");
        print_value(setting->items[i], indent + 2, text);
    }
    if (list && setting->count > 0) sg_text_append(text, "\n%*s", indent, "");
    sg_text_append(text, list ? ")" : "]");
}

static void print_value(const struct sg_setting *setting, int indent, struct sg_text *text)
{
    switch (setting->form) {
    case SG_SETTING_INTEGER:
        print_integer(setting->integer, text);
        break;
    case SG_SETTING_REAL:
        sg_text_append_real(text, setting->real);
        break;
    case SG_SETTING_BOOL:
        sg_text_append(text, setting->integer != 0 ? "true" : "false");
        break;
    case SG_SETTING_TEXT:
        sg_text_append_quoted(text, setting->text);
        break;
    case SG_SETTING_GROUP:
        sg_text_append(text, "{\n");
        print_group(setting, indent + 2, text);
        sg_text_append(text, "%*s}", indent, "");
        break;
    default:
        print_items(setting, indent, text);
    }
}

void sg_deck_print(const struct sg_deck *deck, struct sg_text *text)
{
    print_group(deck->root, 0, text);
}

void sg_deck_print_json(const struct sg_deck *deck, struct sg_text *text)
{
    struct sg_json json = {.text = text};
    sg_json_setting(&json, NULL, deck->root);
    sg_text_append(text, "\n");
}
