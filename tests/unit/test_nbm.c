/* The nodal boundary method as a strategy: what holds in each phase, its accounts, and other methods on the
 * same bar. Errors against the exact motion by mesh and order are figures of `signorini verify nbm_bar`. */
#include "benchmarks/exact/clamped_bar.h"
#include "run_fixture.h"

/* the clamped bar of the shipped deck: E A = rho A = length = 1, gap .1, contact about [1.5, 2] */
#define BAR                                                                                                  \
    "bodies = ( { type = \"bar\"; length = 1.0; elements = 20; order = 2; area = 1.0; modulus = 1.0;"        \
    " density = 1.0; } );"                                                                                   \
    "supports = ( { node = \"bar.left\"; } );"                                                               \
    "contacts = ( { type = \"wall\"; node = \"bar.right\"; side = \"upper\"; gap = 0.1; } );"                \
    "initial = ( { body = \"bar\"; displacement_slope = -0.2; } );"                                          \
    "integrator = { type = \"exact\"; }; strategy = { type = \"nbm\"; };"                                    \
    "time = { end = 3.2; step = 0.01; };"

enum { NODES = 41 };

/* E A u' at the end by a parabola through the last three nodes */
static double stress(const double *u)
{
    double h = 1.0 / 40;
    return (3 * u[NODES - 1] - 4 * u[NODES - 2] + u[NODES - 3]) / (2 * h);
}

/* the largest |numerical - jumps|: what energy does within phases. The fixture's rows lack the jumps, which
 * are those of `numerical` at events. */
static double phase_drift(const struct run *run)
{
    double worst = 0, jumps = 0;
    for (size_t i = 1; i < run->count; i++) {
        bool event = false;
        for (size_t k = 0; k < run->event_count; k++) event = event || run->events[k].t == run->rows[i].t;
        if (event)
            jumps += run->rows[i].numerical - run->rows[i - 1].numerical;
        else
            worst = fmax(worst, fabs(run->rows[i].numerical - jumps));
    }
    return worst;
}

/* Signorini's conditions at every row: the end free of stress, or held and pressed; rounding of displacements
 * .2 beside a gap of .1, times E A / h. At the very event the other phase's condition holds to the tolerance
 * too. */
START_TEST(phases_keep_their_conditions)
{
    struct run run;
    size_t closed = 0;
    const char *integrator = _i == 0 ? "integrator.type=exact" : "integrator.type=trapezoidal";
    const char *coordinates = _i == 2 ? "integrator.operator=nodal" : NULL;
    RUN(&run, BAR, integrator, coordinates);
    for (size_t i = 0; i < run.count; i++) {
        const struct run_row *row = &run.rows[i];
        bool active = row->gap[0] == 0;
        NEAR(row->gap[0], active ? 0 : 0.1 - row->u[NODES - 1], 1e-15);
        NEAR(row->force[0], -stress(row->u), 1e-12);
        ck_assert(active ? row->u[NODES - 1] == 0.1 && row->v[NODES - 1] == 0 : row->gap[0] > 0);
        if (!active) NEAR(row->force[0], 0, 0);
        if (active) BELOW(-row->force[0], 1e-12);
        closed += active;
        NEAR(row->contact, 0, 0);
    }
    ck_assert_uint_ge(closed, 45);
    ck_assert_uint_eq(run.event_count, 2);
    NEAR(run.events[0].t, 1.5, 0.03);
    NEAR(run.events[1].t, 2.0, 0.03);
    BELOW(run.events[0].gap, 0);
    BELOW(-2e-13, run.events[0].gap);
    run_release(&run);
}
END_TEST

/* Both schemes conserve the energy of each phase; jumps at the events obey eq. (54), whose mass of the last
 * element (quadratic, h = 1/20) is h (-1, 2, 4)/30. The closing takes, the opening gives. */
