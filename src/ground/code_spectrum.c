#include "ground/code_spectrum.h"

#include <math.h>

static const struct soil {
    double s, tb, tc, td;
} soils[2][5] = {{[SG_SOIL_A] = {1.0, 0.15, 0.4, 2.0},
                  [SG_SOIL_B] = {1.2, 0.15, 0.5, 2.0},
                  [SG_SOIL_C] = {1.15, 0.20, 0.6, 2.0},
                  [SG_SOIL_D] = {1.35, 0.20, 0.8, 2.0},
                  [SG_SOIL_E] = {1.4, 0.15, 0.5, 2.0}},
                 {[SG_SOIL_A] = {1.0, 0.05, 0.25, 1.2},
                  [SG_SOIL_B] = {1.35, 0.05, 0.25, 1.2},
                  [SG_SOIL_C] = {1.5, 0.10, 0.25, 1.2},
                  [SG_SOIL_D] = {1.8, 0.10, 0.30, 1.2},
                  [SG_SOIL_E] = {1.6, 0.05, 0.25, 1.2}}};

struct sg_code_spectrum sg_code_spectrum_eurocode8(const struct sg_eurocode8 *given)
{
    const struct soil *soil = &soils[given->type == 2 ? 1 : 0][given->soil];
    return (struct sg_code_spectrum){
        .acceleration = isnan(given->pga) ? given->ag * soil->s : given->pga,
        .tb = soil->tb,
        .tc = soil->tc,
        .td = soil->td,
        .eta = fmax(0.55, sqrt(10 / (5 + 100 * given->damping))),
    };
}

double sg_code_spectrum_at(const struct sg_code_spectrum *spectrum, double period)
{
    double plateau = 2.5 * spectrum->eta, ratio = spectrum->tc / period;
    if (period <= spectrum->tb) return spectrum->acceleration * (1 + period / spectrum->tb * (plateau - 1));
    if (period <= spectrum->tc) return spectrum->acceleration * plateau;
    if (period <= spectrum->td) return spectrum->acceleration * plateau * ratio;
    return spectrum->acceleration * plateau * ratio * spectrum->td / period;
}
