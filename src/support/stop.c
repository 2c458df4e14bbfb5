#define _POSIX_C_SOURCE 200809L
#include "support/stop.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t stop_flag;

static void on_signal(int number)
{
    if (stop_flag != 0 && number == SIGINT) {
        signal(SIGINT, SIG_DFL);
        raise(SIGINT);
    }
    stop_flag = 1;
}

static sg_status handle(int number, void (*handler)(int), struct sg_error *err)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    if (sigaction(number, &action, NULL) != 0)
        FAIL(err, SG_SYSTEM, "can't handle signal %d: %s", number, strerror(errno));
    return SG_OK;
}

/* A program that was told to outlive its terminal (nohup) does. */
static sg_status handle_hangup(struct sg_error *err)
{
    struct sigaction old;
    if (sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler == SIG_IGN) return SG_OK;
    return handle(SIGHUP, on_signal, err);
}

sg_status sg_stop_install(struct sg_error *err)
{
    TRY(handle_hangup(err));
    TRY(handle(SIGINT, on_signal, err));
    TRY(handle(SIGTERM, on_signal, err));
    TRY(handle(SIGUSR1, on_signal, err));
    TRY(handle(SIGXFSZ, SIG_IGN, err));
    return handle(SIGPIPE, SIG_IGN, err);
}

bool sg_stop_requested(void)
{
    return stop_flag != 0;
}
