/* Time-stepping by the nonsmooth generalized-alpha method: the model's system, constraints and contacts as
 * the problem of nonsmooth_alpha.h. */
#include "strategies/generalized_alpha/stepping.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "integrators/alpha_scheme.h"
#include "model/constraint.h"
#include "model/tangent.h"
#include "strategies/generalized_alpha/curvature.h"

struct alpha_stepping {
    struct sg_time_stepping *ts;
    struct sg_ggl ggl;
    struct sg_ggl_problem problem;
    struct sg_curvature curvature;
    bool curved;                     /* it is that of the configuration evaluated last */
    struct sg_tangent tangent;       /* of nonlinear systems */
    double *load;                    /* n: at the end of the step at hand */
    double loaded;                   /* s: its time; NaN: none */
    double *bias;                    /* rows: scratch */
    double *middle, *inner, *still;  /* n: scratch; zeros */
    double *rounding;                /* rows, m or rad */
    double *dof_length, *row_length; /* n, bilateral: m by a unit of the dof, of the row */
    double *stored, *stored_before;  /* rows, N: what `a` holds of the multipliers, as the recursion */
    double *lam_before;              /* rows, N: at the start of the step at hand */
    double *given;                   /* rows, N s: impulses of the step at hand, smooth part included */
    bool starts;                     /* loads that jump count with the value after it */
};

/* --- the problem ---------------------------------------------------------------------------------- */

static void find_gaps(void *self, double t, const double *q)
{
    struct alpha_stepping *alpha = self;
    double *gap = alpha->problem.gap + alpha->problem.bilateral;
    for (size_t j = 0; j < alpha->problem.unilateral; j++)
        gap[j] = sg_contact_set_gap(alpha->ts->run.contacts, j, t, q);
}

static void evaluate(void *self, double t, const double *q)
{
    struct alpha_stepping *alpha = self;
    const struct sg_ggl_problem *p = &alpha->problem;
    const struct sg_run *run = &alpha->ts->run;
    alpha->curved = false;
    if (p->bilateral > 0) {
        struct sg_constraint_frame *frame = &alpha->ts->bilateral.frame;
        sg_constraints_evaluate(run->system, t, q, frame);
        memcpy(p->gap, frame->g, p->bilateral * sizeof(double));
        memcpy(p->drift, frame->drift, p->bilateral * sizeof(double));
    }
    if (p->unilateral == 0) return;
    struct sg_contact_frame *contacts = &alpha->ts->frame;
    sg_contact_set_place(run->contacts, t, q, contacts);
    memcpy(p->gap + p->bilateral, contacts->gap, p->unilateral * sizeof(double));
    memcpy(p->drift + p->bilateral, contacts->drift, p->unilateral * sizeof(double));
}

static const double *load_at(struct alpha_stepping *alpha, double t)
{
    struct sg_phase *phase = alpha->ts->run.phase;
    if (phase->steady) return phase->load;
    if (alpha->starts) return sg_phase_load(phase, t);
    if (alpha->loaded == t) return alpha->load;
    memcpy(alpha->load, sg_phase_load_before(phase, t), alpha->problem.n * sizeof(double));
    alpha->loaded = t;
    return alpha->load;
}

static void force(void *self, double t, const double *q, const double *v, double *f)
{
    struct alpha_stepping *alpha = self;
    const double *load = load_at(alpha, t);
    sg_system_internal(alpha->ts->run.system, t, q, v, f);
    for (size_t i = 0; i < alpha->problem.n; i++) f[i] = load[i] - f[i];
}

static void linearize(void *self, double t, const double *q, const double *v)
{
    struct alpha_stepping *alpha = self;
    sg_tangent_update(&alpha->tangent, alpha->ts->run.system, t, q, v);
}

/* Second derivatives are made once a configuration, and only where a tangent needs them. */
static void update_curvature(struct alpha_stepping *alpha)
{
    if (alpha->curved) return;
    sg_curvature_update(&alpha->curvature, alpha->ggl.t, alpha->ggl.q);
    alpha->curved = true;
}

