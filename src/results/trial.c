#include "results/trial.h"

#include <signal.h>

#include "results/reader.h"
#include "support/memory.h"
#include "support/workers.h"

/* Processor time for a file. A sound one takes milliseconds, since what is tried are names and sizes, and the
 * deck; a damaged one may have HDF5 go round in circles. */
enum { SECONDS = 20 };

struct trial {
    const char *path;
    bool strict; /* a file that can't be read is an error, too */
};

static void read_deck(const struct sg_reader *reader, const char *name)
{
    struct sg_error why = {0};
    char *text = NULL;
    if (sg_reader_deck(reader, name, &text, &why) == SG_OK) sg_free(text);
}

static sg_status work(void *self, size_t index, struct sg_text *result, struct sg_error *err)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE};
    const struct trial *trial = self;
    struct sg_reader *reader = NULL;
    (void)index, (void)result;
    for (size_t k = 0; k < sizeof fatal / sizeof *fatal; k++) signal(fatal[k], SIG_DFL);
    TRY(sg_reader_open_here(trial->path, &reader, err));
    read_deck(reader, "source");
    read_deck(reader, "resolved");
    sg_reader_close(reader);
    return SG_OK;
}

static sg_status deliver(void *self, const struct sg_outcome *outcome, struct sg_error *err)
{
    const struct trial *trial = self;
    if (outcome->signal == SIGXCPU)
        FAIL(err, SG_NO_INPUT, "'%s' is damaged: HDF5 has not read it in %d s", trial->path, (int)SECONDS);
    if (outcome->signal != 0 || outcome->exit_code != 0)
        FAIL(err, SG_NO_INPUT, "'%s' is damaged: HDF5 breaks when it reads it", trial->path);
    if (outcome->status != SG_OK && trial->strict) FAIL(err, outcome->status, "%s", outcome->message);
    return SG_OK;
}

static sg_status try_file(struct trial *trial, struct sg_error *err)
{
    const struct sg_workers workers = {
        .cases = 1, .jobs = 1, .cpu_seconds = SECONDS, .self = trial, .work = work, .deliver = deliver};
    return sg_workers_run(&workers, err);
}

sg_status sg_trial_survives(const char *path, struct sg_error *err)
{
    struct trial trial = {.path = path};
    return try_file(&trial, err);
}

sg_status sg_reader_open(const char *path, struct sg_reader **reader, struct sg_error *err)
{
    struct trial trial = {.path = path, .strict = true};
    *reader = NULL;
    TRY(try_file(&trial, err));
    return sg_reader_open_here(path, reader, err);
}
