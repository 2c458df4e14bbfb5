/* Events between the ends of steps, of schemes whose motion is not known in closed form. What such a scheme
 * does inside a step is what its shorter steps from the same start give: a trial over half of it tells by how
 * much the cubic through both ends is off there, of a smooth motion
 *
 *     d = |g(h/2) - H(h/2)| = |g''''| h^4 / 384.
 *
 * The largest |g''''| that a contact has shown so, with a margin, stands for a bound: on a part of length w
 * the gap lies above the quartic H - |g''''| tau^2 (w - tau)^2 / 24, whose Bernstein coefficients decide as
 * in certify.h. Parts that they leave open are halved by another trial, and where a cubic crosses then, the
 * event is located as others are. Nothing is proved by that; but what the scheme does is looked at wherever
 * it may differ from what its ends show. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "strategies/event_driven/event_driven.h"
#include "support/memory.h"

enum { DEPTH = SG_MIDDLE_DEPTH, TURNS = 3, OFTEN = 64, HALVINGS = 4 };

static const double NONE = 2.0;

/* 16 times the fourth derivatives seen: those of motions at twice the frequency. What is left of them from
 * one look to the next: a motion at rest is not to be looked into for ever. */
static const double MARGIN = 16.0, FORGET = 0.1;

sg_status sg_event_middle_init(struct sg_event_middle *own, size_t q, struct sg_error *err)
{
    own->next = 1;
    TRY(SG_NEW(&own->bend, 2 * q, err));
    TRY(SG_NEW(&own->third, q, err));
    TRY(SG_NEW(&own->turn, q, err));
    return SG_NEW(&own->points, 2 * q * (DEPTH + 2), err);
}

void sg_event_middle_release(struct sg_event_middle *own)
{
    sg_free(own->bend);
    sg_free(own->third);
    sg_free(own->turn);
    sg_free(own->points);
}

void sg_event_middle_archive(struct sg_event_middle *own, size_t q, struct sg_archive *store)
{
    SG_ARCHIVE(store, own->steps);
    SG_ARCHIVE(store, own->next);
    SG_ARCHIVE(store, own->before);
    sg_archive_bytes(store, own->bend, 2 * q * sizeof(double));
    sg_archive_bytes(store, own->third, q * sizeof(double));
}

/* --- parts ---------------------------------------------------------------------------------------- */

/* A part of the step between two instants of which gaps and rates are known. */
struct part {
    double start, end;                 /* s, from the start of the step */
    const struct sg_event_point *from; /* at `start` */
    const struct sg_event_point *to;   /* at `end` */
};

/* m/s^4: the largest that the contact has shown, apart for open and closed ones, which are other motions */
static double *bend_of(struct sg_event_driven *ed, size_t j)
{
    return &ed->middle.bend[2 * j + (ed->status[j] != SG_LAW_OPEN)];
}

/* Tells whether a quartic, by its Bernstein coefficients (see certify.h), stays at or above `least`: where
 * the hull of these does not decide, its halves do, by de Casteljau's construction. That costs no trial. */
static bool is_above(const double c[5], double least, int depth)
{
    if (fmin(c[0], c[4]) < least) return false;
    if (fmin(fmin(c[1], c[2]), c[3]) >= least) return true;
    if (depth == 0) return false;
    double left[5], right[5];
    memcpy(right, c, sizeof right);
    for (int k = 0; k < 5; k++) {
        left[k] = right[0];
        for (int i = 0; i < 4 - k; i++) right[i] = 0.5 * (right[i] + right[i + 1]);
    }
    return is_above(left, least, depth - 1) && is_above(right, least, depth - 1);
}

