#include "auditing/touch.h"

#include <math.h>

enum { ROUNDING_EVERY = 64, MANY_ROUNDINGS = 1000 };

sg_status sg_touch_watch_init(struct sg_arena *arena, struct sg_touch_watch *watch,
                              const struct sg_contact_set *contacts, bool all_springs, struct sg_error *err)
{
    *watch = (struct sg_touch_watch){.contacts = contacts};
    TRY(SG_ARENA_NEW(arena, &watch->rigid, contacts->q, err));
    TRY(SG_ARENA_NEW(arena, &watch->impulse0, contacts->q, err));
    TRY(SG_ARENA_NEW(arena, &watch->rounding, contacts->q, err));
    TRY(SG_ARENA_NEW(arena, &watch->gap_least, contacts->q, err));
    TRY(SG_ARENA_NEW(arena, &watch->gap_most, contacts->q, err));
    for (size_t j = 0; j < contacts->q; j++) watch->rigid[j] = !all_springs && !contacts->sprung[j];
    return SG_OK;
}

static void take(struct sg_touch_extreme *extreme, double value, size_t contact, double t)
{
    if (value > extreme->value) *extreme = (struct sg_touch_extreme){value, contact, t};
}

static void see_friction(struct sg_touch_watch *watch, const struct sg_snapshot *now, size_t j)
{
    size_t tangents = watch->contacts->tangents;
    double square = 0.0;
    for (size_t k = 0; k < tangents; k++) {
        double part = now->friction[j * tangents + k];
        square += part * part;
    }
    if (square > 0.0)
        take(&watch->slide, sqrt(square) - watch->contacts->friction[j] * now->force[j], j, now->t);
}

/* Gaps within the rounding of the places that they are the difference of count as none. */
static double rounding_of(struct sg_touch_watch *watch, const struct sg_snapshot *now, size_t j)
{
    if (watch->rounding[j] > 0.0 && watch->steps % ROUNDING_EVERY != 0) return watch->rounding[j];
    double here = MANY_ROUNDINGS * sg_contact_set_rounding(watch->contacts, j, now->t, now->u);
    watch->rounding[j] = fmax(watch->rounding[j], here);
    return watch->rounding[j];
}

static void see_rigid(struct sg_touch_watch *watch, const struct sg_snapshot *now, size_t j, double impulse)
{
    double gap = now->gap[j], force = now->force != NULL ? now->force[j] : 0.0;
    if (force > watch->peak_force) watch->peak_force = force;
    if (force < 0.0) take(&watch->pull, -force, j, now->t);
    if (gap < -watch->penetration.value && -gap > rounding_of(watch, now, j))
        take(&watch->penetration, -gap, j, now->t);
    if (!(impulse > 0.0)) return;
    watch->pushed += impulse;
    watch->pushed_apart += impulse * fmax(0.0, fabs(gap) - rounding_of(watch, now, j));
}

void sg_touch_watch_step(struct sg_touch_watch *watch, const struct sg_snapshot *now)
{
    for (size_t j = 0; j < watch->contacts->q; j++) {
        double sum = now->impulse != NULL ? now->impulse[j] : 0.0;
        if (!watch->begun) watch->gap_least[j] = watch->gap_most[j] = now->gap[j];
        if (now->gap[j] < watch->gap_least[j]) watch->gap_least[j] = now->gap[j];
        if (now->gap[j] > watch->gap_most[j]) watch->gap_most[j] = now->gap[j];
        if (watch->rigid[j]) see_rigid(watch, now, j, watch->begun ? sum - watch->impulse0[j] : 0.0);
        if (now->friction != NULL) see_friction(watch, now, j);
        watch->impulse0[j] = sum;
    }
    if (watch->begun && now->t - watch->t > watch->longest_step) watch->longest_step = now->t - watch->t;
    watch->t = now->t;
    watch->steps++;
    watch->begun = true;
}

double sg_touch_range(const struct sg_touch_watch *watch)
{
    double range = 0.0;
    for (size_t j = 0; j < watch->contacts->q; j++)
        range = fmax(range, watch->gap_most[j] - watch->gap_least[j]);
    return range;
}

void sg_touch_watch_archive(struct sg_touch_watch *watch, struct sg_archive *archive)
{
    size_t bytes = watch->contacts->q * sizeof(double);
    sg_archive_bytes(archive, watch->impulse0, bytes);
    sg_archive_bytes(archive, watch->rounding, bytes);
    sg_archive_bytes(archive, watch->gap_least, bytes);
    sg_archive_bytes(archive, watch->gap_most, bytes);
    SG_ARCHIVE(archive, watch->penetration);
    SG_ARCHIVE(archive, watch->pull);
    SG_ARCHIVE(archive, watch->slide);
    SG_ARCHIVE(archive, watch->peak_force);
    SG_ARCHIVE(archive, watch->pushed);
    SG_ARCHIVE(archive, watch->pushed_apart);
    SG_ARCHIVE(archive, watch->longest_step);
    SG_ARCHIVE(archive, watch->t);
    SG_ARCHIVE(archive, watch->steps);
    SG_ARCHIVE(archive, watch->begun);
}
