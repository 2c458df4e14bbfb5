/* signorini verify: benchmarks against exact and published values, those that are compiled in and the user's.
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "benchmarks/session.h"
#include "benchmarks/shipped.h"
#include "commands/arguments.h"
#include "commands/commands.h"
#include "commands/load.h"
#include "commands/progress.h"
#include "support/clock.h"
#include "support/memory.h"
#include "support/text.h"

static const struct sg_option options[] = {
    {"junit", 0, "FILE", "write the verdicts as JUnit XML, too", false},
    {"list", 0, NULL, "list the benchmarks", false},
    {"table", 0, NULL, "compare the trials of the benchmarks instead, without verdicts: a table in Markdown",
     false},
    {"scale-limits", 0, "X", "self-test: multiply all limits by X; with 0 every figure fails", false},
    {0}};

struct tally {
    size_t figures, failures;
};

struct verify {
    double scale;
    struct tally all;
    struct sg_text suites; /* JUnit, one a benchmark */
};

/* one benchmark under way */
struct report {
    struct verify *verify;
    const struct sg_benchmark *benchmark;
    struct tally tally;
    double last;          /* s: when the figure before was told */
    struct sg_text cases; /* JUnit */
};

/* --- words ------------------------------------------------------------------------------------------ */

static void append_escaped(struct sg_text *xml, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            sg_text_append(xml, "&amp;");
            break;
        case '<':
            sg_text_append(xml, "&lt;");
            break;
        case '>':
            sg_text_append(xml, "&gt;");
            break;
        case '"':
            sg_text_append(xml, "&quot;");
            break;
        default:
            sg_text_append_bytes(xml, text, 1);
        }
    }
}

static void append_attribute(struct sg_text *xml, const char *name, const char *text)
{
    sg_text_append(xml, " %s=\"", name);
    append_escaped(xml, text);
    sg_text_append(xml, "\"");
}

static void append_case(struct report *report, const char *figure, const struct sg_verdict *verdict,
                        double seconds)
{
    struct sg_text *xml = &report->cases;
    SG_LOCAL_TEXT(message);
    sg_text_append(&message, "%.9g, must be %s", verdict->value, verdict->limit);
    if (!verdict->pass && verdict->fault[0] != '\0') sg_text_append(&message, ": %s", verdict->fault);
    sg_text_append(xml, "    <testcase");
    append_attribute(xml, "classname", report->benchmark->name);
    append_attribute(xml, "name", figure);
    sg_text_append(xml, " time=\"%.3f\"", seconds);
    if (verdict->pass) {
        sg_text_append(xml, "/>\n");
    } else {
        sg_text_append(xml, "><failure");
        append_attribute(xml, "message", sg_text_view(&message));
        sg_text_append(xml, "/></testcase>\n");
    }
    xml->failed = xml->failed || message.failed;
}

static void append_suite(struct report *report, double seconds)
{
    struct sg_text *xml = &report->verify->suites;
    sg_text_append(xml, "  <testsuite");
    append_attribute(xml, "name", report->benchmark->name);
    sg_text_append(xml, " tests=\"%zu\" failures=\"%zu\" time=\"%.3f\">\n", report->tally.figures,
                   report->tally.failures, seconds);
    sg_text_append_bytes(xml, sg_text_view(&report->cases), report->cases.length);
    sg_text_append(xml, "  </testsuite>\n");
    xml->failed = xml->failed || report->cases.failed;
}

static sg_status write_junit(const struct verify *verify, const char *path, struct sg_error *err)
{
    TRY(sg_text_check(&verify->suites, err));
    FILE *file = fopen(path, "w");
    if (file == NULL) FAIL(err, SG_NO_OUTPUT, "can't create '%s': %s", path, strerror(errno));
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"signorini verify\" tests=\"%zu\" failures=\"%zu\">\n%s</testsuites>\n",
            verify->all.figures, verify->all.failures, sg_text_view(&verify->suites));
    bool bad = ferror(file) != 0;
    bad = fclose(file) != 0 || bad;
    if (bad) FAIL(err, SG_WRITE_FAILED, "can't write '%s': %s", path, strerror(errno));
    return SG_OK;
}

/* --- figures ---------------------------------------------------------------------------------------- */

