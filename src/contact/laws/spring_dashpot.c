#include "contact/laws/spring_dashpot.h"

#include <math.h>

double sg_spring_dashpot_duration(double z)
{
    double rest = (1.0 - z) * (1.0 + z);
    /* both branches are 0/0 at z = 1: there the series 2 (1 + (1 - z)/3) of both holds */
    if (fabs(rest) < 1e-10) return 2.0 + 2.0 / 3.0 * (1.0 - z);
    return rest > 0.0 ? 2.0 * acos(z) / sqrt(rest) : 2.0 * acosh(z) / sqrt(-rest);
}

double sg_spring_dashpot_restitution(double z)
{
    return exp(-z * sg_spring_dashpot_duration(z));
}

/* -log e = z omega t rises with z: from 0, and like 2 log(2 z) in the end */
double sg_spring_dashpot_ratio(double e)
{
    double wanted = -log(e), low = 0.0, high = 1.0;
    if (!(wanted > 0.0)) return 0.0;
    while (high * sg_spring_dashpot_duration(high) < wanted) high *= 2.0;
    for (int k = 0; k < 200; k++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        if (middle * sg_spring_dashpot_duration(middle) < wanted)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}