static void differentiate_rates(void *self, const double *v, bool contacts)
{
    struct alpha_stepping *alpha = self;
    update_curvature(alpha);
    sg_curvature_rates(&alpha->curvature, alpha->ggl.t, v, contacts);
}

static void sum_second(void *self, const double *multiplier)
{
    struct alpha_stepping *alpha = self;
    update_curvature(alpha);
    sg_curvature_sum(&alpha->curvature, multiplier);
}

/* --- memory --------------------------------------------------------------------------------------- */

static sg_status init_curvature(struct alpha_stepping *alpha, struct sg_error *err)
{
    const struct sg_run *run = &alpha->ts->run;
    struct sg_ggl_problem *p = &alpha->problem;
    TRY(sg_curvature_init(&alpha->ts->arena, &alpha->curvature, run->system, run->contacts, p->rows, err));
    for (size_t k = 0; k < 2; k++) p->rate[k] = p->rows[k] == NULL ? NULL : &alpha->curvature.rate[k];
    p->second = &alpha->curvature.second;
    p->differentiate_rates = differentiate_rates;
    p->sum_second = sum_second;
    return SG_OK;
}

static sg_status init_matrices(struct alpha_stepping *alpha, struct sg_error *err)
{
    const struct sg_system *system = alpha->ts->run.system;
    struct sg_ggl_problem *p = &alpha->problem;
    p->linear = system->elements.count == 0;
    p->M = &system->M;
    p->K = &system->K;
    p->C = system->damped ? &system->C : NULL;
    if (p->linear) return SG_OK;
    TRY(sg_tangent_init(&alpha->ts->arena, &alpha->tangent, system, err));
    p->K = &alpha->tangent.K;
    p->C = &alpha->tangent.C;
    p->linearize = linearize;
    linearize(alpha, 0.0, system->u0, system->v0);
    return SG_OK;
}

/* A unit of row i is 1 m, or of an angle the least length of the rotations that it is made of. */
static double length_of_row(const struct alpha_stepping *alpha, const struct sg_columns *G, size_t i)
{
    const struct sg_system *system = alpha->ts->run.system;
    double least = HUGE_VAL;
    for (size_t k = G->start[i]; k < G->start[i + 1]; k++) {
        size_t dof = sg_columns_row(G, i, k);
        if (G->value[k] == 0.0) continue;
        if (system->modal != NULL || sg_system_axis(system, dof) != SG_ROTATION) return 1.0;
        least = fmin(least, alpha->dof_length[dof]);
    }
    return least < HUGE_VAL ? least : 1.0;
}

/* The problem is evaluated at its start. */
static sg_status init_lengths(struct alpha_stepping *alpha, struct sg_error *err)
{
    struct sg_arena *arena = &alpha->ts->arena;
    struct sg_ggl_problem *p = &alpha->problem;
    TRY(SG_ARENA_NEW(arena, &alpha->dof_length, p->n, err));
    TRY(SG_ARENA_NEW(arena, &alpha->row_length, p->bilateral, err));
    sg_system_dof_lengths(alpha->ts->run.system, alpha->dof_length);
    for (size_t i = 0; i < p->bilateral; i++) alpha->row_length[i] = length_of_row(alpha, p->rows[0], i);
    p->dof_length = alpha->dof_length;
    p->row_length = alpha->row_length;
    return SG_OK;
}

