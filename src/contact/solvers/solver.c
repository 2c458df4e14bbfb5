#include "contact/solvers/solver.h"

#include <math.h>
#include <string.h>

#include "contact/solvers/friction.h"
#include "linalg/vector.h"
#include "support/memory.h"

/* Sweeps before Newton's method is tried first; then twice as many each time, until cycling is suspected. At
 * one of the trials, the interior-point method. */
enum { FIRST_TRIAL = 8, INTERIOR = 32, SUSPECT = 64 };

sg_status sg_contact_solver_init(struct sg_contact_solver *solver, size_t capacity, size_t tangents,
                                 struct sg_error *err)
{
    size_t n = capacity * (1 + tangents);
    *solver = (struct sg_contact_solver){.capacity = capacity,
                                         .tangents = tangents,
                                         .tolerance = 1e-12,
                                         .accepted = 1e-4,
                                         .patience = 1000,
                                         .max_iterations = 10000};
    TRY(SG_NEW(&solver->best, n, err));
    TRY(sg_lcp_init(&solver->lcp, capacity, err));
    TRY(SG_NEW(&solver->member, capacity, err));
    memset(solver->member, 1, capacity);
    TRY(SG_NEW(&solver->blocks, capacity, err));
    TRY(SG_NEW(&solver->index, 2 * n, err));
    /* w, rhs, kept, then a matrix where there is friction */
    return SG_NEW(&solver->work, 3 * n + (tangents > 0 ? n * n + SG_FRICTION_INTERIOR * n : 0), err);
}

void sg_contact_solver_release(struct sg_contact_solver *solver)
{
    sg_lcp_release(&solver->lcp);
    sg_free(solver->member);
    sg_free(solver->blocks);
    sg_free(solver->index);
    sg_free(solver->work);
    sg_free(solver->best);
    *solver = (struct sg_contact_solver){0};
}

