#define _POSIX_C_SOURCE 200809L
#include "support/plain_numbers.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

sg_status sg_with_plain_numbers(sg_status (*work)(void *self, struct sg_error *err), void *self,
                                struct sg_error *err)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        FAIL(err, SG_SYSTEM, "can't set the locale to read numbers: %s", strerror(errno));
    locale_t before = uselocale(plain);
    sg_status status = work(self, err);
    uselocale(before);
    freelocale(plain);
    return status;
}

double sg_plain_number(const char *text, char **rest)
{
    double value = strtod(text, rest);
    for (const char *c = text; c < *rest; c++)
        if (*c == 'x' || *c == 'X') {
            *rest = (char *)text;
            return 0.0;
        }
    return value;
}
