#define _GNU_SOURCE
#include "support/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/clock.h"
#include "support/memory.h"
#include "support/stop.h"

enum { TICK_MS = 200 };

/* a process at work; fd < 0: none */
struct slot {
    pid_t pid;
    int fd;
    size_t index;
};

/* The bytes that have come from a case */
struct reply {
    struct sg_text bytes; /* struct head, message, result */
    int wait_status;
    bool ended;
};

struct head {
    sg_status status;
    size_t message, result; /* bytes */
};

struct pool {
    const struct sg_workers *workers;
    struct slot *slots;    /* jobs */
    struct pollfd *polled; /* jobs: of the slots */
    struct reply *replies; /* cases */
    size_t jobs, begun, running;
    size_t next; /* case to be delivered */
    bool ending; /* no more cases begin */
    bool failed; /* nor is anything delivered */
    double last_tick;
};

/* --- in the process of a case --------------------------------------------------------------------- */

static bool send(int fd, const void *data, size_t length)
{
    const char *at = data;
    while (length > 0) {
        ssize_t n = write(fd, at, length);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        at += n;
        length -= (size_t)n;
    }
    return true;
}

static bool send_reply(int fd, sg_status status, const struct sg_error *err, const struct sg_text *result)
{
    const char *message = status == SG_OK ? "" : err->text;
    struct head head;
    memset(&head, 0, sizeof head);
    head.status = status;
    head.message = strlen(message);
    head.result = result->length;
    return send(fd, &head, sizeof head) && send(fd, message, head.message) &&
           send(fd, sg_text_view(result), head.result);
}

static sg_status work(const struct sg_workers *workers, size_t index, struct sg_text *result,
                      struct sg_error *err)
{
    sg_status status = workers->work(workers->self, index, result, err);
    if (!result->failed) return status;
    sg_text_release(result);
    FAIL(err, SG_NO_MEMORY, "out of memory for the result of case %zu", index);
}

/* The limit counts from the start of the process, which a fork begins anew. A lower one that the process has
 * already stays. */
static void limit_time(unsigned seconds)
{
    struct rlimit limit;
    if (seconds == 0 || getrlimit(RLIMIT_CPU, &limit) != 0) return;
    if (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > seconds) limit.rlim_cur = seconds;
    setrlimit(RLIMIT_CPU, &limit);
    signal(SIGXCPU, SIG_DFL);
}

/* Never returns. The pipes of the other cases are the caller's. */
static void serve(const struct pool *pool, size_t index, int fd, pid_t caller)
{
    for (size_t i = 0; i < pool->jobs; i++)
        if (pool->slots[i].fd >= 0) close(pool->slots[i].fd);
    signal(SIGPIPE, SIG_IGN);
    limit_time(pool->workers->cpu_seconds);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != caller) _exit(1);
    struct sg_text result = {0};
    struct sg_error err;
    sg_error_clear(&err);
    sg_status status = work(pool->workers, index, &result, &err);
    bool sent = send_reply(fd, status, &err, &result);
    fflush(NULL);
    _exit(sent ? 0 : 1);
}

/* --- beginning and ending processes --------------------------------------------------------------- */

static sg_status begin(struct pool *pool, struct slot *slot, struct sg_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) FAIL(err, SG_SYSTEM, "can't make a pipe: %s", strerror(errno));
    fflush(NULL); /* or both processes write what is left in buffers */
    pid_t caller = getpid(), pid = fork();
    if (pid < 0) {
        int cause = errno;
        close(ends[0]);
        close(ends[1]);
        FAIL(err, SG_SYSTEM, "can't start a process for case %zu: %s", pool->begun, strerror(cause));
    }
    if (pid == 0) {
        close(ends[0]);
        serve(pool, pool->begun, ends[1], caller);
    }
    close(ends[1]);
    *slot = (struct slot){pid, ends[0], pool->begun++};
    pool->running++;
    return SG_OK;
}

