/* The program: finds the command and hands it the words. */
#define _DEFAULT_SOURCE /* mmap of anonymous memory */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

/* Output that was printed may have been lost at last, on a full disk. */
static int flush_output(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    fprintf(stderr, "signorini: error: can't write to standard output: %s\n", strerror(errno));
    return code != 0 ? code : sg_status_exit_code(SG_WRITE_FAILED);
}

/* --- before the libraries start ------------------------------------------------------------------- */

/* The loader calls what stands in .preinit_array before the initialisation of any library, the C library's
 * included, so that nothing but system calls is used here. OpenBLAS needs both steps, since it initialises
 * itself when it is loaded. */

enum { ENVIRONMENT = 4096, PATH = 4096 };

/* Under a limit of memory, as batch systems set it, OpenBLAS from version 0.3.29 on asks for its work space
 * without end if it can't have it. Here it is asked for once. */
__attribute__((no_sanitize("address", "undefined"))) static void require_work_space(void)
{
    static const char text[] = "signorini: error: out of memory: the address space is too small for the work "
                               "space of OpenBLAS (132 MiB)\n";
    size_t bytes = SG_BLAS_WORK_SPACE;
    void *space =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (space != MAP_FAILED) {
        munmap(space, bytes);
        return;
    }
    ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
    (void)written;
    _exit(71); /* the exit code of SG_NO_MEMORY */
}

/* OpenBLAS starts a thread a core, each with a work space of its own. Only the environment tells it not to:
 * where it doesn't, the program starts itself anew with an environment that does. If there is no new start,
 * the run goes on with threads. */
__attribute__((no_sanitize("address", "undefined"))) static void start_without_threads(int argc, char **argv,
                                                                                       char **environment)
{
    static const char name[] = "OPENBLAS_NUM_THREADS=";
    char *changed[ENVIRONMENT + 2], one[] = "OPENBLAS_NUM_THREADS=1", program[PATH];
    size_t kept = 0, length = sizeof name - 1;
    (void)argc;
    require_work_space();
    for (size_t i = 0; environment[i] != NULL; i++) {
        size_t same = 0;
        while (same < length && environment[i][same] == name[same]) same++;
        if (same == length && environment[i][same] == '1' && environment[i][same + 1] == '\0') return;
        if (same == length) continue;
        if (kept == ENVIRONMENT) return;
        changed[kept++] = environment[i];
    }
    changed[kept++] = one;
    changed[kept] = NULL;
    ssize_t written = readlink("/proc/self/exe", program, sizeof program - 1);
    if (written <= 0) return;
    program[written] = '\0';
    execve(program, argv, changed);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_libraries)(int, char **, char **) = start_without_threads;

/* ------------------------------------------------------------------------------------------------------- */

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
    occupy_standard_streams();
    sg_results_setup();
    sg_linalg_single_thread();
    return flush_output(dispatch(argc, argv));
}
