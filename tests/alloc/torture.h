/* Whole commands in which a request for memory fails. */
#ifndef SG_TESTS_TORTURE_H
#define SG_TESTS_TORTURE_H

#include <check.h>

/* With SIGNORINI_TORTURE in the environment every request of every command fails in turn, else a sample. */
TCase *sg_torture_cases(void);

#endif
