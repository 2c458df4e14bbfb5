/* A request for memory fails in the middle of a command: the command says so and ends with the exit code of
 * that, has given back all that it had, and does not crash. Each trial is a process of its own, so that none
 * sees what an earlier one left in a library. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "torture.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "commands/commands.h"
#include "counter.h"
#include "linalg/blas.h"
#include "results/setup.h"
#include "support/status.h"

enum { WORDS = 16, WORD = 256 };

/* A command line; in its words @ stands for the folder of the trial, which is empty but for what `before`
 * wrote (a command line too, which succeeds). Where memory runs out in a case of a study, the case
 * fails, the command says why, and its exit code is that of failed cases. */
struct command_line {
    const char *name, *before[WORDS], *words[WORDS];
};

#define SET(name) "--set", name
#define RUN(deck, ...)                                                                                       \
    {                                                                                                        \
        "run", "-q", "decks/" deck ".cfg", "-o", "@/run.h5", __VA_ARGS__                                     \
    }

static const struct command_line lines[] = {
    {"velocity level", {NULL}, RUN("bouncing_ball", SET("time.end=0.5"))},
    {"velocity level, springs", {NULL}, RUN("rotating_spring_friction", SET("time.end=1.0"))},
    {"position level", {NULL}, RUN("bouncing_ball", SET("time.end=0.5"), SET("strategy.level=position"))},
    {"both levels", {NULL}, RUN("ball_accumulation", SET("time.end=0.02"))},
    {"both levels, constraints", {NULL}, RUN("slider_crank", SET("time.end=1.0e-4"))},
    {"update", {NULL}, RUN("block_impact", SET("time.end=0.05"))},
    {"event-driven", {NULL}, RUN("ball_events", SET("time.end=0.5"))},
    {"event-driven, modal", {NULL}, RUN("bouncing_bar", SET("time.end=0.2"), SET("bodies.[0].elements=5"))},
    {"event-driven, matrices", {NULL}, RUN("matrices_demo", SET("time.end=0.05"))},
    {"event-driven, laws", {NULL}, RUN("mixed_contacts", SET("time.end=0.05"))},
    {"penalty", {NULL}, RUN("penalty_bar", SET("time.end=1.0e-5"), SET("bodies.[0].elements=5"))},
    {"penalty, hertz",
     {NULL},
     RUN("two_shear_buildings", SET("time.end=0.1"), SET("integrator.type=trapezoidal"),
         SET("strategy.type=penalty"), SET("strategy.law=hertz"))},
    {"nodal boundary", {NULL}, RUN("nbm_bar", SET("time.end=0.1"), SET("bodies.[0].elements=4"))},
    {"mesh", {NULL}, RUN("mesh_demo", SET("time.end=2.0e-4"))},
    {"records",
     {NULL},
     RUN("building_pounding", SET("time.end=0.02"), SET("bodies.[0].storeys=2"), SET("bodies.[0].spans=2"),
         SET("bodies.[0].slip_joints=[1]"))},
    {"forced response",
     {NULL},
     RUN("forced_response", SET("analysis.count=2"), SET("bodies.[0].elements=3"),
         SET("analysis.steps_per_period=40"), SET("analysis.amplitudes=[0.05]"),
         SET("analysis.dampings=[0.1]"))},
    {"integrators", {NULL}, RUN("integrator_map", SET("analysis.at=[0.1]"))},
    {"modes, phases", {NULL}, RUN("modes_two_bars", SET("analysis.count=2"))},
    {"modes, nodal boundary",
     {NULL},
     RUN("nbm_modes_lin", SET("analysis.count=2"), SET("bodies.[0].elements=4"))},
    {"ground motion",
     {NULL},
     {"ground-motion", "decks/ground_motion_ec8.cfg", "-o", "@/motion.h5", SET("generate.count=1"),
      SET("generate.duration=15.0"), SET("generate.dt=0.1"), SET("generate.shortest=0.5"),
      SET("response.count=5")}},
    {"sweep", {NULL}, {"sweep", "tests/alloc/small_study.cfg", "-o", "@/sweep", "-j", "1"}},
    {"sweep, a case", {NULL}, {"sweep", "tests/alloc/small_study.cfg", "-o", "@/sweep", "--case", "1"}},
    {"sweep, table",
     {"sweep", "tests/alloc/small_study.cfg", "-o", "@/sweep", "-q"},
     {"sweep", "tests/alloc/small_study.cfg", "-o", "@/sweep", "--collect"}},
    {"sweep, list", {NULL}, {"sweep", "tests/alloc/small_study.cfg", "--list"}},
    {"check", {NULL}, {"check", "decks/slider_crank.cfg"}},
    {"check, json", {NULL}, {"check", "--json", "decks/mesh_demo.cfg"}},
    {"verify", {NULL}, {"verify", "bouncing_ball", "--junit", "@/junit.xml"}},
    {"csv", RUN("bouncing_ball", SET("time.end=0.5")), {"export", "@/run.h5", "--csv", "@/csv"}},
    {"vtk", RUN("mesh_demo", SET("time.end=2.0e-4")), {"export", "@/run.h5", "--vtk", "@/vtk"}},
    {"vtk, times",
     RUN("mesh_demo", SET("time.end=2.0e-4")),
     {"export", "@/run.h5", "--vtk", "@/vtk", "--at", "1.0e-4"}},
    {"plot", RUN("bouncing_ball", SET("time.end=0.5")), {"plot", "@/run.h5", "-o", "@/run.svg"}},
    {"plot, field",
     RUN("mesh_demo", SET("time.end=2.0e-4")),
     {"plot", "@/run.h5", "-o", "@/run.svg", "--field", "velocity_y", "--deform", "0", "--at", "1.0e-4"}},
    {"plot, points",
     RUN("integrator_map", SET("analysis.at=[0.1]")),
     {"plot", "@/run.h5", "-o", "@/run.svg"}},
    {"plot, study",
     {"sweep", "tests/alloc/small_study.cfg", "-o", "@/sweep", "-q"},
     {"plot", "@/sweep/summary.h5", "-o", "@/run.svg"}},
    {"compare", RUN("bouncing_ball", SET("time.end=0.5")), {"compare", "@/run.h5", "@/run.h5"}},
    {"list", {NULL}, {"list", "grid"}},
    {"help", {NULL}, {"help", "strategy"}},
    {"schema", {NULL}, {"schema", "deck"}},
};

