#include "support/status.h"

#include <stdarg.h>
#include <stdio.h>

static const int exit_codes[] = {
#define SG_STATUS_ROW(code, exit_code) [code] = exit_code,
    SG_STATUS_LIST(SG_STATUS_ROW)
#undef SG_STATUS_ROW
};

int sg_status_exit_code(sg_status status)
{
    return exit_codes[status];
}

void sg_error_clear(struct sg_error *err)
{
    err->status = SG_OK;
    err->text[0] = '\0';
}

sg_status sg_fail(struct sg_error *err, sg_status status, const char *format, ...)
{
    if (err == NULL) return status;
    err->status = status;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return status;
}
