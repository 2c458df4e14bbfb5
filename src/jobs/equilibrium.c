/* Static equilibrium with contact, by the proximal point method: each iterate is the equilibrium of a model
 * that soft springs mu P hold where the last one was, P a diagonal mass,
 *
 *     (mu P + K) du = f - f_int(u) + W R + G^T lambda,   0 <= g(u) + W^T du + x(R)  _|_  R >= 0,
 *
 * K the tangent of the internal force, x(R) the line that touches the contact's law at the last R. Linear
 * models without curved laws converge by mu / (mu + lambda), lambda the lowest eigenvalue of what is held;
 * with none, as of a body that nothing but contacts carries, mu P makes the matrix definite, and at the end
 * the springs bear nothing. Where the tangent, a normal or the line of a law
 * changes mu falls while what the springs bear does, and rises where it doesn't: of a monotone problem mu |P
 * du| falls with any sequence of mu. With friction the last iterates are of stiff springs: what rounding
 * leaves of a gap is that of the way f / mu that loads would go without contacts. */
#include "jobs/equilibrium.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "contact/solvers/solver.h"
#include "linalg/effective.h"
#include "linalg/small.h"
#include "linalg/vector.h"
#include "model/constraint.h"
#include "model/tangent.h"
#include "support/arena.h"
#include "support/stop.h"

/* ITERATIONS bounds the search; FEW of them tell whether anything holds. REFUSALS: of what pushes, after
 * which it is left as the contacts' whole problem has it. LAST: iterates of stiff springs. ENTRIES: of the
 * contacts' responses. */
enum { ITERATIONS = 600, FEW = 30, REFUSALS = 5, LAST = 3, ENTRIES = 200000000 };

/* mu over the stiffest P^-1 K: where linear models begin and are not to fall below, and where others begin;
 * of all forces, what may be out of balance in the end */
static const double SOFT = 1e-9, SOFTEST = 1e-12, STIFF = 1e-2, STIFFEST = 1e3, BALANCE = 1e-6;

struct search {
    const struct sg_equilibrium_spec *spec;
    const struct sg_system *system;
    const struct sg_contact_set *set;
    struct sg_arena arena, pass; /* the latter of one operator */
    size_t n, q, rows, size;     /* rows of a contact: its normal and tangents */
    bool changes;                /* tangent, normals or lines of laws */
    struct sg_matrix hold, none; /* P; 0 */
    struct sg_tangent tangent;
    struct sg_contact_frame frame;
    struct sg_constraint_frame held;
    struct sg_contact_solver solver;
    struct sg_effective *op;
    size_t slot;
    double *u, *start, *before, *f, *residual, *du; /* n */
    double *x, *h;                                  /* n x size, size^2: responses, W^T x */
    double *b, *r, *depth, *compliance;             /* size; q */
    int refusals;
    bool keeps;                  /* what pushes is known, and reactions are refined */
    size_t count, *list, *pivot; /* contacts that push */
    double *matrix;              /* q^2 */
    double stiffest, mu;         /* 1/s^2 */
    double step, last, scale;    /* J: work of the springs mu P over an iterate, and loads' */
    double borne, borne_last;    /* N^2/kg: du P du mu^2, what the springs bear */
    double softest; /* 1/s^2: below it the contacts' problem was found to be too ill-conditioned */
};

/* --- creation ------------------------------------------------------------------------------------- */

static sg_status allocate(struct search *s, struct sg_error *err)
{
    double **const vectors[] = {&s->u, &s->start, &s->before, &s->f, &s->residual, &s->du};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        TRY(SG_ARENA_NEW(&s->arena, vectors[k], s->n, err));
    if (s->size > 0 && s->size > ENTRIES / (s->n + s->size))
        FAIL(err, SG_BAD_DECK, "%zu contacts on %zu dofs are too many for a static solution", s->q, s->n);
    TRY(SG_ARENA_NEW(&s->arena, &s->x, s->n * s->size, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->h, s->size * s->size, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->b, s->size, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->r, s->size, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->depth, s->q, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->compliance, s->q, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->list, s->q, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->pivot, s->q, err));
    TRY(SG_ARENA_NEW(&s->arena, &s->matrix, s->rows == 1 ? s->q * s->q : 0, err));
    TRY(sg_contact_solver_init(&s->solver, s->q, s->rows - 1, err));
    TRY(sg_contact_frame_init(&s->frame, s->set, err));
    TRY(sg_constraint_frame_init(&s->held, s->system, err));
    return sg_tangent_init(&s->arena, &s->tangent, s->system, err);
}

