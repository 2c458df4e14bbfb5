#include "analyses/single_mass.h"
#include "assembly/assembly.h"

#include <math.h>
#include <string.h>

#include "assembly/keywords.h"
#include "support/constants.h"
#include "support/text.h"

/* a rebound takes four steps at most where the spring does not matter; longer contact is none */
enum { MOST_STEPS = 16 };

/* --- the model ------------------------------------------------------------------------------------ */

static const struct sg_keyword model_rows[] = {
    {.name = "bodies", .type = SG_LIST, .meaning = "the mass", .kinds = &sg_body_kinds},
    {.name = "damping", .type = SG_GROUP, .meaning = "its damping", .rows = sg_damping_rows},
    {0}};

static sg_status build_system(struct sg_single_mass *mass, struct sg_error *err)
{
    double omega = 2.0 * SG_PI;
    SG_LOCAL_TEXT(text);
    mass->stiffness = omega * omega;
    sg_text_append(&text,
                   "bodies = ( { type = \"particles\"; name = \"mass\"; positions = [0.0]; masses = [1.0];"
                   "  springs = ( { node = 0; stiffness = %.17g; } ); } );"
                   "damping = { mass = %.17g; };",
                   mass->stiffness, 2.0 * mass->damping_ratio * omega);
    sg_status status = SG_NO_MEMORY;
    if (!text.failed)
        status =
            sg_deck_read_text(text.data, text.length, "single mass", &mass->deck, &mass->diagnostics, err);
    TRY(status);
    TRY(sg_deck_validate(mass->deck, model_rows, &mass->diagnostics, err));
    return sg_system_create(mass->deck, &mass->system, &mass->diagnostics, err);
}

/* the numbers of a state: in the form that steps take */
static void measure_state(struct sg_single_mass *mass)
{
    const struct sg_integrator_ops *ops = mass->integrator.ops;
    const struct sg_response_ops *response = ops->response;
    bool third = ops->step != NULL ? ops->stores_acceleration : response->stores_acceleration;
    mass->staggered = ops->step == NULL && response->staggered;
    mass->size = third && !mass->staggered ? 3 : 2;
    mass->rebounds = response != NULL && response->position;
}

static void release(void *self)
{
    struct sg_single_mass *mass = self;
    sg_system_destroy(mass->system);
    sg_deck_destroy(mass->deck);
    sg_diagnostics_release(&mass->diagnostics);
}

sg_status sg_single_mass_init(struct sg_arena *arena, struct sg_single_mass *mass,
                              const struct sg_single_mass_spec *spec, struct sg_error *err)
{
    *mass = (struct sg_single_mass){.damping_ratio = spec->damping_ratio};
    TRY(sg_arena_own(arena, mass, release, err));
    TRY(build_system(mass, err));
    struct sg_mck mck = {&mass->system->M, &mass->system->C, &mass->system->K};
    struct sg_effective_rows rows = {.w = &mass->no_rows};
    const struct sg_integrator_ops *ops = sg_integrator_find(sg_setting_kind(spec->node));
    TRY(sg_effective_create(arena, &mck, &rows, ops->complex_valued, &mass->op, err));
    TRY(sg_phase_init(arena, &mass->phase, mass->system, mass->op, err));
    mass->integrator.ops = ops;
    mass->integrator.arena = arena;
    TRY(ops->create(&mass->integrator, spec->node, &mass->phase, err));
    measure_state(mass);
    return SG_OK;
}

/* --- free steps ----------------------------------------------------------------------------------- */

static struct sg_state view(double x[SG_MASS_STATE])
{
    return (struct sg_state){&x[0], &x[1], &x[2]};
}

/* A step in response form while it is crossed. Staggered: the end's displacement is known at the start. */
struct crossing {
    double start[SG_MASS_STATE], middle[SG_MAX_STAGES][SG_MASS_STATE];
    struct sg_state from, middles[SG_MAX_STAGES];
    struct sg_attempt attempt;
};

static void begin_crossing(const struct sg_single_mass *mass, struct crossing *x, double h,
                           const double *from)
{
    *x = (struct crossing){0};
    memcpy(x->start, from, sizeof x->start);
    if (mass->staggered) x->start[2] = x->start[0] + h * x->start[1];
    x->from = view(x->start);
    for (size_t k = 0; k < SG_MAX_STAGES; k++) x->middles[k] = view(x->middle[k]);
    x->attempt = (struct sg_attempt){
        .from = &x->from, .span = {0.0, h}, .next = h, .middle = x->middles, .to = &x->middles[0]};
}

/* the state without contacts at equilibrium point `stage` */
static sg_status cross(struct sg_single_mass *mass, struct crossing *x, size_t stage, struct sg_error *err)
{
    const struct sg_response_ops *ops = mass->integrator.ops->response;
    struct sg_attempt *attempt = &x->attempt;
    attempt->stage = stage;
    attempt->to = &x->middles[stage];
    if (ops->staggered) attempt->to->u = x->from.a;
    ops->predict(&mass->integrator, &mass->phase, attempt);
    return ops->free_motion(&mass->integrator, &mass->phase, attempt, err);
}

