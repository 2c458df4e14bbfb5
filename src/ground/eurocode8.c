#include <math.h>

#include "ground/spectra.h"

struct spec {
    long long shape;
    int soil;
    double ag, pga;
};

static const struct sg_keyword rows[] = {
    {.name = "shape",
     .type = SG_INTEGER,
     .unit = "1",
     .meaning = "1: earthquakes of large magnitude; 2: of a surface-wave magnitude up to 5.5",
     .fallback = "1",
     .range = SG_BETWEEN(1, 2),
     .offset = offsetof(struct spec, shape)},
    {.name = "soil",
     .type = SG_CHOICE,
     .meaning = "ground type, from rock (A) to soft and alluvial ground (D, E)",
     .fallback = "\"A\"",
     .choices = SG_SOIL_CHOICES,
     .offset = offsetof(struct spec, soil)},
    {.name = "ag",
     .type = SG_REAL,
     .unit = "m/s^2",
     .meaning = "design acceleration on rock, which the soil's factor S multiplies; this or pga",
     .example = "0.981",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, ag)},
    {.name = "pga",
     .type = SG_REAL,
     .unit = "m/s^2",
     .meaning = "peak ground acceleration of the spectrum, a_g S; this or ag",
     .example = "0.981",
     .range = SG_POSITIVE,
     .offset = offsetof(struct spec, pga)},
    {0}};

static sg_status read_spectrum(const struct sg_setting *node, double damping,
                               struct sg_code_spectrum *spectrum, struct sg_text *words,
                               struct sg_diagnostics *diagnostics)
{
    struct spec spec = {0};
    sg_setting_fill(node, rows, &spec);
    if (isnan(spec.ag) == isnan(spec.pga)) {
        sg_complain_about(diagnostics, SG_ERROR, node, "ag",
                          "give either 'ag', on rock, or 'pga', at the surface%s",
                          isnan(spec.ag) ? "" : ", not both");
        return SG_BAD_DECK;
    }
    struct sg_eurocode8 given = {(int)spec.shape, (enum sg_soil)spec.soil, spec.ag, spec.pga, damping};
    *spectrum = sg_code_spectrum_eurocode8(&given);
    sg_text_append(words, "Eurocode 8 type %lld, soil %c, PGA %.6g m/s^2, damping %.4g", spec.shape,
                   "ABCDE"[spec.soil], spectrum -> acceleration, damping);
    return SG_OK;
}

const struct sg_spectrum_ops sg_spectrum_eurocode8 = {
    .kind = {"eurocode-8", "horizontal elastic response spectrum of EN 1998-1:2004, 3.2.2.2", rows},
    .read = read_spectrum};