START_TEST(energy_jumps_by_the_formula)
{
    struct run run;
    RUN(&run, BAR, _i == 0 ? "integrator.type=exact" : "integrator.type=trapezoidal");
    BELOW(phase_drift(&run), 1e-13);
    double jump[2];
    for (size_t k = 0; k < 2; k++) {
        size_t i = 0;
        while (run.rows[i].t < run.events[k].t) i++;
        const double *v = run.rows[i].v + NODES - 3;
        double rate = (4 * v[1] - v[0]) / 3, h = 1.0 / 20;
        double expected = -fabs(rate) * h / 30 * (4 * rate / 2 + 2 * v[1] - v[0]);
        jump[k] = run.rows[i].numerical - run.rows[i - 1].numerical;
        NEAR(jump[k], expected, 1e-13);
    }
    BELOW(jump[0], -1e-4);
    BELOW(1e-5, jump[1]);
    run_release(&run);
}
END_TEST

/* largest distance of the last rows of two runs */
static double last_distance(const struct run *a, const struct run *b)
{
    return run_distance(run_last(a)->u, run_last(b)->u, NODES);
}

/* The trapezoidal rule, a method of another kind, comes to the exact flow with order 2, through closing and
 * opening; errors of 1e-4 to 1e-5 are far above its 1e-13. */
START_TEST(trapezoidal_converges_to_exact)
{
    struct run exact, coarse, fine;
    RUN(&exact, BAR, "bodies.[0].elements=4", "time.end=2.5");
    RUN(&coarse, BAR, "bodies.[0].elements=4", "time.end=2.5", "integrator.type=trapezoidal",
        "time.step=0.01");
    RUN(&fine, BAR, "bodies.[0].elements=4", "time.end=2.5", "integrator.type=trapezoidal",
        "time.step=0.005");
    double a = run_distance(run_last(&coarse)->u, run_last(&exact)->u, 9);
    double b = run_distance(run_last(&fine)->u, run_last(&exact)->u, 9);
    BELOW(1e-6, b);
    NEAR(log2(a / b), 2, 0.2);
    run_release(&exact);
    run_release(&coarse);
    run_release(&fine);
}
END_TEST

/* With switching at step ends the events are off by a part of a step: first order or better, to the same
 * motion. */
START_TEST(step_ends_converge_to_exact)
{
    struct run exact, coarse, fine;
    const char *const mesh = "bodies.[0].elements=4", *const end = "time.end=2.5";
    RUN(&exact, BAR, mesh, end);
    RUN(&coarse, BAR, mesh, end, "integrator.type=trapezoidal", "strategy.switching=step-end",
        "time.step=0.004");
    RUN(&fine, BAR, mesh, end, "integrator.type=trapezoidal", "strategy.switching=step-end",
        "time.step=0.0005");
    double a = run_distance(run_last(&coarse)->u, run_last(&exact)->u, 9);
    double b = run_distance(run_last(&fine)->u, run_last(&exact)->u, 9);
    BELOW(8 * b, 2 * a);
    BELOW(b, 1e-4);
    ck_assert_uint_eq(coarse.event_count, 2);
    /* every step has the length asked for, but for the last */
    for (size_t i = 1; i + 1 < coarse.count; i++) NEAR(coarse.rows[i].t - coarse.rows[i - 1].t, 0.004, 1e-12);
    run_release(&exact);
    run_release(&coarse);
    run_release(&fine);
}
END_TEST

/* Modal and nodal coordinates are the same scheme; the localisation may end a rounding apart. */
START_TEST(coordinates_do_not_matter)
{
    struct run modal, nodal;
    RUN(&modal, BAR, "integrator.type=trapezoidal", "integrator.operator=modal");
    RUN(&nodal, BAR, "integrator.type=trapezoidal", "integrator.operator=nodal");
    ck_assert_uint_eq(modal.count, nodal.count);
    BELOW(last_distance(&modal, &nodal), 1e-11);
    run_release(&modal);
    run_release(&nodal);
}
END_TEST