/* P: the diagonal of M, and where that is 0 the mean of the others */
static sg_status make_springs(struct search *s, struct sg_error *err)
{
    struct sg_triplets masses = {.arena = &s->pass, .n = s->n}, none = {.arena = &s->pass, .n = s->n};
    double sum = 0.0;
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++) {
        double mass = sg_matrix_entry(&s->system->M, i, i);
        if (mass > 0.0) count++;
        sum += fmax(mass, 0.0);
    }
    double mean = count > 0 ? sum / (double)count : 1.0;
    for (size_t i = 0; i < s->n; i++) {
        double mass = sg_matrix_entry(&s->system->M, i, i);
        sg_triplets_add(&masses, i, i, mass > 0.0 ? mass : mean);
    }
    TRY(sg_matrix_init(&s->arena, &s->hold, &masses, SG_DIAGONAL, err));
    return sg_matrix_init(&s->arena, &s->none, &none, SG_DIAGONAL, err);
}

/* Of a model without any stiffness: what lets its loads go by no more than the lengths of its contacts. */
static double stiffness_of_loads(const struct search *s)
{
    double acceleration = 0.0, length = 0.0;
    for (size_t i = 0; i < s->n; i++) acceleration = fmax(acceleration, fabs(s->f[i]) / s->hold.diag[i]);
    for (size_t j = 0; j < s->q; j++)
        length = fmax(length, sg_contact_set_rounding(s->set, j, 0.0, s->u) / DBL_EPSILON);
    double quotient = acceleration / length;
    return quotient > 0.0 && isfinite(quotient) ? quotient : 1.0;
}

/* The largest quotient of a stiffness, of the model or a contact, by its mass. */
static void find_stiffest(struct search *s)
{
    for (size_t i = 0; i < s->n; i++)
        s->stiffest = fmax(s->stiffest, sg_matrix_entry(&s->tangent.K, i, i) / s->hold.diag[i]);
    const struct sg_columns *w = s->frame.normal;
    for (size_t j = 0; j < s->q; j++)
        for (size_t k = w->start[j]; s->compliance[j] > 0.0 && k < w->start[j + 1]; k++)
            s->stiffest =
                fmax(s->stiffest, w->value[k] * w->value[k] / (s->compliance[j] * s->hold.diag[w->row[k]]));
    if (!(s->stiffest > 0.0)) s->stiffest = stiffness_of_loads(s);
}

/* --- the model at an iterate ---------------------------------------------------------------------- */

/* N, of contact j: of a law at the gap, of a constraint what was found */
static double force_of(const struct search *s, size_t j)
{
    static const double blank[SG_LAW_MEMORY] = {0.0};
    const struct sg_law *law = &s->set->laws[j];
    struct sg_law_point at = {.gap = s->frame.gap[j], .memory = blank};
    return s->spec->laws && s->set->sprung[j] ? law->ops->at(law, &at).value : s->r[j * s->rows];
}

/* The lines x = depth + compliance R that touch the laws: where the reaction was, or where the gap is, if the
 * force is larger there. From the larger force Newton's method comes down on a law that stiffens; from none,
 * where a gap is closed, it would take it for rigid, and for open the next time, for ever. */
static void touch_laws(struct search *s)
{
    for (size_t j = 0; j < s->q; j++) {
        if (!s->spec->laws || !s->set->sprung[j]) continue;
        double force = fmax(s->r[j * s->rows], force_of(s, j));
        struct sg_law_rest rest = sg_law_rest_at(&s->set->laws[j], force);
        s->compliance[j] = rest.compliance;
        s->depth[j] = rest.depth - rest.compliance * force;
    }
}

