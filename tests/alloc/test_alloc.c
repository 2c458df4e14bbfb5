/* No memory is asked for in the time loop. What an arena made before a request failed is given back. */
#define _POSIX_C_SOURCE 200809L
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assembly/builder.h"
#include "benchmarks/evaluate.h"
#include "contact/contact_set.h"
#include "jobs/job.h"
#include "results/recorder.h"
#include "support/arena.h"
#include "support/memory.h"

#include "counter.h"
#include "jobs/build.h"
#include "torture.h"

START_TEST(the_counter_counts)
{
    double *memory = NULL;
    counter.on = true;
    sg_status status = SG_NEW(&memory, 3, NULL);
    sg_free(memory);
    counter.on = false;
    ck_assert_int_eq(status, SG_OK);
    ck_assert_int_eq(counter.calls, 2);
}
END_TEST

/* --- requests that fail --------------------------------------------------------------------------- */

static void note_close(void *closed)
{
    ++*(int *)closed;
}

/* what an arena does: blocks, a list that moves, an arena inside, a handle */
static sg_status fill(struct sg_arena *arena, int *closed, struct sg_error *err)
{
    struct sg_arena *inner = NULL;
    double *block = NULL;
    size_t *list = NULL, capacity = 0;
    char *text = NULL;
    TRY(SG_ARENA_NEW(arena, &block, 100, err));
    TRY(sg_arena_open(arena, &inner, err));
    for (size_t i = 0; i < 40; i++) {
        TRY(sg_arena_grow(arena, &list, i, &capacity, sizeof *list, err));
        list[i] = i;
        TRY(SG_ARENA_NEW_STREAMED(inner, &block, i, err));
    }
    --*closed; /* the arena's in any case from here on */
    TRY(sg_arena_own(inner, closed, note_close, err));
    return sg_arena_copy_text(inner, "text", &text, err);
}

/* The k-th request fails, for all k up to the number of requests. */
START_TEST(an_arena_filled_half_way_gives_back_all)
{
    sg_status status = SG_NO_MEMORY;
    long k = 0;
    while (status != SG_OK) {
        struct sg_arena arena = {0};
        struct sg_error err = {0};
        int closed = 0;
        long before = counter.blocks;
        counter.failing = ++k;
        status = fill(&arena, &closed, &err);
        counter.failing = 0;
        sg_arena_release(&arena);
        long after = counter.blocks; /* assertions take blocks of their own */
        ck_assert(status == SG_OK || (status == SG_NO_MEMORY && strstr(err.text, "memory") != NULL));
        ck_assert_int_eq(closed, 0); /* closed once if it was made */
        ck_assert_int_eq(after, before);
    }
    ck_assert_int_gt(k, 45);
}
END_TEST

/* --- runs ----------------------------------------------------------------------------------------- */

/* a bar on a wall, thrown and pulled at it: several contacts, some of them localised by several trials */
struct trial {
    const char *integrator, *operator, * mass, *law;
    bool damped, moving;  /* Rayleigh damping; a load that depends on time */
    const char *strategy; /* NULL: event-driven */
};

#define ELASTIC        "stiffness_factor = 10.0"
#define RIGID          "restitution = 0.5"
#define RIGIDLY        "type = \"time-stepping\"; "
#define DAMPED         "stiffness_factor = 10.0; restitution = 0.5"
#define PENALTY        "type = \"penalty\";"
#define NODAL_BOUNDARY "type = \"nbm\";"

