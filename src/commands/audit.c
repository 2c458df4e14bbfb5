/* signorini audit: a results file judged from itself alone. */
#include <stdio.h>
#include <string.h>

#include "auditing/witness.h"
#include "commands/arguments.h"
#include "commands/audit_words.h"
#include "commands/commands.h"
#include "results/audit_file.h"
#include "support/text.h"

static const struct sg_option options[] = {
    {"file", 0, NULL, "check the file itself instead: complete, times that rise, numbers that are numbers",
     false},
    {"json", 0, NULL, "print the checks as JSON", false},
    {"strict", 0, NULL, "exit code 76 where something is doubtful or wrong, in the run's own audit too",
     false},
    {0}};

struct audit {
    struct sg_audit_list found, own; /* from the file alone; what the run itself wrote */
    struct sg_text untold;
};

static sg_status judge(const char *path, bool file_only, struct audit *audit, struct sg_error *err)
{
    struct sg_reader *reader = NULL;
    TRY(sg_reader_open(path, &reader, err));
    sg_status status = file_only ? sg_witness_judge_file(reader, &audit->found, err)
                                 : sg_witness_judge(reader, &audit->found, &audit->untold, err);
    sg_reader_close(reader);
    TRY(status);
    return sg_audit_read(path, &audit->own, err);
}

static void print(const char *path, const struct audit *audit, bool file_only)
{
    printf("%-38s %s\n", "results", path);
    sg_audit_print(stdout, &audit->found);
    for (const char *line = sg_text_view(&audit->untold); *line != '\0'; line = strchr(line, '\n') + 1) {
        const char *tab = strchr(line, '\t');
        printf("  not judged: %.*s: %.*s\n", (int)(tab - line), line, (int)strcspn(tab + 1, "\n"), tab + 1);
    }
    if (file_only) return;
    if (audit->own.count == 0)
        printf("%-38s the file has none\n", "the run's own audit");
    else
        printf("%-38s %zu checks, the worst is %s\n", "the run's own audit", audit->own.count,
               sg_verdict_name((int)sg_audit_worst(&audit->own)));
}

static void print_json(const struct audit *audit)
{
    const char *comma = "";
    fputs("{\"checks\": ", stdout);
    sg_audit_print_json(stdout, &audit->found);
    fputs(", \"not_judged\": {", stdout);
    for (const char *line = sg_text_view(&audit->untold); *line != '\0'; line = strchr(line, '\n') + 1) {
        const char *tab = strchr(line, '\t');
        printf("%s\"%.*s\": ", comma, (int)(tab - line), line);
        sg_audit_print_json_text(stdout, tab + 1, strcspn(tab + 1, "\n"));
        comma = ", ";
    }
    fputs("}, \"run\": ", stdout);
    if (audit->own.count == 0)
        fputs("null}\n", stdout);
    else
        printf("\"%s\"}\n", sg_verdict_name((int)sg_audit_worst(&audit->own)));
}

static sg_status execute(const struct sg_arguments *arguments, struct audit *audit, struct sg_error *err)
{
    bool file_only = sg_arguments_has(arguments, "file"), strict = sg_arguments_has(arguments, "strict");
    TRY(sg_arguments_expect(arguments, 1, 1, err));
    TRY(judge(arguments->words[0], file_only, audit, err));
    if (audit->untold.failed) FAIL(err, SG_NO_MEMORY, "out of memory for what could not be judged");
    if (sg_arguments_has(arguments, "json"))
        print_json(audit);
    else
        print(arguments->words[0], audit, file_only);
    if (!strict) return SG_OK;
    TRY(sg_audit_check(&audit->found, err));
    return file_only ? SG_OK : sg_audit_check(&audit->own, err);
}

static sg_status body(const struct sg_arguments *arguments, struct sg_error *err)
{
    struct audit audit = {.untold = {0}};
    sg_status status = execute(arguments, &audit, err);
    sg_text_release(&audit.untold);
    return status;
}

int sg_command_audit(int argc, char **argv)
{
    static const struct sg_command_frame frame = {
        "FILE.h5 [--file] [--json] [--strict]",
        "judges a results file from itself alone: energies, momentum, contacts, what is recorded twice",
        options, body};
    return sg_command_run(&frame, argc, argv);
}