/* f(0) - f_int(u), where `du` is at hand as zeros for a velocity */
static void find_residual(struct search *s)
{
    memset(s->du, 0, s->n * sizeof *s->du);
    sg_system_internal(s->system, 0.0, s->u, s->du, s->residual);
    for (size_t i = 0; i < s->n; i++) s->residual[i] = s->f[i] - s->residual[i];
}

/* w_j, or a tangent of contact j, and row k of it */
static const struct sg_columns *column_of(const struct search *s, size_t at, size_t *column)
{
    size_t j = at / s->rows, k = at % s->rows;
    *column = k == 0 ? j : j * (s->rows - 1) + k - 1;
    return k == 0 ? s->frame.normal : s->frame.tangent;
}

static sg_status respond(struct search *s, struct sg_error *err)
{
    for (size_t c = 0; c < s->size; c++) {
        size_t column = 0;
        const struct sg_columns *w = column_of(s, c, &column);
        double *x = s->x + c * s->n;
        if (sg_stop_requested()) FAIL(err, SG_INTERRUPTED, "interrupted before the start");
        memset(x, 0, s->n * sizeof *x);
        sg_columns_add(w, column, 1.0, x);
        sg_effective_solve(s->op, s->slot, x);
        for (size_t a = 0; a < s->size; a++) {
            const struct sg_columns *of = column_of(s, a, &column);
            s->h[a + c * s->size] = sg_columns_dot(of, column, x);
        }
    }
    for (size_t a = 0; a < s->size; a++)
        for (size_t c = 0; c < a; c++)
            s->h[a + c * s->size] = s->h[c + a * s->size] =
                0.5 * (s->h[a + c * s->size] + s->h[c + a * s->size]);
    return SG_OK;
}

/* The operator of this mu, and the responses to the contacts; a tangent that is not positive definite asks
 * for more mu. */
static sg_status prepare(struct search *s, struct sg_error *err)
{
    static const struct sg_columns nothing = {0};
    size_t no_start[1] = {0};
    struct sg_columns empty = nothing;
    empty.n = s->n;
    empty.start = no_start;
    empty.row = no_start;
    struct sg_mck mck = {&s->hold, &s->none, &s->tangent.K};
    struct sg_effective_rows rows = {.w = &empty, .held = s->held.G.q > 0 ? &s->held.G : NULL};
    sg_status status = SG_NO_SOLUTION;
    while (status == SG_NO_SOLUTION && s->mu <= STIFFEST * s->stiffest) {
        sg_arena_release(&s->pass);
        TRY(sg_effective_create(&s->pass, &mck, &rows, false, &s->op, err));
        status = sg_effective_prepare(s->op, s->mu, 0.0, 1.0, &s->slot, err);
        if (status == SG_OK) return respond(s, err);
        s->mu *= 10.0;
    }
    return status;
}

/* --- an iterate ----------------------------------------------------------------------------------- */

/* gaps and slips that the free motion du leads to, with the laws' lines */
static sg_status find_reactions(struct search *s, struct sg_error *err)
{
    struct sg_contact_report report;
    size_t column = 0;
    for (size_t i = 0; i < s->n; i++) s->before[i] = s->u[i] + s->du[i] - s->start[i];
    for (size_t a = 0; a < s->size; a++) {
        const struct sg_columns *w = column_of(s, a, &column);
        size_t j = a / s->rows;
        bool normal = a % s->rows == 0;
        s->b[a] = normal ? s->frame.gap[j] + sg_columns_dot(w, column, s->du) + s->depth[j]
                         : sg_columns_dot(w, column, s->before);
        s->h[a + a * s->size] += normal ? s->compliance[j] : 0.0;
    }
    struct sg_contact_problem problem = {
        .count = s->q, .tangents = s->rows - 1, .h = s->h, .b = s->b, .friction = s->set->friction};
    sg_status status = sg_contact_solve(&s->solver, &problem, s->r, &report, err);
    for (size_t a = 0; a < s->size; a += s->rows) s->h[a + a * s->size] -= s->compliance[a / s->rows];
    return status;
}