/* a run from another initial state than the deck's */
static void run_from(struct run *run, const char *const *deck, const double *u, const double *v)
{
    struct sg_observer observer = {.self = run, .step = run_on_step, .event = run_on_event};
    run_read(run, deck);
    run->status = sg_job_build(&run->job, run->deck, &run->diagnostics, &run->err);
    run_must(run, "build");
    struct sg_system *system = run->job.system;
    for (size_t i = 0; i < system->n; i++) {
        system->u0[i] = u[system->free_dof[i]];
        system->v0[i] = v[system->free_dof[i]];
    }
    run->status = sg_job_attach(&run->job, observer, &run->diagnostics, &run->err);
    run_must(run, "attach");
    run_go(run);
    run_must(run, "run");
}

/* u -> u, v -> -v retraces the way, through opening and closing: 1e-10 is what the two switches make of
 * rounding, and of the 1e-13 to which they are located */
START_TEST(time_can_be_reversed)
{
    struct run there, back;
    double v[NODES];
    const char *const deck[] = {BAR, NULL};
    RUN(&there, BAR);
    for (size_t i = 0; i < NODES; i++) v[i] = -run_last(&there)->v[i];
    run_from(&back, deck, run_last(&there)->u, v);
    ck_assert_uint_eq(back.event_count, 2);
    for (size_t i = 0; i + 1 < NODES; i++) {
        NEAR(run_last(&back)->u[i], there.rows[0].u[i], 1e-10);
        NEAR(run_last(&back)->v[i], -there.rows[0].v[i], 1e-10);
    }
    run_release(&there);
    run_release(&back);
}
END_TEST

/* A state whose inner nodes press the end begins active: the deck's end is not asked, and the energy that all
 * others are compared with is that of the phase. */
START_TEST(may_begin_in_contact)
{
    struct run run;
    double u[NODES], v[NODES] = {0};
    const char *const deck[] = {BAR, "time.end=0.4", NULL};
    for (size_t i = 0; i < NODES; i++) u[i] = 0.2 * (double)i / (NODES - 1);
    u[NODES - 1] = -0.3;
    run_from(&run, deck, u, v);
    ck_assert_int_eq(run.events[0].kind, SG_EVENT_CLOSE);
    NEAR(run.events[0].t, 0, 0);
    NEAR(run.rows[0].u[NODES - 1], 0.1, 0);
    NEAR(run.rows[0].numerical, 0, 1e-15);
    BELOW(1, run.rows[0].force[0]);
    BELOW(phase_drift(&run), 1e-12);
    run_release(&run);
}
END_TEST

/* At rest on S = 0 the acceleration decides: pressed by gravity the end stays, pulled it leaves at once. */
START_TEST(rest_is_decided_by_acceleration)
{
    struct run run;
    double zero[NODES] = {0};
    const char *const load = _i == 0 ? "loads=({type=\"gravity\"; acceleration=1.0;})"
                                     : "loads=({type=\"gravity\"; acceleration=-1.0;})";
    const char *const deck[] = {BAR, load, "contacts.[0].gap=0.0", "time.end=0.05", NULL};
    run_from(&run, deck, zero, zero);
    ck_assert(_i == 0 ? run.rows[0].gap[0] == 0 : run_last(&run)->gap[0] > 0);
    ck_assert_uint_eq(run.event_count, _i == 0 ? 1 : 0);
    ck_assert(_i == 0 ? run_last(&run)->force[0] > 0 : run_last(&run)->force[0] == 0);
    run_release(&run);
}
END_TEST

/* the imbalance that is left in the phases with the given step */
static double imbalance(const char *load, const char *step)
{
    struct run run;
    RUN(&run, BAR, load, step);
    ck_assert_uint_ge(run.event_count, 2);
    double drift = phase_drift(&run);
    run_release(&run);
    return drift;
}

