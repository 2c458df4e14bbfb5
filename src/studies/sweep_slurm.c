/* A study as a job array of Slurm, and the job that makes its table. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "studies/sweep.h"
#include "support/memory.h"

/* ABSENT, LOST: exit codes of a process that never became sbatch */
enum { PATH_BYTES = 4096, WORDS = 4, ABSENT = 127, LOST = 126 };

/* Paths are absolute, as tasks run on other machines. */
struct places {
    char program[PATH_BYTES], here[PATH_BYTES];
    char *array, *collect; /* scripts; owned */
};

/* Puts a word in single quotes, within which a shell takes everything literally. */
static void append_quoted(struct sg_text *text, const char *word)
{
    sg_text_append(text, "'");
    for (; *word != '\0'; word++)
        if (*word == '\'')
            sg_text_append(text, "'\\''");
        else
            sg_text_append_bytes(text, word, 1);
    sg_text_append(text, "'");
}

static void append_option(struct sg_text *text, const char *name, const char *value)
{
    if (value != NULL) sg_text_append(text, "#SBATCH %s=%s\n", name, value);
}

/* `what`: "cases", "table" */
static void append_head(struct sg_text *text, const struct sg_sweep *sweep, const struct sg_slurm_spec *spec,
                        const char *what)
{
    sg_text_append(text, "#!/bin/bash\n#SBATCH --job-name=signorini-%s\n#SBATCH --ntasks=1\n", what);
    append_option(text, "--partition", spec->partition);
    append_option(text, "--account", spec->account);
    append_option(text, "--time", spec->time);
    append_option(text, "--mem", spec->memory);
    for (size_t i = 0; i < spec->options.count; i++)
        sg_text_append(text, "#SBATCH %s\n", spec->options.data[i]);
    sg_text_append(text, "#SBATCH --output=\"%s/slurm-%s.log\"\n#SBATCH --open-mode=append\n", sweep->folder,
                   what);
}

static void append_command(struct sg_text *text, const struct sg_sweep *sweep, const struct places *places,
                           const char *way)
{
    append_quoted(text, places->program);
    sg_text_append(text, " sweep ");
    append_quoted(text, sweep->study_path);
    sg_text_append(text, " -q -o ");
    append_quoted(text, sweep->folder);
    sg_text_append(text, " %s", way);
}

static void append_setup(struct sg_text *text, const struct sg_slurm_spec *spec, const struct places *places)
{
    for (size_t i = 0; i < spec->setup.count; i++) sg_text_append(text, "%s\n", spec->setup.data[i]);
    sg_text_append(text, "cd ");
    append_quoted(text, places->here);
    sg_text_append(text, " || exit 66\n");
}

/* Slurm tells the shell alone to end: it passes the word on, and its run saves what it has. */
static void write_array(struct sg_text *text, const struct sg_sweep *sweep, const struct sg_slurm_spec *spec,
                        const struct places *places)
{
    size_t cases = sweep->study->cases, tasks = (size_t)spec->tasks;
    if (cases < tasks) tasks = cases;
    append_head(text, sweep, spec, "cases");
    sg_text_append(text, "#SBATCH --array=1-%zu", tasks);
    if (spec->at_once != SG_NOT_GIVEN) sg_text_append(text, "%%%lld", spec->at_once);
    /* Slurm gives notice a minute before the time limit, so that runs can save what they have. */
    sg_text_append(text, "\n#SBATCH --signal=B:TERM@60\n\n");
    append_setup(text, spec, places);
    sg_text_append(text,
                   "worst=0\n"
                   "child=\n"
                   "trap '[ -n \"$child\" ] && kill -TERM \"$child\"; told=yes' TERM USR1\n"
                   "for ((k = SLURM_ARRAY_TASK_ID; k <= %zu; k += %zu)); do\n    ",
                   cases, tasks);
    append_command(text, sweep, places, "--case \"$k\" &\n");
    sg_text_append(text, "    child=$!\n"
                         "    wait \"$child\"; code=$?\n"
                         "    [ -n \"$told\" ] && { wait \"$child\"; code=$?; }\n"
                         "    [ \"$code\" -eq 0 ] || worst=$code\n"
                         "    [ -z \"$told\" ] || break\n"
                         "done\n"
                         "exit \"$worst\"\n");
}

static void write_collect(struct sg_text *text, const struct sg_sweep *sweep,
                          const struct sg_slurm_spec *spec, const struct places *places)
{
    append_head(text, sweep, spec, "table");
    sg_text_append(text, "\n");
    append_setup(text, spec, places);
    sg_text_append(text, "exec ");
    append_command(text, sweep, places, "--collect\n");
}

