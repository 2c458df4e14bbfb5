#include <math.h>

#include "drawing/modes.h"

/* In inches: the figure goes over one and a half columns of a page. */
static const double width = 5.6, height = 4.0;

/* Okabe and Ito's palette, which colour-blind readers tell apart */
static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#8C6D31", "#000000"};

enum look { LINE, STABLE, UNSTABLE, GRAZING, FORCED, LOOKS };
static const char *const names[] = {"line", "stable", "unstable", "grazing", "forced"}; /* of blocks */

static bool is_shown(const struct sg_mode_set *set, enum look look, size_t i)
{
    if (!(set->energy[i] > 0)) return false;
    switch (look) {
    case LINE:
        return !set->forced;
    case STABLE:
        return !set->forced && set->stable[i] == 1;
    case UNSTABLE:
        return !set->forced && set->stable[i] == 0;
    case GRAZING:
        return set->end[i] == 1;
    case FORCED:
        return set->forced;
    case LOOKS:
        break;
    }
    return false;
}

/* Lines are interrupted where a piece ends or no orbit was found. */
static size_t put_data(struct sg_script *script, const struct sg_mode_set *set, enum look look, size_t number)
{
    size_t shown = 0;
    SG_PUT(script, "data", SG_WORDS("look", names[look]), SG_NUMBER("set", number));
    for (size_t i = 0; i < set->count; i++) {
        bool now = is_shown(set, look, i), breaks = i > 0 && set->piece[i] != set->piece[i - 1];
        if (look == LINE && (breaks || !now)) sg_text_append(&script->text, "\n");
        if (now) sg_text_append(&script->text, "%.9g %.9g\n", set->ratio[i], set->energy[i]);
        shown += now;
    }
    sg_script_end_data(script);
    return shown;
}

static void put_set(struct sg_script *script, const struct sg_plot_modes *plot, size_t number,
                    const size_t shown[LOOKS])
{
    const char *title = plot->count == 1 ? "orbits" : plot->sets[number].title;
    for (size_t look = 0; look < LOOKS; look++) {
        if (shown[look] == 0) continue;
        SG_PLOT(script, names[look], SG_NUMBER("set", number), SG_WORDS("color", palette[number]));
        if (look == LINE || look == FORCED)
            SG_ADD(script, "in the key", SG_TEXT("title", title));
        else
            sg_script_add(script, "not in the key", NULL);
    }
}

/* Tells once, in grey, what the marks mean. */
static void put_legend(struct sg_script *script, const size_t shown[LOOKS])
{
    if (shown[STABLE] > 0) sg_script_plot(script, "meaning of stable", NULL);
    if (shown[UNSTABLE] > 0) sg_script_plot(script, "meaning of unstable", NULL);
    if (shown[GRAZING] > 0) sg_script_plot(script, "meaning of grazing", NULL);
}

/* An axis of little more than a decade has its 2, 3 and 5 told too. */
static void put_small_tics(struct sg_script *script, const struct sg_plot_modes *plot)
{
    double low = HUGE_VAL, high = 0;
    for (size_t i = 0; i < plot->count; i++)
        for (size_t k = 0; k < plot->sets[i].count; k++) {
            double energy = plot->sets[i].energy[k];
            if (!(energy > 0)) continue;
            low = fmin(low, energy);
            high = fmax(high, energy);
        }
    if (high > 50 * low) return;
    for (int k = 0; k < 3; k++) {
        double decade = pow(10, floor(log10(low)) + k);
        SG_PUT(script, "small tics", SG_NUMBER("two", 2 * decade), SG_NUMBER("three", 3 * decade),
               SG_NUMBER("five", 5 * decade));
    }
    sg_script_put(script, "tic of one", NULL);
}

void sg_plot_modes_script(const void *what, enum sg_plot_format format, struct sg_script *script)
{
    const struct sg_plot_modes *plot = what;
    size_t shown[SG_MODE_SETS][LOOKS], all[LOOKS] = {0};
    script->template = sg_template_modes;
    for (size_t i = 0; i < plot->count; i++)
        for (size_t look = 0; look < LOOKS; look++) {
            shown[i][look] = put_data(script, &plot->sets[i], (enum look)look, i);
            all[look] += shown[i][look];
        }
    sg_plot_terminal(script, format, width, height);
    SG_PUT(script, "frame", SG_TEXT("title", plot->count == 1 ? plot->sets[0].title : "nonsmooth modes"));
    put_small_tics(script, plot);
    /* The first file is drawn last, so that forced motions, which come later, lie behind its orbits. */
    for (size_t i = plot->count; i-- > 0;) put_set(script, plot, i, shown[i]);
    put_legend(script, all);
    sg_script_end_plot(script);
    sg_script_put(script, "end", NULL);
}