/* A line a figure; where one fails, what its limit rests on, and why it has no value. */
static void tell_verdict(void *self, const struct sg_verdict *verdict)
{
    struct report *report = self;
    SG_LOCAL_TEXT(name);
    char value[32];
    double now = sg_wall_clock();
    snprintf(value, sizeof value, "%.9g", verdict->value);
    sg_text_append(&name, "%s: %s", verdict->trial->label, verdict->figure->name);
    printf("%-14s %-64s %-14s %-24s %s\n", report->benchmark->name, sg_text_view(&name), value,
           verdict->limit, verdict->pass ? "PASS" : "FAIL");
    fflush(stdout);
    if (!verdict->pass && verdict->fault[0] != '\0')
        fprintf(stderr, "signorini verify: %s, %s: %s\n", report->benchmark->name, sg_text_view(&name),
                verdict->fault);
    report->tally.figures++;
    report->tally.failures += !verdict->pass;
    append_case(report, sg_text_view(&name), verdict, now - report->last);
    report->last = now;
}

static void tell_failure(void *self, const struct sg_bench_trial *trial, const char *why)
{
    const struct report *report = self;
    fprintf(stderr, "signorini verify: %s, %s: %s\n", report->benchmark->name, trial->label, why);
}

static sg_status verify_all(struct report *report, struct sg_session *session,
                            struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    const struct sg_session_watch watch = {report, tell_verdict, tell_failure};
    double start = report->last = sg_wall_clock();
    TRY(sg_session_verify(session, &watch, diagnostics, err));
    append_suite(report, sg_wall_clock() - start);
    report->verify->all.figures += report->tally.figures;
    report->verify->all.failures += report->tally.failures;
    return SG_OK;
}

/* --- the table: all runs of a benchmark side by side, without verdicts ------------------------------ */

static void print_head(void)
{
    printf("| benchmark | trial | steps | penetration (m) | energy change (J) | rise a step (J) | solves a "
           "step | us a step |\n|---|---|---|---|---|---|---|---|\n");
}

/* total energy: its change from start to end, and its largest rise in a step, J; NaN where it is not recorded
 */
struct energy {
    double change, rise;
};

static struct energy energy_of(const struct sg_trace *trace)
{
    struct energy energy = {NAN, NAN};
    struct sg_value total;
    if (trace->row_count == 0 || !sg_trace_column(trace, "energy/total", &total)) return energy;
    energy.change = sg_value_at(&total, trace->row_count - 1, 0) - sg_value_at(&total, 0, 0);
    energy.rise = 0.0;
    for (size_t i = 1; i < trace->row_count; i++)
        energy.rise = fmax(energy.rise, sg_value_at(&total, i, 0) - sg_value_at(&total, i - 1, 0));
    return energy;
}

static void print_run(void *self, const struct sg_bench_trial *trial, const struct sg_trace *trace)
{
    const struct report *report = self;
    const struct sg_summary *s = &trace->summary;
    const struct energy energy = energy_of(trace);
    double steps = fmax((double)s->steps, 1.0);
    printf("| %s | %s | %lld | %.2e | %+.4f | %.2e | %.2f | %.2f |\n", report->benchmark->name, trial->label,
           s->steps, s->max_penetration, energy.change, energy.rise, (double)s->newton_iterations / steps,
           1e6 * trace->seconds / steps);
    fflush(stdout);
}

static sg_status tabulate(struct report *report, struct sg_session *session,
                          struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    const struct sg_session_table table = {report, print_run, tell_failure};
    return sg_session_tabulate(session, &table, diagnostics, err);
}

/* --- the command ------------------------------------------------------------------------------------ */

/* a user's file, by its end or a folder before it; else a benchmark that is compiled in */
static bool is_path(const char *word)
{
    const char *dot = strrchr(word, '.');
    return strchr(word, '/') != NULL || (dot != NULL && strcmp(dot, ".bench") == 0);
}

typedef sg_status deed(struct report *report, struct sg_session *session, struct sg_diagnostics *diagnostics,
                       struct sg_error *err);

static sg_status open_benchmark(const char *word, struct sg_benchmark **benchmark,
                                struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    return (is_path(word) ? sg_benchmark_read : sg_benchmark_take)(word, benchmark, diagnostics, err);
}

