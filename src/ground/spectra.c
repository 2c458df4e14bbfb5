#include "ground/spectra.h"

/* one line a kind of spectrum */
#define SPECTRA(X) X(eurocode8)

#define DECLARE(name) extern const struct sg_spectrum_ops sg_spectrum_##name;
SPECTRA(DECLARE)
#undef DECLARE

#define KIND(name) &sg_spectrum_##name.kind,
static const struct sg_kind *const kinds[] = {SPECTRA(KIND)};
#undef KIND

const struct sg_kind_set sg_spectrum_kinds = {
    .noun = "spectrum", .fallback = "eurocode-8", .count = sizeof kinds / sizeof *kinds, .items = kinds};

sg_status sg_spectrum_read(const struct sg_setting *node, double damping, struct sg_code_spectrum *spectrum,
                           struct sg_text *words, struct sg_diagnostics *diagnostics)
{
    /* each kind is the first member of its ops */
    const struct sg_spectrum_ops *ops = (const struct sg_spectrum_ops *)(const void *)sg_setting_kind(node);
    return ops->read(node, damping, spectrum, words, diagnostics);
}
