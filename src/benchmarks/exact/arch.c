#include "benchmarks/exact/arch.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "benchmarks/exact/exact.h"
#include "linalg/small.h"
#include "support/constants.h"

enum { DOFS = 2 * SG_ARCH_NODES };

struct shape {
    double energy, gradient[DOFS], hessian[DOFS][DOFS];
};

struct search {
    const struct sg_arch_spec *spec;
    double line;
    const double *gaps;
    bool closed[SG_ARCH_NODES];
    struct shape shape;
};

struct sg_arch_spec sg_arch_benchmark(void)
{
    return (struct sg_arch_spec){.rods = 11,
                                 .radius = 1.0,
                                 .opening = SG_PI / 4.0,
                                 .stiffness = 1.0,
                                 .torsion_stiffness = 4.16e-5,
                                 .drop = 0.065};
}

void sg_arch_node(const struct sg_arch_spec *spec, size_t j, double x[2])
{
    const double angle = spec->opening * ((double)j / (double)spec->rods - 0.5);
    x[0] = spec->radius * sin(angle);
    x[1] = spec->radius * cos(angle);
}

/* --- energy and its derivatives --------------------------------------------------------------------- */

struct rod {
    double length, angle;
    double n[2], t[2]; /* unit vectors along and across */
};

static struct rod rod_between(const double *a, const double *b)
{
    const double d[2] = {b[0] - a[0], b[1] - a[1]}, l = hypot(d[0], d[1]);
    return (struct rod){l, atan2(d[1], d[0]), {d[0] / l, d[1] / l}, {-d[1] / l, d[0] / l}};
}

static struct rod undeformed(const struct sg_arch_spec *spec, size_t e)
{
    double a[2], b[2];
    sg_arch_node(spec, e, a);
    sg_arch_node(spec, e + 1, b);
    return rod_between(a, b);
}

/* hessian += h on the difference of nodes e + 1 and e */
static void add_difference(struct shape *shape, size_t e, double h[2][2])
{
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            shape->hessian[2 * e + i][2 * e + j] += (i / 2 == j / 2 ? 1.0 : -1.0) * h[i % 2][j % 2];
}

static void add_rod(struct shape *shape, const struct sg_arch_spec *spec, size_t e, const struct rod *now)
{
    const double k = spec->stiffness, stretch = now->length - undeformed(spec, e).length;
    double h[2][2];
    shape->energy += 0.5 * k * stretch * stretch;
    for (size_t i = 0; i < 2; i++) {
        shape->gradient[2 * e + i] -= k * stretch * now->n[i];
        shape->gradient[2 * e + 2 + i] += k * stretch * now->n[i];
        for (size_t j = 0; j < 2; j++)
            h[i][j] = k * (now->n[i] * now->n[j] + stretch / now->length * now->t[i] * now->t[j]);
    }
    add_difference(shape, e, h);
}

/* torsion spring at node e + 1, between rods e and e + 1 */
static void add_joint(struct shape *shape, const struct sg_arch_spec *spec, size_t e, const struct rod *now)
{
    const double kappa = spec->torsion_stiffness;
    const double rest = undeformed(spec, e + 1).angle - undeformed(spec, e).angle;
    const double turn = remainder(now[1].angle - now[0].angle - rest, 2.0 * SG_PI);
    double slope[6] = {0.0};
    for (size_t i = 0; i < 2; i++) {
        slope[i] += now[0].t[i] / now[0].length;
        slope[2 + i] -= now[0].t[i] / now[0].length + now[1].t[i] / now[1].length;
        slope[4 + i] += now[1].t[i] / now[1].length;
    }
    shape->energy += 0.5 * kappa * turn * turn;
    for (size_t i = 0; i < 6; i++) {
        shape->gradient[2 * e + i] += kappa * turn * slope[i];
        for (size_t j = 0; j < 6; j++) shape->hessian[2 * e + i][2 * e + j] += kappa * slope[i] * slope[j];
    }
    for (size_t r = 0; r < 2; r++) {
        const double sign = r == 0 ? -1.0 : 1.0, square = now[r].length * now[r].length;
        double h[2][2];
        for (size_t i = 0; i < 2; i++)
            for (size_t j = 0; j < 2; j++)
                h[i][j] =
                    -sign * kappa * turn / square * (now[r].n[i] * now[r].t[j] + now[r].t[i] * now[r].n[j]);
        add_difference(shape, e + r, h);
    }
}

