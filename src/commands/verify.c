/* signorini verify: the shipped benchmarks against exact and published values. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "commands/arguments.h"
#include "commands/commands.h"
#include "commands/progress.h"
#include "commands/verify.h"
#include "support/memory.h"
#include "support/text.h"

#define ENTRY(name) &sg_benchmark_##name,
const struct sg_benchmark *const sg_benchmarks[] = {SG_BENCHMARKS(ENTRY) NULL};
#undef ENTRY

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
struct session {
    struct verify *verify;
    const struct sg_benchmark *benchmark;
    struct sg_trace *traces;
    size_t done; /* traces recorded */
    void *exact;
    struct tally tally;
    struct sg_text cases; /* JUnit */
};

struct verdict {
    char value[32], limit[64];
    bool pass;
};

/* --- words ---------------------------------------------------------------------------------------- */

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

static void append_case(struct session *session, const char *figure, const struct verdict *verdict,
                        double seconds)
{
    struct sg_text *xml = &session->cases;
    char message[128];
    snprintf(message, sizeof message, "%s, must be %s", verdict->value, verdict->limit);
    sg_text_append(xml, "    <testcase");
    append_attribute(xml, "classname", session->benchmark->name);
    append_attribute(xml, "name", figure);
    sg_text_append(xml, " time=\"%.3f\"", seconds);
    if (verdict->pass) {
        sg_text_append(xml, "/>\n");
        return;
    }
    sg_text_append(xml, "><failure");
    append_attribute(xml, "message", message);
    sg_text_append(xml, "/></testcase>\n");
}

static void append_suite(struct session *session, double seconds)
{
    struct sg_text *xml = &session->verify->suites;
    sg_text_append(xml, "  <testsuite");
    append_attribute(xml, "name", session->benchmark->name);
    sg_text_append(xml, " tests=\"%zu\" failures=\"%zu\" time=\"%.3f\">\n", session->tally.figures,
                   session->tally.failures, seconds);
    sg_text_append_bytes(xml, sg_text_view(&session->cases), session->cases.length);
    sg_text_append(xml, "  </testsuite>\n");
    xml->failed = xml->failed || session->cases.failed;
}

