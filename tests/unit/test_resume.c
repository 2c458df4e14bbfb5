/* A run that is archived in the middle and taken up by a fresh job must go on bit for bit: one test that
 * walks the whole grid, so that a new integrator or strategy can't forget a part of its memory. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "analyses/transient.h"
#include "jobs/build.h"

/* closes at t = .3, rebounds, and bounces on; %s: the contact's law, the integrator, the operator,
 * its parameters, the strategy with its level or form */
static const char *const deck_text =
    "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; elements = 6; area = 1.0; modulus = 4.0;"
    " density = 1.0; mass = \"lumped\"; } );"
    "initial = ( { body = \"bar\"; displacement = 0.05; velocity = -0.1; } );"
    "loads = ( { type = \"gravity\"; acceleration = -1.0; } );"
    "damping = { mass = 0.05; };"
    "contacts = ( { type = \"wall\"; node = \"bar.left\"; position = 0.0; %s } );"
    "integrator = { type = \"%s\"; %s %s };"
    "strategy = { type = \"%s\"; %s };"
    "time = { end = 3.0; step = 0.004; contact_step = 0.002; };";

struct bench {
    struct sg_deck *deck;
    struct sg_diagnostics diagnostics;
    struct sg_job job;
    struct sg_error err;
    size_t pushing; /* contacts that push, after the last step */
};

static sg_status quiet_step(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                            int localized, struct sg_error *err)
{
    struct bench *b = self;
    (void)sampler, (void)localized, (void)err;
    b->pushing = 0;
    for (size_t j = 0; j < b->job.contacts->q; j++) b->pushing += now->force[j] > 0.0;
    return SG_OK;
}

static sg_status quiet_event(void *self, const struct sg_event *event, struct sg_error *err)
{
    (void)self, (void)event, (void)err;
    return SG_OK;
}

/* false: the pair refuses this operator, which is its right */
static bool open_bench(struct bench *b, const char *text)
{
    struct sg_observer observer = {.self = b, .step = quiet_step, .event = quiet_event};
    memset(b, 0, sizeof *b);
    ck_assert_int_eq(sg_deck_read_text(text, strlen(text), "resume", &b->deck, &b->diagnostics, &b->err),
                     SG_OK);
    ck_assert_int_eq(sg_deck_validate(b->deck, sg_grammar, &b->diagnostics, &b->err), SG_OK);
    sg_status status = sg_job_build(&b->job, b->deck, &b->diagnostics, &b->err);
    if (status == SG_OK) status = sg_job_attach(&b->job, observer, &b->diagnostics, &b->err);
    ck_assert_msg(status == SG_OK || status == SG_BAD_DECK, "%s", b->err.text);
    return status == SG_OK;
}

static void close_bench(struct bench *b)
{
    sg_job_release(&b->job);
    sg_deck_destroy(b->deck);
    sg_diagnostics_release(&b->diagnostics);
}

static void advance(struct bench *b, int increments)
{
    const struct sg_strategy_ops *ops = b->job.strategy.ops;
    bool done = false;
    for (int i = 0; i < increments && !done; i++)
        ck_assert_msg(ops->advance(&b->job.strategy, &done, &b->err) == SG_OK, "%s", b->err.text);
}

static void save(struct bench *b, struct sg_archive *archive)
{
    sg_archive_rewind(archive);
    b->job.strategy.ops->archive(&b->job.strategy, archive);
    ck_assert_int_eq(sg_archive_finish(archive, &b->err), SG_OK);
}

static void load(struct bench *b, struct sg_archive *archive)
{
    archive->loading = true;
    archive->cursor = 0;
    b->job.strategy.ops->archive(&b->job.strategy, archive);
    ck_assert_msg(sg_archive_finish(archive, &b->err) == SG_OK, "%s", b->err.text);
}

/* Work is counted as `run --resume` does: what was done to get ready counts once, and what comes after the
 * checkpoint is the same; but for factors that the operator had ready there, at most six triples
 * (linalg/effective.h), and in a coupled step or with the update for what is condensed once: the responses to
 * all contacts and to the state. */