static const struct trial trials[] = {
    {"botr", "modal", "average", ELASTIC, false, false, NULL},
    {"botr", "modal", "average", RIGID, true, true, NULL},
    {"botr", "nodal", "average", ELASTIC, true, true, NULL},
    {"botr", "nodal", "average", RIGID, false, false, NULL},
    {"generalized-alpha", "modal", "consistent", ELASTIC, false, true, NULL},
    {"generalized-alpha", "modal", "consistent", RIGID, true, false, NULL},
    {"generalized-alpha", "nodal", "consistent", ELASTIC, true, false, NULL},
    {"generalized-alpha", "nodal", "consistent", RIGID, false, true, NULL},
    {"newmark", "modal", "average", ELASTIC, false, false, NULL},
    {"newmark", "nodal", "average", RIGID, false, false, NULL},
    {"trapezoidal", "modal", "average", ELASTIC, true, true, NULL},
    {"trapezoidal", "modal", "average", RIGID, false, false, NULL},
    {"trapezoidal", "nodal", "average", ELASTIC, false, false, NULL},
    {"trapezoidal", "nodal", "average", RIGID, true, true, NULL},
    {"noh-bathe", "modal", "average", ELASTIC, false, true, NULL},
    {"noh-bathe", "modal", "average", RIGID, false, false, NULL},
    {"noh-bathe", "nodal", "lumped", ELASTIC, false, false, NULL},
    {"noh-bathe", "nodal", "lumped", RIGID, false, true, NULL},
    {"exact", "modal", "average", ELASTIC, false, true, NULL},
    {"exact", "modal", "average", RIGID, true, false, NULL},
    {"bathe", "modal", "average", ELASTIC, false, true, NULL},
    {"bathe", "nodal", "average", RIGID, true, false, NULL},
    {"central-difference", "nodal", "lumped", RIGID, false, true, RIGIDLY "level = \"velocity\";"},
    {"theta", "modal", "average", RIGID, true, false, RIGIDLY "level = \"velocity\";"},
    {"trapezoidal", "modal", "average", RIGID, true, true, RIGIDLY "level = \"position\";"},
    {"bathe", "modal", "average", RIGID, false, true, RIGIDLY "level = \"position\";"},
    {"bathe", "nodal", "average", RIGID, true, false, RIGIDLY "level = \"position\"; update = true;"},
    {"trapezoidal", "nodal", "consistent", RIGID, false, true,
     RIGIDLY "level = \"position\"; update = true;"},
    {"trapezoidal", "modal", "average", ELASTIC, true, true, PENALTY},
    {"trapezoidal", "nodal", "average", DAMPED, false, false, PENALTY},
    {"bathe", "nodal", "average", DAMPED, false, true, PENALTY},
    {"generalized-alpha", "nodal", "average", DAMPED, true, false, PENALTY},
    {"central-difference", "nodal", "lumped", DAMPED, false, true, PENALTY},
    {"theta", "nodal", "average", ELASTIC, true, false, PENALTY},
    {"theta", "modal", "average", ELASTIC, false, true, PENALTY " form = \"conserving\";"},
    {"theta", "nodal", "average", ELASTIC, false, false, PENALTY " form = \"dissipating\";"},
    {"exact", "modal", "consistent", RIGID, true, true, NODAL_BOUNDARY},
    {"trapezoidal", "nodal", "average", RIGID, false, false, NODAL_BOUNDARY},
    {"trapezoidal", "nodal", "average", RIGID, false, true, NODAL_BOUNDARY " switching = \"step-end\";"},
};

enum { TRIALS = sizeof trials / sizeof trials[0] };

struct world {
    struct sg_deck *deck;
    struct sg_diagnostics diagnostics;
    struct sg_error err;
    struct sg_job job;
    struct sg_recorder *recorder;
};

static void must(sg_status status, struct world *w)
{
    struct sg_text findings = {0};
    sg_diagnostics_render(&w->diagnostics, &findings);
    ck_assert_msg(status == SG_OK, "%s%s", sg_text_view(&findings), w->err.text);
    sg_text_release(&findings);
}

static void build_text(const char *text, struct world *w)
{
    must(sg_deck_read_text(text, strlen(text), "test", &w->deck, &w->diagnostics, &w->err), w);
    must(sg_deck_validate(w->deck, sg_grammar, &w->diagnostics, &w->err), w);
    must(sg_job_build(&w->job, w->deck, &w->diagnostics, &w->err), w);
}

static void build(const struct trial *trial, struct world *w)
{
    char text[2048];
    bool stepping = trial->strategy != NULL;
    snprintf(text, sizeof text,
             "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; elements = 12; area = 1.0;"
             "  modulus = 1.0; density = 1.0; mass = \"%s\"; } );"
             "initial = ( { body = \"bar\"; velocity = -0.3; } );"
             "loads = ( { type = \"gravity\"; acceleration = -0.2; } %s );"
             "contacts = ( { type = \"wall\"; node = \"bar.left\"; gap = 0.1; %s; } );"
             "%s strategy = { %s };"
             "integrator = { type = \"%s\"; operator = \"%s\"; };"
             "time = { end = 4.0; %s };",
             trial->mass,
             trial->moving ? ", { type = \"force\"; node = \"bar.right\"; signal = { type = \"harmonic\";"
                             "  amplitude = 0.02; frequency = 1.0; }; }"
                           : "",
             trial->law, trial->damped ? "damping = { mass = 0.05; };" : "",
             stepping ? trial->strategy : "type = \"event-driven\";", trial->integrator, trial->operator,
             stepping ? "step = 0.004;" : "points_per_period = 6.0;");
    build_text(text, w);
}

