/* Numbers in files read the same whatever the user's locale. */
#ifndef SG_SUPPORT_PLAIN_NUMBERS_H
#define SG_SUPPORT_PLAIN_NUMBERS_H

#include "support/status.h"

/* Calls work(self, err) while this thread reads and writes numbers as the C locale does; gives its status, or
 * SG_SYSTEM if the locale can't be set. */
sg_status sg_with_plain_numbers(sg_status (*work)(void *self, struct sg_error *err), void *self,
                                struct sg_error *err);

/* strtod of decimal numbers alone: a hexadecimal one, which no program writes into a file of numbers on
 * purpose, is none (*rest == text, 0). */
double sg_plain_number(const char *text, char **rest);

#endif
