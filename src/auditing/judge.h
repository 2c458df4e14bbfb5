/* Numbers and limits into words. */
#ifndef SG_AUDITING_JUDGE_H
#define SG_AUDITING_JUDGE_H

#include "results/audit.h"

/* Up to which value a check is exact, good, doubtful; beyond, and not a number: wrong. */
struct sg_limits {
    double exact, good, doubtful;
};

/* rounding of sums of many steps, relative */
#define SG_ROUNDING_SHARE 1e-9

enum sg_audit_verdict sg_judge(double value, struct sg_limits limits);

/* Appends a finding with the verdict of its limits. */
__attribute__((format(printf, 5, 6))) void sg_audit_add(struct sg_audit_list *list, const char *name,
                                                        double value, struct sg_limits limits,
                                                        const char *about, ...);

/* the finding of a name, NULL if there is none */
struct sg_audit_item *sg_audit_get(struct sg_audit_list *list, const char *name);

#endif
