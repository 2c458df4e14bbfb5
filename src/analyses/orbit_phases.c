#include "analyses/orbit_phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linalg/dense.h"
#include "linalg/modal.h"
#include "linalg/vector.h"
#include "support/arena.h"

/* --- creation ------------------------------------------------------------------------------------- */

static sg_status allocate(struct sg_arena *arena, struct sg_orbit_phase *phase, size_t n, size_t q,
                          struct sg_error *err)
{
    phase->n = n;
    TRY(SG_ARENA_NEW(arena, &phase->omega, n, err));
    TRY(SG_ARENA_NEW(arena, &phase->phi, n * n, err));
    TRY(SG_ARENA_NEW(arena, &phase->mphi, n * n, err));
    TRY(SG_ARENA_NEW(arena, &phase->center, n, err));
    TRY(SG_ARENA_NEW(arena, &phase->sway, n * q, err));
    return SG_ARENA_NEW(arena, &phase->gap, q, err);
}

/* Where a mode stands in the basis, which is computed component by component. */
struct rank {
    double k;
    size_t block, column;
};

static int by_frequency(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;
    if (x->k < y->k) return -1;
    if (x->k > y->k) return 1;
    return x->block < y->block ? -1 : x->block > y->block;
}

static void rank_modes(const struct sg_modal *modal, struct rank *rank)
{
    for (size_t b = 0; b < modal->block_count; b++)
        for (size_t c = 0; c < modal->blocks[b].size; c++) {
            size_t mode = modal->blocks[b].first + c;
            rank[mode] = (struct rank){modal->k[mode], b, c};
        }
    qsort(rank, modal->n, sizeof *rank, by_frequency);
}

static void copy_modes(const struct sg_modal *modal, const struct rank *rank, struct sg_orbit_phase *phase)
{
    size_t n = modal->n;
    for (size_t j = 0; j < n; j++) {
        const struct sg_modal_block *block = &modal->blocks[rank[j].block];
        phase->omega[j] = sqrt(fmax(rank[j].k, 0.0));
        for (size_t i = 0; i < block->size; i++) {
            phase->phi[block->dof[i] + j * n] = block->phi[i + rank[j].column * block->size];
            phase->mphi[block->dof[i] + j * n] = block->mphi[i + rank[j].column * block->size];
        }
    }
}

/* Orbits are measured by modes in the order of their frequencies; the basis comes component by component of
 * the model, and is sorted here. A mode of frequency 0 would drift, and have no period. */
static sg_status find_modes(const struct sg_orbit_phase_spec *spec, struct sg_orbit_phase *phase,
                            struct sg_error *err)
{
    struct sg_arena scratch = {0};
    struct sg_modal *modal = NULL;
    struct rank *rank = NULL;
    sg_status status = sg_modal_create(&scratch, spec->m, spec->k, &modal, err);
    if (status == SG_OK) status = SG_ARENA_NEW(&scratch, &rank, modal->n, err);
    if (status == SG_OK) {
        rank_modes(modal, rank);
        copy_modes(modal, rank, phase);
    }
    sg_arena_release(&scratch);
    TRY(status);
    if (!(phase->omega[0] > 0))
        FAIL(err, SG_BAD_DECK,
             "nothing holds the model, so that it could drift away, or one stiffness drowns all others: its "
             "lowest frequency is 0, the highest %.3g rad/s",
             phase->omega[phase->n - 1]);
    return SG_OK;
}

/* The phase swings about its equilibrium K_A^-1 f_A, found mode by mode, where its potential energy is
 * `rest`. */
static void find_center(const struct sg_orbit_phase_spec *spec, size_t n, struct sg_orbit_phase *phase)
{
    phase->rest = spec->energy;
    for (size_t k = 0; spec->force != NULL && k < n; k++) {
        const double *mode = phase->phi + k * n;
        double force = sg_dot(n, mode, spec->force), shift = force / (phase->omega[k] * phase->omega[k]);
        sg_axpy(n, shift, mode, phase->center);
        phase->rest -= 0.5 * force * shift;
    }
}

static sg_status fill_phase(struct sg_arena *arena, const struct sg_orbit_spec *spec, size_t mask,
                            struct sg_orbit_phases *phases, struct sg_error *err)
{
    size_t n = spec->n;
    struct sg_orbit_phase *phase = &phases->phase[mask];
    TRY(allocate(arena, phase, n, spec->q, err));
    TRY(find_modes(&spec->phases[mask], phase, err));
    find_center(&spec->phases[mask], n, phase);
    for (size_t j = 0; j < spec->q; j++) phase->gap[j] = sg_orbit_gap(phases, j, phase->center);
    struct sg_dense_shape shape = {n, n, spec->q, true};
    sg_dense_multiply(&shape, phase->phi, phases->w, phase->sway);
    return SG_OK;
}