static sg_status init_problem(struct alpha_stepping *alpha, struct sg_error *err)
{
    struct sg_time_stepping *ts = alpha->ts;
    const struct sg_run *run = &ts->run;
    struct sg_ggl_problem *p = &alpha->problem;
    *p = (struct sg_ggl_problem){.n = ts->n,
                                 .bilateral = run->system->constraints.count,
                                 .unilateral = ts->q,
                                 .tangents = ts->rows - 1,
                                 .laws = run->contacts->laws,
                                 .friction = run->contacts->friction,
                                 .affine = run->system->constraints.affine && run->contacts->affine,
                                 .self = alpha,
                                 .evaluate = evaluate,
                                 .find_gaps = find_gaps,
                                 .force = force};
    struct sg_arena *arena = &ts->arena;
    size_t rows = p->bilateral + p->unilateral;
    TRY(SG_ARENA_NEW(arena, &p->gap, rows, err));
    TRY(SG_ARENA_NEW(arena, &p->drift, rows, err));
    TRY(SG_ARENA_NEW(arena, &alpha->bias, rows, err));
    TRY(SG_ARENA_NEW(arena, &alpha->stored, rows, err));
    TRY(SG_ARENA_NEW(arena, &alpha->stored_before, rows, err));
    TRY(SG_ARENA_NEW(arena, &alpha->lam_before, rows, err));
    TRY(SG_ARENA_NEW(arena, &alpha->given, rows, err));
    TRY(SG_ARENA_NEW(arena, &alpha->rounding, rows, err));
    for (size_t i = 0; i < p->bilateral; i++)
        alpha->rounding[i] = DBL_EPSILON * sg_constraints_size(run->system, i, 0.0, run->system->u0);
    for (size_t j = 0; j < ts->q; j++)
        alpha->rounding[p->bilateral + j] = sg_contact_set_rounding(run->contacts, j, 0.0, run->system->u0);
    p->rounding = alpha->rounding;
    TRY(SG_ARENA_NEW(arena, &alpha->load, ts->n, err));
    TRY(SG_ARENA_NEW(arena, &alpha->middle, ts->n, err));
    TRY(SG_ARENA_NEW(arena, &alpha->inner, ts->n, err));
    TRY(SG_ARENA_NEW(arena, &alpha->still, ts->n, err));
    p->rows[0] = p->bilateral > 0 ? &ts->bilateral.frame.G : NULL;
    p->rows[1] = ts->q > 0 ? ts->frame.normal : NULL;
    p->tangent = ts->frame.tangent;
    evaluate(alpha, 0.0, run->system->u0);
    TRY(init_lengths(alpha, err));
    if (!p->affine) TRY(init_curvature(alpha, err));
    return init_matrices(alpha, err);
}

/* SG_BAD_DECK where the deck's solver is not the one that the model allows */
static sg_status check_solver(const struct alpha_stepping *alpha, const struct sg_setting *node,
                              struct sg_error *err)
{
    enum sg_ggl_method wanted = alpha->ggl.spec.method;
    if (wanted == SG_GGL_AUTO || wanted == alpha->ggl.method) return SG_OK;
    sg_complain_about(
        alpha->ts->run.diagnostics, SG_ERROR, node, "solver",
        "\"%s\" needs level = \"both\", the monolithic form and the standard variant, no friction, "
        "mass in every dof, and constraints and contacts that don't turn or move%s",
        wanted == SG_GGL_CONDENSED ? "condensed" : "schur",
        wanted == SG_GGL_CONDENSED ? "; and no nonlinear elements" : "");
    FAIL(err, SG_BAD_DECK, "the deck can't be run by time-stepping");
}

/* Index 3 without numerical damping: with rho_inf = 1 the recursion is the trapezoidal rule in vd, and
 * q = q_n = 0 asks for v = -v_n. The velocity of a constraint turns its sign in every step, its force grows
 * by it. A contact that rests has its force from the start, but one that an impact has closed is thrown open
 * again. */
static sg_status check_damping(const struct alpha_stepping *alpha, struct sg_error *err)
{
    const struct sg_run *run = &alpha->ts->run;
    const struct sg_ggl_spec *spec = &alpha->ggl.spec;
    const struct sg_setting *node = sg_setting_child(sg_deck_root(run->deck), "integrator");
    if (alpha->ggl.level->jumps || spec->af < 0.5) return SG_OK;
    if (alpha->problem.bilateral == 0) {
        sg_complain_about(
            run->diagnostics, SG_WARNING, node, "rho_inf",
            "at level \"position\" and without numerical damping a contact that an impact closes is thrown "
            "open "
            "again, for its velocity turns its sign in the next step: 1 is for contacts that rest");
        return SG_OK;
    }
    sg_complain_about(run->diagnostics, SG_ERROR, node, "rho_inf",
                      "at level \"position\" forces of bilateral constraints grow from step to step without "
                      "numerical damping: rho_inf must be below 1");
    FAIL(err, SG_BAD_DECK, "the deck can't be run by time-stepping");
}

