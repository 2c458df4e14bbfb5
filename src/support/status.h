/* Status codes, their exit codes, and the error that carries a message.
 *
 * Every fallible function returns an sg_status; outputs come last. The message is written where the
 * knowledge is (FAIL) and passed on unchanged (TRY). Nothing in the library part prints or aborts. */
#ifndef SG_SUPPORT_STATUS_H
#define SG_SUPPORT_STATUS_H

/* code, exit code of the program (sysexits.h where it has one) */
#define SG_STATUS_LIST(X)                                                                                    \
    X(SG_OK, 0)            /* done */                                                                        \
    X(SG_DIFFERENT, 1)     /* a comparison or verification failed */                                         \
    X(SG_USAGE, 64)        /* wrong usage */                                                                 \
    X(SG_BAD_DECK, 65)     /* the deck is wrong */                                                           \
    X(SG_NO_INPUT, 66)     /* a file can't be opened */                                                      \
    X(SG_INTERNAL, 70)     /* internal error */                                                              \
    X(SG_NO_MEMORY, 71)    /* out of memory */                                                               \
    X(SG_SYSTEM, 71)       /* system error */                                                                \
    X(SG_NO_OUTPUT, 73)    /* output can't be created */                                                     \
    X(SG_WRITE_FAILED, 74) /* writing failed */                                                              \
    X(SG_INTERRUPTED, 75)  /* interrupted, can be resumed */                                                 \
    X(SG_NO_SOLUTION, 76)  /* the computation failed */

typedef enum sg_status {
#define SG_STATUS_CODE(code, exit_code) code,
    SG_STATUS_LIST(SG_STATUS_CODE)
#undef SG_STATUS_CODE
} sg_status;

enum { SG_ERROR_TEXT = 1024 };

/* Supplied by the caller, zeroed by sg_error_clear; holds the first failure's message. */
struct sg_error {
    sg_status status;
    char text[SG_ERROR_TEXT];
};

int sg_status_exit_code(sg_status status);

void sg_error_clear(struct sg_error *err);

/* Writes the message (cut at SG_ERROR_TEXT) and returns `status`; err may be NULL. */
sg_status sg_fail(struct sg_error *err, sg_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define FAIL(err, status, ...) return sg_fail((err), (status), __VA_ARGS__)

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        sg_status sg_try_status_ = (call);                                                                   \
        if (sg_try_status_ != SG_OK) return sg_try_status_;                                                  \
    } while (0)

#endif
