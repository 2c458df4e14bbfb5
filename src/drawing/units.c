#include "drawing/units.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool takes_prefix(const char *unit)
{
    static const char *const units[] = {"s",   "m", "m/s", "m/s^2", "N", "N s",
                                        "N m", "J", "Hz",  "rad/s", "Pa"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(unit, units[i]) == 0) return true;
    }
    return false;
}

static int power_of(double largest)
{
    if (!(largest > DBL_MIN) || !isfinite(largest) || (largest >= 0.1 && largest < 1)) return 0;
    return 3 * (int)floor(log10(fmax(largest, DBL_MIN)) / 3 + 1e-9);
}

static const char *prefix_of(int power)
{
    static const char *const prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
    return power < -12 || power > 12 ? NULL : prefixes[(power + 12) / 3];
}

/* Writes a power, a multiple of 3, as "10³" or "10⁻⁶". */
static void show_power(int power, char *out, size_t size)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    int n = power < 0 ? -power : power;
    snprintf(out, size, "10%s%s%s%s", power < 0 ? "⁻" : "", n >= 100 ? digits[n / 100 % 10] : "",
             n >= 10 ? digits[n / 10 % 10] : "", digits[n % 10]);
}

/* Shows "m/s^2" with a raised 2. */
static void show_unit(const char *unit, char *out, size_t size)
{
    const char *caret = strstr(unit, "^2");
    if (caret == NULL)
        snprintf(out, size, "%s", unit);
    else
        snprintf(out, size, "%.*s²%s", (int)(caret - unit), unit, caret + 2);
}

struct sg_plot_unit sg_plot_unit_of(const char *unit, double low, double high)
{
    struct sg_plot_unit scaled = {.factor = 1};
    char shown[32], times[24];
    int power = power_of(fmax(fabs(low), fabs(high)));
    bool plain = strcmp(unit, "1") == 0 || unit[0] == '\0';
    if (power >= -3 && power < 3 && !takes_prefix(unit)) power = 0;
    scaled.factor = pow(10, -power);
    show_unit(unit, shown, sizeof shown);
    show_power(power, times, sizeof times);
    if (plain && power == 0)
        scaled.text[0] = '\0';
    else if (plain)
        snprintf(scaled.text, sizeof scaled.text, " [%s]", times);
    else if (power == 0)
        snprintf(scaled.text, sizeof scaled.text, " [%s]", shown);
    else if (takes_prefix(unit) && prefix_of(power) != NULL)
        snprintf(scaled.text, sizeof scaled.text, " [%s%s]", prefix_of(power), shown);
    else
        snprintf(scaled.text, sizeof scaled.text, " [%s %s]", times, shown);
    return scaled;
}
