#include "contact/laws/hertz_formulas.h"

#include <math.h>
#include <stdbool.h>

#include "support/constants.h"

double sg_hertz_force(double k, double x)
{
    return x > 0.0 ? k * x * sqrt(x) : 0.0;
}

double sg_hertz_energy(double k, double x)
{
    return x > 0.0 ? 0.4 * k * x * x * sqrt(x) : 0.0;
}

double sg_hertz_depth(double k, double m, double v)
{
    return pow(1.25 * m * v * v / k, 0.4);
}

/* 2 int_0^1 dy / sqrt(1 - y^(5/2)) = (4/5) sqrt(pi) Gamma(2/5) / Gamma(9/10) = 2.943... depths over the speed
 */
double sg_hertz_duration(double k, double m, double v)
{
    return 0.8 * sqrt(SG_PI) * tgamma(0.4) / tgamma(0.9) * sg_hertz_depth(k, m, v) / v;
}

/* log(1 + a) - log(1 - a e) - a (1 + e): below 0 for small a, above towards a = 1/e. Its first terms cancel:
 * of small a by series, sum_k a^k ((-1)^(k+1) + e^k) / k from k = 2 on. */
static double excess(double a, double e)
{
    enum { TERMS = 40 };
    double sum = 0.0, power = a, rise = log(e);
    if (a > 0.25) return log1p(a) - log1p(-a * e) - a * (1.0 + e);
    for (int k = 2; k < TERMS; k++) {
        power *= a;
        sum += power / k * (k % 2 == 0 ? expm1(k * rise) : 1.0 + exp(k * rise));
    }
    return sum;
}

static double bisect(double low, double high, double fixed, bool of_a)
{
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high) break;
        if ((of_a ? excess(middle, fixed) : excess(fixed, middle)) < 0.0)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

double sg_hertz_dashpot(double e)
{
    return e < 1.0 ? bisect(0.75 * (1.0 - e * e), 1.0 / e, e, true) : 0.0;
}

double sg_hertz_restitution(double a)
{
    return a > 0.0 ? bisect(0.0, a < 1.0 ? 1.0 : 1.0 / a, a, false) : 1.0;
}
