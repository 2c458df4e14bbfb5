#include "analyses/orbit_model.h"
#include "assembly/assembly.h"

#include <math.h>
#include <string.h>

#include "deck/deck.h"
#include "model/lagrange.h"
#include "model/strip.h"
#include "strategies/nbm/nbm.h"
#include "support/arena.h"

struct source {
    const struct sg_deck *deck;
    const struct sg_setting *node; /* the analysis: where findings go */
    struct sg_diagnostics *diagnostics;
    struct sg_error *err;
};

/* --- what can't be treated ------------------------------------------------------------------------ */

static const char *system_fault(const struct sg_system *system)
{
    if (system->constraints.count > 0)
        return "takes models without bilateral constraints only, and this one has some";
    if (system->elements.count > 0) return "takes linear models only, and this one has nonlinear elements";
    if (system->damped) return "finds free motions without damping, and the model is damped";
    for (size_t k = 0; k < system->load_count; k++)
        if (system->loads[k].pattern != NULL)
            return "finds free motions, and the model has loads or supports that depend on time";
    if (system->motion_count > 0) return "finds free motions, and a support moves or starts displaced";
    return NULL;
}

static const char *contact_fault(const struct sg_contact_set *set, size_t j, bool springs)
{
    if (!set->fixed[j]) return "has a normal or an obstacle that moves";
    if (set->friction[j] > 0) return "has friction";
    if (springs && !set->sprung[j]) return "has no stiffness, which orbits with strategy 'event-driven' need";
    if (springs && !sg_law_is_linear(&set->laws[j]))
        return "has a law with more than one stiffness, and orbits know open and closed contacts only";
    if (!(set->offset[j] > 0)) return "has no gap: it scales the orbits, so it must be above 0";
    if (!isnormal(set->offset[j] * set->offset[j]))
        return "has a gap whose square, by which energies are scaled, is beyond the real numbers";
    return NULL;
}

static void refuse(const struct source *source, const char *fault)
{
    sg_complain(source->diagnostics, SG_ERROR, source->node, "analysis 'nonsmooth-modes' %s", fault);
}

static void check_contacts(const struct source *source, const struct sg_contact_set *set, bool springs)
{
    const struct sg_setting *list = sg_setting_child(sg_deck_root(source->deck), "contacts");
    if (!springs && set->q != 1)
        sg_complain(source->diagnostics, SG_ERROR, source->node,
                    "analysis 'nonsmooth-modes' with strategy 'nbm' needs one contact, not %zu", set->q);
    if (springs && (set->q == 0 || set->q > SG_ORBIT_CONTACTS))
        sg_complain(source->diagnostics, SG_ERROR, source->node,
                    "analysis 'nonsmooth-modes' needs 1 to %d contacts, not %zu: each set of closed ones has "
                    "modes of its own",
                    SG_ORBIT_CONTACTS, set->q);
    for (size_t j = 0; j < set->q; j++) {
        const char *fault = contact_fault(set, j, springs);
        if (fault != NULL)
            sg_complain(source->diagnostics, SG_ERROR, sg_setting_item(list, set->entry[j]),
                        "contact '%.64s' %s", set->names[j], fault);
    }
}

static void check_pair(const struct source *source, bool *springs)
{
    const struct sg_setting *root = sg_deck_root(source->deck);
    const struct sg_kind *strategy = sg_setting_kind(sg_setting_child(root, "strategy"));
    const struct sg_kind *integrator = sg_setting_kind(sg_setting_child(root, "integrator"));
    *springs = !sg_strategy_find(strategy)->own_systems && !sg_strategy_find(strategy)->fixed_steps;
    if (sg_strategy_find(strategy)->fixed_steps)
        sg_complain(source->diagnostics, SG_ERROR, sg_setting_child(root, "strategy"),
                    "analysis 'nonsmooth-modes' needs strategy 'nbm' or 'event-driven', not '%s'",
                    strategy->name);
    if (!sg_integrator_find(integrator)->exact_flow)
        sg_complain(source->diagnostics, SG_ERROR, sg_setting_child(root, "integrator"),
                    "analysis 'nonsmooth-modes' needs integrator 'exact', not '%s'", integrator->name);
}

/* 2 GB of matrices, and the multipliers of an orbit as eigenvalues of one of them */
enum { DOFS_LIMIT = 3000 };

