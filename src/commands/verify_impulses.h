/* What benchmarks with impulses measure alike, of traces with the histories "impulse" and "energy/total". */
#ifndef SG_COMMANDS_VERIFY_IMPULSES_H
#define SG_COMMANDS_VERIFY_IMPULSES_H

#include "commands/verify.h"

/* The step that ends at t gave the contact an impulse, and the one before it none. */
struct sg_impact {
    double t, impulse; /* s, N s: of that step alone */
};
/* the first `most` of them; how many there are of these */
size_t sg_trace_impacts(const struct sg_trace *trace, size_t contact, struct sg_impact *impacts, size_t most);

/* N s: of all contacts, over the run */
double sg_measure_impulse(const struct sg_verification *verification, size_t trial);
/* m: deepest overlap at the end of any step */
double sg_measure_penetration(const struct sg_verification *verification, size_t trial);
/* J: the largest rise of the total energy over one step */
double sg_measure_energy_rise(const struct sg_verification *verification, size_t trial);
/* J: of the end over the start */
double sg_measure_energy_change(const struct sg_verification *verification, size_t trial);
double sg_measure_newton_mean(const struct sg_verification *verification, size_t trial);
double sg_measure_newton_most(const struct sg_verification *verification, size_t trial);
double sg_measure_rejected(const struct sg_verification *verification, size_t trial);

/* trials of the schemes that the nonsmooth generalized-alpha method is compared with */
#define SG_TRIAL_VELOCITY "strategy.level=velocity"
#define SG_TRIAL_INDEX_3  "strategy.level=position"
#define SG_TRIAL_MODIFIED "strategy.variant=modified-lcp"
#define SG_TRIAL_MOREAU   "integrator.type=theta", "integrator.theta=0.55555555555555558", SG_TRIAL_VELOCITY

#endif
