#include "model/nodal_boundary.h"

#include <math.h>
#include <string.h>

#include "model/end_force.h"
#include "model/names.h"
#include "model/scratch.h"
#include "model/system.h"
#include "support/arena.h"
#include "support/memory.h"

/* --- what can't be treated ------------------------------------------------------------------------ */

static sg_status check_system(const struct sg_system *system, const struct sg_nodal_contact *contact,
                              struct sg_error *err)
{
    if (system->modal != NULL)
        FAIL(err, SG_INTERNAL, "the nodal boundary method begins in nodal coordinates");
    if (system->dim != 1)
        FAIL(err, SG_BAD_DECK,
             "contact '%.64s': the nodal boundary method needs an end whose force follows from the shape "
             "functions, such as that of a body 'bar'; a node of this model has %zu coordinates",
             contact->name, system->dim);
    if (system->elements.count > 0)
        FAIL(err, SG_BAD_DECK,
             "contact '%.64s': the nodal boundary method takes linear systems only, and the model has %zu "
             "nonlinear element%s",
             contact->name, system->elements.count, system->elements.count == 1 ? "" : "s");
    return SG_OK;
}

static size_t node_of(const struct sg_system *system, size_t dof)
{
    return (size_t)system->places[system->free_dof[dof]].node;
}

static sg_status find_end(const struct sg_system *system, const struct sg_nodal_contact *contact,
                          const struct sg_end_force **end, struct sg_error *err)
{
    const char *node = sg_system_dof_name(system, contact->dof);
    *end = sg_end_forces_find(&system->aspects, node_of(system, contact->dof));
    if (*end == NULL)
        FAIL(err, SG_BAD_DECK,
             "contact '%.64s' is on '%s', where no shape functions give the force on an end: the nodal "
             "boundary "
             "method needs an end of a body 'bar'",
             contact->name, node);
    for (size_t m = 0; m < system->motion_count; m++)
        for (size_t i = 1; i < (*end)->count; i++)
            if (system->motions[m].dof == sg_system_dof(system, (*end)->node[i], 0))
                FAIL(
                    err, SG_BAD_DECK,
                    "contact '%.64s' is on '%s', whose element has a support that moves or starts displaced, "
                    "'%s': give the body more elements",
                    contact->name, node, sg_system_node_name(system, (*end)->node[i]));
    if (system->n < 2)
        FAIL(err, SG_BAD_DECK,
             "contact '%.64s' is on '%s', the only node that is free: the nodal boundary method needs others",
             contact->name, node);
    return SG_OK;
}

/* --- the map -------------------------------------------------------------------------------------- */

/* row of P: the internal dofs that a free dof follows */
struct follow {
    size_t count, at[SG_LAGRANGE_NODES];
    double share[SG_LAGRANGE_NODES];
};

static struct follow follow(const struct sg_nodal_boundary *boundary, enum sg_nodal_phase phase, size_t i)
{
    struct follow row = {0};
    if (i != boundary->node) {
        row = (struct follow){.count = 1, .at = {i < boundary->node ? i : i - 1}, .share = {1}};
    } else if (phase == SG_INACTIVE) {
        row.count = boundary->s.start[1];
        for (size_t k = 0; k < row.count; k++) {
            row.at[k] = boundary->s.row[k];
            row.share[k] = boundary->s.value[k];
        }
    }
    return row;
}

static sg_status fill_map(const struct sg_system *system, const struct sg_end_force *end,
                          struct sg_nodal_boundary *boundary, struct sg_error *err)
{
    TRY(SG_ARENA_NEW(&boundary->arena, &boundary->internal, boundary->m, err));
    for (size_t i = 0; i < boundary->m; i++) boundary->internal[i] = i < boundary->node ? i : i + 1;
    TRY(sg_columns_init_sparse(&boundary->arena, &boundary->s, boundary->m, 1, end->count, err));
    size_t next = 0;
    for (size_t k = 1; k < end->count; k++) {
        size_t dof = system->free_of_full[sg_system_dof(system, end->node[k], 0)];
        if (dof == SIZE_MAX) continue; /* it rests at 0 */
        boundary->s.row[next] = dof < boundary->node ? dof : dof - 1;
        boundary->s.value[next++] = -end->slope[k] / end->slope[0];
    }
    boundary->s.start[1] = next;
    return SG_OK;
}