static sg_status check(const struct source *source, const struct sg_orbit_model *model, bool springs)
{
    size_t errors = source->diagnostics->errors;
    const char *fault = system_fault(model->system);
    if (fault != NULL) refuse(source, fault);
    if (model->system->n > DOFS_LIMIT)
        sg_complain(source->diagnostics, SG_ERROR, source->node,
                    "analysis 'nonsmooth-modes' takes %d free dofs at most, and the model has %zu: it needs "
                    "full matrices of twice as many rows",
                    DOFS_LIMIT, model->system->n);
    check_contacts(source, model->contacts, springs);
    if (source->diagnostics->errors == errors) return SG_OK;
    FAIL(source->err, SG_BAD_DECK, "orbits of this model can't be computed");
}

/* --- phases --------------------------------------------------------------------------------------- */

static double smallest_gap(const struct sg_contact_set *set)
{
    double least = HUGE_VAL;
    for (size_t j = 0; j < set->q; j++) least = fmin(least, set->offset[j]);
    return least;
}

/* Multiplies n numbers by the factor: 1 / unit makes lengths and forces numbers of gaps. */
static void scale(size_t n, double factor, const double *x, double *out)
{
    for (size_t i = 0; i < n; i++) out[i] = factor * x[i];
}

static sg_status create_boundary(struct sg_orbit_model *model, struct sg_error *err)
{
    struct sg_nodal_contact contact;
    if (!sg_nbm_contact(model->contacts, &contact))
        FAIL(err, SG_BAD_DECK,
             "contact '%.64s' is between two nodes: the nodal boundary method takes a stop at one",
             model->contacts->names[0]);
    return sg_nodal_boundary_create(model->system, &contact, &model->boundary, err);
}

/* Forces in units of the gap, and the gap's row, of the m internal dofs. */
struct boundary_numbers {
    double *w, *force[SG_NODAL_PHASES];
};

static sg_status fill_boundary(struct sg_arena *scratch, struct sg_orbit_model *model,
                               struct boundary_numbers *numbers, struct sg_error *err)
{
    const struct sg_nodal_boundary *boundary = model->boundary;
    double one = boundary->gap / model->unit;
    struct sg_orbit_phase_spec phases[SG_NODAL_PHASES];
    TRY(SG_ARENA_NEW(scratch, &numbers->w, boundary->m, err));
    for (size_t i = 0; i < boundary->m; i++)
        numbers->w[i] = boundary->weight * sg_columns_entry(&boundary->s, 0, i);
    for (size_t k = 0; k < SG_NODAL_PHASES; k++) {
        const struct sg_system *part = boundary->phase[k];
        TRY(SG_ARENA_NEW(scratch, &numbers->force[k], boundary->m, err));
        scale(boundary->m, 1 / model->unit, part->gravity, numbers->force[k]);
        double energy = k == SG_ACTIVE ? boundary->active_energy : 0;
        phases[k] = (struct sg_orbit_phase_spec){&part->M, &part->K, numbers->force[k],
                                                 energy / (model->unit * model->unit)};
    }
    struct sg_orbit_spec spec = {boundary->m, 1, numbers->w, &one, phases};
    return sg_orbit_phases_create(model->arena, &spec, &model->phases, err);
}

static sg_status build_boundary(struct sg_orbit_model *model, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct boundary_numbers numbers = {0};
    TRY(create_boundary(model, err));
    return fill_boundary(&scratch, model, &numbers, err);
}

/* N/m, of a contact that is closed */
static double stiffness_of(const struct sg_contact_set *set, size_t j)
{
    return sg_law_stiffness(&set->laws[j]);
}

/* The storage of the phases of springs. */
struct spring_numbers {
    double *w, *offset;
    double *force;                      /* n x 2^q */
    struct sg_matrix *k;                /* 2^q */
    struct sg_orbit_phase_spec *phases; /* 2^q */
};

static sg_status stiffen(struct sg_arena *scratch, const struct sg_orbit_model *model, size_t mask,
                         const double *w, struct sg_matrix *k, struct sg_error *err)
{
    const struct sg_contact_set *set = model->contacts;
    struct sg_triplets t = {.arena = scratch, .n = model->system->n};
    sg_matrix_to_triplets(&model->system->K, &t);
    for (size_t j = 0; j < set->q; j++)
        for (size_t r = 0; (mask >> j & 1) != 0 && r < t.n; r++)
            for (size_t c = 0; w[r + j * t.n] != 0 && c <= r; c++)
                if (w[c + j * t.n] != 0)
                    sg_triplets_add(&t, r, c, stiffness_of(set, j) * w[r + j * t.n] * w[c + j * t.n]);
    if (t.failed) FAIL(err, SG_NO_MEMORY, "out of memory: stiffness with closed contacts");
    return sg_matrix_init(scratch, k, &t, sg_triplets_class(&t), err);
}

