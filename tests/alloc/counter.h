/* The calls of our own code to malloc and its kin: the linker puts these functions in their place (BLAS and
 * HDF5 call their own). They are counted, and each of them may be made to fail. */
#ifndef SG_TESTS_COUNTER_H
#define SG_TESTS_COUNTER_H

#include <stdbool.h>

struct sg_counter {
    bool on;       /* whether calls are counted */
    long calls;    /* requests and releases */
    long requests; /* always counted */
    long blocks;   /* that were given and not yet taken back */
    long failing;  /* the how many-th request from now on fails; 0: none */
    bool lasting;  /* all requests after that one fail too */
};

extern struct sg_counter counter;

#endif