/* Lists what pushes; true if it is what pushed before. */
static bool list_pushing(struct search *s)
{
    size_t count = 0;
    bool same = true;
    for (size_t j = 0; j < s->q; j++) {
        if (!(s->r[j * s->rows] > 0.0)) continue;
        same = same && count < s->count && s->list[count] == j;
        s->list[count++] = j;
    }
    same = same && count == s->count;
    s->count = count;
    return same;
}

/* The reactions that are missing where du leads to, of contacts that go on to push: unlike those of the whole
 * problem they lose no digits where the springs mu P are soft. Without friction. */
static sg_status refine_reactions(struct search *s, struct sg_error *err)
{
    size_t count = s->count;
    for (size_t a = 0; a < count; a++) {
        size_t j = s->list[a];
        s->b[a] = -(s->frame.gap[j] + sg_columns_dot(s->frame.normal, j, s->du) + s->depth[j] +
                    s->compliance[j] * s->r[j]);
        for (size_t c = 0; c < count; c++)
            s->matrix[a + c * count] = s->h[j + s->list[c] * s->q] + (a == c ? s->compliance[j] : 0.0);
    }
    if (!sg_small_factor(count, s->matrix, s->pivot))
        FAIL(err, SG_NO_SOLUTION, "contacts depend on one another");
    sg_small_solve(count, s->matrix, s->pivot, s->b);
    for (size_t a = 0; a < count; a++) {
        size_t j = s->list[a];
        s->r[j] += s->b[a];
        sg_columns_add(s->frame.normal, j, s->b[a], s->residual);
        sg_axpy(s->n, s->b[a], s->x + j * s->n, s->du);
    }
    return SG_OK;
}

static sg_status react(struct search *s, struct sg_error *err)
{
    size_t column = 0;
    if (s->keeps) return refine_reactions(s, err);
    if (s->q > 0) TRY(find_reactions(s, err));
    for (size_t a = 0; a < s->size; a++) {
        if (s->r[a] == 0.0) continue;
        const struct sg_columns *w = column_of(s, a, &column);
        sg_columns_add(w, column, s->r[a], s->residual);
        sg_axpy(s->n, s->r[a], s->x + a * s->n, s->du);
    }
    return SG_OK;
}

/* sum of P x y */
static double springs_form(const struct search *s, const double *x, const double *y)
{
    double sum = 0.0;
    for (size_t i = 0; i < s->n; i++) sum += s->hold.diag[i] * x[i] * y[i];
    return sum;
}

static sg_status iterate(struct search *s, struct sg_error *err)
{
    find_residual(s);
    for (size_t a = 0; s->keeps && a < s->count; a++)
        sg_columns_add(s->frame.normal, s->list[a], s->r[s->list[a]], s->residual);
    memcpy(s->du, s->residual, s->n * sizeof *s->du);
    sg_effective_solve(s->op, s->slot, s->du);
    double work = sg_dot(s->n, s->residual, s->du);
    TRY(react(s, err));
    s->last = s->step;
    s->step = fabs(sg_dot(s->n, s->residual, s->du));
    s->scale = fmax(s->scale, fmax(work, s->step));
    s->borne_last = s->borne;
    s->borne = s->mu * s->mu * springs_form(s, s->du, s->du);
    for (size_t i = 0; i < s->n; i++) s->u[i] += s->du[i];
    if (sg_first_nonfinite(s->n, s->u) == s->n && isfinite(s->step)) return SG_OK;
    FAIL(err, SG_NO_SOLUTION, "the static solution is not finite");
}

/* Soft springs leave responses that lie far apart, of which reactions can't always be found: then stiffer
 * ones have to do from there on. */
static sg_status iterate_stiffly(struct search *s, struct sg_error *err)
{
    sg_status status = iterate(s, err);
    while (status == SG_NO_SOLUTION && !s->keeps && s->mu < STIFFEST * s->stiffest) {
        sg_error_clear(err);
        s->mu = s->softest = fmin(100.0 * s->mu, STIFFEST * s->stiffest);
        memset(s->r, 0, s->size * sizeof *s->r);
        TRY(prepare(s, err));
        status = iterate(s, err);
    }
    return status;
}

