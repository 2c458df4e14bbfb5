/* The program: finds the command and hands it the words. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

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

/* A results file that got the number of a closed standard stream would be written into by messages. */
static void occupy_standard_streams(void)
{
    int fd = 0;
    while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDWR);
    if (fd > STDERR_FILENO) close(fd);
}

/* what was printed may have been lost at last: on a full disk */
static int flush_output(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    fprintf(stderr, "signorini: error: can't write to standard output: %s\n", strerror(errno));
    return code != 0 ? code : sg_status_exit_code(SG_WRITE_FAILED);
}

/* OpenBLAS starts a thread a core when it is loaded, each with its own work space: under a limit of memory,
 * as batch systems set it, they would ask for it without end and keep the program from ending. Only the
 * environment tells it not to: where it does not, the program starts itself anew with it. */
static void start_without_threads(char **argv)
{
    static const char name[] = "OPENBLAS_NUM_THREADS";
    char program[4096];
    const char *threads = getenv(name);
    if (threads != NULL && strcmp(threads, "1") == 0) return;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0 || setenv(name, "1", 1) != 0) return;
    program[length] = '\0';
    execv(program, argv);
    /* no new start: with threads, then */
}

static int dispatch(int argc, char **argv)
{
    char help_word[] = "help";
    char *help[] = {help_word, NULL};
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

int main(int argc, char **argv)
{
    start_without_threads(argv);
    occupy_standard_streams();
    sg_results_setup();
    sg_linalg_single_thread();
    return flush_output(dispatch(argc, argv));
}