static void release(struct world *w)
{
    sg_recorder_destroy(w->recorder);
    sg_job_release(&w->job);
    sg_deck_destroy(w->deck);
    sg_diagnostics_release(&w->diagnostics);
}

/* the whole run; the calls of its time loop are counted, its events returned */
static long long run(struct world *w, struct sg_observer observer)
{
    struct sg_summary summary = {0};
    struct sg_strategy *strategy = &w->job.strategy;
    bool done = false;
    must(sg_job_attach(&w->job, observer, &w->diagnostics, &w->err), w);
    must(strategy->ops->start(strategy, &w->err), w);
    sg_status status = SG_OK;
    counter.calls = 0;
    counter.on = true;
    while (status == SG_OK && !done) status = strategy->ops->advance(strategy, &done, &w->err);
    counter.on = false;
    must(status, w);
    strategy->ops->summarize(strategy, &summary);
    return summary.events;
}

static sg_status ignore_step(void *self, const struct sg_snapshot *now, const struct sg_sampler *sampler,
                             int localized, struct sg_error *err)
{
    /* a sample inside the step, as a recorder takes it */
    double *last = self, t = 0.5 * (*last + now->t);
    struct sg_snapshot inside;
    (void)localized;
    *last = now->t;
    return sampler != NULL ? sampler->at(sampler->self, t, &inside, err) : SG_OK;
}

static sg_status ignore_event(void *self, const struct sg_event *event, struct sg_error *err)
{
    (void)self, (void)event, (void)err;
    return SG_OK;
}

START_TEST(the_time_loop_allocates_nothing)
{
    const struct trial *trial = &trials[_i];
    struct world w = {0};
    double last = 0.0;
    build(trial, &w);
    struct sg_observer observer = {.self = &last, .step = ignore_step, .event = ignore_event};
    long long events = run(&w, observer);
    ck_assert_msg(events >= 2, "%s: only %lld events", trial->integrator, events);
    ck_assert_msg(counter.calls == 0, "%s, %s, %s: %ld calls", trial->integrator, trial->operator, trial->law,
                  counter.calls);
    release(&w);
}
END_TEST

/* --- time-stepping -------------------------------------------------------------------------------- */

/* linear: the bar; nonlinear, in space, with contacts whose normals change and move: a pyramid of springs in
 * a bowl */
#define BAR                                                                                                  \
    "bodies = ( { type = \"bar\"; name = \"bar\"; length = 1.0; elements = 12; area = 1.0;"                  \
    " modulus = 1.0; density = 1.0; mass = \"lumped\"; } );"                                                 \
    "initial = ( { body = \"bar\"; velocity = -0.3; } );"                                                    \
    "loads = ( { type = \"gravity\"; acceleration = -0.2; } );"                                              \
    "contacts = ( { type = \"wall\"; node = \"bar.left\"; gap = 0.1; restitution = 0.5; } );"                \
    "damping = { mass = 0.05; };"                                                                            \
    "time = { end = 4.0; step = 0.01; };"
#define FOOT(number, law)                                                                                    \
    "{ type = \"sphere\"; node = \"top." number                                                              \
    "\"; center = [0.0, 0.0, 1.0]; radius = 1.2; inside = true; " law                                        \
    "}, { type = \"plane\"; node = \"top." number "\"; normal = [0.1, 0.0, 1.0]; gap = 0.1;"                 \
    " motion = { type = \"harmonic\"; amplitude = 0.02; frequency = 2.0; }; " law "}"
#define ROD(a, b) "{ type = \"spring\"; nodes = [\"top." a "\", \"top." b "\"]; stiffness = 1.0e3; }"
#define PYRAMID(law)                                                                                         \
    "bodies = ( { type = \"particles\"; name = \"top\"; dim = 3; masses = [1.0, 1.0, 1.0, 2.0];"             \
    " positions = [0.5, 0.0, 0.0, -0.3, 0.4, 0.0, -0.3, -0.4, 0.0, 0.0, 0.0, 0.6]; } );"                     \
    "elements = ( " ROD("0", "1") ", " ROD("1", "2") ", " ROD("2", "0") ", " ROD("0", "3") ", " ROD(         \
        "1", "3") ", " ROD("2",                                                                              \
                           "3") " );"                                                                        \
                                "initial = ( { body = \"top\"; velocity_vector = [1.0, 0.5, -1.0]; } );"     \
                                "loads = ( { type = \"gravity\"; acceleration = -10.0; } );"                 \
                                "contacts = ( " FOOT("0", law) ", " FOOT("1", law) ", " FOOT(                \
                                    "2", law) " );"                                                          \
                                              "time = { end = 2.0; step = 0.004; };"