/* The quartic below f = sign (g - level) on a part: its cubic less bend tau^2 (w - tau)^2 / 24. */
static bool stays_above(const struct sg_gap_span *span, double sign, double level, double bend, double least)
{
    double w = span->h, f0 = sign * (span->g0 - level), f1 = sign * (span->g1 - level);
    double p = f0 + w * sign * span->d0 / 3.0, q = f1 - w * sign * span->d1 / 3.0;
    const double c[5] = {f0, 0.25 * (f0 + 3.0 * p), 0.5 * (p + q) - bend * w * w * w * w / 144.0,
                         0.25 * (3.0 * q + f1), f1};
    return is_above(c, least, HALVINGS);
}

static bool is_clear(struct sg_event_driven *ed, size_t j, const struct sg_gap_span *span)
{
    const struct sg_event_watches *watches = &ed->watches[j];
    double bend = MARGIN * fmax(*bend_of(ed, j), ed->middle.turn[j]);
    for (size_t k = 0; k < watches->count; k++) {
        const struct sg_law_watch *watch = &watches->list[k];
        double level = watch->level + ed->floor[j], sign = watch->rises ? -1.0 : 1.0;
        if (stays_above(span, sign, level, bend, 0.0)) continue;
        /* the tolerance is the larger one, and known */
        if (!stays_above(span, sign, level, bend, -ed->tolerance[j])) return false;
        if (!stays_above(span, sign, level, bend, -sg_event_gap_rounding(ed, j, &ed->from))) return false;
    }
    return true;
}

/* Notes what the cubic of the step shows against that of the step before, where both are of one phase: third
 * derivatives differ by |g''''| times the time between the middles. That costs no trial, and is of now. */
static void compare(struct sg_event_driven *ed, double h)
{
    struct sg_event_middle *own = &ed->middle;
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        struct sg_gap_span span = sg_event_span(ed, j, &ed->from, &ed->to, h);
        double third = (12.0 * (span.g0 - span.g1) / h + 6.0 * (span.d0 + span.d1)) / (h * h);
        own->turn[j] = own->before > 0.0 ? fabs(third - own->third[j]) / (0.5 * (h + own->before)) : 0.0;
        own->third[j] = third;
    }
    own->before = h;
}

/* --- the walk ------------------------------------------------------------------------------------- */

enum verdict { CLEAR, OPEN, CROSSES };

/* Of all contacts but those whose event is at the end of the step already. The cubic of the whole step has
 * been looked at before. */
static enum verdict judge(struct sg_event_driven *ed, const struct part *part, bool whole,
                          struct sg_detection *found)
{
    enum verdict verdict = CLEAR;
    *found = (struct sg_detection){.tau = NONE, .window = HUGE_VAL};
    for (size_t j = 0; j < ed->run.contacts->q; j++) {
        ed->root[j] = NONE;
        /* a gap that leaves a touch has nothing to keep it off 0 but its acceleration: its end alone tells */
        if (ed->crossing[j] || !sg_event_is_watched(ed, j) || ed->certificate.zeros[j] >= 2) continue;
        struct sg_gap_span span = sg_event_span(ed, j, part->from, part->to, part->end - part->start);
        if (is_clear(ed, j, &span)) continue;
        if (verdict == CLEAR) verdict = OPEN;
        if (!whole && sg_event_first(ed, j, part->from, &span, found)) verdict = CROSSES;
    }
    return verdict;
}

/* Makes a trial that only looks. *made: the scheme has a step of that length; where damping gives energy a
 * shorter step may have no solution though the whole one has. */
static sg_status sample(struct sg_event_driven *ed, double tau, bool *made, struct sg_error *err)
{
    sg_status status = sg_event_trial(ed, tau, &ed->sample, err);
    *made = status == SG_OK;
    if (status != SG_NO_SOLUTION) return status;
    sg_error_clear(err);
    return SG_OK;
}