static void end_crossing(const struct crossing *x, double *to)
{
    const struct sg_state *end = x->attempt.to;
    to[0] = *end->u;
    to[1] = *end->v;
    to[2] = *end->a;
}

static sg_status respond(struct sg_single_mass *mass, double h, const double *from, double *to,
                         struct sg_error *err)
{
    struct crossing x;
    begin_crossing(mass, &x, h, from);
    for (size_t k = 0; k < mass->integrator.ops->response->stages; k++) TRY(cross(mass, &x, k, err));
    end_crossing(&x, to);
    return SG_OK;
}

/* A staggered scheme begins with a step of length 0, whose kick is half of the first. */
static sg_status begin_response(struct sg_single_mass *mass, double h, double *from, struct sg_error *err)
{
    struct sg_integrator *self = &mass->integrator;
    const struct sg_response_ops *ops = self->ops->response;
    struct sg_state state = view(from);
    struct crossing x;
    if (ops->begin != NULL) return ops->begin(self, &mass->phase, (struct sg_span){0.0, h}, &state, err);
    if (!mass->staggered) return SG_OK;
    begin_crossing(mass, &x, 0.0, from);
    x.attempt.next = h;
    TRY(cross(mass, &x, 0, err));
    end_crossing(&x, from);
    return SG_OK;
}

sg_status sg_single_mass_step(struct sg_single_mass *mass, double h, const double from[SG_MASS_STATE],
                              double to[SG_MASS_STATE], struct sg_error *err)
{
    struct sg_integrator *self = &mass->integrator;
    double start[SG_MASS_STATE];
    if (self->ops->step == NULL) return respond(mass, h, from, to, err);
    memcpy(start, from, sizeof start);
    struct sg_state before = view(start), after = view(to);
    return self->ops->step(self, &mass->phase, &before, (struct sg_span){0.0, h}, &after, err);
}

sg_status sg_single_mass_start(struct sg_single_mass *mass, double h, double x[SG_MASS_STATE],
                               struct sg_error *err)
{
    struct sg_integrator *self = &mass->integrator;
    struct sg_state state = view(x);
    x[2] = 0.0;
    if (self->ops->step == NULL) return begin_response(mass, h, x, err);
    if (self->ops->begin != NULL) return self->ops->begin(self, &mass->phase, 0.0, &state, err);
    return sg_phase_acceleration(&mass->phase, 0.0, state.u, state.v, state.a, err);
}

/* --- contact -------------------------------------------------------------------------------------- */

/* Holds the gap, which is u itself, if it would be negative: an impulse that moves it by what is missing
 * changes the velocity by that over the compliance, whatever the mass. */
static bool hold(struct sg_single_mass *mass, const struct crossing *x)
{
    struct sg_integrator *self = &mass->integrator;
    const struct sg_response_ops *ops = self->ops->response;
    const struct sg_attempt *attempt = &x->attempt;
    struct sg_collocation at = ops->collocation(self, attempt);
    double gap = *attempt->to->u + at.lead * *attempt->to->v, dv = -gap / at.compliance;
    if (gap >= 0.0) return false;
    struct sg_velocity_jump jump = {&dv, 0, 1};
    ops->apply_impulses(self, &mass->phase, attempt, &jump);
    return true;
}

static sg_status touching_step(struct sg_single_mass *mass, double h, double *state, bool *touched,
                               struct sg_error *err)
{
    struct crossing x;
    begin_crossing(mass, &x, h, state);
    *touched = false;
    for (size_t k = 0; k < mass->integrator.ops->response->stages; k++) {
        TRY(cross(mass, &x, k, err));
        *touched = hold(mass, &x) || *touched;
    }
    end_crossing(&x, state);
    return SG_OK;
}

/* J; of staggered schemes in the algebra that they conserve */
static double energy(const struct sg_single_mass *mass, double h, const double *x)
{
    double next = mass->integrator.ops->response->staggered ? x[0] + h * x[1] : x[0];
    return 0.5 * (x[1] * x[1] + mass->stiffness * x[0] * next);
}

sg_status sg_single_mass_rebound(struct sg_single_mass *mass, struct sg_throw thrown, double *ratio,
                                 struct sg_error *err)
{
    double h = thrown.h, x[SG_MASS_STATE] = {thrown.phase * h, -1.0, 0.0};
    bool met = false, touched = false;
    *ratio = NAN;
    if (!mass->rebounds || h > 0.5 || sqrt(mass->stiffness) * h > mass->integrator.stability) return SG_OK;
    TRY(begin_response(mass, h, x, err));
    double before = energy(mass, h, x);
    for (int k = 0; k < MOST_STEPS; k++) {
        TRY(touching_step(mass, h, x, &touched, err));
        if (met && !touched && x[1] > 0.0) {
            *ratio = sqrt(fmax(energy(mass, h, x), 0.0) / before);
            return SG_OK;
        }
        met = met || touched;
    }
    *ratio = 0.0;
    return SG_OK;
}