static void end_all(struct pool *pool)
{
    if (pool->ending) return;
    pool->ending = true;
    for (size_t i = 0; i < pool->jobs; i++)
        if (pool->slots[i].fd >= 0) kill(pool->slots[i].pid, SIGTERM);
}

static void reap(struct pool *pool, struct slot *slot)
{
    struct reply *reply = &pool->replies[slot->index];
    while (waitpid(slot->pid, &reply->wait_status, 0) < 0 && errno == EINTR) continue;
    reply->ended = true;
    close(slot->fd);
    slot->fd = -1;
    pool->running--;
}

static bool may_begin(const struct sg_workers *workers, size_t index)
{
    return workers->ready == NULL || workers->ready(workers->self, index);
}

static sg_status fill_slots(struct pool *pool, struct sg_error *err)
{
    for (size_t i = 0; i < pool->jobs; i++) {
        if (sg_stop_requested()) end_all(pool);
        if (pool->ending || pool->begun == pool->workers->cases) return SG_OK;
        if (!may_begin(pool->workers, pool->begun)) return SG_OK;
        if (pool->slots[i].fd < 0) TRY(begin(pool, &pool->slots[i], err));
    }
    return SG_OK;
}

/* --- what comes back ------------------------------------------------------------------------------ */

static bool is_whole(const struct sg_text *bytes, struct head *head)
{
    if (bytes->failed || bytes->length < sizeof *head) return false;
    memcpy(head, bytes->data, sizeof *head);
    return bytes->length == sizeof *head + head->message + head->result;
}

/* the process died, or its reply found no memory here */
static void tell_death(const struct reply *reply, struct sg_outcome *outcome, struct sg_error *err)
{
    int status = reply->wait_status;
    outcome->bytes = "";
    if (reply->bytes.failed) {
        outcome->status =
            sg_fail(err, SG_NO_MEMORY, "out of memory for the result of case %zu", outcome->index);
    } else if (WIFSIGNALED(status)) {
        outcome->signal = WTERMSIG(status);
        outcome->status = sg_fail(err, SG_SYSTEM, "the process was ended by signal %d (%s)", outcome->signal,
                                  strsignal(outcome->signal));
    } else {
        outcome->exit_code = WEXITSTATUS(status);
        outcome->status = sg_fail(err, SG_SYSTEM, "the process ended without a result, with exit code %d",
                                  outcome->exit_code);
    }
    outcome->message = err->text;
}

static sg_status deliver(struct pool *pool, size_t index, struct sg_error *err)
{
    struct reply *reply = &pool->replies[index];
    struct sg_outcome outcome = {.index = index};
    struct sg_error failure;
    struct head head;
    sg_error_clear(&failure);
    if (is_whole(&reply->bytes, &head)) {
        const char *message = reply->bytes.data + sizeof head;
        snprintf(failure.text, sizeof failure.text, "%.*s", (int)head.message, message);
        outcome.status = head.status;
        outcome.message = failure.text;
        outcome.bytes = message + head.message;
        outcome.length = head.result;
    } else {
        tell_death(reply, &outcome, &failure);
    }
    sg_status status = pool->workers->deliver(pool->workers->self, &outcome, err);
    sg_text_release(&reply->bytes);
    reply->ended = false;
    return status;
}

/* cases begin in order: none is missing before one that began */
static sg_status deliver_in_order(struct pool *pool, struct sg_error *err)
{
    while (pool->next < pool->begun && pool->replies[pool->next].ended) TRY(deliver(pool, pool->next++, err));
    return SG_OK;
}

/* takes what is there; at its end the process has ended */
static sg_status receive(struct pool *pool, struct slot *slot, struct sg_error *err)
{
    char buffer[65536];
    ssize_t n = read(slot->fd, buffer, sizeof buffer);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) return SG_OK;
    if (n > 0) {
        sg_text_append_bytes(&pool->replies[slot->index].bytes, buffer, (size_t)n);
        return SG_OK;
    }
    reap(pool, slot);
    if (pool->failed) return SG_OK;
    return pool->workers->ordered ? deliver_in_order(pool, err) : deliver(pool, slot->index, err);
}

