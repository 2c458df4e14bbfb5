/* Masses are raised as little as Gershgorin's discs ask for. With alpha M in the damping the added mass
 * damps, too: C = alpha M + C', so the condition of the header,
 *
 *     4 m_i >= h^2 sum_j |K_ij| + 2 h alpha m_i + 2 h sum_j |C'_ij|,
 *
 * is solved for m_i: what stands on the right without m_i is summed row by row, and divided by 4 - 2 h alpha.
 * Where that is not above 0, alpha alone limits the step and no mass helps. All axes of a node get what its
 * neediest one lacks, or the mass would depend on the direction in which the node moves. */
#include "model/mass_scaling.h"

#include <math.h>

#include "model/names.h"
#include "model/scratch.h"
#include "model/system.h"
#include "support/arena.h"

/* sums += factor sum_j |A_ij| */
static sg_status add_row_sums(const struct sg_matrix *a, double factor, double *sums, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets t = {.arena = &scratch, .n = a->n};
    sg_matrix_to_triplets(a, &t);
    bool failed = t.failed;
    for (size_t k = 0; k < t.count && !failed; k++) {
        double value = factor * fabs(t.value[k]);
        sums[t.row[k]] += value;
        if (t.row[k] != t.column[k]) sums[t.column[k]] += value;
    }
    if (failed) FAIL(err, SG_NO_MEMORY, "out of memory: row sums of a matrix of %zu rows", a->n);
    return SG_OK;
}

/* the row sums of h^2 K + 2 h (C - alpha M), alpha M being diagonal */
static sg_status sum_rows(const struct sg_system *system, const struct sg_mass_scaling_spec *spec, double h,
                          double *sums, struct sg_error *err)
{
    TRY(add_row_sums(spec->K, h * h, sums, err));
    if (spec->C == NULL) return SG_OK;
    TRY(add_row_sums(spec->C, 2.0 * h, sums, err));
    for (size_t i = 0; i < system->n; i++) {
        double whole = sg_matrix_entry(spec->C, i, i), rest = whole - system->alpha * system->M.diag[i];
        sums[i] += 2.0 * h * (fabs(rest) - fabs(whole));
    }
    return SG_OK;
}

/* Where the need of free dof i is kept: with its node's first full dof, of a rotation with its own. */
static size_t owner_of(const struct sg_system *system, size_t i)
{
    struct sg_dof_place place = system->places[system->free_dof[i]];
    return place.axis == SG_ROTATION ? system->free_dof[i] : system->first_dof[place.node];
}

/* kg a node (of a rotation kg m^2): what its neediest dof lacks */
static void find_lack(const struct sg_system *system, const double *sums, double divisor, double *lack)
{
    for (size_t i = 0; i < system->n; i++) {
        size_t needy = owner_of(system, i);
        double needed = sums[i] / divisor;
        /* Rounding is no lack. */
        if (needed > system->M.diag[i] * (1.0 + 1e-14))
            lack[needy] = fmax(lack[needy], needed - system->M.diag[i]);
    }
}

/* More mass has more momentum and, where the ground accelerates, a larger inertia force. */
static void add_inertia(struct sg_system *system, size_t i, size_t axis, double more)
{
    system->momentum[i + axis * system->n] += more;
    for (size_t k = 0; k < system->ground_count; k++) {
        double along = system->grounds[k].direction[axis];
        system->loads[system->grounds[k].load].pattern[i] -= more * along;
        system->grounds[k].mass += more * along * along;
    }
}

static void add_mass(struct sg_system *system, const double *lack)
{
    for (size_t i = 0; i < system->n; i++) {
        size_t full = system->free_dof[i], axis = sg_system_axis(system, i);
        double more = lack[owner_of(system, i)];
        if (!(more > 0.0)) continue;
        system->M.diag[i] += more;
        if (axis != SG_ROTATION) add_inertia(system, i, axis, more);
        if (system->dim > 1) sg_triplets_add(&system->mass_full, full, full, more);
        if (system->alpha == 0.0) continue;
        *sg_matrix_place(&system->C, i, i) += system->alpha * more;
    }
}

static sg_status scale(struct sg_system *system, const struct sg_mass_scaling_spec *spec, double *sums,
                       double *lack, struct sg_error *err)
{
    double h = spec->step / SG_SCALING_MARGIN;
    double divisor = 4.0 - (spec->C == NULL ? 0.0 : 2.0 * h * system->alpha);
    if (!(divisor > 0.0))
        FAIL(err, SG_BAD_DECK,
             "no mass makes the step of %g s stable: mass-proportional damping of %g 1/s alone allows %g s",
             spec->step, system->alpha, SG_SCALING_MARGIN * 2.0 / system->alpha);
    TRY(sum_rows(system, spec, h, sums, err));
    find_lack(system, sums, divisor, lack);
    add_mass(system, lack);
    if (system->mass_full.failed) FAIL(err, SG_NO_MEMORY, "out of memory for the added mass");
    return SG_OK;
}

sg_status sg_system_scale_mass(struct sg_system *system, const struct sg_mass_scaling_spec *spec,
                               struct sg_mass_scaling *scaling, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    double *sums = NULL, *lack = NULL;
    *scaling = (struct sg_mass_scaling){0};
    if (system->modal != NULL || system->M.kind != SG_DIAGONAL)
        FAIL(err, SG_INTERNAL, "a mass that is not diagonal can't be scaled");
    for (size_t k = 0; k < system->names->body_count; k++) scaling->total += system->names->bodies[k].mass;
    sg_status status = SG_ARENA_NEW(&scratch, &sums, system->n, err);
    if (status == SG_OK) status = SG_ARENA_NEW(&scratch, &lack, system->n_full, err);
    if (status == SG_OK) status = scale(system, spec, sums, lack, err);
    for (size_t k = 0; k < system->n_full && status == SG_OK; k++) {
        if (system->places[k].axis != SG_ROTATION) scaling->added += lack[k];
        scaling->nodes += lack[k] > 0.0;
    }
    return status;
}