static void evaluate(struct shape *shape, const struct sg_arch_spec *spec, double (*x)[2])
{
    struct rod rods[SG_ARCH_NODES];
    memset(shape, 0, sizeof *shape);
    for (size_t e = 0; e < spec->rods; e++) {
        rods[e] = rod_between(x[e], x[e + 1]);
        add_rod(shape, spec, e, &rods[e]);
    }
    for (size_t e = 0; e + 1 < spec->rods; e++) add_joint(shape, spec, e, &rods[e]);
}

/* --- equilibrium ------------------------------------------------------------------------------------ */

static double touch(const struct search *search, size_t j)
{
    return search->line + (search->gaps != NULL ? search->gaps[j] : 0.0);
}

/* the dofs that move while the closed set stays */
static size_t moving(const struct search *search, size_t *dofs)
{
    size_t count = 0;
    for (size_t j = 1; j < search->spec->rods; j++) {
        dofs[count++] = 2 * j;
        if (!search->closed[j]) dofs[count++] = 2 * j + 1;
    }
    return count;
}

/* One Newton step; largest move, NAN if the tangent is singular. */
static double improve(struct search *search, double (*x)[2])
{
    double a[DOFS * DOFS], b[DOFS];
    size_t pivot[DOFS], dofs[DOFS], n = moving(search, dofs);
    double move = 0.0;
    evaluate(&search->shape, search->spec, x);
    for (size_t j = 0; j < n; j++) {
        b[j] = -search->shape.gradient[dofs[j]];
        for (size_t i = 0; i < n; i++) a[j * n + i] = search->shape.hessian[dofs[i]][dofs[j]];
    }
    if (!sg_small_factor(n, a, pivot)) return NAN;
    sg_small_solve(n, a, pivot, b);
    for (size_t j = 0; j < n; j++) {
        x[dofs[j] / 2][dofs[j] % 2] += b[j];
        move = fmax(move, fabs(b[j]));
    }
    return move;
}

static sg_status relax(struct search *search, double (*x)[2], struct sg_error *err)
{
    enum { ITERATIONS = 100 };
    double move = HUGE_VAL;
    for (size_t j = 1; j < search->spec->rods; j++)
        if (search->closed[j]) x[j][1] = touch(search, j);
    for (int k = 0; k < ITERATIONS && move > 1e-14 * search->spec->radius; k++) {
        move = improve(search, x);
        if (isnan(move)) break;
    }
    if (!(move <= 1e-14 * search->spec->radius))
        FAIL(err, SG_NO_SOLUTION, "arch: Newton's method still moves by %g m", move);
    evaluate(&search->shape, search->spec, x);
    return SG_OK;
}

/* Opens contacts that pull, closes nodes below the line; whether anything changed. */
static bool update(struct search *search, double (*x)[2])
{
    bool changed = false;
    for (size_t j = 1; j < search->spec->rods; j++) {
        const bool stays =
            search->closed[j] ? search->shape.gradient[2 * j + 1] >= 0.0 : x[j][1] < touch(search, j);
        changed = changed || stays != search->closed[j];
        search->closed[j] = stays;
    }
    return changed;
}

static void collect(const struct search *search, struct sg_arch_equilibrium *state)
{
    const size_t last = search->spec->rods;
    size_t dofs[DOFS], n = moving(search, dofs);
    const double *gradient = search->shape.gradient;
    state->energy = search->shape.energy;
    state->thrust = gradient[0];
    state->residual = 0.0;
    for (size_t i = 0; i < n; i++) state->residual = fmax(state->residual, fabs(gradient[dofs[i]]));
    for (size_t j = 0; j <= last; j++) {
        const bool carries = j == 0 || j == last || search->closed[j];
        state->reaction[j] = carries ? gradient[2 * j + 1] : 0.0;
    }
}

static sg_status check(const struct sg_arch_spec *spec, struct sg_error *err)
{
    if (spec->rods < 2 || spec->rods >= SG_ARCH_NODES)
        FAIL(err, SG_BAD_DECK, "arch: %zu rods, must be 2 to %d", spec->rods, SG_ARCH_NODES - 1);
    if (!(spec->radius > 0.0) || !(spec->opening > 0.0) || !(spec->stiffness > 0.0) ||
        !(spec->torsion_stiffness > 0.0))
        FAIL(err, SG_BAD_DECK, "arch: radius %g, opening %g, stiffnesses %g and %g must be positive",
             spec->radius, spec->opening, spec->stiffness, spec->torsion_stiffness);
    return SG_OK;
}

