/* The watch of a run: silent on a true motion, and speaks of the one thing that is falsified in it. */
#include "run_fixture.h"

#include "auditing/judge.h"
#include "auditing/watch.h"

/* A ball that falls, bounces and slides on a rough floor; Moreau-Jean, so that contact is a constraint. */
static const char BALL[] =
    "bodies = ( { type = \"particles\"; name = \"b\"; dim = 2; positions = [0.0, 0.05]; masses = [2.0]; } );"
    "loads = ( { type = \"gravity\"; acceleration = 9.81; direction = [0.0, -1.0]; } );"
    "initial = ( { body = \"b\"; velocity_vector = [1.0, 0.0]; } );"
    "contacts = ( { type = \"plane\"; name = \"floor\"; node = \"b\"; normal = [0.0, 1.0]; point = [0.0, "
    "0.0];"
    "               friction = 0.3; restitution = 0.5; } );"
    "integrator = { type = \"theta\"; theta = 0.5; };"
    "strategy = { type = \"time-stepping\"; level = \"velocity\"; };"
    "time = { end = 0.5; step = 1e-3; };";

/* what is falsified in a snapshot before the watch sees it */
struct falsifier {
    struct sg_audit audit;
    void (*change)(struct falsifier *self, struct sg_snapshot *now);
    double u[2], v[2], gap, force, impulse, friction;
    double total_start;
    const struct sg_system *system;
    double made; /* J/s, added to the energy that the scheme makes */
};

static void nothing(struct falsifier *self, struct sg_snapshot *now)
{
    (void)self, (void)now;
}

static void double_reactions(struct falsifier *self, struct sg_snapshot *now)
{
    self->impulse = 2.0 * now->impulse[0];
    now->impulse = &self->impulse;
}

static void let_creep(struct falsifier *self, struct sg_snapshot *now)
{
    self->u[0] = now->u[0] + 0.5 * now->t;
    self->u[1] = now->u[1];
    now->u = self->u;
}

static void sink(struct falsifier *self, struct sg_snapshot *now)
{
    self->gap = now->gap[0] - 0.2;
    now->gap = &self->gap;
}

static void lift(struct falsifier *self, struct sg_snapshot *now)
{
    self->gap = now->gap[0] + 0.2;
    now->gap = &self->gap;
}

static void pull(struct falsifier *self, struct sg_snapshot *now)
{
    self->force = -now->force[0];
    now->force = &self->force;
}

static void rub(struct falsifier *self, struct sg_snapshot *now)
{
    self->friction = 2.0 * now->friction[0];
    now->friction = &self->friction;
}

static void give_back(struct falsifier *self, struct sg_snapshot *now)
{
    (void)self;
    now->dissipated -= now->t;
}

static void make_energy(struct falsifier *self, struct sg_snapshot *now)
{
    (void)now;
    self->made = 1.0;
}

static void lose_energy(struct falsifier *self, struct sg_snapshot *now)
{
    (void)now;
    self->made = -1.0;
}

static sg_status on_step(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                         int localized, struct sg_error *err)
{
    struct falsifier *falsifier = self;
    struct sg_snapshot changed = *now;
    (void)sampler, (void)localized, (void)err;
    falsifier->change(falsifier, &changed);
    falsifier->audit.ops->step(falsifier->audit.self, &changed);
    double total = sg_system_total(falsifier->system, now);
    struct sg_energy_row row = {.t = now->t,
                                .total = total,
                                .numerical = total - falsifier->total_start - now->external +
                                             now->dissipated + falsifier->made * now->t,
                                .at_hand = 2.0};
    falsifier->audit.ops->energy(falsifier->audit.self, &row);
    return SG_OK;
}

static sg_status on_event(void *self, const struct sg_event *event, struct sg_error *err)
{
    struct falsifier *falsifier = self;
    (void)err;
    falsifier->audit.ops->event(falsifier->audit.self, event);
    return SG_OK;
}

static void advance_all(struct run *run)
{
    bool done = false;
    run->status = run->job.strategy.ops->start(&run->job.strategy, &run->err);
    while (run->status == SG_OK && !done)
        run->status = run->job.strategy.ops->advance(&run->job.strategy, &done, &run->err);
    run_must(run, "advance");
}

