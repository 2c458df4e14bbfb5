/* The nodal boundary method of Urman and Legrand 2023 as a strategy. The contact node N is no unknown: shape
 * functions that satisfy the boundary condition of the phase carry it along,
 *
 *     inactive:  u_N = S(u_o) = -sum_i phi_i'(1) u_i / phi_N'(1)     free end, eq. (28),
 *     active:    u_N = g                                             held end, eq. (36),
 *
 * which leaves two smooth systems in the internal dofs u_o, M_N u_o'' + K_N u_o = 0 and M_D u_o'' + K_D u_o
 * + g f_D = 0 (eqs. (35), (43)). S(u_o) - g is the switching function: the phase changes where it passes 0
 * (eq. (44)), so the loop, the clock and the localisation are those of the event-driven strategy, with the
 * switching function in the place of the gap. There is no impact law: u_o and v_o go on, u_N' jumps with the
 * shape functions, and the energy by eq. (54). */
#include "strategies/nbm/nbm.h"

#include <math.h>
#include <string.h>

#include "strategies/grid.h"
#include "strategies/kinds.h"
#include "support/memory.h"

enum switching { LOCATED, STEP_END };

static const struct sg_keyword rows[] = {
    {.name = "switching",
     .type = SG_CHOICE,
     .meaning = "where the phase changes: located in time, or at the end of the step in which the switching "
                "function passes 0, by a step that leaves by one phase and arrives by the other",
     .fallback = "\"located\"",
     .choices = "located|step-end",
     .offset = offsetof(struct sg_nbm_spec, switching)},
    {.name = "gap_tolerance",
     .type = SG_REAL,
     .unit = "m",
     .meaning =
         "a change of phase is located when the switching function has passed 0 by less than twice this",
     .fallback = "1.0e-13",
     .range = SG_POSITIVE,
     .offset = offsetof(struct sg_nbm_spec, event.gap_tolerance)},
    {.name = "time_tolerance",
     .type = SG_REAL,
     .unit = "s",
     .meaning = "a change of phase is located at most this long after its predicted time",
     .fallback = "1.0e-13",
     .range = SG_POSITIVE,
     .offset = offsetof(struct sg_nbm_spec, event.time_tolerance)},
    {.name = "max_iterations",
     .type = SG_INTEGER,
     .meaning = "localisation trials on the interpolant before bisection takes over",
     .fallback = "50",
     .range = SG_BETWEEN(1, 10000),
     .offset = offsetof(struct sg_nbm_spec, event.max_iterations)},
    {.name = "residual",
     .type = SG_BOOL,
     .meaning = "sum up the residual estimator over the run, for /summary: models without loads",
     .fallback = "false",
     .offset = offsetof(struct sg_nbm_spec, residual)},
    {0}};

/* --- what the loop asks for ----------------------------------------------------------------------- */

static enum sg_nodal_phase phase_of(const struct sg_event_driven *ed)
{
    return ed->status[0] ? SG_ACTIVE : SG_INACTIVE;
}

static void select_phase(void *self, struct sg_event_driven *ed)
{
    struct sg_nbm *nbm = self;
    nbm->now = phase_of(ed);
    ed->run = nbm->phases[nbm->now].run;
}

/* Internal displacements and velocities go on (eq. (47)); the end's velocity jumps from S(v_o) to 0 or back,
 * and with it the energy (eq. (54)). In modal coordinates each phase has modes of its own: the state goes
 * through nodes. */
static void change(void *self, struct sg_event_driven *ed, double t, struct sg_event_point *at)
{
    struct sg_nbm *nbm = self;
    enum sg_nodal_phase from = nbm->now, to = phase_of(ed);
    double *x = nbm->scratch[2], *v = nbm->scratch[3], before = sg_nbm_total(nbm, from, t, &at->x);
    sg_nbm_to_nodal(nbm, from, at->x.u, x);
    sg_nbm_to_nodal(nbm, from, at->x.v, v);
    select_phase(nbm, ed);
    sg_nbm_from_nodal(nbm, to, x, at->x.u);
    sg_nbm_from_nodal(nbm, to, v, at->x.v);
    sg_contact_set_gaps(ed->run.contacts, at->x.u, at->x.v, at->gap, at->rate);
    /* a phase that the run begins in is no jump */
    if (t > 0.0) nbm->switching += sg_nbm_total(nbm, to, t, &at->x) - before;
}

