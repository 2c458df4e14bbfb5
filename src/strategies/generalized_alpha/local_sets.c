#include "strategies/generalized_alpha/local_sets.h"

#include <math.h>
#include <string.h>

#include "contact/solvers/solver.h"
#include "linalg/vector.h"
#include "strategies/generalized_alpha/correct.h"
#include "strategies/generalized_alpha/residual.h"

enum { TRIALS = 30 }; /* of sets, before the contacts' own problems are asked */

/* Impulses below this part of the largest velocity are what the solver leaves of none. */
static const double NONE = 1e-10;

struct sg_ggl_local {
    struct sg_contact_solver solver;
    double *column;                 /* (n + bilateral) x (1 + contacts (1 + tangents)) */
    double *h, *b, *r;              /* packed: of the listed contacts' rows */
    double *friction;               /* of the listed contacts */
    size_t *contact, count;         /* contacts */
    size_t *row, size;              /* their rows */
    size_t seen;                    /* sets so far */
    unsigned long long set[TRIALS]; /* their marks */
};

static void close_solver(void *solver)
{
    sg_contact_solver_release(solver);
}

sg_status sg_ggl_local_init(struct sg_ggl *ggl, struct sg_error *err)
{
    const struct sg_ggl_problem *p = ggl->problem;
    size_t q = p->unilateral, rows = q * (1 + p->tangents);
    struct sg_ggl_local *local;
    if (q == 0 || ggl->method == SG_GGL_CONDENSED || ggl->spec.variant != SG_GGL_STANDARD) return SG_OK;
    TRY(SG_ARENA_NEW(ggl->arena, &ggl->local, 1, err));
    local = ggl->local;
    TRY(SG_ARENA_NEW(ggl->arena, &local->column, (ggl->n + p->bilateral) * (1 + rows), err));
    TRY(SG_ARENA_NEW(ggl->arena, &local->h, rows * rows, err));
    TRY(SG_ARENA_NEW(ggl->arena, &local->b, rows, err));
    TRY(SG_ARENA_NEW(ggl->arena, &local->r, rows, err));
    TRY(SG_ARENA_NEW(ggl->arena, &local->friction, q, err));
    TRY(SG_ARENA_NEW(ggl->arena, &local->contact, q, err));
    TRY(SG_ARENA_NEW(ggl->arena, &local->row, rows, err));
    TRY(sg_arena_own(ggl->arena, &local->solver, close_solver, err));
    return sg_contact_solver_init(&local->solver, q, p->tangents, err);
}

/* --- circles -------------------------------------------------------------------------------------- */

void sg_ggl_local_begin(struct sg_ggl *ggl)
{
    if (ggl->local != NULL) ggl->local->seen = 0;
}

/* This is the hash of Fowler, Noll and Vo. */
static unsigned long long mix(unsigned long long mark, unsigned long long value)
{
    return (mark ^ value) * 0x100000001b3ULL;
}

/* Sets without contacts, those of most iterates, are told without a hash. */
static unsigned long long mark_of(const struct sg_ggl *ggl)
{
    unsigned long long mark = 0xcbf29ce484222325ULL;
    size_t most = 0;
    for (size_t p = 0; p < SG_GGL_PARTS; p++)
        if (ggl->part[p].active.count > most) most = ggl->part[p].active.count;
    if (most <= ggl->problem->bilateral) return 0;
    for (size_t p = 0; p < SG_GGL_PARTS; p++) {
        const struct sg_ggl_list *active = &ggl->part[p].active;
        mark = mix(mark, active->count);
        for (size_t i = 0; i < active->count; i++) {
            bool slips = active->row[i] >= ggl->rows &&
                         ggl->slip[(active->row[i] - ggl->rows) / ggl->problem->tangents];
            mark = mix(mark, 2 * active->row[i] + slips);
        }
    }
    return mark;
}

bool sg_ggl_is_lost(struct sg_ggl *ggl)
{
    struct sg_ggl_local *local = ggl->local;
    if (local == NULL || !ggl->level->jumps) return false;
    if (local->seen == TRIALS) return true;
    unsigned long long mark = mark_of(ggl);
    bool before = false;
    for (size_t k = 0; k + 1 < local->seen; k++) before = before || local->set[k] == mark;
    before = before && local->set[local->seen - 1] != mark;
    local->set[local->seen++] = mark;
    return before;
}

/* --- problems ------------------------------------------------------------------------------------- */

