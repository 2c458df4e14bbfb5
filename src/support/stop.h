/* The one piece of global state: the flag that a signal handler sets to ask a run to stop. */
#ifndef SG_SUPPORT_STOP_H
#define SG_SUPPORT_STOP_H

#include <stdbool.h>

#include "support/status.h"

/* SIGINT, SIGTERM, SIGUSR1 and, unless it is ignored already, SIGHUP set the flag; SIGXFSZ and SIGPIPE are
 * ignored, so that a failed write comes back as an error. A second SIGINT kills the program at once. */
sg_status sg_stop_install(struct sg_error *err);

bool sg_stop_requested(void);

#endif