/* Expands a state of the present phase to all free dofs, the contact node by eq. (28) or (36). */
static void expand(struct sg_nbm *nbm, const struct sg_state *at, double *u, double *v)
{
    double *x = nbm->scratch[0];
    sg_nbm_to_nodal(nbm, nbm->now, at->u, x);
    sg_nodal_boundary_expand(nbm->boundary, nbm->now, x, 0, u);
    sg_nbm_to_nodal(nbm, nbm->now, at->v, x);
    sg_nodal_boundary_expand(nbm->boundary, nbm->now, x, 1, v);
}

/* The phases know the motions of supports as loads only. */
static double support_work(void *self, struct sg_event_driven *ed, double h, const struct sg_event_point *to)
{
    struct sg_nbm *nbm = self;
    if (nbm->run.system->motion_count == 0) return 0.0;
    double *const *ends = nbm->ends;
    expand(nbm, &ed->from.x, ends[0], ends[1]);
    expand(nbm, &to->x, ends[2], ends[3]);
    struct sg_step_ends step = {ed->t, ed->t + h, ends[0], ends[1], ends[2], ends[3]};
    return sg_system_support_work(nbm->run.system, &step);
}

static sg_status residual_at(struct sg_nbm *nbm, double t, const struct sg_event_point *at, double *residual,
                             struct sg_error *err)
{
    expand(nbm, &at->x, nbm->ends[2], nbm->ends[3]);
    struct sg_nbm_motion motion = {t, nbm->ends[2], nbm->ends[3]};
    return sg_nbm_residual(nbm, nbm->now, &motion, residual, err);
}

/* Adds the step's part of eq. (63) by Simpson's rule: phases, and so the integrand, change between steps
 * only. */
static sg_status account(void *self, struct sg_event_driven *ed, double h, struct sg_error *err)
{
    struct sg_nbm *nbm = self;
    double r[3] = {0.0};
    nbm->switching_start = nbm->switching;
    if (nbm->spec.residual != 1) return SG_OK;
    TRY(residual_at(nbm, ed->t, &ed->from, &r[0], err));
    TRY(sg_event_trial(ed, 0.5 * h, &ed->sample, err));
    TRY(residual_at(nbm, ed->t + 0.5 * h, &ed->sample, &r[1], err));
    TRY(residual_at(nbm, ed->t + h, &ed->to, &r[2], err));
    nbm->residual += h / 6.0 * (r[0] + 4.0 * r[1] + r[2]);
    return SG_OK;
}

static void show(void *self, struct sg_event_driven *ed, const struct sg_event_point *at,
                 struct sg_snapshot *now)
{
    struct sg_nbm *nbm = self;
    bool inside = at == &ed->sample;
    struct sg_nbm_view *view = &nbm->view[inside];
    expand(nbm, &at->x, view->u, view->v);
    view->gap = nbm->now == SG_ACTIVE ? 0.0 : at->gap[0];
    now->u = view->u;
    now->v = view->v;
    now->gap = &view->gap;
    now->contact_energy = 0.0; /* the stress on the end is strain of the body */
    now->switching = inside ? nbm->switching_start : nbm->switching;
}

/* --- making it ------------------------------------------------------------------------------------ */

static sg_status complain(const struct sg_nbm *nbm, const char *text, struct sg_error *err)
{
    const struct sg_setting *root = sg_deck_root(nbm->run.deck), *list = sg_setting_child(root, "contacts");
    bool some = nbm->run.contacts->q > 0;
    sg_complain(nbm->run.diagnostics, SG_ERROR,
                some ? sg_setting_item(list, nbm->run.contacts->entry[0]) : root, "%s", text);
    FAIL(err, SG_BAD_DECK, "%s", text);
}

bool sg_nbm_contact(const struct sg_contact_set *set, struct sg_nodal_contact *contact)
{
    size_t entries = 0;
    *contact = (struct sg_nodal_contact){.name = set->names[0], .gap = set->offset[0]};
    for (size_t k = set->w.start[0]; k < set->w.start[1]; k++) {
        if (set->w.value[k] == 0.0) continue;
        contact->dof = set->w.row[k];
        contact->weight = set->w.value[k];
        entries++;
    }
    return entries == 1;
}

