#include "commands/audit_words.h"

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