/* A phase with the contacts of `mask` closed is linear: stiffness K + sum kappa w w^T, force f - sum kappa g0
 * w, and the constant sum kappa g0^2 / 2 of its potential energy (eqs. (11), (12) of Depouhon et al. 2014).
 */
static sg_status fill_closed(struct sg_arena *scratch, const struct sg_orbit_model *model, size_t mask,
                             struct spring_numbers *numbers, struct sg_error *err)
{
    const struct sg_contact_set *set = model->contacts;
    size_t n = model->system->n;
    double *force = numbers->force + mask * n, energy = 0;
    scale(n, 1 / model->unit, model->system->gravity, force);
    for (size_t j = 0; j < set->q; j++) {
        if ((mask >> j & 1) == 0) continue;
        sg_axpy(n, -stiffness_of(set, j) * numbers->offset[j], numbers->w + j * n, force);
        energy += 0.5 * stiffness_of(set, j) * numbers->offset[j] * numbers->offset[j];
    }
    TRY(stiffen(scratch, model, mask, numbers->w, &numbers->k[mask], err));
    numbers->phases[mask] = (struct sg_orbit_phase_spec){&model->system->M, &numbers->k[mask], force, energy};
    return SG_OK;
}

static sg_status fill_springs(struct sg_arena *scratch, struct sg_orbit_model *model,
                              struct spring_numbers *numbers, struct sg_error *err)
{
    const struct sg_contact_set *set = model->contacts;
    size_t n = model->system->n, count = (size_t)1 << set->q;
    TRY(SG_ARENA_NEW(scratch, &numbers->w, n * set->q, err));
    TRY(SG_ARENA_NEW(scratch, &numbers->offset, set->q, err));
    TRY(SG_ARENA_NEW(scratch, &numbers->force, n * count, err));
    TRY(SG_ARENA_NEW(scratch, &numbers->k, count, err));
    TRY(SG_ARENA_NEW(scratch, &numbers->phases, count, err));
    scale(set->q, 1 / model->unit, set->offset, numbers->offset);
    for (size_t j = 0; j < set->q; j++)
        for (size_t i = 0; i < n; i++) numbers->w[i + j * n] = sg_columns_entry(&set->w, j, i);
    for (size_t mask = 0; mask < count; mask++) TRY(fill_closed(scratch, model, mask, numbers, err));
    struct sg_orbit_spec spec = {n, set->q, numbers->w, numbers->offset, numbers->phases};
    return sg_orbit_phases_create(model->arena, &spec, &model->phases, err);
}

static sg_status build_springs(struct sg_orbit_model *model, struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct spring_numbers numbers = {0};
    return fill_springs(&scratch, model, &numbers, err);
}

/* --- all of it ------------------------------------------------------------------------------------ */

/* Modes begin as small swings about rest without contact. */
static sg_status check_rest(const struct source *source, const struct sg_orbit_model *model)
{
    const struct sg_setting *list = sg_setting_child(sg_deck_root(source->deck), "contacts");
    const struct sg_contact_set *set = model->contacts;
    size_t errors = source->diagnostics->errors;
    for (size_t j = 0; j < set->q; j++)
        if (!(model->phases->phase[0].gap[j] > 0))
            sg_complain(
                source->diagnostics, SG_ERROR, sg_setting_item(list, set->entry[j]),
                "contact '%.64s' is closed where the loads hold the model: modes begin as swings about "
                "rest without contact",
                set->names[j]);
    if (source->diagnostics->errors == errors) return SG_OK;
    FAIL(source->err, SG_BAD_DECK, "orbits of this model can't be computed");
}

static sg_status build(struct sg_orbit_model *model, const struct source *source, size_t elements)
{
    bool springs = false;
    struct sg_error *err = source->err;
    struct sg_variation variation = {NAN, NAN, NAN, elements};
    size_t errors = source->diagnostics->errors;
    check_pair(source, &springs);
    TRY(sg_system_create_varied(source->deck, &variation, NULL, &model->system, source->diagnostics, err));
    TRY(sg_contact_set_create(source->deck, model->system, NULL, &model->contacts, source->diagnostics, err));
    TRY(check(source, model, springs));
    if (source->diagnostics->errors > errors)
        FAIL(err, SG_BAD_DECK, "orbits of this model can't be computed");
    model->unit = smallest_gap(model->contacts);
    model->nodes = model->system->n_full;
    TRY(SG_ARENA_NEW(model->arena, &model->full, model->nodes, err));
    TRY(SG_ARENA_NEW(model->arena, &model->free, model->system->n, err));
    TRY(springs ? build_springs(model, err) : build_boundary(model, err));
    return check_rest(source, model);
}

