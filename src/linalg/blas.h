/* The BLAS behind linalg/, as far as the rest of the program must know of it. */
#ifndef SG_LINALG_BLAS_H
#define SG_LINALG_BLAS_H

/* To be called once, first in main: one thread. OpenBLAS gives other last bits with two (dsyevd from
 * n = 50 on), and cases are what is run in parallel. */
void sg_linalg_single_thread(void);

#endif