static void audit_ball(void (*change)(struct falsifier *, struct sg_snapshot *), struct sg_audit_list *list)
{
    const char *const deck[] = {BALL, NULL};
    struct run run;
    struct sg_arena arena = {0};
    struct sg_summary summary = {0};
    struct falsifier falsifier = {.change = change};
    const struct sg_observer observer = {.self = &falsifier, .step = on_step, .event = on_event};
    run_read(&run, deck);
    run.status = sg_job_build(&run.job, run.deck, &run.diagnostics, &run.err);
    run_must(&run, "build");
    falsifier.system = run.job.system;
    falsifier.total_start = run.job.balance.total_start;
    const struct sg_audit_watch_spec spec = {.system = run.job.system, .contacts = run.job.contacts};
    ck_assert_int_eq(sg_audit_watch_create(&arena, &spec, &falsifier.audit, &run.err), SG_OK);
    run.status = sg_job_attach(&run.job, observer, &run.diagnostics, &run.err);
    run_must(&run, "attach");
    advance_all(&run);
    run.job.strategy.ops->summarize(&run.job.strategy, &summary);
    summary.end_time = 0.5;
    falsifier.audit.ops->conclude(falsifier.audit.self, &summary, list);
    sg_arena_release(&arena);
    run_release(&run);
}

static void check_names(const struct sg_audit_list *list, const char *const *expected, const char *what)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct sg_audit_item *item = &list->items[i];
        bool accused = item->verdict >= SG_VERDICT_LOSSY, meant = false;
        for (size_t k = 0; expected[k] != NULL; k++) meant = meant || strcmp(expected[k], item->name) == 0;
        ck_assert_msg(accused == meant, "%s: %s is %s: %g, limit %g, %s", what, item->name,
                      sg_verdict_name((int)item->verdict), item->value, item->limit, item->about);
    }
}

#define NAMES(...)                                                                                           \
    (const char *const[])                                                                                    \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }

START_TEST(names_what_is_falsified_and_nothing_else)
{
    const struct {
        const char *what;
        void (*change)(struct falsifier *, struct sg_snapshot *);
        const char *const *accused;
    } cases[] = {
        {"a true motion", nothing, NAMES(NULL)},
        {"doubled reactions", double_reactions, NAMES("momentum")},
        {"creep", let_creep, NAMES("displacement_is_integral_of_velocity")},
        {"sinking", sink, NAMES("complementarity", "penetration")},
        {"pushes from afar", lift, NAMES("complementarity")},
        {"pull", pull, NAMES("pull", "friction_cone")},
        {"too much friction", rub, NAMES("momentum", "friction_cone")},
        {"negative dissipation", give_back, NAMES("energy_gain", "impact_loss")},
        {"made energy", make_energy, NAMES("energy_balance", "energy_gain")},
        {"lost energy", lose_energy, NAMES("energy_balance", "energy_loss")},
    };
    struct sg_audit_list list;
    audit_ball(cases[_i].change, &list);
    check_names(&list, cases[_i].accused, cases[_i].what);
}
END_TEST

START_TEST(losses_are_lossy_and_gains_are_not)
{
    struct sg_audit_list list;
    audit_ball(lose_energy, &list);
    ck_assert_int_eq(sg_audit_worst(&list), SG_VERDICT_LOSSY);
    audit_ball(make_energy, &list);
    ck_assert_int_eq(sg_audit_worst(&list), SG_VERDICT_DOUBTFUL);
    /* .5 J of the 2 J at hand, and what the true motion loses is less than a rounding */
    ck_assert_double_eq_tol(sg_audit_get(&list, "energy_gain")->value, 0.25, 1e-3);
}
END_TEST

START_TEST(limits_are_inclusive_and_no_number_is_wrong)
{
    const struct sg_limits limits = {1.0, 2.0, 3.0};
    ck_assert_int_eq(sg_judge(1.0, limits), SG_VERDICT_EXACT);
    ck_assert_int_eq(sg_judge(2.0, limits), SG_VERDICT_GOOD);
    ck_assert_int_eq(sg_judge(3.0, limits), SG_VERDICT_DOUBTFUL);
    ck_assert_int_eq(sg_judge(3.1, limits), SG_VERDICT_WRONG);
    ck_assert_int_eq(sg_judge(NAN, limits), SG_VERDICT_WRONG);
    ck_assert_int_eq(sg_judge(HUGE_VAL, limits), SG_VERDICT_WRONG);
}
END_TEST

Suite *sg_suite_audit(void);
Suite *sg_suite_audit(void)
{
    Suite *suite = suite_create("audit");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, names_what_is_falsified_and_nothing_else, 0, 10);
    tcase_add_test(all, losses_are_lossy_and_gains_are_not);
    tcase_add_test(all, limits_are_inclusive_and_no_number_is_wrong);
    suite_add_tcase(suite, all);
    return suite;
}
