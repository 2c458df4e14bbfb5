/* Tells whether a results file's velocities are those of its rows' times. */
#ifndef SG_RESULTS_STAGGERED_H
#define SG_RESULTS_STAGGERED_H

#include <stdbool.h>

/* true if the velocities are those of the middle of the steps that begin at the rows; of a file that
 * sg_reader_open has found sound */
bool sg_results_are_staggered(const char *path);

#endif