/* Returns what is to vanish, or not to be negative, at the iterate: a gap, or a rate. */
static double value_of(const struct sg_ggl *ggl, enum sg_ggl_part_name part, size_t row)
{
    if (part == SG_GGL_CORRECTION) return ggl->problem->gap[row];
    return row < ggl->rows ? ggl->part[part].violation[row] : sg_ggl_dot(ggl, row, ggl->v);
}

/* Lists the contacts of the part's problem and their rows, normal first: `tangents` a contact. */
static void list_contacts(struct sg_ggl *ggl, enum sg_ggl_part_name part, size_t tangents)
{
    const struct sg_ggl_problem *p = ggl->problem;
    struct sg_ggl_local *local = ggl->local;
    local->count = local->size = 0;
    for (size_t j = 0; j < p->unilateral; j++) {
        size_t row = p->bilateral + j;
        bool takes = ggl->candidate[j];
        if (part == SG_GGL_CORRECTION) takes = takes || ggl->nu[row] > 0.0 || p->gap[row] <= 0.0;
        if (!takes) continue;
        local->friction[local->count] = tangents > 0 ? p->friction[j] : 0.0;
        local->contact[local->count++] = j;
        local->row[local->size++] = row;
        for (size_t k = 0; k < tangents; k++) local->row[local->size++] = ggl->rows + j * tangents + k;
    }
}

/* Column 0, which is filled, becomes the motion without contacts, the others what a unit of their row's
 * multiplier moves; H is what that does to the rows. */
static sg_status find_columns(struct sg_ggl *ggl, struct sg_error *err)
{
    const struct sg_ggl_local *local = ggl->local;
    size_t bilateral = ggl->problem->bilateral, ld = ggl->n + bilateral, size = local->size;
    memset(local->column + ld, 0, ld * size * sizeof *local->column);
    for (size_t i = 0; i < size; i++) sg_ggl_add(ggl, local->row[i], 1.0, local->column + (1 + i) * ld);
    TRY(sg_ggl_respond(ggl, bilateral, 1 + size, local->column, err));
    for (size_t i = 0; i < size; i++)
        for (size_t k = 0; k < size; k++)
            local->h[i + k * size] = sg_ggl_dot(ggl, local->row[i], local->column + (1 + k) * ld);
    return SG_OK;
}

/* Column 0 for a part's motion: what friction does to the correction, what bilateral rows lack. */
static void fill_motion(struct sg_ggl *ggl, enum sg_ggl_part_name part, const double *motion)
{
    const struct sg_ggl_local *local = ggl->local;
    size_t bilateral = ggl->problem->bilateral;
    memset(local->column, 0, (ggl->n + bilateral) * sizeof *local->column);
    for (size_t k = 0; part == SG_GGL_CORRECTION && k < ggl->problem->unilateral * ggl->problem->tangents;
         k++)
        sg_ggl_add(ggl, ggl->rows + k, 0.5 * ggl->h * ggl->LamT[k], local->column);
    for (size_t j = 0; j < bilateral; j++)
        local->column[ggl->n + j] = sg_ggl_dot(ggl, j, motion) - value_of(ggl, part, j);
}

/* Friction that acts against the rebound can hold more than the impulse along the normal gives: then a
 * contact that is to part with e v can't, and one that does not push approaches. Tells whether the impacts
 * have a solution without restitution, where with it they have none. */
static bool is_jam(struct sg_ggl *ggl, const struct sg_contact_problem *problem)
{
    struct sg_ggl_local *local = ggl->local;
    struct sg_contact_report report;
    struct sg_error none;
    bool rebounds = false;
    for (size_t i = 0; i < local->count && problem->tangents > 0; i++) {
        double rebound = sg_ggl_rebound(ggl, local->contact[i]);
        rebounds = rebounds || rebound < 0.0;
        local->b[i * (1 + problem->tangents)] -= rebound;
    }
    memset(local->r, 0, local->size * sizeof *local->r);
    return rebounds && sg_contact_solve(&local->solver, problem, local->r, &report, &none) == SG_OK;
}

/* Solves for r; column 0 becomes the motion with it, and its bilateral rows follow. */
static sg_status solve(struct sg_ggl *ggl, size_t tangents, double *scale, struct sg_error *err)
{
    struct sg_ggl_local *local = ggl->local;
    size_t ld = ggl->n + ggl->problem->bilateral;
    struct sg_contact_problem problem = {local->count, tangents, local->h, local->b, local->friction};
    struct sg_contact_report report;
    memset(local->r, 0, local->size * sizeof *local->r);
    sg_status status = sg_contact_solve(&local->solver, &problem, local->r, &report, err);
    if (status != SG_OK) ggl->jams = ggl->jams || is_jam(ggl, &problem);
    if (status != SG_OK) return status;
    for (size_t k = 0; k < local->size; k++)
        if (local->r[k] != 0.0) sg_axpy(ld, local->r[k], local->column + (1 + k) * ld, local->column);
    *scale = report.scale;
    return SG_OK;
}