/* The exact flow takes loads linear over a step, and works are Simpson's: the accounts close by order 2 at
 * least, a factor above 3 for half the step; with 2.5e-3 s to 5e-6 of the energy, .02 J. Gravity is exact. */
START_TEST(accounts_close)
{
    static const char *const loads[] = {
        "loads=({type=\"gravity\"; acceleration=0.05;})",
        "damping={mass=0.1;}",
        "supports.[0].motion={type=\"harmonic\"; amplitude=0.02; frequency=0.3;}",
        ("loads=({type=\"force\"; node=\"bar.20\";"
         " signal={type=\"harmonic\"; amplitude=0.02; frequency=0.5;};})"),
    };
    double coarse = imbalance(loads[_i], "time.step=0.005"), fine = imbalance(loads[_i], "time.step=0.0025");
    BELOW(fine, 1e-7);
    ck_assert(fine < 1e-13 || coarse > 3 * fine);
}
END_TEST

/* A sample is a step that ends there, in the phase that held; taking them changes nothing. */
START_TEST(samples_do_not_disturb)
{
    struct run plain, sampled = {0};
    const char *deck[] = {BAR, NULL};
    RUN(&plain, deck[0]);
    run_prepare(&sampled, deck);
    sampled.sample_every = 0.0037;
    run_go(&sampled);
    run_must(&sampled, "sampled");
    ck_assert_uint_eq(plain.count, sampled.count);
    ck_assert_uint_ge(sampled.sample_count, 500);
    for (size_t i = 0; i < plain.count; i++) {
        ck_assert(plain.rows[i].t == sampled.rows[i].t);
        ck_assert(run_distance(plain.rows[i].u, sampled.rows[i].u, NODES) == 0);
        ck_assert(plain.rows[i].numerical == sampled.rows[i].numerical);
    }
    for (size_t i = 0; i < sampled.sample_count; i++) {
        const struct run_row *row = &sampled.samples[i];
        bool active = row->t > sampled.events[0].t && row->t < sampled.events[1].t;
        ck_assert((row->gap[0] == 0) == active);
        NEAR(row->force[0], active ? -stress(row->u) : 0, 1e-12);
    }
    run_release(&plain);
    run_release(&sampled);
}
END_TEST

/* The mirrored bar, its end on the left and numbered the other way round, moves as the bar does. */
START_TEST(mirrored_bar)
{
    struct run bar, mirror;
    RUN(&bar, BAR);
    RUN(&mirror, BAR, "bodies.[0].direction=negative", "supports.[0].node=bar.right",
        "contacts.[0].node=bar.left", "contacts.[0].side=lower",
        "initial=({body=\"bar\"; displacement=0.2; displacement_slope=-0.2;})");
    ck_assert_uint_eq(mirror.event_count, 2);
    for (size_t k = 0; k < 2; k++) NEAR(mirror.events[k].t, bar.events[k].t, 1e-12);
    for (size_t i = 0; i < NODES; i++) NEAR(run_last(&mirror)->u[i], -run_last(&bar)->u[i], 1e-11);
    run_release(&bar);
    run_release(&mirror);
}
END_TEST

static const struct sg_quantity *quantity(const struct run *run, const char *name)
{
    const struct sg_quantities *list = &run->job.quantities;
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0) return &list->items[i];
    ck_abort_msg("no quantity '%s'", name);
    return NULL;
}

struct watch {
    const struct sg_quantity *residual;
    double t, before, sum;
};

/* trapezoids between the ends of steps: at an event the row after it belongs to the new phase */
static sg_status watch_step(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                            int localized, struct sg_error *err)
{
    struct watch *watch = self;
    (void)localized, (void)err;
    double value = 0;
    watch->residual->fill(watch->residual->owner, now, &value);
    double end = value;
    if (localized && sampler != NULL) {
        struct sg_snapshot inside;
        TRY(sampler->at(sampler->self, now->t, &inside, err));
        watch->residual->fill(watch->residual->owner, &inside, &end);
    }
    if (sampler != NULL) watch->sum += (now->t - watch->t) * (watch->before + end) / 2;
    watch->t = now->t;
    watch->before = value;
    return SG_OK;
}