static sg_status fill(struct sg_arena *arena, const struct sg_orbit_spec *spec,
                      struct sg_orbit_phases *phases, struct sg_error *err)
{
    phases->n = spec->n;
    phases->q = spec->q;
    phases->count = (size_t)1 << spec->q;
    TRY(SG_ARENA_NEW(arena, &phases->w, spec->n * spec->q, err));
    TRY(SG_ARENA_NEW(arena, &phases->offset, spec->q, err));
    memcpy(phases->w, spec->w, spec->n * spec->q * sizeof *phases->w);
    memcpy(phases->offset, spec->offset, spec->q * sizeof *phases->offset);
    TRY(SG_ARENA_NEW(arena, &phases->phase, phases->count, err));
    for (size_t mask = 0; mask < phases->count; mask++) TRY(fill_phase(arena, spec, mask, phases, err));
    /* loads that stay put energy into the model at rest, which no motion has */
    double rest = phases->phase[0].rest;
    for (size_t mask = 0; mask < phases->count; mask++) phases->phase[mask].rest -= rest;
    return SG_OK;
}

sg_status sg_orbit_phases_create(struct sg_arena *arena, const struct sg_orbit_spec *spec,
                                 struct sg_orbit_phases **out, struct sg_error *err)
{
    struct sg_orbit_phases *phases = NULL;
    *out = NULL;
    TRY(SG_ARENA_NEW(arena, &phases, 1, err));
    TRY(fill(arena, spec, phases, err));
    *out = phases;
    return SG_OK;
}

/* --- states --------------------------------------------------------------------------------------- */

double sg_orbit_gap(const struct sg_orbit_phases *phases, size_t j, const double *u)
{
    return phases->offset[j] + sg_orbit_rate(phases, j, u);
}

double sg_orbit_rate(const struct sg_orbit_phases *phases, size_t j, const double *v)
{
    return sg_dot(phases->n, phases->w + j * phases->n, v);
}

void sg_orbit_to_modes(const struct sg_orbit_phase *phase, const double *u, const double *v, double *y,
                       double *z)
{
    size_t n = phase->n;
    for (size_t k = 0; k < n; k++) {
        const double *row = phase->mphi + k * n;
        double sum = 0;
        for (size_t i = 0; y != NULL && i < n; i++) sum += row[i] * (u[i] - phase->center[i]);
        if (y != NULL) y[k] = sum;
        if (z != NULL) z[k] = sg_dot(n, row, v);
    }
}

void sg_orbit_from_modes(const struct sg_orbit_phase *phase, const double *y, const double *z, double *u,
                         double *v)
{
    size_t n = phase->n;
    if (u != NULL) memcpy(u, phase->center, n * sizeof *u);
    if (v != NULL) memset(v, 0, n * sizeof *v);
    for (size_t k = 0; k < n; k++) {
        if (u != NULL) sg_axpy(n, y[k], phase->phi + k * n, u);
        if (v != NULL) sg_axpy(n, z[k], phase->phi + k * n, v);
    }
}

void sg_orbit_acceleration(const struct sg_orbit_phases *phases, size_t mask, const double *u, double *work,
                           double *a)
{
    const struct sg_orbit_phase *phase = &phases->phase[mask];
    sg_orbit_to_modes(&phases->phase[mask], u, NULL, work, NULL);
    for (size_t k = 0; k < phases->n; k++) work[k] *= -phase->omega[k] * phase->omega[k];
    sg_orbit_from_modes(&phases->phase[mask], NULL, work, NULL, a);
}

double sg_orbit_energy(const struct sg_orbit_phases *phases, size_t mask, const double *u, const double *v,
                       double *work)
{
    const struct sg_orbit_phase *phase = &phases->phase[mask];
    double twice = 0;
    sg_orbit_to_modes(&phases->phase[mask], NULL, v, NULL, work);
    for (size_t k = 0; k < phases->n; k++) twice += work[k] * work[k];
    sg_orbit_to_modes(&phases->phase[mask], u, NULL, work, NULL);
    for (size_t k = 0; k < phases->n; k++) twice += pow(phase->omega[k] * work[k], 2);
    return twice / 2 + phase->rest;
}

struct sg_touch sg_orbit_touch(const struct sg_orbit_phases *phases, size_t mode)
{
    const struct sg_orbit_phase *phase = &phases->phase[0];
    struct sg_touch touch = sg_touch_none();
    for (size_t j = 0; j < phases->q; j++)
        sg_touch_add(&touch, phase->gap[j], phase->sway[mode + j * phases->n]);
    return touch;
}