/* --- sets ----------------------------------------------------------------------------------------- */

/* A contact that pushes slips where its friction is all that the normal impulse allows. */
static void take_friction(struct sg_ggl *ggl, size_t j, const double *r)
{
    size_t t = ggl->problem->tangents;
    double limit = ggl->problem->friction[j] * r[0], norm = hypot(r[1], t > 1 ? r[2] : 0.0);
    ggl->slip[j] = norm >= limit * (1.0 - NONE);
    ggl->slip_norm[j] = norm;
    for (size_t k = 0; k < t; k++) {
        ggl->LamT[j * t + k] = r[1 + k];
        ggl->slip_direction[j * t + k] = norm > 0.0 ? r[1 + k] / norm : 0.0;
    }
}

static void take_sets(struct sg_ggl *ggl, enum sg_ggl_part_name part, size_t rows, double least)
{
    const struct sg_ggl_problem *p = ggl->problem;
    const struct sg_ggl_local *local = ggl->local;
    struct sg_ggl_part *of = &ggl->part[part];
    memset(of->multiplier + p->bilateral, 0, p->unilateral * rows * sizeof(double));
    if (rows > 1) memset(ggl->slip, 1, p->unilateral);
    of->active.count = 0;
    for (size_t j = 0; j < p->bilateral; j++) of->active.row[of->active.count++] = j;
    for (size_t i = 0; i < local->count; i++) {
        const double *r = local->r + i * rows;
        size_t j = local->contact[i], row = p->bilateral + j;
        if (!(r[0] * ggl->scale.delassus_diag[row] > least)) continue;
        of->multiplier[row] = r[0];
        of->active.row[of->active.count++] = row;
        if (rows > 1) take_friction(ggl, j, r);
    }
    if (part == SG_GGL_JUMP) sg_ggl_activate_tangents(ggl);
}

static sg_status solve_part(struct sg_ggl *ggl, enum sg_ggl_part_name part, double *motion,
                            struct sg_error *err)
{
    struct sg_ggl_local *local = ggl->local;
    size_t t = part == SG_GGL_JUMP ? ggl->problem->tangents : 0;
    double scale;
    list_contacts(ggl, part, t);
    fill_motion(ggl, part, motion);
    TRY(find_columns(ggl, err));
    for (size_t i = 0; i < local->size; i++)
        local->b[i] = value_of(ggl, part, local->row[i]) + sg_ggl_dot(ggl, local->row[i], local->column) -
                      sg_ggl_dot(ggl, local->row[i], motion);
    TRY(solve(ggl, t, &scale, err));
    memcpy(motion, local->column, ggl->n * sizeof *motion);
    take_sets(ggl, part, 1 + t, NONE * scale);
    return SG_OK;
}

sg_status sg_ggl_solve_local(struct sg_ggl *ggl, int parts, struct sg_error *err)
{
    parts &= ggl->level->parts;
    if (parts & SG_GGL_ONLY(SG_GGL_JUMP)) TRY(solve_part(ggl, SG_GGL_JUMP, ggl->W, err));
    if (!(parts & SG_GGL_ONLY(SG_GGL_CORRECTION))) return SG_OK;
    TRY(solve_part(ggl, SG_GGL_CORRECTION, ggl->U, err));
    sg_ggl_activate_held(ggl);
    return SG_OK;
}

sg_status sg_ggl_solve_rest(struct sg_ggl *ggl, const double *bias, double *x, struct sg_error *err)
{
    struct sg_ggl_local *local = ggl->local;
    size_t ld = ggl->n + ggl->problem->bilateral;
    double scale;
    list_contacts(ggl, SG_GGL_SMOOTH, 0);
    memcpy(local->column, x, ld * sizeof *x);
    TRY(find_columns(ggl, err));
    for (size_t i = 0; i < local->size; i++)
        local->b[i] =
            (bias == NULL ? 0.0 : bias[local->row[i]]) + sg_ggl_dot(ggl, local->row[i], local->column);
    TRY(solve(ggl, 0, &scale, err));
    memcpy(x, local->column, ld * sizeof *x);
    for (size_t i = 0; i < local->size; i++) ggl->lam[local->row[i]] = local->r[i];
    return SG_OK;
}