sg_status sg_stepping_alpha_init(struct sg_time_stepping *ts, const struct sg_setting *node,
                                 struct sg_error *err)
{
    static const enum sg_ggl_level levels[] = {SG_GGL_VELOCITY, SG_GGL_POSITION, SG_GGL_BOTH};
    const struct sg_alpha_scheme *scheme = sg_generalized_alpha_scheme(ts->run.integrator);
    struct alpha_stepping *alpha = NULL;
    TRY(SG_ARENA_NEW(&ts->arena, &alpha, 1, err));
    ts->scheme_data = alpha;
    alpha->ts = ts;
    alpha->loaded = NAN;
    TRY(init_problem(alpha, err));
    struct sg_ggl_spec spec = {.am = scheme->am,
                               .af = scheme->af,
                               .beta = scheme->beta,
                               .gamma = scheme->gamma,
                               .level = levels[ts->spec.level],
                               .coupling = (enum sg_ggl_coupling)ts->spec.coupling,
                               .variant = (enum sg_ggl_variant)ts->spec.variant,
                               .method = (enum sg_ggl_method)ts->spec.solver,
                               .tolerance = ts->spec.residual,
                               .max_iterations = ts->spec.max_iterations};
    TRY(sg_ggl_init(&ts->arena, &alpha->ggl, &alpha->problem, &spec, err));
    ts->smooth = alpha->ggl.lam;
    if (alpha->ggl.level->corrects) ts->correction = alpha->ggl.nu;
    ts->given = alpha->given + alpha->problem.bilateral;
    ts->remembers = !alpha->ggl.level->jumps;
    TRY(check_damping(alpha, err));
    return check_solver(alpha, node, err);
}

/* --- a run ---------------------------------------------------------------------------------------- */

/* d2g/dt2 at a = 0 of contacts: the rate G v + g_t at three places of the motion q + s v, by a parabola
 * through them, to the second order as the scheme. */
static void find_contact_bias(struct alpha_stepping *alpha, const struct sg_state *state, double h)
{
    static const double weight[] = {-3.0, 4.0, -1.0};
    const struct sg_ggl_problem *p = &alpha->problem;
    struct sg_contact_frame *frame = &alpha->ts->frame;
    double *bias = alpha->bias + p->bilateral;
    memset(bias, 0, p->unilateral * sizeof *bias);
    for (size_t k = 0; k < 3 && !alpha->ts->run.contacts->affine; k++) {
        double s = 0.5 * h * (double)k;
        for (size_t i = 0; i < p->n; i++) alpha->middle[i] = state->u[i] + s * state->v[i];
        sg_contact_set_place(alpha->ts->run.contacts, s, alpha->middle, frame);
        for (size_t j = 0; j < p->unilateral; j++)
            bias[j] += weight[k] / h * (sg_columns_dot(frame->normal, j, state->v) + frame->drift[j]);
    }
}

static sg_status begin(struct sg_time_stepping *ts, struct sg_state *state, struct sg_error *err)
{
    struct alpha_stepping *alpha = ts->scheme_data;
    double h = sg_clock_whole_step(&ts->clock, 0);
    struct sg_ggl_start start = {0.0, h, state->u, state->v, alpha->bias};
    sg_constraints_bias(ts->run.system, 0.0, state->u, state->v, alpha->bias);
    if (!alpha->ggl.level->jumps) find_contact_bias(alpha, state, h);
    alpha->starts = true;
    sg_status status = sg_ggl_begin(&alpha->ggl, &start, state->a, err);
    alpha->starts = false;
    if (status != SG_OK) return status;
    memcpy(alpha->stored_before, alpha->ggl.lam, alpha->ggl.rows * sizeof(double));
    memcpy(alpha->lam_before, alpha->ggl.lam, alpha->ggl.rows * sizeof(double));
    return SG_OK;
}