static sg_status write_junit(const struct verify *verify, const char *path, struct sg_error *err)
{
    if (verify->suites.failed) FAIL(err, SG_NO_MEMORY, "out of memory for '%s'", path);
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

/* --- figures -------------------------------------------------------------------------------------- */

static struct verdict judge(const struct sg_figure *figure, double value, double scale)
{
    struct verdict verdict;
    double tolerance = figure->tolerance * scale;
    /* not a number passes nothing, nor does anything pass a limit of 0 */
    verdict.pass = tolerance > 0.0 && fabs(value - figure->target) <= tolerance;
    snprintf(verdict.value, sizeof verdict.value, "%.9g", value);
    if (figure->target == 0.0)
        snprintf(verdict.limit, sizeof verdict.limit, "<= %.4g", tolerance);
    else
        snprintf(verdict.limit, sizeof verdict.limit, "%.9g +- %.3g", figure->target, tolerance);
    return verdict;
}

static sg_status record_up_to(struct session *session, size_t trial, struct sg_error *err)
{
    while (session->done <= trial) {
        size_t k = session->done++;
        TRY(sg_trace_record(session->benchmark, &session->benchmark->trials[k], &session->traces[k], err));
    }
    return SG_OK;
}

static double measure(const struct session *session, const struct sg_figure *figure)
{
    struct sg_verification verification = {session->traces, session->exact};
    for (size_t k = 0; k <= figure->trial; k++)
        if (session->traces[k].status != SG_OK) return NAN;
    return figure->measure(&verification, figure->trial);
}

static sg_status verify_figure(struct session *session, const struct sg_figure *figure, struct sg_error *err)
{
    double start = sg_wall_clock();
    char name[160];
    TRY(record_up_to(session, figure->trial, err));
    struct verdict verdict = judge(figure, measure(session, figure), session->verify->scale);
    snprintf(name, sizeof name, "%s: %s", session->benchmark->trials[figure->trial].label, figure->name);
    printf("%-14s %-64s %-14s %-24s %s\n", session->benchmark->name, name, verdict.value, verdict.limit,
           verdict.pass ? "PASS" : "FAIL");
    fflush(stdout);
    session->tally.figures++;
    session->tally.failures += !verdict.pass;
    append_case(session, name, &verdict, sg_wall_clock() - start);
    return SG_OK;
}

static sg_status verify_all(struct session *session, struct sg_error *err)
{
    const struct sg_benchmark *benchmark = session->benchmark;
    double start = sg_wall_clock();
    size_t trials = 0;
    while (benchmark->trials[trials].label != NULL) trials++;
    TRY(SG_NEW(&session->traces, trials, err));
    TRY(sg_alloc(1, benchmark->exact_size, "exact solution", &session->exact, err));
    if (benchmark->exact_init != NULL) TRY(benchmark->exact_init(session->exact, err));
    for (const struct sg_figure *figure = benchmark->figures; figure->name != NULL; figure++)
        TRY(verify_figure(session, figure, err));
    append_suite(session, sg_wall_clock() - start);
    session->verify->all.figures += session->tally.figures;
    session->verify->all.failures += session->tally.failures;
    return SG_OK;
}

static sg_status verify_benchmark(struct verify *verify, const struct sg_benchmark *benchmark,
                                  struct sg_error *err)
{
    struct session session = {.verify = verify, .benchmark = benchmark};
    sg_status status = verify_all(&session, err);
    for (size_t k = 0; k < session.done; k++) sg_trace_release(&session.traces[k]);
    sg_free(session.traces);
    sg_free(session.exact);
    sg_text_release(&session.cases);
    return status;
}

/* --- the command ---------------------------------------------------------------------------------- */

static sg_status find(const char *name, const struct sg_benchmark **found, struct sg_error *err)
{
    for (size_t k = 0; sg_benchmarks[k] != NULL; k++) {
        if (strcmp(sg_benchmarks[k]->name, name) != 0) continue;
        *found = sg_benchmarks[k];
        return SG_OK;
    }
    struct sg_text names = {0};
    for (size_t k = 0; sg_benchmarks[k] != NULL; k++)
        sg_text_append(&names, "%s%s", k == 0 ? "" : ", ", sg_benchmarks[k]->name);
    sg_fail(err, SG_USAGE, "there is no benchmark '%s'; there are: %s", name, sg_text_view(&names));
    sg_text_release(&names);
    return SG_USAGE;
}

/* all of them, before any runs */
static sg_status check_names(const struct sg_arguments *arguments, struct sg_error *err)
{
    const struct sg_benchmark *benchmark = NULL;
    for (size_t i = 0; i < arguments->word_count; i++) TRY(find(arguments->words[i], &benchmark, err));
    return SG_OK;
}

static sg_status verify_named(struct verify *verify, const struct sg_arguments *arguments,
                              struct sg_error *err)
{
    if (arguments->word_count == 0) {
        for (size_t k = 0; sg_benchmarks[k] != NULL; k++)
            TRY(verify_benchmark(verify, sg_benchmarks[k], err));
    }
    for (size_t i = 0; i < arguments->word_count; i++) {
        const struct sg_benchmark *benchmark = NULL;
        TRY(find(arguments->words[i], &benchmark, err));
        TRY(verify_benchmark(verify, benchmark, err));
    }
    return SG_OK;
}

static sg_status tabulate(const struct sg_arguments *arguments, struct sg_error *err)
{
    sg_verify_table_head();
    for (size_t k = 0; arguments->word_count == 0 && sg_benchmarks[k] != NULL; k++)
        TRY(sg_verify_table(sg_benchmarks[k], err));
    for (size_t i = 0; i < arguments->word_count; i++) {
        const struct sg_benchmark *benchmark = NULL;
        TRY(find(arguments->words[i], &benchmark, err));
        TRY(sg_verify_table(benchmark, err));
    }
    return SG_OK;
}

static void list(void)
{
    for (size_t k = 0; sg_benchmarks[k] != NULL; k++)
        printf("%-16s %s\n", sg_benchmarks[k]->name, sg_benchmarks[k]->meaning);
}

static sg_status execute(struct verify *verify, const struct sg_arguments *arguments, struct sg_error *err)
{
    const char *junit = sg_arguments_text(arguments, "junit", NULL);
    double start = sg_wall_clock();
    TRY(verify_named(verify, arguments, err));
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
    TRY(check_names(arguments, err));
    if (sg_arguments_has(arguments, "list")) {
        list();
        return SG_OK;
    }
    if (sg_arguments_has(arguments, "table")) return tabulate(arguments, err);
    sg_status status = execute(&verify, arguments, err);
    sg_text_release(&verify.suites);
    return status;
}

int sg_command_verify(int argc, char **argv)
{
    static const struct sg_command_frame frame = {
        "[NAME...] [--junit FILE] [--list] [--table] [--scale-limits X]",
        "runs benchmarks against exact and published values, a line a figure", options, body};
    return sg_command_run(&frame, argc, argv);
}