static sg_status watch_event(void *self, const struct sg_event *event, struct sg_error *err)
{
    (void)self, (void)event, (void)err;
    return SG_OK;
}

/* R_eps of eq. (63) is the integral of the history `residual`, here by trapezoids: 1e-3. Of linear elements
 * on a uniform bar R is h^4 int u_tt^2, which the accelerations of two steps' velocities give to 1e-2. */
START_TEST(residual_is_summed_up)
{
    struct run run;
    struct sg_summary summary = {0};
    const char *const deck[] = {BAR, "strategy.residual=true", "time.step=0.001", "bodies.[0].elements=10",
                                NULL};
    run_prepare(&run, deck);
    struct watch watch = {.residual = quantity(&run, "residual")};
    run.job.observer = (struct sg_observer){.self = &watch, .step = watch_step, .event = watch_event};
    run_go(&run);
    run_must(&run, "run");
    run.job.strategy.ops->summarize(&run.job.strategy, &summary);
    BELOW(1e-8, summary.residual_error);
    NEAR(summary.residual_error / watch.sum, 1, 1e-3);
    run_release(&run);
}
END_TEST

/* Step by step: sum over the rows of h^4 times u_tt . M u_tt, by differences of velocities, in the rows that
 * no event is near. */
START_TEST(residual_of_linear_elements)
{
    struct run run;
    const char *const deck[] = {BAR,
                                "bodies.[0].order=1",
                                "bodies.[0].elements=8",
                                "time.step=1.0e-4",
                                "time.end=0.4",
                                "strategy.residual=true",
                                NULL};
    run_prepare(&run, deck);
    run_go(&run);
    run_must(&run, "run");
    struct sg_summary summary = {0};
    run.job.strategy.ops->summarize(&run.job.strategy, &summary);
    double sum = 0;
    for (size_t i = 1; i < run.count; i++) {
        double h = run.rows[i].t - run.rows[i - 1].t, a[9], form = 0;
        for (size_t k = 0; k < 9; k++) a[k] = (run.rows[i].v[k] - run.rows[i - 1].v[k]) / h;
        for (size_t k = 0; k < 8; k++) form += (a[k] * a[k] + a[k] * a[k + 1] + a[k + 1] * a[k + 1]) / 24;
        sum += h * form / 4096;
    }
    NEAR(summary.residual_error / sum, 1, 1e-4);
    run_release(&run);
}
END_TEST

/* --- other methods -------------------------------------------------------------------------------- */

/* sqrt of the mean over rows and nodes of the squared distance from the exact motion */
static double distance_from_exact(const struct run *run)
{
    struct sg_clamped_bar bar;
    struct sg_error err = {0};
    double sum = 0;
    ck_assert_int_eq(sg_clamped_bar_init(0.1, 3.5, &bar, &err), SG_OK);
    size_t nodes = run->job.system->n_full;
    for (size_t i = 1; i < run->count; i++)
        for (size_t k = 0; k < nodes; k++) {
            double x = (double)k / (double)(nodes - 1);
            double d = run->rows[i].u[k] - sg_clamped_bar_displacement(&bar, x, run->rows[i].t);
            sum += d * d * (run->rows[i].t - run->rows[i - 1].t);
        }
    return sqrt(sum / (double)nodes / run_last(run)->t);
}

/* One bar of 100 linear elements by three methods: each is near the exact motion, in the mean over a period
 * within 1.5 % of its amplitude, .2 (NBM .0013, the others about the same: the mesh's error with a wave
 * front), so near each other. */