/* The dof that an iterate moves most, by the springs' measure. */
static size_t loosest(const struct search *s, const double *x)
{
    size_t most = 0;
    for (size_t i = 0; i < s->n; i++)
        if (x[i] * x[i] * s->hold.diag[i] > x[most] * x[most] * s->hold.diag[most]) most = i;
    return most;
}

static sg_status refuse_loose(const struct search *s, struct sg_error *err)
{
    sg_complain_about(s->spec->diagnostics, SG_ERROR, s->spec->node, "equilibrium",
                      "nothing holds '%s' against the loads at t = 0: stiffness and contacts leave it free",
                      sg_system_dof_name(s->system, loosest(s, s->du)));
    sg_hint(s->spec->diagnostics,
            "hold it by a support, a spring or a contact, or start it without equilibrium");
    FAIL(err, SG_BAD_DECK, "the model has no static equilibrium");
}

/* What is found with the contacts that push holds for the others too, but for the rounding of their gaps. */
static bool holds_for_all(struct search *s)
{
    sg_contact_set_place(s->set, 0.0, s->u, &s->frame);
    for (size_t j = 0; j < s->q; j++) {
        double grain = sg_contact_set_rounding(s->set, j, 0.0, s->u);
        if (s->r[j] < 0.0 || (s->r[j] == 0.0 && s->frame.gap[j] < -1e3 * grain)) return false;
    }
    return true;
}

/* Rounding is reached when iterates come no nearer. Reactions of the whole problem are refined first. */
static bool is_found(struct search *s)
{
    bool same = list_pushing(s), near = s->step <= 1e-12 * s->scale;
    bool still = s->step == 0.0 || (s->step <= 1e-20 * s->scale && s->step >= 0.25 * s->last);
    if (s->rows > 1 || s->q == 0) return still;
    if (!s->keeps) {
        s->keeps = same && near && s->refusals < REFUSALS;
        return still && s->refusals >= REFUSALS;
    }
    if (!still) return false;
    if (holds_for_all(s)) return true;
    s->keeps = false;
    s->refusals++;
    return false;
}

static void renew(struct search *s)
{
    sg_contact_set_place(s->set, 0.0, s->u, &s->frame);
    sg_constraints_evaluate(s->system, 0.0, s->u, &s->held);
    touch_laws(s);
    if (s->changes) {
        memset(s->du, 0, s->n * sizeof *s->du);
        sg_tangent_update(&s->tangent, s->system, 0.0, s->u, s->du);
    }
}

/* mu for the next iterate; true if it changed */
static bool choose_mu(struct search *s)
{
    double old = s->mu;
    bool nearer = s->step <= 0.1 * s->last;
    if (s->changes && s->borne > s->borne_last)
        s->mu = fmin(10.0 * s->mu, STIFFEST * s->stiffest);
    else if (s->changes)
        s->mu = fmax(0.2 * s->mu, fmax(s->softest, SOFT * s->stiffest));
    else if (!nearer && s->step > 1e-20 * s->scale)
        s->mu = fmax(0.1 * s->mu, fmax(s->softest, SOFTEST * s->stiffest));
    return s->mu != old;
}

/* With friction reactions are found as a whole, and gaps to rounding of the way that loads go in the springs
 * mu P alone: a thousandth of what stiffness or gaps let them go, at last. */
static sg_status settle(struct search *s, struct sg_error *err)
{
    if (s->rows == 1) return SG_OK;
    s->mu = STIFFEST * s->stiffest;
    for (int k = 0; k < LAST; k++) {
        renew(s);
        if (k == 0 || s->changes) TRY(prepare(s, err));
        TRY(iterate(s, err));
    }
    return SG_OK;
}

static sg_status search(struct search *s, struct sg_error *err)
{
    s->last = s->step = s->borne = HUGE_VAL;
    for (int k = 0; k < ITERATIONS; k++) {
        if (sg_stop_requested()) FAIL(err, SG_INTERRUPTED, "interrupted before the start");
        renew(s);
        bool other = k > 0 && choose_mu(s);
        if (k == 0 || other || s->changes) TRY(prepare(s, err));
        TRY(iterate_stiffly(s, err));
        if (is_found(s)) return settle(s, err);
        bool drifts = s->step >= 0.9 * s->last && s->step > 1e-10 * s->scale;
        if (k >= FEW && !s->changes && drifts) return refuse_loose(s, err);
    }
    if (s->step > 1e-10 * s->scale) return refuse_loose(s, err);
    return SG_OK;
}