/* The state at the middle of a part, and how far the cubic is off there, if the scheme has a step to it. */
static sg_status look(struct sg_event_driven *ed, const struct part *part, bool whole,
                      struct sg_event_point *middle, bool *made, struct sg_error *err)
{
    size_t q = ed->run.contacts->q;
    double w = part->end - part->start;
    TRY(sample(ed, part->start + 0.5 * w, made, err));
    if (!*made) return SG_OK;
    ed->certificate.subdivisions++;
    for (size_t j = 0; j < q; j++) {
        const struct sg_event_point *a = part->from, *b = part->to;
        double cubic = 0.5 * (a->gap[j] + b->gap[j]) + 0.125 * w * (a->rate[j] - b->rate[j]);
        double off = fabs(ed->sample.gap[j] - cubic);
        double *bend = bend_of(ed, j), seen = 384.0 * off / (w * w * w * w);
        if (whole) *bend *= FORGET;
        if (seen > *bend && off > sg_event_gap_rounding(ed, j, &ed->sample)) *bend = seen;
    }
    memcpy(middle->gap, ed->sample.gap, q * sizeof(double));
    memcpy(middle->rate, ed->sample.rate, q * sizeof(double));
    return SG_OK;
}

/* Every so often a step is looked into whatever its cubic shows: motions change. */
static bool is_due(struct sg_event_middle *own)
{
    if (++own->steps < own->next) return false;
    own->next = own->steps + (3 * own->steps < OFTEN ? 3 * own->steps : OFTEN);
    return true;
}

static bool any_watched(const struct sg_event_driven *ed)
{
    for (size_t j = 0; j < ed->run.contacts->q; j++)
        if (!ed->crossing[j] && sg_event_is_watched(ed, j)) return true;
    return false;
}

/* The first crossing in the step h that its cubics don't show: *h becomes the end of the part that has it,
 * found->tau its share of that, or NONE. */
static sg_status walk(struct sg_event_driven *ed, double *h, struct sg_detection *found, struct sg_error *err)
{
    size_t q = ed->run.contacts->q, top = 0;
    struct sg_event_point points[DEPTH + 2];
    double end[DEPTH + 1] = {*h};
    for (size_t k = 0; k < DEPTH + 2; k++) {
        double *place = ed->middle.points + 2 * q * k;
        points[k] = (struct sg_event_point){.x = ed->from.x, .gap = place, .rate = place + q};
    }
    struct sg_event_point *last = &points[DEPTH + 1];
    struct part part = {.from = &ed->from};
    bool due = is_due(&ed->middle);
    for (;;) {
        part.end = end[top];
        part.to = top == 0 ? &ed->to : &points[top];
        enum verdict verdict = judge(ed, &part, top == 0 && part.start == 0.0, found);
        if (verdict == CROSSES) {
            found->tau = (part.start + found->tau * (part.end - part.start)) / part.end;
            *h = part.end;
            return SG_OK;
        }
        bool looked = false;
        if ((verdict == OPEN || due) && top < DEPTH)
            TRY(look(ed, &part, top == 0 && part.start == 0.0, &points[top + 1], &looked, err));
        due = false;
        if (looked) {
            end[++top] = part.start + 0.5 * (part.end - part.start);
            continue;
        }
        if (verdict == OPEN) ed->certificate.undecided++;
        if (top == 0) return SG_OK;
        memcpy(last->gap, part.to->gap, q * sizeof(double));
        memcpy(last->rate, part.to->rate, q * sizeof(double));
        part.from = last;
        part.start = end[top--];
    }
}

sg_status sg_event_look_inside(struct sg_event_driven *ed, double *h, struct sg_error *err)
{
    size_t q = ed->run.contacts->q;
    compare(ed, *h);
    for (int turn = 0; turn < TURNS && any_watched(ed); turn++) {
        struct sg_detection found;
        TRY(walk(ed, h, &found, err));
        if (found.tau == NONE) break;
        memset(ed->crossing, 0, q);
        TRY(sg_event_locate(ed, found, h, err));
    }
    /* an event begins another motion */
    if (memchr(ed->crossing, 1, q) != NULL) ed->middle.before = 0.0;
    return SG_OK;
}