static void release(void *self)
{
    struct sg_orbit_model *model = self;
    sg_nodal_boundary_destroy(model->boundary);
    sg_contact_set_destroy(model->contacts);
    sg_system_destroy(model->system);
}

sg_status sg_orbit_model_init(struct sg_arena *arena, struct sg_orbit_model *model,
                              const struct sg_deck *deck, size_t elements, struct sg_diagnostics *diagnostics,
                              struct sg_error *err)
{
    struct source source = {deck, sg_setting_child(sg_deck_root(deck), "analysis"), diagnostics, err};
    size_t errors = diagnostics->errors;
    *model = (struct sg_orbit_model){.arena = arena};
    TRY(sg_arena_own(arena, model, release, err));
    sg_status status = build(model, &source, elements);
    if (status == SG_BAD_DECK && diagnostics->errors == errors)
        sg_complain(diagnostics, SG_ERROR, source.node, "%s", err->text);
    return status;
}

/* --- fields --------------------------------------------------------------------------------------- */

void sg_orbit_model_expand(const struct sg_orbit_model *model, size_t mask, const double *x, int order,
                           double *full)
{
    const struct sg_nodal_boundary *boundary = model->boundary;
    if (boundary == NULL) {
        sg_system_expand(model->system, x, 0, order, full);
        return;
    }
    sg_nodal_boundary_expand(boundary, mask == 0 ? SG_INACTIVE : SG_ACTIVE, x, order, model->free);
    if (mask != 0 && order == 0) model->free[boundary->node] /= model->unit;
    sg_system_expand(model->system, model->free, 0, order, full);
}

/* Evaluates a field on a strip at the distance s from its first node. */
static double field_at(const struct sg_strip *strip, const double *full, double s)
{
    double last = (double)strip->elements - 1, k = fmin(floor(s / strip->size), last), sum = 0;
    struct sg_lagrange at = sg_lagrange_at(strip->order, s / strip->size - k);
    size_t first = strip->first + (size_t)k * (size_t)strip->order;
    for (int i = 0; i <= strip->order; i++) sum += at.value[i] * full[first + (size_t)i];
    return sum;
}

bool sg_orbit_model_refines(const struct sg_orbit_model *model)
{
    const struct sg_strips *strips = sg_strips_of(&model->system->aspects);
    size_t nodes = 0;
    for (size_t b = 0; b < strips->count; b++)
        nodes += strips->items[b].elements * (size_t)strips->items[b].order + 1;
    return nodes == model->nodes;
}

void sg_orbit_model_interpolate(const struct sg_orbit_model *model, const struct sg_orbit_model *from,
                                const double *full, double *x)
{
    const struct sg_strips *strips = sg_strips_of(&model->system->aspects);
    for (size_t b = 0; b < strips->count; b++) {
        const struct sg_strip *strip = &strips->items[b];
        size_t nodes = strip->elements * (size_t)strip->order;
        for (size_t i = 0; i <= nodes; i++) {
            double s = (double)i * strip->size / strip->order;
            model->full[strip->first + i] =
                field_at(&sg_strips_of(&from->system->aspects)->items[b], full, s);
        }
    }
    for (size_t i = 0; i < model->system->n; i++) model->free[i] = model->full[model->system->free_dof[i]];
    if (model->boundary != NULL)
        sg_nodal_boundary_restrict(model->boundary, model->free, x);
    else
        memcpy(x, model->free, model->system->n * sizeof *x);
}

double sg_orbit_model_residual(const struct sg_orbit_model *model, size_t mask, const double *u,
                               const double *v, double *work)
{
    size_t n = model->phases->n;
    double *field[3] = {work, work + model->nodes, work + 2 * model->nodes};
    double *acceleration = work + 3 * model->nodes, *modes = acceleration + n;
    if (sg_strips_of(&model->system->aspects)->count == 0) return NAN;
    sg_orbit_acceleration(model->phases, mask, u, modes, acceleration);
    sg_orbit_model_expand(model, mask, u, 0, field[0]);
    sg_orbit_model_expand(model, mask, v, 1, field[1]);
    sg_orbit_model_expand(model, mask, acceleration, 2, field[2]);
    struct sg_strip_motion motion = {field[0], field[1], field[2], 0, 0};
    return sg_strips_residual(sg_strips_of(&model->system->aspects), &motion);
}