/* --- what is left free ---------------------------------------------------------------------------- */

/* the operator with what pushes held; it takes the place of the search's own */
static sg_status hold_contacts(struct search *s, struct sg_error *err)
{
    unsigned char *active = NULL;
    double *kappa = NULL, *offset = NULL;
    struct sg_mck mck = {&s->hold, &s->none, &s->tangent.K};
    TRY(SG_ARENA_NEW(&s->arena, &active, s->q, err));
    TRY(SG_ARENA_NEW(&s->arena, &kappa, s->q, err));
    TRY(SG_ARENA_NEW(&s->arena, &offset, s->q, err));
    for (size_t j = 0; j < s->q; j++) {
        active[j] = s->r[j * s->rows] > 0.0;
        kappa[j] = s->compliance[j] > 0.0 ? 1.0 / s->compliance[j] : HUGE_VAL;
    }
    struct sg_effective_rows rows = {
        .w = s->frame.normal, .kappa = kappa, .offset = offset, .held = s->held.G.q > 0 ? &s->held.G : NULL};
    sg_arena_release(&s->pass);
    TRY(sg_effective_create(&s->pass, &mck, &rows, false, &s->op, err));
    sg_effective_set_active(s->op, active);
    return sg_effective_prepare(s->op, s->mu, 0.0, 1.0, &s->slot, err);
}

static bool has_friction(const struct search *s)
{
    for (size_t j = 0; j < s->q; j++)
        if (s->set->friction[j] > 0.0 && s->r[j * s->rows] > 0.0) return true;
    return false;
}

enum { INVERSE_STEPS = 5 };

/* Inverse iteration for the direction that is held least: where not even a thousandth of the stiffness of the
 * springs mu P holds it, nothing does. Friction, which holds too, is not in the operator. */
static sg_status note_loose(struct search *s, struct sg_error *err)
{
    double *y = s->du, *z = s->before, quotient = HUGE_VAL;
    if (s->n == 0 || has_friction(s)) return SG_OK;
    TRY(hold_contacts(s, err));
    for (size_t i = 0; i < s->n; i++) y[i] = (1.0 + 0.3 * sin(1.7 * (double)i)) / sqrt(s->hold.diag[i]);
    for (int k = 0; k < INVERSE_STEPS; k++) {
        double size = sqrt(springs_form(s, y, y));
        if (!(size > 0.0)) return SG_OK;
        for (size_t i = 0; i < s->n; i++) z[i] = y[i] / size;
        for (size_t i = 0; i < s->n; i++) y[i] = s->hold.diag[i] * z[i];
        sg_effective_solve(s->op, s->slot, y);
        quotient = 1.0 / springs_form(s, z, y);
    }
    if (!(quotient <= 1.001 * s->mu)) return SG_OK;
    sg_complain_about(s->spec->diagnostics, SG_NOTE, s->spec->node, "equilibrium",
                      "nothing holds '%s', and nothing pushes it: it stays where the deck puts it",
                      sg_system_dof_name(s->system, loosest(s, y)));
    return SG_OK;
}

/* --- all ------------------------------------------------------------------------------------------ */

static bool has_curves(const struct search *s)
{
    for (size_t j = 0; s->spec->laws && j < s->q; j++)
        if (s->set->sprung[j] && !sg_law_is_linear(&s->set->laws[j])) return true;
    return false;
}

static sg_status begin(struct search *s, struct sg_error *err)
{
    const struct sg_system *system = s->system;
    TRY(allocate(s, err));
    TRY(make_springs(s, err));
    memcpy(s->u, system->u0, s->n * sizeof *s->u);
    memcpy(s->start, system->u0, s->n * sizeof *s->u);
    sg_system_load(system, 0.0, s->f);
    s->changes = true; /* the first tangent in any case */
    renew(s);
    s->changes = system->elements.count > 0 || !s->set->affine || has_curves(s);
    find_stiffest(s);
    /* slips are measured against the way that the contacts keep the springs mu P from going */
    s->mu = (s->changes || s->rows > 1 ? STIFF : SOFT) * s->stiffest;
    return SG_OK;
}

