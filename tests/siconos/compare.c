/* Random problems of contact solved here and by Siconos numerics (Acary et al.), an independent library:
 * Lemke's method without friction, nonsmooth Gauss-Seidel with it. w is compared where it is unique, without
 * friction; elsewhere ours must hold the conditions as well as theirs. */
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/LCP_Solvers.h>
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>
#include <stdbool.h>
#include <stdio.h>

#include "contact_problem.h"

enum { TRIALS = 100 };

/* of the terms of w; NSGS of Siconos is asked for 1e-12 of b and ends some way from it */
static const double NEAR_ENOUGH = 1e-9;

struct tally {
    int problems, ours_failed, theirs_failed, worse;
    double ours, theirs, apart; /* largest of those solved by both, relative */
};

/* Siconos destroys the matrix that it is given */
static NumericsMatrix *matrix_of(const struct contact_case *p)
{
    double *copy = malloc(p->n * p->n * sizeof *copy);
    if (copy == NULL) abort();
    memcpy(copy, p->h, p->n * p->n * sizeof *copy);
    return NM_create_from_data(NM_DENSE, (int)p->n, (int)p->n, copy);
}

static SolverOptions *options_for(const struct contact_case *p)
{
    static const int solvers[] = {SICONOS_LCP_LEMKE, SICONOS_FRICTION_2D_NSGS, SICONOS_FRICTION_3D_NSGS};
    SolverOptions *options = solver_options_create(solvers[p->tangents]);
    if (options == NULL) abort();
    options->iparam[SICONOS_IPARAM_MAX_ITER] = p->tangents == 0 ? 10000 : 3000;
    options->dparam[SICONOS_DPARAM_TOL] = 1e-12;
    return options;
}

/* into p->r; whether it says to have converged is left to the conditions */
static void solve_theirs(struct contact_case *p)
{
    SolverOptions *options = options_for(p);
    NumericsMatrix *m = matrix_of(p);
    memset(p->r, 0, p->n * sizeof *p->r);
    memset(p->w, 0, p->n * sizeof *p->w);
    if (p->tangents == 0) {
        int info = 0;
        LinearComplementarityProblem lcp = {.size = (int)p->n, .M = m, .q = p->b};
        lcp_lexicolemke(&lcp, p->r, p->w, &info, options);
    } else {
        FrictionContactProblem friction = {.dimension = 1 + (int)p->tangents,
                                           .numberOfContacts = (int)p->count,
                                           .M = m,
                                           .q = p->b,
                                           .mu = p->mu};
        (p->tangents == 1 ? fc2d_driver : fc3d_driver)(&friction, p->r, p->w, options);
    }
    NM_clear(m);
    free(m);
    solver_options_delete(options);
    free(options);
}

static void solve_ours(struct contact_case *p)
{
    struct sg_contact_solver solver;
    struct sg_contact_problem view = problem_view(p);
    struct sg_contact_report report;
    struct sg_error err;
    memset(p->r, 0, p->n * sizeof *p->r);
    if (sg_contact_solver_init(&solver, p->count, p->tangents, &err) != SG_OK) abort();
    solver.accepted = 0.0; /* compared is what converges */
    if (sg_contact_solve(&solver, &view, p->r, &report, &err) != SG_OK) p->r[0] = INFINITY;
    sg_contact_solver_release(&solver);
}

/* relative to the terms of w; infinite if r is not finite */
static double violation(struct contact_case *p)
{
    double scale = problem_w(p), worst = problem_violation(p, NEAR_ENOUGH * scale);
    if (scale == 0.0) return 0.0;
    return isfinite(worst / scale) ? worst / scale : INFINITY;
}

static double apart(const struct contact_case *a, const struct contact_case *b)
{
    double most = 0, scale = 0;
    for (size_t i = 0; i < a->n; i++) {
        most = fmax(most, fabs(a->w[i] - b->w[i]));
        scale = fmax(scale, fabs(a->b[i]));
    }
    return scale > 0.0 ? most / scale : most;
}

static void compare(struct contact_case *ours, struct tally *tally)
{
    struct contact_case theirs = problem_new(ours->count, ours->tangents);
    memcpy(theirs.h, ours->h, (ours->n * ours->n + 3 * ours->n + ours->count) * sizeof *ours->h);
    solve_ours(ours);
    solve_theirs(&theirs);
    double mine = violation(ours), other = violation(&theirs);
    bool solved = mine <= NEAR_ENOUGH, other_solved = other <= NEAR_ENOUGH;
    tally->problems++;
    tally->ours_failed += !solved;
    tally->theirs_failed += !other_solved;
    tally->worse += !solved && mine > other;
    if (solved && other_solved) {
        tally->ours = fmax(tally->ours, mine);
        tally->theirs = fmax(tally->theirs, other);
        tally->apart = fmax(tally->apart, apart(ours, &theirs));
    }
    problem_release(&theirs);
}

/* w is unique without friction; where H is nearly singular both lose digits: 1e-7 of b */
static bool judge(const struct tally *tally, size_t tangents, const char *name)
{
    bool good = tally->worse == 0 && (tangents > 0 || (tally->ours_failed == 0 && tally->apart <= 1e-7));
    printf("  %zu-D %-12s %4d problems; not solved here %d, there %d; off by %.1e here, %.1e there; "
           "w apart %.1e  %s\n",
           1 + tangents, name, tally->problems, tally->ours_failed, tally->theirs_failed, tally->ours,
           tally->theirs, tally->apart, good ? "ok" : "FAILED");
    return good;
}

int main(void)
{
    static const char *const names[] = {"definite", "tridiagonal", "degenerate", "redundant"};
    bool good = true;
    for (size_t tangents = 0; tangents < 3; tangents++)
        for (int kind = 0; kind < PROBLEM_KINDS; kind++) {
            unsigned long long seed = 100 + (unsigned long long)kind + 10 * tangents;
            struct tally tally = {0};
            for (int trial = 0; trial < TRIALS; trial++) {
                struct contact_case p = problem_new(1 + (size_t)(trial % 25), tangents);
                problem_make(&p, (enum problem_kind)kind, 1.0, &seed);
                compare(&p, &tally);
                problem_release(&p);
            }
            good = judge(&tally, tangents, names[kind]) && good;
        }
    puts(good ? "Siconos: all agree" : "Siconos: FAILED");
    return good ? 0 : 1;
}
