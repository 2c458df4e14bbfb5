/* The program: finds the command and hands it the words. */
#include <stdio.h>
#include <string.h>

#include "commands/commands.h"
#include "linalg/blas.h"
#include "results/setup.h"
#include "support/status.h"
#include "version.h"

static int unknown(const char *name)
{
    fprintf(stderr, "signorini: error: there is no command '%s'; commands:", name);
    for (const struct sg_command *command = sg_commands; command->name != NULL; command++)
        fprintf(stderr, " %s", command->name);
    fputc('\n', stderr);
    return sg_status_exit_code(SG_USAGE);
}

int main(int argc, char **argv)
{
    char help_word[] = "help";
    char *help[] = {help_word, NULL};
    sg_results_setup();
    sg_linalg_single_thread();
    if (argc < 2) {
        sg_command_help(1, help);
        return sg_status_exit_code(SG_USAGE);
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        printf("signorini %s (%s)\n", SG_VERSION, SG_COMMIT);
        return 0;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) return sg_command_help(1, help);
    for (const struct sg_command *command = sg_commands; command->name != NULL; command++)
        if (strcmp(command->name, name) == 0) return command->run(argc - 1, argv + 1);
    return unknown(name);
}
