/* Bilateral constraints, which the operator holds in every phase: their multipliers and impulses. */
#include <string.h>

#include "strategies/event_driven/event_driven.h"
#include "support/memory.h"

sg_status sg_event_bilateral_init(struct sg_event_bilateral *held, size_t m, struct sg_error *err)
{
    double **const all[] = {&held->multiplier, &held->shown,         &held->start,         &held->inside,
                            &held->impulse,    &held->impulse_start, &held->impulse_inside};
    held->count = m;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) TRY(SG_NEW(all[k], m, err));
    return SG_OK;
}

void sg_event_bilateral_release(struct sg_event_bilateral *held)
{
    sg_free(held->multiplier);
    sg_free(held->shown);
    sg_free(held->start);
    sg_free(held->inside);
    sg_free(held->impulse);
    sg_free(held->impulse_start);
    sg_free(held->impulse_inside);
}

void sg_event_bilateral_begin(struct sg_event_bilateral *held)
{
    memcpy(held->start, held->shown, held->count * sizeof(double));
    memcpy(held->impulse_start, held->impulse, held->count * sizeof(double));
}

void sg_event_bilateral_account(struct sg_event_bilateral *held, double h)
{
    for (size_t i = 0; i < held->count; i++)
        held->impulse[i] += 0.5 * h * (held->start[i] + held->multiplier[i]);
}

void sg_event_bilateral_show(struct sg_event_bilateral *held, struct sg_snapshot *now)
{
    memcpy(held->shown, held->multiplier, held->count * sizeof(double));
    now->constraint_force = held->shown;
    now->constraint_impulse = held->impulse;
}

void sg_event_bilateral_sample(struct sg_event_bilateral *held, double h, struct sg_snapshot *now)
{
    memcpy(held->inside, held->multiplier, held->count * sizeof(double));
    for (size_t i = 0; i < held->count; i++)
        held->impulse_inside[i] = held->impulse_start[i] + 0.5 * h * (held->start[i] + held->inside[i]);
    now->constraint_force = held->inside;
    now->constraint_impulse = held->impulse_inside;
}

void sg_event_bilateral_archive(struct sg_event_bilateral *held, struct sg_archive *store)
{
    sg_archive_bytes(store, held->shown, held->count * sizeof(double));
    sg_archive_bytes(store, held->impulse, held->count * sizeof(double));
}
