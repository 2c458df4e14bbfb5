/* Models that differ from what their deck says. */
#ifndef SG_ASSEMBLY_VARIATION_H
#define SG_ASSEMBLY_VARIATION_H

#include <stddef.h>

/* In what the runs of a sweep differ from their deck; what is NaN stays as the deck says. */
struct sg_variation {
    double omega;    /* rad/s: of all harmonic signals of loads and supports */
    double factor;   /* 1: by which their amplitudes are multiplied, where omega is given */
    double alpha;    /* 1/s: of the damping C = alpha M + beta K */
    size_t elements; /* of every body 'bar'; 0: as the deck says */
};

#endif