static void check_counts(const struct bench *whole, const struct bench *fresh, bool condenses,
                         struct sg_effective_counts before, struct sg_effective_counts again)
{
    struct sg_effective_counts all = sg_job_counts(&whole->job), rest = sg_job_counts(&fresh->job);
    long long solves = before.solves - again.solves + rest.solves - all.solves;
    long long factors =
        before.factorizations - again.factorizations + rest.factorizations - all.factorizations;
    if (!condenses) ck_assert_int_eq(solves, 0);
    ck_assert_int_ge(solves, 0);
    ck_assert_int_ge(factors, 0);
    ck_assert_int_le(factors, 6);
    ck_assert_int_le(solves, 6 * ((long long)whole->job.contacts->q + 1));
}

/* Runs on from increment `at` in a fresh job; its memory must equal the undisturbed run's. */
static void check_resume(struct bench *whole, const char *text, int at, int more)
{
    struct sg_archive middle = {0}, end = {0}, resumed = {0};
    struct bench fresh;
    ck_assert(open_bench(&fresh, text));
    advance(whole, at);
    save(whole, &middle);
    load(&fresh, &middle);
    struct sg_effective_counts before = sg_job_counts(&whole->job), again = sg_job_counts(&fresh.job);
    advance(whole, more);
    advance(&fresh, more);
    bool condenses = whole->job.cell->step == SG_STEP_COUPLED || strstr(text, "update = true") != NULL;
    check_counts(whole, &fresh, condenses, before, again);
    save(whole, &end);
    save(&fresh, &resumed);
    ck_assert_uint_eq(end.length, resumed.length);
    /* bit for bit: the promise of --resume */
    ck_assert_msg(memcmp(end.data, resumed.data, end.length) == 0, "resumed run differs: %s", text);
    close_bench(&fresh);
    sg_archive_release(&middle);
    sg_archive_release(&end);
    sg_archive_release(&resumed);
}

static const char *const laws[] = {"stiffness = 500.0;",
                                   "stiffness = 500.0; hertz_stiffness = 5.0e3; restitution = 0.5;",
                                   "restitution = 0.5;", "restitution = 0.0;"};
static const char *const operators[] = {"operator = \"modal\";", "operator = \"nodal\";"};

static const char *const updates[] = {"false", "true"};

struct options {
    const char *law, *operator, * update;
};

/* every stop falls somewhere else in flight and contact; 97 increments on, each has met events */
static void walk_pair(const struct sg_grid_cell *cell, const struct options *with)
{
    char text[2048], formulation[96] = "";
    const char *integrator = cell->integrator->kind.name, *strategy = cell->strategy->kind.name;
    const char *chosen = sg_grid_formulation(cell);
    bool penalty = cell->strategy->needs_springs;
    if (chosen != NULL)
        snprintf(formulation, sizeof formulation, "%s = \"%s\";", cell->strategy->formulation_keyword,
                 chosen);
    /* what has no update has another law of contact instead */
    bool hertz = penalty && strcmp(chosen, "standard") == 0 && strcmp(with->update, "true") == 0 &&
                 strstr(with->law, "hertz") != NULL;
    if (hertz) strcat(formulation, " law = \"hertz\";");
    if (chosen != NULL && !penalty)
        snprintf(formulation, sizeof formulation, "level = \"%s\"; update = %s;", chosen, with->update);
    /* the parameters by which it takes midpoint steps */
    bool midpoint = chosen != NULL && strstr("conserving dissipating", chosen) != NULL;
    const char *more = midpoint && strcmp(integrator, "generalized-alpha") == 0 ? "rho_inf = 1.0;" : "";
    snprintf(text, sizeof text, deck_text, with->law, integrator, with->operator, more, strategy,
             formulation);
    struct bench whole;
    if (open_bench(&whole, text)) {
        ck_assert_int_eq(whole.job.strategy.ops->start(&whole.job.strategy, &whole.err), SG_OK);
        for (int stop = 0; stop < 5; stop++) check_resume(&whole, text, 41, 97);
        struct sg_summary summary = {0};
        whole.job.strategy.ops->summarize(&whole.job.strategy, &summary);
        ck_assert_msg(summary.events > 0, "no event was met: %s", text);
    }
    close_bench(&whole);
}

START_TEST(resumes_bit_for_bit)
{
    const struct sg_grid_cell *cell = sg_grid_at((size_t)_i);
    enum { LAWS = sizeof laws / sizeof *laws, OPERATORS = sizeof operators / sizeof *operators };
    size_t count = !cell->strategy->fixed_steps ? 1 : sizeof updates / sizeof *updates;
    for (size_t i = 0; i < LAWS * OPERATORS * count; i++) {
        struct options with = {laws[i % LAWS], operators[i / LAWS % OPERATORS],
                               updates[i / LAWS / OPERATORS]};
        walk_pair(cell, &with);
    }
}
END_TEST