static sg_status listen_to_all(struct pool *pool, struct sg_error *err)
{
    for (size_t i = 0; i < pool->jobs; i++)
        pool->polled[i] = (struct pollfd){.fd = pool->slots[i].fd, .events = POLLIN};
    if (pool->running == 0 || poll(pool->polled, (nfds_t)pool->jobs, TICK_MS) <= 0) return SG_OK;
    for (size_t i = 0; i < pool->jobs; i++)
        if (pool->slots[i].fd >= 0 && pool->polled[i].revents != 0) TRY(receive(pool, &pool->slots[i], err));
    return SG_OK;
}

/* --- the loop ------------------------------------------------------------------------------------- */

static void tick(struct pool *pool)
{
    double now = sg_wall_clock();
    if (pool->workers->tick == NULL || now - pool->last_tick < 1e-3 * TICK_MS) return;
    pool->last_tick = now;
    pool->workers->tick(pool->workers->self, pool->running);
}

static bool is_done(const struct pool *pool)
{
    return pool->running == 0 && (pool->ending || pool->begun == pool->workers->cases);
}

static sg_status loop(struct pool *pool, struct sg_error *err)
{
    while (!is_done(pool)) {
        TRY(fill_slots(pool, err));
        TRY(listen_to_all(pool, err));
        if (sg_stop_requested()) end_all(pool);
        tick(pool);
    }
    return SG_OK;
}

/* After a failure, too, it waits for the processes that it began. */
static sg_status run_all(struct pool *pool, struct sg_error *err)
{
    sg_status status = loop(pool, err);
    pool->failed = status != SG_OK;
    end_all(pool);
    while (pool->running > 0) listen_to_all(pool, err);
    return status;
}

static void pool_release(struct pool *pool)
{
    for (size_t i = 0; pool->replies != NULL && i < pool->workers->cases; i++)
        sg_text_release(&pool->replies[i].bytes);
    sg_free(pool->slots);
    sg_free(pool->polled);
    sg_free(pool->replies);
}

static sg_status pool_init(struct pool *pool, struct sg_error *err)
{
    TRY(SG_NEW(&pool->slots, pool->jobs, err));
    for (size_t i = 0; i < pool->jobs; i++) pool->slots[i].fd = -1;
    TRY(SG_NEW(&pool->polled, pool->jobs, err));
    return SG_NEW(&pool->replies, pool->workers->cases, err);
}

static sg_status run_here(const struct sg_workers *workers, struct sg_error *err)
{
    sg_status status = SG_OK;
    for (size_t i = 0; status == SG_OK && i < workers->cases; i++) {
        if (sg_stop_requested()) FAIL(err, SG_INTERRUPTED, "interrupted");
        SG_LOCAL_TEXT(result);
        struct sg_error failure;
        sg_error_clear(&failure);
        struct sg_outcome outcome = {.index = i, .status = work(workers, i, &result, &failure)};
        outcome.message = failure.text;
        outcome.bytes = sg_text_view(&result);
        outcome.length = result.length;
        status = workers->deliver(workers->self, &outcome, err);
        if (workers->tick != NULL) workers->tick(workers->self, 0);
    }
    if (status == SG_OK && sg_stop_requested()) FAIL(err, SG_INTERRUPTED, "interrupted");
    return status;
}

sg_status sg_workers_run(const struct sg_workers *workers, struct sg_error *err)
{
    if (workers->jobs == 0) return run_here(workers, err);
    struct pool pool = {.workers = workers};
    pool.jobs = workers->jobs < workers->cases ? workers->jobs : workers->cases;
    sg_status status = pool_init(&pool, err);
    if (status == SG_OK) status = run_all(&pool, err);
    pool_release(&pool);
    if (status == SG_OK && sg_stop_requested()) FAIL(err, SG_INTERRUPTED, "interrupted");
    return status;
}

size_t sg_workers_default(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return (size_t)CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (size_t)online : 1;
}