/* A multiplier reaches the velocity by the recursion of `a`, over many steps after its own: with the part s
 * of it that `a` holds,
 *
 *     (1 - am) s + am s_n = (1 - af) lam + af lam_n,     h ((1 - gamma) s_n + gamma s)
 *
 * is what the step gives, beside the impulse of the jump: a = M^-1 (f + G^T s) obeys the recursion of `a` for
 * f and for G^T lam apart, so that the sum of both sides is M (v - v_n) where G stays. */
static void add_up_multipliers(struct alpha_stepping *alpha, double h)
{
    const struct sg_ggl *ggl = &alpha->ggl;
    const struct sg_ggl_spec *spec = &ggl->spec;
    struct sg_bilateral *bilateral = &alpha->ts->bilateral;
    /* rows behind these have impulses alone */
    size_t smooth = !ggl->level->jumps ? ggl->rows : ggl->level->holds ? alpha->problem.bilateral : 0;
    for (size_t i = 0; i < smooth; i++) {
        double before = alpha->stored_before[i];
        alpha->stored[i] =
            ((1.0 - spec->af) * ggl->lam[i] + spec->af * alpha->lam_before[i] - spec->am * before) /
            (1.0 - spec->am);
        alpha->given[i] = ggl->Lam[i] + h * ((1.0 - spec->gamma) * before + spec->gamma * alpha->stored[i]);
    }
    for (size_t i = smooth; i < ggl->rows; i++) alpha->given[i] = ggl->Lam[i];
    for (size_t i = 0; i < alpha->problem.bilateral; i++) {
        bilateral->mu[i] = alpha->given[i];
        bilateral->drift_before[i] = ggl->drift0[i];
    }
}

/* Keeps the impulses of the contacts, normal and tangents, as the strategy reads them. */
static void keep_impulses(struct sg_time_stepping *ts, double h)
{
    const struct alpha_stepping *alpha = ts->scheme_data;
    const struct sg_ggl *ggl = &alpha->ggl;
    bool position = !ggl->level->jumps;
    for (size_t j = 0; j < ts->q; j++) {
        size_t row = alpha->problem.bilateral + j;
        double *r = ts->r + j * ts->rows;
        r[0] = position ? h * ggl->lam[row] : ggl->Lam[row];
        for (size_t k = 1; k < ts->rows; k++) r[k] = ggl->LamT[j * (ts->rows - 1) + k - 1];
    }
    ts->touched = false;
    for (size_t k = 0; k < ts->q * ts->rows; k++) {
        ts->total[k] = ts->r[k];
        ts->touched = ts->touched || ts->r[k] != 0.0;
    }
}

static sg_status take(struct sg_time_stepping *ts, struct sg_stepping *step, struct sg_error *err)
{
    struct alpha_stepping *alpha = ts->scheme_data;
    const struct sg_state *from = &ts->from;
    struct sg_span span = step->attempt.span;
    struct sg_ggl_span ends = {span.t, span.h, from->u, from->v, from->a, ts->to.u, ts->to.v, ts->to.a};
    const struct sg_ggl_counts before = alpha->ggl.counts, *now = &alpha->ggl.counts;
    step->attempt.to = &ts->to;
    sg_status status = sg_ggl_step(&alpha->ggl, &ends, err);
    ts->newton += now->newton - before.newton;
    if (now->newton - before.newton > ts->newton_most) ts->newton_most = now->newton - before.newton;
    ts->run.phase->counts.solves += now->solves - before.solves;
    ts->run.phase->counts.factorizations += now->factorizations - before.factorizations;
    if (status != SG_OK) {
        struct sg_error why = *err;
        FAIL(err, status, "at step %lld, t = %.17g s: %s", ts->steps + 1, span.t, why.text);
    }
    keep_impulses(ts, span.h);
    struct sg_contact_report report = {0};
    report.residual = sg_ggl_contact_residual(&alpha->ggl, &report.scale);
    sg_stepping_keep_report(ts, &report);
    add_up_multipliers(alpha, span.h);
    return SG_OK;
}