/* nor is it in a run that goes on, which tries its first step once more */
START_TEST(trying_the_first_step_is_no_work_of_the_run)
{
    for (size_t i = 0; i < sg_grid_count() * 2; i++) {
        const struct sg_grid_cell *cell = sg_grid_at(i / 2);
        char text[2048];
        struct bench b;
        if (strcmp(cell->strategy->kind.name, "event-driven") != 0) continue;
        snprintf(text, sizeof text, deck_text, laws[0], cell->integrator->kind.name, operators[i % 2], "",
                 cell->strategy->kind.name, "");
        if (open_bench(&b, text))
            ck_assert_msg(sg_job_counts(&b.job).solves == 0, "%lld solves: %s", sg_job_counts(&b.job).solves,
                          text);
        close_bench(&b);
    }
}
END_TEST

/* --- nonlinear systems in space with friction, in the middle of contact --------------------------- */

/* A pyramid of springs is thrown on an oblique floor that shakes. %s: laws of contact, integrator, level */
#define FOOT(number)                                                                                         \
    "{ type = \"plane\"; node = \"table." number "\"; normal = [0.1, 0.0, 1.0]; gap = 0.05;"                 \
    " motion = { type = \"harmonic\"; amplitude = 0.02; frequency = 2.0; }; %s }"
#define ROD(a, b) "{ type = \"spring\"; nodes = [\"table." a "\", \"table." b "\"]; stiffness = 1.0e3; }"
static const char *const space_text =
    "bodies = ( { type = \"particles\"; name = \"table\"; dim = 3; masses = [1.0, 1.0, 1.0, 2.0];"
    " positions = [0.5, 0.0, 0.0, -0.3, 0.4, 0.0, -0.3, -0.4, 0.0, 0.0, 0.0, 0.6]; } );"
    "elements = ( " ROD("0", "1") ", " ROD("1", "2") ", " ROD("2", "0") ", " ROD("0", "3") ", " ROD(
        "1", "3") ", " ROD("2",
                           "3") " );"
                                "initial = ( { body = \"table\"; velocity_vector = [1.0, 0.5, -1.0]; } );"
                                "damping = { mass = 0.1; };"
                                "loads = ( { type = \"gravity\"; acceleration = -10.0; } );"
                                "contacts = ( " FOOT("0") ", " FOOT("1") ", " FOOT(
                                    "2") " );"
                                         "integrator = { type = %s; };"
                                         "strategy = { type = \"time-stepping\"; level = \"%s\"; };"
                                         "time = { end = 2.0; step = 0.004; };";

struct space_case {
    const char *integrator, *level, *law;
};

static const struct space_case space_cases[] = {
    {"\"central-difference\"; damping = \"explicit\"", "velocity", "friction = 0.3;"},
    {"\"central-difference\"; damping = \"implicit\"", "velocity", "friction = 0.3; restitution = 0.4;"},
    {"\"theta\"; forces = \"midpoint\"", "velocity", "friction = 0.3; restitution = 0.4;"},
    {"\"theta\"; forces = \"average\"", "velocity", "friction = 0.3;"},
    {"\"central-difference\"", "position", "restitution = 0.4;"},
};

START_TEST(resumes_in_the_middle_of_contact)
{
    const struct space_case *c = &space_cases[_i];
    char text[4096];
    struct bench whole;
    int stops = 0;
    snprintf(text, sizeof text, space_text, c->law, c->law, c->law, c->integrator, c->level);
    ck_assert(open_bench(&whole, text));
    ck_assert_int_eq(whole.job.strategy.ops->start(&whole.job.strategy, &whole.err), SG_OK);
    for (int k = 0; k < 400 && stops < 4; k++) {
        advance(&whole, 1);
        if (whole.pushing == 0) continue;
        stops++;
        check_resume(&whole, text, 0, 23);
    }
    ck_assert_int_eq(stops, 4);
    close_bench(&whole);
}
END_TEST

/* --- bilateral constraints ------------------------------------------------------------------------ */

