#include "strategies/time_stepping/phases.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

sg_status sg_contact_phases_init(struct sg_arena *arena, struct sg_contact_phases *phases, size_t q,
                                 struct sg_error *err)
{
    phases->q = q;
    TRY(SG_ARENA_NEW(arena, &phases->label, q, err));
    TRY(SG_ARENA_NEW(arena, &phases->taken, q, err));
    TRY(SG_ARENA_NEW(arena, &phases->parent, q, err));
    TRY(SG_ARENA_NEW(arena, &phases->first, q, err));
    TRY(SG_ARENA_NEW(arena, &phases->sum, q, err));
    TRY(SG_ARENA_NEW(arena, &phases->acts, q, err));
    sg_contact_phases_clear(phases);
    return SG_OK;
}

void sg_contact_phases_clear(struct sg_contact_phases *phases)
{
    for (size_t j = 0; j < phases->q; j++) phases->label[j] = SIZE_MAX;
    phases->any = false;
}

void sg_contact_phases_begin(struct sg_contact_phases *phases)
{
    for (size_t j = 0; j < phases->q; j++) {
        phases->acts[j] = false;
        phases->parent[j] = j;
        phases->first[j] = SIZE_MAX;
        phases->sum[j] = 0.0;
    }
}

void sg_contact_phases_act(struct sg_contact_phases *phases, size_t j, double work)
{
    phases->acts[j] = true;
    phases->sum[j] = work;
}

static size_t root_of(struct sg_contact_phases *phases, size_t j)
{
    while (phases->parent[j] != j) j = phases->parent[j] = phases->parent[phases->parent[j]];
    return j;
}

/* the lesser root stays, and has the sum of both */
void sg_contact_phases_join(struct sg_contact_phases *phases, size_t i, size_t j)
{
    if (!phases->acts[i] || !phases->acts[j]) return;
    size_t a = root_of(phases, i), b = root_of(phases, j);
    if (a == b) return;
    size_t least = a < b ? a : b, other = a < b ? b : a;
    phases->parent[other] = least;
    phases->sum[least] += phases->sum[other];
}

/* the phases of the steps before go on with those of their contacts that act; returns what they had made */
static double carry_on(struct sg_contact_phases *phases)
{
    double made = 0.0;
    for (size_t j = 0; j < phases->q; j++) {
        size_t label = phases->label[j];
        if (label == SIZE_MAX || !phases->acts[j]) continue;
        if (phases->first[label] != SIZE_MAX) {
            sg_contact_phases_join(phases, phases->first[label], j);
            continue;
        }
        phases->first[label] = j;
        phases->sum[root_of(phases, j)] += phases->taken[label];
        made += fmax(-phases->taken[label], 0.0);
    }
    return made;
}

double sg_contact_phases_end(struct sg_contact_phases *phases)
{
    double made = -carry_on(phases);
    phases->any = false;
    for (size_t j = 0; j < phases->q; j++) {
        phases->any = phases->any || phases->acts[j];
        phases->label[j] = phases->acts[j] ? root_of(phases, j) : SIZE_MAX;
        if (phases->label[j] == j) made += fmax(-phases->sum[j], 0.0);
    }
    memcpy(phases->taken, phases->sum, phases->q * sizeof *phases->taken);
    return made;
}

void sg_contact_phases_archive(struct sg_contact_phases *phases, struct sg_archive *store)
{
    sg_archive_bytes(store, phases->label, phases->q * sizeof *phases->label);
    sg_archive_bytes(store, phases->taken, phases->q * sizeof *phases->taken);
    SG_ARCHIVE(store, phases->any);
}