START_TEST(three_methods_agree)
{
    static const char *const methods[][6] = {
        {"strategy.type=nbm", "integrator.type=exact", NULL},
        {"strategy={type=\"time-stepping\"; level=\"velocity\";}", "integrator.type=theta", "time.step=0.001",
         NULL},
        {"strategy={type=\"penalty\"; form=\"standard\";}", "integrator.type=trapezoidal",
         "contacts.[0].stiffness=2000.0", "time.step=0.001", NULL},
    };
    struct run runs[3];
    for (size_t k = 0; k < 3; k++) {
        const char *const deck[] = {BAR,
                                    "bodies.[0].order=1",
                                    "bodies.[0].elements=100",
                                    "time.end=3.5",
                                    methods[k][0],
                                    methods[k][1],
                                    methods[k][2],
                                    methods[k][2] == NULL ? NULL : methods[k][3],
                                    NULL};
        run_finish(&runs[k], deck);
        BELOW(distance_from_exact(&runs[k]), 0.015 * 0.2);
    }
    for (size_t k = 0; k < 3; k++) run_release(&runs[k]);
}
END_TEST

/* --- refusals ------------------------------------------------------------------------------------- */

static void refused(const char *const *deck, const char *words)
{
    struct run run;
    run_read(&run, deck);
    run_build(&run);
    ck_assert_int_eq(run.status, SG_BAD_DECK);
    sg_text_release(&run.findings);
    sg_diagnostics_render(&run.diagnostics, &run.findings);
    ck_assert_msg(strstr(sg_text_view(&run.findings), words) != NULL, "no '%s' in: %s", words,
                  sg_text_view(&run.findings));
    run_release(&run);
}
#define REFUSED(words, ...) refused((const char *const[]){__VA_ARGS__, NULL}, words)

START_TEST(refusals)
{
    REFUSED("takes one contact", BAR,
            "contacts=({type=\"wall\"; node=\"bar.right\"; side=\"upper\"; gap=0.1;},"
            "{type=\"wall\"; node=\"bar.right\"; side=\"lower\"; gap=0.5;})");
    REFUSED("takes one contact", BAR, "contacts=()");
    REFUSED("no shape functions give the force on an end", BAR, "contacts.[0].node=bar.4");
    REFUSED("locates the instants of its switches", BAR, "strategy.switching=step-end");
    REFUSED("estimator of free motion", BAR, "strategy.residual=true",
            "loads=({type=\"gravity\"; acceleration=1.0;})");
    REFUSED("of one free node", BAR,
            "bodies=({type=\"bar\"; length=1.0; elements=4; area=1.0; modulus=1.0; density=1.0;},"
            "{type=\"bar\"; name=\"other\"; position=1.5; length=1.0; elements=4; area=1.0; modulus=1.0;"
            " density=1.0;})",
            "contacts=({type=\"pair\"; nodes=[\"bar.right\", \"other.left\"];})");
}
END_TEST

Suite *sg_suite_nbm(void)
{
    Suite *suite = suite_create("nbm");
    TCase *tests = tcase_create("nbm");
    tcase_add_loop_test(tests, phases_keep_their_conditions, 0, 3);
    tcase_add_loop_test(tests, energy_jumps_by_the_formula, 0, 2);
    tcase_add_test(tests, trapezoidal_converges_to_exact);
    tcase_add_test(tests, step_ends_converge_to_exact);
    tcase_add_test(tests, coordinates_do_not_matter);
    tcase_add_test(tests, time_can_be_reversed);
    tcase_add_test(tests, may_begin_in_contact);
    tcase_add_loop_test(tests, rest_is_decided_by_acceleration, 0, 2);
    tcase_add_loop_test(tests, accounts_close, 0, 4);
    tcase_add_test(tests, samples_do_not_disturb);
    tcase_add_test(tests, mirrored_bar);
    tcase_add_test(tests, residual_is_summed_up);
    tcase_add_test(tests, residual_of_linear_elements);
    tcase_add_test(tests, three_methods_agree);
    tcase_add_test(tests, refusals);
    suite_add_tcase(suite, tests);
    return suite;
}