/* By the mean of the load at both ends: that of the recursion of `a`, (1 - af) f_{n+1} + af f_n, is of the
 * time for which `a` stands, (af - am) h beside the step, and would be of first order. */
static struct sg_work work(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    const struct alpha_stepping *alpha = ts->scheme_data;
    const struct sg_attempt *at = &step->attempt;
    if (!alpha->problem.linear)
        return sg_work_simpson(ts->run.integrator, ts->run.phase, at->from, at->span, at->to);
    return sg_work_average(ts->run.integrator, ts->run.phase, at->from, at->span, at->to);
}

/* The work of the jump: an impulse acts from v~ to v, both in the rows of the step's end, and does the work
 * of the mean of their rates. What of that is in no account: of contacts, which are accounted with the rate
 * at the step's start; of both, with the mean of their drifts. */
static double jump_work(const struct sg_time_stepping *ts)
{
    const struct alpha_stepping *alpha = ts->scheme_data;
    const struct sg_ggl_problem *p = &alpha->problem;
    const struct sg_ggl *ggl = &alpha->ggl;
    double work = 0.0;
    for (size_t j = 0; j < ggl->rows; j++) {
        if (ggl->Lam[j] == 0.0) continue;
        double accounted =
            j < p->bilateral ? -ggl->rate1[j] - ggl->drift0[j] : ggl->rate0[j] - ggl->drift0[j];
        work += 0.5 * ggl->Lam[j] * (sg_ggl_smooth_rate(ggl, j) - accounted);
    }
    for (size_t k = 0; k < p->unilateral * p->tangents; k++)
        if (ggl->LamT[k] != 0.0)
            work += 0.5 * ggl->LamT[k] *
                    (sg_columns_dot(p->tangent, k, ggl->vt) - sg_columns_dot(p->tangent, k, ts->from.v));
    return work;
}

/* Where M vd = f at both ends, U = M^-1 G^T nu and G never changes, U . (-f) is -nu . G vd: the multipliers
 * alone give the work. */
static double condensed_work(const struct sg_ggl *ggl)
{
    double work = 0.0;
    for (size_t j = 0; j < ggl->rows; j++)
        if (ggl->nu[j] != 0.0)
            work -= 0.5 * ggl->nu[j] * (sg_ggl_dot(ggl, j, ggl->vd0) + sg_ggl_dot(ggl, j, ggl->vd));
    return work;
}

/* What positions that were put right, q~ to q, did against the forces: by their mean over the step, as the
 * smooth motion has the work of its own way, since it takes forces at q too. Dampers have an account. */
static double correction_work(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    struct alpha_stepping *alpha = ts->scheme_data;
    struct sg_ggl *ggl = &alpha->ggl;
    const struct sg_span span = step->attempt.span;
    if (ggl->method == SG_GGL_CONDENSED && alpha->problem.bilateral == 0 && alpha->problem.C == NULL)
        return condensed_work(ggl);
    if (!sg_ggl_corrects(ggl)) return 0.0;
    const double *load = load_at(alpha, span.t + span.h);
    double work = 0.0;
    for (size_t i = 0; i < ggl->n; i++) alpha->middle[i] = 0.5 * (ts->from.u[i] + ts->to.u[i]);
    sg_system_internal(ts->run.system, span.t + 0.5 * span.h, alpha->middle, alpha->still, alpha->inner);
    for (size_t i = 0; i < ggl->n; i++) work += ggl->U[i] * (alpha->inner[i] - load[i]);
    return work;
}

/* Impulses by the mean of the rates before and after: what impacts and friction take, what moving obstacles
 * give. At position level no law of impact acts: what a step gains or loses there is the scheme's. */