#define VELOCITY                "strategy = { type = \"time-stepping\"; level = \"velocity\"; };"
#define POSITION                "strategy = { type = \"time-stepping\"; level = \"position\"; };"
#define CENTRAL                 "integrator = { type = \"central-difference\"; };"
#define IMPLICIT                "integrator = { type = \"central-difference\"; damping = \"implicit\"; };"
#define MIDPOINT                "integrator = { type = \"theta\"; forces = \"midpoint\"; };"
#define AVERAGE                 "integrator = { type = \"theta\"; forces = \"average\"; };"
#define NODAL                   "integrator = { type = \"theta\"; operator = \"nodal\"; };"
#define IMPLICIT_POSITION(type) "integrator = { type = \"" type "\"; };"
#define ROUGH                   "friction = 0.3; restitution = 0.2; "

static const char *const stepping[] = {
    BAR VELOCITY CENTRAL,
    BAR VELOCITY IMPLICIT,
    BAR VELOCITY MIDPOINT,
    BAR VELOCITY NODAL,
    BAR POSITION CENTRAL,
    BAR POSITION IMPLICIT_POSITION("trapezoidal"),
    BAR POSITION IMPLICIT_POSITION("newmark"),
    PYRAMID("") VELOCITY CENTRAL,
    PYRAMID(ROUGH) VELOCITY CENTRAL,
    PYRAMID(ROUGH) VELOCITY IMPLICIT,
    PYRAMID(ROUGH) VELOCITY MIDPOINT,
    PYRAMID(ROUGH) VELOCITY AVERAGE,
    PYRAMID("") POSITION CENTRAL,
};

enum { STEPPING = sizeof stepping / sizeof stepping[0] };

START_TEST(time_stepping_allocates_nothing)
{
    struct world w = {0};
    double last = 0.0;
    build_text(stepping[_i], &w);
    struct sg_observer observer = {.self = &last, .step = ignore_step, .event = ignore_event};
    long long events = run(&w, observer);
    ck_assert_msg(events >= 2, "only %lld events: %s", events, stepping[_i]);
    ck_assert_msg(counter.calls == 0, "%ld calls: %s", counter.calls, stepping[_i]);
    release(&w);
}
END_TEST

/* --- recording ------------------------------------------------------------------------------------ */

static struct sg_recorder_spec recorder_spec(const struct world *w, const char *path)
{
    return (struct sg_recorder_spec){.path = path,
                                     .every = 0.01,
                                     .end = w->job.time.end,
                                     .events = true,
                                     .quantities = &w->job.quantities,
                                     .labels = &w->job.labels,
                                     .impulses = true};
}

