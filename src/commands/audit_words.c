#include "commands/audit_words.h"

#include <math.h>
#include <string.h>

void sg_audit_print(FILE *to, const struct sg_audit_list *list)
{
    if (list->count == 0) return;
    fprintf(to, "%-38s %-10s %-10s %s\n", "audit", "value", "limit", "verdict");
    for (size_t i = 0; i < list->count; i++) {
        const struct sg_audit_item *item = &list->items[i];
        fprintf(to, "  %-36s %-10.3g %-10.3g %s", item->name, item->value, item->limit,
                sg_verdict_name((int)item->verdict));
        if (item->verdict > SG_VERDICT_GOOD) fprintf(to, ": %s", item->about);
        fputc('\n', to);
    }
}

void sg_audit_warn(const struct sg_audit_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct sg_audit_item *item = &list->items[i];
        if (item->verdict >= SG_VERDICT_DOUBTFUL)
            fprintf(stderr, "signorini: warning: audit: %s is %s (%.3g, limit %.3g): %s\n", item->name,
                    sg_verdict_name((int)item->verdict), item->value, item->limit, item->about);
    }
}

static void print_number(FILE *to, const char *name, double value)
{
    if (isfinite(value))
        fprintf(to, "\"%s\": %.17g, ", name, value);
    else
        fprintf(to, "\"%s\": null, ", name);
}

void sg_audit_print_json_text(FILE *to, const char *text, size_t length)
{
    fputc('"', to);
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"' || text[i] == '\\') fputc('\\', to);
        if ((unsigned char)text[i] >= ' ') fputc(text[i], to);
    }
    fputc('"', to);
}

void sg_audit_print_json(FILE *to, const struct sg_audit_list *list)
{
    fputs("[\n", to);
    for (size_t i = 0; i < list->count; i++) {
        const struct sg_audit_item *item = &list->items[i];
        fprintf(to, "  {\"name\": \"%s\", ", item->name);
        print_number(to, "value", item->value);
        print_number(to, "limit", item->limit);
        fprintf(to, "\"verdict\": \"%s\", \"about\": ", sg_verdict_name((int)item->verdict));
        sg_audit_print_json_text(to, item->about, strlen(item->about));
        fprintf(to, "}%s\n", i + 1 < list->count ? "," : "");
    }
    fputs("]", to);
}

sg_status sg_audit_check(const struct sg_audit_list *list, struct sg_error *err)
{
    size_t count = 0, first = 0;
    for (size_t i = list->count; i-- > 0;) {
        if (list->items[i].verdict < SG_VERDICT_DOUBTFUL) continue;
        first = i;
        count++;
    }
    if (count == 0) return SG_OK;
    FAIL(err, SG_NO_SOLUTION, "--strict: %zu check%s of the audit %s doubtful or wrong, first '%s'", count,
         count == 1 ? "" : "s", count == 1 ? "is" : "are", list->items[first].name);
}
