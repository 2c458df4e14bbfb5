/* The BLAS behind linalg/, as far as the rest of the program must know of it. */
#ifndef SG_LINALG_BLAS_H
#define SG_LINALG_BLAS_H

#include "support/status.h"

/* bytes: the work space of OpenBLAS on x86-64, rounded up */
enum { SG_BLAS_WORK_SPACE = 132 * 1024 * 1024 };

/* To be called once, first in main: one thread. OpenBLAS gives other last bits with two (dsyevd from
 * n = 50 on), and cases are what is run in parallel. */
void sg_linalg_single_thread(void);

/* Makes the BLAS take its work space now; SG_NO_MEMORY if there is none. Left alone it asks for it again
 * and again without end, under a limit of memory as batch systems set it. To be called before any other
 * function of linalg/ that needs the BLAS; only the first call costs anything. */
sg_status sg_linalg_reserve(struct sg_error *err);

#endif