enum { LINES = sizeof lines / sizeof lines[0] };

/* what a trial tells the process that started it */
struct report {
    int code;
    long requests, blocks; /* blocks: not given back */
};

/* --- one trial ------------------------------------------------------------------------------------ */

static int call(const char *const *words, const char *folder)
{
    static char text[WORDS][WORD];
    char *argv[WORDS + 1] = {NULL};
    int argc = 0;
    for (; argc < WORDS && words[argc] != NULL; argc++) {
        const char *at = words[argc][0] == '@' ? folder : "";
        snprintf(text[argc], WORD, "%s%s", at, words[argc] + (at == folder ? 1 : 0));
        argv[argc] = text[argc];
    }
    for (const struct sg_command *command = sg_commands; command->name != NULL; command++)
        if (strcmp(command->name, argv[0]) == 0) return command->run(argc, argv);
    return -1;
}

static void redirect(const char *folder, const char *name, int stream)
{
    char path[WORD];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || dup2(fd, stream) < 0) _exit(99);
    close(fd);
}

/* in a process of its own; `failing`, `lasting` as the counter has them */
static int attempt(const char *const *words, const char *folder, long failing, bool lasting,
                   struct report *report)
{
    *report = (struct report){.code = -1};
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        redirect(folder, "out", STDOUT_FILENO);
        redirect(folder, "err", STDERR_FILENO);
        sg_results_setup();
        counter = (struct sg_counter){.failing = failing, .lasting = lasting};
        report->code = call(words, folder);
        report->requests = counter.requests;
        report->blocks = counter.blocks;
        counter.failing = 0;
        fflush(NULL);
        _exit(0);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return status;
}