static sg_status check_scope(const struct sg_equilibrium_spec *spec, struct sg_error *err)
{
    if (spec->system->constraints.affine || spec->system->constraints.count == 0) return SG_OK;
    sg_complain_about(spec->diagnostics, SG_ERROR, spec->node, "equilibrium",
                      "a static solution is not searched for in models with constraints that turn");
    sg_hint(spec->diagnostics, "models that have one: any bodies, elements, supports and contacts, with "
                               "constraints that are linear in the displacements or none");
    FAIL(err, SG_BAD_DECK, "no static solution of such constraints");
}

/* The forces that are not in balance where the frame stands, without those of bilateral constraints, into
 * s->residual, and the sizes of their parts into s->before; the square over P. */
static double unbalanced(struct search *s)
{
    size_t column = 0;
    double sum = 0.0;
    find_residual(s);
    for (size_t i = 0; i < s->n; i++) s->before[i] = fabs(s->f[i]) + fabs(s->residual[i] - s->f[i]);
    for (size_t a = 0; a < s->size; a++) {
        const struct sg_columns *w = column_of(s, a, &column);
        double force = a % s->rows == 0 ? force_of(s, a / s->rows) : s->r[a];
        sg_columns_add(w, column, force, s->residual);
        for (size_t k = w->start[column]; k < w->start[column + 1]; k++)
            s->before[w->row[k]] += fabs(w->value[k] * force);
    }
    for (size_t i = 0; i < s->n; i++) sum += s->residual[i] * s->residual[i] / s->hold.diag[i];
    return sum;
}

/* What is found balances by itself, whatever the search measured its steps by. Bilateral constraints have
 * forces that the search does not keep. */
static sg_status check_balance(struct search *s, struct sg_error *err)
{
    double sizes = 0.0;
    if (s->held.G.q > 0) return SG_OK;
    sg_contact_set_place(s->set, 0.0, s->u, &s->frame);
    double left = unbalanced(s);
    for (size_t i = 0; i < s->n; i++) sizes += s->before[i] * s->before[i] / s->hold.diag[i];
    if (left <= BALANCE * BALANCE * sizes) return SG_OK;
    FAIL(err, SG_NO_SOLUTION, "the search ended with %.2g of the forces not in balance", sqrt(left / sizes));
}

static void keep(struct search *s)
{
    struct sg_system *system = s->spec->system;
    memcpy(system->u0, s->u, s->n * sizeof *s->u);
    system->rests = true;
    for (size_t i = 0; i < s->n; i++) system->rests = system->rests && system->v0[i] == 0.0;
}

static sg_status run(struct search *s, struct sg_error *err)
{
    TRY(begin(s, err));
    TRY(search(s, err));
    TRY(check_balance(s, err));
    keep(s);
    return note_loose(s, err);
}

sg_status sg_equilibrium_find(const struct sg_equilibrium_spec *spec, struct sg_error *err)
{
    struct search s = {.spec = spec,
                       .system = spec->system,
                       .set = spec->contacts,
                       .n = spec->system->n,
                       .q = spec->contacts->q,
                       .rows = 1 + spec->contacts->tangents};
    s.size = s.q * s.rows;
    TRY(check_scope(spec, err));
    size_t errors = spec->diagnostics->errors;
    sg_status status = run(&s, err);
    sg_contact_frame_release(&s.frame);
    sg_constraint_frame_release(&s.held);
    sg_contact_solver_release(&s.solver);
    sg_arena_release(&s.arena);
    sg_arena_release(&s.pass);
    if (status != SG_NO_SOLUTION || spec->diagnostics->errors > errors) return status;
    sg_complain_about(spec->diagnostics, SG_ERROR, spec->node, "equilibrium",
                      "no static solution was found: %s", err->text);
    return SG_BAD_DECK;
}