static sg_status find_contact(const struct sg_nbm *nbm, struct sg_nodal_contact *contact,
                              struct sg_error *err)
{
    if (nbm->run.contacts->q != 1)
        return complain(nbm, "strategy 'nbm' takes one contact: it has one active and one inactive phase",
                        err);
    if (sg_nbm_contact(nbm->run.contacts, contact)) return SG_OK;
    return complain(nbm, "strategy 'nbm' takes a contact of one free node against a fixed obstacle", err);
}

static sg_status create_boundary(struct sg_nbm *nbm, struct sg_error *err)
{
    struct sg_nodal_contact contact = {0};
    TRY(find_contact(nbm, &contact, err));
    sg_status status = sg_nodal_boundary_create(nbm->run.system, &contact, &nbm->boundary, err);
    if (status != SG_BAD_DECK) return status;
    struct sg_error why = *err;
    return complain(nbm, why.text, err);
}

static sg_status allocate(struct sg_nbm *nbm, struct sg_error *err)
{
    const struct sg_system *system = nbm->run.system;
    for (size_t k = 0; k < 6; k++) TRY(SG_NEW(&nbm->scratch[k], nbm->boundary->m, err));
    for (size_t k = 0; k < 4; k++) TRY(SG_NEW(&nbm->ends[k], system->n, err));
    for (size_t k = 0; k < 3; k++) TRY(SG_NEW(&nbm->full[k], system->n_full, err));
    for (size_t k = 0; k < 2; k++) {
        TRY(SG_NEW(&nbm->view[k].u, system->n, err));
        TRY(SG_NEW(&nbm->view[k].v, system->n, err));
    }
    return SG_OK;
}

static sg_status check_keywords(const struct sg_nbm *nbm, const struct sg_setting *node, struct sg_error *err)
{
    struct sg_diagnostics *diagnostics = nbm->run.diagnostics;
    const struct sg_system *system = nbm->run.system;
    size_t errors = diagnostics->errors;
    if (nbm->spec.switching == STEP_END && nbm->run.cell->step != SG_STEP_SWITCHED)
        sg_complain_about(
            diagnostics, SG_ERROR, node, "switching",
            "\"step-end\" needs the trapezoidal rule: integrator '%s' locates the instants of its switches",
            nbm->run.integrator->ops->kind.name);
    if (nbm->spec.residual == 1 && (system->load_count > 0 || !system->weightless))
        sg_complain_about(diagnostics, SG_ERROR, node, "residual",
                          "is the estimator of free motion, and the model has loads or supports that move");
    if (diagnostics->errors == errors) return SG_OK;
    FAIL(err, SG_BAD_DECK, "the deck's strategy is wrong");
}

/* No phase has a higher frequency than the model without its contact. */
static sg_status find_steps(const struct sg_nbm *nbm, struct sg_step_sizes *sizes, struct sg_error *err)
{
    const struct sg_contact_set none = {.q = 0};
    struct sg_run run = nbm->run;
    run.contacts = &none;
    return sg_step_sizes_init(&run, sizes, err);
}

static sg_status create(struct sg_strategy *self, const struct sg_setting *node, const struct sg_run *run,
                        struct sg_error *err)
{
    struct sg_nbm *nbm = NULL;
    struct sg_step_sizes sizes;
    TRY(SG_NEW(&nbm, 1, err));
    self->data = nbm;
    nbm->run = *run;
    sg_setting_fill(node, rows, &nbm->spec);
    TRY(check_keywords(nbm, node, err));
    TRY(create_boundary(nbm, err));
    TRY(allocate(nbm, err));
    TRY(sg_nbm_phases_create(nbm, err));
    TRY(find_steps(nbm, &sizes, err));
    for (size_t k = 0; k < SG_NODAL_PHASES; k++) TRY(sg_step_sizes_try(&nbm->phases[k].run, &sizes, err));
    nbm->dynamics =
        (struct sg_event_dynamics){.self = nbm,
                                   .select = select_phase,
                                   .change = change,
                                   .support_work = support_work,
                                   .account = account,
                                   .show = show,
                                   .cross = nbm->spec.switching == STEP_END ? sg_nbm_cross : NULL};
    return sg_event_driven_create(&nbm->phases[SG_INACTIVE].run, &nbm->spec.event, &sizes, &nbm->dynamics,
                                  &nbm->ed, err);
}

