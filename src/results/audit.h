/* The audit: what a run comes to, judged. A finding is one check: its number, the limit that decided, a word.
 * The table /summary/audit of a results file has a row a finding. Who watches a run is above (auditing/). */
#ifndef SG_RESULTS_AUDIT_H
#define SG_RESULTS_AUDIT_H

#include <stddef.h>

#include "results/observer.h"
#include "results/summary.h"
#include "support/archive.h"

/* From the best to the worst. */
enum sg_audit_verdict {
    SG_VERDICT_EXACT,    /* rounding, or the check has nothing to judge in this model */
    SG_VERDICT_GOOD,     /* within the limit */
    SG_VERDICT_LOSSY,    /* the scheme takes energy, as schemes with numerical damping do */
    SG_VERDICT_DOUBTFUL, /* beyond the limit: look before you believe */
    SG_VERDICT_WRONG,    /* far beyond */
    SG_VERDICTS
};

/* "exact" ...; "?" of a number that is none */
const char *sg_verdict_name(int verdict);

enum { SG_AUDIT_ITEMS = 32, SG_AUDIT_NAME = 40, SG_AUDIT_VERDICT = 16, SG_AUDIT_ABOUT = 232 };

struct sg_audit_item {
    char name[SG_AUDIT_NAME];
    double value, limit; /* 1, shares, unless `about` says another unit; the limit of `good` */
    enum sg_audit_verdict verdict;
    char about[SG_AUDIT_ABOUT]; /* one sentence */
};

struct sg_audit_list {
    struct sg_audit_item items[SG_AUDIT_ITEMS];
    size_t count;
};

/* the worst verdict of a list; SG_VERDICT_EXACT of none */
enum sg_audit_verdict sg_audit_worst(const struct sg_audit_list *list);

/* Energies of a row that stands, J. */
struct sg_energy_row {
    double t;         /* s */
    double numerical; /* total - total_0 - external + dissipated */
    double total;     /* kinetic + strain + gravity + contact */
    double at_hand;   /* what the motion has had to exchange: of no datum of potential energy */
};

/* Someone who watches every step of a run and judges it at its end. Nothing is allocated after creation. */
struct sg_audit_ops {
    /* the end of a step, or the initial state */
    void (*step)(void *self, const struct sg_snapshot *now);
    void (*event)(void *self, const struct sg_event *event);
    /* a row of /history will not be replaced any more */
    void (*energy)(void *self, const struct sg_energy_row *row);
    void (*archive)(void *self, struct sg_archive *archive);
    /* Appends the findings, always of the same names and number for one run. */
    void (*conclude)(void *self, const struct sg_summary *summary, struct sg_audit_list *list);
};

/* All zeros: none. */
struct sg_audit {
    const struct sg_audit_ops *ops;
    void *self;
};

#endif