sg_status sg_arch_solve(const struct sg_arch_spec *spec, const double *gaps,
                        struct sg_arch_equilibrium *state, struct sg_error *err)
{
    enum { SETS = 50 };
    struct search search = {.spec = spec, .gaps = gaps};
    double support[2];
    TRY(check(spec, err));
    sg_arch_node(spec, 0, support);
    search.line = support[1] - spec->drop;
    *state = (struct sg_arch_equilibrium){.residual = 0.0};
    for (size_t j = 0; j <= spec->rods; j++) {
        sg_arch_node(spec, j, state->x[j]);
        state->x[j][1] = 2.0 * support[1] - state->x[j][1];
        search.closed[j] = j > 0 && j < spec->rods && state->x[j][1] < touch(&search, j);
    }
    for (int k = 0; k < SETS; k++) {
        TRY(relax(&search, state->x, err));
        collect(&search, state);
        if (!update(&search, state->x)) return SG_OK;
    }
    FAIL(err, SG_NO_SOLUTION, "arch: the closed set still changes after %d tries", SETS);
}

/* --- for benchmarks --------------------------------------------------------------------------------- */

static const struct sg_keyword rows[] = {{0}};

static sg_status create(void *data, struct sg_error *err)
{
    const struct sg_arch_spec spec = sg_arch_benchmark();
    return sg_arch_solve(&spec, NULL, data, err);
}

enum { INNER = 10, MIDDLE = 5, COORDINATES = 24 };

/* the static state that touches where gaps say: those of the inner nodes, residual penetrations */
static bool settle(const struct sg_exact_row *gaps, struct sg_arch_equilibrium *state)
{
    const struct sg_arch_spec spec = sg_arch_benchmark();
    double touch_at[SG_ARCH_NODES] = {0.0};
    if (gaps->width != INNER) return false;
    for (size_t j = 0; j < INNER; j++) touch_at[j + 1] = fmin(0.0, gaps->values[j]);
    return sg_arch_solve(&spec, touch_at, state, NULL) == SG_OK;
}

static void displacement(const void *data, const struct sg_exact_row *x, double *result)
{
    const struct sg_arch_spec spec = sg_arch_benchmark();
    struct sg_arch_equilibrium state;
    const bool settled = settle(&x[0], &state);
    (void)data;
    for (size_t k = 0; k < COORDINATES; k++) {
        double node[2];
        sg_arch_node(&spec, k / 2, node);
        result[k] = settled ? state.x[k / 2][k % 2] - node[k % 2] : NAN;
    }
}

static double settled_reaction(const struct sg_exact_row *gaps)
{
    struct sg_arch_equilibrium state;
    return settle(gaps, &state) ? state.reaction[MIDDLE] : NAN;
}

static double settled_energy(const struct sg_exact_row *gaps)
{
    struct sg_arch_equilibrium state;
    return settle(gaps, &state) ? state.energy : NAN;
}

SG_EXACT_FUNCTION(static_reaction, struct sg_arch_equilibrium, self->reaction[MIDDLE])
SG_EXACT_FUNCTION(thrust, struct sg_arch_equilibrium, self->thrust)
SG_EXACT_FUNCTION(static_energy, struct sg_arch_equilibrium, self->energy)
SG_EXACT_FUNCTION(reaction, struct sg_arch_equilibrium, settled_reaction(&x[0]))
SG_EXACT_FUNCTION(energy, struct sg_arch_equilibrium, settled_energy(&x[0]))

static const struct sg_exact_function functions[] = {
    {"static_reaction", 0, 0, static_reaction, 0, "of a middle node on the line, N"},
    {"static_thrust", 0, 0, thrust, 0, "N"},
    {"static_energy", 0, 0, static_energy, 0, "J"},
    {"displacement", 1, 1, displacement, COORDINATES,
     "displacement(gaps) of all nodes where touching ones have these gaps, m"},
    {"reaction", 1, 1, reaction, 0, "reaction(gaps) of a middle node, N"},
    {"energy", 1, 1, energy, 0, "energy(gaps), J"},
    {0}};

const struct sg_exact_ops sg_exact_arch = {
    .kind = {"arch", "an arch of rods that has snapped onto a line, in equilibrium", rows},
    .size = sizeof(struct sg_arch_equilibrium),
    .create = create,
    .functions = functions};