static sg_status do_with(struct verify *verify, const char *word, deed *act, struct sg_error *err)
{
    struct sg_benchmark *benchmark = NULL;
    struct sg_session *session = NULL;
    struct sg_diagnostics diagnostics = {0};
    struct report report = {.verify = verify};
    sg_status status = open_benchmark(word, &benchmark, &diagnostics, err);
    report.benchmark = benchmark;
    if (status == SG_OK) status = sg_session_create(benchmark, verify->scale, &session, &diagnostics, err);
    if (status == SG_OK) status = act(&report, session, &diagnostics, err);
    if (status != SG_OK) sg_report(&diagnostics, status, err);
    sg_session_destroy(session);
    sg_benchmark_destroy(benchmark);
    sg_diagnostics_release(&diagnostics);
    sg_text_release(&report.cases);
    return status;
}

static sg_status do_all(struct verify *verify, const struct sg_arguments *arguments, deed *act,
                        struct sg_error *err)
{
    for (size_t k = 0; arguments->word_count == 0 && sg_shipped_benches[k].name != NULL; k++)
        TRY(do_with(verify, sg_shipped_benches[k].name, act, err));
    for (size_t i = 0; i < arguments->word_count; i++) TRY(do_with(verify, arguments->words[i], act, err));
    return SG_OK;
}

static sg_status check_name(const char *name, struct sg_error *err)
{
    SG_LOCAL_TEXT(names);
    for (size_t k = 0; sg_shipped_benches[k].name != NULL; k++) {
        if (strcmp(sg_shipped_benches[k].name, name) == 0) return SG_OK;
        sg_text_append(&names, "%s%s", k == 0 ? "" : ", ", sg_shipped_benches[k].name);
    }
    FAIL(err, SG_USAGE, "there is no benchmark '%s' (a file's name ends with .bench); there are: %s", name,
         sg_text_view(&names));
}

/* all of them, before any runs: names and what stands in files */
static sg_status check_words(const struct sg_arguments *arguments, struct sg_error *err)
{
    for (size_t i = 0; i < arguments->word_count; i++)
        if (!is_path(arguments->words[i])) TRY(check_name(arguments->words[i], err));
    for (size_t i = 0; i < arguments->word_count; i++) {
        struct sg_benchmark *benchmark = NULL;
        struct sg_diagnostics diagnostics = {0};
        sg_status status = open_benchmark(arguments->words[i], &benchmark, &diagnostics, err);
        if (status != SG_OK) sg_report(&diagnostics, status, err);
        sg_benchmark_destroy(benchmark);
        sg_diagnostics_release(&diagnostics);
        if (status != SG_OK) return status;
    }
    return SG_OK;
}

static sg_status print_meaning(struct report *report, struct sg_session *session,
                               struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    (void)session, (void)diagnostics, (void)err;
    printf("%-16s %s\n", report->benchmark->name, report->benchmark->meaning);
    return SG_OK;
}

static sg_status execute(struct verify *verify, const struct sg_arguments *arguments, struct sg_error *err)
{
    const char *junit = sg_arguments_text(arguments, "junit", NULL);
    double start = sg_wall_clock();
    TRY(do_all(verify, arguments, verify_all, err));
    if (junit != NULL) TRY(write_junit(verify, junit, err));
    const struct tally *all = &verify->all;
    printf("%zu figures, %zu failed, %.1f s\n", all->figures, all->failures, sg_wall_clock() - start);
    if (all->failures > 0) FAIL(err, SG_DIFFERENT, "%zu of %zu figures failed", all->failures, all->figures);
    return SG_OK;
}

static sg_status body(const struct sg_arguments *arguments, struct sg_error *err)
{
    struct verify verify = {.scale = 1.0};
    TRY(sg_arguments_real(arguments, "scale-limits", 1.0, &verify.scale, err));
    if (!(verify.scale >= 0.0) || isinf(verify.scale))
        FAIL(err, SG_USAGE, "--scale-limits is %g, must be finite and not negative", verify.scale);
    TRY(check_words(arguments, err));
    if (sg_arguments_has(arguments, "list")) return do_all(&verify, arguments, print_meaning, err);
    if (sg_arguments_has(arguments, "table")) {
        print_head();
        return do_all(&verify, arguments, tabulate, err);
    }
    sg_status status = execute(&verify, arguments, err);
    sg_text_release(&verify.suites);
    return status;
}

int sg_command_verify(int argc, char **argv)
{
    static const struct sg_command_frame frame = {
        "[NAME or FILE.bench]... [--junit FILE] [--list] [--table] [--scale-limits X]",
        "runs benchmarks against exact and published values, a line a figure", options, body};
    return sg_command_run(&frame, argc, argv);
}
