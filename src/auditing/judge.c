#include "auditing/judge.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum sg_audit_verdict sg_judge(double value, struct sg_limits limits)
{
    if (value <= limits.exact) return SG_VERDICT_EXACT;
    if (value <= limits.good) return SG_VERDICT_GOOD;
    return value <= limits.doubtful ? SG_VERDICT_DOUBTFUL : SG_VERDICT_WRONG;
}

void sg_audit_add(struct sg_audit_list *list, const char *name, double value, struct sg_limits limits,
                  const char *about, ...)
{
    va_list words;
    if (list->count == SG_AUDIT_ITEMS) return;
    struct sg_audit_item *item = &list->items[list->count++];
    *item = (struct sg_audit_item){.value = value, .limit = limits.good, .verdict = sg_judge(value, limits)};
    snprintf(item->name, sizeof item->name, "%s", name);
    va_start(words, about);
    vsnprintf(item->about, sizeof item->about, about, words);
    va_end(words);
}

struct sg_audit_item *sg_audit_get(struct sg_audit_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0) return &list->items[i];
    return NULL;
}