/* a pendulum that a driven slider shakes, against a wall; and a stack on a rod that bounces */
static const char shaken[] =
    "bodies = ( { type = \"multibody\"; name = \"m\"; positions = [0.0, 0.0, 0.6, -0.8]; masses = [1.0, 2.0];"
    " inertias = [0.1, 0.2]; } );"
    "constraints = ( { type = \"prismatic\"; nodes = [\"m.0\"]; point = [0.0, 0.0]; direction = [1.0, 0.0]; "
    "},"
    " { type = \"coordinate\"; node = \"m.0\";"
    "   motion = { type = \"harmonic\"; amplitude = 0.1; frequency = 2.0; phase = 1.5707963267948966; }; },"
    " { type = \"pin\"; nodes = [\"m.1\", \"m.0\"]; arms = [-0.6, 0.8, 0.0, 0.0]; } );"
    "loads = ( { type = \"gravity\"; acceleration = -10.0; direction = [0.0, 1.0]; } );"
    "contacts = ( { type = \"plane\"; node = \"m.1\"; normal = [1.0, 0.0]; point = [0.3, 0.0];"
    " restitution = 0.5; friction = 0.2; } );"
    "integrator = { type = \"%s\"; }; strategy = { type = \"time-stepping\"; };"
    "time = { end = 2.0; step = 0.002; };";
static const char at_position_level[] =
    "bodies = ( { type = \"multibody\"; name = \"m\"; positions = [0.6, -0.8]; masses = [2.0]; inertias = "
    "[0.2]; } );"
    "constraints = ( { type = \"pin\"; nodes = [\"m.0\"]; arms = [-0.6, 0.8]; } );"
    "loads = ( { type = \"gravity\"; acceleration = -10.0; direction = [0.0, 1.0]; } );"
    "contacts = ( { type = \"plane\"; node = \"m.0\"; normal = [1.0, 0.0]; point = [0.3, 0.0];"
    " restitution = 0.5; } );"
    "integrator = { type = \"%s\"; }; strategy = { type = \"time-stepping\"; level = \"position\"; };"
    "time = { end = 2.0; step = 0.002; };";
static const char stacked[] =
    "bodies = ( { type = \"particles\"; positions = [0.1, 1.1]; masses = [1.0, 2.0]; } );"
    "constraints = ( { type = \"rod\"; nodes = [\"particles.0\", \"particles.1\"]; } );"
    "loads = ( { type = \"gravity\"; acceleration = -10.0; } );"
    "contacts = ( { type = \"wall\"; node = \"particles.0\"; position = 0.0; restitution = 0.5; } );"
    "integrator = { type = \"%s\"; }; strategy = { type = \"event-driven\"; };"
    "time = { end = 1.0; step = 0.004; };";

static const struct {
    const char *text, *integrator;
} constrained[] = {{shaken, "theta"},
                   {shaken, "central-difference"},
                   {at_position_level, "central-difference"},
                   {at_position_level, "generalized-alpha"},
                   {stacked, "trapezoidal"},
                   {stacked, "generalized-alpha"}};

START_TEST(resumes_under_constraints)
{
    char text[2048];
    struct bench whole;
    snprintf(text, sizeof text, constrained[_i].text, constrained[_i].integrator);
    ck_assert_msg(open_bench(&whole, text), "%s", whole.diagnostics.items[0].message);
    ck_assert_int_eq(whole.job.strategy.ops->start(&whole.job.strategy, &whole.err), SG_OK);
    for (int stop = 0; stop < 5; stop++) check_resume(&whole, text, 37, 41);
    struct sg_summary summary = {0};
    whole.job.strategy.ops->summarize(&whole.job.strategy, &summary);
    ck_assert(summary.events > 0);
    close_bench(&whole);
}
END_TEST

Suite *sg_suite_resume(void);
Suite *sg_suite_resume(void)
{
    Suite *suite = suite_create("resume");
    TCase *grid = tcase_create("grid");
    tcase_add_loop_test(grid, resumes_bit_for_bit, 0, (int)sg_grid_count());
    tcase_add_test(grid, trying_the_first_step_is_no_work_of_the_run);
    tcase_add_loop_test(grid, resumes_in_the_middle_of_contact, 0,
                        (int)(sizeof space_cases / sizeof *space_cases));
    tcase_add_loop_test(grid, resumes_under_constraints, 0, (int)(sizeof constrained / sizeof *constrained));
    suite_add_tcase(suite, grid);
    return suite;
}