static void read_errors(const char *folder, char *text, size_t size)
{
    char path[WORD];
    snprintf(path, sizeof path, "%s/err", folder);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

/* --- all trials of a command ---------------------------------------------------------------------- */

struct scene {
    const struct command_line *line;
    char folder[64];
    struct report *report; /* in memory that processes share */
    char faults[4096];
};

static void clear(const struct scene *scene, const char *what)
{
    char command[WORD];
    snprintf(command, sizeof command, "rm -rf '%s'%s", scene->folder, what);
    ck_assert_int_eq(system(command), 0);
}

static void set_up(struct scene *scene)
{
    struct report *report = scene->report;
    if (scene->line->before[0] == NULL) return;
    int status = attempt(scene->line->before, scene->folder, 0, false, report);
    ck_assert_msg(status == 0 && report->code == 0, "%s: what it needs failed", scene->line->name);
}

/* what is wrong with a trial; NULL: nothing */
static const char *fault_of(const struct scene *scene, int status, const char *errors)
{
    const struct report *report = scene->report;
    bool of_case =
        strcmp(scene->line->words[0], "sweep") == 0 && report->code == sg_status_exit_code(SG_NO_SOLUTION);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return "the program crashed";
    if (report->code == 0) return "nothing failed";
    if (report->code != sg_status_exit_code(SG_NO_MEMORY) && !of_case)
        return "the exit code is that of another failure";
    if (strstr(errors, "memory") == NULL) return "the message says nothing of memory";
    return report->blocks == 0 ? NULL : "blocks were not given back";
}

static void judge(struct scene *scene, long k, bool lasting)
{
    const struct report *report = scene->report;
    char errors[512];
    int status = attempt(scene->line->words, scene->folder, k, lasting, scene->report);
    read_errors(scene->folder, errors, sizeof errors);
    const char *fault = fault_of(scene, status, errors);
    if (fault == NULL) return;
    size_t used = strlen(scene->faults);
    snprintf(scene->faults + used, sizeof scene->faults - used,
             "\n  %s request %ld: %s: code %d, %ld blocks: %s", lasting ? "from" : "only", k, fault,
             report->code, report->blocks, errors);
}

/* Powers of two, where what all commands do first is thick, and some in equal distances. */
static bool chosen(long k, long requests)
{
    enum { SPREAD = 24 };
    bool power = (k & (k - 1)) == 0, spread = k * SPREAD / requests != (k - 1) * SPREAD / requests;
    return power || spread || getenv("SIGNORINI_TORTURE") != NULL;
}

START_TEST(requests_fail)
{
    struct scene scene = {.line = &lines[_i], .folder = "/tmp/signorini-torture-XXXXXX"};
    ck_assert_ptr_nonnull(mkdtemp(scene.folder));
    scene.report =
        mmap(NULL, sizeof *scene.report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(scene.report != MAP_FAILED);
    set_up(&scene);
    int status = attempt(scene.line->words, scene.folder, 0, false, scene.report);
    long requests = scene.report->requests;
    ck_assert_msg(status == 0 && scene.report->code == 0, "%s fails by itself", scene.line->name);
    ck_assert_int_eq(scene.report->blocks, 0);
    ck_assert_int_gt(requests, 0);
    for (long k = 1; k <= requests; k++) {
        if (!chosen(k, requests)) continue;
        if (scene.line->before[0] == NULL) clear(&scene, "/*");
        judge(&scene, k, k % 2 == 0);
    }
    clear(&scene, "");
    munmap(scene.report, sizeof *scene.report);
    ck_assert_msg(scene.faults[0] == '\0', "%s: %ld requests%s", scene.line->name, requests, scene.faults);
}
END_TEST

TCase *sg_torture_cases(void)
{
    TCase *cases = tcase_create("torture");
    tcase_set_timeout(cases, getenv("SIGNORINI_TORTURE") != NULL ? 3600.0 : 240.0);
    sg_linalg_single_thread();
    tcase_add_loop_test(cases, requests_fail, 0, LINES);
    return cases;
}
