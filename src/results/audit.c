#include "results/audit.h"

static const char *const names[SG_VERDICTS] = {
    [SG_VERDICT_EXACT] = "exact",       [SG_VERDICT_GOOD] = "good",   [SG_VERDICT_LOSSY] = "lossy",
    [SG_VERDICT_DOUBTFUL] = "doubtful", [SG_VERDICT_WRONG] = "wrong",
};

const char *sg_verdict_name(int verdict)
{
    return verdict >= 0 && verdict < SG_VERDICTS ? names[verdict] : "?";
}

enum sg_audit_verdict sg_audit_worst(const struct sg_audit_list *list)
{
    enum sg_audit_verdict worst = SG_VERDICT_EXACT;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].verdict > worst) worst = list->items[i].verdict;
    return worst;
}