static sg_status save(const char *path, const struct sg_text *text, struct sg_error *err)
{
    FILE *file = fopen(path, "we");
    if (file == NULL) FAIL(err, SG_NO_OUTPUT, "can't create '%s': %s", path, strerror(errno));
    bool written = !text->failed && fputs(sg_text_view(text), file) >= 0;
    if (fclose(file) != 0 || !written)
        FAIL(err, SG_WRITE_FAILED, "can't write '%s': %s", path, strerror(errno));
    chmod(path, 0755);
    return SG_OK;
}

static sg_status write_scripts(const struct sg_sweep *sweep, const struct places *places,
                               struct sg_error *err)
{
    struct sg_slurm_spec spec;
    SG_LOCAL_TEXT(array);
    SG_LOCAL_TEXT(collect);
    sg_setting_fill(sweep->study->slurm, sg_slurm_rows, &spec);
    write_array(&array, sweep, &spec, places);
    write_collect(&collect, sweep, &spec, places);
    TRY(save(places->array, &array, err));
    return save(places->collect, &collect, err);
}

/* Becomes sbatch, in the new process: never returns. */
static void become_sbatch(const char *const *words, int out)
{
    char *copies[WORDS + 1] = {NULL};
    struct sg_error err;
    sg_error_clear(&err);
    for (int i = 0; i < WORDS && words[i] != NULL; i++)
        if (sg_copy_text(words[i], &copies[i], &err) != SG_OK) _exit(LOST);
    if (dup2(out, STDOUT_FILENO) < 0) _exit(LOST);
    execvp("sbatch", copies);
    _exit(errno == ENOENT ? ABSENT : LOST);
}

/* Reads all that comes until the other end closes, and keeps what fits `size`. */
static void read_answer(int fd, char *answer, size_t size)
{
    size_t length = 0;
    char rest[256];
    for (;;) {
        bool full = length + 1 >= size;
        ssize_t n = full ? read(fd, rest, sizeof rest) : read(fd, answer + length, size - 1 - length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        if (!full) length += (size_t)n;
    }
    answer[length] = '\0';
}

/* Runs `sbatch --parsable ...`; the number that it prints into `job`. What it says of faults goes to stderr.
 */
static sg_status sbatch(const char *const *words, char job[SG_JOB_BYTES], struct sg_error *err)
{
    int ends[2], code = 0;
    if (pipe(ends) != 0) FAIL(err, SG_SYSTEM, "can't make a pipe: %s", strerror(errno));
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        become_sbatch(words, ends[1]);
    }
    int cause = errno;
    close(ends[1]);
    if (pid > 0) read_answer(ends[0], job, SG_JOB_BYTES);
    close(ends[0]);
    if (pid < 0) FAIL(err, SG_SYSTEM, "can't start sbatch: %s", strerror(cause));
    while (waitpid(pid, &code, 0) < 0 && errno == EINTR) continue;
    job[strcspn(job, ";\r\n")] = '\0'; /* the cluster's name may follow */
    if (WIFEXITED(code) && WEXITSTATUS(code) == ABSENT)
        FAIL(err, SG_SYSTEM, "there is no sbatch: is Slurm installed here?");
    if (code != 0 || job[strspn(job, "0123456789")] != '\0' || job[0] == '\0')
        FAIL(err, SG_SYSTEM, "sbatch refused the job");
    return SG_OK;
}

static sg_status submit_both(const struct places *places, char array[SG_JOB_BYTES],
                             char collect[SG_JOB_BYTES], struct sg_error *err)
{
    char after[SG_JOB_BYTES + 32];
    TRY(sbatch((const char *const[]){"sbatch", "--parsable", places->array, NULL}, array, err));
    snprintf(after, sizeof after, "--dependency=afterany:%s", array);
    return sbatch((const char *const[]){"sbatch", after, "--parsable", places->collect, NULL}, collect, err);
}

static sg_status find_places(struct sg_arena *arena, const struct sg_sweep *sweep, struct places *places,
                             struct sg_error *err)
{
    ssize_t length = readlink("/proc/self/exe", places->program, sizeof places->program - 1);
    if (length <= 0) FAIL(err, SG_SYSTEM, "can't find the program itself: %s", strerror(errno));
    places->program[length] = '\0';
    if (getcwd(places->here, sizeof places->here) == NULL)
        FAIL(err, SG_SYSTEM, "can't find the current folder: %s", strerror(errno));
    TRY(sg_sweep_path(sweep, "cases.sbatch", &places->array, err));
    TRY(sg_arena_own(arena, places->array, sg_free, err));
    TRY(sg_sweep_path(sweep, "table.sbatch", &places->collect, err));
    return sg_arena_own(arena, places->collect, sg_free, err);
}

sg_status sg_sweep_submit(const struct sg_sweep *sweep, char array[SG_JOB_BYTES], char collect[SG_JOB_BYTES],
                          struct sg_error *err)
{
    struct places places = {0};
    SG_LOCAL_ARENA(arena);
    TRY(find_places(&arena, sweep, &places, err));
    TRY(write_scripts(sweep, &places, err));
    return submit_both(&places, array, collect, err);
}