static double largest(const double *x, size_t n)
{
    double size = 0.0;
    for (size_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

/* --- without friction ----------------------------------------------------------------------------- */

static bool frictionless(const struct sg_contact_problem *problem)
{
    if (problem->tangents == 0 || problem->friction == NULL) return true;
    return largest(problem->friction, problem->count) == 0.0;
}

static double lcp_residual(size_t q, const double *g, const double *w, const double *r)
{
    double worst = 0.0;
    for (size_t i = 0; i < q; i++) worst = fmax(worst, fabs(fmin(w[i], g[i * q + i] * r[i])));
    return worst;
}

static void take_normal(const struct sg_contact_problem *problem, double *g, double *b, double *r)
{
    size_t q = problem->count, rows = 1 + problem->tangents, n = q * rows;
    for (size_t j = 0; j < q; j++) {
        for (size_t i = 0; i < q; i++) g[j * q + i] = problem->h[j * rows * n + i * rows];
        b[j] = problem->b[j * rows];
        r[j] = r[j * rows];
    }
}

static sg_status solve_lcp(struct sg_contact_solver *solver, const struct sg_contact_problem *problem,
                           double *r, struct sg_contact_report *report, struct sg_error *err)
{
    size_t q = problem->count, rows = 1 + problem->tangents;
    const double *g = problem->h, *b = problem->b;
    if (rows > 1) {
        size_t n = solver->capacity * (1 + solver->tangents);
        take_normal(problem, solver->work + 3 * n, solver->work, r);
        g = solver->work + 3 * n;
        b = solver->work;
    }
    solver->lcp.q = q;
    TRY(sg_lcp_solve_warm(&solver->lcp, g, b, solver->member, r, err));
    report->iterations = solver->lcp.pivots;
    report->residual = lcp_residual(q, g, solver->lcp.w, r);
    for (size_t i = q; rows > 1 && i-- > 0;) {
        double rn = r[i];
        memset(r + i * rows, 0, rows * sizeof *r);
        r[i * rows] = rn;
    }
    return SG_OK;
}

/* one contact that closes: no pivoting is needed where its own response is not 0 */
static bool solve_alone(const struct sg_contact_problem *problem, double *r, struct sg_contact_report *report)
{
    if (problem->count != 1 || problem->tangents > 0 || !(problem->h[0] > 0.0)) return false;
    double reaction = -problem->b[0] / problem->h[0];
    report->iterations = r[0] > 0.0 ? 0 : 1;
    report->residual = fabs(fmin(problem->h[0] * reaction + problem->b[0], problem->h[0] * reaction));
    r[0] = reaction;
    return true;
}

/* --- with friction -------------------------------------------------------------------------------- */

static struct sg_friction_state start(struct sg_contact_solver *solver,
                                      const struct sg_contact_problem *problem, double *r)
{
    size_t most = solver->capacity * (1 + solver->tangents), rows = 1 + problem->tangents;
    struct sg_friction_state state = {.problem = problem,
                                      .blocks = solver->blocks,
                                      .rows = rows,
                                      .scale = largest(problem->b, problem->count * rows),
                                      .n = problem->count * rows,
                                      .r = r,
                                      .w = solver->work,
                                      .rhs = solver->work + most,
                                      .kept = solver->work + 2 * most,
                                      .matrix = solver->work + 3 * most,
                                      .interior = solver->work + 3 * most + most * most,
                                      .pivot = solver->index,
                                      .closed = solver->index + most,
                                      .drawn = solver->lcp.basic};
    for (size_t i = 0; i < problem->count; i++)
        sg_friction_block_set(&solver->blocks[i], problem->h, state.n, i * rows, problem->tangents);
    sg_friction_evaluate(&state);
    return state;
}

/* with r = 0 the contact neither closes nor is touched: all of w is b */
static bool nothing_closes(const struct sg_contact_problem *problem)
{
    for (size_t i = 0; i < problem->count; i++)
        if (problem->b[i * (1 + problem->tangents)] < 0.0) return false;
    return true;
}

/* one contact after the other; w follows */
static void sweep(struct sg_friction_state *state)
{
    size_t rows = state->rows, n = state->n;
    for (size_t i = 0; i < state->problem->count; i++) {
        const double *own = state->problem->h + i * rows * n + i * rows;
        double *r = state->r + i * rows, *w = state->w + i * rows, q[3], next[3];
        for (size_t k = 0; k < rows; k++) {
            q[k] = w[k];
            for (size_t l = 0; l < rows; l++) q[k] -= own[l * n + k] * r[l];
        }
        sg_friction_local(&state->blocks[i], state->problem->friction[i], rows - 1, q, next);
        for (size_t k = 0; k < rows; k++) {
            const size_t *range = state->blocks[i].rows[k];
            double change = next[k] - r[k];
            r[k] = next[k];
            if (change == 0.0) continue;
            sg_axpy(range[1] - range[0], change, state->problem->h + (i * rows + k) * n + range[0],
                    state->w + range[0]);
        }
    }
}

/* Puts back what Newton's method leaves outside by rounding. */
static void put_into_cones(struct sg_friction_state *state)
{
    for (size_t i = 0; i < state->problem->count; i++) {
        double *r = state->r + i * state->rows, limit = state->problem->friction[i] * fmax(0.0, r[0]);
        double size = hypot(r[1], state->rows > 2 ? r[2] : 0.0);
        r[0] = fmax(0.0, r[0]);
        for (size_t k = 1; k < state->rows && size > limit; k++) r[k] *= limit / size;
    }
    sg_friction_evaluate(state);
}

/* by a fresh w, for the one that followed has gathered rounding */
static bool converged(struct sg_friction_state *state, double tolerance, double *residual)
{
    *residual = sg_friction_worst(state);
    if (*residual > sg_friction_allowed(state, tolerance)) return false;
    sg_friction_evaluate(state);
    *residual = sg_friction_worst(state);
    return *residual <= sg_friction_allowed(state, tolerance);
}

/* the sweep at which Newton's method is tried next; it is dear for many contacts */
static long long next_trial(const struct sg_friction_state *state, long long trial)
{
    long long pause = state->n > 8 ? (long long)state->n : 8;
    return trial < SUSPECT ? 2 * trial : trial + pause;
}

/* the reactions with the smallest residual so far */
struct best {
    double *r, residual;
    size_t size;
};

static void keep_best(struct best *best, const double *r, double residual)
{
    if (!(residual < best->residual)) return;
    best->residual = residual;
    memcpy(best->r, r, best->size * sizeof *r);
}

/* one sweep, now and then a trial of Newton's method after it; true at a solution */
static bool improve(struct sg_friction_state *state, double tolerance, long long *trial,
                    struct sg_contact_report *report)
{
    const struct sg_friction_shift usual = {.least = 1e-10, .follow = 10.0};
    sweep(state);
    report->iterations++;
    if (converged(state, tolerance, &report->residual)) return true;
    if (report->iterations != *trial) return false;
    sg_friction_evaluate(state);
    if (*trial == INTERIOR || *trial == SUSPECT)
        sg_friction_interior(state, tolerance, *trial == SUSPECT);
    else
        sg_friction_newton(state, usual, *trial > SUSPECT ? (unsigned long long)*trial : 0);
    *trial = next_trial(state, *trial);
    /* at once: where the contact alone has several solutions, a sweep may leave this one */
    put_into_cones(state);
    return converged(state, tolerance, &report->residual);
}

/* Looks for a contact that has no solution with the reactions of the others. */
static bool find_jam(const struct sg_friction_state *state, struct sg_contact_report *report)
{
    size_t rows = state->rows, n = state->n;
    for (size_t i = 0; i < state->problem->count; i++) {
        const double *own = state->problem->h + i * rows * n + i * rows;
        double q[3];
        for (size_t k = 0; k < rows; k++) {
            q[k] = state->w[i * rows + k];
            for (size_t l = 0; l < rows; l++) q[k] -= own[l * n + k] * state->r[i * rows + l];
        }
        report->jam.contact = i;
        if (sg_friction_jams(&state->blocks[i], state->problem->friction[i], rows - 1, q, &report->jam))
            return true;
    }
    return false;
}

/* Of a contact alone nothing else can help; among others a sweep may. */
static sg_status check_jam(const struct sg_friction_state *state, struct sg_contact_report *report,
                           struct sg_error *err)
{
    if (!find_jam(state, report)) return SG_OK;
    FAIL(err, SG_NO_SOLUTION,
         "the law of contact %zu of %zu has no solution: an impulse with %.4g of friction to 1 of pressure, "
         "which its "
         "friction of %g allows, moves nothing, while without it the contact would go on along this by %.3g "
         "m/s",
         report->jam.contact + 1, state->problem->count, fabs(report->jam.direction),
         state->problem->friction[report->jam.contact], report->jam.speed);
}

static sg_status solve_friction(struct sg_contact_solver *solver, const struct sg_contact_problem *problem,
                                double *r, struct sg_contact_report *report, struct sg_error *err)
{
    size_t n = problem->count * (1 + problem->tangents);
    double scale = largest(problem->b, n);
    struct sg_friction_state state = start(solver, problem, r);
    struct best best = {solver->best, HUGE_VAL, n};
    long long trial = FIRST_TRIAL;
    if (problem->count == 1) TRY(check_jam(&state, report, err));
    while (report->iterations < solver->max_iterations) {
        if (improve(&state, solver->tolerance * scale, &trial, report)) return SG_OK;
        keep_best(&best, r, report->residual);
        if (report->iterations < solver->patience || best.residual > solver->accepted * scale) continue;
        memcpy(r, best.r, n * sizeof *r);
        report->residual = best.residual;
        return SG_OK;
    }
    sg_friction_evaluate(&state);
    TRY(check_jam(&state, report, err));
    FAIL(err, SG_NO_SOLUTION,
         "the reactions of %zu contacts with friction are off by %.3g (limit %.3g) after %lld sweeps",
         problem->count, best.residual, solver->accepted * scale, report->iterations);
}

sg_status sg_contact_solve(struct sg_contact_solver *solver, const struct sg_contact_problem *problem,
                           double *r, struct sg_contact_report *report, struct sg_error *err)
{
    *report = (struct sg_contact_report){0};
    if (problem->count > solver->capacity || problem->tangents > solver->tangents)
        FAIL(err, SG_INTERNAL, "%zu contacts with %zu tangents are given to a solver for %zu with %zu",
             problem->count, problem->tangents, solver->capacity, solver->tangents);
    report->scale = largest(problem->b, problem->count * (1 + problem->tangents));
    if (nothing_closes(problem)) {
        memset(r, 0, problem->count * (1 + problem->tangents) * sizeof *r);
        return SG_OK;
    }
    if (solve_alone(problem, r, report)) return SG_OK;
    if (frictionless(problem)) return solve_lcp(solver, problem, r, report, err);
    return solve_friction(solver, problem, r, report, err);
}