/* --- the phases ----------------------------------------------------------------------------------- */

/* value (e_i e_j^T + e_j e_i^T), or value e_i e_i^T, becomes that of the rows of P */
static void add_product(struct sg_triplets *t, const struct follow *i, const struct follow *j, double value)
{
    for (size_t a = 0; a < i->count; a++)
        for (size_t b = 0; b < j->count; b++) {
            double share = value * i->share[a] * j->share[b];
            size_t row = i->at[a], column = j->at[b];
            if (i == j && column > row) continue;
            if (i != j && column == row) share *= 2;
            sg_triplets_add(t, row > column ? row : column, row > column ? column : row, share);
        }
}

static sg_status project(struct sg_arena *arena, const struct sg_nodal_boundary *boundary,
                         enum sg_nodal_phase phase, const struct sg_matrix *from, struct sg_matrix *to,
                         struct sg_error *err)
{
    SG_LOCAL_ARENA(scratch);
    struct sg_triplets full = {.arena = &scratch, .n = boundary->m + 1};
    struct sg_triplets t = {.arena = &scratch, .n = boundary->m};
    sg_matrix_to_triplets(from, &full);
    for (size_t k = 0; k < full.count; k++) {
        struct follow i = follow(boundary, phase, full.row[k]), j = follow(boundary, phase, full.column[k]);
        add_product(&t, &i, full.row[k] == full.column[k] ? &i : &j, full.value[k]);
    }
    t.failed = t.failed || full.failed;
    return sg_matrix_assemble(arena, to, &t, err);
}

/* y (m) = P^T x */
static void project_force(const struct sg_nodal_boundary *boundary, enum sg_nodal_phase phase,
                          const double *x, double *y)
{
    sg_nodal_boundary_restrict(boundary, x, y);
    if (phase == SG_INACTIVE) sg_columns_add(&boundary->s, 0, x[boundary->node], y);
}

static sg_status project_loads(const struct sg_nodal_boundary *boundary, enum sg_nodal_phase phase,
                               const struct sg_system *system, struct sg_system *part, struct sg_error *err)
{
    double *constant = system->scratch->v;
    memcpy(constant, system->gravity, system->n * sizeof *constant);
    if (phase == SG_ACTIVE) {
        double *p = system->scratch->u;
        memset(p, 0, system->n * sizeof *p);
        p[boundary->node] = boundary->held;
        sg_matrix_multiply_add(&system->K, -1.0, p, constant);
    }
    TRY(SG_ARENA_NEW(&part->arena, &part->gravity, part->n, err));
    project_force(boundary, phase, constant, part->gravity);
    TRY(SG_ARENA_NEW(&part->arena, &part->loads, system->load_count, err));
    for (size_t k = 0; k < system->load_count; k++) {
        part->loads[k] = system->loads[k];
        part->loads[k].pattern = NULL;
        part->load_count = k + 1;
        TRY(SG_ARENA_NEW(&part->arena, &part->loads[k].pattern, part->n, err));
        project_force(boundary, phase, system->loads[k].pattern, part->loads[k].pattern);
    }
    return SG_OK;
}

static sg_status fill_phase(const struct sg_nodal_boundary *boundary, enum sg_nodal_phase phase,
                            const struct sg_system *system, struct sg_system *part, struct sg_error *err)
{
    size_t m = part->n;
    TRY(project(&part->arena, boundary, phase, &system->M, &part->M, err));
    TRY(project(&part->arena, boundary, phase, &system->C, &part->C, err));
    TRY(project(&part->arena, boundary, phase, &system->K, &part->K, err));
    TRY(project_loads(boundary, phase, system, part, err));
    TRY(SG_ARENA_NEW(&part->arena, &part->u0, m, err));
    TRY(SG_ARENA_NEW(&part->arena, &part->v0, m, err));
    sg_nodal_boundary_restrict(boundary, system->u0, part->u0);
    sg_nodal_boundary_restrict(boundary, system->v0, part->v0);
    TRY(SG_ARENA_NEW(&part->arena, &part->momentum, m, err));
    project_force(boundary, phase, system->momentum, part->momentum);
    TRY(sg_columns_init_sparse(&part->arena, &part->center, m, 0, 0, err));
    TRY(SG_ARENA_NEW(&part->arena, &part->free_dof, m, err));
    for (size_t i = 0; i < m; i++) part->free_dof[i] = system->free_dof[boundary->internal[i]];
    return sg_system_allocate_scratch(part, err);
}

