/* HDF5 for a whole process. */
#ifndef SG_RESULTS_SETUP_H
#define SG_RESULTS_SETUP_H

/* First thing in main: without it a write that failed (disk full) ends in a crash when HDF5 cleans up at
 * exit. */
void sg_results_setup(void);

#endif
