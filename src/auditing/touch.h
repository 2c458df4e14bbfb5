/* Contacts, step by step: how deep rigid ones get, whether they pull, how far apart they push, and whether
 * friction stays in its cone. */
#ifndef SG_AUDITING_TOUCH_H
#define SG_AUDITING_TOUCH_H

#include "contact/contact_set.h"
#include "support/archive.h"

struct sg_touch_extreme {
    double value;
    size_t contact;
    double t; /* s */
};

struct sg_touch_watch {
    const struct sg_contact_set *contacts;
    bool *rigid;                  /* q: a constraint, not a force of its gap */
    double *impulse0;             /* q, N s */
    double *gap_least, *gap_most; /* q, m */
    double *rounding;             /* q, m: within which a gap counts as none; looked at now and then */
    long long steps;
    struct sg_touch_extreme penetration; /* m, of rigid contacts */
    struct sg_touch_extreme pull;        /* N */
    struct sg_touch_extreme slide;       /* N: friction beyond its cone */
    double peak_force;                   /* N, of rigid contacts */
    double pushed, pushed_apart;         /* N s; N s m: impulses of rigid contacts, times their gaps */
    double longest_step, t;              /* s */
    bool begun;
};

/* `all_springs`: no contact is rigid for the strategy, whatever its law */
sg_status sg_touch_watch_init(struct sg_arena *arena, struct sg_touch_watch *watch,
                              const struct sg_contact_set *contacts, bool all_springs, struct sg_error *err);

void sg_touch_watch_step(struct sg_touch_watch *watch, const struct sg_snapshot *now);

/* m: the largest range of a gap */
double sg_touch_range(const struct sg_touch_watch *watch);

void sg_touch_watch_archive(struct sg_touch_watch *watch, struct sg_archive *archive);

#endif
