/* Numbered cases worked off by forked processes, each of which hands its result back through a pipe.
 *
 * A case has a process of its own: what it allocates, leaks or breaks ends with it, and a process that dies
 * costs one case. What is delivered is the same whatever the number of processes at once, and in the order
 * of the numbers if that is asked for. The program has to have no threads (see signorini.c). */
#ifndef SG_SUPPORT_WORKERS_H
#define SG_SUPPORT_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

#include "support/status.h"
#include "support/text.h"

/* How a case ended. Pointers hold until `deliver` returns. */
struct sg_outcome {
    size_t index;
    sg_status status;    /* that `work` returned; SG_SYSTEM where its process died */
    const char *message; /* of a failure; "" if none */
    int signal;          /* that ended the process; 0: none did */
    int exit_code;       /* with which the process ended by itself before `work` returned; else 0 */
    const char *bytes;   /* what `work` appended to its result, of a failure too; then a NUL */
    size_t length;
};

struct sg_workers {
    size_t cases;
    size_t jobs; /* processes at once; 0: no processes, the cases one after the other in this one */
    /* Processor time, s, after which a process is ended by SIGXCPU; 0: never. Not of cases in this process.
     */
    unsigned cpu_seconds;
    bool ordered; /* outcomes are delivered in the order of the cases, else as they come */
    void *self;
    /* Tells whether a case, the next in order, may begin: what it needs of others was delivered. NULL:
     * always. Never asked of cases in this process. */
    bool (*ready)(void *self, size_t index);
    /* in the process of the case, with a copy of the caller's memory */
    sg_status (*work)(void *self, size_t index, struct sg_text *result, struct sg_error *err);
    /* in the caller's process; an error ends all cases and is returned */
    sg_status (*deliver)(void *self, const struct sg_outcome *outcome, struct sg_error *err);
    void (*tick)(void *self, size_t running); /* some five times a second; may be NULL */
};

/* Returns once every process has ended. SG_INTERRUPTED when sg_stop_requested(): no more cases begin, those
 * that run are sent SIGTERM and delivered, whatever they return. Processes end by SIGTERM, too, where the
 * caller's dies. */
sg_status sg_workers_run(const struct sg_workers *workers, struct sg_error *err);

/* the processors that this process may use; at least 1 */
size_t sg_workers_default(void);

#endif