static void account_contact(struct sg_time_stepping *ts, size_t j)
{
    const struct alpha_stepping *alpha = ts->scheme_data;
    const struct sg_ggl_problem *p = &alpha->problem;
    const struct sg_ggl *ggl = &alpha->ggl;
    size_t row = p->bilateral + j;
    double r = ts->r[j * ts->rows];
    if (r == 0.0) return;
    if (!ggl->level->jumps) return;
    ts->accounts.external -= 0.5 * r * (ggl->drift0[row] + ggl->drift1[row]);
    ts->accounts.dissipated -= 0.5 * r * (ggl->rate0[row] + ggl->rate1[row]);
    for (size_t k = 0; k < p->tangents; k++) {
        size_t column = j * p->tangents + k;
        double both =
            sg_columns_dot(p->tangent, column, ts->from.v) + sg_columns_dot(p->tangent, column, ts->to.v);
        double work = 0.5 * ggl->LamT[column] * both;
        ts->accounts.dissipated -= work;
        ts->accounts.friction -= work;
    }
}

/* The forces told are those at the end of the step, the blow spread over it; impulses are the recursion's. */
static void tell_constraint_forces(struct sg_time_stepping *ts, double h)
{
    const struct alpha_stepping *alpha = ts->scheme_data;
    for (size_t i = 0; i < alpha->problem.bilateral; i++)
        ts->bilateral.force[i] = alpha->ggl.Lam[i] / h + alpha->ggl.lam[i];
}

static void account(struct sg_time_stepping *ts, const struct sg_stepping *step)
{
    const struct alpha_stepping *alpha = ts->scheme_data;
    tell_constraint_forces(ts, step->attempt.span.h);
    for (size_t j = 0; j < ts->q; j++) account_contact(ts, j);
    if (!alpha->ggl.level->jumps) {
        ts->accounts.external += sg_stepping_obstacle_work(ts, step);
        return;
    }
    ts->accounts.projection += jump_work(ts) + correction_work(ts, step);
}

static void accept(struct sg_time_stepping *ts)
{
    struct alpha_stepping *alpha = ts->scheme_data;
    double *kept = alpha->stored_before;
    alpha->stored_before = alpha->stored;
    alpha->stored = kept;
    memcpy(alpha->lam_before, alpha->ggl.lam, alpha->ggl.rows * sizeof(double));
    sg_ggl_accept(&alpha->ggl);
}

static void archive(struct sg_time_stepping *ts, struct sg_archive *store)
{
    struct alpha_stepping *alpha = ts->scheme_data;
    struct sg_ggl *ggl = &alpha->ggl;
    size_t m = ggl->rows * sizeof(double), tangents = ts->q * (ts->rows - 1) * sizeof(double);
    sg_archive_bytes(store, ggl->vd0, ggl->n * sizeof(double));
    sg_archive_bytes(store, ggl->rate0, m);
    sg_archive_bytes(store, ggl->drift0, m);
    sg_archive_bytes(store, ggl->lam, m);
    sg_archive_bytes(store, ggl->nu, m + tangents);
    sg_archive_bytes(store, ggl->Lam, m + tangents);
    sg_archive_bytes(store, ggl->stuck, ts->q);
    sg_archive_bytes(store, ggl->U, ggl->n * sizeof(double));
    sg_archive_bytes(store, ggl->W, ggl->n * sizeof(double));
    SG_ARCHIVE(store, ggl->lasting);
    SG_ARCHIVE(store, ggl->pushing);
    SG_ARCHIVE(store, ggl->scale.speed);
    sg_archive_bytes(store, alpha->stored_before, m);
    sg_archive_bytes(store, alpha->lam_before, m);
    alpha->loaded = NAN;
}

const struct sg_stepping_scheme sg_stepping_alpha = {
    .iterates = true,
    .leaves_frame = true,
    .begin = begin,
    .take = take,
    .work = work,
    .account = account,
    .accept = accept,
    .archive = archive,
};