START_TEST(recording_allocates_nothing)
{
    char folder[] = "/tmp/signorini-alloc-XXXXXX", path[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/run.h5", folder);
    const struct trial *trial = &trials[_i];
    struct world w = {0};
    struct sg_summary summary = {0};
    build(trial, &w);
    struct sg_recorder_spec spec = recorder_spec(&w, path);
    must(sg_recorder_create(&spec, &w.recorder, &w.err), &w);
    run(&w, sg_recorder_observer(w.recorder));
    ck_assert_uint_gt(sg_recorder_rows(w.recorder), 400);
    must(sg_recorder_finish(w.recorder, "complete", &summary, &w.err), &w);
    unlink(path);
    rmdir(folder);
    ck_assert_msg(counter.calls == 0, "%s, %s, %s: %ld calls", trial->integrator, trial->operator, trial->law,
                  counter.calls);
    release(&w);
}
END_TEST

/* --- contacts whose normals change ---------------------------------------------------------------- */

/* a node in a plane, free, at (0.2, 0.3) */
struct point {
    double position[2], u0[2];
    size_t free_of_full[2], free_dof[2], first_dof[2];
    struct sg_dof_place places[2];
    struct sg_model_body body;
    struct sg_model_names names;
    struct sg_system system;
};

static void make_point(struct point *p)
{
    *p = (struct point){.position = {0.2, 0.3},
                        .free_of_full = {0, 1},
                        .free_dof = {0, 1},
                        .first_dof = {0, 2},
                        .places = {{0, 0}, {0, 1}},
                        .body = {.name = "p", .count = 1, .dim = 2, .dof_count = 2}};
    p->names = (struct sg_model_names){.bodies = &p->body, .body_count = 1, .positions = p->position};
    p->system = (struct sg_system){.n = 2,
                                   .n_full = 2,
                                   .dim = 2,
                                   .first_dof = p->first_dof,
                                   .places = p->places,
                                   .reference = p->position,
                                   .u0 = p->u0,
                                   .free_dof = p->free_dof,
                                   .free_of_full = p->free_of_full,
                                   .names = &p->names};
}

static const struct sg_keyword contact_root[] = {
    {.name = "contacts", .type = SG_LIST, .meaning = "contacts", .kinds = &sg_contact_kinds}, {0}};

START_TEST(placing_contacts_allocates_nothing)
{
    static const char text[] =
        "contacts = ( { type = \"circle\"; node = \"p\"; center = [0.0, 0.0]; radius = 1.0; inside = true;"
        "  friction = 0.3; }, { type = \"plane\"; node = \"p\"; normal = [1.0, 1.0]; gap = 1.0;"
        "  motion = { type = \"harmonic\"; amplitude = 0.1; frequency = 1.0; }; } );";
    struct world w = {0};
    struct point p;
    struct sg_contact_set *set = NULL;
    struct sg_contact_frame frame;
    make_point(&p);
    must(sg_deck_read_text(text, strlen(text), "test", &w.deck, &w.diagnostics, &w.err), &w);
    must(sg_deck_validate(w.deck, contact_root, &w.diagnostics, &w.err), &w);
    must(sg_contact_set_create(w.deck, &p.system, NULL, &set, &w.diagnostics, &w.err), &w);
    must(sg_contact_frame_init(&frame, set, &w.err), &w);
    double first = frame.normal->value[0];
    counter.calls = 0;
    counter.on = true;
    for (int k = 0; k < 10; k++) sg_contact_set_place(set, 0.1 * k, (const double[]){0.1, -0.05 * k}, &frame);
    counter.on = false;
    ck_assert(frame.normal->value[0] != first); /* it was at work */
    ck_assert_int_eq(counter.calls, 0);
    sg_contact_frame_release(&frame);
    sg_contact_set_destroy(set);
    release(&w);
}
END_TEST

/* A figure that lacks memory is no figure without value: the evaluation itself fails, and whatever it had is
 * given back. The k-th request fails, for all k up to the number of requests. */
START_TEST(an_evaluation_says_that_memory_ran_out)
{
    struct sg_bench_trial trial = {.name = "one"};
    struct sg_bench_term term = {.name = "a"};
    struct sg_benchmark benchmark = {.trials = &trial, .trial_count = 1, .terms = &term, .term_count = 1};
    struct sg_trace trace = {.names = &(struct sg_names){0}};
    const struct sg_recorded recorded = {&trace, 1};
    const struct sg_evaluator evaluator = {&benchmark, &recorded, NULL};
    SG_LOCAL_ARENA(arena);
    SG_LOCAL_TEXT(fault);
    struct sg_formula formula;
    struct sg_error err = {0};
    double value = 0.0;
    sg_status status = SG_NO_MEMORY;
    long k = 0;
    ck_assert_int_eq(sg_formula_parse(&arena, "max([1, 2, 5]) + sum([1, 2])", &formula, &fault, &err), SG_OK);
    while (status == SG_NO_MEMORY) {
        counter.blocks = 0;
        counter.failing = ++k;
        status = sg_evaluate(&evaluator, &formula, 0, &value, &fault, &err);
        counter.failing = 0;
        ck_assert_int_eq(counter.blocks, 0);
        ck_assert_uint_eq(fault.length, 0);
        if (status != SG_OK) ck_assert_ptr_nonnull(strstr(err.text, "memory"));
    }
    ck_assert_int_eq(status, SG_OK);
    ck_assert(value == 8.0);
    ck_assert_int_gt(k, 4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory");
    TCase *cases = tcase_create("time loop");
    tcase_add_test(cases, the_counter_counts);
    tcase_add_test(cases, an_arena_filled_half_way_gives_back_all);
    tcase_add_loop_test(cases, the_time_loop_allocates_nothing, 0, TRIALS);
    tcase_add_loop_test(cases, time_stepping_allocates_nothing, 0, STEPPING);
    tcase_add_loop_test(cases, recording_allocates_nothing, 0, TRIALS);
    tcase_add_test(cases, placing_contacts_allocates_nothing);
    tcase_add_test(cases, an_evaluation_says_that_memory_ran_out);
    suite_add_tcase(suite, cases);
    suite_add_tcase(suite, sg_torture_cases());
    unsetenv("CK_XML_LOG_FILE_NAME"); /* is the unit tests' */
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0 ? 1 : 0;
}
