/* The kinds of target spectrum that a deck of ground motion may name. */
#ifndef SG_GROUND_SPECTRA_H
#define SG_GROUND_SPECTRA_H

#include "deck/deck.h"
#include "ground/code_spectrum.h"
#include "support/status.h"

struct sg_spectrum_ops {
    struct sg_kind kind;
    /* as sg_spectrum_read */
    sg_status (*read)(const struct sg_setting *node, double damping, struct sg_code_spectrum *spectrum,
                      struct sg_text *words, struct sg_diagnostics *diagnostics);
};

extern const struct sg_kind_set sg_spectrum_kinds;

/* Reads a validated group of these kinds; `damping` is the oscillators' ratio. `words` describe the spectrum.
 * SG_BAD_DECK comes with findings. */
sg_status sg_spectrum_read(const struct sg_setting *node, double damping, struct sg_code_spectrum *spectrum,
                           struct sg_text *words, struct sg_diagnostics *diagnostics);

#endif