static sg_status create_phase(struct sg_nodal_boundary *boundary, enum sg_nodal_phase phase,
                              const struct sg_system *system, struct sg_error *err)
{
    struct sg_system *part = NULL;
    TRY(SG_NEW(&part, 1, err));
    boundary->phase[phase] = part;
    part->n = boundary->m;
    part->n_full = system->n_full;
    part->dim = system->dim;
    part->first_dof = system->first_dof;
    part->places = system->places;
    part->reference = system->reference;
    part->damped = system->damped;
    part->proportional = system->proportional;
    part->classical = system->classical;
    part->alpha = system->alpha;
    part->beta = system->beta;
    part->max_stiffness = system->max_stiffness;
    part->weightless = system->weightless && phase == SG_INACTIVE;
    part->signals = system->signals;
    part->signal_count = system->signal_count;
    part->names = system->names;
    return fill_phase(boundary, phase, system, part, err);
}

static void destroy_phase(struct sg_system *part)
{
    if (part == NULL) return;
    part->signals = NULL;
    part->signal_count = 0;
    part->names = NULL;
    sg_system_destroy(part);
}

/* --- all of it ------------------------------------------------------------------------------------ */

static sg_status fill(const struct sg_system *system, const struct sg_nodal_contact *contact,
                      struct sg_nodal_boundary *boundary, struct sg_error *err)
{
    const struct sg_end_force *end = NULL;
    TRY(check_system(system, contact, err));
    TRY(find_end(system, contact, &end, err));
    double held = -contact->gap / contact->weight;
    *boundary = (struct sg_nodal_boundary){.m = system->n - 1,
                                           .node = contact->dof,
                                           .gap = contact->gap,
                                           .weight = contact->weight,
                                           .held = held,
                                           .stiffness = end->stiffness * end->slope[0] /
                                                        (contact->weight * contact->weight)};
    boundary->active_energy = held * held / 2 * sg_matrix_entry(&system->K, contact->dof, contact->dof) -
                              held * system->gravity[contact->dof];
    TRY(fill_map(system, end, boundary, err));
    TRY(create_phase(boundary, SG_INACTIVE, system, err));
    return create_phase(boundary, SG_ACTIVE, system, err);
}

sg_status sg_nodal_boundary_create(const struct sg_system *system, const struct sg_nodal_contact *contact,
                                   struct sg_nodal_boundary **out, struct sg_error *err)
{
    *out = NULL;
    struct sg_nodal_boundary *boundary = NULL;
    TRY(SG_NEW(&boundary, 1, err));
    sg_status status = fill(system, contact, boundary, err);
    if (status == SG_OK)
        *out = boundary;
    else
        sg_nodal_boundary_destroy(boundary);
    return status;
}

void sg_nodal_boundary_destroy(struct sg_nodal_boundary *boundary)
{
    if (boundary == NULL) return;
    for (size_t k = 0; k < SG_NODAL_PHASES; k++) destroy_phase(boundary->phase[k]);
    sg_arena_release(&boundary->arena);
    sg_free(boundary);
}

/* --- states --------------------------------------------------------------------------------------- */

double sg_nodal_boundary_switch(const struct sg_nodal_boundary *boundary, const double *x)
{
    return boundary->gap + boundary->weight * sg_columns_dot(&boundary->s, 0, x);
}

void sg_nodal_boundary_expand(const struct sg_nodal_boundary *boundary, enum sg_nodal_phase phase,
                              const double *x, int order, double *u)
{
    for (size_t i = 0; i < boundary->m; i++) u[boundary->internal[i]] = x[i];
    double held = order == 0 ? boundary->held : 0;
    u[boundary->node] = phase == SG_INACTIVE ? sg_columns_dot(&boundary->s, 0, x) : held;
}

void sg_nodal_boundary_restrict(const struct sg_nodal_boundary *boundary, const double *u, double *x)
{
    for (size_t i = 0; i < boundary->m; i++) x[i] = u[boundary->internal[i]];
}