static void destroy(struct sg_strategy *self)
{
    struct sg_nbm *nbm = self->data;
    if (nbm == NULL) return;
    sg_event_driven_destroy(nbm->ed);
    sg_nbm_phases_destroy(nbm);
    sg_nodal_boundary_destroy(nbm->boundary);
    for (size_t k = 0; k < 6; k++) sg_free(nbm->scratch[k]);
    for (size_t k = 0; k < 4; k++) sg_free(nbm->ends[k]);
    for (size_t k = 0; k < 3; k++) sg_free(nbm->full[k]);
    for (size_t k = 0; k < 2; k++) {
        sg_free(nbm->view[k].u);
        sg_free(nbm->view[k].v);
    }
    sg_free(nbm);
    self->data = NULL;
}

/* --- running -------------------------------------------------------------------------------------- */

/* the loop, as its own strategy's functions take it */
static struct sg_strategy loop_of(const struct sg_strategy *self)
{
    const struct sg_nbm *nbm = self->data;
    return (struct sg_strategy){.ops = &sg_strategy_event_driven, .data = nbm->ed};
}

/* The deck's displacement of the end does not count: it follows from the others. */
static sg_status initial_energy(struct sg_strategy *self, double *total, struct sg_error *err)
{
    struct sg_nbm *nbm = self->data;
    struct sg_event_driven *ed = nbm->ed;
    bool closed = false;
    sg_event_begin(ed);
    TRY(sg_event_closed_at_start(ed, 0, &closed, err));
    *total = sg_nbm_total(nbm, SG_INACTIVE, 0.0, &ed->from.x);
    if (!closed) return SG_OK;
    double *x = nbm->scratch[2], *v = nbm->scratch[3];
    sg_nbm_to_nodal(nbm, SG_INACTIVE, ed->from.x.u, x);
    sg_nbm_to_nodal(nbm, SG_INACTIVE, ed->from.x.v, v);
    sg_nbm_from_nodal(nbm, SG_ACTIVE, x, ed->to.x.u);
    sg_nbm_from_nodal(nbm, SG_ACTIVE, v, ed->to.x.v);
    *total = sg_nbm_total(nbm, SG_ACTIVE, 0.0, &ed->to.x);
    return SG_OK;
}

static sg_status start(struct sg_strategy *self, struct sg_error *err)
{
    struct sg_strategy loop = loop_of(self);
    return loop.ops->start(&loop, err);
}

static sg_status advance(struct sg_strategy *self, bool *done, struct sg_error *err)
{
    struct sg_strategy loop = loop_of(self);
    return loop.ops->advance(&loop, done, err);
}

static double now(const struct sg_strategy *self)
{
    struct sg_strategy loop = loop_of(self);
    return loop.ops->now(&loop);
}

static size_t closed(const struct sg_strategy *self)
{
    struct sg_strategy loop = loop_of(self);
    return loop.ops->closed(&loop);
}

static void archive(struct sg_strategy *self, struct sg_archive *store)
{
    struct sg_nbm *nbm = self->data;
    struct sg_strategy loop = loop_of(self);
    loop.ops->archive(&loop, store);
    SG_ARCHIVE(store, nbm->switching);
    SG_ARCHIVE(store, nbm->residual);
}

static void summarize(const struct sg_strategy *self, struct sg_summary *summary)
{
    const struct sg_nbm *nbm = self->data;
    struct sg_strategy loop = loop_of(self);
    loop.ops->summarize(&loop, summary);
    summary->residual_error = nbm->residual;
}

static struct sg_effective_counts counts(const struct sg_strategy *self)
{
    const struct sg_nbm *nbm = self->data;
    struct sg_effective_counts sum = {0};
    for (size_t k = 0; k < SG_NODAL_PHASES; k++) {
        struct sg_effective_counts one = sg_phase_counts(&nbm->phases[k].smooth);
        sum.factorizations += one.factorizations;
        sum.solves += one.solves;
    }
    return sum;
}

const struct sg_strategy_ops sg_strategy_nbm = {
    .kind = {"nbm",
             "nodal boundary method: two sets of shape functions, by the stress on an end (Urman 2023)",
             rows},
    .needs_fixed_contacts = true,
    .own_systems = true,
    .create = create,
    .destroy = destroy,
    .initial_energy = initial_energy,
    .register_quantities = sg_nbm_register,
    .describe = sg_nbm_describe,
    .start = start,
    .advance = advance,
    .now = now,
    .closed = closed,
    .archive = archive,
    .summarize = summarize,
    .counts = counts,
};
